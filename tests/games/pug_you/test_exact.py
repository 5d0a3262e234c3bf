"""Facts that hold in every playout, and exact probabilities against the simulator.

Each simulated rate must lie within 4.5 standard errors of its fraction (a false alarm for 1 seed in 150,000).
"""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt
from typing import Any

import numpy as np
import pytest

from simkit.engine.worker import NEVER, Bench
from simkit.games.pug_you.box import card_names, pack
from simkit.games.pug_you.moves.opinions import normal
from simkit.kernel.drive import new_table
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.plain import derive
from simkit.stats.exchangeability import seat_test
from tests.games.pug_you.follow import Follower
from tests.games.pug_you.table import BOX, CODES, SPEC, Table, box_with, played, row, whole

ONE_IN_150_000 = 6.8e-6
POLICIES = tuple(CODES)


def near(rate: float, exact: Fraction, n: int) -> bool:
    p = float(exact)
    return abs(rate - p) <= 4.5 * sqrt(p * (1 - p) / n) + 1e-15


# --- facts of every playout

SETTINGS: list[tuple[int, str, dict[str, Any]]] = [
    (5, "random", {}),
    (6, "honest", {}),
    (7, "strategic", {"second_source": "scored_first"}),
    (8, "spiteful", {"refill_order": "active_first"}),
    (9, "mixed", {"second_question": "optional"}),
    (10, "random", {"second_question": "optional", "deck": "one_badge"}),
    (10, "strategic", {"persuasion": "1", "reputation_sd": "1", "first_player": "seat0"}),
    (6, "random", {"second_question": "off", "deck": "correlated"}),
]


@pytest.mark.parametrize(("players", "policy", "options"), SETTINGS)
def test_columns_of_every_playout(players: int, policy: str, options: dict[str, Any]) -> None:
    result = played((policy,) * players, 3000, **options)
    c = {name: column.astype(int) for name, column in result.columns.items()}
    p = {name: column.astype(int) for name, column in result.player_columns.items()}
    asked, voters = c["second_questions"], players - 2
    assert (c["end_reason"] == 1).all()
    assert (c["turns"] == 2 * players).all()
    for name in ("turns_skipped", "offers_missed", "short_hands", "early_draws", "limit_turn", "deck_shortfall"):
        assert not c[name].any(), name
    assert not c["votes_missed"].any()
    # every turn: n - 1 offers, a choice, a nomination, n - 2 votes; after a tie its decision and perhaps another question
    again = asked * (2 + voters) + c["second_declined"]
    assert (c["decisions"] == c["turns"] * (2 * players - 1) + c["first_ties"] + again + c["second_ties"]).all()
    assert (p["decisions"].sum(axis=0) == c["decisions"]).all()
    assert (p["forced_decisions"].sum(axis=0) == c["forced_decisions"]).all()
    assert (asked == c["second_from_scored"] + c["second_from_hand"]).all()
    assert (asked + c["second_declined"] == (c["first_ties"] if options.get("second_question") != "off" else 0)).all()
    assert (c["second_ties"] <= asked).all()
    assert (c["scored_cards"] == c["turns"] + c["second_from_hand"]).all()
    assert (p["scored_cards"].sum(axis=0) == c["scored_cards"]).all()
    assert (p["nominations"].sum(axis=0) == 2 * (c["turns"] + asked)).all()
    assert (p["offers_taken"].sum(axis=0) == c["turns"]).all()
    assert (p["second_questions"].sum(axis=0) == asked).all()
    assert (p["badges_shed"].sum(axis=0) == c["badges_shed"]).all()
    assert (p["score"].max(axis=0) == c["highest_score"]).all()
    assert (p["score"].min(axis=0) == c["lowest_score"]).all()
    assert (p["lost"] == (p["score"] == c["highest_score"])).all()
    assert (p["lost"].sum(axis=0) == c["losers"]).all()
    assert ((p["rank"] == 1) == (p["score"] == c["lowest_score"])).all()
    assert (np.sort(p["turn_order"], axis=0) == np.arange(players)[:, None]).all()
    cards = c["scored_cards"] - c["scored_mutts"]
    if options.get("deck") == "one_badge":
        assert (p["score"].sum(axis=0) == cards - 2 * c["scored_mutts"]).all()
    else:
        assert (p["score"].sum(axis=0) >= cards - 2 * c["scored_mutts"]).all()
        assert (p["score"].sum(axis=0) <= 3 * cards - 2 * c["scored_mutts"]).all()


