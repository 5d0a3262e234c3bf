"""The plain twin of Purim: RULES.md in ordinary Python, written to be read, not to be fast.

It shares nothing with the compiled game but the rules and the keyed streams, so that each can be held against the
other. It reads the texts of the cards itself.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeVar

from simkit.kernel.plain import Playout, Stream, Streams

Choice = TypeVar("Choice")  # of a decision
Neighbours = tuple[tuple[int, ...], ...]  # of each Province, ascending
Route = tuple[int, ...]  # the Provinces entered, one after the other

MESSENGERS, SONS = range(5), range(10)
GOLD, BLACK = "gold", "black"
LOYAL, EVIL, END, NIGHT, OTHER = "loyal", "evil", "end", "night", ""  # the sections of a card, and other moments
CUBE_OPERATIONS = ["add_gold", "add_black", "remove_black", "remove_gold"]
MOST_DECISIONS = 600  # B39
NEVER = -(10**9)
END_REASON = {"gold": 1, "black": 2, "calendar": 3}  # E2
DUE_LINE = {
    "gold": "The gold cubes have run out.",
    "black": "The black cubes have run out.",
    "calendar": "The Calendar has come to its end.",
}
AT_ROUND_END = ["black_at_home", "runs_to_top", "moves_calendar", "black_next_door", "takes_gold"]  # B35


class Over(Exception):
    """The game is over, or would be where it is imagined."""


class Truncated(Exception):
    """B39."""


# The components: cards with their texts, and the map


@dataclass(frozen=True)
class Operation:
    """One operation of a card (B21), its words in the usual form of E1."""

    name: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.name, *self.words))

    def number(self, place: int) -> int:
        return int(self.words[place])

    def is_about_top(self) -> bool:
        """Whether it asks for the top Province."""
        if self.name in CUBE_OPERATIONS:
            return self.words[0] == "top"
        return self.name in ["sons_to_top", "son_to_top"]


@dataclass(frozen=True, eq=False)
class Card:
    """An Action card; there is one of each kind."""

    kind: int
    number: int
    title: str
    sections: Mapping[str, Sequence[Operation]]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"


@dataclass(frozen=True)
class Out:
    """A card that has been shown, and whose it is."""

    owner: int
    card: Card


def read_section(text: str) -> list[Operation]:
    """B21."""
    if not text.strip():
        return []
    return [read_operation(part.split()) for part in text.split(";")]


def read_operation(words: Sequence[str]) -> Operation:
    """An operation in its usual form (E1, line `skipped`)."""
    name, *rest = words
    if name in CUBE_OPERATIONS:
        where, number = rest
        return Operation(name, (usual_selector(where), str(int(number))))
    if name in ["son_to_top", "son_step", "destroy_son"]:
        return Operation(name, tuple(rest))  # a Son may be called by a number
    return Operation(name, tuple(str(int(word)) for word in rest))


def usual_selector(where: str) -> str:
    if not where.startswith("msgr*"):
        return where
    number = int(where.removeprefix("msgr*"))
    return "msgr" if number == 1 else f"msgr*{number}"


def read_cards(box: Mapping[str, Any]) -> list[Card]:
    """All Action cards by kind (part C)."""
    texts = [*box["action_cards"]["printed"]["cards"], *box["action_cards"]["invented"]["cards"]]
    texts.sort(key=lambda text: text["number"])
    return [
        Card(
            kind,
            text["number"],
            text["title"],
            {section: read_section(text.get(section, "")) for section in [LOYAL, EVIL, END]},
        )
        for kind, text in enumerate(texts)
    ]


def read_map(box: Mapping[str, Any]) -> Neighbours:
    names = [province["name"] for province in box["map"]["provinces"]]
    found: list[set[int]] = [set() for _ in names]
    for border in box["map"]["borders"]:
        a, b = names.index(border["a"]), names.index(border["b"])
        found[a].add(b)
        found[b].add(a)
    return tuple(tuple(sorted(others)) for others in found)


@lru_cache(maxsize=100)
def steps_from(neighbours: Neighbours, start: int) -> list[int]:
    """How many steps each Province is away."""
    steps = {start: 0}
    reached = [start]
    for here in reached:  # grows while it is read
        for there in neighbours[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                reached.append(there)
    return [steps[province] for province in range(len(neighbours))]


@lru_cache(maxsize=1000)
def rides_from(neighbours: Neighbours, start: int, most: int) -> list[Route]:
    """RIDE: the paths of 1 to `most` steps that enter no Province twice, nor the first, in the order of the lists."""
    rides: list[Route] = []

    def ride_on(so_far: Route) -> None:
        here = so_far[-1] if so_far else start
        for there in neighbours[here]:
            if there != start and there not in so_far:
                rides.append((*so_far, there))
                if len(so_far) + 1 < most:
                    ride_on((*so_far, there))

    ride_on(())
    return rides


@lru_cache(maxsize=1000)
def paths_between(neighbours: Neighbours, start: int, goal: int, shortest: bool) -> list[Route]:
    """ROUTE: the paths that enter no Province twice, nor the first, or only the shortest; in the order of the lists."""
    paths: list[Route] = []
    away = steps_from(neighbours, goal)

    def go_on(so_far: Route) -> None:
        here = so_far[-1] if so_far else start
        if here == goal:
            paths.append(so_far)
            return
        for there in neighbours[here]:
            if there != start and there not in so_far and not (shortest and away[there] >= away[here]):
                go_on((*so_far, there))

    go_on(())
    return paths


class World:
    """What does not change in a game: options, names, cards, the map, who has which ability."""

    def __init__(self, options: Mapping[str, str | int | bool], box: Mapping[str, Any]) -> None:
        self.options = options
        self.cards = read_cards(box)
        self.neighbours = read_map(box)
        self.provinces = range(len(self.neighbours))
        self.distance = [steps_from(self.neighbours, province) for province in self.provinces]
        self.all_cubes = {GOLD: int(box["cubes"]["gold"]), BLACK: int(box["cubes"]["black"])}
        self.calendar_steps = int(options["calendar_steps"])  # B4

        self.province_name: list[str] = [province["name"] for province in box["map"]["provinces"]]
        self.space_name: list[str] = box["calendar"]["spaces"]
        self.son_name: list[str] = box["sons"]["names"]
        self.colour: list[str] = [card["colour"] for card in box["messengers"]["cards"]]
        self.messenger_card: list[str] = [card["name"] for card in box["messengers"]["cards"]]
        self.messenger_ability: list[str] = [card["ability"] for card in box["messengers"]["cards"]]
        abilities = {card["son"]: card["ability"] for card in box["sons_cards"]["cards"]}
        self.son_ability: list[str] = [abilities[name] for name in self.son_name]

    def routes(self, start: int, goal: int) -> list[Route]:
        """B5."""
        shortest = self.options["son_path"] != "any_path_owner_choice"
        return paths_between(self.neighbours, start, goal, shortest)


# The board and what can happen on it


class Board:
    """A position, real or imagined, and what happens on it. Here it is imagined: nothing is told or counted."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.cubes = {GOLD: [0 for _ in world.provinces], BLACK: [0 for _ in world.provinces]}
        self.supply = dict(world.all_cubes)
        self.messengers = [-1 for _ in MESSENGERS]  # their Provinces
        self.sons: list[int | None] = [None for _ in SONS]  # their Provinces; None: not in the game
        self.calendar = 0
        self.top: int | None = None  # None: unknown
        self.unseen: list[int] = []  # the Provinces that may come up next, ascending
        self.messenger_with: dict[str, int] = {}  # abilities in force, and the piece that has each
        self.son_with: dict[str, int] = {}
        self.one_more_gold_used = False
        self.due = ""  # the reason; empty while the end is not due

    def imagined(self) -> "Board":
        """A copy to try things out on."""
        copy = Board.__new__(Board)
        copy.world = self.world
        copy.cubes = {GOLD: self.cubes[GOLD].copy(), BLACK: self.cubes[BLACK].copy()}
        copy.supply = self.supply.copy()
        copy.messengers = self.messengers.copy()
        copy.sons = self.sons.copy()
        copy.calendar = self.calendar
        copy.top = self.top
        copy.unseen = self.unseen.copy()
        copy.messenger_with = self.messenger_with  # settled at setup
        copy.son_with = self.son_with.copy()
        copy.one_more_gold_used = self.one_more_gold_used
        copy.due = self.due
        return copy

    def tell(self, line: str) -> None:
        """For the story."""

    def count(self, what: str, number: int = 1) -> None:
        """For the record."""

    # Questions

    def balance(self, province: int) -> int:
        """Gold - black."""
        return self.cubes[GOLD][province] - self.cubes[BLACK][province]

    def unsafe(self) -> list[int]:
        """A8."""
        return [province for province in self.world.provinces if self.balance(province) < 0]

    def sons_in(self, province: int) -> list[int]:
        return [son for son in SONS if self.sons[son] == province]

    def living_sons(self) -> list[int]:
        return [son for son in SONS if self.sons[son] is not None]

    def home(self, son: int) -> int:
        """Where a Son is who is in the game."""
        province = self.sons[son]
        assert province is not None
        return province

    def messengers_in(self, province: int) -> int:
        return self.messengers.count(province)

    def has_messenger(self, ability: str, province: int) -> bool:
        """Whether the Messenger with this ability in force is there."""
        messenger = self.messenger_with.get(ability)
        return messenger is not None and self.messengers[messenger] == province

    def has_son(self, ability: str, province: int) -> bool:
        """Whether the Son with this ability in force is there."""
        son = self.son_with.get(ability)
        return son is not None and self.sons[son] == province

    # The end: B2, B3, B29

    def make_due(self, reason: str) -> None:
        if self.due:
            return
        self.due = reason
        self.tell(DUE_LINE[reason])
        if self.world.options["end_timing"] == "immediate":
            raise Over

    # Cubes: B28

    def place(self, colour: str, province: int, number: int) -> int:
        """One placement; gives how many cubes there were for it."""
        placed = min(number, self.supply[colour])
        self.supply[colour] -= placed
        self.cubes[colour][province] += placed
        if placed:
            self.count(f"{colour}_placed", placed)
            self.tell(f"{placed} {colour} in {self.world.province_name[province]}.")
        if self.world.options["runout"] == "supply_empty":
            if placed and self.supply[colour] == 0:
                self.make_due(colour)
        elif placed < number:
            self.make_due(colour)
        return placed

    def remove(self, colour: str, province: int, number: int) -> None:
        removed = min(number, self.cubes[colour][province])
        self.cubes[colour][province] -= removed
        self.supply[colour] += removed
        if removed:
            self.count(f"{colour}_removed", removed)
            self.tell(f"{removed} {colour} taken from {self.world.province_name[province]}.")

    def bring_gold(self, province: int, number: int) -> None:
        """A placement of `add_gold` or `ride_gold`, with `less_gold` and `one_more_gold`."""
        if self.has_son("less_gold", province):
            number -= 1
        placed = self.place(GOLD, province, number)
        if placed and self.has_messenger("one_more_gold", province) and not self.one_more_gold_used:
            self.one_more_gold_used = True
            self.place(GOLD, province, 1)

    def bring_black(self, province: int) -> None:
        """A black cube of a moving Son, with `keeps_black_out`."""
        if not self.has_messenger("keeps_black_out", province):
            self.place(BLACK, province, 1)

    # Pieces, Calendar, cards

    def walk(self, messenger: int, there: int) -> None:
        here = self.messengers[messenger]
        self.messengers[messenger] = there
        name, colour = self.world.province_name, self.world.colour[messenger]
        if here == there:
            self.tell(f"The {colour} Messenger stays in {name[here]}.")
        else:
            self.tell(f"The {colour} Messenger moves from {name[here]} to {name[there]}.")

    def ride(self, messenger: int, route: Route) -> None:
        for province in route:
            self.messengers[messenger] = province
            self.tell(f"The {self.world.colour[messenger]} Messenger rides to {self.world.province_name[province]}.")
            self.bring_gold(province, 1)

    def move_sons(self, sons: Sequence[int], route: Route) -> None:
        """B30, `extra_black`."""
        for son in sons:
            for province in route:
                self.sons[son] = province
                self.tell(f"{self.world.son_name[son]} moves to {self.world.province_name[province]}.")
                self.bring_black(province)
            if self.son_with.get("extra_black") == son:
                self.bring_black(route[-1])

    def destroy(self, son: int) -> None:
        """B31, `avenges`."""
        self.sons[son] = None
        self.son_with = {ability: other for ability, other in self.son_with.items() if other != son}
        self.count("sons_destroyed")
        self.tell(f"{self.world.son_name[son]} is destroyed.")
        avenger = self.son_with.get("avenges")
        if avenger is not None:
            self.place(BLACK, self.home(avenger), 1)

    def step_calendar(self) -> None:
        if self.calendar == self.world.calendar_steps:
            return
        self.calendar += 1
        self.tell(f"The Calendar moves to {self.world.space_name[self.calendar]}.")
        if self.calendar == self.world.calendar_steps:
            self.make_due("calendar")

    def discard_top(self) -> None:
        """What comes up next cannot be imagined."""
        self.top = None


