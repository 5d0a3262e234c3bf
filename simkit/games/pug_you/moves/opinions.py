"""D4: what people think of whom, worked out of keys when it is asked for."""

import numpy as np

from simkit.games.pug_you.moves.readings import CHARMS, FITS, OPINIONS, REPUTATIONS
from simkit.kernel.jit import step
from simkit.kernel.streams import derive

MEAN = 6 * 65535  # of twelve 16-bit parts
EVEN_PARTS, LOW_HALF = np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)
BY_16, BY_32 = np.uint64(16), np.uint64(32)
QUESTION = 16  # a card's number and a seat are one address: QUESTION x number + seat


@step
def two_parts(word):
    """The four 16-bit parts of a word, added up in pairs: in both halves of a word."""
    return (word & EVEN_PARTS) + ((word >> BY_16) & EVEN_PARTS)


@step
def normal(key):
    """N of D4, in units of 1 / 65536."""
    pairs = two_parts(derive(key, 0)) + two_parts(derive(key, 1)) + two_parts(derive(key, 2))
    return np.int64((pairs & LOW_HALF) + (pairs >> BY_32)) - MEAN


@step
def opinion(state, rules, seat, card, other):
    """P of D4: how well a seat finds that the question of a card fits a seat, in units of 1 / 131072."""
    address = QUESTION * np.int64(rules.number[card]) + other
    thought = 2 * normal(derive(derive(state.setup_key, FITS), address))
    if rules.reputation != 0:
        moved = rules.reputation * np.int64(state.reputation[other])
        thought += moved if rules.badges[card] > 0 else -moved
    if rules.perception != 0:
        own = derive(state.opinion_key[seat], OPINIONS + seat)
        thought += rules.perception * normal(derive(own, address))
    return thought


@step
def settle_reputations(state, rules):
    """R of D4 for all seats, once for the whole playout: opinions ask for it all the time. Without any it stays 0."""
    if rules.reputation != 0:
        for seat in range(rules.players):
            state.reputation[seat] = normal(derive(derive(state.setup_key, REPUTATIONS), seat))


@step
def charm(state, seat):
    """H of D4."""
    return normal(derive(derive(state.setup_key, CHARMS), seat))
