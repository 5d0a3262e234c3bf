"""A board of Purim that a test can set as it likes, played with the kernel's verbs.

Pieces and choices are written as they are told: 'Susa', 'red', 'Vaizatha', 'stay', 'decline'.
"""

from collections import Counter
from copy import deepcopy
from typing import Any

import numpy as np

from simkit import games
from simkit.games.purim.box import (
    MESSENGER_ABILITIES,
    SECTIONS,
    SON_ABILITIES,
    compile_section,
    pack,
    read_name,
)
from simkit.games.purim.moves import choice_code, count_choices, is_over, play_choice, seat_to_move
from simkit.games.purim.moves.rounds import begin_section
from simkit.games.purim.moves.setup import clear
from simkit.games.purim.moves.turns import go_on
from simkit.games.purim.state import ABILITIES, NEW_ROUND, REAL, RUNNING, TURN_DONE, new_state
from simkit.games.purim.story import Names, meaning
from simkit.kernel.drive import new_log
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import new_streams, open_playout
from simkit.scenario.load import load_box
from tests import playing

SPEC = games.get("purim")
BOX = load_box(SPEC, None)
CODES = {policy.name: policy.code for policy in SPEC.policies}
COLOURS = ("red", "blue", "green", "white", "purple")
SON_NAMES = tuple(BOX["sons"]["names"])
CARD = 0  # the kind whose text a test writes


def box_with(**changes: Any) -> dict[str, Any]:
    """The game's box with some tables changed: `cubes={"gold": 6, "black": 40}`, `cards=[...]` for the whole deck."""
    box = deepcopy(BOX)
    if "cards" in changes:
        box["action_cards"]["printed"]["cards"] = []
        box["action_cards"]["invented"]["cards"] = changes.pop("cards")
    for name, content in changes.items():
        box[name] |= content
    return box


def cards(count: int = 27, loyal: str = "", evil: str = "calendar 1", end: str = "calendar 1") -> list[dict[str, Any]]:
    """A deck of cards that all say the same."""
    return [{"number": i + 1, "title": f"Card {i + 1}", "loyal": loyal, "evil": evil, "end": end} for i in range(count)]


