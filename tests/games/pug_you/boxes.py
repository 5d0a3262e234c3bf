"""Unusual boxes of Pug You!, for the contract suite."""

import random
from collections.abc import Iterator
from typing import Any

DECKS = ("levelled", "one_badge", "anticorrelated", "correlated", "mixed")
LEVELS = ("green", "yellow", "red", "mutt", "blue")


def unusual(box: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Other hands and other decks: small ones that run out, some in which every vote ties, some full of mutts."""
    if chance.random() < 0.7:
        for line in box["hands"]["tables"]:
            line["hand"] = chance.randint(2, 6)
    strongest = chance.choice([1, 1, 2, 5])
    kinds = [kind(chance, strongest) for _ in range(chance.randint(3, 30))]
    for name in DECKS:
        size = chance.choice([22, 30, 45, 70, 100])
        rows = [chance.choice(kinds) | {"thermometer": chance.randint(1, 3)} for _ in range(size)]
        box["deck"][name]["cards"] = with_copies(rows, chance)
    return box


def kind(chance: random.Random, strongest: int) -> dict[str, Any]:
    """A level, badges and turds; most mutts take one badge away, so that many of them may be in a deck."""
    level = chance.choice(LEVELS)
    badges = -chance.choice([1, 1, 1, 2, 3]) if level == "mutt" else chance.randint(1, 3)
    return {"level": level, "badges": badges, "turds": chance.randint(1, strongest)}


def with_copies(rows: list[dict[str, Any]], chance: random.Random) -> list[dict[str, Any]]:
    """One copy of each row, sometimes two if the blue cards are extra; mutts of 20 badges at most."""
    left = 20
    kept = []
    for row in rows:
        copies = 1 + (chance.random() < 0.1)
        if row["badges"] < 0:
            if left + copies * row["badges"] < 0:
                continue
            left += copies * row["badges"]
        kept.append(row | {"copies": 1, "copies_blue_extra": copies})
    return kept or [card("green", 1, 1, 22)]


def card(level: str, badges: int, turds: int, copies: int, extra: int = 0) -> dict[str, Any]:
    """A row of a deck."""
    return {
        "level": level,
        "badges": badges,
        "turds": turds,
        "thermometer": 1,
        "copies": copies,
        "copies_blue_extra": copies + extra,
    }


def extreme(box: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The largest decks with the most and the fewest badges, the most mutts, the strongest votes, hands that run out."""
    for hand, cards in (
        (6, [card("red", 3, 1, 114)]),
        (6, [card("blue", 1, 5, 94), card("mutt", -1, 1, 20)]),
        (2, [card("mutt", -1, 1, 20)]),
        (2, [card("mutt", -2, 1, 10), card("green", 3, 1, 2)]),
        (2, [card("yellow", 3, 5, 12)]),
        (6, [card("green", 1, 1, 30), card("red", 3, 1, 30)]),
    ):
        for line in box["hands"]["tables"]:
            line["hand"] = hand
        for name in DECKS:
            box["deck"][name]["cards"] = cards
        yield box


# What no varied sample shows (Shown.name), and why.
RARE = {"B29: a turn is skipped": "only when all hands and both piles are empty: test_clauses.py makes it happen"}
