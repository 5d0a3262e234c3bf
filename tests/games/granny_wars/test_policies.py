"""What each policy does on small tables (RULES.md C), and that ties are settled by chance.

Seat 0 decides and owns pile 1, so pile 2 is its decoy; piles 1 to 3 are those of the three seats, pile 4 is a dummy.
"""

from collections import Counter
from typing import Any

import pytest

from tests.games.granny_wars.table import BOX, Table, box_with, whole

HIDING = ("stealth", "spoiler")
ALL = ("open", *HIDING)
LATE, BETWEEN, EARLY = 15, 8, 5  # hand sizes that make it so for four cards


def hand(cards: str, **options: Any) -> Table:
    """Seat 0 has these cards and plays late, as `open` always does."""
    return Table(**options).size(LATE).hands(cards, "+1, +1", "+1, +1")


def on(card: str, *piles: int) -> set[str]:
    return {f"{card} on pile {pile}" for pile in piles}


# --- open: PLAY


@pytest.mark.parametrize("policy", ALL)
def test_the_largest_number_is_played_good_ones_on_the_own_pile_bad_ones_on_the_leader(policy: str) -> None:
    def table(cards: str) -> Table:
        return hand(cards).pile(1, "+9").pile(2, "+2").pile(3, "+3", "-2").pile(4, "-1")

    assert table("+4, -3").best("open") == on("+4", 1)
    assert table("+3, -4").best("open") == on("-4", 2)
    assert table("+3, +5, -4").best(policy) == on("+5", 1)
    assert table("+3, -3").best("open") == on("+3", 1) | on("-3", 2)
    assert table("Generation Gap, -1").best("open") == on("-1", 2)
    assert table("Generation Gap").best(policy) == on("Generation Gap", 1)  # 0 counts as good


def test_open_finds_the_leaders_by_what_it_sees() -> None:
    """Its own face-down cards count, those of others do not."""
    table = hand("-4, +1").pile(2, "+4 down by 1").pile(3, "+3")
    assert table.best("open") == on("-4", 3)
    assert table.pile(2, "+4 down by 0").best("open") == on("-4", 2)
    assert table.pile(2, "+3 down by 0").best("open") == on("-4", 2, 3)
    assert table.pile(2, "-1").pile(3, "-2").pile(4, "-1").best("open") == on("-4", 2, 4)  # leaders may be below 0


@pytest.mark.parametrize("policy", ALL)
def test_a_bad_card_on_top_of_the_own_pile_is_bounced_away(policy: str) -> None:
    cards = "+2, New Hip, +5, +1"
    assert hand(cards).pile(1, "-2").best(policy) == on("+2", 1) | on("New Hip", 1)
    assert hand(cards).pile(1, "-2", "+1").best(policy) == on("+5", 1)  # not on top
    assert hand(cards).pile(1, "-3").best(policy) == on("+5", 1)  # no opposite
    assert hand(cards).pile(2, "-2").best(policy) == on("+5", 1)  # not its pile
    assert hand(cards, bounce="off").pile(1, "-2").best(policy) == on("+5", 1)
    assert hand("-2, -5, -1").pile(1, "+2").pile(2, "+1").best("open") == on("-5", 2)  # a good card stays
    for placer in (0, 1):  # face down it is left alone, even if its number would count
        table = hand(cards, facedown_bounce="owner_number").pile(1, f"-2 down by {placer}")
        assert table.best(policy) == on("+5", 1)


@pytest.mark.parametrize("policy", ALL)
def test_an_extra_card_is_taken_and_played_alike(policy: str) -> None:
    table = hand("Nana Nap, +2, +5").pile(1, "-2").play("Nana Nap on pile 4")
    assert table.best(policy) == {"take"}
    assert table.play("take").best(policy) == on("+2", 1)


@pytest.mark.parametrize("policy", ALL)
def test_an_extra_card_face_down_bounces_nothing_away(policy: str) -> None:
    for option in ("none", "owner_number"):
        table = hand("Senior Moment, +2, +5", facedown_bounce=option).pile(1, "-2")
        assert table.play("Senior Moment on pile 4", "take").best(policy) == on("+5", 1)


# --- open: BOUNCE


