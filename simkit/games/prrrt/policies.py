"""How the policies of PRRRT... choose (RULES.md part C).

Seats that share the best score are kept as masks, and one is drawn from the seat's own stream.
"""

import numpy as np

from simkit.games.prrrt.box import HAND, SMELLS, SUM_BITS, SUM_SHIFT, TOURS, card_word
from simkit.games.prrrt.moves.cards import SUM_MASK, card, lowest, number_of, sum_of, values_in
from simkit.games.prrrt.moves.chance import draw
from simkit.games.prrrt.moves.choices import count_choices, seats_to_choose
from simkit.games.prrrt.moves.readings import THIRD_ADDITION, ZEROS_COUNT
from simkit.games.prrrt.state import ANSWER, GIVE, SWAP, TARGET
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, nth_bit
from simkit.kernel.streams import below

THRESHOLD_3, THRESHOLD_9, BAYES, SILENT, CARELESS = 2, 4, 5, 6, 7
OWN_UP, DENY = 0, 1
DEALS, CERTAIN = 24, 48  # how many deals `bayes` imagines, and the points of a sure culprit
FIVE_ZEROS = HAND * card_word(0)
EMPTY_HANDED = 500  # how bad it is to choose a player without cards for a 4 or 6


@step
def choose(policy, state, rules, stream):
    """The choice of a policy for the seat to move, 0 .. count_choices - 1. Reads only what that seat may know."""
    phase = state.phase
    if policy == CARELESS:
        if phase == ANSWER:
            return OWN_UP if below(stream, np.int64(100)) < rules.own_up_percent else DENY
        return below(stream, count_choices(state, rules))
    if phase == SWAP:
        return choose_swap(state, rules, stream)
    if phase == TARGET:
        return choose_target(state, rules, stream)
    if phase < SWAP and phase != ANSWER:  # the lowest cards are the first choice, and the highest the last one
        return count_choices(state, rules) - 1 if phase == GIVE else np.int64(0)
    return answer_or_accuse(policy, state, rules, stream)


@step
def answer_or_accuse(policy, state, rules, stream):
    """ANSWER and ACCUSE: what depends on who seems to be the culprit."""
    answering = state.phase == ANSWER
    if policy == BAYES:
        points = imagine(state, rules, stream)
        if answering:
            return OWN_UP if is_confession_cheaper(state, rules, points_of(points, np.int64(state.seat))) else DENY
        best, rivals = np.int64(0), np.int64(0)
        for seat in range(rules.players):
            here = points_of(points, seat) if seat != state.seat else np.int64(-1)
            rivals = np.int64(0) if here > best else rivals
            best = max(best, here)
            rivals |= bit(seat) if here == best else 0
        suspicious = 2 * best > CERTAIN
    else:
        thresholds = policy >= THRESHOLD_3 and policy <= THRESHOLD_9
        if answering and (state.tour == 1 or not thresholds):
            return DENY
        if policy == SILENT:
            return np.int64(rules.players) - 1
        own, best, rivals, unseen = estimate(state, rules)
        if answering:
            return OWN_UP if own - best > 3 * (policy - THRESHOLD_3 + 1) * unseen else DENY
        suspicious = best > own
    if not suspicious:
        return np.int64(rules.players) - 1
    seat = nth_bit(rivals, below(stream, count_bits(rivals)))
    return seat - 1 if seat > state.seat else seat


# --- what a seat expects


@step
def estimate(state, rules):
    """F of RULES.md C: the seat's own estimate, the largest of the others, the mask of those, and N."""
    seat = np.int64(state.seat)
    seen = state.hand[seat] >> SUM_SHIFT  # sums and numbers, as in words
    for other in range(rules.players):
        seen += (state.front[other] + state.gone[other] + state.known[seat, other]) >> SUM_SHIFT
    unseen = max(rules.smell_size - (seen >> SUM_BITS), 1)
    points = rules.smell_sum - (seen & SUM_MASK)
    best, rivals = np.int64(-1), np.int64(0)
    for other in range(rules.players):
        if other != seat:
            known = state.known[seat, other]
            hidden = number_of(state.hand[other]) - number_of(known)
            here = unseen * sum_of(state.front[other] + known) + points * hidden
            rivals = np.int64(0) if here > best else rivals
            best = max(best, here)
            rivals |= bit(other) if here == best else 0
    return unseen * sum_of(state.front[seat] + state.hand[seat]), best, rivals, unseen