class Table(Board):
    """The real board, with the real Province deck; it tells the story and keeps count."""

    def __init__(self, world: World, streams: Streams, players: int) -> None:
        super().__init__(world)
        self.streams = streams
        self.province_deck: list[int] = []  # position 0 is the top
        self.province_shuffles = 0
        self.story: list[str] = []
        self.owner: int | None = None  # whose card is carried out
        self.counts: Counter[str] = Counter()
        self.counts_of: list[Counter[str]] = [Counter() for _ in range(players)]

    def tell(self, line: str) -> None:
        self.story.append(line)

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number
        if self.owner is not None:
            self.counts_of[self.owner][what] += number

    def look_at_deck(self) -> None:
        """The top card and what is below it lie open, but for the order."""
        self.top = self.province_deck[0]
        self.unseen = sorted(self.province_deck[1:])

    def discard_top(self) -> None:
        """B32, D8."""
        discarded = self.province_deck.pop(0)
        shuffled = ""
        if not self.province_deck:
            self.province_deck = list(self.world.provinces)
            self.streams.chance(1, self.province_shuffles).shuffle(self.province_deck)
            self.province_shuffles += 1
            shuffled = " and the deck shuffled"
        self.look_at_deck()
        name = self.world.province_name
        self.tell(f"{name[discarded]} is discarded{shuffled}, the top Province is {name[self.province_deck[0]]}.")


