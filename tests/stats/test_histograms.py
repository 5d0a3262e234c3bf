"""Moments, quantiles and their intervals from histograms, against the playouts themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simkit.stats.histograms import (
    histogram_quantile,
    mean_interval,
    moments,
    power_sums,
    quantile_interval,
    quantile_ranks,
)

VALUES, COUNTS = np.arange(10, 16), np.array([5, 20, 40, 25, 8, 2])
examples = settings(derandomize=True, deadline=None, max_examples=100)
histograms = st.lists(
    st.tuples(st.integers(-30, 200), st.integers(0, 40)), min_size=1, unique_by=lambda bin: bin[0]
).filter(lambda bins: sum(count for _, count in bins) > 1)


def test_quantiles_are_values_that_occur():
    assert [histogram_quantile(VALUES, COUNTS, q) for q in (0.05, 0.1, 0.5, 0.9, 0.95)] == [10, 11, 12, 13, 14]


def test_moments_of_a_small_histogram():
    found = moments(VALUES, COUNTS)
    assert found.count == 100
    expected = 12.17, 1.132424242424, 0.213409248677, 0.009474953961
    assert (found.mean, found.variance, found.skewness, found.excess_kurtosis) == pytest.approx(expected, abs=1e-9)
    assert power_sums(VALUES, COUNTS) == (100, 1217, 14923, 184367, 2294863)


def test_moments_of_a_billion_large_values_lose_no_digit():
    found = moments([10**6, 10**6 + 1], [500_000_000, 500_000_000])
    assert found.variance == pytest.approx(0.25, rel=1e-8)
    assert found.excess_kurtosis == -2


def test_moments_say_nan_where_nothing_can_be_said():
    assert np.isnan(moments([], []).mean)
    assert np.isnan(moments([3], [1]).variance)
    assert moments([3], [9]).variance == 0
    assert np.isnan(moments([3], [9]).skewness)


@examples
@given(histograms)
def test_moments_agree_with_scipy(bins):
    values, counts = np.array(bins).T
    playouts, found = np.repeat(values, counts), moments(values, counts)
    assert (found.mean, found.variance) == pytest.approx((playouts.mean(), playouts.var(ddof=1)), abs=1e-9)
    if np.ptp(playouts) > 0:
        expected = stats.skew(playouts), stats.kurtosis(playouts)
        assert (found.skewness, found.excess_kurtosis) == pytest.approx(expected, abs=1e-6)


@examples
@given(histograms)
def test_the_interval_of_a_mean_is_students(bins):
    values, counts = np.array(bins).T
    playouts = np.repeat(values, counts)
    mean, low, high = mean_interval(values, counts)
    assert mean == pytest.approx(playouts.mean(), abs=1e-9)
    if playouts.size <= 200 and np.ptp(playouts) > 0:
        expected = stats.t.interval(0.95, playouts.size - 1, playouts.mean(), stats.sem(playouts))
        assert (low, high) == pytest.approx(expected, abs=1e-8)


def test_the_mean_of_nothing_and_the_spread_of_one_are_nan():
    assert np.isnan(mean_interval([], [])).all()
    assert mean_interval([7], [1])[0] == 7
    assert np.isnan(mean_interval([7], [1])[1:]).all()


@examples
@given(histograms, st.integers(0, 64))
def test_quantiles_agree_with_numpy(bins, sixty_fourths):
    values, counts = np.array(bins).T
    q = sixty_fourths / 64  # a fraction that a float holds exactly
    assert histogram_quantile(values, counts, q) == np.quantile(np.repeat(values, counts), q, method="inverted_cdf")


def test_seven_percent_of_a_hundred_is_the_seventh():
    assert histogram_quantile(np.arange(1, 101), np.ones(100, int), 0.07) == 7


@pytest.mark.parametrize(("counts", "q"), [([0, 0], 0.5), ([1, 1], 1.5)])
def test_a_quantile_needs_counts_and_a_share(counts, q):
    with pytest.raises(ValueError, match="quantile"):
        histogram_quantile([1, 2], counts, q)


@pytest.mark.parametrize(
    ("count", "q", "expected"),
    [
        (100, 0.5, (40, 61, 0.96480)),
        (1000, 0.9, (881, 919, 0.95491)),
        (10_000, 0.95, (9457, 9543, 0.95153)),
    ],
)
def test_the_ranks_around_a_quantile_cover_at_least_95_percent(count, q, expected):
    lower, upper, coverage = quantile_ranks(count, q)
    assert (lower, upper) == expected[:2]
    assert coverage == pytest.approx(expected[2], abs=0.5e-5)


def test_the_interval_of_a_quantile_is_open_where_playouts_are_too_few():
    found = quantile_interval(np.arange(1, 11), np.ones(10, int), 0.95)
    assert found.value == 10
    assert found.high is None
    assert found.low is not None
    assert quantile_interval(np.arange(1, 11), np.ones(10, int), 0.02).low is None


def test_the_interval_of_a_median_holds_the_values_at_its_ranks():
    values = np.arange(1, 101)
    found = quantile_interval(values, np.ones(100, int), 0.5)
    assert (found.low, found.value, found.high) == (40, 50, 61)