@pytest.mark.parametrize("policy", ALL)
def test_a_good_card_bounces_to_the_own_pile(policy: str) -> None:
    table = hand("-3, +1").pile(2, "+3").pile(3, "+5").play("-3 on pile 2")
    assert table.best(policy) == {"pile 1"}


@pytest.mark.parametrize("policy", ALL)
def test_a_good_card_that_bounces_off_the_own_pile_goes_where_it_helps_least(policy: str) -> None:
    table = hand("-3, +1").pile(1, "+3").pile(2, "-1").pile(3, "+2").pile(4, "-1").play("-3 on pile 1")
    assert table.best(policy) == {"pile 2", "pile 4"}
    table.pile(4, "-5 down by 1", "+1")
    assert table.best(policy) == {"pile 2"}


@pytest.mark.parametrize("policy", ALL)
def test_a_zero_that_bounces_is_a_good_card(policy: str) -> None:
    table = (
        Table(box=box_with(zeros=3), zero_bounces=True).size(LATE).hands("0, +1", "+1", "+1").pile(2, "0").pile(3, "+2")
    )
    assert table.play("0 on pile 2").best(policy) == {"pile 1"}


def test_open_sends_a_bad_card_that_bounces_to_the_leader_it_can_go_to() -> None:
    table = hand("+3, +1").pile(2, "+5", "-3").pile(3, "+1").pile(4, "+1").pile(1, "+9").play("+3 on pile 2")
    assert table.best("open") == {"pile 3", "pile 4"}
    table = hand("+3, +1").pile(1, "-3").pile(3, "+2").pile(4, "+1").play("+3 on pile 1")
    assert table.best("open") == {"pile 3"}


@pytest.mark.parametrize("policy", ALL)
def test_with_two_piles_a_bad_card_has_nowhere_else_to_bounce(policy: str) -> None:
    table = two_piles().size(LATE).hands("+3, +1", "+1").pile(2, "-3").play("+3 on pile 2")
    assert table.best(policy) == {"pile 1"}


# --- open: steals, swaps


@pytest.mark.parametrize("policy", ALL)
@pytest.mark.parametrize(("card", "option"), [("Sweet Old Lady", "steal_optional"), ("New Hip", "swap_optional")])
def test_the_fullest_hand_is_stolen_from_and_swapped_with(policy: str, card: str, option: str) -> None:
    for optional in (False, True):
        table = Table(4, **{option: optional}).size(LATE).hands(f"{card}, +5, +5, +5", "+1", "+1, -3, +2", "+1, +1")
        table.play(f"{card} on pile 4")
        assert table.best(policy) == {"seat 2"}
        assert table.hand(3, "-1", "-1", "-2").best(policy) == {"seat 2", "seat 3"}


@pytest.mark.parametrize("policy", ALL)
def test_a_thief_who_sees_the_hand_takes_the_largest_number(policy: str) -> None:
    table = Table(steal_pick="thief_sees_hand").hands("Sweet Old Lady, +5", "+3, -4, New Hip", "+1")
    assert table.play("Sweet Old Lady on pile 4", "seat 1").best(policy) == {"-4"}
    assert table.hand(1, "+3", "-4", "+4").best(policy) == {"-4", "+4"}


def test_a_stolen_card_is_placed_like_one_played() -> None:
    for policy in ALL:
        table = hand("Sweet Old Lady, +5").hand(1, "+2").pile(2, "+4").play("Sweet Old Lady on pile 4", "seat 1")
        assert table.best(policy) == {"pile 1"}
    table = hand("Sweet Old Lady, +5").hand(1, "-2").pile(2, "+4").pile(3, "+4").pile(1, "+9")
    assert table.play("Sweet Old Lady on pile 4", "seat 1").best("open") == {"pile 2", "pile 3"}
    assert table.best("stealth") == {"pile 2", "pile 3"}


@pytest.mark.parametrize("policy", ALL)
def test_the_lowest_number_is_given_in_a_swap(policy: str) -> None:
    table = (
        hand("New Hip, +5, -4, Sweet Old Lady").hand(1, "+3", "New Wheels", "+1").play("New Hip on pile 4", "seat 1")
    )
    assert table.best(policy) == {"-4"}
    assert table.play("-4").best(policy) == {"+1", "New Wheels"}  # now seat 1 decides
    table = Table(swap_return_same=True).size(LATE).hands("New Hip, -4", "+3, +1", "")
    assert table.play("New Hip on pile 4", "seat 1", "-4").best(policy) == {"-4"}


