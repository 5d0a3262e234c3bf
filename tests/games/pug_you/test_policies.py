"""What each policy does on small tables (RULES.md C), and that ties are settled by chance.

Seat 0 is active unless a test says otherwise. Opinions are worked out here once more, with ordinary integers.
"""

from collections import Counter
from itertools import combinations
from math import exp, sqrt
from typing import Any

import pytest

from simkit.kernel.plain import derive
from tests.games.pug_you.table import Table, box_with, number_of, row, whole
from tests.games.pug_you.test_exact import plain_normal

SCHEMING = ("strategic", "spiteful")
POLICIES = ("honest", *SCHEMING, "mixed")
DOUBLED = {"0": 0, "0.5": 1, "1": 2}


def thinks(table: Table, seat: int, card: str, other: int, reputation: str = "0", perception: str = "0.5") -> int:
    """P of D4."""
    key = int(table.state.setup_key)
    address = 16 * number_of(card) + other
    sign = -1 if card.startswith("mutt") else 1
    return (
        2 * plain_normal(derive(derive(key, 2), address))
        + sign * DOUBLED[reputation] * plain_normal(derive(derive(key, 3), other))
        + DOUBLED[perception] * plain_normal(derive(derive(key, 16 + seat), address))
    )


def offering(hand: str, **options: Any) -> Table:
    """Seat 1 offers."""
    return Table(**options).hands("green 33", hand, "green 31", "green 30", "green 29").begin()


def at_vote(card: str, hand: str, *badges: int, deal: int = 0, **options: Any) -> Table:
    """Seat 3 votes on seats 1 and 2."""
    table = Table(deal=deal, **options).hands("green 33", "green 32", "green 31", hand, "green 29")
    return table.has(*badges).asks(card, "seats 1 and 2")


def at_tie(card: str, *badges: int, deal: int = 0) -> Table:
    table = Table(deal=deal).hands("green 33, green 1", "", "", "green 2", "green 12").has(*badges)
    return table.asks(card, "seats 1 and 2").play("green 2 for seat 1", "green 12 for seat 1", "green 33 for seat 2")


def at_second(hand: str, *scored: str, card: str = "yellow 1", **options: Any) -> Table:
    table = Table(**options).hands("green 33", "", "", "green 2", "green 12").scored(0, *scored)
    table.asks(card, "seats 1 and 2").play("green 2 for seat 1", "green 12 for seat 1", "green 33 for seat 2")
    return table.hand(0, *filter(None, hand.split(", "))).play("seat 1")


# --- OFFER and OWN


@pytest.mark.parametrize("reputation", ["0", "0.5", "1"])
@pytest.mark.parametrize("perception", ["0", "0.5", "1"])
def test_honest_offers_the_card_that_fits_itself_least(reputation: str, perception: str) -> None:
    cards = ["green 1", "yellow 12", "red 23", "mutt 1", "mutt 3"]
    for deal in range(8):
        table = offering(", ".join(cards), deal=deal, reputation_sd=reputation, perception_sd=perception)
        opinions = {card: thinks(table, 1, card, 1, reputation, perception) for card in cards}
        assert table.best("honest") == {min(cards, key=opinions.__getitem__)}


def test_strategic_weighs_the_fit_with_the_badges() -> None:
    cards = ["green 1", "yellow 12", "red 23", "mutt 1"]
    badges = {"green 1": 1, "yellow 12": 2, "red 23": 3, "mutt 1": -2}
    differs = 0
    for deal in range(8):
        table = offering(", ".join(cards), deal=deal)
        best = min(cards, key=lambda card: badges[card] * thinks(table, 1, card, 1))
        assert table.best("strategic") == {best}
        differs += best != min(cards, key=lambda card: thinks(table, 1, card, 1))
    assert differs > 0


def test_spiteful_keeps_its_strong_votes() -> None:
    assert offering("green 1, yellow 12, red 2, red 32, mutt 1").best("spiteful") == {"green 1", "red 2", "mutt 1"}
    assert offering("green 12, red 32").best("spiteful") == {"green 12"}


@pytest.mark.parametrize("policy", POLICIES)
def test_without_offers_the_own_card_with_most_badges_is_asked(policy: str) -> None:
    table = Table().hands("green 1, yellow 2, mutt 1, yellow 30", "", "", "", "").pile().begin()
    assert table.best(policy) == {"yellow 2", "yellow 30"}
    assert Table().hands("mutt 1, mutt 2", "", "", "", "").pile().begin().best(policy) == {"mutt 1", "mutt 2"}


