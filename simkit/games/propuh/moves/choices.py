"""The decision at hand: how many choices it has and what each means (RULES.md part C)."""

from simkit.games.propuh.moves.cards import weak_kinds
from simkit.games.propuh.moves.readings import FIGURINE_CODE, FORBIDDEN, PLAY_CODE, REMOVAL_CODE
from simkit.games.propuh.state import FIGURINE, GRANNY, NOBODY, OVER, PLAY
from simkit.kernel.jit import step
from simkit.kernel.piles import count_bits, lowest_bit, nth_bit, without_lowest


@step
def is_over(state, rules):
    return state.phase == OVER


@step
def seat_to_move(state, rules):
    return state.play & 1 if state.phase == PLAY else GRANNY


@step
def count_choices(state, rules):
    """How many choices the decision at hand has (part C)."""
    if state.phase == PLAY:
        side = state.play & 1
        count = 3 * state.different[side]
        if rules.failed_counter == FORBIDDEN and state.pending_side != NOBODY:
            count -= count_bits(weak_kinds(state, rules, side))
        return count
    return 3 if state.phase == FIGURINE else 2


@step
def play_of(state, rules, choice):
    """The card and location of a PLAY choice, as 3 x kind + location."""
    side = state.play & 1
    if rules.failed_counter != FORBIDDEN or state.pending_side == NOBODY:
        return 3 * nth_bit(state.kinds[side], choice // 3) + choice % 3
    weak = weak_kinds(state, rules, side)
    rest = state.kinds[side]
    while True:
        kind = lowest_bit(rest)
        is_weak = (weak >> kind) & 1
        if choice < 3 - is_weak:
            break
        choice -= 3 - is_weak
        rest = without_lowest(rest)
    if is_weak == 1 and choice >= state.pending_location:
        choice += 1
    return 3 * kind + choice


@step
def choice_code(state, rules, choice):
    """What a choice means, whatever else could have been chosen."""
    if state.phase == PLAY:
        return PLAY_CODE + play_of(state, rules, choice)
    return (FIGURINE_CODE if state.phase == FIGURINE else REMOVAL_CODE) + choice
