"""Granny Wars: secret piles, tit for tat. See RULES.md."""

from simkit.games.granny_wars.options import OPTIONS
from simkit.spec import Column, GameSpec, Policy, Standing

PLAYERS = (2, 3, 4, 5, 6, 7, 8)

SPEC = GameSpec(
    package=__name__,
    name="granny_wars",
    title="Granny Wars",
    about="Everybody secretly owns one of the piles; good and bad cards are played on any of them, equal and opposite "
    "cards bounce, Gold cards do more. Two to eight players.",
    rules_version=1,
    players=PLAYERS,
    headline="whoever goes first wins",
    cards="cards of the play deck",
    standing=Standing(
        "sum of the numbers in the own pile", "points", "none", 3,
        "Nobody knows whose pile is whose: this is the true lead, which no player sees.",
    ),
    options=OPTIONS,
    policies=(
        Policy("random", 0, "any legal choice, all equally likely"),
        Policy("open", 1, "good cards on its own pile, bad ones on the pile that looks best, without hiding"),
        Policy("stealth", 2, "hides its own pile behind a decoy at first, keeps its best cards for last"),
        Policy("spoiler", 3, "hides like stealth, and aims bad cards at the pile the likely leader seems to own"),
    ),
    line_ups={n: (("random",) * n, ("open",) * n) for n in PLAYERS},
    columns=(
        Column("end_reason", 0, 1, "why the game ended", words=("truncated", "all_played")),
        Column("decisions", 0, 400, "decisions of all seats", "decisions"),
        Column("forced_decisions", 0, 400, "decisions with a single choice", "decisions"),
        Column("winners", 0, 8, "seats that win"),
        Column("tie_stage", 0, 2, "0 one highest score, 1 fewest cards decided, 2 still tied"),
        Column("winning_score", -160, 160, "score of the winners", "points"),
        Column("lowest_score", -160, 160, "lowest score of a seat", "points"),
        Column("turns", 0, 80, "turns taken", "turns"),
        Column("cards_played", 0, 80, "cards placed from a hand", "cards"),
        Column("bounces", 0, 80, "cards that bounced", "cards"),
        Column("extra_faceup", 0, 80, "extra cards played face up", "cards"),
        Column("extra_facedown", 0, 80, "extra cards played face down", "cards"),
        Column("extras_declined", 0, 80, "extra cards declined", "cards"),
        Column("steals", 0, 80, "cards stolen", "cards"),
        Column("hand_swaps", 0, 80, "swaps of hand cards", "swaps"),
        Column("top_swaps", 0, 80, "swaps of pile tops", "swaps"),
        Column("largest_pile", 0, 80, "cards in the largest pile at the end", "cards"),
        Column("first_seat", 0, 7, "the seat that started"),
    ),
    player_columns=(
        Column("turn_order", 0, 7, "position in the order of play"),
        Column("won", 0, 1, "1 if this seat won, alone or with others"),
        Column("decisions", 0, 255, "decisions of this seat", "decisions"),
        Column("forced_decisions", 0, 255, "decisions with a single choice", "decisions"),
        Column("score", -160, 160, "sum of the numbers in the own pile", "points"),
        Column("pile_size", 0, 80, "cards in the own pile at the end", "cards"),
        Column("own_positive", 0, 80, "cards above 0 placed on the own pile", "cards"),
        Column("opening_gold", 0, 15, "Gold cards dealt", "cards", linked="given"),
        Column("opening_sum", -135, 135, "sum of the numbers dealt", "points"),
        Column("leak_middle", 0, 100, "per cent an observer would put on the true pile, half-way", "%"),
        Column("leak_end", 0, 100, "per cent an observer would put on the true pile, at the end", "%"),
    ),
)  # fmt: skip