def test_games_with_a_limit() -> None:
    for options in ({}, {"limit_check": "end_of_turn"}, {"limit_equal_turns": True}, {"limit_counts_mutts": True}):
        c = played(("random",) * 6, 4000, end_mode="badge_limit", **options).columns
        assert (c["end_reason"] == 2).all()
        ended = c["limit_turn"] == c["turns"]
        if options.get("limit_equal_turns"):
            assert (c["turns"] % 6 == 0).all()
            assert (c["turns"] - c["limit_turn"] < 6).all()
            assert not ended.all()
        else:
            assert ended.all()
        if not options or options.get("limit_counts_mutts"):
            assert (c["highest_score"].astype(int) < 8 + 3).all()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", SPEC.players)
def test_every_story_can_be_followed(players: int, policy: str) -> None:
    for playout in range(6):
        told = whole(players, playout, policy)
        followed = Follower(told.story(), 5 if players < 8 else 4)
        assert followed.losers == [seat for seat in range(players) if told.players[seat]["lost"]]
        assert followed.first_ties == told.columns["first_ties"]
        assert followed.second_questions == told.columns["second_questions"]
        assert followed.shuffles == told.columns["reshuffles"]
        assert [len(cards) for cards in followed.scored.values()] == [player["scored_cards"] for player in told.players]


@pytest.mark.parametrize("mutts", [1, 2, 4])
def test_a_player_with_only_mutts(mutts: int) -> None:
    table = Table().scored(1, *(f"mutt {place + 1}" for place in range(mutts)))
    assert table.state.badges[1] == -2 * mutts
    table = Table().hands("green 1", "green 2", "green 3", "green 4", "green 5")
    for place in range(mutts):
        table.state.question = 0
        table.asks(f"mutt {place + 1}", "seats 1 and 2")
        table.hand(3, "green 4").hand(4, "green 5").hand(0, "green 1")
        table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
        table.active(0)
    assert table.state.badges[1] == -2 * mutts
    assert table.state.mutts == mutts


# --- ties


def tie_of_independent_votes(voters: int, turds: tuple[int, ...]) -> Fraction:
    """Each voter picks a nominee and a number of turds, all equally likely."""
    sums = {0: Fraction(1)}
    for _ in range(voters):
        longer: Counter[int] = Counter()
        for (total, p), t, sign in product(sums.items(), turds, (1, -1)):
            longer[total + sign * t] += p / (2 * len(turds))
        sums = dict(longer)
    return sums[0] if 0 in sums else Fraction(0)


def tie_from_deck(voters: int, copies: dict[int, int]) -> Fraction:
    """The same with cards that are drawn from a deck: so many copies by turds, none put back."""
    ties = 0
    strengths = list(copies)
    for numbers in product(*(range(voters + 1) for _ in strengths)):
        if sum(numbers) == voters:
            ways = prod(comb(copies[t], k) for t, k in zip(strengths, numbers, strict=True))
            for firsts in product(*(range(k + 1) for k in numbers)):
                if sum(t * (2 * a - k) for t, a, k in zip(strengths, firsts, numbers, strict=True)) == 0:
                    ties += ways * prod(comb(k, a) for a, k in zip(firsts, numbers, strict=True))
    return Fraction(ties, comb(sum(copies.values()), voters) * 2**voters)


INDEPENDENT = {
    5: Fraction(1, 12), 6: Fraction(61, 648), 7: Fraction(25, 324), 8: Fraction(575, 7776), 9: Fraction(9457, 139968),
    10: Fraction(53669, 839808),
}  # fmt: skip
FROM_DECK = {5: 0.0889, 6: 0.0938, 7: 0.0798, 8: 0.0749, 9: 0.0691, 10: 0.0650}
ALIKE = {5: Fraction(0), 6: Fraction(3, 8), 7: Fraction(0), 8: Fraction(5, 16), 9: Fraction(0), 10: Fraction(35, 128)}


