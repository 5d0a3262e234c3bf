"""Every clause of RULES.md, one small table each."""

from typing import Any

import pytest

from simkit.games.granny_wars.box import NUMBERED
from simkit.games.granny_wars.moves.scoring import leak
from tests.games.granny_wars.table import BOX, Table, box_with, whole

PILES = ("pile 1", "pile 2", "pile 3", "pile 4")


def without(*piles: str) -> list[str]:
    return [pile for pile in PILES if pile not in piles]


# --- A2 the setup


@pytest.mark.parametrize(
    ("players", "piles", "dummies", "hand"),
    [(2, 4, 2, 15), (3, 4, 1, 10), (4, 5, 1, 10), (5, 6, 1, 10), (6, 7, 1, 10), (7, 8, 1, 8), (8, 8, 0, 8)],
)
def test_a2_piles_owners_and_hands(players: int, piles: int, dummies: int, hand: int) -> None:
    played = whole(players)
    story = played.story()
    assert story[0] == f"Seat {played.columns['first_seat']} starts."
    owned = [line.removesuffix(".").split(" owns ")[1] for line in story if " owns " in line]
    rest = [line.removesuffix(".").split(": ")[1].split(", ") for line in story if line.startswith("Without an owner")]
    assert len(owned) == players
    assert [len(line) for line in rest] == ([dummies] if dummies else [])
    assert sorted(owned + [pile for line in rest for pile in line]) == [f"pile {k + 1}" for k in range(piles)]
    assert all(line == sorted(line) for line in rest)
    dealt = [line for line in story if " is dealt " in line]
    assert [line.split(" is dealt ")[0] for line in dealt] == [f"Seat {seat}" for seat in range(players)]
    assert {len(line.split(", ")) for line in dealt} == {hand}
    assert played.columns["cards_played"] == players * hand


def test_b12_anybody_is_the_oldest_player_or_seat_0_starts() -> None:
    firsts = [whole(3, playout).columns["first_seat"] for playout in range(300)]
    assert all(65 < firsts.count(seat) < 135 for seat in range(3))  # 4.3 standard errors
    assert {whole(3, playout, first_player="seat0").columns["first_seat"] for playout in range(30)} == {0}


def test_b25_turn_order_counts_clockwise_from_the_first_player() -> None:
    for playout in range(6):
        played = whole(4, playout)
        first = played.columns["first_seat"]
        orders = [player["turn_order"] for player in played.players]
        assert [orders[(first + i) % 4] for i in range(4)] == [0, 1, 2, 3]


# --- A3 turns


def test_a3_any_card_goes_on_any_pile_face_up() -> None:
    table = Table().hands("-3, New Hip", "+1", "+1").pile(2, "-1", "+4 down")
    assert table.choices() == [f"{card} on {pile}" for card in ("-3", "New Hip") for pile in PILES]
    table.play("-3 on pile 2")
    assert table.cards(2) == ["-1", "+4 down", "-3"]
    assert table.story() == ["Seat 0 plays -3 on pile 2."]
    assert table.holds(0) == "New Hip"


def test_a3_the_turn_passes_clockwise() -> None:
    table = Table().hands("-3, +1", "+2, +2", "-4, +5").turn(1)
    who = [table.decision()]
    for card in ("+2", "-4", "-3"):
        who.append(table.play(f"{card} on pile 4").decision())
    assert who == ["play by 1", "play by 2", "play by 0", "play by 1"]
    assert table.state.turns == 4


def test_b20_cards_are_told_apart_by_what_is_printed() -> None:
    table = Table().hands("+2, +2, New Hip, New Hip", "+1", "+1")
    assert table.choices() == [f"{card} on {pile}" for card in ("+2", "New Hip") for pile in PILES]


def test_b21_players_without_cards_are_skipped_until_nobody_has_any() -> None:
    table = Table().hands("-3, +1, +1", "", "-4").turn(2)
    assert table.play("-4 on pile 1").decision() == "play by 0"
    assert table.play("-3 on pile 1").decision() == "play by 0"
    assert table.play("+1 on pile 2").decision() == "play by 0"
    assert table.play("+1 on pile 2").decision() == "over"


def test_b21_an_extra_card_and_a_kept_card_let_hands_empty_at_different_times() -> None:
    table = Table(steal_card="to_hand_unless_gold").hands("Nana Nap, +1", "Sweet Old Lady", "+3, +4")
    table.play("Nana Nap on pile 4", "take", "+1 on pile 3")
    assert table.play("Sweet Old Lady on pile 4").decision() == "steal by 1"
    assert table.choices() == ["seat 2"]  # seat 0 has no card left to steal
    table.play("seat 2")
    assert [int(n) for n in table.state.hand[:3]] == [0, 1, 1]
    left = table.holds(2)
    assert table.decision() == "play by 2"
    assert table.play(f"{left} on pile 4").decision() == "play by 1"
    assert table.play(f"{table.holds(1)} on pile 4").decision() == "over"


# --- A4 bounces


@pytest.mark.parametrize(
    ("covered", "card", "bounces"),
    [
        ("-4", "+4", True),
        ("+2", "-2", True),
        ("-2", "New Hip", True),  # Gold cards bounce and make bounce by their number
        ("New Wheels", "-1", True),
        ("New Wheels", "Nana Nap", True),
        ("+2", "+2", False),
        ("-3", "+2", False),
        ("+2", "New Hip", False),
        ("Generation Gap", "Generation Gap", False),
    ],
)
def test_a4_equal_and_opposite_numbers_bounce(covered: str, card: str, bounces: bool) -> None:
    table = Table().hands(f"{card}, +5", "+5", "+5").pile(2, covered)
    table.play(f"{card} on pile 2")
    assert (table.decision() == "bounce by 0") is bounces
    if bounces:
        assert table.choices() == without("pile 2")  # B19: the own pile 1 and the dummy pile 4 too
        table.play("pile 4")
        assert table.cards(2) == [card]
        assert table.cards(4) == [covered]
        assert table.story()[1].endswith(" bounces to pile 4.")


