"""How much shame a seat has collected."""

import numpy as np

from simkit.kernel.jit import step


@step
def standing(state, rules, seat):
    """A9: the Shame points in the own pile."""
    return np.int64(state.points[seat])
