"""The course of a round (A5): carrying out a choice, and all that nobody decides."""

from simkit.games.propuh.moves.cards import draw, lay_down, take
from simkit.games.propuh.moves.choices import play_of
from simkit.games.propuh.moves.goals import check_goals, finish
from simkit.games.propuh.moves.readings import (
    DEAL,
    EXHAUSTION,
    EXHAUSTION_FIRST,
    IMMEDIATE,
    ONLY_IF_MOVED,
    OPTIONAL,
    PLAYS,
)
from simkit.games.propuh.moves.resolve import place_token, put_on, turn_up
from simkit.games.propuh.state import FIGURINE, GRANNY, LEFT_OVER, NOBODY, OFF_BOARD, OVER, PLAY, PROPUH, REMOVAL
from simkit.games.propuh.story import DRAWN, KEPT, REMOVED, ROUND
from simkit.kernel.drive import note
from simkit.kernel.jit import step


@step
def play_choice(state, rules, choice, streams, log):
    """Carry out a choice, and everything after it that nobody decides."""
    if state.phase == PLAY:
        side = state.play & 1
        play = play_of(state, rules, choice)
        lay_down(state, side, play // 3)
        put_on(state, rules, side, play // 3, play % 3, log)
    elif state.phase == FIGURINE:
        state.moved = 1 if state.figurine != choice else 0
        state.figurine = choice
        state.phase = PLAY
    else:
        if choice == 1:
            note(log, KEPT, state.figurine, 0, 0, 0, 0)
        remove_token(state, rules, 1 - choice, log)
    proceed(state, rules, log)


@step
def begin_round(state, log):
    state.rounds += 1
    state.play = 0
    state.moved = 0
    state.phase = FIGURINE
    note(log, ROUND, state.rounds, 0, 0, 0, 0)


@step
def proceed(state, rules, log):
    """A5: go on to the next decision, or to the end of the game."""
    while state.phase == PLAY or state.phase == LEFT_OVER:
        if state.phase == PLAY:
            side = state.play & 1
            if state.play == PLAYS:
                state.phase = LEFT_OVER
            elif side == PROPUH and rules.players == 1:
                if state.drawn < state.deck_end:
                    turn_up(state, rules, log)
                else:
                    state.phase = LEFT_OVER  # B17
            elif state.hand[side] > 0:
                return
            else:
                state.phase = LEFT_OVER  # B17
        else:
            resolve_left_over(state, rules, log)
            if state.phase == OVER:
                return
            due = is_removal_due(state, rules)
            if due == 1 and rules.figurine_removal_choice == OPTIONAL:
                state.phase = REMOVAL
                return
            remove_token(state, rules, due, log)


@step
def resolve_left_over(state, rules, log):
    """A5 step 6, B17: a card still on the table was not countered."""
    if state.pending_side != NOBODY:
        place_token(state, rules, log)
    if rules.win_check == IMMEDIATE:
        check_goals(state, rules, log)


@step
def is_removal_due(state, rules):
    """A5 step 7, B3: 1 if there is a token for the figurine to remove."""
    if state.figurine == OFF_BOARD or (rules.figurine_removal == ONLY_IF_MOVED and state.moved == 0):
        return 0
    return 1 if state.tokens[PROPUH, state.figurine] > 0 else 0


@step
def remove_token(state, rules, count, log):
    """A5 step 7: the figurine removes a token or none; the rest of the round follows."""
    if state.figurine != OFF_BOARD:
        state.tokens[PROPUH, state.figurine] -= count
        state.removed += count
        if log is not None and count == 1:
            note(log, REMOVED, state.figurine, state.tokens[PROPUH, state.figurine], 0, 0, 0)
    if rules.win_check == IMMEDIATE:
        check_goals(state, rules, log)
    if state.phase != OVER:
        end_round(state, rules, log)


@step
def end_round(state, rules, log):
    """A5 steps 8 and 9."""
    if rules.players == 1:
        if state.deck_end - state.drawn >= DEAL:
            draw_cards(state, GRANNY, log)
    else:
        draw_cards(state, GRANNY, log)
        draw_cards(state, PROPUH, log)
    gone = state.hand[GRANNY] + state.hand[PROPUH] == 0 and state.drawn == state.deck_end
    exhausted = gone or state.play == 0
    if exhausted and rules.exhaustion_order == EXHAUSTION_FIRST and rules.win_check != IMMEDIATE:
        finish(state, EXHAUSTION, PROPUH, log)
        return
    check_goals(state, rules, log)
    if state.phase != OVER:
        if exhausted:
            finish(state, EXHAUSTION, PROPUH, log)
        else:
            begin_round(state, log)


@step
def draw_cards(state, side, log):
    """B19: up to two cards from the top of the deck."""
    for _ in range(min(DEAL, state.deck_end - state.drawn)):
        kind = draw(state)
        take(state, side, kind)
        note(log, DRAWN, side, kind, 0, 0, 0)
