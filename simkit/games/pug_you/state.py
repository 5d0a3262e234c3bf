"""The state of a game of Pug You!, and the range of every field.

A card is its position in the deck sorted by number, as in the rules record. A hand is one word: a byte for every card, the
lowest number in the lowest byte, and EMPTY in the bytes that are left. A set of cards is a pair of masks: cards 0 to
HALF - 1, and the others.
"""

from typing import Any

import numpy as np

from simkit.games.pug_you import CARDS, HIGH, LOW
from simkit.games.pug_you.box import MAX_CARDS, MAX_HAND, MAX_SEATS, MAX_TURDS

# phases; those behind OVER are only passed through: IDLE ends a turn that is skipped
(OFFER, OWN, CHOOSE, NOMINATE, VOTE, TIEBREAK, SECOND, OVER, TAKE, ENDING, IDLE) = range(11)

# Choice codes: what a phase adds to a card's number, a seat, or SEAT_CODE x seat + seat.
OWN_CODE, CHOOSE_CODE, NOMINATE_CODE, TIEBREAK_CODE = 1000, 2000, 3000, 4000
AGAIN_CODE, SECOND_CODE, DECLINE_CODE = 5000, 6000, 7000
VOTE_CODE, SEAT_CODE = 10000, 16  # a vote is VOTE_CODE + SEAT_CODE x number + seat

NOBODY = -1
HALF = 57  # cards in the first mask of a set
SLOT_BITS, SLOT_MASK, EMPTY = 8, 127, 127
SLOTS = MAX_HAND + 1  # the last one is always empty
EMPTY_HAND = sum(EMPTY << SLOT_BITS * slot for slot in range(SLOTS))

HALF_MASK = 2**HALF - 1
WORD = 2**64 - 1
SEATS_MASK = 2**MAX_SEATS - 1
KINDS_MASK = 2**31 - 1
QUESTIONS = 2 * CARDS

