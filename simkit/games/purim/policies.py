"""How the policies of Purim choose (RULES.md part C). What they imagine is in `moves/imagine.py` and `moves/weigh.py`."""

import numpy as np

from simkit.games.purim.box import DESTROY_SON, END, EVIL, LOYAL, MAX_SEATS, MOVE_MESSENGER, RIDE_GOLD, SON_STEP
from simkit.games.purim.moves.board import copy_board, steps_of
from simkit.games.purim.moves.imagine import imagine
from simkit.games.purim.moves.readings import ALL_OPEN, DECK_FIRST, NIGHT_STEPS
from simkit.games.purim.moves.rounds import sorted_out
from simkit.games.purim.moves.value import value
from simkit.games.purim.moves.weigh import (
    begin_weighing,
    weigh,
    weigh_cubes,
    weigh_riders,
    weigh_rides,
    weigh_routes,
    weigh_steppers,
    weigh_steps,
    weigh_to_top,
    weigh_victims,
    weigh_walks,
)
from simkit.games.purim.state import (
    ABILITIES,
    IMAGINED,
    LARGE,
    LOYAL_CHOICE,
    MESSENGER_SET,
    NIGHT,
    NO_CARD,
    OPERATION,
    ORDER,
    ORIGIN,
    PAIR,
    PICK,
    PLACE,
    PROVINCE,
    REAL,
    RIDE,
    RIDER,
    ROUTE,
    SELECT,
    STEP,
    WALK,
)
from simkit.kernel.jit import loop, phase, step
from simkit.kernel.piles import bit, lowest_bit, without_lowest
from simkit.kernel.streams import below

GREEDY, CAUTIOUS, LOYAL_ONLY, POOLED = 1, 2, 3, 4
PLANS = 4  # that are left after each seat
NEVER = -(10**9)


@phase
def choose(policy, state, rules, stream):
    """The choice of a policy for the seat to move, 0 .. count_choices - 1. Reads only what that seat may know."""
    decision = state.phase
    if state.choices == 1:
        return np.int64(0)
    if decision in (PLACE, ORDER) or (policy == LOYAL_ONLY and does_not_care(state)):
        return below(stream, np.int64(state.choices))
    cautious = np.int64(1 if policy == CAUTIOUS else 0)
    begin_weighing(state)
    if decision == SELECT:
        weigh_selection(policy, state, rules, cautious, stream)
    elif decision == LOYAL_CHOICE:
        if policy == LOYAL_ONLY:
            return np.int64(0)
        weigh_loyal(state, rules, cautious, stream)
    elif decision == PICK:
        weigh_picks(state, rules, cautious, stream)
    else:
        weigh_targets(state, rules, cautious)
    return np.int64(state.ties[below(stream, np.int64(state.tied))])


@step
def does_not_care(state):
    """Whether every choice scores 0 with `loyal_only`."""
    decision = state.phase
    cares = decision in (SELECT, LOYAL_CHOICE, NIGHT)
    return not (cares or (state.stage == OPERATION and state.section == LOYAL))


# --- targets


