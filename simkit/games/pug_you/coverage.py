"""What shows that the rules of Pug You! come into play, clause by clause of RULES.md."""

from typing import Any

from simkit.coverage import Coverage, DecisionKind, Ending, Event, InColumn, Shown, Supply, Unseen
from simkit.games.pug_you import LOW
from simkit.games.pug_you.state import (
    AGAIN_CODE,
    CHOOSE_CODE,
    DECLINE_CODE,
    NOMINATE_CODE,
    OWN_CODE,
    TIEBREAK_CODE,
    VOTE_CODE,
)
from simkit.games.pug_you.story import (
    ASKS_AGAIN,
    BEGINS,
    COUNTED,
    DEALT,
    DECIDES,
    DECLINES,
    DRAWS,
    LIMIT,
    LOSES,
    NO_CARD_FOR_SECOND,
    NO_OFFER,
    NO_VOTE,
    NOMINATES,
    OFFERS,
    SHORT,
    SHUFFLED,
    SKIPPED,
    TAKES,
    TAKES_OFFER,
    VOTES,
)
from simkit.kernel.drive import DECISION

Options = dict[str, tuple[str | int | bool, ...]]
ASKED: Options = {"second_question": ("mandatory", "optional")}
ROUNDS: Options = {"end_mode": ("two_rounds",)}
SCORED_ONLY = 2  # position of scored_only among the values of second_source
TO_A_LIMIT = 1  # position of badge_limit among the values of end_mode
TO_THE_LIMIT: Options = {"end_mode": ("badge_limit",)}


def has_mutts(rules: Any) -> bool:
    return any(int(badges) < 0 for badges in rules.badges[: rules.deck_size])


def may_run_short(rules: Any) -> bool:
    """Whether there may be too few cards to fill all hands (B31): not in two rounds with a deck that is large enough."""
    return int(rules.deck_shortfall) > 0 or int(rules.end_mode) == TO_A_LIMIT


SHOWN = (
    Shown("A2", "hands are dealt", (Event(DEALT),)),
    Shown("A3", "a card is offered", (Event(OFFERS),)),
    Shown("A3", "an offer is taken", (Event(TAKES_OFFER),)),
    Shown("A3", "two are nominated", (Event(NOMINATES),)),
    Shown("A3", "votes are cast", (Event(VOTES),)),
    Shown("A3", "a card is scored", (Event(TAKES),)),
    Shown("A3", "a mutt is in front of somebody at the end", InColumn("scored_mutts"), needs=has_mutts),
    Shown("A3", "the active player decides a tie", (Event(DECIDES),)),
    Shown("A3", "a scored card is asked again", (Event(ASKS_AGAIN),), options=ASKED),
    Shown("A3", "a second question is a tie too", InColumn("second_ties"), options=ASKED),
    Shown("A3", "hands are refilled", (Event(DRAWS),)),
    Shown("A3", "the discards are shuffled", (Event(SHUFFLED),)),
    Shown("A4", "everybody has been active twice", Ending("two_rounds"), options=ROUNDS),
    Shown("A4", "the limit of badges ends the game", Ending("badge_limit"), options=TO_THE_LIMIT),
    Shown("A4", "several lose", InColumn("losers", 2)),
    Shown("A4", "a total is below zero", InColumn("lowest_score", LOW, -1), needs=has_mutts),
    Shown("B1", "a second question must be asked", InColumn("second_questions"),
          options={"second_question": ("mandatory",)}),
    Shown("B1", "a second question is declined", (Event(DECLINES),), options={"second_question": ("optional",)}),
    Shown("B2", "a scored card is the second question", InColumn("second_from_scored"), options=ASKED),
    Shown("B2", "a card of the hand is the second question", InColumn("second_from_hand"),
          options={**ASKED, "second_source": ("scored_or_hand", "scored_first")}),
    Shown("B4", "the game ends after two rounds", Ending("two_rounds"), options=ROUNDS),
    Shown("B4", "the game ends by the limit", Ending("badge_limit"), options=TO_THE_LIMIT),
    Shown("B5", "the limit is reached", (Event(LIMIT),), options=TO_THE_LIMIT),
    Shown("B6", "the limit is found to be reached", (Event(LIMIT),), options=TO_THE_LIMIT),
    Shown("B8", "the limit is reached and the round is finished", (Event(LIMIT),),
          options={**TO_THE_LIMIT, "limit_equal_turns": (True,)}),
    Shown("B16", "an offer or a vote is left out for want of a card", (Event(NO_OFFER), Event(NO_VOTE)),
          options={"short_hand": ("skip",)}, needs=may_run_short),
    Shown("B16", "a card is drawn to be used at once", InColumn("early_draws"), options={"short_hand": ("draw_first",)},
          needs=may_run_short),
    Shown("B18", "another seat than the first one begins", (Event(BEGINS, a=(1, 9)),), options={"first_player": ("random",)}),
    Shown("B22", "somebody loses", (Event(LOSES),)),
    Shown("B26", "no card is left", Ending("cards_exhausted"), options=TO_THE_LIMIT),
    Shown("B27", "the discards become a new draw pile", (Event(SHUFFLED),)),
    Shown("B28", "there is no card for a second question", (Event(NO_CARD_FOR_SECOND),), options=ASKED,
          needs=lambda rules: rules.second_source == SCORED_ONLY or may_run_short(rules)),
    Shown("B29", "a card of the own hand is asked, for nobody offers", (Event(DECISION, d=(OWN_CODE, CHOOSE_CODE - 1)),),
          needs=may_run_short),
    Shown("B29", "a turn is skipped", (Event(SKIPPED),), needs=may_run_short),
    Shown("B30", "nobody has a card to vote with", (Event(COUNTED, b=0, d=0),), needs=may_run_short),
    Shown("B31", "a hand cannot be refilled", (Event(SHORT),), needs=may_run_short),
)  # fmt: skip

