"""How the policies of Pug You! choose (RULES.md part C).

Choices that share the best score are counted, and one is drawn from the seat's own stream.
"""

import numpy as np

from simkit.games.pug_you.moves.cards import card_in
from simkit.games.pug_you.moves.choices import choice_of_pair, count_choices, scored_card, scored_choices, second_cards
from simkit.games.pug_you.moves.opinions import charm, opinion
from simkit.games.pug_you.state import (
    CHOOSE,
    NOMINATE,
    OFFER,
    SECOND,
    TIEBREAK,
    VOTE,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, without_lowest
from simkit.kernel.streams import below

HONEST, STRATEGIC, SPITEFUL, MIXED = 1, 2, 3, 4
CLEAR = 131072  # a difference of opinions for which honest players use their strongest vote
NEVER = -(10**12)
SCORED, RID = 100, -100  # what a scored card adds to its badges in a second question; what honest players decline at
CHARM_STEP = 13  # bits: 1 / 16 of a standard deviation, doubled persuasion counted in


@step
def choose(policy, state, rules, stream):
    """The choice of a policy for the seat to move, 0 .. count_choices - 1. Reads only what that seat may know."""
    if policy == MIXED:
        policy = HONEST + below(stream, 2)
    phase = state.phase
    if phase == CHOOSE:
        return choose_offer(state, rules, stream)
    if phase == SECOND:
        return choose_second(policy, state, rules, stream)
    if phase in (NOMINATE, VOTE, TIEBREAK):
        return choose_person(policy, state, rules, stream)
    return choose_question(policy, state, rules, stream)


# --- questions


@step
def choose_question(policy, state, rules, stream):
    """OFFER and OWN: the best cards of the hand."""
    seat = state.seat
    hand = state.hand[seat]
    offering = state.phase == OFFER
    best = np.int64(NEVER)
    none = found = np.int64(0)
    for slot in range(state.cards[seat]):
        card = card_in(hand, slot)
        score = np.int64(rules.badges[card])
        if offering:
            if policy == SPITEFUL:
                score = -np.int64(rules.turds[card])
            else:
                weight = np.int64(1) if policy == HONEST else score
                score = -opinion(state, rules, seat, card, seat) * weight
        found = (found if score <= best else none) | (bit(slot) if score >= best else none)
        best = max(best, score)
    return nth_bit(found, below(stream, count_bits(found)))


@step
def choose_offer(state, rules, stream):
    """CHOOSE: any offer, or one by charm (D6)."""
    offering = np.int64(state.offering)
    offers = count_bits(offering)
    if rules.charm == 0 or offers == 1:
        return below(stream, offers)
    most = np.int64(NEVER)
    rest = offering
    while rest != 0:
        most = max(most, charm(state, lowest_bit(rest)))
        rest = without_lowest(rest)
    number = np.int64(-1)
    for attempt in range(2):  # first the sum of the weights, then the one drawn
        total = np.int64(0)
        choice = 0
        rest = offering
        while rest != 0:
            missing = rules.charm * (most - charm(state, lowest_bit(rest)))
            total += rules.charm_weight[missing >> CHARM_STEP]
            if attempt == 1 and total > number:
                return choice
            choice += 1
            rest = without_lowest(rest)
        number = below(stream, total)
    return 0


@step
def choose_second(policy, state, rules, stream):
    """SECOND: the best of the scored cards, the cards of the hand, and to decline."""
    choices = count_choices(state, rules)
    scored = scored_choices(state)
    cards = second_cards(state, rules)
    hand = state.hand[state.seat]
    best = np.int64(NEVER)
    count = 0
    number = np.int64(-1)
    for attempt in range(2):  # first the best score and how often, then the one drawn
        for choice in range(choices):
            if choice < scored:
                badges = np.int64(rules.badges[scored_card(state, choice)])
                score = badges - SCORED if policy != HONEST and badges < 0 else badges + SCORED
            elif choice < cards:
                score = np.int64(rules.badges[card_in(hand, choice - scored)])
            else:
                score = np.int64(RID if policy == HONEST else 0)
            if attempt == 0:
                count = (count if score <= best else 0) + (1 if score >= best else 0)
                best = max(best, score)
            elif score == best:
                if number == 0:
                    return choice
                number -= 1
        number = below(stream, count)
    return 0


# --- people


@step
def choose_person(policy, state, rules, stream):
    """NOMINATE, VOTE and TIEBREAK: those who suit best, and next best."""
    nominating = state.phase == NOMINATE
    rest = bit(state.nominee[0]) | bit(state.nominee[1])
    if nominating:
        rest = (bit(rules.players) - 1) & ~bit(state.seat)
    best, second = np.int64(NEVER), np.int64(NEVER)
    first_mask, second_mask = np.int64(0), np.int64(0)
    while rest != 0:
        seat = lowest_bit(rest)
        rest = without_lowest(rest)
        score = suits(policy, state, rules, seat)
        if score > best:
            second, second_mask = best, first_mask
            best, first_mask = score, bit(seat)
        elif score == best:
            first_mask |= bit(seat)
        elif score > second:
            second, second_mask = score, bit(seat)
        elif score == second:
            second_mask |= bit(seat)
    if nominating:
        return best_pair(state, rules, first_mask, second_mask, stream)
    both = second_mask == 0
    side = 0 if both or lowest_bit(first_mask) == state.nominee[0] else 1
    if state.phase == TIEBREAK:
        return below(stream, 2) if both else np.int64(side)
    strong = rules.badges[state.card] >= 2
    if policy == HONEST:
        strong = not both and best - second > CLEAR
    return best_vote(state, rules, strong, both, side, stream)


@step
def suits(policy, state, rules, seat):
    """How well a seat suits a policy as the one that takes the active card."""
    if policy == HONEST:
        return opinion(state, rules, state.seat, state.card, seat)
    score = np.int64(state.badges[seat])
    bad = rules.badges[state.card] < 0
    if policy == SPITEFUL:
        return -score if bad else score
    if bad and state.phase == NOMINATE:
        above = np.int64(0)
        for other in range(rules.players):
            above += (1 if state.badges[other] > score else 0) - (1 if state.badges[other] < score else 0)
        return -abs(above)
    return -score


@step
def best_pair(state, rules, first_mask, second_mask, stream):
    """NOMINATE: two of the best, or the only best one with one of the next best."""
    best = count_bits(first_mask)
    if best == 1:
        one = lowest_bit(first_mask)
        other = nth_bit(second_mask, below(stream, count_bits(second_mask)))
        return choice_of_pair(state, rules, min(one, other), max(one, other))
    number = below(stream, best * (best - 1) // 2)
    rest = first_mask
    while number >= count_bits(rest) - 1:
        number -= count_bits(rest) - 1
        rest = without_lowest(rest)
    return choice_of_pair(state, rules, lowest_bit(rest), nth_bit(without_lowest(rest), number))


@step
def best_vote(state, rules, strong, both, side, stream):
    """VOTE: the strongest or the weakest cards of the hand, for one nominee or for either."""
    hand = state.hand[state.seat]
    best = np.int64(NEVER)
    none = found = np.int64(0)
    for slot in range(state.cards[state.seat]):
        turds = np.int64(rules.turds[card_in(hand, slot)])
        score = turds if strong else -turds
        found = (found if score <= best else none) | (bit(slot) if score >= best else none)
        best = max(best, score)
    cards = count_bits(found)
    if both:
        number = below(stream, 2 * cards)
        return 2 * nth_bit(found, number >> 1) + (number & 1)
    return 2 * nth_bit(found, below(stream, cards)) + side
