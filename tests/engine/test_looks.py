"""Runs that stop when they know enough: at the same playout everywhere, and every reader copes with uneven cells."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice, takewhile
from pathlib import Path

import polars as pl
import pytest

from simkit import api
from simkit.cli import run as command
from simkit.engine.plan import look_deals, parts_of
from simkit.engine.worker import Job, play
from simkit.errors import RunError
from simkit.stats.sequential import rate_sequence
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.test_same_rows import bytes_of

WIDTH = 4.0  # points
SCENARIO = """game = "propuh"
seed = 3
[[grid]]
name = "two"
policies = [{ granny = "random", propuh = "random" }, { granny = "builder", propuh = "blocker_propuh" }]
players = 2
[[grid]]
name = "hard"
presets = ["random-4"]
policies = { granny = "random" }
"""


@pytest.fixture
def asked() -> api.Question:
    Path("s.toml").write_text(SCENARIO)
    return api.question("s.toml", until_width=WIDTH)


def sizes(done: Run) -> list[int]:
    return api.cells(done.folder)["playouts"].tolist()


def test_looks_are_a_quarter_apart_and_a_part_ends_at_each(asked: api.Question) -> None:
    assert list(islice(look_deals(), 6)) == [1024, 1280, 1792, 2304, 3072, 3840]
    ends = [part.first + part.playouts for part in parts_of(asked.recipe, [5_000] * 3, 1024) if part.group == 0]
    assert ends == [1024, 1280, 1792, 2304, 3072, 3840, 4864, 5000]


def test_looks_are_at_whole_deals_of_every_cell() -> None:
    Path("s.toml").write_text(
        'game = "granny_wars"\nplayouts = 120\nreplicates = 2\nrotate = true\n'
        'grid = { players = [2, 3], policies = { all = "random" } }\n'
    )
    recipe = api.question("s.toml").recipe
    ends = [part.first + part.playouts for part in parts_of(recipe, [12_000] * 2, 1024)]
    assert ends == [6144, 7680, 10752, 12000]
    assert all(end % 12 == 0 for end in ends)


def test_each_group_stops_at_its_first_look_that_is_narrow_enough(asked: api.Question, tmp_path: Path) -> None:
    """Found again from the outcomes of the same playouts, one look after the other."""
    done = api.run(asked, out=tmp_path / "run", jobs=2)
    expected = []
    for group in asked.recipe.groups:
        won = [play(Job.of(asked.recipe, asked.recipe.cells[cell]), 0, 20_000).won & 1 for cell in group.cells]
        for deals in look_deals():
            ranges = [rate_sequence(int(each[:deals].sum()), deals) for each in won]
            if all(100 * (high - low) <= WIDTH for low, high in ranges):
                break
        expected += [deals] * len(group.cells)
    assert sizes(done) == expected
    assert len(set(expected)) == 2
    cells = api.cells(done.folder)
    for row in cells.itertuples():
        assert (row.low, row.high) == rate_sequence(row.wins, row.playouts)
        assert row.method == "at any look"


def test_it_stops_at_the_same_bytes_on_any_workers(asked: api.Question, tmp_path: Path) -> None:
    runs = [
        api.run(asked, out=tmp_path / "one", jobs=1),
        api.run(asked, out=tmp_path / "three", jobs=3, unit_playouts=97),
        api.run(asked, out=tmp_path / "loky", jobs=2, backend="loky"),
    ]
    assert bytes_of(runs[0].folder) == bytes_of(runs[1].folder) == bytes_of(runs[2].folder)


def test_a_run_that_is_interrupted_stops_where_it_would_have(
    asked: api.Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = api.run(asked, out=tmp_path / "whole", jobs=1)
    real, commits = Run.commit, 0

    def until_the_ninth(self: Run, *part: object) -> None:
        nonlocal commits
        commits += 1
        if commits == 9:
            raise RunError("the disk is full")
        real(self, *part)  # type: ignore[arg-type]

    monkeypatch.setattr(Run, "commit", until_the_ninth)
    with pytest.raises(RunError, match="disk is full"):
        api.run(asked, out=tmp_path / "broken", jobs=1)
    with pytest.raises(RunError, match="not finished; continue it with --resume"):
        api.extend(tmp_path / "broken", 90_000)
    monkeypatch.undo()
    again = api.run(asked, out=tmp_path / "broken", jobs=2, resume=True)
    assert bytes_of(again.folder) == bytes_of(whole.folder)
    assert again.playouts_of == whole.playouts_of


def test_a_killed_run_stops_where_it_would_have(asked: api.Question, tmp_path: Path) -> None:
    whole = api.run(asked, out=tmp_path / "whole")
    words = ["run", str(Path("s.toml").resolve()), "--until-width", f"{WIDTH}pt", "--out", str(tmp_path / "killed")]
    code = f"import sys; from simkit.cli import run; sys.exit(run({[*words, '--resume']!r}))"
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL)
    start = time.monotonic()
    while not list((tmp_path / "killed").rglob("tallies/*/part-00002.parquet")):
        time.sleep(0.005)
        assert time.monotonic() - start < 60
    process.send_signal(signal.SIGKILL)
    assert process.wait(timeout=60) != 0
    subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, check=True)
    assert bytes_of(tmp_path / "killed") == bytes_of(whole.folder)


def test_every_reader_copes_with_uneven_cells(
    asked: api.Question, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = api.run(asked, out=tmp_path / "run", jobs=2)
    uneven = sizes(done)
    most, fewest = max(uneven), min(uneven)
    *_, observed, replayed = api.verify(done.folder)
    assert observed.endswith("observed playouts count the same when traced again")
    assert replayed.endswith("deals come out the same when replayed 4 times each")
    assert api.export(done.folder, tmp_path / "rows.parquet") == sum(uneven)
    assert pl.read_parquet(tmp_path / "rows.parquet")["cell"].value_counts().sort("cell")["count"].to_list() == uneven
    assert api.replay(str(done.folder), most - 1, cell=0).playout == most - 1
    assert command(["replay", str(done.folder), "--cell", "2", "--playout", str(most - 1)]) == 2
    assert f"expected 0 to {fewest - 1}" in capsys.readouterr().err
    page = api.report(done.folder)
    told = (page.parent / "report.md").read_text()
    assert f"3 cells, {fewest:,} to {most:,} playouts each = {sum(uneven):,} games" in told
    assert "hold however often one looks" in told
    assert "until every range was at most 4 points wide" in told
    numbers = json.loads((page.parent / "report.json").read_text())
    assert [cell["playouts"] for cell in numbers["cells"]] == uneven
    assert numbers["differences"][0]["deals"] == most


def test_ranges_of_all_tables_are_wider_than_ordinary_ones(asked: api.Question, tmp_path: Path) -> None:
    from simkit.summary.evidence import gather

    done = api.run(asked, out=tmp_path / "run", jobs=2)
    plain, wide = (gather(done.recipe, done.tallies(), looked) for looked in (False, True))
    for name in ("cells", "seats", "end_reasons", "columns", "differences"):
        a, b = getattr(plain, name), getattr(wide, name)
        ratio = (b["high"] - b["low"]) / (a["high"] - a["low"])
        assert ratio[ratio.notna()].between(1.3, 3.5).all(), name


def test_a_finished_run_is_left_as_it_is_and_another_rule_needs_another_folder(
    asked: api.Question, tmp_path: Path
) -> None:
    done = api.run(asked, out=tmp_path / "run", jobs=2)
    before = {path: path.stat().st_mtime_ns for path in done.folder.rglob("*.*")}
    assert api.run(asked, out=done.folder).is_complete
    assert {path: path.stat().st_mtime_ns for path in done.folder.rglob("*.*")} == before
    for other in (api.question("s.toml", until_width=3), api.question("s.toml"), api.Question(asked.recipe, 5, WIDTH)):
        with pytest.raises(RunError, match="another rule when to stop; choose another folder"):
            api.run(other, out=done.folder)


def test_an_extension_brings_every_cell_to_as_many(asked: api.Question, tmp_path: Path) -> None:
    done = api.run(asked, out=tmp_path / "run", jobs=2)
    fewest, most = min(sizes(done)), max(sizes(done))
    with pytest.raises(RunError, match=f"holds {fewest:,} playouts per cell already"):
        api.extend(done.folder, fewest - 1)
    assert sizes(api.extend(done.folder, most - 1)) == [most, most, most - 1]
    assert sizes(api.extend(done.folder, most + 100)) == [most + 100] * 3
    assert list(api.verify(done.folder))
    fixed = api.run(api.Question(asked.recipe, most + 100), out=tmp_path / "fixed", jobs=2)
    assert (fixed.folder / "agg" / "tallies.parquet").read_bytes() == (
        done.folder / "agg" / "tallies.parquet"
    ).read_bytes()
    assert set(api.cells(done.folder)["method"]) == {"at any look"}


def test_damage_is_repaired_without_playing_more(asked: api.Question, tmp_path: Path) -> None:
    done = api.run(asked, out=tmp_path / "run", jobs=2)
    before = bytes_of(done.folder)
    done.path("players", 1, 1).unlink()
    with pytest.raises(RunError, match=f"or with: simkit extend .* --playouts {min(sizes(done))}"):
        list(api.verify(done.folder))
    api.extend(done.folder, min(sizes(done)), jobs=1)
    assert bytes_of(done.folder) == before
    done.path("players", 2, 0).unlink()
    api.run(asked, out=done.folder, resume=True)
    assert bytes_of(done.folder) == before


def test_tallies_alone_keep_a_sample_of_rows(asked: api.Question, tmp_path: Path) -> None:
    done = api.run(asked, out=tmp_path / "run", tally_only=True, jobs=2)
    kept = api.export(done.folder, tmp_path / "rows.parquet")
    assert kept == sum(min(playouts, 10_000) for playouts in sizes(done))
    assert list(api.verify(done.folder))


def test_cells_that_did_not_get_narrow_enough_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.toml").write_text(SCENARIO)
    assert command(["run", "s.toml", "--until-width", "2pt", "-n", "3000", "-j", "1", "--out", "here"]) == 0
    out = capsys.readouterr().out
    assert (
        "Not narrow enough after 3,000 playouts, the most allowed: 2 players, builder / blocker_propuh and 1 more"
        in (" ".join(out.split()))
    )
    assert "2 points were asked for" in out
    assert "Playing stopped when the ranges were narrow enough" in out


def test_without_a_most_it_plays_as_much_as_the_widest_range_takes() -> None:
    for width in (0.3, 1.0, 4.0):
        most = api.question("propuh", until_width=width).playouts
        earlier = list(takewhile(lambda deals, most=most: deals < most, look_deals(api.first_deals(width))))[-1]
        widths = [high - low for low, high in (rate_sequence(n / 2, n) for n in (earlier, most))]
        assert 100 * widths[1] <= width < 100 * widths[0]


def test_replayed_deals_stop_by_the_spread_between_deals(tmp_path: Path) -> None:
    Path("s.toml").write_text(
        'game = "propuh"\nplayouts = 4000\nreplicates = 4\n[grid]\npresets = "solo-2"\npolicies = { all = "random" }'
    )
    done = api.run(api.question("s.toml", until_width=WIDTH), out=tmp_path / "run", jobs=2)
    row = api.cells(done.folder).iloc[0]
    assert row["playouts"] % (4 * 256) == 0
    assert 100 * (row["high"] - row["low"]) <= WIDTH
    assert row["method"] == "at any look"


@pytest.mark.parametrize("word", ["0", "-1", "60", "wide", "nan", "0.5 %"])
def test_a_width_that_is_none_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["run", "propuh", "--until-width", word]) == 2
    err = capsys.readouterr().err
    assert err == f"simkit: --until-width '{word}': expected points from 0.001 to 50, such as 0.5pt\n"


def test_runs_that_looked_are_compared_with_ranges_that_allow_for_it(tmp_path: Path) -> None:
    from simkit.answers.compare_runs import compare_runs

    Path("s.toml").write_text(SCENARIO)
    looked = api.run(api.question("s.toml", until_width=WIDTH), out=tmp_path / "looked", jobs=2)
    fixed = [api.run(api.question("s.toml", playouts=2_000, seed=seed), out=tmp_path / f"{seed}") for seed in (3, 4)]
    for other in fixed:
        wide, plain = (compare_runs(first, other.folder).differences[0] for first in (looked.folder, fixed[0].folder))
        assert wide.playouts == 2_000
        if other is fixed[1]:
            assert wide.high - wide.low > 1.2 * (plain.high - plain.low)
    assert any("however often" in remark for remark in compare_runs(looked.folder, fixed[1].folder).remarks)
