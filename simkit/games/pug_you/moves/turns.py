"""A turn: carrying out a choice and everything after it that nobody decides (A3, A4, B1 to B8, B16, B26 to B31)."""

import numpy as np

from simkit.games.pug_you.box import MAX_HAND, MAX_SEATS, TURNS_EACH
from simkit.games.pug_you.moves.cards import (
    bit_of,
    card_in,
    cards_left,
    draw,
    give_up,
    half_of,
    seat_from,
    steps_to,
)
from simkit.games.pug_you.moves.choices import (
    pair_of,
    scored_card,
    scored_choices,
    second_cards,
)
from simkit.games.pug_you.moves.readings import (
    ACTIVE_FIRST,
    AT_END_OF_TURN,
    BADGE_LIMIT,
    COUNTS_MUTTS,
    DRAW_FIRST,
    EQUAL_TURNS,
    FORBIDDEN,
    LIMIT_REACHED,
    NO_CARDS,
    NO_SECOND,
    TWO_ROUNDS_OVER,
)
from simkit.games.pug_you.state import (
    CHOOSE,
    ENDING,
    IDLE,
    NOBODY,
    NOMINATE,
    OFFER,
    OVER,
    OWN,
    SEAT_CODE,
    SECOND,
    TAKE,
    TIEBREAK,
    VOTE,
)
from simkit.games.pug_you.story import (
    ASKS_AGAIN,
    ASKS_OWN,
    COUNTED,
    DECIDES,
    DECLINES,
    ENDS,
    LIMIT,
    LOSES,
    NO_CARD_FOR_SECOND,
    NO_OFFER,
    NO_VOTE,
    NOMINATES,
    OFFERS,
    SHORT,
    SKIPPED,
    TAKES,
    TAKES_OFFER,
    TOTAL,
    TURN,
    VOTES,
)
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, lowest_bit, nth_bit, without_lowest


@step
def play_choice(state, rules, choice, streams, log):
    """Carry out a choice of the decision at hand, up to the next decision or the end."""
    phase = state.phase
    winner = np.int64(NOBODY)
    if phase == OFFER:
        offer(state, rules, choice, log)
    elif phase == VOTE:
        vote(state, rules, choice, log)
    elif phase == NOMINATE:
        nominate(state, rules, choice, log)
    elif phase == TIEBREAK:
        winner = np.int64(state.nominee[choice])
        note(log, DECIDES, state.seat, winner, 0, 0, 0)
        state.phase = TAKE
    else:
        ask(state, rules, choice, log)
    go_on(state, rules, winner, streams, log)


@step
def go_on(state, rules, winner, streams, log):
    """Go through all steps that nobody decides. `winner` : in TAKE, who takes the active card."""
    while True:
        if state.phase in (OFFER, VOTE):
            if find_next(state, rules, streams, log):
                return
            if state.phase == OFFER:
                close_offers(state, log)
            else:
                winner = count(state, log)
        if state.phase == TAKE:
            take_card(state, rules, winner, log)
        if state.phase < TAKE:
            return
        end_turn(state, rules, streams, log)
        if state.phase == OVER:
            return


# --- a turn begins, offers


@step
def begin_turn(state, rules, log):
    """A3: everybody but the active player is to offer."""
    state.turns += 1
    state.question = 0
    state.offering = 0
    state.due = bit(rules.players - 1) - 1
    state.phase = OFFER
    note(log, TURN, state.turns, state.active, 0, 0, 0)


@step
def find_next(state, rules, streams, log):
    """The next seat that offers or votes decides; B16: unless it has no card. Gives whether there is one."""
    while state.due != 0:
        seat = seat_from(rules, state.active + 1, lowest_bit(state.due))
        state.due = without_lowest(state.due)
        if state.cards[seat] == 0:
            find_card(state, rules, seat, streams, log)
        if state.cards[seat] > 0:
            state.seat = seat
            return True
    state.seat = state.active
    return False


@step
def find_card(state, rules, seat, streams, log):
    """B16: an offer or vote is due and the hand is empty."""
    if rules.short_hand == DRAW_FIRST and draw(state, rules, streams, np.int64(1), seat, log) == 0:
        state.early_draws += 1
        return
    if state.phase == OFFER:
        state.offers_missed += 1
        note(log, NO_OFFER, seat, 0, 0, 0, 0)
    else:
        state.votes_missed += 1
        note(log, NO_VOTE, seat, 0, 0, 0, 0)