@pytest.mark.parametrize("players", SPEC.players)
def test_ties_as_known(players: int) -> None:
    assert tie_of_independent_votes(players - 2, (1, 2, 3)) == INDEPENDENT[players]
    assert tie_of_independent_votes(players - 2, (1,)) == ALIKE[players]


def turds_in_deck() -> dict[int, int]:
    rules = pack(SPEC.resolve({}), BOX, 5)
    return dict(Counter(rules.turds[: rules.deck_size].tolist()))


def test_ties_from_the_deck_as_known() -> None:
    assert turds_in_deck() == {1: 37, 2: 33, 3: 32}
    exact = {players: tie_from_deck(players - 2, turds_in_deck()) for players in SPEC.players}
    assert exact[5] == Fraction(1221, 13736)
    assert exact[6] == Fraction(354479, 3777400)
    assert all(abs(exact[players] - rate) < 0.00005 for players, rate in FROM_DECK.items())


@pytest.mark.parametrize("players", SPEC.players)
def test_how_often_the_first_question_of_a_game_ties(players: int) -> None:
    """Broken off when the votes of the first turn are counted: the cards are a sample of the deck."""
    playouts = 60_000
    ties = played(("random",) * players, playouts, cap=2 * players - 1).columns["first_ties"]
    assert ties.max() == 1
    assert near(float(ties.mean()), tie_from_deck(players - 2, turds_in_deck()), playouts)


@pytest.mark.parametrize("players", SPEC.players)
def test_how_often_votes_of_equal_strength_tie(players: int) -> None:
    """With one turd on every card the questions do not depend on each other, and second ones tie as often as first ones."""
    c = played(("random",) * players, 4000, box=box_with(row("green", 1, 1, 114))).columns
    turns, asked = 4000 * 2 * players, int(c["second_questions"].sum())
    assert near(c["first_ties"].sum() / turns, ALIKE[players], turns)
    if asked:
        assert near(c["second_ties"].sum() / asked, ALIKE[players], asked)
    assert (asked > 0) == (players % 2 == 0)


# --- the deal


def records(players: int, playouts: int, **options: Any) -> Any:
    """The records of the players, with their card sets: (playouts, seats)."""
    bench = Bench.of(SPEC.name, players, playouts)
    rules = pack(SPEC.resolve(options), BOX, players)
    kernel = SPEC.module("entry").play
    kernel(rules, new_table([0] * players, 3), 0, bench.state, bench.streams, bench.rows, bench.players, NEVER)
    return bench.players


def test_a_mutt_in_the_opening_hand() -> None:
    """4 of 108 cards, 5 in the hand."""
    exact = 1 - Fraction(comb(104, 5), comb(108, 5))
    assert abs(float(exact) - 0.174995965) < 5e-10
    bit = 1 << card_names(BOX).index("mutt, -2 badges, 1 turd")
    opening = records(6, 40_000, blue_in_108=False).opening_cards
    for seat in range(6):
        assert near((opening[:, seat] & bit != 0).mean(), exact, 40_000)


def test_opening_hands_are_hypergeometric() -> None:
    """No red card among 4 of 102; no card at all with 3 turds but red ones."""
    names = card_names(BOX)
    red = sum(1 << names.index(f"red, 3 badges, {turds}") for turds in ("1 turd", "2 turds", "3 turds"))
    strong = sum(1 << names.index(name) for name in ("green, 1 badge, 3 turds", "yellow, 2 badges, 3 turds"))
    opening = records(10, 30_000).opening_cards
    for seat in range(10):
        assert near((opening[:, seat] & red == 0).mean(), Fraction(comb(70, 4), comb(102, 4)), 30_000)
        assert near((opening[:, seat] & strong == 0).mean(), Fraction(comb(80, 4), comb(102, 4)), 30_000)


# --- opinions (D4)


def plain_normal(key: int) -> int:
    words = [derive(key, i) for i in range(3)]
    return sum(word >> 16 * part & 0xFFFF for word in words for part in range(4)) - 393210


@quiet_wraparound
def compiled_normal(key: int) -> int:
    return int(normal(np.uint64(key)))


