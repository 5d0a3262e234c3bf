"""Carrying a run out: plays all parts that are not there yet, on threads or processes, and commits them one by one."""

import warnings
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import polars as pl
from joblib import Parallel, delayed

from simkit.engine.plan import SAMPLE_ROWS, Part, Unit, parts_of, seconds_per_playout, unit_size, units_of
from simkit.engine.tally import SCHEMA, Tally, frame_of_pair, merge_frames, pooled
from simkit.engine.worker import Job, Piece, Played, play
from simkit.errors import Interrupted, RunError
from simkit.kernel.jit import is_compiled
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import Column
from simkit.store import Run

BACKENDS = {"threads": "threading", "loky": "loky"}


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


@dataclass
class Assembly:
    """A part in the making: what has been played of each cell. Tallies are large until they are tables, so they are
    added up as they come, and are tables as soon as their cell is whole.
    """

    part: Part
    played: dict[int, list[Piece]] = field(default_factory=lambda: defaultdict(list))
    counting: dict[int, Tally] = field(default_factory=dict)
    won: dict[int, Any] = field(default_factory=dict)
    tallies: dict[int, list[pl.DataFrame]] = field(default_factory=dict)
    files: dict[int, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))


def execute(
    run: Run, jobs: int, backend: str = "threads", progress: Progress | None = None, unit_playouts: int | None = None
) -> None:
    """Play every part of a run that is not committed yet, then write the sums.

    jobs          : workers, at least 1         backend : "threads" or "loky"
    unit_playouts : playouts in a work unit, for tests; measured when None. Leaves no trace in any file.
    raises        : Interrupted after Ctrl-C or SIGTERM, RunError if the folder cannot be written
    """
    progress = progress or Silent()
    recipe = run.recipe
    committed = run.committed()
    parts = [
        part
        for part in parts_of(recipe, run.playouts)
        if any(
            committed.get((cell, part.number), {}).get("playouts") != part.playouts
            for cell in recipe.groups[part.group].cells
        )
    ]
    if parts:
        play_parts(run, recipe, parts, jobs, backend, progress, unit_playouts)
    finish(run, recipe)


def play_parts(
    run: Run, recipe: Recipe, parts: list[Part], jobs: int, backend: str, progress: Progress, unit_playouts: int | None
) -> None:
    if not is_compiled(recipe.spec.module("entry").play):
        progress.compiling(recipe.spec.title)
    todo = {cell: Job.of(recipe, recipe.cells[cell]) for part in parts for cell in recipe.groups[part.group].cells}
    stop = np.zeros(1, np.uint8)
    assemblies = {(part.group, part.number): Assembly(part) for part in parts}
    total = sum(run.playouts for _ in recipe.cells)
    left = sum(part.playouts * len(recipe.groups[part.group].cells) for part in parts)
    rows_until = SAMPLE_ROWS if run.tally_only else run.playouts
    results = None
    try:
        sizes = {
            cell: unit_playouts or unit_size(seconds_per_playout(job, run.playouts), run.playouts, jobs)
            for cell, job in todo.items()
        }
        progress.begin(total, total - left)
        # threads share the flag; processes get a copy of it and are stopped by joblib
        results = Parallel(
            n_jobs=jobs, backend=BACKENDS[backend], return_as="generator_unordered", pre_dispatch="2*n_jobs"
        )(
            delayed(work)(todo[unit.cell], unit, rows_until, stop)
            for part in parts
            for unit in units_of(recipe, part, sizes)
        )
        for unit, played in results:
            progress.advance(played.playouts)
            assembly = assemblies[unit.part.group, unit.part.number]
            if assemble(run, recipe, assembly, unit.cell, played, rows_until):
                del assemblies[unit.part.group, unit.part.number]
    except BaseException as problem:
        stop[0] = 1
        with suppress(RunError):
            run.save(force=True)
        if isinstance(problem, KeyboardInterrupt):
            raise Interrupted(str(run.folder)) from None
        raise
    finally:
        progress.end()
        if results is not None:
            cut_short(results)


