"""Every clause of RULES.md, one small table each."""

import pytest

from simkit.games.propuh.box import LOCATIONS, strength
from simkit.games.propuh.moves import play_choice
from simkit.games.propuh.state import FIGURINE, GRANNY, OVER, PROPUH, REMOVAL
from tests.games.propuh.table import Table, kind

FILL = ("stove 1", "stove 1", "stove 1", "stove 1", "stove 1", "stove 1")


def beats(card: str, pending: str, location: str, **options: str) -> bool:
    """Whether Propuh's card counters Granny's on a location."""
    table = (
        Table(**options).hand(PROPUH, card, "bed 1").hand(GRANNY, "bed 1").pending(GRANNY, pending, location, play=1)
    )
    return bool(table.play(card, location).state.counters[PROPUH] == 1)


# --- A3 strength


@pytest.mark.parametrize(
    ("card", "pending", "location", "wins"),
    [
        ("table 4", "bed 2", "stove", True),  # no trump: 4 is stronger than 2
        ("bed 2", "stove 4", "bed", True),  # one trump: a trump 2 is stronger than a 4
        ("table 4", "table 1", "table", True),  # two trumps: 4 is stronger than 1
        ("table 2", "bed 2", "stove", False),  # equal strength is not stronger
        ("stove 4", "bed 1", "bed", False),
    ],
)
def test_strength_as_printed(card: str, pending: str, location: str, wins: bool) -> None:
    assert beats(card, pending, location) is wins


def test_a_trump_adds_ten() -> None:
    assert [strength(kind("table 3"), location) for location in range(3)] == [3, 13, 3]


def test_b2_an_equal_card_counters_if_so_agreed() -> None:
    assert not beats("table 2", "bed 2", "stove")
    assert beats("table 2", "bed 2", "stove", equal_strength="counters")


# --- A6 playing and countering


def test_a_weak_card_on_the_pending_location_becomes_pending() -> None:
    """Granny's table 2 lies on the table; Propuh's bed 3 is too weak there (3 against 12); Granny's table 1 counters it."""
    table = Table(deck=("public")).pending(GRANNY, "table 2", "table", play=1)
    table.hand(PROPUH, "bed 3", "bed 1").hand(GRANNY, "table 1", "stove 1").play("bed 3", "table")
    assert table.granny() == (0, 1, 0)
    assert table.on_table() == ("bed 3", "table")
    table.play("table 1", "table")
    assert table.on_table() is None
    assert table.propuh() == (0, 0, 0)
    assert table.state.failed_counters[PROPUH] == 1
    assert table.state.counters[GRANNY] == 1


def test_b1_a_weak_card_is_discarded_if_so_agreed() -> None:
    table = Table(failed_counter="discarded").pending(GRANNY, "table 2", "table", play=1)
    table.hand(PROPUH, "bed 3", "bed 1").hand(GRANNY, "table 1").play("bed 3", "table")
    assert table.granny() == (0, 1, 0)
    assert table.on_table() is None
    assert table.state.discarded[kind("bed 3")] == 1
    assert table.story()[-1] == "Bed 3 is discarded as well."


def test_b1_a_weak_card_may_not_be_played_there_if_so_agreed() -> None:
    table = Table(failed_counter="forbidden").pending(GRANNY, "table 2", "table", play=1)
    table.hand(PROPUH, "bed 3", "table 3", "table 2")
    assert not table.can_play("bed 3", "table")
    assert not table.can_play("table 2", "table")
    assert table.can_play("table 3", "table")
    assert table.can_play("bed 3", "bed")
    assert len(table.choices()) == 7


def test_a2_a_token_that_does_not_fit_is_disregarded() -> None:
    table = Table().tokens(GRANNY, table=2).pending(GRANNY, "table 2", "table", play=1)
    table.hand(PROPUH, "bed 3", "bed 1").hand(GRANNY, "stove 1").play("bed 3", "bed")
    assert table.granny() == (0, 2, 0)
    assert table.state.disregarded[GRANNY] == 1
    assert table.story()[-1] == "Table 2 was not countered: Granny has no room on the table."


def test_an_uncountered_round_gives_each_side_two_tokens() -> None:
    table = Table().figurine("none").deck(*FILL)
    table.hand(GRANNY, "stove 4", "table 4").hand(PROPUH, "bed 4", "table 3")
    table.play("stove 4", "stove").play("bed 4", "bed").play("table 4", "table").play("table 3", "stove")
    assert table.granny() == (1, 1, 0)
    assert table.propuh() == (1, 0, 1)


# --- A5 the end of a round


def test_the_figurine_removes_one_token_at_the_end_of_the_round() -> None:
    table = Table().figurine("bed").tokens(PROPUH, bed=3).pending(GRANNY, "stove 4", "stove", play=3).deck(*FILL)
    table.hand(GRANNY, "bed 1").hand(PROPUH, "bed 1", "bed 2").play("bed 1", "table")
    assert table.propuh() == (0, 1, 2)
    assert table.state.removed == 1
    assert table.state.phase == FIGURINE
    assert (table.state.hand[GRANNY], table.state.hand[PROPUH]) == (3, 3)


