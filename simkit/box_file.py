"""What every box file is made of: tables that know their keys, where their numbers come from, and what the box promises."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.spec import GameSpec, Provenance

PRINTED = "printed"  # the one table of a box file that no rule depends on

Words = tuple[str, str, str, str]  # what, numbers, provenance, source


class Table(BaseModel):
    """A table of a box file: no key that it does not name, and every value of exactly its type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Sourced(Table):
    """A table whose numbers, also those further down, have one provenance."""

    provenance: Provenance
    source: str = ""


class PrintedRange(Sourced):
    """A promise such as 'five to ten players'."""

    fewest: Annotated[int, Field(ge=1, le=999)]
    most: Annotated[int, Field(ge=1, le=999)]

    @model_validator(mode="after")
    def in_order(self) -> "PrintedRange":
        if self.fewest > self.most:
            raise ValueError(f"fewest is {self.fewest}, more than most, {self.most}")
        return self


class Printed(Table):
    """What is printed on the box; what is not known is left out."""

    players: PrintedRange | None = None
    minutes: PrintedRange | None = None


class BoxFile(Table):
    """What all box files have."""

    title: str
    printed: Printed = Printed()


def components(box: Mapping[str, Any]) -> dict[str, Any]:
    """A box without what is printed on it: all that a game is played with."""
    return {name: table for name, table in box.items() if name != PRINTED}


def printed(box: Mapping[str, Any]) -> Printed:
    """What is printed on a box, as far as its file says so."""
    return Printed.model_validate(box.get(PRINTED, {}))


def described(spec: GameSpec, box: Mapping[str, Any]) -> list[Words]:
    """A box for people: what is printed on it, then its components."""
    promise = printed(box)
    told = (("players", promise.players), ("minutes", promise.minutes))
    rows = [(f"printed: {what}", span(found), found.provenance, found.source) for what, found in told if found]
    return [*rows, *spec.module("box").describe(box)]


def span(found: PrintedRange) -> str:
    """'5 to 10', or '2'."""
    return f"{found.fewest} to {found.most}" if found.most > found.fewest else f"{found.most}"
