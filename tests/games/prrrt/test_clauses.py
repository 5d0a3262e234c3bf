"""Every clause of RULES.md A and B, one small table each."""

from copy import deepcopy
from typing import Any

import pytest

from simkit.engine.worker import Job, play
from simkit.errors import BoxError
from simkit.games.prrrt.box import CONTEXTS, deck_list, pack
from simkit.games.prrrt.state import ACCUSE, ANSWER, GIVE, OVER, SWAP, TAKE, TARGET
from simkit.kernel.drive import new_table
from tests.games.prrrt.table import BOX, CODES, DENY, OWN_UP, SPEC, Table, known_decks


def columns(
    players: int, policy: str = "careless", playouts: int = 400, box: Any = BOX, **options: Any
) -> dict[str, Any]:
    rules = pack(SPEC.resolve(options), box, players)
    return play(Job("prrrt", rules, new_table([CODES[policy]] * players, 3)), 0, playouts, playouts).columns


# --- A3, A4, A5: a round


def test_a3_a_round_begins_with_a_location_shame_cards_and_hands() -> None:
    table = Table(seed=3).begin()
    place = int(table.state.location[0])
    card = BOX["location_deck"]["placeholder"]["cards"][place]
    first = int(table.state.first)
    story = table.story()
    assert story[0] == f"Round 1: {card['context']}, to the {card['direction']}, seat {first} first."
    up, down = card["up"], card["down"]
    centre = [int(value) for value in table.state.centre[: up + down]]
    assert [line for line in story if line.startswith("Shame")] == [
        f"Shame face {face}: {', '.join(map(str, part))}."
        for face, part in (("up", centre[:up]), ("down", centre[up:]))
        if part
    ]
    assert table.state.centre_down == sum(1 << i for i in range(up, up + down))
    assert [len(table.hands(seat)) for seat in range(4)] == [5] * 4
    assert table.state.seat == (first + (1 if card["direction"] == "left" else -1)) % 4
    assert table.codes() == [OWN_UP, DENY]


def test_a4_who_owns_up_takes_the_centre_and_the_round_is_over() -> None:
    table = Table().centre(3, 8, down=[5]).pile(1, 2).do(OWN_UP)
    assert table.piles(1) == [2, 3, 5, 8]
    assert table.told("Seat 1 owns up.", "Seat 1 takes 3, 8, 5 from the centre.")
    assert (table.state.rounds, table.state.tour, table.state.first) == (3, 1, 1)
    assert (table.state.own_ups[0], table.state.own_up_points[0], table.state.times_owned_up[1]) == (1, 16, 1)
    assert sum(table.points()) == 18


def test_a4_the_player_before_turns_up_a_card_of_who_denies() -> None:
    table = Table().hand(1, 0, 1, 2, 2, 7).deny(2)
    assert table.hands(1) == [0, 1, 2, 7]
    assert table.fronts(1) == [2]
    assert table.told("Seat 1 denies.", "Seat 0 turns up 2.")
    assert table.state.seat == 2


@pytest.mark.parametrize(("step", "order"), [(1, [1, 2, 3, 0]), (3, [3, 2, 1, 0])])
def test_a4_the_first_player_is_questioned_last(step: int, order: list[int]) -> None:
    table = Table()
    table.state.step = step
    table.asked(order[0])
    asked = []
    for _ in range(12):
        asked.append(int(table.state.seat))
        table.do(DENY)
    assert asked == 3 * order
    assert table.state.phase == ACCUSE
    askers = [line[:16] for line in table.story() if "turns up" in line]
    assert askers == 3 * [f"Seat {seat} turns up "[:16] for seat in [0, *order[:-1]]]


def test_a4_nothing_is_turned_up_of_an_empty_hand() -> None:
    table = Table().hand(1).do(DENY)
    assert table.fronts(1) == []
    assert table.told("Seat 1 denies.", "Seat 1 has no card left to turn up.")


@pytest.mark.parametrize(("tour", "size"), [(1, 1), (2, 1), (3, 0)])
def test_a5_a_shame_card_more_after_the_first_two_tours(tour: int, size: int) -> None:
    table = Table().asked(0, tour).do(DENY)
    assert table.state.centre_size == size
    assert table.state.centre_down == 0
    assert ("One more Shame card, face up: 1." in table.story()) is (size == 1)


