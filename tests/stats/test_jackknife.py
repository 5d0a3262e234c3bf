"""Leaving out one block at a time: closed forms, brute force, and the look at convergence."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats.jackknife import block_spread, halves, jackknife, running

WINS = [48, 52, 55, 47, 50]


def rate(wins, playouts):
    return wins / playouts


@pytest.mark.parametrize(
    ("playouts", "error"), [([100] * 5, 0.014352700094), ([100, 120, 80, 110, 90], 0.043353008697)]
)
def test_the_error_of_a_rate_from_five_blocks(playouts, error):
    found = jackknife(rate, WINS, playouts)
    assert (found.estimate, found.standard_error) == pytest.approx((0.504, error), abs=1e-9)
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, 4) * error, abs=1e-9)


def test_sixty_four_blocks_use_the_t_of_63_degrees():
    wins = np.random.default_rng(1).binomial(100, 0.5, 64)
    found = jackknife(rate, wins, np.full(64, 100))
    assert (found.high - found.estimate) / found.standard_error == pytest.approx(1.998, abs=5e-4)


def test_a_mean_of_equal_blocks_has_the_usual_error_and_no_bias():
    values = np.random.default_rng(2).normal(size=64)
    found = jackknife(lambda total, count: total / count, values, np.ones(64))
    assert found.standard_error == pytest.approx(stats.sem(values))
    assert found.bias == pytest.approx(0, abs=1e-12)


def test_the_bias_of_a_plug_in_variance_is_found_exactly():
    x = np.random.default_rng(3).integers(0, 9, 64)
    found = jackknife(lambda n, s, ss: ss / n - (s / n) ** 2, np.ones(64), x, x * x)
    assert found.estimate - found.bias == pytest.approx(x.var(ddof=1))


def test_statistics_may_be_arrays():
    seats = np.random.default_rng(4).multinomial(200, [0.4, 0.35, 0.25], 64)
    found = jackknife(lambda wins: wins / wins.sum(), seats)
    assert found.estimate.shape == found.standard_error.shape == found.low.shape == (3,)
    alone = jackknife(rate, seats[:, 1], np.full(64, 200))
    assert found.standard_error[1] == pytest.approx(alone.standard_error)


def test_errors_of_a_ratio_of_odds_are_those_of_200_repetitions():
    # the error of an error from 200 repetitions is 5 %, and of the mean jackknife error less: 15 % are three of them
    generator = np.random.default_rng(5)

    def log_odds_ratio(a, b):
        return np.log(a / (6400 - a)) - np.log(b / (6400 - b))

    runs = [jackknife(log_odds_ratio, *generator.binomial(100, [[0.3], [0.4]], (2, 64))) for _ in range(200)]
    estimates, errors = [run.estimate for run in runs], [run.standard_error for run in runs]
    assert np.mean(errors) == pytest.approx(np.std(estimates), rel=0.15)
    truth = np.log(3 / 7) - np.log(4 / 6)
    # 190 of 200 expected; fewer than 179 once in 2,000 seeds, and this seed is fixed
    assert sum(run.low < truth < run.high for run in runs) >= 179


def test_the_running_estimate_ends_at_the_estimate():
    grown = running(rate, WINS, [100] * 5)
    assert grown == pytest.approx([0.48, 0.5, 155 / 300, 202 / 400, 0.504])


def test_halves_are_the_even_and_the_odd_blocks():
    assert halves(rate, WINS, [100] * 5) == pytest.approx((153 / 300, 99 / 200))


@pytest.mark.parametrize("aggregates", [([1],), ([1, 2], [1, 2, 3])])
def test_blocks_must_be_several_and_of_one_number(aggregates):
    with pytest.raises(ValueError, match="number of blocks"):
        jackknife(lambda *sums: sums[0], *aggregates)


def test_blocks_of_independent_playouts_spread_as_the_binomial_says():
    # both tails are uniform: a false alarm once in 5,000 seeds
    found = block_spread(np.random.default_rng(6).binomial(1000, 0.3, 64), np.full(64, 1000))
    assert found.degrees == 63
    assert found.p_above + found.p_below == pytest.approx(1)
    assert not found.is_suspect()


def test_blocks_that_hang_together_or_repeat_a_stream_are_suspect():
    drifting = np.random.default_rng(7).binomial(1000, np.linspace(0.25, 0.35, 64))
    assert block_spread(drifting, np.full(64, 1000)).p_above < 1e-4
    assert block_spread(np.full(64, 300), np.full(64, 1000)).p_below < 1e-4
    assert block_spread(drifting, np.full(64, 1000)).is_suspect()


def test_blocks_without_any_loss_say_nothing_about_their_spread():
    assert np.isnan(block_spread([10, 20], [10, 20]).statistic)
    with pytest.raises(ValueError, match="two blocks"):
        block_spread([3, 0], [10, 0])