def cut_short(results: Any) -> None:
    """Close the results of parallel work, quietly if tasks are still at it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        results.close()


def work(job: Job, unit: Unit, rows_until: int, stop: Any) -> tuple[Unit, Played]:
    """One task."""
    return unit, play(job, unit.first, unit.playouts, rows_until, stop)


def assemble(run: Run, recipe: Recipe, assembly: Assembly, cell: int, played: Played, rows_until: int) -> bool:
    """Put a work unit in its place. When the cell is whole its rows are written; when all cells of the part are, it is
    committed, and True is given back.
    """
    part = assembly.part
    pieces = assembly.played[cell]
    if cell in assembly.counting:
        assembly.counting[cell].merge(played.tally)
    else:
        assembly.counting[cell] = played.tally
    pieces.append(played.piece())
    if sum(piece.playouts for piece in pieces) < part.playouts:
        return False
    pieces.sort(key=lambda piece: piece.first)
    tally = assembly.counting.pop(cell)
    if tally.outside:
        raise RuntimeError(f"{tally.outside} values of cell {cell} lie outside the declared range of their column")
    assembly.tallies[cell] = [pooled(tally.frame(), alike_slots(recipe, cell))]
    assembly.won[cell] = np.concatenate([piece.won for piece in pieces])
    if part.first < rows_until:
        for name, frame in frames_of(recipe, recipe.cells[cell], part.first, pieces).items():
            assembly.files[cell][name] = run.write_part(name, cell, part.number, frame)
    pieces.clear()
    if len(assembly.tallies) < len(recipe.groups[part.group].cells):
        return False
    outcome = recipe.spec.outcome
    for other, this in recipe.groups[part.group].pairs:
        seats = recipe.cells[this].players
        per_deal = recipe.replicates * recipe.rotations(recipe.cells[this])
        here, there = assembly.won[this], assembly.won[other]
        assembly.tallies[this].append(frame_of_pair(outcome, seats, other, here, there, part.first, per_deal))
    for number, frames in assembly.tallies.items():
        files = assembly.files[number]
        files["tallies"] = run.write_part("tallies", number, part.number, pl.concat(frames))
        run.commit(number, part.number, part.first, part.playouts, files)
    return True


def alike_slots(recipe: Recipe, cell: int) -> list[int]:
    """For each slot of a line-up the first one with the same policy, where seats have no roles."""
    policies = recipe.cells[cell].policies
    return list(range(len(policies))) if recipe.spec.roles else [policies.index(policy) for policy in policies]


def frames_of(recipe: Recipe, cell: Cell, first: int, pieces: list[Piece]) -> dict[str, pl.DataFrame]:
    """The rows of a part: one table of playouts, and one of players: all playouts of seat 0, then of seat 1, and so on
    (half as large on disk as seat by seat within a playout). The cell is in the folder's name, `cell=0003`, where every
    reader of such folders finds it.
    """
    spec = recipe.spec
    rotations = recipe.rotations(cell)
    count = sum(len(piece.columns["end_reason"]) for piece in pieces)
    playout = np.arange(first, first + count, dtype=np.int64)
    rotation = (playout % rotations).astype(np.int16)
    keys: dict[str, Any] = {
        "playout": playout,
        "deal": playout // (recipe.replicates * rotations),
        "replicate": (playout // rotations % recipe.replicates).astype(np.int16),
        "rotation": rotation,
    }
    playouts = pl.DataFrame(keys).with_columns(
        series(column, np.concatenate([piece.columns[column.name] for piece in pieces])) for column in spec.columns
    )
    seats = cell.players
    seat = np.repeat(np.arange(seats, dtype=np.int8), count)
    slot = (seat - np.tile(rotation, seats)) % seats
    # words of the whole game, not of the cell: then all cells can be read as one table
    policies = pl.Enum([policy.name for policy in spec.policies])
    roles = pl.Enum([spec.role(s) for s in range(max(spec.players))])
    codes = np.array([spec.policy(name, s).code for s, name in enumerate(cell.policies)], np.uint8)
    players = pl.DataFrame({"playout": np.tile(playout, seats)}).with_columns(
        pl.Series("seat", seat),
        pl.Series("role", seat.astype(np.uint8)).cat.to(roles),
        pl.Series("policy", codes[slot]).cat.to(policies),
        *(
            series(column, np.concatenate([piece.player_columns[column.name] for piece in pieces], axis=1).reshape(-1))
            for column in spec.player_columns
        ),
    )
    return {"playouts": playouts, "players": players}


def series(column: Column, values: Any) -> pl.Series:
    """A recorded column as it is stored: narrow integers, or words."""
    if column.words:
        return pl.Series(column.name, values.astype(np.uint8)).cat.to(pl.Enum(column.words))
    return pl.Series(column.name, values)


def finish(run: Run, recipe: Recipe) -> None:
    """Add up all tallies, check that nothing is missing, and mark the run complete."""
    sums = []
    for cell in recipe.cells:
        frames = (pl.read_parquet(run.path("tallies", *key)) for key in sorted(run.committed()) if key[0] == cell.id)
        total = merge_frames(frames).with_columns(cell=pl.lit(cell.id, pl.Int32)).select("cell", *SCHEMA)
        counted = total.filter(pl.col("kind") == "playout", pl.col("column") == "end_reason")["count"].sum()
        if counted != run.playouts:
            raise RunError(f"{run.folder}: cell {cell.id} counts {counted:,} playouts, expected {run.playouts:,}")
        sums.append(total)
    run.write_frame(run.folder / "agg" / "tallies.parquet", pl.concat(sums))
    run.save(force=True)
