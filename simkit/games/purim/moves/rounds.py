"""Rounds, turns and cards: what happens between decisions (A3 to A9, B3, B29, B36 to B38)."""

import numpy as np

from simkit.games.purim.box import END, EVIL, LOYAL, MAX_CUBES, SONS
from simkit.games.purim.moves.board import (
    messenger_works,
    move_calendar,
    put_black,
    put_gold,
    son_works,
    take_gold,
)
from simkit.games.purim.moves.operations import ask, ask_step, ask_walk, discard_after, set_out
from simkit.games.purim.moves.readings import (
    BLACK_AT_HOME,
    BLACK_NEXT_DOOR,
    BY_AGREEMENT,
    BY_LOT,
    DEALS,
    DECK_FIRST,
    DISCARD_ALWAYS,
    FINISH_CARD,
    GOLD_EACH_ROUND,
    IS_ADVANCED,
    LOTS,
    LOTS_OF_A_ROUND,
    LOTS_OF_A_TURN,
    MAY_LEAVE_OUT,
    MOVES_AT_NIGHT,
    MOVES_CALENDAR,
    NIGHT_STEPS,
    ON_TOP,
    PICK_BEST,
    RUNS_TO_TOP,
    SOLO_LOT,
    TAKES_GOLD,
)
from simkit.games.purim.moves.telling import tell
from simkit.games.purim.state import (
    ABILITIES,
    CARD_DONE,
    DEALING,
    LOYAL_CHOICE,
    NEW_ROUND,
    NEW_TURN,
    NEXT_CARD,
    NIGHT,
    NO_CARD,
    OPERATION,
    ORDER,
    OUT,
    OVER,
    PICK,
    REAL,
    SELECT,
    TURN_DONE,
)
from simkit.games.purim.story import (
    ALL_SAFE,
    COUNT,
    DEALT,
    DECK_SHOWS,
    GOES_FIRST,
    LAST_CARD,
    LEAVES_OUT,
    LOSES,
    MESSENGER_AT_END,
    ROUND,
    SECTION,
    SELECTS,
    SON_AT_END,
    SON_GONE,
    SON_IN_FORCE,
    UNSAFE,
    WINS,
)
from simkit.kernel.jit import loop, phase, step
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, shuffle
from simkit.kernel.streams import below, open_chance

# --- rounds


@loop
def new_round(state, rules, log):
    """B37: a Sons card, then the night."""
    board = state.boards[REAL]
    state.rounds += 1
    tell(log, ROUND, np.int64(state.rounds), 0, 0)
    board.extra_gold_used = 0
    state.turn = 0
    state.hand_at = 0
    state.hand_left = rules.hand
    state.stage = DEALING
    if rules.advanced == IS_ADVANCED:
        turn_son_card(state, rules, log)
    if messenger_works(board, MOVES_AT_NIGHT):
        state.seat = 0
        ask_walk(state, rules, NIGHT, rules.messenger_with[MOVES_AT_NIGHT], NIGHT_STEPS)


@loop
def turn_son_card(state, rules, log):
    """A9: cards are turned until one is of a Son in the game."""
    board = state.boards[REAL]
    while state.son_card_at < SONS:
        son = np.int64(state.son_card[state.son_card_at])
        state.son_card_at += 1
        if (board.alive >> son) & 1 == 1:
            put_in_force(state, rules, son, log)
            return
        tell(log, SON_GONE, son, 0, 0)


@phase
def put_in_force(state, rules, son, log):
    """The card of a Son comes into force."""
    state.boards[REAL].sons_at_work |= bit(rules.son_ability[son])
    if state.rounds <= 1:
        state.first_son_cards |= bit(son)
    tell(log, SON_IN_FORCE, son, 0, 0)


@phase
def deal_cards(state, rules, streams, log):
    """A5, D7."""
    for kind in range(rules.deck_size):
        state.action[kind] = kind
    solo = rules.players == 1
    dealt = np.int64(rules.players) * rules.hands * rules.hand
    needed = dealt + (rules.hand + 1 if solo else 0)
    shuffle(state.action, rules.deck_size, needed, open_chance(streams, DEALS, state.rounds))
    i = 0
    for seat in range(rules.players):
        cards = np.int64(0)
        for hand in range(rules.hands):
            mask = np.int64(0)
            for _ in range(rules.hand):
                mask |= bit(state.action[i])
                tell(log, DEALT, seat, hand, np.int64(state.action[i]))
                i += 1
            state.hand[seat, hand] = mask
            cards |= mask
        if state.rounds == 1:
            state.opening[seat] = cards
        else:
            state.drawn[seat] |= cards
    state.action_at = dealt
    state.action_known = 0
    state.aside = 0
    state.stage = NEW_TURN


# --- turns


