"""Every clause of parts A and B of RULES.md on a small board. B26 and B27 are in test_box.py."""

from pathlib import Path
from typing import Any

import pytest

from simkit.games.purim.box import MESSENGER_ABILITIES, SON_ABILITIES
from tests.games.purim.table import BOX, COLOURS, SON_NAMES, Played, Table, box_with, cards

LATE = ("immediate", "finish_card", "finish_turn")


def spread_out(**options: Any) -> Table:
    """All Messengers apart: red Thrace, blue Egypt, green Susa, white Parthia, purple Gandhara."""
    table = Table(**options)
    return table.messengers(red="Thrace", blue="Egypt", green="Susa", white="Parthia", purple="Gandhara")


def said(played: Played, *beginnings: str) -> list[str]:
    return [line for line in played.story() if line.startswith(beginnings)]


# --- A: the printed rules


@pytest.mark.parametrize(("players", "hands", "hand"), [(1, 1, 8), (2, 2, 4), (3, 1, 5), (4, 1, 4)])
def test_a2_setup(players: int, hands: int, hand: int) -> None:
    story = Played(players).story()
    sons = [line.split()[-1] for line in story if " starts in " in line and "Messenger" not in line]
    messengers = [line.split()[-1] for line in story if " starts in " in line and "Messenger" in line]
    assert (len(sons), len(messengers)) == (10, 5)
    assert len(set(sons[:5] + messengers)) == 10  # never together
    assert len(set(sons[5:])) == 5
    dealt = [line for line in story[: story.index("Round 1.") + 9] if " is dealt " in line][: players * hands]
    assert [line.split()[1] for line in dealt] == [str(seat) for seat in range(players) for _ in range(hands)]
    assert all(line.count(", ") == hand - 1 for line in dealt)
    top = next(line for line in story if line.startswith("The top Province is"))
    assert top.split()[-1] not in sons[5:]  # their cards are discarded already


def test_a3_cards_are_resolved_in_ascending_number_loyal_before_evil() -> None:
    table = Table(3).hand(0, 4, 20).hand(1, 11, 21).hand(2, 2, 22)
    for kind in (4, 11, 2):
        table.write(kind, loyal="add_gold msgr_all 1", evil="discard_top 1")
    table.end_turn().play("5 Scribes of the King", "12 Herald", "3 Royal Road")
    sections = [line for line in table.story() if "Action of" in line]
    assert sections == [
        f"{section} Action of {card}."
        for card in ("3 Royal Road", "5 Scribes of the King", "12 Herald")
        for section in ("Loyal", "Evil")
    ]


def test_a3_the_owner_of_a_card_decides() -> None:
    table = Table(3).hand(0, 4, 20).hand(1, 11, 21).hand(2, 2, 22)
    table.write(2, loyal="add_gold any 1").write(4).write(11, evil="add_black any 1")
    table.end_turn()
    assert table.decision() == "selection by 0"
    assert table.play("5 Scribes of the King").decision() == "selection by 1"
    table.play("12 Herald", "3 Royal Road")
    assert table.decision() == "Province by 2"
    assert table.play("Susa").decision() == "Province by 1"


def test_a4_last_cards_have_their_end_effects_only_in_ascending_number() -> None:
    table = Table(3).hand(0, 4).hand(1, 11).hand(2, 2)
    for kind in (4, 11, 2):
        table.write(kind, loyal="add_gold any 1", evil="add_black any 1", end="calendar 1")
    table.end_turn()
    story = table.story()
    assert story[:3] == [
        "Seat 0 has 5 Scribes of the King left.",
        "Seat 1 has 12 Herald left.",
        "Seat 2 has 3 Royal Road left.",
    ]
    assert [line for line in story if "Effect of" in line] == [
        f"End Effect of {card}." for card in ("3 Royal Road", "5 Scribes of the King", "12 Herald")
    ]
    assert not any("Action of" in line for line in story)
    assert story[story.index("Round 2.") - 1] == "The Calendar moves to Elul."


def test_a5_all_cards_are_dealt_again() -> None:
    played = Played(4, box=box_with(cards=cards(27, loyal="", evil="", end="calendar 1")))
    dealt = said(played, "Seat 0 is dealt")
    assert len(dealt) == played.columns["rounds"] == 3  # four steps of the Calendar in a round
    assert len(set(dealt)) == 3


def test_a6_two_players_play_one_hand_after_the_other() -> None:
    played = Played(2, box=box_with(cards=cards(27, evil="", end="calendar 1")))
    first, second = (
        line.split(" is dealt ")[1].rstrip(".").split(", ") for line in said(played, "Seat 0 is dealt")[:2]
    )
    mine = [
        line.split(" selects ")[1] if "selects" in line else line.split(" has ")[1].removesuffix(" left.")
        for line in said(played, "Seat 0 selects", "Seat 0 has")
    ]
    assert sorted(card.rstrip(".") for card in mine[:4]) == sorted(first)
    assert sorted(card.rstrip(".") for card in mine[4:8]) == sorted(second)


def test_a7_a_solo_round() -> None:
    played = Played(1, box=box_with(cards=cards(27, evil="", end="")))
    story = played.story()
    story = story[story.index("Round 1.") : story.index("Round 2.")]
    assert sum(line.startswith("The deck shows") for line in story) == 9
    assert sum(" selects " in line for line in story) == 7
    assert sum(" count." in line for line in story) == 1
    assert story.index(next(line for line in story if " selects " in line)) > 1
    both = [line for line in story if line.startswith(("The deck shows", "Seat 0 selects"))][:2]
    assert [line.split()[0] for line in both] == ["The", "Seat"]  # the card from the deck is seen first


