"""The box of Pug You!: from `box.toml`, or a user's copy of it, to the tables of the rules record, and back to words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from simkit.box_file import BoxFile, Sourced, Table
from simkit.errors import BoxError, shown
from simkit.exchanges import Exchanges, exchanged_kinds, told_exchanges, with_exchanges
from simkit.games.pug_you.options import OPTIONS
from simkit.spec import Value

LEVELS = ("green", "yellow", "red", "mutt", "blue")
DECKS = ("levelled", "one_badge", "anticorrelated", "correlated", "mixed")
LEFT_OUT = {"all": (), "no_red": ("red",), "savage": ("green", "mutt"), "strangers": ()}  # B11, by level
FULL = 3  # the thermometer that `strangers` leaves out
MAX_SEATS = 10
MIN_HAND, MAX_HAND = 2, 6
MAX_CARDS = 114
MAX_BADGES = 3
MAX_TURDS = 5
MAX_MUTT_BADGES = 20  # all mutts of a deck together
MAX_KINDS = 31
PLACES = 128  # a card's number is PLACES x level + place (B23)
TURNS_EACH = 2
CHARM_WEIGHTS = 192  # D6: W(0) to W(191)

RULES = np.dtype(
    [(option.name, "i1") for option in OPTIONS]
    + [
        ("players", "i1"),
        ("decision_cap", "i2"),
        ("hand_size", "i1"),
        ("deck_size", "i1"),
        ("deck_shortfall", "i1"),  # B31
        ("limit", "i1"),  # badge_limit, as the number it stands for
        ("reputation", "i1"),  # twice the number that reputation_sd stands for (D4: u)
        ("perception", "i1"),  # likewise (D4: v)
        ("charm", "i1"),  # twice the persuasion (D6: w)
        # the cards that are played, in the order of their numbers (D1)
        ("number", "i2", MAX_CARDS),
        ("level", "i1", MAX_CARDS),  # position in LEVELS
        ("place", "i1", MAX_CARDS),  # within the level, from 0
        ("badges", "i1", MAX_CARDS),
        ("turds", "i1", MAX_CARDS),
        ("kind", "i1", MAX_CARDS),  # bit number (E4)
        ("charm_weight", "i4", CHARM_WEIGHTS),  # D6: W
    ],
    align=True,
)

# More than any playout needs: 114 turns of 31 decisions.
DECISION_CAP = 4000

Copies = Annotated[int, Field(ge=0, le=MAX_CARDS)]


class PugCard(Table):
    level: Literal["green", "yellow", "red", "mutt", "blue"]
    badges: Annotated[int, Field(ge=-MAX_BADGES, le=MAX_BADGES)]
    turds: Annotated[int, Field(ge=1, le=MAX_TURDS)]
    thermometer: Annotated[int, Field(ge=1, le=FULL)]
    copies: Copies
    copies_blue_extra: Copies

    @model_validator(mode="after")
    def mutts_take_badges_away(self) -> "PugCard":
        if self.badges == 0 or (self.badges < 0) != (self.level == "mutt"):
            raise ValueError(
                f"a {self.level} card with {count(self.badges, 'badge')}; mutts have -{MAX_BADGES} to -1, all others 1 to "
                f"{MAX_BADGES}"
            )
        return self


class Deck(Sourced):
    cards: Annotated[list[PugCard], Field(min_length=1, max_length=2 * MAX_CARDS)]


class Decks(Table):
    levelled: Deck
    one_badge: Deck
    anticorrelated: Deck
    correlated: Deck
    mixed: Deck


class HandSize(Table):
    players: Annotated[int, Field(ge=5, le=MAX_SEATS)]
    hand: Annotated[int, Field(ge=MIN_HAND, le=MAX_HAND)]


class Hands(Sourced):
    tables: Annotated[list[HandSize], Field(min_length=1, max_length=MAX_SEATS)]


class Box(BoxFile):
    """The shape of a box file."""

    game: Literal["pug_you"]
    hands: Hands
    deck: Decks
    exchange: Exchanges


Row = Mapping[str, Any]
Kind = tuple[int, int, int]  # level, badges, turds


def count(number: int, thing: str) -> str:
    """'1 badge', '-2 badges'."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def kind_of(row: Row) -> Kind:
    return LEVELS.index(row["level"]), row["badges"], row["turds"]


