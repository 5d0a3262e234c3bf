"""What `simkit plan --cluster` foretells is what runs are measured to take and to leave."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from simkit import api
from simkit.answers.cluster import WAYS, Costs, Way, calibrate, estimate
from simkit.cli import run
from simkit.engine.plan import PART
from simkit.store import Run

NOISE = 2.5  # a machine that does other things besides
COUNTS, BY_WORKERS, ROWS, ROWS_BY_WORKERS = WAYS


def question(playouts: int) -> api.Question:
    return api.question("propuh", preset="solo-2", policies={"all": "random"}, playouts=playouts)


@pytest.fixture(scope="module")
def costs() -> Costs:
    """In processor time, as the runs below are measured: what else the machine does meanwhile is not the model's fault."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "perf_counter", time.process_time)
        return calibrate(question(1).recipe)


@pytest.mark.parametrize("playouts", [100_000, 1_000_000, 4_000_000])
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_time_foretold_is_the_time_taken(costs: Costs, playouts: int, jobs: int) -> None:
    """The workers share everything but the start."""
    asked = question(playouts)
    foretold = estimate(asked.recipe, costs, playouts, jobs, COUNTS, task_seconds=0.001, task_length=0.4)
    taken = []
    for attempt in range(2):
        start = time.process_time()
        api.run(asked, out=f"run-{attempt}", jobs=jobs, tally_only=True)
        taken.append(costs.start + max(time.process_time() - start - costs.start, 0) / jobs)
    assert foretold.seconds / NOISE < min(taken) < NOISE * foretold.seconds


@pytest.mark.parametrize("playouts", [300_000, 1_000_000])
@pytest.mark.parametrize("way", [COUNTS, ROWS])
def test_the_disk_foretold_is_the_disk_used(costs: Costs, playouts: int, way: Way) -> None:
    asked = question(playouts)
    api.run(asked, out="run", tally_only=not way.rows)
    parts = [path for path in Path("run").rglob("part-*.parquet") if path.is_file()]
    used = sum(path.stat().st_size for path in [*parts, Path("run/manifest.json")])
    foretold = estimate(asked.recipe, costs, playouts, 1, way).disk
    assert foretold == pytest.approx(used, rel=0.25)


def test_the_bytes_of_a_row_are_those_of_the_files(costs: Costs, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "propuh", "--preset", "solo-2", "--policy", "all=random", "-n", "300000", "--out", "run"]) == 0
    size = sum(path.stat().st_size for name in ("playouts", "players") for path in Path("run", name).rglob("*.parquet"))
    assert Run.read("run").row_bytes == (300_000, size)
    assert (
        f"rows of 300,000 playouts: {size / 300_000:.1f} bytes each, {size / 1e6:.1f} MB in all"
        in capsys.readouterr().out
    )
    assert costs.row_bytes == pytest.approx(size / 300_000, rel=0.05)


MADE_UP = Costs(
    playing=(1e-6,), start=1.0, merging=1e-3, tables=9e-3, rows=1e-6, adding=2e-3, tally_bytes=10_000, row_bytes=10.0,
    counts_memory=10**6, rows_memory=30.0,
)  # fmt: skip


def test_the_model_is_that_of_the_docstring() -> None:
    recipe = question(1).recipe
    playouts, parts = 1000 * PART, 1000
    one = estimate(recipe, MADE_UP, playouts, 10, COUNTS, task_seconds=0, task_length=10.0)
    listing = parts * 30e-6
    assert one.driver == pytest.approx(parts * (1e-3 + 9e-3) + listing)
    assert one.seconds == pytest.approx(1 + playouts * 1e-6 / 10 + parts * 2e-3)
    assert one.feeds == pytest.approx(playouts * 1e-6 / one.driver)
    more = estimate(recipe, MADE_UP, playouts, 1000, COUNTS, task_seconds=0, task_length=10.0)
    assert more.seconds == pytest.approx(1 + more.driver + parts * 2e-3), "the driver is the bottleneck"
    written = estimate(recipe, MADE_UP, playouts, 1000, ROWS_BY_WORKERS, task_seconds=0, task_length=10.0)
    assert written.driver == pytest.approx(listing)
    assert written.seconds == pytest.approx(1 + (playouts * 2e-6 + parts * 9e-3) / 1000 + parts * 2e-3)
    assert written.disk == pytest.approx(parts * 10_480 + 10 * playouts)
    through = estimate(recipe, MADE_UP, playouts, 100, ROWS, task_seconds=0, task_length=10.0)
    assert through.driver == pytest.approx(parts * 10e-3 + playouts * 1e-6 + listing)
    assert through.memory > written.memory


def test_a_part_that_takes_too_long_is_not_written_by_the_workers() -> None:
    slow = replace(MADE_UP, playing=(1e-3,))
    ways = [estimate(question(1).recipe, slow, 10**7, 10, way) for way in (ROWS, ROWS_BY_WORKERS)]
    assert not ways[1].whole_parts
    assert ways[0].driver == ways[1].driver


def test_the_command_says_where_the_driver_is_the_bottleneck(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["plan", "propuh", "--preset", "solo-2", "--policy", "all=random", "--cluster", "--workers", "3000"]) == 0
    )
    said = capsys.readouterr().out
    assert "Propuh: 1 cell x 10,000,000,000 playouts on 3000 workers" in said
    assert all(way.told in said for way in WAYS)
    assert "With 3000 workers the driver is the bottleneck for: counts only, written by the driver;" in said


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--cluster"], "--cluster needs a scenario or a game"),
        (["propuh", "--workers", "3"], "--workers goes with --cluster"),
        (["propuh", "--playouts", "3"], "--playouts goes with --cluster"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    args: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", *args]) == 2
    assert expected in capsys.readouterr().err
