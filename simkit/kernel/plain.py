"""The keyed streams once more, in ordinary Python integers.

This is the plain twin of `streams.py` and `piles.py`: no compiler, no fixed-width arithmetic, no cleverness. The
games' plain twins draw from it, and the tests hold the compiled streams against it. And what a twin leaves behind.
"""

from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Any

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

SETUP, CHANCE, POLICY = 0, 1, 2


def mix(word: int) -> int:
    """The output function of splitmix64 (Steele, Lea and Flood 2014), a bijection of 0 .. 2**64 - 1."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def derive(key: int, index: int) -> int:
    """Child number `index` of a key: output number `index`, from 0, of splitmix64 seeded with `key`."""
    return mix((key + GOLDEN * (index + 1)) & MASK)


def rotate_left(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & MASK


class Stream:
    """xoshiro256++ (Blackman and Vigna 2019); its four words are children 0 to 3 of `key`."""

    def __init__(self, key: int) -> None:
        self.words = [derive(key, i) for i in range(4)]

    def next(self) -> int:
        s = self.words
        result = (rotate_left((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate_left(s[3], 45)
        return result

    def below(self, n: int) -> int:
        """Uniform integer in 0 .. n - 1, for n below 2**32 (Lemire 2019). Nothing is drawn when n is 1."""
        if n <= 1:
            return 0
        while True:
            product = (self.next() >> 32) * n
            if product % (1 << 32) >= (1 << 32) % n:
                return product >> 32

    def shuffle(self, pile: MutableSequence[Any], count: int | None = None) -> None:
        """Settle positions 0, 1, 2, ... of `pile` in that order, each from all that is left (Fisher and Yates).

        `count` : how many positions to settle; all of them when None. A shorter shuffle is a prefix of a longer one.
        """
        for i in range(len(pile) - 1 if count is None else min(count, len(pile) - 1)):
            j = i + self.below(len(pile) - i)
            pile[i], pile[j] = pile[j], pile[i]


class Streams:
    """All the streams of one playout, by what they are for.

    root      : the run's seed, or for an independent cell child `cell key` of it
    deal, replicate, rotation : which playout; see DESIGN in the package README
    """

    def __init__(self, root: int, deal: int, replicate: int = 0, rotation: int = 0) -> None:
        self.setup_key = derive(derive(root, SETUP), deal)
        self.chance_key = derive(derive(derive(root, CHANCE), deal), replicate)
        self.policy_key = derive(derive(derive(derive(root, POLICY), deal), replicate), rotation)

    def setup(self, thing: int) -> Stream:
        """The stream of one random object of the setup: a deck, the first player, ..."""
        return Stream(derive(self.setup_key, thing))

    def chance(self, thing: int, occurrence: int) -> Stream:
        """The stream of one chance event during play: what it is, and the how-manieth."""
        return Stream(derive(derive(self.chance_key, thing), occurrence))

    def policy(self, seat: int) -> Stream:
        """The stream from which the policy in a seat draws, for the whole playout."""
        return Stream(derive(self.policy_key, seat))


@dataclass
class Playout:
    """What one playout of a plain twin leaves behind, as part E of the game's rules says."""

    columns: dict[str, int]
    players: list[dict[str, int]]
    story: list[str]
