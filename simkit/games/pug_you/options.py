"""What a table may agree on before a game of Pug You!: clauses B1 to B21 of RULES.md."""

from simkit.spec import Option

LIMIT = {"end_mode": "badge_limit"}

OPTIONS = (
    Option(
        "second_question", ("mandatory", "optional", "off"), "B1",
        "whether a tie is followed by a second question", ruling=True,
    ),
    Option(
        "second_source", ("scored_or_hand", "scored_first", "scored_only"), "B2",
        "which cards may be asked in a second question", ruling=True,
    ),
    Option(
        "mutt_second_question", ("allowed", "forbidden"), "B3",
        "whether a scored mutt may be asked in a second question", needs={"mutts": "in"}, ruling=True,
    ),
    Option("end_mode", ("two_rounds", "badge_limit"), "B4", "when the game ends"),
    Option("badge_limit", (8, 6, 10, 12), "B5", "how many badges end the game", needs=LIMIT),
    Option(
        "limit_check", ("immediate", "end_of_turn"), "B6",
        "when it is looked whether the limit is reached", needs=LIMIT, ruling=True,
    ),
    Option(
        "limit_counts_mutts", (False, True), "B7",
        "whether mutts are subtracted from what counts towards the limit", needs=LIMIT | {"mutts": "in"}, ruling=True,
    ),
    Option(
        "limit_equal_turns", (False, True), "B8",
        "whether the round is completed when the limit is reached", needs=LIMIT, ruling=True,
    ),
    Option(
        "blue_in_108", (True, False), "B9",
        "whether the six blue cards are among the 108", ruling=True, box=True,
    ),
    Option(
        "deck", ("levelled", "one_badge", "anticorrelated", "correlated", "mixed"), "B10",
        "which deck of the box is played", box=True,
    ),
    Option(
        "deck_filter", ("all", "no_red", "savage", "strangers"), "B11",
        "which cards of the deck are left out", box=True,
    ),
    Option("mutts", ("in", "out"), "B12", "whether mutts are played; out measures what they do", box=True),
    Option(
        "vote_order", ("simultaneous", "sequential"), "B13",
        "whether policies may see for whom those before have voted; no rule depends on it",
        ruling=True, only_policies=True,
    ),
    Option(
        "votes_public", (False, True), "B14",
        "whether policies may know who voted with which card; no rule depends on it",
        ruling=True, only_policies=True,
    ),
    Option(
        "offer_required", (True, False), "B15",
        "whether the active player has to wait for all offers; no rule depends on it",
        ruling=True, only_policies=True,
    ),
    Option(
        "short_hand", ("skip", "draw_first"), "B16",
        "what happens when an offer or a vote is due and the hand is empty", ruling=True,
    ),
    Option(
        "refill_order", ("left_of_active", "active_first"), "B17",
        "who draws first at the end of a turn", ruling=True,
    ),
    Option("first_player", ("random", "seat0"), "B18", "who is active first", ruling=True),
    Option(
        "reputation_sd", ("0", "0.5", "1"), "B19",
        "how much players differ in how well questions fit them (a standard deviation); used by policies",
    ),
    Option(
        "perception_sd", ("0.5", "0", "1"), "B20",
        "how much the players' opinions differ (a standard deviation); used by policies",
    ),
    Option(
        "persuasion", ("0", "0.5", "1"), "B21",
        "how much charming players get their offers taken; used by all policies but random",
    ),
)  # fmt: skip
