"""The seat test and what follows it: Pearson, Cochran and Friedman as special cases, shuffling as the last word."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from simkit.stats.exchangeability import (
    Method,
    seat_test,
    seat_test_of_patterns,
    seat_test_of_rows,
    shuffled_p_value,
    trend,
)
from simkit.stats.normal import two_sided
from simkit.stats.seat_gaps import fair_share_index, loser_share_index, seat_deviations, seat_gaps
from simkit.stats.seat_sums import row_variance, sums_of_patterns, sums_of_rows

examples = settings(derandomize=True, deadline=None, max_examples=80)
WINS = 3450, 3300, 3250  # of 10,000 playouts with one winner
WON_BY_ONE = [0, *[WINS[0], WINS[1], 0, WINS[2], 0, 0, 0]]  # the same by sets of winners
tables = st.integers(2, 5).flatmap(
    lambda seats: st.lists(st.lists(st.integers(0, 6), min_size=seats, max_size=seats), min_size=2, max_size=40)
)


def generator():
    return np.random.default_rng(20240101)


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def losers(**patterns):
    """Counts by set of losers from words such as x1100, seat 0 first."""
    counts = np.zeros(16, int)
    for word, count in patterns.items():
        counts[int(word[:0:-1], 2)] = count
    return counts


def test_with_one_winner_the_seat_test_is_pearsons():
    found = seat_test_of_patterns(WON_BY_ONE, generator())
    assert found.statistic == close(6.5)
    assert found.degrees == 2
    assert found.p_value == close(0.038774207832)
    assert found.concordance == close(0.000325)
    assert found.concordance**0.5 == close(0.018027756377)
    assert found.method is Method.CHI_SQUARE
    assert (found.statistic, found.p_value) == close(tuple(stats.chisquare(WINS)))


def test_the_likelihood_ratio_form_says_nearly_the_same():
    g, p_value = stats.power_divergence(WINS, lambda_="log-likelihood")
    assert (g, p_value) == close((6.471875818599, 0.039323305945))
    assert seat_test_of_patterns(WON_BY_ONE, generator()).p_value == pytest.approx(p_value, rel=0.02)


def test_deviations_of_the_seats_are_the_standardised_residuals():
    found = seat_deviations(sums_of_patterns(WON_BY_ONE))
    assert found.z == close([2.474873734153, -0.707106781187, -1.767766952966])
    assert found.credit == close([0.345 - 1 / 3, 0.330 - 1 / 3, 0.325 - 1 / 3])
    assert found.p_value == close(2 * stats.norm.sf(np.abs(found.z)))
    assert (found.adjusted >= found.p_value).all()


def test_with_several_losers_the_seat_test_is_cochrans():
    counts = losers(x1000=30, x0100=22, x0010=20, x0001=18, x1100=4, x0011=3, x1111=2, x1001=1)
    sums = sums_of_patterns(counts)
    assert sums.totals.tolist() == [37, 28, 25, 24]
    assert (np.trace(sums.products), sums.products.sum()) == (114, 154)
    found = seat_test_of_patterns(counts, generator())
    assert (found.statistic, found.p_value) == close((4.172185430464, 0.243461446468))
    assert found.concordance == close(0.013907284768)
    assert seat_test(sums.totals, row_variance(4, 114, 154), 100) == found


def test_shared_wins():
    counts = [0, 40, 30, 6, 20, 0, 4, 0]
    sums = sums_of_patterns(counts, share=True)
    assert sums.totals == close([43, 35, 22])
    assert sums.row_variance == close(30.833333333333)
    found = seat_test_of_patterns(counts, generator(), share=True)
    assert (found.statistic, found.p_value) == close((7.286486486486, 0.026167339149))


def test_with_ranks_the_seat_test_is_friedmans():
    rows = np.array([(1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2, 3), (1, 2.5, 2.5), (3, 1, 2), (1, 2, 3), (2, 1, 3)])
    sums = sums_of_rows(rows)
    found = seat_test(sums.totals, sums.row_variance, sums.playouts, widest=2)
    assert (found.statistic, found.p_value) == close((6.258064516129, 0.043760125276))
    assert found.concordance == close(0.391129032258)
    assert not found.is_trusted  # eight playouts


@examples
@given(tables)
def test_ranks_of_any_table_agree_with_friedman(table):
    ranks = stats.rankdata(table, axis=1)
    sums = sums_of_rows(ranks)
    if ranks.shape[1] > 2 and sums.row_variance > 0:
        found = seat_test(sums.totals, sums.row_variance, sums.playouts)
        assert (found.statistic, found.p_value) == close(tuple(stats.friedmanchisquare(*ranks.T)))


@examples
@given(tables)
def test_winners_of_any_table_agree_with_cochran(table):
    won = (np.array(table) > 3).astype(int)
    sums = sums_of_rows(won)
    if sums.row_variance > 0:
        theirs = cochrans_q(won)
        found = seat_test(sums.totals, sums.row_variance, sums.playouts)
        assert (found.statistic, found.p_value) == close((theirs.statistic, theirs.pvalue))
        winners = won.sum(axis=1)
        assert sums.row_variance == close(row_variance(won.shape[1], winners.sum(), (winners**2).sum()))


@examples
@given(tables, tables)
def test_sums_of_two_runs_add_up_to_the_sums_of_both(first, second):
    if len(first[0]) == len(second[0]):
        added, whole = sums_of_rows(first) + sums_of_rows(second), sums_of_rows(first + second)
        assert added.playouts == whole.playouts
        assert (added.products == whole.products).all()


def test_playouts_in_which_all_seats_fare_alike_change_nothing_but_the_concordance():
    plain = seat_test_of_patterns([0, 60, 40, 0], generator())
    with_ties = seat_test_of_patterns([30, 60, 40, 70], generator())
    assert with_ties.statistic == close(plain.statistic)
    assert with_ties.concordance == close(plain.concordance / 2)


def test_if_all_seats_always_fare_alike_there_is_no_information():
    found = seat_test_of_patterns([5, 0, 0, 7], generator())
    assert found.method is Method.NONE
    assert np.isnan(found.p_value)
    assert np.isnan(trend(sums_of_patterns([5, 0, 0, 7])).p_value)
    assert np.isnan(seat_deviations(sums_of_patterns([5, 0, 0, 7])).adjusted).all()


@pytest.mark.parametrize(("playouts", "method"), [(19, Method.PERMUTATION), (20, Method.CHI_SQUARE)])
def test_chi_square_is_trusted_from_a_variance_of_five(playouts, method):
    wins = [0, playouts - 6, 6, 0]  # two seats: a variance of a quarter per playout
    assert seat_test_of_patterns(wins, generator(), draws=99).method is method


@pytest.mark.parametrize(("playouts", "method"), [(15, Method.PERMUTATION), (80, Method.CHI_SQUARE)])
def test_the_unit_of_the_credit_changes_nothing(playouts, method):
    rows, often = np.random.default_rng(8).integers(0, 3, (playouts, 2)), np.ones(playouts, int)
    found = seat_test_of_rows(rows, often, generator())
    assert found.method is method
    assert seat_test_of_rows(rows * 100, often, generator()) == found


def test_ten_playouts_by_shuffling_agree_with_every_outcome_of_ten_playouts():
    wins = np.array([7, 2, 1])
    outcomes = np.array([o for o in product(range(11), repeat=3) if sum(o) == 10])
    chance = stats.multinomial.pmf(outcomes, 10, [1 / 3] * 3)
    assert stats.multinomial.pmf(wins, 10, [1 / 3] * 3) == close(0.006096631611)
    as_rare = chance <= stats.multinomial.pmf(wins, 10, [1 / 3] * 3) * (1 + 1e-9)
    assert chance[as_rare].sum() == close(0.093126047859)
    # the seat test orders outcomes by their distance from equal wins instead of by their chance
    as_far = (outcomes**2).sum(axis=1) >= (wins**2).sum()
    found = seat_test_of_patterns([0, 7, 2, 0, 1, 0, 0, 0], generator())
    assert found.method is Method.PERMUTATION
    # 9,999 draws: four standard errors are about 0.012; the seed is fixed
    assert found.p_value == pytest.approx(chance[as_far].sum(), abs=0.012)


def test_shuffling_and_chi_square_agree_on_many_scores():
    rows = np.random.default_rng(5).integers(0, 30, (300, 4)) + np.array([2, 0, 0, 0])
    sums = sums_of_rows(rows)
    found = seat_test(sums.totals, sums.row_variance, sums.playouts, widest=31)
    assert found.is_trusted
    assert shuffled_p_value(rows, generator(), 4_999) == pytest.approx(found.p_value, abs=0.03)
    assert seat_test_of_rows(rows, np.ones(300, int), generator()) == found


def test_a_small_p_value_by_shuffling_is_never_zero():
    rows = [[1, 0]] * 18
    assert shuffled_p_value(rows, generator(), 999) == 0.001


def test_the_trend_along_the_turn_order_is_sharper_than_the_seat_test():
    sums = sums_of_patterns([0, 1090, 1030, 0, 970, 0, 0, 0, 910, *[0] * 7])
    found = trend(sums)
    # b = -1.5*1090 - 0.5*1030 + 0.5*970 + 1.5*910 = -300; variance (4000 / 4) * 5
    assert found.z == close(-300 / 5000**0.5)
    assert found.slope == close(-300 / 5 / 4000)
    assert found.p_value == close(two_sided(found.z))
    assert found.p_value < seat_test(sums.totals, sums.row_variance, 4000).p_value


def test_relabelling_the_seats_changes_no_statistic():
    rows = np.random.default_rng(3).integers(0, 5, (50, 4))
    there, back = sums_of_rows(rows), sums_of_rows(rows[:, ::-1])
    assert trend(there).z == close(-trend(back).z)
    assert seat_deviations(there).z == close(seat_deviations(back).z[::-1])


@examples
@given(tables)
def test_gaps_of_seats_are_paired_differences(table):
    rows = np.array(table)
    for gap in seat_gaps(sums_of_rows(rows), family_wise=False):
        first, second = rows[:, gap.first], rows[:, gap.second]
        assert gap.found.difference == close((first - second).mean())
        if np.ptp(first - second) > 0:
            assert gap.found.p_value == pytest.approx(stats.ttest_rel(first, second).pvalue, abs=1e-9)
        assert gap.adjusted >= gap.found.p_value


def test_gaps_of_all_pairs_hold_together():
    sums = sums_of_patterns(WON_BY_ONE)
    wide, narrow = seat_gaps(sums), seat_gaps(sums, family_wise=False)
    assert [(gap.first, gap.second) for gap in wide] == [(0, 1), (0, 2), (1, 2)]
    assert wide[1].found.difference == close(0.02)
    ratio = (wide[1].found.high - wide[1].found.low) / (narrow[1].found.high - narrow[1].found.low)
    assert ratio == close(stats.norm.isf(0.05 / 6) / stats.norm.isf(0.025))


def test_shared_wins_give_gaps_in_shares():
    gap = seat_gaps(sums_of_patterns([0, 40, 30, 6, 20, 0, 4, 0], share=True))[0]
    assert gap.found.difference == close(0.08)


def test_a_fair_share_is_one_for_any_number_of_seats():
    assert fair_share_index([1 / 3, 1 / 8], [3, 8]) == close([1, 1])
    assert loser_share_index([40, 30, 30, 20]) == close([4 / 3, 1, 1, 2 / 3])


@pytest.mark.parametrize("counts", [[1, 2, 3], [1, 2], []])
def test_sets_of_winners_come_in_powers_of_two_from_two_seats_on(counts):
    with pytest.raises(ValueError, match=r"seats"):
        sums_of_patterns(counts)
