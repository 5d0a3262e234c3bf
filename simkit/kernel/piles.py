"""Piles of cards: arrays of card numbers, shuffled and searched in place."""

import numpy as np
from numba import types
from numba.core.extending import intrinsic, overload
from numba.cpython.unsafe.numbers import trailing_zeros

from simkit.kernel.jit import step
from simkit.kernel.streams import below


@step
def shuffle(pile, size, count, stream):
    """Settle positions 0 .. count - 1 of `pile[:size]` in that order, each uniformly from all that is left.

    With count = size - 1 or more the whole pile is shuffled (Fisher and Yates); fewer give a prefix of the same order.
    """
    for i in range(min(count, size - 1)):
        j = i + below(stream, size - i)
        card = pile[j]
        pile[j] = pile[i]
        pile[i] = card


def lowest_bit(mask):
    """Number of the lowest bit set in a positive mask: the lowest kind of card held."""
    return np.int64((int(mask) & -int(mask)).bit_length() - 1)  # 64 bits wide, as compiled


@overload(lowest_bit, inline="never")
def _lowest_bit_compiled(mask):
    if isinstance(mask, types.Integer):
        return lambda mask: trailing_zeros(mask)
    return None


@step
def bit(number):
    """The mask with this one bit; 64 bits wide whatever the type of `number`, compiled or not."""
    return np.int64(1) << np.int64(number)


@step
def without_lowest(mask):
    """The mask without its lowest bit."""
    return mask & (mask - 1)


def count_bits(mask):
    """How many bits are set in a mask that is not negative."""
    return np.int64(int(mask).bit_count())  # 64 bits wide, as compiled


@intrinsic
def _count_instruction(typing_context, mask):
    def build(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@overload(count_bits, inline="never")
def _count_bits_compiled(mask):
    if isinstance(mask, types.Integer):
        return lambda mask: _count_instruction(np.int64(mask))  # type: ignore[call-arg]
    return None


@step
def nth_bit(mask, n):
    """Number of the n-th lowest bit set, from 0."""
    for i in range(6):  # without a branch that the processor would have to guess: most hands hold few kinds
        mask = mask & (mask - 1) if i < n else mask
    for _ in range(n - 6):
        mask &= mask - 1
    return lowest_bit(mask)