@step
def offer(state, rules, choice, log):
    """OFFER: the card stays in the hand until it is taken."""
    seat = state.seat
    state.offered[seat] = choice
    state.offering |= bit(seat)
    if log is not None:
        note(log, OFFERS, seat, card_in(state.hand[seat], choice), 0, 0, 0)


@step
def close_offers(state, log):
    """All who can have offered: the active player chooses; B29: or asks a card of the own hand."""
    if state.offering != 0:
        state.phase = CHOOSE
    elif state.cards[state.active] > 0:
        state.phase = OWN
    else:
        state.turns_skipped += 1
        note(log, SKIPPED, 0, 0, 0, 0, 0)
        state.phase = IDLE


# --- the question


@step
def ask(state, rules, choice, log):
    """OWN, CHOOSE and SECOND: a card is asked, or no second question."""
    seat = state.active
    holder = np.int64(seat)
    slot = np.int64(choice)
    phase = state.phase
    state.owner = NOBODY
    state.phase = NOMINATE
    if phase == CHOOSE:
        holder = np.int64(nth_bit(state.offering, choice))
        slot = np.int64(state.offered[holder])
        state.offers_taken[holder] += 1
        state.owner = holder
    elif phase == SECOND:
        slot -= scored_choices(state)
        if slot >= 0 and choice >= second_cards(state, rules):
            state.declined += 1
            state.phase = ENDING
            note(log, DECLINES, seat, 0, 0, 0, 0)
            return
        state.question = 1
        state.asked_second[seat] += 1
        if slot < 0:
            ask_again(state, rules, seat, scored_card(state, choice), log)
            return
        state.from_hand += 1
    card = give_up(state, rules, holder, slot)
    state.card = card
    if phase == CHOOSE:
        note(log, TAKES_OFFER, seat, holder, card, 0, 0)
    else:
        note(log, ASKS_OWN, seat, card, 0, 0, 0)


@step
def ask_again(state, rules, seat, card, log):
    """B28: a scored card is asked in a second question, and leaves the total at once."""
    badges = rules.badges[card]
    state.card = card
    state.scored[seat, half_of(card)] &= ~bit_of(card)
    state.badges[seat] -= badges
    state.positive[seat] -= max(badges, 0)
    state.shed[seat] += badges
    state.mutts -= 1 if badges < 0 else 0
    state.from_scored += 1
    note(log, ASKS_AGAIN, seat, card, 0, 0, 0)


@step
def nominate(state, rules, choice, log):
    """NOMINATE: all others are to vote, the active player last."""
    both = pair_of(state, rules, choice)
    first, second = both // SEAT_CODE, both % SEAT_CODE
    state.nominee[0] = first
    state.nominee[1] = second
    state.nominations[first] += 1
    state.nominations[second] += 1
    state.turds[0] = 0
    state.turds[1] = 0
    for seat in range(MAX_SEATS):
        state.vote[seat] = NOBODY
    left = state.active + 1
    nominees = bit(steps_to(rules, left, first)) | bit(steps_to(rules, left, second))
    state.due = (bit(rules.players) - 1) & ~nominees
    state.phase = VOTE
    note(log, NOMINATES, state.active, first, second, 0, 0)


# --- votes


@step
def vote(state, rules, choice, log):
    """VOTE: a card for a nominee. It is put among the discards at once, and counts as one of them after the count."""
    seat = state.seat
    side = choice & 1
    card = give_up(state, rules, seat, choice >> 1)
    state.vote[seat] = 2 * card + side
    state.turds[side] += rules.turds[card]
    state.discard[half_of(card)] |= bit_of(card)
    note(log, VOTES, seat, state.nominee[side], card, 0, 0)


@step
def count(state, log):
    """Who takes the card; with a tie the active player decides."""
    first, second = state.turds[0], state.turds[1]
    note(log, COUNTED, state.nominee[0], first, state.nominee[1], second, 0)
    tie = 1 if first == second else 0
    state.ties[state.question] += tie
    state.phase = TIEBREAK if tie == 1 else TAKE
    return np.int64(state.nominee[1 if second > first else 0])