UNSEEN = (
    Unseen("A1", "a list of components; nothing happens by it"),
    Unseen("A5", "which cards are in the box"),
    Unseen("B3", "a card that may not be asked leaves nothing in a trace"),
    Unseen("B7", "how badges are counted towards the limit"),
    Unseen("B9", "which cards are in the box"),
    Unseen("B10", "which cards are in the box"),
    Unseen("B11", "which cards are in the box"),
    Unseen("B12", "which cards are in the box"),
    Unseen("B13", "only what policies may look at"),
    Unseen("B14", "only what policies may look at"),
    Unseen("B15", "only what policies may look at"),
    Unseen("B17", "the order of some draws"),
    Unseen("B19", "a model of people that policies use"),
    Unseen("B20", "a model of people that policies use"),
    Unseen("B21", "a model of people that policies use"),
    Unseen("B23", "how cards are numbered"),
    Unseen("B24", "what a box of one's own may hold"),
    Unseen("B25", "how seats are counted"),
    Unseen("B32", "which cards are in the box"),
)

DECISIONS = (
    DecisionKind("offer", 0, OWN_CODE - 1),
    DecisionKind("question of the own hand", OWN_CODE, CHOOSE_CODE - 1),
    DecisionKind("choice of an offer", CHOOSE_CODE, NOMINATE_CODE - 1),
    DecisionKind("nomination", NOMINATE_CODE, TIEBREAK_CODE - 1),
    DecisionKind("tie", TIEBREAK_CODE, AGAIN_CODE - 1),
    DecisionKind("second question", AGAIN_CODE, DECLINE_CODE),
    DecisionKind("vote", VOTE_CODE, 2 * VOTE_CODE),
)

SUPPLIES = (
    Supply("pug cards, to refill hands", "cards", lambda rules: int(rules.deck_size),
           short=InColumn("short_hands"), about="a hand could not be refilled"),
    Supply("pug cards, to vote with", "cards", lambda rules: int(rules.deck_size),
           short=InColumn("votes_missed"), about="somebody had no card to vote with"),
)  # fmt: skip

COVERAGE = Coverage(SHOWN, UNSEEN, DECISIONS, SUPPLIES)
