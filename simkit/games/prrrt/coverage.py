"""What shows that the rules of PRRRT... come into play, clause by clause of RULES.md."""

from typing import Any

from simkit.coverage import Coverage, DecisionKind, Ending, Event, InColumn, Shown, Supply, Unseen
from simkit.games.prrrt.box import HAND
from simkit.games.prrrt.story import (
    ADDED,
    ANSWERED,
    CULPRIT,
    DEALT,
    DECLINES,
    DISCARDS,
    DREW,
    EMPTY_HAND,
    FINGERS,
    LAID,
    LOSES,
    MISSING,
    NO_EFFECT,
    NOTHING_LEFT,
    PASSED_ON,
    POINTS,
    ROUND,
    SHARED,
    SWAPPED,
    TAKES,
    TOOK,
    TURNED,
    WRONG,
    ZEROS,
)

UP, DOWN = 0, 1
LEFT, RIGHT = 0, 1
NOBODY, SOMEBODY = -1, (0, 9)
WITH_INDICATOR: dict[str, tuple[str | int | bool, ...]] = {"indicator": ("on",)}


def has_five_zeros(rules: Any) -> bool:
    return int(rules.smell_copies[0]) >= HAND


def has_smell(*values: int) -> Any:
    """Whether the Smell deck has a card of one of these values."""
    return lambda rules: any(int(rules.smell_copies[value]) > 0 for value in values)


def has_direction(direction: int) -> Any:
    """Whether a Location card goes this way."""
    return lambda rules: direction in rules.direction[: rules.locations]


def has_face_down(rules: Any) -> bool:
    return any(int(cards) > 0 for cards in rules.face_down[: rules.locations])


SHOWN = (
    Shown("A2", "the sideways Shame card is drawn", InColumn("indicator_drawn"), options=WITH_INDICATOR),
    Shown("A3", "a Location is turned up", (Event(ROUND),)),
    Shown("A3", "Shame cards are laid face up", (Event(LAID, a=UP),)),
    Shown("A3", "Shame cards are laid face down", (Event(LAID, a=DOWN),), needs=has_face_down),
    Shown("A3", "hands are dealt", (Event(DEALT),)),
    Shown("A4", "somebody owns up", (Event(ANSWERED, b=1),)),
    Shown("A4", "somebody denies", (Event(ANSWERED, b=0),)),
    Shown("A4", "a card is turned up", (Event(TURNED),)),
    Shown("A4", "a denier has no card left", (Event(NOTHING_LEFT),)),
    Shown("A5", "a Shame card is added", (Event(ADDED),)),
    Shown("A6", "somebody points at somebody", (Event(POINTS, b=SOMEBODY),)),
    Shown("A6", "somebody points at nobody", (Event(POINTS, b=NOBODY),)),
    Shown("A6", "a culprit is found", (Event(CULPRIT),)),
    Shown("A6", "a culprit takes the centre", InColumn("culprit_points")),
    Shown("A6", "a culprit draws for fingers", (Event(FINGERS),)),
    Shown("A6", "a wrong accusation is paid for", (Event(WRONG),)),
    Shown("A6", "somebody shows five zeros", (Event(ZEROS),), needs=has_five_zeros),
    Shown("A7", "a 0, 1 or 2 is turned up", (Event(TURNED, b=(0, 2)),), needs=has_smell(0, 1, 2)),
    Shown("A7", "a 3 moves Shame cards", (Event(PASSED_ON),), needs=has_smell(3)),
    Shown("A7", "a 3 has no effect", (Event(NO_EFFECT, a=3),), needs=has_smell(3)),
    Shown("A7", "a 4 exchanges a card", InColumn("effects_4"), needs=has_smell(4)),
    Shown("A7", "a 5 is exchanged for a card of another player", (Event(SWAPPED),), needs=has_smell(5)),
    Shown("A7", "a 5 has no effect", (Event(NO_EFFECT, a=5),), needs=has_smell(5)),
    Shown("A7", "a 6 exchanges cards", InColumn("effects_6"), needs=has_smell(6)),
    Shown("A7", "a 7 discards a hand", (Event(DISCARDS),), needs=has_smell(7)),
    Shown("A8", "a further round begins", (Event(ROUND, a=(2, 99)),)),
    Shown("A9", "all five contexts have been played", Ending("contexts")),
    Shown("A9", "the sideways card ends the game", Ending("indicator"), options=WITH_INDICATOR),
    Shown("B4", "several share the largest total", (Event(SHARED),)),
    Shown("B7", "an effect is declined", (Event(DECLINES),), options={"effects_optional": (True,)}),
    Shown("B8", "cards are drawn blindly from a hand", (Event(DREW),), options={"exchange_draw": ("random",)}),
    Shown("B8", "cards are chosen from a hand", (Event(TOOK),), options={"exchange_draw": ("choose",)}),
    Shown("B9", "nobody has cards to exchange", (Event(NO_EFFECT, a=4), Event(NO_EFFECT, a=6)),
          options={"empty_opponent": ("not_eligible",)}),
    Shown("B9", "somebody without cards is chosen", (Event(EMPTY_HAND),), options={"empty_opponent": ("allowed",)}),
    Shown("B10", "five zeros make a culprit", (Event(ZEROS),), options={"five_zero_rule": ("on",)}, needs=has_five_zeros),
    Shown("B11", "a confession settles the first player", (Event(ANSWERED, b=1),)),
    Shown("B13", "a further Shame card is added face down", (Event(ADDED, a=DOWN),), options={"added_shame_face": ("down",)}),
    Shown("B14", "a Shame card is due and the deck is empty", (Event(MISSING),), options={"shame_exhausted": ("skip",)}),
    Shown("B14", "the empty Shame deck ends the game", Ending("exhausted"), options={"shame_exhausted": ("end_round_now",)}),
    Shown("B15", "the sideways card is drawn", InColumn("indicator_drawn"), options=WITH_INDICATOR),
    Shown("B17", "another seat than the first one is first player", (Event(ROUND, a=1, d=(1, 9)),),
          options={"first_player": ("random",)}),
    Shown("B22", "a round goes to the left", (Event(ROUND, c=LEFT),), needs=has_direction(LEFT)),
    Shown("B22", "a round goes to the right", (Event(ROUND, c=RIGHT),), needs=has_direction(RIGHT)),
    Shown("B24", "the sideways card is drawn", InColumn("indicator_drawn"), options=WITH_INDICATOR),
    Shown("B25", "both conditions of the end hold after one round", Ending("both"), options=WITH_INDICATOR),
    Shown("B26", "an effect finds nothing to do", (Event(NO_EFFECT),), needs=has_smell(3, 4, 5, 6)),
    Shown("B28", "cards are discarded for the round", (Event(DISCARDS),), needs=has_smell(7)),
    Shown("B29", "everybody accuses", (Event(POINTS),)),
    Shown("B30", "several may share the centre", (Event(SHARED),), options={"tie_rule": ("all_share",)}),
    Shown("B31", "five zeros are shown in a revelation", (Event(ZEROS),), needs=has_five_zeros),
    Shown("B32", "the centre is taken", (Event(TAKES),)),
    Shown("B33", "somebody has lost", (Event(LOSES),)),
    Shown("B33", "several have lost", InColumn("losers", 2)),
)  # fmt: skip

