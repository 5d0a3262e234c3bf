"""A turn: carrying out a choice and everything after it that nobody decides (A3 to A6, B17)."""

import numpy as np

from simkit.games.granny_wars.box import (
    EXTRA_FACEDOWN,
    KINDS,
    NONE,
    NUMBERED,
    SWAP_TOPS,
)
from simkit.games.granny_wars.box import STEAL as STEAL_POWER
from simkit.games.granny_wars.moves.cards import (
    give_up,
    left_unseen,
    move_bounced,
    now_known,
    place,
    recount,
    seen_leaving,
    take,
)
from simkit.games.granny_wars.moves.choices import (
    is_decline,
    kind_and_pile,
    kinds_to_return,
    others_with_cards,
    pair_of_tops,
    pile_of_bounce,
    piles_in_use,
)
from simkit.games.granny_wars.moves.readings import (
    BEFORE_BOUNCE,
    BLIND_STEAL,
    NO_CHAIN,
    OPTIONAL_EXTRA,
    SEES_HAND,
    STEALS_OF_A_SEAT,
    TO_HAND,
)
from simkit.games.granny_wars.moves.scoring import leak, score
from simkit.games.granny_wars.state import (
    BOUNCE,
    EXTRA,
    FACE_DOWN,
    GIVE,
    KIND_BITS,
    NOBODY,
    OFFER,
    OVER,
    PILES_OF_A_KIND,
    PLACE,
    PLAY,
    RETURN,
    STEAL,
    STOLEN,
    SWAP,
    TOPS,
)
from simkit.games.granny_wars.story import (
    BOUNCED,
    GIVEN,
    KEPT,
    NO_EXTRA,
    NO_STEAL,
    NO_SWAP,
    PLACED,
    STOLEN_CARD,
    SWAPPED_TOPS,
)
from simkit.kernel.drive import note
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, without_lowest
from simkit.kernel.streams import below, open_chance


@step
def play_choice(state, rules, choice, streams, log):
    """Carry out a choice of the decision at hand, up to the next decision or the end."""
    phase = state.phase
    state.phase = PLAY  # unless something is left to decide in this turn
    if phase in (PLAY, EXTRA, PLACE):
        lay_down(state, rules, phase, choice, log)
    elif phase == BOUNCE:
        bounce(state, rules, pile_of_bounce(state, rules, choice), log)
    elif phase == OFFER:
        take_offer(state, choice, log)
    elif phase == STEAL:
        steal_from(state, rules, choice, streams, log)
    elif phase == STOLEN:
        stolen(state, rules, nth_bit(state.kinds[state.target], choice), log)
    elif phase == SWAP:
        swap_with(state, rules, choice, log)
    elif phase == GIVE:
        offer(state, rules, nth_bit(state.kinds[state.seat], choice), log)
    elif phase == RETURN:
        swap_back(state, rules, nth_bit(kinds_to_return(state, rules), choice), log)
    else:
        swap_tops(state, rules, choice, log)
    if state.phase == PLAY and state.power != NONE:
        use_power(state, rules)
    if state.phase == PLAY:
        if state.waiting > 0:  # bounces that waited for powers, the last card placed first
            state.phase = BOUNCE
        else:
            next_turn(state, rules, streams, log)


@step
def lay_down(state, rules, phase, choice, log):
    """PLAY, EXTRA and PLACE: lay a card on a pile; its power waits for the bounce, or the other way round (B8)."""
    seat = state.seat
    down = 0
    if phase == PLACE:
        kind, pile = np.int64(state.in_air), choice
        state.in_air = NOBODY
        state.is_extra = 0
        state.power = NONE
    else:
        both = kind_and_pile(state, rules, choice)
        kind, pile = both // PILES_OF_A_KIND, both % PILES_OF_A_KIND
        extra = 1 if phase == EXTRA else 0
        down = extra * state.down
        state.is_extra = extra
        state.extra_faceup += extra - down
        state.extra_facedown += down
        state.power = rules.power[kind] * (1 - down)
        give_up(state, seat, kind)
        if down == 1:
            left_unseen(state, rules, seat, NOBODY)
        else:
            seen_leaving(state, rules, seat, kind)
    note(log, PLACED, seat, kind, pile, state.is_extra + down, 0)
    if place(state, rules, seat, kind, pile, down):
        state.wait_pile[state.waiting] = pile
        state.wait_depth[state.waiting] = state.pile_size[pile] - 2
        state.waiting += 1
        if rules.power_timing != BEFORE_BOUNCE:
            state.phase = BOUNCE


@step
def bounce(state, rules, pile, log):
    """A4: the card that waits in the last place moves to another pile."""
    state.waiting -= 1
    card = move_bounced(state, rules, state.wait_pile[state.waiting], state.wait_depth[state.waiting], pile)
    note(log, BOUNCED, card & KIND_BITS, pile, 1 if card & FACE_DOWN != 0 else 0, 0, 0)
    state.lean[state.seat, pile] += rules.value[card & KIND_BITS]
    state.bounces += 1


@step
def use_power(state, rules):
    """B17: the power of the card just played, if its condition is met."""
    power = state.power
    state.power = NONE
    own = state.hand[state.seat]
    if power <= EXTRA_FACEDOWN:
        if own > 0 and not (state.is_extra == 1 and rules.chain_extra == NO_CHAIN):
            state.down = 1 if power == EXTRA_FACEDOWN else 0
            state.phase = OFFER if rules.extra_optional == OPTIONAL_EXTRA else EXTRA
    elif power == SWAP_TOPS:
        if count_bits(piles_in_use(state, rules)) > 1:
            state.phase = TOPS
    elif others_with_cards(state, rules) != 0:
        if power == STEAL_POWER:
            state.phase = STEAL
        elif own > 0:
            state.phase = SWAP


