"""The verbs of Purim, by phase of play. Clause numbers are those of RULES.md."""

from simkit.games.purim.moves.choices import choice_code, count_choices, is_over, seat_to_move
from simkit.games.purim.moves.hidden import census, redeal_hidden
from simkit.games.purim.moves.record import record
from simkit.games.purim.moves.standing import standing
from simkit.games.purim.moves.turns import deal, play_choice

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
