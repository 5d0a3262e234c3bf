"""The statistics against themselves: coverage summed exactly, cells against their equals, and planted seat bias."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats.exchangeability import seat_test
from simkit.stats.intervals import clopper_pearson, jeffreys, wilson
from simkit.stats.paired import paired_credit
from simkit.stats.planning import for_seats, seat_power
from simkit.stats.seat_sums import row_variance
from simkit.stats.selfcheck import coverage_band, covered, exact_coverage, uniformity

MIDDLE = np.linspace(0.05, 0.95, 181)
EVERYWHERE = np.arange(1, 2000) / 2000


@pytest.mark.parametrize("playouts", [1000, 2000, 5000])
def test_wilson_covers_94_to_96_and_a_half_percent_from_a_thousand_playouts(playouts):
    found = exact_coverage(wilson, playouts, MIDDLE)
    assert found.min() >= 0.94
    assert found.max() <= 0.965


@pytest.mark.parametrize("playouts", [1, 7, 20, 100, 1000])
def test_clopper_pearson_covers_at_least_95_percent_everywhere(playouts):
    assert exact_coverage(clopper_pearson, playouts, EVERYWHERE).min() >= 0.95


@pytest.mark.parametrize(
    ("interval", "playouts", "mean", "worst", "worst_in_the_middle"),
    [
        (wilson, 20, 0.953, 0.843, 0.917),
        (jeffreys, 20, 0.951, 0.894, 0.894),
        (clopper_pearson, 20, 0.977, 0.958, 0.958),
        (wilson, 100, 0.951, 0.861, 0.928),
        (jeffreys, 100, 0.950, 0.881, 0.932),
        (clopper_pearson, 100, 0.965, 0.950, 0.950),
        (wilson, 1000, 0.950, 0.910, 0.943),
        (jeffreys, 1000, 0.950, 0.917, 0.944),
        (clopper_pearson, 1000, 0.955, 0.950, 0.950),
    ],
)
def test_mean_and_worst_coverage_on_a_grid_of_rates(interval, playouts, mean, worst, worst_in_the_middle):
    found = exact_coverage(interval, playouts, EVERYWHERE)
    middle = found[(EVERYWHERE >= 0.05) & (EVERYWHERE <= 0.95)]
    assert (found.mean(), found.min(), middle.min()) == pytest.approx((mean, worst, worst_in_the_middle), abs=6e-4)


def test_coverage_sums_the_binomial():
    low, high = wilson(np.arange(51), 50)
    inside = (low <= 0.3) & (high >= 0.3)
    assert exact_coverage(wilson, 50, [0.3])[0] == pytest.approx(stats.binom.pmf(np.arange(51), 50, 0.3)[inside].sum())


def test_of_200_intervals_179_to_198_should_cover():
    assert coverage_band(200) == (179, 198)
    fewest, most = coverage_band(200)
    assert stats.binom.cdf(fewest - 1, 200, 0.95) + stats.binom.sf(most, 200, 0.95) < 1e-3


def test_uniformity_is_the_exact_test_of_kolmogorov():
    p_values = np.random.default_rng(1).random(200)
    theirs = stats.kstest(p_values, "uniform", method="exact")
    found = uniformity([*p_values, float("nan")])
    assert (found.distance, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)
    assert uniformity(p_values**1.5).p_value < 1e-3
    with pytest.raises(ValueError, match="no p-values"):
        uniformity([float("nan")])


def test_cells_against_their_equals_look_equal():
    """Scores on shared deals. A false alarm once in 1,000 seeds for each of the two checks; the seed is fixed."""
    generator = np.random.default_rng(2)
    found = []
    for _ in range(200):
        deal = generator.normal(0, 5, 400)
        a, b = (np.rint(deal + generator.normal(0, 5, 400)).astype(int) for _ in range(2))
        found.append(paired_credit(400, a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum()))
    assert uniformity([run.p_value for run in found]).p_value > 1e-3
    fewest, most = coverage_band(200)
    assert fewest <= covered([run.low for run in found], [run.high for run in found], 0) <= most
    # two normal parts of equal size, one of them shared: half the variance drops out
    assert np.mean([run.variance_reduction for run in found]) == pytest.approx(2, rel=0.05)


def p_values_of_seats(shares, playouts, seed, repetitions=200):
    wins = np.random.default_rng(seed).multinomial(playouts, shares, repetitions)
    variance = row_variance(len(shares), playouts, playouts)
    return np.array([seat_test(each, variance, playouts).p_value for each in wins])


def test_a_fair_table_is_flagged_five_times_in_a_hundred():
    """10 of 200 expected; outside 1 to 23 less than once in 5,000 seeds, and this seed is fixed."""
    found = p_values_of_seats([0.25] * 4, 20_000, seed=3)
    assert 1 <= (found < 0.05).sum() <= 23
    assert uniformity(found).p_value > 1e-3


@pytest.mark.parametrize("playouts", [5_000, 10_000, 20_000])
def test_one_point_for_the_first_seat_is_found_as_often_as_planned(playouts):
    """Four standard deviations of a count of 200 on both sides: a false alarm once in 15,000 seeds, and this one is fixed."""
    shares = np.array([0.26, *[0.74 / 3] * 3])
    power = seat_power(playouts, shares)
    found = (p_values_of_seats(shares, playouts, seed=4) < 0.05).sum()
    assert found == pytest.approx(200 * power, abs=4 * (200 * power * (1 - power)) ** 0.5)


def test_the_planned_playouts_find_one_point_for_the_first_seat_four_times_in_five():
    """160 of 200 expected, standard deviation 5.7, four of them; the seed is fixed."""
    shares = np.array([0.26, *[0.74 / 3] * 3])
    playouts = round(for_seats(shares))
    assert (p_values_of_seats(shares, playouts, seed=5) < 0.05).sum() == pytest.approx(160, abs=23)
