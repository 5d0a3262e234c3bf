"""Numbers behind the words: option values as the kernel sees them (their position in options.py), streams, codes."""

DECK, FIRST_PLAYER, FITS, REPUTATIONS, CHARMS = 0, 1, 2, 3, 4  # children of the setup key (D1, D2, D4)
OPINIONS = 16  # + seat: likewise
RESHUFFLE = 0  # chance stream (D3)
MOMENTS = 4  # in a turn when discards may be shuffled: offers, first votes, second votes, refill
AT_OFFERS, AT_VOTES, AT_REFILL = 0, 1, 3

TWO_ROUNDS_OVER, LIMIT_REACHED, NO_CARDS = 1, 2, 3  # end reasons

# positions of option values, see options.py
OPTIONAL, NO_SECOND = 1, 2  # second_question
SCORED_FIRST, SCORED_ONLY = 1, 2  # second_source
FORBIDDEN = 1  # mutt_second_question
BADGE_LIMIT = 1  # end_mode
AT_END_OF_TURN = 1  # limit_check
COUNTS_MUTTS = 1  # limit_counts_mutts is true
EQUAL_TURNS = 1  # limit_equal_turns is true
SEQUENTIAL = 1  # vote_order
DRAW_FIRST = 1  # short_hand
ACTIVE_FIRST = 1  # refill_order
RANDOM_FIRST = 0  # first_player
