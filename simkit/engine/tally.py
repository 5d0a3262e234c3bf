"""Mergeable integer counts of playouts, in 64 blocks (block = deal mod 64).

Counts add in any order and to the same sum on any number of workers. They are enough for the whole report, and the blocks
give every figure an error (block jackknife). A tally holds, for each block:

- how often each column of a playout took each value;
- the same for the columns of a player, by turn order and by slot of the line-up;
- how often each set of turn-order positions won together;
- for a cell that is compared with another on the same deals, how often the turn-order position won in neither, in the
  other only, in this one only, in both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import polars as pl

from simkit.kernel.jit import entry, step
from simkit.spec import Column, GameSpec

BLOCKS = 64
MERGED_AT_ONCE = 8
PAIR_COLUMN = "won"  # the credit that paired cells are compared on

SCHEMA: dict[str, Any] = {
    "block": pl.Int16,
    "kind": pl.Enum(["playout", "player", "winners", "pair"]),
    "other": pl.Int32,  # pair: the cell compared with
    "turn_order": pl.Int16,  # player, pair
    "slot": pl.Int16,  # player
    "column": pl.String,
    "value": pl.Int32,  # winners: bit t is set if turn order t won; pair: 2 x won here + won there
    "count": pl.Int64,
}


@step
def count_values(values, lows, begins, bins, counts):
    """Count one row of values; gives how many lay outside their range (they are put into the nearest bin)."""
    outside = 0
    for c in range(values.size):
        bin_ = values[c] - lows[c]
        if bin_ < 0 or bin_ >= bins[c]:
            outside += 1
            bin_ = 0 if bin_ < 0 else bins[c] - 1
        counts[begins[c] + bin_] += 1
    return outside


@entry
def count_rows(
    rows, players, first, replicates, rotations, columns, player_columns, by_playout, by_player, winners, won
):
    """Add playouts to the counts. Gives how many values lay outside the declared range of their column.

    rows       : int32 (playouts, columns)        players   : int32 (playouts, seats, player columns)
    columns, player_columns : int32 (3, columns): lowest value, first bin and number of bins of each column
    by_playout : int64 (64, bins)                 by_player : int64 (64, seats x seats, player bins)
    winners    : int64 (64, 2^seats): playouts by who won together
    won        : uint16 (playouts,): out, bit t is set if the seat at turn order t won
    Goes through the rows block by block, so that the counts of a block stay in the processor's cache.
    """
    outside = 0
    seats = players.shape[1]
    per_deal = replicates * rotations
    end = first + rows.shape[0]
    for offset in range(BLOCKS):
        deal = first // per_deal + offset
        block = deal % BLOCKS
        while deal * per_deal < end:
            for playout in range(max(deal * per_deal, first), min((deal + 1) * per_deal, end)):
                i = playout - first
                outside += count_values(rows[i], columns[0], columns[1], columns[2], by_playout[block])
                rotation = playout % rotations
                mask = 0
                for seat in range(seats):
                    turn_order = players[i, seat, 0]
                    slot = seat - rotation
                    place = turn_order * seats + (slot if slot >= 0 else slot + seats)
                    mask |= players[i, seat, 1] << turn_order
                    outside += count_values(
                        players[i, seat],
                        player_columns[0],
                        player_columns[1],
                        player_columns[2],
                        by_player[block, place],
                    )
                winners[block, mask] += 1
                won[i] = mask
            deal += BLOCKS
    return outside


@entry
def count_pairs(here, there, first, per_deal, counts):
    """Add the wins of two cells on the same deals. here, there: uint16 (playouts,); counts: int64 (64, seats, 4)."""
    for i in range(here.size):
        block = (first + i) // per_deal % BLOCKS
        for turn_order in range(counts.shape[1]):
            a = (here[i] >> turn_order) & 1
            b = (there[i] >> turn_order) & 1
            counts[block, turn_order, 2 * a + b] += 1


@dataclass(frozen=True)
class Layout:
    """Where the counts of a game lie in the arrays."""

    columns: tuple[Column, ...]
    player_columns: tuple[Column, ...]
    seats: int

    @classmethod
    def of(cls, spec: GameSpec, seats: int) -> "Layout":
        return cls(spec.columns, spec.player_columns, seats)

    @cached_property
    def bins(self) -> Any:
        return bins_of(self.columns)

    @cached_property
    def player_bins(self) -> Any:
        return bins_of(self.player_columns)


def bins_of(columns: Sequence[Column]) -> Any:
    """Lowest value, first bin and number of bins of each column: int32 (3, columns)."""
    counts = np.array([column.bins for column in columns])
    return np.array([[column.low for column in columns], np.cumsum(counts) - counts, counts], np.int32)


def bins_in_all(bins: Any) -> int:
    return int(bins[1, -1] + bins[2, -1])


class Tally:
    """The counts of one cell over some range of playouts."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.by_playout = np.zeros((BLOCKS, bins_in_all(layout.bins)), np.int64)
        self.by_player = np.zeros((BLOCKS, layout.seats**2, bins_in_all(layout.player_bins)), np.int64)
        self.winners = np.zeros((BLOCKS, 2**layout.seats), np.int64)
        self.outside = 0
        self.pairs: dict[int, Any] = {}

    def add_rows(self, rows: Any, players: Any, first: int, replicates: int, rotations: int) -> Any:
        """Count playouts `first`, first + 1, ...; gives the mask of winners by turn order, uint16 (playouts,)."""
        layout = self.layout
        won = np.empty(rows.size, np.uint16)
        self.outside += count_rows(
            rows.view(np.int32).reshape(rows.size, len(layout.columns)),
            players.view(np.int32).reshape(rows.size, layout.seats, len(layout.player_columns)),
            first, replicates, rotations, layout.bins, layout.player_bins, self.by_playout, self.by_player,
            self.winners, won,
        )  # fmt: skip
        return won

    def add_pair(self, other: int, here: Any, there: Any, first: int, per_deal: int) -> None:
        """Count wins here and in cell `other`, which was played on the same deals."""
        counts = self.pairs.setdefault(other, np.zeros((BLOCKS, self.layout.seats, 4), np.int64))
        count_pairs(here, there, first, per_deal, counts)

    def merge(self, more: "Tally") -> None:
        self.by_playout += more.by_playout
        self.by_player += more.by_player
        self.winners += more.winners
        self.outside += more.outside
        for other, counts in more.pairs.items():
            if other in self.pairs:
                self.pairs[other] += counts
            else:
                self.pairs[other] = counts.copy()

    def frame(self) -> pl.DataFrame:
        """The counts that are not zero, as a table with the columns of `SCHEMA`, in a fixed order."""
        seats = self.layout.seats
        parts = [frame_of("playout", self.by_playout, self.layout.columns, self.layout.bins)]
        for place in range(seats**2):
            turn_order, slot = divmod(place, seats)
            part = frame_of("player", self.by_player[:, place], self.layout.player_columns, self.layout.player_bins)
            parts.append(part.with_columns(turn_order=pl.lit(turn_order, pl.Int16), slot=pl.lit(slot, pl.Int16)))
        block, value = np.nonzero(self.winners)
        parts.append(table("winners", block, np.full(block.size, PAIR_COLUMN), value, self.winners[block, value]))
        for other, counts in sorted(self.pairs.items()):
            block, position, value = np.nonzero(counts)
            parts.append(
                table(
                    "pair", block, np.full(block.size, PAIR_COLUMN), value, counts[block, position, value],
                ).with_columns(other=pl.lit(other, pl.Int32), turn_order=pl.Series(position, dtype=pl.Int16))
            )  # fmt: skip
        return pl.concat([part.select(list(SCHEMA)) for part in parts])


