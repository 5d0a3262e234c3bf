"""Boxes that cannot be played, and settings that do not exist: each is one exact line."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from simkit import api
from simkit.errors import BoxError, OptionError, ScenarioError
from simkit.games.granny_wars.box import MAX_CARDS, MAX_SCORE, pack
from simkit.scenario.load import load_box
from tests.games.granny_wars.table import BOX, SPEC


def refused(box: dict[str, Any], players: int = 4, **options: Any) -> str:
    with pytest.raises(BoxError) as problem:
        pack(SPEC.resolve(options), box, players)
    return str(problem.value)


def changed(name: str, cards: list[dict[str, Any]]) -> dict[str, Any]:
    """The box with other cards in `vp.flat` or `gold`."""
    box = deepcopy(BOX)
    (box["gold"] if name == "gold" else box["vp"][name])["cards"] = cards
    return box


def set_up(**line: int) -> dict[str, Any]:
    """The box with another line for four players."""
    box = deepcopy(BOX)
    next(given for given in box["setup"]["tables"] if given["players"] == 4).update(line)
    return box


# --- boxes that cannot be dealt


@pytest.mark.parametrize(("players", "hand", "needed"), [(6, 10, 60), (7, 8, 56), (8, 8, 64)])
def test_without_gold_cards_there_are_too_few_for_more_than_five(players: int, hand: int, needed: int) -> None:
    line = f"50 cards cannot be dealt to {players}: {players} x {hand} in hand = {needed} are needed"
    assert refused(BOX, players, gold_set="none") == f"vp.flat: {line}"
    assert refused(BOX, players, gold_set="none", vp_distribution="triangular") == f"vp.triangular: {line}"
    with pytest.raises(BoxError) as problem:
        api.question("granny_wars", players=players, options={"gold_set": "none"})
    assert str(problem.value) == f"granny_wars/box.toml: vp.flat: {line}"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_without_gold_cards_there_are_enough_for_up_to_five(players: int) -> None:
    assert pack(SPEC.resolve({"gold_set": "none"}), BOX, players).deck_size == 50


@pytest.mark.parametrize("players", SPEC.players)
@pytest.mark.parametrize("gold_set", ["box", "valueless"])
def test_with_gold_cards_there_are_enough_for_all(players: int, gold_set: str) -> None:
    assert pack(SPEC.resolve({"gold_set": gold_set}), BOX, players).deck_size == 64


def test_a_deck_that_is_one_card_short() -> None:
    box = changed("flat", [{"value": 1, "copies": 26}])
    assert pack(SPEC.resolve({}), box, 4).deck_size == 40
    box = changed("flat", [{"value": 1, "copies": 25}])
    assert refused(box) == "vp.flat and gold: 39 cards cannot be dealt to 4: 4 x 10 in hand = 40 are needed"


def test_a_deck_that_is_too_large() -> None:
    box = changed("flat", [{"value": 1, "copies": 33}, {"value": -1, "copies": 33}])
    assert pack(SPEC.resolve({}), box, 4).deck_size == MAX_CARDS == 80
    box = changed("flat", [{"value": 1, "copies": 34}, {"value": -1, "copies": 33}])
    assert refused(box) == "vp.flat and gold: 81 cards, at most 80 are supported"
    assert pack(SPEC.resolve({"gold_set": "none"}), box, 4).deck_size == 67  # the Gold cards are not in the deck


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_that_add_up_to_too_much(sign: int) -> None:
    box = changed(
        "flat", [{"value": 9 * sign, "copies": 17}, {"value": 7 * sign, "copies": 1}, {"value": 0, "copies": 30}]
    )
    assert pack(SPEC.resolve({"gold_set": "none"}), box, 4).deck_size == 48
    assert MAX_SCORE == 160 == 17 * 9 + 7
    box = changed("flat", [{"value": 9 * sign, "copies": 18}, {"value": 0, "copies": 30}])
    assert refused(box, gold_set="none") == "vp.flat: the numbers with one sign add up to 162, at most 160 is supported"
    assert pack(SPEC.resolve({"vp_distribution": "triangular"}), box, 4).deck_size == 64  # the other table is played


def test_gold_cards_count_towards_the_sum_unless_they_are_valueless() -> None:
    box = changed("gold", [{"name": "Gran", "copies": 14, "value": 9, "power": "none"}])
    assert refused(box) == "vp.flat and gold: the numbers with one sign add up to 201, at most 160 is supported"
    assert pack(SPEC.resolve({"gold_set": "valueless"}), box, 4).deck_size == 64


def test_piles_that_cannot_be_owned() -> None:
    assert refused(set_up(piles=3)) == "setup.tables: 3 piles cannot be owned by 4 players, one each"
    assert pack(SPEC.resolve({}), set_up(piles=4), 4).piles == 4


def test_a_player_count_without_a_line_or_with_two() -> None:
    box = deepcopy(BOX)
    box["setup"]["tables"] = [line for line in box["setup"]["tables"] if line["players"] != 4]
    assert refused(box) == "setup.tables: no line for 4 players"
    assert pack(SPEC.resolve({}), box, 5).players == 5
    box["setup"]["tables"] += [{"players": 4, "piles": 5, "hand": 10}, {"players": 4, "piles": 6, "hand": 9}]
    assert refused(box) == "setup.tables: more than one line for 4 players"


# --- box files of another shape

EXPECTED_POWERS = "none, extra_faceup, extra_facedown, steal, swap_hand or swap_tops"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "title =",
            "titel =",
            "titel is not a known key (did you mean title?); expected title, printed, game, setup, vp, gold or exchange",
        ),
        ("[vp.flat]", "[vp.flatt]", "vp.flatt is not a known key (did you mean flat?); expected flat or triangular"),
        (
            "{ value = -4, copies = 5 }",
            '{ value = -4, copies = 5, name = "x" }',
            "vp.flat.cards entry 2, name is not a known key; expected value or copies",
        ),
        ("{ value = -4, copies = 5 }", "{ value = -5, copies = 5 }", "vp.flat: value -5 is listed twice"),
        ('"New Hip"', '"Nana Nap"', "gold: Nana Nap is listed twice"),
        ("{ value = -4, copies = 5 }", "{ value = -4 }", "vp.flat.cards entry 2, copies is missing"),
        (
            "{ value = -4, copies = 5 }",
            "{ value = -10, copies = 5 }",
            "vp.flat.cards entry 2, value cannot be -10: input should be greater than or equal to -9",
        ),
        (
            "{ value = -4, copies = 5 }",
            "{ value = -4, copies = -1 }",
            "vp.flat.cards entry 2, copies cannot be -1: input should be greater than or equal to 0",
        ),
        (
            "{ value = -4, copies = 5 }",
            '{ value = "-4", copies = 5 }',
            "vp.flat.cards entry 2, value cannot be '-4'; expected a valid integer",
        ),
        (
            '"swap_tops"',
            '"swap_top"',
            f"gold.cards entry 6, power cannot be 'swap_top' (did you mean swap_tops?); expected {EXPECTED_POWERS}",
        ),
        (
            '"New Hip"',
            f'"{"x" * 21}"',
            f"gold.cards entry 4, name cannot be '{'x' * 21}': string should have at most 20 characters",
        ),
        (
            "hand = 15",
            "hand = 16",
            "setup.tables entry 1, hand cannot be 16: input should be less than or equal to 15",
        ),
        (
            "piles = 8,",
            "piles = 9,",
            "setup.tables entry 6, piles cannot be 9: input should be less than or equal to 8",
        ),
        (
            'provenance = "placeholder"',
            'provenance = "guess"',
            "vp.flat.provenance cannot be 'guess'; expected rulebook, derived, public, assumed or placeholder",
        ),
    ],
)
def test_a_box_file_of_another_shape(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    text = SPEC.text("box.toml")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BoxError) as problem:
        load_box(SPEC, path)
    assert str(problem.value) == f"{path}: {message}"


def test_a_box_file_that_cannot_be_dealt_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SPEC.text("box.toml").replace("{ players = 3, piles = 4, hand = 10 },", ""), encoding="utf-8")
    with pytest.raises(BoxError) as problem:
        api.question("granny_wars", players=3, box=path)
    assert str(problem.value) == f"{path}: setup.tables: no line for 3 players"
    assert api.question("granny_wars", players=4, box=path).recipe.game == "granny_wars"


def test_a_name_of_twenty_letters_of_any_script_fits(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    name = "Großmütter" + "𝄞" * 10  # the last ten take four bytes each
    path.write_text(SPEC.text("box.toml").replace("New Hip", name), encoding="utf-8")
    box = load_box(SPEC, path)
    assert bytes(pack(SPEC.resolve({}), box, 4).gold_name[3].tolist()).rstrip(b"\0").decode() == name


# --- settings that do not exist


@pytest.mark.parametrize("players", [0, 1, 9])
def test_too_few_and_too_many_players(players: int) -> None:
    with pytest.raises(OptionError) as problem:
        api.question("granny_wars", players=players)
    assert str(problem.value) == f"players cannot be {players}; Granny Wars is for 2, 3, 4, 5, 6, 7 or 8"


def test_unknown_options_values_and_policies() -> None:
    with pytest.raises(ScenarioError) as problem:
        api.question("granny_wars", players=4, options={"gold_set": "some"})
    assert str(problem.value) == "option gold_set cannot be 'some'; expected box, none or valueless"
    with pytest.raises(ScenarioError) as problem:
        api.question("granny_wars", players=4, options={"gold": "none"})
    assert str(problem.value).startswith("option 'gold' is not known (did you mean gold_set?); expected steal_card, ")
    with pytest.raises(ScenarioError) as problem:
        api.question("granny_wars", players=4, policies={"all": "opn"})
    assert str(problem.value) == (
        "policy of seat 0 'opn' is not known (did you mean open?); expected random, open, stealth or spoiler"
    )