@phase
def new_turn(state, rules, streams, log):
    """A3, A4, A7, B38: a selection, or the last cards are laid out."""
    state.turn += 1
    state.resolved = 0
    state.stage = NEXT_CARD
    state.ending = 1 if state.hand_left == 1 else 0
    solo = rules.players == 1
    if state.ending == 1:
        for seat in range(rules.players):
            kind = lowest_bit(np.int64(state.hand[seat, state.hand_at]))
            state.out[seat] = kind
            state.hand[seat, state.hand_at] = 0
            tell(log, LAST_CARD, seat, kind, 0)
        if solo:
            turn_card(state, 1, log)
            turn_card(state, 2, log)
            if rules.solo_end_pick == PICK_BEST:
                state.seat = 0
                ask(state, PICK, 0, 3, 0)
            else:
                pick(state, below(open_chance(streams, SOLO_LOT, state.rounds), 3), log)
        return
    if solo and rules.solo_deck_peek == DECK_FIRST:
        turn_card(state, 1, log)
    ask_selection(state, 0)


@phase
def turn_card(state, slot, log):
    """A7: the top card of the Action deck is turned."""
    kind = np.int64(state.action[state.action_at])
    state.action_at += 1
    state.action_known -= 1 if state.action_known > 0 else 0
    state.out[slot] = kind
    state.drawn[0] |= bit(kind)
    tell(log, DECK_SHOWS, kind, 0, 0)


@step
def ask_selection(state, seat):
    state.seat = seat
    ask(state, SELECT, state.hand[seat, state.hand_at], np.int64(state.hand_left), 0)


@loop
def select(state, rules, choice, log):
    """SELECT: the card stays hidden until all seats have selected."""
    seat = np.int64(state.seat)
    kind = nth_bit(np.int64(state.among), choice)
    state.hand[seat, state.hand_at] &= ~bit(kind)
    state.out[seat] = kind
    tell(log, SELECTS, seat, kind, 0)
    if seat + 1 < rules.players:
        ask_selection(state, seat + 1)
        return
    if rules.players == 1 and rules.solo_deck_peek != DECK_FIRST:
        turn_card(state, 1, log)
    state.hand_left -= 1


@step
def sorted_out(state):
    """The kinds of the three cards laid out, in ascending order."""
    a, b, c = np.int64(state.out[0]), np.int64(state.out[1]), np.int64(state.out[2])
    lowest, highest = min(a, b, c), max(a, b, c)
    return lowest, a + b + c - lowest - highest, highest


@phase
def pick(state, choice, log):
    """PICK: the third card is discarded without effect."""
    low, middle, high = sorted_out(state)
    dropped = high if choice == 0 else (middle if choice == 1 else low)
    for slot in range(3):
        if state.out[slot] == dropped:
            state.out[slot] = NO_CARD
    state.aside |= bit(dropped)
    tell(log, COUNT, low if choice < 2 else middle, middle if choice == 0 else high, 0)


# --- cards


@step
def lowest_out(state, rules):
    """Mask of the cards laid out that share the lowest number."""
    mask = np.int64(0)
    lowest = np.int64(1000)  # above every number
    for slot in range(OUT):
        if state.out[slot] >= 0:
            number = rules.number[state.out[slot]]
            if number < lowest:
                lowest = np.int64(number)
                mask = np.int64(0)
            mask |= np.int64(1 if number == lowest else 0) << slot
    return mask


@loop
def next_card(state, rules, streams, log):
    """The card with the lowest number is next; B11 decides among equal numbers."""
    among = lowest_out(state, rules)
    if among == 0:
        state.stage = TURN_DONE
        return
    slot = lowest_bit(among)
    if rules.equal_numbers != 0 and count_bits(among) > 1:
        if rules.equal_numbers == BY_AGREEMENT:
            state.seat = 0 if rules.players == 1 else slot
            ask(state, ORDER, among, count_bits(among), 0)
            return
        if rules.equal_numbers == BY_LOT:
            event = LOTS_OF_A_ROUND * np.int64(state.rounds) + LOTS_OF_A_TURN * np.int64(state.turn) + state.resolved
            slot = nth_bit(among, below(open_chance(streams, LOTS, event), count_bits(among)))
            tell(log, GOES_FIRST, np.int64(state.out[slot]), 0, 0)
    begin_card(state, rules, slot, log)


@phase
def begin_card(state, rules, slot, log):
    """The Loyal Action of a card, its owner willing, or its End Effect."""
    board = state.boards[REAL]
    kind = np.int64(state.out[slot])
    seat = np.int64(0) if rules.players == 1 else slot
    state.slot = slot
    state.seat = seat
    state.kind = kind
    state.played[seat] |= bit(kind)
    board.gold_put = 0
    board.black_put = 0
    board.destroyed = 0
    if state.ending == 1:
        state.end_effects[seat] += 1
        begin_section(state, rules, END, log)
        return
    state.resolutions[seat] += 1
    if rules.loyal_optional == MAY_LEAVE_OUT and rules.program_size[kind, LOYAL] > 0:
        ask(state, LOYAL_CHOICE, 0, 2, 0)
        return
    begin_section(state, rules, LOYAL, log)


