"""What shows that the rules of Granny Wars come into play, clause by clause of RULES.md."""

from collections.abc import Callable
from typing import Any

from simkit.coverage import Coverage, DecisionKind, Ending, Event, InColumn, Shown, Unseen
from simkit.games.granny_wars.box import (
    EXTRA_FACEDOWN,
    EXTRA_FACEUP,
    KINDS,
    MAX_SCORE,
    MAX_VALUE,
    NUMBERED,
    SWAP_HAND,
    SWAP_TOPS,
)
from simkit.games.granny_wars.box import STEAL as STEAL_POWER
from simkit.games.granny_wars.state import (
    BOUNCE,
    DECLINE_CODE,
    EXTRA,
    GIVE,
    PHASE_CODE,
    PLACE,
    RETURN,
    STEAL,
    STOLEN,
    SWAP,
    TOPS,
)
from simkit.games.granny_wars.story import (
    BOUNCED,
    DEALT,
    GIVEN,
    KEPT,
    NO_EXTRA,
    NO_STEAL,
    NO_SWAP,
    PHASES,
    PLACED,
    SCORED,
    STARTS,
    STILL_TIED,
    STOLEN_CARD,
    SWAPPED_TOPS,
    TIED,
    UNOWNED,
)
from simkit.kernel.drive import DECISION

GOLD = (NUMBERED, KINDS - 1)
FACE_UP, EXTRA_UP, EXTRA_DOWN = 0, 1, 2  # how a card is placed
WITH_DUMMIES = (2, 3, 4, 5, 6, 7)


def in_phase(phase: int) -> tuple[int, int]:
    """The choice codes of a phase."""
    return PHASE_CODE * phase, PHASE_CODE * phase + DECLINE_CODE


def has_power(*powers: int) -> Callable[[Any], bool]:
    """Whether a card of the deck has one of these powers."""
    return lambda rules: any(int(rules.power[kind]) in powers for kind in rules.cards[: rules.deck_size])


def has_gold(rules: Any) -> bool:
    return any(int(kind) >= NUMBERED for kind in rules.cards[: rules.deck_size])


EXTRAS = has_power(EXTRA_FACEUP, EXTRA_FACEDOWN)
BOUNCING: dict[str, tuple[str | int | bool, ...]] = {"bounce": ("on",)}

