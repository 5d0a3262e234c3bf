"""Worked examples, facts that hold in every playout, and exact probabilities against the simulator.

Each simulated rate must lie within 4.5 standard errors of its fraction (a false alarm for 1 seed in 150,000).
"""

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from simkit.engine.worker import Job, play
from simkit.games.granny_wars.box import pack
from simkit.games.granny_wars.state import KIND_BITS
from simkit.kernel.drive import new_table
from simkit.stats.exchangeability import seat_test
from tests.games.granny_wars.follow import Follower
from tests.games.granny_wars.table import BOX, CODES, SPEC, Table, finals, whole

ONE_IN_150_000 = 6.8e-6
POLICIES = tuple(CODES)


def played(policies: tuple[str, ...], playouts: int, first: int = 0, **options: Any) -> Any:
    rules = pack(SPEC.resolve(options), BOX, len(policies))
    return play(
        Job(SPEC.name, rules, new_table([CODES[name] for name in policies], 11)), first, playouts, first + playouts
    )


def near(rate: float, exact: Fraction, n: int) -> bool:
    p = float(exact)
    return abs(rate - p) <= 4.5 * sqrt(p * (1 - p) / n) + 1e-15


def shares(result: Any) -> Any:
    """Win shares (playouts, seats): shared wins split."""
    return (result.player_columns["won"] / result.columns["winners"]).T


# --- worked examples


def end_with(*piles: tuple[str, ...]) -> Table:
    """Piles of seats 0, 1, 2 and the dummy pile, on which the last card goes."""
    table = Table().hands("+1", "", "")
    for number, cards in enumerate(piles, start=1):
        table.pile(number, *cards)
    return table.play("+1 on pile 4")


def test_14_good_and_13_bad_points_are_a_score_of_1() -> None:
    table = end_with(("+5", "-5", "+5", "-5", "+4", "-3"), (), ())
    assert table.story()[1] == "Seat 0 scores +1 with 6 cards in pile 1."


def test_new_glasses_on_lost_glasses() -> None:
    table = Table().hands("+2, +4, +1", "+1, +1", "+1").pile(2, "-2").pile(3, "-4")
    assert table.play("+2 on pile 2").decision() == "bounce by 0"
    table.play("pile 1", "+1 on pile 1", "+1 on pile 1")
    assert table.play("+4 on pile 3").decision() == "bounce by 0"


def test_a_game_can_be_won_with_less_than_nothing() -> None:
    table = end_with(("-4",), ("-1",), ("-5", "-1"))
    assert table.story()[1:] == [
        "Seat 0 scores -4 with 1 cards in pile 1.",
        "Seat 1 scores -1 with 1 cards in pile 2.",
        "Seat 2 scores -6 with 2 cards in pile 3.",
        "Seat 1 wins.",
    ]


def test_five_all_with_six_and_four_cards() -> None:
    table = end_with(("+1", "+2", "-1", "+2", "-2", "+3"), ("+1", "+1", "+1", "+2"), ("+4",))
    assert table.story()[-2:] == ["Tied at +5: the fewest cards decide.", "Seat 1 wins."]
    table = end_with(("-1",), ("-2", "+1"), ("-4",))
    assert table.story()[-2:] == ["Tied at -1: the fewest cards decide.", "Seat 0 wins."]


# --- facts of every playout


SETTINGS: list[tuple[int, str, dict[str, Any]]] = [
    (2, "open", {}),
    (3, "random", {}),
    (3, "random", {"facedown_bounce": "owner_number", "zero_bounces": True, "power_timing": "before_bounce"}),
    (4, "spoiler", {"steal_card": "to_hand_unless_gold", "extra_optional": False}),
    (5, "stealth", {"steal_pick": "thief_sees_hand", "swap_return_same": True, "vp_distribution": "triangular"}),
    (5, "random", {"gold_set": "none"}),
    (6, "random", {"gold_set": "valueless", "power_timing": "before_bounce"}),
    (7, "open", {"chain_extra": False, "steal_optional": True, "swap_optional": True}),
    (8, "random", {}),
]


