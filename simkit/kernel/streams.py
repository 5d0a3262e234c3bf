"""Keyed streams of random numbers: nothing is ambient, everything has an address.

A key is one 64-bit word. `derive(key, i)` is its child number i. The keys of a playout hang from the run's seed:

    seed ─ SETUP  ─ deal ─ thing                              a deck, the first player, ...: what a deal is made of
         ─ CHANCE ─ deal ─ replicate ─ thing ─ occurrence     chance during play, each event by what it is for
         ─ POLICY ─ deal ─ replicate ─ rotation ─ seat        one stream for each seat's policy

So a variant that draws one number more somewhere moves nothing else, and two cells that share a seed meet the same deals.
The generator is xoshiro256++ (Blackman and Vigna 2019) seeded by splitmix64 (Steele, Lea and Flood 2014); bounded integers
are unbiased (Lemire 2019). Every operand is cast to uint64: mixed with a signed integer, numba would make it signed.
"""

import numpy as np

from simkit.kernel.jit import step

MAX_SEATS = 10

STREAMS = np.dtype(
    [
        ("setup_key", "u8"),
        ("chance_key", "u8"),
        ("policy_key", "u8"),
        ("work", "u8", 4),  # the stream of the chance event at hand
        ("policy", "u8", (MAX_SEATS, 4)),
    ],
    align=True,
)

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)
BY_17, BY_19, BY_23, BY_27, BY_30, BY_31, BY_32, BY_41, BY_45 = (
    np.uint64(n) for n in (17, 19, 23, 27, 30, 31, 32, 41, 45)
)
SETUP, CHANCE, POLICY = np.uint64(0), np.uint64(1), np.uint64(2)


def new_streams() -> np.recarray:
    """Room for the streams of one playout: pass element 0."""
    return np.zeros(1, STREAMS).view(np.recarray)


@step
def mix(word):
    """The output function of splitmix64."""
    word = (word ^ (word >> BY_30)) * MULTIPLY_1
    word = (word ^ (word >> BY_27)) * MULTIPLY_2
    return word ^ (word >> BY_31)


@step
def derive(key, index):
    """Child number `index` of a key: output number `index`, from 0, of splitmix64 seeded with `key`."""
    return mix(key + GOLDEN * (np.uint64(index) + ONE))


@step
def open_stream(stream, key):
    """Start a stream (uint64 array (4,)) at a key."""
    stream[0] = derive(key, 0)
    stream[1] = derive(key, 1)
    stream[2] = derive(key, 2)
    stream[3] = derive(key, 3)


@step
def next_word(stream):
    """The next 64 bits of xoshiro256++."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    total = s0 + s3
    word = ((total << BY_23) | (total >> BY_41)) + s0
    shifted = s1 << BY_17
    s2 ^= s0
    s3 ^= s1
    stream[1] = s1 ^ s2
    stream[0] = s0 ^ s3
    stream[2] = s2 ^ shifted
    stream[3] = (s3 << BY_45) | (s3 >> BY_19)
    return word


@step
def below(stream, n):
    """Uniform integer in 0 .. n - 1 without the bias of a remainder, for n below 2**32. Draws nothing when n is 1."""
    if n <= 1:
        return np.int64(0)
    bound = np.uint64(n)
    product = (next_word(stream) >> BY_32) * bound
    if product & LOW_32 < bound:  # rarely: then the exact limit, 2**32 modulo n, decides
        limit = (ONE << BY_32) % bound
        while product & LOW_32 < limit:
            product = (next_word(stream) >> BY_32) * bound
    return np.int64(product >> BY_32)


@step
def open_playout(streams, root, deal, replicate, rotation, seats):
    """Point all streams at one playout of the run with key `root`."""
    streams.setup_key = derive(derive(root, SETUP), deal)
    streams.chance_key = derive(derive(derive(root, CHANCE), deal), replicate)
    streams.policy_key = derive(derive(derive(derive(root, POLICY), deal), replicate), rotation)
    for seat in range(seats):
        open_stream(streams.policy[seat], derive(streams.policy_key, seat))


@step
def open_setup(streams, thing):
    """The stream of one random object of the setup. Replaces the last one opened."""
    open_stream(streams.work, derive(streams.setup_key, thing))
    return streams.work


@step
def open_chance(streams, thing, occurrence):
    """The stream of one chance event during play: what it is, and the how-manieth. Replaces the last one opened."""
    open_stream(streams.work, derive(derive(streams.chance_key, thing), occurrence))
    return streams.work
