"""How policies weigh the choices of one decision: each is carried out on a copy of a board and the copy is valued.

`base` is the board that a decision is taken on. `weigh` keeps the choices that share the best score in `state.ties`, and the
first of these boards as BEST; `begin_weighing` forgets them.
"""

import numpy as np

from simkit.games.purim.moves.board import (
    copy_board,
    cubes_at,
    cubes_with,
    destroy,
    enter,
    halted,
    put_black,
    sons_in,
    spread_gold,
    steps_of,
    travel,
)
from simkit.games.purim.moves.readings import ANY_PATH, EACH_ITS_OWN, SHORTEST_FIXED
from simkit.games.purim.moves.targets import chosen_messengers, shortest_route
from simkit.games.purim.moves.value import value
from simkit.games.purim.state import BEST, BEST_FURTHER, FURTHER, LARGE, TRIED
from simkit.kernel.jit import phase, step
from simkit.kernel.piles import bit, lowest_bit, nth_bit, without_lowest


@step
def begin_weighing(state):
    state.best = -LARGE
    state.tied = 0


@phase
def weigh(state, choice, score, level):
    """A choice leads to the board on a level and has this score."""
    if score > state.best:
        state.best = score
        state.tied = 0
        copy_board(state, level, BEST)
    if score == state.best:
        state.ties[state.tied] = choice
        state.tied += 1


@phase
def weigh_cubes(state, rules, base, cautious, code, selector, size, n, among, choices):
    """MESSENGERS, PAIR, PROVINCE: `size` Messengers of a set, `among` the pairs or Provinces that qualify."""
    for choice in range(choices):
        copy_board(state, base, TRIED)
        board = state.boards[TRIED]
        messengers = chosen_messengers(board, rules, selector, size, among, choice)
        if messengers != 0:
            cubes_with(board, rules, code, messengers, n, None)
        else:
            cubes_at(board, rules, code, nth_bit(among, choice), n, None)
        weigh(state, choice, value(board, rules, cautious), TRIED)


# --- Messengers


@phase
def weigh_walks(state, rules, base, cautious, messenger, steps):
    """WALK, NIGHT: first staying, then every Province within reach."""
    copy_board(state, base, TRIED)
    board = state.boards[TRIED]
    weigh(state, 0, value(board, rules, cautious), TRIED)
    rest = np.int64(rules.within[steps, board.messenger[messenger]])
    choice = 0
    while rest != 0:
        board.messenger[messenger] = lowest_bit(rest)
        rest = without_lowest(rest)
        choice += 1
        weigh(state, choice, value(board, rules, cautious), TRIED)


@phase
def weigh_rides(state, rules, base, cautious, messenger, steps):
    """RIDE: every path, one step more on each further board; a path comes before those that continue it."""
    origin = np.int64(state.boards[base].messenger[messenger])
    copy_board(state, base, TRIED)
    visited = bit(origin)
    here = origin
    depth = 0
    choice = 0
    state.branch[0] = 0
    while depth >= 0:
        k = state.branch[depth]
        if depth < steps and k < rules.neighbours[here]:
            state.branch[depth] += 1
            there = np.int64(rules.neighbour[here, k])
            if (visited >> there) & 1 == 0:
                level = TRIED + depth + 1
                copy_board(state, level - 1, level)
                board = state.boards[level]
                if not halted(board, rules):
                    board.messenger[messenger] = there
                    spread_gold(board, rules, there, np.int64(1), None)
                weigh(state, choice, value(board, rules, cautious), level)
                choice += 1
                state.path[depth] = there
                visited |= bit(there)
                here = there
                depth += 1
                state.branch[depth] = 0
        else:
            visited &= ~bit(here)
            depth -= 1
            here = np.int64(state.path[depth - 1]) if depth > 0 else origin


@phase
def weigh_riders(state, rules, base, cautious, among, steps, rides):
    """RIDER: a Messenger is worth its best WALK, or with `rides` its best RIDE. Leaves scores of choices, not a board."""
    rest = among
    choice = 0
    while rest != 0:
        messenger = lowest_bit(rest)
        rest = without_lowest(rest)
        begin_weighing(state)
        reach = steps_of(state.boards[base], rules, messenger, steps)
        if rides:
            weigh_rides(state, rules, base, cautious, messenger, reach)
        else:
            weigh_walks(state, rules, base, cautious, messenger, reach)
        state.after[choice] = state.best
        choice += 1
    begin_weighing(state)
    for i in range(choice):
        weigh(state, i, state.after[i], base)


# --- Sons


