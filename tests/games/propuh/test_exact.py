"""Exact probabilities: fractions from combinatorics against the simulator, and facts that hold in every playout.

Each simulated rate must lie within 4.5 standard errors of its fraction (a false alarm for 1 seed in 150,000).
"""

from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
import polars as pl
import pytest

from simkit import api
from simkit.engine.worker import Job, play
from simkit.games.propuh.box import LOCATIONS, deck_list, strength
from simkit.kernel.plain import Streams
from tests.games.propuh.table import BOX

PLAYOUTS = 200_000
DECK = [(LOCATIONS[kind // 9], kind % 9 + 1) for kind in deck_list(BOX["deck"]["public"])]


def played(preset: str, playouts: int = PLAYOUTS, policy: str = "random", **options: object):
    given = {name: str(value) for name, value in options.items()}
    recipe = api.question("propuh", preset=preset, options=given, policies={"all": policy}, seed=5).recipe
    return play(Job.of(recipe, recipe.cells[0]), 0, playouts, playouts)


def near(rate: float, exact: Fraction, n: int) -> bool:
    p = float(exact)
    return abs(rate - p) <= 4.5 * sqrt(p * (1 - p) / n) + 1e-15


def test_the_public_deck_is_the_known_one() -> None:
    assert len(DECK) == 28
    assert [sum(suit == s for s, _ in DECK) for suit in LOCATIONS] == [6, 11, 11]
    assert [sum(value == v for _, v in DECK) for value in (4, 3, 2, 1)] == [5, 10, 10, 3]


def test_opening_hands_are_hypergeometric() -> None:
    players = played("two-player").player_columns
    stove, fours = players["opening_stove"], players["opening_fours"]
    assert Fraction(comb(22, 4), comb(28, 4)) == Fraction(209, 585)
    for seat in (0, 1):
        assert near((stove[seat] == 0).mean(), Fraction(209, 585), PLAYOUTS)
        assert near((fours[seat] > 0).mean(), Fraction(332, 585), PLAYOUTS)
        assert abs(stove[seat].mean() - 6 / 7) < 4.5 * sqrt(0.6 / PLAYOUTS)


@pytest.mark.parametrize(
    ("location", "exact"), [("stove", Fraction(313, 756)), ("table", Fraction(331, 756)), ("bed", Fraction(331, 756))]
)
def test_how_often_a_random_card_beats_another(location: str, exact: Fraction) -> None:
    place = LOCATIONS.index(location)
    strengths = [strength(kind, place) for kind in deck_list(BOX["deck"]["public"])]
    wins = sum(b > a for i, a in enumerate(strengths) for j, b in enumerate(strengths) if i != j)
    assert Fraction(wins, 28 * 27) == exact


@pytest.mark.parametrize(
    ("card", "location", "exact"),
    [("stove 4", "stove", 0), ("table 2", "table", Fraction(6, 25)), ("table 2", "bed", Fraction(18, 25))],
)
def test_how_often_the_automatic_propuh_counters(card: str, location: str, exact: Fraction) -> None:
    """Granny holds stove 4, table 2 and bed 2: counted over the 25 unseen cards, and over shuffles of the plain streams."""
    hand = [("stove", 4), ("table", 2), ("bed", 2)]
    unseen = list(DECK)
    for held in hand:
        unseen.remove(held)
    suit, value = card.split()
    mine = int(value) + (10 if suit == location else 0)

    def counters(other: tuple[str, int]) -> bool:
        return other[1] + (10 if other[0] == location else 0) > mine

    assert Fraction(sum(map(counters, unseen)), 25) == exact
    tops = []
    for deal in range(4000):
        pile = list(unseen)
        Streams(3, deal).setup(0).shuffle(pile)
        tops.append(counters(pile[0]))
    assert near(float(np.mean(tops)), Fraction(exact), 4000)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_random_difficulties(count: int) -> None:
    """Tokens, a token on the stove, and both Propuh goals met at the start, from all sets of cards."""
    cards = [tuple(card[place] for place in LOCATIONS) for card in BOX["random_difficulty"]["cards"]]
    sets = list(combinations(cards, count))
    met = Fraction(sum(sum(c[1] for c in s) >= 2 and sum(c[2] for c in s) >= 2 for s in sets), len(sets))
    assert met == {1: 0, 2: Fraction(1, 10), 3: Fraction(3, 10), 4: Fraction(3, 5)}[count]
    assert Fraction(sum(any(c[0] for c in s) for s in sets), len(sets)) == Fraction(count, 5)
    columns = played(f"random-{count}", win_check="immediate").columns
    assert abs(columns["start_tokens"].mean() - 7 / 5 * count) < 4.5 * 1.2 / sqrt(PLAYOUTS)
    # with the goals met from the start the game ends after the first play
    assert near((columns["decisions"] == 2).mean(), met, PLAYOUTS)


def test_facts_of_every_two_player_game() -> None:
    result = played("two-player")
    c = {name: column.astype(int) for name, column in result.columns.items()}
    assert c["rounds"].max() == 7
    won = c["granny_won"] == 1
    assert c["rounds"][won].min() >= 4
    assert c["rounds"][c["end_reason"] == 2].min() >= 2
    assert (c["granny_placed"] == c["granny_stove"] + c["granny_table"] + c["granny_bed"]).all()
    assert (c["propuh_placed"] - c["tokens_removed"] == c["propuh_stove"] + c["propuh_table"] + c["propuh_bed"]).all()
    assert (c["tokens_removed"] <= c["rounds"]).all()
    assert (c["decisions"] == 5 * c["rounds"]).all()
    assert (result.player_columns["cards_played"].sum(axis=0) == 4 * c["rounds"]).all()
    exhausted = c["end_reason"] == 4
    assert (c["rounds"][exhausted] == 7).all()
    assert (c["start_tokens"] == 0).all()


def test_facts_of_every_solo_game() -> None:
    result = played("solo-3", policy="blocker")
    c = {name: column.astype(int) for name, column in result.columns.items()}
    assert c["rounds"].max() == 7
    assert c["rounds"].min() == 1
    assert (c["start_tokens"] == 3).all()
    full = c["rounds"] == 7
    assert full.any()
    assert (result.player_columns["cards_played"][0, full] == 13).all()


def test_replayed_random_games_have_the_known_win_rates() -> None:
    """Independent implementations found 28 to 29 % for two, and about 8, 6 and 3 % solo."""
    assert 0.28 < played("two-player").columns["granny_won"].mean() < 0.29
    for level, low, high in ((1, 0.077, 0.085), (2, 0.059, 0.067), (3, 0.031, 0.038)):
        assert low < played(f"solo-{level}").columns["granny_won"].mean() < high


def test_suits_of_table_and_bed_are_alike() -> None:
    """Table and bed have the same cards and tracks, so random games must not tell them apart."""
    columns = pl.DataFrame(played("two-player").columns)
    difference = columns["propuh_table"].cast(int) - columns["propuh_bed"].cast(int)
    assert abs(difference.mean()) < 4.5 * difference.std() / sqrt(PLAYOUTS)
