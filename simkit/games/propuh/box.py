"""The box of Propuh: from `box.toml`, or a user's copy of it, to the tables of the rules record, and back to words."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from simkit.box_file import BoxFile, Sourced, Table
from simkit.errors import BoxError, shown
from simkit.games.propuh.options import OPTIONS
from simkit.spec import Value

LOCATIONS = ("stove", "table", "bed")
STOVE, TABLE, BED = range(3)
MAX_VALUE = 9
KINDS = len(LOCATIONS) * MAX_VALUE  # a kind of card: suit x MAX_VALUE + value - 1
MAX_CARDS = 60
MAX_DIFFICULTY_CARDS = 12
TRUMP = 10  # what a trump adds to its value (A3): more than any value
HAND = {2: 4, 1: 3}
SET_ASIDE = {2: 0, 1: 2}

RULES = np.dtype(
    [(option.name, "i1") for option in OPTIONS]
    + [
        ("players", "i1"),
        ("decision_cap", "i2"),
        ("deck_size", "i1"),
        ("cards", "i1", MAX_CARDS),  # kinds in the order of D1
        ("hand_size", "i1"),
        ("set_aside", "i1"),
        ("strength", "i1", (len(LOCATIONS), KINDS)),
        ("counters", "i4", (len(LOCATIONS), KINDS)),  # by location and pending kind: mask of the kinds that counter it
        ("limit", "i1", (2, len(LOCATIONS))),  # by side and location
        ("goal", "i1", (2, len(LOCATIONS))),
        ("next_clockwise", "i1", len(LOCATIONS)),
        ("start_tokens", "i1", len(LOCATIONS)),  # of the fixed difficulties
        ("difficulty_cards", "i1"),  # how many there are in the box
        ("difficulty_card", "i1", (MAX_DIFFICULTY_CARDS, len(LOCATIONS))),
    ],
    align=True,
)

Small = Annotated[int, Field(ge=0, le=9)]


class PerLocation(Table):
    stove: Small
    table: Small
    bed: Small


Counts = dict[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"], Annotated[int, Field(ge=0, le=MAX_CARDS)]]


class Deck(Sourced):
    stove: Counts
    table: Counts
    bed: Counts


class Decks(Table):
    public: Deck
    even: Deck


class Sides(Sourced):
    granny: PerLocation
    propuh: PerLocation


class Difficulty(Sourced):
    one: PerLocation = Field(alias="1")
    two: PerLocation = Field(alias="2")
    three: PerLocation = Field(alias="3")


class RandomDifficulty(Sourced):
    cards: Annotated[list[PerLocation], Field(min_length=1, max_length=MAX_DIFFICULTY_CARDS)]


class Box(BoxFile):
    """The shape of a box file."""

    game: Literal["propuh"]
    deck: Decks
    limits: Sides
    goals: Sides
    difficulty: Difficulty
    random_difficulty: RandomDifficulty


def kind_of(suit: int, value: int) -> int:
    return suit * MAX_VALUE + value - 1


def card_name(kind: int) -> str:
    """A kind of card in words: 'stove 2'."""
    return f"{LOCATIONS[kind // MAX_VALUE]} {kind % MAX_VALUE + 1}"


def strength(kind: int, location: int) -> int:
    """A3: the value, and 10 more for a trump."""
    return kind % MAX_VALUE + 1 + (TRUMP if kind // MAX_VALUE == location else 0)


def deck_list(deck: Mapping[str, Mapping[str, int]]) -> list[int]:
    """The kinds of a deck in the order of D1: stove 1 (all copies), stove 2, ..., bed 9."""
    return [
        kind_of(suit, value)
        for suit, name in enumerate(LOCATIONS)
        for value in range(1, MAX_VALUE + 1)
        for _ in range(deck[name].get(str(value), 0))
    ]


def pack(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Any:
    """The rules record: every option as the position of its value, and the box as tables.

    options : all options by name      box : a box file's content, of the shape `Box`
    raises  : BoxError for a deck that cannot be dealt, with the arithmetic
    """
    rules = np.zeros(1, RULES).view(np.recarray)[0]
    for option in OPTIONS:
        rules[option.name] = option.values.index(options[option.name])
    deck = deck_list(box["deck"][options["deck"]])
    where = f"deck.{options['deck']}"
    if len(deck) > MAX_CARDS:
        raise BoxError(f"{where}: {len(deck)} cards, at most {MAX_CARDS} are supported")
    needed = players * HAND[players] + SET_ASIDE[players]
    if len(deck) < needed:
        aside = f" + {SET_ASIDE[players]} set aside" if SET_ASIDE[players] else ""
        raise BoxError(
            f"{where}: {len(deck)} cards cannot be dealt to {players}: "
            f"{players} x {HAND[players]} in hand{aside} = {needed} are needed"
        )
    cards = box["random_difficulty"]["cards"]
    if options["difficulty"] == "random" and players == 1 and int(options["random_cards"]) > len(cards):
        raise BoxError(f"random_difficulty.cards: {len(cards)} cards, but random_cards = {options['random_cards']}")
    rules.players = players
    rules.decision_cap = 255
    rules.deck_size = len(deck)
    rules.cards[: len(deck)] = deck
    rules.hand_size = HAND[players]
    rules.set_aside = SET_ASIDE[players]
    ties = options["equal_strength"] == "counters"
    for location in range(len(LOCATIONS)):
        for kind in range(KINDS):
            held = strength(kind, location)
            rules.strength[location, kind] = held
            rules.counters[location, kind] = sum(
                1 << other
                for other in range(KINDS)
                if strength(other, location) > held or (ties and strength(other, location) == held)
            )
    for side, name in enumerate(("granny", "propuh")):
        rules.limit[side] = [box["limits"][name][location] for location in LOCATIONS]
        rules.goal[side] = [box["goals"][name][location] for location in LOCATIONS]
    order = (STOVE, BED, TABLE) if options["clockwise"] == "stove_bed_table" else (STOVE, TABLE, BED)
    for i, location in enumerate(order):
        rules.next_clockwise[location] = order[(i + 1) % len(order)]
    if options["difficulty"] != "random":
        rules.start_tokens = [box["difficulty"][options["difficulty"]][location] for location in LOCATIONS]
    rules.difficulty_cards = len(cards)
    for i, card in enumerate(cards):
        rules.difficulty_card[i] = [card[location] for location in LOCATIONS]
    return rules


def link_names(box: Mapping[str, Any]) -> dict[str, str]:
    """What the linked columns are about, by name."""
    return {
        "opening_stove": "stove cards in the opening hand:",
        "opening_fours": "cards of 4 and more in the opening hand:",
    }


def describe(box: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The box for people: rows of (what, numbers, provenance, source)."""

    def per_location(table: Mapping[str, Any]) -> str:
        return ", ".join(f"{name} {table[name]}" for name in LOCATIONS)

    rows = []
    for name, deck in box["deck"].items():
        suits = []
        for suit in LOCATIONS:
            counts = ", ".join(f"{count} x {value}" for value, count in sorted(deck[suit].items()) if count)
            suits.append(f"{suit} {sum(deck[suit].values())} ({counts})")
        total = sum(sum(deck[suit].values()) for suit in LOCATIONS)
        rows.append(
            (f"deck {shown(name)}", f"{total} cards: {'; '.join(suits)}", deck["provenance"], deck.get("source", ""))
        )
    for what in ("limits", "goals"):
        table = box[what]
        numbers = "; ".join(f"{side.capitalize()}: {per_location(table[side])}" for side in ("granny", "propuh"))
        rows.append((f"token {what}", numbers, table["provenance"], table.get("source", "")))
    table = box["difficulty"]
    numbers = "; ".join(f"{level}: {per_location(table[level])}" for level in ("1", "2", "3"))
    rows.append(("solo difficulties", numbers, table["provenance"], table.get("source", "")))
    table = box["random_difficulty"]
    numbers = "; ".join(f"card {i + 1}: {per_location(card)}" for i, card in enumerate(table["cards"]))
    rows.append(("random difficulty cards", numbers, table["provenance"], table.get("source", "")))
    return rows
