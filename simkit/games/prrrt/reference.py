"""The plain twin of PRRRT...: RULES.md in ordinary Python, written to be read, not to be fast.

It shares nothing with the compiled game but the rules and the keyed streams, so that each can be held against the
other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeVar

from simkit.kernel.plain import Playout, Stream, Streams

Choice = TypeVar("Choice")  # of a decision

CONTEXTS = ["home", "work", "travel", "public", "couple"]
HAND = 5
TOURS = [1, 2, 3]
EFFECTS = [3, 4, 5, 6, 7]  # the Smell values that have one
CHAIN = 10  # effects that a 5 can set off (B27)
DEALS = 24  # that bayes imagines
OWN_UP, DENY = "own up", "deny"  # ANSWER
RANDOM_CHOICE = ["random", "careless"]  # the policies that do not score their choices
THRESHOLD = {"threshold_3": 3, "threshold_6": 6, "threshold_9": 9}
END_REASON = {"contexts": 1, "indicator": 2, "both": 3, "exhausted": 4}  # E2
END_LINE = {
    "contexts": "all five contexts have been played",
    "indicator": "the sideways Shame card has been drawn",
    "both": "all five contexts have been played and the sideways Shame card has been drawn",
    "exhausted": "the Shame deck is empty",
}


class ShameExhausted(Exception):
    """With `end_round_now` a Shame card was due and the deck was empty: the game ends on the spot (B14, B32)."""


@dataclass
class ShameCard:
    """A Shame card in the centre."""

    value: int
    face_up: bool


@dataclass(eq=False)
class Player:
    """A seat: its cards, what it knows, and what is counted for it. Smell and Shame cards are their values. Each is only
    equal to itself.
    """

    seat: int
    policy: str
    stream: Stream  # D8

    hand: list[int] = field(default_factory=list)
    front: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)  # with a 7, this round
    pile: list[int] = field(default_factory=list)  # Shame cards
    known: dict[int, list[int]] = field(default_factory=dict)  # K(s, q) of part C, by the other seat
    turned_up: list[int] = field(default_factory=list)  # by its denials, this round

    # What is counted on the way (E3, E4).
    decisions: int = 0
    forced_decisions: int = 0
    times_culprit: int = 0
    times_owned_up: int = 0
    correct_accusations: int = 0
    wrong_accusations: int = 0
    abstentions: int = 0
    centre_points: int = 0
    finger_points: int = 0
    wrong_points: int = 0
    gained_points: int = 0
    given_points: int = 0
    opening: list[int] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)

    @property
    def total(self) -> int:
        """A6."""
        return sum(self.front) + sum(self.hand)

    @property
    def score(self) -> int:
        """A9."""
        return sum(self.pile)

    def count_decision(self, choices: int) -> None:
        self.decisions += 1
        if choices == 1:
            self.forced_decisions += 1


def listed(values: Sequence[int]) -> str:
    """A list as the story tells it (E1)."""
    return ", ".join(str(value) for value in values)


def listed_smell(values: Sequence[int]) -> str:
    """Smell cards are told by ascending value (E1)."""
    return listed(sorted(values))


def laid_out(cards: Sequence[Mapping[str, int]]) -> list[int]:
    """A deck of the box by ascending value, all copies of a value together (D1, D4)."""
    return sorted(card["value"] for card in cards for _ in range(card["copies"]))


def value_of(name: str) -> int:
    """The value of a Smell card by its name (B34)."""
    return int(name.removeprefix("smell "))


def multisets(hand: Sequence[int], number: int) -> list[tuple[int, ...]]:
    """The different multisets of so many values of a hand, in the order of part C."""
    return sorted(set(combinations(sorted(hand), number)))


def are_five_zeros(cards: Sequence[int]) -> bool:
    """B31, of the cards in front of and in the hand of somebody."""
    return list(cards) == [0, 0, 0, 0, 0]


def take_out(values: list[int], value: int) -> None:
    """Take a value out of a multiset once, if it is there."""
    if value in values:
        values.remove(value)


def mask(values: Sequence[int]) -> int:
    """E4."""
    return sum(2**value for value in set(values))


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
        self.streams = streams
        instead = {value_of(entry["card"]): value_of(entry["by"]) for entry in box.get("exchange", [])}  # B34
        printed = laid_out(box["smell_deck"][options["smell_deck"]]["cards"])  # B1
        self.smell_cards = [instead.get(value, value) for value in printed]
        self.shame_cards = laid_out(box["shame_deck"][options["shame_deck"]]["cards"])  # B2
        self.location_cards = box["location_deck"][options["location_deck"]]["cards"]  # B3
        self.from_bottom: int = box["indicator"]["from_bottom"]
        self.players = [Player(seat, policies[seat], streams.policy(seat)) for seat in range(players)]

        # The decks; position 0 of the Shame deck is the top. D1, D2
        self.shame_deck = list(self.shame_cards)
        streams.setup(0).shuffle(self.shame_deck)
        self.locations = list(self.location_cards)
        streams.setup(1).shuffle(self.locations)

        # The round.
        self.round = 0
        self.to_the_left = True
        self.first = self.players[0]
        if options["first_player"] == "random":  # B17, D3
            self.first = self.players[streams.setup(2).below(players)]
        self.tour = 0
        self.centre: list[ShameCard] = []  # in the order in which they were laid
        self.contexts: set[str] = set()  # that have been played
        self.seats_in_first_round: list[int] = []  # in table order
        self.end_reason = ""  # empty while the game goes on

        # What is counted on the way (E2).
        self.own_ups = dict.fromkeys(TOURS, 0)
        self.own_up_points = dict.fromkeys(TOURS, 0)
        self.revelations = 0
        self.ties = 0
        self.five_zeros = 0
        self.revealed = dict.fromkeys(EFFECTS, 0)
        self.effects = dict.fromkeys(EFFECTS, 0)
        self.revealers = dict.fromkeys(EFFECTS, 0)
        self.culprits = dict.fromkeys(EFFECTS, 0)
        self.culprit_points = 0
        self.totals = 0
        self.culprit_totals: list[int] = []  # one for each revelation
        self.shame_drawn = 0
        self.shame_missing = 0
        self.story: list[str] = []

    def tell(self, line: str) -> None:
        self.story.append(line)

    # Questions about the table

    def table_order(self) -> list[Player]:
        """The circle beginning with the first player, in the direction of the round (B22)."""
        step = 1 if self.to_the_left else -1
        number = len(self.players)
        return [self.players[(self.first.seat + step * i) % number] for i in range(number)]

    def questioning_order(self) -> list[Player]:
        """The first player's neighbour first, the first player last (A4, B22)."""
        circle = self.table_order()
        return circle[1:] + circle[:1]

    def others(self, player: Player) -> list[Player]:
        """By ascending seat."""
        return [other for other in self.players if other is not player]

    def indicator_drawn(self) -> bool:
        """B15, B24."""
        if self.options["indicator"] == "off":
            return False
        return self.shame_drawn >= len(self.shame_cards) - self.from_bottom + 1

    def event(self, player: Player) -> int:
        """w, the number of the question that the player is asked now (D5)."""
        return 32 * self.round + 8 * self.tour + player.seat

    # Shame cards

    def draw_shame(self, due: int) -> list[int]:
        """So many cards from the top of the Shame deck, or as many as there are."""
        cards = self.shame_deck[:due]
        self.shame_deck = self.shame_deck[due:]
        self.shame_drawn += len(cards)
        return cards

    def miss_shame(self, missing: int) -> None:
        """So many cards were due when the deck was empty (B14, B32). Comes after telling those that were there."""
        if missing == 0:
            return
        if self.options["shame_exhausted"] == "end_round_now":
            self.shame_missing += 1
            raise ShameExhausted
        self.shame_missing += missing
        self.tell(f"The Shame deck is empty: {missing} missing.")

    def take_centre(self, player: Player, values: Sequence[int]) -> None:
        """Cards of the centre go to a player's pile."""
        player.pile += values
        player.centre_points += sum(values)
        if values:
            self.tell(f"Seat {player.seat} takes {listed(values)} from the centre.")

    # The round: A3 to A5

    def play_on(self) -> None:
        """Round after round, until the game ends."""
        try:
            while not self.end_reason:
                self.play_round()
                self.check_end()
        except ShameExhausted:
            self.end_reason = "exhausted"
        self.tell_end()

    def play_round(self) -> None:
        self.begin_round()
        self.fill_centre()
        self.deal()
        for tour in TOURS:
            self.tour = tour
            for player in self.questioning_order():
                if self.ask_answer(player) == OWN_UP:
                    self.own_up(player)
                    return
                self.deny(player)
            if tour < 3 or self.options["shame_after_third"]:  # B5
                self.add_shame()
        self.reveal(self.accuse())

    def begin_round(self) -> None:
        """A3: the Location card."""
        location = self.locations[self.round]
        self.round += 1
        self.contexts.add(location["context"])
        self.to_the_left = location["direction"] == "left"
        if self.round == 1:
            self.seats_in_first_round = [player.seat for player in self.table_order()]
        direction = location["direction"]
        self.tell(f"Round {self.round}: {location['context']}, to the {direction}, seat {self.first.seat} first.")

    def fill_centre(self) -> None:
        """A3: the Shame cards, first the face-up ones."""
        location = self.locations[self.round - 1]
        self.centre = []
        up = self.draw_shame(location["up"])
        down = self.draw_shame(location["down"])
        self.centre += [ShameCard(value, face_up=True) for value in up]
        self.centre += [ShameCard(value, face_up=False) for value in down]
        if up:
            self.tell(f"Shame face up: {listed(up)}.")
        if down:
            self.tell(f"Shame face down: {listed(down)}.")
        self.miss_shame(location["up"] + location["down"] - len(up) - len(down))

    def deal(self) -> None:
        """A3, D4: the Smell cards."""
        deck = list(self.smell_cards)
        self.streams.chance(0, self.round).shuffle(deck, HAND * len(self.players))
        for player in self.players:
            start = HAND * player.seat
            player.hand = deck[start : start + HAND]
            player.front = []
            player.discards = []
            player.turned_up = []
            player.known = {other.seat: [] for other in self.others(player)}
            if self.round == 1:
                player.opening += player.hand
            else:
                player.drawn += player.hand
            self.tell(f"Seat {player.seat} is dealt {listed_smell(player.hand)}.")

    def own_up(self, player: Player) -> None:
        """A4, A8, B11."""
        self.tell(f"Seat {player.seat} owns up.")
        values = [card.value for card in self.centre]
        self.centre = []
        self.take_centre(player, values)
        player.times_owned_up += 1
        self.own_ups[self.tour] += 1
        self.own_up_points[self.tour] += sum(values)
        if self.options["own_up_first_player"] == "owner":
            self.first = player

    def deny(self, player: Player) -> None:
        """A4, B26: a card of the hand is turned up, and has its effect."""
        self.tell(f"Seat {player.seat} denies.")
        if not player.hand:
            self.tell(f"Seat {player.seat} has no card left to turn up.")
            return
        value = sorted(player.hand)[self.streams.chance(1, self.event(player)).below(len(player.hand))]
        player.hand.remove(value)
        player.front.append(value)
        player.turned_up.append(value)
        player.played.append(value)
        if value in EFFECTS:
            self.revealed[value] += 1
        for other in self.others(player):
            take_out(other.known[player.seat], value)
        order = self.questioning_order()
        asker = order[order.index(player) - 1]  # before the first in this order comes the last
        self.tell(f"Seat {asker.seat} turns up {value}.")
        self.have_effects(player, value)

    def add_shame(self) -> None:
        """A5, B5, B13."""
        face_up = self.tour == 1 or self.options["added_shame_face"] == "up"
        added = self.draw_shame(1)
        for value in added:
            self.centre.append(ShameCard(value, face_up))
            self.tell(f"One more Shame card, face {'up' if face_up else 'down'}: {value}.")
        self.miss_shame(1 - len(added))

    # The effects: A7, B6 to B9, B26 to B28. The player is A.

    def have_effects(self, player: Player, value: int) -> None:
        """The effect of the card turned up and, with B6, of what is taken with a 5 (B27)."""
        taken = self.have_effect(player, value)
        if not self.options["effect5_triggers"]:
            return
        for _ in range(CHAIN):
            if taken is None:
                return
            taken = self.have_effect(player, taken)

    def have_effect(self, player: Player, value: int) -> int | None:
        """One effect; gives the card that was taken if it was a 5."""
        if value == 3:
            self.offer_pile(player)
        elif value in (4, 6):
            self.exchange(player, value)
        elif value == 5:
            return self.swap(player)
        elif value == 7:
            self.discard_hand(player)
        return None

    def choose_other(self, player: Player, value: int, eligible: Sequence[Player]) -> Player | None:
        """TARGET: another player, or None if there is none or the effect is declined (B7)."""
        if not eligible:
            self.tell(f"The {value} has no effect.")
            return None
        choices: list[Player | None] = [*eligible]
        if self.options["effects_optional"]:
            choices.append(None)
        other = self.decide(player, choices, lambda: offer_score if value == 3 else exchange_score)
        if other is None:
            self.tell(f"Seat {player.seat} declines.")
        return other

    def offer_pile(self, player: Player) -> None:
        """The effect of a 3."""
        other = self.choose_other(player, 3, self.others(player) if player.pile else [])
        if other is None:
            return
        self.tell(f"Seat {player.seat} offers its Shame pile to seat {other.seat}.")
        value = sorted(player.pile)[self.streams.chance(2, self.event(player)).below(len(player.pile))]
        moved = [card for card in player.pile if card == value]
        player.pile = [card for card in player.pile if card != value]
        other.pile += moved
        player.given_points += sum(moved)
        other.gained_points += sum(moved)
        self.effects[3] += 1
        self.tell(f"Seat {other.seat} draws {value} and takes {len(moved)} x {value}.")

    def exchange(self, player: Player, value: int) -> None:
        """The effect of a 4 or 6."""
        eligible = self.others(player)
        if self.options["empty_opponent"] == "not_eligible":  # B9
            eligible = [other for other in eligible if other.hand]
        other = self.choose_other(player, value, eligible)
        if other is None:
            return
        self.tell(f"Seat {player.seat} exchanges with seat {other.seat}.")
        if not other.hand:
            self.tell(f"Seat {other.seat} has no card to exchange.")
            return
        number = min(1 if value == 4 else 3, len(other.hand))
        self.draw_from_hand(player, other, number)
        self.give_back(player, other, number)
        self.effects[value] += 1

    def draw_from_hand(self, player: Player, other: Player, number: int) -> None:
        """The first half of an exchange, and who knows what after it (B8, part C)."""
        if self.options["exchange_draw"] == "choose":
            player.known[other.seat] = list(other.hand)
            taken = self.decide(player, multisets(other.hand, number), lambda: take_score)
            values = list(taken)
            self.tell(f"Seat {player.seat} takes {listed_smell(values)} from seat {other.seat}.")
        else:
            stream = self.streams.chance(3, self.event(player))
            left = sorted(other.hand)
            values = [left.pop(stream.below(len(left))) for _ in range(number)]
            self.tell(f"Seat {player.seat} draws {listed_smell(values)} from seat {other.seat}.")
        for value in values:
            other.hand.remove(value)
            player.hand.append(value)
            player.drawn.append(value)
            take_out(player.known[other.seat], value)
            other.known[player.seat].append(value)
        for onlooker in self.players:
            if onlooker is not player and onlooker is not other:
                onlooker.known[player.seat] = []
                onlooker.known[other.seat] = []

    def give_back(self, player: Player, other: Player, number: int) -> None:
        """The second half of an exchange."""
        values = self.decide(player, multisets(player.hand, number), lambda: give_score)
        self.tell(f"Seat {player.seat} gives {listed_smell(values)} to seat {other.seat}.")
        for value in values:
            player.hand.remove(value)
            other.hand.append(value)
            other.drawn.append(value)
            player.known[other.seat].append(value)
            take_out(other.known[player.seat], value)

    def swap(self, player: Player) -> int | None:
        """The effect of a 5; gives the card taken."""
        choices = [(other, value) for other in self.others(player) for value in sorted(set(other.front))]
        if not choices:
            self.tell("The 5 has no effect.")
            return None
        other, value = self.decide(player, choices, lambda: swap_score)
        other.front.remove(value)
        player.front.append(value)
        player.drawn.append(value)
        player.front.remove(5)
        other.front.append(5)
        other.drawn.append(5)
        self.effects[5] += 1
        self.tell(f"Seat {player.seat} takes the {value} of seat {other.seat} and leaves its 5 there.")
        return value

    def discard_hand(self, player: Player) -> None:
        """The effect of a 7. A hand is never empty here: at most three of its five cards have been turned up."""
        self.tell(f"Seat {player.seat} discards {listed_smell(player.hand)}.")
        player.discards += player.hand
        player.hand = []
        for other in self.others(player):
            other.known[player.seat] = []
        self.effects[7] += 1

    # Accusation and revelation: A6, B29 to B31

    def accuse(self) -> dict[int, Player | None]:
        """ACCUSE: at whom each seat points; None is nobody."""
        pointed: dict[int, Player | None] = {}
        for player in self.table_order():
            choices: list[Player | None] = [*self.others(player), None]
            accused = self.decide(player, choices, accusing(self, player))
            pointed[player.seat] = accused
            whom = "nobody" if accused is None else f"seat {accused.seat}"
            self.tell(f"Seat {player.seat} points at {whom}.")
        return pointed

    def reveal(self, pointed: Mapping[int, Player | None]) -> None:
        """Everything after the accusations."""
        largest = max(player.total for player in self.players)
        sharing = [player for player in self.players if player.total == largest]
        with_zeros = [player for player in self.players if are_five_zeros(player.front + player.hand)]
        self.tell(f"Totals: {listed([player.total for player in self.players])}.")
        for player in with_zeros:
            self.tell(f"Seat {player.seat} shows five zeros.")
        if len(sharing) > 1:
            self.tell(f"Seats {listed([player.seat for player in sharing])} share the largest total.")
        tied = with_zeros if with_zeros and self.options["five_zero_rule"] == "on" else sharing  # B10
        responsible = self.break_tie([player for player in self.questioning_order() if player in tied], pointed)
        for player in responsible:
            self.tell(f"Seat {player.seat} is the culprit.")

        self.revelations += 1
        self.ties += int(len(sharing) > 1)
        self.five_zeros += int(len(with_zeros) > 0)
        self.totals += sum(player.total for player in self.players)
        self.culprit_totals.append(responsible[0].total)
        self.count_revealers(responsible)
        self.count_accusations(responsible, pointed)
        self.pay(responsible, pointed)
        self.first = responsible[0]  # A8

    def break_tie(self, tied: list[Player], pointed: Mapping[int, Player | None]) -> list[Player]:
        """B4, D6: who is responsible of those tied, both in questioning order."""
        rule = self.options["tie_rule"]
        if rule == "all_share":
            return tied
        if rule == "first_in_order":
            return tied[:1]
        if rule == "random":
            return [tied[self.streams.chance(4, self.round).below(len(tied))]]
        most = max(fingers(player, pointed) for player in tied)
        return [player for player in tied if fingers(player, pointed) == most][:1]

    def count_revealers(self, responsible: Sequence[Player]) -> None:
        for player in self.players:
            player.times_culprit += int(player in responsible)
            for value in EFFECTS:
                if value in player.turned_up:
                    self.revealers[value] += 1
                    self.culprits[value] += int(player in responsible)

    def count_accusations(self, responsible: Sequence[Player], pointed: Mapping[int, Player | None]) -> None:
        for player in self.players:
            accused = pointed[player.seat]
            if accused is None:
                player.abstentions += 1
            elif accused in responsible:
                player.correct_accusations += 1
            else:
                player.wrong_accusations += 1

    # Payments: A6, B12, B18, B30, B32

    def pay(self, responsible: Sequence[Player], pointed: Mapping[int, Player | None]) -> None:
        self.share_centre(responsible)
        if self.options["penalty_order"] == "culprit_first":
            for player in responsible:
                self.pay_for_fingers(player, pointed)
            for player in self.table_order():
                self.pay_for_wrong_accusation(player, responsible, pointed)
        else:
            for player in self.table_order():
                if player in responsible:
                    self.pay_for_fingers(player, pointed)
                self.pay_for_wrong_accusation(player, responsible, pointed)

    def share_centre(self, responsible: Sequence[Player]) -> None:
        """The centre goes to the culprit; several culprits are dealt it one by one (B30, D7)."""
        values = [card.value for card in self.centre]
        self.centre = []
        self.culprit_points += sum(values)
        if len(responsible) > 1:
            self.streams.chance(5, self.round).shuffle(values)
        for place, player in enumerate(responsible):
            self.take_centre(player, values[place :: len(responsible)])

    def pay_for_fingers(self, player: Player, pointed: Mapping[int, Player | None]) -> None:
        due = fingers(player, pointed)
        values = self.draw_shame(due)
        player.pile += values
        player.finger_points += sum(values)
        if values:
            self.tell(f"Seat {player.seat} draws {listed(values)} for fingers.")
        self.miss_shame(due - len(values))

    def pay_for_wrong_accusation(
        self, player: Player, responsible: Sequence[Player], pointed: Mapping[int, Player | None]
    ) -> None:
        accused = pointed[player.seat]
        if accused is None or accused in responsible:
            return
        if player in responsible and not self.options["culprit_pays_wrong"]:  # B12
            return
        values = self.draw_shame(1)
        player.pile += values
        player.wrong_points += sum(values)
        if values:
            self.tell(f"Seat {player.seat} draws {listed(values)} for a wrong accusation.")
        self.miss_shame(1 - len(values))

    # The end: A9, B25, B33

    def check_end(self) -> None:
        all_contexts = len(self.contexts) == len(CONTEXTS)
        if all_contexts and self.indicator_drawn():
            self.end_reason = "both"
        elif all_contexts:
            self.end_reason = "contexts"
        elif self.indicator_drawn():
            self.end_reason = "indicator"

    def tell_end(self) -> None:
        self.tell(f"The game ends: {END_LINE[self.end_reason]}.")
        self.tell(f"Scores: {listed([player.score for player in self.players])}.")
        for player in self.losers():
            self.tell(f"Seat {player.seat} loses.")

    def losers(self) -> list[Player]:
        highest = max(player.score for player in self.players)
        return [player for player in self.players if player.score == highest]

    def losers_without_threes(self) -> list[Player]:
        """Who would have lost if all that changed piles by a 3 had stayed where it was (E2)."""
        scores = [player.score + player.given_points - player.gained_points for player in self.players]
        return [player for player in self.players if scores[player.seat] == max(scores)]

    # Decisions: part C, D8

    def ask_answer(self, player: Player) -> str:
        """ANSWER."""
        choices = [OWN_UP, DENY]
        if player.policy == "careless":
            player.count_decision(len(choices))
            return OWN_UP if player.stream.below(100) < int(self.options["own_up_probability"]) else DENY
        return self.decide(player, choices, lambda: answer_score(wants_to_own_up(self, player)))

    def decide(self, player: Player, choices: list[Choice], scoring: Callable[[], Callable[[Choice], int]]) -> Choice:
        """Let the policy of a player take one of the choices.

        scoring : makes the function that scores a choice. It is called once, before the draw among the best choices, since
                  the policy bayes draws the deals it imagines; the policies random and careless do not call it.
        """
        player.count_decision(len(choices))
        if player.policy in RANDOM_CHOICE:
            best = choices
        else:
            score = scoring()
            scores = [score(choice) for choice in choices]
            top_score = max(scores)
            best = [choice for choice, its in zip(choices, scores, strict=True) if its == top_score]
        return best[player.stream.below(len(best))]