# --- open: TOPS


def tops(own: str, second: str, third: str, **options: Any) -> Table:
    """Seat 0 sees 7 in pile 2, the leader, and 5 in pile 3; the top cards are given."""
    table = Table(box=box_with(("Gap", 0, "swap_tops"), zeros=3), **options).hands("Gap, +5", "+1", "+1")
    table.pile(1, "+1", own).pile(2, second).pile(3, third).play("Gap on pile 4")
    table.state.total[1:3] = [7, 5] - table.state.beneath[0, 1:3]
    return table


@pytest.mark.parametrize("policy", ALL)
def test_tops_are_swapped_to_help_twice_and_to_harm_the_leaders_once(policy: str) -> None:
    assert tops("-3", "+2", "+5").best(policy) == {"piles 1 and 3"}  # 16 against 10 + 5
    assert tops("-3", "+2", "+4").best(policy) == {"piles 1 and 2"}  # 15 against 14
    assert tops("+3", "+2", "-4").best(policy) == {"piles 2 and 3"}  # harms the leader by 6
    table = tops("-3", "+2", "+4")
    table.state.total[1:3] = [7, 7]  # two leaders: 10 + 5 with either, but pile 3 gives more
    assert table.best(policy) == {"piles 1 and 3"}


@pytest.mark.parametrize("policy", ALL)
def test_tops_that_cannot_help_are_left_if_they_may_be(policy: str) -> None:
    """Swaps with the +5 take from the own pile, swaps with the -1 give to the leader; the top of pile 4 is the Gap."""
    assert tops("+5", "-1", "+3", swap_optional=True).pile(3).best(policy) == {"decline"}
    assert tops("+5", "-1", "+3").pile(3).best(policy) == {"piles 2 and 4"}  # the least harm
    assert tops("+5", "-1", "+3").best(policy) == {"piles 3 and 4"}  # neither here nor there
    assert tops("+5", "-1", "+3", swap_optional=True).best(policy) == {"decline", "piles 3 and 4"}
    assert tops("0", "0", "0", swap_optional=True).best(policy) == {
        "decline",
        *(f"piles {i} and {j}" for i in range(1, 5) for j in range(i + 1, 5)),
    }


@pytest.mark.parametrize("policy", ALL)
def test_tops_face_down_count_only_for_who_placed_them(policy: str) -> None:
    assert tops("-1", "0", "+5 down by 1", swap_optional=True).best(policy) == {"piles 1 and 2"}  # 2 + 1 against 2
    assert tops("-1", "0", "+5 down by 0", swap_optional=True).best(policy) == {"piles 1 and 3"}


# --- stealth: time and reserve


def four(cards: str, hand_size: int, **options: Any) -> Table:
    return Table(**options).size(hand_size).hands(cards, "+1, +1, +1, +1", "+1, +1, +1, +1").pile(3, "+2")


@pytest.mark.parametrize("policy", HIDING)
@pytest.mark.parametrize(
    ("cards", "hand_size", "time"),
    [
        (2, 6, "late"),
        (3, 6, "between"),
        (4, 6, "early"),
        (3, 9, "late"),
        (4, 9, "between"),
        (5, 9, "early"),
        (5, 10, "between"),
    ],
)
def test_when_it_is_late_or_early(policy: str, cards: int, hand_size: int, time: str) -> None:
    """Late +5 is played. Else it is in reserve with +4; with three cards only -1 is free, with more +2, early by turns."""
    table = (
        Table()
        .size(hand_size)
        .hands(", ".join(["+5", "+4", "-1", "+2", "+2"][:cards]), "+1", "+1")
        .pile(2, "+1")
        .pile(3, "+5")
    )
    if time == "late":
        assert table.best(policy) == on("+5", 1)
    elif cards == 3:
        assert table.best("stealth") == on("-1", 3)
    elif time == "between":
        assert table.best(policy) == on("+2", 1)
    else:
        assert table.best(policy) == on("+2", 1 if cards % 2 == 0 else 2)


