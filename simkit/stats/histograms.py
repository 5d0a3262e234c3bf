"""Lengths, scores and gaps as exact histograms of whole numbers: moments, quantiles, and intervals for both."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from simkit.stats.normal import Numbers, student

NAN = float("nan")


@dataclass(frozen=True)
class Moments:
    count: int
    mean: float
    variance: float  # of a sample: divided by count - 1
    skewness: float
    excess_kurtosis: float  # 0 for a normal distribution


@dataclass(frozen=True)
class QuantileInterval:
    value: int
    low: int | None  # None: too few playouts to say how low it may be
    high: int | None


def power_sums(values: Numbers, counts: Numbers) -> tuple[int, int, int, int, int]:
    """Count and sums of the values to the powers 1 to 4, as Python integers that cannot overflow.

    values, counts : whole numbers (bins,)
    """
    pairs = [(int(v), int(c)) for v, c in zip(np.asarray(values), np.asarray(counts), strict=True)]
    n, s1, s2, s3, s4 = (sum(v**power * c for v, c in pairs) for power in range(5))
    return n, s1, s2, s3, s4


def moments(values: Numbers, counts: Numbers) -> Moments:
    """Mean, variance and shape of a histogram, rounded only at the end; nan where the counts do not tell.

    values, counts : whole numbers (bins,)
    """
    n, s1, s2, s3, s4 = power_sums(values, counts)
    if n == 0:
        return Moments(0, NAN, NAN, NAN, NAN)
    mean = Fraction(s1, n)
    second = Fraction(s2, n) - mean**2
    variance = float(second * n / (n - 1)) if n > 1 else NAN
    if second == 0:
        return Moments(n, float(mean), variance, NAN, NAN)
    third = Fraction(s3, n) - 3 * mean * Fraction(s2, n) + 2 * mean**3
    fourth = Fraction(s4, n) - 4 * mean * Fraction(s3, n) + 6 * mean**2 * Fraction(s2, n) - 3 * mean**4
    return Moments(n, float(mean), variance, float(third) / float(second) ** 1.5, float(fourth / second**2 - 3))


def mean_interval(values: Numbers, counts: Numbers, level: float = 0.95) -> tuple[float, float, float]:
    """Mean of a histogram with its interval, from exact integer sums.

    values, counts : integer arrays of one shape (bins,)
    returns        : mean, low, high; all nan without counts, the ends nan for a single one
    """
    n, total, squares, _, _ = power_sums(values, counts)
    if n == 0:
        return NAN, NAN, NAN
    mean = total / n
    variance = (squares * n - total * total) / (n * (n - 1)) if n > 1 else NAN
    half = student(level, n - 1) * (variance / n) ** 0.5
    return mean, mean - half, mean + half


def histogram_quantile(values: Numbers, counts: Numbers, q: float) -> int:
    """The smallest value with at least q of the counts at or below it (inverse distribution, no interpolation).

    values, counts : whole numbers (bins,), in any order
    raises         : ValueError if nothing was counted or q is outside 0..1
    """
    n = int(np.sum(counts))
    if n == 0 or not 0 <= q <= 1:
        raise ValueError("a quantile needs counts, and a q between 0 and 1")
    exact = Fraction(str(float(q)))  # 0.07 of 100 is the 7th, not the 8th because 0.07 * 100 is a hair above 7
    return value_at(values, counts, max(ceil(exact * n), 1))


def quantile_interval(values: Numbers, counts: Numbers, q: float, level: float = 0.95) -> QuantileInterval:
    """A quantile with an interval whose ends are values that occurred. Arguments and errors as `histogram_quantile`."""
    n = int(np.sum(counts))
    value = histogram_quantile(values, counts, q)
    lower, upper, _ = quantile_ranks(n, q, level)
    return QuantileInterval(
        value,
        value_at(values, counts, lower) if lower > 0 else None,
        value_at(values, counts, upper) if upper <= n else None,
    )


def quantile_ranks(count: int, q: float, level: float = 0.95) -> tuple[int, int, float]:
    """Which of `count` ordered values enclose the quantile q: ranks from 1, and how sure that is.

    returns : lower rank (0: open below), upper rank (count + 1: open above), coverage for a continuous quantity
    source  : G. J. Hahn and W. Q. Meeker, Statistical Intervals (1991), chapter 5
    """
    from scipy.stats import binom  # slow to import

    tail = (1 - level) / 2
    lower = int(binom.ppf(tail, count, q))
    upper = int(binom.ppf(1 - tail, count, q)) + 1
    return lower, upper, float(binom.cdf(upper - 1, count, q) - binom.cdf(lower - 1, count, q))


def value_at(values: Numbers, counts: Numbers, rank: int) -> int:
    """The value at a rank (1 = smallest) of the playouts put in order."""
    order = np.argsort(values)
    running = np.cumsum(np.asarray(counts)[order])
    return int(np.asarray(values)[order][np.searchsorted(running, rank)])
