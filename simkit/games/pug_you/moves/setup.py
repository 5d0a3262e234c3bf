"""The setup: clauses A2, B18; D1, D2."""

import numpy as np

from simkit.games.pug_you.box import MAX_SEATS
from simkit.games.pug_you.moves.cards import hand_with, seat_from, top_card
from simkit.games.pug_you.moves.opinions import settle_reputations
from simkit.games.pug_you.moves.readings import DECK, FIRST_PLAYER, RANDOM_FIRST
from simkit.games.pug_you.moves.turns import begin_turn
from simkit.games.pug_you.state import EMPTY_HAND, NOBODY
from simkit.games.pug_you.story import BEGINS, DEALT
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, without_lowest
from simkit.kernel.streams import below, derive, open_setup, open_stream


@step
def deal(state, rules, streams, log):
    """A2: a new game, up to the first decision. The order of the deck is settled only as far as cards are drawn."""
    clear(state, rules)
    state.setup_key = streams.setup_key
    for seat in range(MAX_SEATS):
        state.opinion_key[seat] = streams.setup_key
    settle_reputations(state, rules)
    state.first = below(open_setup(streams, FIRST_PLAYER), rules.players) if rules.first_player == RANDOM_FIRST else 0
    note(log, BEGINS, state.first, 0, 0, 0, 0)
    open_stream(state.stream, derive(streams.setup_key, DECK))
    for seat in range(rules.players):
        hand = np.int64(EMPTY_HAND)
        kinds = np.int64(0)
        for _ in range(rules.hand_size):
            card = top_card(state)
            hand = hand_with(hand, card)
            kinds |= bit(rules.kind[card])
            note(log, DEALT, seat, card, 0, 0, 0)
        state.hand[seat] = hand
        state.cards[seat] = rules.hand_size
        state.opening[seat] = kinds
    state.active = state.first
    begin_turn(state, rules, log)
    state.due = without_lowest(state.due)  # everybody has cards: the first one offers
    state.seat = seat_from(rules, state.active, 1)


@step
def clear(state, rules):
    for i in range(rules.deck_size):
        state.deck[i] = i
    state.top = 0
    state.end = rules.deck_size
    for half in range(2):
        state.discard[half] = 0
        state.ties[half] = 0
        state.turds[half] = 0
        state.nominee[half] = 0
    for seat in range(MAX_SEATS):
        state.hand[seat] = EMPTY_HAND
        state.cards[seat] = 0
        state.vote[seat] = NOBODY
        state.badges[seat] = 0
        state.positive[seat] = 0
        state.scored[seat, 0] = 0
        state.scored[seat, 1] = 0
        state.kept[seat, 0] = 0
        state.kept[seat, 1] = 0
        state.reputation[seat] = 0
        state.nominations[seat] = 0
        state.offers_taken[seat] = 0
        state.asked_second[seat] = 0
        state.shed[seat] = 0
        state.drawn[seat] = 0
        state.played[seat] = 0
    state.card = NOBODY
    state.owner = NOBODY
    state.end_reason = 0
    state.limit_turn = 0
    state.mutts = 0
    state.turns = 0
    state.turns_skipped = 0
    state.from_scored = 0
    state.from_hand = 0
    state.declined = 0
    state.reshuffles = 0
    state.offers_missed = 0
    state.votes_missed = 0
    state.short_hands = 0
    state.early_draws = 0
