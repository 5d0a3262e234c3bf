"""The decision at hand: who decides, how many choices there are and what each means (RULES.md part C)."""

import numpy as np

from simkit.games.purim.box import MAX_PROVINCES, MAX_RIDE, MESSENGERS
from simkit.games.purim.moves.board import steps_of
from simkit.games.purim.moves.rounds import sorted_out
from simkit.games.purim.moves.targets import nth_ride, set_of
from simkit.games.purim.state import (
    DECLINE_ORIGIN,
    DECLINE_SON,
    LOYAL_CHOICE,
    LOYAL_CODE,
    MESSENGER_SET,
    NIGHT,
    NIGHT_CODE,
    ORDER,
    ORDER_CODE,
    ORIGIN,
    ORIGIN_CODE,
    OVER,
    PAIR,
    PAIR_CODE,
    PICK,
    PICK_CODE,
    PLACE,
    PLACE_CODE,
    PROVINCE,
    PROVINCE_CODE,
    REAL,
    RIDE,
    RIDE_CODE,
    RIDER,
    RIDER_CODE,
    ROUTE,
    ROUTE_CODE,
    SELECT,
    SELECT_CODE,
    SET_CODE,
    SON_CHOICE,
    SON_CODE,
    STEP_CODE,
    WALK,
    WALK_CODE,
)
from simkit.kernel.jit import phase, step
from simkit.kernel.piles import lowest_bit, nth_bit

ROUTES_OF_A_PAIR = 10_000
PAIR_OF_KINDS = 32


@step
def is_over(state, rules):
    return state.phase == OVER


@step
def seat_to_move(state, rules):
    return np.int64(state.seat)


@step
def count_choices(state, rules):
    """How many choices the decision at hand has (part C)."""
    return np.int64(state.choices)


@phase
def choice_code(state, rules, choice):
    """What a choice means, whatever else could have been chosen; ascending in `choice` (part C)."""
    decision = state.phase
    if decision == RIDE:
        return RIDE_CODE + ride_code(state, rules, choice)
    if decision == ROUTE:
        board = state.boards[REAL]
        origin = np.int64(board.son[lowest_bit(np.int64(state.travellers))])
        return ROUTE_CODE + ROUTES_OF_A_PAIR * (MAX_PROVINCES * origin + board.top) + choice
    if decision == MESSENGER_SET:
        return SET_CODE + digits(set_of(state.c, choice))
    if decision == LOYAL_CHOICE:
        return LOYAL_CODE + np.int64(choice)
    if decision == PICK:
        low, middle, high = sorted_out(state)
        first, second = low if choice < 2 else middle, middle if choice == 0 else high
        return PICK_CODE + PAIR_OF_KINDS * first + second
    if decision in (WALK, NIGHT):
        code = WALK_CODE if decision == WALK else NIGHT_CODE
        return np.int64(code) if choice == 0 else code + 1 + nth_bit(np.int64(state.among), choice - 1)
    if state.decline == 1 and choice == state.choices - 1:
        return np.int64(DECLINE_SON if decision == SON_CHOICE else DECLINE_ORIGIN)
    if decision == PAIR:
        return PAIR_CODE + digits(set_of(2, nth_bit(np.int64(state.among), choice)))
    return listed_code(state, rules, choice)


@step
def listed_code(state, rules, choice):
    """Decisions among listed things: their number, behind the first number of the decision."""
    decision = state.phase
    if decision not in (PLACE, SELECT, ORDER, PROVINCE, RIDER, SON_CHOICE, ORIGIN):
        here = state.boards[REAL].son[state.mover]
        return STEP_CODE + np.int64(rules.neighbour[here, choice])
    number = nth_bit(np.int64(state.among), choice)
    if decision == PLACE:
        return PLACE_CODE + number
    if decision == SELECT:
        return SELECT_CODE + number
    if decision == ORDER:
        return ORDER_CODE + number
    if decision == PROVINCE:
        return PROVINCE_CODE + number
    if decision == RIDER:
        return RIDER_CODE + number
    return (SON_CODE if decision == SON_CHOICE else ORIGIN_CODE) + number


@step
def digits(messengers):
    """The number whose digits are the Messengers of a mask, counted from 1."""
    code = np.int64(0)
    for messenger in range(MESSENGERS):
        if (messengers >> messenger) & 1 == 1:
            code = 10 * code + messenger + 1
    return code


@step
def ride_code(state, rules, choice):
    """The Provinces of a path as digits to the base 21, 0 beyond its end."""
    board = state.boards[REAL]
    messenger = np.int64(state.rider)
    steps = steps_of(board, rules, messenger, state.a)
    length = nth_ride(state, rules, np.int64(board.messenger[messenger]), steps, np.int64(choice))
    code = np.int64(0)
    for i in range(MAX_RIDE):
        code = (MAX_PROVINCES + 1) * code + (np.int64(state.path[i]) + 1 if i < length else 0)
    return code
