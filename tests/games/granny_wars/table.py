"""A table of Granny Wars that a test can set as it likes, played with the kernel's verbs.

Cards are written as they are told, without the number behind a Gold card's name: '+3', '-2', 'New Hip'. In a pile ' down' behind
a card lays it face down, and ' by 2' says who placed it (seat 0 otherwise). Piles are counted from 1, as in the story.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from simkit import games
from simkit.engine.worker import NEVER, Bench
from simkit.games.granny_wars.box import KINDS, card_name, pack
from simkit.games.granny_wars.moves import choice_code, count_choices, is_over, play_choice, seat_to_move
from simkit.games.granny_wars.state import (
    FACE_DOWN,
    KIND_BITS,
    NOBODY,
    PHASE_CODE,
    PLACER_SHIFT,
    PLAY,
    new_state,
)
from simkit.games.granny_wars.story import PHASES, chosen
from simkit.kernel.drive import new_log, new_table
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import new_streams, open_playout
from simkit.scenario.load import load_box
from tests import playing

SPEC = games.get("granny_wars")
BOX = load_box(SPEC, None)
CODES = {policy.name: policy.code for policy in SPEC.policies}


def without_number(text: str) -> str:
    """'New Hip (+2) on pile 1' as 'New Hip on pile 1'."""
    return re.sub(r" \([^)]*\)", "", text)


def box_with(*gold: tuple[str, int, str], zeros: int = 0) -> dict[str, Any]:
    """The game's box with numbered cards worth 0 and with Gold cards of its own: (name, number, power), two of each."""
    numbered = [*BOX["vp"]["flat"]["cards"], {"value": 0, "copies": zeros}]
    cards = [{"name": name, "copies": 2, "value": value, "power": power} for name, value, power in gold]
    return BOX | {
        "vp": BOX["vp"] | {"flat": BOX["vp"]["flat"] | {"cards": numbered}},
        "gold": BOX["gold"] | {"cards": cards},
    }


