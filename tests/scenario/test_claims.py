"""Claims files: what is in them, and what is said of a wrong one: the file, the key or the claim, what was expected."""

from pathlib import Path
from typing import get_args

import pytest

from simkit.errors import ScenarioError
from simkit.report import metrics
from simkit.scenario.claims import EXTREMES, RATES, SIZES, UNCLAIMED, Metric, load_claims, recipe_of

HEAD = 'game = "propuh"\n'
ONE = '[[claim]]\nname = "one"\nmetric = "win_rate"\n'


def recipe(text: str):
    path = Path("balance.toml")
    path.write_text(text)
    claims = load_claims(path)
    return [recipe_of(claims, claim, path) for claim in claims.claim][-1]


def test_every_metric_is_of_one_kind_and_those_of_a_report_are_claimed_or_refused():
    assert sorted(get_args(Metric)) == sorted((*RATES, *EXTREMES, *SIZES))
    in_reports = {"seat_gap", "seat_off", "target_gap", "largest_change", "lowest_rate", "highest_rate"}
    assert {*EXTREMES, *SIZES} == in_reports
    for name in ("seat_gap", "seat_off", "target_gap", "largest_change"):
        assert callable(getattr(metrics, name))
    assert set(UNCLAIMED) == {"unbalanced", "undecided", "truncated"}


def test_a_claim_about_a_game_has_a_cell_and_its_change_another():
    one = recipe(HEAD + "seed = 9\n" + ONE + 'preset = "solo-2"\npolicies = { granny = "blocker" }\nat_least = 5')
    assert (one.seed, [cell.preset for cell in one.cells], one.cells[0].policies) == (9, ["solo-2"], ("blocker",))
    two = recipe(
        HEAD + '[[claim]]\nname = "x"\nmetric = "largest_change"\nat_most = 2\n'
        'options = { deck = "even" }\nchange = { failed_counter = "discarded" }'
    )
    assert [cell.options["failed_counter"] for cell in two.cells] == ["stays", "discarded"]
    assert [cell.options["deck"] for cell in two.cells] == ["even", "even"]
    assert two.groups[0].pairs == ((0, 1),)


def test_a_claim_about_a_scenario_has_its_cells_and_the_seed_of_the_claims():
    Path("solo.toml").write_text('game = "propuh"\nseed = 3\n[grid]\npresets = ["solo-1", "solo-2"]\n')
    found = recipe('seed = 8\n[[claim]]\nname = "x"\nmetric = "lowest_rate"\nscenario = "solo.toml"\nat_least = 1')
    assert [cell.preset for cell in found.cells] == ["solo-1", "solo-2"]
    assert found.seed == 8


WRONG = [
    ("", "balance.toml: claim is missing"),
    (HEAD + "claim = []", "balance.toml: claim cannot be"),
    (HEAD + "[[claim]]\nmetric = 'win_rate'\nat_most = 3", "balance.toml: claim entry 1, name is missing"),
    (HEAD + ONE, "claim entry 1: expected one of at_most, at_least and between, found none"),
    (HEAD + ONE + "at_most = 3\nat_least = 1", "found at_most and at_least"),
    (HEAD + ONE + "between = [5, 3]", "claim entry 1: between: expected the lower limit first"),
    (HEAD + ONE + "between = [5]", "claim entry 1, between"),
    (HEAD + ONE + "at_most = 300", "claim entry 1, at_most cannot be 300"),
    (HEAD + ONE + "at_mots = 3", "claim entry 1, at_mots is not a known key (did you mean at_most?)"),
    (
        HEAD + ONE.replace("win_rate", "win_rat") + "at_most = 3",
        "'win_rat' (did you mean win_rate?); expected win_rate, ",
    ),
    (
        HEAD + ONE.replace("win_rate", "truncated") + "at_most = 3",
        "entry 1, metric: 'truncated' is a count without a range",
    ),
    (HEAD + ONE + "at_most = 3\n" + ONE + "at_most = 4", "balance.toml: claim: the name 'one' is given twice"),
    (HEAD + ONE.replace("one", "o ne") + "at_most = 3", "claim entry 1, name cannot be 'o ne'"),
    (ONE + "at_most = 3", "balance.toml: claim one: which game?"),
    ("game = 'propuhh'\n" + ONE + "at_most = 3", "claim one: game: game 'propuhh' is not known (did you mean propuh?)"),
    (HEAD + ONE + "at_most = 3\nplayers = 5", "claim one: players cannot be 5"),
    (
        HEAD + ONE + "at_most = 3\npolicies = { granny = 'bilder' }",
        "claim one: policy of granny 'bilder' is not known (did",
    ),
    (
        HEAD + ONE + "at_most = 3\noptions = { dek = 'even' }",
        "claim one: option 'dek' is not known (did you mean deck?)",
    ),
    (HEAD + ONE + "at_most = 3\nseat = 'grany'", "claim one: seat 'grany' is not known (did you mean granny?)"),
    (
        HEAD + ONE + "at_most = 3\nturn_order = 1",
        "claim one: turn_order: the seats of Propuh have roles; expected seat",
    ),
    (HEAD + ONE + "at_most = 3\nscenario = 'none.toml'", "claim one: none.toml: no such file"),
    (HEAD + ONE + "at_most = 3\nscenario = 'x.toml'\nplayers = 2", "players goes with a game; x.toml says itself"),
    (HEAD + ONE + "at_most = 3\nchange = { deck = 'even' }", "claim one: largest_change is about change"),
    (HEAD + ONE.replace("win_rate", "largest_change") + "at_most = 3", "claim one: largest_change is about change"),
    (HEAD + ONE.replace("win_rate", "loss_rate") + "at_most = 3", "metric loss_rate: Propuh has winners: win_rate or"),
    ("game = 'pug_you'\n" + ONE + "at_most = 3", "has losers: loss_rate or first_seat_loses"),
    (HEAD + ONE.replace("win_rate", "seat_gap") + "at_most = 3\nseat = 'granny'", "not with seat_gap"),
    (HEAD + ONE.replace("win_rate", "first_seat_wins") + "at_most = 3\nseat = 'granny'", "not with first_seat_wins"),
    (
        HEAD + ONE.replace("win_rate", "seat_gap") + "at_most = 3\npreset = 'solo-1'",
        "seat_gap needs two players or more",
    ),
    (HEAD + ONE.replace("win_rate", "seat_off") + "at_most = 3", "seat_off needs seats that are alike"),
    (
        HEAD + ONE.replace("win_rate", "target_gap") + "at_most = 3",
        "target_gap needs a scenario whose cells have a target",
    ),
    (
        "game = 'granny_wars'\n" + ONE + "at_most = 3\nplayers = 3\nturn_order = 4",
        "claim one: turn_order cannot be 4; expected 1 to 3",
    ),
    (
        "game = 'granny_wars'\n" + ONE + "at_most = 3\nseat = 'x'",
        "the seats of Granny Wars are alike; expected turn_order",
    ),
    (HEAD + "[grid]\nplayers = 2", "balance.toml: is a scenario; simkit run plays it"),
    ("game = ", "balance.toml: not valid TOML"),
]


@pytest.mark.parametrize(("text", "expected"), WRONG, ids=[expected for _, expected in WRONG])
def test_a_wrong_file_is_one_line_with_file_and_key(text, expected):
    Path("x.toml").write_text("game = 'propuh'\n")
    with pytest.raises(ScenarioError) as caught:
        recipe(text)
    told = str(caught.value)
    assert told.startswith("balance.toml: ")
    assert expected in told
    assert "\n" not in told