# --- CHOOSE


@pytest.mark.parametrize("policy", POLICIES)
def test_any_offer_is_taken_alike_without_persuasion(policy: str) -> None:
    table = offering("green 32").play("green 32", "green 31", "green 30", "green 29")
    counts = table.spread(policy, 800)
    assert set(counts) == {f"seat {seat}" for seat in range(1, 5)}
    assert all(abs(count - 200) < 56 for count in counts.values())  # 4.5 standard errors of 12.2


@pytest.mark.parametrize("persuasion", ["0.5", "1"])
@pytest.mark.parametrize("policy", POLICIES)
def test_charming_players_have_their_offers_taken_more_often(policy: str, persuasion: str) -> None:
    table = offering("green 32", persuasion=persuasion).play("green 32", "green 31", "green 30", "green 29")
    charm = {seat: plain_normal(derive(derive(int(table.state.setup_key), 4), seat)) / 65536 for seat in range(1, 5)}
    weights = {seat: exp(float(persuasion) * h) for seat, h in charm.items()}
    counts = table.spread(policy, 2000)
    for seat, weight in weights.items():
        share = weight / sum(weights.values())
        # sixteenths are cut off: up to 6 % of a weight
        assert abs(counts[f"seat {seat}"] / 2000 - share) < 4.5 * sqrt(share * (1 - share) / 2000) + 0.06 * share


def test_weights_of_charm() -> None:
    weights = Table().rules.charm_weight
    assert [int(weights[d]) for d in (0, 1, 2, 191)] == [1048576, 985045, 925364, 6]
    assert all(abs(int(weights[d]) - 2**20 * exp(-d / 16)) < 1.5 for d in range(192))


def test_a_single_offer_is_taken_without_a_draw() -> None:
    table = Table(persuasion="1").hands("", "", "green 1", "", "").pile().begin().play("green 1")
    assert table.choices() == ["seat 2"]
    assert table.best("honest") == {"seat 2"}


# --- NOMINATE


@pytest.mark.parametrize("card", ["yellow 5", "mutt 1"])
@pytest.mark.parametrize("active", [0, 2])
def test_honest_nominates_the_two_whom_it_fits_best(card: str, active: int) -> None:
    for deal in range(8):
        table = Table(6, deal=deal, reputation_sd="1").active(active).asks(card)
        others = [seat for seat in range(6) if seat != active]
        best = sorted(others, key=lambda seat: -thinks(table, active, card, seat, "1"))[:2]
        assert table.best("honest") == {f"seats {min(best)} and {max(best)}"}


def nominated(policy: str, card: str, *badges: int, active: int = 0) -> set[str]:
    return Table().has(*badges).active(active).asks(card).best(policy)


def test_strategic_nominates_those_with_the_fewest_badges() -> None:
    assert nominated("strategic", "red 1", 0, 3, -2, 5, 1) == {"seats 2 and 4"}
    assert nominated("strategic", "red 1", 0, 3, 1, 3, 3) == {"seats 1 and 2", "seats 2 and 3", "seats 2 and 4"}
    assert nominated("strategic", "red 1", 0, 1, 5, 1, 1) == {"seats 1 and 3", "seats 1 and 4", "seats 3 and 4"}
    assert nominated("strategic", "red 1", 3, 0, 1, 1, 9, active=4) == {"seats 1 and 2", "seats 1 and 3"}


def test_strategic_nominates_those_in_the_middle_for_a_mutt() -> None:
    """Among 0, 1, 2, 3 and 4 badges seat 3 is in the middle; with its own total the active player counts too."""
    assert nominated("strategic", "mutt 1", 0, 1, 4, 2, 3) == {"seats 1 and 3", "seats 3 and 4"}
    assert nominated("strategic", "mutt 1", 2, 0, 4, 1, 3) == {"seats 3 and 4"}
    assert nominated("strategic", "mutt 1", 9, 3, 3, 3, 0) == {"seats 1 and 2", "seats 1 and 3", "seats 2 and 3"}
    assert len(nominated("strategic", "mutt 1", 9, 3, 3, 3, 8)) == 6  # all are two places from the middle


def test_spiteful_nominates_those_with_the_most_badges_or_the_fewest_for_a_mutt() -> None:
    assert nominated("spiteful", "green 1", 9, 3, -2, 5, 1) == {"seats 1 and 3"}
    assert nominated("spiteful", "mutt 1", 9, 3, -2, 5, 1) == {"seats 2 and 4"}
    assert nominated("spiteful", "green 1", 9, 3, 4, 3, 3) == {"seats 1 and 2", "seats 2 and 3", "seats 2 and 4"}


