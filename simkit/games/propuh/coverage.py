"""What shows that the rules of Propuh come into play, clause by clause of RULES.md."""

from simkit.coverage import Coverage, DecisionKind, Ending, Event, InColumn, Shown, Supply, Unseen
from simkit.games.propuh.box import KINDS, LOCATIONS, MAX_VALUE
from simkit.games.propuh.story import (
    ASIDE,
    COUNTERED,
    DEALT,
    DIFFICULTY,
    DIFFICULTY_CARD,
    DRAWN,
    KEPT,
    NOT_COUNTERED,
    REMOVED,
    TURNED_UP,
    WASTED,
)
from simkit.kernel.drive import DECISION

SOLO, TWO = (1,), (2,)
GRANNY, PROPUH = 0, 1
FIGURINES, REMOVALS = (0, 2), (100, 101)  # choice codes, RULES.md C


def code_of(kind: int, location: int) -> int:
    return 10 + 3 * kind + location


EVERYWHERE = [(kind, location) for kind in range(KINDS) for location in range(len(LOCATIONS))]
TRUMPS = tuple(Event(DECISION, d=code_of(kind, place)) for kind, place in EVERYWHERE if kind // MAX_VALUE == place)
OTHERS = tuple(Event(DECISION, d=code_of(kind, place)) for kind, place in EVERYWHERE if kind // MAX_VALUE != place)
ELSEWHERE = tuple(
    Event(TURNED_UP, a=(MAX_VALUE * suit, MAX_VALUE * suit + MAX_VALUE - 1), b=place)
    for suit in range(len(LOCATIONS))
    for place in range(len(LOCATIONS))
    if suit != place
)

SHOWN = (
    Shown("A2", "a token is placed", (Event(NOT_COUNTERED, d=(1, 9)),)),
    Shown("A2", "a token does not fit", (Event(NOT_COUNTERED, d=0),)),
    Shown("A3", "a trump is played from a hand", TRUMPS),
    Shown("A3", "a card that is no trump is played from a hand", OTHERS),
    Shown("A4", "both are dealt a hand", (Event(DEALT, a=PROPUH),), players=TWO),
    Shown("A5", "Granny chooses where the figurine stands", (Event(DECISION, a=GRANNY, d=FIGURINES),)),
    Shown("A5", "the figurine removes a Propuh token", (Event(REMOVED),)),
    Shown("A5", "Granny draws new cards", (Event(DRAWN, a=GRANNY),)),
    Shown("A5", "Propuh draws new cards", (Event(DRAWN, a=PROPUH),), players=TWO),
    Shown("A6", "a card is countered", (Event(COUNTERED),)),
    Shown("A6", "a card is not countered", (Event(NOT_COUNTERED),)),
    Shown("A6", "a counter is too weak", InColumn("granny_failed_counters"),
          options={"failed_counter": ("stays", "discarded")}),
    Shown("A7", "Granny reaches her goals", Ending("granny_goals")),
    Shown("A7", "Propuh reaches his goals", Ending("propuh_goals")),
    Shown("A8", "two cards are set aside", (Event(ASIDE),), players=SOLO),
    Shown("A8", "Propuh starts with tokens", (Event(DIFFICULTY), Event(DIFFICULTY_CARD)), players=SOLO,
          options={"difficulty": ("2", "3", "random")}),
    Shown("A9", "Propuh's card counters", InColumn("propuh_counters"), players=SOLO),
    Shown("A9", "Propuh's card goes to another location than its own", ELSEWHERE, players=SOLO),
    Shown("B1", "a counter that is too weak stays on the table", InColumn("granny_failed_counters"),
          options={"failed_counter": ("stays",)}),
    Shown("B1", "a counter that is too weak is discarded", (Event(WASTED),), options={"failed_counter": ("discarded",)}),
    Shown("B3", "a token is removed in every case", (Event(REMOVED),), options={"figurine_removal": ("always",)}),
    Shown("B3", "a token is removed after a move of the figurine", (Event(REMOVED),),
          options={"figurine_removal": ("only_if_moved",)}),
    Shown("B4", "Granny keeps a token that she could remove", (Event(KEPT),),
          options={"figurine_removal_choice": ("optional",)}),
    Shown("B13", "a fixed difficulty places tokens", (Event(DIFFICULTY),), players=SOLO,
          options={"difficulty": ("2", "3")}),
    Shown("B14", "difficulty cards are turned up", (Event(DIFFICULTY_CARD),), players=SOLO,
          options={"difficulty": ("random",)}),
    Shown("B16", "both reach their goals at the same check", Ending("both_goals")),
    Shown("B18", "the cards run out", Ending("exhaustion")),
    Shown("B19", "Granny is dealt cards after a round", (Event(DRAWN, a=GRANNY),)),
)  # fmt: skip

UNSEEN = (
    Unseen("A1", "a list of components; nothing happens by it"),
    Unseen("B2", "a trace tells the card that is countered, not how strong the other one was"),
    Unseen("B5", "the first move of the figurine hides where it stood"),
    Unseen("B6", "a trace does not tell at which moment of a round the goals were checked"),
    Unseen("B7", "a trace does not tell whether goals were reached together with the last cards"),
    Unseen("B8", "a trace tells where Propuh's card goes, not why"),
    Unseen("B9", "a trace tells where Propuh's card goes, not why"),
    Unseen("B10", "a trace tells where Propuh's card goes, not why"),
    Unseen("B11", "a trace tells where Propuh's card goes, not why"),
    Unseen("B12", "only what policies may look at"),
    Unseen("B15", "which cards are in the box"),
    Unseen("B17", "a play that does not happen leaves nothing in a trace"),
    Unseen("B20", "how seats are numbered"),
    Unseen("B21", "the order of two steps at the end of a round"),
    Unseen("B22", "a token of the difficulty that does not fit leaves nothing in a trace"),
)

DECISIONS = (
    DecisionKind("figurine", *FIGURINES),
    DecisionKind("card and location", code_of(0, 0), code_of(KINDS - 1, len(LOCATIONS) - 1)),
    DecisionKind("removal of a token", *REMOVALS),
)


SUPPLIES = (
    Supply("places for Granny tokens", "places", lambda rules: int(rules.limit[GRANNY].sum()),
           short=InColumn("granny_disregarded"), about="a token did not fit on its track"),
    Supply("places for Propuh tokens", "places", lambda rules: int(rules.limit[PROPUH].sum()),
           short=InColumn("propuh_disregarded"), about="a token did not fit on its track"),
)  # fmt: skip

COVERAGE = Coverage(SHOWN, UNSEEN, DECISIONS, SUPPLIES)
