"""What shows that the rules of Purim come into play, clause by clause of RULES.md."""

from collections.abc import Callable
from typing import Any

from simkit.coverage import Coverage, DecisionKind, Ending, Event, InColumn, Shown, Supply, Unseen
from simkit.games.purim.box import (
    ADD_BLACK,
    ADD_GOLD,
    CALENDAR,
    DESTROY_SON,
    DISCARD_TOP,
    MESSENGER_ABILITIES,
    MOVE_MESSENGER,
    MSGR_ADJ_PAIR,
    REMOVE_BLACK,
    REMOVE_GOLD,
    RIDE_GOLD,
    SON_ABILITIES,
    SON_STEP,
    SON_TO_TOP,
    SONS_TO_TOP,
)
from simkit.games.purim.state import (
    DECLINE_ORIGIN,
    LOYAL_CODE,
    NIGHT_CODE,
    ORDER_CODE,
    ORIGIN_CODE,
    PAIR_CODE,
    PICK_CODE,
    PLACE_CODE,
    PROVINCE_CODE,
    RIDE_CODE,
    RIDER_CODE,
    ROUTE_CODE,
    SELECT_CODE,
    SET_CODE,
    SON_CODE,
    STEP_CODE,
    WALK_CODE,
)
from simkit.games.purim.story import (
    ALL_SAFE,
    BLACK,
    BLACK_TAKEN,
    CALENDAR_MOVES,
    COUNT,
    DEALT,
    DECK_SHOWS,
    DECLINES,
    DESTROYED,
    DISCARDED,
    DUE,
    GOES_FIRST,
    GOLD,
    GOLD_TAKEN,
    LAST_CARD,
    LEAVES_OUT,
    MESSENGER_AT_END,
    MESSENGER_IN_FORCE,
    MESSENGER_STARTS,
    RIDES,
    ROUND,
    SECTION,
    SELECTS,
    SKIPPED,
    SON_AT_END,
    SON_GONE,
    SON_IN_FORCE,
    SON_MOVES,
    SON_STARTS,
    STAYS,
    UNSAFE,
    WALKS,
)
from simkit.kernel.drive import DECISION

LOYAL, EVIL, END = 0, 1, 2  # sections of a card
GOLD_OUT, BLACK_OUT = 1, 2
SOLO, TWO = (1,), (2,)
Options = dict[str, tuple[str | int | bool, ...]]
ADVANCED: Options = {"advanced": (True,)}
WITH_MESSENGER_CARDS: Options = {"messenger_cards": (1, 2, 3, 4, 5)}
FOR_THE_END = {SON_ABILITIES.index(name) for name in
               ("black_at_home", "runs_to_top", "moves_calendar", "black_next_door", "takes_gold")}  # fmt: skip

# codes of the choices of a decision: lowest, highest
PLACES, NIGHTS = (PLACE_CODE, NIGHT_CODE - 1), (NIGHT_CODE, SELECT_CODE - 1)
SELECTIONS, ORDERS = (SELECT_CODE, ORDER_CODE - 1), (ORDER_CODE, LOYAL_CODE - 1)
LOYALS, PAIRS = (LOYAL_CODE, PAIR_CODE - 1), (PAIR_CODE, PROVINCE_CODE - 1)
PROVINCES, RIDERS = (PROVINCE_CODE, RIDER_CODE - 1), (RIDER_CODE, WALK_CODE - 1)
WALKING, CHOSEN_SONS = (WALK_CODE, SON_CODE - 1), (SON_CODE, ORIGIN_CODE - 1)
ORIGINS, STEPS = (ORIGIN_CODE, DECLINE_ORIGIN), (STEP_CODE, PICK_CODE - 1)
PICKS, SETS = (PICK_CODE, SET_CODE - 1), (SET_CODE, RIDE_CODE - 1)
RIDING, ROUTES = (RIDE_CODE, ROUTE_CODE - 1), (ROUTE_CODE, 2**31 - 1)


