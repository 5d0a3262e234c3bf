"""Questions and effects (A4, A7, B26, B27): what is turned up, and what cards do and move."""

import numpy as np

from simkit.games.prrrt.box import SHAMES, card_word
from simkit.games.prrrt.moves.cards import (
    card,
    digits,
    left_over,
    nth_card,
    nth_multiset,
    number_of,
)
from simkit.games.prrrt.moves.chance import first_word, pick
from simkit.games.prrrt.moves.choices import (
    count_swaps,
    hand_to_choose_from,
    seats_to_choose,
    swap_of,
    target_of,
)
from simkit.games.prrrt.moves.readings import CHOOSE, DRAWS, SHOWN, TRIGGERS, TURNED_UP
from simkit.games.prrrt.moves.telling import tell
from simkit.games.prrrt.state import ANSWER, GIVE, MAX_LINKS, NEXT, SWAP, TAKE, TARGET
from simkit.games.prrrt.story import (
    DECLINES,
    DISCARDS,
    DREW,
    EMPTY_HAND,
    EXCHANGES,
    GAVE,
    NO_EFFECT,
    NOTHING_LEFT,
    OFFERS,
    PASSED_ON,
    SWAPPED,
    TOOK,
    TURNED,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import bit
from simkit.kernel.streams import below, open_chance

FIVE = card_word(5)
NOTHING = 0  # a value without effect
FIRST_EFFECT, LAST_EFFECT = 3, 7


@step
def beside(state, rules, seat):
    """The next seat in the direction of the round."""
    after = np.int64(seat) + state.step
    return after if after < rules.players else after - rules.players


@step
def question(state):
    """D5: the number of the question at hand."""
    return 32 * np.int64(state.rounds) + 8 * np.int64(state.tour) + np.int64(state.seat)


@step
def ask(state, rules, seat):
    """A4: the next player is questioned. What decides which card is turned up by a denial is looked up before the answer,
    because that takes longer than the answer: 6 per cent of the time of a random playout.
    """
    state.seat = seat
    state.phase = ANSWER
    state.word = first_word(state.turning, question(state))


@step
def turn_up(state, rules, streams, log):
    """A4: the asker draws a card from the hand of the denier; gives its value."""
    seat = np.int64(state.seat)
    number = number_of(state.hand[seat])
    if number == 0:
        tell(log, NOTHING_LEFT, seat, 0, 0, 0)
        return np.int64(NOTHING)
    value = nth_card(state.hand[seat], pick(state.word, streams, TURNED_UP, question(state), number))
    state.hand[seat] -= card(value)
    state.front[seat] += card(value)
    state.turned[seat] |= bit(value)
    state.played[seat] |= bit(value)
    state.revealed[value] += 1
    state.links = 0
    if state.known_of != 0:
        seen_leaving(state, rules, seat, value)
    if log is not None:
        asker = seat - state.step
        tell(log, TURNED, asker if asker >= 0 else asker + rules.players, value, 0, 0)
    return value


@step
def begin_effect(state, rules, value, log):
    """A7, B26: the effect of a card of this value, up to its first decision."""
    seat = np.int64(state.seat)
    if value == LAST_EFFECT:
        discard(state, rules, log)
        return
    state.effect = 0
    possible = False
    if value == 5:
        possible = count_swaps(state, rules) > 0
        phase = SWAP
    else:
        state.effect = value
        possible = state.pile_cards[seat] > 0 if value == 3 else seats_to_choose(state, rules) != 0
        phase = TARGET
    if possible:
        state.phase = phase
    else:
        tell(log, NO_EFFECT, value, 0, 0, 0)


@step
def discard(state, rules, log):
    """A7: the effect of a 7."""
    seat = np.int64(state.seat)
    if log is not None:
        number = number_of(state.hand[seat])
        tell(log, DISCARDS, seat, number, digits(state.hand[seat], number), 0)
    state.gone[seat] += state.hand[seat]
    state.hand[seat] = 0
    state.effects[LAST_EFFECT] += 1
    for witness in range(rules.players):
        state.known[witness, seat] = 0


@step
def swap(state, rules, choice, log):
    """SWAP: take a card that lies in front of another and leave the 5; gives the value that has its effect now (B27)."""
    seat = np.int64(state.seat)
    pair = swap_of(state, rules, choice)
    other, value = pair // 10, pair % 10
    difference = card(value) - FIVE
    state.front[seat] += difference
    state.front[other] -= difference
    state.drawn[seat] |= card(value)
    state.drawn[other] |= FIVE
    state.effects[5] += 1
    tell(log, SWAPPED, seat, value, other, 0)
    if rules.effect5_triggers != TRIGGERS or state.links == MAX_LINKS:
        return np.int64(NOTHING)
    state.links += 1
    return value


@step
def choose_target(state, rules, choice, streams, log):
    """TARGET: decline, or choose B; with a 3 that is all, with a 4 or 6 the exchange begins."""
    seat = np.int64(state.seat)
    target = target_of(state, rules, choice)
    if target < 0:
        tell(log, DECLINES, seat, 0, 0, 0)
    elif state.effect == 3:
        tell(log, OFFERS, seat, target, 0, 0)
        pass_on(state, target, streams, log)
    else:
        state.target = target
        state.exchanged = min(1 if state.effect == 4 else 3, number_of(state.hand[target]))
        tell(log, EXCHANGES, seat, target, 0, 0)
        if state.exchanged == 0:
            tell(log, EMPTY_HAND, target, 0, 0, 0)
        elif rules.exchange_draw == CHOOSE:
            state.effects[state.effect] += 1
            state.known[seat, target] = state.hand[target]
            state.known_of |= bit(target)
            state.phase = TAKE
        else:
            state.effects[state.effect] += 1
            draw_blindly(state, rules, streams, log)
            state.phase = GIVE


@step
def pass_on(state, target, streams, log):
    """A7: the effect of a 3. B draws a card of A's pile and gets all of its value."""
    seat = np.int64(state.seat)
    number = below(open_chance(streams, SHOWN, question(state)), np.int64(state.pile_cards[seat]))
    value = 1
    while value < SHAMES - 1 and number >= state.pile[seat, value]:
        number -= state.pile[seat, value]
        value += 1
    cards = np.int64(state.pile[seat, value])
    points = cards * value
    state.pile[seat, value] = 0
    state.pile[target, value] += cards
    state.pile_cards[seat] -= cards
    state.pile_cards[target] += cards
    state.points[seat] -= points
    state.points[target] += points
    state.given[seat] += points
    state.gained[target] += points
    state.effects[3] += 1
    tell(log, PASSED_ON, target, value, cards, 0)


@step
def draw_blindly(state, rules, streams, log):
    """A7: the cards that A draws from the hand of B with a 4 or 6."""
    stream = open_chance(streams, DRAWS, question(state))
    hand = state.hand[state.target]
    drawn = np.int64(0)
    for _ in range(state.exchanged):
        value = nth_card(hand, below(stream, number_of(hand)))
        hand -= card(value)
        drawn += card(value)
    if log is not None:
        tell(log, DREW, state.seat, state.exchanged, digits(drawn, np.int64(state.exchanged)), state.target)
    move(state, rules, state.target, state.seat, drawn)


@step
def exchange(state, rules, choice, log):
    """TAKE: A takes cards it has chosen from the hand of B. GIVE: it gives as many back."""
    taking = state.phase == TAKE
    chosen = nth_multiset(hand_to_choose_from(state), np.int64(state.exchanged), choice)
    if log is not None:
        event = TOOK if taking else GAVE
        tell(log, event, state.seat, state.exchanged, digits(chosen, np.int64(state.exchanged)), state.target)
    giver, taker = state.seat, state.target
    if taking:
        giver, taker = taker, giver
    move(state, rules, giver, taker, chosen)
    state.phase = GIVE if taking else NEXT


@step
def move(state, rules, giver, taker, cards):
    """Cards go from a hand to another; both players know them, and the others forget what they knew of both hands."""
    state.hand[giver] -= cards
    state.hand[taker] += cards
    state.drawn[taker] |= cards
    for witness in range(rules.players):
        if witness != taker:
            state.known[witness, giver] = 0
        if witness != giver:
            state.known[witness, taker] = 0
    state.known[taker, giver] = left_over(state.known[taker, giver], cards)
    state.known[giver, taker] += cards
    state.known_of |= bit(giver) | bit(taker)


@step
def seen_leaving(state, rules, seat, value):
    """Everybody sees which card leaves a hand: one less is surely there."""
    for witness in range(rules.players):
        state.known[witness, seat] = left_over(state.known[witness, seat], card(value))