@pytest.mark.parametrize("goes_to", [1, 2, 4])
def test_b19_the_bounced_card_goes_to_any_other_pile(goes_to: int) -> None:
    table = (
        Table().hands("+4, +5", "+5", "+5").pile(3, "+1", "-4").pile(2, "+1").play("+4 on pile 3", f"pile {goes_to}")
    )
    assert table.cards(3) == ["+1", "+4"]
    assert table.cards(goes_to)[-1] == "-4"
    assert table.story() == ["Seat 0 plays +4 on pile 3.", f"-4 bounces to pile {goes_to}."]
    assert table.decision() == "play by 1"


def test_a4_a_moved_card_makes_nothing_bounce() -> None:
    table = Table().hands("+3, +5", "+5", "+5").pile(1, "-3").pile(2, "+3").play("+3 on pile 1", "pile 2")
    assert table.cards(2) == ["+3", "-3"]
    assert table.decision() == "play by 1"


def test_a4_a_moved_card_can_be_covered_and_bounced_again() -> None:
    table = Table().hands("+3, +5", "+3, +5", "+5").pile(1, "-3").play("+3 on pile 1", "pile 2", "+3 on pile 2")
    assert table.decision() == "bounce by 1"
    assert table.play("pile 1").cards(1) == ["+3", "-3"]
    assert table.state.bounces == 2


def test_a4_only_the_card_directly_covered_bounces_and_only_once() -> None:
    table = Table().hands("+3, +5", "+5", "+5").pile(1, "-3", "+1").play("+3 on pile 1")
    assert table.decision() == "play by 1"
    table = Table().hands("+3, +5", "+5", "+5").pile(1, "-3", "-3").play("+3 on pile 1", "pile 2")
    assert table.cards(1) == ["-3", "+3"]
    assert table.decision() == "play by 1"


def test_a4_the_score_pile_card_has_no_number() -> None:
    table = Table(box=box_with(zeros=2), zero_bounces=True).hands("0, +5", "+5", "+5").play("0 on pile 1")
    assert table.decision() == "play by 1"


def test_a4_the_last_card_of_the_game_bounces_before_the_scoring() -> None:
    table = Table().hands("+5", "", "").pile(2, "-5").play("+5 on pile 2")
    assert table.decision() == "bounce by 0"
    table.play("pile 3")
    assert table.decision() == "over"
    assert table.state.score[:3].tolist() == [0, 5, -5]


def test_b14_nothing_bounces_if_so_agreed() -> None:
    table = Table(bounce="off", facedown_bounce="owner_number").hands("+4, +5", "+5", "+5").pile(2, "-4")
    assert table.play("+4 on pile 2").decision() == "play by 1"
    assert table.cards(2) == ["-4", "+4"]


@pytest.mark.parametrize("zero_bounces", [False, True])
@pytest.mark.parametrize("card", ["0", "Gap"])
@pytest.mark.parametrize("covered", ["0", "Gap"])
def test_b9_zero_may_be_its_own_opposite(covered: str, card: str, zero_bounces: bool) -> None:
    box = box_with(("Gap", 0, "none"), zeros=2)
    table = Table(box=box, zero_bounces=zero_bounces).hands(f"{card}, +5", "+5", "+5").pile(2, covered)
    table.play(f"{card} on pile 2")
    assert (table.decision() == "bounce by 0") is zero_bounces
    if zero_bounces:
        assert table.play("pile 1").cards(1) == [covered]


# --- B3, B4 extra cards


@pytest.mark.parametrize(("card", "down"), [("Nana Nap", ""), ("Senior Moment", " down")])
@pytest.mark.parametrize("pile", [3, 4])
def test_a5_an_extra_card_on_the_same_or_another_pile(card: str, down: str, pile: int) -> None:
    table = Table().hands(f"{card}, +2, -5", "+5", "+5").play(f"{card} on pile 3")
    assert table.decision() == "offer of an extra card by 0"
    assert table.choices() == ["take", "decline"]
    assert table.play("take").decision() == "extra card by 0"
    assert table.choices() == [f"{own} on {p}" for own in ("-5", "+2") for p in PILES]
    table.play(f"+2 on pile {pile}")
    assert table.cards(pile)[-1] == f"+2{down}"
    told = " face down" if down else ""
    assert table.story()[1:] == [f"Seat 0 also plays +2{told} on pile {pile}."]
    assert table.decision() == "play by 1"
    assert (int(table.state.extra_faceup), int(table.state.extra_facedown)) == ((0, 1) if down else (1, 0))


@pytest.mark.parametrize("card", ["Nana Nap", "Senior Moment"])
def test_b3_an_extra_card_may_be_declined_unless_agreed_otherwise(card: str) -> None:
    table = Table().hands(f"{card}, +2", "+5", "+5").play(f"{card} on pile 3", "decline")
    assert table.decision() == "play by 1"
    assert table.story()[1:] == ["Seat 0 plays no extra card."]
    assert table.state.extras_declined == 1
    table = Table(extra_optional=False).hands(f"{card}, +2", "+5", "+5").play(f"{card} on pile 3")
    assert table.decision() == "extra card by 0"
    assert table.choices() == [f"+2 on {pile}" for pile in PILES]


@pytest.mark.parametrize("extra", ["Nana Nap", "Senior Moment"])
def test_b4_an_extra_card_may_allow_another_one(extra: str) -> None:
    """The third card lies face down if the second was a Senior Moment."""
    table = Table().hands(f"Nana Nap, {extra}, +2, +5", "+5", "+5")
    table.play("Nana Nap on pile 3", "take", f"{extra} on pile 2")
    assert table.decision() == "offer of an extra card by 0"
    table.play("take", "+2 on pile 2")
    assert table.cards(2) == [extra, "+2 down" if extra == "Senior Moment" else "+2"]
    assert table.decision() == "play by 1"
    table = Table(chain_extra=False).hands(f"Nana Nap, {extra}, +2, +5", "+5", "+5")
    table.play("Nana Nap on pile 3", "take", f"{extra} on pile 2")
    assert table.decision() == "play by 1"