# --- A6: accusation and revelation


def test_a6_revelation() -> None:
    """Totals 9, 16, 10, 10. Seats 0 and 2 point at 3, 3 at 1, 1 at nobody: 1 takes the centre and one card, 0 and 2 pay one."""
    table = Table().hand(0, 1, 2).front(0, 1, 2, 3).hand(1, 2, 2).front(1, 6, 5, 1)
    table.hand(2, 4, 4).front(2, 1, 1, 0).hand(3, 3, 3).front(3, 2, 1, 1).centre(5, 5, down=[2]).accusing()
    table.point(3, None, 3, 1)
    assert "Totals: 9, 16, 10, 10." in table.story()
    assert table.points() == [1, 13, 1, 0]
    assert table.told(
        "Seat 1 is the culprit.",
        "Seat 1 takes 5, 5, 2 from the centre.",
        "Seat 1 draws 1 for fingers.",
        "Seat 0 draws 1 for a wrong accusation.",
        "Seat 2 draws 1 for a wrong accusation.",
    )
    assert (table.state.rounds, table.state.first) == (3, 1)
    assert [int(n) for n in table.state.correct[:4]] == [0, 0, 0, 1]
    assert [int(n) for n in table.state.wrong[:4]] == [1, 0, 1, 0]
    assert [int(n) for n in table.state.abstained[:4]] == [0, 1, 0, 0]
    assert (table.state.totals, table.state.culprit_totals, table.state.highest_culprit) == (45, 16, 16)


@pytest.mark.parametrize(("rule", "culprit"), [("on", 2), ("off", 0)])
def test_a6_b10_b31_five_zeros_make_the_culprit(rule: str, culprit: int) -> None:
    table = (
        Table(players=3, five_zero_rule=rule)
        .hand(0, 7, 6, 6, 5, 5)
        .hand(1, 1, 1, 2, 4, 4)
        .front(2, 0, 0, 0)
        .hand(2, 0, 0)
    )
    table.accusing().point(None, None, None)
    assert table.told("Totals: 29, 12, 0.", "Seat 2 shows five zeros.", f"Seat {culprit} is the culprit.")
    assert table.state.five_zeros == 1


def test_b31_five_zeros_need_five_cards() -> None:
    table = Table(players=3).hand(0, 1).hand(1, 2).hand(2, 0, 0).gone(2, 1, 1, 1).accusing().point(None, None, None)
    assert table.state.five_zeros == 0
    assert table.state.times_culprit[1] == 1


# --- A7: effects


@pytest.mark.parametrize("value", [0, 1, 2, 8, 9])
def test_a7_other_values_have_no_effect(value: int) -> None:
    table = Table().hand(1, value, value, 3).pile(1, 4).front(2, 6).deny(value)
    assert (table.state.phase, table.state.seat) == (ANSWER, 2)
    assert not any("effect" in line for line in table.story())


def test_a7_a_3_gives_all_cards_of_one_value_away() -> None:
    table = Table().hand(1, 3, 0, 0).pile(1, 4, 4, 4).pile(3, 4, 9).deny(3)
    assert table.codes() == [10, 12, 13]
    table.do(13)
    assert table.piles(1) == []
    assert table.piles(3) == [4, 4, 4, 4, 9]
    assert table.points() == [0, 0, 0, 25]
    assert table.told("Seat 1 offers its Shame pile to seat 3.", "Seat 3 draws 4 and takes 3 x 4.")
    assert (table.state.given[1], table.state.gained[3], table.state.effects[3]) == (12, 12, 1)


def test_a7_a_3_does_nothing_without_shame_cards() -> None:
    table = Table().hand(1, 3, 0).deny(3)
    assert table.told("Seat 0 turns up 3.", "The 3 has no effect.")
    assert table.state.effects[3] == 0
    assert table.state.revealed[3] == 1


def test_a7_a_4_exchanges_one_card() -> None:
    table = Table().hand(1, 4, 1, 1).hand(2, 6, 6).deny(4)
    assert table.codes() == [20, 22, 23]
    table.do(22)
    assert table.state.phase == GIVE
    assert table.hands(1) == [1, 1, 6]
    assert table.codes() == [200_000 + 10_000 + 2_000 + card for card in (1, 6)]
    table.do(212_006)
    assert table.hands(1) == [1, 1]
    assert table.hands(2) == [6, 6]
    assert table.told("Seat 1 exchanges with seat 2.", "Seat 1 draws 6 from seat 2.", "Seat 1 gives 6 to seat 2.")
    assert table.state.effects[4] == 1