def fingers(player: Player, pointed: Mapping[int, Player | None]) -> int:
    """How many point at a player."""
    return sum(1 for accused in pointed.values() if accused is player)


# What a policy can see: part C


def unseen_by(game: Game, me: Player) -> list[int]:
    """The cards that a player does not see, by ascending value."""
    seen = list(me.hand)
    for player in game.players:
        seen += player.front + player.discards
    for other in game.others(me):
        seen += me.known[other.seat]
    unseen = sorted(game.smell_cards)
    for value in seen:
        unseen.remove(value)
    return unseen


def missing(me: Player, other: Player) -> int:
    """How many cards in the hand of another a player does not know."""
    return len(other.hand) - len(me.known[other.seat])


def estimates(game: Game, me: Player) -> tuple[int, dict[int, int]]:
    """N, and F of every seat in units of 1/N, as a player estimates them."""
    unseen = unseen_by(game, me)
    unit = len(unseen) or 1
    estimated = {me.seat: unit * me.total}
    for other in game.others(me):
        certain = sum(other.front) + sum(me.known[other.seat])
        estimated[other.seat] = unit * certain + sum(unseen) * missing(me, other)
    return unit, estimated


def imagine(game: Game, me: Player) -> dict[int, int]:
    """g of every seat: its points over the deals that bayes imagines."""
    points = {player.seat: 0 for player in game.players}
    unseen = unseen_by(game, me)
    unknown = sum(missing(me, other) for other in game.others(me))
    for _ in range(DEALS):
        me.stream.shuffle(unseen, unknown)
        position = 0
        cards = {me.seat: me.front + me.hand}
        for other in game.others(me):
            given = unseen[position : position + missing(me, other)]
            position += len(given)
            cards[other.seat] = other.front + me.known[other.seat] + given
        suspects = imagined_culprits(game, cards)
        for seat in suspects:
            points[seat] += 2 if len(suspects) == 1 else 1
    return points


