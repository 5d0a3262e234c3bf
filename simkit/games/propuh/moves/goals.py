"""Reaching goals, and the end (A7, B16)."""

from simkit.games.propuh.box import BED, STOVE, TABLE
from simkit.games.propuh.moves.readings import BOTH_GOALS, GRANNY_GOALS, PROPUH_GOALS
from simkit.games.propuh.state import GRANNY, OVER, PROPUH
from simkit.games.propuh.story import END
from simkit.kernel.drive import note
from simkit.kernel.jit import step


@step
def check_goals(state, rules, log):
    """A7, B16: ends the game if a side has reached its goals; Propuh comes first."""
    granny = has_goals(state, rules, GRANNY) & (state.tokens[PROPUH, STOVE] == 0)
    propuh = has_goals(state, rules, PROPUH)
    if granny | propuh:
        if propuh:
            finish(state, BOTH_GOALS if granny else PROPUH_GOALS, PROPUH, log)
        else:
            finish(state, GRANNY_GOALS, GRANNY, log)


@step
def has_goals(state, rules, side):
    return (
        (state.tokens[side, STOVE] >= rules.goal[side, STOVE])
        & (state.tokens[side, TABLE] >= rules.goal[side, TABLE])
        & (state.tokens[side, BED] >= rules.goal[side, BED])
    )


@step
def finish(state, reason, winner, log):
    state.end_reason = reason
    state.winner = winner
    state.phase = OVER
    note(log, END, reason, 0, 0, 0, 0)