@pytest.mark.parametrize(("players", "policy", "options"), SETTINGS)
def test_every_card_dealt_ends_in_a_pile(players: int, policy: str, options: dict[str, Any]) -> None:
    rules = pack(SPEC.resolve(options), BOX, players)
    dealt = int(rules.players) * int(rules.hand_size)
    for bench in finals(players, 250, policy, **options):
        state, row, seats = bench.state, bench.rows[0], bench.players[0]
        sizes = state.pile_size[: rules.piles].tolist()
        kinds = [int(card) & KIND_BITS for pile, size in enumerate(sizes) for card in state.pile[pile, :size]]
        assert sorted(kinds) == sorted(state.deck[:dealt].tolist())
        assert sum(sizes) == row.cards_played == dealt
        assert sum(int(rules.value[kind]) for kind in kinds) == sum(int(seat.opening_sum) for seat in seats)
        assert row.largest_pile == max(sizes)
        assert not state.hand.any()
        for seat in range(players):
            pile = int(state.owned[seat])
            cards = state.pile[pile, : sizes[pile]].tolist()
            assert seats[seat].pile_size == sizes[pile]
            assert seats[seat].score == sum(int(rules.value[card & KIND_BITS]) for card in cards)


@pytest.mark.parametrize(("players", "policy", "options"), SETTINGS)
def test_columns_of_every_playout(players: int, policy: str, options: dict[str, Any]) -> None:
    result = played((policy,) * players, 4000, **options)
    c = {name: column.astype(int) for name, column in result.columns.items()}
    p = {name: column.astype(int) for name, column in result.player_columns.items()}
    extras, turns = c["extra_faceup"] + c["extra_facedown"], c["turns"]
    assert (c["end_reason"] == 1).all()
    assert (c["bounces"] < c["cards_played"]).all()
    kept = options.get("steal_card") == "to_hand_unless_gold"
    assert (c["cards_played"] <= turns + extras + c["steals"]).all()
    assert kept or (c["cards_played"] == turns + extras + c["steals"]).all()
    assert (c["winners"] == p["won"].sum(axis=0)).all()
    assert (c["winning_score"] == p["score"].max(axis=0)).all()
    assert (c["lowest_score"] == p["score"].min(axis=0)).all()
    assert ((p["score"] == c["winning_score"]) | (p["won"] == 0)).all()
    assert ((c["tie_stage"] > 0) == ((p["score"] == c["winning_score"]).sum(axis=0) > 1)).all()
    assert ((c["tie_stage"] == 2) == (c["winners"] > 1)).all()  # a tie that stays is shared
    assert (p["decisions"].sum(axis=0) == c["decisions"]).all()
    assert (p["forced_decisions"].sum(axis=0) == c["forced_decisions"]).all()
    assert (np.sort(p["turn_order"], axis=0) == np.arange(players)[:, None]).all()
    assert (np.take_along_axis(p["turn_order"], c["first_seat"][None], axis=0) == 0).all()
    assert (p["pile_size"] <= c["largest_pile"]).all()
    if options.get("extra_optional") is False:
        assert not c["extras_declined"].any()
    if options.get("gold_set") == "none":
        assert not (extras + c["steals"] + c["hand_swaps"] + c["top_swaps"] + p["opening_gold"].sum(axis=0)).any()
        assert (turns == c["cards_played"]).all()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", SPEC.players)
def test_every_story_can_be_followed(players: int, policy: str) -> None:
    piles = int(Table(players).rules.piles)
    for playout in range(12):
        told = whole(players, playout, policy)
        followed = Follower(told.story(), piles)
        assert followed.bounces == told.columns["bounces"]
        assert followed.winners == [seat for seat in range(players) if told.players[seat]["won"]]
        assert followed.owns.keys() == followed.scores.keys() == set(range(players))


def test_a_story_that_breaks_a_rule_cannot_be_followed() -> None:
    """A bounce left out, a bounce too many, two turns exchanged, a power left out, a wrong score."""
    story = whole(4, 1, "open").story()
    at = next(i for i, line in enumerate(story) if "bounces" in line)
    turn = next(i for i, line in enumerate(story) if " plays " in line)
    steal = next(i for i, line in enumerate(story) if " steals " in line)
    score = next(i for i, line in enumerate(story) if " scores " in line)
    wrong = re.sub(r"scores \S+", "scores +77", story[score])
    Follower(story, 5)
    for broken in (
        story[:at] + story[at + 1 :],
        story[: at + 1] + story[at:],
        [*story[:turn], story[turn + 1], story[turn], *story[turn + 2 :]],
        story[:steal] + story[steal + 2 :],
        [*story[:score], wrong, *story[score + 1 :]],
    ):
        with pytest.raises((AssertionError, ValueError)):
            Follower(broken, 5)