def test_a7_two_of_three_end_effects() -> None:
    table = Table(1).hand(0, 5)
    table.state.action[:2] = (20, 2)
    for kind, steps in ((5, 1), (20, 2), (2, 3)):
        table.write(kind, end=f"calendar {steps}")
    table.end_turn()
    assert table.story() == [
        "Seat 0 has 6 Sealed Letter left.",
        "The deck shows 21 Three Couriers.",
        "The deck shows 3 Royal Road.",
    ]
    assert table.choices() == [
        "3 Royal Road and 6 Sealed Letter",
        "3 Royal Road and 21 Three Couriers",
        "6 Sealed Letter and 21 Three Couriers",
    ]
    table.play("6 Sealed Letter and 21 Three Couriers")
    assert [line for line in table.story() if "Effect of" in line] == [
        "End Effect of 6 Sealed Letter.",
        "End Effect of 21 Three Couriers.",
    ]
    assert table.board.calendar == 3


@pytest.mark.parametrize(
    ("safe", "ending"), [(True, "All Provinces are safe."), (False, "Unsafe: Susa (-1), Cush (-2).")]
)
def test_a8_the_team_wins_if_all_provinces_are_safe(safe: bool, ending: str) -> None:
    table = Table().gold(Thrace=1, Susa=1).black(Thrace=1).calendar(8)
    if not safe:
        table.black(Susa=2, Cush=2)
    table.do("calendar 1", "evil")
    result = "The team wins." if safe else "The team loses."
    ending = ending if safe else "Unsafe: Cush (-2), Susa (-1)."
    assert table.story()[-4:] == ["The Calendar moves to Adar.", "The Calendar has come to its end.", ending, result]
    assert table.decision() == "over"


def test_a8_the_end_comes_with_the_last_gold_black_or_step() -> None:
    assert "The gold cubes have run out." in Table().supply(gold=1).do("add_gold any 1").play("Susa").story()
    assert "The black cubes have run out." in Table().supply(black=1).do("add_black any 1").play("Susa").story()
    assert "The Calendar has come to its end." in Table().calendar(8).do("calendar 1").story()


def test_a9_a_sons_card_every_round() -> None:
    table = Table(advanced=True).sons(Aspatha="Susa", Adalia="Cush")
    table.state.son_card[:] = [0, 2, 1, 4, 3, 5, 6, 7, 8, 9]
    story = table.begin_round().story()
    assert story[:3] == ["Round 2.", "Parshandatha is destroyed already.", "In force: Aspatha."]
    table.state.stage = 1
    story = table.begin_round().story()
    assert story[story.index("Round 3.") :][1:3] == ["Dalphon is destroyed already.", "In force: Adalia."]
    story = table.begin_round().story()
    assert sum("already" in line for line in story[story.index("Round 4.") :]) == 6  # and then nothing comes
    story = table.begin_round().story()
    assert story[story.index("Round 5.") + 1].startswith("Seat 0 is dealt")


def test_a10_more_cards_at_the_start() -> None:
    assert len(said(Played(2, messenger_cards=4), "In force")) == 4
    played = Played(2, advanced=True, extra_sons_cards=3)
    story = played.story()
    start = [line for line in story[: story.index("Round 1.")] if line.startswith("In force")]
    assert len(start) == 4
    assert sum(played.columns[f"sons_card_{i}"] for i in range(1, 11)) == 3 + 1


def test_a11_proclaim_loyal() -> None:
    table = spread_out().messengers(red="Dascylium", blue="Anatolia")
    table.do("add_gold msgr_adj_pair 2")
    assert (table.decision(), table.choices()) == ("pair by 0", ["red and blue"])
    assert table.play("red and blue").golds() == {"Dascylium": 2, "Anatolia": 2}
    assert spread_out().messengers(white="Cush").do("add_gold msgr_adj_pair 2").choices() == ["blue and white"]
    table = spread_out().do("add_gold msgr_adj_pair 2")
    assert (table.golds(), table.story()[1]) == ({}, "Skipped: add_gold msgr_adj_pair 2.")


def test_a11_proclaim_evil() -> None:
    table = Table().top("Egypt", "Lydia").sons(Aspatha="Susa", Vaizatha="Susa", Adalia="Egypt", Dalphon="Cush")
    table.do("sons_to_top", "evil")
    assert (table.decision(), table.choices()) == ("origin by 0", ["Cush", "Susa"])
    table.play("Susa")
    assert table.choices() == ["path 1 from Susa to Egypt", "path 2 from Susa to Egypt"]
    table.play("path 2 from Susa to Egypt")
    assert table.blacks() == {"Babylon": 2, "Arabia": 2, "Judea": 2, "Egypt": 2} or table.blacks() == {
        "Babylon": 2,
        "Arabia": 2,
        "Cush": 2,
        "Egypt": 2,
    }
    assert {table.where(son) for son in ("Aspatha", "Vaizatha", "Adalia")} == {"Egypt"}
    assert table.top_is() == "Lydia"


