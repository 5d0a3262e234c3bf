"""Effect sizes, and evidence for fair seats."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from simkit.stats.effects import (
    association,
    cliffs_delta,
    cohens_h,
    effective_seats,
    entropy,
    evenness,
    largest_gap,
    odds_ratio,
    superiority,
    wasserstein,
)
from simkit.stats.evidence import seats_evidence

A, B = (10, 20, 40, 20, 10), (5, 15, 35, 30, 15)  # counts of the values 1 to 5
examples = settings(derandomize=True, deadline=None, max_examples=100)
two_histograms = st.integers(2, 12).flatmap(
    lambda bins: st.tuples(*[st.lists(st.integers(0, 20), min_size=bins, max_size=bins).filter(any)] * 2)
)


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def test_the_odds_ratio_of_56_in_70_against_48_in_80():
    assert odds_ratio(56, 14, 48, 32) == pytest.approx((2.666666667, 1.276217871, 5.572019696), abs=5e-10)


def test_an_empty_cell_leaves_the_odds_ratio_finite():
    ratio, low, high = odds_ratio(10, 0, 5, 5)
    assert ratio == close(21.0)
    assert 0 < low < ratio < high < 1e4


def test_cohens_h_of_five_points():
    assert cohens_h(0.55, 0.50) == close(0.100167421162)
    assert cohens_h([0.55, 0.5], 0.5) == close([0.100167421162, 0])


def test_two_rates_as_a_table():
    table = [[520, 480], [560, 440]]
    found = association(table)
    assert (found.statistic, found.p_value, found.cramers_v) == close((3.220611916264, 0.072716442280, 0.040128617695))
    # the cautious relatives for small tables say nearly the same here
    yates, fisher = stats.chi2_contingency(table).pvalue, stats.fisher_exact(table).pvalue
    assert (yates, fisher) == pytest.approx((0.080163, 0.080136), abs=5e-7)
    assert found.p_value < fisher < yates


def test_three_ways_to_end_in_two_cells():
    found = association([[30, 20, 10], [15, 25, 20]])
    assert (found.statistic, found.p_value) == close((8.888888888889, 0.011743628457))
    assert (found.cramers_v, found.corrected_v) == close((0.272165526976, 0.240317847698))


def test_ends_that_never_occur_are_left_out_of_a_table():
    assert association([[30, 20, 0], [15, 25, 0]]) == association([[30, 20], [15, 25]])
    assert np.isnan(association([[30, 20], [0, 0]]).cramers_v)


@examples
@given(st.lists(st.lists(st.integers(1, 60), min_size=3, max_size=3), min_size=2, max_size=6))
def test_association_agrees_with_scipy(table):
    found = association(table)
    assert found.cramers_v == close(stats.contingency.association(table, "cramer"))
    theirs = stats.chi2_contingency(table, correction=False)
    assert (found.statistic, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-7)


def test_two_distributions_of_game_length():
    assert superiority(A, B) == close(0.59)
    assert cliffs_delta(A, B) == close(0.18)
    assert largest_gap(A, B) == close(0.15)
    assert wasserstein([1, 2, 3, 4, 5], A, B) == close(0.35)
    ties = float(np.dot(A, B)) / 100**2
    assert ties == close(0.25)
    assert superiority(A, B) - ties / 2 == close(0.465)


@examples
@given(two_histograms)
def test_distances_of_distributions_agree_with_scipy(histograms):
    a, b = histograms
    values = np.arange(len(a)) * 3 - 5
    first, second = np.repeat(values, a), np.repeat(values, b)
    assert wasserstein(values, a, b) == close(stats.wasserstein_distance(first, second))
    u = stats.mannwhitneyu(second, first).statistic
    assert superiority(a, b) == close(u / first.size / second.size)
    steps = np.searchsorted(np.sort(first), values, "right") / first.size
    assert largest_gap(a, b) == close(
        np.abs(steps - np.searchsorted(np.sort(second), values, "right") / second.size).max()
    )
    assert cliffs_delta(a, b) == close(-cliffs_delta(b, a))


def test_three_nearly_equal_seats_are_nearly_three_seats():
    shares = 0.345, 0.330, 0.325
    assert evenness(shares) == close(0.999705452238)
    assert effective_seats(shares) == close(2.999029375680)
    assert effective_seats([7, 0, 0]) == 1
    assert entropy([1, 1]) == close(np.log(2))


def test_no_counts_are_no_distribution():
    with pytest.raises(ValueError, match="no counts"):
        superiority([0, 0], [1, 2])


@pytest.mark.parametrize(
    ("wins", "expected"), [((3450, 3300, 3250), -5.092013267467), ((3600, 3300, 3100), 10.594194407791)]
)
def test_evidence_against_fair_thirds(wins, expected):
    assert seats_evidence(wins) == close(expected)


def test_evidence_of_two_seats_is_a_mixture_of_likelihood_ratios():
    mixture = quad(lambda p: (p / 0.4) ** 12 * ((1 - p) / 0.6) ** 8, 0, 1)[0]
    assert seats_evidence((12, 8), (0.4, 0.6)) == close(np.log(mixture))
    jeffreys = quad(lambda p: stats.beta.pdf(p, 0.5, 0.5) * (p / 0.4) ** 12 * ((1 - p) / 0.6) ** 8, 0, 1)[0]
    assert seats_evidence((12, 8), (0.4, 0.6), prior=0.5) == pytest.approx(np.log(jeffreys), abs=1e-6)


def test_evidence_for_fair_seats_is_one_on_average():
    wins = np.array([(a, b, 12 - a - b) for a in range(13) for b in range(13 - a)])
    chance = stats.multinomial.pmf(wins, 12, [0.5, 0.3, 0.2])
    evidence = np.exp([seats_evidence(each, (0.5, 0.3, 0.2)) for each in wins])
    assert chance @ evidence == close(1.0)
