"""Ranges that hold however often one looks: known values, and how often they ever miss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from simkit.stats.evidence import rate_evidence
from simkit.stats.intervals import wilson
from simkit.stats.normal import quantile
from simkit.stats.sequential import (
    anytime_level,
    mean_sequence,
    paired_sequence,
    rate_sequence,
    sharpness,
    standard_errors,
)


def close(value, off=1e-9):
    return pytest.approx(value, rel=0, abs=off)


@pytest.mark.parametrize(
    ("wins", "playouts", "low", "high"),
    [
        (7, 20, 0.103482696375, 0.672834368579),
        (0, 20, 0, 0.260671350938),
        (0, 1, 0, 0.975),
        (1, 1, 0.025, 1),
        (530, 1000, 0.474229137243, 0.585274610950),
        (5060, 10_000, 0.486799362986, 0.525188841821),
        (500_123, 1_000_000, 0.497923270846, 0.502322725980),
    ],
)
def test_the_range_of_a_rate_is_the_known_one(wins, playouts, low, high):
    found = rate_sequence(wins, playouts)
    assert found == (close(low), close(high))
    if wins == 0:
        assert found[0] == 0
        assert found[1] == close(1 - (0.05 / (playouts + 1)) ** (1 / playouts))


def test_another_prior_gives_the_known_range():
    assert rate_sequence(7, 20, prior=0.5) == (close(0.096587356121), close(0.685511731176))


@pytest.mark.parametrize(
    ("wins", "playouts", "expected"),
    [
        (530, 1000, -1.429556272477),
        (560, 1000, 3.981297047375),
        (120, 200, 1.579656278496),
        (150, 230, 8.278082394770),
    ],
)
def test_the_evidence_against_one_half_is_the_known_one(wins, playouts, expected):
    assert rate_evidence(wins, playouts, 0.5) == close(expected)


def test_the_range_of_a_mean_is_the_known_one():
    assert sharpness() == close(0.00079361546, 5e-12)
    for deals, half in ((1_000, 0.0609537657), (10_000, 0.0151760450), (100_000, 0.0051256143)):
        low, high = mean_sequence(0.3, 0.5, deals)
        assert (0.3 - low, high - 0.3) == (close(half, 5e-11), close(half, 5e-11))


@given(st.integers(1, 10**9), st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.999]))
def test_a_range_has_its_evidence_at_its_ends_and_the_seen_rate_inside(playouts, share, level):
    wins = round(share * playouts)
    low, high = rate_sequence(wins, playouts, level)
    assert 0 <= low <= wins / playouts <= high <= 1
    for end, other in ((low, 0), (high, 1)):
        if end != other:
            off = 1e-12 * playouts  # what cancels in sums of so many playouts
            assert rate_evidence(wins, playouts, end) == pytest.approx(-np.log(1 - level), abs=1e-6 + off)


def test_a_rate_without_playouts_is_not_known():
    low, high = rate_sequence([0, 3], [0, 9])
    assert np.isnan([low[0], high[0]]).all()
    assert np.isfinite([low[1], high[1]]).all()


def test_wins_outside_the_playouts_are_refused():
    with pytest.raises(ValueError, match="wins must lie between"):
        rate_sequence(4, 3)


@given(st.integers(1_000, 10**12), st.floats(0.9, 0.9999))
def test_an_ordinary_interval_at_the_anytime_level_is_as_wide(deals, level):
    reach = standard_errors(deals, level)
    assert quantile(level) < reach < 3 * quantile(level)
    assert quantile(anytime_level(level, deals)) == pytest.approx(reach, rel=1e-4)


def chance_to_be_misled(looks: int) -> float:
    """Exactly how often the ordinary range of a fair coin excludes one half at one of so many looks, each 100 tosses."""
    toss = stats.binom.pmf(np.arange(101), 100, 0.5)
    alive = np.ones(1)
    for look in range(1, looks + 1):
        alive = np.convolve(alive, toss)
        low, high = wilson(np.arange(alive.size), 100 * look)
        alive[(low > 0.5) | (high < 0.5)] = 0
    return 1 - alive.sum()


def test_looking_again_and_again_at_ordinary_ranges_misleads_as_often_as_is_known():
    known = {1: 0.0569, 2: 0.0932, 5: 0.1547, 10: 0.2055, 20: 0.2593, 50: 0.3311, 100: 0.3836}
    for looks, chance in known.items():
        assert chance_to_be_misled(looks) == close(chance, 5e-5)


@pytest.mark.parametrize(("rate", "known"), [(0.5, 0.0381286), (0.25, 0.0340067)])
def test_a_sequence_ever_misses_as_seldom_as_is_known(rate, known):
    """Exactly, for 5,000 looks, one after every playout: under 5 %."""
    alive, start = np.ones(1), 0  # chances of `start`, start + 1, ... wins
    for playouts in range(1, 5_001):
        alive = np.convolve(alive, [1 - rate, rate])
        wins = start + np.arange(alive.size)
        alive[np.asarray(rate_evidence(wins, playouts, rate)) >= np.log(20)] = 0
        kept = np.flatnonzero(alive > 1e-18)
        alive, start = alive[kept[0] : kept[-1] + 1], start + int(kept[0])
    assert 1 - alive.sum() == close(known, 1e-7)


@pytest.mark.parametrize("rate", [0.02, 0.25, 0.5])
def test_the_range_of_a_mean_ever_misses_in_less_than_one_of_twenty_runs(rate):
    """4,000 runs of 100,000 deals, looked at every 500 from 1,000 on. At 3 % true misses, 5 % would be 7 errors away."""
    random = np.random.default_rng(11)
    wins = random.binomial(500, rate, (4_000, 200)).cumsum(axis=1)[:, 1:]
    deals = 500 * np.arange(2, 201)
    mean = wins / deals
    spread = np.sqrt(mean * (1 - mean) * deals / (deals - 1))
    low, high = mean_sequence(mean, spread, deals)
    missed = ((low > rate) | (high < rate)).any(axis=1).mean()
    assert 0.005 < missed < 0.05
    half = quantile(0.95) * spread / np.sqrt(deals)
    assert (abs(mean - rate) > half).any(axis=1).mean() > 0.3  # what it guards against


def test_a_difference_on_the_same_deals_has_the_range_of_its_mean():
    differences = np.repeat([-1, 0, 1], [80, 1800, 120])
    found = paired_sequence(2_000, 80, 120)
    assert (found.difference, found.spread) == (close(0.02), close(differences.std()))
    assert (found.low, found.high) == mean_sequence(0.02, found.spread, 2_000)


def test_deals_that_hardly_differ_leave_room_for_a_difference():
    found = paired_sequence(1_000, 0, 0)
    _, more = rate_sequence(0, 1_000, 0.975)
    assert (found.difference, found.low, found.high) == (0, -more, more)
    assert paired_sequence(1_000, 0, 5).low > -0.02


@pytest.mark.parametrize("differing", [(0.001, 0.001), (0.01, 0.03)])
def test_the_range_of_a_difference_ever_misses_in_less_than_one_of_twenty_runs(differing):
    """150 runs with looks from 2,000 to 20,000 deals. At 3 % true misses, more than 14 would be 5 errors away."""
    chances = [*differing, 1 - sum(differing)]
    counts = np.random.default_rng(4).multinomial(2_000, chances, (150, 10)).cumsum(axis=1)
    truth = differing[1] - differing[0]
    missed = 0
    for run in counts:
        found = [paired_sequence(int(each.sum()), int(each[0]), int(each[1])) for each in run]
        missed += any(not one.low <= truth <= one.high for one in found)
    assert missed <= 14