@loop
def weigh_targets(state, rules, cautious):
    """All decisions in the middle of an operation, and NIGHT."""
    decision = state.phase
    code, among = np.int64(state.code), np.int64(state.among)
    board = state.boards[REAL]
    if decision in (MESSENGER_SET, PAIR, PROVINCE):
        selector, n, c, choices = np.int64(state.a), np.int64(state.b), np.int64(state.c), np.int64(state.choices)
        weigh_cubes(state, rules, REAL, cautious, code, selector, c, n, among, choices)
    elif decision == RIDER:
        steps = np.int64(state.b if code == MOVE_MESSENGER else state.a)
        weigh_riders(state, rules, REAL, cautious, among, steps, code == RIDE_GOLD)
    elif decision in (WALK, NIGHT):
        messenger = np.int64(state.rider)
        steps = steps_of(board, rules, messenger, state.b) if decision == WALK else np.int64(NIGHT_STEPS)
        weigh_walks(state, rules, REAL, cautious, messenger, steps)
    elif decision == RIDE:
        messenger = np.int64(state.rider)
        weigh_rides(state, rules, REAL, cautious, messenger, steps_of(board, rules, messenger, state.a))
    elif decision == ORIGIN:
        weigh_to_top(state, rules, REAL, cautious, among, True, state.decline == 1)
    elif decision == ROUTE:
        weigh_routes(state, rules, REAL, cautious, np.int64(state.travellers))
    elif decision == STEP:
        is_step = 0 if state.stage == ABILITIES else 1
        weigh_steps(state, rules, REAL, cautious, np.int64(state.mover), is_step)
    elif code == SON_STEP:
        weigh_steppers(state, rules, REAL, cautious, among)
    elif code == DESTROY_SON:
        weigh_victims(state, rules, REAL, cautious, among)
    else:
        weigh_to_top(state, rules, REAL, cautious, among, False, state.decline == 1)


@loop
def weigh_loyal(state, rules, cautious, stream):
    """LOYAL: carry it out, or leave it out."""
    copy_board(state, REAL, IMAGINED)
    imagine(state, rules, IMAGINED, cautious, np.int64(state.kind), LOYAL, LOYAL, stream)
    done = value(state.boards[IMAGINED], rules, cautious)
    begin_weighing(state)
    weigh(state, 0, done, IMAGINED)
    weigh(state, 1, value(state.boards[REAL], rules, cautious), REAL)


# --- cards


@loop
def weigh_picks(state, rules, cautious, stream):
    """PICK: the End Effects of two cards, one after the other by ascending kind."""
    low, middle, high = sorted_out(state)
    for choice in range(3):
        copy_board(state, REAL, IMAGINED)
        imagine(state, rules, IMAGINED, cautious, low if choice < 2 else middle, END, END, stream)
        imagine(state, rules, IMAGINED, cautious, middle if choice == 0 else high, END, END, stream)
        state.after[choice] = value(state.boards[IMAGINED], rules, cautious)
    begin_weighing(state)
    for choice in range(3):
        weigh(state, choice, state.after[choice], REAL)


@loop
def weigh_selection(policy, state, rules, cautious, stream):
    """SELECT: each card of the hand gets its score in `state.after`, by kind; then they are weighed."""
    hand = np.int64(state.among)
    if policy == POOLED and rules.communication == ALL_OPEN and rules.players > 1:
        plan_together(state, rules, stream)
    else:
        imagine_actions(policy, state, rules, cautious, hand, stream)
        if policy != LOYAL_ONLY:
            imagine_ends(state, rules, cautious, hand, stream)
            rest = hand
            while rest != 0:
                kind = lowest_bit(rest)
                rest = without_lowest(rest)
                state.after[kind] = 2 * state.after[kind] + best_end(state, hand & ~bit(kind))
    begin_weighing(state)
    choice = 0
    rest = hand
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        weigh(state, choice, state.after[kind], REAL)
        choice += 1


@loop
def imagine_actions(policy, state, rules, cautious, hand, stream):
    """A(c) for every card; for `loyal_only` minus the gold that its Loyal Action leaves in the supply."""
    rest = hand
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        copy_board(state, REAL, IMAGINED)
        if policy == LOYAL_ONLY:
            imagine(state, rules, IMAGINED, cautious, kind, LOYAL, LOYAL, stream)
            state.after[kind] = -np.int64(state.boards[IMAGINED].gold_left)
        else:
            turned = np.int64(NO_CARD)
            if rules.players == 1 and rules.solo_deck_peek == DECK_FIRST:
                turned = np.int64(state.out[1])
            if turned >= 0 and rules.number[turned] < rules.number[kind]:
                imagine(state, rules, IMAGINED, cautious, turned, LOYAL, EVIL, stream)
                turned = np.int64(NO_CARD)
            imagine(state, rules, IMAGINED, cautious, kind, LOYAL, EVIL, stream)
            if turned >= 0:
                imagine(state, rules, IMAGINED, cautious, turned, LOYAL, EVIL, stream)
            state.after[kind] = value(state.boards[IMAGINED], rules, cautious)


