"""What tests and search need of a state: where everything is, and dealing anew what a seat cannot know."""

import numpy as np

from simkit.games.purim.box import MESSENGERS, SONS
from simkit.games.purim.moves.operations import ask
from simkit.games.purim.moves.readings import ALL_OPEN, SECOND_HAND_SEEN
from simkit.games.purim.moves.setup import EACH
from simkit.games.purim.state import (
    ACTION_ZONE,
    ASIDE_ZONE,
    BLACK_KIND,
    CENSUS,
    FORCE_ZONE,
    GOLD_KIND,
    HAND_ZONE,
    HANDS,
    MESSENGER_CARD_KIND,
    MESSENGER_KIND,
    OUT,
    OUT_ZONE,
    PLACE,
    PROVINCE_KIND,
    PROVINCE_ZONE,
    REAL,
    SELECT,
    SON_CARD_KIND,
    SON_CARD_ZONE,
    SON_KIND,
    SUPPLY_ZONE,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit, shuffle, without_lowest


@step
def census(state, rules, places):
    """Where every component is: places[zone, kind], see state.py."""
    for zone in range(CENSUS[0]):
        for kind in range(CENSUS[1]):
            places[zone, kind] = 0
    board = state.boards[REAL]
    for p in range(rules.provinces):
        places[p, GOLD_KIND] = board.gold[p]
        places[p, BLACK_KIND] = board.black[p]
    places[SUPPLY_ZONE, GOLD_KIND] = board.gold_left
    places[SUPPLY_ZONE, BLACK_KIND] = board.black_left
    for son in range(SONS):
        places[board.son[son] if board.son[son] >= 0 else SUPPLY_ZONE, SON_KIND + son] += 1
    for messenger in range(MESSENGERS):
        p = board.messenger[messenger]
        places[p if p >= 0 else SUPPLY_ZONE, MESSENGER_KIND + messenger] += 1
    count_decks(state, rules, places)


@step
def count_decks(state, rules, places):
    in_force = rules.messengers_in_force if state.rounds > 0 else 0
    for i in range(MESSENGERS):
        zone = FORCE_ZONE if i < in_force else SUPPLY_ZONE
        places[zone, MESSENGER_CARD_KIND + state.messenger_card[i]] += 1
    for i in range(SONS):
        zone = SON_CARD_ZONE + i if i >= state.son_card_at else FORCE_ZONE
        places[zone, SON_CARD_KIND + state.son_card[i]] += 1
    for i in range(rules.provinces):
        places[PROVINCE_ZONE + i, PROVINCE_KIND + state.province[i]] += 1
    for i in range(state.action_at, rules.deck_size):
        places[ACTION_ZONE + i, state.action[i]] += 1
    for kind in range(rules.deck_size):
        places[ASIDE_ZONE, kind] += (state.aside >> kind) & 1
        for seat in range(rules.players):
            for hand in range(HANDS):
                places[HAND_ZONE + HANDS * seat + hand, kind] += (state.hand[seat, hand] >> kind) & 1
    for slot in range(OUT):
        if state.out[slot] >= 0:
            places[OUT_ZONE + slot, state.out[slot]] += 1


@step
def hides_hand(state, rules, seat, other, hand):
    """Whether a seat cannot know a hand (part C, what a seat knows)."""
    if hand == state.hand_at:
        return other != seat and rules.communication != ALL_OPEN
    return other != seat or rules.two_player_second_hand != SECOND_HAND_SEEN


@step
def hides_out(state, rules, seat, slot):
    """Whether a seat cannot know a card laid out: selections are hidden until all are made."""
    hidden = state.phase == SELECT and rules.players > 1 and rules.communication != ALL_OPEN
    return hidden and slot != seat and state.out[slot] >= 0


@step
def redeal_hidden(state, rules, seat, stream):
    """Deal anew, at random, all that the seat cannot know: hands and selections of others, hands not yet played, and the
    order of what is left in every deck, but for cards that everybody has seen go onto the Action deck.
    """
    size = gather(state, rules, seat)
    shuffle(state.pool, size, size, stream)
    hand_out(state, rules, seat)
    shuffle_from(state.province, state.province_at + 1, rules.provinces, stream)
    shuffle_from(state.son_card, state.son_card_at, SONS, stream)
    if state.phase == PLACE:
        shuffle_from(state.son_order, EACH, SONS, stream)
        shuffle_from(state.messenger_card, 0, MESSENGERS, stream)
    else:
        shuffle_from(state.messenger_card, rules.messengers_in_force, MESSENGERS, stream)
    if state.phase == SELECT:
        ask(state, SELECT, state.hand[state.seat, state.hand_at], np.int64(state.hand_left), 0)


@step
def shuffle_from(pile, first, size, stream):
    shuffle(pile[first:size], size - first, size - first, stream)


@step
def gather(state, rules, seat):
    """Collect all hidden Action cards into the pool, in a fixed order of places; gives how many."""
    size = 0
    for other in range(rules.players):
        for hand in range(HANDS):
            if hides_hand(state, rules, seat, other, hand):
                rest = np.int64(state.hand[other, hand])
                while rest != 0:
                    state.pool[size] = lowest_bit(rest)
                    rest = without_lowest(rest)
                    size += 1
    for slot in range(OUT):
        if hides_out(state, rules, seat, slot):
            state.pool[size] = state.out[slot]
            size += 1
    for i in range(state.action_at + state.action_known, rules.deck_size):
        state.pool[size] = state.action[i]
        size += 1
    return size


@step
def hand_out(state, rules, seat):
    """Put the pool back into the places it came from, in the same order."""
    at = 0
    for other in range(rules.players):
        for hand in range(HANDS):
            if hides_hand(state, rules, seat, other, hand):
                mask = np.int64(0)
                for _ in range(count_bits(np.int64(state.hand[other, hand]))):
                    mask |= bit(state.pool[at])
                    at += 1
                state.hand[other, hand] = mask
    for slot in range(OUT):
        if hides_out(state, rules, seat, slot):
            state.out[slot] = state.pool[at]
            at += 1
    for i in range(state.action_at + state.action_known, rules.deck_size):
        state.action[i] = state.pool[at]
        at += 1
