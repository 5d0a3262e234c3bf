"""The course of a game (A3 to A6, A8, A9): carrying out a choice, and all that nobody decides."""

import numpy as np

from simkit.games.prrrt.box import HAND, MAX_SEATS, TOURS
from simkit.games.prrrt.moves.cards import digits
from simkit.games.prrrt.moves.chance import draw, four_words
from simkit.games.prrrt.moves.choices import pointed_at
from simkit.games.prrrt.moves.effects import (
    FIRST_EFFECT,
    LAST_EFFECT,
    NOTHING,
    ask,
    begin_effect,
    beside,
    choose_target,
    exchange,
    swap,
    turn_up,
)
from simkit.games.prrrt.moves.payments import draw_shames, take_centre
from simkit.games.prrrt.moves.readings import (
    ADDED_DOWN,
    CONTEXTS_PLAYED,
    END_NOW,
    EXHAUSTED,
    INDICATOR_DRAWN,
    PREVIOUS_FIRST,
    THIRD_ADDITION,
)
from simkit.games.prrrt.moves.revelation import reveal
from simkit.games.prrrt.moves.telling import tell
from simkit.games.prrrt.state import ACCUSE, ANSWER, GIVE, NEXT, OVER, ROUND_OVER, SWAP, TAKE, TARGET
from simkit.games.prrrt.story import ADDED, ANSWERED, DEALT, ENDS, LAID, LOSES, MISSING, POINTS, ROUND, SCORE
from simkit.kernel.jit import step
from simkit.kernel.piles import bit
from simkit.kernel.streams import ONE

ALL_CONTEXTS = 31


@step
def play_choice(state, rules, choice, streams, log):
    """Carry out a choice of the decision at hand, up to the next decision or the end."""
    phase = state.phase
    if phase in (TAKE, GIVE):
        exchange(state, rules, choice, log)
    else:
        state.phase = NEXT
        value = np.int64(NOTHING)
        if phase == ANSWER:
            if choice == 0:
                own_up(state, rules, log)
            else:
                tell(log, ANSWERED, state.seat, 0, 0, 0)
                value = turn_up(state, rules, streams, log)
        elif phase == SWAP:
            value = swap(state, rules, choice, log)
        elif phase == TARGET:
            choose_target(state, rules, choice, streams, log)
        else:
            state.finger[state.seat] = pointed_at(state, rules, choice)
            tell(log, POINTS, state.seat, state.finger[state.seat], 0, 0)
        if value >= FIRST_EFFECT and value <= LAST_EFFECT:
            begin_effect(state, rules, value, log)
    if state.phase >= NEXT:
        proceed(state, rules, streams, log)


@step
def own_up(state, rules, log):
    """A4: the player questioned takes the centre, and the round is over."""
    seat = np.int64(state.seat)
    tell(log, ANSWERED, seat, 1, 0, 0)
    state.times_owned_up[seat] += 1
    state.own_ups[state.tour - 1] += 1
    state.own_up_points[state.tour - 1] += take_centre(state, seat, np.int64(0), np.int64(1), log)
    state.centre_size = 0
    if rules.own_up_first_player != PREVIOUS_FIRST:
        state.first = seat
    state.phase = ROUND_OVER


@step
def proceed(state, rules, streams, log):
    """Go on to the next decision, or to the end of the game."""
    if state.phase == NEXT and state.asked + 1 < rules.players:
        state.asked += 1
        seat = beside(state, rules, np.int64(state.seat))
        if state.tour <= TOURS:
            ask(state, rules, seat)
        else:
            state.seat = seat
            state.phase = ACCUSE
        return
    reason = 0
    if state.phase == NEXT:
        state.asked = 0
        if state.tour <= TOURS:
            reason = end_tour(state, rules, log)
        else:
            reason = reveal(state, rules, streams, log)
    if state.phase == ROUND_OVER and reason == 0:
        reason = reason_to_end(state, rules)
        if reason == 0:
            reason = begin_round(state, rules, streams, log)
    if reason != 0:
        finish(state, rules, reason, log)