@pytest.mark.parametrize("policy", SCHEMING)
@pytest.mark.parametrize("players", [5, 8, 10])
def test_ties_between_pairs_are_settled_by_chance(policy: str, players: int) -> None:
    for active in (0, players - 1):
        others = [seat for seat in range(players) if seat != active]
        pairs = list(combinations(others, 2))
        counts = Table(players).active(active).asks("red 1").spread(policy, 60 * len(pairs))
        assert set(counts) == {f"seats {i} and {j}" for i, j in pairs}
        assert all(abs(count - 60) < 4.5 * sqrt(60) for count in counts.values())
        low = dict.fromkeys(range(players), 0) | {others[1]: -1 if policy == "strategic" else 1}
        counts = Table(players).has(*low.values()).active(active).asks("red 1").spread(policy, 60 * (players - 2))
        assert set(counts) == {f"seats {min(others[1], i)} and {max(others[1], i)}" for i in others if i != others[1]}
        assert all(abs(count - 60) < 4.5 * sqrt(60) for count in counts.values())


# --- VOTE


HAND = "green 1, yellow 2, green 12, red 23, yellow 24"  # 1, 1, 2, 3, 3 turds
WEAK, STRONG = ("green 1", "yellow 2"), ("yellow 24", "red 23")


def on(cards: tuple[str, ...], *seats: int) -> set[str]:
    return {f"{card} for seat {seat}" for card in cards for seat in seats}


def test_honest_votes_for_whom_it_fits_better_strongly_if_clearly() -> None:
    seen = set()
    for deal in range(25):
        table = at_vote("yellow 5", HAND, deal=deal)
        first, second = (thinks(table, 3, "yellow 5", seat) for seat in (1, 2))
        clear = abs(first - second) > 131072
        seen.add((clear, first > second))
        assert table.best("honest") == on(STRONG if clear else WEAK, 1 if first > second else 2)
    assert len(seen) == 4


def test_strategic_votes_for_the_one_with_fewer_badges_strongly_from_two_badges_on() -> None:
    assert at_vote("red 1", HAND, 0, 4, 3).best("strategic") == on(STRONG, 2)
    assert at_vote("yellow 5", HAND, 0, -1, 3).best("strategic") == on(STRONG, 1)
    assert at_vote("green 5", HAND, 0, 4, 3).best("strategic") == on(WEAK, 2)
    assert at_vote("mutt 1", HAND, 0, 4, 3).best("strategic") == on(WEAK, 2)
    assert at_vote("mutt 1", "red 23", 0, 4, 3).best("strategic") == on(("red 23",), 2)


def test_spiteful_votes_for_the_one_with_more_badges() -> None:
    assert at_vote("red 1", HAND, 0, 4, 3).best("spiteful") == on(STRONG, 1)
    assert at_vote("green 5", HAND, 0, 4, 5).best("spiteful") == on(WEAK, 2)
    assert at_vote("mutt 1", HAND, 0, 4, 3).best("spiteful") == on(WEAK, 2)


@pytest.mark.parametrize("policy", SCHEMING)
def test_ties_between_votes_are_settled_by_chance(policy: str) -> None:
    counts = at_vote("red 1", HAND, 0, 3, 3).spread(policy, 400)
    assert set(counts) == on(STRONG, 1, 2)
    assert all(abs(count - 100) < 39 for count in counts.values())
    counts = at_vote("green 5", HAND, 0, 3, 2).spread(policy, 400)
    assert set(counts) == on(WEAK, 2 if policy == "strategic" else 1)
    assert all(abs(count - 200) < 45 for count in counts.values())


# --- TIEBREAK


def test_tiebreaks() -> None:
    assert at_tie("red 1", 0, 4, 3).best("strategic") == {"seat 2"}
    assert at_tie("mutt 1", 0, 4, 3).best("strategic") == {"seat 2"}
    assert at_tie("red 1", 0, 4, 3).best("spiteful") == {"seat 1"}
    assert at_tie("mutt 1", 0, 4, 3).best("spiteful") == {"seat 2"}
    for policy in SCHEMING:
        counts = at_tie("red 1", 0, 3, 3).spread(policy, 400)
        assert abs(counts["seat 1"] - 200) < 45
        assert set(counts) == {"seat 1", "seat 2"}
    for deal in range(8):
        table = at_tie("red 1", deal=deal)
        first, second = (thinks(table, 0, "red 1", seat) for seat in (1, 2))
        assert table.best("honest") == {"seat 1" if first > second else "seat 2"}


