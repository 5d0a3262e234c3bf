"""The verdict cards: what a designer reads first. Each is made from intervals held against the margin, and names policies.

A card whose verdict depends on who plays says so and turns grey: one policy's weakness is not the game's imbalance.
"""

from collections.abc import Callable

from simkit.report.cards.fair import fair
from simkit.report.cards.play import choices, dominant
from simkit.report.cards.rest import alerts, card_values, dealt, length
from simkit.report.cards.rules import hard, options, player_counts
from simkit.report.model import Card
from simkit.summary.evidence import Evidence

MAX_CARDS = 8


def cards(evidence: Evidence) -> tuple[Card, ...]:
    """The cards of a report, in their fixed order; a question that the run does not ask has none."""
    made: list[Callable[[Evidence], Card | None]] = [
        fair,
        hard,
        player_counts,
        options,
        choices,
        dominant,
        card_values,
        dealt,
        length,
        alerts,
    ]
    found = [card for make in made if (card := make(evidence)) is not None]
    for least in ("links", "cards"):
        if len(found) > MAX_CARDS:
            found = [card for card in found if card.name != least]
    return tuple(found[:MAX_CARDS])