def test_with_eight_all_cards_are_dealt_and_every_pile_is_owned() -> None:
    result = played(("random",) * 8, 500)
    assert (result.player_columns["opening_sum"].sum(axis=0) == -5).all()
    assert (result.player_columns["opening_gold"].sum(axis=0) == 14).all()
    assert (result.columns["cards_played"] == 64).all()
    assert (result.player_columns["pile_size"].sum(axis=0) == 64).all()


# --- the deck


def deck(**options: Any) -> list[int]:
    """The numbers of a deck."""
    rules = pack(SPEC.resolve(options), BOX, 4)
    return [int(rules.value[kind]) for kind in rules.cards[: rules.deck_size]]


def test_the_decks() -> None:
    assert (len(deck()), sum(deck())) == (64, -5)
    for name in ("flat", "triangular"):
        numbers = deck(gold_set="none", vp_distribution=name)
        assert (len(numbers), sum(numbers), min(numbers), max(numbers)) == (50, 0, -5, 5)
    assert sum(deck(gold_set="valueless")) == 0


@pytest.mark.parametrize(
    ("options", "exact"),
    [
        ({"gold_set": "none"}, Fraction(5, 49)),
        ({"gold_set": "none", "vp_distribution": "triangular"}, Fraction(27, 245)),
        ({}, Fraction(67, 672)),
    ],
)
def test_how_often_two_cards_are_equal_and_opposite(options: dict[str, Any], exact: Fraction) -> None:
    """By counting pairs, and for the first two cards dealt to every seat."""
    numbers = deck(**options)
    pairs = list(combinations(numbers, 2))
    assert Fraction(sum(a + b == 0 != a for a, b in pairs), len(pairs)) == exact
    value = pack(SPEC.resolve(options), BOX, 2).value
    found = 0
    for bench in finals(2, 8000, **options):
        a, b = int(value[bench.state.deck[0]]), int(value[bench.state.deck[1]])
        found += a + b == 0 != a
    assert near(found / 8000, exact, 8000)


def test_opening_hands_are_hypergeometric() -> None:
    """Gold cards among 10 of 64, 14 of them Gold: every number of them, none at all, and the mean."""
    playouts = 60_000
    opening = played(("random",) * 3, playouts, 1000).player_columns["opening_gold"]
    assert Fraction(comb(50, 10), comb(64, 10)) == Fraction(66703105, 983592304)
    for seat in range(3):
        for gold in range(6):
            exact = Fraction(comb(14, gold) * comb(50, 10 - gold), comb(64, 10))
            assert near((opening[seat] == gold).mean(), exact, playouts)
        mean, variance = Fraction(35, 16), Fraction(10 * 14 * 50 * 54, 64 * 64 * 63)
        assert abs(opening[seat].mean() - mean) < 4.5 * sqrt(variance / playouts)


def test_opening_sums_have_the_mean_and_spread_of_the_deck() -> None:
    """The sum of 10 of 64 numbers that add up to -5."""
    playouts = 60_000
    sums = played(("random",) * 3, playouts, 1000).player_columns["opening_sum"]
    spread = sum(number * number for number in deck()) / 64 - (5 / 64) ** 2
    variance = 10 * spread * 54 / 63
    for seat in range(3):
        assert abs(sums[seat].mean() + 50 / 64) < 4.5 * sqrt(variance / playouts)
        assert abs(sums[seat].astype(float).var() / variance - 1) < 4.5 * sqrt(2 / playouts)


# --- loyalties and fairness


@pytest.mark.parametrize("players", SPEC.players)
def test_every_pile_is_equally_often_a_dummy_and_equally_often_of_each_seat(players: int) -> None:
    playouts = 3000
    dummies: Counter[int] = Counter()
    owners: Counter[tuple[int, int]] = Counter()
    piles = int(Table(players).rules.piles)
    for bench in finals(players, playouts):
        owned = bench.state.owned[:piles].tolist()
        assert sorted(owned) == list(range(piles))
        dummies.update(owned[players:])
        owners.update(enumerate(owned[:players]))
    exact = {2: Fraction(1, 2), 8: Fraction(0)}.get(players, Fraction(1, players + 1))
    assert exact == Fraction(piles - players, piles)
    assert all(near(dummies[pile] / playouts, exact, playouts) for pile in range(piles))
    assert all(
        near(owners[seat, p] / playouts, Fraction(1, piles), playouts) for seat in range(players) for p in range(piles)
    )