@step
def next_turn(state, rules, streams, log):
    """A3, B21: the next player clockwise with cards, or the end."""
    dealt = np.int64(rules.players) * rules.hand_size
    if state.half_way == 0 and 2 * np.int64(state.cards_played) >= dealt:
        state.half_way = 1
        for seat in range(rules.players):
            state.leak_middle[seat] = leak(state, rules, seat)
    if state.cards_played == dealt:
        state.phase = OVER
        score(state, rules, streams, log)
        return
    seat = state.seat
    for _ in range(rules.players):
        seat = seat + 1 if seat + 1 < rules.players else 0
        if state.hand[seat] > 0:
            break
    state.seat = seat
    state.turns += 1


@step
def take_offer(state, choice, log):
    """OFFER: take or decline an extra card."""
    if choice == 0:
        state.phase = EXTRA
    else:
        note(log, NO_EXTRA, state.seat, 0, 0, 0, 0)
        state.extras_declined += 1


@step
def swap_with(state, rules, choice, log):
    """SWAP: decline, or name the other player."""
    if is_decline(state, rules, SWAP, choice):
        note(log, NO_SWAP, state.seat, 0, 0, 0, 0)
    else:
        state.target = nth_bit(others_with_cards(state, rules), choice)
        state.phase = GIVE


@step
def steal_from(state, rules, choice, streams, log):
    """STEAL: decline, or name the other player."""
    if is_decline(state, rules, STEAL, choice):
        note(log, NO_STEAL, state.seat, 0, 0, 0, 0)
        return
    state.target = nth_bit(others_with_cards(state, rules), choice)
    if rules.steal_pick == SEES_HAND:
        for kind in range(KINDS):
            state.known[state.seat, state.target, kind] = state.held[state.target, kind]
        state.known_of[state.target] = 1
        state.phase = STOLEN
        return
    stream = open_chance(streams, BLIND_STEAL, STEALS_OF_A_SEAT * np.int64(state.seat) + state.blind_steals[state.seat])
    state.blind_steals[state.seat] += 1
    number = below(stream, state.hand[state.target])
    rest = np.int64(state.kinds[state.target])
    kind = lowest_bit(rest)
    while number >= state.held[state.target, kind]:
        number -= state.held[state.target, kind]
        rest = without_lowest(rest)
        kind = lowest_bit(rest)
    stolen(state, rules, kind, log)


@step
def stolen(state, rules, kind, log):
    """The stolen card is known: it is played at once, or kept (B1)."""
    thief, target = state.seat, state.target
    note(log, STOLEN_CARD, thief, kind, target, 0, 0)
    state.steals += 1
    give_up(state, target, kind)
    if rules.steal_card == TO_HAND and kind < NUMBERED:
        note(log, KEPT, thief, 0, 0, 0, 0)
        left_unseen(state, rules, target, thief)
        state.known[thief, target, kind] -= 1 if state.known[thief, target, kind] > 0 else 0
        take(state, thief, kind)
        state.drawn[thief] |= bit(kind)
        now_known(state, target, thief, kind)
    else:
        seen_leaving(state, rules, target, kind)
        state.in_air = kind
        state.phase = PLACE


@step
def offer(state, rules, kind, log):
    """B23: the first card of a swap leaves the hand, and the second player sees it."""
    seat, target = state.seat, state.target
    note(log, GIVEN, seat, kind, target, 0, 0)
    give_up(state, seat, kind)
    left_unseen(state, rules, seat, target)
    state.known[target, seat, kind] -= 1 if state.known[target, seat, kind] > 0 else 0
    state.in_air = kind
    state.phase = RETURN


@step
def swap_back(state, rules, back, log):
    """B23: both cards change hands, and both players know them."""
    seat, target, given = state.seat, state.target, state.in_air
    note(log, GIVEN, target, back, seat, 0, 0)
    state.in_air = NOBODY
    take(state, target, given)
    now_known(state, seat, target, given)
    left_unseen(state, rules, target, seat)
    give_up(state, target, back)
    state.known[seat, target, back] -= 1 if state.known[seat, target, back] > 0 else 0
    take(state, seat, back)
    now_known(state, target, seat, back)
    state.drawn[seat] |= bit(back)
    state.drawn[target] |= bit(given)
    state.hand_swaps += 1


@step
def swap_tops(state, rules, choice, log):
    """The top cards of two piles change places."""
    if is_decline(state, rules, TOPS, choice):
        note(log, NO_SWAP, state.seat, 0, 0, 0, 0)
    else:
        pair = pair_of_tops(state, rules, choice)
        first, second = pair // PILES_OF_A_KIND, pair % PILES_OF_A_KIND
        a = state.pile[first, state.pile_size[first] - 1]
        b = state.pile[second, state.pile_size[second] - 1]
        state.pile[first, state.pile_size[first] - 1] = b
        state.pile[second, state.pile_size[second] - 1] = a
        recount(state, rules, a, first, second)
        recount(state, rules, b, second, first)
        note(log, SWAPPED_TOPS, first, second, 0, 0, 0)
        state.top_swaps += 1
