"""The play loop and the trace loop, written once for all games.

A game hands its verbs to these loops (see `games/README.md`); because the loops are folded into the game's entries, that
costs nothing and the entries can be kept on disk.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit.kernel.jit import loop, step
from simkit.kernel.streams import MAX_SEATS, below, open_playout

UNIFORM = 0  # policy code of `random`, in every game
TRUNCATED = 0  # end reason of a playout that met the cap on decisions, in every game
DECISION = 0  # event code of a decision, in every game: seat, choice, number of choices, choice code
STANDING = -1  # event code of a changed standing, in every game that tells it: seat, value. Codes below 0 are not told

LOG_WIDTH = 6
LOG_ROWS = 16384
UNKNOWN = np.int64(-(2**63))  # no standing has been noted yet

TABLE = np.dtype(  # who plays at the table of a cell, and how its playouts are numbered and keyed
    [
        ("seats", "i8"),
        ("line_up", "i1", MAX_SEATS),  # policy code of each slot
        ("root", "u8"),  # key of all streams: the run's seed, or a child of it for an independent cell
        ("replicates", "i8"),
        ("rotations", "i8"),
    ],
    align=True,
)


def new_table(line_up: Sequence[int], root: int, replicates: int = 1, rotations: int = 1) -> Any:
    """The table record of a cell. `line_up`: policy codes by slot; `root`: 0 .. 2**64 - 1."""
    table = np.zeros(1, TABLE).view(np.recarray)[0]
    table.seats = len(line_up)
    table.line_up[: len(line_up)] = line_up
    table.root = root
    table.replicates = replicates
    table.rotations = rotations
    return table


def new_log() -> np.ndarray:
    """Room for the events of one playout: row 0 counts them, the others are code and five numbers."""
    return np.zeros((LOG_ROWS, LOG_WIDTH), np.int32)


@step
def note(log, event, a, b, c, d, e):
    """Write an event into the log of a trace; with None for a log, as in bulk play, this compiles to nothing."""
    if log is not None:
        row = log[0, 0] + 1
        if row < log.shape[0]:
            log[0, 0] = row
            log[row, 0] = event
            log[row, 1] = a
            log[row, 2] = b
            log[row, 3] = c
            log[row, 4] = d
            log[row, 5] = e


@step
def note_standing(log, noted, seat, value):
    """Note the standing of a seat if it is not the one noted last. noted : int64 (seats,), overwritten"""
    if noted[seat] != value:
        noted[seat] = value
        note(log, STANDING, seat, value, 0, 0, 0)


@loop
def play_one(
    deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record, standing,
    rules, table, playout, state, streams, row, players, log,
):  # fmt: skip
    """Play the playout numbered `playout`, from its deal to its record.

    standing : the verb of this name, for the log of a trace; None for a game that has none, and in bulk play
    """
    rotation = playout % table.rotations
    repeated = playout // table.rotations
    replicate = repeated % table.replicates
    open_playout(streams, table.root, repeated // table.replicates, replicate, rotation, table.seats)
    for seat in range(table.seats):
        players[seat].decisions = 0
        players[seat].forced_decisions = 0
    decisions = 0
    forced = 0
    deal(state, rules, streams, log)
    if standing is not None:
        noted = np.full(MAX_SEATS, UNKNOWN)
        for seat in range(table.seats):
            note_standing(log, noted, seat, standing(state, rules, seat))
    while not is_over(state, rules) and decisions < rules.decision_cap:
        seat = seat_to_move(state, rules)
        count = count_choices(state, rules)
        slot = seat - rotation
        policy = table.line_up[slot if slot >= 0 else slot + table.seats]
        if policy == UNIFORM:
            choice = below(streams.policy[seat], count)
        else:
            choice = choose(policy, state, rules, streams.policy[seat])
        if log is not None:
            note(log, DECISION, seat, choice, count, choice_code(state, rules, choice), 0)
        decisions += 1
        players[seat].decisions += 1
        if count == 1:
            forced += 1
            players[seat].forced_decisions += 1
        play_choice(state, rules, choice, streams, log)
        if standing is not None:
            for other in range(table.seats):
                note_standing(log, noted, other, standing(state, rules, other))
    record(state, rules, row, players)
    row.decisions = decisions
    row.forced_decisions = forced
    if not is_over(state, rules):
        row.end_reason = TRUNCATED


@loop
def play_many(
    deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record,
    rules, table, first, state, streams, rows, players, stop,
):  # fmt: skip
    """Play `rows.size` playouts numbered from `first`; row i is playout first + i. Gives how many were played.

    rules, table, state, streams : records
    rows    : record array (playouts,)     players : record array (playouts, seats)
    stop    : uint8 (1,), set by somebody else to stop between playouts
    Slot s sits in seat (s + rotation) mod seats. Overwrites state, streams, rows and players.
    """
    for i in range(rows.size):
        if stop[0] != 0:
            return i
        play_one(
            deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record, None,
            rules, table, first + i, state, streams, rows[i], players[i], None,
        )  # fmt: skip
    return rows.size


@loop
def trace_one(
    deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record, standing,
    rules, table, playout, state, streams, rows, players, log,
):  # fmt: skip
    """Play the one playout `playout` into rows[0] and players[0], and write every event into `log`.

    standing : the verb of this name, whose changes are events too; None for a game that has none
    """
    log[0, 0] = 0
    play_one(
        deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record, standing,
        rules, table, playout, state, streams, rows[0], players[0], log,
    )  # fmt: skip
