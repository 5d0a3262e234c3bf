"""How many playouts a question takes: textbook values, statsmodels, and the power that the numbers promise."""

from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import GofChisquarePower, NormalIndPower
from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

from simkit.stats.effects import cohens_h
from simkit.stats.planning import (
    for_equivalence,
    for_same_deals,
    for_seats,
    for_two_rates,
    for_two_rates_arcsine,
    for_two_rates_pooled,
    playouts_for,
    seat_effect,
    seat_power,
    to_settle,
)

examples = settings(derandomize=True, deadline=None, max_examples=60)
rates = st.floats(0.05, 0.95)


@pytest.mark.parametrize(
    ("half_width", "rate", "expected"),
    [(0.01, 0.5, 9604), (0.001, 0.5, 960_365), (0.005, 0.5, 38_415), (0.002, 0.5, 240_092), (0.01, 0.25, 7203)],
)
def test_playouts_for_a_half_width(half_width, rate, expected):
    assert playouts_for(half_width, rate) == expected


def test_playouts_to_tell_two_points_apart():
    assert for_two_rates(0.50, 0.52) == pytest.approx(9803.25, abs=0.005)
    assert for_two_rates_pooled(0.50, 0.52) == pytest.approx(9806.00, abs=0.005)
    assert for_two_rates_arcsine(0.50, 0.52) == pytest.approx(9805.87, abs=0.005)
    # statsmodels counts as found what is found on the wrong side: one run in a million, 0.02 playouts
    with_wrong_side = NormalIndPower().solve_power(cohens_h(0.52, 0.50), power=0.8, alpha=0.05)
    assert with_wrong_side == pytest.approx(9805.84, abs=0.005)


@examples
@given(rates, rates)
def test_plans_for_two_rates_agree_with_statsmodels(a, b):
    if abs(a - b) > 0.01:
        pooled = samplesize_proportions_2indep_onetail(a - b, b, 0.8, alpha=0.025, alternative="larger")
        assert for_two_rates_pooled(a, b) == pytest.approx(pooled, rel=1e-9)
        z = stats.norm.isf(0.025) + stats.norm.ppf(0.8)
        effect = z / (for_two_rates_arcsine(a, b) / 2) ** 0.5
        assert NormalIndPower().power(effect, for_two_rates_arcsine(a, b), 0.05) == pytest.approx(0.8, abs=1e-6)


def test_deals_to_tell_two_points_apart_when_deals_are_shared():
    assert for_same_deals(0.15, 0.02) == pytest.approx(2940.97, abs=0.005)
    with pytest.raises(ValueError, match="cannot differ"):
        for_same_deals(0.01, 0.02)


def test_playouts_to_show_that_a_rate_is_on_target():
    assert for_equivalence(0.02, power=0.9, level=0.90) == pytest.approx(6763.86, abs=0.005)
    assert for_equivalence(0.02, power=0.8, level=0.90) == pytest.approx(5352.40, abs=0.005)
    assert 2 * for_equivalence(0.02, power=0.9, level=0.90) == pytest.approx(13527.72, abs=0.005)
    assert ceil(for_equivalence(0.02)) == 6568
    assert ceil(for_equivalence(0.02, power=0.9)) == 8122


def test_off_target_it_takes_more_and_on_the_margin_for_ever():
    on_target, half_way = for_equivalence(0.02), for_equivalence(0.02, gap=0.01)
    assert 2.9 < half_way / on_target < 4
    assert for_equivalence(0.02, gap=-0.01) == half_way
    assert for_equivalence(0.02, gap=0.02) == float("inf")


def test_settling_takes_longest_near_the_margin_and_is_finite_there():
    gaps = [0.0, 0.01, 0.0199, 0.02, 0.0201, 0.03, 0.1]
    needed = [to_settle(gap, 0.02) for gap in gaps]
    assert max(needed) < 3_000_000
    assert needed[0] < needed[1] < needed[2]
    assert needed[4] > needed[5] > needed[6]


def test_playouts_for_the_seat_test():
    shares = 1 / 3 + 0.025495 / 6**0.5, 1 / 3 - 0.025495 / 6**0.5, 1 / 3
    assert seat_effect(shares) ** 0.5 == pytest.approx(0.025495, abs=1e-9)
    assert for_seats(shares) == pytest.approx(14822.7, abs=0.05)
    assert for_seats([0.25] * 4) == float("inf")


@examples
@given(st.lists(st.integers(90, 110), min_size=2, max_size=8).filter(lambda wins: len(set(wins)) > 1))
def test_the_plan_for_seats_agrees_with_statsmodels(wins):
    needed = for_seats(wins)
    effect = seat_effect(wins) ** 0.5
    assert GofChisquarePower().power(effect, needed, 0.05, n_bins=len(wins)) == pytest.approx(0.8, abs=1e-7)
    assert seat_power(needed, wins) == pytest.approx(0.8, abs=1e-7)


def test_fair_seats_are_noticed_as_often_as_the_level_allows():
    assert seat_power(1000, [0.25] * 4) == pytest.approx(0.05)
