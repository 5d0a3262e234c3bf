"""Following a told story card by card, and refusing whatever the rules with their default options do not allow.

It knows only the lines of RULES.md E1: a third opinion on every turn, beside the kernel and its plain twin.
"""

import re
from collections.abc import Iterable

BADGES = {"green": 1, "yellow": 2, "red": 3, "mutt": -2}


def badges_of(card: str) -> int:
    return BADGES[card.split()[0]]


def turds_of(card: str) -> int:
    """In the deck `levelled`: 11 cards of a level with each number, mutts all with 1."""
    level, place = card.split()
    return 1 if level == "mutt" else (int(place) - 1) // 11 + 1


class Follower:
    """Hands, piles and scored cards as a story tells them."""

    def __init__(self, story: Iterable[str], hand_size: int) -> None:
        self.hand_size = hand_size
        self.hands: dict[int, list[str]] = {}
        self.scored: dict[int, list[str]] = {}
        self.discards: list[str] = []
        self.seen: set[str] = set()  # drawn since the last shuffle, or out of reach of it
        self.turn = 0
        self.offers: dict[int, str] = {}
        self.votes: list[tuple[int, int, str]] = []
        self.card = ""
        self.question = 0
        self.first_ties = self.second_questions = self.shuffles = 0
        self.losers: list[int] = []
        for line in story:
            self.follow(line)

    def follow(self, line: str) -> None:
        for pattern, action in PATTERNS.items():
            if found := re.fullmatch(pattern, line):
                getattr(self, action)(*(int(word) if re.fullmatch(r"-?\d+", word) else word for word in found.groups()))
                return
        raise AssertionError(f"not a line of a story: {line}")

    @property
    def seats(self) -> int:
        return len(self.hands)

    def begins(self, seat: int) -> None:
        self.active = seat - 1  # the turn before the first one

    def dealt(self, seat: int, cards: str) -> None:
        assert seat == self.seats
        self.scored[seat] = []
        self.hands[seat] = []
        self.get(seat, cards)
        assert len(self.hands[seat]) == self.hand_size

    def get(self, seat: int, cards: str) -> None:
        for card in cards.split(", "):
            assert card not in self.seen
            self.seen.add(card)
            self.hands[seat].append(card)

    def draws(self, seat: int, cards: str) -> None:
        self.get(seat, cards)
        assert len(self.hands[seat]) <= self.hand_size
        place = (seat - self.active - 1) % self.seats
        assert place >= self.last_drew
        self.last_drew = place

    def shuffled(self, cards: int) -> None:
        assert cards == len(self.discards)
        self.seen -= set(self.discards)
        self.discards = []
        self.shuffles += 1

    def new_turn(self, turn: int, seat: int) -> None:
        assert turn == self.turn + 1
        assert seat == (self.active + 1) % self.seats
        assert {len(cards) for cards in self.hands.values()} == {self.hand_size}
        self.turn, self.active = turn, seat
        self.offers, self.votes = {}, []
        self.question = 0
        self.card = ""
        self.last_drew = 0

    def offer(self, seat: int, card: str) -> None:
        assert seat == (self.active + 1 + len(self.offers)) % self.seats != self.active
        assert card in self.hands[seat]
        self.offers[seat] = card

    def chosen(self, seat: int, owner: int, card: str, badges: int) -> None:
        assert seat == self.active
        assert len(self.offers) == self.seats - 1
        assert self.offers[owner] == card
        self.hands[owner].remove(card)
        self.ask(card, badges)

    def ask(self, card: str, badges: int) -> None:
        assert badges == badges_of(card)
        assert not self.card
        self.card = card
        self.votes = []

    def own(self, seat: int, card: str, badges: int) -> None:
        self.second(seat)
        self.hands[seat].remove(card)
        self.ask(card, badges)

    def again(self, seat: int, card: str, badges: int) -> None:
        self.second(seat)
        self.scored[seat].remove(card)
        self.ask(card, badges)

    def second(self, seat: int) -> None:
        assert seat == self.active
        assert self.question == 0
        assert self.tied
        self.question = 1
        self.second_questions += 1

    def nominates(self, seat: int, first: int, second: int) -> None:
        assert seat == self.active
        assert seat not in (first, second)
        assert first < second
        self.nominees = (first, second)
        order = [(seat + 1 + i) % self.seats for i in range(self.seats)]
        self.to_vote = [voter for voter in order if voter not in self.nominees and self.hands[voter]]

    def vote(self, seat: int, nominee: int, card: str, turds: int) -> None:
        assert seat == self.to_vote.pop(0)
        assert nominee in self.nominees
        assert turds == turds_of(card)
        self.hands[seat].remove(card)
        self.votes.append((seat, nominee, card))

    def nothing(self, *_: object) -> None:
        pass

    def counted(self, first: int, turds: int, second: int, others: int) -> None:
        assert (first, second) == self.nominees
        assert not self.to_vote
        totals = [sum(turds_of(card) for _, nominee, card in self.votes if nominee == n) for n in self.nominees]
        assert totals == [turds, others]
        self.discards += [card for _, _, card in self.votes]
        self.tied = turds == others
        self.first_ties += self.tied and self.question == 0
        self.winner = None if self.tied else first if turds > others else second

    def decides(self, seat: int, nominee: int) -> None:
        assert seat == self.active
        assert self.tied
        assert nominee in self.nominees
        self.winner = nominee

    def takes(self, seat: int, card: str, badges: int) -> None:
        assert seat == self.winner
        assert card == self.card
        self.scored[seat].append(card)
        self.card = ""
        assert badges == sum(map(badges_of, self.scored[seat]))

    def totals(self, listed: str) -> None:
        assert self.turn == 2 * self.seats
        assert [int(n) for n in listed.split(", ")] == [sum(map(badges_of, cards)) for cards in self.scored.values()]

    def loses(self, seat: int) -> None:
        self.losers.append(seat)


CARD = r"\w+ \d+"
PATTERNS = {
    r"Seat (\d) begins\.": "begins",
    r"Seat (\d) is dealt (.*)\.": "dealt",
    r"Turn (\d+): seat (\d) is active\.": "new_turn",
    rf"Seat (\d) offers ({CARD})\.": "offer",
    rf"Seat (\d) takes the card of seat (\d): ({CARD}) \((\S+) badges?\)\.": "chosen",
    rf"Seat (\d) asks ({CARD}) of the own hand \((\S+) badges?\)\.": "own",
    rf"Seat (\d) asks the scored ({CARD}) again \((\S+) badges?\)\.": "again",
    r"Seat (\d) nominates seat (\d) and seat (\d)\.": "nominates",
    rf"Seat (\d) votes for seat (\d) with ({CARD}) \((\d) turds?\)\.": "vote",
    r"Seat \d has no card to vote with\.": "nothing",
    r"Seat (\d) gets (\d+) turds?, seat (\d) gets (\d+) turds?\.": "counted",
    r"Seat (\d) decides for seat (\d)\.": "decides",
    rf"Seat (\d) takes ({CARD}) and has (\S+) badges?\.": "takes",
    r"The discards are shuffled: (\d+) cards?\.": "shuffled",
    r"Seat (\d) draws (.*)\.": "draws",
    r"The game ends: everybody has been active twice\.": "nothing",
    r"Badges: (.*)\.": "totals",
    r"Seat (\d) loses\.": "loses",
}
