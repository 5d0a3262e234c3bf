"""The road from a question to an answer, on one page. The command line and notebooks call these.

scenario file -> recipe -> run folder -> tables -> report
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.errors import Interrupted, RunError, ScenarioError, UserError, one_line

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from simkit.engine.execute import Progress
    from simkit.engine.replay import Replay
    from simkit.engine.workers import Workers
    from simkit.scenario.grid import Recipe
    from simkit.store import Run


@dataclass(frozen=True)
class Question:
    """What is to be played: a recipe, and how many playouts of each cell.

    until_width : points; if given, playing stops when the range of every headline rate is at most so wide, end to end, and
                  `playouts` are the most that it may take
    """

    recipe: "Recipe"
    playouts: int
    until_width: float | None = None


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
    until_width: float | None = None,
) -> Question:
    """The question of a scenario file, or of a game by name with settings. Raises a UserError for anything wrong.

    A game by name plays each of its usual line-ups, unless `policies` names one. With `until_width` (points) but without
    `playouts` it may take as many as that takes.
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
    recipe = expand(scenario, where)
    if until_width is None:
        return Question(recipe, scenario.playouts)
    return Question(recipe, playouts or most_playouts(recipe, until_width), until_width)


def most_playouts(recipe: "Recipe", until_width: float) -> int:
    """Playouts of each cell that surely make every range so narrow (points), in whole deals of all cells."""
    from math import lcm

    from simkit.engine.plan import look_deals
    from simkit.summary.looking import enough

    per_deal = [recipe.per_deal(cell.id) for cell in recipe.cells]
    most, whole = max(per_deal), lcm(*per_deal)
    deals = enough(until_width) * (1 if most == 1 else 1.5)  # room for ranges that are taken from blocks
    at_look = next(look for look in look_deals(first_deals(until_width)) if look >= deals)
    return min(-(-at_look * most // whole), 10**13 // whole) * whole


def is_file(target: str) -> bool:
    """Whether a target on the command line means a file rather than a game's name."""
    return target.endswith(".toml") or "/" in target or "\\" in target


def check_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ScenarioError(f"{name} cannot be {value}; expected {low} to {high}")


def check_size(recipe: "Recipe", playouts: int) -> None:
    """Raise ScenarioError before a run is begun that no disk could hold."""
    from simkit.engine.plan import MAX_FILES, PART

    files = -(-playouts // PART) * len(recipe.cells)
    if files > MAX_FILES:
        raise ScenarioError(
            f"{playouts:,} playouts of {len(recipe.cells)} cells make {files:,} files, at most {MAX_FILES:,} are supported; "
            "ask for fewer playouts or split the scenario"
        )


def run(
    asked: Question,
    *,
    out: Path | str | None = None,
    jobs: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    workers_write: bool = False,
    resume: bool = False,
    tally_only: bool = False,
    progress: "Progress | None" = None,
    unit_playouts: int | None = None,
) -> "Run":
    """Play a question into a run folder. A finished run of the same question is left as it is.

    out           : a folder, or an address such as s3://bucket/run
    scheduler     : the address of a dask scheduler, for the backend dask
    workers_write : the workers of the cluster share `out` and write there themselves; so they do at an address anyway
    raises        : RunError if the folder holds another run or cannot be written; Interrupted when stopped, resumable
    """
    from simkit.engine.workers import workers_of
    from simkit.store import Run

    folder = out or Path(asked.recipe.folder)
    if asked.until_width is None:
        check_size(asked.recipe, asked.playouts)
    begun = Run.exists(folder)
    if begun:
        present = Run.read(folder)
        check_same(present, asked, tally_only)
        if present.is_complete and not (resume and present.to_repair()):
            return present
        if not resume:
            raise RunError(f"{folder}: holds an unfinished run of this question; continue it with --resume")
    with workers_of(
        backend, jobs, scheduler, workers_write
    ) as workers:  # before there is a folder, if it cannot be played
        workers.check(asked.recipe.game)
        opened = Run.reopen(folder) if begun else Run.create(folder, manifest_of(asked, tally_only))
        try:
            check_same(
                opened, asked, tally_only
            )  # once more: another simkit may have been here before the lock was ours
            check_kernel(opened)
        except UserError:
            opened.close()
            raise
        return carry_out(opened, workers, progress, unit_playouts, workers_write)


def extend(
    folder: Path | str,
    playouts: int,
    *,
    jobs: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    workers_write: bool = False,
    progress: "Progress | None" = None,
) -> "Run":
    """Continue a run to more playouts: the result is that of one long run. Settings as for `run`. Cells that have more
    already keep theirs.
    """
    from simkit.engine.workers import workers_of
    from simkit.store import Run

    with workers_of(backend, jobs, scheduler, workers_write) as workers:
        opened = Run.reopen(folder)
        try:
            check_kernel(opened)
            check_size(opened.recipe, playouts)
            if opened.until and not opened.until["is_settled"]:
                raise RunError(f"{folder}: the run is not finished; continue it with --resume")
            fewest = min(opened.playouts_of)
            if playouts < fewest:
                raise RunError(f"{folder}: holds {fewest:,} playouts per cell already, more than {playouts:,}")
            workers.check(opened.recipe.game)
            if playouts > fewest:
                opened.storage.remove("report")  # it would tell of fewer playouts
            if opened.until:
                opened.set_playouts([max(playouts, already) for already in opened.playouts_of])
            else:
                opened.manifest["playouts"] = playouts
        except UserError:
            opened.close()
            raise
        try:
            return carry_out(opened, workers, progress, None, workers_write)
        except Interrupted:
            raise Interrupted(str(folder), repair(opened)) from None


def carry_out(
    opened: "Run", workers: "Workers", progress: "Progress | None", unit_playouts: int | None, workers_write: bool
) -> "Run":
    """Play what an open run lacks, write its tables, close it."""
    from simkit.engine.execute import Silent, finish, misfits, play_missing
    from simkit.engine.observe import observe
    from simkit.engine.replays import replay_deals
    from simkit.storage import Address

    workers_write = workers_write or (workers.elsewhere and isinstance(opened.folder, Address))
    tell = progress or Silent()

    def play() -> None:
        play_missing(opened, workers, tell, unit_playouts, workers_write)

    try:
        opened.forget(opened.to_repair())
        opened.forget(misfits(opened))
        opened.manifest["status"] = "running"
        opened.save(force=True)  # before anything changes: killed from here on, it is a run to be continued
        opened.sweep()
        started = datetime.now(UTC)
        if opened.until and not opened.until["is_settled"]:
            settle(opened, play)
        else:
            play()
        finish(opened, opened.recipe)
        observe(opened, workers, tell)
        replay_deals(opened, workers, tell)
        write_tables(opened)
        seconds = (datetime.now(UTC) - started).total_seconds()
        opened.manifest["times"] = [
            *opened.manifest.get("times", []),
            {"started": f"{started:%F %T}", "seconds": seconds},
        ]
        opened.manifest["status"] = "complete"
        opened.save(force=True)
    except KeyboardInterrupt:  # before or after playing, which tells by itself
        raise Interrupted(str(opened.folder)) from None
    finally:
        opened.close()
    return opened


def settle(opened: "Run", play: Callable[[], None]) -> None:
    """Let each comparison group play until its ranges are narrow enough."""
    from simkit.engine.looks import play_until
    from simkit.summary.looking import is_narrow

    recipe, until = opened.recipe, opened.until
    play_until(opened, play, lambda group, winners: is_narrow(recipe, group, winners, until["width"]))
    opened.manifest["until"] = until | {"is_settled": True}


def manifest_of(asked: Question, tally_only: bool) -> dict[str, Any]:
    """What a manifest says before anything is played."""
    from importlib.metadata import version

    from simkit import __version__

    libraries = ("numpy", "numba", "polars", "pandas", "scipy", "joblib")
    return {
        "recipe": asked.recipe.to_json(),
        "playouts": asked.playouts,
        **({"until": until_of(asked.until_width, asked.playouts)} if asked.until_width is not None else {}),
        "tally_only": tally_only,
        "kernel": kernel_version(asked.recipe.game),
        "command": one_line(" ".join(["simkit", *sys.argv[1:]])),
        "created": f"{datetime.now(UTC):%F %T}",
        "versions": {
            "simkit": __version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            **{name: version(name) for name in libraries},
        },
    }


def until_of(width: float, at_most: int) -> dict[str, Any]:
    """When a run looks and stops, for its manifest; see `Run.until`."""
    return {"width": width, "at_most": at_most, "first_deals": first_deals(width), "is_settled": False}


def first_deals(width: float) -> int:
    """The deals after which a run looks first that shall stop when its ranges are so narrow (points)."""
    from simkit.engine.plan import FIRST_LOOK, LOOK_STEP
    from simkit.summary.looking import first_look

    return max(FIRST_LOOK, -(-first_look(width) // LOOK_STEP) * LOOK_STEP)


def kernel_version(game: str) -> str:
    """A hash of the sources that decide the results of a game."""
    from simkit.engine.worker import kernel_version as version_of

    return version_of(game)


def check_same(present: "Run", asked: Question, tally_only: bool) -> None:
    """Whether a run folder holds this very question. Raises RunError that says how it differs."""
    folder = present.folder
    if present.recipe.hash != asked.recipe.hash:
        raise RunError(f"{folder}: holds another run ({present.recipe.title}); choose another folder with --out")
    until = present.until
    if (until.get("width"), until.get("at_most")) != (asked.until_width, asked.until_width and asked.playouts):
        raise RunError(f"{folder}: holds a run with another rule when to stop; choose another folder with --out")
    if not until and present.playouts != asked.playouts:
        way = f"use simkit extend {folder}" if asked.playouts > present.playouts else "choose another folder with --out"
        raise RunError(f"{folder}: holds {present.playouts:,} playouts per cell, not {asked.playouts:,}; {way}")
    if present.tally_only != tally_only:
        kept = "tallies only" if present.tally_only else "rows"
        raise RunError(f"{folder}: was begun to keep {kept}; run it the same way or choose another folder with --out")


def check_kernel(present: "Run") -> None:
    """Whether a run can be continued: what was played and what will be must come from the same kernel."""
    if present.manifest["kernel"] != kernel_version(present.recipe.game):
        raise RunError(f"{present.folder}: was begun with other kernel sources; start afresh with --out")


def write_tables(opened: "Run") -> None:
    """The small tables of a run: cells, and the data dictionary."""
    import polars as pl

    from simkit.summary import dictionary, tables

    cells = pl.DataFrame(tables.cells(opened.recipe, opened.summed(), bool(opened.until)).to_dict("list"))
    opened.write_table("cells.parquet", cells)
    opened.write_table("cells.csv", for_sheets(cells).write_csv())
    opened.write_table("columns.csv", dictionary.of(opened.recipe.spec))


def for_sheets(frame: "pl.DataFrame") -> "pl.DataFrame":
    """A small table as it goes into CSV: no name in it is a formula."""
    import polars as pl

    from simkit.summary.sheet import harmless

    return frame.with_columns(
        pl.Series(column.name, [harmless(value) for value in column], pl.String)
        for column in frame
        if column.dtype == pl.String
    )


def repair(present: "Run") -> str:
    """The command that plays damaged parts of a run again."""
    return f"simkit extend {present.folder} --playouts {min(present.playouts_of)}"


def cells(folder: Path | str) -> "pd.DataFrame":
    """One row per cell of a finished run."""
    from simkit.store import Run
    from simkit.summary import tables

    present = Run.read(folder)
    return tables.cells(present.recipe, present.tallies(), bool(present.until))


def replay(target: str, playout: int, *, cell: int | None = None, **settings: Any) -> "Replay":
    """One playout of a run's cell, or of a game with settings as for `question`, with all its events."""
    from simkit.engine.replay import replay as play_again
    from simkit.storage import Address, place
    from simkit.store import Run

    if Path(target).is_dir() or isinstance(place(target), Address):
        for name, value in settings.items():
            if value:
                raise ScenarioError(
                    f"--{name} goes with a game's name; {target} is a run and says itself what is played"
                )
        present = Run.read(target)
        recipe = present.recipe
        number = 0 if cell is None else cell
        if number >= len(recipe.cells):
            raise ScenarioError(f"--cell {number}: the run has the cells 0 to {len(recipe.cells) - 1}")
        check_range("--playout", playout, 0, present.playouts_of[number] - 1)
    else:
        if is_file(target):
            raise RunError(f"{target}: is not a run folder; expected a run folder or a game's name")
        if cell is not None:
            raise ScenarioError("--cell goes with a run folder")
        recipe = question(target, **settings).recipe
        number = len(recipe.cells) - 1
    check_range("--playout", playout, 0, 10**15)
    return play_again(recipe, recipe.cells[number], playout)


def export(folder: Path | str, to: Path, table: str = "playouts", cell: int | None = None) -> int:
    """Write one table of a run into one .csv or .parquet file; gives the number of rows."""
    import polars as pl

    from simkit.errors import unknown
    from simkit.storage import local, told_as_run_error
    from simkit.store import Run

    present = Run.read(folder)
    names = ("playouts", "players", "tallies", "cells")
    if table not in names:
        raise ScenarioError(unknown("--table", table, names))
    if to.suffix not in (".csv", ".parquet"):
        raise ScenarioError(f"--to {to}: expected a name that ends in .csv or .parquet")
    if isinstance(present.folder, Path) and to.resolve().is_relative_to(present.folder.resolve()):
        raise ScenarioError(f"--to {to}: is inside the run; choose a file outside of {folder}")
    if cell is not None and not 0 <= cell < len(present.recipe.cells):
        raise ScenarioError(f"--cell {cell}: the run has the cells 0 to {len(present.recipe.cells) - 1}")
    if not present.is_complete:
        raise RunError(f"{folder}: the run is not finished; continue it with --resume")
    if table in ("playouts", "players"):
        local(folder, "its rows are exported from a folder only")
    for fault in present.to_repair().values():
        raise RunError(f"{fault}; {present.advice}")
    if table == "cells":
        found = pl.DataFrame(cells(folder).to_dict("list"))
        rows = (for_sheets(found) if to.suffix == ".csv" else found).lazy()
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


def verify(folder: Path | str, sample: int = 100) -> Iterator[str]:
    """Check a run's files, sums and a sample of playouts; a line per check, RunError at the first fault."""
    from simkit.engine.verify import verify as check
    from simkit.store import Run

    return check(Run.read(folder), sample)


def report(folder: Path | str, out: Path | None = None, before: Path | str | None = None, pace: str = "usual") -> Path:
    """Write the report of a finished run into `out`, or RUN/report; gives the page. For a run at an address `out` must be
    given.

    before : an earlier run; the report then also tells what changed since
    pace   : how fast people play, by which decisions become minutes: quick, usual or slow
    """
    from simkit.report.build import write_report
    from simkit.storage import Address
    from simkit.store import Run

    earlier = Run.read(before) if before is not None else None
    present = Run.read(folder)
    if earlier is not None and earlier.recipe.game != present.recipe.game:
        raise RunError(f"{before}: is a run of {earlier.recipe.spec.title}, not of {present.recipe.spec.title}")
    if out is None and isinstance(present.folder, Address):
        raise RunError(
            f"{folder}: its report is written into a folder; choose one with: simkit report {folder} --out FOLDER"
        )
    return write_report(present, out or Path(present.folder) / "report", earlier, pace)


def broken(folder: Path | str, conditions: list[str]) -> list[str]:
    """Which of the conditions ('seat_gap > 2') surely hold for a finished run, a line for each."""
    from simkit.report.build import gathered
    from simkit.report.metrics import broken as check
    from simkit.report.metrics import metrics
    from simkit.store import Run

    return check(conditions, metrics(gathered(Run.read(folder))))
