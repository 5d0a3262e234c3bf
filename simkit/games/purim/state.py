"""The state of a game of Purim, and the range of every field."""

from typing import Any

import numpy as np

from simkit.games.purim.box import (
    DECISION_CAP,
    MAX_CARDS,
    MAX_CUBES,
    MAX_HAND,
    MAX_NEIGHBOURS,
    MAX_PATHS,
    MAX_PROVINCES,
    MAX_SEATS,
    MAX_SPACES,
    MESSENGER_ABILITIES,
    MESSENGERS,
    SON_ABILITIES,
    SONS,
)

# What is to be decided (RULES.md C); RUNNING while nothing is.
(PLACE, NIGHT, SELECT, ORDER, PICK, LOYAL_CHOICE, MESSENGER_SET, PAIR, PROVINCE, RIDER, WALK, RIDE, SON_CHOICE, ORIGIN,
 ROUTE, STEP, RUNNING, OVER) = range(18)  # fmt: skip

# Where the game goes on when nothing is to be decided.
(PLACING, NEW_ROUND, DEALING, NEW_TURN, NEXT_CARD, OPERATION, CARD_DONE, TURN_DONE, ABILITIES) = range(9)

# Choice codes: the first number of each decision, and those of declining.
PLACE_CODE, NIGHT_CODE, SELECT_CODE, ORDER_CODE, LOYAL_CODE, PAIR_CODE, PROVINCE_CODE, RIDER_CODE = range(100, 900, 100)
WALK_CODE, SON_CODE, ORIGIN_CODE, STEP_CODE, PICK_CODE = 850, 900, 930, 960, 1000
DECLINE_SON, DECLINE_ORIGIN = 919, 959
SET_CODE, RIDE_CODE, ROUTE_CODE = 20_000, 1_000_000, 10_000_000

NOBODY = -1
NOWHERE = -1  # a Son destroyed, a Messenger not yet placed
UNKNOWN = -1  # the top Province card, in imagined play
NO_CARD = -1
GOLD_OUT, BLACK_OUT, CALENDAR_OUT = 1, 2, 3  # end reasons
HANDS = 2
OUT = 4  # cards laid out: by seat; in solo from the hand, first and second from the deck
MAX_RIDES = 3_200  # paths of up to four steps where every Province has eight neighbours: 8 + 8 x 7 + 8 x 49 + 8 x 343

ALL_CARDS = 2**MAX_CARDS - 1
ALL_PROVINCES = 2**MAX_PROVINCES - 1
LARGE = 2**40

# name, type, shape, lowest and highest value
BOARD_FIELDS = (
    ("gold", "i1", (MAX_PROVINCES,), 0, MAX_CUBES),
    ("black", "i1", (MAX_PROVINCES,), 0, MAX_CUBES),
    ("son", "i1", (SONS,), NOWHERE, MAX_PROVINCES - 1),
    ("messenger", "i1", (MESSENGERS,), NOWHERE, MAX_PROVINCES - 1),
    ("gold_left", "i1", (), 0, MAX_CUBES),
    ("black_left", "i1", (), 0, MAX_CUBES),
    ("calendar", "i1", (), 0, MAX_SPACES - 1),
    ("due", "i1", (), 0, 3),  # the end reason, once the end is due
    ("extra_gold_used", "i1", (), 0, 1),  # one_more_gold has been used in this round
    ("top", "i1", (), UNKNOWN, MAX_PROVINCES - 1),
    ("alive", "i2", (), 0, 2**SONS - 1),  # mask of Sons
    ("sons_at_work", "i2", (), 0, 2 ** len(SON_ABILITIES) - 1),  # mask of abilities in force
    ("messengers_at_work", "i1", (), 0, 2 ** len(MESSENGER_ABILITIES) - 1),
    ("unseen", "i4", (), 0, ALL_PROVINCES),  # mask of the Province cards below the top
    ("gold_put", "i2", (), 0, 500),  # since the card at hand was begun: cubes placed, Sons destroyed
    ("black_put", "i2", (), 0, 500),
    ("destroyed", "i1", (), 0, SONS),
    ("black_removed", "i2", (), 0, 30_000),
)
BOARD = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in BOARD_FIELDS], align=True)

# Boards of a state: the real one, and room to try things out; a ride takes one more for each of its four steps.
REAL, IMAGINED, BEST, TRIED, FURTHER, BEST_FURTHER = range(6)
BOARDS = TRIED + 5

