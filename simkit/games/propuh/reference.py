"""The plain twin of Propuh: RULES.md in ordinary Python, written to be read, not to be fast.

It shares nothing with the compiled game but the rules and the keyed streams, so that each can be held against the
other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from simkit.kernel.plain import Playout, Streams

Choice = TypeVar("Choice")  # of a decision

STOVE, TABLE, BED = "stove", "table", "bed"
LOCATIONS = [STOVE, TABLE, BED]  # also the suits
GRANNY, PROPUH = "granny", "propuh"
SIDES = [GRANNY, PROPUH]  # by seat (B20)
NAME = {GRANNY: "Granny", PROPUH: "Propuh"}
OTHER = {GRANNY: PROPUH, PROPUH: GRANNY}
CLOCKWISE = {"stove_bed_table": [STOVE, BED, TABLE], "stove_table_bed": [STOVE, TABLE, BED]}  # B11
END_REASON = {"granny_goals": 1, "propuh_goals": 2, "both_goals": 3, "exhaustion": 4}  # E2
END_LINE = {
    "granny_goals": "Granny wins: all her goals are met.",
    "propuh_goals": "Propuh wins: the door and the window are open.",
    "both_goals": "Propuh wins: both sides met their goals.",
    "exhaustion": "Propuh wins: all cards are gone.",
}


@dataclass(frozen=True)
class Card:
    """A card: its suit and its value."""

    suit: str
    value: int

    def __str__(self) -> str:
        return f"{self.suit} {self.value}"

    def is_trump(self, location: str) -> bool:
        """A3."""
        return self.suit == location

    def strength(self, location: str) -> int:
        """A3."""
        return self.value + 10 if self.is_trump(location) else self.value


@dataclass
class Pending:
    """The unresolved card (A6)."""

    side: str
    card: Card
    location: str


def named(cards: Sequence[Card]) -> str:
    """A list of cards as the story tells it (E1)."""
    return ", ".join(str(card) for card in cards)


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
        self.solo = players == 1
        self.seated = SIDES[:players]
        self.streams = streams
        self.policy = {side: policies[seat] for seat, side in enumerate(self.seated)}
        self.policy_stream = {side: streams.policy(seat) for seat, side in enumerate(self.seated)}  # D4
        self.limits: Mapping[str, Mapping[str, int]] = box["limits"]
        self.goals: Mapping[str, Mapping[str, int]] = box["goals"]

        # Where the cards are. Position 0 of the deck is the top.
        self.deck: list[Card] = []
        self.set_aside: list[Card] = []
        self.hands: dict[str, list[Card]] = {GRANNY: [], PROPUH: []}
        self.pending: Pending | None = None
        self.discards: list[Card] = []

        self.tokens = {side: dict.fromkeys(LOCATIONS, 0) for side in SIDES}
        self.figurine: str | None = None
        self.figurine_moved = False
        self.end_reason = ""  # empty while the game goes on

        # What is counted on the way (E2, E3).
        self.rounds = 0
        self.decisions = dict.fromkeys(SIDES, 0)
        self.forced_decisions = dict.fromkeys(SIDES, 0)
        self.counters_made = dict.fromkeys(SIDES, 0)
        self.failed_counters = dict.fromkeys(SIDES, 0)
        self.placed = dict.fromkeys(SIDES, 0)
        self.disregarded = dict.fromkeys(SIDES, 0)
        self.cards_played = dict.fromkeys(SIDES, 0)  # the cards Propuh turns up in solo included
        self.tokens_removed = 0
        self.start_tokens = 0
        self.opening: dict[str, list[Card]] = {}
        self.story: list[str] = []

    def tell(self, line: str) -> None:
        self.story.append(line[0].upper() + line[1:])

    # Setup: A4, A8, D1 to D3

    def set_up(self) -> None:
        self.lay_out_deck()
        if self.solo and self.set_aside:
            self.tell(f"Set aside, unseen: {named(self.set_aside)}.")
        for side in self.seated:
            cards = self.draw(side, 3 if self.solo else 4)  # D2
            self.opening[side] = cards
            if cards:
                self.tell(f"{NAME[side]} is dealt {named(cards)}.")
        start = str(self.options["figurine_start"])  # B5
        self.figurine = None if start == "none" else start
        if self.solo:
            self.set_difficulty()
        self.start_tokens = sum(self.tokens[PROPUH].values())

    def lay_out_deck(self) -> None:
        """D1."""
        composition = self.box["deck"][self.options["deck"]]  # B15
        for suit in LOCATIONS:
            copies = {int(value): int(number) for value, number in composition[suit].items()}
            for value in sorted(copies):
                self.deck.extend([Card(suit, value)] * copies[value])
        self.streams.setup(0).shuffle(self.deck)
        if self.solo:
            self.set_aside = self.deck[-2:]
            self.deck = self.deck[:-2]

    def draw(self, side: str, number: int) -> list[Card]:
        """Up to `number` cards from the top of the deck into the hand of a side; gives the cards drawn."""
        cards = self.deck[:number]
        self.deck = self.deck[number:]
        self.hands[side].extend(cards)
        return cards

    def set_difficulty(self) -> None:
        """A8, B13, B14, B22, D3."""
        difficulty = str(self.options["difficulty"])
        if difficulty != "random":
            for location in LOCATIONS:
                placed = self.start_with(location, self.box["difficulty"][difficulty][location])
                if placed:
                    self.tell(f"Difficulty {difficulty}: Propuh starts with {placed} on the {location}.")
            return
        cards = self.box["random_difficulty"]["cards"]
        order = list(range(len(cards)))
        turned_up = int(self.options["random_cards"])
        self.streams.setup(1).shuffle(order, turned_up)
        for i in order[:turned_up]:
            shown = cards[i]
            self.tell(f"Difficulty card {i + 1}: stove {shown[STOVE]}, table {shown[TABLE]}, bed {shown[BED]}.")
            for location in LOCATIONS:
                self.start_with(location, shown[location])

    def start_with(self, location: str, number: int) -> int:
        """Put Propuh tokens on a location before the game; gives how many fit (B22)."""
        placed = 0
        for _ in range(number):
            if not self.is_full(PROPUH, location):
                self.tokens[PROPUH][location] += 1
                placed += 1
        return placed

    # Questions about the table

    def is_full(self, side: str, location: str) -> bool:
        """A2."""
        return self.tokens[side][location] >= self.limits[side][location]

    def counters(self, card: Card, location: str) -> bool:
        """Whether a card played on a location counters the pending card (A6, B2)."""
        if self.pending is None or self.pending.location != location:
            return False
        mine, pending = card.strength(location), self.pending.card.strength(location)
        if self.options["equal_strength"] == "counters":
            return mine >= pending
        return mine > pending

    def fails_to_counter(self, card: Card, location: str) -> bool:
        """Whether a card would be played on the pending card's location without countering it."""
        return self.pending is not None and self.pending.location == location and not self.counters(card, location)

    def is_dead(self, card: Card, location: str) -> bool:
        """Part C: a failed counter that is discarded."""
        return self.options["failed_counter"] == "discarded" and self.fails_to_counter(card, location)

    def granny_goals_met(self) -> bool:
        """A7."""
        enough = all(self.tokens[GRANNY][location] >= self.goals[GRANNY][location] for location in LOCATIONS)
        return enough and self.tokens[PROPUH][STOVE] == 0

    def propuh_goals_met(self) -> bool:
        """A7."""
        return all(self.tokens[PROPUH][location] >= self.goals[PROPUH][location] for location in LOCATIONS)

    def all_cards_gone(self) -> bool:
        """B18."""
        return not self.hands[GRANNY] and not self.hands[PROPUH] and not self.deck and self.pending is None

    # The round: A5, A9

    def play_round(self) -> None:
        self.rounds += 1
        self.tell(f"Round {self.rounds}.")
        self.put_figurine()  # step 1
        plays = 0
        for side in [GRANNY, PROPUH, GRANNY, PROPUH]:  # steps 2 to 5
            if not self.can_play(side):
                break  # B17: the remaining plays are skipped
            self.play_one_card(side)
            plays += 1
            if self.ends_immediately():
                return
        self.clear_pending()  # step 6
        if self.ends_immediately():
            return
        self.remove_token()  # step 7
        if self.ends_immediately():
            return
        self.deal()  # step 8
        self.check_end(plays)  # step 9

    def put_figurine(self) -> None:
        """Step 1. From off the boards any choice is a move (B3)."""
        chosen = self.decide(GRANNY, LOCATIONS, lambda location: figurine_score(self, location))
        self.figurine_moved = chosen != self.figurine
        self.figurine = chosen
        self.tell(f"Granny puts the figurine on the {chosen}.")

    def can_play(self, side: str) -> bool:
        """B17: in solo Propuh plays from the deck."""
        return bool(self.deck) if self.solo and side == PROPUH else bool(self.hands[side])

    def play_one_card(self, side: str) -> None:
        """Steps 2 to 5: choose a card and a location, or turn up Propuh's card, and resolve it."""
        if self.solo and side == PROPUH:
            card = self.deck.pop(0)
            location = self.solo_location(card)
            verb = f"turns up {card} and plays it"
        else:
            card, location = self.choose_play(side)
            self.hands[side].remove(card)
            verb = f"plays {card}"
        self.cards_played[side] += 1
        self.tell(f"{NAME[side]} {verb} on the {location} ({card.strength(location)}).")
        self.resolve(side, card, location)

    def resolve(self, side: str, card: Card, location: str) -> None:
        """A6, B1."""
        if self.pending is None:
            self.pending = Pending(side, card, location)
        elif self.counters(card, location):
            countered = self.pending.card
            self.tell(f"It counters {countered} ({countered.strength(location)}): both are discarded.")
            self.counters_made[side] += 1
            self.discards += [countered, card]
            self.pending = None
        else:
            if self.fails_to_counter(card, location):
                self.failed_counters[side] += 1
            dead = self.is_dead(card, location)
            self.clear_pending()
            if dead:
                self.discards.append(card)
                self.tell(f"{card} is discarded as well.")
            else:
                self.pending = Pending(side, card, location)

    def clear_pending(self) -> None:
        """The pending card, if any, was not countered: it goes and its owner places a token (A2, A6; step 6; B17)."""
        if self.pending is None:
            return
        side, card, location = self.pending.side, self.pending.card, self.pending.location
        self.pending = None
        self.discards.append(card)
        if self.is_full(side, location):
            self.disregarded[side] += 1
            self.tell(f"{card} was not countered: {NAME[side]} has no room on the {location}.")
        else:
            self.tokens[side][location] += 1
            self.placed[side] += 1
            count = f"{self.tokens[side][location]} of {self.limits[side][location]}"
            self.tell(f"{card} was not countered: {NAME[side]} places a token on the {location} ({count}).")

    def remove_token(self) -> None:
        """Step 7, B3, B4."""
        location = self.figurine
        assert location is not None  # step 1 has put it somewhere
        if self.options["figurine_removal"] == "only_if_moved" and not self.figurine_moved:
            return
        if self.tokens[PROPUH][location] == 0:
            return
        if self.options["figurine_removal_choice"] == "optional":
            chosen = self.decide(GRANNY, ["remove", "keep"], lambda choice: 1 if choice == "remove" else 0)
            if chosen == "keep":
                self.tell(f"Granny keeps the Propuh token on the {location}.")
                return
        self.tokens[PROPUH][location] -= 1
        self.tokens_removed += 1
        left = self.tokens[PROPUH][location]
        self.tell(f"The figurine removes a Propuh token from the {location} ({left} left).")

    def deal(self) -> None:
        """Step 8, B19."""
        if self.solo and len(self.deck) < 2:
            return
        for side in self.seated:
            cards = self.draw(side, 2)
            if cards:
                self.tell(f"{NAME[side]} draws {named(cards)}.")

    # The end: A7, B6, B7, B16 to B18

    def goals_reached(self) -> str:
        """The reason for which the game ends by goals now, or nothing (B16)."""
        if self.granny_goals_met() and self.propuh_goals_met():
            return "both_goals"
        if self.propuh_goals_met():
            return "propuh_goals"
        if self.granny_goals_met():
            return "granny_goals"
        return ""

    def ends_immediately(self) -> bool:
        """B6: the checks before step 9. Never before the first play of the game."""
        if self.options["win_check"] == "immediate" and sum(self.cards_played.values()) > 0:
            self.end_reason = self.goals_reached()
        return self.end_reason != ""

    def check_end(self, plays: int) -> None:
        """Step 9, B7. A round without a play counts as exhaustion (B17)."""
        exhausted = self.all_cards_gone() or plays == 0
        exhaustion_first = self.options["exhaustion_order"] == "exhaustion_first"
        if exhausted and exhaustion_first and self.options["win_check"] == "round_end":
            self.end_reason = "exhaustion"
            return
        self.end_reason = self.goals_reached()
        if not self.end_reason and exhausted:
            self.end_reason = "exhaustion"

    # Propuh's card in the solo game: A9, B8 to B11

    def solo_location(self, card: Card) -> str:
        """Where the card turned up is played."""
        own = card.suit
        if self.pending is not None and self.counters(card, self.pending.location):
            return self.pending.location  # A9 step 1
        granny_is_there = self.pending is not None and self.pending.location == own  # (a)
        no_room = self.options["solo_full_rule"] == "rulebook" and self.is_full(PROPUH, own)  # (b), B8
        if not granny_is_there and not no_room:
            return own  # A9 step 2
        if self.pending is not None:
            return self.redirect(self.pending.location)  # A9 step 3
        # B9: nothing is pending and there is no room
        if self.options["solo_no_pending_full"] == "clockwise_from_trump":
            return self.redirect(own)
        if self.options["solo_no_pending_full"] == "clockwise_from_figurine" and self.figurine is not None:
            return self.redirect(self.figurine)
        return own

    def redirect(self, start: str) -> str:
        """The location clockwise from `start` to which a card is redirected (B10, B11)."""
        circle = CLOCKWISE[str(self.options["clockwise"])]
        place = circle.index(start)
        following, one_further = circle[(place + 1) % 3], circle[(place + 2) % 3]
        if self.options["solo_redirect_repeat"] and self.is_full(PROPUH, following):
            return following if self.is_full(PROPUH, one_further) else one_further
        return following

    # Decisions: part C, D4

    def choose_play(self, side: str) -> tuple[Card, str]:
        """PLAY: the choices in their order, then the decision."""
        hand = self.hands[side]
        distinct = sorted(set(hand), key=lambda card: (LOCATIONS.index(card.suit), card.value))
        choices = [(card, location) for card in distinct for location in LOCATIONS]
        if self.options["failed_counter"] == "forbidden":  # B1
            choices = [choice for choice in choices if not self.fails_to_counter(*choice)]
        return self.decide(side, choices, lambda choice: PLAY_SCORE[side][self.policy[side]](self, *choice))

    def decide(self, side: str, choices: list[Choice], score: Callable[[Choice], int]) -> Choice:
        """Let the policy of a side take one of the choices; `score` is not asked by the policy random."""
        self.decisions[side] += 1
        if len(choices) == 1:
            self.forced_decisions[side] += 1
        if self.policy[side] == "random":
            best = choices
        else:
            highest = max(score(choice) for choice in choices)
            best = [choice for choice in choices if score(choice) == highest]
        return best[self.policy_stream[side].below(len(best))]