def imagined_culprits(game: Game, cards: Mapping[int, list[int]]) -> list[int]:
    """Who has the largest total in a deal, five zeros coming before everybody else (B31)."""
    compared = list(cards)
    if game.options["five_zero_rule"] == "on":
        with_zeros = [seat for seat in cards if are_five_zeros(cards[seat])]
        compared = with_zeros or compared
    largest = max(sum(cards[seat]) for seat in compared)
    return [seat for seat in compared if sum(cards[seat]) == largest]


# The policies' scores: part C


def wants_to_own_up(game: Game, me: Player) -> bool:
    """ANSWER of the policies that score."""
    if me.policy == "bayes":
        return bayes_owns_up(game, me, imagine(game, me)[me.seat])
    if me.policy in THRESHOLD and game.tour >= 2:
        unit, estimated = estimates(game, me)
        highest = max(estimated[other.seat] for other in game.others(me))
        return estimated[me.seat] - highest > THRESHOLD[me.policy] * unit
    return False


def bayes_owns_up(game: Game, me: Player, own_points: int) -> bool:
    """Whether the centre now is less than what denying is expected to cost."""
    players = len(game.players)
    weight = {1: 1, 2: 2, 3: 4}[game.tour]
    chance = players * weight * own_points + 48 * (6 - weight)  # Q
    certainty = 288 * players

    deck_points = sum(game.shame_cards)  # P
    face_up = sum(card.value for card in game.centre if card.face_up)
    face_down = sum(1 for card in game.centre if not card.face_up)
    centre = len(game.shame_cards) * face_up + face_down * deck_points  # X
    additions = 3 - game.tour + (1 if game.options["shame_after_third"] else 0)

    if_culprit = 20 * centre + 20 * additions * deck_points + 26 * deck_points
    if_not = 5 * deck_points
    return certainty * 20 * centre < chance * if_culprit + (certainty - chance) * if_not


