"""What is known exactly of PRRRT...: opening hands, how soon all contexts are seen, and where points come from."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from simkit.exact import Chance, Law, Stronger, any_of
from simkit.games.prrrt.box import HAND, card_names, copies_of
from simkit.spec import Value

STRONGER = (Stronger("threshold_6", "random"),)


def seats_alike(options: Mapping[str, Value]) -> bool:
    """Whether no seat differs from another before anybody plays."""
    return options["first_player"] == "random"


def chances(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Chance]:
    copies = copies_of(box["smell_deck"][options["smell_deck"]]["cards"])
    deck, names = sum(copies.values()), card_names(box)
    for value, count in copies.items():
        if count:
            name = f"{names[value]} in the opening hand"
            yield Chance(name, any_of(count, deck, HAND), "card", (value,), anew=True)
    if options["indicator"] == "off" and options["shame_exhausted"] == "skip":
        for rounds, share in contexts_seen(box["location_deck"][options["location_deck"]]["cards"]).items():
            yield Chance(f"all contexts seen after {rounds} rounds", share, "playout", (rounds,), "rounds")


def contexts_seen(cards: list[Mapping[str, Any]]) -> dict[int, Fraction]:
    """In which round the last context comes up: all orders of the Location cards are equally likely."""
    copies = list(Counter(card["context"] for card in cards).values())
    size = len(cards)

    def within(rounds: int) -> Fraction:
        """The chance that all have come up by then: inclusion and exclusion over those that have not."""
        ways = 0
        for missing in range(len(copies) + 1):
            for some in combinations(copies, missing):
                ways += (-1) ** missing * comb(size - sum(some), rounds)
        return Fraction(ways, comb(size, rounds))

    found = {rounds: within(rounds) - within(rounds - 1) for rounds in range(len(copies), size + 1)}
    return {rounds: share for rounds, share in found.items() if share}


def laws(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Law]:
    owned_up = tuple((f"own_ups_{tour}", -1) for tour in (1, 2, 3))
    yield Law("owning up is counted with the seat", (("player.times_owned_up", 1), *owned_up))
    judged = (("correct_accusations", 1), ("wrong_accusations", 1), ("abstentions", 1))
    yield Law("all seats point or do not in a revelation", (*judged, ("revelations", -players)))
    paid = (*((f"own_up_points_{tour}", -1) for tour in (1, 2, 3)), ("culprit_points", -1), ("finger_points", -1))
    yield Law("all points come from the Shame deck", (("player.score", 1), *paid, ("wrong_points", -1)))
    yield Law("losers are counted once", (("losers", 1), ("player.lost", -1)))
    if options["shame_exhausted"] != "skip":  # else a game may end in the middle of a round
        return
    yield Law("rounds end by owning up or by a revelation", (("rounds", 1), *owned_up, ("revelations", -1)))
    yield Law("all Shame cards are with the players", (("player.pile_cards", 1), ("shame_drawn", -1)))
    if options["indicator"] == "on":
        ends = (("end_reason=indicator", 1), ("end_reason=both", 1))
        yield Law("the sideways card ends the game", (*ends, ("indicator_drawn", -1)))
