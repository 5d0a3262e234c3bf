"""How a playout of Propuh is told (RULES.md E1): event codes, and the sentences they become."""

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games.propuh.box import LOCATIONS, card_name
from simkit.spec import Told

# Event codes; 0 is a decision (kernel/drive.py). Behind each: the numbers noted with it.
ASIDE = 1  # kind, kind
DEALT = 2  # side, kind
DIFFICULTY = 3  # difficulty, tokens, location
DIFFICULTY_CARD = 4  # card, stove, table, bed
ROUND = 5  # round
TURNED_UP = 6  # kind, location
COUNTERED = 7  # kind, location
NOT_COUNTERED = 8  # kind, side, location, tokens there or 0 for no room
WASTED = 9  # kind
KEPT = 10  # location
REMOVED = 11  # location, tokens left
DRAWN = 12  # side, kind
END = 13  # reason

SIDES = ("Granny", "Propuh")
ENDINGS = (
    "",
    "Granny wins: all her goals are met.",
    "Propuh wins: the door and the window are open.",
    "Propuh wins: both sides met their goals.",
    "Propuh wins: all cards are gone.",
)


def tell(events: Sequence[Sequence[int]], rules: Any) -> Iterator[Told]:
    """The events of a trace as lines of a story, with what a program would want to know of decisions and chance."""
    i = 0
    while i < len(events):
        code, a, b, c, d, _ = events[i]
        if code in (DEALT, DRAWN):  # cards for one side are noted one by one and told together
            kinds = [b]
            while i + 1 < len(events) and list(events[i + 1][:2]) == [code, a]:
                i += 1
                kinds.append(events[i][2])
            cards = [card_name(kind) for kind in kinds]
            verb = "is dealt" if code == DEALT else "draws"
            chance = {"event": "chance", "what": "deal" if code == DEALT else "draw", "seat": a, "cards": cards}
            yield Told(f"{SIDES[a]} {verb} {', '.join(cards)}.", chance)
        elif code == 0:
            yield told_decision(rules, a, b, c, d)
        elif code == NOT_COUNTERED:
            yield Told(f"{capital(card_name(a))} was not countered: {token_sentence(rules, b, c, d)}")
        else:
            yield told_event(rules, code, a, b, c, d)
        i += 1


def told_decision(rules: Any, seat: int, choice: int, count: int, code: int) -> Told:
    if code < 10:
        kind, what = "figurine", LOCATIONS[code]
        line = f"Granny puts the figurine on the {what}."
    elif code < 100:
        card, location = divmod(code - 10, 3)
        kind, what = "play", f"{card_name(card)} on the {LOCATIONS[location]}"
        line = f"{SIDES[seat]} plays {what} ({rules.strength[location, card]})."
    else:
        kind, what, line = "removal", ("remove", "keep")[code - 100], ""
    about = {"event": "decision", "seat": seat, "what": kind, "chosen": what, "choice": choice, "choices": count}
    return Told(line, about)


def told_event(rules: Any, code: int, a: int, b: int, c: int, d: int) -> Told:
    if code == ASIDE:
        cards = [card_name(a), card_name(b)]
        return Told(f"Set aside, unseen: {', '.join(cards)}.", {"event": "chance", "what": "set aside", "cards": cards})
    if code == DIFFICULTY:
        return Told(f"Difficulty {a}: Propuh starts with {b} on the {LOCATIONS[c]}.")
    if code == DIFFICULTY_CARD:
        tokens = dict(zip(LOCATIONS, (b, c, d), strict=True))
        words = ", ".join(f"{name} {count}" for name, count in tokens.items())
        about = {"event": "chance", "what": "difficulty card", "card": a, "tokens": tokens}
        return Told(f"Difficulty card {a}: {words}.", about)
    if code == ROUND:
        return Told(f"Round {a}.")
    if code == TURNED_UP:
        about = {"event": "chance", "what": "turn up", "cards": [card_name(a)], "location": LOCATIONS[b]}
        line = f"Propuh turns up {card_name(a)} and plays it on the {LOCATIONS[b]} ({rules.strength[b, a]})."
        return Told(line, about)
    if code == COUNTERED:
        return Told(f"It counters {card_name(a)} ({rules.strength[b, a]}): both are discarded.")
    if code == WASTED:
        return Told(f"{capital(card_name(a))} is discarded as well.")
    if code == KEPT:
        return Told(f"Granny keeps the Propuh token on the {LOCATIONS[a]}.")
    if code == REMOVED:
        return Told(f"The figurine removes a Propuh token from the {LOCATIONS[a]} ({b} left).")
    assert code == END
    return Told(ENDINGS[a])


def token_sentence(rules: Any, side: int, location: int, tokens: int) -> str:
    if tokens == 0:
        return f"{SIDES[side]} has no room on the {LOCATIONS[location]}."
    limit = rules.limit[side, location]
    return f"{SIDES[side]} places a token on the {LOCATIONS[location]} ({tokens} of {limit})."


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