UNSEEN = (
    Unseen("A1", "a list of components; nothing happens by it"),
    Unseen("B1", "which cards are in the box"),
    Unseen("B2", "which cards are in the box"),
    Unseen("B3", "which cards are in the box"),
    Unseen("B5", "an addition after the third tour looks like those before it"),
    Unseen("B6", "an effect that a 5 sets off looks like any other"),
    Unseen("B12", "a culprit's payment for a wrong accusation looks like anybody else's"),
    Unseen("B16", "only what policies may look at"),
    Unseen("B18", "the order of some draws"),
    Unseen("B19", "how often a policy owns up"),
    Unseen("B20", "why the Smell deck is what it is"),
    Unseen("B21", "what a box of one's own may hold"),
    Unseen("B23", "how turns are numbered"),
    Unseen("B27", "an effect that a 5 sets off looks like any other"),
    Unseen("B34", "which cards are in the box"),
)

DECISIONS = (  # choice codes, RULES.md C
    DecisionKind("answer", 0, 9),
    DecisionKind("player for a 3", 10, 19),
    DecisionKind("player for a 4 or 6", 20, 39),
    DecisionKind("accusation", 40, 49),
    DecisionKind("swap of a 5", 100, 199),
    DecisionKind("cards taken", 100_000, 199_999),
    DecisionKind("cards given", 200_000, 299_999),
)

SUPPLIES = (
    Supply("Shame cards", "cards", lambda rules: int(rules.shame_size), "shame_drawn", short=InColumn("shame_missing"),
           about="cards were due and the deck was empty"),
    Supply("Location cards", "cards", lambda rules: int(rules.locations), "rounds", about="the last one was played"),
)  # fmt: skip

COVERAGE = Coverage(SHOWN, UNSEEN, DECISIONS, SUPPLIES)