def test_a11_proclaim_end() -> None:
    assert Table().sons(Vaizatha="Media").do("add_black son:Vaizatha 3", "end").blacks() == {"Media": 3}
    table = Table().do("add_black son:Vaizatha 3", "end")
    assert (table.blacks(), table.state.skipped) == ({}, 1)


# --- B1 to B20: options


@pytest.mark.parametrize("operation", ["sons_to_top", "son_to_top any"])
@pytest.mark.parametrize("section", ["loyal", "evil", "end"])
def test_b1_evil_target_free(operation: str, section: str) -> None:
    def table(**options: Any) -> Table:
        return Table(**options).top("Susa", "Lydia").sons(Aspatha="Media").do(operation, section)

    assert "decline" not in table().choices()
    for unused in (True, False):  # B8 does not matter
        free = table(evil_target_free=True, discard_top_if_unused=unused)
        assert free.choices()[-1] == "decline"
        free.play("decline")
        assert (free.blacks(), free.top_is(), free.state.declined) == ({}, "Lydia", 1)
        assert "Seat 0 declines." in free.story()
    kept = table(evil_target_free=True, proclaim_discards="action").play("decline")
    assert kept.top_is() == "Susa"


def test_b1_what_cannot_be_declined() -> None:
    for text in ("son_to_top Aspatha", "son_step any"):
        table = Table(evil_target_free=True).top("Susa").sons(Aspatha="Media").do(text)
        assert "decline" not in table.choices()


def test_b2_runout() -> None:
    table = Table(runout="cannot_place").supply(gold=1).do("add_gold any 1; add_gold any 1").play("Susa")
    assert table.decision() == "Province by 0"
    assert table.play("Susa").story()[-4:-2] == ["1 gold in Susa.", "The gold cubes have run out."]
    table = Table(runout="cannot_place").supply(black=2).do("add_black any 3").play("Susa")
    assert table.story()[2:4] == ["The black cubes have run out.", "Unsafe: Susa (-2)."]
    table = Table().supply(black=2).do("add_black any 2").play("Susa")
    assert table.story()[2] == "The black cubes have run out."


def test_b3_end_timing() -> None:
    """The third seat's card and the second operation of the first card, with the supply used up by the first."""
    seen = []
    for timing in LATE:
        table = Table(2, end_timing=timing).hand(0, 3, 8).hand(1, 5, 9).supply(gold=1)
        table.write(3, loyal="add_gold msgr_all 1; discard_top 1", evil="calendar 1").write(5, evil="calendar 2")
        table.end_turn().play("4 Relay Riders", "6 Sealed Letter")
        assert table.decision() == "over"
        seen.append((table.golds(), table.top_is(), int(table.board.calendar), int(table.board.due)))
    assert seen == [
        ({"Gandhara": 1}, "Thrace", 0, 1),
        ({"Gandhara": 1}, "Dascylium", 1, 1),
        ({"Gandhara": 1}, "Dascylium", 3, 1),
    ]


@pytest.mark.parametrize(("timing", "steps"), [("immediate", 0), ("finish_card", 0), ("finish_turn", 1)])
def test_b3_abilities_are_cards_of_one_turn(timing: str, steps: int) -> None:
    table = Table(end_timing=timing).sons(Parshandatha="Susa", Aridatha="Cush").supply(black=1)
    table.in_force("black_at_home", "moves_calendar").end_round()
    assert (int(table.board.calendar), table.decision()) == (steps, "over")


def test_b4_calendar_steps() -> None:
    assert Table(calendar_steps=8).calendar(7).do("calendar 1").decision() == "over"
    assert Table().calendar(7).do("calendar 1").decision() != "over"


def test_b5_son_path() -> None:
    def table(path: str) -> Table:
        return Table(son_path=path).top("Judea", "Lydia").sons(Aspatha="Cush").do("son_to_top Aspatha")

    assert table("shortest_owner_choice").choices() == ["path 1 from Cush to Judea", "path 2 from Cush to Judea"]
    fixed = table("shortest_fixed")
    assert fixed.blacks() == {"Egypt": 1, "Judea": 1}
    free = table("any_path_owner_choice")
    assert len(free.choices()) > 2
    assert free.play("path 1 from Cush to Judea").blacks() == {"Egypt": 1, "Judea": 1}
    around = table("any_path_owner_choice").play("path 2 from Cush to Judea")
    assert around.blacks() == {"Arabia": 1, "Syria": 1, "Judea": 1}


def test_b6_son_path_shared() -> None:
    def table(shared: bool) -> Table:
        table = Table(son_path_shared=shared).top("Judea", "Lydia").sons(Aspatha="Cush", Adalia="Cush")
        return table.do("sons_to_top").play("Cush", "path 1 from Cush to Judea")

    assert table(True).blacks() == {"Egypt": 2, "Judea": 2}
    apart = table(False)
    assert (apart.where("Aspatha"), apart.where("Adalia"), apart.decision()) == ("Judea", "Cush", "route by 0")
    assert apart.top_is() == "Judea"
    apart.play("path 2 from Cush to Judea")
    assert apart.blacks() == {"Egypt": 1, "Arabia": 1, "Judea": 2}
    assert apart.top_is() == "Lydia"


def test_b7_adjacent_includes_same() -> None:
    table = spread_out(adjacent_includes_same=True).messengers(blue="Thrace").do("add_gold msgr_adj_pair 1")
    assert table.choices() == ["red and blue"]
    assert table.play("red and blue").golds() == {"Thrace": 2}
    assert spread_out().messengers(blue="Thrace").do("add_gold msgr_adj_pair 1").state.skipped == 1