def test_b4_a_whole_hand_can_follow_from_one_card() -> None:
    table = Table().hands("Nana Nap, Nana Nap, Nana Nap, +1", "+5", "+5").play("Nana Nap on pile 1")
    for _ in range(2):
        table.play("take", "Nana Nap on pile 1")
    assert table.play("take", "+1 on pile 2").decision() == "play by 1"
    assert table.holds(0) == ""


@pytest.mark.parametrize("chain_extra", [True, False])
def test_b4_other_powers_of_an_extra_card_always_happen(chain_extra: bool) -> None:
    for card, decision in (("New Hip", "swap"), ("Sweet Old Lady", "steal"), ("Generation Gap", "swap of tops")):
        table = Table(chain_extra=chain_extra).hands(f"Nana Nap, {card}, +2", "+5", "+5").pile(1, "+1")
        table.play("Nana Nap on pile 3", "take", f"{card} on pile 2")
        assert table.decision() == f"{decision} by 0"


@pytest.mark.parametrize("chain_extra", [True, False])
def test_b4_a_face_down_extra_card_allows_none(chain_extra: bool) -> None:
    table = Table(chain_extra=chain_extra).hands("Senior Moment, Nana Nap, +2", "+5", "+5")
    assert table.play("Senior Moment on pile 3", "take", "Nana Nap on pile 2").decision() == "play by 1"


def test_an_extra_card_makes_a_bounce_of_its_own() -> None:
    table = Table().hands("Nana Nap, +4, +5", "+5", "+5").pile(1, "+1").pile(2, "-4")
    table.play("Nana Nap on pile 1", "pile 3", "take", "+4 on pile 2", "pile 3")
    assert table.cards(3) == ["+1", "-4"]
    assert table.state.bounces == 2
    assert table.story() == [
        "Seat 0 plays Nana Nap (-1) on pile 1.",
        "+1 bounces to pile 3.",
        "Seat 0 also plays +4 on pile 2.",
        "-4 bounces to pile 3.",
    ]


# --- B5, B18 face-down cards


@pytest.mark.parametrize("owner_number", [False, True])
@pytest.mark.parametrize("covered", ["-4", "-4 down by 2"])
def test_b5_a_card_played_face_down(covered: str, owner_number: bool) -> None:
    table = Table(facedown_bounce="owner_number" if owner_number else "none").pile(2, covered)
    table.hands("Senior Moment, +4, +5", "+5", "+5").play("Senior Moment on pile 3", "take", "+4 on pile 2")
    assert table.decision() == ("bounce by 0" if owner_number else "play by 1")
    if owner_number:
        assert table.choices() == without("pile 2")
        table.play("pile 3")
        down = " face down" if "down" in covered else ""
        assert table.cards(2) == ["+4 down"]
        assert table.cards(3) == ["Senior Moment", covered.removesuffix(" by 2")]
        assert table.story()[-1] == f"-4 bounces{down} to pile 3."


@pytest.mark.parametrize("owner_number", [False, True])
def test_b5_a_face_down_card_that_is_covered(owner_number: bool) -> None:
    """It may be moved, but stays face down and is still of the player who placed it."""
    table = Table(facedown_bounce="owner_number" if owner_number else "none")
    table.hands("+4, +5", "+5", "+5").pile(2, "-4 down by 2").play("+4 on pile 2")
    assert table.decision() == ("bounce by 0" if owner_number else "play by 1")
    if owner_number:
        assert table.play("pile 3").cards(3) == ["-4 down"]
        assert table.state.beneath[2, :4].tolist() == [0, 0, -4, 0]


def test_b5_the_number_of_a_face_down_gold_card_counts_too() -> None:
    table = Table(facedown_bounce="owner_number").hands("-2, +5", "+5", "+5").pile(2, "New Hip down by 1")
    assert table.play("-2 on pile 2").decision() == "bounce by 0"
    assert table.play("pile 4").cards(4) == ["New Hip down"]


@pytest.mark.parametrize("card", ["Sweet Old Lady", "New Hip", "Generation Gap", "Senior Moment"])
def test_b18_a_face_down_gold_card_does_not_use_its_power(card: str) -> None:
    table = Table().hands(f"Senior Moment, {card}, +5", "+5", "+5").pile(1, "+1")
    table.play("Senior Moment on pile 3", "take", f"{card} on pile 2")
    assert table.decision() == "play by 1"


# --- B1, B2, B6, B22 steals


def test_a5_a_stolen_card_is_played_at_once() -> None:
    table = Table().hands("Sweet Old Lady, +5", "-3", "+1").play("Sweet Old Lady on pile 2")
    assert table.decision() == "steal by 0"
    assert table.choices() == ["seat 1", "seat 2"]
    assert table.play("seat 1").decision() == "place of a stolen card by 0"
    assert table.choices() == list(PILES)
    table.play("pile 3")
    assert table.cards(3) == ["-3"]
    assert table.story()[1:] == ["Seat 0 steals -3 from seat 1.", "Seat 0 plays -3 on pile 3."]
    assert table.decision() == "play by 2"  # seat 1 has nothing left
    assert table.state.played[0] == 1 << table.kinds["Sweet Old Lady"] | 1 << table.kinds["-3"]


@pytest.mark.parametrize("card", ["Sweet Old Lady", "Nana Nap", "Senior Moment", "New Hip", "Generation Gap"])
@pytest.mark.parametrize("steal_card", ["play_immediately", "to_hand_unless_gold"])
def test_a5_a_stolen_gold_card_is_played_without_its_power(card: str, steal_card: str) -> None:
    table = Table(steal_card=steal_card).hands("Sweet Old Lady, +5", card, "+1").pile(1, "+1")
    table.play("Sweet Old Lady on pile 2", "seat 1")
    assert table.decision() == "place of a stolen card by 0"
    assert table.play("pile 3").decision() == "play by 2"
    assert table.cards(3) == [card]


