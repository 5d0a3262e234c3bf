"""Comparing two cells on the same deals: the deal is the unit, and what both cells share drops out."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simkit.stats.intervals import FEW, clopper_pearson, square_and_add, wilson
from simkit.stats.normal import student, two_sided

NAN = float("nan")
Number = Any  # int, Fraction or float


@dataclass(frozen=True)
class Paired:
    """The difference of two cells on the same deals, B minus A: probabilities for wins, else in units of the credit."""

    deals: int
    difference: float
    low: float
    high: float
    standard_error: float
    p_value: float  # exact McNemar for wins, t or normal for other credit
    variance_reduction: (
        float  # how many times as many independent playouts would tell as much; below 1: pairing is broken
    )
    correlation: float = NAN  # of the two credits over the deals; nan where one of them never varies
    exact: bool = False  # whether the interval is the one for rare differences

    @property
    def never_differed(self) -> bool:
        """No deal ended differently: the change does nothing, or it is not wired up."""
        return self.difference == 0 and self.standard_error == 0


def paired_difference(neither: int, only_a: int, only_b: int, both: int, level: float = 0.95) -> Paired:
    """The win rate of B minus that of A from the outcomes of the same deals.

    neither, only_a, only_b, both : how many deals were won by none, by A only, by B only, by both
    interval : Newcombe's for paired rates; the exact ends of `rare_difference` when fewer than `FEW` deals differ
    raises   : ValueError without deals
    """
    neither, only_a, only_b, both = int(neither), int(only_a), int(only_b), int(both)
    n = neither + only_a + only_b + both
    if n == 0:
        raise ValueError("no deals")
    variance = ((only_a + only_b) - (only_b - only_a) ** 2 / n) / n**2
    exact = only_a + only_b < FEW
    if exact:
        low, high = rare_difference(only_a, only_b, n, level)
    else:
        low, high = newcombe(both, only_b, only_a, neither, level)
    won_a, won_b = (both + only_a) / n, (both + only_b) / n
    spread_a, spread_b, common = won_a * (1 - won_a), won_b * (1 - won_b), both / n - won_a * won_b
    return Paired(
        deals=n,
        difference=(only_b - only_a) / n,
        low=low,
        high=high,
        standard_error=variance**0.5,
        p_value=mcnemar(only_a, only_b),
        variance_reduction=variance_reduction(spread_a, spread_b, variance * n),
        correlation=correlation(spread_a, spread_b, common),
        exact=exact,
    )


def paired_credit(deals: int, a: Number, b: Number, aa: Number, bb: Number, ab: Number, level: float = 0.95) -> Paired:
    """The mean credit of B minus that of A (scores, lengths, shares) from sums over the same deals.

    a, b, aa, bb, ab : sums of both credits, of their squares and of their product; nothing is lost if they are whole
    interval         : t below 200 deals, else normal; one deal alone gives nan
    raises           : ValueError without deals
    """
    n = int(deals)
    if n == 0:
        raise ValueError("no deals")
    a, b, aa, bb, ab = (Fraction(part) for part in (a, b, aa, bb, ab))
    difference = float((b - a) / n)
    if n == 1:
        return Paired(n, difference, NAN, NAN, NAN, NAN, NAN)
    spread_a, spread_b = covariance(n, a, a, aa), covariance(n, b, b, bb)
    spread = covariance(n, b - a, b - a, aa + bb - 2 * ab)
    error = (max(spread, 0.0) / n) ** 0.5
    half = student(level, n - 1) * error
    return Paired(
        deals=n,
        difference=difference,
        low=difference - half,
        high=difference + half,
        standard_error=error,
        p_value=from_error(difference, error, n - 1),
        variance_reduction=variance_reduction(spread_a, spread_b, spread),
        correlation=correlation(spread_a, spread_b, covariance(n, a, b, ab)),
    )


def covariance(deals: int, a: Fraction, b: Fraction, ab: Fraction) -> float:
    """Sample covariance from two sums and the sum of products, rounded only at the end."""
    return float((ab - a * b / deals) / (deals - 1))


def variance_reduction(spread_a: float, spread_b: float, spread: float) -> float:
    """(Var A + Var B) / Var(B - A): what the shared deals are worth. Infinite if the difference never varies."""
    return (spread_a + spread_b) / spread if spread > 0 else float("inf")


def correlation(spread_a: float, spread_b: float, common: float) -> float:
    scale = (spread_a * spread_b) ** 0.5
    return common / scale if scale > 0 else NAN


def from_error(difference: float, error: float, degrees: int) -> float:
    """The p-value of a difference with its standard error; 1 if both are 0."""
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return two_sided(difference / error, degrees)


def newcombe(both: int, only_first: int, only_second: int, neither: int, level: float = 0.95) -> tuple[float, float]:
    """Interval for the paired difference first - second: Wilson ends of both rates, with their correlation.

    source : R. G. Newcombe, Stat. Med. 17 (1998), 2635-2650, method 10
    """
    a, b, c, d = int(both), int(only_first), int(only_second), int(neither)
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
    down = max(down_1**2 - 2 * phi * down_1 * up_2 + up_2**2, 0.0)
    up = max(up_1**2 - 2 * phi * up_1 * down_2 + down_2**2, 0.0)
    return float(first - second - down**0.5), float(first - second + up**0.5)


def rare_difference(only_a: int, only_b: int, deals: int, level: float = 0.95) -> tuple[float, float]:
    """Interval for the paired difference B - A when hardly a deal differs: exact ends of both shares, squared and added.

    With five or fewer expected differences in 1,000 deals it covers 97 to 100 %, where Newcombe's falls to 86 %.
    """
    ends_a, ends_b = clopper_pearson(only_a, deals, level), clopper_pearson(only_b, deals, level)
    _, low, high = square_and_add(only_b / deals, ends_b, only_a / deals, ends_a)
    return low, high


def share_of_differing(only_a: int, only_b: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval for the share of the differing deals that B wins, given how many differ; nan if none does."""
    return clopper_pearson(only_b, only_a + only_b, level)


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided McNemar test: could the discordant deals have fallen this unevenly by chance?"""
    from scipy import special  # slow to import

    discordant = only_a + only_b
    if discordant == 0:
        return 1.0
    return float(min(1.0, 2 * special.bdtr(min(only_a, only_b), discordant, 0.5)))


def mcnemar_mid(only_a: int, only_b: int) -> float:
    """McNemar's test with half of the chance of the very outcome: less timid than the exact one, almost never too bold.

    source : M. W. Fagerland, S. Lydersen and P. Laake, BMC Med. Res. Methodol. 13 (2013), 91
    """
    from scipy import special

    discordant, fewer = only_a + only_b, min(only_a, only_b)
    if discordant == 0:
        return 1.0
    below = special.bdtr(fewer - 1, discordant, 0.5) if fewer > 0 else 0.0
    return float(min(1.0, special.bdtr(fewer, discordant, 0.5) + below))