FIELDS = (
    ("phase", "i1", (), 0, OVER),
    ("stage", "i1", (), 0, ABILITIES),
    ("seat", "i1", (), 0, MAX_SEATS - 1),  # who decides
    ("choices", "i2", (), 0, MAX_PATHS),
    ("among", "i4", (), 0, ALL_CARDS),  # mask of what can be chosen: cards, slots, Messengers, pairs, Provinces or Sons
    ("decline", "i1", (), 0, 1),  # the last choice is to decline
    # decks
    ("action", "i1", (MAX_CARDS,), 0, MAX_CARDS - 1),  # kinds of Action cards, as shuffled
    ("action_at", "i1", (), 0, MAX_CARDS),  # the top of the deck
    ("action_known", "i1", (), 0, MAX_CARDS),  # cards on the deck that everybody has seen
    ("province", "i1", (MAX_PROVINCES,), 0, MAX_PROVINCES - 1),
    ("province_at", "i1", (), 0, MAX_PROVINCES - 1),
    ("first_province", "i1", (MAX_PROVINCES,), 0, MAX_PROVINCES - 1),  # D1
    ("son_order", "i1", (SONS,), 0, SONS - 1),  # D2
    ("messenger_card", "i1", (MESSENGERS,), 0, MESSENGERS - 1),
    ("son_card", "i1", (SONS,), 0, SONS - 1),
    ("son_card_at", "i1", (), 0, SONS),
    ("first_son_cards", "i2", (), 0, 2**SONS - 1),  # mask of Sons whose card was in force from round 1 on
    # the round
    ("rounds", "i2", (), 0, DECISION_CAP + 1),
    ("turn", "i2", (), 0, 64),  # of the round, from 1
    ("hand", "i4", (MAX_SEATS, HANDS), 0, ALL_CARDS),  # masks of kinds
    ("hand_at", "i1", (), 0, HANDS - 1),  # the hands being played
    ("hand_left", "i1", (), 0, MAX_HAND),  # cards in each
    ("out", "i1", (OUT,), NO_CARD, MAX_CARDS - 1),
    ("aside", "i4", (), 0, ALL_CARDS),
    ("ending", "i1", (), 0, 1),  # End Effects are carried out
    ("resolved", "i1", (), 0, OUT),  # cards of this turn that are done
    ("ability", "i1", (), 0, SONS + 1),  # the next ability at the end of the round: 0 a Messenger's, then the Sons'
    # the card and operation at hand
    ("slot", "i1", (), 0, OUT - 1),
    ("kind", "i1", (), NO_CARD, MAX_CARDS - 1),
    ("section", "i1", (), 0, 2),
    ("operation", "i1", (), 0, 4),  # the one after it
    ("code", "i1", (), 0, 12),
    ("a", "i1", (), -1, 31),
    ("b", "i1", (), 0, 10),
    ("c", "i1", (), 0, SONS - 1),
    ("rider", "i1", (), 0, MESSENGERS - 1),
    ("riders_left", "i1", (), 0, MESSENGERS),  # Messengers that may still be moved by this operation
    ("moved", "i1", (), 0, 2**MESSENGERS - 1),  # mask of those that have been
    ("mover", "i1", (), 0, SONS - 1),  # the Son of a STEP
    ("travellers", "i2", (), 0, 2**SONS - 1),  # mask of Sons on their way to the top Province
    # what is recorded
    ("skipped", "i2", (), 0, 4 * 5 * DECISION_CAP),
    ("declined", "i2", (), 0, DECISION_CAP),
    ("province_shuffles", "i2", (), 0, 20 * DECISION_CAP),
    ("resolutions", "i2", (MAX_SEATS,), 0, 5 * DECISION_CAP),
    ("end_effects", "i2", (MAX_SEATS,), 0, 5 * DECISION_CAP),
    ("gold_placed", "i1", (MAX_SEATS,), 0, MAX_CUBES),
    ("black_placed", "i1", (MAX_SEATS,), 0, MAX_CUBES),
    ("destroyed", "i1", (MAX_SEATS,), 0, SONS),
    ("opening", "i4", (MAX_SEATS,), 0, ALL_CARDS),
    ("drawn", "i4", (MAX_SEATS,), 0, ALL_CARDS),
    ("played", "i4", (MAX_SEATS,), 0, ALL_CARDS),
    # room for paths, policies and redeal_hidden
    ("path", "i1", (MAX_PROVINCES,), 0, MAX_PROVINCES - 1),
    ("branch", "i1", (MAX_PROVINCES,), 0, MAX_NEIGHBOURS),
    ("best", "i8", (), -LARGE, LARGE),
    ("tied", "i2", (), 0, MAX_RIDES),
    ("ties", "i2", (MAX_RIDES,), 0, MAX_PATHS),
    ("after", "i8", (MAX_CARDS,), -LARGE, LARGE),  # A(c) of RULES.md C
    ("at_end", "i8", (MAX_CARDS,), -LARGE, LARGE),  # E(c)
    ("points", "i8", (8,), -LARGE, LARGE),  # of plans: four that are left, and those that are made of them
    ("plan", "i1", (8, MAX_SEATS), NO_CARD, MAX_CARDS - 1),
    ("pool", "i1", (MAX_CARDS,), 0, MAX_CARDS - 1),
)
STATE = np.dtype(
    [("boards", BOARD, (BOARDS,)), *((name, kind, shape) for name, kind, shape, _, _ in FIELDS)], align=True
)