def test_b22_a_stolen_card_can_make_a_card_bounce() -> None:
    table = Table().hands("Sweet Old Lady, +5", "New Wheels", "+1").pile(3, "-1")
    table.play("Sweet Old Lady on pile 2", "seat 1", "pile 3")
    assert table.decision() == "bounce by 0"
    assert table.play("pile 4").cards(4) == ["-1"]
    assert table.cards(3) == ["New Wheels"]
    assert table.decision() == "play by 2"


def test_b1_a_stolen_number_is_kept_if_so_agreed() -> None:
    table = Table(steal_card="to_hand_unless_gold").hands("Sweet Old Lady", "-3", "+1")
    table.play("Sweet Old Lady on pile 2", "seat 1")
    assert table.story()[1:] == ["Seat 0 steals -3 from seat 1.", "Seat 0 keeps it."]
    assert table.decision() == "play by 2"  # it is not played in this turn
    assert table.holds(0) == "-3"
    assert table.state.steals == 1
    assert table.state.drawn[0] == 1 << table.kinds["-3"]
    assert table.play("+1 on pile 4").decision() == "play by 0"


def test_b2_a_thief_draws_blind() -> None:
    stolen = []
    for deal in range(200):
        table = (
            Table(deal=deal)
            .hands("Sweet Old Lady, +5", "-3, -3, -3, +4", "+1")
            .play("Sweet Old Lady on pile 2", "seat 1")
        )
        stolen.append(table.story()[-1])
    assert set(stolen) == {"Seat 0 steals -3 from seat 1.", "Seat 0 steals +4 from seat 1."}
    assert 150 - 28 < stolen.count("Seat 0 steals -3 from seat 1.") < 150 + 28  # every copy counts: 3 in 4


def test_b2_a_thief_chooses_if_so_agreed() -> None:
    table = Table(steal_pick="thief_sees_hand").hands("Sweet Old Lady, +5", "New Hip, -3, -3, +4", "+1")
    table.play("Sweet Old Lady on pile 2", "seat 1")
    assert table.decision() == "choice of a stolen card by 0"
    assert table.choices() == ["-3", "+4", "New Hip"]
    assert len(table.story()) == 1
    assert table.play("+4").decision() == "place of a stolen card by 0"
    assert table.story()[1:] == ["Seat 0 steals +4 from seat 1."]
    assert table.holds(1) == "-3, -3, New Hip"


def test_b1_b2_a_thief_may_choose_and_keep() -> None:
    table = Table(steal_pick="thief_sees_hand", steal_card="to_hand_unless_gold").hands(
        "Sweet Old Lady", "-3, New Hip", "+1"
    )
    table.play("Sweet Old Lady on pile 2", "seat 1", "-3")
    assert (table.holds(0), table.holds(1)) == ("-3", "New Hip")


def test_b6_a_steal_may_be_declined_if_so_agreed() -> None:
    table = Table(steal_optional=True).hands("Sweet Old Lady, +5", "-3", "+1").play("Sweet Old Lady on pile 2")
    assert table.choices() == ["seat 1", "seat 2", "decline"]
    table.play("decline")
    assert table.story()[1:] == ["Seat 0 steals nothing."]
    assert table.decision() == "play by 1"
    assert table.state.steals == 0


# --- B7, B10, B23 swaps


def test_b23_both_cards_of_a_swap_are_chosen_before_they_change_hands() -> None:
    table = Table().hands("New Hip, -5, -4", "+3, +1", "+1").play("New Hip on pile 4")
    assert table.decision() == "swap by 0"
    assert table.choices() == ["seat 1", "seat 2"]
    assert table.play("seat 1").decision() == "card offered by 0"
    assert table.choices() == ["-5", "-4"]
    assert table.play("-5").decision() == "card given back by 1"
    assert table.choices() == ["+1", "+3"]
    assert table.holds(0) == "-4"
    table.play("+3")
    assert (table.holds(0), table.holds(1)) == ("-4, +3", "-5, +1")
    assert table.story()[1:] == ["Seat 0 gives seat 1 -5.", "Seat 1 gives seat 0 +3."]
    assert table.decision() == "play by 1"
    assert table.state.hand_swaps == 1
    assert [int(n) for n in table.state.drawn[:2]] == [1 << table.kinds["+3"], 1 << table.kinds["-5"]]


def test_b10_the_card_received_may_be_given_back_if_so_agreed() -> None:
    table = Table(swap_return_same=True).hands("New Hip, -5", "+3, +1", "+1").play("New Hip on pile 4", "seat 1", "-5")
    assert table.choices() == ["-5", "+1", "+3"]
    table.play("-5")
    assert (table.holds(0), table.holds(1)) == ("-5", "+1, +3")
    assert [int(n) for n in table.state.drawn[:2]] == [1 << table.kinds["-5"]] * 2
    table = Table(swap_return_same=True).hands("New Hip, -5", "-5, +1", "+1").play("New Hip on pile 4", "seat 1", "-5")
    assert table.choices() == ["-5", "+1"]  # alike cards are one choice


def test_b10_else_not_even_an_only_card_is_spared() -> None:
    table = Table().hands("New Hip, -5", "+3", "+1").play("New Hip on pile 4", "seat 1", "-5")
    assert table.choices() == ["+3"]
    table.play("+3")
    assert (table.holds(0), table.holds(1)) == ("+3", "-5")


def test_b7_swaps_may_be_declined_if_so_agreed() -> None:
    table = Table(swap_optional=True).hands("New Hip, -5", "+3", "+1").play("New Hip on pile 4")
    assert table.choices() == ["seat 1", "seat 2", "decline"]
    table.play("decline")
    assert table.story()[1:] == ["Seat 0 swaps nothing."]
    assert table.decision() == "play by 1"
    table = (
        Table(swap_optional=True).hands("Generation Gap, -5", "+3", "+1").pile(1, "+1").play("Generation Gap on pile 4")
    )
    assert table.choices() == ["piles 1 and 4", "decline"]
    table.play("decline")
    assert table.story()[1:] == ["Seat 0 swaps nothing."]
    assert (table.cards(1), table.cards(4)) == (["+1"], ["Generation Gap"])
    assert (int(table.state.hand_swaps), int(table.state.top_swaps)) == (0, 0)


