"""How the policies of Granny Wars choose (RULES.md part C).

Piles and kinds that share the best score are kept as masks, and one is drawn from the seat's own stream.
"""

from simkit.games.granny_wars.moves.choices import kinds_to_return, others_with_cards, piles_in_use
from simkit.games.granny_wars.moves.readings import NO_BOUNCE
from simkit.games.granny_wars.moves.scoring import weight_of
from simkit.games.granny_wars.state import (
    BOUNCE,
    EXTRA,
    FACE_DOWN,
    GIVE,
    KIND_BITS,
    MAX_LEAN,
    OFFER,
    PLACE,
    PLACER_SHIFT,
    PLAY,
    RETURN,
    STEAL,
    STOLEN,
    SWAP,
)
from simkit.kernel.jit import step
from simkit.kernel.piles import bit, count_bits, lowest_bit, nth_bit, without_lowest
from simkit.kernel.streams import below

OPEN, STEALTH, SPOILER = 1, 2, 3
LATE, BETWEEN, EARLY = 0, 1, 2
AWAY = 100  # score of bouncing a bad card off the own pile
UNSUITABLE = -100  # a bad card, early, when there are no other piles than the own one and the decoy
NEVER = -(10**18)


@step
def choose(policy, state, rules, stream):
    """The choice of a policy for the seat to move, 0 .. count_choices - 1. Reads only what that seat may know."""
    phase = state.phase
    if phase in (PLAY, EXTRA):
        return choose_play(policy, state, rules, stream)
    if phase == BOUNCE:
        return choose_bounce(policy, state, rules, stream)
    if phase == OFFER:
        return 0
    if phase == PLACE:
        piles = piles_aimed_at(policy, state, rules, LATE, stream)
        if rules.value[state.in_air] >= 0:
            piles = bit(state.owned[state.seat])
        return nth_bit(piles, below(stream, count_bits(piles)))
    if phase in (STEAL, SWAP):
        return choose_target(state, rules, stream)
    if phase == STOLEN:
        return choose_kind(state.kinds[state.target], rules, stream, True)
    if phase == RETURN:
        return choose_kind(kinds_to_return(state, rules), rules, stream, False)
    if phase == GIVE:
        return choose_gift(policy, state, rules, stream)
    return choose_tops(state, rules, stream)


@step
def seen_total(state, seat, pile):
    """T of RULES.md C: what a pile is worth as far as a seat sees."""
    return state.total[pile] + state.beneath[seat, pile]


@step
def highest(state, rules, seat, among, sign):
    """Mask of the piles in `among` with the highest T x sign: -1 gives the lowest T."""
    best = -MAX_LEAN
    found = 0
    for pile in range(rules.piles):
        if (among >> pile) & 1 == 1:
            total = sign * seen_total(state, seat, pile)
            if total > best:
                best = total
                found = 0
            found |= (1 if total == best else 0) << pile
    return found


@step
def all_but(rules, pile):
    return (bit(rules.piles) - 1) & ~bit(pile)


# --- where bad cards go


@step
def piles_aimed_at(policy, state, rules, time, stream):
    """Mask of the piles that a negative card from the hand is meant for: leaders, or the targets of `spoiler`."""
    seat = state.seat
    others = all_but(rules, state.owned[seat])
    if policy == SPOILER:
        return targets(state, rules, others, stream)
    if time == EARLY:
        others &= ~bit(decoy(state, rules, seat))
    return highest(state, rules, seat, others, 1)


@step
def targets(state, rules, among, stream):
    """Mask of the piles in `among` with the highest product of T and the suspect's weight; draws the suspect."""
    seat = state.seat
    suspect = find_suspect(state, rules, seat, stream)
    top = highest_lean(state, rules, seat, suspect)
    best = NEVER
    found = 0
    for pile in range(rules.piles):
        if (among >> pile) & 1 == 1:
            product = weight_of(state, rules, suspect, pile, top) * seen_total(state, seat, pile)
            if product > best:
                best = product
                found = 0
            found |= (1 if product == best else 0) << pile
    return found


@step
def highest_lean(state, rules, seat, other):
    """The highest L of another seat over the piles that are not the own one."""
    top = -MAX_LEAN
    for pile in range(rules.piles):
        if pile != state.owned[seat]:
            top = max(top, state.lean[other, pile])
    return top