@step
def take_card(state, rules, winner, log):
    """A nominee takes the active card; then comes the second question after a first tie, or the end of the turn."""
    card = np.int64(state.card)
    badges = rules.badges[card]
    state.card = NOBODY
    state.badges[winner] += badges
    state.positive[winner] += max(badges, 0)
    state.mutts += 1 if badges < 0 else 0
    if badges < 0 and rules.mutt_second_question == FORBIDDEN:
        state.kept[winner, half_of(card)] |= bit_of(card)
    else:
        state.scored[winner, half_of(card)] |= bit_of(card)
    note(log, TAKES, winner, card, state.badges[winner], 0, 0)
    state.phase = ENDING
    if rules.end_mode == BADGE_LIMIT and rules.limit_check != AT_END_OF_TURN:
        look_at_limit(state, rules, log)
        if state.limit_turn != 0 and rules.limit_equal_turns != EQUAL_TURNS:
            state.end_reason = LIMIT_REACHED
            return
    if state.turds[0] == state.turds[1] and state.question == 0 and rules.second_question != NO_SECOND:
        if second_cards(state, rules) > 0:
            state.phase = SECOND
        else:
            note(log, NO_CARD_FOR_SECOND, state.active, 0, 0, 0, 0)


# --- the end of a turn, the end of the game


@step
def look_at_limit(state, rules, log):
    """B5 to B7: whether somebody has reached the limit, until it is found for the first time."""
    if state.limit_turn == 0:
        most = np.int64(0)
        for seat in range(rules.players):
            counted = state.badges[seat] if rules.limit_counts_mutts == COUNTS_MUTTS else state.positive[seat]
            most = max(most, np.int64(counted))
        if most >= rules.limit:
            state.limit_turn = state.turns
            note(log, LIMIT, rules.limit, 0, 0, 0, 0)


@step
def end_turn(state, rules, streams, log):
    """B26: the game ends, or all refill (B29: not after a turn that was skipped) and the player to the left is active."""
    if state.end_reason == 0:
        if rules.end_mode != BADGE_LIMIT:
            if state.turns == TURNS_EACH * rules.players:
                state.end_reason = TWO_ROUNDS_OVER
        else:
            check_limit(state, rules, log)
    if state.end_reason != 0:
        state.phase = OVER
        tell_end(state, rules, log)
        return
    if state.phase != IDLE:
        refill(state, rules, streams, log)
    state.active = seat_from(rules, state.active, 1)
    begin_turn(state, rules, log)


@step
def check_limit(state, rules, log):
    """B6, B8, B26: whether a game with a limit is over at the end of a turn."""
    if rules.limit_check == AT_END_OF_TURN:
        look_at_limit(state, rules, log)
    if state.limit_turn != 0 and (rules.limit_equal_turns != EQUAL_TURNS or state.turns % rules.players == 0):
        state.end_reason = LIMIT_REACHED
    elif state.top == state.end and cards_left(state, rules) == 0:
        state.end_reason = NO_CARDS if state.limit_turn == 0 else LIMIT_REACHED


@step
def refill(state, rules, streams, log):
    """A3, B17: all draw up to the hand size, one after the other. First who wants how many, without a branch to guess."""
    start = state.active if rules.refill_order == ACTIVE_FIRST else seat_from(rules, state.active, 1)
    wanted = np.int64(0)
    for steps in range(rules.players):
        wants = rules.hand_size - state.cards[seat_from(rules, start, steps)]
        wanted |= (bit(wants) - 1) << (MAX_HAND * steps)
    wanted = draw(state, rules, streams, wanted, start, log)
    while wanted != 0:
        steps = lowest_bit(wanted) // MAX_HAND
        seat = seat_from(rules, start, steps)
        state.short_hands += 1
        note(log, SHORT, seat, state.cards[seat], 0, 0, 0)
        wanted &= ~((bit(MAX_HAND) - 1) << (MAX_HAND * steps))


@step
def tell_end(state, rules, log):
    if log is not None:
        note(log, ENDS, state.end_reason, 0, 0, 0, 0)
        most = np.int64(state.badges[0])
        for seat in range(rules.players):
            note(log, TOTAL, seat, state.badges[seat], 0, 0, 0)
            most = max(most, np.int64(state.badges[seat]))
        for seat in range(rules.players):
            if state.badges[seat] == most:
                note(log, LOSES, seat, 0, 0, 0, 0)