class Table:
    """A position in the middle of round 1: no Sons, all Messengers in Gandhara, no cubes on the board, nothing in force.

    The deck has Thrace on top and the other Provinces in their order below. Every seat has two cards.
    """

    def __init__(self, players: int = 2, box: Any = BOX, **options: Any) -> None:
        self.rules = pack(SPEC.resolve(options), box, players)
        self.states = new_state()
        self.state = self.states[0]
        self.board = self.state.boards[REAL]
        self.streams = new_streams()[0]
        quiet_wraparound(open_playout)(self.streams, np.uint64(5), 0, 0, 0, players)
        self.log = new_log()
        self.names = Names(self.rules)
        self.provinces = [read_name(name) for name in self.rules.province_name[: self.rules.provinces]]
        clear(self.state, self.rules)
        self.state.rounds = 1
        self.state.turn = 1
        self.board.messenger[:] = self.provinces.index("Gandhara")
        self.top(self.provinces[0])
        self.state.hand_left = 2
        for seat in range(players):
            self.state.hand[seat, 0] = 3 << (2 * seat + 1)

    # --- setting it

    def sons(self, **provinces: str) -> "Table":
        for name, province in provinces.items():
            self.board.son[SON_NAMES.index(name)] = self.provinces.index(province)
            self.board.alive |= 1 << SON_NAMES.index(name)
        return self

    def messengers(self, **provinces: str) -> "Table":
        for colour, province in provinces.items():
            self.board.messenger[COLOURS.index(colour)] = self.provinces.index(province)
        return self

    def gold(self, **cubes: int) -> "Table":
        """Cubes from the supply."""
        for province, count in cubes.items():
            self.board.gold[self.provinces.index(province)] += count
            self.board.gold_left -= count
        return self

    def black(self, **cubes: int) -> "Table":
        for province, count in cubes.items():
            self.board.black[self.provinces.index(province)] += count
            self.board.black_left -= count
        return self

    def supply(self, gold: int | None = None, black: int | None = None) -> "Table":
        """Cubes left, the others being out of sight."""
        self.board.gold_left = self.board.gold_left if gold is None else gold
        self.board.black_left = self.board.black_left if black is None else black
        return self

    def top(self, *provinces: str) -> "Table":
        """The Province deck from its top on; what is not named lies below, the first discards excepted."""
        deck = [self.provinces.index(province) for province in provinces]
        deck += [p for p in range(len(self.provinces)) if p not in deck]
        self.state.province[: len(deck)] = deck
        self.state.province_at = 0
        self.board.top = deck[0]
        self.board.unseen = sum(1 << p for p in deck[1:])
        return self

    def last_top(self, province: str) -> "Table":
        """The Province deck is down to this card."""
        deck = [p for p in range(len(self.provinces)) if p != self.provinces.index(province)]
        deck.append(self.provinces.index(province))
        self.state.province[: len(deck)] = deck
        self.state.province_at = len(deck) - 1
        self.board.top = deck[-1]
        self.board.unseen = 0
        return self

    def calendar(self, steps: int) -> "Table":
        self.board.calendar = steps
        return self

    def in_force(self, *abilities: str) -> "Table":
        for ability in abilities:
            if ability in MESSENGER_ABILITIES:
                self.board.messengers_at_work |= 1 << MESSENGER_ABILITIES.index(ability)
            else:
                self.board.sons_at_work |= 1 << SON_ABILITIES.index(ability)
        return self

    def hand(self, seat: int, *kinds: int) -> "Table":
        self.state.hand[seat, 0] = sum(1 << kind for kind in kinds)
        self.state.hand_left = len(kinds)
        return self

    def write(self, kind: int, **sections: str) -> "Table":
        """Give a kind of card its text."""
        for section, name in enumerate(SECTIONS):
            operations = compile_section(sections.get(name, ""), SON_NAMES)
            self.rules.program_size[kind, section] = len(operations)
            for i, operation in enumerate(operations):
                self.rules.program[kind, section, i] = operation.numbers
        return self

    # --- playing

    @quiet_wraparound
    def go_on(self) -> "Table":
        self.state.phase = RUNNING
        go_on(self.state, self.rules, self.streams, self.log)
        return self

    def do(self, text: str, section: str = "loyal", seat: int = 0) -> "Table":
        """Carry out a section of a card of a seat, up to its first decision."""
        self.write(CARD, **{section: text})
        state = self.state
        state.kind, state.slot, state.seat = CARD, seat, seat
        state.ending = 1 if section == "end" else 0
        begin_section(state, self.rules, SECTIONS.index(section), self.log)
        return self.go_on()

    def begin_round(self) -> "Table":
        self.state.stage = NEW_ROUND
        return self.go_on()

    def end_turn(self) -> "Table":
        self.state.stage = TURN_DONE
        return self.go_on()

    def end_round(self) -> "Table":
        self.state.ability = 0
        self.state.stage = ABILITIES
        return self.go_on()

    def decision(self) -> str:
        """What is to be decided, and by whom: 'Province by 0'."""
        if is_over(self.state, self.rules):
            return "over"
        what, _ = meaning(self.names, int(choice_code(self.state, self.rules, 0)))
        return f"{what} by {int(seat_to_move(self.state, self.rules))}"

    def meaning(self, choice: int) -> str:
        return meaning(self.names, int(choice_code(self.state, self.rules, choice)))[1]

    def choices(self) -> list[str]:
        return [self.meaning(choice) for choice in range(count_choices(self.state, self.rules))]

    @quiet_wraparound
    def play(self, *meanings: str) -> "Table":
        """Carry out choices one after the other, each by what it means."""
        for wanted in meanings:
            choice = self.choices().index(wanted)
            play_choice(self.state, self.rules, choice, self.streams, self.log)
        return self

    # --- looking at it

    def story(self) -> list[str]:
        return playing.lines_of_log(SPEC, self.log, self.rules)

    def cubes(self) -> dict[str, tuple[int, int]]:
        """Gold and black of every Province that has any."""
        pairs = zip(self.board.gold.tolist(), self.board.black.tolist(), strict=True)
        return {self.provinces[p]: pair for p, pair in enumerate(pairs) if any(pair)}

    def golds(self) -> dict[str, int]:
        return {province: gold for province, (gold, _) in self.cubes().items() if gold}

    def blacks(self) -> dict[str, int]:
        return {province: black for province, (_, black) in self.cubes().items() if black}

    def where(self, piece: str) -> str:
        places = self.board.messenger if piece in COLOURS else self.board.son
        p = int(places[(COLOURS if piece in COLOURS else SON_NAMES).index(piece)])
        return self.provinces[p] if p >= 0 else "nowhere"

    def top_is(self) -> str:
        return self.provinces[int(self.board.top)]

    # --- policies

    @quiet_wraparound
    def spread(self, policy: str, draws: int = 60) -> Counter[str]:
        """What a policy chooses, over many streams of its own."""
        return playing.spread(SPEC, policy, self.state, self.rules, self.meaning, draws)

    def best(self, policy: str) -> set[str]:
        """All that a policy would choose. Of up to five choices one is missed once in 100,000 seeds."""
        return set(self.spread(policy))


class Played(playing.Whole):
    """A whole playout of one policy in all seats, from the deal to its record."""

    def __init__(self, players: int, playout: int = 0, policy: str = "random", box: Any = BOX, **options: Any) -> None:
        super().__init__(SPEC, players, playout, policy, box, options)

    def decisions(self) -> list[tuple[int, str, str]]:
        """Seat, decision and choice of every decision."""
        told = (line.about for line in SPEC.tell(self.events, self.rules))
        return [
            (about["seat"], about["what"], about["chosen"]) for about in told if about and about["event"] == "decision"
        ]