@pytest.mark.parametrize("text", ["sons_to_top", "son_to_top any", "son_to_top Aspatha", "son_to_top Adalia"])
def test_b8_discard_top_if_unused(text: str) -> None:
    for unused, top in ((True, "Lydia"), (False, "Susa")):
        table = Table(discard_top_if_unused=unused).top("Susa", "Lydia").sons(Aspatha="Susa").do(text)
        assert (table.top_is(), table.state.skipped) == (top, 1)


def test_b9_proclaim_discards_the_action_card() -> None:
    table = Table(proclaim_discards="action").top("Susa", "Lydia").sons(Aspatha="Media").do("sons_to_top")
    assert table.play("Media", "path 1 from Media to Susa").top_is() == "Susa"
    table = Table(proclaim_discards="action").top("Susa", "Lydia").do("sons_to_top")
    assert table.top_is() == "Susa"
    assert Table(proclaim_discards="action").top("Susa", "Lydia").do("add_black top 1").top_is() == "Lydia"


def test_b10_placement() -> None:
    played = Played(3, placement="team_chooses")
    assert [what for _, what, _ in played.decisions()][:5] == ["place"] * 5
    assert {seat for seat, what, _ in played.decisions() if what == "place"} == {0}
    colours = [chosen for _, what, chosen in played.decisions() if what == "place"]
    story = played.story()
    assert [line.split()[1] for line in story if "Messenger starts" in line] == colours
    assert sorted(colours) == sorted(COLOURS)
    usual = Played(3).story()
    assert [line.split()[-1] for line in usual if "Messenger starts" in line] == [
        line.split()[-1] for line in story if "Messenger starts" in line
    ]  # the same Provinces


def equal_numbers(how: str, players: int = 3) -> Table:
    table = Table(players, equal_numbers=how)
    table.rules.number[:] = 7
    for seat in range(players):
        table.hand(seat, 4 + seat, 20 + seat)
        table.write(4 + seat, evil="discard_top 1")
    table.end_turn()
    for seat in range(players):
        table.play(table.names.card(4 + seat))
    return table


def order(table: Table) -> list[str]:
    return [line.split(" of 7 ")[1] for line in table.story() if line.startswith("Evil Action")]


def test_b11_equal_numbers_in_seat_order() -> None:
    assert order(equal_numbers("seat_order")) == ["Scribes of the King.", "Sealed Letter.", "Open Gates."]


def test_b11_equal_numbers_by_agreement() -> None:
    table = equal_numbers("owner_agreement")
    assert (table.decision(), table.choices()) == ("order by 0", ["card 1", "card 2", "card 3"])
    table.play("card 2")
    assert (table.decision(), table.choices()) == ("order by 0", ["card 1", "card 3"])
    table.play("card 3")
    assert order(table) == ["Sealed Letter.", "Open Gates.", "Scribes of the King."]
    assert "7 Sealed Letter goes first." in table.story()


def test_b11_equal_numbers_by_lot() -> None:
    box = box_with(cards=[card | {"number": 1} for card in cards()])
    firsts = set()
    for i in range(12):
        story = Played(3, i, box=box, equal_numbers="random").story()
        selected = [line.split(" selects ")[1] for line in story if " selects " in line][:3]
        first = next(line for line in story if " goes first." in line).replace(" goes first", "")
        firsts.add(selected.index(first))
    assert firsts == {0, 1, 2}  # one of them would be missed once in 40 seeds; the seed is fixed


def test_b12_the_second_hand_changes_no_rule() -> None:
    assert Played(2, two_player_second_hand="visible").story() == Played(2).story()


def test_b13_solo_deck_peek() -> None:
    for peek, order_ in (("before_choice", ["The deck", "Seat 0"]), ("after_choice", ["Seat 0", "The deck"])):
        lines_ = said(Played(1, solo_deck_peek=peek), "The deck shows", "Seat 0 selects")
        assert [line[: len(word)] for line, word in zip(lines_, order_, strict=False)] == order_


def test_b14_solo_end_pick() -> None:
    chosen = set()
    for i in range(20):
        played = Played(1, i, box=box_with(cards=cards(evil="", end="calendar 1")), solo_end_pick="random_two")
        assert not any(what == "pick" for _, what, _ in played.decisions())
        story = played.story()
        at = next(i for i, line in enumerate(story) if line.endswith(" left."))
        three = sorted(int(line.split(" Card ")[1].split(" ")[0].rstrip(".")) for line in story[at : at + 3])
        counted = story[at + 3]
        assert counted.endswith(" count.")
        two = [int(part.split(" ")[0]) for part in counted.split(" and ")]
        chosen.add(tuple(three.index(number) for number in two))
    assert chosen == {(0, 1), (0, 2), (1, 2)}


@pytest.mark.parametrize("count", range(6))
def test_b15_messenger_cards(count: int) -> None:
    played = Played(3, messenger_cards=count)
    assert sum(played.columns[f"messenger_card_{i}"] for i in range(1, 6)) == count


def test_b17_the_standard_game_has_no_sons_cards() -> None:
    assert sum(Played(3).columns[f"sons_card_{i}"] for i in range(1, 11)) == 0


