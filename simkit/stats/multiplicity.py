"""Many comparisons at once: p-values adjusted for the size of the family, and the level its intervals need.

All adjustments take p-values (family,) and give adjusted ones (family,). nan is carried through and not counted as a
member; an empty family stays empty. Estimates are never adjusted. Raises ValueError for p-values outside 0..1.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from simkit.stats.normal import Numbers

Array = npt.NDArray[np.float64]


def bonferroni(p_values: Numbers) -> Array:
    """Each p-value times the size of the family."""
    return adjusted(p_values, lambda p: p * p.size)


def holm(p_values: Numbers) -> Array:
    """Step-down: the chance of even one false alarm stays at the level, however the tests depend on each other.

    source : S. Holm, Scand. J. Stat. 6 (1979), 65-70
    """
    return adjusted(p_values, lambda p: np.maximum.accumulate(p * np.arange(p.size, 0, -1)))


def hochberg(p_values: Numbers) -> Array:
    """Step-up cousin of Holm: a little sharper, for independent tests. Y. Hochberg, Biometrika 75 (1988), 800-802."""
    return adjusted(p_values, lambda p: falling(p * np.arange(p.size, 0, -1)))


def benjamini_hochberg(p_values: Numbers) -> Array:
    """The expected share of false alarms among the alarms: for lists to explore, such as cards.

    source : Y. Benjamini and Y. Hochberg, J. R. Stat. Soc. B 57 (1995), 289-300
    """
    return adjusted(p_values, lambda p: falling(p * p.size / np.arange(1, p.size + 1)))


def benjamini_yekutieli(p_values: Numbers) -> Array:
    """The same whatever the dependence, at a price. Y. Benjamini and D. Yekutieli, Ann. Stat. 29 (2001), 1165-1188."""
    return adjusted(
        p_values, lambda p: falling(p * p.size * (1 / np.arange(1, p.size + 1)).sum() / np.arange(1, p.size + 1))
    )


def family_wise_level(level: float, comparisons: int) -> float:
    """The level of each interval so that all of a family hold together at `level` (Bonferroni)."""
    return 1 - (1 - level) / max(comparisons, 1)


def adjusted(p_values: Numbers, step: Callable[[Array], Array]) -> Array:
    """Sort what is there, let `step` adjust the ascending p-values, put everything back."""
    p = np.asarray(p_values, float)
    known = np.flatnonzero(~np.isnan(p))
    if np.any((p[known] < 0) | (p[known] > 1)):
        raise ValueError("p-values lie between 0 and 1")
    order = known[np.argsort(p[known], kind="stable")]
    result = np.full(p.shape, np.nan)
    result[order] = np.minimum(step(p[order]), 1.0)
    return result


def falling(p: Array) -> Array:
    """For each place the smallest of what stands there and behind it."""
    return np.minimum.accumulate(p[::-1])[::-1]
