"""The observed sample: the first playouts of every cell of a run, traced and reduced to counts.

Tallies count how playouts end; here is how they go: which events and rules come into play, what there is to decide, who
leads when, and how often that turns. All are whole numbers, the same on any number of workers.

The table `observed.parquet` has these kinds of rows; `playouts` and `total` are what is counted:

- event: `value` is an event code; playouts that had it, and how often in all
- clause: `key` is something that a clause foresees (`Shown.name`); playouts that had it, and how often in all
- decision: `key` is a kind of decision; playouts that had it, and how many; with `value` 1 the forced ones, with 2 the sum
  of log2 of the number of choices, in millionths
- choices: `value` is a number of choices (at most 1000 are told apart); decisions with so many
- wait: `value` is a number of decisions of others between two turns of a seat (at most 1000); how often
- measure: `key` is one of `MEASURES`, by block of deals; playouts for which it is defined, and the sum over them
- decided: `value` is a tenth of the game, from 0; playouts in which the outcome was settled for good in it. Settled means
  that nobody but those who have the outcome in the end leads any more, not even together with them
- state: `key` is one of ten points of time, `value` a lead in steps: how many seats stood there, and what part of the
  outcome they had in the end, in units of 1/2520
- hopeless: `value` is one of the points of time, by block; seats, and those that stood where hardly anybody has the outcome
- extreme: `key` is one of `EXTREMES`; `value` is the first playout in which that measure is largest, `total` how large
- no_return: `value` is how many of the points of time had passed when the chance was last above one in ten; playouts that
  came to nothing
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from simkit import games
from simkit.engine.execute import Progress, Silent
from simkit.engine.reduce import (
    BITS_OF,
    DECIDED,
    EVENTS,
    MEASURES,
    MOST,
    NOT_DEFINED,
    PERMILLE,
    REACH,
    ROOTS,
    TIMES,
    reduce,
)
from simkit.engine.samples import by_cell
from simkit.engine.worker import NEVER, Bench, Job
from simkit.engine.workers import Workers
from simkit.kernel.drive import new_log
from simkit.kernel.jit import is_compiled, quiet_wraparound
from simkit.spec import BLOCKS, WHOLE, GameSpec
from simkit.store import OBSERVED, Run

SAMPLE = 1000  # playouts of each cell that are looked at
UNIT = 125  # playouts in a task
VERSION = 2  # of what is counted
EXTREMES = ("comeback", "lead_changes")  # measures whose largest is worth looking at

HOPELESS = 50  # a chance of one in so many or less
NO_RETURN = 10  # above one in so many there is hope
ENOUGH_STATES = 100  # fewer tell nothing of a chance

SCHEMA: dict[str, Any] = {
    "cell": pl.Int32,
    "kind": pl.Enum(
        [
            "event",
            "clause",
            "decision",
            "choices",
            "wait",
            "measure",
            "decided",
            "state",
            "hopeless",
            "no_return",
            "extreme",
        ]
    ),
    "key": pl.String,
    "value": pl.Int64,
    "block": pl.Int16,
    "playouts": pl.Int64,
    "total": pl.Int64,
}


# --- what a game wants to be looked at ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Watch:
    """The tables of `reduce` for a game, and the names of what it counts."""

    clauses: tuple[str, ...]
    conditions: Any
    begins: Any
    kind_names: tuple[str, ...]
    kinds: Any
    step: int  # of a lead; 0 for a game that does not say how it stands

    @classmethod
    def of(cls, spec: GameSpec) -> "Watch":
        coverage = spec.coverage
        shown = [item for item in coverage.shown if item.events] if coverage else []
        kinds = coverage.decisions if coverage else ()
        rows = sorted(
            [event.code, clause, *(end for range_ in event.ranges for end in range_)]
            for clause, item in enumerate(shown)
            for event in item.events
        )
        codes = [row[0] for row in rows]
        return cls(
            tuple(item.name for item in shown),
            np.array(rows, np.int64).reshape(len(rows), 12),
            np.searchsorted(codes, np.arange(EVENTS + 1)).astype(np.int64),
            tuple(kind.name for kind in kinds),
            np.array([[kind.low, kind.high] for kind in kinds], np.int64).reshape(len(kinds), 2),
            spec.standing.step if spec.standing else 0,
        )

    @property
    def digest(self) -> str:
        """What is counted, in 16 hexadecimal digits: a table made for other conditions is made anew."""
        told = repr((VERSION, self.clauses, self.conditions.tolist(), self.kind_names, self.kinds.tolist(), self.step))
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@lru_cache(maxsize=16)
def watch_of(game: str) -> Watch:
    return Watch.of(games.get(game))


@dataclass
class Observed:
    """What came of some playouts of a cell; the arrays are those of `reduce`."""

    first: int
    events: Any
    clauses: Any
    decisions: Any
    choices: Any
    waits: Any
    measures: Any  # int64 (playouts, measures)
    states: Any  # int8 (playouts, times, seats)
    outcomes: Any  # uint8 (playouts, seats)

    @classmethod
    def room(cls, game: str, first: int, playouts: int, seats: int, standing: int) -> "Observed":
        """Empty counts. standing : how many seats stand for themselves, one in a team"""
        watch = watch_of(game)
        return cls(
            first,
            np.zeros((2, EVENTS), np.int64),
            np.zeros((2, len(watch.clauses)), np.int64),
            np.zeros((len(watch.kind_names), 4), np.int64),
            np.zeros(MOST + 1, np.int64),
            np.zeros(MOST + 1, np.int64),
            np.zeros((playouts, len(MEASURES)), np.int64),
            np.zeros((playouts, TIMES, standing), np.int8),
            np.zeros((playouts, standing), np.uint8),
        )

    @property
    def size(self) -> int:
        return len(self.measures)

    @classmethod
    def of(cls, pieces: list["Observed"]) -> "Observed":
        """All pieces of a cell together, in their order."""
        counts = {
            name: np.sum([getattr(piece, name) for piece in pieces], axis=0)
            for name in ("events", "clauses", "decisions", "choices", "waits")
        }
        rows = {
            name: np.concatenate([getattr(piece, name) for piece in pieces])
            for name in ("measures", "states", "outcomes")
        }
        return cls(pieces[0].first, **counts, **rows)


@quiet_wraparound
def look(job: Job, first: int, playouts: int, stop: Any = NEVER) -> Observed:
    """Trace playouts `first` to `first + playouts - 1` of a cell and count what is in them.

    stop : uint8 (1,), ends the work early when set
    """
    spec = games.get(job.game)
    watch = watch_of(job.game)
    trace = spec.module("entry").trace
    bench = Bench.of(job.game, job.seats, 1)
    players = bench.players[0].view(np.int32).reshape(job.seats, -1)
    log = new_log()
    standing = 1 if spec.cooperative else job.seats
    found = Observed.room(job.game, first, playouts, job.seats, standing)
    for i in range(playouts):
        if stop[0]:
            break
        trace(job.rules, job.table, first + i, bench.state, bench.streams, bench.rows, bench.players, log)
        reduce(
            log, players, watch.step, watch.conditions, watch.begins, watch.kinds, BITS_OF, ROOTS,
            found.events, found.clauses, found.decisions, found.choices, found.waits, found.measures[i], found.states[i],
        )  # fmt: skip
        found.outcomes[i] = players[:standing, 1]
    return found


# --- a cell as a table ----------------------------------------------------------------------------------------------


def frame_of(cell: int, found: Observed, watch: Watch, per_deal: int) -> pl.DataFrame:
    """The counts of a whole cell as a table with the columns of `SCHEMA`, in a fixed order."""
    parts = [
        counted("event", "", np.arange(EVENTS), *found.events),
        pl.concat([
            counted("clause", name, np.zeros(1, int), *(counts[i : i + 1] for counts in found.clauses))
            for i, name in enumerate(watch.clauses)
        ]) if watch.clauses else empty(),
        *(
            counted("decision", name, np.arange(3), np.repeat(counts[0], 3), counts[1:])
            for name, counts in zip(watch.kind_names, found.decisions, strict=True)
        ),
        counted("choices", "", np.arange(MOST + 1), 0 * found.choices, found.choices),
        counted("wait", "", np.arange(MOST + 1), 0 * found.waits, found.waits),
    ]  # fmt: skip
    blocks = (found.first + np.arange(len(found.measures))) // per_deal % BLOCKS
    for number, name in enumerate(MEASURES):
        values = found.measures[:, number]
        parts.append(in_blocks("measure", name, 0, blocks, values != NOT_DEFINED, np.maximum(values, 0)))
        if name in EXTREMES and values.max() > 0:
            place = values.argmax()
            parts.append(counted("extreme", name, found.first + place[None], np.ones(1, np.int64), values[place, None]))
    if watch.step > 0:
        parts += frames_of_states(found, blocks)
    made = pl.concat(parts).with_columns(cell=pl.lit(cell, pl.Int32))
    return made.select(list(SCHEMA))


def empty() -> pl.DataFrame:
    return pl.DataFrame(schema={name: kind for name, kind in SCHEMA.items() if name != "cell"})


def counted(kind: str, key: str, values: Any, playouts: Any, totals: Any, block: Any = None) -> pl.DataFrame:
    """Rows of the table; those that count nothing only for clauses, which must be told apart from what is not looked at."""
    kept = np.ones(len(values), bool) if kind == "clause" else (playouts > 0) | (totals > 0)
    columns = {
        "kind": pl.Series([kind] * int(kept.sum()), dtype=SCHEMA["kind"]),
        "key": pl.Series([key] * int(kept.sum()), dtype=pl.String),
        "value": pl.Series(values[kept], dtype=pl.Int64),
        "block": pl.Series([None] * int(kept.sum()) if block is None else block[kept], dtype=pl.Int16),
        "playouts": pl.Series(playouts[kept], dtype=pl.Int64),
        "total": pl.Series(totals[kept], dtype=pl.Int64),
    }
    return pl.DataFrame(columns)


def in_blocks(kind: str, key: str, value: int, blocks: Any, playouts: Any, totals: Any) -> pl.DataFrame:
    """A row for each block. blocks, playouts, totals : (playouts,), summed by block"""
    counts = np.zeros(BLOCKS, np.int64)
    sums = np.zeros(BLOCKS, np.int64)
    np.add.at(counts, blocks, playouts)
    np.add.at(sums, blocks, totals)
    return counted(kind, key, np.full(BLOCKS, value), counts, sums, np.arange(BLOCKS))


def frames_of_states(found: Observed, blocks: Any) -> Iterator[pl.DataFrame]:
    """What becomes of those who stand somewhere at some time, and how many stand where nothing can be hoped for."""
    having = found.outcomes.sum(axis=1, dtype=np.int64)
    ended = having > 0 if found.outcomes.shape[1] > 1 else np.ones(len(having), bool)
    states = found.states[ended].astype(np.int64) + REACH  # (playouts, times, seats)
    credit = (found.outcomes * (WHOLE // np.maximum(having, 1))[:, None])[ended]  # (playouts, seats)
    there = np.zeros((TIMES, 2 * REACH + 1), np.int64)
    worth = np.zeros((TIMES, 2 * REACH + 1), np.int64)
    times = np.broadcast_to(np.arange(TIMES)[None, :, None], states.shape)
    np.add.at(there, (times, states), 1)
    np.add.at(worth, (times, states), np.broadcast_to(credit[:, None, :], states.shape))
    for time in range(TIMES):
        yield counted("state", str(time), np.arange(-REACH, REACH + 1), there[time], worth[time])
    lost = (there >= ENOUGH_STATES) & (HOPELESS * worth <= WHOLE * there)
    is_lost = lost[times, states]
    for time in range(TIMES):
        seats = np.full(len(states), states.shape[2], np.int64)
        yield in_blocks("hopeless", "", time, blocks[ended], seats, is_lost[:, time].sum(axis=1))
    if found.outcomes.shape[1] == 1:
        hope = (NO_RETURN * worth > WHOLE * there)[times, states][:, :, 0]
        last = np.where(hope.any(axis=1), TIMES - np.argmax(hope[:, ::-1], axis=1), 0)[having == 0]
        passed = np.bincount(last, minlength=TIMES + 1)
        yield counted("no_return", "", np.arange(TIMES + 1), passed, 0 * passed)
    settled = found.measures[:, DECIDED][ended]
    if found.outcomes.shape[1] > 1:
        tenths = np.bincount(np.minimum(settled // (PERMILLE // TIMES), TIMES - 1), minlength=TIMES)
        yield counted("decided", "", np.arange(TIMES), tenths, 0 * tenths)


# --- a run ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """A task: trace some playouts of a cell and count what is in them."""

    job: Job
    cell: int
    first: int
    playouts: int

    def __call__(self, stop: Any = NEVER) -> tuple[int, Observed]:
        return self.cell, look(self.job, self.first, self.playouts, stop)


def observe(run: Run, workers: Workers, progress: Progress | None = None) -> None:
    """Write the table of the observed sample, unless it is there and whole.

    raises : Interrupted after Ctrl-C or SIGTERM, RunError if the run cannot be written or its workers are lost
    """
    progress = progress or Silent()
    recipe = run.recipe
    watch = watch_of(recipe.game)
    samples = [min(SAMPLE, playouts) for playouts in run.playouts_of]
    about = {"playouts": max(samples), "counts": watch.digest}
    if run.manifest.get("observed") == about and run.is_whole(OBSERVED):
        return
    if not is_compiled(recipe.spec.module("entry").trace):
        progress.compiling(f"{recipe.spec.title}, to be observed")
    tasks = (
        Look(Job.of(recipe, cell), cell.id, first, min(UNIT, samples[cell.id] - first))
        for cell in recipe.cells
        for first in range(0, samples[cell.id], UNIT)
    )
    frames = {
        cell: frame_of(cell, Observed.of(pieces), watch, recipe.per_deal(cell))
        for cell, pieces in by_cell(run, samples, tasks, "observing", workers, progress)
    }
    run.write_table(OBSERVED, pl.concat(frames[cell.id] for cell in recipe.cells))
    run.manifest["observed"] = about
