"""The state of a game of PRRRT..., the range of every field, and Smell cards packed into words.

A few Smell cards, such as a hand, are one 64-bit *word*, the sum of the words of its cards (`card_word` in box.py):

    bits 0 to 39    how many cards of each value, four bits a value
    bits 40 to 49   the sum of the values
    bits 50 and up  the number of cards

So a card moves by one addition and one subtraction, and nothing has to be counted again.
"""

from typing import Any

import numpy as np

from simkit.games.prrrt.box import (
    HAND,
    MAX_LOCATIONS,
    MAX_SEATS,
    MAX_SHAME_CARDS,
    MAX_SHAME_POINTS,
    MAX_SMELL_CARDS,
    NUMBER_SHIFT,
    SHAMES,
    SMELLS,
    SUM_BITS,
    SUM_SHIFT,
    TOURS,
    card_word,
)

# Phases. Behind OVER are two in which nobody decides; they do not outlast a choice.
(ANSWER, TARGET, TAKE, GIVE, SWAP, ACCUSE, OVER, NEXT, ROUND_OVER) = range(9)

NOBODY = -1
MAX_CENTRE = 13  # ten cards of a Location and three additions
MAX_QUESTIONS = MAX_LOCATIONS * MAX_SEATS * TOURS
MAX_LINKS = 10  # effects that a 5 can set off in a row (B27)
MOST_CARDS = HAND - 1 + 3  # in a hand, in the middle of an exchange
ALL_SEATS = 2**MAX_SEATS - 1
ALL_SMELLS = 2**SMELLS - 1
TOP_HAND = MOST_CARDS * card_word(SMELLS - 1)
TOP_FRONT = HAND * card_word(SMELLS - 1)
ALL_BITS = 2 ** (NUMBER_SHIFT + 3) - 1

# name, type, shape, lowest and highest value
FIELDS = (
    ("phase", "i1", (), 0, 6),
    ("seat", "i1", (), 0, MAX_SEATS - 1),  # who is questioned, or accuses
    ("asked", "i1", (), 0, MAX_SEATS - 1),  # how many were before in this tour
    ("tour", "i1", (), 1, TOURS + 1),  # the accusations are the fourth
    ("rounds", "i1", (), 1, MAX_LOCATIONS),
    ("first", "i1", (), 0, MAX_SEATS - 1),  # first player of this round
    ("starter", "i1", (), 0, MAX_SEATS - 1),  # first player of the first round
    ("step", "i1", (), 1, MAX_SEATS - 1),  # to add to a seat, modulo players, to come to the next one
    ("location", "i1", (MAX_LOCATIONS,), 0, MAX_LOCATIONS - 1),  # the Location deck; round r plays position r - 1
    ("contexts", "i1", (), 0, 31),  # mask of the contexts played
    ("end_reason", "i1", (), 0, 4),
    ("smell", "i8", (MAX_SMELL_CARDS,), 0, card_word(SMELLS - 1)),  # words; what is not dealt begins at 5 x players
    ("hand", "i8", (MAX_SEATS,), 0, TOP_HAND),  # words from here
    ("front", "i8", (MAX_SEATS,), 0, TOP_FRONT),
    ("gone", "i8", (MAX_SEATS,), 0, TOP_FRONT),  # discarded with a 7
    ("known", "i8", (MAX_SEATS, MAX_SEATS), 0, TOP_HAND),  # who knows, of whose hand: K of RULES.md C
    ("known_of", "i1", (), 0, ALL_SEATS),  # mask of the hands of which somebody may know something
    ("turned", "i2", (MAX_SEATS,), 0, ALL_SMELLS),  # mask of the values turned up in this round
    ("effect", "i1", (), 0, 6),  # the 3, 4 or 6 at hand
    ("target", "i1", (), 0, MAX_SEATS - 1),  # with whom cards are exchanged
    ("exchanged", "i1", (), 0, 3),  # how many
    ("links", "i1", (), 0, MAX_LINKS),
    ("finger", "i1", (MAX_SEATS,), NOBODY, MAX_SEATS - 1),
    ("dealing", "u8", (), 0, 2**64 - 1),  # keys of what is drawn all the time: hands, and cards turned up
    ("turning", "u8", (), 0, 2**64 - 1),
    ("word", "u8", (), 0, 2**64 - 1),  # what decides which card is turned up if the player questioned denies
    ("shame", "i1", (MAX_SHAME_CARDS,), 0, SHAMES - 1),  # the deck is what lies behind shame_drawn, in no order yet:
    ("shame_stream", "u8", (4,), 0, 2**64 - 1),  # this stream settles each card when it is drawn
    ("shame_drawn", "i1", (), 0, MAX_SHAME_CARDS),
    ("shame_missing", "i2", (), 0, 200),
    ("centre", "i1", (MAX_CENTRE,), 0, SHAMES - 1),  # in the order in which they were laid
    ("centre_size", "i1", (), 0, MAX_CENTRE),
    ("centre_down", "i2", (), 0, 2**MAX_CENTRE - 1),  # mask of those that lie face down
    ("pile", "i1", (MAX_SEATS, SHAMES), 0, MAX_SHAME_CARDS),  # copies of each value
    ("pile_cards", "i1", (MAX_SEATS,), 0, MAX_SHAME_CARDS),
    ("points", "i2", (MAX_SEATS,), 0, MAX_SHAME_POINTS),
    ("own_ups", "i1", (TOURS,), 0, MAX_LOCATIONS),
    ("own_up_points", "i2", (TOURS,), 0, MAX_SHAME_POINTS),
    ("revelations", "i1", (), 0, MAX_LOCATIONS),
    ("ties", "i1", (), 0, MAX_LOCATIONS),
    ("five_zeros", "i1", (), 0, MAX_LOCATIONS),
    ("revealed", "i2", (SMELLS,), 0, MAX_QUESTIONS),  # by value, as the next three
    ("effects", "i2", (SMELLS,), 0, MAX_QUESTIONS * (MAX_LINKS + 1)),
    ("revealers", "i1", (SMELLS,), 0, MAX_LOCATIONS * MAX_SEATS),
    ("culprits", "i1", (SMELLS,), 0, MAX_LOCATIONS * MAX_SEATS),
    ("totals", "i2", (), 0, MAX_LOCATIONS * MAX_SEATS * 45),
    ("culprit_totals", "i2", (), 0, MAX_LOCATIONS * 45),
    ("highest_culprit", "i1", (), 0, 45),
    ("times_culprit", "i1", (MAX_SEATS,), 0, MAX_LOCATIONS),
    ("times_owned_up", "i1", (MAX_SEATS,), 0, MAX_LOCATIONS),
    ("correct", "i1", (MAX_SEATS,), 0, MAX_LOCATIONS),
    ("wrong", "i1", (MAX_SEATS,), 0, MAX_LOCATIONS),
    ("abstained", "i1", (MAX_SEATS,), 0, MAX_LOCATIONS),
    ("from_centre", "i2", (MAX_SEATS,), 0, MAX_SHAME_POINTS),
    ("for_fingers", "i2", (MAX_SEATS,), 0, MAX_SHAME_POINTS),
    ("for_wrong", "i2", (MAX_SEATS,), 0, MAX_SHAME_POINTS),
    ("gained", "i4", (MAX_SEATS,), 0, MAX_QUESTIONS * MAX_SHAME_POINTS),
    ("given", "i4", (MAX_SEATS,), 0, MAX_QUESTIONS * MAX_SHAME_POINTS),
    ("opening", "i8", (MAX_SEATS,), 0, ALL_BITS),  # words of hands and cards, bit by bit (E4)
    ("drawn", "i8", (MAX_SEATS,), 0, ALL_BITS),
    ("played", "i2", (MAX_SEATS,), 0, ALL_SMELLS),
    ("pool", "i8", (MAX_SMELL_CARDS,), 0, card_word(SMELLS - 1)),  # room for the deals that are imagined
    ("shame_pool", "i1", (MAX_SHAME_CARDS,), 0, SHAMES - 1),
)
STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)


