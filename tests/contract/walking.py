"""Walking through a playout decision by decision with the kernel's own verbs, for tests that look at every state."""

from collections.abc import Callable
from typing import Any

import numpy as np

from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import below, new_streams, open_playout
from tests.contract.sampling import Setting

Look = Callable[[Any, Any, Any], None]


@quiet_wraparound
def walk(setting: Setting, playout: int, look: Look) -> Any:
    """Play a playout; `look(state, rules, streams)` sees every state in which somebody decides, and the last one."""
    moves = setting.spec.module("moves")
    choose = setting.spec.module("policies").choose
    state = setting.spec.module("entry").new_state()[0]
    streams = new_streams()[0]
    rules, codes = setting.rules, setting.codes
    open_playout(streams, np.uint64(setting.seed), playout, 0, 0, setting.players)
    moves.deal(state, rules, streams, None)
    while not moves.is_over(state, rules):
        look(state, rules, streams)
        seat = moves.seat_to_move(state, rules)
        stream = streams.policy[seat]
        if codes[seat] == 0:
            choice = below(stream, moves.count_choices(state, rules))
        else:
            choice = choose(codes[seat], state, rules, stream)
        moves.play_choice(state, rules, choice, streams, None)
    look(state, rules, streams)
    return state