SHOWN = (
    Shown("A2", "hands are dealt", (Event(DEALT),)),
    Shown("A2", "a pile has no owner", (Event(UNOWNED),), players=WITH_DUMMIES),
    Shown("A3", "a card is played", (Event(PLACED, d=FACE_UP),)),
    Shown("A4", "a card bounces", (Event(BOUNCED),), options=BOUNCING),
    Shown("A5", "an extra card is played face up", (Event(PLACED, d=EXTRA_UP),), needs=has_power(EXTRA_FACEUP)),
    Shown("A5", "an extra card is played face down", (Event(PLACED, d=EXTRA_DOWN),), needs=has_power(EXTRA_FACEDOWN)),
    Shown("A5", "a card is stolen", (Event(STOLEN_CARD),), needs=has_power(STEAL_POWER)),
    Shown("A5", "a Gold card is stolen", (Event(STOLEN_CARD, b=GOLD),), needs=has_power(STEAL_POWER)),
    Shown("A5", "cards of two hands change places", (Event(GIVEN),), needs=has_power(SWAP_HAND)),
    Shown("A5", "tops of two piles change places", (Event(SWAPPED_TOPS),), needs=has_power(SWAP_TOPS)),
    Shown("A6", "all cards are played and the piles are scored", Ending("all_played")),
    Shown("A6", "the fewest cards decide a tie", (Event(TIED),)),
    Shown("A6", "a negative score wins", InColumn("winning_score", -MAX_SCORE, -1)),
    Shown("A6", "an empty pile is scored", (Event(SCORED, c=0),)),
    Shown("B1", "a stolen card is played at once", (Event(DECISION, d=in_phase(PLACE)),), needs=has_power(STEAL_POWER)),
    Shown("B1", "a stolen card is kept", (Event(KEPT),), options={"steal_card": ("to_hand_unless_gold",)},
          needs=has_power(STEAL_POWER)),
    Shown("B2", "a card is stolen blind", (Event(STOLEN_CARD),), options={"steal_pick": ("random",)},
          needs=has_power(STEAL_POWER)),
    Shown("B2", "a thief chooses the card", (Event(DECISION, d=in_phase(STOLEN)),),
          options={"steal_pick": ("thief_sees_hand",)}, needs=has_power(STEAL_POWER)),
    Shown("B3", "an extra card is declined", (Event(NO_EXTRA),), options={"extra_optional": (True,)}, needs=EXTRAS),
    Shown("B3", "an extra card must be played", (Event(PLACED, d=(EXTRA_UP, EXTRA_DOWN)),),
          options={"extra_optional": (False,)}, needs=EXTRAS),
    Shown("B5", "a face-down card bounces", (Event(BOUNCED, c=1),),
          options={"facedown_bounce": ("owner_number",), **BOUNCING}, needs=has_power(EXTRA_FACEDOWN)),
    Shown("B6", "a steal is declined", (Event(NO_STEAL),), options={"steal_optional": (True,)},
          needs=has_power(STEAL_POWER)),
    Shown("B7", "a swap is declined", (Event(NO_SWAP),), options={"swap_optional": (True,)},
          needs=has_power(SWAP_HAND, SWAP_TOPS)),
    Shown("B9", "a numbered 0 bounces", (Event(BOUNCED, a=MAX_VALUE),), options={"zero_bounces": (True,), **BOUNCING},
          needs=lambda rules: MAX_VALUE in rules.cards[: rules.deck_size]),
    Shown("B11", "score and number of cards are tied", (Event(STILL_TIED),)),
    Shown("B12", "another seat than the first one starts", (Event(STARTS, a=(1, 7)),), options={"first_player": ("random",)}),
    Shown("B17", "extra_faceup and extra_facedown happen", (Event(DECISION, d=in_phase(EXTRA)),), needs=EXTRAS),
    Shown("B17", "steal happens", (Event(DECISION, d=in_phase(STEAL)),), needs=has_power(STEAL_POWER)),
    Shown("B17", "swap_hand happens", (Event(DECISION, d=in_phase(SWAP)),), needs=has_power(SWAP_HAND)),
    Shown("B17", "swap_tops happens", (Event(DECISION, d=in_phase(TOPS)),), needs=has_power(SWAP_TOPS)),
    Shown("B18", "a Gold card is played face down", (Event(PLACED, b=GOLD, d=EXTRA_DOWN),),
          needs=has_power(EXTRA_FACEDOWN)),
    Shown("B19", "a pile is chosen for a card that bounces", (Event(DECISION, d=in_phase(BOUNCE)),), options=BOUNCING),
    Shown("B22", "a stolen card is placed", (Event(DECISION, d=in_phase(PLACE)),), needs=has_power(STEAL_POWER)),
    Shown("B23", "a card is offered in a swap", (Event(DECISION, d=in_phase(GIVE)),), needs=has_power(SWAP_HAND)),
    Shown("B23", "a card is given back in a swap", (Event(DECISION, d=in_phase(RETURN)),), needs=has_power(SWAP_HAND)),
    Shown("B24", "one of those with the same score wins by fewer cards", InColumn("tie_stage", 1, 1)),
    Shown("B27", "a Gold card is dealt", (Event(DEALT, b=GOLD),), needs=has_gold),
)  # fmt: skip

UNSEEN = (
    Unseen("A1", "a list of components; nothing happens by it"),
    Unseen("B4", "a trace does not tell which card allowed an extra one"),
    Unseen("B8", "the order of two steps"),
    Unseen("B10", "two alike cards that cross look like one that comes back"),
    Unseen("B13", "takes powers away: see A5 for what they do"),
    Unseen("B14", "takes bouncing away: see A4 for what it does"),
    Unseen("B15", "which cards are in the box"),
    Unseen("B16", "which cards are in the box"),
    Unseen("B20", "which cards are alike"),
    Unseen("B21", "a player who is skipped leaves nothing in a trace"),
    Unseen("B25", "how turns are numbered"),
    Unseen("B26", "what players may remember"),
    Unseen("B28", "which cards are in the box"),
)

DECISIONS = tuple(DecisionKind(name, *in_phase(phase)) for phase, name in PHASES.items())

COVERAGE = Coverage(SHOWN, UNSEEN, DECISIONS)  # no supply: all that is used is dealt at the setup