def frame_of(kind: str, counts: Any, columns: Sequence[Column], bins: Any) -> pl.DataFrame:
    """The nonzero counts (64, bins) of one set of columns as a table."""
    block, bin_ = np.nonzero(counts)
    column = np.searchsorted(bins[1], bin_, side="right") - 1
    names = np.array([c.name for c in columns])
    return table(kind, block, names[column], bin_ - bins[1][column] + bins[0][column], counts[block, bin_])


def table(kind: str, block: Any, column: Any, value: Any, count: Any) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "block": pl.Series(block, dtype=pl.Int16),
            "column": pl.Series(column.tolist(), dtype=pl.String),
            "value": pl.Series(value, dtype=pl.Int32),
            "count": pl.Series(count, dtype=pl.Int64),
        }
    ).with_columns(
        kind=pl.lit(kind).cast(SCHEMA["kind"]),
        other=pl.lit(None, pl.Int32),
        turn_order=pl.lit(None, pl.Int16),
        slot=pl.lit(None, pl.Int16),
    )


def merge_frames(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The sum of tallies that are tables already, in a fixed order whatever the order of the parts.

    Takes a few at a time, so that the memory does not grow with the number of parts.
    """
    keys = [name for name in SCHEMA if name != "count"]
    total = pl.DataFrame(schema=SCHEMA)
    rest = iter(frames)
    while batch := list(islice(rest, MERGED_AT_ONCE)):
        total = pl.concat([total, *batch]).group_by(keys).agg(pl.col("count").sum())
    return total.sort(keys).select(list(SCHEMA))