@step
def points_of(points, seat):
    """g of RULES.md C for one seat; `points` has eight bits for each."""
    return (points >> (8 * np.int64(seat))) & 255


@step
def imagine(state, rules, stream):
    """The points of every seat over the deals that `bayes` imagines, eight bits a seat."""
    unseen = lay_out_unseen(state, rules)
    me = np.int64(state.seat)
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    points = np.int64(0)
    for _ in range(DEALS):
        position = 0
        highest, tied, zeros = np.int64(-1), np.int64(0), np.int64(0)
        for seat in range(rules.players):
            if seat == me:
                cards = state.front[seat] + state.hand[seat]
            else:
                cards = state.front[seat] + state.known[me, seat]
                for _ in range(number_of(state.hand[seat] - state.known[me, seat])):
                    if position + 1 < unseen:
                        ahead, s0, s1, s2, s3 = draw(s0, s1, s2, s3, np.uint64(unseen - position))
                        place = position + ahead
                        drawn = state.pool[place]
                        state.pool[place] = state.pool[position]
                        state.pool[position] = drawn
                    cards += state.pool[position]
                    position += 1
            total = sum_of(cards)
            tied = np.int64(0) if total > highest else tied
            highest = max(highest, total)
            tied |= bit(8 * seat) if total == highest else 0
            zeros |= bit(8 * seat) if cards == FIVE_ZEROS else 0
        culprits = zeros if zeros != 0 and rules.five_zero_rule == ZEROS_COUNT else tied
        points += culprits * (2 if culprits & (culprits - 1) == 0 else 1)
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3
    return points


@step
def lay_out_unseen(state, rules):
    """Lay the Smell cards that the seat does not see into the pool, ascending; gives how many."""
    seat = np.int64(state.seat)
    size = 0
    for value in range(SMELLS):
        copies = np.int64(rules.smell_copies[value]) - ((state.hand[seat] >> (4 * value)) & 15)
        for other in range(rules.players):
            seen = state.front[other] + state.gone[other] + state.known[seat, other]
            copies -= (seen >> (4 * value)) & 15
        for _ in range(copies):
            state.pool[size] = card(value)
            size += 1
    return size


@step
def is_confession_cheaper(state, rules, points):
    """ANSWER of `bayes`: whether the centre now is less than what denying is expected to cost."""
    players = np.int64(rules.players)
    certain = 288 * players
    weight = np.int64(1) << (np.int64(state.tour) - 1)
    culprit = players * weight * points + CERTAIN * (6 - weight)
    shown, hidden = np.int64(0), np.int64(0)
    for i in range(state.centre_size):
        down = (np.int64(state.centre_down) >> i) & 1
        shown += state.centre[i] * (1 - down)
        hidden += down
    deck = np.int64(rules.shame_points)
    centre = rules.shame_size * shown + hidden * deck
    additions = TOURS - np.int64(state.tour) + (1 if rules.shame_after_third == THIRD_ADDITION else 0)
    cost = culprit * (20 * centre + 20 * additions * deck + 26 * deck) + (certain - culprit) * 5 * deck
    return certain * 20 * centre < cost


# --- effects


@step
def choose_target(state, rules, stream):
    """TARGET: with a 3 the smallest pile; with a 4 or 6 the least in front, but rather somebody with cards in hand."""
    seats = seats_to_choose(state, rules)
    best, found = np.int64(1000), np.int64(0)
    for seat in range(rules.players):
        if (seats >> seat) & 1 == 1:
            if state.effect == 3:
                here = np.int64(state.pile_cards[seat])
            else:
                here = sum_of(state.front[seat]) if number_of(state.hand[seat]) > 0 else np.int64(EMPTY_HANDED)
            found = np.int64(0) if here < best else found
            best = min(best, here)
            found |= bit(seat) if here == best else 0
    seat = nth_bit(found, below(stream, count_bits(found)))
    return count_bits(seats & (bit(seat) - 1))


@step
def choose_swap(state, rules, stream):
    """SWAP: the lowest value in front of somebody else."""
    best, found = SMELLS, np.int64(0)
    for seat in range(rules.players):
        if seat != state.seat and state.front[seat] != 0:
            here = lowest(state.front[seat])
            found = np.int64(0) if here < best else found
            best = min(best, here)
            found |= bit(seat) if here == best else 0
    chosen = nth_bit(found, below(stream, count_bits(found)))
    choice = np.int64(0)
    for seat in range(chosen):
        choice += count_bits(values_in(state.front[seat])) if seat != state.seat else 0
    return choice