def test_b17_the_tops_of_two_piles_change_places_and_nothing_bounces() -> None:
    """Afterwards +2 lies on -2 and the face-down -3 of seat 2 on +3."""
    table = Table().pile(1, "-2", "-3 down by 2").pile(3, "+3", "+2").hands("Generation Gap, -5", "+3", "+1")
    table.play("Generation Gap on pile 4")
    assert table.decision() == "swap of tops by 0"
    assert table.choices() == ["piles 1 and 3", "piles 1 and 4", "piles 3 and 4"]  # pile 2 is empty
    table.play("piles 1 and 3")
    assert table.cards(1) == ["-2", "+2"]
    assert table.cards(3) == ["+3", "-3 down"]
    assert table.state.total[:4].tolist() == [0, 0, 3, 0]
    assert table.state.beneath[2, :4].tolist() == [0, 0, -3, 0]
    assert table.story()[1:] == ["The tops of pile 1 and pile 3 change places."]
    assert table.decision() == "play by 1"
    assert table.state.top_swaps == 1


# --- B17 powers whose condition is not met


@pytest.mark.parametrize(
    ("card", "rest", "others", "happens"),
    [
        ("Nana Nap", "", "+1", False),  # no card to play
        ("Senior Moment", "", "+1", False),
        ("Nana Nap", "+5", "", True),  # other hands do not matter
        ("Sweet Old Lady", "+5", "", False),  # nobody to steal from
        ("Sweet Old Lady", "", "+1", True),  # the own hand does not matter
        ("New Hip", "", "+1", False),  # nothing to give
        ("New Hip", "+5", "", False),  # nobody to swap with
        ("New Hip", "+5", "+1", True),
        ("Generation Gap", "", "+1", False),  # its own pile is the only one with cards
    ],
)
@pytest.mark.parametrize("optional", [False, True])
def test_b17_a_power_needs_its_condition(card: str, rest: str, others: str, happens: bool, optional: bool) -> None:
    table = Table(extra_optional=optional, steal_optional=optional, swap_optional=optional)
    table.hands(f"{card}, {rest}".removesuffix(", "), others, "").play(f"{card} on pile 2")
    assert (not table.decision().startswith(("play", "over"))) is happens
    assert (
        len([line for line in table.story() if "scores" not in line and "win" not in line and "ied" not in line]) == 1
    )


def test_b17_tops_need_two_piles_the_one_just_played_on_counts() -> None:
    table = Table().pile(1, "+1").hands("Generation Gap", "+3", "+1").play("Generation Gap on pile 1")
    assert table.decision() == "play by 1"
    table = Table().pile(1, "+1").hands("Generation Gap", "+3", "+1").play("Generation Gap on pile 2")
    assert table.decision() == "swap of tops by 0"


def test_b17_a_gold_card_without_a_power() -> None:
    table = Table(box=box_with(("Plain", 3, "none"))).hands("Plain, +5", "+1", "+1").pile(2, "-3")
    assert table.play("Plain on pile 2", "pile 1").decision() == "play by 1"


@pytest.mark.parametrize(
    "card", ["Sweet Old Lady", "Nana Nap", "Senior Moment", "New Hip", "New Wheels", "Generation Gap"]
)
def test_b13_without_powers_gold_cards_keep_their_numbers(card: str) -> None:
    with_powers = Table().hands(f"{card}, +5", "+1", "+1").pile(1, "+1").play(f"{card} on pile 2")
    table = Table(gold_powers="off").hands(f"{card}, +5", "+1", "+1").pile(1, "+1").play(f"{card} on pile 2")
    assert with_powers.decision().endswith("by 0")
    assert table.decision() == "play by 1"
    assert table.story() == with_powers.story()
    assert table.state.total[1] == with_powers.state.total[1]
    assert (
        Table(gold_powers="off").hands("New Hip, +5", "+1", "").pile(2, "-2").play("New Hip on pile 2").decision()
        == "bounce by 0"
    )


# --- B8 the order of power and bounce


def test_b8_first_the_bounce_then_the_power() -> None:
    table = Table().hands("Nana Nap, +4, +5", "+5", "+5").pile(1, "+1").play("Nana Nap on pile 1")
    assert table.decision() == "bounce by 0"
    assert table.play("pile 2").decision() == "offer of an extra card by 0"


def test_b8_first_the_power_then_the_bounce_from_deep_in_the_pile() -> None:
    """The extra card lies on the same pile; +1 is taken out from under both."""
    table = Table(power_timing="before_bounce").hands("Nana Nap, +4, +5", "+5", "+5").pile(1, "-3", "+1").pile(2, "-5")
    assert table.play("Nana Nap on pile 1").decision() == "offer of an extra card by 0"
    assert table.play("take", "+4 on pile 1").decision() == "bounce by 0"
    assert table.cards(1) == ["-3", "+1", "Nana Nap", "+4"]
    assert table.choices() == without("pile 1")
    table.play("pile 2")
    assert table.cards(1) == ["-3", "Nana Nap", "+4"]
    assert table.cards(2) == ["-5", "+1"]
    assert table.state.total[:4].tolist() == [0, -4, 0, 0]
    assert table.decision() == "play by 1"


def test_b8_a_declined_power_leaves_the_bounce() -> None:
    table = Table(power_timing="before_bounce").hands("Nana Nap, +4", "+5", "+5").pile(1, "+1")
    assert table.play("Nana Nap on pile 1", "decline").decision() == "bounce by 0"
    assert table.play("pile 2").decision() == "play by 1"


def test_b8_bounces_that_wait_are_done_the_last_card_first() -> None:
    """Nana Nap covers +1, New Wheels covers Nana Nap, and the swap comes before both bounces."""
    table = Table(power_timing="before_bounce").hands("Nana Nap, New Wheels, -5", "+3", "+5").pile(1, "+1")
    table.play("Nana Nap on pile 1", "take", "New Wheels on pile 1")
    assert table.decision() == "swap by 0"
    table.play("seat 1", "-5", "+3", "pile 2", "pile 3")
    assert table.story()[-2:] == ["Nana Nap (-1) bounces to pile 2.", "+1 bounces to pile 3."]
    assert table.cards(1) == ["New Wheels"]
    assert table.decision() == "play by 1"


