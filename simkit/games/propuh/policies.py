"""The policies of Propuh (RULES.md part C). They look at their own hand, the boards, the pending card, nothing else."""

import numpy as np

from simkit.games.propuh.box import BED, STOVE, TABLE, TRUMP
from simkit.games.propuh.moves.cards import counters
from simkit.games.propuh.moves.readings import DISCARDED, FORBIDDEN
from simkit.games.propuh.state import FIGURINE, GRANNY, NOBODY, PLAY, PROPUH
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, without_lowest
from simkit.kernel.streams import below

BUILDER, BLOCKER, BLOCKER_PROPUH, RUSHER = 1, 2, 3, 4
LOWEST_SCORE = -10_000


@step
def choose(policy, state, rules, stream):
    """The choice of a policy other than random; equal scores are settled by the seat's stream (D4)."""
    if state.phase == PLAY:
        return choose_play(policy, state, rules, stream)
    if state.phase == FIGURINE:
        return choose_location(state, rules, stream)
    return 0  # remove


@step
def choose_location(state, rules, stream):
    """Where `builder` and `blocker` put the figurine."""
    stove = 0
    if state.tokens[PROPUH, STOVE] > 0:
        stove = 3
        if (
            state.tokens[GRANNY, STOVE] >= rules.limit[GRANNY, STOVE]
            and state.tokens[GRANNY, TABLE] >= rules.limit[GRANNY, TABLE]
            and state.tokens[GRANNY, BED] >= rules.limit[GRANNY, BED]
        ):
            stove = 13
    table = 2 * state.tokens[PROPUH, TABLE]
    bed = 2 * state.tokens[PROPUH, BED]
    best = max(stove, table, bed)
    equals = bit(0) * (stove == best) | bit(1) * (table == best) | bit(2) * (bed == best)
    return nth_bit(equals, below(stream, count_bits(equals)))


@step
def choose_play(policy, state, rules, stream):
    """The play with the best score. A hand of four cards gives at most twelve choices: the best are bits of a mask."""
    best = LOWEST_SCORE
    equals = np.int64(0)
    choice = 0
    rest = state.kinds[state.play & 1]
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        for location in range(3):
            meets = (state.pending_side != NOBODY) & (state.pending_location == location)
            hits = meets & counters(rules, kind, location, state.pending_kind)
            if (rules.failed_counter != FORBIDDEN) | hits | (not meets):
                score = score_play(policy, state, rules, kind, location, meets, hits)
                kept = equals if score <= best else np.int64(0)
                equals = kept | (bit(choice) if score >= best else np.int64(0))
                best = max(best, score)
                choice += 1
    return nth_bit(equals, below(stream, count_bits(equals)))


@step
def score_play(policy, state, rules, kind, location, meets, hits):
    """The score of playing a card on a location. `meets`: a card is pending there; `hits`: this card counters it."""
    strength = np.int64(rules.strength[location, kind])
    trump = 1 if strength > TRUMP else 0
    value = strength - TRUMP * trump
    side = state.play & 1
    is_dead = meets & (not hits) & (rules.failed_counter == DISCARDED)
    hopeless = is_dead | (state.tokens[side, location] >= rules.limit[side, location])
    other_is_full = state.tokens[1 - side, location] >= rules.limit[1 - side, location]
    stove = location == STOVE
    # plain sums and choices of numbers: the processor need not guess a branch
    if policy == BUILDER:
        placing = 0 if hopeless else 10 + 20 * trump + 3 * value + (5 if stove else 0)
        countering = (0 if other_is_full else 40 if stove else 30) - strength
        return countering if hits else placing
    if policy == BLOCKER:
        placing = (0 if hopeless else 50 + 50 * trump) - value
        return 1000 - strength if hits else placing
    open_enough = state.tokens[PROPUH, location] >= rules.goal[PROPUH, location]
    if policy == BLOCKER_PROPUH:
        place = -10 if hopeless else 15 if stove else 10 if open_enough else 25
        placing = value + 10 * trump + place - (3 if (location == state.figurine) & (not stove) else 0)
        countering = (-10 if other_is_full else 40) - strength
        return countering if hits else placing
    # RUSHER: wants tokens at the door and the window until both are open enough, then at the stove
    door = state.tokens[PROPUH, TABLE] >= rules.goal[PROPUH, TABLE]
    window = state.tokens[PROPUH, BED] >= rules.goal[PROPUH, BED]
    is_wanted = (door & window) if stove else not open_enough
    return value + (100 + 50 * trump if is_wanted else 0)