@pytest.mark.parametrize("policy", HIDING)
def test_early_small_cards_go_on_the_own_pile_and_the_decoy_by_turns(policy: str) -> None:
    assert four("+1, +2, +4, +5", EARLY).best(policy) == on("+2", 1)
    assert four("+1, +2, +4, +5, +5", EARLY).best(policy) == on("+2", 2)
    assert four("Generation Gap, +4, +5, +5", EARLY).best(policy) == on("Generation Gap", 1)
    assert four("+1, +2, +4, +5, +5", EARLY).owns(4, 2, 3).best(policy) == on(
        "+2", 1
    )  # behind the last pile comes the first
    assert four("+1, +2, +4, +5", EARLY).owns(4, 2, 3).best(policy) == on("+2", 4)


def test_stealth_early_sends_bad_cards_to_the_leader_of_the_others() -> None:
    table = four("-3, -1, +5, +5", EARLY).pile(1, "+9").pile(2, "+9").pile(3, "+1").pile(4, "+2")
    assert table.best("stealth") == on("-3", 4)
    assert table.pile(3, "+2").best("stealth") == on("-3", 3, 4)


def test_stealth_early_weighs_small_cards_against_bad_ones() -> None:
    """+2 is worth 5, +1 is worth 4, 0 is worth 3; a bad card its number."""
    assert four("+2, -4, +5, +5", EARLY).best("stealth") == on("+2", 1)
    assert four("+2, -5, +4, +4", EARLY).best("stealth") == on("+2", 1) | on("-5", 3)
    assert four("+1, -5, +4, +4", EARLY).best("stealth") == on("-5", 3)
    assert four("Generation Gap, -3, +4, +4", EARLY).best("stealth") == on("Generation Gap", 1) | on("-3", 3)


@pytest.mark.parametrize("policy", HIDING)
def test_early_large_cards_go_on_the_decoy_the_smallest_first(policy: str) -> None:
    assert four("+3, +4, +5, +5", EARLY).best(policy) == on("+3", 2)
    assert four("+3, +4, +5, +5, +5", EARLY).best(policy) == on("+3", 2)


@pytest.mark.parametrize("policy", HIDING)
def test_the_reserve_is_kept(policy: str) -> None:
    """Two of the highest numbers, the later kind of equal ones, and one opposite of the highest, again the later kind."""
    assert four("+2, New Hip, New Hip, -1", EARLY).best(policy) == on("+2", 1)
    assert four("+2, +2, New Hip, +1", EARLY).best(policy) == on("+2", 1)  # the other +2
    assert four("+2, New Hip, +5, -1", EARLY).best(policy) == on("+2", 1)  # +5 and New Hip are kept
    assert {card.split(" on ")[0] for card in four("+2, New Hip, -2, Sweet Old Lady", EARLY).best(policy)} == {"-2"}
    assert {card.split(" on ")[0] for card in four("+5, +4, -5, -4", EARLY).best(policy)} == {"-4"}
    assert {card.split(" on ")[0] for card in four("+5, +4, -5, -5", EARLY).best(policy)} == {"-5"}
    assert {card.split(" on ")[0] for card in four("+1, -1, -2, -3", EARLY).best(policy)} == {"-3"}
    assert {card.split(" on ")[0] for card in four("-1, -2, -3, -4", EARLY).best(policy)} == {"-4"}


def test_if_nothing_is_free_everything_is() -> None:
    table = Table().size(5).hands("+5, +4, -5", "+1", "+1").pile(3, "+2")  # early
    assert table.best("stealth") == on("-5", 3)
    table.size(6)  # between
    assert table.best("stealth") == on("+5", 1) | on("-5", 3)
    assert Table().size(5).hands("+5, +4, +3", "+1", "+1").best("stealth") == on("+3", 2)
    assert Table().size(3).hands("+5, +4", "+1", "+1").best("stealth") == on("+4", 2)


