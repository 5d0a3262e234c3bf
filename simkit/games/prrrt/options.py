"""What a table may agree on before a game of PRRRT...: clauses B1 to B19 of RULES.md."""

from simkit.spec import Option

OPTIONS = (
    Option(
        "smell_deck", ("inverse_0_7", "literal_1_8", "shifted_0_7"), "B1",
        "which Smell deck of the box is played", box=True,
    ),
    Option(
        "shame_deck", ("flat", "decreasing", "eight_by_eight"), "B2",
        "which Shame deck of the box is played", box=True,
    ),
    Option(
        "location_deck", ("placeholder", "fixed_2_1", "varied"), "B3",
        "which Location deck of the box is played", box=True,
    ),
    Option(
        "tie_rule", ("most_accused", "first_in_order", "random", "all_share"), "B4",
        "who is responsible when several share the largest total", ruling=True,
    ),
    Option(
        "shame_after_third", (False, True), "B5",
        "whether a Shame card is added after the third tour as well", ruling=True,
    ),
    Option(
        "effect5_triggers", (False, True), "B6",
        "whether the card taken with a 5 has its effect", ruling=True,
    ),
    Option(
        "effects_optional", (False, True), "B7",
        "whether the effects of 3, 4 and 6 may be declined", ruling=True,
    ),
    Option(
        "exchange_draw", ("random", "choose"), "B8",
        "whether cards are drawn blindly with a 4 or 6", ruling=True,
    ),
    Option(
        "empty_opponent", ("not_eligible", "allowed"), "B9",
        "whether a player without cards in hand may be chosen for a 4 or 6", ruling=True,
    ),
    Option(
        "five_zero_rule", ("on", "off"), "B10",
        "whether five zeros make the culprit", needs={"smell_deck": "inverse_0_7"}, ruling=True,
    ),
    Option(
        "own_up_first_player", ("owner", "previous_first"), "B11",
        "who is first player after a confession", ruling=True,
    ),
    Option(
        "culprit_pays_wrong", (True, False), "B12",
        "whether the culprit also pays for a wrong accusation", ruling=True,
    ),
    Option(
        "added_shame_face", ("up", "down"), "B13",
        "how the additions after the first one are laid", ruling=True,
    ),
    Option(
        "shame_exhausted", ("skip", "end_round_now"), "B14",
        "what happens when the Shame deck is empty", ruling=True,
    ),
    Option(
        "indicator", ("on", "off"), "B15",
        "whether the sideways Shame card ends the game",
    ),
    Option(
        "know_own_pile", (True, False), "B16",
        "whether policies may look at the own Shame pile; no rule depends on it", ruling=True, only_policies=True,
    ),
    Option(
        "first_player", ("random", "seat0"), "B17",
        "who is first player of the first round", ruling=True,
    ),
    Option(
        "penalty_order", ("culprit_first", "table_order"), "B18",
        "in which order Shame cards are drawn after a revelation", ruling=True,
    ),
    Option(
        "own_up_probability", (10, 0, 25, 50), "B19",
        "per cent of the questions at which the policy careless owns up",
    ),
)  # fmt: skip