def test_b8_waiting_bounces_of_different_piles() -> None:
    table = Table(power_timing="before_bounce").hands("Nana Nap, -4, +5", "+3", "+5").pile(1, "+1").pile(2, "+4")
    table.play("Nana Nap on pile 1", "take", "-4 on pile 2")
    assert table.choices() == without("pile 2")
    table.play("pile 1")  # +4 comes to lie on Nana Nap, above the card that still waits
    assert table.choices() == without("pile 1")
    assert table.play("pile 4").cards(1) == ["Nana Nap", "+4"]
    assert (table.cards(2), table.cards(4)) == (["-4"], ["+1"])


def test_b8_what_bounces_is_settled_when_the_card_is_placed() -> None:
    """The power takes the covering card away; +2 bounces all the same, and what came to lie on it does not."""
    box = box_with(("Gap", -2, "swap_tops"))
    table = Table(box=box, power_timing="before_bounce").hands("Gap, +5", "+3", "+5").pile(1, "+2").pile(2, "-4")
    table.play("Gap on pile 1")
    assert table.decision() == "swap of tops by 0"
    table.play("piles 1 and 2")
    assert table.cards(1) == ["+2", "-4"]
    assert table.decision() == "bounce by 0"
    table.play("pile 3")
    assert (table.cards(1), table.cards(2), table.cards(3)) == (["-4"], ["Gap"], ["+2"])
    # nor does a card bounce that only a swap brings next to its opposite
    table = Table(box=box, power_timing="before_bounce").hands("Gap, +5", "+3", "+5").pile(1, "+2").pile(2, "-4")
    assert table.play("Gap on pile 2", "piles 1 and 2").decision() == "play by 1"


def test_b22_the_bounce_of_a_stolen_card_comes_at_once_and_before_those_that_wait() -> None:
    """The stolen New Hip has a power, which never happens: its bounce waits for nothing."""
    table = Table(power_timing="before_bounce").hands("Sweet Old Lady, +5", "New Hip", "+5").pile(1, "+2").pile(2, "-2")
    table.play("Sweet Old Lady on pile 1", "seat 1", "pile 2")
    assert table.decision() == "bounce by 0"
    assert table.choices() == without("pile 2")
    assert table.play("pile 3").choices() == without("pile 1")
    table.play("pile 4")
    assert table.story()[-2:] == ["-2 bounces to pile 3.", "+2 bounces to pile 4."]
    assert (table.cards(1), table.cards(2)) == (["Sweet Old Lady"], ["New Hip"])


def test_b18_a_card_covers_what_lay_on_top_when_it_was_placed() -> None:
    """A stolen +2 is put on the Sweet Old Lady that stole it, which itself waits to make +2 bounce."""
    table = Table(power_timing="before_bounce").hands("Sweet Old Lady, +5", "+2", "+5").pile(1, "+2")
    table.play("Sweet Old Lady on pile 1", "seat 1", "pile 1", "pile 3", "pile 4")
    assert table.story()[-2:] == ["Sweet Old Lady (-2) bounces to pile 3.", "+2 bounces to pile 4."]
    assert table.cards(1) == ["+2"]


# --- B15, B16, B27 the deck


def deck_of(**options: Any) -> dict[str, int]:
    """Copies of each card in the deck, with numbers as played."""
    table = Table(**options)
    cards = table.rules.cards[: table.rules.deck_size].tolist()
    return {name: cards.count(kind) for name, kind in table.kinds.items() if kind in cards}


def test_b15_which_numbers_are_played() -> None:
    numbers = [*range(-5, 0), *range(1, 6)]
    assert deck_of(gold_set="none") == {f"{number:+d}": 5 for number in numbers}
    assert deck_of(gold_set="none", vp_distribution="triangular") == {
        f"{number:+d}": 8 - abs(number) for number in numbers
    }


def test_b16_which_gold_cards_are_played() -> None:
    gold = {card["name"]: card["copies"] for card in BOX["gold"]["cards"]}
    assert {name: count for name, count in deck_of().items() if name in gold} == gold
    assert deck_of(gold_set="valueless") == deck_of()
    assert not set(deck_of(gold_set="none")) & set(gold)


def test_b16_valueless_gold_cards_are_worth_0_and_keep_their_powers() -> None:
    table = (
        Table(gold_set="valueless")
        .hands("Sweet Old Lady, +5", "-3", "+1")
        .pile(2, "+2")
        .play("Sweet Old Lady on pile 2")
    )
    assert table.story() == ["Seat 0 plays Sweet Old Lady (0) on pile 2."]
    assert table.decision() == "steal by 0"
    assert table.state.total[1] == 2
    table = Table(gold_set="valueless", zero_bounces=True).hands("New Hip", "-3", "+1").pile(2, "Nana Nap")
    assert table.play("New Hip on pile 2").decision() == "bounce by 0"


@pytest.mark.parametrize("options", [{}, {"gold_set": "valueless"}, {"gold_powers": "off"}])
def test_b27_gold_cards_stay_gold_cards(options: dict[str, Any]) -> None:
    played = whole(8, **options)  # all 64 cards are dealt
    assert sum(player["opening_gold"] for player in played.players) == 14
    for seat, player in enumerate(played.players):
        cards = next(line for line in played.story() if line.startswith(f"Seat {seat} is dealt")).split(", ")
        assert player["opening_gold"] == sum("(" in card for card in cards)


def test_b1_b16_a_valueless_gold_card_is_still_not_kept() -> None:
    table = Table(gold_set="valueless", gold_powers="on", steal_card="to_hand_unless_gold")
    table.hands("Sweet Old Lady, +5", "New Hip", "+1").play("Sweet Old Lady on pile 2", "seat 1")
    assert table.decision() == "place of a stolen card by 0"


# --- A6, B11, B24 the end


