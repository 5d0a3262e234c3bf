"""What the tests of all games share: stories of whole playouts, and what a policy chooses over many streams."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from simkit.engine.worker import Job, trace
from simkit.kernel.drive import new_table
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import open_stream
from simkit.spec import GameSpec, Value


def lines(spec: GameSpec, events: Any, rules: Any) -> list[str]:
    """The story of the events of a trace, line by line. events: int32 (events, 6)"""
    return [told.line for told in spec.tell(events, rules) if told.line]


def lines_of_log(spec: GameSpec, log: Any, rules: Any) -> list[str]:
    """The same for a log that is still being written: row 0 counts the events."""
    return lines(spec, log[1 : log[0, 0] + 1], rules)


class Whole:
    """A whole playout of one policy in all seats, from the deal to its record."""

    def __init__(
        self, spec: GameSpec, players: int, playout: int, policy: str, box: Any, options: Mapping[str, Value]
    ) -> None:
        self.spec = spec
        self.rules = spec.module("box").pack(spec.resolve(options), box, players)
        table = new_table([spec.policy(policy, seat).code for seat in range(players)], 7)
        self.events, self.columns, self.players = trace(Job(spec.name, self.rules, table), playout)

    def story(self) -> list[str]:
        return lines(self.spec, self.events, self.rules)


def chosen(spec: GameSpec, policy: str, state: Any, rules: Any, seed: int = 0) -> int:
    """What a policy chooses with a stream of its own, started at `seed`."""
    code = next(found.code for found in spec.policies if found.name == policy)
    stream = np.zeros(4, np.uint64)
    open_stream(stream, np.uint64(seed))
    return int(spec.module("policies").choose(code, state, rules, stream))


@quiet_wraparound
def spread(
    spec: GameSpec, policy: str, state: Any, rules: Any, meaning: Callable[[int], str], draws: int
) -> Counter[str]:
    """What a policy chooses over many streams, in words."""
    return Counter(meaning(chosen(spec, policy, state, rules, seed)) for seed in range(draws))