@step
def find_suspect(state, rules, seat, stream):
    """The other seat with the highest expected total, a quotient of whole numbers compared exactly."""
    suspects = 0
    best_sum, best_weight = 0, 0
    for other in range(rules.players):
        if other == seat:
            continue
        top = highest_lean(state, rules, seat, other)
        total, weights = 0, 0
        for pile in range(rules.piles):
            if pile != state.owned[seat]:
                weight = weight_of(state, rules, other, pile, top)
                total += weight * seen_total(state, seat, pile)
                weights += weight
        if suspects == 0 or total * best_weight > best_sum * weights:
            best_sum, best_weight = total, weights
            suspects = 0
        suspects |= (1 if total * best_weight == best_sum * weights else 0) << other
    return nth_bit(suspects, below(stream, count_bits(suspects)))


# --- hiding


@step
def decoy(state, rules, seat):
    """The next pile around the circle."""
    pile = state.owned[seat] + 1
    return pile if pile < rules.piles else 0


@step
def time_of(policy, state, rules):
    """How far the hand of the seat is played: always LATE for `open`, which does not hide."""
    cards = state.hand[state.seat]
    if policy == OPEN or 3 * cards <= rules.hand_size:
        return LATE
    return EARLY if 2 * cards > rules.hand_size else BETWEEN


@step
def free_kinds(state, rules, seat):
    """Mask of the kinds of which the hand holds more than the reserve; all kinds if there is none."""
    kinds = state.kinds[seat]
    first, second, opposite = -1, -1, -1
    rest = kinds
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        value = rules.value[kind]
        if value > 0:
            if first < 0 or value >= rules.value[first]:
                second = kind if state.held[seat, kind] > 1 else first
                first = kind
            elif second < 0 or value >= rules.value[second]:
                second = kind
    if first >= 0:
        rest = kinds
        while rest != 0:
            kind = lowest_bit(rest)
            rest = without_lowest(rest)
            if rules.value[kind] == -rules.value[first]:
                opposite = kind
    free = 0
    rest = kinds
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        kept = (1 if kind == first else 0) + (1 if kind == second else 0) + (1 if kind == opposite else 0)
        free |= (1 if state.held[seat, kind] > kept else 0) * bit(kind)
    return free if free != 0 else kinds


# --- decisions


@step
def choose_play(policy, state, rules, stream):
    """PLAY and EXTRA: the best pairs of a kind and a pile."""
    seat = state.seat
    own = state.owned[seat]
    down = state.phase == EXTRA and state.down == 1
    time = LATE if down else time_of(policy, state, rules)
    aim = piles_aimed_at(policy, state, rules, time, stream)
    kinds = state.kinds[seat]
    free = kinds if time == LATE else free_kinds(state, rules, seat)
    away = 0  # the number that would bounce a bad card off the own pile
    if not down and rules.bounce != NO_BOUNCE and state.pile_size[own] > 0:
        top = state.pile[own, state.pile_size[own] - 1]
        if top & FACE_DOWN == 0 and rules.value[top & KIND_BITS] < 0:
            away = -rules.value[top & KIND_BITS]
    hiding = own if state.hand[seat] % 2 == 0 else decoy(state, rules, seat)  # where small cards go early
    best = NEVER
    count = 0
    rest = free
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        score = score_of(rules.value[kind], away, time, aim)
        if score > best:
            best = score
            count = 0
        if score == best:
            count += count_bits(piles_for(state, rules, seat, rules.value[kind], time, aim, hiding))
    number = below(stream, count)
    rest = free
    while True:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        if score_of(rules.value[kind], away, time, aim) == best:
            piles = piles_for(state, rules, seat, rules.value[kind], time, aim, hiding)
            here = count_bits(piles)
            if number < here:
                return count_bits(kinds & (bit(kind) - 1)) * rules.piles + nth_bit(piles, number)
            number -= here


@step
def score_of(value, away, time, aim):
    """The score of a card on the piles that suit it."""
    if value < 0 and aim == 0:
        return UNSUITABLE
    if time == EARLY:
        if value < 0 or value > 2:
            return abs(value) if value < 0 else -value
        return value + 3
    return AWAY if away > 0 and value == away else abs(value)