def test_b18_open_hands_change_no_rule() -> None:
    assert Played(3, communication="pooled").story() == Played(3).story()


def test_b19_loyal_optional() -> None:
    def table() -> Table:
        table = Table(2, loyal_optional=True).hand(0, 4, 20, 22).hand(1, 5, 21, 23)
        table.write(4, loyal="add_gold any 1; add_gold any 1", evil="discard_top 1").write(5)
        return table.end_turn().play("5 Scribes of the King", "6 Sealed Letter")

    asked = table()
    assert (asked.decision(), asked.choices()) == ("Loyal Action by 0", ["carry out", "leave out"])
    assert asked.play("carry out").decision() == "Province by 0"
    left = table().play("leave out")
    assert (left.golds(), left.top_is(), left.state.declined) == ({}, "Dascylium", 1)
    assert "Seat 0 leaves out the Loyal Action of 5 Scribes of the King." in left.story()
    assert left.decision() == "selection by 0"  # card 6 has no Loyal Action: nobody is asked


def test_b20_resolved_cards_on_top() -> None:
    played = Played(1, box=box_with(cards=cards(evil="", end="")), resolved_cards="on_top")
    story = played.story()
    story = story[story.index("Round 1.") : story.index("Round 2.")]
    turned = [line.removeprefix("The deck shows ") for line in story if line.startswith("The deck shows")]
    mine = [line.split(" selects ")[1] for line in story if " selects " in line]
    for turn in range(6):
        last = max(turned[turn], mine[turn], key=lambda card: int(card.split()[0]))
        assert turned[turn + 1] == last


# --- B21 to B24: operations and selectors


def test_b21_cubes() -> None:
    table = Table().gold(Susa=2).black(Susa=3)
    table.do("add_gold any 2; add_black any 1; remove_black any 9; remove_gold any 1").play(
        "Susa", "Cush", "Susa", "Susa"
    )
    assert table.cubes() == {"Susa": (3, 0), "Cush": (0, 1)}
    assert (int(table.board.gold_left), int(table.board.black_left), int(table.board.black_removed)) == (42, 39, 3)
    assert table.story()[1:5] == [
        "2 gold in Susa.",
        "1 black in Cush.",
        "3 black taken from Susa.",
        "1 gold taken from Susa.",
    ]


def test_b21_move_messenger() -> None:
    table = spread_out().do("move_messenger 2 1")
    assert table.choices() == list(COLOURS)
    assert table.play("blue").choices() == ["stay", "Judea", "Cush"]
    assert table.play("Cush").choices() == ["red", "green", "white", "purple"]
    table.play("purple", "stay")
    assert (table.where("blue"), table.where("purple"), table.decision()) == ("Cush", "Gandhara", "selection by 0")
    assert table.story()[1:3] == [
        "The blue Messenger moves from Egypt to Cush.",
        "The purple Messenger stays in Gandhara.",
    ]
    assert spread_out().do("move_messenger 1 2").play("blue").choices() == ["stay", "Syria", "Judea", "Cush", "Arabia"]


def test_b21_ride_gold() -> None:
    table = spread_out().do("ride_gold 2").play("blue")
    assert table.choices() == ["Judea", "Judea - Syria", "Judea - Arabia", "Cush", "Cush - Arabia"]
    table.play("Judea - Arabia")
    assert (table.golds(), table.where("blue")) == ({"Judea": 1, "Arabia": 1}, "Arabia")


def test_b21_son_to_top_and_step() -> None:
    table = Table().top("Susa", "Lydia").sons(Aspatha="Media", Adalia="Susa", Dalphon="Cush").do("son_to_top any")
    assert table.choices() == ["Dalphon", "Aspatha"]
    table.play("Aspatha", "path 1 from Media to Susa")
    assert (table.blacks(), table.top_is()) == ({"Susa": 1}, "Lydia")
    table = Table().sons(Aspatha="Cush", Adalia="Susa").do("son_step any")
    assert table.choices() == ["Aspatha", "Adalia"]
    assert table.play("Aspatha").choices() == ["Egypt", "Arabia"]
    assert table.play("Egypt").blacks() == {"Egypt": 1}
    assert table.where("Aspatha") == "Egypt"


def test_b21_destroy_son() -> None:
    table = spread_out().sons(Aspatha="Thrace", Adalia="Susa", Dalphon="Cush").black(Thrace=1).gold(Susa=1)
    assert table.do("destroy_son msgr").choices() == ["Aspatha", "Adalia"]
    table = spread_out().sons(Aspatha="Thrace", Adalia="Susa", Dalphon="Egypt").black(Thrace=1).gold(Susa=1)
    assert table.do("destroy_son msgr_gold").choices() == ["Dalphon", "Adalia"]
    table.play("Adalia")
    assert (table.where("Adalia"), table.golds()) == ("nowhere", {"Susa": 1})


def test_b21_calendar_and_discard_top() -> None:
    table = Table(end_timing="finish_card").top("Susa", "Cush", "Lydia").calendar(7).do("calendar 9; discard_top 2")
    assert (int(table.board.calendar), table.top_is()) == (9, "Lydia")
    assert sum("Calendar moves" in line for line in table.story()) == 2


