"""The state of a game of Granny Wars, and the range of every field."""

from typing import Any

import numpy as np

from simkit.games.granny_wars.box import KINDS, MAX_CARDS, MAX_HAND, MAX_PILES, MAX_SCORE, MAX_SEATS

(PLAY, BOUNCE, OFFER, EXTRA, STEAL, STOLEN, PLACE, SWAP, GIVE, RETURN, TOPS, OVER) = range(12)  # phases

# Choice codes: phase x PHASE_CODE, + kind x 8 + pile, + pile, + seat, + kind, + pile x 8 + pile, or + DECLINE_CODE.
PHASE_CODE, PILES_OF_A_KIND, DECLINE_CODE = 1000, 8, 999

NOBODY = -1
MAX_CHAIN = MAX_HAND + 1  # cards that one turn can place: a whole hand of extra cards, and a stolen one

# A card in a pile: its kind, and what is known of it.
KIND_BITS = 31
FACE_DOWN = 32
NUMBER_SHOWN = 512  # a face-down card whose number everybody knows, because it made a card bounce or bounced
PLACER_SHIFT = 6

ALL_KINDS = 2**KINDS - 1
MAX_LEAN = 9 * MAX_CARDS

# name, type, shape, lowest and highest value
FIELDS = (
    ("phase", "i1", (), 0, 11),
    ("seat", "i1", (), 0, MAX_SEATS - 1),  # whose turn it is
    ("first", "i1", (), 0, MAX_SEATS - 1),
    ("deck", "i1", (MAX_CARDS,), 0, KINDS - 1),  # as dealt; what is beyond the hands is out of the game
    ("held", "i1", (MAX_SEATS, KINDS), 0, MAX_CARDS),  # hands, as copies of each kind
    ("kinds", "i4", (MAX_SEATS,), 0, ALL_KINDS),  # mask of the kinds held
    ("different", "i1", (MAX_SEATS,), 0, KINDS),
    ("hand", "i1", (MAX_SEATS,), 0, MAX_CARDS),
    ("owned", "i1", (MAX_PILES,), 0, MAX_PILES - 1),  # pile of each seat; behind the seats the piles nobody owns
    ("pile_size", "i1", (MAX_PILES,), 0, MAX_CARDS),
    ("pile", "i2", (MAX_PILES, MAX_CARDS), 0, 1023),  # cards with what is known of them, position 0 at the bottom
    ("total", "i2", (MAX_PILES,), -MAX_SCORE, MAX_SCORE),  # of the cards that lie face up
    ("beneath", "i2", (MAX_SEATS, MAX_PILES), -MAX_SCORE, MAX_SCORE),  # of the cards a seat placed face down
    ("lean", "i2", (MAX_SEATS, MAX_PILES), -MAX_LEAN, MAX_LEAN),  # L of RULES.md C
    ("power", "i1", (), 0, 5),  # of the card at hand, still to happen
    ("is_extra", "i1", (), 0, 1),  # the card at hand was played as an extra card
    ("down", "i1", (), 0, 1),  # the extra card to be played lies face down
    ("waiting", "i1", (), 0, MAX_CHAIN),  # bounces to be done, the last first
    ("wait_pile", "i1", (MAX_CHAIN,), 0, MAX_PILES - 1),
    ("wait_depth", "i1", (MAX_CHAIN,), 0, MAX_CARDS - 1),
    ("target", "i1", (), 0, MAX_SEATS - 1),  # the other player of a steal or swap
    ("in_air", "i1", (), -1, KINDS - 1),  # a stolen card before it is placed, or one offered in a swap
    ("known_of", "i1", (MAX_SEATS,), 0, 1),  # whether somebody knows something of this hand
    ("known", "i1", (MAX_SEATS, MAX_SEATS, KINDS), 0, MAX_CARDS),  # who knows, of whose hand: copies surely there
    ("blind_steals", "i1", (MAX_SEATS,), 0, 63),
    ("turns", "i1", (), 0, MAX_CARDS),
    ("cards_played", "i1", (), 0, MAX_CARDS),
    ("half_way", "i1", (), 0, 1),  # leak_middle has been taken
    ("bounces", "i1", (), 0, MAX_CARDS),
    ("extra_faceup", "i1", (), 0, MAX_CARDS),
    ("extra_facedown", "i1", (), 0, MAX_CARDS),
    ("extras_declined", "i1", (), 0, MAX_CARDS),
    ("steals", "i1", (), 0, MAX_CARDS),
    ("hand_swaps", "i1", (), 0, MAX_CARDS),
    ("top_swaps", "i1", (), 0, MAX_CARDS),
    ("own_positive", "i1", (MAX_SEATS,), 0, MAX_CARDS),
    ("leak_middle", "i1", (MAX_SEATS,), 0, 100),
    ("opening", "i4", (MAX_SEATS,), 0, ALL_KINDS),  # masks of kinds (E4)
    ("drawn", "i4", (MAX_SEATS,), 0, ALL_KINDS),
    ("played", "i4", (MAX_SEATS,), 0, ALL_KINDS),
    ("score", "i2", (MAX_SEATS,), -MAX_SCORE, MAX_SCORE),
    ("winners", "i2", (), 0, 2**MAX_SEATS - 1),  # mask of seats
    ("tie_stage", "i1", (), 0, 2),
    ("pool", "i1", (MAX_CARDS,), 0, KINDS - 1),  # room for redeal_hidden
)
STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)


def new_state() -> np.recarray:
    """Room for one game: pass element 0."""
    return np.zeros(1, STATE).view(np.recarray)


# Zones of the census: hands, piles, out of the game, in the air.
ZONES = MAX_SEATS + MAX_PILES + 2
CENSUS = (ZONES, KINDS)


def view(state: Any, rules: Any, seat: int) -> dict[str, Any]:
    """All that a seat may know: its hand and pile, the piles as they lie, counts, and what it was shown of other hands."""
    names = (
        "phase", "seat", "first", "hand", "pile_size", "total", "lean", "power", "is_extra", "down", "waiting", "target",
        "turns", "cards_played", "bounces",
    )  # fmt: skip
    seen = {name: np.asarray(state[name]).tolist() for name in names}
    seen["held"] = state.held[seat].tolist()
    seen["owned"] = int(state.owned[seat])
    seen["known"] = state.known[seat].tolist()
    seen["beneath"] = state.beneath[seat].tolist()
    seen["piles"] = [
        [seen_card(rules, int(state.pile[pile, i]), seat) for i in range(state.pile_size[pile])]
        for pile in range(rules.piles)
    ]
    at_steal = state.phase == STOLEN and seat == state.seat
    if at_steal:
        seen["target's hand"] = state.held[state.target].tolist()
    if state.in_air >= 0 and seat in (state.seat, state.target):
        seen["in the air"] = int(state.in_air)
    return seen


def seen_card(rules: Any, card: int, seat: int) -> tuple[str, int]:
    """A card in a pile as a seat sees it."""
    if not card & FACE_DOWN:
        return "face up", card & KIND_BITS
    if (card >> PLACER_SHIFT) & 7 == seat:
        return "own, face down", card & KIND_BITS
    return ("number shown", int(rules.value[card & KIND_BITS])) if card & NUMBER_SHOWN else ("face down", -1)
