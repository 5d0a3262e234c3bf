"""Quantiles and tail probabilities of the normal and of Student's t: what most of this room is built on."""

from math import erf
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.ArrayLike
Floats = Any  # float array, or a float for scalar input

ENOUGH = 200  # from so many degrees of freedom on, t is taken as normal


def quantile(level: float) -> float:
    """The normal quantile of a two-sided interval: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def normal_level(z: float) -> float:
    """The level of a two-sided normal interval that reaches z standard errors to each side: 0.95 for 1.96."""
    return min(erf(z / 2**0.5), 1 - 1e-15)  # below 1, which has no quantile


def one_sided(chance: float) -> float:
    """The normal quantile below which a value falls with this chance: 0.84 for 0.80."""
    return NormalDist().inv_cdf(chance)


def student(level: float, degrees: int) -> float:
    """The quantile of a two-sided t interval; the normal one from `ENOUGH` degrees of freedom; nan without any."""
    if degrees >= ENOUGH:
        return quantile(level)
    if degrees < 1:
        return float("nan")
    from scipy import special  # slow to import

    return float(special.stdtrit(degrees, 0.5 + level / 2))


def upper_tail(z: Numbers) -> Floats:
    """The chance of a normal value above z, exact to the last digits however small."""
    from scipy import special

    return plain(np.asarray(special.ndtr(-np.asarray(z, float))))


def two_sided(z: Numbers, degrees: int = ENOUGH) -> Floats:
    """The chance of a value as far from 0 as z, in both directions: normal, or t below `ENOUGH` degrees of freedom."""
    from scipy import special

    far = -np.abs(np.asarray(z, float))
    tail = special.ndtr(far) if degrees >= ENOUGH else special.stdtr(max(degrees, 1), far)
    return plain(np.asarray(2 * tail))


def chi_square_tail(statistic: Numbers, degrees: Numbers) -> Floats:
    """The chance of a chi-square value above `statistic`; nan where there are no degrees of freedom."""
    from scipy import special

    value, df = np.broadcast_arrays(np.asarray(statistic, float), np.asarray(degrees, float))
    return plain(np.where(df > 0, special.chdtrc(np.maximum(df, 1), value), np.nan))


def plain(array: Any) -> Any:
    return array if array.ndim else float(array)
