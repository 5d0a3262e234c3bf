"""Numbers behind the words: option values as the kernel sees them (their position in options.py), streams, reasons."""

import numpy as np

# Streams. As wide numbers: numba compiles a function anew for every small one that is written out.
SHAME, LOCATIONS, FIRST_PLAYER = (np.int64(n) for n in range(3))  # setup (D1 to D3)
DEAL, TURNED_UP, SHOWN, DRAWS, TIE, SHARING = (np.int64(n) for n in range(6))  # chance (D4 to D7)

CONTEXTS_PLAYED, INDICATOR_DRAWN, EXHAUSTED = 1, 2, 4  # end reasons; both is the sum of the first two

# positions of option values, see options.py
MOST_ACCUSED, BY_LOT, ALL_SHARE = 0, 2, 3  # tie_rule
THIRD_ADDITION = 1  # shame_after_third is true
TRIGGERS = 1  # effect5_triggers is true
OPTIONAL = 1  # effects_optional is true
CHOOSE = 1  # exchange_draw
ALLOWED = 1  # empty_opponent
ZEROS_COUNT = 0  # five_zero_rule is on
PREVIOUS_FIRST = 1  # own_up_first_player
CULPRIT_PAYS = 0  # culprit_pays_wrong is true
ADDED_DOWN = 1  # added_shame_face
END_NOW = 1  # shame_exhausted
OWN_PILE_KNOWN = 0  # know_own_pile is true
RANDOM_FIRST = 0  # first_player
CULPRIT_FIRST = 0  # penalty_order
