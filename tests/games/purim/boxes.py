"""Unusual boxes of Purim, for the contract suite."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

SELECTORS = (
    "msgr", "msgr*1", "msgr*2", "msgr*3", "msgr*4", "msgr*5", "msgr_all", "msgr_adj_pair", "msgr_near", "msgr_son", "son",
    "son_nomsgr", "top", "any", "most_black",
)  # fmt: skip
MESSENGER_ABILITIES = ("none", "longer_steps", "one_more_gold", "keeps_black_out", "gold_each_round", "moves_at_night")
SON_ABILITIES = (
    "none", "black_at_home", "extra_black", "two_messengers", "runs_to_top", "less_gold", "moves_calendar",
    "black_next_door", "avenges", "takes_gold", "worse_end_effects",
)  # fmt: skip


def unusual(box: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Other cards with the whole language, equal numbers, other maps, abilities, supplies and hands."""
    sons = box["sons"]["names"]
    if chance.random() < 0.8:
        deck = [card for part in box["action_cards"].values() for card in part["cards"]]
        if chance.random() < 0.5:
            deck = invented(chance, sons, chance.randint(24, 31))
        if chance.random() < 0.7:
            for card in deck:
                card["number"] = chance.randint(1, chance.choice([1, 5, 30]))
        chance.shuffle(deck)
        split = chance.choice([0, 1, len(deck) // 2, len(deck)])
        box["action_cards"]["printed"]["cards"], box["action_cards"]["invented"]["cards"] = deck[:split], deck[split:]
    if chance.random() < 0.5:
        size = chance.randint(10, 20)
        box["map"] |= board(size, tree(chance, size, chance.randint(0, size // 2)))
    if chance.random() < 0.5:
        for cards, abilities in ((box["sons_cards"], SON_ABILITIES), (box["messengers"], MESSENGER_ABILITIES)):
            given = chance.sample(abilities[1:], len(abilities) - 1)
            for card, ability in zip(cards["cards"], given, strict=True):
                card["ability"] = ability if chance.random() < 0.8 else "none"
            chance.shuffle(cards["cards"])
    if chance.random() < 0.5:
        box["cubes"] |= {"gold": chance.choice([6, 12, 30, 60]), "black": chance.choice([11, 15, 30, 60])}
    if chance.random() < 0.4:
        for line in box["deal"]["tables"]:
            line["hands"] = chance.randint(1, 2) if line["players"] > 1 else 1
            line["hand"] = chance.randint(2, 8)
    return box


def invented(chance: random.Random, sons: list[str], size: int) -> list[dict[str, Any]]:
    """A deck from the whole language; Evil Actions move the Calendar often enough for the game to end."""
    deck = []
    for i in range(size):
        loyal, evil, end = ([operation(chance, sons) for _ in range(chance.choice([0, 1, 1, 2, 3]))] for _ in range(3))
        if i % 3 == 0:
            evil.append("calendar 1")
        deck.append(
            {
                "number": i + 1,
                "title": f"Card {i + 1}",
                "loyal": "; ".join(loyal),
                "evil": ";".join(evil),
                "end": " ; ".join(end),
            }
        )
    return deck


def operation(chance: random.Random, sons: list[str]) -> str:
    where = chance.choice([*SELECTORS, f"son:{chance.choice(sons)}"])
    few, one = chance.randint(1, 3), chance.randint(1, 2)
    return chance.choice(
        [
            f"add_gold {where} {one}", f"add_black {where} {one}", f"remove_black {where} {one}",
            f"remove_gold {where} {one}", f"move_messenger {few} {few}", f"ride_gold {one}", "sons_to_top",
            "son_to_top any", f"son_to_top {chance.choice(sons)}", "son_step any", "destroy_son msgr",
            "destroy_son msgr_gold", f"calendar {one}", f"discard_top {few}",
        ]
    )  # fmt: skip


def tree(chance: random.Random, size: int, more: int) -> list[tuple[int, int]]:
    """Borders of a connected map: a tree, and up to `more` others."""
    borders: list[tuple[int, int]] = []

    def degree(p: int) -> int:
        return sum(p in border for border in borders)

    for b in range(1, size):
        borders.append((chance.choice([a for a in range(b) if degree(a) < 6]), b))
    for _ in range(more):
        a, b = sorted(chance.sample(range(size), 2))
        if (a, b) not in borders and degree(a) < 8 and degree(b) < 8:
            borders.append((a, b))
    return borders


def board(size: int, borders: list[tuple[int, int]]) -> dict[str, Any]:
    return {
        "provinces": [{"name": f"Province {p + 1}"} for p in range(size)],
        "borders": [{"a": f"Province {a + 1}", "b": f"Province {b + 1}"} for a, b in borders],
    }


def extreme(box: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The most of everything: cards, operations, cubes, steps, distances; and the least."""
    line = [(p, p + 1) for p in range(19)]
    hubs = [(0, p) for p in range(1, 9)] + [(8, p) for p in range(9, 16)] + [(16, 1), (17, 16), (18, 17), (19, 18)]
    small = [(p, (p + 1) % 10) for p in range(10)]
    most = {"gold": 60, "black": 60}
    least = {"gold": 6, "black": 11}
    slow = ("move_messenger 5 5; add_gold msgr 1", "remove_black msgr_all 9; calendar 1", "add_black son 1")
    for size, borders, cubes, sections, cards, hands in (
        (
            20,
            line,
            most,
            ("ride_gold 3; ride_gold 3", "sons_to_top; son_to_top any; calendar 1", "add_black any 9"),
            31,
            2,
        ),
        (20, hubs, most, slow, 31, 1),
        (10, small, least, ("add_gold any 9", "add_black most_black 9; calendar 9", "calendar 1"), 17, 1),
        (20, hubs, least, ("destroy_son msgr; destroy_son msgr", "son_step any; calendar 1", ""), 31, 1),
        (
            20,
            line,
            most,
            ("remove_gold any 9", "discard_top 5; remove_black any 9; calendar 1", "discard_top 5"),
            31,
            1,
        ),
    ):
        box["map"] |= board(size, borders)
        box["cubes"] |= cubes
        loyal, evil, end = sections
        box["action_cards"]["printed"]["cards"] = []
        box["action_cards"]["invented"]["cards"] = [
            {
                "number": 999 - i,
                "title": f"Card {i}",
                "loyal": loyal,
                "evil": evil if i % 2 else "calendar 1",
                "end": end,
            }
            for i in range(cards)
        ]
        for line_ in box["deal"]["tables"]:
            line_["hands"] = min(hands, line_["players"])
            line_["hand"] = {1: 8, 2: 7, 3: 5, 4: 3}[line_["players"]] if cards == 31 else 2
        yield deepcopy(box)
