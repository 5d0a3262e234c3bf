"""How good a seat's pile is."""

import numpy as np

from simkit.kernel.jit import step


@step
def standing(state, rules, seat):
    """A6: the sum of the numbers in the own pile, face down or not, as if the game ended here."""
    pile = state.owned[seat]
    points = np.int64(state.total[pile])
    for placer in range(rules.players):
        points += state.beneath[placer, pile]
    return points
