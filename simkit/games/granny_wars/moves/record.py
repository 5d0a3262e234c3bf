"""What is kept of a playout (E2 to E4)."""

from simkit.games.granny_wars.box import MAX_SCORE, NUMBERED
from simkit.games.granny_wars.moves.scoring import leak
from simkit.kernel.jit import step
from simkit.kernel.piles import count_bits


@step
def record(state, rules, row, players):
    """The columns of a playout and of its players."""
    row.end_reason = 1
    row.winners = count_bits(state.winners)
    row.tie_stage = state.tie_stage
    row.turns = state.turns
    row.cards_played = state.cards_played
    row.bounces = state.bounces
    row.extra_faceup = state.extra_faceup
    row.extra_facedown = state.extra_facedown
    row.extras_declined = state.extras_declined
    row.steals = state.steals
    row.hand_swaps = state.hand_swaps
    row.top_swaps = state.top_swaps
    row.first_seat = state.first
    largest = 0
    for pile in range(rules.piles):
        largest = max(largest, state.pile_size[pile])
    row.largest_pile = largest
    lowest, highest = MAX_SCORE, -MAX_SCORE
    dealt = 0
    for seat in range(rules.players):
        lowest = min(lowest, state.score[seat])
        highest = max(highest, state.score[seat])
        gold, total = 0, 0
        for _ in range(rules.hand_size):
            kind = state.deck[dealt]
            dealt += 1
            gold += 1 if kind >= NUMBERED else 0
            total += rules.value[kind]
        order = seat - state.first
        players[seat].turn_order = order if order >= 0 else order + rules.players
        players[seat].won = (state.winners >> seat) & 1
        players[seat].score = state.score[seat]
        players[seat].pile_size = state.pile_size[state.owned[seat]]
        players[seat].own_positive = state.own_positive[seat]
        players[seat].opening_gold = gold
        players[seat].opening_sum = total
        players[seat].leak_middle = state.leak_middle[seat]
        players[seat].leak_end = leak(state, rules, seat)
        players[seat].opening_cards = state.opening[seat]
        players[seat].drawn_cards = state.drawn[seat]
        players[seat].played_cards = state.played[seat]
    row.winning_score = highest
    row.lowest_score = lowest
