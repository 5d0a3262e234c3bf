"""How far the team is from a board on which all Provinces are safe."""

import numpy as np

from simkit.games.purim.state import REAL
from simkit.kernel.jit import phase


@phase
def standing(state, rules, seat):
    """A8: minus the black cubes that are too many, over all unsafe Provinces; 0 if all are safe. The same for all seats."""
    board = state.boards[REAL]
    missing = np.int64(0)
    for p in range(rules.provinces):
        missing += max(np.int64(board.black[p]) - np.int64(board.gold[p]), np.int64(0))
    return -missing
