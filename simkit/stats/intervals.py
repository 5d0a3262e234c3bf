"""Intervals for rates. All functions take numbers or arrays of one shape and give arrays (or floats) of that shape."""

from typing import Any

import numpy as np

from simkit.stats.normal import Floats, Numbers, plain, quantile

FEW = 5  # wins or losses below this: the exact interval is used instead of Wilson's


def counted(wins: Numbers, playouts: Numbers) -> tuple[Any, Any]:
    """Both as float arrays of one shape. Raises ValueError where wins are below 0 or above the playouts."""
    k, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(playouts, float))
    if np.any((k < 0) | (k > n)):
        raise ValueError("wins must lie between 0 and the number of playouts")
    return k, n


def wilson(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson score interval for a rate.

    wins, playouts : 0 <= wins <= playouts (either may be fractional)    level : 0.95 for a 95 % interval
    returns        : low and high, exactly 0 at no wins and exactly 1 at nothing but wins; nan where playouts is 0
    raises         : ValueError for wins outside 0..playouts
    source         : E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), 209-212
    """
    k, n = counted(wins, playouts)
    z = quantile(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = k / n
        scale = 1 + z * z / n
        centre = (p + z * z / (2 * n)) / scale
        half = z / scale * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        # for rare wins centre - half cancels; low x high = p^2 / scale is exact
        high = centre + half
        low = np.where(p < 0.5, p * p / scale / high, centre - half)
    return ends(k, n, low, high)


def clopper_pearson(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Exact interval for a rate: it never covers less often than it says. Arguments and returns as for `wilson`.

    source : C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404-413
    """
    from scipy import special  # slow to import, seldom needed

    k, n = counted(wins, playouts)
    tail = (1 - level) / 2
    low = special.betaincinv(np.where(k > 0, k, 1), n - k + 1, tail)
    high = special.betaincinv(k + 1, np.where(k < n, n - k, 1), 1 - tail)
    return ends(k, n, low, high)


def jeffreys(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Equal-tailed interval of the Jeffreys posterior, Beta(wins + 1/2, losses + 1/2). As for `wilson`.

    source : L. D. Brown, T. T. Cai and A. DasGupta, Stat. Sci. 16 (2001), 101-133, with their rule for the two ends
    """
    from scipy import special

    k, n = counted(wins, playouts)
    tail = (1 - level) / 2
    low, high = (special.betaincinv(k + 0.5, n - k + 0.5, chance) for chance in (tail, 1 - tail))
    return ends(k, n, low, high)


def ends(k: Any, n: Any, low: Any, high: Any) -> tuple[Floats, Floats]:
    """An interval with its ends at exactly 0 for no wins and exactly 1 for nothing but wins, and nan for no playouts."""
    low = np.where(k == 0, 0.0, low)
    high = np.where(k == n, 1.0, high)
    return plain(np.where(n > 0, low, np.nan)), plain(np.where(n > 0, high, np.nan))


def rate_interval(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats, Any]:
    """The interval simkit prints: Wilson, or Clopper-Pearson where wins or losses are fewer than `FEW`.

    returns : low, high, and whether the exact interval was used (bool)
    """
    k, n = counted(wins, playouts)
    exact = np.minimum(k, n - k) < FEW
    low, high = wilson(k, n, level)
    if exact.any():
        sure = clopper_pearson(k, n, level)
        low, high = np.where(exact, sure[0], low), np.where(exact, sure[1], high)
    return plain(np.asarray(low)), plain(np.asarray(high)), exact if exact.ndim else bool(exact)


def upper_bound(wins: Numbers, playouts: Numbers, level: float = 0.95) -> Floats:
    """What a rate stays below, exactly and one-sided: about 3 / playouts if it never happened (the rule of three)."""
    return clopper_pearson(wins, playouts, 2 * level - 1)[1]


def exact_test(wins: Numbers, playouts: Numbers, rate: Numbers = 0.5) -> Floats:
    """Two-sided binomial test of a rate: twice the smaller tail, so it rejects just where Clopper-Pearson excludes."""
    smaller = np.minimum(at_least(wins, playouts, rate), at_most(wins, playouts, rate))
    return plain(np.asarray(np.minimum(1.0, 2 * smaller)))


def at_least(wins: Numbers, playouts: Numbers, rate: Numbers) -> Floats:
    """The chance of so many wins or more at a rate, without summing."""
    from scipy import special

    k, n = counted(wins, playouts)
    p = np.asarray(rate, float)
    return plain(np.where(k > 0, special.betainc(np.where(k > 0, k, 1), n - k + 1, p), 1.0))


def at_most(wins: Numbers, playouts: Numbers, rate: Numbers) -> Floats:
    """The chance of so many wins or fewer at a rate."""
    k, n = counted(wins, playouts)
    return at_least(n - k, n, 1 - np.asarray(rate, float))


def rate_difference(
    wins_a: Numbers, playouts_a: Numbers, wins_b: Numbers, playouts_b: Numbers, level: float = 0.95
) -> tuple[Floats, Floats, Floats]:
    """The rate of A minus that of B, for playouts that share no deals.

    returns : difference, low, high
    source  : R. G. Newcombe, Stat. Med. 17 (1998), 873-890, method 10: Wilson ends, squared and added
    """
    (a, n_a), (b, n_b) = counted(wins_a, playouts_a), counted(wins_b, playouts_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        return square_and_add(a / n_a, wilson(a, n_a, level), b / n_b, wilson(b, n_b, level))


def square_and_add(
    first: Any, first_ends: tuple[Any, Any], second: Any, second_ends: tuple[Any, Any]
) -> tuple[Floats, Floats, Floats]:
    """The difference of two independent estimates, its interval made from theirs."""
    difference = np.asarray(first - second)
    low = difference - np.hypot(first - first_ends[0], second_ends[1] - second)
    high = difference + np.hypot(first_ends[1] - first, second - second_ends[0])
    return plain(difference), plain(np.asarray(low)), plain(np.asarray(high))


def simultaneous_intervals(counts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Intervals for the shares of all outcomes at once: who won, or how it ended. All hold together at `level`.

    counts  : (outcomes,), one per playout     returns : low, high (outcomes,)
    source  : L. A. Goodman, Technometrics 7 (1965), 247-254
    """
    each = np.asarray(counts, float)
    return wilson(each, each.sum(), 1 - (1 - level) / max(each.size, 1))
