"""Carrying a run out: has all parts played that are not there yet, and commits them one by one."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from itertools import chain, takewhile
from typing import Any, Protocol

import polars as pl

from simkit.engine.assemble import Assembly, Files, compared
from simkit.engine.plan import (
    PART_SECONDS,
    SAMPLE_ROWS,
    Part,
    parts_of,
    parts_of_group,
    seconds_per_playout,
    unit_size,
    units_of,
)  # fmt: skip
from simkit.engine.tally import SCHEMA, merge_frames
from simkit.engine.worker import Job
from simkit.engine.workers import PlayPart, PlayUnit, Workers, together
from simkit.errors import Interrupted, RunError
from simkit.kernel.jit import is_compiled
from simkit.scenario.grid import Recipe
from simkit.store import SUMS, Run


class Progress(Protocol):
    """Who is told how far a run is: a bar on a terminal, or nobody."""

    def compiling(self, game: str) -> None: ...
    def begin(self, total: int, done: int, what: str = "playing") -> None: ...
    def advance(self, playouts: int) -> None: ...
    def end(self) -> None: ...


class Silent:
    def compiling(self, game: str) -> None: ...
    def begin(self, total: int, done: int, what: str = "playing") -> None: ...
    def advance(self, playouts: int) -> None: ...
    def end(self) -> None: ...


def execute(
    run: Run,
    workers: Workers,
    progress: Progress | None = None,
    unit_playouts: int | None = None,
    workers_write: bool = False,
) -> None:
    """Play every part of a run that is not committed yet, then write the sums. Nothing here grows with the number of
    parts but the list of those that are committed.

    unit_playouts : playouts in a work unit, for tests; measured when None. Leaves no trace in any file.
    workers_write : the workers share the place where the run is, and write its parts themselves
    raises        : Interrupted after Ctrl-C or SIGTERM, RunError if the run cannot be written or its workers are lost
    """
    play_missing(run, workers, progress or Silent(), unit_playouts, workers_write)
    finish(run, run.recipe)


def misfits(run: Run) -> set[tuple[int, int]]:
    """Listed parts that are none of this run, or lack a table: by (cell, number)."""
    until, listed, fits = run.until, run.committed(), set()
    sizes = run.playouts_of
    if until and not until["is_settled"]:
        sizes = [until["at_most"]] * len(sizes)  # it plays its first looks again, on parts that are there
    last = max((number for _, number in listed), default=-1)
    for number, group in enumerate(run.recipe.groups):
        parts = parts_of_group(run.recipe, number, sizes, until.get("first_deals"))
        for part in takewhile(lambda part: part.number <= last, parts):
            keys = ((cell, part.number) for cell in group.cells)
            fits |= {key for key in keys if key in listed and is_whole(run, listed[key], part)}
    return listed.keys() - fits


def is_whole(run: Run, entry: Mapping[str, Any], part: Part) -> bool:
    """Whether what the manifest lists is this part, with all its tables."""
    tables = {"tallies"} | ({"playouts", "players"} if part.first < rows_until(run) else set())
    return (entry["first"], entry["playouts"]) == (part.first, part.playouts) and tables <= entry["files"].keys()


def rows_until(run: Run) -> int:
    """The playout from which on no rows are kept."""
    return SAMPLE_ROWS if run.tally_only else run.playouts


def play_missing(
    run: Run, workers: Workers, progress: Progress, unit_playouts: int | None, workers_write: bool
) -> None:
    """Play every part of a run that is not committed yet; settings as for `execute`."""
    recipe = run.recipe
    left = {cell.id: 0 for cell in recipe.cells}
    for part in missing(run, recipe):
        for cell in recipe.groups[part.group].cells:
            left[cell] += part.playouts
    if any(left.values()):
        play_parts(run, recipe, left, workers, progress, unit_playouts, workers_write)


def missing(run: Run, recipe: Recipe) -> Iterator[Part]:
    """The parts that are not committed, or only with fewer playouts."""
    committed = run.committed()
    for part in parts_of(recipe, run.playouts_of, run.until.get("first_deals")):
        cells = recipe.groups[part.group].cells
        if any(committed.get((cell, part.number), {}).get("playouts") != part.playouts for cell in cells):
            yield part


def play_parts(
    run: Run,
    recipe: Recipe,
    left: dict[int, int],
    workers: Workers,
    progress: Progress,
    unit_playouts: int | None,
    workers_write: bool,
) -> None:
    """Play and commit what is missing. left: playouts by cell"""
    if not is_compiled(recipe.spec.module("entry").play):
        progress.compiling(recipe.spec.title)
    jobs = {cell: Job.of(recipe, recipe.cells[cell]) for cell, playouts in left.items() if playouts}
    until = rows_until(run)
    try:
        each = {cell: seconds_per_playout(job, run.playouts) for cell, job in jobs.items()}
        total = sum(run.playouts_of)
        progress.begin(total, total - sum(left.values()))
        share = 1 / (2 * max(workers.count, 1))  # of all that is left, at most in one task
        at_a_time = min(workers.seconds_at_a_time, share * sum(left[cell] * each[cell] for cell in jobs))
        if workers_write and max(part_seconds(recipe, part, each) for part in missing(run, recipe)) < PART_SECONDS:
            played = whole_parts(run, recipe, each, until, workers, at_a_time)
        else:
            sizes = {
                cell: unit_playouts or unit_size(seconds, int(share * sum(left.values())), workers.seconds_at_a_time)
                for cell, seconds in each.items()
            }
            if unit_playouts or not run.tally_only:
                at_a_time = 0  # rows travel, and are large
            played = parts_by_units(run, recipe, jobs, sizes, each, until, workers, at_a_time)
        with closing(played):
            for playouts in played:
                progress.advance(playouts)
    except BaseException as problem:
        with suppress(RunError):
            run.save(force=True)
        if isinstance(problem, KeyboardInterrupt):
            raise Interrupted(str(run.folder)) from None
        raise
    finally:
        progress.end()


def part_seconds(recipe: Recipe, part: Part, each: dict[int, float]) -> float:
    """How long one worker takes for a part. each: seconds per playout by cell, of those that lack anything"""
    return part.playouts * sum(each.get(cell, 0) for cell in recipe.groups[part.group].cells)


def parts_by_units(
    run: Run,
    recipe: Recipe,
    jobs: dict[int, Job],
    sizes: dict[int, int],
    each: dict[int, float],
    until: int,
    workers: Workers,
    at_a_time: float,
) -> Generator[int]:
    """Have work units played, and put the parts together here; gives how many playouts each unit had."""
    assemblies: dict[tuple[int, int], Assembly] = {}
    needed = [compared(recipe, group) for group in range(len(recipe.groups))]
    tasks = (
        (unit.playouts * each[unit.cell], PlayUnit(jobs[unit.cell], unit, until, unit.cell in needed[part.group]))
        for part in missing(run, recipe)
        for unit in units_of(recipe, part, sizes)
    )
    with closing(workers.play(together(tasks, at_a_time))) as results:
        for unit, played in chain.from_iterable(results):
            key = unit.part.group, unit.part.number
            if key not in assemblies:
                assemblies[key] = Assembly(run, recipe, unit.part, until)
            playouts = played.playouts
            if assemblies[key].add(unit.cell, played):
                commit(run, unit.part, assemblies.pop(key).write_tallies())
            yield playouts


def whole_parts(
    run: Run, recipe: Recipe, each: dict[int, float], until: int, workers: Workers, at_a_time: float
) -> Generator[int]:
    """Have parts played and written by the workers; gives how many playouts each had."""
    tasks = (
        (
            part_seconds(recipe, part, each),
            PlayPart(run.storage.absolute, run.identity, part, until),
        )
        for part in missing(run, recipe)
    )
    with closing(workers.play(together(tasks, at_a_time))) as results:
        for part, files in chain.from_iterable(results):
            commit(run, part, files)
            yield part.playouts * len(files)


def commit(run: Run, part: Part, files: Files) -> None:
    for cell, entries in files.items():
        run.commit(cell, part.number, part.first, part.playouts, entries)


def finish(run: Run, recipe: Recipe) -> None:
    """Add up all tallies, check that nothing is missing, and mark the run complete."""
    sums = []
    parts = run.parts_of_cells()
    for cell in recipe.cells:
        total = merge_frames(run.read_parts("tallies", cell.id, (part["number"] for part in parts[cell.id])))
        total = total.with_columns(cell=pl.lit(cell.id, pl.Int32)).select("cell", *SCHEMA)
        counted = total.filter(pl.col("kind") == "playout", pl.col("column") == "end_reason")["count"].sum()
        expected = run.playouts_of[cell.id]
        if counted != expected:
            raise RunError(f"{run.folder}: cell {cell.id} counts {counted:,} playouts, expected {expected:,}")
        sums.append(total)
    run.write_table(SUMS, pl.concat(sums))
    run.save(force=True)
