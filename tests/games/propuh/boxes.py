"""Unusual boxes of Propuh, for the contract suite."""

import random
from collections.abc import Iterator
from typing import Any

LOCATIONS = ("stove", "table", "bed")


def unusual(box: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Other decks (1 to 60 cards, values 1 to 9), and sometimes other limits, goals and difficulties."""
    most = chance.choice([1, 2, 3])
    for deck in box["deck"].values():
        for suit in LOCATIONS:
            deck[suit] = {str(value): chance.randint(0, most) for value in range(1, 10) if chance.random() < 0.5}
    if chance.random() < 0.6:
        for what in ("limits", "goals"):
            for side in ("granny", "propuh"):
                box[what][side] = {location: chance.randint(0, 4) for location in LOCATIONS}
        for level in ("1", "2", "3"):
            box["difficulty"][level] |= {location: chance.randint(0, 3) for location in LOCATIONS}
        for card in box["random_difficulty"]["cards"]:
            card |= {location: chance.randint(0, 3) for location in LOCATIONS}
    return box


def extreme(box: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The largest deck, the smallest, and boards that never fill or are always full."""
    for deck in ({"1": 10, "9": 10}, {"1": 1, "5": 1, "9": 1}):
        for limit, goal in ((9, 9), (0, 1), (9, 0)):
            for name in ("public", "even"):
                box["deck"][name] |= dict.fromkeys(LOCATIONS, deck)
            for side in ("granny", "propuh"):
                box["limits"][side] = dict.fromkeys(LOCATIONS, limit)
                box["goals"][side] = dict.fromkeys(LOCATIONS, goal)
            yield box