@pytest.mark.parametrize(("moved", "left"), [(0, 2), (1, 1)])
def test_b3_a_figurine_that_stayed_removes_nothing_if_so_agreed(moved: int, left: int) -> None:
    table = Table(figurine_removal="only_if_moved").figurine("bed").tokens(PROPUH, bed=2).deck(*FILL)
    table.state.moved = moved
    table.pending(GRANNY, "stove 4", "stove", play=3).hand(GRANNY, "bed 1").hand(PROPUH, "bed 1").play("bed 1", "stove")
    assert table.propuh()[2] == left


@pytest.mark.parametrize(("choice", "left"), [(0, 1), (1, 2)])
def test_b4_granny_may_keep_the_token_if_so_agreed(choice: int, left: int) -> None:
    table = Table(figurine_removal_choice="optional").figurine("bed").tokens(PROPUH, bed=2).deck(*FILL)
    table.pending(GRANNY, "stove 4", "stove", play=3).hand(GRANNY, "bed 1").hand(PROPUH, "bed 1").play("bed 1", "stove")
    assert table.state.phase == REMOVAL
    play_choice(table.state, table.rules, choice, table.streams, table.log)
    assert table.propuh()[2] == left


# --- A7 goals


def finish_round(table: Table) -> Table:
    table.pending(GRANNY, "stove 1", "stove", play=3).hand(GRANNY, "bed 1").hand(PROPUH, "stove 2")
    return table.play("stove 2", "stove")  # counters, so that nothing is placed


def test_granny_wins_with_all_seven_tokens_and_a_clean_stove() -> None:
    table = finish_round(Table().figurine("none").tokens(GRANNY, stove=3, table=2, bed=2).deck(*FILL))
    assert (table.state.phase, table.state.winner, table.state.end_reason) == (OVER, GRANNY, 1)


def test_a_token_on_the_stove_spoils_it_unless_the_figurine_removes_it() -> None:
    table = Table().figurine("none").tokens(GRANNY, stove=3, table=2, bed=2).tokens(PROPUH, stove=1).deck(*FILL)
    assert finish_round(table).state.phase == FIGURINE
    table = Table().figurine("stove").tokens(GRANNY, stove=3, table=2, bed=2).tokens(PROPUH, stove=1).deck(*FILL)
    assert finish_round(table).state.winner == GRANNY


@pytest.mark.parametrize("more", [0, 1])
def test_propuh_wins_with_two_or_more_on_door_and_window(more: int) -> None:
    table = finish_round(Table().figurine("none").tokens(PROPUH, table=2 + more, bed=2).deck(*FILL))
    assert (table.state.winner, table.state.end_reason) == (PROPUH, 2)


def test_b16_propuh_wins_when_both_sides_are_complete() -> None:
    table = Table().figurine("none").tokens(GRANNY, stove=3, table=2, bed=2).tokens(PROPUH, table=2, bed=2).deck(*FILL)
    assert (finish_round(table).state.winner, table.state.end_reason) == (PROPUH, 3)


def test_propuh_wins_when_all_cards_are_gone() -> None:
    table = Table().figurine("none").pending(GRANNY, "stove 1", "stove", play=3).hand(PROPUH, "stove 2")
    table.play("stove 2", "stove")
    assert (table.state.winner, table.state.end_reason) == (PROPUH, 4)
    assert table.story()[-1] == "Propuh wins: all cards are gone."


@pytest.mark.parametrize(("order", "winner"), [("goals_first", GRANNY), ("exhaustion_first", PROPUH)])
def test_b7_goals_reached_with_the_last_cards(order: str, winner: int) -> None:
    table = Table(exhaustion_order=order).figurine("none").tokens(GRANNY, stove=3, table=2, bed=2)
    table.pending(GRANNY, "stove 1", "stove", play=3).hand(PROPUH, "stove 2").play("stove 2", "stove")
    assert table.state.winner == winner


def test_b6_goals_end_the_game_at_once_if_so_agreed() -> None:
    for check, phase in (("round_end", 1), ("immediate", OVER)):
        table = Table(win_check=check).figurine("bed").tokens(PROPUH, table=2, bed=1).deck(*FILL)
        table.pending(PROPUH, "bed 1", "bed", play=2).hand(GRANNY, "stove 1", "stove 1").hand(PROPUH, "stove 1")
        table.play("stove 1", "stove")
        assert table.state.phase == phase, check


def test_b6_the_left_over_card_counts_before_the_figurine_removes() -> None:
    """Propuh's last card completes his goals in step 6; in step 7 the figurine would take a token away again."""
    for check, over in (("round_end", False), ("immediate", True)):
        table = Table(win_check=check).figurine("bed").tokens(PROPUH, table=2, bed=1).deck(*FILL)
        table.pending(GRANNY, "stove 4", "stove", play=3).hand(GRANNY, "bed 1").hand(PROPUH, "bed 1").play(
            "bed 1", "bed"
        )
        assert bool(table.state.phase == OVER) is over, check


