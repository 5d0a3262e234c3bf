"""Operations of cards as they are really carried out: what asks for a decision, what follows from one (B21 to B24, B32)."""

import numpy as np

from simkit.games.purim.box import (
    ANY_SON,
    CALENDAR,
    DESTROY_SON,
    DISCARD_TOP,
    MOVE_MESSENGER,
    MSGR,
    MSGR_ADJ_PAIR,
    MSGR_ALL,
    RIDE_GOLD,
    SON_NAMED,
    SON_STEP,
    SON_TO_TOP,
    SONS_TO_TOP,
    TOP,
)
from simkit.games.purim.moves.board import (
    can_be_destroyed,
    cubes_at,
    cubes_of,
    cubes_with,
    destroy,
    enter,
    halted,
    move_calendar,
    put_black,
    son_provinces,
    sons_in,
    spread_gold,
    steps_of,
    travel,
)
from simkit.games.purim.moves.readings import (
    DISCARD_ACTION,
    DISCARD_ALWAYS,
    EACH_ITS_OWN,
    PROVINCES_AGAIN,
    SHORTEST_FIXED,
    TARGET_FREE,
)
from simkit.games.purim.moves.targets import (
    EVERY_MESSENGER,
    adjacent_pairs,
    chosen_messengers,
    count_routes,
    is_cubes,
    nth_ride,
    nth_route,
    outside_top,
    provinces_for,
    sets_of,
)
from simkit.games.purim.moves.telling import tell
from simkit.games.purim.state import (
    ABILITIES,
    MESSENGER_SET,
    ORIGIN,
    PAIR,
    PROVINCE,
    REAL,
    RIDE,
    RIDER,
    ROUTE,
    SON_CHOICE,
    STEP,
    WALK,
)
from simkit.games.purim.story import DECLINES, DISCARDED, RIDES, SKIPPED, STAYS, WALKS
from simkit.kernel.jit import loop, phase, step
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, shuffle
from simkit.kernel.streams import open_chance


@step
def ask(state, decision, among, choices, decline):
    """Something is to be decided by the seat at hand."""
    state.phase = decision
    state.among = among
    state.choices = choices + decline
    state.decline = decline


@phase
def skip(state, log):
    """B23: no legal target."""
    tell(log, SKIPPED, np.int64(state.kind), np.int64(state.section), np.int64(state.operation) - 1)
    state.skipped += 1


@phase
def discard_top(state, rules, streams, log):
    """The top Province card is discarded; after the last one all are shuffled into a new deck (B32, D8)."""
    board = state.boards[REAL]
    old = np.int64(board.top)
    state.province_at += 1
    again = state.province_at == rules.provinces
    if again:
        for p in range(rules.provinces):
            state.province[p] = p
        stream = open_chance(streams, PROVINCES_AGAIN, state.province_shuffles)
        shuffle(state.province, rules.provinces, rules.provinces, stream)
        state.province_shuffles += 1
        state.province_at = 0
        board.unseen = bit(rules.provinces) - 1
    board.top = state.province[state.province_at]
    board.unseen &= ~bit(board.top)
    tell(log, DISCARDED, old, np.int64(board.top), 1 if again else 0)


@phase
def next_operation(state, rules, streams, log):
    """Begin the next operation of the section at hand; without a decision it is carried out at once."""
    board = state.boards[REAL]
    program = rules.program[state.kind, state.section, state.operation]
    state.operation += 1
    code, a, b = np.int64(program[0]), np.int64(program[1]), np.int64(program[2])
    state.code, state.a, state.b, state.c = code, a, b, program[3]
    if is_cubes(code):
        state.b = cubes_of(board, state.section, code, a, b)
        begin_cubes(state, rules, streams, log)
    elif code == MOVE_MESSENGER:
        state.moved = 0
        state.riders_left = a
        ask(state, RIDER, EVERY_MESSENGER, 5, 0)
    elif code == RIDE_GOLD:
        ask(state, RIDER, EVERY_MESSENGER, 5, 0)
    elif code in (SONS_TO_TOP, SON_TO_TOP):
        begin_to_top(state, rules, streams, log)
    elif code in (SON_STEP, DESTROY_SON):
        among = np.int64(board.alive) if code == SON_STEP else can_be_destroyed(board, rules, a == 1)
        if among == 0:
            skip(state, log)
        else:
            ask(state, SON_CHOICE, among, count_bits(among), 0)
    elif code == CALENDAR:
        move_calendar(board, rules, a, log)
    elif code == DISCARD_TOP:
        for _ in range(a):
            discard_top(state, rules, streams, log)


