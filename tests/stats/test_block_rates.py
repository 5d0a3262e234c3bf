"""Rates of playouts that share deals: blocks of deals give ranges that are neither too narrow nor too wide."""

import numpy as np
import pytest

from simkit.stats.block_rates import block_rate, seat_test_of_blocks
from simkit.stats.exchangeability import Method, seat_test
from simkit.stats.intervals import wilson
from simkit.stats.seat_sums import sums_of_rows
from simkit.stats.selfcheck import uniformity


def in_blocks(values: np.ndarray, per_deal: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums and playouts of 64 blocks; values: (playouts, ...), every `per_deal` of them one deal."""
    block = np.arange(len(values)) // per_deal % 64
    sums = np.zeros((64, *values.shape[1:]))
    np.add.at(sums, block, values)
    return sums, np.bincount(block, minlength=64)


def test_independent_playouts_have_nearly_the_interval_of_wilson() -> None:
    won = (np.random.default_rng(1).random(64_000) < 0.3).astype(float)
    found = block_rate(*in_blocks(won, 1), deals=64_000)
    low, high = wilson(won.sum(), 64_000)
    assert found.rate == pytest.approx(won.mean())
    assert (found.high - found.low) / (high - low) == pytest.approx(1, abs=0.25)
    assert found.design_effect == pytest.approx(1, abs=0.4)


def test_a_deal_played_four_times_alike_counts_once() -> None:
    deals = (np.random.default_rng(2).random(16_000) < 0.3).astype(float)
    found = block_rate(*in_blocks(np.repeat(deals, 4), 4), deals=16_000)
    low, high = wilson(deals.sum(), 16_000)
    assert (found.high - found.low) / (high - low) == pytest.approx(1, abs=0.25)
    assert found.design_effect == pytest.approx(4, abs=1.6)


def test_rotation_that_cancels_the_luck_of_the_deal_is_worth_more_than_separate_playouts() -> None:
    generator = np.random.default_rng(3)
    half = generator.random(8_000) < 0.5
    won = np.column_stack([half, ~half]).reshape(-1).astype(float)  # each deal is won exactly once in two
    won[generator.random(16_000) < 0.1] = 0
    found = block_rate(*in_blocks(won, 2), deals=8_000)
    assert found.design_effect < 0.5


def test_ranges_cover_what_they_say() -> None:
    """500 runs of 640 deals, each played three times by halves alike: 95 % is 475; outside 455 to 490 by chance once in
    about 2,000 times.
    """
    generator = np.random.default_rng(4)
    covered = 0
    for _ in range(500):
        deals = generator.random((640, 1)) < 0.2
        own = generator.random((640, 3)) < 0.2
        won = np.where(generator.random((640, 3)) < 0.5, deals, own).reshape(-1).astype(float)
        found = block_rate(*in_blocks(won, 3), deals=640)
        covered += found.low <= 0.2 <= found.high
    assert 455 <= covered <= 490


@pytest.mark.parametrize(("wins", "inside"), [(0.0, (0.0, 0.01)), (1.0, (0.99, 1.0))])
def test_what_never_or_always_happened_has_a_range_from_the_deals(wins: float, inside: tuple[float, float]) -> None:
    found = block_rate(np.full(64, 20 * wins), np.full(64, 20), deals=640)
    assert found.rate == wins
    assert (found.low, found.high) != (wins, wins)
    assert inside[0] <= found.low <= found.high <= inside[1]


def test_a_single_block_says_nothing_of_the_range() -> None:
    found = block_rate([3.0, 0.0], [4, 0], deals=1)
    assert (found.rate, found.low, found.high) == (0.75, 0.0, 1.0)
    with pytest.raises(ValueError, match="no playouts"):
        block_rate([0.0], [0], deals=0)


def test_the_seat_test_of_blocks_leaves_equal_seats_alone_and_finds_unequal_ones() -> None:
    generator = np.random.default_rng(5)
    p_values = []
    for _ in range(300):
        winner = np.repeat(generator.integers(0, 4, 640), 3)  # three playouts of a deal end alike
        p_values.append(seat_test_of_blocks(*in_blocks(np.eye(4)[winner], 3)).p_value)
    assert uniformity(np.array(p_values)).p_value > 1e-3
    unfair = np.eye(4)[generator.choice(4, 30_000, p=[0.28, 0.24, 0.24, 0.24])]
    found = seat_test_of_blocks(*in_blocks(unfair, 3))
    assert found.method is Method.BLOCKS
    assert found.p_value < 1e-6


def test_for_independent_playouts_it_agrees_with_the_ordinary_test() -> None:
    """As F times its degrees, it estimates the same noncentrality as Q does."""
    rows = np.eye(3)[np.random.default_rng(6).choice(3, 64_000, p=[0.35, 0.33, 0.32])]
    sums = sums_of_rows(rows)
    ordinary = seat_test(sums.totals, sums.row_variance, sums.playouts)
    found = seat_test_of_blocks(*in_blocks(rows, 1))
    assert found.degrees == ordinary.degrees
    assert found.statistic * found.degrees == pytest.approx(ordinary.statistic, rel=0.4)


def test_seats_that_never_differ_or_too_few_blocks_give_no_verdict() -> None:
    assert seat_test_of_blocks(np.ones((64, 3)), np.full(64, 5)).method is Method.NONE
    assert seat_test_of_blocks(np.eye(3), np.ones(3)).method is Method.NONE
