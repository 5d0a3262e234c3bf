"""The setup: clause A2; D1 to D3."""

import numpy as np

from simkit.games.prrrt.box import (
    MAX_LOCATIONS,
    MAX_SEATS,
    MAX_SHAME_CARDS,
    MAX_SMELL_CARDS,
    SHAMES,
    SMELLS,
    TOURS,
)
from simkit.games.prrrt.moves.chance import settle
from simkit.games.prrrt.moves.readings import DEAL, FIRST_PLAYER, LOCATIONS, RANDOM_FIRST, SHAME, TURNED_UP
from simkit.games.prrrt.moves.rounds import begin_round, finish
from simkit.games.prrrt.state import NOBODY
from simkit.kernel.jit import step
from simkit.kernel.streams import below, derive, open_setup


@step
def deal(state, rules, streams, log):
    """A2: a new game, up to the first decision."""
    clear(state, rules)
    number = np.int64(rules.locations)
    settle(state.location, number, np.int64(0), number, open_setup(streams, LOCATIONS))
    state.first = (
        below(open_setup(streams, FIRST_PLAYER), np.int64(rules.players)) if rules.first_player == RANDOM_FIRST else 0
    )
    state.starter = state.first
    state.dealing = derive(streams.chance_key, DEAL)
    state.turning = derive(streams.chance_key, TURNED_UP)
    stream = open_setup(streams, SHAME)
    for i in range(4):
        state.shame_stream[i] = stream[i]
    reason = begin_round(state, rules, streams, log)
    if reason != 0:
        leave_cards(state, rules)
        finish(state, rules, reason, log)


@step
def leave_cards(state, rules):
    """The game ended before the first hand was dealt."""
    for i in range(MAX_SMELL_CARDS):
        state.smell[i] = rules.smell[i]
    for seat in range(MAX_SEATS):
        state.hand[seat] = 0
        state.front[seat] = 0
        state.gone[seat] = 0


@step
def clear(state, rules):
    for i in range(MAX_LOCATIONS):
        state.location[i] = i
    for i in range(MAX_SHAME_CARDS):
        state.shame[i] = rules.shame[i]
    for seat in range(MAX_SEATS):
        for value in range(SHAMES):
            state.pile[seat, value] = 0
    for tour in range(TOURS):
        state.own_ups[tour] = 0
        state.own_up_points[tour] = 0
    for value in range(SMELLS):
        state.revealed[value] = 0
        state.effects[value] = 0
        state.revealers[value] = 0
        state.culprits[value] = 0
    clear_seats(state)
    state.centre_size = 0
    state.centre_down = 0
    state.seat = 0
    state.asked = 0
    state.tour = 1
    state.rounds = 0
    state.contexts = 0
    state.end_reason = 0
    state.effect = 0
    state.target = 0
    state.exchanged = 0
    state.links = 0
    state.shame_drawn = 0
    state.shame_missing = 0
    state.revelations = 0
    state.ties = 0
    state.five_zeros = 0
    state.totals = 0
    state.culprit_totals = 0
    state.highest_culprit = 0


@step
def clear_seats(state):
    for seat in range(MAX_SEATS):
        state.finger[seat] = NOBODY
        state.pile_cards[seat] = 0
        state.points[seat] = 0
        state.times_culprit[seat] = 0
        state.times_owned_up[seat] = 0
        state.correct[seat] = 0
        state.wrong[seat] = 0
        state.abstained[seat] = 0
        state.from_centre[seat] = 0
        state.for_fingers[seat] = 0
        state.for_wrong[seat] = 0
        state.gained[seat] = 0
        state.given[seat] = 0
        state.opening[seat] = 0
        state.drawn[seat] = 0
        state.played[seat] = 0