def test_b22_messengers() -> None:
    assert spread_out().do("add_gold msgr 1").choices() == list(COLOURS)
    pairs = [f"{a}, {b}" for i, a in enumerate(COLOURS) for b in COLOURS[i + 1 :]]
    assert spread_out().do("add_gold msgr*2 1").choices() == pairs
    assert len(spread_out().do("add_gold msgr*3 1").choices()) == 10
    assert len(spread_out().do("add_gold msgr*4 1").choices()) == 5
    assert spread_out().do("add_gold msgr*5 1").choices() == [", ".join(COLOURS)]
    assert spread_out().do("add_gold msgr*2 2").play("red, green").golds() == {"Thrace": 2, "Susa": 2}
    assert Table().do("add_gold msgr*2 1").play("red, green").golds() == {"Gandhara": 2}  # twice the same Province
    table = spread_out().do("add_gold msgr_all 1")
    assert table.golds() == dict.fromkeys(("Thrace", "Egypt", "Susa", "Parthia", "Gandhara"), 1)


def test_b22_provinces() -> None:
    def table() -> Table:
        return spread_out().sons(Aspatha="Thrace", Adalia="Cush").black(Syria=2, Cush=2, Susa=1)

    assert table().do("add_gold msgr_son 1").choices() == ["Thrace"]
    assert table().do("add_gold son 1").choices() == ["Thrace", "Cush"]
    assert table().do("add_gold son_nomsgr 1").choices() == ["Cush"]
    assert len(table().do("add_gold any 1").choices()) == 20
    assert table().do("add_gold most_black 1").choices() == ["Syria", "Cush"]
    assert len(Table().do("add_gold most_black 1").choices()) == 20
    assert Table().do("add_gold msgr_near 1").choices() == ["Bactria", "Arachosia", "Gandhara"]
    assert table().do("add_gold son:Adalia 1").golds() == {"Cush": 1}
    top = table().top("Judea", "Lydia").do("add_gold top 2; add_gold top 1")
    assert (top.golds(), top.top_is()) == ({"Judea": 2, "Lydia": 1}, "Thrace")


@pytest.mark.parametrize(
    "text",
    [
        "add_gold msgr_adj_pair 1", "add_gold msgr_son 1", "add_gold son 1", "add_black son_nomsgr 2",
        "add_black son:Adalia 1", "son_to_top Adalia", "sons_to_top", "son_to_top any", "son_step any",
        "destroy_son msgr", "destroy_son msgr_gold",
    ],
)  # fmt: skip
def test_b23_an_operation_without_a_target_is_skipped(text: str) -> None:
    table = spread_out().do(f"{text}; calendar 1")
    assert table.story()[1] == f"Skipped: {text}."
    assert (int(table.state.skipped), int(table.board.calendar)) == (1, 1)


def test_b23_a_target_may_be_useless() -> None:
    table = Table().do("remove_black any 1")
    assert len(table.choices()) == 20
    table.play("Susa")
    assert not any("taken" in line for line in table.story())
    assert int(table.state.skipped) == 0


def test_b24_choices_are_made_on_the_board_as_it_is() -> None:
    table = Table().do("add_black any 1; add_gold most_black 1").play("Susa")
    assert table.choices() == ["Susa"]


# --- B28 to B32


def test_b28_an_empty_supply_gives_nothing_and_cubes_come_back() -> None:
    table = Table(end_timing="finish_card").supply(gold=2).do("add_gold msgr_all 1; remove_gold any 1; add_gold any 1")
    assert table.golds() == {"Gandhara": 2}
    table.play("Gandhara", "Susa")
    assert table.golds() == {"Gandhara": 1, "Susa": 1}
    assert table.decision() == "over"  # it stays due (B29)


def test_b28_all_cubes_of_a_target_before_the_next() -> None:
    table = spread_out().supply(gold=3).do("add_gold msgr_all 2")
    assert table.golds() == {"Thrace": 2, "Egypt": 1}


def test_b29_the_first_reason_stays() -> None:
    table = Table(end_timing="finish_card").supply(gold=1).calendar(8).do("add_gold any 1; calendar 1").play("Susa")
    assert (int(table.board.due), int(table.board.calendar)) == (1, 9)
    assert sum("have run out" in line or "come to its end" in line for line in table.story()) == 1


def test_b29_nothing_follows_an_immediate_end() -> None:
    table = Table().top("Judea", "Lydia").supply(black=1).do("add_black top 2; calendar 1")
    assert (table.top_is(), int(table.board.calendar), table.blacks()) == ("Judea", 0, {"Judea": 1})
    table = Table().top("Thrace", "Lydia").sons(Aspatha="Gandhara", Adalia="Gandhara").supply(black=2)
    table.do("sons_to_top").play("Gandhara", "path 1 from Gandhara to Thrace")
    assert (len(table.blacks()), table.where("Adalia"), table.top_is()) == (2, "Gandhara", "Thrace")


def test_b30_sons_go_one_after_the_other() -> None:
    table = Table().top("Cush", "Lydia").sons(Vaizatha="Egypt", Aspatha="Egypt").do("sons_to_top")
    table.play("Egypt", "path 1 from Egypt to Cush")
    assert [line for line in table.story() if "moves to" in line] == [
        "Aspatha moves to Cush.",
        "Vaizatha moves to Cush.",
    ]


def test_b31_the_card_of_a_destroyed_son_is_out_of_force() -> None:
    table = spread_out().sons(Parshandatha="Thrace").black(Thrace=2).in_force("black_at_home")
    table.do("destroy_son msgr").play("Parshandatha").end_round()
    assert table.blacks() == {"Thrace": 2}


