"""The road from a question to an answer, on one page. The command line and notebooks call these.

scenario file -> recipe -> run folder -> tables -> report
"""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.errors import RunError, ScenarioError

if TYPE_CHECKING:
    import pandas as pd

    from simkit.engine.execute import Progress
    from simkit.engine.replay import Replay
    from simkit.scenario.grid import Recipe
    from simkit.store import Run


@dataclass(frozen=True)
class Question:
    """What is to be played: a recipe, and how many playouts of each cell."""

    recipe: "Recipe"
    playouts: int


def question(
    target: str,
    *,
    playouts: int | None = None,
    seed: int | None = None,
    players: int | None = None,
    preset: str | None = None,
    options: Mapping[str, str] | None = None,
    policies: Mapping[str, str] | None = None,
    box: Path | None = None,
) -> Question:
    """The question of a scenario file, or of a game by name with settings. Raises a UserError for anything wrong.

    A game by name plays each of its usual line-ups, unless `policies` names one.
    """
    from simkit import games
    from simkit.scenario.grid import expand
    from simkit.scenario.load import load_scenario
    from simkit.scenario.validate import Grid, Scenario

    if is_file(target):
        given = {"players": players, "preset": preset, "set": options, "policy": policies}
        for name, value in given.items():
            if value:
                raise ScenarioError(f"--{name} goes with a game's name; {target} says itself what is played")
        scenario = load_scenario(Path(target))
        where = target
    else:
        spec = games.get(target)
        if preset is not None:
            players = players if players is not None else spec.preset(preset).players
        seats = spec.check_players(players if players is not None else max(spec.line_ups))
        line_ups: Sequence[Mapping[str, str]] = [dict(policies)] if policies else [
            {str(seat): name for seat, name in enumerate(line_up)} for line_up in spec.line_ups[seats]
        ]  # fmt: skip
        grid = Grid(
            players=seats, presets=preset, policies=[dict(p) for p in line_ups],
            baseline=dict(options or {}), compare="none",
        )  # fmt: skip
        where = ""
        scenario = Scenario(game=target, name=(preset and f"{target}-{preset}") or target, grid=[grid])
    if box is not None:
        scenario.box = str(box)
    if playouts is not None:
        scenario.playouts = playouts
    if seed is not None:
        scenario.seed = seed
    check_range("playouts", scenario.playouts, 1, 10**13)
    check_range("seed", scenario.seed, 0, 2**63 - 1)
    return Question(expand(scenario, where), scenario.playouts)


def is_file(target: str) -> bool:
    """Whether a target on the command line means a file rather than a game's name."""
    return target.endswith(".toml") or "/" in target or "\\" in target


def check_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ScenarioError(f"{name} cannot be {value}; expected {low} to {high}")


def default_folder(recipe: "Recipe") -> Path:
    return Path("runs") / f"{recipe.name}-{recipe.hash[:8]}"


def run(
    asked: Question,
    *,
    out: Path | None = None,
    jobs: int | None = None,
    backend: str = "threads",
    resume: bool = False,
    tally_only: bool = False,
    progress: "Progress | None" = None,
    unit_playouts: int | None = None,
) -> "Run":
    """Play a question into a run folder. A finished run of the same question is left as it is.

    raises : RunError if the folder holds another run or cannot be written; Interrupted when stopped, resumable
    """
    from simkit.store import Run

    folder = out or default_folder(asked.recipe)
    if Run.exists(folder):
        present = Run.read(folder)
        check_same(present, asked, tally_only)
        if present.is_complete and not (resume and present.damaged()):
            return present
        if not resume:
            raise RunError(f"{folder}: holds an unfinished run of this question; continue it with --resume")
        opened = Run.reopen(folder)
    else:
        opened = Run.create(folder, manifest_of(asked, tally_only))
    return carry_out(opened, jobs, backend, progress, unit_playouts)


