"""The state of a game of Propuh, and the range of every field."""

from typing import Any

import numpy as np

from simkit.games.propuh.box import KINDS, LOCATIONS, MAX_CARDS, MAX_DIFFICULTY_CARDS

GRANNY, PROPUH = 0, 1
NOBODY = -1
OFF_BOARD = -1

FIGURINE, PLAY, LEFT_OVER, REMOVAL, OVER = range(5)  # phases; decisions fall in FIGURINE, PLAY and REMOVAL

# name, type, shape, lowest and highest value (for cards 0 .. MAX_CARDS, tracks up to 9)
FIELDS = (
    ("phase", "i1", (), 0, 4),
    ("rounds", "i1", (), 0, 64),
    ("play", "i1", (), 0, 4),  # plays made in this round
    ("deck", "i1", (MAX_CARDS,), 0, KINDS - 1),  # this playout's order; position 0 is the top
    ("drawn", "i1", (), 0, MAX_CARDS),  # cards taken from the top
    ("deck_end", "i1", (), 0, MAX_CARDS),  # the deck is deck[drawn:deck_end]; behind it lie the cards set aside
    ("held", "i1", (2, KINDS), 0, MAX_CARDS),  # copies of each kind in hand
    ("kinds", "i4", (2,), 0, 2**KINDS - 1),  # mask of the kinds in hand
    ("different", "i1", (2,), 0, MAX_CARDS),  # how many kinds are in hand
    ("hand", "i1", (2,), 0, MAX_CARDS),  # how many cards are in hand
    ("discarded", "i1", (KINDS,), 0, MAX_CARDS),
    ("pending_side", "i1", (), -1, 1),  # whose card is unresolved, or NOBODY
    ("pending_kind", "i1", (), 0, KINDS - 1),
    ("pending_location", "i1", (), 0, 2),
    ("figurine", "i1", (), -1, 2),
    ("moved", "i1", (), 0, 1),  # whether the figurine moved in this round
    ("tokens", "i1", (2, len(LOCATIONS)), 0, 9),
    ("difficulty_order", "i1", (MAX_DIFFICULTY_CARDS,), 0, MAX_DIFFICULTY_CARDS - 1),  # D3; only in a random difficulty
    ("start_tokens", "i1", (), 0, 27),
    ("end_reason", "i1", (), 0, 4),
    ("winner", "i1", (), -1, 1),
    ("counters", "i1", (2,), 0, MAX_CARDS),
    ("failed_counters", "i1", (2,), 0, MAX_CARDS),
    ("placed", "i1", (2,), 0, MAX_CARDS),
    ("disregarded", "i1", (2,), 0, MAX_CARDS),
    ("removed", "i1", (), 0, 64),
    ("cards_played", "i1", (2,), 0, MAX_CARDS),
    ("opening_stove", "i1", (2,), 0, 4),
    ("opening_fours", "i1", (2,), 0, 4),
)
STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)


def new_state() -> np.recarray:
    """Room for one game: pass element 0."""
    return np.zeros(1, STATE).view(np.recarray)


CENSUS = (6, KINDS)  # shape of the census: zones x kinds of cards


def view(state: Any, rules: Any, seat: int) -> dict[str, Any]:
    """All that a seat may know: its own hand, the boards, what is pending, counts, and the discards if visible (B12)."""
    names = [
        "phase", "rounds", "play", "drawn", "deck_end", "hand", "pending_side", "figurine", "moved", "tokens",
    ]  # fmt: skip
    known = {name: np.asarray(state[name]).tolist() for name in names}
    known["held"] = state.held[seat].tolist()
    if state.pending_side != NOBODY:
        known["pending"] = (int(state.pending_kind), int(state.pending_location))
    if rules.discards_visible == 0:
        known["discarded"] = state.discarded.tolist()
    return known
