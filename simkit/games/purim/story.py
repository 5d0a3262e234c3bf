"""How a playout of Purim is told (RULES.md E1): event codes, and the sentences they become."""

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games.purim.box import card_name, operation_words, read_name
from simkit.games.purim.state import (
    DECLINE_ORIGIN,
    DECLINE_SON,
    LOYAL_CODE,
    NIGHT_CODE,
    ORDER_CODE,
    ORIGIN_CODE,
    PAIR_CODE,
    PICK_CODE,
    PLACE_CODE,
    PROVINCE_CODE,
    RIDE_CODE,
    RIDER_CODE,
    ROUTE_CODE,
    SELECT_CODE,
    SET_CODE,
    SON_CODE,
    STEP_CODE,
    WALK_CODE,
)
from simkit.spec import Told

# Event codes; 0 is a decision (kernel/drive.py). Behind each: the numbers noted with it.
SON_STARTS = 1  # Son, Province
MESSENGER_STARTS = 2  # Messenger, Province
TOP_IS = 3  # Province
MESSENGER_IN_FORCE = 4  # Messenger
SON_IN_FORCE = 5  # Son
SON_GONE = 6  # Son
ROUND = 7  # number
DEALT = 8  # seat, hand, kind
DECK_SHOWS = 9  # kind
SELECTS = 10  # seat, kind
LAST_CARD = 11  # seat, kind
GOES_FIRST = 12  # kind
COUNT = 13  # kind, kind
SECTION = 14  # kind, section
LEAVES_OUT = 15  # seat, kind
SKIPPED = 16  # kind, section, operation
DECLINES = 17  # seat
GOLD = 18  # cubes, Province
BLACK = 19  # cubes, Province
GOLD_TAKEN = 20  # cubes, Province
BLACK_TAKEN = 21  # cubes, Province
WALKS = 22  # Messenger, from, to
STAYS = 23  # Messenger, Province
RIDES = 24  # Messenger, Province
SON_MOVES = 25  # Son, Province
DESTROYED = 26  # Son
CALENDAR_MOVES = 27  # space
DISCARDED = 28  # Province, new top, whether the deck was shuffled
MESSENGER_AT_END = 29  # Messenger
SON_AT_END = 30  # Son
DUE = 31  # end reason
UNSAFE = 32  # Province, gold - black
ALL_SAFE = 33
WINS = 34
LOSES = 35

SECTION_NAMES = ("Loyal Action", "Evil Action", "End Effect")
DUE_WORDS = (
    "",
    "The gold cubes have run out.",
    "The black cubes have run out.",
    "The Calendar has come to its end.",
)


