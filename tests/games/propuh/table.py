"""A table of Propuh that a test can set as it likes, played with the kernel's verbs."""

from typing import Any

from simkit import games
from simkit.games.propuh.box import LOCATIONS, card_name, kind_of, pack
from simkit.games.propuh.moves import choice_code, count_choices, play_choice
from simkit.games.propuh.state import GRANNY, NOBODY, PLAY, PROPUH, new_state
from simkit.kernel.drive import new_log
from simkit.kernel.streams import new_streams
from simkit.scenario.load import load_box
from tests.playing import lines_of_log

SPEC = games.get("propuh")
BOX = load_box(SPEC, None)


def kind(card: str) -> int:
    """The kind of 'stove 2'."""
    suit, value = card.split()
    return kind_of(LOCATIONS.index(suit), int(value))


class Table:
    """A position in the middle of round 3, with empty boards."""

    def __init__(self, players: int = 2, box: Any = BOX, **options: Any) -> None:
        self.rules = pack(SPEC.resolve(options), box, players)
        self.states = new_state()
        self.state = self.states[0]
        self.streams = new_streams()[0]
        self.log = new_log()
        self.state.phase = PLAY
        self.state.rounds = 3
        self.state.pending_side = NOBODY
        self.state.winner = NOBODY
        self.deck()

    def hand(self, side: int, *cards: str) -> "Table":
        self.state.held[side] = 0
        self.state.kinds[side] = 0
        for card in cards:
            self.state.held[side, kind(card)] += 1
            self.state.kinds[side] |= 1 << kind(card)
        self.state.different[side] = len(set(cards))
        self.state.hand[side] = len(cards)
        return self

    def deck(self, *cards: str) -> "Table":
        """The cards of the deck, the top one first."""
        self.state.drawn = 0
        self.state.deck_end = len(cards)
        for i, card in enumerate(cards):
            self.state.deck[i] = kind(card)
        return self

    def tokens(self, side: int, **tokens: int) -> "Table":
        for location, count in tokens.items():
            self.state.tokens[side, LOCATIONS.index(location)] = count
        return self

    def pending(self, side: int, card: str, location: str, play: int) -> "Table":
        """A card lies unresolved, and play number `play` (0 to 3) is next."""
        self.state.pending_side = side
        self.state.pending_kind = kind(card)
        self.state.pending_location = LOCATIONS.index(location)
        self.state.play = play
        return self

    def figurine(self, location: str) -> "Table":
        self.state.figurine = LOCATIONS.index(location) if location != "none" else -1
        return self

    def choices(self) -> list[int]:
        return [int(choice_code(self.state, self.rules, c)) for c in range(count_choices(self.state, self.rules))]

    def can_play(self, card: str, location: str) -> bool:
        return 10 + 3 * kind(card) + LOCATIONS.index(location) in self.choices()

    def play(self, card: str, location: str) -> "Table":
        """The side to move plays a card; everything that follows without a decision happens too."""
        choice = self.choices().index(10 + 3 * kind(card) + LOCATIONS.index(location))
        play_choice(self.state, self.rules, choice, self.streams, self.log)
        return self

    def story(self) -> list[str]:
        return lines_of_log(SPEC, self.log, self.rules)

    def granny(self) -> tuple[int, ...]:
        return tuple(map(int, self.state.tokens[GRANNY]))

    def propuh(self) -> tuple[int, ...]:
        return tuple(map(int, self.state.tokens[PROPUH]))

    def on_table(self) -> tuple[str, str] | None:
        """The pending card and its location."""
        if self.state.pending_side == NOBODY:
            return None
        return card_name(int(self.state.pending_kind)), LOCATIONS[self.state.pending_location]
