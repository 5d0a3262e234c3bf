"""The replayed sample: its playouts are those of the run, and it is the same bytes however it is made."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simkit import api
from simkit.engine import replays
from simkit.engine.replays import DEALS, REPLAYS, deals_of, job_of, replay
from simkit.engine.verify import verify
from simkit.engine.worker import trace
from simkit.errors import RunError
from simkit.spec import WHOLE, GameSpec
from simkit.store import Run

FILE = "replayed.parquet"


def asked(spec: GameSpec, playouts: int, **more: object) -> api.Question:
    return api.question(spec.name, players=max(spec.players), playouts=playouts, policies={"all": "random"}, **more)


def shares(spec: GameSpec, players: list[dict[str, int]]) -> list[int]:
    """What each seat had of the outcome of a playout, in 2520ths; a team has one seat."""
    had = [player[spec.outcome] for player in players]
    standing = had[:1] if spec.cooperative else had
    return [WHOLE // sum(standing) if one else 0 for one in standing]


def test_they_are_what_the_traces_of_these_playouts_say(spec: GameSpec) -> None:
    recipe = asked(spec, 100).recipe
    job = job_of(recipe, recipe.cells[0])
    found = replay(job, 3, 5)
    for deal in range(5):
        each = np.array([shares(spec, trace(job, REPLAYS * (3 + deal) + again)[2]) for again in range(REPLAYS)])
        assert found.credit[deal].tolist() == each.sum(axis=0).tolist()
        assert found.squared[deal].tolist() == (each**2).sum(axis=0).tolist()


def test_the_first_replay_of_a_deal_is_the_playout_of_the_run(spec: GameSpec) -> None:
    """So a deal is what cells share, in a run without replays as in one with them."""
    recipe = asked(spec, 100).recipe
    of_run = api.run(asked(spec, 40), out=Path("run"), jobs=1).scan("playouts", 0).collect()
    job = job_of(recipe, recipe.cells[0])
    for deal in range(40):
        row = trace(job, REPLAYS * deal)[1]
        assert row["decisions"] == of_run["decisions"][deal]


def test_how_many_deals() -> None:
    assert deals_of(64 * 20 - 1) == 0, "too few say nothing"
    assert deals_of(64 * 20) == 64
    assert deals_of(10_000) == 500, "a fifth of the playouts"
    assert deals_of(10**9) == DEALS


def test_a_short_run_has_none(spec: GameSpec) -> None:
    run = api.run(asked(spec, 200), out=Path("run"))
    assert run.replayed() is None
    assert not (run.folder / FILE).exists()


def test_work_units_and_workers_leave_no_trace(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "DEALS", 70)
    whole = api.run(asked(spec, 1400), out=Path("whole"), jobs=1)
    monkeypatch.setattr(replays, "UNIT", 9)
    split = api.run(asked(spec, 1400), out=Path("split"), jobs=3)
    assert (whole.folder / FILE).read_bytes() == (split.folder / FILE).read_bytes()
    assert whole.manifest["replayed"] == split.manifest["replayed"] == {"deals": 70, "replays": REPLAYS}
    found = whole.replayed()
    assert found is not None
    seats = 1 if spec.cooperative else max(spec.players)
    assert found.height == 70 * seats
    assert found.group_by("deal").agg(pl.col("credit").sum())["credit"].max() <= REPLAYS * WHOLE


def test_they_are_made_again_when_the_run_grows_and_when_they_are_damaged() -> None:
    one = {"policies": {"all": "random"}, "preset": "solo-1"}
    run = api.run(api.question("propuh", playouts=2000, **one), out=Path("run"))
    assert run.manifest["replayed"]["deals"] == 100
    first = (run.folder / FILE).read_bytes()
    assert any("replayed 4 times" in line for line in verify(Run.read(run.folder), 1))
    (run.folder / FILE).write_bytes(b"damaged")
    with pytest.raises(RunError, match=r"replayed\.parquet"):
        list(verify(Run.read(run.folder), 1))
    with pytest.raises(RunError, match=r"replayed\.parquet: does not have its checksum"):
        Run.read(run.folder).replayed()
    api.extend(run.folder, 2000)
    assert (run.folder / FILE).read_bytes() == first
    api.extend(run.folder, 4000)
    assert Run.read(run.folder).manifest["replayed"]["deals"] == 200
    whole = api.run(api.question("propuh", playouts=4000, **one), out=Path("whole"))
    assert (whole.folder / FILE).read_bytes() == (run.folder / FILE).read_bytes()


def test_a_changed_sample_is_found_out() -> None:
    """Also one that has the checksum the manifest says."""
    run = api.run(api.question("propuh", playouts=2000, preset="solo-1"), out=Path("run"))
    opened = Run.read(run.folder)
    table = opened.replayed()
    assert table is not None
    opened.write_table(FILE, table.with_columns(credit=pl.col("credit").shift(1, fill_value=0)))
    opened.save(force=True)
    with pytest.raises(RunError, match=r"comes out otherwise when replayed"):
        list(verify(Run.read(run.folder), 1))