# --- SECOND


@pytest.mark.parametrize("policy", POLICIES)
def test_the_scored_card_with_most_badges_is_asked_again(policy: str) -> None:
    assert at_second("red 1, red 2", "green 1", "yellow 9", "yellow 30").best(policy) == {
        "scored yellow 9",
        "scored yellow 30",
    }
    assert at_second("red 1, red 2", "mutt 2", "green 1").best(policy) == {"scored green 1"}
    assert at_second("red 1, red 2, green 1").best(policy) == {"red 1", "red 2"}
    optional = {"second_question": "optional"}
    assert at_second("red 1", "green 1", **optional).best(policy) == {"scored green 1"}


def test_honest_would_give_a_mutt_away_the_others_not() -> None:
    assert at_second("green 1", "mutt 1").best("honest") == {"scored mutt 1"}
    for policy in SCHEMING:
        assert at_second("green 1", "mutt 1").best(policy) == {"green 1"}
        assert at_second("", "mutt 1", "mutt 2").best(policy) == {"scored mutt 1", "scored mutt 2"}
        assert at_second("mutt 3", "mutt 1").best(policy) == {"mutt 3"}


def test_who_declines() -> None:
    """Honest players never; the others rather than giving a mutt away or asking one of the hand."""
    optional = {"second_question": "optional"}
    assert at_second("mutt 3", **optional).best("honest") == {"mutt 3"}
    assert at_second("", "mutt 1", **optional).best("honest") == {"scored mutt 1"}
    for policy in SCHEMING:
        assert at_second("mutt 3", **optional).best(policy) == {"decline"}
        assert at_second("", "mutt 1", **optional).best(policy) == {"decline"}
        assert at_second("green 1", **optional).best(policy) == {"green 1"}


@pytest.mark.parametrize("policy", POLICIES)
def test_ties_between_second_questions_are_settled_by_chance(policy: str) -> None:
    counts = at_second("", "red 1", "red 32", "red 9", "yellow 1", card="green 2").spread(policy, 600)
    assert set(counts) == {"scored red 1", "scored red 9", "scored red 32"}
    assert all(abs(count - 200) < 52 for count in counts.values())  # 4.5 standard errors of 11.5


# --- mixed, random


def test_mixed_is_honest_or_strategic_with_even_chances() -> None:
    """Where the two would do different things, each about half the time."""
    tables = [at_vote("red 1", "red 23, green 1", 0, 4, 3, deal=deal) for deal in range(25)]
    table = next(table for table in tables if table.best("honest") == on(("red 23",), 1))
    counts = table.spread("mixed", 400)
    assert set(counts) == on(("red 23",), 1, 2)
    assert abs(counts["red 23 for seat 1"] - 200) < 45


def test_random_draws_among_all_choices_alike() -> None:
    """By kind of decision: the mean place of the choice among all, as a share."""
    places: dict[int, list[float]] = {}
    for playout in range(300):
        told = whole(6, playout, second_question="optional", persuasion="1")
        for event in told.events.tolist():
            if event[0] == 0 and event[3] > 1:
                _, _, choice, count, code, _ = event
                places.setdefault(min(code, 10_000) // 1000, []).append((choice + 0.5) / count)
    assert set(places) == {0, 2, 3, 4, 5, 6, 7, 10}
    for kind in (0, 2, 3, 4, 10):
        shares = places[kind]
        assert abs(sum(shares) / len(shares) - 0.5) < 4.5 * 0.29 / sqrt(len(shares)), kind
    second = [share for kind in (5, 6, 7) for share in places[kind]]
    assert abs(sum(second) / len(second) - 0.5) < 4.5 * 0.29 / sqrt(len(second))


def test_policies_in_a_whole_playout_choose_what_the_story_says() -> None:
    """Strategic players, red cards only: every nomination is of two with the fewest badges at that time."""
    box = box_with(row("red", 3, 1, 40), row("red", 3, 2, 40))
    for playout in range(10):
        badges: Counter[int] = Counter()
        for line in whole(5, playout, "strategic", box=box).story():
            words = line.rstrip(".").split(" ")
            if " nominates " in line:
                active, named = int(words[1]), {int(words[4]), int(words[7])}
                others = sorted((badges[seat], seat) for seat in range(5) if seat != active)
                assert sorted(badges[seat] for seat in named) == [total for total, _ in others[:2]]
            elif " again (" in line:
                badges[int(words[1])] -= 3
            elif " and has " in line:
                badges[int(words[1])] += 3
