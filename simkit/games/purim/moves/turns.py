"""Carrying out a choice, and everything after it that nobody decides."""

import numpy as np

from simkit.games.purim.moves.board import halted
from simkit.games.purim.moves.operations import (
    chosen_cubes,
    chosen_origin,
    chosen_rider,
    chosen_son,
    go_by,
    make_step,
    next_operation,
    next_rider,
    ride,
    walk,
)
from simkit.games.purim.moves.rounds import (
    begin_card,
    card_done,
    deal_cards,
    finish,
    loyal_or_not,
    new_round,
    new_turn,
    next_ability,
    next_card,
    pick,
    section_done,
    select,
    turn_done,
)
from simkit.games.purim.moves.setup import place_messenger, set_up
from simkit.games.purim.moves.telling import tell
from simkit.games.purim.state import (
    ABILITIES,
    CARD_DONE,
    DEALING,
    LOYAL_CHOICE,
    MESSENGER_SET,
    NEW_ROUND,
    NEW_TURN,
    NEXT_CARD,
    NIGHT,
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
    RUNNING,
    SELECT,
    SON_CHOICE,
    STEP,
    TURN_DONE,
    WALK,
)
from simkit.games.purim.story import GOES_FIRST
from simkit.kernel.jit import phase
from simkit.kernel.piles import nth_bit


@phase
def play_choice(state, rules, choice, streams, log):
    """Carry out a choice of the decision at hand, up to the next decision or the end."""
    decision = state.phase
    state.phase = RUNNING  # unless something more is to be decided
    if decision == SELECT:
        select(state, rules, choice, log)
    elif decision in (MESSENGER_SET, PAIR, PROVINCE):
        chosen_cubes(state, rules, choice, log)
    elif decision == RIDER:
        chosen_rider(state, rules, nth_bit(np.int64(state.among), choice))
    elif decision in (WALK, NIGHT):
        walk(state, choice, log)
        if decision == WALK:
            next_rider(state)
    elif decision == RIDE:
        ride(state, rules, choice, log)
    elif decision == SON_CHOICE:
        chosen_son(state, rules, choice, streams, log)
    elif decision == ORIGIN:
        chosen_origin(state, rules, choice, streams, log)
    elif decision == ROUTE:
        go_by(state, rules, choice, streams, log)
    elif decision == STEP:
        make_step(state, rules, choice, log)
    elif decision == LOYAL_CHOICE:
        loyal_or_not(state, rules, choice, log)
    elif decision == PICK:
        pick(state, choice, log)
    elif decision == ORDER:
        slot = nth_bit(np.int64(state.among), choice)
        tell(log, GOES_FIRST, np.int64(state.out[slot]), 0, 0)
        begin_card(state, rules, slot, log)
    elif decision == PLACE:
        place_messenger(state, rules, choice, streams, log)
    go_on(state, rules, streams, log)


@phase
def go_on(state, rules, streams, log):
    """Go on until something is to be decided, or the game is over."""
    while state.phase == RUNNING:
        stage = state.stage
        if halted(state.boards[REAL], rules):
            finish(state, rules, log)
        elif stage == OPERATION:
            if state.operation < rules.program_size[state.kind, state.section]:
                next_operation(state, rules, streams, log)
            else:
                section_done(state, rules, log)
        elif stage == CARD_DONE:
            card_done(state, rules, log)
        elif stage == NEXT_CARD:
            next_card(state, rules, streams, log)
        elif stage == TURN_DONE:
            turn_done(state, rules, log)
        elif stage == NEW_TURN:
            new_turn(state, rules, streams, log)
        elif stage == ABILITIES:
            next_ability(state, rules, streams, log)
        elif stage == NEW_ROUND:
            new_round(state, rules, log)
        elif stage == DEALING:
            deal_cards(state, rules, streams, log)


@phase
def deal(state, rules, streams, log):
    """A2: a new game, up to the first decision."""
    set_up(state, rules, streams, log)
    go_on(state, rules, streams, log)
