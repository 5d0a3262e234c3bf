"""Propuh: Granny against the draught. See RULES.md."""

from simkit.games.propuh.options import OPTIONS
from simkit.spec import Column, GameSpec, Policy, Standing

GRANNY, PROPUH = "granny", "propuh"

SPEC = GameSpec(
    package=__name__,
    name="propuh",
    title="Propuh",
    about="Granny cooks, sets the table and makes the bed; Propuh, the draught, opens door and window. "
    "Two players, or solo against an automatic Propuh.",
    rules_version=1,
    players=(1, 2),
    roles=(GRANNY, PROPUH),
    headline="Granny wins",
    standing=Standing(
        "share of the own goals reached, in thousandths", "thousandths of the own goals", "all", 125,
        "It says nothing of time: when the cards are gone Propuh wins, however far Granny has come.",
    ),
    options=OPTIONS,
    policies=(
        Policy("random", 0, "any legal choice, all equally likely"),
        Policy("builder", 1, "places tokens where they are still needed, counters when that is worth more", (GRANNY,)),
        Policy("blocker", 2, "counters whenever it can, as cheaply as it can; else dumps its lowest trump", (GRANNY,)),
        Policy("blocker_propuh", 3, "weighs countering Granny against opening door and window", (PROPUH,)),
        Policy("rusher", 4, "opens door and window with its strongest cards and ignores Granny", (PROPUH,)),
    ),
    line_ups={1: (("random",), ("builder",)), 2: (("random", "random"), ("builder", "blocker_propuh"))},
    columns=(
        Column(
            "end_reason", 0, 4, "why the game ended",
            words=("truncated", "granny_goals", "propuh_goals", "both_goals", "exhaustion"),
        ),
        Column("decisions", 0, 255, "decisions of all seats", "decisions"),
        Column("forced_decisions", 0, 255, "decisions with a single choice", "decisions"),
        Column("granny_won", 0, 1, "1 if Granny won"),
        Column("rounds", 1, 64, "rounds begun", "rounds"),
        Column("granny_stove", 0, 9, "Granny tokens on the stove at the end", "tokens"),
        Column("granny_table", 0, 9, "Granny tokens on the table at the end", "tokens"),
        Column("granny_bed", 0, 9, "Granny tokens on the bed at the end", "tokens"),
        Column("propuh_stove", 0, 9, "Propuh tokens on the stove at the end", "tokens"),
        Column("propuh_table", 0, 9, "Propuh tokens on the table (door) at the end", "tokens"),
        Column("propuh_bed", 0, 9, "Propuh tokens on the bed (window) at the end", "tokens"),
        Column("start_tokens", 0, 27, "Propuh tokens before round 1", "tokens"),
        Column("granny_counters", 0, 63, "Propuh cards countered by Granny", "cards"),
        Column("propuh_counters", 0, 63, "Granny cards countered by Propuh", "cards"),
        Column("granny_failed_counters", 0, 63, "Granny's plays on the pending location that were too weak", "cards"),
        Column("propuh_failed_counters", 0, 63, "Propuh's plays on the pending location that were too weak", "cards"),
        Column("granny_placed", 0, 63, "Granny tokens placed during play", "tokens"),
        Column("propuh_placed", 0, 63, "Propuh tokens placed during play", "tokens"),
        Column("granny_disregarded", 0, 63, "Granny tokens that did not fit", "tokens"),
        Column("propuh_disregarded", 0, 63, "Propuh tokens that did not fit", "tokens"),
        Column("tokens_removed", 0, 63, "Propuh tokens removed by the figurine", "tokens"),
        Column("decided_in_round_7", 0, 1, "1 if the game ended in round 7 or later"),
    ),
    player_columns=(
        Column("turn_order", 0, 1, "position in the order of play"),
        Column("won", 0, 1, "1 if this seat won"),
        Column("decisions", 0, 255, "decisions of this seat", "decisions"),
        Column("forced_decisions", 0, 255, "decisions with a single choice", "decisions"),
        Column("cards_played", 0, 63, "cards played from the hand", "cards"),
        Column("opening_stove", 0, 4, "stove cards in the opening hand", "cards", linked="given"),
        Column("opening_fours", 0, 4, "cards of value 4 or more in the opening hand", "cards", linked="given"),
    ),
)  # fmt: skip
