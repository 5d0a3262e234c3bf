"""The registry: a game is found, not listed. Every sub-folder here that holds a `SPEC` is a game."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from simkit.errors import UserError, unknown
from simkit.spec import GameSpec


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


@cache
def get(name: str) -> GameSpec:
    """The game of that name. Raises UserError with the nearest name."""
    if name not in names():
        raise UserError(unknown("game", name, names()))
    spec = import_module(f"{__name__}.{name}").SPEC
    assert isinstance(spec, GameSpec)
    return spec


def every() -> Iterator[GameSpec]:
    """All games, by name."""
    return map(get, names())