def extend(
    folder: Path,
    playouts: int,
    *,
    jobs: int | None = None,
    backend: str = "threads",
    progress: "Progress | None" = None,
) -> "Run":
    """Continue a run to more playouts: the result is that of one long run."""
    from simkit.store import Run

    opened = Run.reopen(folder)
    try:
        check_kernel(opened)
        if playouts < opened.playouts:
            raise RunError(f"{folder}: holds {opened.playouts:,} playouts per cell already, more than {playouts:,}")
        if playouts > opened.playouts:
            shutil.rmtree(folder / "report", ignore_errors=True)  # it would tell of fewer playouts
        opened.manifest["playouts"] = playouts
    except RunError:
        opened.close()
        raise
    return carry_out(opened, jobs, backend, progress, None)


def carry_out(
    opened: "Run", jobs: int | None, backend: str, progress: "Progress | None", unit_playouts: int | None
) -> "Run":
    """Play what an open run lacks, write its tables, close it."""
    import joblib

    from simkit.engine.execute import execute
    from simkit.engine.observe import observe

    workers = jobs or joblib.cpu_count()
    try:
        opened.sweep()
        opened.forget(set(opened.damaged()))
        opened.manifest["status"] = "running"
        started = datetime.now(UTC)
        execute(opened, workers, backend, progress, unit_playouts)
        observe(opened, workers, backend, progress)
        write_tables(opened)
        seconds = (datetime.now(UTC) - started).total_seconds()
        opened.manifest["times"] = [
            *opened.manifest.get("times", []),
            {"started": f"{started:%F %T}", "seconds": seconds},
        ]
        opened.manifest["status"] = "complete"
        opened.save(force=True)
    finally:
        opened.close()
    return opened


def manifest_of(asked: Question, tally_only: bool) -> dict[str, Any]:
    """What a manifest says before anything is played."""
    from importlib.metadata import version

    from simkit import __version__

    libraries = ("numpy", "numba", "polars", "pandas", "scipy", "joblib")
    return {
        "recipe": asked.recipe.to_json(),
        "playouts": asked.playouts,
        "tally_only": tally_only,
        "kernel": kernel_version(asked.recipe.game),
        "command": " ".join(["simkit", *sys.argv[1:]]),
        "created": f"{datetime.now(UTC):%F %T}",
        "versions": {
            "simkit": __version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            **{name: version(name) for name in libraries},
        },
    }


def kernel_version(game: str) -> str:
    """A hash of the sources that decide the results of a game."""
    from simkit import games
    from simkit.kernel.jit import sources_hash

    return sources_hash(Path(str(games.get(game).module("entry").__file__)))


def check_same(present: "Run", asked: Question, tally_only: bool) -> None:
    """Whether a run folder holds this very question. Raises RunError that says how it differs."""
    folder = present.folder
    if present.recipe.hash != asked.recipe.hash:
        raise RunError(f"{folder}: holds another run ({present.recipe.title}); choose another folder with --out")
    if present.playouts != asked.playouts:
        way = f"use simkit extend {folder}" if asked.playouts > present.playouts else "choose another folder with --out"
        raise RunError(f"{folder}: holds {present.playouts:,} playouts per cell, not {asked.playouts:,}; {way}")
    if present.tally_only != tally_only:
        kept = "tallies only" if present.tally_only else "rows"
        raise RunError(f"{folder}: was begun to keep {kept}; run it the same way or choose another folder with --out")
    check_kernel(present)


def check_kernel(present: "Run") -> None:
    if not present.is_complete and present.manifest["kernel"] != kernel_version(present.recipe.game):
        raise RunError(f"{present.folder}: was begun with other kernel sources; start afresh with --out")


def write_tables(opened: "Run") -> None:
    """The small tables of a run: cells, and the data dictionary."""
    import polars as pl

    from simkit.summary import dictionary, tables

    cells = pl.DataFrame(tables.cells(opened.recipe, opened.tallies()).to_dict("list"))
    opened.write_frame(opened.folder / "cells.parquet", cells)
    opened.write_text("cells.csv", cells.write_csv())
    opened.write_text("columns.csv", dictionary.of(opened.recipe.spec))


def repair(present: "Run") -> str:
    """The command that plays damaged parts of a run again."""
    return f"simkit extend {present.folder} --playouts {present.playouts}"


def cells(folder: Path) -> "pd.DataFrame":
    """One row per cell of a finished run."""
    from simkit.store import Run
    from simkit.summary import tables

    present = Run.read(folder)
    return tables.cells(present.recipe, present.tallies())


