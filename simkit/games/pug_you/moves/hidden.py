"""What tests and search need of a state: where every card is, and dealing anew what a seat cannot know."""

import numpy as np

from simkit.games.pug_you.box import MAX_CARDS, MAX_SEATS
from simkit.games.pug_you.moves.cards import bit_of, card_in, half_of, hand_with
from simkit.games.pug_you.moves.readings import SEQUENTIAL
from simkit.games.pug_you.state import (
    ACTIVE_ZONE,
    CHOOSE,
    DISCARD_ZONE,
    DRAW_ZONE,
    EMPTY_HAND,
    NOBODY,
    OFFER,
    VOTE,
    ZONES,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import shuffle
from simkit.kernel.streams import below, next_word


@step
def votes_hidden(state, seat):
    """Whether a seat has a vote on the table that nobody else can see."""
    return state.phase == VOTE and state.vote[seat] != NOBODY


@step
def census(state, rules, places):
    """Where every card is: places[zone, card] for hands, votes on the table, scored cards, piles, the active card."""
    for zone in range(ZONES):
        for card in range(MAX_CARDS):
            places[zone, card] = 0
    for i in range(state.top, state.end):
        places[DRAW_ZONE, state.deck[i]] += 1
    for card in range(rules.deck_size):
        half, mask = half_of(card), bit_of(card)
        places[DISCARD_ZONE, card] = 1 if state.discard[half] & mask != 0 else 0
        for seat in range(rules.players):
            scored = state.scored[seat, half] | state.kept[seat, half]
            places[2 * MAX_SEATS + seat, card] = 1 if scored & mask != 0 else 0
    for seat in range(rules.players):
        for slot in range(state.cards[seat]):
            places[seat, card_in(state.hand[seat], slot)] += 1
        if votes_hidden(state, seat):
            card = state.vote[seat] >> 1
            places[MAX_SEATS + seat, card] = 1
            places[DISCARD_ZONE, card] -= 1
    if state.card != NOBODY:
        places[ACTIVE_ZONE, state.card] += 1


@step
def redeal_hidden(state, rules, seat, stream):
    """Deal anew, at random, all that the seat cannot know: the hands of others, their offers and their votes that lie face
    down, the draw pile and its order, and how others misjudge.

    How well questions fit people stays as it is, although a seat knows no more than its own opinion of it (D4): an
    opinion is a sum of both, and must not change.
    """
    size = gather(state, rules, seat)
    shuffle(state.pool, size, size, stream)
    hand_out(state, rules, seat, stream)
    for i in range(4):
        state.stream[i] = next_word(stream)
    for other in range(rules.players):
        if other != seat:
            state.opinion_key[other] = next_word(stream)
            if state.phase in (OFFER, CHOOSE) and state.cards[other] > 0:
                state.offered[other] = below(stream, state.cards[other])


@step
def gather(state, rules, seat):
    """Collect all hidden cards into the pool, in a fixed order of places; gives how many."""
    size = 0
    for other in range(rules.players):
        if other != seat:
            for slot in range(state.cards[other]):
                state.pool[size] = card_in(state.hand[other], slot)
                size += 1
            if votes_hidden(state, other):
                card = state.vote[other] >> 1
                state.pool[size] = card
                size += 1
                state.discard[half_of(card)] &= ~bit_of(card)
                state.turds[state.vote[other] & 1] -= rules.turds[card]
    for i in range(state.top, state.end):
        state.pool[size] = state.deck[i]
        size += 1
    return size


@step
def hand_out(state, rules, seat, stream):
    """Put the pool back into the places it came from, in the same order; B13: votes may also be for the other nominee."""
    next_card = 0
    for other in range(rules.players):
        if other != seat:
            hand = np.int64(EMPTY_HAND)
            for _ in range(state.cards[other]):
                hand = hand_with(hand, state.pool[next_card])
                next_card += 1
            state.hand[other] = hand
            if votes_hidden(state, other):
                card = np.int64(state.pool[next_card])
                next_card += 1
                side = np.int64(state.vote[other] & 1)
                if rules.vote_order != SEQUENTIAL:
                    side = below(stream, 2)
                state.vote[other] = 2 * card + side
                state.discard[half_of(card)] |= bit_of(card)
                state.turds[side] += rules.turds[card]
    for i in range(state.top, state.end):
        state.deck[i] = state.pool[next_card]
        next_card += 1