def value(board: Board, cautious: bool) -> int:
    """V of greedy, or of cautious (part C)."""
    world = board.world
    balances = [gold - black for gold, black in zip(board.cubes[GOLD], board.cubes[BLACK], strict=True)]
    if board.due:
        if min(balances) >= 0:
            return 100000
        return -100000 + 500 * sum(d for d in balances if d < 0)

    near = min(
        100,
        100 * board.supply[GOLD] // (world.all_cubes[GOLD] - 5),
        100 * board.supply[BLACK] // (world.all_cubes[BLACK] - 10),
        100 * (world.calendar_steps - board.calendar) // world.calendar_steps,
    )
    weight = 700 - 4 * near
    if cautious:
        weight *= 2

    total = 0
    for province, d in enumerate(balances):
        if d < 0:
            distance = world.distance[province]
            nearest = min([distance[there] for there in board.messengers])
            total += weight * d - 50 * nearest * min(-d, 2)
        elif d > 2:
            total += 100 - 15 * (d - 2)
        else:
            total += 50 * d
    for there in board.sons:
        if there is not None:
            total -= 80 if balances[there] < 1 else 60
    total -= 10 * (5 - len(set(board.messengers)))
    if cautious and min(balances) < 0:
        total -= 150 * board.calendar
    return total


# Carrying operations out


