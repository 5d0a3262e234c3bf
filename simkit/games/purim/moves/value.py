"""What a position is worth to the policies (RULES.md part C), in hundredths."""

import numpy as np

from simkit.games.purim.box import MESSENGERS, SONS
from simkit.games.purim.moves.board import messenger_provinces
from simkit.kernel.jit import phase, step
from simkit.kernel.piles import count_bits, lowest_bit, without_lowest

ALL_SAFE, NOT_ALL_SAFE, EACH_MISSING = 100_000, -100_000, -500
NOTHING = np.int64(0)
URGENT, CALM = 700, 4  # w = URGENT - CALM x near
FAR, ENOUGH = 50, np.int64(2)
GOLD_OF_USE, GOLD_TOO_MUCH = 50, 15
SON_AT_LARGE, SON_UNANSWERED = 60, 20
SAME_PROVINCE = 10
CALENDAR_STEP = 150  # of `cautious`


@phase
def value(board, rules, cautious):
    """V of RULES.md C. `cautious`: 1 for the policy of that name, else 0."""
    missing, surplus = np.int64(0), np.int64(0)
    unsafe, very_unsafe, uneven = np.int64(0), np.int64(0), np.int64(0)  # masks: d < 0, d < -1, d < 1
    for p in range(rules.provinces):
        d = np.int64(board.gold[p]) - np.int64(board.black[p])
        missing -= min(d, NOTHING)
        more = max(d, NOTHING)
        surplus += GOLD_OF_USE * min(more, ENOUGH) - GOLD_TOO_MUCH * max(more - ENOUGH, NOTHING)
        unsafe |= np.int64(1 if d < 0 else 0) << p
        very_unsafe |= np.int64(1 if d < -1 else 0) << p
        uneven |= np.int64(1 if d < 1 else 0) << p
    if board.due != 0:
        return np.int64(ALL_SAFE) if missing == 0 else NOT_ALL_SAFE + EACH_MISSING * missing
    weight = (URGENT - CALM * nearness(board, rules)) * (1 + cautious)
    total = surplus - weight * missing - sons_worth(board, uneven)
    if unsafe != 0:
        total -= cautious * CALENDAR_STEP * np.int64(board.calendar)
    return total + messengers_worth(board, rules, unsafe, very_unsafe)


@step
def nearness(board, rules):
    """How far the end is, per cent: the nearest of the three."""
    near = min(np.int64(rules.near_gold[board.gold_left]), np.int64(rules.near_black[board.black_left]))
    return min(near, np.int64(rules.near_calendar[board.calendar]))


@step
def sons_worth(board, uneven):
    """What the Sons in the game cost."""
    total = np.int64(0)
    for son in range(SONS):
        there = np.int64((board.alive >> son) & 1)
        total += there * (SON_AT_LARGE + SON_UNANSWERED * ((uneven >> np.int64(board.son[son] & 31)) & 1))
    return total


@step
def messengers_worth(board, rules, unsafe, very_unsafe):
    """What the places of the Messengers are worth: never more than 0."""
    total = -SAME_PROVINCE * (MESSENGERS - count_bits(messenger_provinces(board)))
    rest = unsafe
    while rest != 0:
        p = lowest_bit(rest)
        rest = without_lowest(rest)
        nearest = np.int64(rules.distance[board.messenger[0], p])
        for messenger in range(1, MESSENGERS):
            nearest = min(nearest, np.int64(rules.distance[board.messenger[messenger], p]))
        total -= FAR * nearest * (1 + ((very_unsafe >> p) & 1))
    return total