def new_state() -> np.recarray:
    """Room for one game: pass element 0."""
    return np.zeros(1, STATE).view(np.recarray)


# Zones of the census: of Smell cards the hands, the fronts, the discards and what is not dealt; of Shame cards the deck,
# the centre face up and face down, and the piles; of Location cards those played and the deck. Kinds: the Smell values, the
# Shame values, the Location cards.
(HANDS, FRONTS, GONE, REST, DECK, CENTRE_UP, CENTRE_DOWN, PILES, PLAYED, AHEAD) = (0, 7, 14, 21, 22, 23, 24, 25, 32, 33)
CENSUS = (AHEAD + 1, SMELLS + SHAMES + MAX_LOCATIONS)


def smells(word: int) -> list[int]:
    """The values of a word's cards, ascending."""
    return [value for value in range(SMELLS) for _ in range((int(word) >> 4 * value) & 15)]


def view(state: Any, rules: Any, seat: int) -> dict[str, Any]:
    """All that a seat may know: its hand, all that lies face up, the size of what does not, and what it knows of hands."""
    names = (
        "phase", "seat", "asked", "tour", "rounds", "first", "step", "contexts", "front", "gone", "turned", "effect",
        "target", "exchanged", "links", "shame_drawn", "centre_size", "centre_down", "pile_cards",
    )  # fmt: skip
    seen = {name: np.asarray(state[name]).tolist() for name in names}
    seen["hand"] = smells(state.hand[seat])
    seen["hands"] = [int(word) >> NUMBER_SHIFT for word in state.hand]
    seen["known"] = [smells(word) for word in state.known[seat]]
    seen["sums"] = [(int(word) >> SUM_SHIFT) % 2**SUM_BITS for word in state.known[seat]]
    seen["centre"] = [int(state.centre[i]) for i in range(state.centre_size) if not (int(state.centre_down) >> i) & 1]
    seen["finger"] = int(state.finger[seat])
    if rules.know_own_pile == 0:
        seen["pile"] = state.pile[seat].tolist()
        seen["points"] = int(state.points[seat])
    return seen
