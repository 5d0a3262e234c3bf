"""Unusual boxes of Granny Wars, for the contract suite."""

import random
from collections.abc import Iterator
from typing import Any

POWERS = ("none", "extra_faceup", "extra_facedown", "steal", "swap_hand", "swap_tops")


def unusual(box: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Other numbers of cards and piles, zeros among the numbers, other Gold cards, small hands."""
    for deck in box["vp"].values():
        span = chance.choice([1, 2, 5])
        values = [value for value in range(-span, span + 1) if value != 0 or chance.random() < 0.5]
        copies = 40 // len(values)
        deck["cards"] = [{"value": value, "copies": chance.randint(0, copies)} for value in values]
    if chance.random() < 0.7:
        kinds = chance.randint(0, 12)
        most = chance.choice([1, 2, 3])
        box["gold"]["cards"] = [
            {
                "name": f"Gold {number}",
                "copies": chance.randint(0, most),
                "value": chance.randint(-3, 3),
                "power": chance.choice(POWERS),
            }
            for number in range(kinds)
        ]
    if chance.random() < 0.5:
        for line in box["setup"]["tables"]:
            line["piles"] = chance.randint(line["players"], 8)
            line["hand"] = chance.randint(1, line["hand"])
    return box


def extreme(box: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The largest decks with the largest numbers, decks of nothing but Gold cards, and the smallest hands."""
    numbers = [{"value": 9, "copies": 17}, {"value": -9, "copies": 17}]
    names = [f"Old Lady {number}" for number in range(12)]

    def gold(powers: tuple[str, ...], copies: int, value: int) -> list[dict[str, Any]]:
        return [
            {"name": name, "copies": copies, "value": value, "power": powers[i % len(powers)]}
            for i, name in enumerate(names)
        ]

    for cards, powers, copies, value in (
        (numbers, POWERS, 3, 0),
        ([{"value": 1, "copies": 0}], ("extra_faceup",), 6, 1),
        ([{"value": 1, "copies": 0}], ("extra_facedown", "extra_faceup"), 6, -2),
        ([{"value": 1, "copies": 0}], ("steal",), 6, 0),
        ([{"value": -1, "copies": 8}], ("swap_hand", "extra_faceup", "swap_tops"), 6, 1),
    ):
        for deck in box["vp"].values():
            deck["cards"] = cards
        box["gold"]["cards"] = gold(powers, copies, value)
        yield box
    for line in box["setup"]["tables"]:
        line["hand"] = 1
        line["piles"] = max(line["players"], 2)
    yield box
