"""What a table may agree on before a game of Purim: clauses B1 to B20 of RULES.md."""

from simkit.spec import Option

OPTIONS = (
    Option(
        "evil_target_free", (False, True), "B1",
        "whether the owner may decline to move Sons to the top Province", ruling=True,
    ),
    Option(
        "runout", ("supply_empty", "cannot_place"), "B2",
        "whether cubes have run out with the last one placed or with the first one missing", ruling=True,
    ),
    Option(
        "end_timing", ("immediate", "finish_card", "finish_turn"), "B3",
        "how much is still carried out when the end is due", ruling=True,
    ),
    Option("calendar_steps", (9, 8), "B4", "how many steps the Calendar has", ruling=True),
    Option(
        "son_path", ("shortest_owner_choice", "shortest_fixed", "any_path_owner_choice"), "B5",
        "which route Sons take to the top Province", ruling=True,
    ),
    Option(
        "son_path_shared", (True, False), "B6",
        "whether Sons that move together take one route", ruling=True,
    ),
    Option(
        "adjacent_includes_same", (False, True), "B7",
        "whether Messengers in the same Province count as adjacent", ruling=True,
    ),
    Option(
        "discard_top_if_unused", (True, False), "B8",
        "whether the top Province card is discarded when no Son could move there",
        needs={"proclaim_discards": "province"}, ruling=True,
    ),
    Option(
        "proclaim_discards", ("province", "action"), "B9",
        "which card is discarded after Sons have moved to the top Province", ruling=True,
    ),
    Option("placement", ("random", "team_chooses"), "B10", "which Messenger starts where", ruling=True),
    Option(
        "equal_numbers", ("seat_order", "owner_agreement", "random"), "B11",
        "which of two cards with the same number comes first", ruling=True,
    ),
    Option(
        "two_player_second_hand", ("hidden", "visible"), "B12",
        "whether one may look at the own second hand before the first is finished",
        players=(2,), ruling=True, only_policies=True,
    ),
    Option(
        "solo_deck_peek", ("before_choice", "after_choice"), "B13",
        "whether the card from the deck is seen before the card from the hand is chosen", players=(1,), ruling=True,
    ),
    Option(
        "solo_end_pick", ("best_two", "random_two"), "B14",
        "who picks the two End Effects of a solo round", players=(1,), ruling=True,
    ),
    Option("messenger_cards", (1, 0, 2, 3, 4, 5), "B15", "Messenger cards in force: more make it easier"),
    Option(
        "extra_sons_cards", (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "B16",
        "Sons cards turned before the first round: more make it harder", needs={"advanced": True},
    ),
    Option("advanced", (False, True), "B17", "whether the Sons of Haman cards are used"),
    Option(
        "communication", ("none", "pooled"), "B18",
        "whether all hands are open while cards are selected: a benchmark, not in the rules", players=(2, 3, 4),
    ),
    Option("loyal_optional", (False, True), "B19", "whether a Loyal Action may be left out", ruling=True),
    Option(
        "resolved_cards", ("aside", "on_top"), "B20",
        "where resolved cards are put: on top of the deck they come back in a solo game", players=(1,), ruling=True,
    ),
)  # fmt: skip
