"""What can happen to a board, real or imagined: cubes, Messengers, Sons, the Calendar (B28 to B31, B34, B35)."""

import numpy as np

from simkit.games.purim.box import (
    ADD_BLACK,
    ADD_GOLD,
    END,
    MESSENGERS,
    REMOVE_BLACK,
    SON,
    SON_NAMED,
    SON_NOMSGR,
    SONS,
)
from simkit.games.purim.moves.readings import (
    AVENGES,
    CANNOT_PLACE,
    EXTRA_BLACK,
    IMMEDIATE,
    KEEPS_BLACK_OUT,
    LESS_GOLD,
    LONGER_STEPS,
    ONE_MORE_GOLD,
    TWO_MESSENGERS,
    WORSE_END_EFFECTS,
)
from simkit.games.purim.moves.telling import tell
from simkit.games.purim.state import BLACK_OUT, CALENDAR_OUT, GOLD_OUT, NOWHERE
from simkit.games.purim.story import (
    BLACK,
    BLACK_TAKEN,
    CALENDAR_MOVES,
    DESTROYED,
    DUE,
    GOLD,
    GOLD_TAKEN,
    SON_MOVES,
)
from simkit.kernel.jit import phase, step
from simkit.kernel.piles import bit, lowest_bit, without_lowest


@step
def halted(board, rules):
    """B3, B29: whether nothing may follow any more."""
    return board.due != 0 and rules.end_timing == IMMEDIATE


@phase
def copy_board(state, source, target):
    """Overwrite one of the boards of a state by another."""
    state.boards[target] = state.boards[source]


# --- who stands where


@step
def messenger_provinces(board):
    """Mask of the Provinces with a Messenger."""
    mask = bit(board.messenger[0])
    for messenger in range(1, MESSENGERS):
        mask |= bit(board.messenger[messenger])
    return mask


@step
def son_provinces(board):
    """Mask of the Provinces with a Son."""
    mask = np.int64(0)
    for son in range(SONS):
        mask |= np.int64((board.alive >> son) & 1) << np.int64(board.son[son] & 31)
    return mask


@step
def sons_in(board, p):
    """Mask of the Sons in a Province."""
    mask = np.int64(0)
    for son in range(SONS):
        mask |= np.int64(1 if board.son[son] == p else 0) << son
    return mask


@step
def messenger_works(board, ability):
    return (board.messengers_at_work >> ability) & 1 == 1


@step
def son_works(board, ability):
    return (board.sons_at_work >> ability) & 1 == 1


@step
def steps_of(board, rules, messenger, steps):
    """B34: how far a Messenger may go."""
    longer = messenger_works(board, LONGER_STEPS) and rules.messenger_with[LONGER_STEPS] == messenger
    return np.int64(steps) + (1 if longer else 0)


# --- cubes


@phase
def put_gold(board, rules, p, n, log):
    """Place up to n gold cubes into a Province, one by one (B2, B28). Gives how many were placed."""
    placed = min(np.int64(n), np.int64(board.gold_left))
    board.gold_left -= placed
    board.gold[p] += placed
    board.gold_put += placed
    if log is not None and placed > 0:
        tell(log, GOLD, placed, p, 0)
    missing = placed < n if rules.runout == CANNOT_PLACE else board.gold_left == 0
    if missing and n > 0 and board.due == 0:
        board.due = GOLD_OUT
        tell(log, DUE, GOLD_OUT, 0, 0)
    return placed


@phase
def put_black(board, rules, p, n, log):
    """The same with black."""
    placed = min(np.int64(n), np.int64(board.black_left))
    board.black_left -= placed
    board.black[p] += placed
    board.black_put += placed
    if log is not None and placed > 0:
        tell(log, BLACK, placed, p, 0)
    missing = placed < n if rules.runout == CANNOT_PLACE else board.black_left == 0
    if missing and n > 0 and board.due == 0:
        board.due = BLACK_OUT
        tell(log, DUE, BLACK_OUT, 0, 0)


@phase
def spread_gold(board, rules, p, n, log):
    """A placement of `add_gold` or `ride_gold`: `less_gold` takes one off it, `one_more_gold` follows it (B34, B35)."""
    if son_works(board, LESS_GOLD) and board.son[rules.son_with[LESS_GOLD]] == p:
        n -= 1
    placed = put_gold(board, rules, p, n, log)
    first = placed > 0 and messenger_works(board, ONE_MORE_GOLD) and board.extra_gold_used == 0
    if first and board.messenger[rules.messenger_with[ONE_MORE_GOLD]] == p and not halted(board, rules):
        board.extra_gold_used = 1
        put_gold(board, rules, p, 1, log)


