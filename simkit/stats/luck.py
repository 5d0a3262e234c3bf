"""How much of the outcome the deal settles before anybody plays."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DealLuck:
    between: float  # mean square between deals
    within: float  # mean square between replays of a deal
    variance: float  # of outcomes that is due to the deal; below 0 by chance if the deal hardly matters
    share: float  # of all variance, the intraclass correlation; below 0 likewise, nan if nothing varies


def deal_luck(deals: int, replays: int, credit: int, credit_squared: int, totals_squared: int) -> DealLuck:
    """One-way random effects from sums: every deal replayed equally often with fresh chance after the deal.

    deals, replays : two or more of each
    credit, credit_squared : sums over all playouts; totals_squared : sum over deals of (credit of all its replays) squared
    raises : ValueError for fewer than two deals or replays
    source : P. E. Shrout and J. L. Fleiss, Psychol. Bull. 86 (1979), 420-428, ICC(1,1)
    """
    if deals < 2 or replays < 2:
        raise ValueError("luck of the deal needs two deals, each replayed twice")
    n = deals * replays
    between = (totals_squared * deals - credit**2) / (n * (deals - 1))
    within = (credit_squared * replays - totals_squared) / (n * (replays - 1))
    whole = between + (replays - 1) * within
    return DealLuck(
        between, within, (between - within) / replays, (between - within) / whole if whole else float("nan")
    )
