"""Win rates over the levels of difficulty."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import Table

from simkit.stats.difficulty import distance_to_targets, harder_p_value, steps, trend_over_levels

examples = settings(derandomize=True, deadline=None, max_examples=60)


def test_three_levels_that_get_harder():
    z, p_value = trend_over_levels([620, 540, 430], [1000] * 3, [1, 2, 3])
    assert z == pytest.approx(-8.512394439, abs=1e-9)
    assert p_value == pytest.approx(1.70e-17, abs=0.005e-17)
    assert trend_over_levels([620, 540, 430], [1000] * 3)[0] == z


@examples
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=2, max_size=6))
def test_the_trend_agrees_with_statsmodels(levels):
    wins, losses = np.array(levels).T
    if wins.sum() > 0:
        z, p_value = trend_over_levels(wins, wins + losses)
        theirs = Table(np.column_stack([wins, losses]), shift_zeros=False).test_ordinal_association(
            row_scores=np.arange(len(levels)), col_scores=np.array([1, 0])
        )
        n = (wins + losses).sum()  # statsmodels divides by n - 1
        assert z == pytest.approx(theirs.zscore * (n / (n - 1)) ** 0.5, abs=1e-7)
        assert p_value == pytest.approx(2 * stats.norm.sf(abs(z)), abs=1e-9)


def test_levels_that_are_always_won_have_no_trend():
    assert np.isnan(trend_over_levels([10, 20], [10, 20])).all()


def test_steps_tell_harder_levels_equal_ones_and_wrong_order():
    harder, same, wrong, unclear = steps(
        [(3000, 1500, 500, 5000), (5000, 20, 21, 4959), (5000, 300, 700, 4000), (50, 10, 12, 28)], margin=0.02
    )
    assert harder.found.difference == pytest.approx(-0.1)
    assert harder.is_harder()
    assert not harder.is_wrong_order
    assert not harder.plays_the_same
    assert same.plays_the_same
    assert not same.is_harder()
    assert wrong.is_wrong_order
    assert not wrong.plays_the_same
    assert not any([unclear.is_harder(), unclear.is_wrong_order, unclear.plays_the_same])
    assert harder.adjusted == pytest.approx(4 * harder.p_value)


def test_the_one_sided_test_counts_the_deals_won_only_on_the_easier_level():
    assert harder_p_value(8, 2) == pytest.approx(stats.binomtest(8, 10, alternative="greater").pvalue)
    assert harder_p_value(0, 0) == 1


def test_no_steps_are_no_family():
    assert steps([], 0.02) == []


def test_the_distance_to_the_target_curve():
    found = distance_to_targets([0.83, 0.58, 0.31, 0.2], [0.8, 0.6, 0.4, np.nan])
    assert found.gaps[:3] == pytest.approx([0.03, -0.02, -0.09])
    assert np.isnan(found.gaps[3])
    assert (found.mean, found.largest) == pytest.approx((0.14 / 3, -0.09))
    with pytest.raises(ValueError, match="target"):
        distance_to_targets([0.5], [np.nan])