def fair(credit: Any) -> bool:
    """Whether the seats can be taken for alike: Q of `simkit.stats.exchangeability`."""
    playouts, _ = credit.shape
    test = seat_test(credit.sum(axis=0), float(credit.var(axis=1, ddof=1).sum()), playouts)
    return test.p_value > ONE_IN_150_000


@pytest.mark.parametrize("players", SPEC.players)
@pytest.mark.parametrize(
    "options", [{}, {"first_player": "seat0"}, {"power_timing": "before_bounce", "final_tie": "random"}]
)
def test_players_who_do_not_care_win_equally_often(players: int, options: dict[str, Any]) -> None:
    """Random play does not depend on loyalties, so each seat wins 1/n, whatever its place in the turn order."""
    result = played(("random",) * players, 12_000, **options)
    credit = shares(result)
    for seat in range(players):
        error = credit[:, seat].std() / sqrt(12_000)
        assert abs(credit[:, seat].mean() - 1 / players) < 4.5 * error
    assert fair(credit)
    assert fair(np.take_along_axis(credit, np.argsort(result.player_columns["turn_order"].T, axis=1), axis=1))


@pytest.mark.parametrize("policy", POLICIES[1:])
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_with_a_random_first_player_all_seats_are_alike(players: int, policy: str) -> None:
    result = played((policy,) * players, 12_000)
    credit = shares(result)
    assert fair(credit)
    assert fair(result.player_columns["score"].T.astype(float) / 40)


@pytest.mark.parametrize("policy", POLICIES[1:])
def test_what_turn_order_does_is_the_same_whoever_starts(policy: str) -> None:
    """Shares by turn order, for each first seat, against those for all others."""
    players = 4
    result = played((policy,) * players, 24_000)
    order = np.argsort(result.player_columns["turn_order"].T, axis=1)
    credit = np.take_along_axis(shares(result), order, axis=1)
    for seat in range(players):
        starts = result.columns["first_seat"] == seat
        these, others = credit[starts], credit[~starts]
        errors = np.sqrt(these.var(axis=0) / len(these) + others.var(axis=0) / len(others))
        assert (abs(these.mean(axis=0) - others.mean(axis=0)) < 4.5 * errors).all()


# --- what an independent prototype measured


def test_random_tables_as_known() -> None:
    """About 0.08 bounces per card at every count; ties from about 3 % (two players) to 7 %, at most about 1 % stay tied."""
    for players in SPEC.players:
        c = {name: column.astype(int) for name, column in played(("random",) * players, 20_000).columns.items()}
        assert 0.08 < c["bounces"].sum() / c["cards_played"].sum() < 0.088
        assert (c["tie_stage"] == 2).mean() < 0.0125
        low, high = {2: (0.025, 0.035), 8: (0.065, 0.085)}.get(players, (0.035, 0.08))
        assert low < (c["tie_stage"] > 0).mean() < high


def test_open_tables_as_known() -> None:
    """8 to 17 bounces a game; ties 3 % (two players) to 40 % and more, 0.3 to 6.5 % stay tied."""
    for players in SPEC.players:
        c = played(("open",) * players, 8000).columns
        assert 8 < c["bounces"].mean() < 17.2
        assert 0.001 < (c["tie_stage"] == 2).mean() < 0.07
        low, high = {2: (0.02, 0.04), 4: (0.28, 0.36), 8: (0.38, 0.46)}.get(players, (0.15, 0.47))
        assert low < (c["tie_stage"] > 0).mean() < high


@pytest.mark.parametrize(("players", "share"), [(2, 0.997), (4, 0.90), (8, 0.68)])
def test_one_open_player_among_random_ones(players: int, share: float) -> None:
    credit = shares(played(("open",) + ("random",) * (players - 1), 8000))
    assert abs(credit[:, 0].mean() - share) < 0.025
