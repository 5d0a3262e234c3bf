"""Comparing two cells on the same deals: the deal is the unit, and what both cells share drops out."""

from dataclasses import dataclass

import numpy as np

from simkit.stats.intervals import quantile, wilson


@dataclass(frozen=True)
class Paired:
    """The difference of two win rates on the same deals, B minus A, as probabilities."""

    deals: int
    difference: float
    low: float
    high: float
    standard_error: float
    p_value: float  # exact McNemar
    variance_reduction: (
        float  # how many times as many independent playouts would have been needed; inf if never different
    )

    @property
    def never_differed(self) -> bool:
        return self.variance_reduction == float("inf")


def paired_difference(neither: int, only_a: int, only_b: int, both: int, level: float = 0.95) -> Paired:
    """The win rate of B minus that of A from the outcomes of the same deals.

    neither, only_a, only_b, both : how many deals were won by none, by A only, by B only, by both
    interval : Newcombe's for paired rates (Stat. Med. 17 (1998), 2635-2650, method 10)
    """
    n = neither + only_a + only_b + both
    if n == 0:
        raise ValueError("no deals")
    d = (only_b - only_a) / n
    variance = ((only_a + only_b) - (only_b - only_a) ** 2 / n) / n**2
    low, high = newcombe(both, only_b, only_a, neither, level)
    p_a, p_b = (both + only_a) / n, (both + only_b) / n
    spread = variance * n
    reduction = (p_a * (1 - p_a) + p_b * (1 - p_b)) / spread if spread > 0 else float("inf")
    return Paired(n, d, low, high, variance**0.5, mcnemar(only_a, only_b), reduction)


def newcombe(both: int, only_first: int, only_second: int, neither: int, level: float = 0.95) -> tuple[float, float]:
    """Newcombe's interval for the paired difference first - second (score ends of both rates, with their correlation)."""
    a, b, c, d = both, only_first, only_second, neither
    n = a + b + c + d
    first, second = (a + b) / n, (a + c) / n
    low_1, high_1 = wilson(a + b, n, level)
    low_2, high_2 = wilson(a + c, n, level)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    phi = 0.0
    if margins > 0:
        determinant = a * d - b * c
        phi = (max(determinant - n / 2, 0) if determinant > 0 else determinant) / float(margins) ** 0.5
    down_1, up_1, down_2, up_2 = first - low_1, high_1 - first, second - low_2, high_2 - second
    difference = first - second
    low = difference - np.sqrt(down_1**2 - 2 * phi * down_1 * up_2 + up_2**2)
    high = difference + np.sqrt(up_1**2 - 2 * phi * up_1 * down_2 + down_2**2)
    return float(low), float(high)


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided McNemar test: could the discordant deals have fallen this unevenly by chance?"""
    from scipy import special  # slow to import

    discordant = only_a + only_b
    if discordant == 0:
        return 1.0
    return float(min(1.0, 2 * special.bdtr(min(only_a, only_b), discordant, 0.5)))


def normal_interval(difference: float, standard_error: float, level: float = 0.95) -> tuple[float, float]:
    half = quantile(level) * standard_error
    return difference - half, difference + half
