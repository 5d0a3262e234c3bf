"""The verbs of Granny Wars, by phase of play. Clause numbers are those of RULES.md."""

from simkit.games.granny_wars.moves.choices import choice_code, count_choices, is_over, seat_to_move
from simkit.games.granny_wars.moves.hidden import census, redeal_hidden
from simkit.games.granny_wars.moves.record import record
from simkit.games.granny_wars.moves.setup import deal
from simkit.games.granny_wars.moves.standing import standing
from simkit.games.granny_wars.moves.turns import play_choice

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
