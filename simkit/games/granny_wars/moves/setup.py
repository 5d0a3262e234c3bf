"""The setup: clauses A2, B12, B25; D1 to D3."""

import numpy as np

from simkit.games.granny_wars.box import KINDS, MAX_PILES, MAX_SEATS
from simkit.games.granny_wars.moves.readings import CARDS, FIRST_PLAYER, LOYALTIES, RANDOM_FIRST
from simkit.games.granny_wars.state import NOBODY, PLAY
from simkit.games.granny_wars.story import DEALT, OWNS, STARTS, UNOWNED
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, shuffle
from simkit.kernel.streams import below, open_setup


@step
def deal(state, rules, streams, log):
    """A2: a new game, up to the first decision."""
    clear(state, rules)
    dealt = rules.players * rules.hand_size
    shuffle(state.deck, rules.deck_size, dealt, open_setup(streams, CARDS))
    shuffle(state.owned, rules.piles, rules.players, open_setup(streams, LOYALTIES))
    state.first = below(open_setup(streams, FIRST_PLAYER), rules.players) if rules.first_player == RANDOM_FIRST else 0
    state.seat = state.first
    tell_setup(state, rules, log)
    i = 0
    for seat in range(rules.players):
        kinds = np.int64(0)
        for _ in range(rules.hand_size):
            kind = state.deck[i]
            i += 1
            state.held[seat, kind] += 1
            kinds |= bit(kind)
            note(log, DEALT, seat, kind, 0, 0, 0)
        state.hand[seat] = rules.hand_size
        state.kinds[seat] = kinds
        state.different[seat] = count_bits(kinds)
        state.opening[seat] = kinds
    state.phase = PLAY
    state.turns = 1


@step
def tell_setup(state, rules, log):
    if log is not None:
        note(log, STARTS, state.first, 0, 0, 0, 0)
        for seat in range(rules.players):
            note(log, OWNS, seat, state.owned[seat], 0, 0, 0)
        for pile in range(rules.piles):
            owned = False
            for seat in range(rules.players):
                owned |= state.owned[seat] == pile
            if not owned:
                note(log, UNOWNED, pile, 0, 0, 0, 0)


@step
def clear(state, rules):
    for i in range(rules.deck_size):
        state.deck[i] = rules.cards[i]
    for pile in range(MAX_PILES):
        state.owned[pile] = pile
        state.pile_size[pile] = 0
        state.total[pile] = 0
    for seat in range(MAX_SEATS):
        for pile in range(MAX_PILES):
            state.beneath[seat, pile] = 0
            state.lean[seat, pile] = 0
    for seat in range(MAX_SEATS):
        for kind in range(KINDS):
            state.held[seat, kind] = 0
    for seat in range(MAX_SEATS):
        if state.known_of[seat] != 0:
            state.known_of[seat] = 0
            for other in range(MAX_SEATS):
                for kind in range(KINDS):
                    state.known[other, seat, kind] = 0
        state.kinds[seat] = 0
        state.different[seat] = 0
        state.hand[seat] = 0
        state.blind_steals[seat] = 0
        state.own_positive[seat] = 0
        state.leak_middle[seat] = 0
        state.drawn[seat] = 0
        state.played[seat] = 0
        state.score[seat] = 0
    state.power = 0
    state.is_extra = 0
    state.down = 0
    state.waiting = 0
    state.target = 0
    state.in_air = NOBODY
    state.cards_played = 0
    state.half_way = 0
    state.bounces = 0
    state.extra_faceup = 0
    state.extra_facedown = 0
    state.extras_declined = 0
    state.steals = 0
    state.hand_swaps = 0
    state.top_swaps = 0
    state.winners = 0
    state.tie_stage = 0
