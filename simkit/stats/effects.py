"""Effect sizes: how large a difference is, whatever its p-value."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.stats.normal import Floats, Numbers, chi_square_tail, plain, quantile


@dataclass(frozen=True)
class Association:
    """How much the rows of a table differ, 0 (not at all) to 1 (completely)."""

    statistic: float  # Pearson's chi-square, without continuity correction
    degrees: int
    p_value: float
    cramers_v: float
    corrected_v: float  # without the upward bias of small tables


def cohens_h(rate_a: Numbers, rate_b: Numbers) -> Floats:
    """Difference of two rates on the arcsine scale, where equal steps are equally hard to see."""
    a, b = np.asarray(rate_a, float), np.asarray(rate_b, float)
    return plain(np.asarray(2 * np.arcsin(np.sqrt(a)) - 2 * np.arcsin(np.sqrt(b))))


def odds_ratio(
    wins_a: int, losses_a: int, wins_b: int, losses_b: int, level: float = 0.95
) -> tuple[float, float, float]:
    """The odds of A over those of B, with an interval from the normal error of its logarithm.

    Half a playout is added everywhere if any of the four is 0 (J. B. S. Haldane, Ann. Hum. Genet. 20 (1956), 309-311).
    """
    cells = np.array([wins_a, losses_a, wins_b, losses_b], float)
    if (cells == 0).any():
        cells += 0.5
    logs = np.log(cells)
    middle, half = logs[0] - logs[1] - logs[2] + logs[3], quantile(level) * np.sqrt((1 / cells).sum())
    low, ratio, high = np.exp([middle - half, middle, middle + half]).tolist()
    return ratio, low, high


def association(table: Numbers) -> Association:
    """Pearson's chi-square of a table of counts (rows, columns), for cells that share no deals, and Cramer's V.

    Rows and columns without counts are left out; nan where fewer than two of either remain.
    source : H. Cramer, Mathematical Methods of Statistics (1946); W. Bergsma, J. Korean Stat. Soc. 42 (2013), 323-328
    """
    counts = np.asarray(table, float)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    rows, columns = counts.shape
    if min(rows, columns) < 2:
        return Association(0.0, 0, *[float("nan")] * 3)
    n, degrees = counts.sum(), (rows - 1) * (columns - 1)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
    statistic = float(((counts - expected) ** 2 / expected).sum())
    v = (statistic / n / (min(rows, columns) - 1)) ** 0.5
    # both the association and the room it has are too large by what chance alone adds
    surplus = max(0.0, statistic / n - degrees / (n - 1))
    room = min(side - (side - 1) ** 2 / (n - 1) for side in (rows, columns)) - 1
    corrected = (surplus / room) ** 0.5 if room > 0 else float("nan")
    return Association(statistic, degrees, chi_square_tail(statistic, degrees), float(v), float(corrected))


def superiority(counts_a: Numbers, counts_b: Numbers) -> float:
    """The chance that B is higher than A, ties counted half. counts_a, counts_b : (bins,) of the same ascending values."""
    a, b = shares(counts_a), shares(counts_b)
    below = np.cumsum(a) - a
    return float(b @ (below + a / 2))


def cliffs_delta(counts_a: Numbers, counts_b: Numbers) -> float:
    """The chance that B is higher than A minus the chance that it is lower: -1 to 1. N. Cliff, Psychol. Bull. 114 (1993)."""
    return 2 * superiority(counts_a, counts_b) - 1


def wasserstein(values: Numbers, counts_a: Numbers, counts_b: Numbers) -> float:
    """How far one distribution must be moved to become the other, in units of the values. All (bins,), values ascending."""
    gaps = np.abs(np.cumsum(shares(counts_a) - shares(counts_b)))[:-1]
    return float(gaps @ np.diff(np.asarray(values, float)))


def largest_gap(counts_a: Numbers, counts_b: Numbers) -> float:
    """Kolmogorov's and Smirnov's distance: the widest gap between the two cumulative shares, 0 to 1. Both (bins,)."""
    return float(np.abs(np.cumsum(shares(counts_a) - shares(counts_b))).max())


def evenness(counts: Numbers) -> float:
    """Entropy of who won, or how it ended, over its largest possible value: 1 if all outcomes are equally common."""
    size = np.size(counts)
    return entropy(counts) / float(np.log(size)) if size > 1 else float("nan")


def effective_seats(counts: Numbers) -> float:
    """How many equally strong seats (or outcomes) would be as uncertain: exp of the entropy."""
    return float(np.exp(entropy(counts)))


def entropy(counts: Numbers) -> float:
    """Shannon's entropy of counts or shares, in natural units."""
    p = shares(counts)
    return float(-(p[p > 0] * np.log(p[p > 0])).sum())


def shares(counts: Numbers) -> npt.NDArray[np.float64]:
    """Counts over their sum. Raises ValueError if there are none."""
    c = np.asarray(counts, float)
    if not c.sum() > 0:
        raise ValueError("no counts")
    return c / c.sum()