class Acting(ABC):
    """Carries operations out on a board. How choices are taken is left to those who act: policies or imagination."""

    def __init__(self, world: World, board: Board) -> None:
        self.world = world
        self.board = board
        self.section = OTHER  # what is carried out

    @abstractmethod
    def take(self, choices: Sequence[Choice], score: Callable[[Choice], int]) -> Choice: ...

    @abstractmethod
    def is_cautious(self) -> bool: ...

    @abstractmethod
    def look_at_top(self) -> None:
        """Make sure that the top Province is known."""

    # What a choice is worth

    def try_out(self, deed: Callable[["Imagined"], None]) -> int:
        """V after something has been carried out on a copy, further choices taken by the highest score."""
        trial = Imagined(self.world, self.board.imagined(), self.is_cautious(), None)
        trial.section = self.section
        with suppress(Over):
            deed(trial)
        return value(trial.board, self.is_cautious())

    def as_it_is(self) -> int:
        return value(self.board, self.is_cautious())

    # Operations: B21

    def carry_out(self, operation: Operation) -> None:
        if operation.is_about_top():
            self.look_at_top()
        match operation.name:
            case "add_gold" | "add_black" | "remove_black" | "remove_gold":
                self.change_cubes(operation)
            case "move_messenger":
                self.move_messengers(operation.number(0), operation.number(1))
            case "ride_gold":
                self.ride_gold(operation.number(0))
            case "sons_to_top":
                self.sons_to_top(operation)
            case "son_to_top":
                self.son_to_top(operation)
            case "son_step":
                self.son_step(operation)
            case "destroy_son":
                self.destroy_son(operation)
            case "calendar":
                for _ in range(operation.number(0)):
                    self.board.step_calendar()
            case "discard_top":
                for _ in range(operation.number(0)):
                    self.board.discard_top()

    def skip(self, operation: Operation) -> None:
        """B23."""
        self.board.count("skipped")
        self.board.tell(f"Skipped: {operation}.")

    def change_cubes(self, operation: Operation) -> None:
        choices = self.target_lists(operation.words[0])
        if not choices:
            self.skip(operation)
            return
        if self.has_choice(operation.words[0]):
            targets = self.take(
                choices, lambda targets: self.try_out(lambda trial: trial.change_cubes_in(operation, targets))
            )
        else:
            targets = choices[0]
        self.change_cubes_in(operation, targets)
        if operation.words[0] == "top":
            self.board.discard_top()

    def change_cubes_in(self, operation: Operation, targets: Sequence[int]) -> None:
        number = operation.number(1)
        for province in targets:
            match operation.name:
                case "add_gold":
                    self.board.bring_gold(province, number)
                case "add_black":
                    self.board.place(BLACK, province, number + self.worse(operation.words[0]))
                case "remove_black":
                    self.board.remove(BLACK, province, number)
                case "remove_gold":
                    self.board.remove(GOLD, province, number)

    def worse(self, where: str) -> int:
        """`worse_end_effects`: how many black cubes are added."""
        about_sons = where in ["son", "son_nomsgr"] or where.startswith("son:")
        return int(self.section == END and about_sons and "worse_end_effects" in self.board.son_with)

    # Selectors: B22

    def has_choice(self, where: str) -> bool:
        return where not in ["msgr_all", "top"] and not where.startswith("son:")

    def target_lists(self, where: str) -> list[list[int]]:
        """The lists of targets that a selector may stand for, in the order of part C; none: it is skipped."""
        board = self.board
        if where.startswith("son:"):
            province = board.sons[self.world.son_name.index(where.removeprefix("son:"))]
            return [] if province is None else [[province]]
        if where == "top":
            assert board.top is not None
            return [[board.top]]
        if where == "msgr_all":
            return [list(board.messengers)]
        if where == "msgr" or where.startswith("msgr*"):
            number = 1 if where == "msgr" else int(where.removeprefix("msgr*"))
            return [list(provinces) for provinces in combinations(board.messengers, number)]
        if where == "msgr_adj_pair":
            return [[a, b] for a, b in combinations(board.messengers, 2) if self.are_adjacent(a, b)]
        return [[province] for province in self.world.provinces if self.qualifies(where, province)]

    def are_adjacent(self, a: int, b: int) -> bool:
        """Whether Messengers in these Provinces are adjacent to each other (B7)."""
        if a == b:
            return bool(self.world.options["adjacent_includes_same"])
        return b in self.world.neighbours[a]

    def qualifies(self, where: str, province: int) -> bool:
        """Whether a Province is a target of a selector for a single Province."""
        board = self.board
        match where:
            case "any":
                return True
            case "msgr_near":
                return any(board.messengers_in(p) for p in [province, *self.world.neighbours[province]])
            case "msgr_son":
                return board.messengers_in(province) > 0 and province in board.sons
            case "son":
                return province in board.sons
            case "son_nomsgr":
                return province in board.sons and board.messengers_in(province) == 0
            case "most_black":
                return board.cubes[BLACK][province] == max(board.cubes[BLACK])
        raise ValueError(f"no such selector: {where}")

    # Messengers

    def reach(self, messenger: int, steps: int) -> int:
        """`longer_steps`."""
        return steps + 1 if self.board.messenger_with.get("longer_steps") == messenger else steps

    def walks(self, messenger: int, steps: int) -> list[int]:
        """WALK and NIGHT: where a Messenger may go, first where it is, to stay."""
        here = self.board.messengers[messenger]
        distance = self.world.distance[here]
        return [here] + [province for province in self.world.provinces if 1 <= distance[province] <= steps]

    def walk_score(self, messenger: int, province: int) -> int:
        return self.try_out(lambda trial: trial.board.walk(messenger, province))

    def walk_as_chosen(self, messenger: int, steps: int) -> None:
        """WALK or NIGHT, and the walk."""
        choices = self.walks(messenger, steps)
        self.board.walk(messenger, self.take(choices, lambda province: self.walk_score(messenger, province)))

    def move_messengers(self, times: int, steps: int) -> None:
        left = list(MESSENGERS)
        for _ in range(times):
            messenger = self.take(
                left, lambda i: max(self.walk_score(i, province) for province in self.walks(i, self.reach(i, steps)))
            )
            left.remove(messenger)
            self.walk_as_chosen(messenger, self.reach(messenger, steps))

    def rides(self, messenger: int, steps: int) -> list[Route]:
        here = self.board.messengers[messenger]
        return rides_from(self.world.neighbours, here, self.reach(messenger, steps))

    def ride_score(self, messenger: int, route: Route) -> int:
        return self.try_out(lambda trial: trial.board.ride(messenger, route))

    def ride_gold(self, steps: int) -> None:
        messenger = self.take(
            list(MESSENGERS), lambda i: max(self.ride_score(i, route) for route in self.rides(i, steps))
        )
        route = self.take(self.rides(messenger, steps), lambda route: self.ride_score(messenger, route))
        self.board.ride(messenger, route)

    # Sons to the top Province: B1, B5, B6, B8, B9, B30, B32

    def may_decline(self) -> list[None]:
        """B1: None among the choices stands for *decline*."""
        return [None] if self.world.options["evil_target_free"] else []

    def decline(self) -> None:
        self.board.count("declined")

    def sons_to_top(self, operation: Operation) -> None:
        origins = [p for p in self.world.provinces if p in self.board.sons and p != self.board.top]
        if origins:
            origin = self.take([*origins, *self.may_decline()], self.origin_score)
            if origin is None:
                self.decline()
            else:
                self.lead_to_top(self.board.sons_in(origin))
        else:
            self.skip(operation)
        self.discard_after_move(could_move=bool(origins))

    def origin_score(self, origin: int | None) -> int:
        if origin is None:
            return self.as_it_is()
        return self.try_out(lambda trial: trial.lead_to_top(trial.board.sons_in(origin)))

    def son_to_top(self, operation: Operation) -> None:
        outside = [son for son in self.board.living_sons() if self.board.sons[son] != self.board.top]
        if operation.words[0] != "any":
            named = self.world.son_name.index(operation.words[0])
            outside = [son for son in outside if son == named]
        if not outside:
            self.skip(operation)
        elif operation.words[0] != "any":
            self.lead_to_top(outside)
        else:
            son = self.take([*outside, *self.may_decline()], self.to_top_score)
            if son is None:
                self.decline()
            else:
                self.lead_to_top([son])
        self.discard_after_move(could_move=bool(outside))

    def to_top_score(self, son: int | None) -> int:
        if son is None:
            return self.as_it_is()
        return self.try_out(lambda trial: trial.lead_to_top([son]))

    def lead_to_top(self, sons: Sequence[int]) -> None:
        """Sons in one Province outside the top Province go there (B6)."""
        origin = self.board.home(sons[0])
        groups = [sons] if self.world.options["son_path_shared"] else [[son] for son in sons]
        for group in groups:
            self.board.move_sons(group, self.choose_route(group, origin))

    def choose_route(self, sons: Sequence[int], origin: int) -> Route:
        """ROUTE."""
        assert self.board.top is not None
        routes = self.world.routes(origin, self.board.top)
        if self.world.options["son_path"] == "shortest_fixed":
            return routes[0]
        shortest = self.world.distance[origin][self.board.top]

        def score(route: Route) -> int:
            if len(route) > shortest:
                return NEVER
            return self.try_out(lambda trial: trial.board.move_sons(sons, route))

        return self.take(routes, score)

    def discard_after_move(self, could_move: bool) -> None:
        """B8, B9, B32."""
        if self.world.options["proclaim_discards"] == "action":
            return
        if could_move or self.world.options["discard_top_if_unused"]:
            self.board.discard_top()

    # Other deeds of and to Sons

    def son_step(self, operation: Operation) -> None:
        sons = self.board.living_sons()
        if not sons:
            self.skip(operation)
            return
        self.step_as_chosen(self.take(sons, lambda son: self.try_out(lambda trial: trial.step_as_chosen(son))))

    def step_as_chosen(self, son: int) -> None:
        """STEP, and the step."""
        choices = self.world.neighbours[self.board.home(son)]
        there = self.take(choices, lambda p: self.try_out(lambda trial: trial.board.move_sons([son], (p,))))
        self.board.move_sons([son], (there,))

    def destroy_son(self, operation: Operation) -> None:
        sons = [son for son in self.board.living_sons() if self.can_be_destroyed(son, operation.words[0])]
        if not sons:
            self.skip(operation)
            return
        self.board.destroy(self.take(sons, lambda son: self.try_out(lambda trial: trial.board.destroy(son))))

    def can_be_destroyed(self, son: int, condition: str) -> bool:
        """B21, `two_messengers`."""
        province = self.board.home(son)
        needed = 2 if self.board.son_with.get("two_messengers") == son else 1
        if self.board.messengers_in(province) < needed:
            return False
        return condition == "msgr" or self.board.balance(province) >= 0


