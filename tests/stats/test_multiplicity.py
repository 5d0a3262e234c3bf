"""Families of comparisons: the published examples, and statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from simkit.stats.multiplicity import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    family_wise_level,
    hochberg,
    holm,
)
from simkit.stats.normal import quantile

FOUR = 0.01, 0.04, 0.03, 0.005
# the fifteen p-values of Benjamini and Hochberg (1995)
FIFTEEN = (
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
)  # fmt: skip
examples = settings(derandomize=True, deadline=None, max_examples=100)
ADJUSTMENTS = {
    holm: "holm",
    hochberg: "simes-hochberg",
    bonferroni: "bonferroni",
    benjamini_hochberg: "fdr_bh",
    benjamini_yekutieli: "fdr_by",
}


@pytest.mark.parametrize(
    ("adjust", "expected"),
    [
        (holm, (0.03, 0.06, 0.06, 0.02)),
        (bonferroni, (0.04, 0.16, 0.12, 0.02)),
        (benjamini_hochberg, (0.02, 0.04, 0.04, 0.02)),
        (hochberg, (0.03, 0.04, 0.04, 0.02)),
        (benjamini_yekutieli, (0.041666666667, 0.083333333333, 0.083333333333, 0.041666666667)),
    ],
)
def test_four_comparisons(adjust, expected):
    assert adjust(FOUR) == pytest.approx(expected, abs=1e-9)


def test_sharper_relatives_stay_below():
    hommel, holm_sidak = [0.03, 0.04, 0.04, 0.02], [0.029701, 0.0591, 0.0591, 0.0198505]
    assert multipletests(FOUR, method="hommel")[1] == pytest.approx(hommel, abs=1e-9)
    assert multipletests(FOUR, method="holm-sidak")[1] == pytest.approx(holm_sidak, abs=5e-7)
    assert (hochberg(FOUR) >= np.array(hommel) - 1e-12).all()
    assert (holm(FOUR) >= holm_sidak).all()


def test_holm_finds_three_and_benjamini_hochberg_four_of_the_fifteen():
    assert (holm(FIFTEEN) <= 0.05).sum() == 3
    found = benjamini_hochberg(FIFTEEN)
    assert (found <= 0.05).sum() == 4
    assert found[3:7] == pytest.approx([0.035625, 0.0603, 0.063857142857, 0.063857142857], abs=1e-9)


@examples
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.sampled_from(list(ADJUSTMENTS)))
def test_adjusted_p_values_agree_with_statsmodels(p_values, adjust):
    assert adjust(p_values) == pytest.approx(multipletests(p_values, method=ADJUSTMENTS[adjust])[1], abs=1e-12)


@examples
@given(st.lists(st.floats(0, 1) | st.just(float("nan")), max_size=20), st.sampled_from(list(ADJUSTMENTS)))
def test_unknown_p_values_are_carried_through_and_not_counted(p_values, adjust):
    p = np.array(p_values, float)
    known = ~np.isnan(p)
    found = adjust(p)
    assert (np.isnan(found) == ~known).all()
    assert (found[known] == adjust(p[known])).all()


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_an_empty_family_stays_empty(adjust):
    assert adjust([]).shape == (0,)


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_what_is_no_p_value_is_refused(adjust):
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([0.5, 1.2])


@pytest.mark.parametrize(
    ("comparisons", "expected"),
    [(5, 2.575829303549), (10, 2.807033768344), (25, 3.090232306168), (100, 3.480756404346), (1000, 4.055626981122)],
)
def test_intervals_of_a_family_widen_slowly(comparisons, expected):
    assert quantile(family_wise_level(0.95, comparisons)) == pytest.approx(expected, abs=1e-9)


def test_a_family_of_none_or_one_needs_no_widening():
    assert family_wise_level(0.95, 0) == family_wise_level(0.95, 1) == 0.95
