"""Shuffles are uniform, and the two classic wrong shuffles are found out.

Seeds are fixed, so a pass is a pass for good; at the chosen limits a right shuffle fails for 1 seed in 10,000.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from simkit.kernel.jit import entry
from simkit.kernel.piles import shuffle
from simkit.kernel.streams import below, derive, open_stream

LIMIT = 1e-4


@entry
def many(n, shuffles, key, out):
    stream = np.empty(4, np.uint64)
    open_stream(stream, derive(np.uint64(key), 0))
    for i in range(shuffles):
        for j in range(n):
            out[i, j] = j
        shuffle(out[i], n, n, stream)


@entry
def many_anywhere(n, shuffles, key, out):
    """The first classic mistake: every position is exchanged with any position."""
    stream = np.empty(4, np.uint64)
    open_stream(stream, derive(np.uint64(key), 0))
    for i in range(shuffles):
        for j in range(n):
            out[i, j] = j
        for j in range(n):
            k = below(stream, n)
            out[i, j], out[i, k] = out[i, k], out[i, j]


@entry
def many_never_itself(n, shuffles, key, out):
    """The second: a position is never exchanged with itself, which gives one long cycle (Sattolo)."""
    stream = np.empty(4, np.uint64)
    open_stream(stream, derive(np.uint64(key), 0))
    for i in range(shuffles):
        for j in range(n):
            out[i, j] = j
        for j in range(n - 1):
            k = j + 1 + below(stream, n - j - 1)
            out[i, j], out[i, k] = out[i, k], out[i, j]


def shuffled(how: Callable[..., Any], n: int, shuffles: int, key: int = 1) -> Any:
    out = np.empty((shuffles, n), np.int8)
    how(n, shuffles, key, out)
    return out


def order_p_value(how: Callable[..., Any], n: int, shuffles: int) -> float:
    """Are all n! orders equally frequent?"""
    orders = shuffled(how, n, shuffles).astype(np.int64) @ (n ** np.arange(n))
    _, counts = np.unique(orders, return_counts=True)
    cells = math.factorial(n)
    counts = np.concatenate([counts, np.zeros(cells - counts.size)])
    return float(stats.chisquare(counts).pvalue)


def position_p_value(how: Callable[..., Any], n: int, shuffles: int) -> float:
    """Is every card as often in every place? Pearson's sum times (n-1)/n is chi-square with (n-1)^2 degrees of freedom."""
    out = shuffled(how, n, shuffles, key=2)
    counts = np.array([np.bincount(out[:, place], minlength=n) for place in range(n)])
    expected = shuffles / n
    total = ((counts - expected) ** 2 / expected).sum() * (n - 1) / n
    return float(stats.chi2.sf(total, (n - 1) ** 2))


@pytest.mark.parametrize("n", [4, 5])
def test_all_orders_are_equally_frequent(n: int) -> None:
    assert LIMIT < order_p_value(many, n, 1_000_000) < 1 - LIMIT


@pytest.mark.parametrize("n", [6, 28, 60])
def test_every_card_is_as_often_in_every_place(n: int) -> None:
    assert LIMIT < position_p_value(many, n, 200_000) < 1 - LIMIT


@pytest.mark.parametrize("wrong", [many_anywhere, many_never_itself])
def test_the_classic_wrong_shuffles_are_found_out(wrong: Callable[..., Any]) -> None:
    assert order_p_value(wrong, 4, 1_000_000) < 1e-12
    assert position_p_value(wrong, 28, 200_000) < 1e-12


def test_fixed_points_and_neighbours_are_as_often_as_chance_has_them() -> None:
    out = shuffled(many, 28, 200_000, key=3)
    fixed = (out == np.arange(28)).sum(axis=1)
    assert abs(fixed.mean() - 1) < 4 / np.sqrt(200_000)  # mean 1, variance 1
    assert abs(fixed.var() - 1) < 0.03
    followed = (np.diff(out.astype(np.int16), axis=1) == 1).sum(axis=1)
    assert abs(followed.mean() - 27 / 28) < 4 / np.sqrt(200_000)


def test_permutations_are_as_often_even_as_odd() -> None:
    out = shuffled(many, 6, 100_000, key=4).astype(int)
    inversions = sum((out[:, i] > out[:, j]).astype(int) for i in range(6) for j in range(i + 1, 6))
    assert abs((inversions % 2).mean() - 0.5) < 4 * 0.5 / np.sqrt(100_000)
