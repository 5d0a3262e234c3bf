"""What is kept of a playout (E2 to E4)."""

import numpy as np

from simkit.games.prrrt.moves.cards import narrow, values_in
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits

MOST_POINTS, MOST_FROM_CENTRE, MOST_OF_A_KIND, MOST_EFFECTS = 400, 200, 100, 300  # ceilings of E2 and E3


@step
def record(state, rules, row, players):
    """The columns of a playout and of its players."""
    row.end_reason = state.end_reason
    row.rounds = state.rounds
    row.own_ups_1 = state.own_ups[0]
    row.own_ups_2 = state.own_ups[1]
    row.own_ups_3 = state.own_ups[2]
    row.own_up_points_1 = state.own_up_points[0]
    row.own_up_points_2 = state.own_up_points[1]
    row.own_up_points_3 = state.own_up_points[2]
    row.revelations = state.revelations
    row.ties = state.ties
    row.five_zeros = state.five_zeros
    row.totals = state.totals
    row.culprit_totals = state.culprit_totals
    row.highest_culprit_total = state.highest_culprit
    row.shame_drawn = state.shame_drawn
    row.shame_missing = state.shame_missing
    row.indicator_drawn = 1 if rules.sideways > 0 and state.shame_drawn >= rules.sideways else 0
    record_effects(state, row)
    record_players(state, rules, row, players)


@step
def record_effects(state, row):
    """What each value from 3 to 7 did."""
    row.revealed_3 = state.revealed[3]
    row.revealed_4 = state.revealed[4]
    row.revealed_5 = state.revealed[5]
    row.revealed_6 = state.revealed[6]
    row.revealed_7 = state.revealed[7]
    row.effects_3 = state.effects[3]
    row.effects_4 = state.effects[4]
    row.effects_5 = min(state.effects[5], MOST_EFFECTS)
    row.effects_6 = state.effects[6]
    row.effects_7 = state.effects[7]
    row.revealers_3 = state.revealers[3]
    row.revealers_4 = state.revealers[4]
    row.revealers_5 = state.revealers[5]
    row.revealers_6 = state.revealers[6]
    row.revealers_7 = state.revealers[7]
    row.culprits_3 = state.culprits[3]
    row.culprits_4 = state.culprits[4]
    row.culprits_5 = state.culprits[5]
    row.culprits_6 = state.culprits[6]
    row.culprits_7 = state.culprits[7]


@step
def record_players(state, rules, row, players):
    """Scores, losers, ranks, and what each seat did."""
    highest, lowest = np.int64(-1), np.int64(MOST_POINTS)
    correct, wrong, abstained = np.int64(0), np.int64(0), np.int64(0)
    from_centre, for_fingers, for_wrong, moved = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for seat in range(rules.players):
        highest = max(highest, state.points[seat])
        lowest = min(lowest, state.points[seat])
        correct += state.correct[seat]
        wrong += state.wrong[seat]
        abstained += state.abstained[seat]
        from_centre += state.from_centre[seat]
        for_fingers += state.for_fingers[seat]
        for_wrong += state.for_wrong[seat]
        moved += state.gained[seat]
        record_player(state, rules, seat, players[seat])
    losers = np.int64(0)
    for seat in range(rules.players):
        lost = 1 if state.points[seat] == highest else 0
        players[seat].lost = lost
        losers |= lost << seat
    row.losers = count_bits(losers)
    row.highest_score = highest
    row.lowest_score = lowest
    row.correct_accusations = correct
    row.wrong_accusations = wrong
    row.abstentions = abstained
    own_up_points = state.own_up_points[0] + state.own_up_points[1] + state.own_up_points[2]
    row.culprit_points = from_centre - own_up_points
    row.finger_points = for_fingers
    row.wrong_points = for_wrong
    row.moved_points = min(moved, MOST_POINTS)
    row.decided_by_effect_3 = 1 if moved > 0 and losers_without_moves(state, rules) != losers else 0


@step
def losers_without_moves(state, rules):
    """Mask of those who would have lost had no Shame card changed piles by a 3."""
    highest = np.int64(-1)
    found = np.int64(0)
    for seat in range(rules.players):
        points = np.int64(state.points[seat]) + state.given[seat] - state.gained[seat]
        found = np.int64(0) if points > highest else found
        highest = max(highest, points)
        found |= bit(seat) if points == highest else 0
    return found


@step
def record_player(state, rules, seat, player):
    """The columns of a seat that do not need the others, and its rank."""
    ahead = np.int64(seat) - state.starter
    if rules.step[state.location[0]] != 1:  # the first round went to the right
        ahead = -ahead
    player.turn_order = ahead if ahead >= 0 else ahead + rules.players
    points = state.points[seat]
    rank = 1
    for other in range(rules.players):
        rank += 1 if state.points[other] < points else 0
    player.score = points
    player.rank = rank
    player.times_culprit = state.times_culprit[seat]
    player.times_owned_up = state.times_owned_up[seat]
    player.correct_accusations = state.correct[seat]
    player.wrong_accusations = state.wrong[seat]
    player.abstentions = state.abstained[seat]
    player.centre_points = min(state.from_centre[seat], MOST_FROM_CENTRE)
    player.finger_points = min(state.for_fingers[seat], MOST_OF_A_KIND)
    player.wrong_points = min(state.for_wrong[seat], MOST_OF_A_KIND)
    player.gained_points = min(state.gained[seat], MOST_OF_A_KIND)
    player.given_points = min(state.given[seat], MOST_OF_A_KIND)
    player.pile_cards = state.pile_cards[seat]
    player.opening_cards = narrow(values_in(state.opening[seat]))
    player.drawn_cards = narrow(values_in(state.drawn[seat]))
    player.played_cards = state.played[seat]
