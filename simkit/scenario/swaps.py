"""Cards exchanged for others: the box of a cell that is played with another card in the place of one."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from simkit.errors import BoxError, OptionError
from simkit.scenario.validate import explain
from simkit.spec import GameSpec

Swaps = Sequence[tuple[str, str]]  # a kind of card, and what stands in for it


def can_swap(spec: GameSpec) -> bool:
    """Whether cards of a game can be exchanged."""
    return hasattr(spec.module("box"), "exchanged")


def with_swaps(spec: GameSpec, box: Mapping[str, Any], swaps: Swaps) -> Mapping[str, Any]:
    """The box with the cards exchanged, every one in its place of the deck. Without swaps it is the box itself.

    raises : OptionError for a game whose cards cannot be exchanged; BoxError for cards that the box does not have, or if
             what comes of it is no box that can be played
    """
    if not swaps:
        return box
    module = spec.module("box")
    if not can_swap(spec):
        raise OptionError(f"swap: the cards of {spec.title} cannot be exchanged")
    changed: Mapping[str, Any] = module.exchanged(box, dict(swaps))
    try:
        module.Box.model_validate(changed)
    except ValidationError as problem:
        raise BoxError(f"swap: {explain(problem, module.Box)}") from None
    return changed


def told_swaps(swaps: Swaps) -> str:
    """'New Hip replaced by +1'."""
    return ", ".join(f"{card} replaced by {by}" for card, by in swaps)
