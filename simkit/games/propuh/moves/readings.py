"""Numbers behind the words: option values as the kernel sees them (their position in options.py), streams, codes."""

PLAYS = 4  # plays in a round
DEAL = 2  # cards each side gets after a round
DECK, CARDS = 0, 1  # setup streams (D1, D3)

# positions of option values, see options.py
DISCARDED, FORBIDDEN = 1, 2
ONLY_IF_MOVED = 1
OPTIONAL = 1
OFF_AT_START = 3
IMMEDIATE = 1
EXHAUSTION_FIRST = 1
IGNORE_LIMIT = 1
TRUMP_ANYWAY, FROM_TRUMP = 0, 1
RANDOM_DIFFICULTY = 3

GRANNY_GOALS, PROPUH_GOALS, BOTH_GOALS, EXHAUSTION = 1, 2, 3, 4

FIGURINE_CODE, PLAY_CODE, REMOVAL_CODE = 0, 10, 100  # choice codes: + location; + 3 x kind + location; + 0 or 1
