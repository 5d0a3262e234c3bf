"""Intervals for rates against published values, 40-digit arithmetic and statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    multinomial_proportions_confint,
    proportion_confint,
)

from simkit.stats.intervals import (
    clopper_pearson,
    exact_test,
    jeffreys,
    rate_difference,
    rate_interval,
    simultaneous_intervals,
    upper_bound,
    wilson,
)

examples = settings(derandomize=True, deadline=None, max_examples=150)
counts = st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
few_counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def close(value, digits=9):
    return pytest.approx(value, rel=0, abs=0.5 * 10**-digits if digits != 9 else 1e-9)


# 1/29, 81/263 and 15/148 are the examples of Newcombe (1998) and Brown, Cai and DasGupta (2001)
@pytest.mark.parametrize(
    ("wins", "playouts", "level", "expected"),
    [
        (7, 20, 0.95, (0.181191824101, 0.567145723315)),
        (0, 20, 0.95, (0.0, 0.161125158053)),
        (20, 20, 0.95, (0.838874841947, 1.0)),
        (1, 29, 0.95, (0.006113214293, 0.171755218793)),
        (81, 263, 0.95, (0.255288519878, 0.366209576983)),
        (15, 148, 0.95, (0.062386399531, 0.160487241723)),
        (1, 1, 0.95, (0.206549314377, 1.0)),
        (0, 1, 0.95, (0.0, 0.793450685623)),
        (500_123, 1_000_000, 0.95, (0.499143019447, 0.501102979608)),
        (500_123, 1_000_000, 0.99, (0.498835088844, 0.501410909524)),
        (7.5, 20, 0.95, (0.199770855665, 0.590510433849)),
        (2600, 10_000, 0.95, (0.251496243142, 0.268688076076)),
        (5060, 10_000, 0.90, (0.497775813237, 0.514220940989)),
        (506, 1_000, 0.90, (0.480013367, 0.531954254)),
    ],
)
def test_wilson_gives_the_published_ends(wins, playouts, level, expected):
    assert wilson(wins, playouts, level) == close(expected)


def test_wilson_ends_are_exactly_zero_and_one():
    assert wilson(0, 20)[0] == 0
    assert wilson(20, 20)[1] == 1


def test_wilson_keeps_its_digits_for_three_wins_in_a_billion():
    assert wilson(3, 10**9) == pytest.approx((1.0202707e-09, 8.8211881e-09), rel=1e-7)


def test_wilson_mirrors_when_wins_and_losses_change_places():
    low, high = wilson([3, 40], [1000, 50])
    mirrored = wilson([997, 10], [1000, 50])
    assert 1 - np.array(mirrored)[::-1] == close(np.array([low, high]))


def test_wilson_is_neither_wald_nor_agresti_coull():
    low, high = wilson(7, 20)
    wald = 0.140962696905, 0.559037303095  # centred on 7/20, which Wilson is not
    agresti_coull = 0.179926361438, 0.568411185978  # the same centre as Wilson, and never shorter
    assert sum(wald) == close(0.7)
    assert low + high == close(sum(agresti_coull))
    assert agresti_coull[0] < low < high < agresti_coull[1]
    assert proportion_confint(7, 20, method="agresti_coull") == close(agresti_coull)


@pytest.mark.parametrize(
    ("wins", "playouts", "expected"),
    [
        (7, 20, (0.153909204785, 0.592188534533)),
        (0, 20, (0.0, 0.168433470983)),
        (20, 20, (0.831566529017, 1.0)),
        (81, 263, (0.252736745585, 0.367621922601)),
    ],
)
def test_clopper_pearson_gives_the_published_ends(wins, playouts, expected):
    assert clopper_pearson(wins, playouts) == close(expected)


def test_clopper_pearson_without_wins_has_a_closed_form():
    assert clopper_pearson(0, 20)[1] == close(1 - 0.025 ** (1 / 20))


def test_what_never_happened_in_a_million_playouts_is_rarer_than_three_in_a_million():
    assert upper_bound(0, 10**6) == pytest.approx(2.995727786e-06, abs=5e-16)
    assert upper_bound(0, 10**6) == pytest.approx(1 - 0.05 ** (1 / 10**6), rel=1e-9)


@pytest.mark.parametrize(("wins", "expected"), [(7, (0.172276213632, 0.567766093841)), (0, (0.0, 0.116638982905))])
def test_jeffreys_gives_the_published_ends(wins, expected):
    assert jeffreys(wins, 20) == close(expected)


def test_the_exact_test_of_seven_wins_in_twenty_gives_its_textbook_value():
    assert exact_test(7, 20, 0.5) == close(0.263175964355)


@examples
@given(few_counts, st.floats(0.02, 0.98))
def test_the_exact_test_rejects_just_where_clopper_pearson_excludes(count, rate):
    low, high = clopper_pearson(*count)
    if min(abs(rate - low), abs(rate - high)) > 1e-9:
        assert (exact_test(*count, rate) >= 0.05) == (low < rate < high)


@examples
@given(few_counts)
def test_against_a_half_the_exact_test_is_that_of_scipy(count):
    assert exact_test(*count) == close(stats.binomtest(*count).pvalue)


def test_few_wins_or_losses_switch_to_the_exact_interval():
    wins, playouts = [4, 5, 95, 96], 100
    low, high, exact = rate_interval(wins, playouts)
    assert exact.tolist() == [True, False, False, True]
    assert low[[0, 3]] == close(clopper_pearson([4, 96], 100)[0])
    assert high[[1, 2]] == close(wilson([5, 95], 100)[1])
    assert rate_interval(50, 100)[2] is False


@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys])
def test_no_playouts_give_no_interval(interval):
    assert np.isnan(interval(0, 0)).all()


@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys, rate_interval])
def test_more_wins_than_playouts_are_refused(interval):
    with pytest.raises(ValueError, match="between 0"):
        interval(21, 20)


@examples
@given(counts, st.sampled_from([0.8, 0.9, 0.95, 0.99, 0.999]))
def test_intervals_agree_with_statsmodels_and_keep_inside_zero_and_one(count, level):
    for ours, theirs in ((wilson, "wilson"), (clopper_pearson, "beta")):
        low, high = ours(*count, level)
        assert (low, high) == close(proportion_confint(*count, alpha=1 - level, method=theirs))
        assert 0 <= low < high <= 1
    wins, playouts = count
    if 0 < wins < playouts:  # statsmodels leaves the two ends open
        assert jeffreys(*count, level) == close(proportion_confint(*count, alpha=1 - level, method="jeffreys"))


@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys])
def test_an_array_of_cells_is_the_cells_one_by_one(interval):
    wins, playouts = np.array([[0, 3], [50, 100]]), np.array([[10, 10], [100, 100]])
    low, high = interval(wins, playouts)
    assert low.shape == high.shape == (2, 2)
    for place in np.ndindex(2, 2):
        assert (low[place], high[place]) == close(interval(wins[place], playouts[place]))


def test_the_difference_of_two_rates_is_newcombes():
    difference, low, high = rate_difference(56, 70, 48, 80)
    assert (difference, low, high) == close((0.2, 0.052431472402, 0.333872654037))
    miettinen_nurminen = confint_proportions_2indep(56, 70, 48, 80, method="score", compare="diff", correction=True)
    assert miettinen_nurminen == pytest.approx((0.052551695518, 0.344039071987), abs=1e-7)
    assert (low, high) == pytest.approx(miettinen_nurminen, abs=0.011)


@examples
@given(few_counts, few_counts)
def test_the_difference_of_two_rates_agrees_with_statsmodels(a, b):
    theirs = confint_proportions_2indep(*a, *b, method="newcomb", compare="diff")
    assert rate_difference(*a, *b)[1:] == close(theirs)


def test_the_shares_of_all_outcomes_at_once_are_goodmans():
    low, high = simultaneous_intervals([3450, 3300, 3250])
    assert low == close([0.33371147, 0.31884338, 0.31389020], 8)
    assert high == close([0.35646609, 0.34135137, 0.33631027], 8)


@examples
@given(st.lists(st.integers(1, 500), min_size=2, max_size=8))
def test_the_shares_of_all_outcomes_agree_with_statsmodels(outcomes):
    low, high = simultaneous_intervals(outcomes)
    assert np.column_stack([low, high]) == close(multinomial_proportions_confint(outcomes, method="goodman"))