def has_operation(code: int) -> Callable[[Any], bool]:
    """Whether an Action card has this operation."""
    return lambda rules: any(
        int(rules.program[card, section, i, 0]) == code
        for card in range(rules.deck_size)
        for section in range(3)
        for i in range(int(rules.program_size[card, section]))
    )


def has_pairs(rules: Any) -> bool:
    """Whether an Action card asks for two Messengers who are neighbours."""
    return any(
        int(rules.program[card, section, i, 0]) in (ADD_GOLD, ADD_BLACK, REMOVE_BLACK, REMOVE_GOLD)
        and int(rules.program[card, section, i, 1]) == MSGR_ADJ_PAIR
        for card in range(rules.deck_size)
        for section in range(3)
        for i in range(int(rules.program_size[card, section]))
    )


def has_equal_numbers(rules: Any) -> bool:
    numbers = [int(number) for number in rules.number[: rules.deck_size]]
    return len(set(numbers)) < len(numbers)


def has_ability(name: str) -> Callable[[Any], bool]:
    """Whether a Messenger card has this ability."""
    return lambda rules: MESSENGER_ABILITIES.index(name) in [int(ability) for ability in rules.messenger_ability]


def has_end_ability(rules: Any) -> bool:
    """Whether a Son does something at the end of a round."""
    return bool(FOR_THE_END & {int(ability) for ability in rules.son_ability})


