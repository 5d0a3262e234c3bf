"""The compiled entries of PRRRT...: bulk play and trace. The loops are in `kernel/drive.py`."""

from simkit.games.prrrt.moves import (
    choice_code,
    count_choices,
    deal,
    is_over,
    play_choice,
    record,
    seat_to_move,
    standing,
)  # fmt: skip
from simkit.games.prrrt.policies import choose
from simkit.games.prrrt.state import new_state
from simkit.kernel.drive import play_many, trace_one
from simkit.kernel.jit import entry

__all__ = ["new_state", "play", "trace"]


@entry
def play(rules, table, first, state, streams, rows, players, stop):
    return play_many(
        deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record,
        rules, table, first, state, streams, rows, players, stop,
    )  # fmt: skip


@entry
def trace(rules, table, playout, state, streams, rows, players, log):
    trace_one(
        deal, is_over, seat_to_move, count_choices, play_choice, choice_code, choose, record, standing,
        rules, table, playout, state, streams, rows, players, log,
    )  # fmt: skip