def test_a7_a_5_must_take_a_card_in_front_of_another() -> None:
    table = Table().hand(1, 5, 0).front(0, 7).front(2, 6).deny(5)
    assert table.codes() == [107, 126]
    table.do(126)
    assert table.fronts(1) == [6]
    assert table.fronts(2) == [5]
    assert table.told("Seat 1 takes the 6 of seat 2 and leaves its 5 there.")
    assert table.state.effects[5] == 1


def test_a7_a_5_does_nothing_on_an_empty_table() -> None:
    table = Table().hand(1, 5, 0).front(1, 2).deny(5)
    assert table.told("Seat 0 turns up 5.", "The 5 has no effect.")
    assert table.fronts(1) == [2, 5]


@pytest.mark.parametrize(("hand", "count"), [((1, 2, 3, 4), 3), ((1, 1, 2), 3), ((1, 2), 2), ((2,), 1)])
def test_a7_a_6_exchanges_three_cards_or_as_many_as_there_are(hand: tuple[int, ...], count: int) -> None:
    table = Table().hand(1, 6, 0, 0, 0, 0).hand(2, *hand).deny(6).do(32)
    assert len(table.hands(1)) == 4 + count
    zeros = 200_000 + 10_000 * count + 2_000
    assert table.codes()[0] == zeros
    table.do(zeros)
    assert len(table.hands(1)) == 4
    assert len(table.hands(2)) == len(hand)
    assert table.hands(2)[:count] == [0] * count
    assert table.state.effects[6] == 1


def test_a7_b28_a_7_discards_the_hand() -> None:
    """Total 7 whatever was in the hand; the other tours turn nothing up, and the player still accuses."""
    table = Table().hand(1, 7, 6, 6, 6, 6).hand(2, 0, 0, 0, 2, 8).deny(7)
    assert table.told("Seat 0 turns up 7.", "Seat 1 discards 6, 6, 6, 6.")
    assert table.hands(1) == []
    for _ in range(2):
        table.deny(0).do(DENY, DENY)
        assert table.codes() == [OWN_UP, DENY]
        table.do(DENY)
        assert table.fronts(1) == [7]
    assert table.told("Seat 1 denies.", "Seat 1 has no card left to turn up.")
    table.do(DENY, DENY, DENY)
    assert table.state.phase == ACCUSE
    table.point(None, 2, None, None)
    assert "Totals: 1, 7, 10, 1." in table.story()
    assert table.state.correct[1] == 1


# --- A8, A9: the end


def test_a8_b11_the_responsible_player_is_first_in_the_next_round() -> None:
    assert Table().asked(2).do(OWN_UP).state.first == 2
    assert Table(own_up_first_player="previous_first").asked(2).do(OWN_UP).state.first == 0
    for rule in ("owner", "previous_first"):
        table = Table(own_up_first_player=rule).hand(2, 7).accusing().point(None, None, None, None)
        assert table.state.first == 2


def test_a9_b25_the_game_ends_with_the_fifth_context() -> None:
    table = Table().centre(3)
    table.state.contexts = 0b11111
    table.do(OWN_UP)
    assert (table.state.phase, table.state.end_reason) == (OVER, 1)
    assert table.told("The game ends: all five contexts have been played.", "Scores: 0, 3, 0, 0.", "Seat 1 loses.")


@pytest.mark.parametrize(("drawn", "over"), [(4, False), (5, True), (6, True)])
def test_a9_the_game_ends_with_the_round_of_the_sideways_card(drawn: int, over: bool) -> None:
    table = Table()
    table.state.shame_drawn = drawn
    table.deck(*[1] * 20)
    table.rules.sideways = 5
    table.do(OWN_UP)
    assert bool(table.state.phase == OVER) is over
    assert table.state.end_reason == (2 if over else 0)


def test_a9_the_round_of_the_sideways_card_is_finished_as_usual() -> None:
    table = Table().hand(2, 7).hand(0, 5)
    table.rules.sideways = 1
    table.accusing().point(2, None, 0, None)  # the sideways card is drawn for the finger, and another one is due
    assert table.points() == [0, 0, 2, 0]
    assert table.state.end_reason == 2


