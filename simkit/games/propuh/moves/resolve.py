"""A card on the table: countered or not (A6, B1), and where the automatic Propuh plays (A9)."""

from simkit.games.propuh.box import MAX_VALUE
from simkit.games.propuh.moves.cards import counters, draw
from simkit.games.propuh.moves.goals import check_goals
from simkit.games.propuh.moves.readings import DISCARDED, FROM_TRUMP, IGNORE_LIMIT, IMMEDIATE, TRUMP_ANYWAY
from simkit.games.propuh.state import NOBODY, OFF_BOARD, PROPUH
from simkit.games.propuh.story import COUNTERED, NOT_COUNTERED, TURNED_UP, WASTED
from simkit.kernel.drive import note
from simkit.kernel.jit import step


@step
def put_on(state, rules, side, kind, location, log):
    """A6, B1: a card is played on a location; what is pending is resolved."""
    is_pending = state.pending_side != NOBODY
    meets = is_pending & (state.pending_location == location)
    hits = meets & counters(rules, kind, location, state.pending_kind)
    if hits:
        note(log, COUNTERED, state.pending_kind, location, 0, 0, 0)
        state.discarded[state.pending_kind] += 1
        state.discarded[kind] += 1
        state.pending_side = NOBODY
        state.counters[side] += 1
    else:
        if is_pending:
            place_token(state, rules, log)
        state.failed_counters[side] += 1 if meets else 0
        if meets & (rules.failed_counter == DISCARDED):
            note(log, WASTED, kind, 0, 0, 0, 0)
            state.discarded[kind] += 1
        else:
            state.pending_side = side
            state.pending_kind = kind
            state.pending_location = location
    state.play += 1
    if rules.win_check == IMMEDIATE:
        check_goals(state, rules, log)


@step
def place_token(state, rules, log):
    """A6, A2: the pending card was not countered; its owner places a token if there is room."""
    side, location = state.pending_side, state.pending_location
    fits = 1 if state.tokens[side, location] < rules.limit[side, location] else 0
    state.tokens[side, location] += fits
    state.placed[side] += fits
    state.disregarded[side] += 1 - fits
    note(log, NOT_COUNTERED, state.pending_kind, side, location, fits * state.tokens[side, location], 0)
    state.discarded[state.pending_kind] += 1
    state.pending_side = NOBODY


@step
def turn_up(state, rules, log):
    """A9: the automatic Propuh turns up a card and plays it."""
    kind = draw(state)
    location = automatic_location(state, rules, kind)
    note(log, TURNED_UP, kind, location, 0, 0, 0)
    put_on(state, rules, PROPUH, kind, location, log)


@step
def automatic_location(state, rules, kind):
    """A9, B8, B9: where the automatic Propuh plays a card."""
    own = kind // MAX_VALUE
    full = rules.solo_full_rule != IGNORE_LIMIT and state.tokens[PROPUH, own] >= rules.limit[PROPUH, own]
    if state.pending_side != NOBODY:
        pending_location = state.pending_location
        if counters(rules, kind, pending_location, state.pending_kind):
            return pending_location
        if full or own == pending_location:
            return redirect(state, rules, pending_location)
    elif full and rules.solo_no_pending_full != TRUMP_ANYWAY:
        if rules.solo_no_pending_full == FROM_TRUMP:
            return redirect(state, rules, own)
        if state.figurine != OFF_BOARD:
            return redirect(state, rules, state.figurine)
    return own


@step
def redirect(state, rules, location):
    """A9 step 3, B10: the next location clockwise, or the next one with room."""
    first = rules.next_clockwise[location]
    if rules.solo_redirect_repeat == 1 and state.tokens[PROPUH, first] >= rules.limit[PROPUH, first]:
        second = rules.next_clockwise[first]
        if state.tokens[PROPUH, second] < rules.limit[PROPUH, second]:
            return second
    return first
