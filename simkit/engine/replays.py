"""The replayed sample: the first deals of every cell, each played several times with fresh chance after the deal.

Everybody keeps the seat of the first rotation, so what the replays of a deal have in common is the deal (and who sits where).
Replay 0 of a deal is the playout that the run has of it. The table `replayed.parquet` has a row for each deal and seat (one
for a team) with whole numbers: what part of the outcome the seat had in all replays of the deal, in units of 1/2520 of a
playout, and the sum of its squares.
"""

from collections.abc import Iterator
from dataclasses import dataclass
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

REPLAYS = 4  # of a deal
DEALS = 1000  # of each cell at most,
PART_OF_RUN = 5  # and all replays are at most a fifth of what the run plays of the cell,
FEWEST = BLOCKS  # unless that is too little to say anything
UNIT = 125  # deals in a task

SCHEMA: dict[str, Any] = {
    "cell": pl.Int32,
    "deal": pl.Int32,
    "seat": pl.Int8,
    "credit": pl.Int32,
    "squared": pl.Int32,
}


@dataclass
class Replayed:
    """What came of some deals of a cell: credit and its square, int64 (deals, seats), summed over the replays."""

    first: int  # deal
    credit: Any
    squared: Any

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
    return Job(job.game, job.rules, new_table(job.table.line_up[: job.seats], recipe.root(cell), REPLAYS, 1))


def replay(job: Job, first: int, deals: int, stop: Any = NEVER) -> Replayed:
    """Play deals `first` to `first + deals - 1`. stop : uint8 (1,), ends the work early when set"""
    spec = games.get(job.game)
    playouts = REPLAYS * deals
    played = play(job, REPLAYS * first, playouts, REPLAYS * (first + deals), stop)
    outcome = played.player_columns[spec.outcome].astype(np.int64)  # (seats, playouts)
    standing = outcome[:1] if spec.cooperative else outcome
    credit = standing * (WHOLE // np.maximum(standing.sum(axis=0), 1))
    by_deal = credit[:, : played.playouts - played.playouts % REPLAYS].reshape(len(standing), -1, REPLAYS)
    return Replayed(first, by_deal.sum(axis=2).T, (by_deal**2).sum(axis=2).T)


def frame_of(cell: int, pieces: list[Replayed]) -> pl.DataFrame:
    """The whole sample of a cell as a table with the columns of `SCHEMA`, deal after deal."""
    credit = np.concatenate([piece.credit for piece in pieces])
    deals, seats = credit.shape
    columns = {
        "cell": np.full(deals * seats, cell),
        "deal": np.repeat(np.arange(deals), seats),
        "seat": np.tile(np.arange(seats), deals),
        "credit": credit.reshape(-1),
        "squared": np.concatenate([piece.squared for piece in pieces]).reshape(-1),
    }
    return pl.DataFrame(columns).cast(pl.Schema(SCHEMA))


def deals_of(playouts: int) -> int:
    """How many deals of a cell with so many playouts are replayed; 0 if they would be too few."""
    deals = min(DEALS, playouts // (PART_OF_RUN * REPLAYS))
    return deals if deals >= FEWEST else 0


def replay_deals(run: Run, workers: Workers, progress: Progress | None = None) -> None:
    """Write the table of the replayed sample, unless it is there and whole, or the run is too short for one.

    raises : Interrupted after Ctrl-C or SIGTERM, RunError if the run cannot be written or its workers are lost
    """
    recipe = run.recipe
    deals = [deals_of(playouts) for playouts in run.playouts_of]
    about = {"deals": max(deals), "replays": REPLAYS}
    if max(deals) == 0 or (run.manifest.get("replayed") == about and run.is_whole(REPLAYED)):
        return
    frames = {
        cell: frame_of(cell, pieces)
        for cell, pieces in by_cell(
            run, [REPLAYS * count for count in deals], tasks(recipe, deals), "replaying deals", workers,
            progress or Silent(), Replayed,
        )
    }  # fmt: skip
    run.write_table(REPLAYED, pl.concat(frames[cell] for cell in sorted(frames)))
    run.manifest["replayed"] = about


def tasks(recipe: Recipe, deals: list[int]) -> Iterator[Replay]:
    """deals : of each cell"""
    for cell in recipe.cells:
        if deals[cell.id]:
            job = job_of(recipe, cell)
            for first in range(0, deals[cell.id], UNIT):
                yield Replay(job, cell.id, first, min(UNIT, deals[cell.id] - first))
