"""The contract of a game: what a game folder must declare. Pure Python, cheap to import.

A game is a folder below `simkit/games/` whose `__init__.py` holds a `SPEC`. Everything else (the box, the kernel, the
plain twin) is imported from the folder when it is needed. `games/README.md` explains the folder.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args

from simkit.coverage import Coverage
from simkit.errors import OptionError, listed, nearest, shown, unknown

Value = str | int | bool

Provenance = Literal["rulebook", "derived", "public", "assumed", "placeholder"]
PROVENANCES: tuple[str, ...] = get_args(Provenance)
# How results are counted: what writers and readers of tallies agree on.
BLOCKS = 64  # blocks of deals: block = deal modulo BLOCKS
WHOLE = 2520  # the credit of one who has the outcome alone: all numbers from 1 to 10 divide it, so shares stay whole
CARD_KINDS = 31  # kinds of cards that fit into a mask of 32 bits with sign
CARD_COMBINATIONS = 8  # of opening hand (1), drawn later (2) and played (4)

CARD_SETS = ("opening_cards", "drawn_cards", "played_cards")  # masks of card kinds in a player's record


@dataclass(frozen=True)
class Option:
    """One knob of a game's rules. The first value is the default: the printed rule, or our reading of it.

    Values are words, whole numbers or booleans; the kernel sees the position in `values`.
    """

    name: str
    values: tuple[Value, ...]
    clause: str
    about: str
    players: tuple[int, ...] = ()  # player counts for which it matters; empty: all
    needs: Mapping[str, Value] = field(default_factory=dict)  # other options without which it does not matter
    ruling: bool = False  # a point that the rulebook leaves open
    only_policies: bool = False  # no rule depends on it, only what policies may look at
    box: bool = False  # it chooses among alternative component tables of the box, such as decks

    @property
    def default(self) -> Value:
        return self.values[0]

    def check(self, value: object) -> Value:
        """The legal value meant by `value`: numbers and booleans may also be written as words. Raises OptionError."""
        for legal in self.values:
            if type(legal) is type(value) and legal == value:
                return legal
            if isinstance(value, str) and value.strip().lower() == str(legal).lower():
                return legal
            if isinstance(value, int) and not isinstance(value, bool) and str(value) == legal:
                return legal
        words = [str(v).lower() if isinstance(v, bool) else v for v in self.values]
        raise OptionError(
            f"option {self.name} cannot be {shown(value)}{nearest(value, words)}; expected {listed(words)}"
        )


@dataclass(frozen=True)
class Policy:
    """What decides for a seat: `code` is what the kernel knows it by, `roles` the roles that can play it (empty: all)."""

    name: str
    code: int
    about: str
    roles: tuple[str, ...] = ()
    costly: bool = False  # thinks so long that tests against the plain twin play it less


@dataclass(frozen=True)
class Column:
    """One recorded integer per playout or per player. `low` and `high` bound it for every box and option.

    `words` names the values 0, 1, 2, ...; such a column is written as text.
    `linked` : its values are counted together with the outcome, for the report: "given" if chance alone decides them (what
    was dealt or drawn), so that they can be a cause; "found" if they only describe how things stood at the end.
    """

    name: str
    low: int
    high: int
    about: str
    unit: str = ""
    words: tuple[str, ...] = ()
    linked: Literal["", "given", "found"] = ""

    @property
    def dtype(self) -> str:
        """The narrowest signed integer type that holds the range."""
        return next(
            t for t, top in (("i1", 127), ("i2", 32767), ("i4", 2**31 - 1)) if -top <= self.low and self.high <= top
        )

    @property
    def bins(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True)
class Preset:
    """A named bundle of settings: a difficulty, a variant."""

    name: str
    title: str
    players: int
    options: Mapping[str, Value]


@dataclass(frozen=True)
class Told:
    """One event of a trace, told: a line of the story (may be empty), and for decisions and chance an object."""

    line: str
    about: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Standing:
    """What the verb `standing` of a game measures: how near a seat is to winning, or in a game with losers to losing.

    `step` is how much of it makes a difference that players would speak of: chances are estimated by the lead in steps.
    `public` says whether the players at the table can see it.
    """

    about: str  # "points in front of a player"
    unit: str  # "points"
    public: Literal["all", "partly", "none"]
    step: int = 1
    caveat: str = ""  # what it leaves out, as a sentence


@dataclass(frozen=True)
class GameSpec:
    """A game. `columns` starts with `end_reason`, `decisions` and `forced_decisions`; `player_columns` with `turn_order`,
    the outcome, `decisions` and `forced_decisions`: the play loop and the tallies count on those. The outcome is called
    `won`, or `lost` in a game that has losers instead of winners.

    A game that counts cards (`cards`) names their kinds by `card_names(box)` in its `box.py`, at most 31; the records of its
    players end with `CARD_SETS`: bit k is set if the seat had kind k in its opening hand, got it later, played it.
    """

    package: str
    name: str
    title: str
    about: str
    rules_version: int
    players: tuple[int, ...]
    options: tuple[Option, ...]
    policies: tuple[Policy, ...]
    columns: tuple[Column, ...]
    player_columns: tuple[Column, ...]
    line_ups: Mapping[int, tuple[tuple[str, ...], ...]]  # by player count: the line-ups a plain run plays
    roles: tuple[str, ...] = ()  # one per seat, for a game with unlike seats
    cooperative: bool = False  # whether all seats win or lose together
    headline: str = ""  # what the headline rate is, in words: "Granny wins"
    cards: str = ""  # what the cards are whose part in the outcome is counted, in a few words; empty: none are
    standing: Standing | None = None  # what the verb `standing` measures; None if the game has no such verb

    @property
    def is_alike(self) -> bool:
        """Whether seats are alike and play against each other, so that they can be compared."""
        return not self.roles and not self.cooperative

    @property
    def modes(self) -> tuple[str, ...]:
        """How it can be played, in a few words: 'solo', 'together', 'granny against propuh', 'each against all'."""
        if max(self.players) == 1:
            return ("solo",)
        many = "together" if self.cooperative else " against ".join(self.roles) or "each against all"
        return ("solo", many) if 1 in self.players else (many,)

    # --- looking things up, with errors for people -------------------------------------------------------------

    @cached_property
    def option_by_name(self) -> dict[str, Option]:
        return {option.name: option for option in self.options}

    @cached_property
    def presets(self) -> dict[str, Preset]:
        table = tomllib.loads(files(self.package).joinpath("presets.toml").read_text(encoding="utf-8"))
        return {
            name: Preset(name, entry["title"], entry["players"], self.check_options(entry.get("options", {})))
            for name, entry in table.items()
        }

    def preset(self, name: object) -> Preset:
        if name not in self.presets:
            raise OptionError(unknown("preset", name, self.presets))
        return self.presets[str(name)]

    def check_players(self, players: object) -> int:
        if not isinstance(players, int) or isinstance(players, bool) or players not in self.players:
            raise OptionError(f"players cannot be {shown(players)}; {self.title} is for {listed(self.players)}")
        return players

    def option(self, name: object) -> Option:
        if name not in self.option_by_name:
            raise OptionError(unknown("option", name, self.option_by_name))
        return self.option_by_name[str(name)]

    def check_options(self, given: Mapping[str, object]) -> dict[str, Value]:
        """The given options with their values made legal. Raises OptionError with the nearest name."""
        return {name: self.option(name).check(value) for name, value in given.items()}

    def resolve(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Every option with its value: the default where nothing is given."""
        return {option.name: option.default for option in self.options} | self.check_options(given)

    def matters(self, option: Option, players: int, options: Mapping[str, Value]) -> bool:
        """Whether an option can make a difference at this player count, the other options being as given."""
        return (not option.players or players in option.players) and all(
            options[name] == value for name, value in option.needs.items()
        )

    def role(self, seat: int) -> str:
        """What a seat is called: its role, or its number."""
        return self.roles[seat] if self.roles else f"seat {seat}"

    def check_seat(self, seat: object, players: int) -> int:
        """The number of a seat given by role or number."""
        names = list(self.roles[:players]) if self.roles else []
        if seat in names:
            return names.index(str(seat))
        if str(seat) in map(str, range(players)):
            return int(str(seat))
        raise OptionError(unknown("seat", seat, [*names, *range(players)]) + f" with {players} players")

    def policies_for(self, seat: int) -> list[Policy]:
        role = self.roles[seat] if self.roles else ""
        return [policy for policy in self.policies if not policy.roles or role in policy.roles]

    def policy(self, name: object, seat: int) -> Policy:
        fitting = {policy.name: policy for policy in self.policies_for(seat)}
        if name not in fitting:
            raise OptionError(unknown(f"policy of {self.role(seat)}", name, fitting))
        return fitting[str(name)]

    def check_line_up(self, policies: Sequence[object], players: int) -> tuple[str, ...]:
        if len(policies) != players:
            raise OptionError(f"policies: {len(policies)} given, expected one for each of the {players} seats")
        return tuple(self.policy(name, seat).name for seat, name in enumerate(policies))

    def complete_line_up(self, given: Mapping[str, object], players: int) -> tuple[str, ...]:
        """A line-up from policies by seat or role; `all` speaks for every seat not named. Others play the default."""
        line_up: list[object] = list(self.line_ups[players][-1])
        if "all" in given:
            line_up = [given["all"]] * players
        for seat, policy in given.items():
            if seat != "all":
                line_up[self.check_seat(seat, players)] = policy
        return self.check_line_up(line_up, players)

    # --- the rest of the folder, imported when needed ----------------------------------------------------------

    def module(self, name: str) -> ModuleType:
        """A module of the game's folder, such as 'box', 'moves', 'entry' or 'reference'."""
        return import_module(f"{self.package}.{name}")

    def text(self, name: str) -> str:
        """A text file of the game's folder, such as 'RULES.md'."""
        return files(self.package).joinpath(name).read_text(encoding="utf-8")

    @cached_property
    def coverage(self) -> Coverage | None:
        """What shows that its rules come into play, for a game that says so in its `coverage.py`."""
        found = find_spec(self.package)
        has_one = (
            found is not None and found.origin is not None and Path(found.origin).with_name("coverage.py").is_file()
        )
        return self.module("coverage").COVERAGE if has_one else None

    @cached_property
    def player_dtype(self) -> Any:
        """The record a kernel writes for a seat: the player columns, then the card sets if the game counts cards."""
        return row_dtype([column.name for column in self.player_columns] + list(CARD_SETS if self.cards else ()))

    @property
    def outcome(self) -> str:
        """The player column that says who won (`won`) or, in a game that has losers instead, who lost (`lost`)."""
        return self.player_columns[1].name

    def tell(self, events: Any, rules: Any) -> list[Told]:
        """The events of a trace, told; those with codes below 0 are not. events: int32 (events, 6); rules: the rules record
        of the playout
        """
        told = [tuple(map(int, event)) for event in events if event[0] >= 0]
        return list(self.module("story").tell(told, rules))

    @cached_property
    def end_reasons(self) -> tuple[str, ...]:
        return self.columns[0].words


def row_dtype(columns: Sequence[Column | str]) -> Any:
    """The record a kernel writes: one int32 field per column, so that rows can also be seen as a matrix."""
    import numpy as np

    return np.dtype([(column if isinstance(column, str) else column.name, "i4") for column in columns])
