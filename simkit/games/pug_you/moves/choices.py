"""The decision at hand: who decides, how many choices there are and what each means (RULES.md part C)."""

import numpy as np

from simkit.games.pug_you.moves.cards import card_in
from simkit.games.pug_you.moves.readings import OPTIONAL, SCORED_FIRST, SCORED_ONLY
from simkit.games.pug_you.state import (
    AGAIN_CODE,
    CHOOSE,
    CHOOSE_CODE,
    DECLINE_CODE,
    HALF,
    NOMINATE,
    NOMINATE_CODE,
    OFFER,
    OVER,
    OWN,
    OWN_CODE,
    SEAT_CODE,
    SECOND_CODE,
    TIEBREAK,
    TIEBREAK_CODE,
    VOTE,
    VOTE_CODE,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import count_bits, nth_bit


@step
def is_over(state, rules):
    return state.phase == OVER


@step
def seat_to_move(state, rules):
    return state.seat


@step
def scored_choices(state):
    """How many scored cards the active player may ask again."""
    scored = state.scored[state.active]
    return count_bits(scored[0]) + count_bits(scored[1])


@step
def second_cards(state, rules):
    """B2: how many cards may be asked in a second question, scored ones and those of the hand."""
    scored = scored_choices(state)
    if rules.second_source == SCORED_ONLY or (rules.second_source == SCORED_FIRST and scored > 0):
        return scored
    return scored + state.cards[state.active]


@step
def count_choices(state, rules):
    """How many choices the decision at hand has (part C)."""
    phase = state.phase
    if phase in (OFFER, OWN):
        return np.int64(state.cards[state.seat])
    if phase == VOTE:
        return 2 * np.int64(state.cards[state.seat])
    if phase == CHOOSE:
        return count_bits(state.offering)
    if phase == NOMINATE:
        return np.int64(rules.players - 1) * (rules.players - 2) // 2
    if phase == TIEBREAK:
        return np.int64(2)
    return second_cards(state, rules) + (1 if rules.second_question == OPTIONAL else 0)


@step
def pairs_before(rules, first):
    """How many pairs of others begin with a lower one than `first`, both counted without the active player."""
    return first * (2 * np.int64(rules.players) - first - 3) // 2


@step
def pair_of(state, rules, choice):
    """The two seats of a NOMINATE choice, as SEAT_CODE x lower + higher. A sum stands for a search with branches."""
    first = 0
    for other in range(1, rules.players - 2):
        first += 1 if choice >= pairs_before(rules, other) else 0
    second = choice - pairs_before(rules, first) + first + 1
    first += 1 if first >= state.active else 0
    second += 1 if second >= state.active else 0
    return SEAT_CODE * first + second


@step
def choice_of_pair(state, rules, first, second):
    """The NOMINATE choice that means two seats, the lower one first."""
    first -= 1 if first > state.active else 0
    second -= 1 if second > state.active else 0
    return pairs_before(rules, first) + second - first - 1


@step
def scored_card(state, choice):
    """The scored card that a SECOND choice means."""
    scored = state.scored[state.active]
    lower = count_bits(scored[0])
    return nth_bit(scored[0], choice) if choice < lower else HALF + nth_bit(scored[1], choice - lower)


@step
def choice_code(state, rules, choice):
    """What a choice means, whatever else could have been chosen."""
    phase = state.phase
    if phase == OFFER:
        return np.int64(rules.number[card_in(state.hand[state.seat], choice)])
    if phase == OWN:
        return OWN_CODE + np.int64(rules.number[card_in(state.hand[state.seat], choice)])
    if phase == VOTE:
        number = np.int64(rules.number[card_in(state.hand[state.seat], choice >> 1)])
        return VOTE_CODE + SEAT_CODE * number + state.nominee[choice & 1]
    if phase == CHOOSE:
        return np.int64(CHOOSE_CODE) + nth_bit(state.offering, choice)
    if phase == NOMINATE:
        return np.int64(NOMINATE_CODE) + pair_of(state, rules, choice)
    if phase == TIEBREAK:
        return np.int64(TIEBREAK_CODE) + state.nominee[choice]
    scored = scored_choices(state)
    if choice < scored:
        return AGAIN_CODE + np.int64(rules.number[scored_card(state, choice)])
    if choice < second_cards(state, rules):
        return SECOND_CODE + np.int64(rules.number[card_in(state.hand[state.seat], choice - scored)])
    return np.int64(DECLINE_CODE)