SHOWN = (
    Shown("A2", "Sons are placed", (Event(SON_STARTS),)),
    Shown("A2", "Messengers are placed", (Event(MESSENGER_STARTS),)),
    Shown("A2", "a Messenger card is in force", (Event(MESSENGER_IN_FORCE),), options=WITH_MESSENGER_CARDS),
    Shown("A2", "hands are dealt", (Event(DEALT),)),
    Shown("A3", "a card is selected", (Event(SELECTS),)),
    Shown("A3", "a Loyal Action is carried out", (Event(SECTION, b=LOYAL),)),
    Shown("A3", "an Evil Action is carried out", (Event(SECTION, b=EVIL),)),
    Shown("A3", "something cannot be done and is skipped", (Event(SKIPPED),)),
    Shown("A4", "an End Effect is carried out", (Event(SECTION, b=END),)),
    Shown("A5", "a further round begins", (Event(ROUND, a=(2, 9999)),)),
    Shown("A6", "a second hand is dealt", (Event(DEALT, b=1),), players=TWO),
    Shown("A7", "the deck shows a card", (Event(DECK_SHOWS),), players=SOLO),
    Shown("A7", "two of three cards count", (Event(COUNT),), players=SOLO),
    Shown("A8", "the gold cubes are used up", Ending("gold")),
    Shown("A8", "the black cubes are used up", Ending("black")),
    Shown("A8", "the Calendar comes to its end", Ending("calendar")),
    Shown("A8", "all Provinces are safe at the end", (Event(ALL_SAFE),)),
    Shown("A8", "a Province is unsafe at the end", (Event(UNSAFE),)),
    Shown("A9", "a Sons card comes into force", (Event(SON_IN_FORCE),), options=ADVANCED),
    Shown("A9", "the Son of a card is destroyed already", (Event(SON_GONE),), options=ADVANCED),
    Shown("A10", "a second Messenger card is in force", (Event(MESSENGER_IN_FORCE),),
          options={"messenger_cards": (2, 3, 4, 5)}),
    Shown("A10", "a Sons card is in force from the start", (Event(SON_IN_FORCE),),
          options={**ADVANCED, "extra_sons_cards": tuple(range(1, 11))}),
    Shown("A11", "two neighbouring Messengers get cubes", (Event(DECISION, d=PAIRS),), needs=has_pairs),
    Shown("A11", "all Sons of a Province move to the top Province", (Event(DECISION, d=ORIGINS),),
          needs=has_operation(SONS_TO_TOP)),
    Shown("B1", "a move of Sons is declined", (Event(DECLINES),), options={"evil_target_free": (True,)},
          needs=lambda rules: has_operation(SONS_TO_TOP)(rules) or has_operation(SON_TO_TOP)(rules)),
    Shown("B2", "cubes of a colour run out", (Event(DUE, a=(GOLD_OUT, BLACK_OUT)),)),
    Shown("B3", "the end is due", (Event(DUE),)),
    Shown("B4", "the shorter Calendar comes to its end", Ending("calendar"), options={"calendar_steps": (8,)}),
    Shown("B5", "the owner chooses the route of Sons", (Event(DECISION, d=ROUTES),),
          options={"son_path": ("shortest_owner_choice", "any_path_owner_choice")}),
    Shown("B5", "Sons take the fixed route", (Event(SON_MOVES),), options={"son_path": ("shortest_fixed",)}),
    Shown("B9", "the Province card is discarded", (Event(DISCARDED),), options={"proclaim_discards": ("province",)}),
    Shown("B10", "the team places a Messenger", (Event(DECISION, d=PLACES),), options={"placement": ("team_chooses",)}),
    Shown("B11", "cards with equal numbers are put in order", (Event(GOES_FIRST),),
          options={"equal_numbers": ("owner_agreement", "random")}, needs=has_equal_numbers),
    Shown("B13", "a card is turned from the deck", (Event(DECK_SHOWS),), players=SOLO),
    Shown("B14", "the player picks two End Effects", (Event(DECISION, d=PICKS),), players=SOLO,
          options={"solo_end_pick": ("best_two",)}),
    Shown("B14", "two End Effects are drawn by lot", (Event(COUNT),), players=SOLO,
          options={"solo_end_pick": ("random_two",)}),
    Shown("B15", "Messenger cards are in force", (Event(MESSENGER_IN_FORCE),), options=WITH_MESSENGER_CARDS),
    Shown("B16", "Sons cards are in force from the start", (Event(SON_IN_FORCE),),
          options={**ADVANCED, "extra_sons_cards": tuple(range(1, 11))}),
    Shown("B17", "Sons cards are used", (Event(SON_IN_FORCE),), options=ADVANCED),
    Shown("B19", "a Loyal Action is left out", (Event(LEAVES_OUT),), options={"loyal_optional": (True,)}),
    Shown("B21", "add_gold or ride_gold places gold", (Event(GOLD),)),
    Shown("B21", "add_black or a moving Son places black", (Event(BLACK),)),
    Shown("B21", "remove_black takes black away", (Event(BLACK_TAKEN),), needs=has_operation(REMOVE_BLACK)),
    Shown("B21", "remove_gold takes gold away", (Event(GOLD_TAKEN),), needs=has_operation(REMOVE_GOLD)),
    Shown("B21", "move_messenger moves a Messenger", (Event(WALKS),), needs=has_operation(MOVE_MESSENGER)),
    Shown("B21", "move_messenger leaves a Messenger where it is", (Event(STAYS),), needs=has_operation(MOVE_MESSENGER)),
    Shown("B21", "ride_gold moves a Messenger", (Event(RIDES),), needs=has_operation(RIDE_GOLD)),
    Shown("B21", "sons_to_top moves Sons", (Event(DECISION, d=ORIGINS),), needs=has_operation(SONS_TO_TOP)),
    Shown("B21", "son_step moves a Son", (Event(DECISION, d=STEPS),), needs=has_operation(SON_STEP)),
    Shown("B21", "destroy_son destroys a Son", (Event(DESTROYED),), needs=has_operation(DESTROY_SON)),
    Shown("B21", "calendar moves the Calendar", (Event(CALENDAR_MOVES),), needs=has_operation(CALENDAR)),
    Shown("B21", "discard_top discards a Province card", (Event(DISCARDED),), needs=has_operation(DISCARD_TOP)),
    Shown("B22", "Messengers are chosen", (Event(DECISION, d=SETS),)),
    Shown("B22", "a Province is chosen", (Event(DECISION, d=PROVINCES),)),
    Shown("B23", "an operation has no legal target", (Event(SKIPPED),)),
    Shown("B28", "cubes are placed", (Event(GOLD), Event(BLACK))),
    Shown("B29", "the end is due with a reason", (Event(DUE),)),
    Shown("B30", "a Son moves", (Event(SON_MOVES),)),
    Shown("B31", "a Son is destroyed", (Event(DESTROYED),), needs=has_operation(DESTROY_SON)),
    Shown("B32", "the top Province changes", (Event(DISCARDED),)),
    Shown("B32", "the Province deck is shuffled again", (Event(DISCARDED, c=1),)),
    Shown("B34", "gold_each_round places gold", (Event(MESSENGER_AT_END),), options=WITH_MESSENGER_CARDS,
          needs=has_ability("gold_each_round")),
    Shown("B34", "moves_at_night asks for a move", (Event(DECISION, d=NIGHTS),), options=WITH_MESSENGER_CARDS,
          needs=has_ability("moves_at_night")),
    Shown("B35", "a Son does something at the end of a round", (Event(SON_AT_END),), options=ADVANCED,
          needs=has_end_ability),
    Shown("B36", "a round ends with an ability", (Event(MESSENGER_AT_END), Event(SON_AT_END)),
          needs=lambda rules: (rules.advanced == 1 and has_end_ability(rules))
          or (rules.messengers_in_force > 0 and has_ability("gold_each_round")(rules))),
    Shown("B37", "a round begins", (Event(ROUND),)),
    Shown("B38", "the last card of a hand is laid out", (Event(LAST_CARD),)),
)  # fmt: skip