# The policies' scores: part C


def figurine_score(game: Game, location: str) -> int:
    """FIGURINE of builder and blocker."""
    there = game.tokens[PROPUH][location]
    if location != STOVE:
        return 2 * there
    if there == 0:
        return 0
    return 13 if all(game.is_full(GRANNY, track) for track in LOCATIONS) else 3


def builder(game: Game, card: Card, location: str) -> int:
    """PLAY of builder."""
    if game.counters(card, location):
        score = -card.strength(location)
        if not game.is_full(PROPUH, location):
            score += 30
            if location == STOVE:
                score += 10
        return score
    if game.is_full(GRANNY, location) or game.is_dead(card, location):
        return 0
    return 10 + (20 if card.is_trump(location) else 0) + 3 * card.value + (5 if location == STOVE else 0)


def blocker(game: Game, card: Card, location: str) -> int:
    """PLAY of blocker."""
    if game.counters(card, location):
        return 1000 - card.strength(location)
    if game.is_full(GRANNY, location) or game.is_dead(card, location):
        return -card.value
    return (100 if card.is_trump(location) else 50) - card.value


def blocker_propuh(game: Game, card: Card, location: str) -> int:
    """PLAY of blocker_propuh."""
    if game.counters(card, location):
        return -card.strength(location) + (-10 if game.is_full(GRANNY, location) else 40)
    score = card.value + (10 if card.is_trump(location) else 0)
    if location == game.figurine and location != STOVE:
        score -= 3
    if game.is_full(PROPUH, location) or game.is_dead(card, location):
        return score - 10
    if location == STOVE:
        return score + 15
    return score + (25 if game.tokens[PROPUH][location] < game.goals[PROPUH][location] else 10)


