"""Numbers behind the words: option values as the kernel sees them (their position in options.py), streams, codes."""

CARDS, LOYALTIES, FIRST_PLAYER = 0, 1, 2  # setup streams (D1 to D3)
BLIND_STEAL, FINAL_TIE = 0, 1  # chance streams (D4, D5)
STEALS_OF_A_SEAT = 64

# positions of option values, see options.py
TO_HAND = 1  # steal_card
SEES_HAND = 1  # steal_pick
OPTIONAL_EXTRA = 0  # extra_optional is true
NO_CHAIN = 1  # chain_extra is false
OWNER_NUMBER = 1  # facedown_bounce
OPTIONAL = 1  # steal_optional, swap_optional are true
BEFORE_BOUNCE = 1  # power_timing
ZERO_BOUNCES = 1
RETURN_SAME = 1  # swap_return_same is true
BY_LOT, EARLIEST_TURN = 1, 2  # final_tie
RANDOM_FIRST = 0  # first_player
NO_BOUNCE = 1  # bounce is off
