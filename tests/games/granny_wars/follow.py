"""Following a told story card by card, and refusing whatever the rules with their default options do not allow.

It knows only the lines of RULES.md E1: a third opinion on every move, beside the kernel and its plain twin.
"""

import re
from collections.abc import Iterable

Card = tuple[str, int]  # as told, and its number
EXTRA = {"Nana Nap": False, "Senior Moment": True}  # whether the extra card lies face down
SWAPS = ("New Hip", "New Wheels")


def card_of(told: str) -> Card:
    number = re.search(r"\(([^)]+)\)$", told)
    return told, int(number[1] if number else told)


class Follower:
    """Hands and piles as a story tells them."""

    def __init__(self, story: Iterable[str], piles: int) -> None:
        self.hands: dict[int, list[Card]] = {}
        self.owns: dict[int, int] = {}
        self.piles: list[list[tuple[Card, bool]]] = [[] for _ in range(piles)]  # with whether it lies face down
        self.last: int | None = None  # the seat whose turn it was last
        self.power = ""  # name of the Gold card just played whose power has not happened yet
        self.to_bounce: tuple[Card, int] | None = None  # a card that must bounce now, and its pile
        self.stolen: Card | None = None
        self.given: tuple[int, int, Card] | None = None  # from, to, card
        self.bounces = 0
        self.scores: dict[int, int] = {}
        self.winners: list[int] = []
        for line in story:
            self.follow(line)

    def follow(self, line: str) -> None:
        for pattern, action in PATTERNS.items():
            if found := re.fullmatch(pattern, line):
                assert self.to_bounce is None or action == "bounce", f"a bounce is due before: {line}"
                getattr(self, action)(*found.groups())
                return
        raise AssertionError(f"not a line of a story: {line}")

    def nothing(self, *_: str) -> None:
        pass

    def starts(self, seat: str) -> None:
        self.first = int(seat)

    def own(self, seat: str, pile: str) -> None:
        assert int(pile) not in self.owns.values()
        self.owns[int(seat)] = int(pile)

    def unowned(self, listed: str) -> None:
        assert {int(pile) for pile in re.findall(r"\d", listed)} == set(range(1, len(self.piles) + 1)) - set(
            self.owns.values()
        )

    def deal(self, seat: str, cards: str) -> None:
        self.hands[int(seat)] = [card_of(card) for card in cards.split(", ")]

    def next_seat(self) -> int:
        """A3, B21: whose turn comes next."""
        seats = len(self.hands)
        after = self.first - 1 if self.last is None else self.last
        return next(seat for i in range(1, seats + 1) if self.hands[seat := (after + i) % seats])

    def plays(self, seat: str, card: str, pile: str) -> None:
        if self.stolen is not None:
            assert (int(seat), card) == (self.last, self.stolen[0])
            self.stolen = None
            self.lay(card_of(card), int(pile), False)
            return
        assert not self.power_is_due()
        assert int(seat) == self.next_seat()
        self.last = int(seat)
        self.leave(int(seat), card, int(pile), False)

    def also(self, seat: str, card: str, down: str | None, pile: str) -> None:
        assert int(seat) == self.last
        assert bool(down) == EXTRA[self.power]
        self.leave(int(seat), card, int(pile), bool(down))

    def leave(self, seat: int, card: str, pile: int, down: bool) -> None:
        self.hands[seat].remove(card_of(card))
        self.lay(card_of(card), pile, down)
        self.power = card.split(" (")[0] if "(" in card and not down else ""

    def power_is_due(self) -> bool:
        """B17: whether the power of the card just played has its condition met and did not happen."""
        others = any(hand for seat, hand in self.hands.items() if seat != self.last)
        own = self.last is not None and bool(self.hands[self.last])
        if self.power in EXTRA:
            return own
        if self.power == "Generation Gap":
            return sum(map(bool, self.piles)) > 1
        return others and (self.power == "Sweet Old Lady" or (own and self.power in SWAPS))

    def lay(self, card: Card, number: int, down: bool) -> None:
        pile = self.piles[number - 1]
        if pile and not down and not pile[-1][1] and pile[-1][0][1] == -card[1] != 0:
            self.to_bounce = (pile[-1][0], number)
        pile.append((card, down))

    def bounce(self, card: str, pile: str) -> None:
        assert self.to_bounce is not None, f"nothing is to bounce, but {card} does"
        due, start = self.to_bounce
        assert card == due[0]
        assert int(pile) != start
        assert self.piles[start - 1].pop(-2) == (due, False)
        self.piles[int(pile) - 1].append((due, False))
        self.to_bounce = None
        self.bounces += 1

    def declined(self, seat: str) -> None:
        assert int(seat) == self.last
        assert self.power in EXTRA
        self.power = ""

    def steals(self, seat: str, card: str, victim: str) -> None:
        assert int(seat) == self.last != int(victim)
        assert self.power == "Sweet Old Lady"
        self.power = ""
        self.hands[int(victim)].remove(card_of(card))
        self.stolen = card_of(card)

    def gives(self, seat: str, other: str, card: str) -> None:
        giver, taker = int(seat), int(other)
        assert giver != taker
        if self.given is None:
            assert giver == self.last
            assert self.power in SWAPS
            self.power = ""
            self.hands[giver].remove(card_of(card))
            self.given = giver, taker, card_of(card)
            return
        first, second, offered = self.given
        assert (giver, taker) == (second, first)
        self.hands[second].remove(card_of(card))
        self.hands[second].append(offered)
        self.hands[first].append(card_of(card))
        self.given = None

    def swap_tops(self, first: str, second: str) -> None:
        a, b = self.piles[int(first) - 1], self.piles[int(second) - 1]
        assert self.power == "Generation Gap"
        self.power = ""
        assert int(first) < int(second)
        a[-1], b[-1] = b[-1], a[-1]

    def scored(self, seat: str, score: str, cards: str, pile: str) -> None:
        assert not any(self.hands.values())
        assert not self.power_is_due()
        assert self.owns[int(seat)] == int(pile)
        own = self.piles[int(pile) - 1]
        assert (int(score), int(cards)) == (sum(card[1] for card, _ in own), len(own))
        self.scores[int(seat)] = int(score)

    def wins(self, seats: str) -> None:
        self.winners = [int(seat) for seat in seats.split(", ")]
        best = max(self.scores.values())
        tied = [seat for seat, score in self.scores.items() if score == best]
        sizes = {seat: len(self.piles[self.owns[seat] - 1]) for seat in tied}
        assert self.winners == [seat for seat in tied if sizes[seat] == min(sizes.values())]


PATTERNS = {
    r"Seat (\d) starts\.": "starts",
    r"Seat (\d) owns pile (\d)\.": "own",
    r"Without an owner: (.*)\.": "unowned",
    r"Seat (\d) is dealt (.*)\.": "deal",
    r"Seat (\d) plays (.+) on pile (\d)\.": "plays",
    r"Seat (\d) also plays (.+?)( face down)? on pile (\d)\.": "also",
    r"Seat (\d) plays no extra card\.": "declined",
    r"(.+) bounces to pile (\d)\.": "bounce",
    r"Seat (\d) steals (.+) from seat (\d)\.": "steals",
    r"Seat (\d) gives seat (\d) (.+)\.": "gives",
    r"The tops of pile (\d) and pile (\d) change places\.": "swap_tops",
    r"Seat (\d) scores (\S+) with (\d+) cards in pile (\d)\.": "scored",
    r"Tied at \S+: the fewest cards decide\.|Still tied at \d+ cards\.": "nothing",
    r"Seat (\d) wins\.": "wins",
    r"Seats (.*) share the win\.": "wins",
}
