"""How a playout of Pug You! is told (RULES.md E1): event codes, and the sentences they become."""

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games.pug_you.box import LEVELS, PLACES, count
from simkit.games.pug_you.state import (
    AGAIN_CODE,
    CHOOSE_CODE,
    DECLINE_CODE,
    NOMINATE_CODE,
    OWN_CODE,
    SEAT_CODE,
    SECOND_CODE,
    TIEBREAK_CODE,
    VOTE_CODE,
)
from simkit.spec import Told

# Event codes; 0 is a decision (kernel/drive.py). Behind each: the numbers noted with it.
BEGINS = 1  # seat
DEALT = 2  # seat, card
TURN = 3  # turn, seat
OFFERS = 4  # seat, card
NO_OFFER = 5  # seat
DRAWS = 6  # seat, card
TAKES_OFFER = 7  # active seat, seat, card
ASKS_OWN = 8  # seat, card
SKIPPED = 9
NOMINATES = 10  # active seat, seat, seat
VOTES = 11  # seat, nominee, card
NO_VOTE = 12  # seat
COUNTED = 13  # nominee, turds, nominee, turds
DECIDES = 14  # active seat, nominee
TAKES = 15  # seat, card, total of badges
LIMIT = 16  # badges
ASKS_AGAIN = 17  # seat, card
DECLINES = 18  # seat
NO_CARD_FOR_SECOND = 19  # seat
SHUFFLED = 20  # cards
SHORT = 21  # seat, cards
ENDS = 22  # end reason
TOTAL = 23  # seat, badges
LOSES = 24  # seat

ENDINGS = ("", "everybody has been active twice", "the limit of badges", "no card is left")


def card_name(number: int) -> str:
    """'green 12': the level and the place, from the number of a card."""
    level, place = divmod(number, PLACES)
    return f"{LEVELS[level]} {place + 1}"


def name_of(rules: Any, card: int) -> str:
    return card_name(int(rules.number[card]))


def worth(rules: Any, card: int) -> str:
    return f"{name_of(rules, card)} ({count(int(rules.badges[card]), 'badge')})"


def tell(events: Sequence[Sequence[int]], rules: Any) -> Iterator[Told]:
    """The events of a trace as lines of a story, with what a program would want to know of decisions and chance."""
    i = 0
    while i < len(events):
        code, a, b, c, d, _ = events[i]
        if code in (DEALT, DRAWS, TOTAL):  # noted one by one and told together
            numbers = [b]
            while i + 1 < len(events) and events[i + 1][0] == code and (code == TOTAL or events[i + 1][1] == a):
                i += 1
                numbers.append(events[i][2])
            yield told_together(rules, code, a, numbers)
        elif code == 0:
            yield Told("", told_decision(a, b, c, d))
        else:
            yield told_event(rules, code, a, b, c, d)
        i += 1


def told_together(rules: Any, code: int, seat: int, numbers: Sequence[int]) -> Told:
    if code == TOTAL:
        return Told(f"Badges: {', '.join(map(str, numbers))}.")
    cards = [name_of(rules, card) for card in numbers]
    verb, what = ("is dealt", "deal") if code == DEALT else ("draws", "draw")
    about = {"event": "chance", "what": what, "seat": seat, "cards": cards}
    return Told(f"Seat {seat} {verb} {', '.join(cards)}.", about)


def told_decision(seat: int, choice: int, choices: int, code: int) -> dict[str, Any]:
    what, chosen = meaning(code)
    about: dict[str, Any] = {"event": "decision", "seat": seat, "what": what}
    return about | {"chosen": chosen, "choice": choice, "choices": choices}


def meaning(code: int) -> tuple[str, str]:
    """What a choice code decides, and what it means in words."""
    if code >= VOTE_CODE:
        card, nominee = divmod(code - VOTE_CODE, SEAT_CODE)
        return "vote", f"{card_name(card)} for seat {nominee}"
    base, rest = code // 1000 * 1000, code % 1000
    if base == 0:
        return "offer", card_name(rest)
    if base == OWN_CODE:
        return "question of the own hand", card_name(rest)
    if base == CHOOSE_CODE:
        return "choice of an offer", f"seat {rest}"
    if base == NOMINATE_CODE:
        return "nomination", f"seats {rest // SEAT_CODE} and {rest % SEAT_CODE}"
    if base == TIEBREAK_CODE:
        return "tie", f"seat {rest}"
    if base == AGAIN_CODE:
        return "second question", f"scored {card_name(rest)}"
    if base == SECOND_CODE:
        return "second question", card_name(rest)
    assert base == DECLINE_CODE
    return "second question", "decline"


def told_event(rules: Any, code: int, a: int, b: int, c: int, d: int) -> Told:
    if code == BEGINS:
        return Told(f"Seat {a} begins.", {"event": "chance", "what": "first player", "seat": a})
    if code == SHUFFLED:
        about = {"event": "chance", "what": "shuffle of the discards", "cards": a}
        return Told(f"The discards are shuffled: {count(a, 'card')}.", about)
    if code == TURN:
        return Told(f"Turn {a}: seat {b} is active.")
    if code == OFFERS:
        return Told(f"Seat {a} offers {name_of(rules, b)}.")
    if code == NO_OFFER:
        return Told(f"Seat {a} has no card to offer.")
    if code == TAKES_OFFER:
        return Told(f"Seat {a} takes the card of seat {b}: {worth(rules, c)}.")
    if code == ASKS_OWN:
        return Told(f"Seat {a} asks {name_of(rules, b)} of the own hand ({count(int(rules.badges[b]), 'badge')}).")
    if code == SKIPPED:
        return Told("The turn is skipped.")
    if code == NOMINATES:
        return Told(f"Seat {a} nominates seat {b} and seat {c}.")
    if code == VOTES:
        return Told(f"Seat {a} votes for seat {b} with {name_of(rules, c)} ({count(int(rules.turds[c]), 'turd')}).")
    if code == NO_VOTE:
        return Told(f"Seat {a} has no card to vote with.")
    if code == COUNTED:
        return Told(f"Seat {a} gets {count(b, 'turd')}, seat {c} gets {count(d, 'turd')}.")
    return told_outcome(rules, code, a, b, c)


def told_outcome(rules: Any, code: int, a: int, b: int, c: int) -> Told:
    """What follows a count."""
    if code == DECIDES:
        return Told(f"Seat {a} decides for seat {b}.")
    if code == TAKES:
        return Told(f"Seat {a} takes {name_of(rules, b)} and has {count(c, 'badge')}.")
    if code == LIMIT:
        return Told(f"The limit of {count(a, 'badge')} is reached.")
    if code == ASKS_AGAIN:
        return Told(f"Seat {a} asks the scored {name_of(rules, b)} again ({count(int(rules.badges[b]), 'badge')}).")
    if code == DECLINES:
        return Told(f"Seat {a} asks no second question.")
    if code == NO_CARD_FOR_SECOND:
        return Told(f"Seat {a} has no card for a second question.")
    if code == SHORT:
        return Told(f"Seat {a} has only {count(b, 'card')}.")
    if code == ENDS:
        return Told(f"The game ends: {ENDINGS[a]}.")
    assert code == LOSES
    return Told(f"Seat {a} loses.")
