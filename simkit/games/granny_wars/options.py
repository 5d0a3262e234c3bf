"""What a table may agree on before a game of Granny Wars: clauses B1 to B16 of RULES.md."""

from simkit.spec import Option

POWERS = {"gold_powers": "on"}

OPTIONS = (
    Option(
        "steal_card", ("play_immediately", "to_hand_unless_gold"), "B1",
        "whether a stolen card that is not Gold is played at once or kept in hand", needs=POWERS, ruling=True,
    ),
    Option(
        "steal_pick", ("random", "thief_sees_hand"), "B2",
        "whether a thief draws blind or chooses", needs=POWERS, ruling=True,
    ),
    Option("extra_optional", (True, False), "B3", "whether an extra card may be declined", needs=POWERS, ruling=True),
    Option(
        "chain_extra", (True, False), "B4",
        "whether an extra card can allow a further one", needs=POWERS, ruling=True,
    ),
    Option(
        "facedown_bounce", ("none", "owner_number"), "B5",
        "whether the hidden number of a face-down card counts for bouncing", needs=POWERS, ruling=True,
    ),
    Option("steal_optional", (False, True), "B6", "whether a steal may be declined", needs=POWERS, ruling=True),
    Option("swap_optional", (False, True), "B7", "whether a swap may be declined", needs=POWERS, ruling=True),
    Option(
        "power_timing", ("after_bounce", "before_bounce"), "B8",
        "whether a card bounces another before or after its own power", needs=POWERS, ruling=True,
    ),
    Option("zero_bounces", (False, True), "B9", "whether a 0 bounces a 0", needs={"bounce": "on"}, ruling=True),
    Option(
        "swap_return_same", (False, True), "B10",
        "whether the card just received may be given back in a swap", needs=POWERS, ruling=True,
    ),
    Option(
        "final_tie", ("shared", "random", "earliest_turn"), "B11",
        "who wins when score and card count are tied", ruling=True,
    ),
    Option("first_player", ("random", "seat0"), "B12", "who starts", ruling=True),
    Option("gold_powers", ("on", "off"), "B13", "whether Gold cards have their powers; off measures what they do"),
    Option("bounce", ("on", "off"), "B14", "whether cards bounce; off measures what bouncing does"),
    Option("vp_distribution", ("flat", "triangular"), "B15", "which numbered cards of the box are played", box=True),
    Option("gold_set", ("box", "none", "valueless"), "B16", "which Gold cards are played", box=True),
)  # fmt: skip