class Table:
    """A position at the start of seat 0's turn, with empty piles and hands; seat s owns pile s + 1."""

    def __init__(self, players: int = 3, box: Any = BOX, deal: int = 0, **options: Any) -> None:
        self.rules = pack(SPEC.resolve(options), box, players)
        self.states = new_state()
        self.state = self.states[0]
        self.streams = new_streams()[0]
        quiet_wraparound(open_playout)(self.streams, np.uint64(5), deal, 0, 0, players)
        self.log = new_log()
        names = [without_number(card_name(self.rules, kind)) for kind in range(KINDS)]
        self.kinds = {name: kind for kind, name in enumerate(names) if name}
        self.state.phase = PLAY
        self.state.turns = 1
        self.state.in_air = NOBODY
        self.owns(*range(1, players + 1))
        self.count_cards()

    # --- setting it

    def owns(self, *piles: int) -> "Table":
        """The pile of each seat."""
        rest = [pile for pile in range(self.rules.piles) if pile + 1 not in piles]
        self.state.owned[: self.rules.piles] = [pile - 1 for pile in piles] + rest
        return self

    def hand(self, seat: int, *cards: str) -> "Table":
        self.state.held[seat] = 0
        self.state.kinds[seat] = 0
        for card in cards:
            self.state.held[seat, self.kinds[card]] += 1
            self.state.kinds[seat] |= 1 << self.kinds[card]
        self.state.different[seat] = len(set(cards))
        self.state.hand[seat] = len(cards)
        return self.count_cards()

    def hands(self, *hands: str) -> "Table":
        """The hands by seat, each written '+3, New Hip'."""
        for seat, cards in enumerate(hands):
            self.hand(seat, *filter(None, cards.split(", ")))
        return self

    def pile(self, number: int, *cards: str) -> "Table":
        """The cards of a pile from the bottom to the top."""
        pile = number - 1
        self.state.total[pile] = 0
        self.state.beneath[:, pile] = 0
        self.state.pile_size[pile] = len(cards)
        for i, written in enumerate(cards):
            card, _, placer = written.partition(" by ")
            seat = int(placer or 0)
            kind = self.kinds[card.removesuffix(" down")]
            down = card.endswith(" down")
            self.state.pile[pile, i] = kind | seat << PLACER_SHIFT | (FACE_DOWN if down else 0)
            if down:
                self.state.beneath[seat, pile] += self.rules.value[kind]
            else:
                self.state.total[pile] += self.rules.value[kind]
        return self

    def count_cards(self) -> "Table":
        """As many cards count as played as are not in hand, so that the game ends when the hands are empty."""
        dealt = int(self.rules.players) * int(self.rules.hand_size)
        played = dealt - int(self.state.hand[: self.rules.players].sum())
        self.state.cards_played = played
        self.state.half_way = 1 if 2 * played >= dealt else 0
        return self

    def first(self, seat: int) -> "Table":
        self.state.first = seat
        return self

    def turn(self, seat: int) -> "Table":
        self.state.seat = seat
        return self

    def lean(self, seat: int, **piles: int) -> "Table":
        """L of RULES.md C: `pile2=5`."""
        for name, value in piles.items():
            self.state.lean[seat, int(name.removeprefix("pile")) - 1] = value
        return self

    def size(self, hand_size: int) -> "Table":
        """The hand size of A2, by which `stealth` tells the time."""
        self.rules.hand_size = hand_size
        return self.count_cards()

    # --- playing

    def decision(self) -> str:
        """What is to be decided, and by whom: 'bounce by 0'."""
        if is_over(self.state, self.rules):
            return "over"
        return f"{PHASES[int(self.state.phase)]} by {int(seat_to_move(self.state, self.rules))}"

    def meaning(self, choice: int) -> str:
        phase, what = divmod(int(choice_code(self.state, self.rules, choice)), PHASE_CODE)
        return without_number(chosen(self.rules, phase, what))

    def choices(self) -> list[str]:
        return [self.meaning(choice) for choice in range(count_choices(self.state, self.rules))]

    @quiet_wraparound
    def play(self, *meanings: str) -> "Table":
        """Carry out choices one after the other, each by what it means: '+3 on pile 2', 'pile 3', 'decline', 'seat 1'."""
        for meaning in meanings:
            choice = self.choices().index(meaning)
            play_choice(self.state, self.rules, choice, self.streams, self.log)
        return self

    def story(self) -> list[str]:
        return playing.lines_of_log(SPEC, self.log, self.rules)

    # --- looking at it

    def cards(self, number: int) -> list[str]:
        """A pile from the bottom to the top."""
        pile = self.state.pile[number - 1, : self.state.pile_size[number - 1]]
        names = {kind: name for name, kind in self.kinds.items()}
        return [names[int(card) & KIND_BITS] + (" down" if card & FACE_DOWN else "") for card in pile]

    def holds(self, seat: int) -> str:
        """A hand as `hands` takes it, in the order of kinds."""
        return self.listed(self.state.held[seat])

    def knows(self, witness: int, seat: int) -> str:
        """What a seat knows of another hand (B26)."""
        return self.listed(self.state.known[witness, seat])

    def listed(self, counts: Any) -> str:
        return ", ".join(name for name, kind in self.kinds.items() for _ in range(counts[kind]))

    # --- policies

    @quiet_wraparound
    def spread(self, policy: str, draws: int = 60) -> Counter[str]:
        """What a policy chooses, over many streams of its own."""
        return playing.spread(SPEC, policy, self.state, self.rules, self.meaning, draws)

    def best(self, policy: str) -> set[str]:
        """All that a policy would choose. Of up to five choices one is missed once in 100,000 seeds."""
        return set(self.spread(policy))


def whole(players: int, playout: int = 0, policy: str = "random", box: Any = BOX, **options: Any) -> playing.Whole:
    """A whole playout of one policy in all seats, from the deal to its record."""
    return playing.Whole(SPEC, players, playout, policy, box, options)


@quiet_wraparound
def finals(players: int, playouts: int, policy: str = "random", box: Any = BOX, **options: Any) -> Iterator[Bench]:
    """Playouts one by one, for tests that look at the state at the end: `state`, `rows[0]` and `players[0]`."""
    rules = pack(SPEC.resolve(options), box, players)
    table = new_table([CODES[policy]] * players, 7)
    kernel = SPEC.module("entry").play
    bench = Bench.of(SPEC.name, players, 1)
    for playout in range(playouts):
        kernel(rules, table, playout, bench.state, bench.streams, bench.rows, bench.players, NEVER)
        yield bench
