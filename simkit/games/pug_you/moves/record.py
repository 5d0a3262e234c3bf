"""What is kept of a playout (E2 to E4)."""

import numpy as np

from simkit.games.pug_you import HIGH, LOW
from simkit.games.pug_you.moves.cards import steps_to
from simkit.kernel.jit import step
from simkit.kernel.piles import count_bits


@step
def record(state, rules, row, players):
    """The columns of a playout and of its players."""
    row.end_reason = state.end_reason
    row.turns = state.turns
    row.turns_skipped = state.turns_skipped
    row.first_ties = state.ties[0]
    row.second_ties = state.ties[1]
    row.second_questions = np.int64(state.from_scored) + state.from_hand
    row.second_from_scored = state.from_scored
    row.second_from_hand = state.from_hand
    row.second_declined = state.declined
    row.reshuffles = min(state.reshuffles, 60)
    row.offers_missed = min(state.offers_missed, 100)
    row.votes_missed = min(state.votes_missed, 100)
    row.short_hands = min(state.short_hands, 100)
    row.early_draws = min(state.early_draws, 50)
    row.limit_turn = state.limit_turn
    row.deck_shortfall = rules.deck_shortfall
    record_scores(state, rules, row, players)
    record_reputations(state, rules, players)


@step
def record_scores(state, rules, row, players):
    highest, lowest, below_all = np.int64(LOW), np.int64(HIGH), np.int64(LOW - 1)
    for seat in range(rules.players):
        highest = max(highest, np.int64(state.badges[seat]))
        lowest = min(lowest, np.int64(state.badges[seat]))
    next_lower = below_all
    losers, cards, shed = 0, 0, np.int64(0)
    for seat in range(rules.players):
        badges = np.int64(state.badges[seat])
        next_lower = max(next_lower, badges if badges < highest else below_all)
        lost = 1 if badges == highest else 0
        losers += lost
        rank = 1
        for other in range(rules.players):
            rank += 1 if state.badges[other] < badges else 0
        kept = count_bits(state.kept[seat, 0]) + count_bits(state.kept[seat, 1])
        own = kept + count_bits(state.scored[seat, 0]) + count_bits(state.scored[seat, 1])
        cards += own
        shed += state.shed[seat]
        players[seat].turn_order = steps_to(rules, state.first, seat)
        players[seat].lost = lost
        players[seat].score = badges
        players[seat].rank = rank
        players[seat].scored_cards = min(own, 40)
        players[seat].nominations = min(state.nominations[seat], 40)
        players[seat].offers_taken = min(state.offers_taken[seat], 20)
        players[seat].second_questions = min(state.asked_second[seat], 15)
        players[seat].badges_shed = max(-10, min(np.int64(state.shed[seat]), 30))
        players[seat].opening_cards = state.opening[seat]
        players[seat].drawn_cards = state.drawn[seat]
        players[seat].played_cards = state.played[seat]
    row.highest_score = highest
    row.lowest_score = lowest
    row.margin = highest - next_lower if next_lower > below_all else 0
    row.losers = losers
    row.scored_cards = cards
    row.badges_shed = max(-20, min(shed, 100))
    row.scored_mutts = state.mutts


@step
def record_reputations(state, rules, players):
    """Places by reputation: 1 plus the number of seats with a higher one."""
    for seat in range(rules.players):
        place = 0
        if rules.reputation != 0:
            place = 1
            for other in range(rules.players):
                place += 1 if state.reputation[other] > state.reputation[seat] else 0
        players[seat].reputation = place
