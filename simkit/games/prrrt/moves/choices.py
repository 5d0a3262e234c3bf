"""The decision at hand: who decides, how many choices there are and what each means (RULES.md part C)."""

import numpy as np

from simkit.games.prrrt.moves.cards import count_multisets, digits, nth_multiset, number_of, values_in
from simkit.games.prrrt.moves.readings import ALLOWED, OPTIONAL
from simkit.games.prrrt.state import ACCUSE, ANSWER, OVER, SWAP, TAKE, TARGET
from simkit.kernel.jit import step
from simkit.kernel.piles import count_bits, nth_bit

# Choice codes: see RULES.md C.
DECLINE, SWAPPED, POINT, NOBODY_POINTED = 9, 100, 40, 49
TAKEN, GIVEN, OF_A_NUMBER, OF_A_SEAT = 100_000, 200_000, 10_000, 1_000


@step
def is_over(state, rules):
    return state.phase == OVER


@step
def seat_to_move(state, rules):
    return state.seat


@step
def seats_to_choose(state, rules):
    """Mask of the seats that A may choose with the effect at hand (A7, B9)."""
    mask = 0
    unasked = 1 if state.effect == 3 or rules.empty_opponent == ALLOWED else 0  # whether the hand does not matter
    for seat in range(rules.players):
        fits = unasked | (1 if number_of(state.hand[seat]) > 0 else 0)
        mask |= (fits if seat != state.seat else 0) << seat
    return mask


@step
def hand_to_choose_from(state):
    """TAKE: the hand of B. GIVE: the hand of A."""
    return state.hand[state.target if state.phase == TAKE else state.seat]


@step
def count_swaps(state, rules):
    """How many different pairs of another seat and a value that lies there a 5 can choose from."""
    pairs = np.int64(0)
    for seat in range(rules.players):
        pairs += count_bits(values_in(state.front[seat])) if seat != state.seat else 0
    return pairs


@step
def count_choices(state, rules):
    """How many choices the decision at hand has (part C)."""
    phase = state.phase
    if phase == ANSWER:
        return np.int64(2)
    if phase == ACCUSE:
        return np.int64(rules.players)
    if phase == SWAP:
        return count_swaps(state, rules)
    if phase == TARGET:
        return count_bits(seats_to_choose(state, rules)) + (1 if rules.effects_optional == OPTIONAL else 0)
    return count_multisets(hand_to_choose_from(state), np.int64(state.exchanged))


@step
def swap_of(state, rules, choice):
    """The seat and the value of a SWAP choice, as 10 x seat + value."""
    for seat in range(rules.players):
        if seat != state.seat:
            values = values_in(state.front[seat])
            here = count_bits(values)
            if choice < here:
                return 10 * seat + (nth_bit(values, choice) >> 2)
            choice -= here
    return np.int64(0)


@step
def target_of(state, rules, choice):
    """The seat of a TARGET choice; -1 to decline."""
    seats = seats_to_choose(state, rules)
    return nth_bit(seats, choice) if choice < count_bits(seats) else np.int64(-1)


@step
def pointed_at(state, rules, choice):
    """The seat of an ACCUSE choice; -1 for nobody."""
    return choice + (1 if choice >= state.seat else 0) if choice < rules.players - 1 else np.int64(-1)


@step
def choice_code(state, rules, choice):
    """What a choice means, whatever else could have been chosen."""
    phase = state.phase
    if phase == ANSWER:
        return np.int64(choice)
    if phase == ACCUSE:
        seat = pointed_at(state, rules, choice)
        return POINT + seat if seat >= 0 else np.int64(NOBODY_POINTED)
    if phase == SWAP:
        return SWAPPED + swap_of(state, rules, choice)
    if phase == TARGET:
        seat = target_of(state, rules, choice)
        base = 10 if state.effect == 3 else 20 if state.effect == 4 else 30
        return base + (seat if seat >= 0 else DECLINE)
    number = np.int64(state.exchanged)
    cards = digits(nth_multiset(hand_to_choose_from(state), number, choice), number)
    base = TAKEN if phase == TAKE else GIVEN
    return base + OF_A_NUMBER * number + OF_A_SEAT * np.int64(state.target) + cards
