"""The box of Granny Wars: from `box.toml`, or a user's copy of it, to the tables of the rules record, and back to words."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from simkit.box_file import BoxFile, Sourced, Table
from simkit.errors import BoxError
from simkit.exchanges import NOTHING, Exchanges, exchanged_kinds, told_exchanges, with_exchanges
from simkit.games.granny_wars.options import OPTIONS
from simkit.spec import Value

MAX_VALUE = 9
NUMBERED = 2 * MAX_VALUE + 1  # kinds of numbered cards: number + MAX_VALUE
MAX_GOLD = 12
KINDS = NUMBERED + MAX_GOLD  # a Gold card's kind: NUMBERED + its place in the box
MAX_CARDS = 80
MAX_SCORE = 160  # no pile can be worth more, up or down
MAX_SEATS = 8
MAX_PILES = 8
MAX_HAND = 15
NONE, EXTRA_FACEUP, EXTRA_FACEDOWN, STEAL, SWAP_HAND, SWAP_TOPS = range(6)
POWERS = ("none", "extra_faceup", "extra_facedown", "steal", "swap_hand", "swap_tops")
MAX_NAME = 80  # bytes
LEAN_WEIGHTS = 28  # RULES.md C, spoiler: W(0) to W(27)

RULES = np.dtype(
    [(option.name, "i1") for option in OPTIONS]
    + [
        ("players", "i1"),
        ("decision_cap", "i2"),
        ("piles", "i1"),
        ("hand_size", "i1"),
        ("deck_size", "i1"),
        ("cards", "i1", MAX_CARDS),  # kinds in the order of D1
        ("value", "i1", KINDS),  # as played: 0 for all Gold cards under gold_set = valueless
        ("power", "i1", KINDS),  # as played: NONE under gold_powers = off
        ("weight", "i4", LEAN_WEIGHTS + 1),  # the last is 0, for every greater distance
        ("gold_name", "u1", (MAX_GOLD, MAX_NAME)),  # UTF-8, for the story
    ],
    align=True,
)

Number = Annotated[int, Field(ge=-MAX_VALUE, le=MAX_VALUE)]
Copies = Annotated[int, Field(ge=0, le=MAX_CARDS)]


class NumberedCard(Table):
    value: Number
    copies: Copies


class GoldCard(Table):
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME // 4)]
    copies: Copies
    value: Number
    power: Literal["none", "extra_faceup", "extra_facedown", "steal", "swap_hand", "swap_tops"]


class NumberedCards(Sourced):
    cards: Annotated[list[NumberedCard], Field(min_length=1, max_length=NUMBERED)]

    @model_validator(mode="after")
    def each_once(self) -> "NumberedCards":
        values = [card.value for card in self.cards]
        twice = [value for value in values if values.count(value) > 1]
        if twice:
            raise ValueError(f"value {twice[0]} is listed twice")
        return self


class Decks(Table):
    flat: NumberedCards
    triangular: NumberedCards


class Gold(Sourced):
    cards: Annotated[list[GoldCard], Field(max_length=MAX_GOLD)]

    @model_validator(mode="after")
    def each_once(self) -> "Gold":
        names = [card.name for card in self.cards]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"{twice[0]} is listed twice")
        return self


class Setup(Table):
    players: Annotated[int, Field(ge=2, le=MAX_SEATS)]
    piles: Annotated[int, Field(ge=2, le=MAX_PILES)]
    hand: Annotated[int, Field(ge=1, le=MAX_HAND)]


class Setups(Sourced):
    tables: Annotated[list[Setup], Field(min_length=1, max_length=MAX_SEATS)]


class Box(BoxFile):
    """The shape of a box file."""

    game: Literal["granny_wars"]
    setup: Setups
    vp: Decks
    gold: Gold
    exchange: Exchanges


def signed(number: int) -> str:
    """+3, -2, 0."""
    return f"{number:+d}" if number else "0"


def card_name(rules: Any, kind: int) -> str:
    """A kind of card in words: '+3', 'New Hip (+2)'."""
    number = signed(int(rules.value[kind]))
    if kind < NUMBERED:
        return number
    name = bytes(rules.gold_name[kind - NUMBERED].tolist()).rstrip(b"\0").decode()
    return f"{name} ({number})"


def card_names(box: Mapping[str, Any]) -> list[str]:
    """The kinds of cards by number: E4 of RULES.md."""
    return [signed(kind - MAX_VALUE) for kind in range(NUMBERED)] + [card["name"] for card in box["gold"]["cards"]]


def exchanged(box: Mapping[str, Any], swaps: Mapping[str, str]) -> dict[str, Any]:
    """The box with kinds of cards replaced by others (B28). Nothing is a card that is worth 0 and has no power."""
    return with_exchanges(box, {card: "0" if by == NOTHING else by for card, by in swaps.items()}, card_names(box))


def ordinary(options: Mapping[str, Value], box: Mapping[str, Any]) -> str:
    """The plainest kind in the deck: the numbered card nearest to 0, of two as near the one above it."""
    counts = card_counts(options, box)
    return signed(
        min((kind - MAX_VALUE for kind in range(NUMBERED) if counts[kind]), key=lambda v: (abs(v), -v), default=0)
    )


def card_counts(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """Copies of each kind in the deck that is played."""
    deck = deck_list(options, box)
    return [deck.count(kind) for kind in range(NUMBERED + len(box["gold"]["cards"]))]


def deck_list(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """The kinds of all cards of the deck that is played, as they are laid out (B28, D1)."""
    becomes = exchanged_kinds(box, card_names(box))
    counts = printed_counts(options, box)
    return [becomes.get(kind, kind) for kind, count in enumerate(counts) for _ in range(count)]


def printed_counts(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """Copies of each kind before any is exchanged."""
    counts = [0] * KINDS
    for card in box["vp"][options["vp_distribution"]]["cards"]:
        counts[card["value"] + MAX_VALUE] = card["copies"]
    if options["gold_set"] != "none":
        for i, card in enumerate(box["gold"]["cards"]):
            counts[NUMBERED + i] = card["copies"]
    return counts


def setup_for(box: Mapping[str, Any], players: int) -> Mapping[str, int]:
    """The line of the setup table for a player count. Raises BoxError when there is none or it is given twice."""
    found: list[Mapping[str, int]] = [line for line in box["setup"]["tables"] if line["players"] == players]
    if len(found) != 1:
        raise BoxError(f"setup.tables: {'no line' if not found else 'more than one line'} for {players} players")
    return found[0]


def pack(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Any:
    """The rules record: every option as the position of its value, and the box as tables.

    options : all options by name      box : a box file's content, of the shape `Box`
    raises  : BoxError for a box that cannot be dealt to that many or is too large, with the arithmetic
    """
    rules = np.zeros(1, RULES).view(np.recarray)[0]
    for option in OPTIONS:
        rules[option.name] = option.values.index(options[option.name])
    setup = setup_for(box, players)
    piles, hand = setup["piles"], setup["hand"]
    if piles < players:
        raise BoxError(f"setup.tables: {piles} piles cannot be owned by {players} players, one each")
    cards = deck_list(options, box)
    size = len(cards)
    deck = f"vp.{options['vp_distribution']}" + ("" if options["gold_set"] == "none" else " and gold")
    if size > MAX_CARDS:
        raise BoxError(f"{deck}: {size} cards, at most {MAX_CARDS} are supported")
    if size < players * hand:
        raise BoxError(
            f"{deck}: {size} cards cannot be dealt to {players}: {players} x {hand} in hand = {players * hand} are needed"
        )
    values = [kind - MAX_VALUE for kind in range(NUMBERED)] + [0] * MAX_GOLD
    powers = [NONE] * KINDS
    for i, card in enumerate(box["gold"]["cards"]):
        values[NUMBERED + i] = 0 if options["gold_set"] == "valueless" else card["value"]
        powers[NUMBERED + i] = POWERS.index(card["power"]) if options["gold_powers"] == "on" else NONE
    for sign in (1, -1):
        total = sum(max(0, sign * values[kind]) for kind in cards)
        if total > MAX_SCORE:
            raise BoxError(f"{deck}: the numbers with one sign add up to {total}, at most {MAX_SCORE} is supported")
    rules.players = players
    rules.decision_cap = 400
    rules.piles = piles
    rules.hand_size = hand
    rules.deck_size = size
    rules.cards[:size] = cards
    for i, card in enumerate(box["gold"]["cards"]):
        name = card["name"].encode()
        rules.gold_name[i, : len(name)] = list(name)
    rules.value[:] = values
    rules.power[:] = powers
    rules.weight[:LEAN_WEIGHTS] = WEIGHTS
    return rules


# RULES.md C, spoiler: floor of 2^20 exp(-d / 2)
WEIGHTS = (
    1048576, 635993, 385749, 233968, 141909, 86072, 52205, 31664, 19205, 11648, 7065, 4285, 2599, 1576,
    956, 579, 351, 213, 129, 78, 47, 28, 17, 10, 6, 3, 2, 1,
)  # fmt: skip


def link_names(box: Mapping[str, Any]) -> dict[str, str]:
    """What the linked columns are about, by name."""
    return {"opening_gold": "Gold cards dealt:"}


def describe(box: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The box for people: rows of (what, numbers, provenance, source)."""
    rows = []
    table = box["setup"]
    lines = "; ".join(
        f"{line['players']} players: {line['piles']} piles, {line['hand']} cards" for line in table["tables"]
    )
    rows.append(("piles and hands", lines, table["provenance"], table.get("source", "")))
    for name, deck in box["vp"].items():
        total = sum(card["copies"] for card in deck["cards"])
        counts = ", ".join(f"{card['copies']} x {signed(card['value'])}" for card in deck["cards"] if card["copies"])
        rows.append(
            (f"numbered cards '{name}'", f"{total} cards: {counts}", deck["provenance"], deck.get("source", ""))
        )
    table = box["gold"]
    total = sum(card["copies"] for card in table["cards"])
    cards = ", ".join(
        f"{card['copies']} x {card['name']} ({signed(card['value'])}, {card['power'].replace('_', ' ')})"
        for card in table["cards"]
    )
    rows.append(
        ("Gold cards", f"{total} cards{': ' if cards else ''}{cards}", table["provenance"], table.get("source", ""))
    )
    return rows + told_exchanges(box)