# --- cubes


@loop
def begin_cubes(state, rules, streams, log):
    board = state.boards[REAL]
    code, selector, n = np.int64(state.code), np.int64(state.a), np.int64(state.b)
    if selector == MSGR:
        ask(state, MESSENGER_SET, EVERY_MESSENGER, sets_of(state.c), 0)
    elif selector == MSGR_ALL:
        cubes_with(board, rules, code, np.int64(EVERY_MESSENGER), n, log)
    elif selector == TOP or (selector == SON_NAMED and board.son[state.c] >= 0):
        p = np.int64(board.top if selector == TOP else board.son[state.c])
        cubes_at(board, rules, code, p, n, log)
        if selector == TOP and not halted(board, rules):
            discard_top(state, rules, streams, log)
    elif selector == SON_NAMED:
        skip(state, log)
    else:
        pairs = selector == MSGR_ADJ_PAIR
        among = adjacent_pairs(board, rules) if pairs else provinces_for(board, rules, selector)
        if among == 0:
            skip(state, log)
        else:
            ask(state, PAIR if pairs else PROVINCE, among, count_bits(among), 0)


@loop
def chosen_cubes(state, rules, choice, log):
    """MESSENGERS, PAIR, PROVINCE: the targets are chosen."""
    board = state.boards[REAL]
    code, n = np.int64(state.code), np.int64(state.b)
    messengers = chosen_messengers(board, rules, state.a, state.c, state.among, choice)
    if messengers != 0:
        cubes_with(board, rules, code, messengers, n, log)
    else:
        cubes_at(board, rules, code, nth_bit(np.int64(state.among), choice), n, log)


# --- Messengers


@phase
def ask_walk(state, rules, decision, messenger, steps):
    """WALK, NIGHT: where a Messenger goes, or whether it stays."""
    among = np.int64(rules.within[steps, state.boards[REAL].messenger[messenger]])
    state.rider = messenger
    ask(state, decision, among, count_bits(among) + 1, 0)


@loop
def chosen_rider(state, rules, messenger):
    """RIDER: where to, or which way?"""
    board = state.boards[REAL]
    if state.code == MOVE_MESSENGER:
        state.moved |= bit(messenger)
        state.riders_left -= 1
        ask_walk(state, rules, WALK, messenger, steps_of(board, rules, messenger, state.b))
    else:
        state.rider = messenger
        steps = steps_of(board, rules, messenger, state.a)
        ask(state, RIDE, 0, np.int64(rules.ride_paths[steps, board.messenger[messenger]]), 0)


@loop
def walk(state, choice, log):
    """WALK, NIGHT: the Messenger stays (choice 0) or moves; then the next one of `move_messenger`."""
    board = state.boards[REAL]
    messenger = np.int64(state.rider)
    old = np.int64(board.messenger[messenger])
    if choice == 0:
        tell(log, STAYS, messenger, old, 0)
    else:
        new = nth_bit(np.int64(state.among), choice - 1)
        board.messenger[messenger] = new
        tell(log, WALKS, messenger, old, new)


@step
def next_rider(state):
    if state.riders_left > 0:
        among = EVERY_MESSENGER & ~np.int64(state.moved)
        ask(state, RIDER, among, count_bits(among), 0)


@loop
def ride(state, rules, choice, log):
    """RIDE: the Messenger rides, with gold for every Province it enters."""
    board = state.boards[REAL]
    messenger = np.int64(state.rider)
    steps = steps_of(board, rules, messenger, state.a)
    length = nth_ride(state, rules, np.int64(board.messenger[messenger]), steps, np.int64(choice))
    for i in range(length):
        if not halted(board, rules):
            p = np.int64(state.path[i])
            board.messenger[messenger] = p
            tell(log, RIDES, messenger, p, 0)
            spread_gold(board, rules, p, np.int64(1), log)


# --- Sons


