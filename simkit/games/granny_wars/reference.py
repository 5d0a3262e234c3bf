"""The plain twin of Granny Wars: RULES.md in ordinary Python, written to be read, not to be fast.

It shares nothing with the compiled game but the rules and the keyed streams, so that each can be held against the
other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from simkit.kernel.plain import Playout, Streams

Choice = TypeVar("Choice")  # of a decision

EXTRA_FACEUP, EXTRA_FACEDOWN, STEAL = "extra_faceup", "extra_facedown", "steal"
SWAP_HAND, SWAP_TOPS, NO_POWER = "swap_hand", "swap_tops", "none"  # B17
EXTRA_POWERS = [EXTRA_FACEUP, EXTRA_FACEDOWN]
TAKE, DECLINE = "take", "decline"  # OFFER
ALL_PLAYED = 1  # the end reason of E2
NUMBER_0, FIRST_GOLD = 9, 19  # bits of the kinds, E4
# W(0) to W(27), part C
WEIGHTS = [
    1048576, 635993, 385749, 233968, 141909, 86072, 52205, 31664, 19205, 11648, 7065, 4285, 2599, 1576,
    956, 579, 351, 213, 129, 78, 47, 28, 17, 10, 6, 3, 2, 1,
]  # fmt: skip


@dataclass(frozen=True)
class Card:
    """A card as it is played. Cards of the same kind are alike (B20); the kinds are numbered as in E4."""

    kind: int
    name: str  # empty for a numbered card
    number: int
    power: str

    @property
    def is_gold(self) -> bool:
        return self.name != ""

    def __str__(self) -> str:
        return f"{self.name} ({signed(self.number)})" if self.is_gold else signed(self.number)


@dataclass(eq=False)
class Placed:
    """One card on a pile: which way up it lies and which seat placed it. Each is only equal to itself."""

    card: Card
    face_up: bool
    seat: int


def signed(number: int) -> str:
    """+3, -2, 0 (E1)."""
    return f"+{number}" if number > 0 else str(number)


def listed(cards: Sequence[Card]) -> str:
    """A list of cards as the story tells it (E1)."""
    return ", ".join(str(card) for card in cards)


def kinds(cards: Sequence[Card]) -> list[Card]:
    """One card of each kind, in the order of part C."""
    return in_order(list(set(cards)))


def in_order(cards: Sequence[Card]) -> list[Card]:
    """All the cards, in the order of kinds."""
    return sorted(cards, key=lambda card: card.kind)


def mask(cards: Sequence[Card]) -> int:
    """E4."""
    return sum(2**card.kind for card in kinds(cards))


def highest(piles: Sequence[int], worth: Callable[[int], int]) -> list[int]:
    """Those of the piles that are worth most; none of none."""
    most = max((worth(pile) for pile in piles), default=0)
    return [pile for pile in piles if worth(pile) == most]


def deck_of(options: Mapping[str, str | int | bool], box: Mapping[str, Any]) -> list[Card]:
    """The deck as it is laid out in D1, before the shuffle (B13, B15, B16, B28)."""
    cards = {signed(value): numbered(value) for value in range(-NUMBER_0, NUMBER_0 + 1)}
    for place, entry in enumerate(box["gold"]["cards"]):
        number = 0 if options["gold_set"] == "valueless" else entry["value"]
        power = entry["power"] if options["gold_powers"] == "on" else NO_POWER
        cards[entry["name"]] = Card(FIRST_GOLD + place, entry["name"], number, power)
    names: list[str] = []
    for entry in sorted(box["vp"][options["vp_distribution"]]["cards"], key=lambda entry: entry["value"]):
        names += [signed(entry["value"])] * entry["copies"]
    if options["gold_set"] != "none":
        for entry in box["gold"]["cards"]:
            names += [entry["name"]] * entry["copies"]
    instead = {entry["card"]: entry["by"] for entry in box.get("exchange", [])}
    return [cards[instead.get(name, name)] for name in names]


def numbered(value: int) -> Card:
    """B15."""
    return Card(NUMBER_0 + value, "", value, NO_POWER)


class Game:
    """One game on the table, from the setup to the end."""

    def __init__(
        self,
        options: Mapping[str, str | int | bool],
        box: Mapping[str, Any],
        players: int,
        policies: Sequence[str],
        streams: Streams,
    ) -> None:
        self.options = options
        self.box = box
        self.seats = range(players)
        self.policy = list(policies)
        self.streams = streams
        self.policy_stream = [streams.policy(seat) for seat in self.seats]  # D6
        setup = next(line for line in box["setup"]["tables"] if line["players"] == players)  # A2
        self.hand_size: int = setup["hand"]
        self.circle = range(setup["piles"])  # the piles

        # Where the cards are. The last card of a pile is its top.
        self.hands: list[list[Card]] = [[] for _ in self.seats]
        self.piles: list[list[Placed]] = [[] for _ in self.circle]
        self.own: list[int] = []  # the pile that each seat owns
        self.first = 0

        # L(q, j) of part C
        self.lean = [[0 for _ in self.circle] for _ in self.seats]
        self.leak_middle: list[int] = []  # empty until half of the cards have been placed

        # What is counted on the way (E2 to E4).
        self.decisions = [0 for _ in self.seats]
        self.forced_decisions = [0 for _ in self.seats]
        self.own_positive = [0 for _ in self.seats]
        self.blind_steals = [0 for _ in self.seats]
        self.opening: list[list[Card]] = []
        self.drawn: list[list[Card]] = [[] for _ in self.seats]
        self.played: list[list[Card]] = [[] for _ in self.seats]
        self.turns = 0
        self.cards_played = 0
        self.bounces = 0
        self.extras = dict.fromkeys(EXTRA_POWERS, 0)
        self.extras_declined = 0
        self.steals = 0
        self.hand_swaps = 0
        self.top_swaps = 0
        self.story: list[str] = []

        # The end.
        self.tie_stage = 0
        self.winners: list[int] = []

    def tell(self, line: str) -> None:
        self.story.append(line)

    # Setup: A2, D1 to D3

    def set_up(self) -> None:
        self.deal_cards()
        self.deal_loyalties()
        if self.options["first_player"] == "random":  # B12
            self.first = self.streams.setup(2).below(len(self.seats))
        self.tell(f"Seat {self.first} starts.")
        for seat in self.seats:
            self.tell(f"Seat {seat} owns pile {self.own[seat] + 1}.")
        dummies = [f"pile {pile + 1}" for pile in self.circle if pile not in self.own]
        if dummies:
            self.tell(f"Without an owner: {', '.join(dummies)}.")
        for seat in self.seats:
            self.tell(f"Seat {seat} is dealt {listed(self.opening[seat])}.")

    def deal_cards(self) -> None:
        """D1."""
        deck = deck_of(self.options, self.box)
        self.streams.setup(0).shuffle(deck, len(self.seats) * self.hand_size)
        for seat in self.seats:
            dealt = deck[seat * self.hand_size : (seat + 1) * self.hand_size]
            self.opening.append(dealt)
            self.hands[seat] = list(dealt)

    def deal_loyalties(self) -> None:
        """D2."""
        loyalties = list(self.circle)
        self.streams.setup(1).shuffle(loyalties, len(self.seats))
        self.own = loyalties[: len(self.seats)]

    # Questions about the table

    def turn_order(self, seat: int) -> int:
        """B25."""
        return (seat - self.first) % len(self.seats)

    def others_with_cards(self, seat: int) -> list[int]:
        return [other for other in self.seats if other != seat and self.hands[other]]

    def not_empty(self) -> list[int]:
        return [pile for pile in self.circle if self.piles[pile]]

    def pile_with(self, placed: Placed) -> int:
        """The pile in which a card lies now."""
        return next(pile for pile in self.circle if placed in self.piles[pile])

    def pile_total(self, pile: int) -> int:
        """All its numbers, the hidden ones too (A6)."""
        return sum(placed.card.number for placed in self.piles[pile])

    def made_to_bounce(self, card: Card, face_up: bool, pile: int) -> Placed | None:
        """The card that will bounce if a card is placed on a pile (A4, B5, B9, B14, B18)."""
        if self.options["bounce"] == "off" or not self.piles[pile]:
            return None
        covered = self.piles[pile][-1]
        if self.options["facedown_bounce"] == "none" and not (face_up and covered.face_up):
            return None
        if card.number != -covered.card.number:
            return None
        if card.number == 0 and not self.options["zero_bounces"]:
            return None
        return covered

    # The turn: A3, B21

    def play_on(self) -> None:
        """Turn after turn until nobody has a card."""
        seat = self.first
        while any(self.hands):
            if self.hands[seat]:
                self.take_turn(seat)
            seat = (seat + 1) % len(self.seats)

    def take_turn(self, seat: int) -> None:
        self.turns += 1
        card, pile = self.choose_play(seat, face_up=True)
        self.hands[seat].remove(card)
        self.tell(f"Seat {seat} plays {card} on pile {pile + 1}.")
        self.place(seat, card, pile, power=card.power)
        if not self.leak_middle and 2 * self.cards_played >= len(self.seats) * self.hand_size:
            self.leak_middle = [leak(self, q) for q in self.seats]

    def place(self, seat: int, card: Card, pile: int, power: str, face_up: bool = True) -> None:
        """Put a card that has left its hand on a pile; then its bounce and its power (B8)."""
        bouncing = self.made_to_bounce(card, face_up, pile)
        self.piles[pile].append(Placed(card, face_up, seat))
        if face_up:
            self.lean[seat][pile] += card.number
        self.cards_played += 1
        self.played[seat].append(card)
        if card.number > 0 and pile == self.own[seat]:
            self.own_positive[seat] += 1

        if self.options["power_timing"] == "after_bounce":
            self.bounce(seat, bouncing)
            self.use_power(seat, power)
        else:
            self.use_power(seat, power)
            self.bounce(seat, bouncing)

    def bounce(self, seat: int, bouncing: Placed | None) -> None:
        """A4, B8, B19. `seat` placed the card that makes it bounce."""
        if bouncing is None:
            return
        start = self.pile_with(bouncing)
        choices = [pile for pile in self.circle if pile != start]
        pile = self.decide(seat, choices, lambda: bounce_score(self, seat, bouncing.card.number, start))
        self.piles[start].remove(bouncing)
        self.piles[pile].append(bouncing)
        self.bounces += 1
        self.lean[seat][pile] += bouncing.card.number
        down = "" if bouncing.face_up else " face down"
        self.tell(f"{bouncing.card} bounces{down} to pile {pile + 1}.")

    # The powers: A5, B17

    def use_power(self, seat: int, power: str) -> None:
        if power in EXTRA_POWERS:
            self.play_extra(seat, power)
        elif power == STEAL:
            self.steal(seat)
        elif power == SWAP_HAND:
            self.swap_hand(seat)
        elif power == SWAP_TOPS:
            self.swap_tops(seat)

    def play_extra(self, seat: int, power: str) -> None:
        """B3, B4, B18."""
        if not self.hands[seat]:
            return
        if self.options["extra_optional"] and self.decide(seat, [TAKE, DECLINE], lambda: offer_score) == DECLINE:
            self.extras_declined += 1
            self.tell(f"Seat {seat} plays no extra card.")
            return
        face_up = power == EXTRA_FACEUP
        card, pile = self.choose_play(seat, face_up)
        self.hands[seat].remove(card)
        self.extras[power] += 1
        self.tell(f"Seat {seat} also plays {card}{'' if face_up else ' face down'} on pile {pile + 1}.")
        has_power = face_up and (self.options["chain_extra"] or card.power not in EXTRA_POWERS)
        self.place(seat, card, pile, power=card.power if has_power else NO_POWER, face_up=face_up)

    def steal(self, thief: int) -> None:
        """B1, B2, B6, B22."""
        target = self.choose_other(thief, may_decline=bool(self.options["steal_optional"]), nothing="steals nothing")
        if target is None:
            return
        card = self.choose_stolen(thief, target)
        self.hands[target].remove(card)
        self.steals += 1
        self.tell(f"Seat {thief} steals {card} from seat {target}.")
        if self.options["steal_card"] == "to_hand_unless_gold" and not card.is_gold:
            self.receive(thief, card)
            self.tell(f"Seat {thief} keeps it.")
            return
        choices = [(card, pile) for pile in self.circle]
        card, pile = self.decide(thief, choices, lambda: open_play_score(self, thief, True, suspect_of(self, thief)))
        self.tell(f"Seat {thief} plays {card} on pile {pile + 1}.")
        self.place(thief, card, pile, power=NO_POWER)

    def choose_stolen(self, thief: int, target: int) -> Card:
        """B2: STOLEN, or a blind draw (D4)."""
        hand = self.hands[target]
        if self.options["steal_pick"] == "thief_sees_hand":
            return self.decide(thief, kinds(hand), lambda: lambda card: abs(card.number))
        stream = self.streams.chance(0, 64 * thief + self.blind_steals[thief])
        self.blind_steals[thief] += 1
        return in_order(hand)[stream.below(len(hand))]

    def swap_hand(self, seat: int) -> None:
        """B7, B10, B23."""
        if not self.hands[seat]:
            return
        other = self.choose_other(seat, may_decline=bool(self.options["swap_optional"]), nothing="swaps nothing")
        if other is None:
            return
        offered = self.decide(seat, kinds(self.hands[seat]), lambda: give_score(self, seat))
        self.hands[seat].remove(offered)
        self.tell(f"Seat {seat} gives seat {other} {offered}.")

        held = self.hands[other] + ([offered] if self.options["swap_return_same"] else [])
        returned = self.decide(other, kinds(held), lambda: lambda card: -card.number)
        self.receive(other, offered)
        self.hands[other].remove(returned)
        self.receive(seat, returned)
        self.hand_swaps += 1
        self.tell(f"Seat {other} gives seat {seat} {returned}.")

    def swap_tops(self, seat: int) -> None:
        """B7."""
        piles = self.not_empty()
        choices: list[tuple[int, int] | None] = [(i, j) for i in piles for j in piles if i < j]
        if not choices:
            return
        if self.options["swap_optional"]:
            choices.append(None)
        chosen = self.decide(seat, choices, lambda: tops_score(self, seat))
        if chosen is None:
            self.tell(f"Seat {seat} swaps nothing.")
            return
        i, j = chosen
        top_of_i, top_of_j = self.piles[i].pop(), self.piles[j].pop()
        self.piles[i].append(top_of_j)
        self.piles[j].append(top_of_i)
        self.top_swaps += 1
        self.tell(f"The tops of pile {i + 1} and pile {j + 1} change places.")

    def receive(self, seat: int, card: Card) -> None:
        """A card comes into a hand during play."""
        self.hands[seat].append(card)
        self.drawn[seat].append(card)

    # Decisions: part C, D6

    def choose_play(self, seat: int, face_up: bool) -> tuple[Card, int]:
        """PLAY and EXTRA."""
        choices = [(card, pile) for card in kinds(self.hands[seat]) for pile in self.circle]
        return self.decide(seat, choices, lambda: play_score(self, seat, face_up))

    def choose_other(self, seat: int, may_decline: bool, nothing: str) -> int | None:
        """STEAL and SWAP: another seat with cards, or None if there is none or the seat declines."""
        choices: list[int | None] = [*self.others_with_cards(seat)]
        if not choices:
            return None
        if may_decline:
            choices.append(None)
        other = self.decide(seat, choices, lambda: other_score(self))
        if other is None:
            self.tell(f"Seat {seat} {nothing}.")
        return other

    def decide(self, seat: int, choices: list[Choice], scoring: Callable[[], Callable[[Choice], int]]) -> Choice:
        """Let the policy of a seat take one of the choices.

        scoring : makes the function that scores a choice. It is called once, before the draw among the best choices, since
                  the policy spoiler may have to draw its suspect; the policy random does not call it.
        """
        self.decisions[seat] += 1
        if len(choices) == 1:
            self.forced_decisions[seat] += 1
        if self.policy[seat] == "random":
            best = choices
        else:
            score = scoring()
            scores = [score(choice) for choice in choices]
            top_score = max(scores)
            best = [choice for choice, its in zip(choices, scores, strict=True) if its == top_score]
        return best[self.policy_stream[seat].below(len(best))]

    # The end: A6, B11, B24

    def score(self) -> None:
        """Who wins, and the scoring lines of the story."""
        scores = {seat: self.pile_total(self.own[seat]) for seat in self.seats}
        sizes = {seat: len(self.piles[self.own[seat]]) for seat in self.seats}
        for seat in self.seats:
            pile = self.own[seat] + 1
            self.tell(f"Seat {seat} scores {signed(scores[seat])} with {sizes[seat]} cards in pile {pile}.")

        best = max(scores.values())
        self.winners = [seat for seat in self.seats if scores[seat] == best]
        if len(self.winners) > 1:
            self.tie_stage = 1
            self.tell(f"Tied at {signed(best)}: the fewest cards decide.")
            fewest = min(sizes[seat] for seat in self.winners)
            self.winners = [seat for seat in self.winners if sizes[seat] == fewest]
            if len(self.winners) > 1:
                self.tie_stage = 2
                self.tell(f"Still tied at {fewest} cards.")
                self.break_final_tie()
        if len(self.winners) == 1:
            self.tell(f"Seat {self.winners[0]} wins.")
        else:
            self.tell(f"Seats {', '.join(str(seat) for seat in self.winners)} share the win.")

    def break_final_tie(self) -> None:
        """B11, D5."""
        if self.options["final_tie"] == "random":
            self.winners = [self.winners[self.streams.chance(1, 0).below(len(self.winners))]]
        elif self.options["final_tie"] == "earliest_turn":
            self.winners = [min(self.winners, key=self.turn_order)]


# What a policy can see: part C


def known_number(placed: Placed, seat: int) -> int:
    """The number of a card on a pile, as far as a seat knows it: a face-down card of another seat counts 0."""
    return placed.card.number if placed.face_up or placed.seat == seat else 0


def known_total(game: Game, seat: int, pile: int) -> int:
    """T(j)."""
    return sum(known_number(placed, seat) for placed in game.piles[pile])


def piles_of_others(game: Game, seat: int) -> list[int]:
    """All piles but M."""
    return [pile for pile in game.circle if pile != game.own[seat]]


def leaders(game: Game, seat: int) -> list[int]:
    return highest(piles_of_others(game, seat), lambda pile: known_total(game, seat, pile))


def weight(game: Game, q: int, pile: int, among: Sequence[int]) -> int:
    """W(d) of seat q for one of the piles looked at."""
    d = max(game.lean[q][j] for j in among) - game.lean[q][pile]
    return WEIGHTS[d] if d < len(WEIGHTS) else 0


def leak(game: Game, seat: int) -> int:
    """E3: the per cent that an observer would give the true pile."""
    weights = [weight(game, seat, pile, game.circle) for pile in game.circle]
    return 100 * weights[game.own[seat]] // sum(weights)


def expected_total(game: Game, seat: int, q: int) -> Fraction:
    """What the pile of seat q seems worth to a spoiler."""
    piles = piles_of_others(game, seat)
    weights = {pile: weight(game, q, pile, piles) for pile in piles}
    return Fraction(sum(weights[pile] * known_total(game, seat, pile) for pile in piles), sum(weights.values()))


def suspect_of(game: Game, seat: int) -> int | None:
    """The suspect of a spoiler, ties drawn (D6); None for the other policies."""
    if game.policy[seat] != "spoiler":
        return None
    expected = {q: expected_total(game, seat, q) for q in game.seats if q != seat}
    suspects = [q for q in expected if expected[q] == max(expected.values())]
    return suspects[game.policy_stream[seat].below(len(suspects))]


def hit_piles(game: Game, seat: int, suspect: int | None, asked: Sequence[int]) -> list[int]:
    """Where bad cards go, of the piles asked for: those with the highest T or, given a suspect, the targets."""
    if suspect is None:
        return highest(asked, lambda pile: known_total(game, seat, pile))
    others = piles_of_others(game, seat)
    return highest(asked, lambda pile: weight(game, suspect, pile, others) * known_total(game, seat, pile))


# The policies' scores: part C


def play_score(game: Game, seat: int, face_up: bool) -> Callable[[tuple[Card, int]], int]:
    """PLAY and EXTRA."""
    suspect = suspect_of(game, seat)
    openly = open_play_score(game, seat, face_up, suspect)
    if game.policy[seat] == "open" or not face_up or is_late(game, seat):
        return openly
    hidden = early_play_score(game, seat, suspect) if is_early(game, seat) else openly
    free = free_kinds(game.hands[seat])

    def score(choice: tuple[Card, int]) -> int:
        card, _ = choice
        return hidden(choice) if card in free else -1000

    return score


def open_play_score(game: Game, seat: int, face_up: bool, suspect: int | None) -> Callable[[tuple[Card, int]], int]:
    """PLAY, EXTRA and PLACE of open; a suspect makes it aim at targets."""
    mine = game.own[seat]
    hit = hit_piles(game, seat, suspect, piles_of_others(game, seat))
    remedy: int | None = None  # the number that would bounce a bad card off the own pile
    if face_up and game.options["bounce"] == "on" and game.piles[mine]:
        top = game.piles[mine][-1]
        if top.face_up and top.card.number < 0:
            remedy = -top.card.number

    def score(choice: tuple[Card, int]) -> int:
        card, pile = choice
        if pile == mine and card.number == remedy:
            return 100
        if (card.number >= 0 and pile == mine) or (card.number < 0 and pile in hit):
            return abs(card.number)
        return -1

    return score


def early_play_score(game: Game, seat: int, suspect: int | None) -> Callable[[tuple[Card, int]], int]:
    """PLAY and EXTRA face up of stealth and spoiler while it is early, for the kinds that are free."""
    mine = game.own[seat]
    decoy = (mine + 1) % len(game.circle)
    shown = mine if len(game.hands[seat]) % 2 == 0 else decoy
    asked = piles_of_others(game, seat)
    if suspect is None:
        asked.remove(decoy)
    hit = hit_piles(game, seat, suspect, asked)

    def score(choice: tuple[Card, int]) -> int:
        card, pile = choice
        if 0 <= card.number <= 2 and pile == shown:
            return card.number + 3
        if card.number < 0 and pile in hit:
            return abs(card.number)
        if card.number > 2 and pile == decoy:
            return -card.number
        return -100

    return score


def is_late(game: Game, seat: int) -> bool:
    return 3 * len(game.hands[seat]) <= game.hand_size


def is_early(game: Game, seat: int) -> bool:
    return 2 * len(game.hands[seat]) > game.hand_size


def reserve_of(hand: Sequence[Card]) -> list[Card]:
    """What stealth keeps for the end: up to two of its best cards and one opposite of the best."""
    positive = [card for card in hand if card.number > 0]
    best = sorted(positive, key=lambda card: (card.number, card.kind), reverse=True)[:2]
    if not best:
        return []
    opposites = [card for card in in_order(hand) if card.number == -best[0].number]
    return best + opposites[-1:]


def free_kinds(hand: Sequence[Card]) -> list[Card]:
    """The kinds that stealth may part with; all if it could part with none."""
    reserve = reserve_of(hand)
    free = [card for card in kinds(hand) if list(hand).count(card) > reserve.count(card)]
    return free or kinds(hand)


def bounce_score(game: Game, seat: int, number: int, start: int) -> Callable[[int], int]:
    """BOUNCE of a card with that number from the pile `start`."""
    mine = game.own[seat]
    if number >= 0 and start == mine:
        return lambda pile: -known_total(game, seat, pile)
    if number >= 0:
        return lambda pile: 1 if pile == mine else 0
    asked = [pile for pile in piles_of_others(game, seat) if pile != start]
    hit = hit_piles(game, seat, suspect_of(game, seat), asked)
    return lambda pile: 1 if pile in hit else 0


def offer_score(choice: str) -> int:
    """OFFER."""
    return 1 if choice == TAKE else 0


def other_score(game: Game) -> Callable[[int | None], int]:
    """STEAL and SWAP: the seat with the most cards; None is to decline."""
    return lambda other: -1 if other is None else len(game.hands[other])


def give_score(game: Game, seat: int) -> Callable[[Card], int]:
    """GIVE."""
    if game.policy[seat] == "open" or is_late(game, seat):
        return lambda card: -card.number
    free = free_kinds(game.hands[seat])
    return lambda card: -card.number if card in free else -1000


def tops_score(game: Game, seat: int) -> Callable[[tuple[int, int] | None], int]:
    """TOPS; None is to decline."""
    mine = game.own[seat]
    leading = leaders(game, seat)

    def score(choice: tuple[int, int] | None) -> int:
        if choice is None:
            return 0
        i, j = choice
        gain_of_i = known_number(game.piles[j][-1], seat) - known_number(game.piles[i][-1], seat)
        change = dict.fromkeys(game.circle, 0) | {i: gain_of_i, j: -gain_of_i}
        return 2 * change[mine] - sum(change[pile] for pile in leading)

    return score


# What is recorded: E2 to E4


def columns_of(game: Game) -> dict[str, int]:
    """E2."""
    scores = [game.pile_total(game.own[seat]) for seat in game.seats]
    return {
        "end_reason": ALL_PLAYED,
        "decisions": sum(game.decisions),
        "forced_decisions": sum(game.forced_decisions),
        "winners": len(game.winners),
        "tie_stage": game.tie_stage,
        "winning_score": max(scores),
        "lowest_score": min(scores),
        "turns": game.turns,
        "cards_played": game.cards_played,
        "bounces": game.bounces,
        "extra_faceup": game.extras[EXTRA_FACEUP],
        "extra_facedown": game.extras[EXTRA_FACEDOWN],
        "extras_declined": game.extras_declined,
        "steals": game.steals,
        "hand_swaps": game.hand_swaps,
        "top_swaps": game.top_swaps,
        "largest_pile": max(len(pile) for pile in game.piles),
        "first_seat": game.first,
    }


def player_of(game: Game, seat: int) -> dict[str, int]:
    """E3 and E4."""
    return {
        "turn_order": game.turn_order(seat),
        "won": int(seat in game.winners),
        "decisions": game.decisions[seat],
        "forced_decisions": game.forced_decisions[seat],
        "score": game.pile_total(game.own[seat]),
        "pile_size": len(game.piles[game.own[seat]]),
        "own_positive": game.own_positive[seat],
        "opening_gold": sum(1 for card in game.opening[seat] if card.is_gold),
        "opening_sum": sum(card.number for card in game.opening[seat]),
        "leak_middle": game.leak_middle[seat],
        "leak_end": leak(game, seat),
        "opening_cards": mask(game.opening[seat]),
        "drawn_cards": mask(game.drawn[seat]),
        "played_cards": mask(game.played[seat]),
    }


def play(
    options: Mapping[str, str | int | bool],
    box: Mapping[str, Any],
    players: int,
    policies: Sequence[str],
    streams: Streams,
) -> Playout:
    """Play one game from the setup to the end."""
    game = Game(options, box, players, policies, streams)
    game.set_up()
    game.play_on()
    game.score()
    return Playout(columns_of(game), [player_of(game, seat) for seat in game.seats], game.story)
