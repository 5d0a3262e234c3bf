"""Shame cards moving: from the deck, from the centre, to the piles (A4, A6, B14, B30, B32)."""

import numpy as np

from simkit.games.prrrt.moves.chance import settle
from simkit.games.prrrt.moves.readings import CULPRIT_FIRST, END_NOW, EXHAUSTED
from simkit.games.prrrt.moves.telling import tell
from simkit.games.prrrt.story import FINGERS, MISSING, TAKES, WRONG
from simkit.kernel.jit import step


@step
def draw_shames(state, rules, count):
    """D1: settle the next `count` cards of the Shame deck, which must be there; gives the position of the first."""
    top = np.int64(state.shame_drawn)
    settle(state.shame, np.int64(rules.shame_size), top, top + count, state.shame_stream)
    state.shame_drawn = top + count
    return top


@step
def keep(state, seat, number, points):
    """Count Shame cards that have been put on the pile of a seat."""
    state.pile_cards[seat] += number
    state.points[seat] += points


@step
def take_centre(state, seat, begin, stride, log):
    """A seat takes every `stride`-th card of the centre from position `begin` on; gives their points."""
    points = np.int64(0)
    number = np.int64(0)
    for i in range(begin, np.int64(state.centre_size), stride):
        value = np.int64(state.centre[i])
        state.pile[seat, value] += 1
        number += 1
        points += value
        tell(log, TAKES, seat, value, 0, 0)
    keep(state, seat, number, points)
    state.from_centre[seat] += points
    return points


@step
def pay(state, rules, pointed, responsible, paying, log):
    """A6, B18, B32: cards for fingers and for wrong accusations; gives the reason if the game ends here.

    pointed : four bits a seat, how many point at it     responsible, paying : masks of culprits, of wrong accusers who pay
    """
    seats = np.int64(rules.players)
    for i in range(2 * seats):
        if rules.penalty_order == CULPRIT_FIRST:
            wrong = 1 if i >= seats else 0
            place = i - seats if wrong == 1 else i + 1  # culprits in questioning order, the others in table order
        else:
            wrong = i & 1
            place = i >> 1
        seat = (state.first + place * state.step) % seats
        fingers = (pointed >> (4 * seat)) & 15 if (responsible >> seat) & 1 == 1 else 0
        due = (paying >> seat) & 1 if wrong == 1 else fingers
        if due > 0 and draw_penalty(state, rules, seat, due, wrong, log) != 0:
            return EXHAUSTED
    return 0


@step
def draw_penalty(state, rules, seat, due, wrong, log):
    """A seat draws Shame cards; 1 if the game ends because the deck is empty (B14)."""
    there = min(due, rules.shame_size - state.shame_drawn)
    points = np.int64(0)
    top = draw_shames(state, rules, there)
    for i in range(there):
        value = np.int64(state.shame[top + i])
        state.pile[seat, value] += 1
        points += value
        tell(log, WRONG if wrong == 1 else FINGERS, seat, value, 0, 0)
    keep(state, seat, there, points)
    state.for_wrong[seat] += points * wrong
    state.for_fingers[seat] += points * (1 - wrong)
    if there < due:
        if rules.shame_exhausted == END_NOW:
            state.shame_missing += 1
            return 1
        state.shame_missing += due - there
        tell(log, MISSING, due - there, 0, 0, 0)
    return 0