@phase
def take_gold(board, p, n, log):
    taken = min(np.int64(n), np.int64(board.gold[p]))
    board.gold_left += taken
    board.gold[p] -= taken
    if log is not None and taken > 0:
        tell(log, GOLD_TAKEN, taken, p, 0)


@phase
def take_black(board, p, n, log):
    taken = min(np.int64(n), np.int64(board.black[p]))
    board.black_left += taken
    board.black[p] -= taken
    board.black_removed += taken
    if log is not None and taken > 0:
        tell(log, BLACK_TAKEN, taken, p, 0)


@step
def cubes_of(board, section, code, selector, n):
    """B35 `worse_end_effects`: how many cubes an operation means for each target."""
    at_sons = selector in (SON, SON_NAMED, SON_NOMSGR)
    worse = section == END and code == ADD_BLACK and at_sons and son_works(board, WORSE_END_EFFECTS)
    return np.int64(n) + (1 if worse else 0)


@phase
def cubes_at(board, rules, code, p, n, log):
    """One placement or removal (B21)."""
    if code == ADD_GOLD:
        spread_gold(board, rules, p, n, log)
    elif code == ADD_BLACK:
        put_black(board, rules, p, n, log)
    elif code == REMOVE_BLACK:
        take_black(board, p, n, log)
    else:
        take_gold(board, p, n, log)


@phase
def cubes_with(board, rules, code, messengers, n, log):
    """The same at each of some Messengers, in their order (B22)."""
    rest = messengers
    while rest != 0 and not halted(board, rules):
        messenger = lowest_bit(rest)
        rest = without_lowest(rest)
        cubes_at(board, rules, code, np.int64(board.messenger[messenger]), n, log)


# --- Sons, the Calendar


@phase
def black_from_son(board, rules, p, log):
    """A moving Son brings a black cube, unless a Messenger keeps it out (B34)."""
    keeper = rules.messenger_with[KEEPS_BLACK_OUT]
    if not (messenger_works(board, KEEPS_BLACK_OUT) and board.messenger[keeper] == p):
        put_black(board, rules, p, np.int64(1), log)


@phase
def enter(board, rules, son, p, is_last, log):
    """B30: a Son enters a Province; with `extra_black` more happens where his move ends."""
    board.son[son] = p
    tell(log, SON_MOVES, son, p, 0)
    black_from_son(board, rules, p, log)
    if is_last and son_works(board, EXTRA_BLACK) and rules.son_with[EXTRA_BLACK] == son and not halted(board, rules):
        black_from_son(board, rules, p, log)


@phase
def travel(board, rules, sons, path, length, log):
    """B30: Sons move along a path, one after the other."""
    rest = sons
    while rest != 0:
        son = lowest_bit(rest)
        rest = without_lowest(rest)
        for i in range(length):
            if halted(board, rules):
                return
            enter(board, rules, son, np.int64(path[i]), i == length - 1, log)


@phase
def can_be_destroyed(board, rules, with_gold):
    """Mask of the Sons that `destroy_son` may choose (B21, B35 `two_messengers`)."""
    among = messenger_provinces(board)
    mask = np.int64(0)
    for son in range(SONS):
        if (board.alive >> son) & 1 == 1:
            p = board.son[son]
            if (among >> p) & 1 == 1 and (not with_gold or board.gold[p] >= board.black[p]):
                mask |= bit(son)
    if son_works(board, TWO_MESSENGERS):
        guarded = rules.son_with[TWO_MESSENGERS]
        there = 0
        for messenger in range(MESSENGERS):
            there += 1 if board.messenger[messenger] == board.son[guarded] else 0
        if there < 2:
            mask &= ~bit(guarded)
    return mask


@phase
def destroy(board, rules, son, log):
    """B31, and `avenges` of B35."""
    tell(log, DESTROYED, son, 0, 0)
    board.alive &= ~bit(son)
    board.son[son] = NOWHERE
    board.destroyed += 1
    ability = rules.son_ability[son]
    board.sons_at_work &= ~bit(ability)
    if son_works(board, AVENGES):
        put_black(board, rules, np.int64(board.son[rules.son_with[AVENGES]]), np.int64(1), log)


@phase
def move_calendar(board, rules, steps, log):
    """`calendar`: steps one by one, none beyond the last space."""
    for _ in range(steps):
        if board.calendar < rules.steps and not halted(board, rules):
            board.calendar += 1
            tell(log, CALENDAR_MOVES, np.int64(board.calendar), 0, 0)
            if board.calendar == rules.steps and board.due == 0:
                board.due = CALENDAR_OUT
                tell(log, DUE, CALENDAR_OUT, 0, 0)