def test_a9_b25_both_reasons() -> None:
    table = Table()
    table.state.contexts = 0b11111
    table.state.shame_drawn = 5
    table.deck(1)
    table.rules.sideways = 5
    assert table.do(OWN_UP).state.end_reason == 3


# --- B1 to B3, B20, B21: decks


@pytest.mark.parametrize(
    ("deck", "copies"),
    [
        ("inverse_0_7", {v: 8 - v for v in range(8)}),
        ("literal_1_8", {v: v for v in range(1, 9)}),
        ("shifted_0_7", {v: v + 1 for v in range(8)}),
    ],
)
def test_b1_smell_decks(deck: str, copies: dict[int, int]) -> None:
    rules = pack(SPEC.resolve({"smell_deck": deck}), BOX, 4)
    assert {v: int(n) for v, n in enumerate(rules.smell_copies) if n} == copies
    assert rules.smell_size == 36


@pytest.mark.parametrize(("deck", "points"), [("flat", 340), ("decreasing", 289), ("eight_by_eight", 312)])
def test_b2_shame_decks(deck: str, points: int) -> None:
    rules = pack(SPEC.resolve({"shame_deck": deck}), BOX, 4)
    assert (rules.shame_size, rules.shame_points) == (64, points)


@pytest.mark.parametrize(("deck", "sizes"), [("placeholder", {3}), ("fixed_2_1", {3}), ("varied", {2, 3, 4})])
def test_b3_location_decks(deck: str, sizes: set[int]) -> None:
    rules = pack(SPEC.resolve({"location_deck": deck}), BOX, 4)
    assert {int(up + down) for up, down in zip(rules.face_up, rules.face_down, strict=True)} == sizes
    assert sorted(map(int, rules.context[:10])) == sorted(2 * list(range(5)))


@pytest.mark.parametrize(
    ("what", "cards", "options", "line"),
    [
        ("smell_deck", [{"value": 1, "copies": 19}], {}, "19 cards cannot be dealt to 4: 4 x 5 = 20 are needed"),
        ("smell_deck", [{"value": 1, "copies": 60}, {"value": 2, "copies": 1}], {}, "61 cards, at most 60"),
        ("shame_deck", [{"value": 1, "copies": 12}], {}, "at least 13 cards are needed"),
        ("shame_deck", [{"value": 1, "copies": 0}], {"indicator": "off"}, "no cards"),
        ("shame_deck", [{"value": 1, "copies": 97}], {}, "97 cards, at most 96"),
        ("shame_deck", [{"value": 15, "copies": 27}], {}, "405 points on 27 cards, at most 400"),
        ("location_deck", BOX["location_deck"]["varied"]["cards"][:8], {}, "none shows 'couple'"),
    ],
)
def test_b21_boxes_that_are_refused(what: str, cards: list[Any], options: dict[str, Any], line: str) -> None:
    box = deepcopy(BOX)
    for deck in box[what].values():
        deck["cards"] = cards
    with pytest.raises(BoxError, match=r".") as problem:
        pack(SPEC.resolve(options), box, 4)
    assert line in str(problem.value).replace("couple;", "'couple';")


def test_b21_values_8_and_9_are_played_without_effect() -> None:
    found = columns(3, box=known_decks(smell={8: 20, 9: 20}), own_up_probability=0)
    assert all((found[f"revealed_{value}"] == 0).all() for value in (3, 4, 5, 6, 7))
    assert found["culprit_totals"].min() > 40 * 5


# --- B4, B30: ties


def tie(**options: Any) -> Table:
    """Seats 1, 2 and 3 share the largest total; the centre holds 5, 6, 7 and 8."""
    table = Table(**options).hand(1, 3, 3).hand(2, 6).hand(3, 2, 4).centre(5, 6, down=[7, 8])
    return table.accusing()


def test_b4_the_most_accused_of_those_who_are_tied() -> None:
    table = tie().point(3, None, 3, 2)
    assert "Seats 1, 2, 3 share the largest total." in table.story()
    assert [int(n) for n in table.state.times_culprit[:4]] == [0, 0, 0, 1]
    assert table.state.ties == 1
    assert table.points() == [0, 0, 0, 26 + 2 + 1]  # the centre, two fingers, and pointing at seat 2 was wrong


