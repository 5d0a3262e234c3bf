"""Which seats are better off, and by how much: what to look at after the seat test."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from simkit.stats.multiplicity import family_wise_level, holm
from simkit.stats.normal import Floats, Numbers, two_sided
from simkit.stats.paired import Paired, paired_credit
from simkit.stats.seat_sums import SeatSums

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Deviations:
    """One entry per seat."""

    credit: Array  # per playout, above the mean of all seats
    z: Array  # in standard errors of exchangeable seats; nan if nothing varies
    p_value: Array
    adjusted: Array  # by Holm over the seats


@dataclass(frozen=True)
class Gap:
    """How much more credit per playout `first` got than `second`."""

    first: int
    second: int
    found: Paired
    adjusted: float  # p-value by Holm over all pairs of seats


def seat_deviations(sums: SeatSums) -> Deviations:
    """Each seat against the mean of all, with the error it has when seats are exchangeable."""
    seats = sums.totals.size
    above = sums.totals - sums.totals.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        z = above / np.sqrt((seats - 1) / seats * sums.row_variance)
    p_value = two_sided(z)
    return Deviations(above / sums.playouts, z, p_value, holm(p_value))


def seat_gaps(sums: SeatSums, level: float = 0.95, family_wise: bool = True) -> list[Gap]:
    """All pairs of seats, the earlier first: difference of credit with paired errors, for playouts are shared by both.

    family_wise : widen the intervals so that all pairs hold together at `level`
    """
    pairs = list(combinations(range(sums.totals.size), 2))
    each = family_wise_level(level, len(pairs)) if family_wise else level
    found = [gap_between(sums, first, second, each) for first, second in pairs]
    adjusted = holm([gap.p_value for gap in found])
    return [Gap(*pair, *rest) for pair, *rest in zip(pairs, found, adjusted.tolist(), strict=True)]


def gap_between(sums: SeatSums, first: int, second: int, level: float) -> Paired:
    """Credit of one seat minus that of another: they meet in every playout, as two cells meet on a deal."""
    totals, products = sums.totals.tolist(), sums.products.tolist()
    return paired_credit(
        sums.playouts,
        a=totals[second],
        b=totals[first],
        aa=products[second][second],
        bb=products[first][first],
        ab=products[first][second],
        level=level,
    )


def fair_share_index(share: Numbers, seats: Numbers) -> Floats:
    """A share of wins (or an end of its interval) on a scale where 1 is fair for any number of seats."""
    return np.asarray(share, float) * np.asarray(seats)


def loser_share_index(losses: Numbers) -> Floats:
    """How often each seat lost, 1 being fair also where several lose at once. losses (seats,) -> (seats,)."""
    lost = np.asarray(losses, float)
    return lost / lost.mean()