def answer_score(owning_up: bool) -> Callable[[str], int]:
    """ANSWER."""
    return lambda choice: 1 if (choice == OWN_UP) == owning_up else 0


def offer_score(other: Player | None) -> int:
    """TARGET with a 3; None is to decline."""
    return -1000 if other is None else -len(other.pile)


def exchange_score(other: Player | None) -> int:
    """TARGET with a 4 or 6; None is to decline."""
    if other is None:
        return -1000
    return -sum(other.front) if other.hand else -500


def take_score(choice: tuple[int, ...]) -> int:
    """TAKE."""
    return -sum(choice)


def give_score(choice: tuple[int, ...]) -> int:
    """GIVE."""
    return sum(choice)


def swap_score(choice: tuple[Player, int]) -> int:
    """SWAP."""
    _, value = choice
    return -value


def accusing(game: Game, me: Player) -> Callable[[], Callable[[Player | None], int]]:
    """ACCUSE: what makes the score of a choice; None is nobody."""

    def scoring() -> Callable[[Player | None], int]:
        if me.policy == "silent":
            return lambda accused: 1 if accused is None else 0
        if me.policy == "bayes":
            suspicion, own = imagine(game, me), 49
        else:
            _, suspicion = estimates(game, me)
            own = 2 * suspicion[me.seat] + 1
        return lambda accused: own if accused is None else 2 * suspicion[accused.seat]

    return scoring


