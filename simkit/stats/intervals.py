"""Intervals for rates. All functions take numbers or arrays of one shape and give arrays (or floats) of that shape."""

from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.ArrayLike
Floats = Any  # float array, or a float for scalar input

FEW = 5  # wins or losses below this: the exact interval is used instead of Wilson's


def quantile(level: float) -> float:
    """The normal quantile of a two-sided interval: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson score interval for a rate.

    wins, playouts : 0 <= wins <= playouts (wins may be fractional)    level : 0.95 for a 95 % interval
    returns        : low and high, exactly 0 at no wins and exactly 1 at nothing but wins; nan where playouts is 0
    source         : E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), 209-212
    """
    k, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(playouts, float))
    z = quantile(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = k / n
        scale = 1 + z * z / n
        centre = (p + z * z / (2 * n)) / scale
        half = z / scale * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        # for rare wins centre - half cancels; low x high = p^2 / scale is exact
        high = centre + half
        low = np.where(p < 0.5, p * p / scale / high, centre - half)
    low = np.where(k == 0, 0.0, low)
    high = np.where(k == n, 1.0, high)
    return plain(np.where(n > 0, low, np.nan)), plain(np.where(n > 0, high, np.nan))


def clopper_pearson(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Exact (conservative) interval for a rate. Arguments and returns as for `wilson`, wins whole.

    source : C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404-413
    """
    from scipy import special  # slow to import, seldom needed

    k, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(playouts, float))
    tail = (1 - level) / 2
    low = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, tail), 0.0)
    high = np.where(k < n, special.betaincinv(k + 1, np.maximum(n - k, 1), 1 - tail), 1.0)
    return plain(np.where(n > 0, low, np.nan)), plain(np.where(n > 0, high, np.nan))


def jeffreys(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats]:
    """Equal-tailed interval of the Jeffreys posterior, with its ends at 0 for no wins and at 1 for nothing but wins."""
    from scipy import special  # slow to import, seldom needed

    k, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(playouts, float))
    tail = (1 - level) / 2
    low = np.where(k > 0, special.betaincinv(k + 0.5, n - k + 0.5, tail), 0.0)
    high = np.where(k < n, special.betaincinv(k + 0.5, n - k + 0.5, 1 - tail), 1.0)
    return plain(np.where(n > 0, low, np.nan)), plain(np.where(n > 0, high, np.nan))


def rate_interval(wins: Numbers, playouts: Numbers, level: float = 0.95) -> tuple[Floats, Floats, Any]:
    """The interval simkit prints: Wilson, or Clopper-Pearson where wins or losses are fewer than `FEW`.

    returns : low, high, and whether the exact interval was used (bool)
    """
    k, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(playouts, float))
    exact = np.minimum(k, n - k) < FEW
    low, high = wilson(k, n, level)
    if exact.any():
        sure = clopper_pearson(k, n, level)
        low, high = np.where(exact, sure[0], low), np.where(exact, sure[1], high)
    return plain(np.asarray(low)), plain(np.asarray(high)), exact if exact.ndim else bool(exact)


def playouts_for(half_width: float, rate: float = 0.5, level: float = 0.95) -> int:
    """Playouts that bring the half-width of a rate's interval down to `half_width` (a probability)."""
    return int(np.ceil(quantile(level) ** 2 * rate * (1 - rate) / half_width**2))


def mean_interval(values: Numbers, counts: Numbers, level: float = 0.95) -> tuple[float, float, float]:
    """Mean of a histogram with its interval, from exact integer sums.

    values, counts : integer arrays of one shape (bins,)     returns : mean, low, high; nan without counts
    """
    pairs = [(int(v), int(c)) for v, c in zip(np.asarray(values), np.asarray(counts), strict=True)]
    n = sum(c for _, c in pairs)
    if n == 0:
        return float("nan"), float("nan"), float("nan")
    total = sum(v * c for v, c in pairs)
    squares = sum(v * v * c for v, c in pairs)
    mean = total / n
    variance = (squares * n - total * total) / (n * (n - 1)) if n > 1 else float("nan")
    half = student(level, n - 1) * (variance / n) ** 0.5
    return mean, mean - half, mean + half


def student(level: float, degrees: int) -> float:
    """The quantile of a two-sided t interval; the normal one from 200 degrees of freedom."""
    if degrees >= 200:
        return quantile(level)
    from scipy import special

    return float(special.stdtrit(max(degrees, 1), 0.5 + level / 2))


def histogram_quantile(values: Numbers, counts: Numbers, q: float) -> int:
    """The smallest value with at least q of the counts at or below it (inverse distribution, no interpolation)."""
    order = np.argsort(values)
    ordered, running = np.asarray(values)[order], np.cumsum(np.asarray(counts)[order])
    return int(ordered[np.searchsorted(running, np.ceil(q * running[-1]))])


def plain(array: Any) -> Any:
    return array if array.ndim else float(array)
