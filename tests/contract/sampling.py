"""Random settings of any game: player count, options, policies, box. For tests over the registry; names no game."""

import importlib.util
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from simkit.engine.worker import Job
from simkit.errors import BoxError
from simkit.kernel.drive import new_table
from simkit.scenario.load import load_box
from simkit.spec import GameSpec, Value


@dataclass
class Setting:
    """One way to play a game."""

    spec: GameSpec
    players: int
    options: dict[str, Value]
    policies: tuple[str, ...]
    box: dict[str, Any]
    seed: int

    @cached_property
    def rules(self) -> Any:
        return self.spec.module("box").pack(self.options, self.box, self.players)

    @property
    def codes(self) -> list[int]:
        return [self.spec.policy(name, seat).code for seat, name in enumerate(self.policies)]

    @property
    def job(self) -> Job:
        return Job(self.spec.name, self.rules, new_table(self.codes, self.seed))

    def __str__(self) -> str:
        changed = {o.name: v for o in self.spec.options if (v := self.options[o.name]) != o.default}
        return f"{self.spec.name}, {self.players} players, {self.policies}, {changed}, seed {self.seed}"


@cache
def boxes_module(name: str) -> ModuleType:
    """`tests/games/<game>/boxes.py`: the unusual boxes of a game."""
    path = Path(__file__).parent.parent / "games" / name / "boxes.py"
    found = importlib.util.spec_from_file_location(f"boxes_of_{name}", path)
    assert path.exists(), "a game's tests must give its unusual boxes"
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def settings(
    spec: GameSpec,
    count: int,
    seed: int,
    unusual_boxes: float = 0.3,
    costly: bool = True,
    among: str = "",
    players: tuple[int, ...] = (),
) -> Iterator[Setting]:
    """`count` settings drawn at random, every choice independent; a share of them with an unusual box.

    costly : whether costly policies are among them     among : a policy that one of the seats has
    players : the player counts; all of the game if empty
    """
    chance = random.Random(seed)
    own = load_box(spec, None)
    made = 0
    while made < count:
        seats = chance.choice(players or spec.players)
        options = {option.name: chance.choice(option.values) for option in spec.options}
        policies = tuple(
            chance.choice([policy for policy in spec.policies_for(seat) if costly or not policy.costly]).name
            for seat in range(seats)
        )
        if among:
            able = [seat for seat in range(seats) if among in [p.name for p in spec.policies_for(seat)]]
            if not able:
                continue
            seat = chance.choice(able)
            policies = (*policies[:seat], among, *policies[seat + 1 :])
        box = own
        if chance.random() < unusual_boxes:
            box = boxes_module(spec.name).unusual(deepcopy(own), chance)
        setting = Setting(spec, seats, options, policies, box, chance.getrandbits(63))
        try:
            _ = setting.rules
        except BoxError:
            continue  # cannot be dealt to that many
        made += 1
        yield setting


def extremes(spec: GameSpec, costly: bool = True) -> Iterator[Setting]:
    """Every extreme box with every policy line-up of equal codes and default options, for every player count."""
    own = load_box(spec, None)
    for box in boxes_module(spec.name).extreme(deepcopy(own)):
        for players in spec.players:
            for i in range(max(len(spec.policies_for(seat)) for seat in range(players))):
                line_up = tuple(spec.policies_for(s)[i % len(spec.policies_for(s))].name for s in range(players))
                if not costly and any(spec.policy(name, seat).costly for seat, name in enumerate(line_up)):
                    continue
                setting = Setting(spec, players, spec.resolve({}), line_up, box, 11)
                try:
                    _ = setting.rules
                except BoxError:
                    continue
                yield setting