def kinds_in(box: Mapping[str, Any]) -> list[Kind]:
    """All kinds of cards of the box, in the order of their bits (B23, E4)."""
    rows = (row for name in DECKS for row in box["deck"][name]["cards"])
    return sorted({kind_of(row) for row in rows if row["copies"] or row["copies_blue_extra"]})


def card_names(box: Mapping[str, Any]) -> list[str]:
    """The kinds of cards whose part in the outcome is counted (E4), by bit number."""
    return [f"{LEVELS[kind[0]]}, {count(kind[1], 'badge')}, {count(kind[2], 'turd')}" for kind in kinds_in(box)]


def numbered(rows: Sequence[Row], copies: str) -> Iterator[tuple[int, Row]]:
    """Every card of a deck with its number, by number (B23). `copies` : which column says how many there are."""
    for level, name in enumerate(LEVELS):
        cards = [row for row in rows if row["level"] == name for _ in range(row[copies])]
        for place, row in enumerate(cards):
            yield PLACES * level + place, row


def is_played(row: Row, options: Mapping[str, Value]) -> bool:
    """Whether the cards of a row stay in the deck (B11, B12)."""
    if row["level"] in LEFT_OUT[str(options["deck_filter"])] or (row["level"] == "mutt" and options["mutts"] == "out"):
        return False
    return options["deck_filter"] != "strangers" or row["thermometer"] < FULL


