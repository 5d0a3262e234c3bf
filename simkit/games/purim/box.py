"""The box of Purim: from `box.toml`, or a user's copy of it, to the tables of the rules record, and back to words.

What Action cards do is text in the box, in the small language of clauses B21 to B26. Here it is compiled into programs: four
numbers for each operation, which the kernel carries out.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from simkit.box_file import BoxFile, Sourced, Table
from simkit.errors import BoxError, OptionError, listed, nearest, shown, unknown
from simkit.exchanges import NOTHING
from simkit.games.purim.options import OPTIONS
from simkit.spec import Value

MAX_SEATS = 4
MAX_CARDS = 31  # a set of kinds of cards is a mask in an int32
MAX_PROVINCES = 20
MIN_PROVINCES = 10  # five for Sons, five for Messengers at setup
MAX_NEIGHBOURS = 8
SONS = 10
MESSENGERS = 5
MAX_CUBES = 60
START_GOLD, START_BLACK = 5, 10  # cubes on the board after setup
MAX_SPACES = 10  # of the Calendar
MAX_HAND = 8
MAX_OPERATIONS = 4
MAX_RIDE = 4  # steps of ride_gold, the extra one included
MAX_WALK = 6  # steps of move_messenger, the extra one included
MAX_PATHS = 10_000  # routes from one Province to another
MAX_NAME = 80  # bytes: 20 characters
MAX_TITLE = 160  # bytes: 40 characters
DECISION_CAP = 600

SECTIONS = ("loyal", "evil", "end")
LOYAL, EVIL, END = range(3)

# A program's numbers: operation, then what it needs (see `Operation`).
(ADD_GOLD, ADD_BLACK, REMOVE_BLACK, REMOVE_GOLD, MOVE_MESSENGER, RIDE_GOLD, SONS_TO_TOP, SON_TO_TOP, SON_STEP,
 DESTROY_SON, CALENDAR, DISCARD_TOP) = range(1, 13)  # fmt: skip
OPERATIONS = (
    "add_gold", "add_black", "remove_black", "remove_gold", "move_messenger", "ride_gold", "sons_to_top", "son_to_top",
    "son_step", "destroy_son", "calendar", "discard_top",
)  # fmt: skip
CUBES = OPERATIONS[:4]

# Where cubes go. MSGR stands for msgr and msgr*2 to msgr*5, SON_NAMED for son:NAME.
(MSGR, MSGR_ALL, MSGR_ADJ_PAIR, MSGR_NEAR, MSGR_SON, SON, SON_NOMSGR, SON_NAMED, TOP, ANY, MOST_BLACK) = range(11)
SELECTORS = (
    "msgr", "msgr_all", "msgr_adj_pair", "msgr_near", "msgr_son", "son", "son_nomsgr", "son:NAME", "top", "any",
    "most_black",
)  # fmt: skip
SELECTOR_WORDS = (*SELECTORS, *(f"msgr*{k}" for k in range(1, MESSENGERS + 1)))
CONDITIONS = ("msgr", "msgr_gold")
ANY_SON = -1

MESSENGER_ABILITIES = ("none", "longer_steps", "one_more_gold", "keeps_black_out", "gold_each_round", "moves_at_night")
SON_ABILITIES = (
    "none", "black_at_home", "extra_black", "two_messengers", "runs_to_top", "less_gold", "moves_calendar",
    "black_next_door", "avenges", "takes_gold", "worse_end_effects",
)  # fmt: skip
NOBODY = -1

RULES = np.dtype(
    [(option.name, "i1") for option in OPTIONS]
    + [
        ("players", "i1"),
        ("decision_cap", "i2"),
        # options that stand for a number, as that number
        ("steps", "i1"),  # calendar_steps
        ("messengers_in_force", "i1"),  # messenger_cards
        ("sons_in_force", "i1"),  # extra_sons_cards
        # cubes and cards
        ("gold", "i1"),
        ("black", "i1"),
        ("hands", "i1"),
        ("hand", "i1"),
        ("deck_size", "i1"),  # Action cards; their kinds are numbered by ascending number, then in the order of the box
        ("number", "i2", MAX_CARDS),
        ("program_size", "i1", (MAX_CARDS, 3)),  # operations of the Loyal Action, Evil Action, End Effect
        ("program", "i1", (MAX_CARDS, 3, MAX_OPERATIONS, 4)),
        # the map, Provinces from 0
        ("provinces", "i1"),
        ("neighbours", "i1", MAX_PROVINCES),  # how many
        ("neighbour", "i1", (MAX_PROVINCES, MAX_NEIGHBOURS)),  # ascending
        ("distance", "i1", (MAX_PROVINCES, MAX_PROVINCES)),
        ("within", "i4", (MAX_WALK + 1, MAX_PROVINCES)),  # mask of the Provinces at distance 1 to m; within[0] is 0
        ("shortest_paths", "i2", (MAX_PROVINCES, MAX_PROVINCES)),  # how many; 1 from a Province to itself
        ("simple_paths", "i2", (MAX_PROVINCES, MAX_PROVINCES)),  # only with any_path_owner_choice, else 0
        ("ride_paths", "i2", (MAX_RIDE + 1, MAX_PROVINCES)),  # simple paths of 1 to m steps; ride_paths[0] is 0
        # abilities: of each piece, and the piece that has it (NOBODY: none)
        ("messenger_ability", "i1", MESSENGERS),
        ("messenger_with", "i1", len(MESSENGER_ABILITIES)),
        ("son_ability", "i1", SONS),
        ("son_with", "i1", len(SON_ABILITIES)),
        # policies: how near the end is, per cent of what there is after setup (RULES.md C)
        ("near_gold", "i1", MAX_CUBES + 1),
        ("near_black", "i1", MAX_CUBES + 1),
        ("near_calendar", "i1", MAX_SPACES),
        # names, UTF-8, for the story
        ("title", "u1", (MAX_CARDS, MAX_TITLE)),
        ("province_name", "u1", (MAX_PROVINCES, MAX_NAME)),
        ("son_name", "u1", (SONS, MAX_NAME)),
        ("colour", "u1", (MESSENGERS, MAX_NAME)),
        ("ability_name", "u1", (MESSENGERS, MAX_NAME)),
        ("space_name", "u1", (MAX_SPACES, MAX_NAME)),
    ],
    align=True,
)


class NotTogether(OptionError, BoxError):
    """Options that exclude each other."""


# --- the language of the Action cards ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Operation:
    """One operation of a card, as the kernel wants it.

    cubes          : selector, number of cubes, and for MSGR how many Messengers, for SON_NAMED which Son
    MOVE_MESSENGER : Messengers, steps            RIDE_GOLD            : steps
    SON_TO_TOP     : which Son, or ANY_SON        DESTROY_SON          : position in CONDITIONS
    CALENDAR       : spaces                       DISCARD_TOP          : cards
    """

    code: int
    a: int = 0
    b: int = 0
    c: int = 0

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        return self.code, self.a, self.b, self.c


def compile_section(text: str, sons: Sequence[str] | None) -> list[Operation]:
    """The operations of a section. With None for the Sons any name will do: the grammar alone is looked at.

    raises : ValueError naming the operation, the word and the nearest valid one
    """
    parts = text.split(";") if text.strip() else []
    if len(parts) > MAX_OPERATIONS:
        raise ValueError(f"{len(parts)} operations, at most {MAX_OPERATIONS} are supported")
    operations = []
    for i, part in enumerate(parts):
        try:
            operations.append(compile_operation(part.split(), sons))
        except ValueError as problem:
            raise ValueError(f"operation {i + 1} {shown(part)}: {problem}") from None
    return operations


def compile_operation(words: Sequence[str], sons: Sequence[str] | None) -> Operation:
    if not words:
        raise ValueError("is empty; operations are separated by one semicolon")
    name, *rest = words
    if name not in OPERATIONS:
        raise ValueError(unknown("operation", name, OPERATIONS))
    code = OPERATIONS.index(name) + 1
    expected = PARAMETERS[name]
    if len(rest) != len(expected):
        raise ValueError(
            f"{len(rest)} {'word' if len(rest) == 1 else 'words'} after {name}; expected "
            + (" ".join((name, *expected)) if expected else f"{name} alone")
        )
    if name in CUBES:
        selector, argument = compile_selector(rest[0], sons)
        return Operation(code, selector, whole(rest[1], "cubes", 9), argument)
    match name:
        case "move_messenger":
            return Operation(code, whole(rest[0], "Messengers", MESSENGERS), whole(rest[1], "steps", MAX_WALK - 1))
        case "ride_gold":
            return Operation(code, whole(rest[0], "steps", MAX_RIDE - 1))
        case "son_to_top":
            return Operation(code, ANY_SON if rest[0] == "any" else son_number(rest[0], sons, ["any"]))
        case "son_step":
            one_of("Son", rest[0], ["any"])
            return Operation(code)
        case "destroy_son":
            return Operation(code, one_of("condition", rest[0], CONDITIONS))
        case "calendar":
            return Operation(code, whole(rest[0], "spaces", 9))
        case "discard_top":
            return Operation(code, whole(rest[0], "cards", 5))
    return Operation(code)


PARAMETERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(CUBES, ("WHERE", "CUBES")),
    "move_messenger": ("MESSENGERS", "STEPS"),
    "ride_gold": ("STEPS",),
    "sons_to_top": (),
    "son_to_top": ("any or NAME",),
    "son_step": ("any",),
    "destroy_son": ("CONDITION",),
    "calendar": ("SPACES",),
    "discard_top": ("CARDS",),
}


def compile_selector(word: str, sons: Sequence[str] | None) -> tuple[int, int]:
    """A selector, and how many Messengers or which Son."""
    if word.startswith("son:"):
        return SON_NAMED, son_number(word.removeprefix("son:"), sons, [])
    if word.startswith("msgr*"):
        return MSGR, whole(word.removeprefix("msgr*"), "Messengers", MESSENGERS)
    if word not in SELECTORS or word == "son:NAME":
        raise ValueError(f"selector {shown(word)} is not known{nearest(word, SELECTOR_WORDS)}; expected {WHERE}")
    return SELECTORS.index(word), 1 if word == "msgr" else 0


WHERE = listed(["msgr", "msgr*2 to msgr*5", *SELECTORS[1:]])


def whole(word: str, what: str, most: int) -> int:
    if not (word.isascii() and word.isdecimal() and 1 <= int(word) <= most):
        raise ValueError(f"number of {what} cannot be {shown(word)}; expected 1 to {most}")
    return int(word)


def one_of(what: str, word: str, words: Sequence[str]) -> int:
    if word not in words:
        raise ValueError(unknown(what, word, words))
    return words.index(word)


def son_number(name: str, sons: Sequence[str] | None, others: Sequence[str]) -> int:
    if sons is None:
        return 0
    if name not in sons:
        raise ValueError(unknown("Son", name, [*others, *sons]))
    return sons.index(name)


def operation_words(numbers: Sequence[int], sons: Sequence[str]) -> str:
    """An operation as text again, in its usual form: what the story prints."""
    code, a, b, c = (int(number) for number in numbers)
    name = OPERATIONS[code - 1]
    if name in CUBES:
        where = SELECTORS[a]
        if a == MSGR and c > 1:
            where = f"msgr*{c}"
        elif a == SON_NAMED:
            where = f"son:{sons[c]}"
        return f"{name} {where} {b}"
    match code:
        case 5:
            return f"{name} {a} {b}"
        case 7:
            return name
        case 8:
            return f"{name} {'any' if a == ANY_SON else sons[a]}"
        case 9:
            return f"{name} any"
        case 10:
            return f"{name} {CONDITIONS[a]}"
    return f"{name} {a}"


# --- the shape of a box -----------------------------------------------------------------------------------------

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME // 4)]
Word = Annotated[str, Field(min_length=1, max_length=MAX_NAME // 4, pattern=r"^[^\s;:*]+$")]
MessengerAbility = Literal[
    "none", "longer_steps", "one_more_gold", "keeps_black_out", "gold_each_round", "moves_at_night"
]
SonAbility = Literal[
    "none", "black_at_home", "extra_black", "two_messengers", "runs_to_top", "less_gold", "moves_calendar",
    "black_next_door", "avenges", "takes_gold", "worse_end_effects",
]  # fmt: skip


class Calendar(Sourced):
    spaces: Annotated[list[Name], Field(min_length=MAX_SPACES, max_length=MAX_SPACES)]


class CubeSupply(Sourced):
    gold: Annotated[int, Field(gt=START_GOLD, le=MAX_CUBES)]
    black: Annotated[int, Field(gt=START_BLACK, le=MAX_CUBES)]


class Hands(Table):
    players: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    hands: Annotated[int, Field(ge=1, le=2)]
    hand: Annotated[int, Field(ge=2, le=MAX_HAND)]


class Deal(Sourced):
    tables: Annotated[list[Hands], Field(min_length=1, max_length=MAX_SEATS)]


class Province(Table):
    name: Name


class Border(Table):
    a: Name
    b: Name


class Map(Sourced):
    provinces: Annotated[list[Province], Field(min_length=MIN_PROVINCES, max_length=MAX_PROVINCES)]
    borders: Annotated[list[Border], Field(min_length=1, max_length=MAX_PROVINCES * MAX_NEIGHBOURS // 2)]

    @model_validator(mode="after")
    def is_one_board(self) -> "Map":
        names = [province.name for province in self.provinces]
        refuse_twice("province", names)
        check_borders(names, [(border.a, border.b) for border in self.borders])
        return self


class Sons(Sourced):
    names: Annotated[list[Word], Field(min_length=SONS, max_length=SONS)]

    @model_validator(mode="after")
    def have_names_of_their_own(self) -> "Sons":
        refuse_twice("Son", self.names)
        if "any" in self.names:
            raise ValueError("a Son cannot be called 'any', which stands for all of them")
        return self


class SonsCard(Table):
    son: Word
    ability: SonAbility


class SonsCards(Sourced):
    cards: Annotated[list[SonsCard], Field(min_length=SONS, max_length=SONS)]

    @model_validator(mode="after")
    def are_all_different(self) -> "SonsCards":
        refuse_twice("Son", [card.son for card in self.cards])
        refuse_twice("ability", [card.ability for card in self.cards if card.ability != "none"])
        return self


class MessengerCard(Table):
    colour: Name
    name: Name
    ability: MessengerAbility


class Messengers(Sourced):
    cards: Annotated[list[MessengerCard], Field(min_length=MESSENGERS, max_length=MESSENGERS)]

    @model_validator(mode="after")
    def are_all_different(self) -> "Messengers":
        refuse_twice("colour", [card.colour for card in self.cards])
        refuse_twice("ability", [card.ability for card in self.cards if card.ability != "none"])
        return self


class ActionCard(Table):
    number: Annotated[int, Field(ge=1, le=999)]
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE // 4)]
    loyal: Annotated[str, Field(max_length=400)] = ""
    evil: Annotated[str, Field(max_length=400)] = ""
    end: Annotated[str, Field(max_length=400)] = ""

    @model_validator(mode="after")
    def says_what_can_be_done(self) -> "ActionCard":
        compile_card(self.model_dump(), None)
        return self


class ActionCards(Sourced):
    cards: Annotated[list[ActionCard], Field(max_length=MAX_CARDS)]


class ActionDeck(Table):
    printed: ActionCards
    invented: ActionCards


class Box(BoxFile):
    """The shape of a box file."""

    game: Literal["purim"]
    calendar: Calendar
    cubes: CubeSupply
    deal: Deal
    map: Map
    sons: Sons
    sons_cards: SonsCards
    messengers: Messengers
    action_cards: ActionDeck

    @model_validator(mode="after")
    def names_only_sons_there_are(self) -> "Box":
        for i, card in enumerate(self.sons_cards.cards):
            if card.son not in self.sons.names:
                raise ValueError(f"sons_cards.cards entry {i + 1}: {unknown('Son', card.son, self.sons.names)}")
        steps = 0
        for name, deck in (("printed", self.action_cards.printed), ("invented", self.action_cards.invented)):
            for i, action in enumerate(deck.cards):
                try:
                    program = compile_card(action.model_dump(), self.sons.names)
                except ValueError as problem:
                    raise ValueError(f"action_cards.{name}.cards entry {i + 1}: {problem}") from None
                steps += sum(op.a for section in program[EVIL:] for op in section if op.code == CALENDAR)
        if steps < MAX_SPACES - 1:
            raise ValueError(
                f"action_cards: Evil Actions and End Effects move the Calendar by {steps} in all, at least "
                f"{MAX_SPACES - 1} are needed, or the game might not end"
            )
        return self


def compile_card(card: Mapping[str, Any], sons: Sequence[str] | None) -> list[list[Operation]]:
    """Loyal Action, Evil Action and End Effect of a card. Raises ValueError naming card, section, operation and word."""
    program = []
    for section in SECTIONS:
        try:
            program.append(compile_section(card.get(section, ""), sons))
        except ValueError as problem:
            raise ValueError(f"card {card['number']} {shown(card['title'])}, {section}, {problem}") from None
    return program


def refuse_twice(what: str, names: Sequence[str]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{what} {shown(twice[0])} is listed twice")


# --- the map ----------------------------------------------------------------------------------------------------

Neighbours = tuple[tuple[int, ...], ...]  # of each Province, ascending


def check_borders(names: Sequence[str], borders: Sequence[tuple[str, str]]) -> None:
    """Raises ValueError for borders that make no board: unknown or doubled ones, too many, or Provinces out of reach."""
    for i, (a, b) in enumerate(borders):
        for name in (a, b):
            if name not in names:
                raise ValueError(f"borders entry {i + 1}: {unknown('province', name, names)}")
        if a == b:
            raise ValueError(f"borders entry {i + 1}: {shown(a)} cannot border itself")
    refuse_twice("border", [" - ".join(sorted(pair)) for pair in borders])
    neighbours = neighbours_of(names, borders)
    for name, others in zip(names, neighbours, strict=True):
        if len(others) > MAX_NEIGHBOURS:
            raise ValueError(f"{shown(name)} has {len(others)} neighbours, at most {MAX_NEIGHBOURS} are supported")
    reached = [name for name, far in zip(names, distances_from(0, neighbours), strict=True) if far >= 0]
    if len(reached) < len(names):
        missing = next(name for name in names if name not in reached)
        raise ValueError(
            f"borders: {len(reached)} of {len(names)} Provinces can be reached from {shown(names[0])}, "
            f"{shown(missing)} cannot"
        )


def neighbours_of(names: Sequence[str], borders: Sequence[tuple[str, str]]) -> Neighbours:
    found: list[set[int]] = [set() for _ in names]
    for a, b in borders:
        found[names.index(a)].add(names.index(b))
        found[names.index(b)].add(names.index(a))
    return tuple(tuple(sorted(others)) for others in found)


def distances_from(start: int, neighbours: Neighbours) -> list[int]:
    """Steps from a Province to each; -1 for those out of reach."""
    distance = [-1] * len(neighbours)
    distance[start] = 0
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in neighbours[here]:
            if distance[there] < 0:
                distance[there] = distance[here] + 1
                waiting.append(there)
    return distance


def simple_paths_from(start: int, neighbours: Neighbours, most: int) -> Iterator[list[int]]:
    """Every path from a Province that enters none twice, of 1 to `most` steps. The list given is changed afterwards."""
    path = [start]
    branches = [iter(neighbours[start])]
    while branches:
        there = next(branches[-1], None)
        if there is None:
            branches.pop()
            path.pop()
        elif there not in path:
            path.append(there)
            yield path
            if len(path) <= most:
                branches.append(iter(neighbours[there]))
            else:
                path.pop()


def count_shortest(neighbours: Neighbours, distance: Sequence[Sequence[int]]) -> list[list[int]]:
    """How many shortest paths lead from each Province to each."""
    size = len(neighbours)
    counts = [[int(a == b) for b in range(size)] for a in range(size)]
    for a in range(size):
        for b in sorted(range(size), key=lambda b: distance[a][b]):
            if a != b:
                counts[a][b] = sum(counts[a][c] for c in neighbours[b] if distance[a][c] == distance[a][b] - 1)
    return counts


@lru_cache(maxsize=8)
def count_simple(neighbours: Neighbours) -> tuple[tuple[int, ...], ...]:
    """How many paths that enter no Province twice lead from each Province to each. Raises BoxError beyond MAX_PATHS."""
    size = len(neighbours)
    counts = [[0] * size for _ in range(size)]
    for a in range(size):
        for path in simple_paths_from(a, neighbours, size):
            counts[a][path[-1]] += 1
            if counts[a][path[-1]] > MAX_PATHS:
                raise BoxError(
                    f"map.borders: more than {MAX_PATHS:,} paths from Province {a + 1} to Province {path[-1] + 1}, at "
                    f"most {MAX_PATHS:,} are supported with son_path=any_path_owner_choice"
                )
    return tuple(map(tuple, counts))


# --- the rules record -------------------------------------------------------------------------------------------


def action_cards(box: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The Action cards by kind: by ascending number, cards with the same number in the order of the box."""
    deck = box["action_cards"]
    return sorted([*deck["printed"]["cards"], *deck["invented"]["cards"]], key=lambda card: card["number"])


