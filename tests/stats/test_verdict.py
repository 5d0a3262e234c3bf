"""Verdicts, equivalence tests and the posterior chance to be inside the margin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportions_ztost

from simkit.stats.intervals import rate_interval
from simkit.stats.verdict import (
    Verdict,
    chance_inside,
    equivalence,
    exact_equivalence,
    judge,
    judge_together,
)

BALANCED, UNBALANCED, UNKNOWN = Verdict
examples = settings(derandomize=True, deadline=None, max_examples=100)


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def error(wins, playouts):
    rate = wins / playouts
    return (rate * (1 - rate) / playouts) ** 0.5


@pytest.mark.parametrize(
    ("low", "high", "verdict", "is_leaning"),
    [
        (0.49, 0.515, BALANCED, False),
        (0.505, 0.515, BALANCED, True),
        (0.481, 0.495, BALANCED, True),
        (0.5, 0.51, BALANCED, False),
        (0.53, 0.55, UNBALANCED, False),
        (0.40, 0.47, UNBALANCED, False),
        (0.51, 0.53, UNKNOWN, False),
        (0.47, 0.53, UNKNOWN, False),
        (0.46, 0.49, UNKNOWN, False),
        (float("nan"), float("nan"), UNKNOWN, False),
    ],
)
def test_an_interval_against_the_margin_is_one_of_three_verdicts_and_may_lean(low, high, verdict, is_leaning):
    found = judge(low, high, (low + high) / 2, target=0.5, margin=0.02)
    assert found.verdict is verdict
    assert found.is_leaning == is_leaning
    assert (found.playouts_needed > 0) == (verdict is UNKNOWN)


def test_a_margin_of_nothing_is_refused():
    with pytest.raises(ValueError, match="margin"):
        judge(0.4, 0.6, 0.5, 0.5, 0)
    with pytest.raises(ValueError, match="margin"):
        chance_inside(5, 10, 0.5, -0.1)


@pytest.mark.parametrize("rate", [0.0, 0.5, 0.509, 0.52, 0.531, 1.0])
def test_the_playouts_needed_settle_it_four_times_in_five(rate):
    needed = judge(0.3, 0.7, rate, 0.5, 0.02).playouts_needed
    if 0 < rate < 1 and rate != 0.52:  # 0 and 1 are surely not the truth; on the margin itself nothing helps
        generator = np.random.default_rng(11)
        wins = generator.binomial(needed, rate, 400)
        low, high, _ = rate_interval(wins, np.full(400, needed))
        settled = [judge(*ends, k / needed, 0.5, 0.02).verdict for *ends, k in zip(low, high, wins, strict=True)]
        # 320 of 400 expected, standard deviation 8; four of them. The seed is fixed
        assert sum(verdict is not UNKNOWN for verdict in settled) == pytest.approx(320, abs=32)
    assert needed > 0


def test_half_a_percent_off_target_is_equivalent_in_ten_thousand_playouts():
    found = equivalence(0.006, error(5060, 10_000), 0.02)
    assert (found.z_low, found.z_high) == close((5.200374440, -2.800201622))
    assert found.p_value == close(0.002553534853)
    assert exact_equivalence(5060, 10_000, 0.5, 0.02) == close(0.002623327557)
    assert chance_inside(5060, 10_000, 0.5, 0.02) == close(0.997456531678)


def test_a_thousand_playouts_are_not_enough_for_two_points():
    assert equivalence(0.006, error(506, 1000), 0.02).p_value == close(0.187943104601)
    assert exact_equivalence(506, 1000, 0.5, 0.02) == close(0.196388066538)
    low, high, _ = rate_interval(506, 1000, 0.90)
    assert judge(low, high, 0.506, 0.5, 0.02).verdict is UNKNOWN


def test_two_cells_that_share_no_deals_are_equivalent():
    both = (error(0.512 * 20_000, 20_000) ** 2 + error(0.507 * 20_000, 20_000) ** 2) ** 0.5
    found = equivalence(0.005, both, 0.02)
    assert (found.z_low, found.z_high) == close((5.000965279, -3.000579168))
    assert found.p_value == close(0.001347333477)
    half = stats.norm.isf(0.05) * both
    assert (0.005 - half, 0.005 + half) == close((-0.003222681, 0.013222681))


@examples
@given(st.integers(1, 999), st.floats(0.005, 0.3))
def test_two_one_sided_tests_agree_with_statsmodels_and_with_the_interval(wins, margin):
    found = equivalence(wins / 1000 - 0.5, error(wins, 1000), margin)
    theirs = proportions_ztost(wins, 1000, 0.5 - margin, 0.5 + margin)
    assert found.p_value == close(theirs[0])
    half = stats.norm.isf(0.025) * error(wins, 1000)
    rate = wins / 1000
    if abs(found.p_value - 0.025) > 1e-9:
        is_inside = judge(rate - half, rate + half, rate, 0.5, margin).verdict is BALANCED
        assert is_inside == (found.p_value < 0.025)


@examples
@given(st.integers(0, 400), st.floats(0.1, 0.9), st.floats(0.01, 0.3))
def test_exact_tails_and_posterior_agree_with_scipy(wins, target, margin):
    lowest, highest = max(target - margin, 0), min(target + margin, 1)
    tails = stats.binom.sf(wins - 1, 400, lowest), stats.binom.cdf(wins, 400, highest)
    assert exact_equivalence(wins, 400, target, margin) == close(max(tails))
    posterior = stats.beta(wins + 0.5, 400 - wins + 0.5)
    expected = posterior.cdf(highest) - posterior.cdf(lowest)
    assert chance_inside(wins, 400, target, margin) == close(expected)


def test_many_cells_are_judged_at_once():
    assert chance_inside([5060, 506], [10_000, 1000], 0.5, 0.02).shape == (2,)
    assert exact_equivalence([5060, 506], [10_000, 1000], 0.5, 0.02) == close([0.002623327557, 0.196388066538])


@pytest.mark.parametrize(
    ("each", "family_wise", "together"),
    [
        ([BALANCED, BALANCED], [BALANCED, UNKNOWN], BALANCED),  # no correction for 'all are balanced'
        ([BALANCED, UNBALANCED], [BALANCED, UNKNOWN], UNKNOWN),  # but for 'at least one is not'
        ([BALANCED, UNBALANCED], [BALANCED, UNBALANCED], UNBALANCED),
        ([BALANCED, UNKNOWN], [BALANCED, UNKNOWN], UNKNOWN),
        ([], [], UNKNOWN),
    ],
)
def test_a_table_is_balanced_when_every_seat_is(each, family_wise, together):
    assert judge_together(each, family_wise) is together


def test_without_a_standard_error_there_is_no_equivalence_test():
    with pytest.raises(ValueError, match="standard error"):
        equivalence(0.0, 0.0, 0.02)
