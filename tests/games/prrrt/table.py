"""A table of PRRRT... that a test can set as it likes, played with the kernel's verbs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit import games
from simkit.games.prrrt.box import card_word, pack
from simkit.games.prrrt.moves import choice_code, count_choices, deal, play_choice
from simkit.games.prrrt.state import ACCUSE, ANSWER, SWAP, TARGET, new_state, smells
from simkit.kernel.drive import new_log
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import new_streams, open_playout
from simkit.scenario.load import load_box
from tests.playing import chosen, lines_of_log

SPEC = games.get("prrrt")
BOX = load_box(SPEC, None)
CODES = {policy.name: policy.code for policy in SPEC.policies}
OWN_UP, DENY = 0, 1


def word(*values: int) -> int:
    """The word of some Smell cards."""
    return sum(card_word(value) for value in values)


def known_decks(smell: dict[int, int] | None = None, shame: dict[int, int] | None = None) -> dict[str, Any]:
    """The usual box with other copies of Smell or Shame values in all decks."""
    box = dict(BOX)
    for what, copies in (("smell_deck", smell), ("shame_deck", shame)):
        if copies is not None:
            cards = [{"value": value, "copies": count} for value, count in copies.items()]
            box[what] = {name: {**deck, "cards": cards} for name, deck in box[what].items()}
    return box


class Table:
    """A position in round 2, to the left, seat 0 first: seat 1 is questioned in the first tour.

    Nobody has a Shame card, the centre is empty, and each hand is four 0s and a 1 until the test says otherwise. The Shame deck
    holds twenty 1s. Every drawn card can be foreseen: Shame cards by the deck, cards turned up by `deny`.
    """

    def __init__(self, players: int = 4, box: Any = BOX, seed: int = 1, **options: Any) -> None:
        self.players = players
        self.rules = pack(SPEC.resolve(options), box, players)
        self.states = new_state()
        self.state = self.states[0]
        self.streams = new_streams()[0]
        self.log = new_log()
        quiet_wraparound(open_playout)(self.streams, np.uint64(seed), 0, 0, 0, players)
        self.begin()
        state = self.state
        state.rounds = 2
        state.first = state.starter = 0
        state.step = 1
        state.contexts = 0b11
        for seat in range(players):
            self.hand(seat, 0, 0, 0, 0, 1)
        state.opening[:] = state.drawn[:] = 0
        state.centre_size = 0
        state.centre_down = 0
        state.shame_drawn = 0
        self.deck(*[1] * 20)
        self.asked(1)

    @quiet_wraparound
    def begin(self) -> "Table":
        """A real deal, to the first decision."""
        self.log[0, 0] = 0
        deal(self.state, self.rules, self.streams, self.log)
        return self

    # --- setting the table

    def hand(self, seat: int, *values: int) -> "Table":
        self.state.hand[seat] = word(*values)
        return self

    def front(self, seat: int, *values: int) -> "Table":
        self.state.front[seat] = word(*values)
        return self

    def gone(self, seat: int, *values: int) -> "Table":
        self.state.gone[seat] = word(*values)
        return self

    def knows(self, seat: int, other: int, *values: int) -> "Table":
        self.state.known[seat, other] = word(*values)
        self.state.known_of |= 1 << other
        return self

    def pile(self, seat: int, *values: int) -> "Table":
        self.state.pile[seat] = [values.count(value) for value in range(16)]
        self.state.pile_cards[seat] = len(values)
        self.state.points[seat] = sum(values)
        return self

    def centre(self, *up: int, down: Sequence[int] = ()) -> "Table":
        for i, value in enumerate((*up, *down)):
            self.state.centre[i] = value
        self.state.centre_size = len(up) + len(down)
        self.state.centre_down = sum(1 << i for i in range(len(up), len(up) + len(down)))
        return self

    def deck(self, *values: int) -> "Table":
        """The cards left in the Shame deck, in no order; the sideways card is not among them."""
        self.rules.shame_size = int(self.state.shame_drawn) + len(values)
        for i, value in enumerate(values):
            self.state.shame[int(self.state.shame_drawn) + i] = value
        self.rules.shame_points = sum(values)
        self.rules.sideways = 0
        return self

    def asked(self, seat: int, tour: int = 1) -> "Table":
        """A seat is questioned in a tour."""
        self.state.phase = ANSWER
        self.state.seat = seat
        self.state.tour = tour
        self.state.asked = (
            seat * int(self.state.step) - int(self.state.first) * int(self.state.step) - 1
        ) % self.players
        return self

    def accusing(self, first: int = 0) -> "Table":
        """The third tour is over; seat `first` was the first player and accuses first."""
        self.state.first = first
        self.state.phase = ACCUSE
        self.state.seat = first
        self.state.tour = 4
        self.state.asked = 0
        return self

    def effect(self, value: int, seat: int) -> "Table":
        """A card of this value has just been turned up in front of a seat, and asks for a decision."""
        self.state.seat = seat
        self.state.effect = value if value != 5 else 0
        self.state.phase = SWAP if value == 5 else TARGET
        return self

    # --- playing

    def codes(self) -> list[int]:
        return [int(choice_code(self.state, self.rules, c)) for c in range(count_choices(self.state, self.rules))]

    @quiet_wraparound
    def do(self, *codes: int) -> "Table":
        """Play the choices with these codes, one after the other."""
        for code in codes:
            play_choice(self.state, self.rules, self.codes().index(code), self.streams, self.log)
        return self

    def deny(self, value: int) -> "Table":
        """The player questioned denies, and a card of this value is turned up."""
        hand = smells(self.state.hand[self.state.seat])
        place = hand.index(value)
        self.state.word = np.uint64(((2 * place + 1) * 2**31 // len(hand)) << 32)
        return self.do(DENY)

    def point(self, *seats: int | None) -> "Table":
        """Everybody points, in table order; None points at nobody."""
        return self.do(*(49 if seat is None else 40 + seat for seat in seats))

    @quiet_wraparound
    def chosen(self, policy: str, seed: int = 0) -> int:
        """The code of what a policy chooses; `seed` starts its stream."""
        return self.codes()[chosen(SPEC, policy, self.state, self.rules, seed)]

    # --- looking

    def hands(self, seat: int) -> list[int]:
        return smells(self.state.hand[seat])

    def fronts(self, seat: int) -> list[int]:
        return smells(self.state.front[seat])

    def known(self, seat: int, other: int) -> list[int]:
        return smells(self.state.known[seat, other])

    def piles(self, seat: int) -> list[int]:
        return [value for value in range(16) for _ in range(self.state.pile[seat, value])]

    def points(self) -> list[int]:
        return [int(points) for points in self.state.points[: self.players]]

    def story(self) -> list[str]:
        return lines_of_log(SPEC, self.log, self.rules)

    def told(self, *lines: str) -> bool:
        """Whether these lines stand in the story one after the other."""
        story = self.story()
        return any(story[i : i + len(lines)] == list(lines) for i in range(len(story)))