@pytest.mark.parametrize("policy", HIDING)
def test_only_early_the_own_top_does_not_matter(policy: str) -> None:
    assert four("+5, +5, +3, +2", EARLY).pile(1, "-3").best(policy) == on("+2", 1)
    assert four("+5, +5, +3, +2", BETWEEN).pile(1, "-2").best(policy) == on("+2", 1)
    assert four("+5, +5, +3, +2", BETWEEN).best(policy) == on("+3", 1)
    assert four("+5, +5, +3, +2", BETWEEN).pile(1, "-5").best(policy) == on("+3", 1)  # +5 is in reserve
    assert four("+5, +5, +3, +2", LATE).pile(1, "-3").best(policy) == on("+3", 1)
    assert four("+5, +5, +3, +2", LATE).best(policy) == on("+5", 1)


def test_stealth_between_sends_bad_cards_to_all_leaders_the_decoy_too() -> None:
    table = four("+5, +5, +3, -4", BETWEEN).pile(2, "+2")
    assert table.best("stealth") == on("-4", 2, 3)


@pytest.mark.parametrize("policy", HIDING)
def test_an_extra_card_face_up_is_hidden_too_face_down_it_is_not(policy: str) -> None:
    """After the Gold card four cards are left."""
    table = four("Nana Nap, +5, +5, +3, +2", EARLY).play("Nana Nap on pile 4", "take")
    assert table.best(policy) == on("+2", 1)
    table = four("Senior Moment, +5, +5, +3, +2", EARLY).play("Senior Moment on pile 4", "take")
    assert table.best(policy) == on("+5", 1)


@pytest.mark.parametrize("policy", HIDING)
def test_the_reserve_is_not_given_away_unless_it_is_late(policy: str) -> None:
    def giving(cards: str, hand_size: int) -> Table:
        return four(f"New Hip, {cards}", hand_size).play("New Hip on pile 4", "seat 1")

    assert giving("+5, +4, -5, +1", EARLY).best(policy) == {"+1"}
    assert giving("+5, +4, -5, +1", BETWEEN).best(policy) == {"+1"}
    assert giving("+5, +4, -5, +1", LATE).best(policy) == {"-5"}
    assert giving("+5, +4, -5", EARLY).best(policy) == {"-5"}  # nothing is free
    assert giving("+5, +4, -5, +1", EARLY).best("open") == {"-5"}
    assert giving("+5, +4, -5, +1", EARLY).play("+1").hand(1, "+5", "+4", "-5", "-1").best(policy) == {
        "-5"
    }  # given back


def two_piles(**options: Any) -> Table:
    setup = {**BOX["setup"], "tables": [{"players": 2, "piles": 2, "hand": 5}]}
    return Table(2, {**BOX, "setup": setup}, **options)


def test_early_with_two_piles_there_is_no_pile_for_stealth_to_send_bad_cards_to() -> None:
    table = two_piles().hands("-1, -4, -4, New Hip", "+1, +1, +1")
    assert table.best("stealth") == on("-1", 1, 2) | on("-4", 1, 2)
    assert two_piles().hands("-1, +3, +5, +5", "+1, +1, +1").best("stealth") == on("+3", 2)
    assert two_piles().hands("-1, -4, -4, New Hip", "+1, +1, +1").best("spoiler") == on("-4", 2)  # may go to the decoy


# --- spoiler


def spoilt(cards: str = "-4, +1", hand_size: int = LATE) -> Table:
    """Pile 2 is worth 6, pile 3 is worth 5, pile 4 nothing."""
    table = Table().size(hand_size).hands(cards, "+1, +1", "+1, +1")
    return table.pile(1, "+9").pile(2, "+6").pile(3, "+5")


def test_spoiler_aims_at_the_pile_that_the_suspect_seems_to_own() -> None:
    assert spoilt().best("open") == on("-4", 2)
    assert spoilt().lean(1, pile3=10).lean(2, pile3=10).best("spoiler") == on("-4", 3)
    assert spoilt().lean(1, pile3=10).lean(2, pile4=10).best("spoiler") == on(
        "-4", 3
    )  # seat 1: nearly 5 against nearly 0
    assert spoilt().lean(1, pile2=10).lean(2, pile3=10).best("spoiler") == on("-4", 2)  # seat 1: nearly 6
    assert spoilt().lean(1, pile3=10).lean(2, pile2=10).best("spoiler") == on("-4", 2)
    assert spoilt().best("spoiler") == on("-4", 2)  # nothing known: the highest total


