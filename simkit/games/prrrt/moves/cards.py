"""Smell cards as words (state.py): what is in a word, and the choices among its cards."""

import numpy as np

from simkit.games.prrrt.box import NUMBER_SHIFT, SUM_BITS, SUM_SHIFT
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit

ONES = 0x1111111111  # a one for each value
ONES_64, EIGHTS_64 = np.uint64(ONES), np.uint64(8 * ONES)
SUM_MASK = 2**SUM_BITS - 1
ONE_CARD = 1 << NUMBER_SHIFT


@step
def card(value):
    """The word of one card."""
    wide = np.int64(value)
    return bit(4 * wide) + (wide << SUM_SHIFT) + ONE_CARD


@step
def number_of(word):
    """How many cards a word holds."""
    return word >> NUMBER_SHIFT


@step
def sum_of(word):
    """The sum of the values of a word's cards."""
    return (word >> SUM_SHIFT) & SUM_MASK


@step
def has(word, value):
    """1 if a word holds a card of this value, else 0."""
    return 1 if (word >> (4 * np.int64(value))) & 15 != 0 else 0


@step
def values_in(word):
    """The different values of a word's cards: bit 4 v for value v. Here and below a word holds at most seven cards."""
    return (word | (word >> 1) | (word >> 2)) & ONES


@step
def narrow(wide):
    """From one bit in four to a plain mask: bit 4 v becomes bit v."""
    wide = (wide | (wide >> 3)) & 0x0303030303
    wide = (wide | (wide >> 6)) & 0x000F000F000F
    wide = (wide | (wide >> 12)) & 0xFF000000FF
    return (wide | (wide >> 24)) & 0x3FF


@step
def lowest(word):
    """The lowest value of a word's cards."""
    return lowest_bit(word) >> 2


@step
def nth_card(word, n):
    """The value of the n-th card, from 0, when the cards are laid out by ascending value.

    All values at once: the product sums up the cards up to each value, and the difference has its bit 8 set where that
    is more than n.
    """
    reached = np.uint64(word) * ONES_64 & ~EIGHTS_64
    return lowest_bit(np.int64(((reached | EIGHTS_64) - np.uint64(n + 1) * ONES_64) & EIGHTS_64)) >> 2


@step
def digits(word, count):
    """The number that the lowest `count` values form as digits, ascending."""
    number = np.int64(0)
    for _ in range(count):
        value = lowest(word)
        number = 10 * number + value
        word -= card(value)
    return number


@step
def count_multisets(word, size):
    """How many different multisets of `size` (0 to 3) values can be taken from a word."""
    ones = count_bits(values_in(word))
    if size == 1:
        return ones
    twos = count_bits(((word >> 1) | (word >> 2)) & ONES)  # values of which there are two or more
    if size == 2:
        return ones * (ones - 1) // 2 + twos
    threes = count_bits(((word >> 2) | (word & (word >> 1))) & ONES)
    return ones * (ones - 1) * (ones - 2) // 6 + twos * (ones - 1) + threes if size == 3 else np.int64(1)


@step
def nth_multiset(word, size, n):
    """The n-th of these multisets in the order of RULES.md C, as a word."""
    chosen = np.int64(0)
    for i in range(size):
        while True:
            value = lowest(word)
            rest = word - card(value)
            later = count_multisets(rest, size - 1 - i)
            if n < later:
                break
            n -= later
            word &= ~(np.int64(15) << (4 * value))  # no card of this value comes next
        chosen += card(value)
        word = rest
    return chosen


@step
def left_over(word, taken):
    """A word without the cards of another, each as far as it is there."""
    for _ in range(number_of(taken)):
        value = lowest(taken)
        taken -= card(value)
        word -= has(word, value) * card(value)
    return word
