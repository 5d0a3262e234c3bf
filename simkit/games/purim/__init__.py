"""Purim: messengers against the sons of Haman, together. See RULES.md."""

from simkit.games.purim.options import OPTIONS
from simkit.spec import Column, GameSpec, Policy, Standing

PLAYERS = (1, 2, 3, 4)
DECISIONS = 600  # a playout that comes to as many is broken off
MESSENGERS, SONS, PROVINCES = 5, 10, 20
CUBES = 60  # of a colour, in the largest box

SPEC = GameSpec(
    package=__name__,
    name="purim",
    title="Purim",
    about="Messengers carry good news through the provinces of Persia while the ten sons of Haman spread bad news; every "
    "card does both. Won or lost together, one to four players.",
    rules_version=1,
    players=PLAYERS,
    headline="the team wins",
    cooperative=True,
    cards="Action cards of the first round's hands",
    standing=Standing(
        "black cubes too many, over all unsafe Provinces, counted below 0",
        "cubes",
        "all",
        2,
        "It says nothing of the cubes and the time that are left.",
    ),
    options=OPTIONS,
    policies=(
        Policy("random", 0, "any legal choice, all equally likely"),
        Policy("greedy", 1, "tries out what it can do and takes what leaves the best position", costly=True),
        Policy("cautious", 2, "like greedy, but fears unsafe Provinces and the Calendar more", costly=True),
        Policy("loyal_only", 3, "plays the card with the most gold and does not care about Evil Actions", costly=True),
        Policy(
            "pooled",
            4,
            "like greedy, but with communication=pooled it weighs the cards of all seats together",
            costly=True,
        ),
    ),
    line_ups={n: (("random",) * n, ("greedy",) * n) for n in PLAYERS},
    columns=(
        Column(
            "end_reason",
            0,
            3,
            "why the game ended",
            words=("truncated", "gold", "black", "calendar"),
        ),
        Column("decisions", 0, DECISIONS, "decisions of all seats", "decisions"),
        Column("forced_decisions", 0, DECISIONS, "decisions with a single choice", "decisions"),
        Column("team_won", 0, 1, "1 if the team won"),
        Column("rounds", 1, 40, "rounds begun (at most 40 are counted)", "rounds"),
        Column("resolutions", 0, 200, "cards whose Loyal and Evil Action were begun (at most 200)", "cards"),
        Column("end_effects", 0, 100, "End Effects begun (at most 100)", "cards"),
        Column("skipped", 0, 100, "operations without a legal target (at most 100)", "operations"),
        Column("declined", 0, 100, "Loyal Actions left out and Evil moves declined (at most 100)"),
        Column("calendar", 0, 9, "steps the Calendar has gone", "steps"),
        Column("gold_left", 0, CUBES, "gold cubes in the supply at the end", "cubes"),
        Column("black_left", 0, CUBES, "black cubes in the supply at the end", "cubes"),
        Column("black_removed", 0, CUBES, "black cubes taken off the board (at most 60)", "cubes"),
        Column("sons_destroyed", 0, SONS, "Sons of Haman destroyed", "Sons"),
        Column("unsafe_provinces", 0, PROVINCES, "Provinces with more black than gold at the end", "Provinces"),
        Column("deficit", 0, CUBES, "black cubes too many, over all unsafe Provinces", "cubes"),
        Column("margin", -CUBES, 6, "gold minus black in the worst Province", "cubes"),
        Column("province_shuffles", 0, 30, "times the Province deck was used up (at most 30)"),
        *(
            Column(
                f"messenger_card_{i}", 0, 1, f"1 if the card of Messenger {i} of the box was in force", linked="given"
            )
            for i in range(1, MESSENGERS + 1)
        ),
        *(
            Column(
                f"sons_card_{i}",
                0,
                1,
                f"1 if the card of Son {i} of the box was in force from round 1 on",
                linked="given",
            )
            for i in range(1, SONS + 1)
        ),
        *(
            Column(f"unsafe_{i}", 0, 1, f"1 if Province {i} of the box was unsafe at the end", linked="found")
            for i in range(1, PROVINCES + 1)
        ),
    ),
    player_columns=(
        Column("turn_order", 0, 3, "the seat: all select at the same time"),
        Column("won", 0, 1, "1 if the team won"),
        Column("decisions", 0, DECISIONS, "decisions of this seat", "decisions"),
        Column("forced_decisions", 0, DECISIONS, "decisions with a single choice", "decisions"),
        Column(
            "resolutions", 0, 100, "cards of this seat whose Loyal and Evil Action were begun (at most 100)", "cards"
        ),
        Column("end_effects", 0, 50, "End Effects of this seat begun (at most 50)", "cards"),
        Column("gold_placed", 0, CUBES, "gold cubes placed by cards of this seat (at most 60)", "cubes"),
        Column("black_placed", 0, CUBES, "black cubes placed by cards of this seat (at most 60)", "cubes"),
        Column("sons_destroyed", 0, SONS, "Sons destroyed by cards of this seat", "Sons"),
    ),
)
