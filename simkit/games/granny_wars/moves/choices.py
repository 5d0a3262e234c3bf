"""The decision at hand: who decides, how many choices there are and what each means (RULES.md part C)."""

import numpy as np

from simkit.games.granny_wars.moves.readings import OPTIONAL, RETURN_SAME
from simkit.games.granny_wars.state import (
    BOUNCE,
    DECLINE_CODE,
    EXTRA,
    GIVE,
    OFFER,
    OVER,
    PHASE_CODE,
    PILES_OF_A_KIND,
    PLACE,
    PLAY,
    RETURN,
    STEAL,
    STOLEN,
    SWAP,
    TOPS,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, nth_bit


@step
def is_over(state, rules):
    return state.phase == OVER


@step
def seat_to_move(state, rules):
    return state.target if state.phase == RETURN else state.seat


@step
def others_with_cards(state, rules):
    """Mask of the other seats that hold a card."""
    mask = 0
    for seat in range(rules.players):
        mask |= (1 if state.hand[seat] > 0 and seat != state.seat else 0) << seat
    return mask


@step
def piles_in_use(state, rules):
    """Mask of the piles that are not empty."""
    mask = 0
    for pile in range(rules.piles):
        mask |= (1 if state.pile_size[pile] > 0 else 0) << pile
    return mask


@step
def kinds_to_return(state, rules):
    """Mask of the kinds that the second player of a swap may give (B10)."""
    mask = np.int64(state.kinds[state.target])
    return mask | bit(state.in_air) if rules.swap_return_same == RETURN_SAME else mask


@step
def count_choices(state, rules):
    """How many choices the decision at hand has (part C)."""
    phase = state.phase
    if phase in (PLAY, EXTRA):
        return np.int64(state.different[state.seat]) * rules.piles
    if phase == BOUNCE:
        return np.int64(rules.piles) - 1
    if phase == OFFER:
        return np.int64(2)
    if phase == STEAL:
        return count_bits(others_with_cards(state, rules)) + (1 if rules.steal_optional == OPTIONAL else 0)
    if phase == STOLEN:
        return np.int64(state.different[state.target])
    if phase == PLACE:
        return np.int64(rules.piles)
    if phase == SWAP:
        return count_bits(others_with_cards(state, rules)) + (1 if rules.swap_optional == OPTIONAL else 0)
    if phase == GIVE:
        return np.int64(state.different[state.seat])
    if phase == RETURN:
        return count_bits(kinds_to_return(state, rules))
    return count_pairs(state, rules) + (1 if rules.swap_optional == OPTIONAL else 0)


@step
def is_decline(state, rules, phase, choice):
    """Whether a choice of STEAL, SWAP or TOPS means to decline: then it is the last."""
    if (rules.steal_optional if phase == STEAL else rules.swap_optional) != OPTIONAL:
        return False
    return choice == (count_pairs(state, rules) if phase == TOPS else count_bits(others_with_cards(state, rules)))


@step
def count_pairs(state, rules):
    """How many pairs of piles have tops to swap."""
    piles = count_bits(piles_in_use(state, rules))
    return piles * (piles - 1) // 2


@step
def kind_and_pile(state, rules, choice):
    """The card and the pile of a PLAY or EXTRA choice, as 8 x kind + pile. Narrow division is much quicker than wide."""
    nth = np.int64(np.uint32(choice) // np.uint32(rules.piles))
    return PILES_OF_A_KIND * nth_bit(state.kinds[state.seat], nth) + choice - nth * rules.piles


@step
def pile_of_bounce(state, rules, choice):
    """The pile that a BOUNCE choice means: all but the one where the card lies."""
    return choice + (1 if choice >= state.wait_pile[state.waiting - 1] else 0)


@step
def pair_of_tops(state, rules, choice):
    """The piles of a TOPS choice, as 8 x first + second."""
    used = piles_in_use(state, rules)
    for first in range(rules.piles - 1):
        if (used >> first) & 1 == 1:
            later = count_bits(used >> (first + 1))
            if choice < later:
                return PILES_OF_A_KIND * first + first + 1 + nth_bit(used >> (first + 1), choice)
            choice -= later
    return 0


@step
def choice_code(state, rules, choice):
    """What a choice means, whatever else could have been chosen."""
    phase = state.phase
    base = PHASE_CODE * np.int64(phase)
    if phase in (PLAY, EXTRA):
        return base + kind_and_pile(state, rules, choice)
    if phase == BOUNCE:
        return base + pile_of_bounce(state, rules, choice)
    if phase in (OFFER, PLACE):
        return base + choice
    if phase == STOLEN:
        return base + nth_bit(state.kinds[state.target], choice)
    if phase == GIVE:
        return base + nth_bit(state.kinds[state.seat], choice)
    if phase == RETURN:
        return base + nth_bit(kinds_to_return(state, rules), choice)
    if is_decline(state, rules, phase, choice):
        return base + DECLINE_CODE
    if phase in (STEAL, SWAP):
        return base + nth_bit(others_with_cards(state, rules), choice)
    return base + pair_of_tops(state, rules, choice)