class Imagined(Acting):
    """Acts on a copy of the board: every choice by the highest score, the first of equals."""

    def __init__(self, world: World, board: Board, cautious: bool, stream: Stream | None) -> None:
        super().__init__(world, board)
        self.cautious = cautious
        self.stream = stream  # for an unknown top; None where it cannot come to that

    def take(self, choices: Sequence[Choice], score: Callable[[Choice], int]) -> Choice:
        if len(choices) == 1:
            return choices[0]
        return max(choices, key=score)

    def is_cautious(self) -> bool:
        return self.cautious

    def look_at_top(self) -> None:
        """D10: an unknown top is drawn from the Provinces not seen."""
        board = self.board
        if board.top is not None:
            return
        assert self.stream is not None
        if not board.unseen:
            board.unseen = list(self.world.provinces)
        board.top = board.unseen.pop(self.stream.below(len(board.unseen)))


# The game


class Game(Acting):
    """One game on the table, from the setup to the end. The policies choose."""

    def __init__(
        self,
        options: Mapping[str, str | int | bool],
        box: Mapping[str, Any],
        players: int,
        policies: Sequence[str],
        streams: Streams,
    ) -> None:
        world = World(options, box)
        self.table = Table(world, streams, players)
        super().__init__(world, self.table)
        self.options = options
        self.streams = streams
        self.seats = range(players)
        self.solo = players == 1
        self.policy = list(policies)
        self.policy_stream = [streams.policy(seat) for seat in self.seats]  # D10
        deal = next(line for line in box["deal"]["tables"] if line["players"] == players)  # A2
        self.hands_each: int = deal["hands"]
        self.hand_size: int = deal["hand"]
        self.decider = 0  # the seat that decides, and whose thoughts are thought

        # Where the cards are. Position 0 of a deck is the top.
        self.action_deck: list[Card] = []  # solo
        self.turned: Card | None = None  # the card turned before the selection, in solo
        self.hands: list[list[Card]] = []  # of the seats, those being played
        self.selected: list[Card] = []  # of the seats that have selected
        self.dealt: list[list[list[Card]]] = []  # the hands of the round, first those that are played first
        self.sons_deck: list[int] = []

        # What is counted on the way (E2 to E4).
        self.rounds = 0
        self.turn = 0  # of the round
        self.decisions = [0 for _ in self.seats]
        self.forced_decisions = [0 for _ in self.seats]
        self.resolutions = [0 for _ in self.seats]
        self.end_effects = [0 for _ in self.seats]
        self.messenger_cards: list[int] = []  # in force
        self.sons_cards: list[int] = []  # in force from the first round on
        self.opening: list[set[int]] = [set() for _ in self.seats]
        self.drawn: list[set[int]] = [set() for _ in self.seats]
        self.played: list[set[int]] = [set() for _ in self.seats]
        self.truncated = False
        self.won = False

    def tell(self, line: str) -> None:
        self.table.tell(line)

    # Setup: A2, D1 to D6

    def set_up(self) -> None:
        world, table, setup = self.world, self.table, self.streams.setup
        first = list(world.provinces)  # D1
        setup(0).shuffle(first, 10)
        sons = list(SONS)  # D2
        setup(1).shuffle(sons)
        self.start_sons(sons[:5], first[:5])
        self.start_messengers(first[5:10])

        cards = list(world.provinces)  # D4
        setup(3).shuffle(cards)
        self.start_sons(sons[5:], cards[:5])
        table.province_deck = cards[5:]
        table.look_at_deck()
        self.tell(f"The top Province is {world.province_name[table.province_deck[0]]}.")

        messengers = list(MESSENGERS)  # D5
        setup(4).shuffle(messengers)
        for messenger in messengers[: int(self.options["messenger_cards"])]:
            self.messenger_cards.append(messenger)
            table.messenger_with[world.messenger_ability[messenger]] = messenger
            self.tell(f"In force: {world.messenger_card[messenger]} ({world.colour[messenger]}).")
        if self.options["advanced"]:  # D6
            self.sons_deck = list(SONS)
            setup(5).shuffle(self.sons_deck)
            for _ in range(int(self.options["extra_sons_cards"])):
                self.turn_sons_card()

    def start_sons(self, sons: Sequence[int], provinces: Sequence[int]) -> None:
        for son, province in zip(sons, provinces, strict=True):
            self.table.sons[son] = province
            self.start_with(BLACK, province)
            self.tell(f"{self.world.son_name[son]} starts in {self.world.province_name[province]}.")

    def start_messengers(self, provinces: Sequence[int]) -> None:
        """B10, D3."""
        left = list(MESSENGERS)
        at_random = self.options["placement"] == "random"
        if at_random:
            self.streams.setup(2).shuffle(left)
        for province in provinces:
            messenger = left[0] if at_random else self.decide(0, left, lambda: [0 for _ in left])  # PLACE
            left.remove(messenger)
            self.table.messengers[messenger] = province
            self.start_with(GOLD, province)
            self.tell(f"The {self.world.colour[messenger]} Messenger starts in {self.world.province_name[province]}.")

    def start_with(self, colour: str, province: int) -> None:
        """A cube of the setup, which is neither counted nor told (B29)."""
        self.table.supply[colour] -= 1
        self.table.cubes[colour][province] += 1

    # Decisions: part C, D10

    def decide(self, seat: int, choices: Sequence[Choice], scores: Callable[[], Sequence[int]]) -> Choice:
        """Let the policy of a seat take one of the choices; `scores` is not asked by the policy random."""
        if sum(self.decisions) >= MOST_DECISIONS:
            raise Truncated
        self.decisions[seat] += 1
        if len(choices) == 1:  # nothing to think about, nothing to draw
            self.forced_decisions[seat] += 1
            return choices[0]
        best = list(choices)
        if self.policy[seat] != "random":
            worth = scores()
            highest = max(worth)
            best = [choice for choice, score in zip(choices, worth, strict=True) if score == highest]
        return best[self.policy_stream[seat].below(len(best))]

    def take(self, choices: Sequence[Choice], score: Callable[[Choice], int]) -> Choice:
        """A choice within an operation or an ability, or NIGHT."""

        def scores() -> list[int]:
            if self.policy[self.decider] == "loyal_only" and self.section not in [LOYAL, NIGHT]:
                return [0 for _ in choices]
            return [score(choice) for choice in choices]

        return self.decide(self.decider, choices, scores)

    def look_at_top(self) -> None:
        """The game knows it."""

    def is_cautious(self) -> bool:
        return self.policy[self.decider] == "cautious"

    def decline(self) -> None:
        super().decline()
        self.tell(f"Seat {self.decider} declines.")

    def imagine(self, parts: Sequence[tuple[Card, str]]) -> Board:
        """The board as the seat that decides imagines it after these sections of cards."""
        dream = Imagined(self.world, self.table.imagined(), self.is_cautious(), self.policy_stream[self.decider])
        with suppress(Over):
            for card, section in parts:
                dream.section = section
                for operation in card.sections[section]:
                    dream.carry_out(operation)
        return dream.board

    def imagined_value(self, parts: Sequence[tuple[Card, str]]) -> int:
        return value(self.imagine(parts), self.is_cautious())

    # The round: B36, B37, part C

    def play_round(self) -> None:
        self.rounds += 1
        self.turn = 0
        self.table.one_more_gold_used = False
        self.tell(f"Round {self.rounds}.")
        if self.options["advanced"]:
            self.turn_sons_card()
        self.move_at_night()
        self.deal()
        for hands in self.dealt:
            self.hands = hands
            while len(self.hands[0]) > 1:
                self.play_turn()
            self.end_hand()
        self.end_round()

    def turn_sons_card(self) -> None:
        """A9, B37: cards are turned until one of a living Son comes."""
        while self.sons_deck:
            son = self.sons_deck.pop(0)
            if self.table.sons[son] is not None:
                if self.rounds <= 1:
                    self.sons_cards.append(son)
                self.table.son_with[self.world.son_ability[son]] = son
                self.tell(f"In force: {self.world.son_name[son]}.")
                return
            self.tell(f"{self.world.son_name[son]} is destroyed already.")

    def move_at_night(self) -> None:
        """NIGHT."""
        messenger = self.table.messenger_with.get("moves_at_night")
        if messenger is None:
            return
        self.decider, self.section = 0, NIGHT
        self.walk_as_chosen(messenger, 2)
        self.section = OTHER

    def deal(self) -> None:
        """D7."""
        cards = list(self.world.cards)
        needed = len(self.seats) * self.hands_each * self.hand_size
        if self.solo:
            needed += self.hand_size + 1
        self.streams.chance(0, self.rounds).shuffle(cards, needed)
        self.dealt = [[[] for _ in self.seats] for _ in range(self.hands_each)]
        for seat in self.seats:
            for i in range(self.hands_each):
                start = (seat * self.hands_each + i) * self.hand_size
                dealt = cards[start : start + self.hand_size]
                self.dealt[i][seat] = dealt
                (self.opening if self.rounds == 1 else self.drawn)[seat].update(card.kind for card in dealt)
                self.tell(f"Seat {seat} is dealt {', '.join(str(card) for card in dealt)}.")
        if self.solo:
            self.action_deck = cards[self.hand_size : needed]

    def turn_action_card(self) -> Card:
        """Solo: the top card of the Action deck."""
        card = self.action_deck.pop(0)
        self.drawn[0].add(card.kind)
        self.tell(f"The deck shows {card}.")
        return card

    # A turn: A3, A7, B13

    def play_turn(self) -> None:
        self.turn += 1
        self.selected = []
        if self.solo:
            out = self.select_in_solo()
        else:
            for seat in self.seats:
                self.selected.append(self.select(seat))
            out = [Out(seat, self.selected[seat]) for seat in self.seats]
        self.resolve_all(out, self.resolve)

    def select_in_solo(self) -> list[Out]:
        if self.options["solo_deck_peek"] == "before_choice":
            self.turned = self.turn_action_card()
            selected = self.select(0)
            turned = self.turned
            self.turned = None
        else:
            selected = self.select(0)
            turned = self.turn_action_card()
        return [Out(0, selected), Out(0, turned)]

    def select(self, seat: int) -> Card:
        """SELECT."""
        self.decider = seat
        choices = in_order(self.hands[seat])
        card = self.decide(seat, choices, lambda: select_scores(self, seat, choices))
        self.hands[seat].remove(card)
        self.tell(f"Seat {seat} selects {card}.")
        return card

    # Resolving: A3, A4, B3, B11

    def resolve_all(self, out: Sequence[Out], resolve: Callable[[Out], None]) -> None:
        """One card after the other; then the turn is over."""
        left = list(out)
        while left:
            following = self.next_of(left, resolved=len(out) - len(left))
            left.remove(following)
            self.decider = self.table.owner = following.owner
            self.played[following.owner].add(following.card.kind)
            resolve(following)
            self.table.owner = None
            self.end_of("card")
        self.end_of("turn")

    def next_of(self, left: Sequence[Out], resolved: int) -> Out:
        """B11, D9."""
        lowest = min(out.card.number for out in left)
        tied = [out for out in left if out.card.number == lowest]
        if len(tied) == 1 or self.options["equal_numbers"] == "seat_order":
            return tied[0]
        if self.options["equal_numbers"] == "owner_agreement":
            first = self.decide(tied[0].owner, tied, lambda: [0 for _ in tied])  # ORDER
        else:
            lot = self.streams.chance(2, 1024 * self.rounds + 32 * self.turn + resolved)
            first = tied[lot.below(len(tied))]
        self.tell(f"{first.card} goes first.")
        return first

    def resolve(self, out: Out) -> None:
        """Loyal and Evil Action."""
        self.resolutions[out.owner] += 1
        if self.wants_loyal_action(out):
            self.carry_out_section(out.card, LOYAL)
        self.carry_out_section(out.card, EVIL)
        if self.solo and self.options["resolved_cards"] == "on_top":  # B20
            self.action_deck.insert(0, out.card)

    def wants_loyal_action(self, out: Out) -> bool:
        """LOYAL, B19."""
        if not self.options["loyal_optional"] or not out.card.sections[LOYAL]:
            return True
        wanted = self.decide(out.owner, [True, False], lambda: self.loyal_scores(out.card))
        if not wanted:
            self.table.count("declined")
            self.tell(f"Seat {out.owner} leaves out the Loyal Action of {out.card}.")
        return wanted

    def loyal_scores(self, card: Card) -> list[int]:
        if self.policy[self.decider] == "loyal_only":
            return [1, 0]
        return [self.imagined_value([(card, LOYAL)]), self.as_it_is()]

    def carry_out_end_effect(self, out: Out) -> None:
        self.end_effects[out.owner] += 1
        self.carry_out_section(out.card, END)

    def carry_out_section(self, card: Card, section: str) -> None:
        self.section = section
        if card.sections[section]:
            name = {LOYAL: "Loyal Action", EVIL: "Evil Action", END: "End Effect"}[section]
            self.tell(f"{name} of {card}.")
        for operation in card.sections[section]:
            self.carry_out(operation)
        self.section = OTHER

    def end_of(self, part: str) -> None:
        """B3: whether the game is over at the end of a card or a turn."""
        if self.table.due and self.options["end_timing"] == f"finish_{part}":
            raise Over

    # The end of a hand: A4, A7, B14, B38

    def end_hand(self) -> None:
        self.turn += 1
        for seat in self.seats:
            self.tell(f"Seat {seat} has {self.hands[seat][0]} left.")
        out = [Out(seat, self.hands[seat][0]) for seat in self.seats]
        if self.solo:
            out += [Out(0, self.turn_action_card()), Out(0, self.turn_action_card())]
            out = self.pick_two(out)
        self.resolve_all(out, self.carry_out_end_effect)

    def pick_two(self, three: Sequence[Out]) -> list[Out]:
        """PICK or lot; gives the two in the order in which they lie."""
        pairs = list(combinations(in_order([out.card for out in three]), 2))
        if self.options["solo_end_pick"] == "best_two":
            self.decider = 0
            pair = self.decide(0, pairs, lambda: self.pick_scores(pairs))
        else:
            pair = pairs[self.streams.chance(3, self.rounds).below(3)]
        self.tell(f"{pair[0]} and {pair[1]} count.")
        return [out for out in three if out.card in pair]

    def pick_scores(self, pairs: Sequence[tuple[Card, ...]]) -> list[int]:
        if self.policy[0] == "loyal_only":
            return [0 for _ in pairs]
        return [self.imagined_value([(card, END) for card in pair]) for pair in pairs]

    # The end of a round: B34 to B36

    def end_round(self) -> None:
        self.decider = 0  # B33
        table, world = self.table, self.world
        messenger = table.messenger_with.get("gold_each_round")
        if messenger is not None:
            self.tell(f"End of the round: {world.messenger_card[messenger]}.")
            table.place(GOLD, table.messengers[messenger], 1)
            self.end_of("card")
        for son in SONS:
            ability = world.son_ability[son]
            if ability in AT_ROUND_END and table.son_with.get(ability) == son:
                self.tell(f"End of the round: {world.son_name[son]}.")
                self.use_son(son, ability)
                self.end_of("card")
        self.end_of("turn")

    def use_son(self, son: int, ability: str) -> None:
        """B35."""
        home = self.table.home(son)
        match ability:
            case "black_at_home":
                self.table.place(BLACK, home, 1)
            case "runs_to_top":
                could_move = home != self.table.top
                if could_move:
                    self.lead_to_top([son])
                self.discard_after_move(could_move)
            case "moves_calendar":
                self.table.step_calendar()
            case "black_next_door":
                there = self.take(
                    self.world.neighbours[home], lambda p: self.try_out(lambda trial: put_black(trial.board, p))
                )
                put_black(self.table, there)
            case "takes_gold":
                self.table.remove(GOLD, home, 1)

    # The end: A8

    def finish(self) -> None:
        unsafe = self.table.unsafe()
        self.won = not unsafe
        if unsafe:
            listed = ", ".join(f"{self.world.province_name[p]} ({self.table.balance(p)})" for p in unsafe)
            self.tell(f"Unsafe: {listed}.")
        else:
            self.tell("All Provinces are safe.")
        self.tell("The team wins." if self.won else "The team loses.")


