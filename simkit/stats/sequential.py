"""Ranges that hold however often one looks: at all numbers of playouts at once, so a run may stop where it likes.

An ordinary range is right for a number of playouts chosen in advance. Whoever looks at it again and again and stops at a good
moment is misled far more often than in one of twenty cases. These ranges are about twice as wide, and miss the truth at any
look at all in at most one of twenty runs.
"""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from simkit.stats.evidence import rate_evidence
from simkit.stats.intervals import counted, ends
from simkit.stats.normal import Floats, Numbers, normal_level, plain

FEWEST_DEALS = 1_000  # the first look at a mean: its range leans on the normal distribution
FEW_DIFFER = 20
PLANNED = 10_000  # deals; a range is hardly wider far above, but much wider far below
HALVINGS = 64  # from an interval of length 1 to 5e-20


def rate_sequence(wins: Numbers, playouts: Numbers, level: float = 0.95, prior: float = 1.0) -> tuple[Floats, Floats]:
    """The range of a rate of independent playouts: all rates against which there is too little evidence so far.

    wins, playouts : 0 <= wins <= playouts, of one shape     prior : as for `rate_evidence`
    returns        : low and high, exactly 0 at no wins and exactly 1 at nothing but wins; nan where playouts is 0
    raises         : ValueError for wins outside 0..playouts
    source         : H. Robbins, Ann. Math. Stat. 41 (1970), 1397-1409, with Ville's inequality
    """
    k, n = counted(wins, playouts)
    enough = -log(1 - level)

    def bound(outer: float) -> Any:
        """Between the seen rate, which is never excluded, and 0 or 1, the place where the evidence becomes enough."""
        inside, outside = k / np.maximum(n, 1), np.full(k.shape, outer)
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            excluded = np.asarray(rate_evidence(k, n, middle, prior)) >= enough
            inside, outside = np.where(excluded, inside, middle), np.where(excluded, middle, outside)
        return outside

    return ends(k, n, bound(0.0), bound(1.0))


def mean_sequence(
    mean: Numbers, spread: Numbers, deals: Numbers, level: float = 0.95, planned: float = PLANNED
) -> tuple[Floats, Floats]:
    """The range of a mean over deals: of shares, scores or differences. Right from about `FEWEST_DEALS` deals on.

    spread  : standard deviation of a deal      planned : deals around which the range shall be narrowest
    returns : low and high
    """
    m, s, n = (np.asarray(part, float) for part in (mean, spread, deals))
    half = s / np.sqrt(n) * standard_errors(n, level, planned)
    return plain(m - half), plain(m + half)


@dataclass(frozen=True)
class PairedSequence:
    """The difference of two rates on the same deals, after less before, with a range that holds at any look."""

    difference: float
    low: float
    high: float
    spread: float  # standard deviation of a deal


def paired_sequence(deals: int, only_before: int, only_after: int, level: float = 0.95) -> PairedSequence:
    """Of deals that were played once under each rule, `only_before` and `only_after` had the outcome under one of them.

    Where hardly a deal differs the range is that of both counts together, each at half of what may go wrong: it has a width
    also where none differs.
    """
    difference = (only_after - only_before) / deals
    spread = ((only_after + only_before) / deals - difference**2) ** 0.5
    if only_before + only_after < FEW_DIFFER:
        (down, up), (less, more) = (rate_sequence(n, deals, (1 + level) / 2) for n in (only_before, only_after))
        return PairedSequence(difference, less - up, more - down, spread)
    return PairedSequence(difference, *mean_sequence(difference, spread, deals, level), spread)


def standard_errors(deals: Numbers, level: float = 0.95, planned: float = PLANNED) -> Floats:
    """How many standard errors a range reaches to each side that holds at every number of deals: 1.96 would be one look.

    planned : deals around which it shall be narrowest; any number fixed in advance is right
    source  : I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, Ann. Stat. 52 (2024), 2613-2640
    """
    n, r = np.asarray(deals, float), sharpness(level, planned)
    return plain(np.sqrt(2 * (n * r + 1) / (n * r) * np.log(np.sqrt(n * r + 1) / (1 - level))))


def sharpness(level: float = 0.95, planned: float = PLANNED) -> float:
    """The parameter (rho squared) of the sequence that is narrowest around so many deals."""
    twice = -2 * log(1 - level)
    return (twice + log(1 + twice)) / planned


def anytime_level(level: float, deals: float) -> float:
    """The level of an ordinary interval that is as wide as one that holds at every number of deals at `level`.

    Interval methods for which there is no sequence take it instead of `level`. From `FEWEST_DEALS` deals on.
    """
    return normal_level(float(standard_errors(deals, level)))
