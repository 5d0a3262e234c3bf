"""Worth of cards: the published kind of example, closed forms, simulated truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats.cards import (
    HAD,
    adjusted,
    contrast,
    odds_ratio,
    risk_difference,
    shrunk,
    with_never_seen,
)


def test_a_card_that_looks_good_because_long_games_show_it_is_not() -> None:
    """Short and long games, seen and not seen: pooled it seems to help, within each length it hurts."""
    won, players = np.array([30, 420]), np.array([100, 700])
    others_won, others = np.array([270, 65]), np.array([700, 100])
    pooled = won.sum() / players.sum() - others_won.sum() / others.sum()
    assert pooled == pytest.approx(0.14375)
    assert won / players - others_won / others == pytest.approx([-0.085714286, -0.05], abs=1e-9)
    assert risk_difference(won, players, others_won, others) == pytest.approx(-0.067857143, abs=1e-9)
    assert odds_ratio(won, players, others_won, others) == pytest.approx(0.743935310, abs=1e-9)


def test_the_stratified_figures_are_those_of_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import StratifiedTable

    chance = np.random.default_rng(3)
    tables = chance.integers(1, 90, (5, 2, 2))
    won, lost, others_won, others_lost = tables[:, 0, 0], tables[:, 0, 1], tables[:, 1, 0], tables[:, 1, 1]
    reference = StratifiedTable([table.astype(float) for table in tables])
    assert odds_ratio(won, won + lost, others_won, others_won + others_lost) == pytest.approx(
        reference.oddsratio_pooled
    )


def test_a_stratum_that_can_tell_nothing_is_left_out() -> None:
    one = risk_difference([3], [10], [8], [20])
    assert one == pytest.approx(0.3 - 0.4)
    assert risk_difference([3, 5, 0], [10, 9, 0], [8, 0, 0], [20, 0, 0]) == pytest.approx(one)
    assert np.isnan(risk_difference([5], [9], [0], [0]))


def test_a_player_counts_by_what_happened_to_the_card() -> None:
    """Combinations: 1 opening, 2 later, 3 both, 4 played without having been in hand, 5, 6, 7 played as well."""
    assert {name: np.flatnonzero(which).tolist() for name, which in HAD.items()} == {
        "opening": [1, 3, 5, 7], "in_hand": [1, 2, 3, 5, 6, 7], "drawn": [2, 6], "played": [4, 5, 6, 7],
    }  # fmt: skip


def made_counts(rng: np.random.Generator, blocks: int, strata: int, kinds: int) -> tuple[np.ndarray, np.ndarray]:
    counts = np.zeros((blocks, strata, kinds, 8, 2), np.int64)
    counts[..., 0] = rng.integers(0, 50, counts.shape[:-1])
    counts[..., 1] = rng.binomial(counts[..., 0], 0.3)
    everybody = counts.sum(axis=3).max(axis=2) + 40
    everybody[..., 1] = everybody[..., 0] // 2
    counts[..., 0, :] = 0
    return counts, everybody


def test_contrasts_are_those_of_the_sums_over_blocks() -> None:
    counts, everybody = made_counts(np.random.default_rng(1), 6, 3, 4)
    filled = with_never_seen(counts, everybody)
    assert (filled.sum(axis=3) == everybody[:, :, None, :]).all()
    sums = filled.sum(axis=0)
    for sense, others in (("opening", [0, 2, 4, 6]), ("in_hand", [0]), ("drawn", [0]), ("played", [0, 1, 2, 3])):
        found = contrast(counts, everybody, 1.0, sense)
        for kind in range(4):
            had, rest = sums[:, kind, HAD[sense]].sum(axis=1), sums[:, kind, others].sum(axis=1)
            assert found.players[kind] == had[:, 0].sum()
            assert found.others[kind] == rest[:, 0].sum()
            assert found.rate[kind] == pytest.approx(had[:, 1].sum() / had[:, 0].sum())
            weights = had[:, 0] * rest[:, 0] / (had[:, 0] + rest[:, 0])
            gaps = had[:, 1] / had[:, 0] - rest[:, 1] / rest[:, 0]
            assert found.difference[kind] == pytest.approx((weights * gaps).sum() / weights.sum())


@given(st.integers(1, 5000))
def test_the_unit_of_credit_does_not_matter(whole: int) -> None:
    counts, everybody = made_counts(np.random.default_rng(2), 5, 2, 3)
    one = contrast(counts, everybody, 1.0, "opening")
    many = contrast(counts * [1, whole], everybody * [1, whole], whole, "opening")
    for name in vars(one):
        assert getattr(many, name) == pytest.approx(getattr(one, name)), name


def test_blocks_without_playouts_do_not_count() -> None:
    counts, everybody = made_counts(np.random.default_rng(4), 5, 2, 3)
    found = contrast(counts, everybody, 1.0, "opening")
    padded = contrast(np.concatenate([counts, 0 * counts]), np.concatenate([everybody, 0 * everybody]), 1.0, "opening")
    assert padded.standard_error == pytest.approx(found.standard_error)
    assert padded.p_value == pytest.approx(found.p_value)
    alone = contrast(counts[:1], everybody[:1], 1.0, "opening")
    assert np.isfinite(alone.difference).all()
    assert np.isnan(alone.standard_error).all()
    assert np.isnan(alone.p_value).all()


def dealt(rng: np.random.Generator, playouts: int, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A made-up game for four: cards fall into hands at random, the winner is drawn by what the hands are worth."""
    kinds = worth.size
    counts, everybody = np.zeros((64, 4, kinds, 8, 2), np.int64), np.zeros((64, 4, 2), np.int64)
    hands = rng.random((playouts, 4, kinds)) < 0.3
    strength = 1 + hands @ worth
    winner = (rng.random((playouts, 1)) * strength.sum(axis=1, keepdims=True) > strength.cumsum(axis=1)).sum(axis=1)
    won = winner[:, None] == np.arange(4)
    for block in range(64):
        mine, outcome = hands[block::64], won[block::64]
        everybody[block] = np.stack([np.full(4, len(mine)), outcome.sum(axis=0)], axis=1)
        counts[block, :, :, 1, 0] = mine.sum(axis=0)
        counts[block, :, :, 1, 1] = (mine & outcome[:, :, None]).sum(axis=0)
    return counts, everybody


