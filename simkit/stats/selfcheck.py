"""Checks of the statistics themselves: cells against their equals must look equal, and intervals must cover."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.normal import Numbers

Interval = Callable[[Numbers, Numbers], tuple[Any, Any]]  # wins, playouts -> low, high
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Uniformity:
    distance: float  # the widest gap between the p-values and the uniform distribution
    p_value: float


def uniformity(p_values: Numbers) -> Uniformity:
    """Are p-values of cells against their equals spread evenly over 0..1, as they must be? For continuous statistics.

    p_values : (runs,), nan left out      raises : ValueError if none is left
    source   : A. N. Kolmogorov's one-sample test, exact
    """
    from scipy.stats import kstwo  # slow to import

    p = np.sort(np.asarray(p_values, float))
    p = p[~np.isnan(p)]
    if p.size == 0:
        raise ValueError("no p-values")
    steps = np.arange(p.size + 1) / p.size
    distance = float(max((steps[1:] - p).max(), (p - steps[:-1]).max()))
    return Uniformity(distance, float(kstwo.sf(distance, p.size)))


def coverage_band(runs: int, level: float = 0.95, alarm: float = 1e-3) -> tuple[int, int]:
    """How many of `runs` intervals should cover the truth: fewest and most. Right intervals fall outside with chance `alarm`.

    The chance is at most `alarm`, half on each side.
    """
    from scipy.stats import binom

    fewest = int(binom.ppf(alarm / 2, runs, level))
    most = int(binom.isf(alarm / 2, runs, level))
    return fewest, most


def covered(low: Numbers, high: Numbers, truth: Numbers) -> int:
    """How many intervals hold the truth. Arrays of one shape (runs,), truth may be a number."""
    return int(((np.asarray(low) <= truth) & (np.asarray(truth) <= np.asarray(high))).sum())


def exact_coverage(interval: Interval, playouts: int, rates: Numbers) -> Array:
    """How often an interval for a rate covers it, summed over every possible number of wins: no simulation.

    interval : takes arrays of wins and playouts     rates : (rates,) strictly between 0 and 1
    """
    from scipy import special

    wins = np.arange(playouts + 1)
    low, high = interval(wins, np.full(wins.shape, playouts))
    p = np.asarray(rates, float)[:, None]
    log_ways = special.gammaln(playouts + 1) - special.gammaln(wins + 1) - special.gammaln(playouts - wins + 1)
    chance = np.exp(log_ways + special.xlogy(wins, p) + special.xlogy(playouts - wins, 1 - p))
    return np.asarray((chance * ((low <= p) & (p <= high))).sum(axis=1))