@phase
def begin_section(state, rules, section, log):
    state.section = section
    state.operation = 0
    state.stage = OPERATION
    if log is not None and rules.program_size[state.kind, section] > 0:
        tell(log, SECTION, np.int64(state.kind), section, 0)


@loop
def loyal_or_not(state, rules, choice, log):
    """LOYAL: the Loyal Action is carried out, or left out as a whole (B19)."""
    if choice == 0:
        begin_section(state, rules, LOYAL, log)
    else:
        tell(log, LEAVES_OUT, np.int64(state.seat), np.int64(state.kind), 0)
        state.declined += 1
        begin_section(state, rules, EVIL, log)


@step
def section_done(state, rules, log):
    if state.section == LOYAL:
        begin_section(state, rules, EVIL, log)
    else:
        state.stage = CARD_DONE


@loop
def card_done(state, rules, log):
    """The card lies aside or on the deck; B3 `finish_card`."""
    credit(state)
    if rules.players == 1 and rules.resolved_cards == ON_TOP and state.ending == 0:
        state.action_at -= 1
        state.action_known += 1
        state.action[state.action_at] = state.kind
    else:
        state.aside |= bit(state.kind)
    state.out[state.slot] = NO_CARD
    state.kind = NO_CARD
    state.resolved += 1
    state.stage = NEXT_CARD
    if state.boards[REAL].due != 0 and rules.end_timing == FINISH_CARD:
        finish(state, rules, log)


@step
def credit(state):
    """What a card has done is put down to its owner (E3)."""
    board = state.boards[REAL]
    seat = state.seat
    state.gold_placed[seat] = min(np.int64(state.gold_placed[seat]) + board.gold_put, MAX_CUBES)
    state.black_placed[seat] = min(np.int64(state.black_placed[seat]) + board.black_put, MAX_CUBES)
    state.destroyed[seat] += board.destroyed


@loop
def turn_done(state, rules, log):
    """B3 `finish_turn`; then the next turn, the next hand or the end of the round."""
    if state.boards[REAL].due != 0:
        finish(state, rules, log)
    elif state.ending == 0:
        state.stage = NEW_TURN
    elif state.hand_at + 1 < rules.hands:
        state.hand_at += 1
        state.hand_left = rules.hand
        state.stage = NEW_TURN
    else:
        state.ability = 0
        state.stage = ABILITIES


# --- the end of a round, the end


@loop
def next_ability(state, rules, streams, log):
    """B36: the abilities one after the other; each counts as a card, all together as a turn (B29)."""
    board = state.boards[REAL]
    done = state.ability > SONS
    if board.due != 0 and (done or rules.end_timing == FINISH_CARD):
        finish(state, rules, log)
        return
    if done:
        state.stage = NEW_ROUND
        return
    son = np.int64(state.ability) - 1
    state.ability += 1
    state.seat = 0
    if son < 0:
        if messenger_works(board, GOLD_EACH_ROUND):
            messenger = np.int64(rules.messenger_with[GOLD_EACH_ROUND])
            tell(log, MESSENGER_AT_END, messenger, 0, 0)
            put_gold(board, rules, np.int64(board.messenger[messenger]), np.int64(1), log)
    elif (board.alive >> son) & 1 == 1 and son_works(board, rules.son_ability[son]):
        son_at_end(state, rules, son, streams, log)


@phase
def son_at_end(state, rules, son, streams, log):
    """B35, as far as it happens at the end of a round."""
    board = state.boards[REAL]
    ability = rules.son_ability[son]
    p = np.int64(board.son[son])
    if log is not None and happens_at_end(ability):
        tell(log, SON_AT_END, son, 0, 0)
    if ability == BLACK_AT_HOME:
        put_black(board, rules, p, np.int64(1), log)
    elif ability == RUNS_TO_TOP:
        if p == board.top:
            discard_after(state, rules, rules.discard_top_if_unused == DISCARD_ALWAYS, streams, log)
        else:
            state.travellers = bit(son)
            set_out(state, rules, streams, log)
    elif ability == MOVES_CALENDAR:
        move_calendar(board, rules, np.int64(1), log)
    elif ability == BLACK_NEXT_DOOR:
        ask_step(state, rules, son)
    elif ability == TAKES_GOLD:
        take_gold(board, p, np.int64(1), log)


@step
def happens_at_end(ability):
    first = ability in (BLACK_AT_HOME, RUNS_TO_TOP, MOVES_CALENDAR)
    return first or ability in (BLACK_NEXT_DOOR, TAKES_GOLD)


@phase
def finish(state, rules, log):
    """A8: the game is over."""
    state.phase = OVER
    if log is not None:
        board = state.boards[REAL]
        safe = True
        for p in range(rules.provinces):
            difference = np.int64(board.gold[p]) - board.black[p]
            if difference < 0:
                safe = False
                tell(log, UNSAFE, p, difference, 0)
        if safe:
            tell(log, ALL_SAFE, 0, 0, 0)
        tell(log, WINS if safe else LOSES, 0, 0, 0)
