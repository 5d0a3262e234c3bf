"""The language of the cards, the map and the refusals of a box of Purim."""

from copy import deepcopy
from typing import Any

import pytest
from pydantic import ValidationError

from simkit import games
from simkit.errors import BoxError, OptionError
from simkit.games.purim.box import (
    ADD_BLACK,
    ADD_GOLD,
    CALENDAR,
    DESTROY_SON,
    MSGR,
    MSGR_ADJ_PAIR,
    SECTIONS,
    SON_NAMED,
    Box,
    action_cards,
    compile_section,
    operation_words,
    pack,
)
from simkit.scenario.load import load_box
from simkit.scenario.validate import explain

SPEC = games.get("purim")
BOX = load_box(SPEC, None)
SONS = BOX["sons"]["names"]
NAMES = [province["name"] for province in BOX["map"]["provinces"]]


def packed(box: dict[str, Any] = BOX, players: int = 4, **options: Any) -> Any:
    return pack(SPEC.resolve(options), box, players)


def test_proclaim_is_compiled_as_printed() -> None:
    rules = packed()
    kind = next(i for i, card in enumerate(action_cards(BOX)) if card["title"] == "Proclaim")
    assert rules.program_size[kind].tolist() == [1, 1, 1]
    assert rules.program[kind, 0, 0].tolist() == [ADD_GOLD, MSGR_ADJ_PAIR, 2, 0]
    assert operation_words(rules.program[kind, 1, 0], SONS) == "sons_to_top"
    assert rules.program[kind, 2, 0].tolist() == [ADD_BLACK, SON_NAMED, 3, SONS.index("Vaizatha")]


def test_every_section_of_the_box_reads_the_same_once_compiled() -> None:
    for card in action_cards(BOX):
        for section in SECTIONS:
            again = "; ".join(operation_words(op.numbers, SONS) for op in compile_section(card[section], SONS))
            assert again == card[section]


def test_spaces_do_not_matter_and_one_messenger_is_msgr() -> None:
    found = compile_section("  add_gold   msgr*1 02;destroy_son msgr_gold ;calendar 3 ", SONS)
    assert [op.numbers for op in found] == [(ADD_GOLD, MSGR, 2, 1), (DESTROY_SON, 1, 0, 0), (CALENDAR, 3, 0, 0)]
    assert operation_words(found[0].numbers, SONS) == "add_gold msgr 2"
    assert compile_section("", SONS) == compile_section("  ", SONS) == []


