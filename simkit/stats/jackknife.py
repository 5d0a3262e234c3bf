"""One source of error bars for any figure: leave out one block of deals at a time, and see how the figure moves.

Blocks hold sums of independent deals (deal number modulo 64, say). Cells that share deals must share blocks, then the errors
of their comparisons are right too. Not for extremes, nor for events seen fewer than about 30 times in all.
source : J. W. Tukey, Ann. Math. Stat. 29 (1958), 614; B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.normal import Floats, Numbers, chi_square_tail, plain, student

Array = npt.NDArray[Any]
Statistic = Callable[..., Any]  # from summed aggregates to a number or an array of numbers


@dataclass(frozen=True)
class Jackknifed:
    """A figure with its error; every field has the figure's shape."""

    estimate: Floats
    low: Floats
    high: Floats
    standard_error: Floats
    bias: Floats  # estimated; not subtracted


@dataclass(frozen=True)
class BlockSpread:
    """Whether blocks differ as much as independent playouts make them differ."""

    statistic: float
    degrees: int
    p_above: float  # the chance of blocks that differ more: small if playouts depend on each other
    p_below: float  # the chance of blocks that differ less: small if a stream was used twice

    def is_suspect(self, alarm: float = 1e-4) -> bool:
        return min(self.p_above, self.p_below) < alarm


def jackknife(statistic: Statistic, *aggregates: Numbers, level: float = 0.95, at_once: bool = False) -> Jackknifed:
    """A statistic of summed aggregates with its delete-one-block error and t interval.

    statistic  : takes one sum per aggregate, each of shape (...), e.g. `lambda wins, playouts: wins / playouts`
    aggregates : arrays (blocks, ...), blocks first
    at_once    : the statistic also takes many sums, (blocks, ...) each, and gives (blocks, figure's shape): much quicker
    raises     : ValueError below two blocks, or if the arrays differ in their number of blocks
    """
    blocks = in_blocks(aggregates)
    count = len(blocks[0])
    sums = [block.sum(axis=0) for block in blocks]
    estimate = np.asarray(statistic(*sums), float)
    left = [all_ - block for all_, block in zip(sums, blocks, strict=True)]
    without = np.asarray(statistic(*left) if at_once else [statistic(*each) for each in zip(*left, strict=True)], float)
    mean = without.mean(axis=0)
    error = np.sqrt((count - 1) / count * ((without - mean) ** 2).sum(axis=0))
    half = student(level, count - 1) * error
    fields = (estimate, estimate - half, estimate + half, error, (count - 1) * (mean - estimate))
    return Jackknifed(*(plain(np.asarray(field)) for field in fields))


def running(statistic: Statistic, *aggregates: Numbers) -> Array:
    """The statistic of the first block, the first two, and so on: (blocks, ...), for a look at convergence."""
    grown = [np.cumsum(block, axis=0) for block in in_blocks(aggregates)]
    return np.array([statistic(*sums) for sums in zip(*grown, strict=True)], float)


def halves(statistic: Statistic, *aggregates: Numbers) -> tuple[Floats, Floats]:
    """The statistic of the even and of the odd blocks: two answers of independent halves, which should agree."""
    blocks = in_blocks(aggregates)
    even, odd = (
        plain(np.asarray(statistic(*(block[start::2].sum(axis=0) for block in blocks)), float)) for start in (0, 1)
    )
    return even, odd


def block_spread(wins: Numbers, playouts: Numbers) -> BlockSpread:
    """Compare the win rates of blocks with the spread that independent playouts give them.

    wins, playouts : (blocks,); one playout per deal, for replays and rotations of a deal are not independent
    raises         : ValueError below two blocks with playouts
    """
    from scipy import special

    k, n = (np.asarray(part, float) for part in (wins, playouts))
    k, n = k[n > 0], n[n > 0]
    if n.size < 2:
        raise ValueError("a spread needs two blocks with playouts")
    rate, degrees = k.sum() / n.sum(), n.size - 1
    if rate in (0, 1):
        return BlockSpread(float("nan"), degrees, float("nan"), float("nan"))
    statistic = float(((k - n * rate) ** 2 / (n * rate * (1 - rate))).sum())
    return BlockSpread(
        statistic, degrees, chi_square_tail(statistic, degrees), float(special.chdtr(degrees, statistic))
    )


def in_blocks(aggregates: tuple[Numbers, ...]) -> list[Array]:
    blocks = [np.asarray(aggregate) for aggregate in aggregates]
    sizes = {len(block) for block in blocks}
    if len(sizes) != 1 or min(sizes) < 2:
        raise ValueError("aggregates need the same number of blocks, two or more")
    return blocks
