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
from simkit.report.build import write_report
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
        assert found.credit[deal].tolist() == each.T.tolist()


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
    assert whole.manifest["replayed"] == split.manifest["replayed"]
    assert {**whole.manifest["replayed"], "sample": ""} == {"deals": 70, "replays": REPLAYS, "sample": ""}
    found = whole.replayed()
    assert found is not None
    seats = 1 if spec.cooperative else max(spec.players)
    assert found.height == 70 * seats
    assert found.group_by("deal").agg(pl.col("replay_0").cast(pl.Int32).sum())["replay_0"].max() <= WHOLE


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
    opened.write_table(FILE, table.with_columns(replay_1=pl.col("replay_1").shift(1, fill_value=0)))
    opened.save(force=True)
    with pytest.raises(RunError, match=r"comes out otherwise when replayed"):
        list(verify(Run.read(run.folder), 1))


def test_a_cell_that_grows_alone_has_its_sample_made_anew() -> None:
    """Cells of a run that stops by itself have different numbers of playouts; the one with most is not all that counts."""
    text = """
game = "propuh"
playouts = 40_000
[[grid]]
players = 2
policies = { all = "random" }
[[grid]]
presets = ["solo-3"]
policies = { all = "random" }
"""
    Path("s.toml").write_text(text)
    run = api.run(api.question("s.toml", until_width=2.5, playouts=40_000), out=Path("run"))
    most, least = max(run.playouts_of), min(run.playouts_of)
    assert deals_of(most) == DEALS > deals_of(least) > 0
    api.extend(run.folder, least + 2000)
    longer = Run.read(run.folder)
    found = longer.replayed()
    assert found is not None
    assert found.group_by("cell").agg(pl.col("deal").n_unique()).sort("cell")["deal"].to_list() == [
        deals_of(playouts) for playouts in longer.playouts_of
    ]
    assert any("deals come out the same" in line for line in verify(longer, 1))


@pytest.mark.parametrize("entry", ["replayed", "observed"])
def test_a_manifest_that_denies_a_sample_is_believed(entry: str) -> None:
    run = api.run(api.question("propuh", playouts=1400, preset="solo-1"), out=Path("run"))
    opened = Run.read(run.folder)
    opened.manifest[entry] = None
    opened.save(force=True)
    again = Run.read(run.folder)
    assert getattr(again, entry)() is None
    assert list(verify(again, 1))
    assert write_report(again, Path("report")).exists()


def test_a_table_of_something_else_is_one_line() -> None:
    run = api.run(api.question("propuh", playouts=1400, preset="solo-1"), out=Path("run"))
    opened = Run.read(run.folder)
    opened.write_table(FILE, pl.DataFrame({"cell": [1]}))
    opened.save(force=True)
    with pytest.raises(RunError, match=r"replayed\.parquet: is not a table of replayed deals"):
        Run.read(run.folder).replayed()