# --- A9 the automatic Propuh


def solo(**options: object) -> Table:
    return Table(players=1, **options).figurine("none").hand(GRANNY, "bed 1", "bed 1", "bed 1")


def turned_up(table: Table, granny: str, location: str) -> Table:
    """Granny plays a card at play 1; Propuh turns up the top of the deck."""
    table.hand(GRANNY, granny, "bed 1", "bed 1")
    table.state.play = 0
    return table.play(granny, location)


def test_the_automatic_propuh_counters_if_it_can() -> None:
    table = turned_up(solo().deck("bed 3", *FILL), "stove 2", "bed")
    assert table.on_table() is None
    assert table.state.counters[PROPUH] == 1


def test_it_counters_even_where_granny_has_no_room() -> None:
    table = turned_up(solo().tokens(GRANNY, bed=2).deck("bed 3", *FILL), "stove 2", "bed")
    assert table.state.counters[PROPUH] == 1


def test_else_it_plays_on_its_own_location() -> None:
    table = turned_up(solo().deck("bed 3", *FILL), "stove 2", "stove")
    assert table.on_table() == ("bed 3", "bed")


@pytest.mark.parametrize(("order", "goes_to"), [("stove_bed_table", "table"), ("stove_table_bed", "stove")])
def test_it_goes_clockwise_from_a_stronger_card_on_its_own_location(order: str, goes_to: str) -> None:
    table = turned_up(solo(clockwise=order).deck("bed 3", *FILL), "bed 4", "bed")
    assert table.on_table() == ("bed 3", goes_to)


@pytest.mark.parametrize(("order", "goes_to"), [("stove_bed_table", "bed"), ("stove_table_bed", "table")])
def test_it_goes_clockwise_from_the_pending_card_when_its_own_track_is_full(order: str, goes_to: str) -> None:
    """Window full: bed 2 against stove 3 on the stove goes next clockwise from the stove, even back to the full window."""
    table = turned_up(solo(clockwise=order).tokens(PROPUH, bed=3).deck("bed 2", *FILL), "stove 3", "stove")
    assert table.on_table() == ("bed 2", goes_to)


def test_b8_it_ignores_a_full_track_if_so_agreed() -> None:
    table = solo(solo_full_rule="ignore_limit", clockwise="stove_table_bed").tokens(PROPUH, bed=3).deck("bed 2", *FILL)
    assert turned_up(table, "stove 3", "stove").on_table() == ("bed 2", "bed")


def test_b10_it_passes_over_a_full_track_if_so_agreed() -> None:
    table = solo(solo_redirect_repeat=True).tokens(PROPUH, bed=3).deck("bed 2", *FILL)
    assert turned_up(table, "stove 3", "stove").on_table() == ("bed 2", "table")
    table = solo(solo_redirect_repeat=True).tokens(PROPUH, bed=3, table=3).deck("bed 2", *FILL)
    assert turned_up(table, "stove 3", "stove").on_table() == ("bed 2", "bed")


@pytest.mark.parametrize(
    ("rule", "figurine", "track"),
    [
        ("trump_anyway", "table", "stove"),
        ("clockwise_from_trump", "table", "bed"),
        ("clockwise_from_figurine", "bed", "table"),
        ("clockwise_from_figurine", "none", "stove"),
    ],
)
def test_b9_with_nothing_pending_and_its_own_track_full(rule: str, figurine: str, track: str) -> None:
    """Granny counters Propuh's first card, so the table is empty when he turns up stove 1, and his stove track is full."""
    table = solo(solo_no_pending_full=rule).figurine(figurine).tokens(PROPUH, stove=1).deck("stove 1", *FILL)
    table.pending(PROPUH, "stove 1", "table", play=2).hand(GRANNY, "table 2", "bed 1")
    before = table.propuh()
    table.play("table 2", "table")
    index = LOCATIONS.index(track)
    line = next(line for line in table.story() if line.startswith("Propuh turns up"))
    assert line.startswith(f"Propuh turns up stove 1 and plays it on the {track}")
    if track != figurine:
        assert table.propuh()[index] == (before[index] if track == "stove" else before[index] + 1)


def test_a_single_last_card_is_not_dealt_in_solo() -> None:
    table = solo().deck("stove 1", "stove 1", "stove 1").hand(GRANNY, "bed 1", "bed 2", "bed 3")
    table.state.play = 0
    table.play("bed 1", "bed").play("bed 2", "bed")
    assert table.state.deck_end - table.state.drawn == 1
    assert table.state.hand[GRANNY] == 1
    play_choice(table.state, table.rules, 0, table.streams, table.log)  # the figurine
    table.play("bed 3", "table")  # the short last round: Propuh turns up the last card
    assert table.state.phase == OVER
    assert table.state.end_reason == 4


def test_b17_a_granny_card_left_over_places_its_token() -> None:
    table = solo().deck().hand(GRANNY, "bed 2", "bed 3")
    table.state.play = 0
    table.play("bed 2", "bed")
    assert table.granny() == (0, 0, 1)
    assert table.state.phase == FIGURINE
