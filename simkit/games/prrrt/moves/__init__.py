"""The verbs of PRRRT..., by part of a round. Clause numbers are those of RULES.md."""

from simkit.games.prrrt.moves.choices import choice_code, count_choices, is_over, seat_to_move
from simkit.games.prrrt.moves.hidden import census, redeal_hidden
from simkit.games.prrrt.moves.record import record
from simkit.games.prrrt.moves.rounds import play_choice
from simkit.games.prrrt.moves.setup import deal
from simkit.games.prrrt.moves.standing import standing

__all__ = [
    "census",
    "choice_code",
    "count_choices",
    "deal",
    "is_over",
    "play_choice",
    "record",
    "redeal_hidden",
    "seat_to_move",
    "standing",
]