@pytest.mark.parametrize(("step", "culprit"), [(1, 1), (3, 3)])
def test_b4_else_the_first_of_them_in_questioning_order(step: int, culprit: int) -> None:
    for points in ((None, None, None, None), (None, 2, 3, 1)):  # in table order 0, 1, 2, 3 or 0, 3, 2, 1
        table = tie()
        table.state.step = step
        by_seat = dict(enumerate(points))
        order = [0, 1, 2, 3] if step == 1 else [0, 3, 2, 1]
        table.point(*(by_seat[seat] for seat in order))
        assert table.state.times_culprit[culprit] == 1


def test_b4_first_in_order_does_not_look_at_fingers() -> None:
    assert tie(tie_rule="first_in_order").point(3, None, 3, None).state.times_culprit[1] == 1


def test_b4_d6_random_takes_each_of_the_tied() -> None:
    found = {
        tuple(map(int, tie(tie_rule="random", seed=s).point(3, None, 3, None).state.times_culprit)) for s in range(40)
    }
    assert found == {(0, 1, 0, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0, 0)}


def test_b30_all_of_the_tied_share() -> None:
    """Seat 1 gets two cards of the centre, 2 and 3 one each; accusing any of them is right, and each pays for fingers."""
    table = tie(tie_rule="all_share").point(1, 2, 3, 0)
    assert [int(n) for n in table.state.times_culprit[:4]] == [0, 1, 1, 1]
    assert [int(n) for n in table.state.pile_cards[:4]] == [0, 2 + 1, 1 + 1, 1 + 1 + 1]
    assert [int(n) for n in table.state.correct[:4]] == [1, 1, 1, 0]
    assert table.state.wrong[3] == 1
    assert sum(table.points()) == 26 + 3 + 1
    assert table.state.first == 1
    assert table.told("Seat 1 is the culprit.", "Seat 2 is the culprit.", "Seat 3 is the culprit.")


def test_b30_the_centre_is_shuffled_before_it_is_shared() -> None:
    found = {tuple(tie(tie_rule="all_share", seed=s).point(None, None, None, None).piles(2)) for s in range(40)}
    assert found == {(5,), (6,), (7,), (8,)}


def test_b31_several_with_five_zeros_are_tied() -> None:
    table = (
        Table(players=3).hand(0, *[0] * 5).hand(1, 7, 7).hand(2, *[0] * 5).accusing().point(2, 2, None)
    )  # seats 0 and 2 hold five zeros
    assert table.told("Seat 0 shows five zeros.", "Seat 2 shows five zeros.", "Seat 2 is the culprit.")
    assert table.state.ties == 0  # the largest total was not shared


# --- B5, B13: additions


def test_b5_a_shame_card_after_the_third_tour_if_so_agreed() -> None:
    table = Table(shame_after_third=True).asked(0, 3).do(DENY)
    assert table.state.centre_size == 1
    assert table.state.phase == ACCUSE


@pytest.mark.parametrize(("face", "mask"), [("up", 0b000), ("down", 0b110)])
def test_b13_the_face_of_later_additions(face: str, mask: int) -> None:
    table = Table(shame_after_third=True, added_shame_face=face)
    table.do(*[DENY] * 12)
    assert table.state.centre_size == 3
    assert table.state.centre_down == mask


# --- B6, B27: chains


def test_b6_a_card_taken_with_a_5_has_its_effect_if_so_agreed() -> None:
    for triggers, phase in ((False, ANSWER), (True, TARGET)):
        table = Table(effect5_triggers=triggers).hand(1, 5, 0).front(2, 6).deny(5).do(126)
        assert table.state.phase == phase


def test_b27_a_chain_of_fives_stops_after_ten_links() -> None:
    table = Table(players=3, effect5_triggers=True).hand(1, 5, 0).front(0, 5).front(2, 6).deny(5)
    taken = 0
    while table.state.phase == SWAP:
        table.do(105)
        taken += 1
    assert taken == 1 + 10
    assert table.state.effects[5] == 11
    assert (table.state.seat, table.state.phase) == (2, ANSWER)


