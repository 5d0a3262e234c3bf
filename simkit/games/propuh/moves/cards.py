"""Cards moving: from the deck to a hand, from a hand to the table."""

from simkit.kernel.jit import step
from simkit.kernel.piles import bit


@step
def draw(state):
    """The kind of the top card of the deck, which leaves it."""
    kind = state.deck[state.drawn]
    state.drawn += 1
    return kind


@step
def take(state, side, kind):
    """Put a card into a hand. Here and below, sums stand for branches that the processor could only guess."""
    state.different[side] += 1 if state.held[side, kind] == 0 else 0
    state.held[side, kind] += 1
    state.kinds[side] |= bit(kind)
    state.hand[side] += 1


@step
def lay_down(state, side, kind):
    """Take a card out of a hand to play it."""
    state.held[side, kind] -= 1
    was_last = 1 if state.held[side, kind] == 0 else 0
    state.different[side] -= was_last
    state.kinds[side] &= ~(was_last * bit(kind))
    state.hand[side] -= 1
    state.cards_played[side] += 1


@step
def counters(rules, kind, location, pending_kind):
    """A3, B2: whether a card played on the pending card's location counters it."""
    return (rules.counters[location, pending_kind] >> kind) & 1 == 1


@step
def weak_kinds(state, rules, side):
    """Mask of the kinds in hand that do not counter the pending card on its location."""
    return state.kinds[side] & ~rules.counters[state.pending_location, state.pending_kind]
