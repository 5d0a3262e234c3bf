"""How much of the outcome the deal settles before anybody plays, and how much who plays: deals played again and again."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class DealLuck:
    """Floats, or arrays over seats."""

    between: Any  # mean square between deals
    within: Any  # mean square between replays of a deal
    variance: Any  # of outcomes that is due to the deal; below 0 by chance if the deal hardly matters
    share: float  # of all variance of all seats, the intraclass correlation; below 0 likewise, nan if nothing varies


def deal_luck(deals: Any, replays: int, credit: Any, credit_squared: Any, totals_squared: Any) -> DealLuck:
    """One-way random effects from sums: every deal replayed equally often with fresh chance after the deal.

    deals, replays : two or more of each
    credit, credit_squared : sums over all playouts; totals_squared : sum over deals of (credit of all its replays) squared.
    Whole numbers, or (seats,)
    raises : ValueError for fewer than two deals or replays
    source : P. E. Shrout and J. L. Fleiss, Psychol. Bull. 86 (1979), 420-428, ICC(1,1)
    """
    if deals < 2 or replays < 2:
        raise ValueError("luck of the deal needs two deals, each replayed twice")
    n = deals * replays
    between = (totals_squared * deals - credit**2) / (n * (deals - 1))
    within = (credit_squared * replays - totals_squared) / (n * (replays - 1))
    variance = (between - within) / replays
    whole = np.sum(variance + within)
    return DealLuck(between, within, variance, float(np.sum(variance) / whole) if whole else float("nan"))


@dataclass(frozen=True)
class Split:
    """What the variance of an outcome is due to; below 0 by chance where something hardly matters. Floats, or arrays."""

    deal: Any
    policy: Any
    interaction: Any  # a deal that suits one policy and not another
    rest: Any  # chance after the deal, and what policies decide by lot

    @property
    def whole(self) -> Any:
        return self.deal + self.policy + self.interaction + self.rest

    @property
    def shares(self) -> Any:
        """The four as parts of their sum: (4,), nan if nothing varies."""
        parts = np.array([self.deal, self.policy, self.interaction, self.rest], float)
        return parts / self.whole if self.whole else parts * np.nan


def split(
    deals: Any, replays: int, by_policy: Any, of_deals: Any, of_replays: Any, of_cells: Any, squared: Any
) -> Split:
    """Two-way analysis of variance of deals that each of some policies played equally often, replay by replay with the same
    chance for all of them: what they have in common in a replay is not the deal's.

    deals      : two or more      replays : of a deal by a policy, two or more
    by_policy  : (policies,) the credit of each policy in all playouts
    of_deals   : sum over deals of (credit of all policies in all replays) squared
    of_replays : sum over deals and replays of (credit of all policies) squared
    of_cells   : sum over deals and policies of (credit in all replays) squared
    squared    : sum over all playouts of credit squared
    Deals and what comes after them are drawn from all there are; the policies are those at hand, each as likely as the other.
    So the parts add up to the variance of a playout of any deal by any of them.
    raises : ValueError for fewer than two deals, replays or policies
    source : H. Scheffe, The Analysis of Variance (1959), chapter 8 (mixed model, interactions that add up to 0 over policies)
    """
    policies = len(by_policy)
    if deals < 2 or replays < 2 or policies < 2:
        raise ValueError("a split needs two deals, two policies and two replays")
    middle = by_policy.sum() ** 2 / (deals * policies * replays)
    deal_squares = of_deals / (policies * replays) - middle
    policy_squares = (by_policy**2).sum() / (deals * replays) - middle
    both_squares = of_cells / replays - middle - deal_squares - policy_squares
    replay_squares = of_replays / policies - of_deals / (policies * replays)
    within = squared - of_cells / replays
    deal, policy = deal_squares / (deals - 1), policy_squares / (policies - 1)
    both = both_squares / ((deals - 1) * (policies - 1))
    replay = replay_squares / (deals * (replays - 1))
    error = (within - replay_squares) / (deals * (policies - 1) * (replays - 1))
    inner = (policies - 1) / policies
    return Split(
        deal=(deal - replay) / (policies * replays),
        policy=(policy - both) * inner / (deals * replays),
        interaction=(both - error) * inner / replays,
        rest=within / (deals * policies * (replays - 1)),
    )
