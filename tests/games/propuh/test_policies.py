"""What each policy does on small tables, and that ties are settled by chance and not by the order of the cards."""

from collections import Counter

import pytest

from simkit.games.propuh.state import FIGURINE, GRANNY, PROPUH
from tests import playing
from tests.games.propuh.table import SPEC, Table, kind


def chosen(table: Table, policy: str, seed: int = 0) -> str:
    """What a policy chooses, in the words of the story."""
    code = table.choices()[playing.chosen(SPEC, policy, table.state, table.rules, seed)]
    if code < 10:
        return ("stove", "table", "bed")[code]
    card, location = divmod(code - 10, 3)
    name = next(
        f"{suit} {value}"
        for suit in ("stove", "table", "bed")
        for value in range(1, 10)
        if kind(f"{suit} {value}") == card
    )
    return f"{name} on the {('stove', 'table', 'bed')[location]}"


def hand(side: int, *cards: str, **options: str) -> Table:
    table = Table(**options).hand(side, *cards).figurine("none")
    table.state.play = side
    return table


def test_builder_plays_the_highest_trump_on_an_unfinished_track_and_likes_the_stove() -> None:
    assert chosen(hand(GRANNY, "table 4", "bed 3", "stove 1"), "builder") == "table 4 on the table"
    assert chosen(hand(GRANNY, "table 4", "stove 3"), "builder") == "stove 3 on the stove"  # 44 against 42
    assert chosen(hand(GRANNY, "table 4", "bed 1").tokens(GRANNY, table=2), "builder") == "bed 1 on the bed"


def test_builder_counters_as_cheaply_as_it_can_when_that_is_worth_more() -> None:
    table = hand(GRANNY, "bed 1", "table 2", "table 3").pending(PROPUH, "bed 2", "table", play=2)
    table.tokens(GRANNY, stove=3, table=2, bed=2)
    assert chosen(table, "builder") == "table 2 on the table"
    table.tokens(PROPUH, table=3)  # nothing to prevent: countering is worth less than nothing
    assert chosen(table, "builder") != "table 2 on the table"


def test_blocker_counters_with_the_weakest_sufficient_card() -> None:
    table = hand(GRANNY, "bed 3", "bed 4", "table 1", "stove 4").pending(PROPUH, "table 2", "bed", play=2)
    assert chosen(table, "blocker") == "stove 4 on the bed"
    table.hand(GRANNY, "bed 3", "bed 4", "table 1", "stove 2")
    assert chosen(table, "blocker") == "bed 3 on the bed"


def test_blocker_else_dumps_its_lowest_trump() -> None:
    assert chosen(hand(GRANNY, "stove 4", "table 2", "bed 3"), "blocker") == "table 2 on the table"
    assert chosen(hand(GRANNY, "stove 4", "table 2").tokens(GRANNY, table=2), "blocker") == "stove 4 on the stove"


@pytest.mark.parametrize(
    ("tokens", "granny", "location"),
    [
        ({"stove": 1, "table": 1}, {}, "stove"),
        ({"stove": 1, "table": 2}, {}, "table"),
        ({"stove": 1, "table": 3, "bed": 2}, {"stove": 3, "table": 2, "bed": 2}, "stove"),
        ({"bed": 1}, {}, "bed"),
    ],
)
def test_the_figurine_goes_where_it_helps_most(tokens: dict[str, int], granny: dict[str, int], location: str) -> None:
    table = Table().tokens(PROPUH, **tokens).tokens(GRANNY, **granny)
    table.state.phase = FIGURINE
    for policy in ("builder", "blocker"):
        assert chosen(table, policy) == location


def test_blocker_propuh_weighs_countering_against_opening() -> None:
    table = hand(PROPUH, "table 1", "stove 3").pending(GRANNY, "bed 2", "stove", play=1)
    assert chosen(table, "blocker_propuh") == "table 1 on the table"  # 25 + 10 + 1 = 36 against 40 - 13 = 27
    table.tokens(PROPUH, table=2, bed=2)
    assert chosen(table, "blocker_propuh") == "stove 3 on the stove"
    table.tokens(GRANNY, stove=3)  # Granny has no room: countering prevents nothing
    assert chosen(table, "blocker_propuh") != "stove 3 on the stove"


def test_blocker_propuh_avoids_the_figurine() -> None:
    assert chosen(hand(PROPUH, "table 2", "bed 2").figurine("table"), "blocker_propuh") == "bed 2 on the bed"


def test_rusher_opens_door_and_window_and_then_the_stove() -> None:
    assert chosen(hand(PROPUH, "stove 4", "table 2", "bed 3"), "rusher") == "bed 3 on the bed"
    assert chosen(hand(PROPUH, "stove 4", "table 2", "bed 3").tokens(PROPUH, bed=2), "rusher") == "table 2 on the table"
    assert chosen(hand(PROPUH, "stove 1", "bed 3").tokens(PROPUH, bed=2, table=2), "rusher") == "stove 1 on the stove"


def test_a_dead_play_is_worth_no_more_than_a_full_track() -> None:
    table = hand(GRANNY, "table 4", "bed 1", failed_counter="discarded").pending(PROPUH, "bed 4", "table", play=2)
    table.pending(PROPUH, "table 4", "table", play=2)
    assert chosen(table, "builder") == "bed 1 on the bed"
    assert (
        chosen(hand(GRANNY, "table 4", "bed 1").pending(PROPUH, "table 4", "table", play=2), "builder")
        == "table 4 on the table"
    )


@pytest.mark.parametrize(
    ("policy", "side"), [("builder", GRANNY), ("blocker", GRANNY), ("blocker_propuh", PROPUH), ("rusher", PROPUH)]
)
def test_ties_are_settled_by_chance(policy: str, side: int) -> None:
    """Table 2 and bed 2 are worth the same; each must be chosen about half the time (4.5 standard errors of 400 draws)."""
    table = hand(side, "table 2", "bed 2")
    counts = Counter(chosen(table, policy, seed) for seed in range(400))
    assert set(counts) == {"table 2 on the table", "bed 2 on the bed"}
    assert abs(counts["bed 2 on the bed"] - 200) < 45
    if side == GRANNY:
        table.state.phase = FIGURINE
        table.tokens(PROPUH, table=1, bed=1)
        assert 155 < Counter(chosen(table, policy, seed) for seed in range(400))["bed"] < 245