@loop
def begin_to_top(state, rules, streams, log):
    """`sons_to_top`, `son_to_top`: who can be moved?"""
    board = state.boards[REAL]
    free = 1 if rules.evil_target_free == TARGET_FREE else 0
    movable = outside_top(board)
    if state.code == SONS_TO_TOP:
        among = son_provinces(board) & ~bit(board.top)
        if among != 0:
            ask(state, ORIGIN, among, count_bits(among), free)
            return
    elif state.a == ANY_SON:
        if movable != 0:
            ask(state, SON_CHOICE, movable, count_bits(movable), free)
            return
    elif (movable >> np.int64(state.a)) & 1 == 1:
        state.travellers = bit(state.a)
        set_out(state, rules, streams, log)
        return
    skip(state, log)
    discard_after(state, rules, rules.discard_top_if_unused == DISCARD_ALWAYS, streams, log)


@phase
def discard_after(state, rules, wanted, streams, log):
    """B32: after Sons have moved to the top Province, or not, its card may go."""
    if wanted and rules.proclaim_discards != DISCARD_ACTION and not halted(state.boards[REAL], rules):
        discard_top(state, rules, streams, log)


@phase
def declined(state, rules, streams, log):
    """B1: the Sons stay, the card goes."""
    tell(log, DECLINES, np.int64(state.seat), 0, 0)
    state.declined += 1
    discard_after(state, rules, True, streams, log)


@loop
def chosen_origin(state, rules, choice, streams, log):
    """ORIGIN."""
    if state.decline == 1 and choice == state.choices - 1:
        declined(state, rules, streams, log)
    else:
        state.travellers = sons_in(state.boards[REAL], nth_bit(np.int64(state.among), choice))
        set_out(state, rules, streams, log)


@loop
def chosen_son(state, rules, choice, streams, log):
    """SON: to move to the top Province, to move one step, or to be destroyed."""
    if state.decline == 1 and choice == state.choices - 1:
        declined(state, rules, streams, log)
        return
    son = nth_bit(np.int64(state.among), choice)
    if state.code == SON_TO_TOP:
        state.travellers = bit(son)
        set_out(state, rules, streams, log)
    elif state.code == SON_STEP:
        ask_step(state, rules, son)
    else:
        destroy(state.boards[REAL], rules, son, log)


@phase
def set_out(state, rules, streams, log):
    """The travellers set out: by which route? With `shortest_fixed` nobody is asked."""
    board = state.boards[REAL]
    if rules.son_path == SHORTEST_FIXED:
        go_by(state, rules, np.int64(0), streams, log)
        return
    origin = np.int64(board.son[lowest_bit(np.int64(state.travellers))])
    ask(state, ROUTE, 0, count_routes(rules, origin, np.int64(board.top)), 0)


@phase
def go_by(state, rules, number, streams, log):
    """ROUTE: all travellers go by it, or (B6) the first of them, and the next one is asked for."""
    board = state.boards[REAL]
    travellers = np.int64(state.travellers)
    first = lowest_bit(travellers)
    length = nth_route(state, rules, np.int64(board.son[first]), np.int64(board.top), number)
    apart = rules.son_path_shared == EACH_ITS_OWN and rules.son_path != SHORTEST_FIXED
    going = bit(first) if apart else travellers
    travel(board, rules, going, state.path, length, log)
    state.travellers = travellers & ~going
    if state.travellers == 0 or halted(board, rules):
        discard_after(state, rules, True, streams, log)
    else:
        origin = np.int64(board.son[lowest_bit(np.int64(state.travellers))])
        ask(state, ROUTE, 0, count_routes(rules, origin, np.int64(board.top)), 0)


@phase
def ask_step(state, rules, son):
    """STEP: into which neighbour?"""
    state.mover = son
    ask(state, STEP, 0, np.int64(rules.neighbours[state.boards[REAL].son[son]]), 0)


@loop
def make_step(state, rules, choice, log):
    """STEP of a Son; or, at the end of a round, black in a neighbour of his Province (B35)."""
    board = state.boards[REAL]
    son = np.int64(state.mover)
    p = np.int64(rules.neighbour[board.son[son], choice])
    if state.stage == ABILITIES:
        put_black(board, rules, p, np.int64(1), log)
    else:
        enter(board, rules, son, p, True, log)