def test_normal_numbers() -> None:
    known = {0: 4334, 1: 77649, 2**63: 57634, 2**64 - 1: 82806}
    assert {key: plain_normal(key) for key in known} == known
    assert {key: compiled_normal(key) for key in known} == known
    numbers = np.array([compiled_normal(derive(key, 5)) for key in range(20_000)]) / 65536
    assert abs(numbers.mean()) < 4.5 / sqrt(20_000)
    assert abs(numbers.std() - 1) < 4.5 / sqrt(2 * 20_000)
    for bound, share in ((1, 0.6827), (2, 0.9545), (3, 0.9973)):  # as good as normally distributed
        assert abs((abs(numbers) < bound).mean() - share) < 4.5 * sqrt(share * (1 - share) / 20_000) + 0.003


# --- fairness


def fair(credit: Any, widest: float = 1.0) -> bool:
    """Whether the seats can be taken for alike: Q of `simkit.stats.exchangeability`."""
    playouts, _ = credit.shape
    test = seat_test(credit.sum(axis=0), float(credit.var(axis=1, ddof=1).sum()), playouts, widest)
    return test.p_value > ONE_IN_150_000


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", [5, 8, 10])
def test_equal_policies_leave_no_difference_between_seats(players: int, policy: str) -> None:
    result = played((policy,) * players, 12_000)
    assert fair(result.player_columns["lost"].T.astype(float))
    assert fair(result.player_columns["score"].T.astype(float), 40)


def test_reputation_and_charm_leave_no_difference_between_seats_either() -> None:
    result = played(("honest",) * 6, 12_000, reputation_sd="1", persuasion="1", deck="mixed")
    for name, widest in (("lost", 1), ("score", 40), ("nominations", 20), ("offers_taken", 12)):
        assert fair(result.player_columns[name].T.astype(float), widest), name


def test_with_one_card_in_front_of_everybody_places_are_alike() -> None:
    """Without second questions random play knows no order: places in the turn order lose equally often, 1 / n on average."""
    result = played(("random",) * 6, 20_000, second_question="off")
    order = np.argsort(result.player_columns["turn_order"].T, axis=1)
    lost = np.take_along_axis(result.player_columns["lost"].T.astype(float), order, axis=1)
    assert fair(lost)
    shared = lost / lost.sum(axis=1, keepdims=True)
    assert np.allclose(shared.mean(axis=0), 1 / 6, atol=4.5 * 0.37 / sqrt(20_000))


# --- who loses by reputation (E3)


def losses_by_place(policy: str, reputation: str) -> Any:
    """Who lost, by place instead of seat. float (playouts, 6)"""
    p = played((policy,) * 6, 4000, reputation_sd=reputation).player_columns
    order = np.argsort(p["reputation"].T, axis=1)
    return np.take_along_axis(p["lost"].T.astype(float), order, axis=1)


def test_among_honest_players_those_whom_questions_fit_lose_more_often_place_by_place() -> None:
    """The smallest step, between the last two places, is 5 standard errors wide."""
    weak, strong = (losses_by_place("honest", reputation).mean(axis=0) for reputation in ("0.5", "1"))
    for rates in (weak, strong):
        assert (rates[:-1] > rates[1:]).all()
    assert strong[0] - strong[-1] > weak[0] - weak[-1] > 0.3


@pytest.mark.parametrize("policy", ["random", "spiteful"])
def test_who_does_not_judge_loses_alike_at_every_place(policy: str) -> None:
    assert fair(losses_by_place(policy, "1"))


# --- policies against each other


def loss_rate(policies: tuple[str, ...], seat: int, **options: Any) -> float:
    return float(played(policies, 6000, **options).player_columns["lost"][seat].mean())


def test_who_brings_badges_to_those_who_have_few_helps_them_and_not_itself() -> None:
    """It evens out the others, so that nobody stays ahead of it. Who keeps one victim in front loses least."""
    for others in ("honest", "random"):
        alike = loss_rate((others,) * 6, 0)
        assert loss_rate(("strategic", *(others,) * 5), 0) > alike + 0.02
        assert loss_rate(("spiteful", *("random",) * 5), 0) < alike - 0.05


def test_spiteful_players_make_the_loser_stand_out() -> None:
    margins = [
        float(played((policy,) * 6, 4000).columns["margin"].mean()) for policy in ("strategic", "random", "spiteful")
    ]
    assert margins[0] + 0.5 < margins[1] < margins[2] - 0.5