def test_intervals_hold_what_they_promise_and_false_alarms_are_rare() -> None:
    """200 runs of a game in which no card matters: 95 % intervals hold 0, and hardly a run raises any alarm."""
    rng = np.random.default_rng(5)
    held, alarms = 0, 0
    for _ in range(200):
        found = contrast(*dealt(rng, 3000, np.zeros(6)), 1.0, "opening")
        held += int(((found.low <= 0) & (found.high >= 0)).sum())
        alarms += bool((adjusted(found) < 0.05).any())
    assert 0.92 < held / 1200 < 0.98
    assert alarms <= 20


def test_a_card_that_matters_is_found() -> None:
    rng = np.random.default_rng(6)
    worth = np.array([0.5, 0, 0, 0, 0, -0.1])
    found = contrast(*dealt(rng, 100_000, worth), 1.0, "opening")
    truth = np.mean([contrast(*dealt(rng, 100_000, worth), 1.0, "opening").difference for _ in range(5)], axis=0)
    assert (np.abs(found.difference - truth) < 4 * found.standard_error).all()
    assert (adjusted(found) < 0.05).tolist() == [True, False, False, False, False, True]


def test_thin_cards_are_no_members_of_the_family() -> None:
    counts, everybody = dealt(np.random.default_rng(7), 3000, np.array([0.5, 0, 0]))
    more = np.concatenate([counts, np.zeros_like(counts)], axis=2)
    more[0, 0, 3, 1] = [9, 9]
    found = contrast(more, everybody, 1.0, "opening")
    assert found.is_thin.tolist() == [False, False, False, True, True, True]
    assert adjusted(found)[:3] == pytest.approx(adjusted(contrast(counts, everybody, 1.0, "opening")))
    assert np.isnan(adjusted(found)[3:]).all()


def test_shrinking_keeps_what_is_sure_and_draws_in_what_is_not() -> None:
    d, errors = np.array([0.10, 0.10, -0.05, 0.0]), np.array([0.001, 0.2, 0.001, 0.001])
    found = shrunk(d, errors)
    assert found[0] == pytest.approx(0.10, abs=1e-3)
    assert found[1] < 0.04
    assert np.argmax(found) == 0
    noise = shrunk([0.010, -0.010, 0.012, -0.005], [0.02] * 4)
    assert noise == pytest.approx([np.mean([0.010, -0.010, 0.012, -0.005])] * 4)


def test_shrinking_brings_estimates_closer_to_the_truth() -> None:
    rng = np.random.default_rng(8)
    truth, errors = rng.normal(0.01, 0.02, 4000), rng.uniform(0.005, 0.06, 4000)
    seen = truth + errors * rng.normal(size=4000)
    before, after = ((values - truth) ** 2 for values in (seen, shrunk(seen, errors)))
    assert after.mean() < 0.4 * before.mean()
    # what theory says the best possible is: spread x variance / (spread + variance)
    assert after.mean() == pytest.approx((errors**2 * 0.0004 / (errors**2 + 0.0004)).mean(), rel=0.1)


def test_what_is_not_known_is_not_shrunk() -> None:
    assert np.isnan(shrunk([0.1, np.nan, 0.2], [0.01, 0.01, np.nan])).tolist() == [False, True, True]
    assert shrunk([0.1], [0.01]) == pytest.approx([0.1])
