"""The verbs of Propuh, by phase of play. Clause numbers are those of RULES.md."""

from simkit.games.propuh.moves.choices import choice_code, count_choices, is_over, seat_to_move
from simkit.games.propuh.moves.record import census, record, redeal_hidden
from simkit.games.propuh.moves.rounds import play_choice
from simkit.games.propuh.moves.setup import deal
from simkit.games.propuh.moves.standing import standing

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
