"""A table of Pug You! that a test can set as it likes, played with the kernel's verbs.

Cards are written as they are told: 'green 12', 'mutt 1'. In the deck that is played by default, places 1 to 11 of a level have
1 turd, 12 to 22 have 2, those behind have 3; green cards have 1 badge, yellow 2, red 3, mutts -2.
"""

from collections import Counter
from typing import Any

import numpy as np

from simkit import games
from simkit.engine.worker import Job, Played, play
from simkit.games.pug_you.box import LEVELS, PLACES, pack
from simkit.games.pug_you.moves import choice_code, count_choices, is_over, play_choice, seat_to_move
from simkit.games.pug_you.moves.opinions import settle_reputations
from simkit.games.pug_you.moves.turns import begin_turn, go_on
from simkit.games.pug_you.state import EMPTY, EMPTY_HAND, HALF, NOBODY, NOMINATE, new_state
from simkit.games.pug_you.story import card_name, meaning
from simkit.kernel.drive import new_log, new_table
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import new_streams, open_playout, open_stream
from simkit.scenario.load import load_box
from tests import playing

SPEC = games.get("pug_you")
BOX = load_box(SPEC, None)
CODES = {policy.name: policy.code for policy in SPEC.policies}


def row(level: str, badges: int, turds: int, copies: int, thermometer: int = 1, extra: int = 0) -> dict[str, Any]:
    """A row of a deck."""
    return {
        "level": level,
        "badges": badges,
        "turds": turds,
        "thermometer": thermometer,
        "copies": copies,
        "copies_blue_extra": copies + extra,
    }


def box_with(*rows: dict[str, Any], hand: int | None = None) -> dict[str, Any]:
    """The game's box with other cards in the deck `levelled`, and another hand size."""
    box = BOX | {"deck": BOX["deck"] | {"levelled": BOX["deck"]["levelled"] | {"cards": list(rows)}}}
    if hand is not None:
        tables = [{"players": line["players"], "hand": hand} for line in BOX["hands"]["tables"]]
        box["hands"] = BOX["hands"] | {"tables": tables}
    return box


