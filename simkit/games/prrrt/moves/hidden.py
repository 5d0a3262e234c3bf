"""What tests and search need of a state: where every card is, and dealing anew what a seat cannot know."""

import numpy as np

from simkit.games.prrrt.box import MAX_LOCATIONS, SHAMES, SMELLS
from simkit.games.prrrt.moves.cards import card, has, lowest, number_of
from simkit.games.prrrt.moves.readings import OWN_PILE_KNOWN
from simkit.games.prrrt.state import (
    ACCUSE,
    AHEAD,
    CENTRE_DOWN,
    CENTRE_UP,
    DECK,
    FRONTS,
    GONE,
    HANDS,
    NOBODY,
    PILES,
    PLAYED,
    REST,
    TAKE,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import shuffle
from simkit.kernel.streams import below, next_word


@step
def count_cards(zone, word):
    """Add a word's cards to a zone of the census."""
    for value in range(SMELLS):
        zone[value] += (word >> (4 * value)) & 15


@step
def cards_dealt(state, rules):
    """How many Smell cards are in the hands of players or have been in this round."""
    number = np.int64(0)
    for seat in range(rules.players):
        number += number_of(state.hand[seat] + state.front[seat] + state.gone[seat])
    return number


@step
def census(state, rules, places):
    """Where every card is: places[zone, kind], see state.py."""
    places[:, :] = 0
    for seat in range(rules.players):
        count_cards(places[HANDS + seat], state.hand[seat])
        count_cards(places[FRONTS + seat], state.front[seat])
        count_cards(places[GONE + seat], state.gone[seat])
        for value in range(SHAMES):
            places[PILES + seat, SMELLS + value] = state.pile[seat, value]
    for i in range(cards_dealt(state, rules), rules.smell_size):
        count_cards(places[REST], state.smell[i])
    for i in range(state.shame_drawn, rules.shame_size):
        places[DECK, SMELLS + state.shame[i]] += 1
    for i in range(state.centre_size):
        places[CENTRE_DOWN if lies_down(state, i) else CENTRE_UP, SMELLS + state.centre[i]] += 1
    for i in range(rules.locations):
        places[PLAYED if i < state.rounds else AHEAD, SMELLS + SHAMES + state.location[i]] += 1


@step
def lies_down(state, i):
    """Whether a card of the centre lies face down."""
    return (state.centre_down >> i) & 1 == 1


@step
def redeal_hidden(state, rules, seat, stream):
    """Deal anew, at random, all that the seat cannot know: other hands but for the cards it knows of (RULES.md C), what is
    not dealt, the piles of others (and its own, B16), face-down cards of the centre, the order of the decks, and at
    whom others point while not all have chosen.
    """
    redeal_smells(state, rules, seat, stream)
    redeal_shames(state, rules, seat, stream)
    shuffle(state.location[state.rounds :], rules.locations - state.rounds, MAX_LOCATIONS, stream)
    if state.phase == ACCUSE:
        accuser = np.int64(state.first)
        for _ in range(state.asked):
            if accuser != seat:
                choice = below(stream, rules.players)
                other = choice + (1 if choice >= accuser else 0)
                state.finger[accuser] = other if choice < rules.players - 1 else NOBODY
            accuser = (accuser + state.step) % rules.players


@step
def redeal_smells(state, rules, seat, stream):
    size = 0
    for other in range(rules.players):
        if other != seat:
            unknown = state.hand[other] - state.known[seat, other]
            for _ in range(number_of(unknown)):
                state.pool[size] = card(lowest(unknown))
                unknown -= state.pool[size]
                size += 1
    begin = cards_dealt(state, rules)
    for i in range(begin, rules.smell_size):
        state.pool[size] = state.smell[i]
        size += 1
    shuffle(state.pool, size, size, stream)
    size = 0
    for other in range(rules.players):
        if other != seat:
            missing = number_of(state.hand[other] - state.known[seat, other])
            state.hand[other] = state.known[seat, other]
            for _ in range(missing):
                state.hand[other] += state.pool[size]
                size += 1
    for i in range(begin, rules.smell_size):
        state.smell[i] = state.pool[size]
        size += 1
    for other in range(rules.players):
        if other != seat:  # what others know of it is hidden too, but must stay possible
            for witness in range(rules.players):
                if witness != seat:
                    state.known[witness, other] = in_both(state.known[witness, other], state.hand[other])
    if state.phase == TAKE and state.seat != seat and state.target != seat:
        state.known[state.seat, state.target] = state.hand[state.target]


@step
def in_both(known, hand):
    """The cards of a word that are in another as well."""
    both = np.int64(0)
    for _ in range(number_of(known)):
        value = lowest(known)
        known -= card(value)
        if has(hand, value) == 1:
            hand -= card(value)
            both += card(value)
    return both


@step
def redeal_shames(state, rules, seat, stream):
    size = 0
    for other in range(rules.players):
        if other != seat or rules.know_own_pile != OWN_PILE_KNOWN:
            for value in range(SHAMES):
                for _ in range(state.pile[other, value]):
                    state.shame_pool[size] = value
                    size += 1
    for i in range(state.centre_size):
        if lies_down(state, i):
            state.shame_pool[size] = state.centre[i]
            size += 1
    for i in range(state.shame_drawn, rules.shame_size):
        state.shame_pool[size] = state.shame[i]
        size += 1
    shuffle(state.shame_pool, size, size, stream)
    size = 0
    for other in range(rules.players):
        if other != seat or rules.know_own_pile != OWN_PILE_KNOWN:
            for value in range(SHAMES):
                state.pile[other, value] = 0
            state.points[other] = 0
            for _ in range(state.pile_cards[other]):
                state.pile[other, state.shame_pool[size]] += 1
                state.points[other] += state.shame_pool[size]
                size += 1
    for i in range(state.centre_size):
        if lies_down(state, i):
            state.centre[i] = state.shame_pool[size]
            size += 1
    for i in range(state.shame_drawn, rules.shame_size):
        state.shame[i] = state.shame_pool[size]
        size += 1
    for i in range(4):
        state.shame_stream[i] = next_word(stream)
    state.dealing = next_word(stream)  # what is to come is no more to be known than what lies there
    state.turning = next_word(stream)
    state.word = next_word(stream)