def pack(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Any:
    """The rules record: every option as the position of its value, and the box as tables.

    options : all options by name      box : a box file's content, of the shape `Box`
    raises  : BoxError for a box that cannot be dealt to that many or a map with too many paths, with the arithmetic;
              NotTogether for options that exclude each other
    """
    rules = np.zeros(1, RULES).view(np.recarray)[0]
    for option in OPTIONS:
        rules[option.name] = option.values.index(options[option.name])
    if options["extra_sons_cards"] and not options["advanced"]:
        raise NotTogether(
            f"option extra_sons_cards cannot be {options['extra_sons_cards']} without advanced=true: "
            "only the advanced game has Sons cards"
        )
    rules.players = players
    rules.decision_cap = DECISION_CAP
    rules.steps = options["calendar_steps"]
    rules.messengers_in_force = options["messenger_cards"]
    rules.sons_in_force = options["extra_sons_cards"]
    rules.gold, rules.black = box["cubes"]["gold"], box["cubes"]["black"]
    pack_cards(rules, box, players)
    pack_map(rules, box["map"], options["son_path"] == "any_path_owner_choice")
    pack_abilities(rules, box)
    for supply in range(MAX_CUBES + 1):
        rules.near_gold[supply] = min(100, 100 * supply // (int(rules.gold) - START_GOLD))
        rules.near_black[supply] = min(100, 100 * supply // (int(rules.black) - START_BLACK))
    for space in range(int(rules.steps) + 1):
        rules.near_calendar[space] = 100 * (int(rules.steps) - space) // int(rules.steps)
    pack_names(rules, box)
    return rules


def pack_cards(rules: Any, box: Mapping[str, Any], players: int) -> None:
    cards = action_cards(box)
    if len(cards) > MAX_CARDS:
        raise BoxError(f"action_cards: {len(cards)} cards, at most {MAX_CARDS} are supported")
    found = [line for line in box["deal"]["tables"] if line["players"] == players]
    if len(found) != 1:
        raise BoxError(f"deal.tables: {'no line' if not found else 'more than one line'} for {players} players")
    hands, hand = found[0]["hands"], found[0]["hand"]
    if players == 1 and hands > 1:
        raise BoxError(f"deal.tables: {hands} hands for 1 player, a solo round has one")
    needed = 2 * hand + 1 if players == 1 else players * hands * hand
    if len(cards) < needed:
        sum_ = f"{hand} in hand + {hand + 1} from the deck" if players == 1 else f"{players} x {hands} x {hand}"
        raise BoxError(f"action_cards: {len(cards)} cards are too few for {players}: {sum_} = {needed} are needed")
    rules.hands, rules.hand, rules.deck_size = hands, hand, len(cards)
    for kind, card in enumerate(cards):
        rules.number[kind] = card["number"]
        write_name(rules.title[kind], card["title"])
        try:
            program = compile_card(card, box["sons"]["names"])
        except ValueError as problem:
            raise BoxError(f"action_cards: {problem}") from None
        for section, operations in enumerate(program):
            rules.program_size[kind, section] = len(operations)
            for i, operation in enumerate(operations):
                rules.program[kind, section, i] = operation.numbers


def pack_map(rules: Any, board: Mapping[str, Any], any_path: bool) -> None:
    names = [province["name"] for province in board["provinces"]]
    neighbours = neighbours_of(names, [(border["a"], border["b"]) for border in board["borders"]])
    size = len(names)
    rules.provinces = size
    for name, table in map_tables(neighbours).items():
        rules[name] = table
    if any_path:
        rules.simple_paths[:size, :size] = count_simple(neighbours)


@lru_cache(maxsize=64)
def map_tables(neighbours: Neighbours) -> dict[str, Any]:
    """The fields of the rules record that a map settles, by name."""
    size = len(neighbours)
    tables = {
        name: np.zeros(RULES[name].shape, RULES[name].base)
        for name in ("neighbours", "neighbour", "distance", "within", "shortest_paths", "ride_paths")
    }
    distance = [distances_from(start, neighbours) for start in range(size)]
    for a in range(size):
        tables["neighbours"][a] = len(neighbours[a])
        tables["neighbour"][a, : len(neighbours[a])] = neighbours[a]
        for most in range(1, MAX_WALK + 1):
            tables["within"][most, a] = sum(1 << b for b in range(size) if 1 <= distance[a][b] <= most)
        for path in simple_paths_from(a, neighbours, MAX_RIDE):
            tables["ride_paths"][len(path) - 1 :, a] += 1
    tables["distance"][:size, :size] = distance
    tables["shortest_paths"][:size, :size] = count_shortest(neighbours, distance)
    return tables


def pack_abilities(rules: Any, box: Mapping[str, Any]) -> None:
    rules.messenger_with[:] = NOBODY
    rules.son_with[:] = NOBODY
    for messenger, card in enumerate(box["messengers"]["cards"]):
        ability = MESSENGER_ABILITIES.index(card["ability"])
        rules.messenger_ability[messenger] = ability
        if ability:
            rules.messenger_with[ability] = messenger
    for card in box["sons_cards"]["cards"]:
        son, ability = box["sons"]["names"].index(card["son"]), SON_ABILITIES.index(card["ability"])
        rules.son_ability[son] = ability
        if ability:
            rules.son_with[ability] = son


def pack_names(rules: Any, box: Mapping[str, Any]) -> None:
    for i, province in enumerate(box["map"]["provinces"]):
        write_name(rules.province_name[i], province["name"])
    for i, name in enumerate(box["sons"]["names"]):
        write_name(rules.son_name[i], name)
    for i, card in enumerate(box["messengers"]["cards"]):
        write_name(rules.colour[i], card["colour"])
        write_name(rules.ability_name[i], card["name"])
    for i, name in enumerate(box["calendar"]["spaces"]):
        write_name(rules.space_name[i], name)


def write_name(room: Any, name: str) -> None:
    content = name.encode()
    room[: len(content)] = list(content)


def read_name(room: Any) -> str:
    """A name from the rules record."""
    return bytes(room.tolist()).rstrip(b"\0").decode()


def card_name(rules: Any, kind: int) -> str:
    """An Action card in words: '14 Proclaim'."""
    return f"{int(rules.number[kind])} {read_name(rules.title[kind])}"


# --- for people -------------------------------------------------------------------------------------------------


def card_names(box: Mapping[str, Any]) -> list[str]:
    """The kinds of cards by number: E4 of RULES.md."""
    return [f"{card['number']} {card['title']}" for card in action_cards(box)]


def link_names(box: Mapping[str, Any]) -> dict[str, str]:
    """What the linked columns are about, by name."""
    messengers, sons, provinces = box["messengers"]["cards"], box["sons"]["names"], box["map"]["provinces"]
    return {
        **{f"messenger_card_{i + 1}": f"Messenger card {card['name']}" for i, card in enumerate(messengers)},
        **{f"sons_card_{i + 1}": f"Sons card {name}" for i, name in enumerate(sons)},
        **{f"unsafe_{i + 1}": f"{province['name']} unsafe" for i, province in enumerate(provinces)},
    }


def card_counts(options: Mapping[str, Value], box: Mapping[str, Any]) -> list[int]:
    """Copies of each kind of Action card: one of each, whatever the options."""
    return [1] * len(action_cards(box))


def exchanged(box: Mapping[str, Any], swaps: Mapping[str, str]) -> dict[str, Any]:
    """The box with the texts of Action cards replaced by those of others, or by none (B27).

    raises : BoxError for a card that the box does not have
    """
    texts = dict(zip(card_names(box), action_cards(box), strict=True))
    for card, by in swaps.items():
        if card not in texts:
            raise BoxError(unknown("card", card, texts))
        if by not in (*texts, NOTHING):
            raise BoxError(unknown("card", by, [*texts, NOTHING]))

    def with_text(card: Mapping[str, Any]) -> dict[str, Any]:
        by = swaps.get(f"{card['number']} {card['title']}")
        text = card if by is None else texts.get(by, {})
        return {**card, **{section: text.get(section, "") for section in SECTIONS}}

    decks = box["action_cards"]
    return {
        **box,
        "action_cards": {name: {**deck, "cards": [*map(with_text, deck["cards"])]} for name, deck in decks.items()},
    }


def ordinary(options: Mapping[str, Value], box: Mapping[str, Any]) -> str:
    """Every Action card is another; what stands in for one is a card without a text."""
    return NOTHING


def describe(box: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The box for people: rows of (what, contents, provenance, source)."""
    cubes, board = box["cubes"], box["map"]
    provinces = [province["name"] for province in board["provinces"]]
    borders = [f"{border['a']} - {border['b']}" for border in board["borders"]]
    parts: list[tuple[str, str, Mapping[str, Any]]] = [
        (
            "Calendar",
            f"{len(box['calendar']['spaces'])} spaces: {', '.join(box['calendar']['spaces'])}",
            box["calendar"],
        ),
        ("cubes", f"{cubes['gold']} gold, {cubes['black']} black", cubes),
        (
            "hands",
            "; ".join(f"for {line['players']}: {line['hands']} x {line['hand']}" for line in box["deal"]["tables"]),
            box["deal"],
        ),
        ("Provinces", f"{len(provinces)}: {', '.join(provinces)}", board),
        ("borders", f"{len(borders)}: {', '.join(borders)}", board),
        ("Sons of Haman", ", ".join(box["sons"]["names"]), box["sons"]),
        (
            "Sons cards",
            ", ".join(f"{card['son']} ({card['ability'].replace('_', ' ')})" for card in box["sons_cards"]["cards"]),
            box["sons_cards"],
        ),
        (
            "Messengers",
            ", ".join(
                f"{card['colour']}: {card['name']} ({card['ability'].replace('_', ' ')})"
                for card in box["messengers"]["cards"]
            ),
            box["messengers"],
        ),
    ]
    for name, deck in box["action_cards"].items():
        parts.append((f"Action cards, {name}", f"{len(deck['cards'])} cards{described_cards(deck['cards'])}", deck))
    return [(what, contents, part["provenance"], part.get("source", "")) for what, contents, part in parts]


def described_cards(cards: Sequence[Mapping[str, Any]]) -> str:
    """Each card with its three sections, or nothing without cards."""
    sections = [" | ".join(card.get(section, "") or "nothing" for section in SECTIONS) for card in cards]
    return "".join(
        f"{'; ' if i else ': '}{card['number']} {card['title']} [{text}]"
        for i, (card, text) in enumerate(zip(cards, sections, strict=True))
    )