def played_cards(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[tuple[int, Kind]]:
    """Every card that is played, with its number and kind, by number (B11, B12, B32)."""
    copies = "copies" if options["blue_in_108"] else "copies_blue_extra"
    kinds = kinds_in(box)
    becomes = exchanged_kinds(box, card_names(box))
    cards = []
    for number, row in numbered(box["deck"][options["deck"]]["cards"], copies):
        if is_played(row, options):
            kind = kinds.index(kind_of(row))
            cards.append((number, kinds[becomes.get(kind, kind)]))
    return cards


def card_counts(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """Copies of each kind among the cards that are played."""
    deck = [kind for _, kind in played_cards(options, box)]
    return [deck.count(kind) for kind in kinds_in(box)]


def exchanged(box: Mapping[str, Any], swaps: Mapping[str, str]) -> dict[str, Any]:
    """The box with kinds of cards replaced by others (B32). There is no card that does nothing."""
    return with_exchanges(box, swaps, card_names(box))


def ordinary(options: Mapping[str, Value], box: Mapping[str, Any]) -> str:
    """The kind of which most cards are played; of several the first in the order of kinds."""
    counts = card_counts(options, box)
    return card_names(box)[counts.index(max(counts))]


def pack(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Any:
    """The rules record: every option as the position of its value, and the box as tables.

    options : all options by name      box : a box file's content, of the shape `Box`
    raises  : BoxError for a box that cannot be dealt to that many or is too large, with the arithmetic (B24)
    """
    rules = np.zeros(1, RULES).view(np.recarray)[0]
    for option in OPTIONS:
        rules[option.name] = option.values.index(options[option.name])
    rules.players = players
    rules.decision_cap = DECISION_CAP
    rules.limit = options["badge_limit"]
    rules.reputation = twice(options["reputation_sd"])
    rules.perception = twice(options["perception_sd"])
    rules.charm = twice(options["persuasion"])
    rules.charm_weight = charm_weights()
    rules.hand_size = hand_for(box, players)
    kinds = kinds_in(box)
    if len(kinds) > MAX_KINDS:
        raise BoxError(
            f"deck: {len(kinds)} kinds of cards (level, badges and turds) in all decks together, "
            f"at most {MAX_KINDS} are supported"
        )
    pack_deck(rules, options, box, kinds)
    return rules


def twice(words: Value) -> int:
    """An option's '0', '0.5' or '1', doubled."""
    return {"0": 0, "0.5": 1, "1": 2}[str(words)]


def charm_weights() -> list[int]:
    """D6: 2^20 exp(-d / 16) from whole numbers alone, for d = 0, 1, ..."""
    weights, exact = [], 2**40
    for _ in range(CHARM_WEIGHTS):
        weights.append(exact // 2**20)
        exact = exact * 939413 // 1000000
    return weights


def hand_for(box: Mapping[str, Any], players: int) -> int:
    """The hand size for a player count. Raises BoxError when there is none or it is given twice."""
    found = [line["hand"] for line in box["hands"]["tables"] if line["players"] == players]
    if len(found) != 1:
        raise BoxError(f"hands.tables: {'no line' if not found else 'more than one line'} for {players} players")
    return int(found[0])


def pack_deck(rules: Any, options: Mapping[str, Value], box: Mapping[str, Any], kinds: Sequence[Kind]) -> None:
    name = options["deck"]
    where = f"deck.{name}"
    every = list(numbered(box["deck"][name]["cards"], "copies" if options["blue_in_108"] else "copies_blue_extra"))
    if len(every) > MAX_CARDS:
        raise BoxError(f"{where}: {len(every)} cards, at most {MAX_CARDS} are supported")
    deck = played_cards(options, box)
    taken_away = -sum(min(0, badges) for _, (_, badges, _) in deck)
    if taken_away > MAX_MUTT_BADGES:
        raise BoxError(f"{where}: the mutts take away {taken_away} badges, at most {MAX_MUTT_BADGES} are supported")
    players, hand, size = int(rules.players), int(rules.hand_size), len(deck)
    if size < players * hand:
        left_out = f" of which {size} are played" if size < len(every) else ""
        raise BoxError(
            f"{where}: {count(len(every), 'card')}{left_out} cannot be dealt to {players}: "
            f"{players} x {hand} = {players * hand} are needed"
        )
    rules.deck_size = size
    rules.deck_shortfall = max(0, players * (hand + 2 * TURNS_EACH) - size)
    for i, (number, kind) in enumerate(deck):
        rules.number[i] = number
        rules.level[i], rules.place[i] = divmod(number, PLACES)
        rules.badges[i], rules.turds[i] = kind[1:]
        rules.kind[i] = kinds.index(kind)


def link_names(box: Mapping[str, Any]) -> dict[str, str]:
    """What the linked columns are about, by name."""
    return {"reputation": "questions fit it, place"}


def describe(box: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The box for people: rows of (what, numbers, provenance, source)."""
    hands = box["hands"]
    sizes = "; ".join(f"{line['players']} players: {line['hand']} cards" for line in hands["tables"])
    rows = [("hands", sizes, hands["provenance"], hands.get("source", ""))]
    for name in DECKS:
        deck = box["deck"][name]
        totals = [sum(row[copies] for row in deck["cards"]) for copies in ("copies", "copies_blue_extra")]
        played = [row for row in sorted(deck["cards"], key=kind_of) if row["copies"]]
        groups = (
            f"{sum(row['copies'] for row in same)} x {LEVELS[kind[0]]} with {count(kind[1], 'badge')} and "
            f"{count(kind[2], 'turd')}"
            for kind, same in ((kind, list(same)) for kind, same in groupby(played, kind_of))
        )
        full = sum(row["copies"] for row in deck["cards"] if row["thermometer"] == FULL)
        numbers = (
            f"{totals[0]} cards ({totals[1]} if the blue cards are extra), {full} with a full thermometer: "
            f"{', '.join(groups)}"
        )
        rows.append((f"deck {shown(name)}", numbers, deck["provenance"], deck.get("source", "")))
    return rows + told_exchanges(box)
