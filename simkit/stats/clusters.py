"""Credit that is shared, and playouts that share a deal: the deal is the unit, and Wilson gets an effective number."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from simkit.stats.intervals import rate_interval
from simkit.stats.normal import Numbers

Number = Any  # int, Fraction or float: kept as exact as it comes


@dataclass(frozen=True)
class Clusters:
    """Sums over deals, each played one or more times. They add: `Clusters + Clusters` is both lots of deals."""

    deals: int
    playouts: int
    credit: Number  # wins, or shares of wins: 0..1 per playout
    playouts_squared: int  # sums over deals of the square of a deal's playouts,
    credit_squared: Number  # of the square of its credit,
    credit_by_playouts: Number  # and of their product

    def __add__(self, other: "Clusters") -> "Clusters":
        return Clusters(
            *(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True))
        )


@dataclass(frozen=True)
class ClusterRate:
    rate: float
    low: float
    high: float
    standard_error: float
    effective_playouts: float  # independent all-or-nothing playouts that would tell as much
    design_effect: float  # playouts / effective playouts; below 1 where rotation cancels the luck of the deal


def clusters_of(credit: Numbers, playouts: Numbers) -> Clusters:
    """The sums for deals given one by one.

    credit, playouts : (deals,), the credit gained in all playouts of a deal, and how many those were
    """
    t, m = np.broadcast_arrays(np.asarray(credit), np.asarray(playouts))
    sums = (m, t, m * m, t * t, t * m)
    return Clusters(t.size, *(part.sum().item() for part in sums))


def cluster_rate(sums: Clusters, level: float = 0.95) -> ClusterRate:
    """The rate of credit over all playouts, with an interval that counts each deal as one observation.

    Wilson's interval on an effective number of playouts (exact when wins or losses are few). Where all deals agree
    their spread says nothing, and every deal counts as one playout.
    raises : ValueError below two deals, or for a rate outside 0..1
    source : W. G. Cochran, Sampling Techniques (3rd ed., 1977), chapters 6 and 9A
    """
    if sums.deals < 2:
        raise ValueError("a spread between deals needs two deals")
    n = sums.playouts
    rate = Fraction(sums.credit) / n
    spread = (
        Fraction(sums.credit_squared) - 2 * rate * Fraction(sums.credit_by_playouts) + rate**2 * sums.playouts_squared
    )
    variance = max(float(spread), 0.0) * sums.deals / (sums.deals - 1) / n**2
    binomial = float(rate * (1 - rate))
    agree = variance <= 1e-12 * binomial / n  # thirds as floats do not cancel to the last digit
    effective = float(sums.deals) if agree else binomial / variance
    low, high, _ = rate_interval(float(rate) * effective, effective, level)
    return ClusterRate(float(rate), low, high, variance**0.5, effective, n / effective)


def shared_credit(playouts: int, credit: Number, credit_squared: Number, level: float = 0.95) -> ClusterRate:
    """The mean share of a win when ties split it: every playout its own deal.

    credit, credit_squared : sums over playouts of the share and of its square; a share lies in 0..1
    """
    return cluster_rate(Clusters(playouts, playouts, credit, playouts, credit_squared, credit), level)
