"""What is known exactly of Purim: opening hands, abilities in force, and what is counted by seat."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from simkit.exact import Chance, Law, Stronger, any_of
from simkit.games.purim import MESSENGERS, PROVINCES, SONS
from simkit.games.purim.box import action_cards, card_names, link_names
from simkit.spec import Value

STRONGER = (Stronger("greedy", "random"),)


def seats_alike(options: Mapping[str, Value]) -> bool:
    """All win or lose together."""
    return False


def dealt(box: Mapping[str, Any], players: int) -> int:
    """Cards of an opening hand, both hands of two players."""
    line = next(line for line in box["deal"]["tables"] if line["players"] == players)
    return int(line["hands"] * line["hand"])


def chances(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Chance]:
    deck, hand, said = len(action_cards(box)), dealt(box, players), link_names(box)
    for kind, name in enumerate(card_names(box)):
        yield Chance(f"{name} in the opening hand", any_of(1, deck, hand), "card", (kind,), anew=True)
    in_force = Fraction(int(options["messenger_cards"]), MESSENGERS)
    for i in range(1, MESSENGERS + 1):
        column = f"messenger_card_{i}"
        yield Chance(f"{said[column]} in force", in_force, "playout", (1,), column)
    in_force = Fraction(sons_cards(options), SONS)
    for i in range(1, SONS + 1):
        column = f"sons_card_{i}"
        yield Chance(f"{said[column]} in force", in_force, "playout", (1,), column)


def sons_cards(options: Mapping[str, Value]) -> int:
    """Sons cards in force in the first round: the extra ones and its own, as far as there are any."""
    return min(int(options["extra_sons_cards"]) + 1, SONS) if options["advanced"] else 0


def laws(options: Mapping[str, Value], box: Mapping[str, Any], players: int) -> Iterator[Law]:
    yield Law("all win or lose together", (("player.won", 1), ("team_won", -players)))
    messengers = tuple((f"messenger_card_{i}", 1) for i in range(1, MESSENGERS + 1))
    yield Law("Messenger cards in force", messengers, int(options["messenger_cards"]))
    yield Law("Sons cards in force", tuple((f"sons_card_{i}", 1) for i in range(1, SONS + 1)), sons_cards(options))
    unsafe = tuple((f"unsafe_{i}", -1) for i in range(1, PROVINCES + 1))
    yield Law("unsafe Provinces are named", (("unsafe_provinces", 1), *unsafe))
    yield Law("resolutions are counted with the seat", (("resolutions", 1), ("player.resolutions", -1)))
    yield Law("End Effects are counted with the seat", (("end_effects", 1), ("player.end_effects", -1)))
    yield Law("all opening hands are full", (("opening_cards", 1),), players * dealt(box, players))
