"""What a box promises, and for how many its components can be dealt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simkit.box_file import printed
from simkit.errors import BoxError
from simkit.spec import GameSpec


@dataclass(frozen=True)
class Seats:
    """A player count: whether the box promises it, and why it cannot be dealt to so many (empty: it can)."""

    players: int
    is_printed: bool
    fault: str


def dealt(spec: GameSpec, box: Mapping[str, Any], players: int, **changed: object) -> str:
    """Why a box cannot be dealt to so many, with the arithmetic; nothing if it can."""
    if players not in spec.players:
        return "there are no rules for so many"
    try:
        spec.module("box").pack(spec.resolve(changed), box, players)
    except BoxError as problem:
        return str(problem)
    return ""


def seats(spec: GameSpec, box: Mapping[str, Any]) -> list[Seats]:
    """Every player count that the box promises or the rules know, ascending."""
    promise = printed(box).players
    promised = range(promise.fewest, promise.most + 1) if promise else range(0)
    return [Seats(n, n in promised, dealt(spec, box, n)) for n in sorted({*promised, *spec.players})]


def broken(spec: GameSpec, box: Mapping[str, Any]) -> dict[int, str]:
    """The player counts that the box promises and its components do not allow, with the reason."""
    return {each.players: each.fault for each in seats(spec, box) if each.is_printed and each.fault}
