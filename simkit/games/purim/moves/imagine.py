"""Imagined play: operations are carried out on the board of a level, every choice taken by the highest score, the first of
equals. Nothing is known of the Province deck below its top (RULES.md part C, D10).
"""

import numpy as np

from simkit.games.purim.box import (
    ANY_SON,
    CALENDAR,
    DESTROY_SON,
    DISCARD_TOP,
    MESSENGERS,
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
    copy_board,
    cubes_at,
    cubes_of,
    cubes_with,
    halted,
    move_calendar,
    son_provinces,
    steps_of,
)
from simkit.games.purim.moves.readings import DISCARD_ACTION, DISCARD_ALWAYS, TARGET_FREE
from simkit.games.purim.moves.targets import (
    EVERY_MESSENGER,
    adjacent_pairs,
    is_cubes,
    needs_top,
    outside_top,
    provinces_for,
    sets_of,
)
from simkit.games.purim.moves.weigh import (
    begin_weighing,
    travel_well,
    weigh_cubes,
    weigh_rides,
    weigh_steps,
    weigh_to_top,
    weigh_victims,
    weigh_walks,
)
from simkit.games.purim.state import BEST, UNKNOWN
from simkit.kernel.jit import loop, phase
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, without_lowest
from simkit.kernel.streams import below


@phase
def imagine(state, rules, level, cautious, kind, first, last, stream):
    """The sections of a card from `first` to `last`; LOYAL is not asked."""
    for section in range(first, last + 1):
        for i in range(rules.program_size[kind, section]):
            if not halted(state.boards[level], rules):
                imagine_operation(state, rules, level, cautious, rules.program[kind, section, i], section, stream)


@loop
def imagine_operation(state, rules, level, cautious, operation, section, stream):
    board = state.boards[level]
    code, a = np.int64(operation[0]), np.int64(operation[1])
    b, c = np.int64(operation[2]), np.int64(operation[3])
    if board.top == UNKNOWN and needs_top(code, a):
        draw_top(board, rules, stream)
    if is_cubes(code):
        imagine_cubes(state, rules, level, cautious, code, a, cubes_of(board, section, code, a, b), c)
    elif code == MOVE_MESSENGER:
        imagine_walks(state, rules, level, cautious, a, b)
    elif code == RIDE_GOLD:
        imagine_rides(state, rules, level, cautious, a)
    elif code in (SONS_TO_TOP, SON_TO_TOP):
        imagine_to_top(state, rules, level, cautious, code, a)
    elif code == SON_STEP:
        imagine_step(state, rules, level, cautious)
    elif code == DESTROY_SON:
        imagine_victim(state, rules, level, cautious, a == 1)
    elif code == CALENDAR:
        move_calendar(board, rules, a, None)
    elif code == DISCARD_TOP:
        board.top = UNKNOWN


@loop
def draw_top(board, rules, stream):
    """The next top card comes from the unseen ones, or when there are none from all."""
    unseen = np.int64(board.unseen)
    if unseen == 0:
        unseen = bit(rules.provinces) - 1
    p = nth_bit(unseen, below(stream, count_bits(unseen)))
    board.top = p
    board.unseen = unseen & ~bit(p)


@loop
def imagine_cubes(state, rules, level, cautious, code, selector, n, c):
    board = state.boards[level]
    if selector == MSGR_ALL:
        cubes_with(board, rules, code, np.int64(EVERY_MESSENGER), n, None)
    elif selector == TOP:
        cubes_at(board, rules, code, np.int64(board.top), n, None)
        if not halted(board, rules):
            board.top = UNKNOWN
    elif selector == SON_NAMED:
        if board.son[c] >= 0:
            cubes_at(board, rules, code, np.int64(board.son[c]), n, None)
    else:
        among = np.int64(0)
        if selector == MSGR_ADJ_PAIR:
            among = adjacent_pairs(board, rules)
        elif selector != MSGR:
            among = provinces_for(board, rules, selector)
        choices = sets_of(c) if selector == MSGR else count_bits(among)
        if choices > 0:
            begin_weighing(state)
            weigh_cubes(state, rules, level, cautious, code, selector, c, n, among, choices)
            copy_board(state, BEST, level)


@loop
def imagine_walks(state, rules, level, cautious, times, steps):
    """`move_messenger`: the best Messenger takes its best WALK, then the next one."""
    left = np.int64(EVERY_MESSENGER)
    for _ in range(times):
        begin_weighing(state)
        chosen = np.int64(0)
        rest = left
        while rest != 0:
            messenger = lowest_bit(rest)
            rest = without_lowest(rest)
            before = state.best
            weigh_walks(
                state, rules, level, cautious, messenger, steps_of(state.boards[level], rules, messenger, steps)
            )
            chosen = messenger if state.best > before else chosen
        left &= ~bit(chosen)
        copy_board(state, BEST, level)


@loop
def imagine_to_top(state, rules, level, cautious, code, who):
    """`sons_to_top`, `son_to_top`, and the discard that follows (B32)."""
    board = state.boards[level]
    free = rules.evil_target_free == TARGET_FREE
    movable = outside_top(board)
    moved = True
    if code == SON_TO_TOP and who != ANY_SON:
        moved = (movable >> who) & 1 == 1
        if moved:
            travel_well(state, rules, level, cautious, bit(who))
    elif movable != 0:
        begin_weighing(state)
        among = movable if code == SON_TO_TOP else son_provinces(board) & ~bit(board.top)
        weigh_to_top(state, rules, level, cautious, among, code == SONS_TO_TOP, free)
        copy_board(state, BEST, level)
    else:
        moved = False
    goes = rules.proclaim_discards != DISCARD_ACTION and (moved or rules.discard_top_if_unused == DISCARD_ALWAYS)
    if goes and not halted(board, rules):
        board.top = UNKNOWN


@loop
def imagine_step(state, rules, level, cautious):
    """`son_step`: the best Son makes its best step."""
    rest = np.int64(state.boards[level].alive)
    if rest != 0:
        begin_weighing(state)
        while rest != 0:
            son = lowest_bit(rest)
            rest = without_lowest(rest)
            weigh_steps(state, rules, level, cautious, son, 1)
        copy_board(state, BEST, level)


@loop
def imagine_rides(state, rules, level, cautious, steps):
    """`ride_gold`: the best Messenger makes its best RIDE."""
    begin_weighing(state)
    for messenger in range(MESSENGERS):
        reach = steps_of(state.boards[level], rules, messenger, steps)
        weigh_rides(state, rules, level, cautious, messenger, reach)
    copy_board(state, BEST, level)


@loop
def imagine_victim(state, rules, level, cautious, with_gold):
    """`destroy_son`: the best Son to lose."""
    among = can_be_destroyed(state.boards[level], rules, with_gold)
    if among != 0:
        begin_weighing(state)
        weigh_victims(state, rules, level, cautious, among)
        copy_board(state, BEST, level)
