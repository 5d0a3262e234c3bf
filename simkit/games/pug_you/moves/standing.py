"""How many badges a seat has."""

import numpy as np

from simkit.kernel.jit import step


@step
def standing(state, rules, seat):
    """A4: the total of badges, mutts included."""
    return np.int64(state.badges[seat])