def test_b27_any_other_effect_ends_a_chain() -> None:
    table = Table(effect5_triggers=True).hand(1, 5, 0).front(0, 5).front(2, 7).deny(5).do(105, 127)
    assert table.hands(1) == []
    assert table.state.seat == 2
    table = Table(effect5_triggers=True).hand(1, 5, 0).front(2, 3).deny(5).do(123)
    assert table.told("Seat 1 takes the 3 of seat 2 and leaves its 5 there.", "The 3 has no effect.")


# --- B7 to B9, B26: exchanges


@pytest.mark.parametrize(("value", "decline"), [(3, 19), (4, 29), (6, 39)])
def test_b7_3_4_and_6_may_be_declined_if_so_agreed(value: int, decline: int) -> None:
    assert decline not in Table().pile(1, 2).effect(value, 1).codes()
    table = Table(effects_optional=True).pile(1, 2).effect(value, 1)
    assert table.codes()[-1] == decline
    table.do(decline)
    assert table.told("Seat 1 declines.")
    assert table.state.effects[value] == 0


def test_b8_a_chooses_from_the_whole_hand_if_so_agreed() -> None:
    table = Table(exchange_draw="choose").hand(1, 6, 1).hand(2, 0, 2, 2, 5).deny(6).do(32)
    assert table.state.phase == TAKE
    assert table.codes() == [132_022, 132_025, 132_225]
    table.do(132_225)
    assert table.hands(1) == [1, 2, 2, 5]
    assert table.hands(2) == [0]
    assert table.codes() == [232_122, 232_125, 232_225]
    table.do(232_125)
    assert table.hands(1) == [2]
    assert table.hands(2) == [0, 1, 2, 5]
    assert table.told("Seat 1 takes 2, 2, 5 from seat 2.", "Seat 1 gives 1, 2, 5 to seat 2.")


def test_b9_a_player_without_cards_may_not_be_chosen_or_may() -> None:
    assert Table().hand(2).effect(4, 1).codes() == [20, 23]
    table = Table(empty_opponent="allowed").hand(2).effect(4, 1)
    assert table.codes() == [20, 22, 23]
    table.do(22)
    assert table.told("Seat 1 exchanges with seat 2.", "Seat 2 has no card to exchange.")
    assert (table.state.effects[4], table.state.seat) == (0, 2)


def test_b26_no_effect_if_nobody_else_has_cards() -> None:
    table = Table(players=3, effects_optional=True).hand(0).hand(1, 4, 2).hand(2).deny(4)
    assert table.told("Seat 0 turns up 4.", "The 4 has no effect.")
    assert table.state.phase == ANSWER


def test_b26_a_single_choice_is_asked_for() -> None:
    assert Table(players=3).hand(0).hand(1, 4, 2).deny(4).codes() == [22]


# --- B12, B18, B32: payments


@pytest.mark.parametrize(("pays", "points"), [(True, 1), (False, 0)])
def test_b12_whether_the_culprit_pays_for_a_wrong_accusation(pays: bool, points: int) -> None:
    table = Table(culprit_pays_wrong=pays).hand(1, 7).accusing().point(None, 3, None, None)
    assert table.points()[1] == points
    assert table.state.wrong[1] == 1


@pytest.mark.parametrize(
    ("order", "payers"),
    [
        ("culprit_first", ["Seat 2 draws 1, 1 for fingers.", "Seat 1 draws 1 for", "Seat 2 draws 1 for"]),
        ("table_order", ["Seat 1 draws 1 for", "Seat 2 draws 1, 1 for fingers.", "Seat 2 draws 1 for"]),
    ],
)
def test_b18_b32_the_order_of_payments(order: str, payers: list[str]) -> None:
    table = Table(penalty_order=order).hand(2, 7).accusing().point(2, 3, 0, 2)
    drawn = [line for line in table.story() if " draws " in line]
    assert len(drawn) == 3
    assert all(line.startswith(start) for line, start in zip(drawn, payers, strict=True))


# --- B14: an empty deck


def test_b14_skip_goes_on_without_cards() -> None:
    table = Table().deck(1).hand(2, 7).centre(4).accusing().point(2, 3, None, 2)
    assert table.told(
        "Seat 2 draws 1 for fingers.", "The Shame deck is empty: 1 missing.", "The Shame deck is empty: 1 missing."
    )
    assert table.points() == [0, 0, 5, 0]
    assert table.state.phase == ANSWER  # the next round goes on with an empty centre
    assert table.state.centre_size == 0
    assert table.state.shame_missing == 2 + 3