@step
def piles_for(state, rules, seat, value, time, aim, hiding):
    """Mask of the piles that suit a number."""
    if value < 0:
        return aim if aim != 0 else bit(rules.piles) - 1
    if time != EARLY:
        return bit(state.owned[seat])
    return bit(hiding) if value <= 2 else bit(decoy(state, rules, seat))


@step
def choose_bounce(policy, state, rules, stream):
    seat = state.seat
    start = state.wait_pile[state.waiting - 1]
    card = state.pile[start, state.wait_depth[state.waiting - 1]]
    own = state.owned[seat]
    elsewhere = all_but(rules, start)
    if rules.value[card & KIND_BITS] < 0:
        among = elsewhere & ~bit(own)
        piles = targets(state, rules, among, stream) if policy == SPOILER else highest(state, rules, seat, among, 1)
        piles = piles if piles != 0 else elsewhere
    elif start != own:
        piles = bit(own)
    else:
        piles = highest(state, rules, seat, elsewhere, -1)
    pile = nth_bit(piles, below(stream, count_bits(piles)))
    return pile - 1 if pile > start else pile


@step
def choose_target(state, rules, stream):
    """STEAL and SWAP: the other seat with the most cards."""
    seats = others_with_cards(state, rules)
    most = 0
    found = 0
    for seat in range(rules.players):
        if (seats >> seat) & 1 == 1:
            if state.hand[seat] > most:
                most = state.hand[seat]
                found = 0
            found |= (1 if state.hand[seat] == most else 0) << seat
    seat = nth_bit(found, below(stream, count_bits(found)))
    return count_bits(seats & (bit(seat) - 1))


@step
def choose_kind(kinds, rules, stream, largest):
    """One of the kinds: the largest number without its sign, or the lowest number."""
    return choose_among(kinds, kinds, rules, stream, largest)


@step
def choose_gift(policy, state, rules, stream):
    """GIVE: the lowest number, but for the reserve."""
    seat = state.seat
    late = time_of(policy, state, rules) == LATE
    free = state.kinds[seat] if late else free_kinds(state, rules, seat)
    return choose_among(state.kinds[seat], free, rules, stream, False)


@step
def choose_among(kinds, free, rules, stream, largest):
    """The place, among the kinds, of the best of those that are free."""
    best = NEVER
    found = bit(0) * 0
    rest = free
    while rest != 0:
        kind = lowest_bit(rest)
        rest = without_lowest(rest)
        score = abs(rules.value[kind]) if largest else -rules.value[kind]
        if score > best:
            best = score
            found = bit(0) * 0
        found |= (1 if score == best else 0) * bit(kind)
    kind = nth_bit(found, below(stream, count_bits(found)))
    return count_bits(kinds & (bit(kind) - 1))


@step
def seen_value(state, rules, seat, pile):
    """The number of the top card of a pile as far as a seat sees it; 0 for a face-down card of somebody else."""
    card = state.pile[pile, state.pile_size[pile] - 1]
    hidden = card & FACE_DOWN != 0 and (card >> PLACER_SHIFT) & 7 != seat
    return 0 if hidden else rules.value[card & KIND_BITS]


@step
def choose_tops(state, rules, stream):
    """TOPS: what helps the own pile, and harms the leaders."""
    seat = state.seat
    own = state.owned[seat]
    leaders = highest(state, rules, seat, all_but(rules, own), 1)
    used = piles_in_use(state, rules)
    optional = rules.swap_optional == 1
    for attempt in range(2):  # first the best score and how often, then the one drawn
        if attempt == 0:
            best = 0 if optional else NEVER
            count = 1 if optional else 0
        else:
            number = below(stream, count)
        choice = 0
        for first in range(rules.piles - 1):
            for second in range(first + 1, rules.piles):
                if (used >> first) & (used >> second) & 1 == 1:
                    gain = seen_value(state, rules, seat, second) - seen_value(state, rules, seat, first)
                    score = gain * (worth(own, leaders, first) - worth(own, leaders, second))
                    if attempt == 0:
                        if score > best:
                            best = score
                            count = 0
                        count += 1 if score == best else 0
                    elif score == best:
                        if number == 0:
                            return choice
                        number -= 1
                    choice += 1
    return choice


@step
def worth(own, leaders, pile):
    """What a point more on a pile is worth."""
    return 2 if pile == own else -((leaders >> pile) & 1)