def new_state() -> np.recarray:
    """Room for one game: pass element 0."""
    return np.zeros(1, STATE).view(np.recarray)


# Census. Kinds: Action cards, Province cards, Sons cards, Messenger cards, Sons, Messengers, gold, black.
PROVINCE_KIND = MAX_CARDS
SON_CARD_KIND = PROVINCE_KIND + MAX_PROVINCES
MESSENGER_CARD_KIND = SON_CARD_KIND + SONS
SON_KIND = MESSENGER_CARD_KIND + MESSENGERS
MESSENGER_KIND = SON_KIND + SONS
GOLD_KIND = MESSENGER_KIND + MESSENGERS
BLACK_KIND = GOLD_KIND + 1
# Zones: Provinces; supply or out of the game; hands; laid out; aside; in force; places of the Action deck, of the Province
# deck, of the Sons cards.
SUPPLY_ZONE = MAX_PROVINCES
HAND_ZONE = SUPPLY_ZONE + 1
OUT_ZONE = HAND_ZONE + MAX_SEATS * HANDS
ASIDE_ZONE = OUT_ZONE + OUT
FORCE_ZONE = ASIDE_ZONE + 1
ACTION_ZONE = FORCE_ZONE + 1
PROVINCE_ZONE = ACTION_ZONE + MAX_CARDS
SON_CARD_ZONE = PROVINCE_ZONE + MAX_PROVINCES
CENSUS = (SON_CARD_ZONE + SONS, BLACK_KIND + 1)


def view(state: Any, rules: Any, seat: int) -> dict[str, Any]:
    """All that a seat may know: the board, what lies open, its own hand; other hands only where they are open (B18)."""
    seen: dict[str, Any] = {name: np.asarray(state.boards[REAL][name]).tolist() for name, *_ in BOARD_FIELDS}
    names = (
        "phase", "stage", "seat", "choices", "action_known", "province_at", "son_card_at", "first_son_cards", "rounds",
        "turn", "hand_at", "hand_left", "aside", "ending", "resolved", "kind", "section", "operation", "riders_left",
        "moved", "travellers", "skipped", "declined", "resolutions", "end_effects", "gold_placed", "black_placed",
        "destroyed",
    )  # fmt: skip
    seen |= {name: np.asarray(state[name]).tolist() for name in names}
    seen["own cards"] = int(state.opening[seat]), int(state.drawn[seat])
    is_open = rules.communication == 1
    for other in range(rules.players):
        if other == seat or is_open:
            seen[f"hand {other}"] = int(state.hand[other, state.hand_at])
        if other == seat or is_open or state.phase != SELECT or rules.players == 1:
            seen[f"out {other}"] = int(state.out[other])
    if rules.two_player_second_hand == 1:
        seen["second hand"] = int(state.hand[seat, 1])
    if rules.players == 1:
        seen["turned"] = state.out[1:].tolist()
        known = range(state.action_at, state.action_at + state.action_known)
        seen["on the deck"] = [int(state.action[i]) for i in known]
    seen["in force"] = state.messenger_card[: rules.messengers_in_force].tolist() if state.phase != PLACE else []
    seen["thrown away"] = state.son_card[: state.son_card_at].tolist()
    return seen