@phase
def travel_well(state, rules, level, cautious, travellers):
    """Sons move to the top Province of the board on a level, every ROUTE taken by the highest score. Gives the value."""
    rest = travellers
    score = np.int64(0)
    while rest != 0:
        first = lowest_bit(rest)
        apart = rules.son_path_shared == EACH_ITS_OWN
        going = bit(first) if apart else rest
        rest = rest & ~going
        origin, target = np.int64(state.boards[level].son[first]), np.int64(state.boards[level].top)
        routes = np.int64(1 if rules.son_path == SHORTEST_FIXED else rules.shortest_paths[origin, target])
        score = np.int64(-LARGE)
        for route in range(routes):  # others than the shortest are never the best
            length = shortest_route(state, rules, origin, target, np.int64(route))
            copy_board(state, level, FURTHER)
            board = state.boards[FURTHER]
            travel(board, rules, going, state.path, length, None)
            found = value(board, rules, cautious)
            if found > score:
                score = found
                copy_board(state, FURTHER, BEST_FURTHER)
        copy_board(state, BEST_FURTHER, level)
        if halted(state.boards[level], rules):
            return score
    return score


@phase
def weigh_to_top(state, rules, base, cautious, among, origins, decline):
    """ORIGIN, or with `origins` 0 SON: the Sons that move to the top Province; then to decline."""
    rest = among
    choice = 0
    while rest != 0:
        chosen = lowest_bit(rest)
        rest = without_lowest(rest)
        travellers = sons_in(state.boards[base], chosen) if origins else bit(chosen)
        copy_board(state, base, TRIED)
        weigh(state, choice, travel_well(state, rules, TRIED, cautious, travellers), TRIED)
        choice += 1
    if decline:
        weigh(state, choice, value(state.boards[base], rules, cautious), base)


@phase
def weigh_routes(state, rules, base, cautious, travellers):
    """ROUTE of a real decision: the shortest paths, wherever they are in the list of all that B5 allows."""
    board = state.boards[base]
    first = lowest_bit(travellers)
    going = bit(first) if rules.son_path_shared == EACH_ITS_OWN else travellers
    origin, target = np.int64(board.son[first]), np.int64(board.top)
    shortest = np.int64(rules.distance[origin, target])
    if rules.son_path != ANY_PATH:
        for route in range(np.int64(rules.shortest_paths[origin, target])):
            shortest_route(state, rules, origin, target, np.int64(route))
            weigh_route(state, rules, base, cautious, going, shortest, np.int64(route))
        return
    visited = bit(origin)
    here = origin
    depth = 0
    number = np.int64(0)
    state.branch[0] = 0
    while depth >= 0:  # through all paths, in order
        k = state.branch[depth]
        if k < rules.neighbours[here]:
            state.branch[depth] += 1
            there = np.int64(rules.neighbour[here, k])
            if there == target:
                if depth + 1 == shortest:
                    state.path[depth] = there
                    weigh_route(state, rules, base, cautious, going, shortest, number)
                number += 1
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


@phase
def weigh_route(state, rules, base, cautious, going, length, choice):
    copy_board(state, base, TRIED)
    board = state.boards[TRIED]
    travel(board, rules, going, state.path, length, None)
    weigh(state, choice, value(board, rules, cautious), TRIED)


@phase
def weigh_steps(state, rules, base, cautious, son, is_step):
    """STEP: every neighbour; a Son enters it, or with `is_step` 0 there will be a black cube (B35)."""
    home = np.int64(state.boards[base].son[son])
    for choice in range(rules.neighbours[home]):
        copy_board(state, base, TRIED)
        board = state.boards[TRIED]
        there = np.int64(rules.neighbour[home, choice])
        if is_step:
            enter(board, rules, son, there, True, None)
        else:
            put_black(board, rules, there, np.int64(1), None)
        weigh(state, choice, value(board, rules, cautious), TRIED)


@phase
def weigh_steppers(state, rules, base, cautious, among):
    """SON with `son_step`: worth its best STEP. Leaves scores of choices, not a board."""
    rest = among
    choice = 0
    while rest != 0:
        son = lowest_bit(rest)
        rest = without_lowest(rest)
        begin_weighing(state)
        weigh_steps(state, rules, base, cautious, son, 1)
        state.after[choice] = state.best
        choice += 1
    begin_weighing(state)
    for i in range(choice):
        weigh(state, i, state.after[i], base)


@phase
def weigh_victims(state, rules, base, cautious, among):
    """SON with `destroy_son`."""
    rest = among
    choice = 0
    while rest != 0:
        son = lowest_bit(rest)
        rest = without_lowest(rest)
        copy_board(state, base, TRIED)
        board = state.boards[TRIED]
        destroy(board, rules, son, None)
        weigh(state, choice, value(board, rules, cautious), TRIED)
        choice += 1
