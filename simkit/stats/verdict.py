"""Balanced, unbalanced, or not enough data: an interval held against a margin. Never 'p > 0.05, so it is fair'."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, isnan

import numpy as np

from simkit.stats.intervals import at_least, at_most, counted
from simkit.stats.normal import Floats, Numbers, plain, upper_tail
from simkit.stats.planning import to_settle


class Verdict(Enum):
    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    UNKNOWN = "not enough data"


@dataclass(frozen=True)
class Judged:
    verdict: Verdict
    gap: float  # rate minus target
    low: float
    high: float
    playouts_needed: int  # in all, to settle it four times in five if the rate is what it seems; 0 if it is settled

    @property
    def is_leaning(self) -> bool:
        """Balanced, yet surely off the target: a lean that is real and too small to matter."""
        return self.verdict is Verdict.BALANCED and (self.low > 0 or self.high < 0)


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests: against 'at least a margin too low' and against 'at least a margin too high'."""

    z_low: float
    z_high: float
    p_value: float  # of the weaker of the two; small means: inside the margin


def judge(low: float, high: float, rate: float, target: float, margin: float) -> Judged:
    """Hold a rate's interval against target and margin (all probabilities; margin > 0).

    The interval wholly inside target ± margin: balanced; wholly outside: unbalanced; else, and for nan, not enough data.
    Two one-sided tests in the form of an interval, at 2.5 % each for a 95 % one (Schuirmann 1987); Kruschke (Adv. Methods
    Pract. Psychol. Sci. 1 (2018), 270-280) calls the margin a region of practical equivalence.
    raises : ValueError for a margin of 0 or less
    """
    require_margin(margin)
    down, up = low - target, high - target
    if -margin < down and up < margin:
        verdict, needed = Verdict.BALANCED, 0
    elif up < -margin or down > margin:
        verdict, needed = Verdict.UNBALANCED, 0
    else:
        verdict, needed = Verdict.UNKNOWN, needed_for(rate, target, margin)
    return Judged(verdict, rate - target, down, up, needed)


def needed_for(rate: float, target: float, margin: float) -> int:
    """Playouts that would probably settle it, were the rate what it seems; from the target where there is no rate yet.

    A rate of 0 or 1 is planned as half way between it and the target: it has no spread to plan with.
    """
    seen = target if isnan(rate) else rate
    spread = seen if 0 < seen < 1 else (seen + target) / 2
    return ceil(to_settle(seen - target, margin, spread))


def judge_together(each: Sequence[Verdict], family_wise: Sequence[Verdict]) -> Verdict:
    """One verdict for a table of seats, from every seat's verdict by its ordinary and by its family-wise interval.

    'All are balanced' must hold seat by seat and needs no correction (R. L. Berger, Technometrics 24 (1982), 295-300);
    'at least one is unbalanced' has as many chances to err as there are seats, and does.
    """
    if Verdict.UNBALANCED in family_wise:
        return Verdict.UNBALANCED
    if each and all(verdict is Verdict.BALANCED for verdict in each):
        return Verdict.BALANCED
    return Verdict.UNKNOWN


def equivalence(gap: float, standard_error: float, margin: float) -> Equivalence:
    """Two one-sided normal tests that a gap (rate minus target, or a difference) lies inside ± margin.

    raises : ValueError for a margin or a standard error of 0 or less
    """
    require_margin(margin)
    if standard_error <= 0:
        raise ValueError("without a standard error there is no test")
    z_low, z_high = (gap + margin) / standard_error, (gap - margin) / standard_error
    return Equivalence(z_low, z_high, max(upper_tail(z_low), upper_tail(-z_high)))


def exact_equivalence(wins: Numbers, playouts: Numbers, target: float, margin: float) -> Floats:
    """The p-value of both one-sided tests from exact binomial tails. wins, playouts of one shape; p-values likewise."""
    lowest, highest = edges(target, margin)
    return plain(np.maximum(at_least(wins, playouts, lowest), at_most(wins, playouts, highest)))


def chance_inside(wins: Numbers, playouts: Numbers, target: float, margin: float) -> Floats:
    """How sure it is that the rate lies inside target ± margin: the mass of the Jeffreys posterior there.

    wins, playouts of one shape; the chance likewise
    """
    from scipy import special

    k, n = counted(wins, playouts)
    below, upto = (special.betainc(k + 0.5, n - k + 0.5, edge) for edge in edges(target, margin))
    return plain(np.asarray(upto - below))


def edges(target: float, margin: float) -> tuple[float, float]:
    """What counts as balanced: from, to."""
    require_margin(margin)
    return max(target - margin, 0.0), min(target + margin, 1.0)


def require_margin(margin: float) -> None:
    if margin <= 0:
        raise ValueError("the margin must be above 0")
