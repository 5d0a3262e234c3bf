"""How a playout of Granny Wars is told (RULES.md E1): event codes, and the sentences they become."""

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games.granny_wars.box import card_name, signed
from simkit.games.granny_wars.state import (
    BOUNCE,
    DECLINE_CODE,
    EXTRA,
    GIVE,
    OFFER,
    PHASE_CODE,
    PILES_OF_A_KIND,
    PLACE,
    PLAY,
    RETURN,
    STEAL,
    STOLEN,
    SWAP,
    TOPS,
)
from simkit.spec import Told

# Event codes; 0 is a decision (kernel/drive.py). Behind each: the numbers noted with it.
STARTS = 1  # seat
OWNS = 2  # seat, pile
UNOWNED = 3  # pile
DEALT = 4  # seat, kind
PLACED = 5  # seat, kind, pile, how (0 played, 1 as an extra card, 2 as an extra card face down)
BOUNCED = 6  # kind, pile, whether face down
NO_EXTRA = 7  # seat
STOLEN_CARD = 8  # thief, kind, other seat
KEPT = 9  # thief
NO_STEAL = 10  # seat
GIVEN = 11  # seat, kind, other seat
NO_SWAP = 12  # seat
SWAPPED_TOPS = 13  # pile, pile
SCORED = 14  # seat, score, cards, pile
TIED = 15  # score
STILL_TIED = 16  # cards
WINS = 17  # mask of seats

PHASES = {
    PLAY: "play",
    BOUNCE: "bounce",
    OFFER: "offer of an extra card",
    EXTRA: "extra card",
    STEAL: "steal",
    STOLEN: "choice of a stolen card",
    PLACE: "place of a stolen card",
    SWAP: "swap",
    GIVE: "card offered",
    RETURN: "card given back",
    TOPS: "swap of tops",
}


def tell(events: Sequence[Sequence[int]], rules: Any) -> Iterator[Told]:
    """The events of a trace as lines of a story, with what a program would want to know of decisions and chance."""
    i = 0
    while i < len(events):
        code, a, b, c, d, _ = events[i]
        if code == DEALT:  # the cards of one seat are noted one by one and told together
            kinds = [b]
            while i + 1 < len(events) and list(events[i + 1][:2]) == [code, a]:
                i += 1
                kinds.append(events[i][2])
            cards = [card_name(rules, kind) for kind in kinds]
            chance = {"event": "chance", "what": "deal", "seat": a, "cards": cards}
            yield Told(f"Seat {a} is dealt {', '.join(cards)}.", chance)
        elif code == UNOWNED:
            piles = [a]
            while i + 1 < len(events) and events[i + 1][0] == UNOWNED:
                i += 1
                piles.append(events[i][1])
            yield Told(f"Without an owner: {', '.join(f'pile {pile + 1}' for pile in piles)}.")
        elif code == 0:
            yield Told("", told_decision(rules, a, b, c, d))
        else:
            yield told_event(rules, code, a, b, c, d)
        i += 1


def told_decision(rules: Any, seat: int, choice: int, count: int, code: int) -> dict[str, Any]:
    phase, what = divmod(code, PHASE_CODE)
    about: dict[str, Any] = {"event": "decision", "seat": seat, "what": PHASES[phase]}
    return about | {"chosen": chosen(rules, phase, what), "choice": choice, "choices": count}


def chosen(rules: Any, phase: int, what: int) -> str:
    """The meaning of a choice code in words."""
    first, second = divmod(what, PILES_OF_A_KIND)
    if what == DECLINE_CODE:
        return "decline"
    if phase in (PLAY, EXTRA):
        return f"{card_name(rules, first)} on pile {second + 1}"
    if phase in (BOUNCE, PLACE):
        return f"pile {what + 1}"
    if phase == OFFER:
        return ("take", "decline")[what]
    if phase in (STEAL, SWAP):
        return f"seat {what}"
    if phase == TOPS:
        return f"piles {first + 1} and {second + 1}"
    return card_name(rules, what)


def told_event(rules: Any, code: int, a: int, b: int, c: int, d: int) -> Told:
    if code == STARTS:
        return Told(f"Seat {a} starts.", {"event": "chance", "what": "first player", "seat": a})
    if code == OWNS:
        return Told(f"Seat {a} owns pile {b + 1}.", {"event": "chance", "what": "loyalty", "seat": a, "pile": b + 1})
    if code == PLACED:
        verb = ("plays", "also plays", "also plays")[d]
        down = " face down" if d == 2 else ""
        return Told(f"Seat {a} {verb} {card_name(rules, b)}{down} on pile {c + 1}.")
    if code == BOUNCED:
        return Told(f"{card_name(rules, a)} bounces {'face down ' if c else ''}to pile {b + 1}.")
    if code == NO_EXTRA:
        return Told(f"Seat {a} plays no extra card.")
    if code == STOLEN_CARD:
        card = card_name(rules, b)
        about = {"event": "chance", "what": "stolen card", "seat": a, "card": card, "from": c}
        return Told(f"Seat {a} steals {card} from seat {c}.", about)
    if code == KEPT:
        return Told(f"Seat {a} keeps it.")
    if code == NO_STEAL:
        return Told(f"Seat {a} steals nothing.")
    if code == GIVEN:
        return Told(f"Seat {a} gives seat {c} {card_name(rules, b)}.")
    if code == NO_SWAP:
        return Told(f"Seat {a} swaps nothing.")
    if code == SWAPPED_TOPS:
        return Told(f"The tops of pile {a + 1} and pile {b + 1} change places.")
    if code == SCORED:
        return Told(f"Seat {a} scores {signed(b)} with {c} cards in pile {d + 1}.")
    if code == TIED:
        return Told(f"Tied at {signed(a)}: the fewest cards decide.")
    if code == STILL_TIED:
        return Told(f"Still tied at {a} cards.")
    assert code == WINS
    seats = [str(seat) for seat in range(rules.players) if (a >> seat) & 1]
    alone = len(seats) == 1
    return Told(f"Seat {seats[0]} wins." if alone else f"Seats {', '.join(seats)} share the win.")
