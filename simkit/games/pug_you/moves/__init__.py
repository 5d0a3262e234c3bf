"""The verbs of Pug You!, by phase of play. Clause numbers are those of RULES.md."""

from simkit.games.pug_you.moves.choices import choice_code, count_choices, is_over, seat_to_move
from simkit.games.pug_you.moves.hidden import census, redeal_hidden
from simkit.games.pug_you.moves.record import record
from simkit.games.pug_you.moves.setup import deal
from simkit.games.pug_you.moves.standing import standing
from simkit.games.pug_you.moves.turns import play_choice

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
