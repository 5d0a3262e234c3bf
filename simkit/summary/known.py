"""What a game says exactly of itself (`exact.py` of its folder), or nothing where it says nothing."""

from collections.abc import Iterable, Mapping
from typing import Any

from simkit.exact import Chance, Law, Stronger
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import GameSpec


def exact_of(spec: GameSpec) -> Any:
    """The module; None for a game that has none."""
    try:
        return spec.module("exact")
    except ModuleNotFoundError:
        return None


def chances(recipe: Recipe, cell: Cell) -> Iterable[Chance]:
    return said(recipe, cell, "chances")


def laws(recipe: Recipe, cell: Cell) -> Iterable[Law]:
    return said(recipe, cell, "laws")


def said(recipe: Recipe, cell: Cell, what: str) -> Iterable[Any]:
    tell = getattr(exact_of(recipe.spec), what, None)
    is_told = tell and not cell.swap and not recipe.box.get("exchange")  # of decks as they are printed only
    found: Iterable[Any] = tell(cell.options, recipe.box, cell.players) if tell and is_told else ()
    return found


def seats_alike(recipe: Recipe, cell: Cell) -> bool:
    """Whether nothing tells the seats apart before anybody plays."""
    tell = getattr(exact_of(recipe.spec), "seats_alike", None)
    options: Mapping[str, Any] = cell.options
    return bool(tell and tell(options))


def stronger(spec: GameSpec) -> tuple[Stronger, ...]:
    return tuple(getattr(exact_of(spec), "STRONGER", ()))