def replay(target: str, playout: int, *, cell: int | None = None, **settings: Any) -> "Replay":
    """One playout of a run's cell, or of a game with settings as for `question`, with all its events."""
    from simkit.engine.replay import replay as play_again
    from simkit.store import Run

    if Path(target).is_dir():
        for name, value in settings.items():
            if value:
                raise ScenarioError(
                    f"--{name} goes with a game's name; {target} is a run and says itself what is played"
                )
        present = Run.read(Path(target))
        recipe = present.recipe
        check_range("--playout", playout, 0, present.playouts - 1)
        number = 0 if cell is None else cell
        if number >= len(recipe.cells):
            raise ScenarioError(f"--cell {number}: the run has the cells 0 to {len(recipe.cells) - 1}")
    else:
        if is_file(target):
            raise RunError(f"{target}: is not a run folder; expected a run folder or a game's name")
        if cell is not None:
            raise ScenarioError("--cell goes with a run folder")
        recipe = question(target, **settings).recipe
        number = len(recipe.cells) - 1
    check_range("--playout", playout, 0, 10**15)
    return play_again(recipe, recipe.cells[number], playout)


def export(folder: Path, to: Path, table: str = "playouts", cell: int | None = None) -> int:
    """Write one table of a run into one .csv or .parquet file; gives the number of rows."""
    import polars as pl

    from simkit.errors import unknown
    from simkit.store import Run, told_as_run_error

    present = Run.read(folder)
    names = ("playouts", "players", "tallies", "cells")
    if table not in names:
        raise ScenarioError(unknown("--table", table, names))
    if to.suffix not in (".csv", ".parquet"):
        raise ScenarioError(f"--to {to}: expected a name that ends in .csv or .parquet")
    if cell is not None and not 0 <= cell < len(present.recipe.cells):
        raise ScenarioError(f"--cell {cell}: the run has the cells 0 to {len(present.recipe.cells) - 1}")
    if not present.is_complete:
        raise RunError(f"{folder}: the run is not finished; continue it with --resume")
    for fault in present.damaged().values():
        raise RunError(f"{fault}; repair it with: {repair(present)}")
    if table == "cells":
        rows = pl.DataFrame(cells(folder).to_dict("list")).lazy()
        rows = rows if cell is None else rows.filter(pl.col("cell") == cell)
    elif table == "tallies":
        rows = present.tallies().lazy()
        rows = rows if cell is None else rows.filter(pl.col("cell") == cell)
    else:
        rows = present.scan(table, cell)
    temporary = to.with_name(f".{to.name}.tmp")
    with told_as_run_error(to, ""):
        try:
            (rows.sink_csv if to.suffix == ".csv" else rows.sink_parquet)(temporary)
            temporary.replace(to)
        finally:
            temporary.unlink(missing_ok=True)
    return int(rows.select(pl.len()).collect().item())


def verify(folder: Path, sample: int = 100) -> Iterator[str]:
    """Check a run's files, sums and a sample of playouts; a line per check, RunError at the first fault."""
    from simkit.engine.verify import verify as check
    from simkit.store import Run

    return check(Run.read(folder), sample)


def report(folder: Path, out: Path | None = None, before: Path | None = None) -> Path:
    """Write the report of a finished run into `out`, or RUN/report; gives the page.

    before : an earlier run; the report then also tells what changed since
    """
    from simkit.report.build import write_report
    from simkit.store import Run

    earlier = Run.read(before) if before is not None else None
    present = Run.read(folder)
    if earlier is not None and earlier.recipe.game != present.recipe.game:
        raise RunError(f"{before}: is a run of {earlier.recipe.spec.title}, not of {present.recipe.spec.title}")
    return write_report(present, out or folder / "report", earlier)


def broken(folder: Path, conditions: list[str]) -> list[str]:
    """Which of the conditions ('seat_gap > 2') surely hold for a finished run, a line for each."""
    from simkit.report.build import gathered
    from simkit.report.metrics import broken as check
    from simkit.report.metrics import metrics
    from simkit.store import Run

    return check(conditions, metrics(gathered(Run.read(folder))))