def rusher(game: Game, card: Card, location: str) -> int:
    """PLAY of rusher."""
    wanted = [place for place in [TABLE, BED] if game.tokens[PROPUH][place] < game.goals[PROPUH][place]]
    if not wanted:
        wanted = [STOVE]
    if location not in wanted:
        return card.value
    return card.value + 100 + (50 if card.is_trump(location) else 0)


PLAY_SCORE: dict[str, dict[str, Callable[[Game, Card, str], int]]] = {
    GRANNY: {"builder": builder, "blocker": blocker},
    PROPUH: {"blocker_propuh": blocker_propuh, "rusher": rusher},
}


# What is recorded: E2, E3


def columns_of(game: Game) -> dict[str, int]:
    """E2."""
    columns = {
        "end_reason": END_REASON[game.end_reason],
        "granny_won": int(game.end_reason == "granny_goals"),
        "rounds": game.rounds,
        "decisions": sum(game.decisions.values()),
        "forced_decisions": sum(game.forced_decisions.values()),
    }
    for side in SIDES:
        for location in LOCATIONS:
            columns[f"{side}_{location}"] = game.tokens[side][location]
    columns["start_tokens"] = game.start_tokens
    for side in SIDES:
        columns[f"{side}_counters"] = game.counters_made[side]
        columns[f"{side}_failed_counters"] = game.failed_counters[side]
        columns[f"{side}_placed"] = game.placed[side]
        columns[f"{side}_disregarded"] = game.disregarded[side]
    columns["tokens_removed"] = game.tokens_removed
    columns["decided_in_round_7"] = int(game.rounds >= 7)
    return columns


def player_of(game: Game, seat: int) -> dict[str, int]:
    """E3."""
    side = SIDES[seat]
    granny_won = game.end_reason == "granny_goals"
    return {
        "turn_order": seat,
        "won": int(granny_won == (side == GRANNY)),
        "decisions": game.decisions[side],
        "forced_decisions": game.forced_decisions[side],
        "cards_played": game.cards_played[side],
        "opening_stove": sum(1 for card in game.opening[side] if card.suit == STOVE),
        "opening_fours": sum(1 for card in game.opening[side] if card.value >= 4),
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
    while not game.end_reason:
        game.play_round()
    game.tell(END_LINE[game.end_reason])
    return Playout(columns_of(game), [player_of(game, seat) for seat in range(players)], game.story)
