"""Cells on the same deals: published examples, statsmodels, and exact coverage for rare differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from simkit.stats.normal import quantile
from simkit.stats.paired import (
    mcnemar,
    mcnemar_mid,
    newcombe,
    paired_credit,
    paired_difference,
    rare_difference,
    share_of_differing,
)

examples = settings(derandomize=True, deadline=None, max_examples=100)
cell_counts = st.tuples(*[st.integers(0, 400)] * 4).filter(any)


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def test_mcnemar_of_25_against_12():
    assert mcnemar(25, 12) == close(0.047031027440)
    assert mcnemar_mid(25, 12) == close(0.033552439680)


def test_mcnemar_lies_between_the_chi_square_forms():
    plain, corrected = (25 - 12) ** 2 / 37, (25 - 12 - 1) ** 2 / 37
    assert (plain, corrected) == close((4.567567567568, 3.891891891892))
    forms = stats.chi2.sf([plain, corrected], 1)
    assert forms == close([0.032582798386, 0.048519738280])
    assert forms[0] < mcnemar_mid(25, 12) < mcnemar(25, 12) < forms[1]


@examples
@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_agrees_with_statsmodels(only_a, only_b):
    if only_a + only_b:
        assert mcnemar(only_a, only_b) == close(statsmodels_mcnemar([[9, only_a], [only_b, 9]]).pvalue)
    assert 0 < mcnemar_mid(only_a, only_b) <= mcnemar(only_a, only_b) <= 1


def test_a_thousand_deals_played_twice():
    found = paired_difference(neither=420, only_a=60, only_b=90, both=430)
    assert found.deals == 1000
    assert found.difference == close(0.03)
    assert found.standard_error == close(0.012210651088)
    half = quantile(0.95) * found.standard_error
    assert (found.difference - half, found.difference + half) == close((0.006067563361, 0.053932436639))
    assert found.variance_reduction == close(3.350100603622)
    assert found.correlation == close(0.701501628)
    assert found.p_value == close(0.017597691929)
    assert (found.low, found.high) == close((0.005988883906, 0.053922166444))
    assert not found.never_differed
    assert not found.exact


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ((36, 12, 2, 0), (0.056929584003, 0.340427602975)),
        ((20, 12, 2, 16), (0.056156424842, 0.329206995400)),
        ((430, 90, 60, 420), (0.005988883906, 0.053922166444)),
    ],
)
def test_newcombes_paired_interval_gives_the_published_ends(table, expected):
    assert newcombe(*table) == close(expected)


@pytest.mark.parametrize(("neither", "both"), [(400, 600), (0, 1000), (1000, 0)])
def test_cells_that_never_differ_are_flagged(neither, both):
    found = paired_difference(neither, 0, 0, both)
    assert (found.difference, found.standard_error, found.p_value) == (0, 0, 1)
    assert found.never_differed
    assert found.variance_reduction == float("inf")
    assert -0.004 < found.low < 0 < found.high < 0.004  # silence in 1,000 deals is no proof for the next million


def test_a_change_that_decides_every_deal_is_not_mistaken_for_one_that_does_nothing():
    found = paired_difference(0, 0, 50, 0)
    assert found.difference == 1
    assert not found.never_differed


def test_no_deals_are_refused():
    with pytest.raises(ValueError, match="no deals"):
        paired_difference(0, 0, 0, 0)
    with pytest.raises(ValueError, match="no deals"):
        paired_credit(0, 0, 0, 0, 0, 0)


def test_a_billion_deals_do_not_overflow():
    found = paired_difference(*(np.int64(part) for part in (420_000_000, 60_000_000, 90_000_000, 430_000_000)))
    assert found.difference == close(0.03)
    assert found.high - found.low == pytest.approx(2 * 1.96 * found.standard_error, rel=1e-3)


@examples
@given(cell_counts)
def test_exchanging_the_cells_mirrors_everything(counts):
    neither, only_a, only_b, both = counts
    there, back = paired_difference(neither, only_a, only_b, both), paired_difference(neither, only_b, only_a, both)
    assert (there.difference, there.low, there.high) == close((-back.difference, -back.high, -back.low))
    assert there.p_value == back.p_value
    assert -1 <= there.low <= there.difference + 1e-12
    assert there.difference - 1e-12 <= there.high <= 1


@pytest.mark.parametrize("differing", [0.0005, 0.001, 0.002, 0.004, 0.006, 0.01])
@pytest.mark.parametrize("share_of_b", [0.5, 0.8, 1.0])
def test_intervals_of_rare_differences_cover_97_percent(differing, share_of_b):
    # exact, over all outcomes of 1,000 deals with fewer than 40 differences of either kind
    only_a, only_b = np.meshgrid(np.arange(40), np.arange(40))
    low, high = rare_difference(only_a, only_b, 1000)
    b, a = differing * share_of_b, differing * (1 - share_of_b)
    chance = stats.multinomial.pmf(np.stack([only_a, only_b, 1000 - only_a - only_b], -1), 1000, [a, b, 1 - differing])
    assert (chance * ((low <= b - a) & (b - a <= high))).sum() >= 0.97


def test_fewer_than_five_differing_deals_get_the_exact_interval():
    found = paired_difference(500, 1, 3, 496)
    assert found.exact
    assert (found.low, found.high) == close(rare_difference(1, 3, 1000))
    assert not paired_difference(500, 2, 3, 495).exact


def test_the_share_of_differing_deals_is_clopper_pearsons():
    low, high = share_of_differing(12, 25)
    assert (low, high) == close(tuple(stats.binomtest(25, 37).proportion_ci()))
    assert np.isnan(share_of_differing(0, 0)).all()


@examples
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=150))
def test_paired_credit_is_the_paired_t_test(deals):
    a, b = np.array(deals).T
    found = paired_credit(len(deals), a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum())
    assert found.difference == close((b - a).mean())
    if np.ptp(b - a) > 0:
        theirs = stats.ttest_rel(b, a)
        assert found.p_value == pytest.approx(theirs.pvalue, abs=1e-9)
        assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval()), abs=1e-7)
        assert found.variance_reduction == pytest.approx((a.var() + b.var()) / (b - a).var())


def test_paired_credit_of_wins_is_the_paired_difference_of_wins():
    credit, wins = paired_credit(1000, 490, 520, 490, 520, 430), paired_difference(420, 60, 90, 430)
    assert credit.difference == close(wins.difference)
    assert credit.standard_error == pytest.approx(wins.standard_error, rel=1e-3)
    assert (credit.variance_reduction, credit.correlation) == close((wins.variance_reduction, wins.correlation))


def test_credit_that_never_differs_is_flagged_and_a_constant_shift_is_not():
    assert paired_credit(3, 6, 6, 14, 14, 14).never_differed
    shifted = paired_credit(3, 6, 9, 14, 29, 20)
    assert shifted.difference == 1
    assert shifted.p_value == 0
    assert not shifted.never_differed


def test_one_deal_has_a_difference_and_no_error():
    found = paired_credit(1, 3, 5, 9, 25, 15)
    assert found.difference == 2
    assert np.isnan(found.standard_error)


def test_pairing_works_with_correlation():
    """With equal variances the reduction is 1 / (1 - correlation)."""
    found = paired_difference(neither=300, only_a=100, only_b=100, both=500)
    assert found.variance_reduction == close(1 / (1 - found.correlation))
