"""Numbers behind the words: option values as the kernel sees them (their position in options.py), streams, abilities."""

from simkit.games.purim.box import MESSENGER_ABILITIES, SON_ABILITIES

FIRST_PROVINCES, SON_ORDER, MESSENGER_ORDER, PROVINCE_DECK, MESSENGER_CARDS, SON_CARDS = range(
    6
)  # setup streams, D1 to D6
DEALS, PROVINCES_AGAIN, LOTS, SOLO_LOT = range(4)  # chance streams, D7 to D9
LOTS_OF_A_ROUND, LOTS_OF_A_TURN = 1024, 32

# positions of option values, see options.py
TARGET_FREE = 1  # evil_target_free is true
CANNOT_PLACE = 1  # runout
IMMEDIATE, FINISH_CARD = 0, 1  # end_timing
SHORTEST_FIXED, ANY_PATH = 1, 2  # son_path
EACH_ITS_OWN = 1  # son_path_shared is false
SAME_IS_ADJACENT = 1  # adjacent_includes_same is true
DISCARD_ALWAYS = 0  # discard_top_if_unused is true
DISCARD_ACTION = 1  # proclaim_discards
TEAM_PLACES = 1  # placement
BY_AGREEMENT, BY_LOT = 1, 2  # equal_numbers
SECOND_HAND_SEEN = 1  # two_player_second_hand
DECK_FIRST = 0  # solo_deck_peek
PICK_BEST = 0  # solo_end_pick
IS_ADVANCED = 1
ALL_OPEN = 1  # communication
MAY_LEAVE_OUT = 1  # loyal_optional is true
ON_TOP = 1  # resolved_cards

(_, LONGER_STEPS, ONE_MORE_GOLD, KEEPS_BLACK_OUT, GOLD_EACH_ROUND, MOVES_AT_NIGHT) = range(len(MESSENGER_ABILITIES))
(_, BLACK_AT_HOME, EXTRA_BLACK, TWO_MESSENGERS, RUNS_TO_TOP, LESS_GOLD, MOVES_CALENDAR, BLACK_NEXT_DOOR, AVENGES,
 TAKES_GOLD, WORSE_END_EFFECTS) = range(len(SON_ABILITIES))  # fmt: skip
NIGHT_STEPS = 2