def put_black(board: Board, province: int) -> None:
    """`black_next_door`."""
    board.place(BLACK, province, 1)


def in_order(cards: Sequence[Card]) -> list[Card]:
    """By kind."""
    return sorted(cards, key=lambda card: card.kind)


# SELECT: part C


def actions(cards: Sequence[Card]) -> list[tuple[Card, str]]:
    """Loyal and Evil Action of each card, in ascending number; of equal numbers as they are given."""
    return [(card, section) for card in sorted(cards, key=lambda card: card.number) for section in [LOYAL, EVIL]]


def select_scores(game: Game, seat: int, choices: Sequence[Card]) -> list[int]:
    """What the cards of a hand are worth to its seat."""
    policy = game.policy[seat]
    if policy == "loyal_only":
        return [-game.imagine([(card, LOYAL)]).supply[GOLD] for card in choices]
    if policy == "pooled" and game.options["communication"] == "pooled" and len(game.seats) > 1:
        return pooled_scores(game, seat, choices)
    shown = [] if game.turned is None else [game.turned]
    now = [game.imagined_value(actions([card, *shown])) for card in choices]
    later = [game.imagined_value([(card, END)]) for card in choices]
    return [2 * now[i] + max(later[:i] + later[i + 1 :]) for i in range(len(choices))]


