"""How a playout of PRRRT... is told (RULES.md E1): event codes, and the sentences they become."""

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games.prrrt.box import CONTEXTS, DIRECTIONS
from simkit.spec import Told

# Event codes; 0 is a decision (kernel/drive.py). Behind each: the numbers noted with it. Smell cards are noted together,
# as how many there are and the number that their ascending values form as digits; Shame cards one by one.
ROUND = 1  # round, context, direction, first player
LAID = 2  # whether face down, value
ADDED = 3  # whether face down, value
MISSING = 4  # how many
DEALT = 5  # seat, how many, digits
ANSWERED = 6  # seat, whether it owns up
TURNED = 7  # asker, value
NOTHING_LEFT = 8  # seat
NO_EFFECT = 9  # value
OFFERS = 10  # seat, other seat
EXCHANGES = 11  # seat, other seat
DECLINES = 12  # seat
PASSED_ON = 13  # other seat, value, how many
EMPTY_HAND = 14  # other seat
DREW = 15  # seat, how many, digits, other seat
TOOK = 16  # seat, how many, digits, other seat
GAVE = 17  # seat, how many, digits, other seat
SWAPPED = 18  # seat, value, other seat
DISCARDS = 19  # seat, how many, digits
POINTS = 20  # seat, other seat or -1
TOTAL = 21  # total
ZEROS = 22  # seat
SHARED = 23  # mask of seats
CULPRIT = 24  # seat
TAKES = 25  # seat, value
FINGERS = 26  # seat, value
WRONG = 27  # seat, value
ENDS = 28  # end reason
SCORE = 29  # points
LOSES = 30  # seat

# Events noted one by one and told together: how many numbers they must share; the next number is what is listed.
TOGETHER = {LAID: 1, TOTAL: 0, TAKES: 1, FINGERS: 1, SCORE: 0}

SHAME_FACES = ("face up", "face down")
REASONS = {
    1: "all five contexts have been played",
    2: "the sideways Shame card has been drawn",
    3: "all five contexts have been played and the sideways Shame card has been drawn",
    4: "the Shame deck is empty",
}


def tell(events: Sequence[Sequence[int]], rules: Any) -> Iterator[Told]:
    """The events of a trace as lines of a story, with what a program would want to know of decisions and chance."""
    i = 0
    while i < len(events):
        code = events[i][0]
        end = i + 1
        if code in TOGETHER:
            shared = 1 + TOGETHER[code]
            while end < len(events) and list(events[end][:shared]) == list(events[i][:shared]):
                end += 1
            yield told_list(code, events[i][1], [event[shared] for event in events[i:end]])
        elif code == 0:
            yield Told("", told_decision(*events[i][1:5]))
        else:
            yield told_event(rules, *events[i][:5])
        i = end