def test_b32_the_province_cards_are_shuffled_when_the_last_is_discarded() -> None:
    table = Table().last_top("Susa").do("discard_top 1")
    line = table.story()[1]
    assert line.startswith("Susa is discarded and the deck shuffled, the top Province is ")
    assert sorted(table.state.province.tolist()) == list(range(20))
    assert (int(table.state.province_at), int(table.state.province_shuffles)) == (0, 1)
    assert int(table.board.unseen).bit_count() == 19


# --- B33 to B38


def test_b33_seat_0_decides_for_the_team() -> None:
    table = Table(3).in_force("moves_at_night").begin_round()
    assert table.decision() == "night by 0"
    table = Table(3).sons(Parmashta="Cush").in_force("black_next_door").end_round()
    assert (table.decision(), table.choices()) == ("step by 0", ["Egypt", "Arabia"])


def test_b34_longer_steps() -> None:
    table = spread_out().messengers(red="Egypt").in_force("longer_steps").do("move_messenger 2 1")
    assert table.play("red").choices() == ["stay", "Syria", "Judea", "Cush", "Arabia"]
    assert table.play("stay", "blue").choices() == ["stay", "Judea", "Cush"]
    table = spread_out().messengers(red="Egypt").in_force("longer_steps").do("ride_gold 1").play("red")
    assert "Judea - Syria" in table.choices()


def test_b34_one_more_gold() -> None:
    table = spread_out().in_force("one_more_gold").do("add_gold msgr_all 1; add_gold any 1").play("Egypt")
    assert table.golds() == {"Thrace": 1, "Egypt": 3, "Susa": 1, "Parthia": 1, "Gandhara": 1}
    assert table.story()[2:4] == ["1 gold in Egypt.", "1 gold in Egypt."]
    table.begin_round()
    assert spread_out().in_force("one_more_gold").do("ride_gold 1").play("blue", "Judea").golds() == {"Judea": 2}
    assert int(table.board.extra_gold_used) == 0
    short = (
        spread_out(end_timing="finish_card").supply(gold=1).in_force("one_more_gold").do("add_gold any 1").play("Egypt")
    )
    assert (short.golds(), int(short.board.extra_gold_used)) == ({"Egypt": 1}, 1)


def test_b34_keeps_black_out() -> None:
    def table(**options: Any) -> Table:
        table = spread_out(**options).messengers(green="Egypt").in_force("keeps_black_out").top("Judea", "Lydia")
        return table.sons(Aspatha="Cush")

    assert table().do("son_to_top Aspatha").play("path 1 from Cush to Judea").blacks() == {"Judea": 1}
    assert table().do("add_black any 1").play("Egypt").blacks() == {"Egypt": 1}
    none = table(runout="cannot_place").supply(black=0).do("son_step any").play("Aspatha", "Egypt")
    assert none.decision() != "over"  # cubes that are not placed are not missing


def test_b34_gold_each_round() -> None:
    table = (
        spread_out()
        .sons(Adalia="Parthia")
        .in_force("gold_each_round", "less_gold", "one_more_gold")
        .messengers(blue="Parthia")
        .end_round()
    )
    assert table.golds() == {"Parthia": 1}  # it is no add_gold
    assert table.story()[:2] == ["End of the round: Palace Steward.", "1 gold in Parthia."]


def test_b34_moves_at_night() -> None:
    table = spread_out().messengers(purple="Egypt").in_force("moves_at_night").begin_round()
    assert table.choices() == ["stay", "Syria", "Judea", "Cush", "Arabia"]
    table.play("Arabia")
    story = table.story()
    assert story[:2] == ["Round 2.", "The purple Messenger moves from Egypt to Arabia."]
    assert story[2].startswith("Seat 0 is dealt")


def test_b35_black_at_home_takes_gold_moves_calendar() -> None:
    table = Table().sons(Parshandatha="Cush", Aridai="Susa", Aridatha="Lydia").gold(Susa=1)
    table.in_force("black_at_home", "takes_gold", "moves_calendar").end_round()
    assert table.story()[:6] == [
        "End of the round: Parshandatha.", "1 black in Cush.", "End of the round: Aridatha.",
        "The Calendar moves to Tammuz.", "End of the round: Aridai.", "1 gold taken from Susa.",
    ]  # fmt: skip


def test_b35_extra_black() -> None:
    def table() -> Table:
        return spread_out().sons(Dalphon="Cush", Adalia="Cush").in_force("extra_black").top("Judea", "Lydia")

    assert table().do("sons_to_top").play("Cush", "path 1 from Cush to Judea").blacks() == {"Egypt": 2, "Judea": 3}
    assert table().do("son_step any").play("Dalphon", "Arabia").blacks() == {"Arabia": 2}
    guarded = table().messengers(green="Arabia").in_force("keeps_black_out").do("son_step any")
    assert guarded.play("Dalphon", "Arabia").blacks() == {}


def test_b35_two_messengers() -> None:
    def table() -> Table:
        return spread_out().sons(Aspatha="Thrace", Adalia="Susa").in_force("two_messengers")

    assert table().do("destroy_son msgr").choices() == ["Adalia"]
    assert table().messengers(blue="Thrace").do("destroy_son msgr").choices() == ["Aspatha", "Adalia"]


