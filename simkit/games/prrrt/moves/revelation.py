"""The revelation (A6): totals, who is responsible, and what everybody pays."""

import numpy as np

from simkit.games.prrrt.box import HAND, MAX_SEATS, card_word
from simkit.games.prrrt.moves.cards import sum_of
from simkit.games.prrrt.moves.effects import FIRST_EFFECT, LAST_EFFECT, beside
from simkit.games.prrrt.moves.payments import pay, take_centre
from simkit.games.prrrt.moves.readings import (
    ALL_SHARE,
    BY_LOT,
    CULPRIT_PAYS,
    MOST_ACCUSED,
    SHARING,
    TIE,
    ZEROS_COUNT,
)
from simkit.games.prrrt.moves.telling import tell
from simkit.games.prrrt.state import ROUND_OVER
from simkit.games.prrrt.story import CULPRIT, SHARED, TOTAL, ZEROS
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, shuffle
from simkit.kernel.streams import below, open_chance

FIVE_ZEROS = HAND * card_word(0)


@step
def reveal(state, rules, streams, log):
    """A6: all that follows the accusations, up to the payments; gives the reason if the game ends here."""
    state.phase = ROUND_OVER
    state.revelations += 1
    among = suspects(state, rules, log)
    pointed = fingers(state, rules)
    culprit = settle(state, rules, among, pointed, streams)
    responsible = among if rules.tie_rule == ALL_SHARE else bit(culprit)
    total = sum_of(state.hand[culprit] + state.front[culprit])
    state.culprit_totals += total
    state.highest_culprit = max(total, state.highest_culprit)
    paying = judge(state, rules, responsible)
    share_centre(state, rules, responsible, streams, log)
    reason = pay(state, rules, pointed, responsible, paying, log)
    state.first = culprit
    return reason


@step
def suspects(state, rules, log):
    """Mask of those with the largest total, or with five zeros (B10, B31)."""
    highest = np.int64(-1)
    tied, zeros, totals = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(rules.players):
        cards = state.hand[seat] + state.front[seat]
        total = sum_of(cards)
        totals += total
        tied = np.int64(0) if total > highest else tied
        highest = max(highest, total)
        tied |= bit(seat) if total == highest else 0
        zeros |= bit(seat) if cards == FIVE_ZEROS else 0
        tell(log, TOTAL, total, 0, 0, 0)
    state.totals += totals
    if zeros != 0:
        state.five_zeros += 1
        for seat in range(rules.players):
            if (zeros >> seat) & 1 == 1:
                tell(log, ZEROS, seat, 0, 0, 0)
    if count_bits(tied) > 1:
        state.ties += 1
        tell(log, SHARED, tied, 0, 0, 0)
    return zeros if zeros != 0 and rules.five_zero_rule == ZEROS_COUNT else tied


@step
def fingers(state, rules):
    """How many point at each seat, four bits a seat."""
    pointed = np.int64(0)
    for seat in range(rules.players):
        finger = state.finger[seat]
        pointed += bit(4 * np.int64(finger)) if finger >= 0 else 0
    return pointed


@step
def settle(state, rules, among, pointed, streams):
    """B4: the one responsible; with `all_share` the first of them in questioning order."""
    number = np.int64(0)
    if count_bits(among) > 1:
        if rules.tie_rule == MOST_ACCUSED:
            among = most_pointed_at(rules, among, pointed)
        elif rules.tie_rule == BY_LOT:
            number = below(open_chance(streams, TIE, np.int64(state.rounds)), count_bits(among))
    return nth_in_order(state, rules, among, number)


@step
def most_pointed_at(rules, among, pointed):
    most = np.int64(0)
    found = np.int64(0)
    for seat in range(rules.players):
        if (among >> seat) & 1 == 1:
            here = (pointed >> (4 * seat)) & 15
            if here > most:
                most = here
                found = np.int64(0)
            found |= bit(seat) if here == most else 0
    return found


@step
def nth_in_order(state, rules, among, number):
    """The n-th seat of a mask in questioning order, from 0."""
    seat = np.int64(state.first)
    for _ in range(MAX_SEATS):
        seat = beside(state, rules, seat)
        if (among >> seat) & 1 == 1:
            if number == 0:
                break
            number -= 1
    return seat


@step
def judge(state, rules, responsible):
    """Count what was found out about everybody (E2, E3); gives the mask of those who pay for a wrong accusation (B12)."""
    paying = np.int64(0)
    for seat in range(rules.players):
        guilty = (responsible >> seat) & 1
        finger = state.finger[seat]
        pointing = 1 if finger >= 0 else 0
        right = (responsible >> finger) & 1 if finger >= 0 else 0
        state.correct[seat] += right
        state.wrong[seat] += pointing - right
        state.abstained[seat] += 1 - pointing
        state.times_culprit[seat] += guilty
        paying |= (pointing - right if guilty == 0 or rules.culprit_pays_wrong == CULPRIT_PAYS else 0) << seat
        for value in range(FIRST_EFFECT, LAST_EFFECT + 1):
            had = (state.turned[seat] >> value) & 1
            state.revealers[value] += had
            state.culprits[value] += had * guilty
    return paying


@step
def share_centre(state, rules, responsible, streams, log):
    """A6, B30, D7: the culprit takes the centre; several get its cards one by one, shuffled."""
    sharing = count_bits(responsible)
    if log is not None:
        for i in range(sharing):
            tell(log, CULPRIT, nth_in_order(state, rules, responsible, i), 0, 0, 0)
    if sharing > 1:
        shuffle(
            state.centre, state.centre_size, state.centre_size, open_chance(streams, SHARING, np.int64(state.rounds))
        )
    for i in range(sharing):
        take_centre(state, nth_in_order(state, rules, responsible, i), i, sharing, log)
    state.centre_size = 0
