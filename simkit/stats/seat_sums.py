"""What the seat statistics need of a cell: how much credit each seat got, and how seats got it together.

Credit is whatever is analysed, one number per seat and playout: won or lost (0 or 1), a share of the win, a rank, a score.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.normal import Numbers

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class SeatSums:
    """Sums over playouts. They add: `SeatSums + SeatSums` is both lots of playouts."""

    playouts: int
    totals: Array  # (seats,) credit of each seat
    products: Array  # (seats, seats) sums of credit times credit

    def __add__(self, other: "SeatSums") -> "SeatSums":
        return SeatSums(self.playouts + other.playouts, self.totals + other.totals, self.products + other.products)

    @property
    def row_variance(self) -> float:
        """The variance of credit inside a playout, summed over playouts: all that chance has to share out among seats."""
        return row_variance(self.totals.size, np.trace(self.products), self.products.sum())


def row_variance(seats: int, squares: Any, squared_rows: Any) -> float:
    """Sum over playouts of the sample variance between seats.

    squares      : sum of the squares of all credit; for wins the sum of winners per playout
    squared_rows : sum over playouts of (credit of all seats together) squared; for wins the sum of winners squared
    """
    return (seats * squares - squared_rows) / (seats * (seats - 1))


def sums_of_rows(rows: Numbers, counts: Numbers | None = None) -> SeatSums:
    """The sums of playouts given one by one, or of distinct outcomes with how often each occurred.

    rows   : (outcomes, seats) credit      counts : (outcomes,), 1 each by default
    raises : ValueError for fewer than two seats
    """
    y = np.asarray(rows)
    if y.ndim != 2 or y.shape[1] < 2:
        raise ValueError("seats can be compared from two on")
    often = np.ones(len(y), np.int64) if counts is None else np.asarray(counts)
    weighted = y * often[:, None]
    return SeatSums(int(often.sum()), weighted.sum(axis=0), weighted.T @ y)


def sums_of_patterns(counts: Numbers, share: bool = False) -> SeatSums:
    """The sums of playouts counted by who won (or lost).

    counts : (2^seats,), place m for the outcome where exactly the seats of the set bits of m won; bit 0 is seat 0
    share  : winners of a playout split one win instead of getting one each
    """
    return sums_of_rows(pattern_rows(np.size(counts), share), counts)


def pattern_rows(patterns: int, share: bool = False) -> Array:
    """The credit of every set of winners, (patterns, seats). Raises ValueError if patterns is not a power of 2 from 4 on."""
    seats = patterns.bit_length() - 1
    if patterns < 4 or patterns != 1 << seats:
        raise ValueError("there are 2^seats sets of winners")
    won = (np.arange(patterns)[:, None] >> np.arange(seats)) & 1
    return won / np.maximum(won.sum(axis=1, keepdims=True), 1) if share else won
