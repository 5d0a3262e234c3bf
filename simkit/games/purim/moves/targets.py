"""What a card may aim at: sets of Messengers, Provinces, Sons, paths (B21, B22), each numbered in the order of part C."""

import numpy as np

from simkit.games.purim.box import (
    ADD_GOLD,
    ANY,
    MESSENGERS,
    MOST_BLACK,
    MSGR,
    MSGR_ADJ_PAIR,
    MSGR_NEAR,
    MSGR_SON,
    REMOVE_GOLD,
    SON,
    SON_TO_TOP,
    SONS_TO_TOP,
    TOP,
)
from simkit.games.purim.moves.board import messenger_provinces, son_provinces
from simkit.games.purim.moves.readings import ANY_PATH, SAME_IS_ADJACENT, SHORTEST_FIXED
from simkit.kernel.jit import phase, step
from simkit.kernel.piles import bit, lowest_bit, nth_bit, without_lowest

EVERY_MESSENGER = 2**MESSENGERS - 1

# The sets of one to five Messengers as masks of five bits, the first set lowest, in the order of the lists they make.
SETS_OF_1 = sum(mask << (5 * i) for i, mask in enumerate((1, 2, 4, 8, 16)))
SETS_OF_2 = sum(mask << (5 * i) for i, mask in enumerate((3, 5, 9, 17, 6, 10, 18, 12, 20, 24)))
SETS_OF_3 = sum(mask << (5 * i) for i, mask in enumerate((7, 11, 19, 13, 21, 25, 14, 22, 26, 28)))
SETS_OF_4 = sum(mask << (5 * i) for i, mask in enumerate((15, 23, 27, 29, 30)))


@step
def sets_of(size):
    """How many sets of Messengers there are."""
    return np.int64((0, 5, 10, 10, 5, 1)[size])


@step
def set_of(size, number):
    """The number-th set of Messengers of a size, as a mask."""
    if size == 5:
        return np.int64(EVERY_MESSENGER)
    packed = np.int64(SETS_OF_1)
    if size == 2:
        packed = np.int64(SETS_OF_2)
    elif size == 3:
        packed = np.int64(SETS_OF_3)
    elif size == 4:
        packed = np.int64(SETS_OF_4)
    return (packed >> (5 * np.int64(number))) & EVERY_MESSENGER


@step
def adjacent_pairs(board, rules):
    """`msgr_adj_pair`: mask of the pairs, in the order of `set_of(2, ...)`, that stand in adjacent Provinces (B7)."""
    mask = np.int64(0)
    closest = 0 if rules.adjacent_includes_same == SAME_IS_ADJACENT else 1
    pair = 0
    for i in range(MESSENGERS - 1):
        for j in range(i + 1, MESSENGERS):
            distance = rules.distance[board.messenger[i], board.messenger[j]]
            mask |= np.int64(1 if closest <= distance <= 1 else 0) << pair
            pair += 1
    return mask


@phase
def provinces_for(board, rules, selector):
    """Mask of the Provinces among which a selector lets choose."""
    everything = bit(rules.provinces) - 1
    if selector == ANY:
        return everything
    if selector == MOST_BLACK:
        most, mask = np.int64(0), everything
        for p in range(rules.provinces):
            if board.black[p] > most:
                most, mask = np.int64(board.black[p]), np.int64(0)
            mask |= np.int64(1 if board.black[p] == most else 0) << p
        return mask
    sons = son_provinces(board)
    if selector == SON:
        return sons
    messengers = messenger_provinces(board)
    if selector == MSGR_NEAR:
        mask = messengers
        for messenger in range(MESSENGERS):
            mask |= rules.within[1, board.messenger[messenger]]
        return mask
    return sons & messengers if selector == MSGR_SON else sons & ~messengers


@step
def chosen_messengers(board, rules, selector, size, among, choice):
    """The Messengers of a choice as a mask; 0 if the choice is one of a Province."""
    if selector == MSGR:
        return set_of(size, choice)
    return set_of(2, nth_bit(np.int64(among), choice)) if selector == MSGR_ADJ_PAIR else np.int64(0)


@step
def is_cubes(code):
    """Whether an operation places or removes cubes."""
    return ADD_GOLD <= code <= REMOVE_GOLD


@step
def needs_top(code, selector):
    """Whether an operation looks at the top Province card."""
    return code in (SONS_TO_TOP, SON_TO_TOP) or (is_cubes(code) and selector == TOP)


@step
def outside_top(board):
    """Mask of the Sons that are not in the top Province."""
    mask = np.int64(0)
    rest = np.int64(board.alive)
    while rest != 0:
        son = lowest_bit(rest)
        rest = without_lowest(rest)
        mask |= np.int64(1 if board.son[son] != board.top else 0) << son
    return mask


# --- paths


@step
def count_routes(rules, origin, target):
    """How many paths of Sons B5 allows."""
    if rules.son_path == ANY_PATH:
        return np.int64(rules.simple_paths[origin, target])
    return np.int64(1) if rules.son_path == SHORTEST_FIXED else np.int64(rules.shortest_paths[origin, target])


@phase
def shortest_route(state, rules, origin, target, number):
    """Write the number-th shortest path into `state.path`; gives its length."""
    length = np.int64(rules.distance[origin, target])
    here = origin
    for i in range(length):
        there = origin
        for k in range(rules.neighbours[here]):
            there = np.int64(rules.neighbour[here, k])
            if rules.distance[there, target] == length - i - 1:
                paths = np.int64(rules.shortest_paths[there, target])
                if number < paths:
                    break
                number -= paths
        here = there
        state.path[i] = here
    return length


@phase
def any_route(state, rules, origin, target, number):
    """The same among all paths that enter no Province twice. With a number too large all are gone through."""
    visited = bit(origin)
    here = origin
    depth = 0
    state.branch[0] = 0
    while depth >= 0:
        k = state.branch[depth]
        if k < rules.neighbours[here]:
            state.branch[depth] += 1
            there = np.int64(rules.neighbour[here, k])
            if there == target:
                if number == 0:
                    state.path[depth] = there
                    return np.int64(depth) + 1
                number -= 1
            elif (visited >> there) & 1 == 0:
                state.path[depth] = there
                visited |= bit(there)
                here = there
                depth += 1
                state.branch[depth] = 0
        else:
            visited &= ~bit(here)
            depth -= 1
            here = np.int64(state.path[depth - 1]) if depth > 0 else origin
    return np.int64(0)


@phase
def nth_route(state, rules, origin, target, number):
    """The number-th path of B5, in the order of part C, into `state.path`; gives its length."""
    if rules.son_path == ANY_PATH:
        return any_route(state, rules, origin, target, number)
    return shortest_route(state, rules, origin, target, number)


@phase
def nth_ride(state, rules, origin, steps, number):
    """The number-th path of `ride_gold` into `state.path`; gives its length. A path comes before those that continue it."""
    visited = bit(origin)
    here = origin
    depth = 0
    state.branch[0] = 0
    while depth >= 0:
        k = state.branch[depth]
        if depth < steps and k < rules.neighbours[here]:
            state.branch[depth] += 1
            there = np.int64(rules.neighbour[here, k])
            if (visited >> there) & 1 == 0:
                state.path[depth] = there
                if number == 0:
                    return np.int64(depth) + 1
                number -= 1
                visited |= bit(there)
                here = there
                depth += 1
                state.branch[depth] = 0
        else:
            visited &= ~bit(here)
            depth -= 1
            here = np.int64(state.path[depth - 1]) if depth > 0 else origin
    return np.int64(0)