def test_b35_runs_to_top() -> None:
    table = Table().sons(Poratha="Cush").in_force("runs_to_top").top("Judea", "Lydia").end_round()
    assert (table.decision(), len(table.choices())) == ("route by 0", 2)
    assert table.play("path 1 from Cush to Judea").blacks() == {"Egypt": 1, "Judea": 1}
    assert "Judea is discarded, the top Province is Lydia." in table.story()
    free = Table(evil_target_free=True).sons(Poratha="Cush").in_force("runs_to_top").top("Judea").end_round()
    assert "decline" not in free.choices()
    for unused, top in ((True, "Lydia"), (False, "Cush")):
        there = Table(discard_top_if_unused=unused).sons(Poratha="Cush").in_force("runs_to_top").top("Cush", "Lydia")
        assert there.end_round().top_is() == top
        assert int(there.state.skipped) == 0  # it is no operation of a card


def test_b35_less_gold() -> None:
    table = (
        spread_out().sons(Adalia="Susa").in_force("less_gold").do("add_gold any 2; add_gold any 1").play("Susa", "Susa")
    )
    assert table.golds() == {"Susa": 1}
    table = Table().sons(Adalia="Gandhara").in_force("less_gold").do("add_gold msgr_all 1")
    assert table.golds() == {}
    table = spread_out().messengers(blue="Susa").sons(Adalia="Susa").in_force("less_gold", "one_more_gold")
    assert table.do("add_gold any 1; add_gold any 2").play("Susa", "Susa").golds() == {"Susa": 2}


def test_b35_black_next_door() -> None:
    table = Table().sons(Parmashta="Cush").in_force("black_next_door", "keeps_black_out").messengers(green="Egypt")
    assert table.end_round().play("Egypt").blacks() == {"Egypt": 1}  # nobody moves
    assert table.where("Parmashta") == "Cush"


def test_b35_avenges() -> None:
    table = (
        spread_out().sons(Aspatha="Thrace", Arisai="Cush").in_force("avenges").do("destroy_son msgr").play("Aspatha")
    )
    assert table.blacks() == {"Cush": 1}
    table = spread_out().sons(Arisai="Thrace").in_force("avenges").do("destroy_son msgr").play("Arisai")
    assert table.blacks() == {}


def test_b35_worse_end_effects() -> None:
    def table() -> Table:
        return Table().sons(Vaizatha="Cush").in_force("worse_end_effects").top("Susa", "Lydia")

    for selector in ("son", "son:Vaizatha", "son_nomsgr"):
        ended = table().do(f"add_black {selector} 2", "end")
        ended = ended if selector == "son:Vaizatha" else ended.play("Cush")
        assert ended.blacks() == {"Cush": 3}
    assert table().do("add_black top 2", "end").blacks() == {"Susa": 2}
    assert table().do("add_black son:Vaizatha 2", "evil").blacks() == {"Cush": 2}
    assert table().do("add_gold son:Vaizatha 2", "end").golds() == {"Cush": 2}


def test_b34_b35_every_ability_is_tested() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    for ability in (*MESSENGER_ABILITIES[1:], *SON_ABILITIES[1:]):
        assert f'"{ability}"' in source, ability


def test_b36_end_of_a_round() -> None:
    table = spread_out().sons(Parshandatha="Cush", Aridai="Susa", Dalphon="Lydia").gold(Susa=1)
    table.in_force("takes_gold", "black_at_home", "extra_black", "gold_each_round").end_round()
    ends = [line for line in table.story() if line.startswith("End of the round")]
    assert ends == [f"End of the round: {name}." for name in ("Palace Steward", "Parshandatha", "Aridai")]
    story = table.story()
    assert story.index("Round 2.") > story.index(ends[-1])
    quick = Table().calendar(8).sons(Parshandatha="Cush").in_force("black_at_home").hand(0, 1).hand(1, 2)
    quick.write(1, end="calendar 1").end_turn()
    assert quick.blacks() == {}


def test_b37_start_of_a_round() -> None:
    table = Table(advanced=True).sons(Aspatha="Susa").in_force("moves_at_night").begin_round().play("stay")
    kinds = [line.split()[0] for line in table.story()]
    assert kinds[:2] == ["Round", "In"] or "is destroyed already." in table.story()[1]
    night = next(i for i, line in enumerate(table.story()) if line.startswith("The purple Messenger"))
    assert "In force: Aspatha." in table.story()[:night]
    assert table.story()[night + 1].startswith("Seat 0 is dealt")


def test_b38_the_last_card_is_not_selected() -> None:
    for players in (1, 3):
        played = Played(players, box=box_with(cards=cards(evil="", end="")))
        story = played.story()
        story = story[story.index("Round 1.") : story.index("Round 2.")]
        hand = {1: 8, 3: 5}[players]
        assert sum(" selects " in line for line in story) == players * (hand - 1)
        assert sum(line.endswith(" left.") for line in story) == players


def test_b39_cap() -> None:
    played = Played(2, box=box_with(cards=cards(evil="", end="", loyal="move_messenger 1 1")))
    assert (played.columns["end_reason"], played.columns["decisions"]) == (0, 600)
    assert [player["won"] for player in played.players] == [0, 0]


def test_the_names_of_the_test_board_are_those_of_the_box() -> None:
    assert list(COLOURS) == [card["colour"] for card in BOX["messengers"]["cards"]]
    assert list(SON_NAMES) == BOX["sons"]["names"]
