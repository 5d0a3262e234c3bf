"""The plain twin of Pug You!: RULES.md in ordinary Python, written to be read, not to be fast.

It shares nothing with the compiled game but the rules and the keyed streams, so that each can be held against the
other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from simkit.kernel.plain import Playout, Streams, derive

Choice = TypeVar("Choice")  # of a decision

LEVELS = ["green", "yellow", "red", "mutt", "blue"]  # B23
LEFT_OUT = {"all": [], "no_red": ["red"], "savage": ["green", "mutt"], "strangers": []}  # B11, by level
FULL_THERMOMETER = 3  # B11: left out by strangers
TURNS_EACH = 2  # A4
OFFERS, FIRST_VOTE, SECOND_VOTE, REFILL = 0, 1, 2, 3  # when the discards may be shuffled (D3)
SCORED, HAND = "scored", "hand"  # where the card of a second question comes from
FIT, REPUTATION, CHARM, MISJUDGED_BY = 2, 3, 4, 16  # children of the setup key (D4)
HALVES = {"0": 0, "0.5": 1, "1": 2}  # twice the numbers of B19 to B21
ONE = 131072  # 1 in the unit of opinions
END_REASON = {"two_rounds": 1, "badge_limit": 2, "cards_exhausted": 3}  # E2
END_LINE = {
    "two_rounds": "The game ends: everybody has been active twice.",
    "badge_limit": "The game ends: the limit of badges.",
    "cards_exhausted": "The game ends: no card is left.",
}


@dataclass(frozen=True)
class Card:
    """A pug card. No two have the same level and place (B23)."""

    level: str
    place: int
    badges: int
    turds: int
    thermometer: int
    counts_as: str = ""  # the level of its kind where it was exchanged (B32)

    @property
    def number(self) -> int:
        """B23."""
        return 128 * LEVELS.index(self.level) + self.place

    @property
    def kind(self) -> tuple[int, int, int]:
        """B23, in a form that sorts like the kinds."""
        return LEVELS.index(self.counts_as or self.level), self.badges, self.turds

    @property
    def is_mutt(self) -> bool:
        """B24."""
        return self.badges < 0

    def __str__(self) -> str:
        return f"{self.level} {self.place + 1}"


Second = tuple[str, Card] | None  # a choice of SECOND: SCORED or HAND and the card; None is to decline


def counted(number: int, thing: str) -> str:
    """1 badge, 3 badges, -1 badges (E1)."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(cards: Sequence[Card]) -> str:
    """A list of cards as the story tells it (E1)."""
    return ", ".join(str(card) for card in cards)