def test_b14_end_round_now_ends_the_game_at_the_first_card_that_is_missing() -> None:
    table = Table(shame_exhausted="end_round_now").deck(1).hand(2, 7).centre(4).accusing().point(2, 3, None, 2)
    assert (table.state.phase, table.state.end_reason, table.state.shame_missing) == (OVER, 4, 1)
    assert table.points() == [0, 0, 5, 0]
    assert table.told("Seat 2 draws 1 for fingers.", "The game ends: the Shame deck is empty.")
    assert table.state.revelations == 1


def test_b14_end_round_now_leaves_the_centre_to_nobody() -> None:
    table = Table(shame_exhausted="end_round_now").deck().centre(4, 4).asked(0).do(DENY)
    assert table.state.end_reason == 4
    assert table.points() == [0, 0, 0, 0]
    table = Table(shame_exhausted="end_round_now").deck(1).centre(4).do(OWN_UP)
    assert (table.state.end_reason, table.state.rounds) == (4, 3)  # while the centre of round 3 is laid
    assert table.points() == [0, 4, 0, 0]
    assert table.state.centre_size == 1


# --- B15 to B17, B19, B22 to B24


def test_b15_without_the_sideways_card_only_contexts_end_the_game() -> None:
    assert set(columns(7, own_up_probability=0, indicator="off")["end_reason"]) == {1}
    assert 2 in set(columns(7, own_up_probability=0)["end_reason"])


def test_b16_what_a_player_sees_of_the_own_pile() -> None:
    view = SPEC.module("state").view
    for known, option in ((True, True), (False, False)):
        table = Table(know_own_pile=option).pile(1, 2, 9)
        assert ("pile" in view(table.state, table.rules, 1)) is known


def test_b17_the_first_player_of_the_first_round() -> None:
    assert {int(Table(seed=seed).begin().state.first) for seed in range(40)} == {0, 1, 2, 3}
    assert {int(Table(seed=seed, first_player="seat0").begin().state.first) for seed in range(40)} == {0}


def test_b19_how_often_careless_owns_up() -> None:
    for per_cent in (0, 10, 25, 50):
        table = Table(own_up_probability=per_cent)
        owned = sum(table.chosen("careless", seed) == OWN_UP for seed in range(1000))
        assert abs(owned - 10 * per_cent) <= 4.5 * (1000 * per_cent / 100 * (1 - per_cent / 100)) ** 0.5


@pytest.mark.parametrize("seed", range(6))
def test_b22_b23_turn_order_follows_the_first_round(seed: int) -> None:
    rules = pack(SPEC.resolve({}), BOX, 5)
    job = Job("prrrt", rules, new_table([CODES["careless"]] * 5, seed))
    start = Table(players=5, seed=seed).begin().state
    orders = play(job, 0, 1, 1).player_columns["turn_order"][:, 0].tolist()
    assert orders[int(start.first)] == 0
    assert orders[int(start.seat)] == 1
    assert sorted(orders) == [0, 1, 2, 3, 4]


def test_b24_which_card_is_the_sideways_one() -> None:
    assert pack(SPEC.resolve({}), BOX, 4).sideways == 52
    assert pack(SPEC.resolve({"indicator": "off"}), BOX, 4).sideways == 0
    box = {**BOX, "indicator": {**BOX["indicator"], "from_bottom": 64}}
    assert pack(SPEC.resolve({}), box, 4).sideways == 1


def test_b29_everybody_accuses_also_without_cards() -> None:
    table = Table(players=3).hand(0).hand(1).accusing(first=2)
    assert table.codes() == [40, 41, 49]
    table.do(49)
    assert table.state.seat == 0
    assert table.codes() == [41, 42, 49]


def test_b33_all_with_the_highest_score_lose() -> None:
    table = Table().pile(0, 7).pile(2, 4, 3).pile(3, 2)
    table.state.contexts = 0b11111
    table.do(OWN_UP)
    assert table.told("Scores: 7, 0, 7, 2.", "Seat 0 loses.", "Seat 2 loses.")


def test_the_box_is_written_as_the_rules_say() -> None:
    assert len(deck_list(BOX["shame_deck"]["flat"]["cards"])) == 64
    assert {card["context"] for card in BOX["location_deck"]["placeholder"]["cards"]} == set(CONTEXTS)