# name, type, shape, lowest and highest value
FIELDS = (
    ("phase", "i1", (), 0, OVER),
    ("seat", "i1", (), 0, MAX_SEATS - 1),  # who decides
    ("first", "i1", (), 0, MAX_SEATS - 1),
    ("active", "i1", (), 0, MAX_SEATS - 1),
    ("due", "i2", (), 0, SEATS_MASK),  # who is still to offer or vote: bit 0 is the seat to the left of the active one
    ("offering", "i2", (), 0, SEATS_MASK),  # mask of the seats that have offered
    ("offered", "i1", (MAX_SEATS,), 0, MAX_HAND - 1),  # slot of the hand
    ("question", "i1", (), 0, 1),  # 1 is the second question
    ("card", "i1", (), NOBODY, MAX_CARDS - 1),  # active card
    ("owner", "i1", (), NOBODY, MAX_SEATS - 1),  # who offered it
    ("nominee", "i1", (2,), 0, MAX_SEATS - 1),
    ("turds", "i1", (2,), 0, MAX_SEATS * MAX_TURDS),  # votes for each nominee
    ("vote", "i2", (MAX_SEATS,), NOBODY, 2 * MAX_CARDS - 1),  # 2 x card + nominee
    ("hand", "i8", (MAX_SEATS,), 0, EMPTY_HAND),
    ("cards", "i1", (MAX_SEATS,), 0, MAX_HAND),  # how many are in the hand
    ("deck", "i1", (MAX_CARDS,), 0, MAX_CARDS - 1),  # the draw pile is deck[top:end], in an order that `stream` settles
    ("top", "i1", (), 0, MAX_CARDS),
    ("end", "i1", (), 0, MAX_CARDS),
    ("stream", "u8", (4,), 0, WORD),
    ("discard", "i8", (2,), 0, HALF_MASK),  # votes that lie on the table are in it already
    ("scored", "i8", (MAX_SEATS, 2), 0, HALF_MASK),  # those that may be asked again
    ("kept", "i8", (MAX_SEATS, 2), 0, HALF_MASK),  # those that may not (B3)
    ("badges", "i1", (MAX_SEATS,), LOW, HIGH),
    ("positive", "i1", (MAX_SEATS,), 0, HIGH),  # without mutts
    ("mutts", "i1", (), 0, 20),  # in front of players
    ("setup_key", "u8", (), 0, WORD),  # X of D4
    ("opinion_key", "u8", (MAX_SEATS,), 0, WORD),  # X too, as what a seat's own V comes from
    ("reputation", "i4", (MAX_SEATS,), -6 * 65535, 6 * 65535),  # R of D4; 0 with reputation_sd=0
    ("end_reason", "i1", (), 0, 3),
    ("limit_turn", "i1", (), 0, CARDS),
    ("turns", "i1", (), 0, CARDS),
    ("turns_skipped", "i1", (), 0, CARDS),
    ("ties", "i1", (2,), 0, CARDS),  # of first and second questions
    ("from_scored", "i1", (), 0, CARDS),
    ("from_hand", "i1", (), 0, CARDS),
    ("declined", "i1", (), 0, CARDS),
    ("reshuffles", "i2", (), 0, 4 * CARDS),
    ("offers_missed", "i2", (), 0, MAX_SEATS * CARDS),
    ("votes_missed", "i2", (), 0, MAX_SEATS * QUESTIONS),
    ("short_hands", "i2", (), 0, MAX_SEATS * CARDS),
    ("early_draws", "i2", (), 0, MAX_SEATS * (CARDS + QUESTIONS)),
    ("nominations", "i2", (MAX_SEATS,), 0, QUESTIONS),
    ("offers_taken", "i1", (MAX_SEATS,), 0, CARDS),
    ("asked_second", "i1", (MAX_SEATS,), 0, CARDS),
    ("shed", "i2", (MAX_SEATS,), -3 * CARDS, 3 * CARDS),
    ("opening", "i4", (MAX_SEATS,), 0, KINDS_MASK),  # masks of kinds (E4)
    ("drawn", "i4", (MAX_SEATS,), 0, KINDS_MASK),
    ("played", "i4", (MAX_SEATS,), 0, KINDS_MASK),
    ("pool", "i1", (MAX_CARDS,), 0, MAX_CARDS - 1),  # room for redeal_hidden
)
STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)


def new_state() -> np.recarray:
    """Room for one game: pass element 0."""
    return np.zeros(1, STATE).view(np.recarray)


# Zones of the census: hands, votes on the table, cards in front of players, draw pile, discards, active card.
DRAW_ZONE, DISCARD_ZONE, ACTIVE_ZONE = 3 * MAX_SEATS, 3 * MAX_SEATS + 1, 3 * MAX_SEATS + 2
ZONES = 3 * MAX_SEATS + 3
CENSUS = (ZONES, MAX_CARDS)


def view(state: Any, rules: Any, seat: int) -> dict[str, Any]:
    """All that a seat may know: its hand, its offer and vote, what lies open, counts, and what makes its own opinions."""
    names = (
        "phase", "seat", "first", "active", "due", "offering", "question", "card", "owner", "nominee", "cards", "scored",
        "kept", "badges", "turns", "limit_turn", "setup_key", "reputation",
    )  # fmt: skip
    seen = {name: np.asarray(state[name]).tolist() for name in names}
    seen["hand"] = int(state.hand[seat])
    seen["offered"] = int(state.offered[seat])
    seen["opinions"] = int(state.opinion_key[seat])
    seen["draw pile"] = int(state.end) - int(state.top)
    voting = state.phase == VOTE
    votes = np.asarray(state.vote).tolist()
    seen["own vote"] = votes[seat]
    seen["who has voted"] = [vote != NOBODY for vote in votes]
    if rules.vote_order or not voting:
        seen["for whom"] = [vote % 2 for vote in votes if vote != NOBODY]
    if rules.votes_public and not voting:
        seen["votes"] = votes
    discard = sum(int(mask) << HALF * half for half, mask in enumerate(state.discard))
    on_table = sum(1 << vote // 2 for vote in votes if vote != NOBODY) if voting else 0
    seen["discards"] = discard & ~on_table
    return seen
