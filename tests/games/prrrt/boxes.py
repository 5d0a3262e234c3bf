"""Unusual boxes of PRRRT..., for the contract suite."""

import random
from collections.abc import Iterator
from typing import Any

CONTEXTS = ("home", "work", "travel", "public", "couple")


def unusual(box: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Other Smell decks (values 0 to 9, some rich in zeros or in fives), and sometimes other Shame and Location decks."""
    for deck in box["smell_deck"].values():
        deck["cards"] = smell(chance)
    if chance.random() < 0.7:
        for deck in box["shame_deck"].values():
            size = chance.choice([15, 25, 50, 90])
            deck["cards"] = [{"value": chance.randint(1, 4), "copies": 1} for _ in range(size)]
        box["indicator"]["from_bottom"] = chance.randint(1, 15)
    if chance.random() < 0.7:
        for deck in box["location_deck"].values():
            contexts = [*CONTEXTS, *(chance.choice(CONTEXTS) for _ in range(chance.randint(0, 5)))]
            deck["cards"] = [
                location(context, chance.randint(0, 5), chance.randint(0, 5), chance) for context in contexts
            ]
    return box


def smell(chance: random.Random) -> list[dict[str, int]]:
    """A deck of 15 to 60 cards."""
    size = chance.randint(15, 60)
    rich = chance.choice([None, 0, 0, 5])
    values = [chance.randint(0, 9) if rich is None or chance.random() < 0.4 else rich for _ in range(size)]
    return [{"value": value, "copies": values.count(value)} for value in range(10)]


def location(context: str, up: int, down: int, chance: random.Random | None = None) -> dict[str, Any]:
    direction = chance.choice(["left", "right"]) if chance else "left"
    return {"context": context, "place": "somewhere", "direction": direction, "up": up, "down": down}


def extreme(box: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Decks of one value or of two, the largest piles and the smallest, the longest games, full centres and empty ones."""
    longest = ["home"] * 6 + list(CONTEXTS[1:])
    for smells, shames, from_bottom, contexts, up, down in (
        ({5: 60}, {15: 20, 5: 20}, 1, longest, 5, 5),
        ({9: 60}, {4: 92, 8: 4}, 1, longest, 1, 0),
        ({0: 60}, {1: 1}, 1, CONTEXTS, 0, 0),
        ({3: 30, 6: 30}, {1: 48, 2: 48}, 13, longest, 0, 1),
    ):
        for name in ("inverse_0_7", "literal_1_8", "shifted_0_7"):
            box["smell_deck"][name]["cards"] = as_list(smells)
        for name in ("flat", "decreasing", "eight_by_eight"):
            box["shame_deck"][name]["cards"] = as_list(shames)
        for name in ("placeholder", "fixed_2_1", "varied"):
            box["location_deck"][name]["cards"] = [location(context, up, down) for context in contexts]
        box["indicator"]["from_bottom"] = from_bottom
        yield box


def as_list(copies: dict[int, int]) -> list[dict[str, int]]:
    return [{"value": value, "copies": count} for value, count in copies.items()]
