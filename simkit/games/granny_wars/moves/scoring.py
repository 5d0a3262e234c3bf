"""The end: scores, ties, winners (A6, B11, B24), and how far the loyalties had shown (E3)."""

import numpy as np

from simkit.games.granny_wars.box import LEAN_WEIGHTS
from simkit.games.granny_wars.moves.readings import BY_LOT, EARLIEST_TURN, FINAL_TIE
from simkit.games.granny_wars.state import MAX_LEAN
from simkit.games.granny_wars.story import SCORED, STILL_TIED, TIED, WINS
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, nth_bit
from simkit.kernel.streams import below, open_chance


@step
def score(state, rules, streams, log):
    """Scores and winners."""
    best = -MAX_LEAN
    for seat in range(rules.players):
        pile = state.owned[seat]
        points = state.total[pile]
        for placer in range(rules.players):
            points += state.beneath[placer, pile]
        state.score[seat] = points
        best = max(best, points)
        note(log, SCORED, seat, points, state.pile_size[pile], pile, 0)
    tied = 0
    fewest = 127
    for seat in range(rules.players):
        if state.score[seat] == best:
            tied |= 1 << seat
            fewest = min(fewest, state.pile_size[state.owned[seat]])
    if count_bits(tied) > 1:
        note(log, TIED, best, 0, 0, 0, 0)
        state.tie_stage = 1
        for seat in range(rules.players):
            if state.pile_size[state.owned[seat]] > fewest:
                tied &= ~(1 << seat)
        if count_bits(tied) > 1:
            note(log, STILL_TIED, fewest, 0, 0, 0, 0)
            state.tie_stage = 2
            tied = settle(state, rules, tied, streams)
    state.winners = tied
    note(log, WINS, tied, 0, 0, 0, 0)


@step
def settle(state, rules, tied, streams):
    """B11: who wins when score and card count are tied, as a mask of seats."""
    if rules.final_tie == BY_LOT:
        return bit(nth_bit(tied, below(open_chance(streams, FINAL_TIE, 0), count_bits(tied))))
    if rules.final_tie == EARLIEST_TURN:
        seat = state.first
        while (tied >> seat) & 1 == 0:
            seat = seat + 1 if seat + 1 < rules.players else 0
        return bit(seat)
    return tied


@step
def leak(state, rules, seat):
    """E3: how likely its own pile looks to an observer of what a seat did, in per cent."""
    highest = -MAX_LEAN
    for pile in range(rules.piles):
        highest = max(highest, state.lean[seat, pile])
    total = 0
    for pile in range(rules.piles):
        total += weight_of(state, rules, seat, pile, highest)
    share = 100 * weight_of(state, rules, seat, state.owned[seat], highest)
    return np.uint32(share) // np.uint32(total)  # narrow division is quicker, and both fit


@step
def weight_of(state, rules, seat, pile, highest):
    """RULES.md C, spoiler: W(d) with d the distance to the highest L of the seat."""
    return np.int64(rules.weight[min(highest - state.lean[seat, pile], LEAN_WEIGHTS)])
