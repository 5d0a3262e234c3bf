"""Does the place in the turn order matter? One test for single and shared wins, losers, ranks and scores.

If places are exchangeable, each playout deals its credit to the seats in random order. Then the squared deviations of the
seats' totals from their mean, over the summed variance inside the playouts, follow a chi-square distribution with seats - 1
degrees of freedom. With one winner this is Pearson's test, with any number of winners W. G. Cochran's Q (Biometrika 37
(1950), 256-266), with ranks M. Friedman's test (J. Am. Stat. Assoc. 32 (1937), 675-701). Playouts must be independent
(deals that are played several times go through the jackknife), policies the same in all seats or rotated in full.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.normal import Numbers, chi_square_tail, two_sided
from simkit.stats.seat_sums import SeatSums, pattern_rows, sums_of_rows

ENOUGH = 5  # variance of a seat's total by chance, in units of one win: below it chi-square is not to be trusted
AT_A_TIME = 2_000_000  # numbers shuffled at once


class Method(Enum):
    CHI_SQUARE = "chi-square"
    PERMUTATION = "permutation"
    BLOCKS = "blocks of deals"
    NONE = "no information"  # every seat got the same in every playout


@dataclass(frozen=True)
class SeatTest:
    statistic: float
    degrees: int
    p_value: float
    concordance: float  # 0: seats alike, 1: the same seat order in every playout; squared Cramer's V for one winner
    method: Method
    is_trusted: bool  # False: too little variance for chi-square, shuffle the playouts instead


@dataclass(frozen=True)
class Trend:
    slope: float  # credit per playout gained with each step back in the turn order
    z: float
    p_value: float  # two-sided


def seat_test(totals: Numbers, row_variance: float, playouts: int, widest: float = 1.0) -> SeatTest:
    """The test from sums alone.

    totals       : (seats,) credit of each seat
    row_variance : sum over playouts of the sample variance of credit between seats
    widest       : the largest difference of two seats' credit in one playout: 1 for wins and shares, seats - 1 for ranks
    """
    s = np.asarray(totals, float)
    seats = s.size
    if row_variance <= 0:
        return SeatTest(float("nan"), seats - 1, float("nan"), float("nan"), Method.NONE, False)
    statistic = float(((s - s.mean()) ** 2).sum() / row_variance)
    is_trusted = row_variance * (seats - 1) / seats >= ENOUGH * widest**2
    return SeatTest(
        statistic=statistic,
        degrees=seats - 1,
        p_value=chi_square_tail(statistic, seats - 1),
        concordance=statistic / (playouts * (seats - 1)),
        method=Method.CHI_SQUARE,
        is_trusted=bool(is_trusted),
    )


def seat_test_of_rows(rows: Numbers, counts: Numbers, generator: np.random.Generator, draws: int = 9_999) -> SeatTest:
    """The test from distinct outcomes (outcomes, seats) and how often each occurred (outcomes,).

    Where chi-square is not to be trusted, the p-value comes from shuffling the seats inside every playout `draws` times.
    """
    y, often = np.asarray(rows, float), np.asarray(counts)
    sums = sums_of_rows(y, often)
    widest = float(np.ptp(y[often > 0], axis=1).max(initial=0.0))
    found = seat_test(sums.totals, sums.row_variance, sums.playouts, widest)
    if found.is_trusted or found.method is Method.NONE:
        return found
    p_value = shuffled_p_value(np.repeat(y, often, axis=0), generator, draws)
    return replace(found, p_value=p_value, method=Method.PERMUTATION, is_trusted=True)


def seat_test_of_patterns(
    counts: Numbers, generator: np.random.Generator, share: bool = False, draws: int = 9_999
) -> SeatTest:
    """The test from playouts counted by who won: counts (2^seats,), see `seat_sums.sums_of_patterns`."""
    return seat_test_of_rows(pattern_rows(np.size(counts), share), counts, generator, draws)


def shuffled_p_value(rows: Numbers, generator: np.random.Generator, draws: int = 9_999) -> float:
    """How often seats deviate as much when the credit of each playout is dealt out anew: (1 + hits) / (1 + draws).

    rows : (playouts, seats) credit; meant for few playouts, time grows with playouts x draws
    """
    y = np.asarray(rows, float)
    y = y[np.ptp(y, axis=1) > 0]
    seen = deviation(y) * (1 - 1e-12)
    hits, left = 0, draws
    while left > 0:
        batch = min(left, max(1, AT_A_TIME // max(y.size, 1)))
        dealt = generator.permuted(np.broadcast_to(y, (batch, *y.shape)), axis=2)
        hits += int((deviation(dealt) >= seen).sum())
        left -= batch
    return (1 + hits) / (1 + draws)


def deviation(rows: npt.NDArray[np.float64]) -> Any:
    """Sum of squared deviations of the seats' totals from their mean; rows (..., playouts, seats)."""
    totals = rows.sum(axis=-2)
    return ((totals - totals.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)


def trend(sums: SeatSums) -> Trend:
    """Does credit rise or fall steadily along the turn order? Sharper than the seat test when it does."""
    seats = sums.totals.size
    place = np.arange(seats) - (seats - 1) / 2
    contrast, squares = float(place @ sums.totals), float(place @ place)
    if sums.row_variance <= 0:
        return Trend(0.0, float("nan"), float("nan"))
    z = contrast / (sums.row_variance * squares) ** 0.5
    return Trend(contrast / squares / sums.playouts, z, two_sided(z))
