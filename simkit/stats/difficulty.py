"""Difficulty as a curve: does the win rate fall from level to level, and as far as it was meant to?

Here a level is a difficulty, from the easiest on; levels play the same deals.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.stats.multiplicity import family_wise_level, holm
from simkit.stats.normal import Numbers, two_sided
from simkit.stats.paired import Paired, paired_difference


@dataclass(frozen=True)
class Step:
    """From one level to the next harder one."""

    found: Paired  # win rate of the harder level minus that of the easier, family-wise interval
    p_value: float  # one-sided, exact: of a drop as large as this if the next level were no harder
    adjusted: float  # by Holm over the steps
    is_wrong_order: bool  # the 'harder' level is surely won more often
    plays_the_same: bool  # the difference is surely smaller than the margin

    def is_harder(self, alarm: float = 0.05) -> bool:
        return self.adjusted <= alarm


@dataclass(frozen=True)
class CurveDistance:
    gaps: npt.NDArray[np.float64]  # rate minus target, (levels,); nan where a level has no target
    mean: float  # of the absolute gaps
    largest: float  # the gap of largest size, with its sign


def trend_over_levels(wins: Numbers, playouts: Numbers, scores: Numbers | None = None) -> tuple[float, float]:
    """Do win rates rise (z > 0) or fall (z < 0) over the levels? For levels that share no deals.

    wins, playouts, scores : (levels,); scores are 1, 2, 3 ... by default
    returns                : z and two-sided p-value; nan if all rates are 0 or all are 1
    source : P. Armitage, Biometrics 11 (1955), 375-386
    """
    k, n = np.asarray(wins, float), np.asarray(playouts, float)
    score = np.arange(1.0, k.size + 1) if scores is None else np.asarray(scores, float)
    rate = k.sum() / n.sum()
    from_mean = score - (score @ n) / n.sum()
    variance = rate * (1 - rate) * (n @ from_mean**2)
    if variance <= 0:
        return float("nan"), float("nan")
    z = float(from_mean @ k / variance**0.5)
    return z, two_sided(z)


def steps(pairs: Sequence[tuple[int, int, int, int]], margin: float, level: float = 0.95) -> list[Step]:
    """Every level against the one before, on the same deals.

    pairs  : per step how many deals were won on neither level, only the easier, only the harder, both
    margin : a smaller difference of win rates is none (a probability)
    """
    each = family_wise_level(level, len(pairs))
    found = [paired_difference(*pair, each) for pair in pairs]
    p_values = [harder_p_value(only_easier, only_harder) for _, only_easier, only_harder, _ in pairs]
    return [
        Step(one, p, adjusted, one.low > 0, -margin < one.low and one.high < margin)
        for one, p, adjusted in zip(found, p_values, holm(p_values).tolist(), strict=True)
    ]


def harder_p_value(only_easier: int, only_harder: int) -> float:
    """The chance that so many of the differing deals, or more, are won on the easier level if both are equally hard."""
    from scipy import special  # slow to import

    differing = only_easier + only_harder
    return float(special.bdtr(only_harder, differing, 0.5)) if differing else 1.0


def distance_to_targets(rates: Numbers, targets: Numbers) -> CurveDistance:
    """How far a curve is from the one that was meant. rates, targets : (levels,), nan for no target.

    raises : ValueError if no level has both
    """
    gaps = np.asarray(rates, float) - np.asarray(targets, float)
    known = gaps[~np.isnan(gaps)]
    if known.size == 0:
        raise ValueError("no level has a rate and a target")
    return CurveDistance(gaps, float(np.abs(known).mean()), float(known[np.abs(known).argmax()]))