def ending(*piles: tuple[str, ...], players: int = 3, first: int = 0, deal: int = 0, **options: Any) -> Table:
    """Piles 1, 2, 3 are those of seats 0, 1, 2; the last card goes on the dummy pile 4."""
    table = Table(players, deal=deal, **options).hands("+1", "", "").first(first)
    for number, cards in enumerate(piles, start=1):
        table.pile(number, *cards)
    return table.play("+1 on pile 4")


def test_a6_the_highest_score_wins_and_dummy_piles_do_not_count() -> None:
    table = ending(("+1",), ("+3", "+1 down by 2"), (), ("+5", "+5"))
    assert table.story()[1:] == [
        "Seat 0 scores +1 with 1 cards in pile 1.",
        "Seat 1 scores +4 with 2 cards in pile 2.",
        "Seat 2 scores 0 with 0 cards in pile 3.",
        "Seat 1 wins.",
    ]
    assert table.state.tie_stage == 0


def test_a6_each_player_scores_the_pile_that_is_owned() -> None:
    table = Table().owns(4, 1, 2).hands("+5", "", "").pile(1, "+1").pile(2, "-3").pile(3, "+9").play("+5 on pile 4")
    assert table.state.score[:3].tolist() == [5, 1, -3]
    assert table.state.winners == 1
    assert table.state.own_positive[:3].tolist() == [1, 0, 0]


def test_b24_the_fewest_cards_among_those_tied() -> None:
    """Seat 2 has fewer cards than both, but is not tied. Face-down cards count."""
    table = ending(("+5",), ("+3", "+2 down by 1"), ("+4",))
    assert table.story()[-2:] == ["Tied at +5: the fewest cards decide.", "Seat 0 wins."]
    assert table.state.tie_stage == 1
    table = ending(("+5", "+2", "-2"), ("+3", "+2 down by 1"), ())
    assert table.story()[-1] == "Seat 1 wins."


STILL_TIED = (("+5", "-2"), ("+1",), ("+1", "+2"))


def test_b11_a_tie_that_stays_is_a_shared_win() -> None:
    table = ending(*STILL_TIED)
    assert table.story()[-3:] == [
        "Tied at +3: the fewest cards decide.",
        "Still tied at 2 cards.",
        "Seats 0, 2 share the win.",
    ]
    assert (int(table.state.winners), int(table.state.tie_stage)) == (0b101, 2)


def test_b11_a_tie_of_three_of_which_two_stay() -> None:
    table = ending(("+5", "-2"), ("+1", "+1", "+1"), ("+1", "+2"))
    assert table.story()[-2:] == ["Still tied at 2 cards.", "Seats 0, 2 share the win."]


@pytest.mark.parametrize(("first", "winner"), [(0, 0), (1, 2), (2, 2)])
def test_b11_the_first_in_turn_order_wins_if_so_agreed(first: int, winner: int) -> None:
    table = ending(*STILL_TIED, final_tie="earliest_turn", first=first)
    assert table.story()[-2:] == ["Still tied at 2 cards.", f"Seat {winner} wins."]
    assert table.state.tie_stage == 2


def test_b11_the_lot_decides_if_so_agreed() -> None:
    winners = [ending(*STILL_TIED, deal=deal, final_tie="random").story()[-1] for deal in range(200)]
    assert set(winners) == {"Seat 0 wins.", "Seat 2 wins."}
    assert 68 < winners.count("Seat 0 wins.") < 132  # 4.5 standard errors
    assert ending(("+5",), ("+3", "+2"), (), final_tie="random").story()[-1] == "Seat 0 wins."  # cards come first


def test_everybody_may_share() -> None:
    table = ending((), (), ())
    assert table.story()[-3:] == [
        "Tied at 0: the fewest cards decide.",
        "Still tied at 0 cards.",
        "Seats 0, 1, 2 share the win.",
    ]


# --- B26 what is known of hands


def test_b26_both_players_of_a_swap_know_the_card_they_gave() -> None:
    table = Table().hands("New Hip, -5, -4", "+3, +1", "+1, -1").play("New Hip on pile 4", "seat 1", "-5")
    assert (table.knows(0, 1), table.knows(1, 0)) == ("", "")
    table.play("+3")
    assert (table.knows(0, 1), table.knows(1, 0)) == ("-5", "+3")
    assert (table.knows(2, 0), table.knows(2, 1)) == ("", "")
    table.play("-5 on pile 4")  # all see it leave
    assert table.knows(0, 1) == ""


def test_b26_a_card_given_back_at_once() -> None:
    table = (
        Table(swap_return_same=True)
        .hands("New Hip, -5", "+3, +1", "+1")
        .play("New Hip on pile 4", "seat 1", "-5", "-5")
    )
    assert (table.knows(0, 1), table.knows(1, 0)) == ("", "-5")


def test_b26_a_thief_who_looks_knows_the_rest_of_the_hand() -> None:
    table = Table(steal_pick="thief_sees_hand").hands("Sweet Old Lady, +5", "-3, -3, +4", "+1")
    table.play("Sweet Old Lady on pile 2", "seat 1")
    assert table.knows(0, 1) == "-3, -3, +4"
    table.play("-3", "pile 4")
    assert table.knows(0, 1) == "-3, +4"
    assert table.play("-3 on pile 4").knows(0, 1) == "+4"
    assert table.knows(2, 1) == ""


def test_b26_a_blind_thief_knows_nothing_but_the_victim_knows_what_was_kept() -> None:
    table = Table(steal_card="to_hand_unless_gold").hands("Sweet Old Lady, +5", "-3, -3", "+1")
    table.play("Sweet Old Lady on pile 2", "seat 1")
    assert (table.knows(0, 1), table.knows(1, 0), table.knows(2, 0)) == ("", "-3", "")


def known(witness: int, **options: Any) -> Table:
    """Seat 1 holds -5 and more; `witness` knows of the -5."""
    table = Table(**options).hands("New Hip, +2, -1", "-5, Senior Moment, New Wheels, +1", "Sweet Old Lady, +4").turn(1)
    table.state.known[witness, 1, table.kinds["-5"]] = 1
    table.state.known_of[1] = 1
    return table