def test_spoiler_weighs_leaning_against_what_the_pile_is_worth() -> None:
    """W(0) x 5 is more than W(1) x 6 = 3815958, and W(0) x 3 less."""
    assert spoilt().lean(1, pile3=1).lean(2, pile3=1).best("spoiler") == on("-4", 3)
    assert spoilt().lean(1, pile3=1).lean(2, pile3=1).pile(3, "+3").best("spoiler") == on("-4", 2)


def test_spoiler_takes_no_account_of_its_own_pile() -> None:
    """Pile 1 cannot be that of another seat, however much they lean towards it."""
    assert spoilt().lean(1, pile1=60, pile3=10).lean(2, pile1=60, pile3=10).best("spoiler") == on("-4", 3)
    table = spoilt().pile(1, "+9", "+9", "+9").lean(1, pile1=10, pile4=10).lean(2, pile3=10)
    assert table.best("spoiler") == on("-4", 3)  # seat 2 with nearly 5; seat 1 would have more if pile 1 counted


def test_spoiler_gives_no_weight_at_all_from_28_on() -> None:
    def table(distance: int) -> Table:
        leaning = spoilt().lean(1, pile3=distance).lean(2, pile3=distance)
        return leaning.pile(2, "+1").pile(3, "-2").pile(4, "-5")

    assert table(27).best("spoiler") == on("-4", 2)
    assert table(28).best("spoiler") == on("-4", 2, 4)  # both 0, more than -2 x W(0)


def test_spoiler_draws_among_suspects_that_are_tied() -> None:
    table = spoilt().pile(2, "+5").lean(1, pile2=10).lean(2, pile3=10)
    counts = table.spread("spoiler", 400)
    assert set(counts) == on("-4", 2, 3)
    assert abs(counts["-4 on pile 2"] - 200) < 45
    assert table.lean(2, pile3=9).best("spoiler") == on("-4", 2)  # a little less sure, so a little less expected


def test_spoiler_bounces_a_bad_card_onto_a_target() -> None:
    """The card lies in pile 3 where both seats lean, so it goes to the better of the others; that is no longer pile 1."""
    table = spoilt("+4, +1").pile(3, "+9", "-4").lean(1, pile3=10, pile4=5).lean(2, pile3=10, pile4=5).pile(4, "+4")
    table.play("+4 on pile 3")
    assert table.best("open") == {"pile 2"}
    assert table.best("spoiler") == {"pile 4"}  # W(5) x 4 against W(10) x 6
    table = spoilt("+4, +1").pile(1, "-4").lean(1, pile3=10).lean(2, pile3=10).play("+4 on pile 1")
    assert table.best("spoiler") == {"pile 3"}


def test_spoiler_counts_the_card_that_bounces_where_it_still_lies() -> None:
    """Seat 1 leans to pile 3, worth 3 with the -4 and 7 without; seat 2 to pile 2, worth 6, or to pile 4."""
    table = spoilt("+4, +1").pile(3, "+3", "-4").pile(4, "+1").lean(1, pile3=20, pile4=10).lean(2, pile2=20)
    table.play("+4 on pile 3")  # together 3 now: seat 2 with nearly 6 is the suspect
    assert table.best("spoiler") == {"pile 2"}
    table = spoilt("+4, +1").pile(3, "+8", "-4").pile(4, "+1").lean(1, pile3=20, pile4=10).lean(2, pile2=20)
    table.play("+4 on pile 3")  # together 8: seat 1 is, and leans next to pile 4
    assert table.best("spoiler") == {"pile 4"}


def test_spoiler_places_a_stolen_bad_card_on_a_target() -> None:
    table = spoilt("Sweet Old Lady, +1").hand(1, "-3").lean(1, pile3=10).lean(2, pile3=10)
    assert table.play("Sweet Old Lady on pile 4", "seat 1").best("spoiler") == {"pile 3"}
    assert table.best("open") == {"pile 2"}


