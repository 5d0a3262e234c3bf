"""Kinds of cards of a box that stand in for others: each keeps the place of the one it replaces."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from simkit.box_file import Table
from simkit.errors import BoxError, shown, unknown
from simkit.spec import CARD_KINDS

NOTHING = "nothing"  # what a card is exchanged for that is to do nothing at all


class Exchange(Table):
    """All cards of a kind replaced by those of another kind, each in its place of the deck before the shuffle."""

    card: str
    by: str


Exchanges = Annotated[list[Exchange], Field(max_length=CARD_KINDS, default_factory=list)]


def with_exchanges(box: Mapping[str, Any], swaps: Mapping[str, str], names: Sequence[str]) -> dict[str, Any]:
    """A box with more kinds of cards exchanged. Raises BoxError for names that are not kinds of its cards."""
    added = [{"card": card, "by": by} for card, by in swaps.items()]
    changed = {**box, "exchange": [*box.get("exchange", ()), *added]}
    exchanged_kinds(changed, names)
    return changed


def exchanged_kinds(box: Mapping[str, Any], names: Sequence[str]) -> dict[int, int]:
    """Which kind of card stands in for which, by their places in `names`. All are exchanged at once, not one after another.

    raises : BoxError for a kind that the box does not have, or that is exchanged twice
    """
    found: dict[int, int] = {}
    for entry in box.get("exchange", ()):
        for key in ("card", "by"):
            if entry[key] not in names:
                raise BoxError(unknown(f"exchange: {key}", entry[key], names))
        kind = names.index(entry["card"])
        if kind in found:
            raise BoxError(f"exchange: {shown(entry['card'])} is exchanged twice")
        found[kind] = names.index(entry["by"])
    return found


def told_exchanges(box: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The exchanges for people, as a row of a game's `describe`; none if there are none."""
    told = ", ".join(f"{entry['card']} by {entry['by']}" for entry in box.get("exchange", ()))
    return [("exchanged cards", told, "assumed", "exchange of this box")] if told else []