def joined(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def cards_of(number: int, digits: int) -> list[int]:
    """The Smell cards noted as how many and digits."""
    return [int(digit) for digit in f"{digits:0{number}d}"] if number else []


def told_list(code: int, first: int, values: list[int]) -> Told:
    """Events that are told together; `first` is the number they share, if any."""
    about: dict[str, Any]
    if code == LAID:
        about = {"event": "chance", "what": f"Shame {SHAME_FACES[first]}", "cards": values}
        return Told(f"Shame {SHAME_FACES[first]}: {joined(values)}.", about)
    if code == TOTAL:
        return Told(f"Totals: {joined(values)}.")
    if code == TAKES:
        return Told(f"Seat {first} takes {joined(values)} from the centre.")
    if code == FINGERS:
        about = {"event": "chance", "what": "Shame for fingers", "seat": first, "cards": values}
        return Told(f"Seat {first} draws {joined(values)} for fingers.", about)
    return Told(f"Scores: {joined(values)}.")


def told_decision(seat: int, choice: int, count: int, code: int) -> dict[str, Any]:
    what, chosen = meaning(code)
    return {"event": "decision", "seat": seat, "what": what, "chosen": chosen, "choice": choice, "choices": count}


def meaning(code: int) -> tuple[str, str]:
    """A choice code (RULES.md C) in words: which decision, and what is chosen."""
    if code < 10:
        return "answer", ("own up", "deny")[code]
    if code < 50:
        kind, seat = divmod(code, 10)
        what = ("", "offer of the Shame pile", "exchange with a 4", "exchange with a 6", "accusation")[kind]
        return what, f"seat {seat}" if seat != 9 else "nobody" if kind == 4 else "decline"
    if code < 200:
        seat, value = divmod(code - 100, 10)
        return "swap of a 5", f"{value} of seat {seat}"
    taken, rest = divmod(code, 100_000)
    number, rest = divmod(rest, 10_000)
    seat, digits = divmod(rest, 1_000)
    cards = joined(cards_of(number, digits))
    return ("", "cards taken", "cards given")[taken], f"{cards} {('', 'from', 'to')[taken]} seat {seat}"


def told_event(rules: Any, code: int, a: int, b: int, c: int, d: int) -> Told:
    """An event that has a line of its own. a to d: the numbers noted with it."""
    if code <= MISSING:
        return told_centre(code, a, b, c, d)
    if code in (DEALT, DREW, TOOK, GAVE, DISCARDS):
        return told_cards(code, a, cards_of(b, c), d)
    if code <= SWAPPED:
        return told_question(code, a, b, c)
    return told_reckoning(rules, code, a, b)


def told_centre(code: int, a: int, b: int, c: int, d: int) -> Told:
    """A round begins; Shame cards in the centre."""
    about: dict[str, Any]
    if code == ROUND:
        about = {"event": "chance", "what": "location", "context": CONTEXTS[b], "direction": DIRECTIONS[c]}
        return Told(f"Round {a}: {CONTEXTS[b]}, to the {DIRECTIONS[c]}, seat {d} first.", about)
    if code == ADDED:
        about = {"event": "chance", "what": f"Shame {SHAME_FACES[a]}", "cards": [b]}
        return Told(f"One more Shame card, {SHAME_FACES[a]}: {b}.", about)
    return Told(f"The Shame deck is empty: {a} missing.")


def told_cards(code: int, seat: int, cards: list[int], other: int) -> Told:
    """Smell cards that are dealt, change hands or are discarded."""
    about: dict[str, Any]
    words = joined(cards)
    if code == DEALT:
        about = {"event": "chance", "what": "deal", "seat": seat, "cards": cards}
        return Told(f"Seat {seat} is dealt {words}.", about)
    if code == DREW:
        about = {"event": "chance", "what": "blind draw", "seat": seat, "cards": cards, "from": other}
        return Told(f"Seat {seat} draws {words} from seat {other}.", about)
    if code == TOOK:
        return Told(f"Seat {seat} takes {words} from seat {other}.")
    if code == GAVE:
        return Told(f"Seat {seat} gives {words} to seat {other}.")
    return Told(f"Seat {seat} discards {words}.")


def told_question(code: int, a: int, b: int, c: int) -> Told:
    """An answer, and the effect of what is turned up."""
    if code == ANSWERED:
        return Told(f"Seat {a} owns up." if b else f"Seat {a} denies.")
    if code == TURNED:
        return Told(f"Seat {a} turns up {b}.", {"event": "chance", "what": "turn up", "seat": a, "cards": [b]})
    if code == NOTHING_LEFT:
        return Told(f"Seat {a} has no card left to turn up.")
    if code == NO_EFFECT:
        return Told(f"The {a} has no effect.")
    if code == OFFERS:
        return Told(f"Seat {a} offers its Shame pile to seat {b}.")
    if code == EXCHANGES:
        return Told(f"Seat {a} exchanges with seat {b}.")
    if code == DECLINES:
        return Told(f"Seat {a} declines.")
    if code == PASSED_ON:
        about = {"event": "chance", "what": "Shame card shown", "seat": a, "cards": [b], "moved": c}
        return Told(f"Seat {a} draws {b} and takes {c} x {b}.", about)
    if code == EMPTY_HAND:
        return Told(f"Seat {a} has no card to exchange.")
    assert code == SWAPPED
    return Told(f"Seat {a} takes the {b} of seat {c} and leaves its 5 there.")


def told_reckoning(rules: Any, code: int, a: int, b: int) -> Told:
    """The accusations, what comes of them, and the end."""
    if code == POINTS:
        return Told(f"Seat {a} points at {f'seat {b}' if b >= 0 else 'nobody'}.")
    if code == ZEROS:
        return Told(f"Seat {a} shows five zeros.")
    if code == SHARED:
        seats = [seat for seat in range(rules.players) if (a >> seat) & 1]
        return Told(f"Seats {joined(seats)} share the largest total.")
    if code == CULPRIT:
        return Told(f"Seat {a} is the culprit.")
    if code == WRONG:
        about = {"event": "chance", "what": "Shame for a wrong accusation", "seat": a, "cards": [b]}
        return Told(f"Seat {a} draws {b} for a wrong accusation.", about)
    if code == ENDS:
        return Told(f"The game ends: {REASONS[a]}.")
    assert code == LOSES
    return Told(f"Seat {a} loses.")
