"""What is known exactly of Granny Wars: opening hands, who starts, and where cards go."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from simkit.exact import Chance, Law, Stronger, any_of, exactly
from simkit.games.granny_wars.box import MAX_VALUE, NUMBERED, card_counts, card_names, setup_for
from simkit.spec import Value

STRONGER = (Stronger("open", "random"),)


def seats_alike(options: Mapping[str, Value]) -> bool:
    """Whether no seat differs from another before anybody plays."""
    return options["first_player"] == "random"


def chances(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Chance]:
    counts = card_counts(options, box)
    deck, gold, hand = sum(counts), sum(counts[NUMBERED:]), setup_for(box, players)["hand"]
    for found in range(min(gold, hand) + 1):
        name = f"Gold cards in the opening hand: {found}"
        yield Chance(name, exactly(gold, deck, hand, found), "player", (found,), "opening_gold")
    sums = hand_sums(deck_values(options, box, counts), hand)
    total = sum(sums.values())
    for name, kept in (
        ("a hand worth less than 0", sums.keys() & range(-999, 0)),
        ("a hand worth 0", sums.keys() & {0}),
    ):
        share = Fraction(sum(sums[value] for value in kept), total)
        yield Chance(name, share, "player", tuple(sorted(kept)), "opening_sum")
    for kind, name in enumerate(card_names(box)):
        if counts[kind]:
            yield Chance(f"{name} in the opening hand", any_of(counts[kind], deck, hand), "card", (kind,))
    if options["first_player"] == "random":
        for seat in range(players):
            yield Chance(f"seat {seat} starts", Fraction(1, players), "playout", (seat,), "first_seat")


def deck_values(options: Mapping[str, Value], box: Mapping[str, Any], counts: list[int]) -> tuple[int, ...]:
    """The numbers of all cards of the deck."""
    gold = [0 if options["gold_set"] == "valueless" else card["value"] for card in box["gold"]["cards"]]
    values = [kind - MAX_VALUE for kind in range(NUMBERED)] + gold
    return tuple(value for value, count in zip(values, counts, strict=False) for _ in range(count))


@lru_cache(maxsize=64)
def hand_sums(deck: tuple[int, ...], hand: int) -> Counter[int]:
    """How many of all opening hands are worth so much."""
    ways: list[Counter[int]] = [Counter({0: 1}), *(Counter() for _ in range(hand))]
    for value in deck:
        for cards in range(hand, 0, -1):
            for worth, count in ways[cards - 1].items():
                ways[cards][worth + value] += count
    return ways[hand]


def laws(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Law]:
    dealt = players * setup_for(box, players)["hand"]
    yield Law("all cards dealt are played", (("cards_played", 1),), dealt)
    yield Law("winners are counted once", (("winners", 1), ("player.won", -1)))
    if options["steal_card"] == "play_immediately":
        ways = (("turns", -1), ("extra_faceup", -1), ("extra_facedown", -1), ("steals", -1))
        yield Law("cards are played in turns, as extras or stolen", (("cards_played", 1), *ways))
    if sum(card_counts(options, box)) == dealt:
        counts = card_counts(options, box)
        yield Law("all Gold cards are dealt", (("player.opening_gold", 1),), sum(counts[NUMBERED:]))
