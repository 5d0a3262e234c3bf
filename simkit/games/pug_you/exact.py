"""What is known exactly of Pug You!: opening hands, how many turns there are, and where cards go."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from simkit.exact import Chance, Law, Stronger, any_of
from simkit.games.pug_you.box import TURNS_EACH, card_names, hand_for, is_played, kind_of, kinds_in, numbered
from simkit.spec import Value

STRONGER = (Stronger("spiteful", "random"),)


def seats_alike(options: Mapping[str, Value]) -> bool:
    """Whether no seat differs from another before anybody plays."""
    return options["first_player"] == "random"


def kinds_played(options: Mapping[str, Value], box: Mapping[str, Any]) -> Counter[int]:
    """Cards of each kind in the deck that is played, by bit number."""
    kinds, copies = kinds_in(box), "copies" if options["blue_in_108"] else "copies_blue_extra"
    every = numbered(box["deck"][options["deck"]]["cards"], copies)
    return Counter(kinds.index(kind_of(row)) for _, row in every if is_played(row, options))


def chances(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Chance]:
    counts, names, hand = kinds_played(options, box), card_names(box), hand_for(box, players)
    for kind, count in sorted(counts.items()):
        name = f"{names[kind]} in the opening hand"
        yield Chance(name, any_of(count, counts.total(), hand), "card", (kind,))


def laws(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Law]:
    sources = (("second_from_scored", -1), ("second_from_hand", -1))
    yield Law("second questions have a source", (("second_questions", 1), *sources))
    yield Law("second questions are counted with the seat", (("second_questions", 1), ("player.second_questions", -1)))
    yield Law("losers are counted once", (("losers", 1), ("player.lost", -1)))
    yield Law("cards in front of players are counted with the seat", (("scored_cards", 1), ("player.scored_cards", -1)))
    asked = (("turns", 1), ("turns_skipped", -1), ("second_from_hand", 1))
    yield Law("every card asked lies in front of somebody", (*asked, ("scored_cards", -1)))
    nominated = (("player.nominations", 1), ("turns", -2), ("turns_skipped", 2), ("second_questions", -2))
    yield Law("two are nominated for every question", nominated)
    if options["end_mode"] == "two_rounds":
        full = ("end_reason=two_rounds", -TURNS_EACH * players)
        yield Law("everybody is active twice", (("turns", 1), full))