def by_number(cards: Sequence[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: card.number)


# The box: B9 to B12, B23


def kinds_of(box: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    """All kinds of which the box has a card in some deck, in order."""
    kinds = set()
    for deck in box["deck"].values():
        for row in deck["cards"]:
            if row["copies"] > 0 or row["copies_blue_extra"] > 0:
                kinds.add((LEVELS.index(row["level"]), row["badges"], row["turds"]))
    return sorted(kinds)


def whole_deck(options: Mapping[str, str | int | bool], box: Mapping[str, Any]) -> list[Card]:
    """The deck before anything is left out (B9, B10), with the places of B23."""
    copies = "copies" if options["blue_in_108"] else "copies_blue_extra"
    places = dict.fromkeys(LEVELS, 0)  # the next free place of each level
    deck = []
    for row in box["deck"][options["deck"]]["cards"]:
        level = row["level"]
        for _ in range(row[copies]):
            deck.append(Card(level, places[level], row["badges"], row["turds"], row["thermometer"]))
            places[level] += 1
    return deck


def is_played(card: Card, options: Mapping[str, str | int | bool]) -> bool:
    """B11, B12."""
    if options["mutts"] == "out" and card.is_mutt:
        return False
    if options["deck_filter"] == "strangers" and card.thermometer == FULL_THERMOMETER:
        return False
    return card.level not in LEFT_OUT[str(options["deck_filter"])]


def played_deck(options: Mapping[str, str | int | bool], box: Mapping[str, Any]) -> list[Card]:
    """The cards that are played, by number."""
    instead = {entry["card"]: entry["by"] for entry in box.get("exchange", [])}
    kinds = {kind_name(kind): kind for kind in kinds_of(box)}
    deck = []
    for card in whole_deck(options, box):
        if is_played(card, options):
            name = kind_name(card.kind)
            if name in instead:  # B32
                level, badges, turds = kinds[instead[name]]
                card = replace(card, badges=badges, turds=turds, counts_as=LEVELS[level])
            deck.append(card)
    return by_number(deck)


def kind_name(kind: tuple[int, int, int]) -> str:
    """'green, 1 badge, 2 turds' (B32)."""
    level, badges, turds = kind
    return f"{LEVELS[level]}, {counted(badges, 'badge')}, {counted(turds, 'turd')}"


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
        self.seats = range(players)
        self.policy = list(policies)
        self.streams = streams
        self.policy_stream = [streams.policy(seat) for seat in self.seats]  # D5
        self.hand_size: int = next(line["hand"] for line in box["hands"]["tables"] if line["players"] == players)
        self.deck = played_deck(options, box)
        self.kinds = kinds_of(box)
        self.limit = int(options["badge_limit"])

        # Where the cards are. Position 0 of the draw pile is the top.
        self.draw_pile: list[Card] = []
        self.discards: list[Card] = []
        self.hands: list[list[Card]] = [[] for _ in self.seats]
        self.scored: list[list[Card]] = [[] for _ in self.seats]
        self.first = 0
        self.end_reason = ""  # empty while the game goes on
        self.limit_turn = 0  # 0 until the limit is found to be reached

        # What is counted on the way (E2 to E4).
        self.turns = 0
        self.turns_skipped = 0
        self.first_ties = 0
        self.second_ties = 0
        self.second_from = {SCORED: 0, HAND: 0}
        self.second_declined = 0
        self.reshuffles = 0
        self.offers_missed = 0
        self.votes_missed = 0
        self.short_hands = 0
        self.early_draws = 0
        self.decisions = [0 for _ in self.seats]
        self.forced_decisions = [0 for _ in self.seats]
        self.nominations = [0 for _ in self.seats]
        self.offers_taken = [0 for _ in self.seats]
        self.second_questions = [0 for _ in self.seats]
        self.badges_shed = [0 for _ in self.seats]
        self.opening: list[list[Card]] = []
        self.drawn: list[list[Card]] = [[] for _ in self.seats]
        self.played: list[list[Card]] = [[] for _ in self.seats]
        self.story: list[str] = []

    def tell(self, line: str) -> None:
        self.story.append(line)

    # Setup: A2, D1, D2

    def set_up(self) -> None:
        self.draw_pile = list(self.deck)
        self.streams.setup(0).shuffle(self.draw_pile)
        for seat in self.seats:
            self.hands[seat] = self.draw_pile[: self.hand_size]
            self.draw_pile = self.draw_pile[self.hand_size :]
            self.opening.append(list(self.hands[seat]))
        if self.options["first_player"] == "random":  # B18
            self.first = self.streams.setup(1).below(len(self.seats))
        self.tell(f"Seat {self.first} begins.")
        for seat in self.seats:
            self.tell(f"Seat {seat} is dealt {listed(self.opening[seat])}.")

    # Questions about the table

    def left_of(self, seat: int) -> int:
        """B25."""
        return (seat + 1) % len(self.seats)

    def from_the_left(self, seat: int) -> list[int]:
        """All seats, the left neighbour first and the seat itself last (B25)."""
        return [(seat + steps) % len(self.seats) for steps in range(1, len(self.seats) + 1)]

    def turn_order(self, seat: int) -> int:
        """B25."""
        return (seat - self.first) % len(self.seats)

    def total(self, seat: int) -> int:
        """B(q) of part C: the badges of a seat, mutts included."""
        return sum(card.badges for card in self.scored[seat])

    def towards_limit(self, seat: int) -> int:
        """B7."""
        if self.options["limit_counts_mutts"]:
            return self.total(seat)
        return sum(card.badges for card in self.scored[seat] if not card.is_mutt)

    def no_card_left(self) -> bool:
        """B26."""
        return not self.draw_pile and not self.discards and not any(self.hands)

    # The turn: A3

    def play_on(self) -> None:
        """Turn after turn until the game ends."""
        active = self.first
        while not self.end_reason:
            self.take_turn(active)
            active = self.left_of(active)  # step 9

    def take_turn(self, active: int) -> None:
        self.turns += 1
        self.tell(f"Turn {self.turns}: seat {active} is active.")
        question = self.find_question(active)
        if question is None:  # B29
            self.turns_skipped += 1
            self.tell("The turn is skipped.")
            self.check_end()
            return
        is_tie = self.ask(active, question, FIRST_VOTE)
        if is_tie:
            self.first_ties += 1
        if is_tie and not self.end_reason:
            self.ask_second_question(active)
        if not self.end_reason:
            self.check_end()
        if not self.end_reason:
            self.refill(active)

    def find_question(self, active: int) -> Card | None:
        """Steps 1 to 3: the active card, out of the hand it was in; None if nobody has a card (B29)."""
        offers = self.collect_offers(active)
        if offers:
            owner = self.choose_offer(active, sorted(offers))
            card = offers[owner]
            self.hands[owner].remove(card)
            self.played[owner].append(card)
            self.offers_taken[owner] += 1
            self.tell(f"Seat {active} takes the card of seat {owner}: {card} ({counted(card.badges, 'badge')}).")
            return card
        if not self.hands[active]:
            return None
        card = self.decide(active, by_number(self.hands[active]), lambda character: lambda card: card.badges)
        self.ask_from_hand(active, card)
        return card

    def collect_offers(self, active: int) -> dict[int, Card]:
        """Step 1: the offered cards by seat. They count as cards of the hand until one of them is chosen."""
        offers = {}
        for seat in self.from_the_left(active):
            if seat == active:
                continue
            self.draw_early(seat, OFFERS)
            if not self.hands[seat]:
                self.offers_missed += 1
                self.tell(f"Seat {seat} has no card to offer.")
                continue
            offers[seat] = self.decide(seat, by_number(self.hands[seat]), offer_scoring(self, seat))
            self.tell(f"Seat {seat} offers {offers[seat]}.")
        return offers

    def ask_from_hand(self, active: int, card: Card) -> None:
        """A card of the own hand becomes the active card."""
        self.hands[active].remove(card)
        self.played[active].append(card)
        self.tell(f"Seat {active} asks {card} of the own hand ({counted(card.badges, 'badge')}).")

    def ask(self, active: int, question: Card, when: int) -> bool:
        """Steps 4 to 6, and who takes the card after a tie. Gives whether it was a tie.

        when : FIRST_VOTE or SECOND_VOTE
        """
        others = [seat for seat in self.seats if seat != active]
        pairs = [(i, j) for i in others for j in others if i < j]
        nominees = self.decide(active, pairs, nominate_scoring(self, active, question))
        for nominee in nominees:
            self.nominations[nominee] += 1
        i, j = nominees
        self.tell(f"Seat {active} nominates seat {i} and seat {j}.")

        turds = self.vote(active, question, nominees, when)
        self.tell(f"Seat {i} gets {counted(turds[i], 'turd')}, seat {j} gets {counted(turds[j], 'turd')}.")
        is_tie = turds[i] == turds[j]
        if is_tie:
            taker = self.decide(active, [i, j], tiebreak_scoring(self, active, question))
            self.tell(f"Seat {active} decides for seat {taker}.")
        else:
            taker = i if turds[i] > turds[j] else j
        self.take(taker, question)
        return is_tie

    def vote(self, active: int, question: Card, nominees: tuple[int, int], when: int) -> dict[int, int]:
        """Steps 5 and 6: everybody votes, then the votes are discarded. Gives the turds of each nominee."""
        turds = dict.fromkeys(nominees, 0)
        votes = []
        for seat in self.from_the_left(active):
            if seat in nominees:
                continue
            self.draw_early(seat, when)
            if not self.hands[seat]:
                self.votes_missed += 1
                self.tell(f"Seat {seat} has no card to vote with.")
                continue
            choices = [(card, nominee) for card in by_number(self.hands[seat]) for nominee in nominees]
            card, nominee = self.decide(seat, choices, vote_scoring(self, seat, question, nominees))
            self.hands[seat].remove(card)
            self.played[seat].append(card)
            votes.append(card)
            turds[nominee] += card.turds
            self.tell(f"Seat {seat} votes for seat {nominee} with {card} ({counted(card.turds, 'turd')}).")
        self.discards += votes
        return turds

    def take(self, taker: int, card: Card) -> None:
        """Step 6: a nominee scores the active card. B6, B26."""
        self.scored[taker].append(card)
        self.tell(f"Seat {taker} takes {card} and has {counted(self.total(taker), 'badge')}.")
        if self.options["limit_check"] == "immediate":
            self.look_at_limit()
            if self.limit_turn and not self.options["limit_equal_turns"]:
                self.end_reason = "badge_limit"

    # The second question: A3 step 7, B1 to B3, B28

    def ask_second_question(self, active: int) -> None:
        if self.options["second_question"] == "off":
            return
        choices = self.second_choices(active)
        if not choices:
            self.tell(f"Seat {active} has no card for a second question.")
            return
        if self.options["second_question"] == "optional":
            choices.append(None)
        choice = self.decide(active, choices, second_scoring)
        if choice is None:
            self.second_declined += 1
            self.tell(f"Seat {active} asks no second question.")
            return
        source, card = choice
        self.second_from[source] += 1
        self.second_questions[active] += 1
        if source == SCORED:
            self.scored[active].remove(card)
            self.badges_shed[active] += card.badges
            self.tell(f"Seat {active} asks the scored {card} again ({counted(card.badges, 'badge')}).")
        else:
            self.ask_from_hand(active, card)
        if self.ask(active, card, SECOND_VOTE):
            self.second_ties += 1

    def second_choices(self, active: int) -> list[Second]:
        """Which cards may be asked; to decline is not among them."""
        mutts_allowed = self.options["mutt_second_question"] == "allowed"
        scored = [card for card in by_number(self.scored[active]) if mutts_allowed or not card.is_mutt]
        hand = by_number(self.hands[active])
        if self.options["second_source"] == "scored_only" or (
            self.options["second_source"] == "scored_first" and scored
        ):
            hand = []
        return [*((SCORED, card) for card in scored), *((HAND, card) for card in hand)]

    # Drawing: A3 step 8, B16, B17, B27, D3

    def reshuffle(self, when: int) -> None:
        """The discards become the draw pile, which is empty."""
        self.tell(f"The discards are shuffled: {counted(len(self.discards), 'card')}.")
        self.reshuffles += 1
        self.draw_pile = by_number(self.discards)
        self.discards = []
        self.streams.chance(0, 4 * self.turns + when).shuffle(self.draw_pile)

    def draw(self, seat: int) -> Card:
        """The top card of the draw pile comes into a hand."""
        card = self.draw_pile.pop(0)
        self.hands[seat].append(card)
        self.drawn[seat].append(card)
        return card

    def draw_early(self, seat: int, when: int) -> None:
        """B16: a seat whose offer or vote is due."""
        if self.options["short_hand"] == "skip" or self.hands[seat]:
            return
        if not self.draw_pile and self.discards:
            self.reshuffle(when)
        if self.draw_pile:
            card = self.draw(seat)
            self.early_draws += 1
            self.tell(f"Seat {seat} draws {card}.")

    def refill(self, active: int) -> None:
        order = self.from_the_left(active)
        if self.options["refill_order"] == "active_first":
            order = [active, *order[:-1]]
        for seat in order:
            self.fill_hand(seat)

    def fill_hand(self, seat: int) -> None:
        untold: list[Card] = []
        while len(self.hands[seat]) < self.hand_size and (self.draw_pile or self.discards):
            if not self.draw_pile:
                self.tell_draws(seat, untold)
                untold = []
                self.reshuffle(REFILL)
            untold.append(self.draw(seat))
        self.tell_draws(seat, untold)
        if len(self.hands[seat]) < self.hand_size:
            self.short_hands += 1
            self.tell(f"Seat {seat} has only {counted(len(self.hands[seat]), 'card')}.")

    def tell_draws(self, seat: int, cards: Sequence[Card]) -> None:
        if cards:
            self.tell(f"Seat {seat} draws {listed(cards)}.")

    # The end: A4, B4 to B8, B22, B26

    def look_at_limit(self) -> None:
        """Whether somebody has reached the limit, if that matters and was not found before."""
        if self.options["end_mode"] != "badge_limit" or self.limit_turn:
            return
        if any(self.towards_limit(seat) >= self.limit for seat in self.seats):
            self.limit_turn = self.turns
            self.tell(f"The limit of {counted(self.limit, 'badge')} is reached.")

    def check_end(self) -> None:
        """At the end of a turn, before the refill."""
        if self.options["end_mode"] == "two_rounds":
            if self.turns == TURNS_EACH * len(self.seats):
                self.end_reason = "two_rounds"
            return
        if self.options["limit_check"] == "end_of_turn":
            self.look_at_limit()
        round_ends = self.turns % len(self.seats) == 0
        if self.limit_turn and (round_ends or not self.options["limit_equal_turns"]):
            self.end_reason = "badge_limit"
        elif self.no_card_left():
            self.end_reason = "badge_limit" if self.limit_turn else "cards_exhausted"

    def losers(self) -> list[int]:
        """B22."""
        highest = max(self.total(seat) for seat in self.seats)
        return [seat for seat in self.seats if self.total(seat) == highest]

    def tell_end(self) -> None:
        self.tell(END_LINE[self.end_reason])
        self.tell(f"Badges: {', '.join(str(self.total(seat)) for seat in self.seats)}.")
        for seat in self.losers():
            self.tell(f"Seat {seat} loses.")

    # Decisions: part C, D5, D6

    def decide(self, seat: int, choices: list[Choice], scoring: Callable[[str], Callable[[Choice], int]]) -> Choice:
        """Let the policy of a seat take one of the choices.

        scoring : makes, for the name of a policy that is neither random nor mixed, the function that scores a choice
        """
        self.count_decision(seat, choices)
        character = self.character(seat)
        best = choices
        if character != "random":
            score = scoring(character)
            scores = [score(choice) for choice in choices]
            best = [choice for choice, its in zip(choices, scores, strict=True) if its == max(scores)]
        return best[self.policy_stream[seat].below(len(best))]

    def count_decision(self, seat: int, choices: Sequence[object]) -> None:
        self.decisions[seat] += 1
        if len(choices) == 1:
            self.forced_decisions[seat] += 1

    def character(self, seat: int) -> str:
        """The policy that decides this time: mixed draws which (D5)."""
        if self.policy[seat] == "mixed":
            return ["honest", "strategic"][self.policy_stream[seat].below(2)]
        return self.policy[seat]

    def choose_offer(self, active: int, offering: list[int]) -> int:
        """CHOOSE: one of the seats that offer, by charm (D6) or all alike."""
        if self.options["persuasion"] == "0":
            return self.decide(active, offering, lambda character: lambda seat: 0)
        self.count_decision(active, offering)
        stream = self.policy_stream[active]
        if self.character(active) == "random":
            return offering[stream.below(len(offering))]
        if len(offering) == 1:
            return offering[0]
        weights = charm_weights(self, offering)
        drawn = stream.below(sum(weights))
        up_to_here = 0
        for seat, weight in zip(offering, weights, strict=True):
            up_to_here += weight
            if up_to_here > drawn:
                return seat
        raise AssertionError("the weights add up to more than any number drawn")


# Opinions: D4


def normal(key: int) -> int:
    """N(k), in units of 1/65536."""
    total = 0
    for word in [derive(key, 0), derive(key, 1), derive(key, 2)]:
        for part in range(4):
            total += (word >> (16 * part)) % 65536
    return total - 393210


def fit(game: Game, card: Card, seat: int) -> int:
    """F(c, q)."""
    return normal(derive(derive(game.streams.setup_key, FIT), 16 * card.number + seat))


def reputation(game: Game, seat: int) -> int:
    """R(q)."""
    return normal(derive(derive(game.streams.setup_key, REPUTATION), seat))


def charm(game: Game, seat: int) -> int:
    """H(q)."""
    return normal(derive(derive(game.streams.setup_key, CHARM), seat))


def misjudgement(game: Game, judge: int, card: Card, seat: int) -> int:
    """V(s, c, q) of the seat `judge`."""
    return normal(derive(derive(game.streams.setup_key, MISJUDGED_BY + judge), 16 * card.number + seat))


def opinion(game: Game, judge: int, card: Card, seat: int) -> int:
    """P(s, c, q): how well the seat `judge` finds that a question fits a seat."""
    u = HALVES[str(game.options["reputation_sd"])]
    v = HALVES[str(game.options["perception_sd"])]
    m = -1 if card.is_mutt else 1
    return 2 * fit(game, card, seat) + m * u * reputation(game, seat) + v * misjudgement(game, judge, card, seat)


def charm_weights(game: Game, offering: Sequence[int]) -> list[int]:
    """The weights of D6 of the seats that offer."""
    w = HALVES[str(game.options["persuasion"])]
    charms = [charm(game, seat) for seat in offering]
    return [charm_weight(w * (max(charms) - its) // 8192) for its in charms]


def charm_weight(d: int) -> int:
    """W(d)."""
    e: int = 2**40
    for _ in range(d):
        e = e * 939413 // 1000000
    return e // 2**20


# The policies' scores: part C. Each function makes what `decide` asks for.


def sign(card: Card) -> int:
    """g: 1 if the badges are positive, -1 if negative."""
    return -1 if card.is_mutt else 1


def offer_scoring(game: Game, seat: int) -> Callable[[str], Callable[[Card], int]]:
    """OFFER."""

    def scoring(character: str) -> Callable[[Card], int]:
        if character == "honest":
            return lambda card: -opinion(game, seat, card, seat)
        if character == "strategic":
            return lambda card: -opinion(game, seat, card, seat) * card.badges
        return lambda card: -card.turds

    return scoring


def nominate_scoring(game: Game, seat: int, question: Card) -> Callable[[str], Callable[[tuple[int, int]], int]]:
    """NOMINATE: what a pair scores is the sum of what its two seats are worth."""

    def scoring(character: str) -> Callable[[tuple[int, int]], int]:
        if character == "strategic" and question.is_mutt:
            return lambda pair: -off_the_middle(game, pair[0]) - off_the_middle(game, pair[1])
        worth = nominee_worth(game, seat, question, character)
        return lambda pair: worth(pair[0]) + worth(pair[1])

    return scoring


def off_the_middle(game: Game, seat: int) -> int:
    """d(q)."""
    fewer = [other for other in game.seats if game.total(other) < game.total(seat)]
    more = [other for other in game.seats if game.total(other) > game.total(seat)]
    return abs(len(fewer) - len(more))


def nominee_worth(game: Game, seat: int, question: Card, character: str) -> Callable[[int], int]:
    """How much a policy wants a nominee to get the active card: VOTE, TIEBREAK and, but for mutts, NOMINATE."""
    if character == "honest":
        return lambda nominee: opinion(game, seat, question, nominee)
    if character == "strategic":
        return lambda nominee: -game.total(nominee)
    return lambda nominee: sign(question) * game.total(nominee)


def vote_scoring(
    game: Game, seat: int, question: Card, nominees: tuple[int, int]
) -> Callable[[str], Callable[[tuple[Card, int]], int]]:
    """VOTE."""

    def scoring(character: str) -> Callable[[tuple[Card, int]], int]:
        worth_of = nominee_worth(game, seat, question, character)
        worth = {nominee: worth_of(nominee) for nominee in nominees}
        difference = max(worth.values()) - min(worth.values())
        votes_strongly = difference > ONE if character == "honest" else question.badges >= 2

        def score(choice: tuple[Card, int]) -> int:
            card, nominee = choice
            if worth[nominee] < max(worth.values()):
                return -100
            return 100 + card.turds if votes_strongly else 100 - card.turds

        return score

    return scoring


def tiebreak_scoring(game: Game, seat: int, question: Card) -> Callable[[str], Callable[[int], int]]:
    """TIEBREAK."""
    return lambda character: nominee_worth(game, seat, question, character)


def second_scoring(character: str) -> Callable[[Second], int]:
    """SECOND."""
    is_honest = character == "honest"

    def score(choice: Second) -> int:
        if choice is None:
            return -100 if is_honest else 0
        source, card = choice
        if source == HAND:
            return card.badges
        if card.is_mutt and not is_honest:
            return -100 + card.badges
        return 100 + card.badges

    return score


# What is recorded: E2 to E4


def within(low: int, value: int, high: int) -> int:
    """Floor and ceiling of a column."""
    return max(low, min(value, high))


def margin_of(totals: Sequence[int]) -> int:
    """The highest total minus the next lower one; 0 if all are equal."""
    lower = [total for total in totals if total < max(totals)]
    return max(totals) - max(lower) if lower else 0


def mask(game: Game, cards: Sequence[Card]) -> int:
    """E4."""
    return sum(2**k for k, kind in enumerate(game.kinds) if any(card.kind == kind for card in cards))


def reputation_place(game: Game, seat: int) -> int:
    """E3: the first place that a seat's reputation has in the list of all, the highest first; 0 without reputations."""
    if game.options["reputation_sd"] == "0":
        return 0
    best_first = sorted((reputation(game, other) for other in game.seats), reverse=True)
    return 1 + best_first.index(reputation(game, seat))


def columns_of(game: Game) -> dict[str, int]:
    """E2."""
    totals = [game.total(seat) for seat in game.seats]
    scored = [card for cards in game.scored for card in cards]
    enough = len(game.seats) * (game.hand_size + 4)
    return {
        "end_reason": END_REASON[game.end_reason],
        "decisions": sum(game.decisions),
        "forced_decisions": sum(game.forced_decisions),
        "turns": game.turns,
        "turns_skipped": game.turns_skipped,
        "first_ties": game.first_ties,
        "second_questions": sum(game.second_questions),
        "second_from_scored": game.second_from[SCORED],
        "second_from_hand": game.second_from[HAND],
        "second_declined": game.second_declined,
        "second_ties": game.second_ties,
        "badges_shed": within(-20, sum(game.badges_shed), 100),
        "reshuffles": min(game.reshuffles, 60),
        "offers_missed": min(game.offers_missed, 100),
        "votes_missed": min(game.votes_missed, 100),
        "short_hands": min(game.short_hands, 100),
        "early_draws": min(game.early_draws, 50),
        "scored_cards": len(scored),
        "scored_mutts": sum(1 for card in scored if card.is_mutt),
        "highest_score": max(totals),
        "lowest_score": min(totals),
        "margin": margin_of(totals),
        "losers": len(game.losers()),
        "limit_turn": game.limit_turn,
        "deck_shortfall": max(0, enough - len(game.deck)),
    }


def player_of(game: Game, seat: int) -> dict[str, int]:
    """E3 and E4."""
    return {
        "turn_order": game.turn_order(seat),
        "lost": int(seat in game.losers()),
        "decisions": game.decisions[seat],
        "forced_decisions": game.forced_decisions[seat],
        "score": game.total(seat),
        "rank": 1 + sum(1 for other in game.seats if game.total(other) < game.total(seat)),
        "scored_cards": min(len(game.scored[seat]), 40),
        "nominations": min(game.nominations[seat], 40),
        "offers_taken": min(game.offers_taken[seat], 20),
        "second_questions": min(game.second_questions[seat], 15),
        "badges_shed": within(-10, game.badges_shed[seat], 30),
        "reputation": reputation_place(game, seat),
        "opening_cards": mask(game, game.opening[seat]),
        "drawn_cards": mask(game, game.drawn[seat]),
        "played_cards": mask(game, game.played[seat]),
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
    game.tell_end()
    return Playout(columns_of(game), [player_of(game, seat) for seat in game.seats], game.story)