@phase
def imagine_ends(state, rules, cautious, cards, stream):
    """E(c) for every card of a mask."""
    rest = cards
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        copy_board(state, REAL, IMAGINED)
        imagine(state, rules, IMAGINED, cautious, kind, END, END, stream)
        state.at_end[kind] = value(state.boards[IMAGINED], rules, cautious)


@step
def best_end(state, cards):
    """The highest E(c) of some cards."""
    best = np.int64(-LARGE)
    rest = cards
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        best = max(best, state.at_end[kind])
    return best


# --- pooled: plans for all seats


@loop
def plan_together(state, rules, stream):
    """SELECT of `pooled`: plans from the seat that selects to the last one; rows 0 to 3 are those that are left."""
    own = np.int64(state.seat)
    for seat in range(rules.players):
        imagine_ends(state, rules, np.int64(0), np.int64(state.hand[seat, state.hand_at]), stream)
    plans = 1
    for seat in range(MAX_SEATS):
        state.plan[0, seat] = state.out[seat] if seat < own else NO_CARD
    for seat in range(own, rules.players):
        found = 0  # rows PLANS to PLANS + found - 1, the best first
        for i in range(plans):
            rest = np.int64(state.hand[seat, state.hand_at])
            while rest != 0:
                kind = lowest_bit(rest)
                rest = without_lowest(rest)
                state.plan[i, seat] = kind
                found = file_plan(state, i, points_of(state, rules, i, seat, stream), found)
            state.plan[i, seat] = NO_CARD
        plans = found
        for i in range(plans):
            state.points[i] = state.points[PLANS + i]
            for other in range(MAX_SEATS):
                state.plan[i, other] = state.plan[PLANS + i, other]
    rest = np.int64(state.among)
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        state.after[kind] = NEVER
    for i in range(plans):
        kind = np.int64(state.plan[plans - 1 - i, own])
        state.after[kind] = state.points[plans - 1 - i]


@loop
def points_of(state, rules, row, last, stream):
    """What a plan for the seats up to `last` is worth: all its cards in ascending number, and the best End Effects left."""
    copy_board(state, REAL, IMAGINED)
    ends = np.int64(0)
    waiting = np.int64(0)
    for seat in range(last + 1):
        card = np.int64(state.plan[row, seat])
        waiting |= bit(seat)
        ends += best_end(state, np.int64(state.hand[seat, state.hand_at]) & ~bit(card))
    while waiting != 0:
        first = np.int64(-1)
        for seat in range(last + 1):
            if (waiting >> seat) & 1 == 1 and (
                first < 0 or rules.number[state.plan[row, seat]] < rules.number[state.plan[row, first]]
            ):
                first = np.int64(seat)
        waiting &= ~bit(first)
        imagine(state, rules, IMAGINED, np.int64(0), np.int64(state.plan[row, first]), LOYAL, EVIL, stream)
    return 2 * value(state.boards[IMAGINED], rules, np.int64(0)) + ends


@loop
def file_plan(state, row, points, found):
    """Put a continued plan among the best ones, behind those that were made before it and are as good. Gives how many."""
    at = found
    while at > 0 and state.points[PLANS + at - 1] < points:
        at -= 1
    if at >= PLANS:
        return found
    last = min(found, PLANS - 1)
    for i in range(last - at):
        state.points[PLANS + last - i] = state.points[PLANS + last - i - 1]
        for seat in range(MAX_SEATS):
            state.plan[PLANS + last - i, seat] = state.plan[PLANS + last - i - 1, seat]
    state.points[PLANS + at] = points
    for seat in range(MAX_SEATS):
        state.plan[PLANS + at, seat] = state.plan[row, seat]
    return last + 1