UNSEEN = (
    Unseen("A1", "a list of components; nothing happens by it"),
    Unseen("B6", "Sons who take one route look like Sons who take the same one"),
    Unseen("B7", "a pair in one Province looks like any other pair"),
    Unseen("B8", "a card that is not discarded leaves nothing in a trace"),
    Unseen("B12", "only what policies may look at"),
    Unseen("B18", "only what policies may look at"),
    Unseen("B20", "a card that comes back looks like any other card that the deck shows"),
    Unseen("B24", "the order of operations"),
    Unseen("B25", "how pieces are named"),
    Unseen("B26", "what is said of mistakes in a box"),
    Unseen("B27", "what a box of one's own may hold"),
    Unseen("B33", "who decides for the team"),
    Unseen("B39", "does not happen with the cards of the box; playouts that are broken off are reported in any case"),
)

DECISIONS = (
    DecisionKind("place of a Messenger", *PLACES),
    DecisionKind("move at night", *NIGHTS),
    DecisionKind("selection of a card", *SELECTIONS),
    DecisionKind("order of cards", *ORDERS),
    DecisionKind("Loyal Action or not", *LOYALS),
    DecisionKind("pair of Messengers", *PAIRS),
    DecisionKind("Province", *PROVINCES),
    DecisionKind("Messenger to move", *RIDERS),
    DecisionKind("where a Messenger goes", *WALKING),
    DecisionKind("Son", *CHOSEN_SONS),
    DecisionKind("Province whose Sons move", *ORIGINS),
    DecisionKind("step of a Son", *STEPS),
    DecisionKind("two End Effects", *PICKS),
    DecisionKind("Messengers", *SETS),
    DecisionKind("ride", *RIDING),
    DecisionKind("route of Sons", *ROUTES),
)

SUPPLIES = (
    Supply("gold cubes", "cubes", lambda rules: int(rules.gold), "gold_left", is_left=True, short=Ending("gold"),
           about="that ends the game, as the rules mean it"),
    Supply("black cubes", "cubes", lambda rules: int(rules.black), "black_left", is_left=True, short=Ending("black"),
           about="that ends the game, as the rules mean it"),
    Supply("steps of the Calendar", "steps", lambda rules: int(rules.steps), "calendar", short=Ending("calendar"),
           about="that ends the game, as the rules mean it"),
    Supply("Province cards", "cards", lambda rules: int(rules.provinces),
           short=InColumn("province_shuffles"), about="the deck was used up and shuffled again"),
)  # fmt: skip

COVERAGE = Coverage(SHOWN, UNSEEN, DECISIONS, SUPPLIES)
