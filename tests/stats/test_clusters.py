"""Shared wins and deals that are played several times."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.stats.clusters import cluster_rate, clusters_of, shared_credit
from simkit.stats.intervals import wilson

examples = settings(derandomize=True, deadline=None, max_examples=100)


def test_shared_wins_count_as_more_playouts_than_there_were():
    # 40 wins alone, 6 shared by two, 54 without: variance 0.2324 instead of 0.43 x 0.57
    found = shared_credit(100, 43, 40 + 6 / 4)
    assert found.rate == pytest.approx(0.43, abs=1e-12)
    assert found.standard_error**2 * 100 == pytest.approx(0.232424242424, abs=1e-9)
    assert found.effective_playouts == pytest.approx(105.4537157755, abs=1e-6)
    assert (found.low, found.high) == pytest.approx((0.339612494449, 0.525308164097), abs=1e-9)


def test_wins_of_single_playouts_are_nearly_wilsons():
    found = shared_credit(1000, 430, 430)
    assert found.design_effect == pytest.approx(1000 / 999)
    assert (found.low, found.high) == pytest.approx(wilson(430 * 0.999, 999), abs=1e-9)


def test_deals_that_decide_everything_count_once():
    # four playouts of each deal, all alike: the information of 200 playouts, not of 800
    found = cluster_rate(clusters_of(np.repeat([0, 4], 100), 4))
    assert found.effective_playouts == pytest.approx(199)
    assert found.design_effect == pytest.approx(800 / 199)


def test_rotation_that_cancels_the_luck_of_the_deal_gains_playouts():
    generator = np.random.default_rng(7)
    luck = generator.random(5000)
    there, back = generator.random(5000) < luck, generator.random(5000) < 1 - luck  # seats exchanged
    found = cluster_rate(clusters_of(there.astype(int) + back, 2))
    assert found.design_effect < 0.75  # 2/3 in theory
    assert found.low < 0.5 < found.high


@pytest.mark.parametrize("credit", [0, 1, 2])
def test_deals_without_any_spread_count_as_one_playout_each(credit):
    found = cluster_rate(clusters_of(np.full(50, credit), 2))
    assert found.effective_playouts == 50
    assert found.low < found.high


def test_thirds_that_never_vary_count_as_one_playout_each():
    assert shared_credit(90, 90 * (1 / 3), 90 * (1 / 9)).effective_playouts == 90


def test_a_single_deal_has_no_spread():
    with pytest.raises(ValueError, match="two deals"):
        cluster_rate(clusters_of([1], [2]))


@examples
@given(st.lists(st.tuples(st.integers(1, 6), st.floats(0, 1)), min_size=2, max_size=60))
def test_the_cluster_error_is_the_plain_formula(deals):
    playouts = np.array([size for size, _ in deals])
    wins = np.array([round(size * part) for size, part in deals])
    found = cluster_rate(clusters_of(wins, playouts))
    rate, count = wins.sum() / playouts.sum(), len(deals)
    variance = count / (count - 1) * ((wins - rate * playouts) ** 2).sum() / playouts.sum() ** 2
    assert found.rate == pytest.approx(rate)
    assert found.standard_error == pytest.approx(variance**0.5, abs=1e-12)
    assert 0 <= found.low <= found.rate <= found.high <= 1


@examples
@given(st.lists(st.tuples(st.integers(0, 3), st.just(3)), min_size=4, max_size=40), st.integers(1, 3))
def test_sums_of_two_lots_of_deals_are_the_sums_of_all(deals, cut):
    wins, playouts = np.array(deals).T
    together = clusters_of(wins[:cut], playouts[:cut]) + clusters_of(wins[cut:], playouts[cut:])
    assert together == clusters_of(wins, playouts)