@pytest.mark.parametrize(
    ("section", "text", "complaint"),
    [
        ("loyal", "add_glod msgr 1", "operation 1 'add_glod msgr 1': operation 'add_glod' is not known (did you mean add_gold?)"),
        ("evil", "calendar 1; add_black msgr_adjpair 2", "operation 2 'add_black msgr_adjpair 2': selector 'msgr_adjpair' is not known (did you mean msgr_adj_pair?)"),
        ("end", "add_black son:Vaizata 3", "Son 'Vaizata' is not known (did you mean Vaizatha?)"),
        ("evil", "son_to_top anny", "Son 'anny' is not known (did you mean any?)"),
        ("evil", "son_step Dalphon", "Son 'Dalphon' is not known; expected any"),
        ("loyal", "destroy_son mgsr_gold", "condition 'mgsr_gold' is not known (did you mean msgr_gold?)"),
        ("loyal", "add_gold msgr*6 1", "number of Messengers cannot be '6'; expected 1 to 5"),
        ("loyal", "add_gold msgr 0", "number of cubes cannot be '0'; expected 1 to 9"),
        ("loyal", "ride_gold 4", "number of steps cannot be '4'; expected 1 to 3"),
        ("loyal", "add_gold msgr", "1 word after add_gold; expected add_gold WHERE CUBES"),
        ("evil", "sons_to_top any", "1 word after sons_to_top; expected sons_to_top alone"),
        ("evil", "calendar 1;", "operation 2 '': is empty"),
        ("evil", "calendar 1;" * 4 + "calendar 1", "5 operations, at most 4 are supported"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_card_is_named(section: str, text: str, complaint: str) -> None:
    box = deepcopy(BOX)
    box["action_cards"]["invented"]["cards"][4][section] = text
    with pytest.raises(ValidationError) as caught:
        Box.model_validate(box)
    message = explain(caught.value, Box)
    assert complaint in message
    assert f"action_cards.invented.cards entry 5: card 5 'Scribes of the King', {section}" in message


def test_the_map_of_the_box() -> None:
    rules = packed(son_path="any_path_owner_choice")
    distance = rules.distance[:20, :20].astype(int)
    gandhara, thrace, susa, egypt = (NAMES.index(name) for name in ("Gandhara", "Thrace", "Susa", "Egypt"))
    assert distance.sum() * 95 == 294 * 380
    assert (distance == 1).sum() == 66
    assert (distance[gandhara, thrace], distance[susa, egypt]) == (7, 4)
    assert (rules.shortest_paths[gandhara, thrace], rules.shortest_paths[susa, egypt]) == (6, 2)
    assert (rules.simple_paths.sum(), rules.simple_paths.max()) == (164_096, 2_776)
    assert rules.ride_paths[1, :20].tolist() == rules.neighbours[:20].tolist()
    for steps in range(1, 7):
        for p in range(20):
            assert rules.within[steps, p] == sum(1 << q for q in range(20) if 1 <= distance[p, q] <= steps)


def test_ride_paths_are_simple_paths_counted_by_hand() -> None:
    """On a ring of ten Provinces there are two paths of each length."""
    box = deepcopy(BOX)
    box["map"]["provinces"] = box["map"]["provinces"][:10]
    box["map"]["borders"] = [{"a": NAMES[p], "b": NAMES[(p + 1) % 10]} for p in range(10)]
    rules = packed(box, son_path="any_path_owner_choice")
    assert rules.ride_paths[:, :10].tolist() == [[2 * steps] * 10 for steps in range(5)]
    assert rules.shortest_paths[0, :10].tolist() == [1, 1, 1, 1, 1, 2, 1, 1, 1, 1]
    assert rules.simple_paths[0, :10].tolist() == [0] + [2] * 9


def test_cards_that_cannot_be_dealt_are_refused_with_the_arithmetic() -> None:
    box = deepcopy(BOX)
    box["action_cards"]["invented"]["cards"] = box["action_cards"]["invented"]["cards"][:14]
    with pytest.raises(BoxError, match=r"15 cards are too few for 4: 4 x 1 x 4 = 16 are needed"):
        packed(box)
    with pytest.raises(BoxError, match=r"15 cards are too few for 1: 8 in hand \+ 9 from the deck = 17 are needed"):
        packed(box, 1)
    assert packed(box, 3).deck_size == 15


def test_too_many_paths_are_refused_only_where_they_are_needed() -> None:
    box = deepcopy(BOX)
    box["map"]["borders"] = [
        {"a": NAMES[a], "b": NAMES[b]} for a in range(20) for b in range(a + 1, 20) if b - a in (1, 2, 3, 4)
    ]
    Box.model_validate(box)
    packed(box)
    with pytest.raises(BoxError, match=r"more than 10,000 paths"):
        packed(box, son_path="any_path_owner_choice")


def test_sons_cards_need_the_advanced_game() -> None:
    with pytest.raises(OptionError, match=r"extra_sons_cards cannot be 2 without advanced=true"):
        packed(extra_sons_cards=2)
    assert packed(extra_sons_cards=2, advanced=True).sons_in_force == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda box: box["map"].update(borders=box["map"]["borders"][2:]), "1 of 20 Provinces can be reached from 'Thrace'"),
        (lambda box: box["map"]["borders"].append({"a": "Susa", "b": "Babilon"}), "province 'Babilon' is not known (did you mean Babylon?)"),
        (lambda box: box["map"]["borders"].append({"a": "Lydia", "b": "Thrace"}), "border 'Lydia - Thrace' is listed twice"),
        (lambda box: box["sons_cards"]["cards"][0].update(son="Dalfon"), "Son 'Dalfon' is not known (did you mean Dalphon?)"),
        (lambda box: box["sons_cards"]["cards"][0].update(son="Dalphon"), "Son 'Dalphon' is listed twice"),
        (lambda box: box["messengers"]["cards"][0].update(ability="one_more_gold"), "ability 'one_more_gold' is listed twice"),
        (lambda box: box["cubes"].update(black=10), "cubes.black cannot be 10"),
        (lambda box: [card.update(evil="") for card in box["action_cards"]["invented"]["cards"]], "move the Calendar by 8 in all, at least 9 are needed"),
    ],
)  # fmt: skip
def test_a_box_that_cannot_be_played_is_refused(change: Any, complaint: str) -> None:
    box = deepcopy(BOX)
    change(box)
    with pytest.raises(ValidationError) as caught:
        Box.model_validate(box)
    assert complaint in explain(caught.value, Box)


def test_what_the_cards_of_the_box_do_in_all() -> None:
    cards = {card["number"]: card for card in action_cards(BOX)}
    assert sorted(cards) == list(range(1, 28))
    evil = {number: compile_section(card["evil"], SONS) for number, card in cards.items()}
    end = [op for card in cards.values() for op in compile_section(card["end"], SONS)]
    assert sum(op.a for ops in evil.values() for op in ops if op.code == CALENDAR) == 8
    assert sum(op.a for op in end if op.code == CALENDAR) == 8
    assert sum(any(op.code == ADD_BLACK for op in ops) for ops in evil.values()) == 13
    assert sorted(op.c for op in end if op.code == ADD_BLACK and op.a == SON_NAMED) == list(range(10))
    assert [n for n, ops in evil.items() if any("son" in operation_words(op.numbers, SONS).split("_")[0] for op in ops)] == [5, 7, 11, 13, 14, 17, 19, 23, 26]  # fmt: skip
