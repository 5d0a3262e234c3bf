"""What is known exactly of Propuh: opening hands, difficulty cards, and where tokens go."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from simkit.exact import Chance, Law, Stronger, exactly
from simkit.games.propuh.box import HAND, LOCATIONS, MAX_VALUE, deck_list
from simkit.spec import Value

STRONGER = (Stronger("builder", "random"), Stronger("blocker_propuh", "random"))


def seats_alike(options: Mapping[str, Value]) -> bool:
    """Granny and Propuh are not."""
    return False


def chances(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Chance]:
    deck = deck_list(box["deck"][options["deck"]])
    hand = HAND[players]
    marked = {
        "opening_stove": ("stove cards", sum(kind // MAX_VALUE == 0 for kind in deck)),
        "opening_fours": ("cards of 4 and more", sum(kind % MAX_VALUE >= 3 for kind in deck)),
    }
    for column, (what, count) in marked.items():
        for found in range(hand + 1):
            name = f"{what} in the opening hand: {found}"
            yield Chance(name, exactly(count, len(deck), hand, found), "player", (found,), column)
    if players == 1 and options["difficulty"] == "random":
        for tokens, share in sorted(random_starts(options, box).items()):
            yield Chance(f"tokens from difficulty cards: {tokens}", share, "playout", (tokens,), "start_tokens")


def random_starts(options: Mapping[str, Value], box: Mapping[str, Any]) -> dict[int, Fraction]:
    """How likely so many tokens are on the boards before round 1: over all sets of difficulty cards."""
    limits = box["limits"]["propuh"]
    sets = list(combinations(box["random_difficulty"]["cards"], int(options["random_cards"])))
    tokens = Counter(sum(min(sum(card[place] for card in s), limits[place]) for place in LOCATIONS) for s in sets)
    return {count: Fraction(often, len(sets)) for count, often in tokens.items()}


def laws(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Law]:
    granny = tuple((f"granny_{place}", -1) for place in LOCATIONS)
    propuh = tuple((f"propuh_{place}", -1) for place in LOCATIONS)
    yield Law("Granny's tokens are those she placed", (("granny_placed", 1), *granny))
    moved = (("start_tokens", 1), ("propuh_placed", 1), ("tokens_removed", -1))
    yield Law("Propuh's tokens are those placed less those removed", (*moved, *propuh))
    yield Law("Granny wins when her goals alone are met", (("end_reason=granny_goals", 1), ("granny_won", -1)))
    if players == 2:
        yield Law("one side wins", (("player.won", 1),), 1)
    else:
        yield Law("the seat wins when Granny does", (("player.won", 1), ("granny_won", -1)))
        if options["difficulty"] != "random":
            limits, tokens = box["limits"]["propuh"], box["difficulty"][options["difficulty"]]
            start = sum(min(tokens[place], limits[place]) for place in LOCATIONS)
            yield Law("the tokens of the difficulty are laid", (("start_tokens", 1),), start)
    deck = len(deck_list(box["deck"][options["deck"]]))
    if players == 2 and deck % 4 == 0 and options["win_check"] == "round_end":
        yield Law("four cards are played in a round", (("player.cards_played", 1), ("rounds", -4)))
