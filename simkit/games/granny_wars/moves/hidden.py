"""What tests and search need of a state: where every card is, and dealing anew what a seat cannot know."""

from simkit.games.granny_wars.box import KINDS, MAX_PILES, MAX_SEATS
from simkit.games.granny_wars.moves.cards import take
from simkit.games.granny_wars.state import (
    FACE_DOWN,
    KIND_BITS,
    NUMBER_SHOWN,
    PLACER_SHIFT,
    STOLEN,
    ZONES,
)
from simkit.kernel.jit import step
from simkit.kernel.streams import below


@step
def census(state, rules, places):
    """Where every card is: places[zone, kind] for the hands, the piles, out of the game, in the air."""
    for zone in range(ZONES):
        for kind in range(KINDS):
            places[zone, kind] = 0
    for seat in range(rules.players):
        for kind in range(KINDS):
            places[seat, kind] = state.held[seat, kind]
    for pile in range(rules.piles):
        for i in range(state.pile_size[pile]):
            places[MAX_SEATS + pile, state.pile[pile, i] & KIND_BITS] += 1
    for i in range(rules.players * rules.hand_size, rules.deck_size):
        places[MAX_SEATS + MAX_PILES, state.deck[i]] += 1
    if state.in_air >= 0:
        places[MAX_SEATS + MAX_PILES + 1, state.in_air] += 1


@step
def is_hidden(card, seat):
    """Whether a seat cannot know a card that lies in a pile."""
    down = card & FACE_DOWN != 0 and card & NUMBER_SHOWN == 0
    return down and (card >> PLACER_SHIFT) & 7 != seat


@step
def redeal_hidden(state, rules, seat, stream):
    """Deal anew, at random, all that the seat cannot know: other hands but for the copies it knows of (B26), face-down
    cards of others, a card in the air between others, the cards out of the game, and the other loyalties.

    A face-down card that made a card bounce or bounced has shown its number and stays.
    """
    for i in range(rules.piles - 1):  # every place but the seat's own, among those not settled yet
        if i == seat:
            continue
        left = rules.piles - i - (1 if seat > i else 0)
        j = i
        for _ in range(below(stream, left)):
            j += 1
            j += 1 if j == seat else 0
        pile = state.owned[i]
        state.owned[i] = state.owned[j]
        state.owned[j] = pile
    size = gather(state, rules, seat)
    for i in range(size - 1):
        j = i + below(stream, size - i)
        kind = state.pool[j]
        state.pool[j] = state.pool[i]
        state.pool[i] = kind
    hand_out(state, rules, seat)


@step
def hand_is_seen(state, rules, seat, other):
    """Whether a seat looks into another hand right now (B2)."""
    return state.phase == STOLEN and state.seat == seat and state.target == other


@step
def air_is_hidden(state, seat):
    return state.in_air >= 0 and state.seat != seat and state.target != seat


@step
def gather(state, rules, seat):
    """Collect all hidden cards into the pool, in a fixed order of places; gives how many."""
    size = 0
    for other in range(rules.players):
        if other == seat or hand_is_seen(state, rules, seat, other):
            continue
        for kind in range(KINDS):
            for _ in range(state.held[other, kind] - state.known[seat, other, kind]):
                state.pool[size] = kind
                size += 1
    for pile in range(rules.piles):
        for i in range(state.pile_size[pile]):
            if is_hidden(state.pile[pile, i], seat):
                state.pool[size] = state.pile[pile, i] & KIND_BITS
                size += 1
    if air_is_hidden(state, seat):
        state.pool[size] = state.in_air
        size += 1
    for i in range(rules.players * rules.hand_size, rules.deck_size):
        state.pool[size] = state.deck[i]
        size += 1
    return size


@step
def hand_out(state, rules, seat):
    """Put the pool back into the places it came from, in the same order."""
    next_card = 0
    for other in range(rules.players):
        if other == seat or hand_is_seen(state, rules, seat, other):
            continue
        count = state.hand[other]
        state.hand[other] = 0
        state.different[other] = 0
        state.kinds[other] = 0
        for kind in range(KINDS):
            state.held[other, kind] = 0
        for kind in range(KINDS):
            for _ in range(state.known[seat, other, kind]):
                take(state, other, kind)
        for _ in range(count - state.hand[other]):
            take(state, other, state.pool[next_card])
            next_card += 1
        for witness in range(rules.players):  # what others know of it is hidden too, but must stay possible
            if witness != seat:
                for kind in range(KINDS):
                    state.known[witness, other, kind] = min(state.known[witness, other, kind], state.held[other, kind])
    for pile in range(rules.piles):
        for i in range(state.pile_size[pile]):
            card = state.pile[pile, i]
            if is_hidden(card, seat):
                kind = state.pool[next_card]
                next_card += 1
                placer = (card >> PLACER_SHIFT) & 7
                state.beneath[placer, pile] += rules.value[kind] - rules.value[card & KIND_BITS]
                state.pile[pile, i] = (card & ~KIND_BITS) | kind
    if air_is_hidden(state, seat):
        state.in_air = state.pool[next_card]
        next_card += 1
    for i in range(rules.players * rules.hand_size, rules.deck_size):
        state.deck[i] = state.pool[next_card]
        next_card += 1
