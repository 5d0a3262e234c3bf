"""What a card is worth: players who had it against players who did not, seat by seat.

A player is counted for every kind of card by what happened to it: it was in the opening hand, came later, was played, or
was never seen. The opening hand is dealt by the shuffle, so what it goes with is what it causes (for the policies that
played). Drawing and playing are not: long games show more cards, and played cards are chosen cards.

Counts are int (blocks, strata, kinds, 8, 2): players and their credit, by combination (1 for the opening hand + 2 for
later + 4 for played). `everybody` (blocks, strata, 2) are all players. Credit is in any unit, `whole` of it is 1.
A stratum is a seat of a cell: differences are taken within strata, never between them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.jackknife import jackknife
from simkit.stats.multiplicity import benjamini_hochberg
from simkit.stats.normal import Numbers, two_sided

Array = npt.NDArray[Any]

ENOUGH = 500  # players with, and as many without a card, below which a difference is not to be looked at
COMBINATION = np.arange(8)
NEVER = COMBINATION == 0
HAD = {  # who had a card, in which sense
    "opening": COMBINATION % 2 == 1,
    "in_hand": COMBINATION % 4 > 0,
    "drawn": COMBINATION % 4 == 2,
    "played": COMBINATION >= 4,
}
COMPARED = {  # with whom they are compared: all others, or only those who never saw the card
    "opening": ~HAD["opening"],
    "in_hand": NEVER,
    "drawn": NEVER,
    "played": ~HAD["played"],
}


@dataclass(frozen=True)
class Contrast:
    """Those who had a card in one sense against those they are compared with. One entry per kind."""

    players: Array  # who had it
    others: Array  # whom they are compared with
    rate: Array  # credit of those who had it, per player
    rate_low: Array
    rate_high: Array
    difference: Array  # to the others in the same seats
    low: Array
    high: Array
    standard_error: Array
    p_value: Array

    @property
    def is_thin(self) -> Array:
        """Where too few had it, or too few had it not."""
        return np.minimum(self.players, self.others) < ENOUGH


def contrast(counts: Numbers, everybody: Numbers, whole: float, sense: str, level: float = 0.95) -> Contrast:
    """The contrast of one sense: 'opening', 'in_hand', 'drawn' or 'played'.

    Errors are those of the block jackknife, so that players of one playout and playouts of one deal need not be
    independent. With fewer than two blocks that hold players, and where a card was had by all or none, they are nan.
    """
    filled = with_never_seen(counts, everybody)
    filled = filled[np.asarray(everybody)[:, :, 0].sum(axis=1) > 0]
    had, others = filled[..., HAD[sense], :].sum(axis=-2), filled[..., COMPARED[sense], :].sum(axis=-2)

    def figures(had: Array, others: Array) -> Array:
        """had, others : (..., slots, kinds, 2), what remains without each block first; gives (..., 2, kinds)"""
        rate = divided(had[..., 1].sum(axis=-2), whole * had[..., 0].sum(axis=-2))
        by_slot = (had[..., 1] / whole, had[..., 0], others[..., 1] / whole, others[..., 0])
        return np.stack([rate, risk_difference(*(np.moveaxis(each, -2, 0) for each in by_slot))], axis=-2)

    if len(filled) < 2:
        estimate = figures(had.sum(axis=0), others.sum(axis=0))
        low = high = error = np.full_like(estimate, np.nan)
    else:
        found = jackknife(figures, had, others, level=level, at_once=True)
        estimate, low, high, error = found.estimate, found.low, found.high, found.standard_error
    return Contrast(
        players=had[..., 0].sum(axis=(0, 1)),
        others=others[..., 0].sum(axis=(0, 1)),
        rate=estimate[0],
        rate_low=np.maximum(low[0], 0.0),
        rate_high=np.minimum(high[0], 1.0),
        difference=estimate[1],
        low=low[1],
        high=high[1],
        standard_error=error[1],
        p_value=np.asarray(two_sided(divided(estimate[1], error[1]), len(filled) - 1)),
    )


def with_never_seen(counts: Numbers, everybody: Numbers) -> Array:
    """The counts with combination 0, who never saw the card, as what remains of everybody."""
    filled = np.array(counts)
    filled[..., 0, :] = 0
    filled[..., 0, :] = np.asarray(everybody)[:, :, None, :] - filled.sum(axis=-2)
    return filled


def adjusted(found: Contrast) -> Array:
    """p-values over all cards that enough players had (Benjamini and Hochberg); nan for the others, who are no members."""
    return benjamini_hochberg(np.where(found.is_thin, np.nan, found.p_value))


# --- over strata ------------------------------------------------------------------------------------------------


def risk_difference(won: Numbers, players: Numbers, others_won: Numbers, others: Numbers) -> Array:
    """The difference of two rates within strata, the strata weighted by what they can tell. All (strata, ...) -> (...).

    nan where no stratum has players on both sides.
    source : N. Mantel and W. Haenszel, J. Natl. Cancer Inst. 22 (1959), 719-748; S. Greenland and J. M. Robins,
             Biometrics 41 (1985), 55-68
    """
    a, n, b, m = (np.asarray(each, float) for each in (won, players, others_won, others))
    above = divided(a * m - b * n, n + m)
    weight = divided(n * m, n + m)
    return divided(np.nansum(above, axis=0), np.nansum(weight, axis=0))


def odds_ratio(won: Numbers, players: Numbers, others_won: Numbers, others: Numbers) -> Array:
    """The odds of those who had it over those of the others, common to all strata. All (strata, ...) -> (...)."""
    a, n, b, m = (np.asarray(each, float) for each in (won, players, others_won, others))
    return divided(np.nansum(divided(a * (m - b), n + m), axis=0), np.nansum(divided(b * (n - a), n + m), axis=0))


def divided(a: Any, b: Any) -> Array:
    """a / b, and nan where b is 0."""
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    return np.divide(a, b, out=np.full(a.shape, np.nan), where=b != 0)


# --- for a ranking ----------------------------------------------------------------------------------------------


def shrunk(differences: Numbers, errors: Numbers) -> Array:
    """Differences drawn towards their mean, each by as much as its error makes it too good to be true: for a ranking.

    Takes the true differences for normal; their spread is what the differences vary more than their errors explain.
    nan where a difference or its error is. All (kinds,).
    source : R. DerSimonian and N. Laird, Control. Clin. Trials 7 (1986), 177-188; C. N. Morris, JASA 78 (1983), 47-55
    """
    d, variance = np.asarray(differences, float), np.asarray(errors, float) ** 2
    known = np.isfinite(d) & np.isfinite(variance) & (variance > 0)
    result = np.where(np.isfinite(variance), d, np.nan)
    if known.sum() < 2:
        return result
    d, variance = d[known], variance[known]
    weight = 1 / variance
    surplus = (weight * (d - np.average(d, weights=weight)) ** 2).sum() - (d.size - 1)
    spread = max(0.0, surplus / (weight.sum() - (weight**2).sum() / weight.sum()))
    mean = np.average(d, weights=1 / (variance + spread))
    result[known] = mean + spread / (spread + variance) * (d - mean)
    return result