# What is recorded: E2 to E4


def columns_of(game: Game) -> dict[str, int]:
    """E2."""
    players = game.players
    scores = [player.score for player in players]
    columns = {
        "end_reason": END_REASON[game.end_reason],
        "decisions": sum(player.decisions for player in players),
        "forced_decisions": sum(player.forced_decisions for player in players),
        "rounds": game.round,
    }
    for tour in TOURS:
        columns[f"own_ups_{tour}"] = game.own_ups[tour]
        columns[f"own_up_points_{tour}"] = game.own_up_points[tour]
    columns |= {
        "revelations": game.revelations,
        "ties": game.ties,
        "five_zeros": game.five_zeros,
        "correct_accusations": sum(player.correct_accusations for player in players),
        "wrong_accusations": sum(player.wrong_accusations for player in players),
        "abstentions": sum(player.abstentions for player in players),
    }
    for value in EFFECTS:
        columns[f"revealed_{value}"] = game.revealed[value]
        columns[f"effects_{value}"] = game.effects[value]
        columns[f"revealers_{value}"] = game.revealers[value]
        columns[f"culprits_{value}"] = game.culprits[value]
    columns["effects_5"] = min(game.effects[5], 300)
    return columns | {
        "culprit_points": game.culprit_points,
        "finger_points": sum(player.finger_points for player in players),
        "wrong_points": sum(player.wrong_points for player in players),
        "moved_points": min(sum(player.given_points for player in players), 400),
        "totals": game.totals,
        "culprit_totals": sum(game.culprit_totals),
        "highest_culprit_total": max(game.culprit_totals, default=0),
        "highest_score": max(scores),
        "lowest_score": min(scores),
        "losers": len(game.losers()),
        "shame_drawn": game.shame_drawn,
        "shame_missing": game.shame_missing,
        "indicator_drawn": int(game.indicator_drawn()),
        "decided_by_effect_3": int(game.losers() != game.losers_without_threes()),
    }


def player_of(game: Game, player: Player) -> dict[str, int]:
    """E3 and E4."""
    return {
        "turn_order": game.seats_in_first_round.index(player.seat),
        "lost": int(player in game.losers()),
        "decisions": player.decisions,
        "forced_decisions": player.forced_decisions,
        "score": player.score,
        "rank": 1 + sum(1 for other in game.players if other.score < player.score),
        "times_culprit": player.times_culprit,
        "times_owned_up": player.times_owned_up,
        "correct_accusations": player.correct_accusations,
        "wrong_accusations": player.wrong_accusations,
        "abstentions": player.abstentions,
        "centre_points": min(player.centre_points, 200),
        "finger_points": min(player.finger_points, 100),
        "wrong_points": min(player.wrong_points, 100),
        "gained_points": min(player.gained_points, 100),
        "given_points": min(player.given_points, 100),
        "pile_cards": len(player.pile),
        "opening_cards": mask(player.opening),
        "drawn_cards": mask(player.drawn),
        "played_cards": mask(player.played),
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
    game.play_on()
    return Playout(columns_of(game), [player_of(game, player) for player in game.players], game.story)
