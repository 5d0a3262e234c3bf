"""The replayed sample: the first deals of every cell, each played several times with fresh chance after the deal.

Everybody keeps the seat of the first rotation, so what the replays of a deal have in common is the deal (and who sits where).
Cells on the same deals meet the same chance in the same replay, as far as their playouts go alike. Replay 0 of a deal is the
playout that a run with one playout of each deal has of it. The table `replayed.parquet` has a row for each deal and seat (one
for a team): what part of the outcome the seat had in each replay, in units of 1/2520.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from simkit import games
from simkit.engine.execute import Progress, Silent
from simkit.engine.samples import by_cell
from simkit.engine.worker import NEVER, Job, play
from simkit.engine.workers import Workers
from simkit.kernel.drive import new_table
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS, WHOLE
from simkit.store import REPLAYED, Run

VERSION = 1  # of the table
REPLAYS = 4  # of a deal
DEALS = 1000  # of each cell at most,
PART_OF_RUN = 5  # and all replays are at most a fifth of what the run plays of the cell,
FEWEST = BLOCKS  # unless that is too little to say anything
UNIT = 125  # deals in a task

SCHEMA: dict[str, Any] = {
    "cell": pl.Int32,
    "deal": pl.Int32,
    "seat": pl.Int8,
    **{f"replay_{number}": pl.Int16 for number in range(REPLAYS)},
}


@dataclass
class Replayed:
    """What came of some deals of a cell: the credit of each replay, int16 (deals, seats, replays)."""

    first: int  # deal
    credit: Any

    @property
    def size(self) -> int:
        """Playouts."""
        return REPLAYS * len(self.credit)


@dataclass(frozen=True)
class Replay:
    """A task: play some deals of a cell, each `REPLAYS` times."""

    job: Job
    cell: int
    first: int
    deals: int

    def __call__(self, stop: Any = NEVER) -> tuple[int, Replayed]:
        return self.cell, replay(self.job, self.first, self.deals, stop)


def job_of(recipe: Recipe, cell: Cell) -> Job:
    """The cell with so many replicates of a deal and no rotations."""
    job = Job.of(recipe, cell)
    return replace(job, table=new_table(job.table.line_up[: job.seats], recipe.root(cell), REPLAYS), watched=())


def replay(job: Job, first: int, deals: int, stop: Any = NEVER) -> Replayed:
    """Play deals `first` to `first + deals - 1`. stop : uint8 (1,), ends the work early when set"""
    spec = games.get(job.game)
    playouts = REPLAYS * deals
    played = play(job, REPLAYS * first, playouts, REPLAYS * (first + deals), stop)
    outcome = played.player_columns[spec.outcome].astype(np.int64)  # (seats, playouts)
    standing = outcome[:1] if spec.cooperative else outcome
    credit = standing * (WHOLE // np.maximum(standing.sum(axis=0), 1))
    whole = credit[:, : played.playouts - played.playouts % REPLAYS].astype(np.int16)
    return Replayed(first, whole.reshape(len(standing), -1, REPLAYS).swapaxes(0, 1))


def frame_of(cell: int, pieces: list[Replayed]) -> pl.DataFrame:
    """The whole sample of a cell as a table with the columns of `SCHEMA`, deal after deal."""
    credit = np.concatenate([piece.credit for piece in pieces])
    deals, seats, _ = credit.shape
    columns = {
        "cell": np.full(deals * seats, cell),
        "deal": np.repeat(np.arange(deals), seats),
        "seat": np.tile(np.arange(seats), deals),
        **{f"replay_{number}": credit[:, :, number].reshape(-1) for number in range(REPLAYS)},
    }
    return pl.DataFrame(columns).cast(pl.Schema(SCHEMA))


def deals_of(playouts: int) -> int:
    """How many deals of a cell with so many playouts are replayed; 0 if they would be too few."""
    deals = min(DEALS, playouts // (PART_OF_RUN * REPLAYS))
    return deals if deals >= FEWEST else 0


def about(playouts: Sequence[int]) -> dict[str, Any]:
    """What a manifest says of the sample: how many deals at most, how often each, and a digest of how many of each cell."""
    deals = [deals_of(count) for count in playouts]
    digest = hashlib.sha256(repr((VERSION, REPLAYS, deals)).encode()).hexdigest()[:16]
    return {"deals": max(deals), "replays": REPLAYS, "sample": digest}


def replay_deals(run: Run, workers: Workers, progress: Progress | None = None) -> None:
    """Write the table of the replayed sample, unless it is there and whole, or the run is too short for one.

    raises : Interrupted after Ctrl-C or SIGTERM, RunError if the run cannot be written or its workers are lost
    """
    recipe = run.recipe
    deals = [deals_of(playouts) for playouts in run.playouts_of]
    told = about(run.playouts_of)
    if max(deals) == 0 or (run.manifest.get("replayed") == told and run.is_whole(REPLAYED)):
        return
    samples = [REPLAYS * count for count in deals]
    found = by_cell(run, samples, tasks(recipe, deals), "replaying deals", workers, progress or Silent())
    frames = {cell: frame_of(cell, pieces) for cell, pieces in found}
    run.write_table(REPLAYED, pl.concat(frames[cell] for cell in sorted(frames)))
    run.manifest["replayed"] = told


def tasks(recipe: Recipe, deals: list[int]) -> Iterator[Replay]:
    """deals : of each cell"""
    for cell in recipe.cells:
        if deals[cell.id]:
            job = job_of(recipe, cell)
            for first in range(0, deals[cell.id], UNIT):
                yield Replay(job, cell.id, first, min(UNIT, deals[cell.id] - first))