@step
def end_tour(state, rules, log):
    """A5, B5, B13: an addition, and the next tour or the accusations; gives the reason if the game ends here."""
    tour = state.tour
    if tour < TOURS or rules.shame_after_third == THIRD_ADDITION:
        down = 1 if tour > 1 and rules.added_shame_face == ADDED_DOWN else 0
        if lay(state, rules, np.int64(1 - down), np.int64(down), np.int64(ADDED), log) != 0:
            return EXHAUSTED
    state.tour = tour + 1
    if tour < TOURS:
        ask(state, rules, beside(state, rules, np.int64(state.first)))
    else:
        state.seat = state.first
        state.phase = ACCUSE
    return 0


@step
def lay(state, rules, up, down, event, log):
    """Shame cards are laid in the centre, first those face up; 1 if the game ends because the deck is empty (B14)."""
    due = up + down
    there = min(due, rules.shame_size - state.shame_drawn)
    size = np.int64(state.centre_size)
    top = draw_shames(state, rules, there)
    for i in range(there):
        lies_down = 1 if i >= up else 0
        state.centre[size + i] = state.shame[top + i]
        state.centre_down |= lies_down << (size + i)
        tell(log, event, lies_down, state.shame[top + i], 0, 0)
    state.centre_size = size + there
    if there < due:
        if rules.shame_exhausted == END_NOW:
            state.shame_missing += 1
            return 1
        state.shame_missing += due - there
        tell(log, MISSING, due - there, 0, 0, 0)
    return 0


@step
def reason_to_end(state, rules):
    """A9: why the game ends after this round; 0 if it does not."""
    indicated = rules.sideways > 0 and state.shame_drawn >= rules.sideways
    return (CONTEXTS_PLAYED if state.contexts == ALL_CONTEXTS else 0) + (INDICATOR_DRAWN if indicated else 0)


@step
def begin_round(state, rules, streams, log):
    """A3: the next Location, Shame cards in the centre, and new hands; gives the reason if the game ends here."""
    place = state.location[state.rounds]
    state.rounds += 1
    state.contexts |= bit(np.int64(rules.context[place]))
    state.step = rules.step[place]
    tell(log, ROUND, state.rounds, rules.context[place], rules.direction[place], state.first)
    state.centre_down = 0
    if lay(state, rules, np.int64(rules.face_up[place]), np.int64(rules.face_down[place]), np.int64(LAID), log) != 0:
        return EXHAUSTED
    state.tour = 1
    state.asked = 0
    ask(state, rules, beside(state, rules, np.int64(state.first)))
    deal_hands(state, rules, streams, log)
    return 0


@step
def deal_hands(state, rules, streams, log):
    """A3, D4: five cards for everybody; the table is empty again."""
    for i in range(rules.smell_size):
        state.smell[i] = rules.smell[i]
    if state.known_of != 0:
        state.known_of = 0
        for witness in range(MAX_SEATS):
            for seat in range(MAX_SEATS):
                state.known[witness, seat] = 0
    s0, s1, s2, s3 = four_words(state.dealing, np.int64(state.rounds))
    left = np.uint64(rules.smell_size)
    position = 0
    for seat in range(rules.players):
        hand = np.int64(0)
        for _ in range(HAND):
            ahead, s0, s1, s2, s3 = draw(s0, s1, s2, s3, left)
            hand += state.smell[position + ahead]
            state.smell[position + ahead] = state.smell[position]
            position += 1
            left -= ONE
        state.hand[seat] = hand
        state.front[seat] = 0
        state.gone[seat] = 0
        state.turned[seat] = 0
        if state.rounds == 1:
            state.opening[seat] = hand
        else:
            state.drawn[seat] |= hand
        if log is not None:
            tell(log, DEALT, seat, HAND, digits(hand, np.int64(HAND)), 0)


@step
def finish(state, rules, reason, log):
    """A9, B33: the game is over."""
    state.phase = OVER
    state.end_reason = reason
    if log is not None:
        tell(log, ENDS, reason, 0, 0, 0)
        highest = 0
        for seat in range(rules.players):
            tell(log, SCORE, state.points[seat], 0, 0, 0)
            highest = max(highest, state.points[seat])
        for seat in range(rules.players):
            if state.points[seat] == highest:
                tell(log, LOSES, seat, 0, 0, 0)
