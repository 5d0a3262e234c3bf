"""Hands as words, sets of cards as pairs of masks, seats around the table, and drawing (D1, D3, B27)."""

import numpy as np

from simkit.games.pug_you.box import MAX_HAND, MAX_SEATS
from simkit.games.pug_you.moves.readings import AT_OFFERS, AT_REFILL, AT_VOTES, MOMENTS, RESHUFFLE
from simkit.games.pug_you.state import EMPTY, HALF, NOBODY, OFFER, SLOT_BITS, SLOT_MASK, SLOTS, VOTE
from simkit.games.pug_you.story import DRAWS, SHUFFLED
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit, without_lowest
from simkit.kernel.streams import below, derive, open_stream

EVERY_SLOT = sum(1 << SLOT_BITS * slot for slot in range(SLOTS))  # a 1 in each slot
SLOT_TOPS = EVERY_SLOT << (SLOT_BITS - 1)
HAND_MASK = (1 << SLOT_BITS * SLOTS) - 1
LAST_EMPTY = EMPTY << SLOT_BITS * (SLOTS - 1)


# --- seats


@step
def seat_from(rules, start, steps):
    """The seat so many steps to the left of another, fewer than twice around."""
    seat = start + steps
    return seat - rules.players if seat >= rules.players else seat


@step
def steps_to(rules, start, seat):
    """How many steps to the left it is from one seat to another."""
    steps = seat - start
    return steps + rules.players if steps < 0 else steps


# --- hands


@step
def card_in(hand, slot):
    """The card in a slot of a hand: slots are in the order of numbers."""
    return (hand >> (SLOT_BITS * slot)) & SLOT_MASK


@step
def hand_without(hand, slot):
    """The hand without the card in a slot."""
    lower = bit(SLOT_BITS * slot) - 1
    return (hand & lower) | ((hand >> SLOT_BITS) & ~lower) | LAST_EMPTY


@step
def hand_with(hand, card):
    """The hand with one card more, which goes below the first slot with a higher card: all slots are compared at once."""
    card = np.int64(card)
    shift = lowest_bit(((hand | SLOT_TOPS) - card * EVERY_SLOT) & SLOT_TOPS) - (SLOT_BITS - 1)
    lower = bit(shift) - 1
    return (hand & lower) | (card << shift) | (((hand & ~lower) << SLOT_BITS) & HAND_MASK)


@step
def give_up(state, rules, seat, slot):
    """Take the card in a slot out of a hand, to vote with it or to ask it; gives the card."""
    hand = state.hand[seat]
    card = card_in(hand, slot)
    state.hand[seat] = hand_without(hand, slot)
    state.cards[seat] -= 1
    state.played[seat] |= bit(rules.kind[card])
    return card


# --- sets


@step
def half_of(card):
    """Which mask of a set a card is in."""
    return 1 if card >= HALF else 0


@step
def bit_of(card):
    """The card's bit in that mask."""
    return bit(card - HALF * half_of(card))


@step
def votes_on_table(state, rules, half):
    """Mask of the cards, in one half of the deck, that lie on the table as votes and are not discards yet (B27)."""
    mask = np.int64(0)
    if state.phase == VOTE:
        for seat in range(rules.players):
            if state.vote[seat] != NOBODY:
                card = state.vote[seat] >> 1
                mask |= bit_of(card) * (1 if half_of(card) == half else 0)
    return mask


# --- drawing


@step
def moment(state):
    """D3: which of the moments of a turn it is."""
    if state.phase == OFFER:
        return np.int64(AT_OFFERS)
    return np.int64(AT_VOTES) + state.question if state.phase == VOTE else np.int64(AT_REFILL)


@step
def shuffle_discards(state, rules, streams, log):
    """D3: the discards become the draw pile; its order is settled card by card. Gives how many there are."""
    state.top = 0
    state.end = 0
    for half in range(2):
        left = votes_on_table(state, rules, half)
        cards = state.discard[half] & ~left
        state.discard[half] = left
        while cards != 0:
            state.deck[state.end] = HALF * half + lowest_bit(cards)
            state.end += 1
            cards = without_lowest(cards)
    if state.end > 0:
        event = MOMENTS * np.int64(state.turns) + moment(state)
        open_stream(state.stream, derive(derive(streams.chance_key, RESHUFFLE), event))
        state.reshuffles += 1
        note(log, SHUFFLED, state.end, 0, 0, 0, 0)
    return state.end


@step
def top_card(state):
    """Take the top card of the draw pile, which must not be empty: one step of a shuffle of the whole."""
    place = state.top + below(state.stream, state.end - state.top)
    card = state.deck[place]
    state.deck[place] = state.deck[state.top]
    state.top += 1
    return card


@step
def draw(state, rules, streams, wanted, start, log):
    """Draw a card for every bit of `wanted`: MAX_HAND bits for each seat, from `start` to the left. Gives the bits for
    which there was no card."""
    while wanted != 0:
        if state.top == state.end and shuffle_discards(state, rules, streams, log) == 0:
            break
        seat = seat_from(rules, start, np.uint32(lowest_bit(wanted)) // np.uint32(MAX_HAND))
        wanted = without_lowest(wanted)
        card = top_card(state)
        state.hand[seat] = hand_with(state.hand[seat], card)
        state.cards[seat] += 1
        state.drawn[seat] |= bit(rules.kind[card])
        note(log, DRAWS, seat, card, 0, 0, 0)
    return wanted


@step
def cards_left(state, rules):
    """How many cards are in hands, in the draw pile and among the discards."""
    total = np.int64(state.end) - state.top + count_bits(state.discard[0]) + count_bits(state.discard[1])
    for seat in range(MAX_SEATS):
        total += state.cards[seat]
    return total