class Table:
    """A position before seat 0 is active, with empty hands; what is in no hand and nowhere else is the draw pile."""

    def __init__(self, players: int = 5, box: Any = BOX, deal: int = 0, **options: Any) -> None:
        self.rules = pack(SPEC.resolve(options), box, players)
        self.states = new_state()
        self.state = self.states[0]
        self.streams = new_streams()[0]
        quiet_wraparound(open_playout)(self.streams, np.uint64(5), deal, 0, 0, players)
        self.state.setup_key = self.streams.setup_key
        self.state.opinion_key[:] = self.streams.setup_key
        quiet_wraparound(settle_reputations)(self.state, self.rules)
        quiet_wraparound(open_stream)(self.state.stream, np.uint64(deal))
        self.log = new_log()
        self.cards = {card_name(int(self.rules.number[card])): card for card in range(self.rules.deck_size)}
        self.names = {card: name for name, card in self.cards.items()}
        self.state.card = NOBODY
        self.state.owner = NOBODY
        self.state.hand[:] = EMPTY_HAND
        self.state.vote[:] = NOBODY
        self.pile_is_rest = True

    # --- setting it

    def hand(self, seat: int, *cards: str) -> "Table":
        slots = sorted(self.cards[card] for card in cards)
        filled = sum(card << 8 * slot for slot, card in enumerate(slots))
        empty = sum(EMPTY << 8 * slot for slot in range(len(slots), 7))
        self.state.hand[seat] = filled + empty
        self.state.cards[seat] = len(slots)
        return self

    def hands(self, *hands: str) -> "Table":
        """The hands by seat, each written 'green 1, red 2'."""
        for seat, cards in enumerate(hands):
            self.hand(seat, *filter(None, cards.split(", ")))
        return self

    def pile(self, *cards: str) -> "Table":
        """The cards of the draw pile; their order is settled by the stream of the shuffle."""
        self.pile_is_rest = False
        self.state.top = 0
        self.state.end = len(cards)
        self.state.deck[: len(cards)] = [self.cards[card] for card in cards]
        return self

    def discards(self, *cards: str) -> "Table":
        for card in cards:
            half, place = divmod(self.cards[card], HALF)
            self.state.discard[half] |= 1 << place
        return self

    def scored(self, seat: int, *cards: str) -> "Table":
        """Cards in front of a seat."""
        for name in cards:
            card = self.cards[name]
            half, place = divmod(card, HALF)
            badges = int(self.rules.badges[card])
            barred = badges < 0 and self.rules.mutt_second_question == 1
            (self.state.kept if barred else self.state.scored)[seat, half] |= 1 << place
            self.state.badges[seat] += badges
            self.state.positive[seat] += max(badges, 0)
            self.state.mutts += badges < 0
        return self

    def has(self, *badges: int) -> "Table":
        """Totals of badges by seat, without the cards they come from."""
        for seat, total in enumerate(badges):
            self.state.badges[seat] = total
            self.state.positive[seat] = max(total, 0)
        return self

    def active(self, seat: int) -> "Table":
        self.state.active = seat
        return self

    def first(self, seat: int) -> "Table":
        self.state.first = seat
        return self

    def turn(self, number: int) -> "Table":
        self.state.turns = number - 1
        return self

    @quiet_wraparound
    def begin(self) -> "Table":
        """The turn begins."""
        self.lay_out()
        begin_turn(self.state, self.rules, self.log)
        go_on(self.state, self.rules, np.int64(NOBODY), self.streams, self.log)
        return self

    def lay_out(self) -> None:
        """Everything else becomes the draw pile."""
        if self.pile_is_rest:
            held = {card for seat in range(10) for card in self.in_hand(seat)}
            zones = (self.state.discard, *self.state.scored, *self.state.kept)
            for masks in zones:
                held |= {card for card in self.names if int(masks[card // HALF]) >> card % HALF & 1}
            self.pile(*(name for name, card in self.cards.items() if card not in held | {int(self.state.card)}))

    def asks(self, card: str, nominees: str = "") -> "Table":
        """The active player asks a card out of nowhere, and nominates: 'seats 1 and 2'."""
        self.state.card = self.cards[card]
        self.lay_out()
        self.state.turns = max(1, int(self.state.turns))
        self.state.phase = NOMINATE
        self.state.seat = self.state.active
        return self.play(nominees) if nominees else self

    # --- playing

    def decision(self) -> str:
        """What is to be decided, and by whom: 'vote by 3'."""
        if is_over(self.state, self.rules):
            return "over"
        return f"{meaning(self.code(0))[0]} by {int(seat_to_move(self.state, self.rules))}"

    def code(self, choice: int) -> int:
        return int(choice_code(self.state, self.rules, choice))

    def codes(self) -> list[int]:
        return [self.code(choice) for choice in range(count_choices(self.state, self.rules))]

    def choices(self) -> list[str]:
        return [meaning(code)[1] for code in self.codes()]

    @quiet_wraparound
    def play(self, *meanings: str) -> "Table":
        """Carry out choices one after the other, by what they mean: 'green 1', 'seat 2', 'seats 1 and 2', 'red 3 for seat 1',
        'scored red 3', 'decline'."""
        for words in meanings:
            play_choice(self.state, self.rules, self.choices().index(words), self.streams, self.log)
        return self

    @quiet_wraparound
    def play_on(self, until: str = "over", first: bool = True) -> "Table":
        """Everybody takes the first (or last) choice until a decision of this kind, or the end."""
        for _ in range(4000):
            if self.decision().startswith(until):
                return self
            choice = 0 if first else count_choices(self.state, self.rules) - 1
            play_choice(self.state, self.rules, choice, self.streams, self.log)
        raise AssertionError(until)

    def story(self) -> list[str]:
        return playing.lines_of_log(SPEC, self.log, self.rules)

    # --- looking at it

    def in_hand(self, seat: int) -> list[int]:
        return [int(self.state.hand[seat]) >> 8 * slot & EMPTY for slot in range(self.state.cards[seat])]

    def holds(self, seat: int) -> list[str]:
        return [self.names[card] for card in self.in_hand(seat)]

    def has_scored(self, seat: int) -> list[str]:
        masks = self.state.scored[seat] | self.state.kept[seat]
        return [name for name, card in self.cards.items() if int(masks[card // HALF]) >> card % HALF & 1]

    def discarded(self) -> list[str]:
        return [name for name, card in self.cards.items() if int(self.state.discard[card // HALF]) >> card % HALF & 1]

    # --- policies

    @quiet_wraparound
    def spread(self, policy: str, draws: int = 60) -> Counter[str]:
        """What a policy chooses, over many streams of its own."""
        return playing.spread(SPEC, policy, self.state, self.rules, lambda choice: meaning(self.code(choice))[1], draws)

    def best(self, policy: str) -> set[str]:
        """All that a policy would choose. Of up to five choices one is missed once in 100,000 seeds."""
        return set(self.spread(policy))


def whole(players: int, playout: int = 0, policy: str = "random", box: Any = BOX, **options: Any) -> playing.Whole:
    """A whole playout of one policy in all seats, from the deal to its record."""
    return playing.Whole(SPEC, players, playout, policy, box, options)


def played(
    policies: tuple[str, ...], playouts: int, box: Any = BOX, cap: int | None = None, seed: int = 11, **options: Any
) -> Played:
    """Playouts with all their rows. `cap` : break them off after so many decisions."""
    rules = pack(SPEC.resolve(options), box, len(policies))
    if cap is not None:
        rules.decision_cap = cap
    return play(Job(SPEC.name, rules, new_table([CODES[name] for name in policies], seed)), 0, playouts, playouts)


def number_of(card: str) -> int:
    """'yellow 3' as the number of B23."""
    level, place = card.split()
    return PLACES * LEVELS.index(level) + int(place) - 1
