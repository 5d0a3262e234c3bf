"""What shows that a rule came into play, and how much of a component was used: what a game's `coverage.py` is written in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

ANYTHING = (-(2**31), 2**31 - 1)

Number = int | tuple[int, int] | None


@dataclass(frozen=True)
class Event:
    """An event of a trace: its code, and what its numbers must be, each exactly, from lowest to highest, or whatever."""

    code: int
    a: Number = None
    b: Number = None
    c: Number = None
    d: Number = None
    e: Number = None

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """Lowest and highest of each of its numbers."""
        given = (self.a, self.b, self.c, self.d, self.e)
        return [ANYTHING if n is None else (n, n) if isinstance(n, int) else n for n in given]


@dataclass(frozen=True)
class InColumn:
    """A column of a playout within these values; 1 and more if nothing else is said."""

    column: str
    low: int = 1
    high: int = ANYTHING[1]


@dataclass(frozen=True)
class Ending:
    """An end reason."""

    reason: str


@dataclass(frozen=True)
class Shown:
    """Something that a clause of RULES.md foresees, and what shows that it happened: any of some events, or a column.

    Traces are looked at for events, all playouts for columns and endings.
    `players`, `options` : player counts and option values (any of them) with which it can happen; empty: all
    `needs` : what the rules record must hold besides, such as cards that not every box has
    """

    clause: str
    what: str  # "a card is countered"
    by: tuple[Event, ...] | InColumn | Ending
    players: tuple[int, ...] = ()
    options: Mapping[str, tuple[str | int | bool, ...]] = field(default_factory=dict)
    needs: Callable[[Any], bool] | None = None

    @property
    def name(self) -> str:
        return f"{self.clause}: {self.what}"

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that show it; none if it is a column that does."""
        return self.by if isinstance(self.by, tuple) else ()

    def is_possible(self, players: int, options: Mapping[str, str | int | bool], rules: Any) -> bool:
        """Whether it can happen with so many players, these options and the rules record made of them."""
        fits = all(options[name] in values for name, values in self.options.items())
        return fits and (not self.players or players in self.players) and (self.needs is None or self.needs(rules))


@dataclass(frozen=True)
class Unseen:
    """A clause that nothing in a trace or a column can show, and why."""

    clause: str
    why: str


@dataclass(frozen=True)
class DecisionKind:
    """One kind of decision: the lowest and highest of its choice codes."""

    name: str
    low: int
    high: int


@dataclass(frozen=True)
class Supply:
    """A component of which the box has so many.

    `size` : how many, from the rules record
    `used` : the column that tells how many were in use at most, or, with `is_left`, how many were left; empty: none does
    `short` : what shows that there were not enough; none: all were in use     `about` : what that means
    """

    name: str
    unit: str
    size: Callable[[Any], int]
    used: str = ""
    is_left: bool = False
    short: InColumn | Ending | None = None
    about: str = ""


@dataclass(frozen=True)
class Coverage:
    """All that a game says of its rules and components: every clause of parts A and B of RULES.md is shown or unseen."""

    shown: tuple[Shown, ...]
    unseen: tuple[Unseen, ...]
    decisions: tuple[DecisionKind, ...]
    supplies: tuple[Supply, ...] = ()
