"""The setup: clauses A2, A9, B10, B15, B16; D1 to D6."""

import numpy as np

from simkit.games.purim.box import MAX_SEATS, MESSENGERS, SONS
from simkit.games.purim.moves.operations import ask
from simkit.games.purim.moves.readings import (
    FIRST_PROVINCES,
    IS_ADVANCED,
    MESSENGER_CARDS,
    MESSENGER_ORDER,
    PROVINCE_DECK,
    SON_CARDS,
    SON_ORDER,
    TEAM_PLACES,
)
from simkit.games.purim.moves.rounds import put_in_force
from simkit.games.purim.moves.targets import EVERY_MESSENGER
from simkit.games.purim.moves.telling import tell
from simkit.games.purim.state import (
    HANDS,
    NEW_ROUND,
    NO_CARD,
    NOWHERE,
    OUT,
    PLACE,
    PLACING,
    REAL,
    RUNNING,
    UNKNOWN,
)
from simkit.games.purim.story import MESSENGER_IN_FORCE, MESSENGER_STARTS, SON_STARTS, TOP_IS
from simkit.kernel.jit import phase
from simkit.kernel.piles import bit, count_bits, nth_bit, shuffle
from simkit.kernel.streams import open_setup

EACH = 5  # Provinces turned at a time


@phase
def set_up(state, rules, streams, log):
    """A2: everything up to the first round, or to the Messengers that the team places."""
    clear(state, rules)
    for p in range(rules.provinces):
        state.first_province[p] = p
    shuffle(state.first_province, rules.provinces, 2 * EACH, open_setup(streams, FIRST_PROVINCES))
    for son in range(SONS):
        state.son_order[son] = son
    shuffle(state.son_order, SONS, SONS, open_setup(streams, SON_ORDER))
    for i in range(EACH):
        place_son(state, np.int64(state.son_order[i]), np.int64(state.first_province[i]), log)
    if rules.placement == TEAM_PLACES:
        ask(state, PLACE, EVERY_MESSENGER, MESSENGERS, 0)
        return
    for messenger in range(MESSENGERS):
        state.pool[messenger] = messenger
    shuffle(state.pool, MESSENGERS, MESSENGERS, open_setup(streams, MESSENGER_ORDER))
    for i in range(EACH):
        put_messenger(state, np.int64(state.pool[i]), np.int64(state.first_province[EACH + i]), log)
    finish_setup(state, rules, streams, log)


@phase
def place_son(state, son, p, log):
    board = state.boards[REAL]
    board.son[son] = p
    board.alive |= bit(son)
    board.black[p] += 1
    board.black_left -= 1
    tell(log, SON_STARTS, son, p, 0)


@phase
def put_messenger(state, messenger, p, log):
    board = state.boards[REAL]
    board.messenger[messenger] = p
    board.gold[p] += 1
    board.gold_left -= 1
    tell(log, MESSENGER_STARTS, messenger, p, 0)


@phase
def place_messenger(state, rules, choice, streams, log):
    """PLACE: one Messenger for the next of the five Provinces (B10)."""
    left = np.int64(state.among)
    messenger = nth_bit(left, choice)
    placed = MESSENGERS - count_bits(left)
    put_messenger(state, messenger, np.int64(state.first_province[EACH + placed]), log)
    if placed + 1 < MESSENGERS:
        ask(state, PLACE, left & ~bit(messenger), count_bits(left) - 1, 0)
    else:
        finish_setup(state, rules, streams, log)


@phase
def finish_setup(state, rules, streams, log):
    """The other five Sons, the Province deck, the cards in force."""
    board = state.boards[REAL]
    for p in range(rules.provinces):
        state.province[p] = p
    shuffle(state.province, rules.provinces, rules.provinces, open_setup(streams, PROVINCE_DECK))
    for i in range(EACH):
        place_son(state, np.int64(state.son_order[EACH + i]), np.int64(state.province[i]), log)
    state.province_at = EACH
    board.top = state.province[EACH]
    unseen = np.int64(0)
    for i in range(EACH + 1, rules.provinces):
        unseen |= bit(state.province[i])
    board.unseen = unseen
    tell(log, TOP_IS, np.int64(board.top), 0, 0)
    shuffle(state.messenger_card, MESSENGERS, MESSENGERS, open_setup(streams, MESSENGER_CARDS))
    for i in range(rules.messengers_in_force):
        messenger = np.int64(state.messenger_card[i])
        board.messengers_at_work |= bit(rules.messenger_ability[messenger])
        tell(log, MESSENGER_IN_FORCE, messenger, 0, 0)
    if rules.advanced == IS_ADVANCED:
        shuffle(state.son_card, SONS, SONS, open_setup(streams, SON_CARDS))
        for i in range(rules.sons_in_force):
            put_in_force(state, rules, np.int64(state.son_card[i]), log)
        state.son_card_at = rules.sons_in_force
    state.stage = NEW_ROUND
    state.phase = RUNNING


@phase
def clear(state, rules):
    board = state.boards[REAL]
    for p in range(rules.provinces):
        board.gold[p] = 0
        board.black[p] = 0
        state.province[p] = p
    for son in range(SONS):
        board.son[son] = NOWHERE
        state.son_card[son] = son
    for messenger in range(MESSENGERS):
        board.messenger[messenger] = NOWHERE
        state.messenger_card[messenger] = messenger
    board.gold_left = rules.gold
    board.black_left = rules.black
    board.calendar = 0
    board.due = 0
    board.extra_gold_used = 0
    board.top = UNKNOWN
    board.alive = 0
    board.sons_at_work = 0
    board.messengers_at_work = 0
    board.unseen = 0
    board.gold_put = 0
    board.black_put = 0
    board.destroyed = 0
    board.black_removed = 0
    for kind in range(rules.deck_size):
        state.action[kind] = kind
    state.action_at = 0
    state.action_known = 0
    state.province_at = rules.provinces - 1
    state.son_card_at = 0
    state.first_son_cards = 0
    state.rounds = 0
    state.turn = 0
    state.hand_at = 0
    state.hand_left = 0
    state.aside = 0
    state.ending = 0
    state.resolved = 0
    state.kind = NO_CARD
    state.section = 0
    state.operation = 0
    state.moved = 0
    state.riders_left = 0
    state.travellers = 0
    state.skipped = 0
    state.declined = 0
    state.province_shuffles = 0
    state.seat = 0
    state.stage = PLACING
    for slot in range(OUT):
        state.out[slot] = NO_CARD
    for seat in range(MAX_SEATS):
        for hand in range(HANDS):
            state.hand[seat, hand] = 0
        state.resolutions[seat] = 0
        state.end_effects[seat] = 0
        state.gold_placed[seat] = 0
        state.black_placed[seat] = 0
        state.destroyed[seat] = 0
        state.opening[seat] = 0
        state.drawn[seat] = 0
        state.played[seat] = 0