class Names:
    """What the pieces of a box are called."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.sons = [read_name(name) for name in rules.son_name]

    def province(self, number: int) -> str:
        return read_name(self.rules.province_name[number])

    def colour(self, number: int) -> str:
        return read_name(self.rules.colour[number])

    def ability(self, number: int) -> str:
        return read_name(self.rules.ability_name[number])

    def card(self, kind: int) -> str:
        return card_name(self.rules, kind)

    def space(self, number: int) -> str:
        return read_name(self.rules.space_name[number])


def tell(events: Sequence[Sequence[int]], rules: Any) -> Iterator[Told]:
    """The events of a trace as lines of a story, with what a program would want to know of decisions and chance."""
    names = Names(rules)
    i = 0
    while i < len(events):
        code, a, b, c, d, _ = events[i]
        if code == DEALT:  # the cards of one hand are noted one by one and told together
            kinds = [c]
            while i + 1 < len(events) and tuple(events[i + 1][:3]) == (DEALT, a, b):
                i += 1
                kinds.append(events[i][3])
            cards = [names.card(kind) for kind in kinds]
            chance = {"event": "chance", "what": "deal", "seat": a, "hand": b + 1, "cards": cards}
            yield Told(f"Seat {a} is dealt {', '.join(cards)}.", chance)
        elif code == UNSAFE:
            unsafe = [f"{names.province(a)} ({b})"]
            while i + 1 < len(events) and events[i + 1][0] == UNSAFE:
                i += 1
                unsafe.append(f"{names.province(events[i][1])} ({events[i][2]})")
            yield Told(f"Unsafe: {', '.join(unsafe)}.")
        elif code == 0:
            yield Told("", told_decision(names, a, b, c, d))
        else:
            yield told_event(names, code, a, b, c)
        i += 1


# --- decisions


def told_decision(names: Names, seat: int, choice: int, count: int, code: int) -> dict[str, Any]:
    what, chosen = meaning(names, code)
    return {
        "event": "decision",
        "seat": seat,
        "what": what,
        "chosen": chosen,
        "choice": choice,
        "choices": count,
    }


def meaning(names: Names, code: int) -> tuple[str, str]:
    """A decision and a choice of it in words, from the choice's code."""
    if code >= ROUTE_CODE:
        pair, number = divmod(code - ROUTE_CODE, 10_000)
        origin, target = divmod(pair, 20)
        return "route", f"path {number + 1} from {names.province(origin)} to {names.province(target)}"
    if code >= RIDE_CODE:
        return "ride", " - ".join(names.province(digit - 1) for digit in digits(code - RIDE_CODE, 21) if digit)
    if code >= SET_CODE:
        return "Messengers", ", ".join(names.colour(digit - 1) for digit in digits(code - SET_CODE, 10))
    if code >= PICK_CODE:
        first, second = divmod(code - PICK_CODE, 32)
        return "pick", f"{names.card(first)} and {names.card(second)}"
    if code >= STEP_CODE:
        return "step", names.province(code - STEP_CODE)
    return short_meaning(names, code)


def short_meaning(names: Names, code: int) -> tuple[str, str]:
    if code >= ORIGIN_CODE:
        return "origin", "decline" if code == DECLINE_ORIGIN else names.province(code - ORIGIN_CODE)
    if code >= SON_CODE:
        return "Son", "decline" if code == DECLINE_SON else names.sons[code - SON_CODE]
    if code >= WALK_CODE:
        return "walk", "stay" if code == WALK_CODE else names.province(code - WALK_CODE - 1)
    if code >= RIDER_CODE:
        return "Messenger", names.colour(code - RIDER_CODE)
    if code >= PROVINCE_CODE:
        return "Province", names.province(code - PROVINCE_CODE)
    if code >= PAIR_CODE:
        return "pair", " and ".join(names.colour(digit - 1) for digit in digits(code - PAIR_CODE, 10))
    if code >= LOYAL_CODE:
        return "Loyal Action", "carry out" if code == LOYAL_CODE else "leave out"
    if code >= ORDER_CODE:
        return "order", f"card {code - ORDER_CODE + 1}"
    if code >= SELECT_CODE:
        return "selection", names.card(code - SELECT_CODE)
    if code >= NIGHT_CODE:
        return "night", "stay" if code == NIGHT_CODE else names.province(code - NIGHT_CODE - 1)
    return "place", names.colour(code - PLACE_CODE)


def digits(number: int, base: int) -> list[int]:
    """The digits of a number, the first one first."""
    found: list[int] = []
    while number:
        number, digit = divmod(number, base)
        found.append(digit)
    return found[::-1]


# --- events


def told_event(names: Names, code: int, a: int, b: int, c: int) -> Told:
    line = line_of_event(names, code, a, b, c)
    if code == SON_STARTS:
        return Told(line, {"event": "chance", "what": "Son", "son": names.sons[a], "province": names.province(b)})
    if code == DECK_SHOWS:
        return Told(line, {"event": "chance", "what": "deck", "card": names.card(a)})
    if code in (TOP_IS, DISCARDED):
        return Told(line, {"event": "chance", "what": "top", "province": names.province(a if code == TOP_IS else b)})
    if code == SON_IN_FORCE:
        return Told(line, {"event": "chance", "what": "Sons card", "son": names.sons[a]})
    if code == MESSENGER_IN_FORCE:
        return Told(line, {"event": "chance", "what": "Messenger card", "messenger": names.colour(a)})
    return Told(line)


