"""Rates of playouts that share deals, from sums over blocks of deals: the blocks are independent, the playouts are not."""

from typing import Any

import numpy as np

from simkit.stats.clusters import ClusterRate
from simkit.stats.exchangeability import Method, SeatTest
from simkit.stats.intervals import rate_interval
from simkit.stats.jackknife import jackknife
from simkit.stats.normal import Numbers, quantile, student

NAN = float("nan")


def block_rate(credit: Numbers, playouts: Numbers, deals: int, level: float = 0.95) -> ClusterRate:
    """The rate of credit over all playouts, with an interval that counts each block of deals as one observation.

    credit, playouts : (blocks,) sums; the credit of a playout lies in 0..1       deals : how many deals were played
    The error is that of the block jackknife. The interval is Wilson's on the number of independent playouts that would
    have this error, less what a spread estimated from few blocks costs (t instead of the normal distribution): so it
    stays within 0..1 and has a width also where something never happened. Where all blocks agree their spread says
    nothing, and every deal counts as one playout. With a single block nothing is known: 0 to 1.
    raises : ValueError without playouts
    """
    t, n = np.asarray(credit, float), np.asarray(playouts, float)
    t, n = t[n > 0], n[n > 0]
    if n.size == 0:
        raise ValueError("no playouts")
    total = float(n.sum())
    rate = min(max(float(t.sum()) / total, 0.0), 1.0)
    if n.size == 1:
        return ClusterRate(rate, 0.0, 1.0, NAN, NAN, NAN)
    error = float(jackknife(lambda won, played: won / played, t, n, level=level).standard_error)
    binomial = rate * (1 - rate)
    agree = error**2 <= 1e-12 * binomial / total
    effective = float(deals) if agree else binomial / error**2
    known = effective * (quantile(level) / student(level, n.size - 1)) ** 2
    low, high, _ = rate_interval(rate * known, known, level)
    return ClusterRate(rate, float(low), float(high), error, effective, total / effective)


def seat_test_of_blocks(credit: Numbers, playouts: Numbers) -> SeatTest:
    """Are the seats exchangeable, where playouts share deals? Hotelling's test on the seats' credit in blocks of deals.

    credit : (blocks, seats)     playouts : (blocks,)
    The statistic is that of F with seats - 1 (`degrees`) and blocks - seats + 1 degrees of freedom. The concordance is
    left out: playouts of one deal have no order of their own. Too few blocks, or seats that never differ, give nan.
    source : H. Hotelling, Ann. Math. Stat. 2 (1931), 360-378
    """
    from scipy import special

    y, n = np.asarray(credit, float), np.asarray(playouts, float)
    y, n = y[n > 0], n[n > 0]
    blocks, seats = y.shape
    nothing = SeatTest(NAN, seats - 1, NAN, NAN, Method.NONE, False)
    if blocks <= seats:
        return nothing
    found, covariance = contrasts(y, n)
    if np.linalg.matrix_rank(covariance) < seats - 1:
        return nothing
    squared = float(found @ np.linalg.solve(covariance, found))
    rest = blocks - seats + 1
    statistic = squared * rest / ((blocks - 1) * (seats - 1))
    p_value = float(special.fdtrc(seats - 1, rest, statistic))
    return SeatTest(statistic, seats - 1, p_value, NAN, Method.BLOCKS, True)


def contrasts(credit: Any, playouts: Any) -> tuple[Any, Any]:
    """Each seat but the last against the mean of all, per playout, and the block jackknife's covariance of that."""
    blocks = len(credit)
    above = (credit - credit.mean(axis=1, keepdims=True))[:, :-1]
    sums, total = above.sum(axis=0), playouts.sum()
    without = (sums - above) / (total - playouts)[:, None]
    off = without - without.mean(axis=0)
    return sums / total, (blocks - 1) / blocks * off.T @ off
