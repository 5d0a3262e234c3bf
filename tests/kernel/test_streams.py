"""The streams against published vectors and against their plain twin, compiled and not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.kernel import plain, streams
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.piles import shuffle

WORDS = st.integers(0, 2**64 - 1)

# splitmix64 seeded with 1234567, first five outputs: the vector published with the Rosetta Code task and used by many ports
SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
# xoshiro256++ from the state 1, 2, 3, 4: the first outputs in the test suite of the Rust crate rand_xoshiro
XOSHIRO = [
    41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205,
    9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736, 10450023813501588000,
]  # fmt: skip


def compiled_or_not(function):
    """A kernel function as it is compiled, and as plain Python."""
    return [function, quiet_wraparound(getattr(function, "py_func", function))]


def test_splitmix_gives_the_published_words() -> None:
    assert [plain.derive(1234567, i) for i in range(5)] == SPLITMIX
    for derive in compiled_or_not(streams.derive):
        assert [int(derive(np.uint64(1234567), i)) for i in range(5)] == SPLITMIX


def test_xoshiro_gives_the_published_words() -> None:
    stream = plain.Stream(0)
    stream.words = [1, 2, 3, 4]
    assert [stream.next() for _ in XOSHIRO] == XOSHIRO
    for next_word in compiled_or_not(streams.next_word):
        state = np.array([1, 2, 3, 4], np.uint64)
        assert [int(next_word(state)) for _ in XOSHIRO] == XOSHIRO


@given(WORDS, st.integers(0, 2**62))
@settings(max_examples=300)
def test_derived_keys_are_those_of_the_plain_twin(key: int, index: int) -> None:
    for derive in compiled_or_not(streams.derive):
        assert int(derive(np.uint64(key), index)) == plain.derive(key, index)


@pytest.mark.parametrize("key", [0, 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1])
def test_keys_of_2_to_the_63_and_more_stay_unsigned(key: int) -> None:
    for derive in compiled_or_not(streams.derive):
        assert int(derive(np.uint64(key), 0)) == plain.derive(key, 0)
    assert len({plain.derive(key, i) for i in range(1000)}) == 1000


@given(WORDS, st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=40))
@settings(max_examples=200)
def test_bounded_integers_are_those_of_the_plain_twin(key: int, bounds: list[int]) -> None:
    twin = plain.Stream(key)
    expected = [twin.below(n) for n in bounds]
    for below in compiled_or_not(streams.below):
        stream = np.zeros(4, np.uint64)
        streams.open_stream(stream, np.uint64(key))
        assert [int(below(stream, n)) for n in bounds] == expected


def test_one_alternative_draws_nothing() -> None:
    stream = np.array([1, 2, 3, 4], np.uint64)
    assert streams.below(stream, 1) == 0
    assert stream.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("n", [3, 3 * 2**30, 2**32 - 1, 2**31 + 1])
def test_large_bounds_are_unbiased(n: int) -> None:
    """A remainder of 2**32 by 3 * 2**30 would hit the first third twice as often. Odds of a false alarm: 1 in 10,000."""
    stream = np.zeros(4, np.uint64)
    streams.open_stream(stream, np.uint64(5))
    draws = np.array([streams.below(stream, n) for _ in range(30_000)])
    thirds = np.bincount((draws * 3) // n, minlength=3)
    assert ((thirds - 10_000) ** 2 / 10_000).sum() < 18.4


@given(WORDS, st.integers(0, 10**12), st.integers(0, 50), st.integers(0, 9))
@settings(max_examples=100)
def test_all_streams_of_a_playout_are_those_of_the_plain_twin(
    root: int, deal: int, replicate: int, rotation: int
) -> None:
    twin = plain.Streams(root, deal, replicate, rotation)
    ours = streams.new_streams()[0]
    streams.open_playout(ours, np.uint64(root), deal, replicate, rotation, 3)
    for seat in range(3):
        assert ours.policy[seat].tolist() == twin.policy(seat).words
    assert streams.open_setup(ours, 4).tolist() == twin.setup(4).words
    assert streams.open_chance(ours, 2, 17).tolist() == twin.chance(2, 17).words


def test_streams_of_different_purposes_are_all_different() -> None:
    twins = [plain.Streams(1, deal, replicate) for deal in range(20) for replicate in range(3)]
    words = [tuple(t.policy(seat).words) for t in twins for seat in range(5)]
    words += [tuple(t.chance(thing, n).words) for t in twins for thing in range(3) for n in range(3)]
    assert len(set(words)) == len(words)
    setups = {tuple(t.setup(thing).words) for t in twins for thing in range(3)}
    assert len(setups) == 20 * 3  # replicates share the deal
    assert not setups & set(words)


@given(WORDS, st.integers(0, 60), st.integers(0, 70))
@settings(max_examples=200)
def test_shuffles_are_those_of_the_plain_twin(key: int, size: int, count: int) -> None:
    expected = list(range(size))
    plain.Stream(key).shuffle(expected, count)
    for ours in compiled_or_not(shuffle):
        pile = np.arange(size, dtype=np.int8)
        stream = np.zeros(4, np.uint64)
        streams.open_stream(stream, np.uint64(key))
        ours(pile, size, count, stream)
        assert pile.tolist() == expected
