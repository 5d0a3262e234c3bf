"""What a table may agree on before a game of Propuh: clauses B1 to B15 of RULES.md."""

from simkit.spec import Option

SOLO = (1,)

OPTIONS = (
    Option(
        "failed_counter", ("stays", "discarded", "forbidden"), "B1",
        "what happens to a card that is too weak to counter, played on the pending card's location", ruling=True,
    ),
    Option(
        "equal_strength", ("attacker_holds", "counters"), "B2",
        "whether a card of equal strength counters", ruling=True,
    ),
    Option(
        "figurine_removal", ("always", "only_if_moved"), "B3",
        "whether the figurine removes a Propuh token also in rounds in which it stayed", ruling=True,
    ),
    Option(
        "figurine_removal_choice", ("auto", "optional"), "B4",
        "whether Granny may leave the token where it is", ruling=True,
    ),
    Option(
        "figurine_start", ("stove", "table", "bed", "none"), "B5",
        "where the figurine stands at the start; none: off the boards",
        needs={"figurine_removal": "only_if_moved"}, ruling=True,
    ),
    Option(
        "win_check", ("round_end", "immediate"), "B6",
        "when goals are checked", ruling=True,
    ),
    Option(
        "exhaustion_order", ("goals_first", "exhaustion_first"), "B7",
        "whether goals reached with the very last cards count", needs={"win_check": "round_end"}, ruling=True,
    ),
    Option(
        "solo_full_rule", ("rulebook", "ignore_limit"), "B8",
        "whether the automatic Propuh avoids its full track", SOLO, ruling=True,
    ),
    Option(
        "solo_no_pending_full", ("trump_anyway", "clockwise_from_trump", "clockwise_from_figurine"), "B9",
        "where the automatic Propuh plays when its track is full and no card is pending", SOLO,
        {"solo_full_rule": "rulebook"}, ruling=True,
    ),
    Option(
        "solo_redirect_repeat", (False, True), "B10",
        "whether a redirected card passes over full tracks", SOLO, ruling=True,
    ),
    Option(
        "clockwise", ("stove_bed_table", "stove_table_bed"), "B11",
        "the order of the locations around the table", SOLO, ruling=True,
    ),
    Option(
        "discards_visible", (True, False), "B12",
        "whether policies may use the discard pile; no rule depends on it", ruling=True, only_policies=True,
    ),
    Option(
        "difficulty", ("1", "2", "3", "random"), "B13",
        "Propuh tokens at the start of a solo game", SOLO,
    ),
    Option(
        "random_cards", (1, 2, 3, 4), "B14",
        "difficulty cards turned up", SOLO, {"difficulty": "random"},
    ),
    Option(
        "deck", ("public", "even"), "B15",
        "which deck of the box is played", box=True,
    ),
)  # fmt: skip
