"""What is kept of a playout (E2 to E4)."""

import numpy as np

from simkit.games.purim.box import MAX_CUBES, SONS
from simkit.games.purim.state import OVER, REAL
from simkit.kernel.jit import phase
from simkit.kernel.piles import bit, count_bits

MOST_ROUNDS, MOST_RESOLUTIONS, MOST_END_EFFECTS, MOST, MOST_SHUFFLES = 40, 200, 100, 100, 30


@phase
def record(state, rules, row, players):
    """The columns of a playout and of its players."""
    board = state.boards[REAL]
    unsafe, deficit, margin = np.int64(0), np.int64(0), np.int64(MAX_CUBES)
    for p in range(rules.provinces):
        difference = np.int64(board.gold[p]) - board.black[p]
        unsafe |= np.int64(1 if difference < 0 else 0) << p
        deficit -= min(difference, 0)
        margin = min(margin, difference)
    won = 1 if state.phase == OVER and unsafe == 0 else 0
    row.end_reason = board.due
    row.team_won = won
    row.rounds = min(np.int64(state.rounds), MOST_ROUNDS)
    row.skipped = min(np.int64(state.skipped), MOST)
    row.declined = min(np.int64(state.declined), MOST)
    row.calendar = board.calendar
    row.gold_left = board.gold_left
    row.black_left = board.black_left
    row.black_removed = min(np.int64(board.black_removed), MAX_CUBES)
    row.sons_destroyed = SONS - count_bits(np.int64(board.alive))
    row.unsafe_provinces = count_bits(unsafe)
    row.deficit = deficit
    row.margin = margin
    row.province_shuffles = min(np.int64(state.province_shuffles), MOST_SHUFFLES)
    record_cards(state, rules, row)
    record_unsafe(unsafe, row)
    resolutions, end_effects = np.int64(0), np.int64(0)
    for seat in range(rules.players):
        resolutions += state.resolutions[seat]
        end_effects += state.end_effects[seat]
        record_player(state, seat, won, players[seat])
    row.resolutions = min(resolutions, MOST_RESOLUTIONS)
    row.end_effects = min(end_effects, MOST_END_EFFECTS)


@phase
def record_player(state, seat, won, player):
    """E3, E4; with what the card at hand has done so far."""
    board = state.boards[REAL]
    acting = 1 if state.kind >= 0 and state.seat == seat else 0
    player.turn_order = seat
    player.won = won
    player.resolutions = min(np.int64(state.resolutions[seat]), MOST_RESOLUTIONS // 2)
    player.end_effects = min(np.int64(state.end_effects[seat]), MOST_END_EFFECTS // 2)
    player.gold_placed = min(np.int64(state.gold_placed[seat]) + acting * board.gold_put, MAX_CUBES)
    player.black_placed = min(np.int64(state.black_placed[seat]) + acting * board.black_put, MAX_CUBES)
    player.sons_destroyed = np.int64(state.destroyed[seat]) + acting * board.destroyed
    player.opening_cards = state.opening[seat]
    player.drawn_cards = state.drawn[seat]
    player.played_cards = state.played[seat]


@phase
def record_cards(state, rules, row):
    """Which Messengers' and Sons' cards were in force from the first round on."""
    messengers = np.int64(0)
    if state.rounds > 0:
        for i in range(rules.messengers_in_force):
            messengers |= bit(state.messenger_card[i])
    row.messenger_card_1 = messengers & 1
    row.messenger_card_2 = (messengers >> 1) & 1
    row.messenger_card_3 = (messengers >> 2) & 1
    row.messenger_card_4 = (messengers >> 3) & 1
    row.messenger_card_5 = (messengers >> 4) & 1
    sons = np.int64(state.first_son_cards)
    row.sons_card_1 = sons & 1
    row.sons_card_2 = (sons >> 1) & 1
    row.sons_card_3 = (sons >> 2) & 1
    row.sons_card_4 = (sons >> 3) & 1
    row.sons_card_5 = (sons >> 4) & 1
    row.sons_card_6 = (sons >> 5) & 1
    row.sons_card_7 = (sons >> 6) & 1
    row.sons_card_8 = (sons >> 7) & 1
    row.sons_card_9 = (sons >> 8) & 1
    row.sons_card_10 = (sons >> 9) & 1


@phase
def record_unsafe(unsafe, row):
    """Which Provinces are unsafe."""
    row.unsafe_1 = unsafe & 1
    row.unsafe_2 = (unsafe >> 1) & 1
    row.unsafe_3 = (unsafe >> 2) & 1
    row.unsafe_4 = (unsafe >> 3) & 1
    row.unsafe_5 = (unsafe >> 4) & 1
    row.unsafe_6 = (unsafe >> 5) & 1
    row.unsafe_7 = (unsafe >> 6) & 1
    row.unsafe_8 = (unsafe >> 7) & 1
    row.unsafe_9 = (unsafe >> 8) & 1
    row.unsafe_10 = (unsafe >> 9) & 1
    row.unsafe_11 = (unsafe >> 10) & 1
    row.unsafe_12 = (unsafe >> 11) & 1
    row.unsafe_13 = (unsafe >> 12) & 1
    row.unsafe_14 = (unsafe >> 13) & 1
    row.unsafe_15 = (unsafe >> 14) & 1
    row.unsafe_16 = (unsafe >> 15) & 1
    row.unsafe_17 = (unsafe >> 16) & 1
    row.unsafe_18 = (unsafe >> 17) & 1
    row.unsafe_19 = (unsafe >> 18) & 1
    row.unsafe_20 = (unsafe >> 19) & 1
