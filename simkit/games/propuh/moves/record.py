"""What is kept of a playout (E2, E3), and what tests and search need of a state."""

from simkit.games.propuh.box import BED, KINDS, STOVE, TABLE
from simkit.games.propuh.moves.cards import take
from simkit.games.propuh.state import GRANNY, NOBODY, PROPUH
from simkit.kernel.jit import step
from simkit.kernel.streams import below


@step
def record(state, rules, row, players):
    """E2, E3: what is kept of a playout."""
    row.end_reason = state.end_reason
    row.granny_won = 1 if state.winner == GRANNY else 0
    row.rounds = state.rounds
    row.granny_stove = state.tokens[GRANNY, STOVE]
    row.granny_table = state.tokens[GRANNY, TABLE]
    row.granny_bed = state.tokens[GRANNY, BED]
    row.propuh_stove = state.tokens[PROPUH, STOVE]
    row.propuh_table = state.tokens[PROPUH, TABLE]
    row.propuh_bed = state.tokens[PROPUH, BED]
    row.start_tokens = state.start_tokens
    row.granny_counters = state.counters[GRANNY]
    row.propuh_counters = state.counters[PROPUH]
    row.granny_failed_counters = state.failed_counters[GRANNY]
    row.propuh_failed_counters = state.failed_counters[PROPUH]
    row.granny_placed = state.placed[GRANNY]
    row.propuh_placed = state.placed[PROPUH]
    row.granny_disregarded = state.disregarded[GRANNY]
    row.propuh_disregarded = state.disregarded[PROPUH]
    row.tokens_removed = state.removed
    row.decided_in_round_7 = 1 if state.rounds >= 7 else 0
    for seat in range(rules.players):
        players[seat].turn_order = seat
        players[seat].won = 1 if state.winner == seat else 0
        players[seat].cards_played = state.cards_played[seat]
        players[seat].opening_stove = state.opening_stove[seat]
        players[seat].opening_fours = state.opening_fours[seat]


@step
def census(state, rules, places):
    """Where every card is: adds up places[zone, kind] for Granny's hand, Propuh's hand, deck, set aside, pending and
    discards. Over the zones, the counts of a kind stay what the box says.
    """
    for kind in range(KINDS):
        places[0, kind] = state.held[GRANNY, kind]
        places[1, kind] = state.held[PROPUH, kind]
        places[2, kind] = 0
        places[3, kind] = 0
        places[4, kind] = 0
        places[5, kind] = state.discarded[kind]
    for i in range(state.drawn, state.deck_end):
        places[2, state.deck[i]] += 1
    for i in range(state.deck_end, rules.deck_size):
        places[3, state.deck[i]] += 1
    if state.pending_side != NOBODY:
        places[4, state.pending_kind] += 1


@step
def redeal_hidden(state, rules, seat, stream):
    """Deal anew, at random, all that the seat cannot know: the other hand, the deck, the cards set aside, and the
    discards if they cannot be looked through (B12). Counts stay what they are.
    """
    other = 1 - seat
    hidden = 0
    pool = state.deck  # the places of cards already drawn are free to hold the pool
    front = state.drawn
    for kind in range(KINDS):
        for _ in range(state.held[other, kind]):
            front -= 1
            pool[front] = kind
            hidden += 1
        state.held[other, kind] = 0
        if rules.discards_visible == 1:
            for _ in range(state.discarded[kind]):
                front -= 1
                pool[front] = kind
            hidden += state.discarded[kind]
    state.kinds[other] = 0
    state.different[other] = 0
    cards = rules.deck_size - front
    for i in range(cards - 1):
        j = i + below(stream, cards - i)
        kind = pool[front + j]
        pool[front + j] = pool[front + i]
        pool[front + i] = kind
    in_hand = state.hand[other]
    state.hand[other] = 0
    for i in range(in_hand):
        take(state, other, pool[front + i])
    if rules.discards_visible == 1:
        for kind in range(KINDS):
            state.discarded[kind] = 0
        for i in range(in_hand, hidden):
            state.discarded[pool[front + i]] += 1