def pooled_scores(game: Game, seat: int, choices: Sequence[Card]) -> list[int]:
    """SELECT of `pooled` with open hands: the cards of the best plans for all seats."""
    later = {
        card.kind: game.imagined_value([(card, END)])
        for other in game.seats
        for card in in_order(game.hands[other])  # what has been selected is not among them
    }

    def points(plan: Sequence[Card]) -> int:
        """Of a plan for the seats 0, 1, ..."""
        total = 2 * game.imagined_value(actions(plan))
        for other, chosen in enumerate(plan):
            total += max(later[card.kind] for card in game.hands[other] if card is not chosen)
        return total

    plans: list[tuple[list[Card], int]] = [(list(game.selected), 0)]  # with their points
    for other in game.seats[seat:]:
        longer = [[*plan, card] for plan, _ in plans for card in in_order(game.hands[other])]
        valued = [(plan, points(plan)) for plan in longer]
        valued.sort(key=lambda entry: entry[1], reverse=True)  # of equals the one made first stays first
        plans = valued[:4]
    return [next((points for plan, points in plans if plan[seat] is card), NEVER) for card in choices]


# What is recorded: E2 to E4


def columns_of(game: Game) -> dict[str, int]:
    """E2."""
    table, counts = game.table, game.table.counts
    balances = [table.balance(province) for province in game.world.provinces]
    unsafe = table.unsafe()
    columns = {
        "end_reason": 0 if game.truncated else END_REASON[table.due],
        "decisions": sum(game.decisions),
        "forced_decisions": sum(game.forced_decisions),
        "team_won": int(game.won),
        "rounds": min(40, game.rounds),
        "resolutions": min(200, sum(game.resolutions)),
        "end_effects": min(100, sum(game.end_effects)),
        "skipped": min(100, counts["skipped"]),
        "declined": min(100, counts["declined"]),
        "calendar": table.calendar,
        "gold_left": table.supply[GOLD],
        "black_left": table.supply[BLACK],
        "black_removed": min(60, counts["black_removed"]),
        "sons_destroyed": counts["sons_destroyed"],
        "unsafe_provinces": len(unsafe),
        "deficit": -sum(balances[province] for province in unsafe),
        "margin": min(balances),
        "province_shuffles": min(30, table.province_shuffles),
    }
    columns |= {f"messenger_card_{i + 1}": int(i in game.messenger_cards) for i in MESSENGERS}
    columns |= {f"sons_card_{son + 1}": int(son in game.sons_cards) for son in SONS}
    columns |= {f"unsafe_{province + 1}": int(province in unsafe) for province in range(20)}
    return columns


