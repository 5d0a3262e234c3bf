"""How near a side is to its goals, on one scale for both."""

import numpy as np

from simkit.games.propuh.box import STOVE
from simkit.games.propuh.state import GRANNY, PROPUH
from simkit.kernel.jit import step

WHOLE_WAY = 1000


@step
def standing(state, rules, seat):
    """A7: the share of its goals that a side has reached, in thousandths; below 0 if only the draught is in Granny's way.

    A Propuh token on the stove is one thing more that Granny misses.
    """
    wanted, missing = np.int64(0), np.int64(0)
    for location in range(3):
        goal = np.int64(rules.goal[seat, location])
        wanted += goal
        missing += max(goal - state.tokens[seat, location], np.int64(0))
    if seat == GRANNY and state.tokens[PROPUH, STOVE] > 0:
        missing += 1
    return WHOLE_WAY * (wanted - missing) // max(wanted, np.int64(1))
