"""Masks of kinds: bits are counted and found right, compiled and not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simkit.kernel import piles
from simkit.kernel.jit import entry


@entry
def lowest_compiled(mask):
    return piles.lowest_bit(mask)


@given(st.integers(1, 2**40 - 1))
def test_bits_are_found_in_order(mask: int) -> None:
    bits = [i for i in range(40) if mask >> i & 1]
    assert piles.lowest_bit(mask) == lowest_compiled(mask) == bits[0]
    assert piles.count_bits(mask) == len(bits)
    assert [piles.nth_bit(mask, n) for n in range(len(bits))] == bits
    assert piles.without_lowest(mask) == mask - (1 << bits[0])
    assert piles.lowest_bit(np.int64(mask)) == bits[0]


@given(st.integers(0, 62))
def test_a_bit_is_64_wide_whatever_the_type_of_its_number(number: int) -> None:
    for kind in (int, np.int8, np.int64):
        assert int(piles.bit(kind(number))) == 1 << number
        assert int(piles.bit.py_func(kind(number))) == 1 << number