def mask(kinds: set[int]) -> int:
    """E4."""
    return sum(2**kind for kind in kinds)


def player_of(game: Game, seat: int) -> dict[str, int]:
    """E3 and E4."""
    counts = game.table.counts_of[seat]
    return {
        "turn_order": seat,
        "won": int(game.won),
        "decisions": game.decisions[seat],
        "forced_decisions": game.forced_decisions[seat],
        "resolutions": min(100, game.resolutions[seat]),
        "end_effects": min(50, game.end_effects[seat]),
        "gold_placed": min(60, counts["gold_placed"]),
        "black_placed": min(60, counts["black_placed"]),
        "sons_destroyed": counts["sons_destroyed"],
        "opening_cards": mask(game.opening[seat]),
        "drawn_cards": mask(game.drawn[seat]),
        "played_cards": mask(game.played[seat]),
    }


def play(
    options: Mapping[str, str | int | bool],
    box: Mapping[str, Any],
    players: int,
    policies: Sequence[str],
    streams: Streams,
) -> Playout:
    """Play one game from the setup to the end."""
    game = Game(options, box, players, policies, streams)
    try:
        game.set_up()
        while True:
            game.play_round()
    except Over:
        game.finish()
    except Truncated:
        game.truncated = True
    return Playout(columns_of(game), [player_of(game, seat) for seat in game.seats], game.table.story)
