"""Draws by the dozen, and single ones: the numbers are those of `kernel/streams.py`, a good deal quicker.

A stream held in four variables need not be stored after each draw; the first number of a stream needs only two of its four
words.
"""

import numpy as np

from simkit.kernel.jit import step
from simkit.kernel.streams import BY_17, BY_19, BY_23, BY_32, BY_41, BY_45, LOW_32, ONE, below, derive, open_chance


@step
def draw(s0, s1, s2, s3, bound):
    """The next uniform integer in 0 .. bound - 1, and the stream behind it. All are uint64.

    Unlike `below` it also draws for a bound of 1.
    """
    while True:
        total = s0 + s3
        word = ((total << BY_23) | (total >> BY_41)) + s0
        shifted = s1 << BY_17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << BY_45) | (s3 >> BY_19)
        product = (word >> BY_32) * bound
        low = product & LOW_32
        if low >= bound or low >= (ONE << BY_32) % bound:
            return np.int64(product >> BY_32), s0, s1, s2, s3


@step
def settle(pile, size, begin, end, stream):
    """Settle positions begin .. end - 1 of `pile[:size]`: `shuffle` of `kernel/piles.py`, carried on where it stopped."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    for i in range(begin, min(end, size - 1)):
        ahead, s0, s1, s2, s3 = draw(s0, s1, s2, s3, np.uint64(size - i))
        card = pile[i + ahead]
        pile[i + ahead] = pile[i]
        pile[i] = card
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3


@step
def first_word(key, occurrence):
    """The first 64 bits of a chance event's stream: `key` is that of the thing, see `open_chance`."""
    own = derive(key, occurrence)
    s0 = derive(own, 0)
    total = s0 + derive(own, 3)
    return ((total << BY_23) | (total >> BY_41)) + s0


@step
def four_words(key, occurrence):
    """The stream of a chance event in variables: `key` is that of the thing."""
    own = derive(key, occurrence)
    return derive(own, 0), derive(own, 1), derive(own, 2), derive(own, 3)


@step
def pick(word, streams, thing, occurrence, count):
    """The first uniform integer in 0 .. count - 1 of a chance event; `word` is the first of its stream, count 1 or more."""
    bound = np.uint64(count)
    product = (word >> BY_32) * bound
    if product & LOW_32 < bound:  # rarely: then it may have to be drawn again
        return below(open_chance(streams, thing, occurrence), count)
    return np.int64(product >> BY_32)
