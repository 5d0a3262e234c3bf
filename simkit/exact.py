"""What a game knows exactly about its own playouts, for the controls of a report: chances, laws, better policies.

A game's `exact.py` holds `chances(options, box, players)`, `laws(options, box, players)`, `seats_alike(options)` and
`STRONGER`, pairs of policies.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Literal


@dataclass(frozen=True)
class Chance:
    """Something that chance alone decides before anybody plays, with its exact probability, and where it is counted.

    of     : 'playout': a column of a playout has one of `values`; 'player': a column of a player has one of them, for each
             position in the turn order; 'card': a player was dealt any of the kinds `values` in the opening hand
    anew   : it is dealt anew in every replicate of a deal
    """

    name: str
    exact: Fraction
    of: Literal["playout", "player", "card"]
    values: tuple[int, ...]
    column: str = ""
    anew: bool = False


@dataclass(frozen=True)
class Law:
    """A sum of counts that is the same in every playout, unless it was cut off.

    terms : what is added up how often: a column of a playout ('rounds'), of all its players together ('player.decisions'),
            an ending ('end_reason=calendar', 1 or 0), or the kinds of cards in all opening hands ('opening_cards')
    """

    name: str
    terms: tuple[tuple[str, int], ...]
    total: int = 0


@dataclass(frozen=True)
class Stronger:
    """A policy that does better than another: for one seat among others alike, for a role, or for a team."""

    policy: str
    against: str


def exactly(marked: int, deck: int, hand: int, found: int) -> Fraction:
    """The chance that a hand holds so many of the marked cards of a deck (hypergeometric)."""
    return Fraction(comb(marked, found) * comb(deck - marked, hand - found), comb(deck, hand))


def any_of(marked: int, deck: int, hand: int) -> Fraction:
    """The chance that a hand holds at least one of them."""
    return 1 - exactly(marked, deck, hand, 0)
