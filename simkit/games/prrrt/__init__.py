"""PRRRT...: who owns up, who denies, who pays. See RULES.md."""

from simkit.games.prrrt.options import OPTIONS
from simkit.spec import Column, GameSpec, Policy, Standing

PLAYERS = (3, 4, 5, 6, 7)
POINTS = 400  # all shame points of the largest Shame deck
ROUNDS = 10  # as many as there can be Location cards
EFFECTS = (3, 4, 5, 6, 7)
# Decisions of a seat in a round: three questions with an answer and at most a 5, nine 5s more in a chain, and the three
# decisions of a 6; and an accusation. Forced ones: the same without answers and accusation.
SEAT_DECISIONS = 3 * (1 + 1 + 9 + 3) + 1
SEAT_FORCED = 3 * (1 + 9 + 3)
SEATS = max(PLAYERS)

SPEC = GameSpec(
    package=__name__,
    name="prrrt",
    title="PRRRT...",
    about="Somebody has polluted the air. Deny it, own up, or point at somebody else: the highest shame loses. "
    "Three to seven players.",
    rules_version=1,
    players=PLAYERS,
    headline="the first player loses",
    cards="Smell cards of the first round's hand",
    standing=Standing(
        "Shame points in the own pile", "points", "partly", 8,
        "Piles lie face down: the others see how many cards, not how many points.",
    ),
    options=OPTIONS,
    policies=(
        Policy("random", 0, "any legal choice, all equally likely; owns up at every other question"),
        Policy("denier", 1, "never owns up, points at the largest estimate if it exceeds its own"),
        Policy("threshold_3", 2, "owns up from tour 2 on if its estimate exceeds all others by more than 3"),
        Policy("threshold_6", 3, "owns up from tour 2 on if its estimate exceeds all others by more than 6"),
        Policy("threshold_9", 4, "owns up from tour 2 on if its estimate exceeds all others by more than 9"),
        Policy("bayes", 5, "imagines hands that agree with what it knows and weighs owning up against denying", costly=True),
        Policy("silent", 6, "never owns up and never points at anybody"),
        Policy("careless", 7, "owns up now and then (own_up_probability), else any legal choice"),
    ),
    line_ups={n: (("random",) * n, ("careless",) * n, ("threshold_6",) * n) for n in PLAYERS},
    columns=(
        Column(
            "end_reason", 0, 4, "why the game ended",
            words=("truncated", "contexts", "indicator", "both", "exhausted"),
        ),
        Column("decisions", 0, ROUNDS * SEATS * SEAT_DECISIONS, "decisions of all seats", "decisions"),
        Column("forced_decisions", 0, ROUNDS * SEATS * SEAT_FORCED, "decisions with a single choice", "decisions"),
        Column("rounds", 1, ROUNDS, "rounds begun", "rounds"),
        *(Column(f"own_ups_{t}", 0, ROUNDS, f"rounds that ended by owning up in tour {t}", "rounds") for t in (1, 2, 3)),
        *(
            Column(f"own_up_points_{t}", 0, POINTS, f"points taken by owning up in tour {t}", "points")
            for t in (1, 2, 3)
        ),
        Column("revelations", 0, ROUNDS, "rounds that came to a revelation", "rounds"),
        Column("ties", 0, ROUNDS, "revelations in which the largest total was shared", "rounds"),
        Column("five_zeros", 0, ROUNDS, "revelations in which somebody showed five zeros", "rounds"),
        Column("correct_accusations", 0, ROUNDS * SEATS, "accusations of somebody responsible", "accusations"),
        Column("wrong_accusations", 0, ROUNDS * SEATS, "accusations of somebody else", "accusations"),
        Column("abstentions", 0, ROUNDS * SEATS, "seats that pointed at nobody", "accusations"),
        *(
            Column(f"revealed_{v}", 0, 3 * ROUNDS * SEATS, f"cards of value {v} turned up by denials", "cards")
            for v in EFFECTS
        ),
        *(
            Column(
                f"effects_{v}", 0, 300 if v == 5 else 3 * ROUNDS * SEATS, f"effects of a {v} that did something", "effects"
            )
            for v in EFFECTS
        ),
        *(
            Column(f"revealers_{v}", 0, ROUNDS * SEATS, f"seats with a {v} turned up, in rounds with a revelation", "seats")
            for v in EFFECTS
        ),
        *(
            Column(f"culprits_{v}", 0, ROUNDS * SEATS, "those of them that were responsible in that round", "seats")
            for v in EFFECTS
        ),
        Column("culprit_points", 0, POINTS, "points taken from the centre by culprits", "points"),
        Column("finger_points", 0, POINTS, "points drawn for fingers pointed at culprits", "points"),
        Column("wrong_points", 0, POINTS, "points drawn for wrong accusations", "points"),
        Column("moved_points", 0, POINTS, "points that changed piles by a 3 (at most 400 are counted)", "points"),
        Column("totals", 0, ROUNDS * SEATS * 45, "sum over revelations and seats of the totals", "smell"),
        Column("culprit_totals", 0, ROUNDS * 45, "sum over revelations of the culprit's total", "smell"),
        Column("highest_culprit_total", 0, 45, "the largest total of a culprit", "smell"),
        Column("highest_score", 0, POINTS, "highest score at the end", "points"),
        Column("lowest_score", 0, POINTS, "lowest score at the end", "points"),
        Column("losers", 1, SEATS, "seats that share the highest score", "seats"),
        Column("shame_drawn", 0, 96, "Shame cards taken from the deck", "cards"),
        Column("shame_missing", 0, 20 * ROUNDS, "Shame cards that were due when the deck was empty", "cards"),
        Column("indicator_drawn", 0, 1, "1 if the sideways card was drawn"),
        Column("decided_by_effect_3", 0, 1, "1 if others would have lost without the effects of the 3s"),
    ),
    player_columns=(
        Column("turn_order", 0, SEATS - 1, "position in the first round, in its direction; 0 is the first player"),
        Column("lost", 0, 1, "1 if among the losers"),
        Column("decisions", 0, ROUNDS * SEAT_DECISIONS, "decisions of this seat", "decisions"),
        Column("forced_decisions", 0, ROUNDS * SEAT_FORCED, "decisions with a single choice", "decisions"),
        Column("score", 0, POINTS, "shame points at the end", "points"),
        Column("rank", 1, SEATS, "1 is the lowest score"),
        Column("times_culprit", 0, ROUNDS, "rounds in which this seat was responsible after a revelation", "rounds"),
        Column("times_owned_up", 0, ROUNDS, "rounds in which this seat owned up", "rounds"),
        Column("correct_accusations", 0, ROUNDS, "accusations of somebody responsible", "accusations"),
        Column("wrong_accusations", 0, ROUNDS, "accusations of somebody else", "accusations"),
        Column("abstentions", 0, ROUNDS, "revelations in which this seat pointed at nobody", "accusations"),
        Column("centre_points", 0, 200, "points taken from the centre (at most 200 are counted)", "points"),
        Column("finger_points", 0, 100, "points drawn for fingers (at most 100 are counted)", "points"),
        Column("wrong_points", 0, 100, "points drawn for wrong accusations (at most 100 are counted)", "points"),
        Column("gained_points", 0, 100, "points that came into the pile by a 3 (at most 100 are counted)", "points"),
        Column("given_points", 0, 100, "points that went out of the pile by a 3 (at most 100 are counted)", "points"),
        Column("pile_cards", 0, 96, "Shame cards at the end", "cards"),
    ),
)  # fmt: skip
