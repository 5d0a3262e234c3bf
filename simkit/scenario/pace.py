"""How long people take: the pace profiles of a game, from its `pace.toml`. Assumptions, and said to be."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from simkit import games
from simkit.box_file import Sourced, Table
from simkit.errors import OptionError, unknown

PACES = ("quick", "usual", "slow")
USUAL = "usual"
DECISIONS, FORCED = "decisions", "forced_decisions"

Seconds = Annotated[float, Field(ge=0, le=3600, strict=False)]
WAITING = {
    "all": 1,
    "all but one": 2,
    "all but two": 3,
}  # seats that do not add to the time of one, of all at the table


class Pace(Table):
    """Seconds for the whole of setting up and scoring, for a round, for a decision, for one with a single choice."""

    setup: Seconds
    round: Seconds
    decision: Seconds
    forced: Seconds


class AtOnce(Table):
    """Decisions that several seats take at the same time: as often as `column` counts, they take the time of one.

    `each` : the column counts every seat's, not every time
    """

    what: str
    column: str
    who: Literal["all", "all but one", "all but two"]
    each: bool = False

    def saved(self, players: int) -> float:
        """Decisions that take no time of their own, for each that the column counts."""
        return max(players - WAITING[self.who], 0) / (players if self.each else 1)


class Paces(Sourced):
    """The shape of `pace.toml`. `rounds` names the column that counts what `round` is the time of; empty: one in a game."""

    rounds: str
    about: str  # what that is: "a round: two cards dealt to each"
    quick: Pace
    usual: Pace
    slow: Pace
    at_once: list[AtOnce] = Field(default_factory=list)

    def of(self, name: str) -> Pace:
        """A pace by name, as `check_pace` knows it."""
        found: Pace = getattr(self, check_pace(name))
        return found

    def seconds(self, name: str, players: int) -> tuple[float, Mapping[str, float]]:
        """Seconds that every game takes, and for each that a column counts. Negative ones correct what others count."""
        pace = self.of(name)
        weights = {DECISIONS: pace.decision, FORCED: pace.forced - pace.decision}
        for entry in self.at_once:
            weights[entry.column] = weights.get(entry.column, 0.0) - pace.decision * entry.saved(players)
        if self.rounds:
            weights[self.rounds] = weights.get(self.rounds, 0.0) + pace.round
        return pace.setup + (0.0 if self.rounds else pace.round), weights


@cache
def paces(game: str) -> Paces | None:
    """The pace profiles of a game; None if its folder says nothing of them."""
    try:
        text = games.get(game).text("pace.toml")
    except (FileNotFoundError, ModuleNotFoundError):
        return None
    return Paces.model_validate(tomllib.loads(text))


def check_pace(name: str) -> str:
    """The name of a pace. Raises OptionError with the nearest name."""
    if name not in PACES:
        raise OptionError(unknown("--pace", name, PACES))
    return name
