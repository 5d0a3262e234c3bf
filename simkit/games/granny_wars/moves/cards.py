"""Cards moving: into a hand, out of it, onto a pile, from pile to pile; and what the others remember of it."""

import numpy as np

from simkit.games.granny_wars.box import KINDS
from simkit.games.granny_wars.moves.readings import NO_BOUNCE, OWNER_NUMBER, ZERO_BOUNCES
from simkit.games.granny_wars.state import FACE_DOWN, KIND_BITS, NUMBER_SHOWN, PLACER_SHIFT
from simkit.kernel.jit import step
from simkit.kernel.piles import bit


@step
def take(state, seat, kind):
    """Put a card into a hand. Here and below, sums stand for branches that the processor could only guess."""
    state.different[seat] += 1 if state.held[seat, kind] == 0 else 0
    state.held[seat, kind] += 1
    state.kinds[seat] |= bit(kind)
    state.hand[seat] += 1


@step
def give_up(state, seat, kind):
    """Take a card out of a hand."""
    state.held[seat, kind] -= 1
    was_last = 1 if state.held[seat, kind] == 0 else 0
    state.different[seat] -= was_last
    state.kinds[seat] &= ~(was_last * bit(kind))
    state.hand[seat] -= 1


@step
def is_opposite(rules, a, b):
    """A4, B9: whether the numbers of two kinds are equal and opposite."""
    return rules.value[a] + rules.value[b] == 0 and (rules.value[a] != 0 or rules.zero_bounces == ZERO_BOUNCES)


@step
def place(state, rules, seat, kind, pile, down):
    """Lay a card on a pile. Gives whether it makes the covered card bounce, which lies at the depth before the last."""
    size = state.pile_size[pile]
    value = rules.value[kind]
    bounces = False
    card = kind | (np.int64(seat) << PLACER_SHIFT)
    if down == 1:
        card |= FACE_DOWN
        state.beneath[seat, pile] += value
    else:
        state.total[pile] += value
        state.lean[seat, pile] += value
    if size > 0:
        covered = state.pile[pile, size - 1]
        hidden = (covered | card) & FACE_DOWN
        if is_opposite(rules, kind, covered & KIND_BITS) and (hidden == 0 or rules.facedown_bounce == OWNER_NUMBER):
            bounces = rules.bounce != NO_BOUNCE
            if bounces and hidden != 0:
                card |= NUMBER_SHOWN
                state.pile[pile, size - 1] = covered | NUMBER_SHOWN
    state.pile[pile, size] = card
    state.pile_size[pile] = size + 1
    state.cards_played += 1
    state.own_positive[seat] += (1 if value > 0 else 0) * (1 if state.owned[seat] == pile else 0)
    state.played[seat] |= bit(kind)
    return bounces


@step
def recount(state, rules, card, start, end):
    """Carry the number of a card over from one pile's sum to another's."""
    value = rules.value[card & KIND_BITS]
    if card & FACE_DOWN != 0:
        placer = (card >> PLACER_SHIFT) & 7
        state.beneath[placer, start] -= value
        state.beneath[placer, end] += value
    else:
        state.total[start] -= value
        state.total[end] += value


@step
def move_bounced(state, rules, start, depth, end):
    """Take the card at a depth out of a pile and lay it on another; gives the card."""
    card = state.pile[start, depth]
    for i in range(depth, state.pile_size[start] - 1):
        state.pile[start, i] = state.pile[start, i + 1]
    state.pile_size[start] -= 1
    state.pile[end, state.pile_size[end]] = card
    state.pile_size[end] += 1
    recount(state, rules, card, start, end)
    return card


@step
def seen_leaving(state, rules, seat, kind):
    """Everybody sees which card leaves a hand: one copy less is surely there."""
    if state.known_of[seat] != 0:
        for other in range(rules.players):
            state.known[other, seat, kind] -= 1 if state.known[other, seat, kind] > 0 else 0


@step
def left_unseen(state, rules, seat, but):
    """B26: a card leaves a hand, and only `but` sees which (-1: nobody does): the others forget what they knew of it."""
    if state.known_of[seat] != 0:
        for other in range(rules.players):
            if other != but:
                for kind in range(KINDS):
                    state.known[other, seat, kind] = 0


@step
def now_known(state, who, seat, kind):
    """`who` knows of one more copy of a kind in the hand of `seat`."""
    state.known[who, seat, kind] += 1
    state.known_of[seat] = 1