def test_b26_a_card_that_leaves_unseen_is_forgotten_with_all_others() -> None:
    table = known(0).play("Senior Moment on pile 4")
    assert table.knows(0, 1) == "-5"
    assert table.play("take", "+1 on pile 4").knows(0, 1) == ""  # face down: it might be the -5


def test_b26_a_swap_is_unseen_by_the_third_player() -> None:
    table = known(0).play("New Wheels on pile 4", "seat 2", "+1", "+4")
    assert table.knows(0, 1) == ""
    assert (table.knows(2, 1), table.knows(1, 2)) == ("+4", "+1")
    table = known(2).play("New Wheels on pile 4", "seat 2", "+1", "+4")
    assert table.knows(2, 1) == "-5, +4"  # seat 2 saw which card left
    table = known(2).play("New Wheels on pile 4", "seat 2", "-5", "+4")
    assert table.knows(2, 1) == "+4"


def test_b26_the_second_player_of_a_swap_is_forgotten_by_the_third() -> None:
    table = known(2).turn(0).play("New Hip on pile 4", "seat 1", "+2", "+1")
    assert (table.knows(2, 1), table.knows(0, 1)) == ("", "+2")
    table = known(0).turn(0).play("New Hip on pile 4", "seat 1", "+2", "-5")
    assert table.knows(0, 1) == "+2"
    table = known(0).turn(0).play("New Hip on pile 4", "seat 1", "+2", "+1")
    assert table.knows(0, 1) == "-5, +2"


def test_b26_a_steal_that_is_kept_is_unseen_by_the_third_player() -> None:
    options = {"steal_card": "to_hand_unless_gold", "steal_pick": "thief_sees_hand"}
    table = known(0, **options).turn(2).play("Sweet Old Lady on pile 4", "seat 1", "+1")
    assert table.knows(0, 1) == ""
    assert table.knows(2, 1) == "-5, Senior Moment, New Wheels"
    table = known(0, steal_pick="thief_sees_hand").turn(2).play("Sweet Old Lady on pile 4", "seat 1", "+1")
    assert table.knows(0, 1) == "-5"  # played at once: everybody sees it


# --- C the choices in their order


def test_c_choices_are_listed_in_the_order_of_the_rules() -> None:
    table = Table(4, steal_optional=True, swap_optional=True, swap_return_same=True, steal_pick="thief_sees_hand")
    table.hands("Nana Nap, +1, -2", "Sweet Old Lady, -4", "New Wheels, New Hip, +3", "Generation Gap").pile(3, "-1")
    piles = [f"pile {number}" for number in range(1, 6)]
    assert table.choices() == [f"{card} on {pile}" for card in ("-2", "+1", "Nana Nap") for pile in piles]
    assert table.play("+1 on pile 3").choices() == ["pile 1", "pile 2", "pile 4", "pile 5"]
    assert table.play("pile 4", "Sweet Old Lady on pile 4").choices() == ["seat 0", "seat 2", "seat 3", "decline"]
    assert table.play("seat 2").choices() == ["+3", "New Hip", "New Wheels"]
    assert table.play("New Hip").choices() == piles
    assert table.play("pile 1", "New Wheels on pile 4").choices() == ["seat 0", "seat 1", "seat 3", "decline"]
    assert table.play("seat 3").choices() == ["+3"]
    assert table.play("+3").choices() == ["+3", "Generation Gap"]
    table.play("+3", "Generation Gap on pile 3")
    assert table.choices() == ["piles 1 and 3", "piles 1 and 4", "piles 3 and 4", "decline"]


# --- E what is recorded


def test_e3_what_an_observer_would_give_for_the_true_pile() -> None:
    """W(0) is 1048576, W(3) 233968, W(4) 141909, W(27) 1 and W(30) 0."""
    table = Table().lean(0, pile1=4).lean(1, pile3=30)
    assert [int(leak(table.state, table.rules, seat)) for seat in range(3)] == [71, 0, 25]
    table.lean(1, pile2=27)
    assert int(leak(table.state, table.rules, 1)) == 18  # 100 x W(3) / (W(0) + W(3)) = 18.2


def test_e3_cards_played_face_up_and_bounces_lean_face_down_cards_do_not() -> None:
    table = Table().hands("Senior Moment, +4, +5", "-3, +1", "+1").pile(2, "+3")
    table.play("Senior Moment on pile 4", "take", "+4 on pile 1")
    assert table.state.lean[0, :4].tolist() == [0, 0, 0, -1]
    table.play("-3 on pile 2", "pile 1")
    assert table.state.lean[1, :4].tolist() == [3, -3, 0, 0]


def test_e3_the_middle_is_the_end_of_the_turn_in_which_half_of_the_cards_have_been_placed() -> None:
    table = Table(2).size(3).hands("Nana Nap, +5, +1", "-1, +2, +2")
    table.play("Nana Nap on pile 4", "take", "+5 on pile 1")
    assert table.state.leak_middle[:2].tolist() == [0, 0]
    assert table.state.half_way == 0
    table.play("-1 on pile 3")  # the third of six
    assert table.state.half_way == 1
    assert table.state.leak_middle[:2].tolist() == [int(leak(table.state, table.rules, seat)) for seat in (0, 1)]
    middle = table.state.leak_middle[:2].tolist()
    table.play("+1 on pile 1", "+2 on pile 2", "+2 on pile 2")
    assert table.decision() == "over"
    assert table.state.leak_middle[:2].tolist() == middle


def test_e4_bits_of_kinds() -> None:
    table = Table()
    assert {name: table.kinds[name] for name in ("-9", "0", "+5", "Sweet Old Lady", "Generation Gap")} == {
        "-9": 0,
        "0": 9,
        "+5": 14,
        "Sweet Old Lady": NUMBERED,
        "Generation Gap": NUMBERED + 5,
    }
    played = whole(3, 4)
    hand = next(line for line in played.story() if line.startswith("Seat 1 is dealt ")).removesuffix(".")
    cards = {card.split(" (")[0] for card in hand.removeprefix("Seat 1 is dealt ").split(", ")}
    assert played.players[1]["opening_cards"] == sum(1 << table.kinds[card] for card in cards)