@pytest.mark.parametrize("card", ["Nana Nap", "Senior Moment"])
def test_spoiler_aims_extra_cards_too(card: str) -> None:
    table = spoilt(f"{card}, -4, +1").lean(1, pile3=10).lean(2, pile3=10).play(f"{card} on pile 4", "take")
    assert table.best("spoiler") == on("-4", 3)


def test_spoiler_early_may_aim_at_its_decoy() -> None:
    for hand_size in (EARLY, BETWEEN):
        table = spoilt("-4, -3, +5, +5", hand_size).lean(1, pile2=10).lean(2, pile2=10)
        assert table.best("spoiler") == on("-4", 2)
    assert spoilt("-4, -3, +5, +5", EARLY).best("stealth") == on("-4", 3)


def test_spoiler_swaps_tops_with_the_leaders_in_mind() -> None:
    """It would be pile 3 if the suspect mattered."""
    table = tops("+3", "+2", "-4").lean(1, pile3=20).lean(2, pile3=20)
    assert table.best("spoiler") == {"piles 2 and 3"}


def test_leaning_follows_face_up_cards_and_bounces() -> None:
    """Seat 1 plays +5 on pile 3 and later bounces +3 there; stolen cards count for the thief."""
    table = Table().hands("+1, +1", "+5, -3, Sweet Old Lady, +1", "+2, +1, +1").turn(1).pile(2, "+3")
    table.play("+5 on pile 3", "+2 on pile 4", "+1 on pile 1", "-3 on pile 2", "pile 3", "+1 on pile 4", "+1 on pile 4")
    assert table.state.lean[1, :4].tolist() == [0, -3, 8, 0]
    assert table.state.lean[2, :4].tolist() == [0, 0, 0, 3]
    table.play("Sweet Old Lady on pile 2", "seat 2", "pile 3")
    assert table.state.lean[1, :4].tolist() == [0, -5, 9, 0]


# --- ties


@pytest.mark.parametrize("policy", ALL)
def test_ties_are_settled_by_chance(policy: str) -> None:
    """Each way about equally often, within 4.5 standard errors of 400 draws."""
    counts = hand("-3, +3").spread(policy, 400)
    assert set(counts) == on("+3", 1) | on("-3", 2, 3, 4)
    assert all(abs(count - 100) < 39 for count in counts.values())
    counts = hand("Sweet Old Lady, +1").play("Sweet Old Lady on pile 4").spread(policy, 400)
    assert abs(counts["seat 1"] - 200) < 45
    assert set(counts) == {"seat 1", "seat 2"}
    counts = hand("-3, +1").pile(1, "+3").play("-3 on pile 1").spread(policy, 400)
    assert set(counts) == {"pile 2", "pile 3", "pile 4"}
    assert all(abs(count - 400 / 3) < 43 for count in counts.values())
    counts = hand("New Hip, +2, New Wheels, +1").play("New Hip on pile 4", "seat 1").spread(policy, 400)
    assert set(counts) == {"+1", "New Wheels"}
    assert abs(counts["+1"] - 200) < 45


@pytest.mark.parametrize("policy", ALL)
def test_ties_between_swaps_of_tops_are_settled_by_chance(policy: str) -> None:
    counts = tops("0", "0", "0", swap_optional=True).spread(policy, 700)
    assert len(counts) == 7
    assert all(abs(count - 100) < 42 for count in counts.values())


def test_random_draws_among_all_choices_alike() -> None:
    """The first card of a playout: any pile, any kind; and an extra card is taken half the time."""
    piles: Counter[int] = Counter()
    places, offers = [], []
    for playout in range(800):
        decisions = [event for event in whole(3, playout).events.tolist() if event[0] == 0]
        _, _, choice, count, _, _ = decisions[0]
        piles[choice % 4] += 1
        places.append((choice // 4 + 0.5) / (count // 4))
        offers += [event[2] for event in decisions if event[3] == 2 and event[4] // 1000 == 2]
    assert all(abs(count - 200) < 56 for count in piles.values())  # 4.5 standard errors of 12.2
    assert abs(sum(places) / 800 - 0.5) < 4.5 * 0.29 / 800**0.5
    assert len(offers) > 1000
    assert abs(sum(offers) / len(offers) - 0.5) < 4.5 * 0.5 / len(offers) ** 0.5
