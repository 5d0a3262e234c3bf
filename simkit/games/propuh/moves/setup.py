"""The setup: clauses A4 and A8."""

from simkit.games.propuh.box import BED, KINDS, MAX_VALUE, STOVE, TABLE
from simkit.games.propuh.moves.cards import draw, take
from simkit.games.propuh.moves.readings import (
    CARDS,
    DECK,
    OFF_AT_START,
    RANDOM_DIFFICULTY,
)
from simkit.games.propuh.moves.rounds import begin_round
from simkit.games.propuh.state import NOBODY, OFF_BOARD, PROPUH
from simkit.games.propuh.story import (
    ASIDE,
    DEALT,
    DIFFICULTY,
    DIFFICULTY_CARD,
)
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import shuffle
from simkit.kernel.streams import open_setup


@step
def deal(state, rules, streams, log):
    """A4, A8: a new game, up to the first decision."""
    clear(state, rules)
    shuffle(state.deck, rules.deck_size, rules.deck_size, open_setup(streams, DECK))
    state.deck_end = rules.deck_size - rules.set_aside
    if rules.set_aside > 0:
        note(log, ASIDE, state.deck[state.deck_end], state.deck[state.deck_end + 1], 0, 0, 0)
    for side in range(rules.players):
        for _ in range(rules.hand_size):
            kind = draw(state)
            take(state, side, kind)
            note(log, DEALT, side, kind, 0, 0, 0)
            state.opening_stove[side] += 1 if kind < MAX_VALUE else 0
            state.opening_fours[side] += 1 if kind % MAX_VALUE >= 3 else 0
    if rules.players == 1:
        place_start_tokens(state, rules, streams, log)
    begin_round(state, log)


@step
def clear(state, rules):
    for i in range(rules.deck_size):
        state.deck[i] = rules.cards[i]
    state.drawn = 0
    for kind in range(KINDS):
        state.discarded[kind] = 0
    for side in range(2):
        for kind in range(KINDS):
            state.held[side, kind] = 0
        state.kinds[side] = 0
        state.different[side] = 0
        state.hand[side] = 0
        for location in range(3):
            state.tokens[side, location] = 0
        state.counters[side] = 0
        state.failed_counters[side] = 0
        state.placed[side] = 0
        state.disregarded[side] = 0
        state.cards_played[side] = 0
        state.opening_stove[side] = 0
        state.opening_fours[side] = 0
    state.rounds = 0
    state.pending_side = NOBODY
    state.figurine = OFF_BOARD if rules.figurine_start == OFF_AT_START else rules.figurine_start
    state.start_tokens = 0
    state.removed = 0
    state.end_reason = 0
    state.winner = NOBODY


@step
def place_start_tokens(state, rules, streams, log):
    """A8, B22: the tokens of the difficulty."""
    if rules.difficulty == RANDOM_DIFFICULTY:
        for card in range(rules.difficulty_cards):
            state.difficulty_order[card] = card
        count = rules.random_cards + 1
        shuffle(state.difficulty_order, rules.difficulty_cards, count, open_setup(streams, CARDS))
        for i in range(count):
            card = state.difficulty_order[i]
            shown = rules.difficulty_card[card]
            note(log, DIFFICULTY_CARD, card + 1, shown[STOVE], shown[TABLE], shown[BED], 0)
            for location in range(3):
                add_start_tokens(state, rules, location, shown[location])
    else:
        for location in range(3):
            placed = add_start_tokens(state, rules, location, rules.start_tokens[location])
            if placed > 0:
                note(log, DIFFICULTY, rules.difficulty + 1, placed, location, 0, 0)


@step
def add_start_tokens(state, rules, location, count):
    """B22: as many as fit; gives how many."""
    added = min(count, rules.limit[PROPUH, location] - state.tokens[PROPUH, location])
    state.tokens[PROPUH, location] += added
    state.start_tokens += added
    return added