def line_of_event(names: Names, code: int, a: int, b: int, c: int) -> str:
    """The line of an event that stands for itself."""
    if code in (GOLD, BLACK, GOLD_TAKEN, BLACK_TAKEN):
        colour = "gold" if code in (GOLD, GOLD_TAKEN) else "black"
        taken = code in (GOLD_TAKEN, BLACK_TAKEN)
        return f"{a} {colour} {'taken from' if taken else 'in'} {names.province(b)}."
    if code in (MESSENGER_STARTS, WALKS, STAYS, RIDES):
        return line_of_messenger(names, code, a, b, c)
    if code in (SON_STARTS, SON_IN_FORCE, SON_GONE, SON_MOVES, DESTROYED, SON_AT_END):
        return line_of_son(names, code, a, b)
    if code in (DECK_SHOWS, SELECTS, LAST_CARD, GOES_FIRST, COUNT, SECTION, LEAVES_OUT, SKIPPED):
        return line_of_card(names, code, a, b, c)
    if code == DISCARDED:
        shuffled = " and the deck shuffled" if c else ""
        return f"{names.province(a)} is discarded{shuffled}, the top Province is {names.province(b)}."
    if code == DUE:
        return DUE_WORDS[a]
    return {
        TOP_IS: lambda: f"The top Province is {names.province(a)}.",
        MESSENGER_IN_FORCE: lambda: f"In force: {names.ability(a)} ({names.colour(a)}).",
        MESSENGER_AT_END: lambda: f"End of the round: {names.ability(a)}.",
        ROUND: lambda: f"Round {a}.",
        DECLINES: lambda: f"Seat {a} declines.",
        CALENDAR_MOVES: lambda: f"The Calendar moves to {names.space(a)}.",
        ALL_SAFE: lambda: "All Provinces are safe.",
        WINS: lambda: "The team wins.",
        LOSES: lambda: "The team loses.",
    }[code]()


def line_of_messenger(names: Names, code: int, messenger: int, a: int, b: int) -> str:
    who = f"The {names.colour(messenger)} Messenger"
    if code == MESSENGER_STARTS:
        return f"{who} starts in {names.province(a)}."
    if code == STAYS:
        return f"{who} stays in {names.province(a)}."
    if code == RIDES:
        return f"{who} rides to {names.province(a)}."
    return f"{who} moves from {names.province(a)} to {names.province(b)}."


def line_of_son(names: Names, code: int, son: int, p: int) -> str:
    name = names.sons[son]
    if code == SON_STARTS:
        return f"{name} starts in {names.province(p)}."
    if code == SON_MOVES:
        return f"{name} moves to {names.province(p)}."
    return {
        SON_IN_FORCE: f"In force: {name}.",
        SON_GONE: f"{name} is destroyed already.",
        DESTROYED: f"{name} is destroyed.",
        SON_AT_END: f"End of the round: {name}.",
    }[code]


def line_of_card(names: Names, code: int, a: int, b: int, c: int) -> str:
    if code == SKIPPED:
        return f"Skipped: {operation_words(names.rules.program[a, b, c], names.sons)}."
    if code == SECTION:
        return f"{SECTION_NAMES[b]} of {names.card(a)}."
    if code == LEAVES_OUT:
        return f"Seat {a} leaves out the {SECTION_NAMES[0]} of {names.card(b)}."
    if code == SELECTS:
        return f"Seat {a} selects {names.card(b)}."
    if code == LAST_CARD:
        return f"Seat {a} has {names.card(b)} left."
    if code == COUNT:
        return f"{names.card(a)} and {names.card(b)} count."
    return f"The deck shows {names.card(a)}." if code == DECK_SHOWS else f"{names.card(a)} goes first."
