"""Balanced, unbalanced, or not enough data: an interval held against a margin. Never 'p > 0.05, so it is fair'."""

from dataclasses import dataclass
from enum import Enum

from simkit.stats.intervals import playouts_for


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
    playouts_needed: int  # that would probably settle it; 0 if it is settled


def judge(low: float, high: float, rate: float, target: float, margin: float) -> Judged:
    """Hold a rate's interval against target and margin (all probabilities; margin > 0).

    The interval wholly inside target +- margin: balanced; wholly outside: unbalanced; else not enough data. Two one-sided
    tests at 2.5 % in the form of an interval (Schuirmann 1987; Kruschke 2018 calls the margin ROPE).
    """
    if margin <= 0:
        raise ValueError("the margin must be above 0")
    down, up = low - target, high - target
    if -margin < down and up < margin:
        verdict, needed = Verdict.BALANCED, 0
    elif up < -margin or down > margin:
        verdict, needed = Verdict.UNBALANCED, 0
    else:
        distance = max(abs(abs(rate - target) - margin), margin / 20)
        verdict, needed = Verdict.UNKNOWN, playouts_for(distance, rate)
    return Judged(verdict, rate - target, down, up, needed)
