"""The box of PRRRT...: from `box.toml`, or a user's copy of it, to the tables of the rules record, and back to words."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from simkit.box_file import BoxFile, Sourced, Table
from simkit.errors import BoxError, listed, shown
from simkit.exchanges import Exchanges, exchanged_kinds, told_exchanges, with_exchanges
from simkit.games.prrrt.options import OPTIONS
from simkit.spec import Value

CONTEXTS = ("home", "work", "travel", "public", "couple")
DIRECTIONS = ("left", "right")
HAND = 5
TOURS = 3
MAX_SEATS = 7
SMELLS = 10  # Smell values are 0 to 9
SHAMES = 16  # Shame values are 1 to 15
MAX_SMELL_CARDS = 60
MAX_SHAME_CARDS = 96
MAX_SHAME_POINTS = 400
MAX_LOCATIONS = 10

SUM_SHIFT, SUM_BITS, NUMBER_SHIFT = 40, 10, 50  # where a word of Smell cards keeps its sum and its number, see state.py

RULES = np.dtype(
    [(option.name, "i1") for option in OPTIONS]
    + [
        ("players", "i1"),
        ("decision_cap", "i2"),
        ("own_up_percent", "i1"),  # own_up_probability, as the number it stands for
        ("smell_size", "i1"),
        ("smell", "i8", MAX_SMELL_CARDS),  # the words of the cards in the order of D4
        ("smell_copies", "i1", SMELLS),
        ("smell_sum", "i2"),
        ("shame_size", "i1"),
        ("shame", "i1", MAX_SHAME_CARDS),  # values in the order of D1
        ("shame_copies", "i1", SHAMES),
        ("shame_points", "i2"),  # of the whole deck
        ("sideways", "i1"),  # which Shame card to be drawn is the sideways one, from 1 (B24); 0 with indicator=off
        ("locations", "i1"),
        ("context", "i1", MAX_LOCATIONS),  # position in CONTEXTS
        ("direction", "i1", MAX_LOCATIONS),  # position in DIRECTIONS
        ("step", "i1", MAX_LOCATIONS),  # to add to a seat, modulo players, to come to the next one in this direction
        ("face_up", "i1", MAX_LOCATIONS),
        ("face_down", "i1", MAX_LOCATIONS),
    ],
    align=True,
)

# More than any playout needs: ten rounds, seven seats, three questions with at most 14 decisions, and an accusation.
DECISION_CAP = 3100


class SmellCard(Table):
    value: Annotated[int, Field(ge=0, lt=SMELLS)]
    copies: Annotated[int, Field(ge=0, le=MAX_SMELL_CARDS)]


class SmellDeck(Sourced):
    cards: Annotated[list[SmellCard], Field(min_length=1, max_length=MAX_SMELL_CARDS)]


class SmellDecks(Table):
    inverse_0_7: SmellDeck
    literal_1_8: SmellDeck
    shifted_0_7: SmellDeck


class ShameCard(Table):
    value: Annotated[int, Field(ge=1, lt=SHAMES)]
    copies: Annotated[int, Field(ge=0, le=MAX_SHAME_CARDS)]


class ShameDeck(Sourced):
    cards: Annotated[list[ShameCard], Field(min_length=1, max_length=MAX_SHAME_CARDS)]


class ShameDecks(Table):
    flat: ShameDeck
    decreasing: ShameDeck
    eight_by_eight: ShameDeck


class Location(Table):
    context: Literal["home", "work", "travel", "public", "couple"]
    place: str
    direction: Literal["left", "right"]
    up: Annotated[int, Field(ge=0, le=5)]
    down: Annotated[int, Field(ge=0, le=5)]


class LocationDeck(Sourced):
    cards: Annotated[list[Location], Field(min_length=1, max_length=MAX_LOCATIONS)]


class LocationDecks(Table):
    placeholder: LocationDeck
    fixed_2_1: LocationDeck
    varied: LocationDeck


class Indicator(Sourced):
    from_bottom: Annotated[int, Field(ge=1, le=MAX_SHAME_CARDS)]


class Box(BoxFile):
    """The shape of a box file."""

    game: Literal["prrrt"]
    smell_deck: SmellDecks
    shame_deck: ShameDecks
    location_deck: LocationDecks
    indicator: Indicator
    exchange: Exchanges


def copies_of(cards: Sequence[Mapping[str, int]]) -> dict[int, int]:
    """How many copies of each value a deck has, by ascending value; a value listed twice is added up."""
    counts: dict[int, int] = {}
    for card in sorted(cards, key=lambda card: card["value"]):
        counts[card["value"]] = counts.get(card["value"], 0) + card["copies"]
    return counts


def deck_list(cards: Sequence[Mapping[str, int]]) -> list[int]:
    """The values of a deck in ascending order, all copies (D1, D4)."""
    return [value for value, copies in copies_of(cards).items() for _ in range(copies)]


def card_word(value: int) -> int:
    """A Smell card as a number that can be added to others: one of its value, its value, one card (state.py)."""
    return (1 << 4 * value) + (value << SUM_SHIFT) + (1 << NUMBER_SHIFT)


def pack(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Any:
    """The rules record: every option as the position of its value, and the box as tables.

    options : all options by name      box : a box file's content, of the shape `Box`
    raises  : BoxError for a box that cannot be dealt to that many, with the arithmetic (B21)
    """
    rules = np.zeros(1, RULES).view(np.recarray)[0]
    for option in OPTIONS:
        rules[option.name] = option.values.index(options[option.name])
    rules.players = players
    rules.decision_cap = DECISION_CAP
    rules.own_up_percent = options["own_up_probability"]
    pack_smell(rules, smell_list(options, box), f"smell_deck.{options['smell_deck']}", players)
    pack_shame(rules, box["shame_deck"][options["shame_deck"]]["cards"], f"shame_deck.{options['shame_deck']}")
    if options["indicator"] == "on":
        rules.sideways = sideways_draw(rules.shame_size, box["indicator"]["from_bottom"], options["shame_deck"])
    cards = box["location_deck"][options["location_deck"]]["cards"]
    pack_locations(rules, cards, f"location_deck.{options['location_deck']}", players)
    return rules


def smell_list(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """The values of the Smell deck that is played, as they are laid out (B34, D4)."""
    becomes = exchanged_kinds(box, card_names(box))
    return [becomes.get(value, value) for value in deck_list(box["smell_deck"][options["smell_deck"]]["cards"])]


def pack_smell(rules: Any, deck: Sequence[int], where: str, players: int) -> None:
    if len(deck) > MAX_SMELL_CARDS:
        raise BoxError(f"{where}: {len(deck)} cards, at most {MAX_SMELL_CARDS} are supported")
    if len(deck) < HAND * players:
        raise BoxError(
            f"{where}: {len(deck)} cards cannot be dealt to {players}: {players} x {HAND} = {HAND * players} are needed"
        )
    rules.smell_size = len(deck)
    rules.smell[: len(deck)] = [card_word(value) for value in deck]
    rules.smell_copies = [deck.count(value) for value in range(SMELLS)]
    rules.smell_sum = sum(deck)


def pack_shame(rules: Any, cards: Sequence[Mapping[str, int]], where: str) -> None:
    deck = deck_list(cards)
    if not deck:
        raise BoxError(f"{where}: no cards; at least one is needed")
    if len(deck) > MAX_SHAME_CARDS:
        raise BoxError(f"{where}: {len(deck)} cards, at most {MAX_SHAME_CARDS} are supported")
    if sum(deck) > MAX_SHAME_POINTS:
        raise BoxError(f"{where}: {sum(deck)} points on {len(deck)} cards, at most {MAX_SHAME_POINTS} are supported")
    rules.shame_size = len(deck)
    rules.shame[: len(deck)] = deck
    rules.shame_copies = [deck.count(value) for value in range(SHAMES)]
    rules.shame_points = sum(deck)


def sideways_draw(cards: int, from_bottom: int, deck: Value) -> int:
    """Which card to be drawn, from 1, is the sideways one (B24)."""
    if cards < from_bottom:
        raise BoxError(
            f"shame_deck.{deck}: {cards} cards, but the sideways card is number {from_bottom} from the bottom "
            f"(indicator.from_bottom): at least {from_bottom} cards are needed, or indicator=off"
        )
    return cards - from_bottom + 1


def pack_locations(rules: Any, cards: Sequence[Mapping[str, Any]], where: str, players: int) -> None:
    missing = [context for context in CONTEXTS if all(card["context"] != context for card in cards)]
    if missing:
        raise BoxError(
            f"{where}: {len(cards)} cards show {len(CONTEXTS) - len(missing)} of {len(CONTEXTS)} contexts, none shows "
            f"{listed(missing)}; the game could not end"
        )
    rules.locations = len(cards)
    for i, card in enumerate(cards):
        rules.context[i] = CONTEXTS.index(card["context"])
        rules.direction[i] = DIRECTIONS.index(card["direction"])
        rules.step[i] = 1 if card["direction"] == "left" else players - 1
        rules.face_up[i] = card["up"]
        rules.face_down[i] = card["down"]


def card_names(box: Mapping[str, Any]) -> list[str]:
    """The kinds of cards whose part in the outcome is counted (E4), by bit number: the Smell values."""
    return [f"smell {value}" for value in range(SMELLS)]


def card_counts(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """Copies of each kind of card in the Smell deck that is played."""
    deck = smell_list(options, box)
    return [deck.count(value) for value in range(SMELLS)]


def exchanged(box: Mapping[str, Any], swaps: Mapping[str, str]) -> dict[str, Any]:
    """The box with kinds of Smell cards replaced by others (B34). There is no Smell card that does nothing."""
    return with_exchanges(box, swaps, card_names(box))


def ordinary(options: Mapping[str, Value], box: Mapping[str, Any]) -> str:
    """The Smell card in the middle of the deck that is played, by value; of two the lower one."""
    deck = sorted(smell_list(options, box))
    return card_names(box)[deck[(len(deck) - 1) // 2]]


def describe(box: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The box for people: rows of (what, numbers, provenance, source)."""
    rows = []
    for what in ("smell_deck", "shame_deck"):
        for name, deck in box[what].items():
            counts = copies_of(deck["cards"])
            total, points = sum(counts.values()), sum(value * copies for value, copies in counts.items())
            words = ", ".join(f"{copies} x {value}" for value, copies in counts.items() if copies)
            numbers = f"{total} cards, {points} points: {words}"
            rows.append(
                (f"{what.replace('_', ' ')} {shown(name)}", numbers, deck["provenance"], deck.get("source", ""))
            )
    for name, deck in box["location_deck"].items():
        cards = "; ".join(
            f"{card['context']} ({card['place']}) {card['direction']}, {card['up']} up {card['down']} down"
            for card in deck["cards"]
        )
        numbers = f"{len(deck['cards'])} cards: {cards}"
        rows.append((f"location deck {shown(name)}", numbers, deck["provenance"], deck.get("source", "")))
    sideways = box["indicator"]
    numbers = f"card {sideways['from_bottom']} from the bottom of the Shame deck"
    rows.append(("sideways Shame card", numbers, sideways["provenance"], sideways.get("source", "")))
    return rows + told_exchanges(box)
