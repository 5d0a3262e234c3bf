"""What every game folder must hold, and that every option does what it says."""

import tomllib
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from simkit.box_file import printed
from simkit.engine.worker import Job, play
from simkit.errors import BoxError
from simkit.scenario.claims import load_claims, recipe_of
from simkit.scenario.grid import expand
from simkit.scenario.load import load_box, load_scenario
from simkit.scenario.pace import PACES, paces
from simkit.scenario.promise import broken, seats
from simkit.spec import PROVENANCES, GameSpec
from tests.conftest import PROJECT
from tests.contract.sampling import settings


def test_a_game_has_all_its_rooms(spec: GameSpec) -> None:
    for name in ("box", "exact", "options", "state", "moves", "policies", "entry", "reference", "story"):
        spec.module(name)
    for name in ("RULES.md", "box.toml", "pace.toml", "presets.toml"):
        assert spec.text(name)
    assert list((PROJECT / "scenarios" / spec.name).glob("*.toml"))
    assert list((PROJECT / "tests" / "games" / spec.name / "recordings").glob("*.txt"))


def test_the_spec_is_cheap_to_import(spec: GameSpec) -> None:
    import subprocess
    import sys

    code = (
        f"import sys; from simkit import games; games.get({spec.name!r}).presets; "
        "print('numba' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_columns_begin_with_those_the_play_loop_counts_on(spec: GameSpec) -> None:
    assert [c.name for c in spec.columns[:3]] == ["end_reason", "decisions", "forced_decisions"]
    assert [c.name for c in spec.player_columns[:4]] == ["turn_order", spec.outcome, "decisions", "forced_decisions"]
    assert spec.outcome in ("won", "lost")
    assert spec.end_reasons[0] == "truncated"
    assert spec.policies[0].name == "random"
    assert [policy.code for policy in spec.policies] == list(range(len(spec.policies)))
    for columns in (spec.columns, spec.player_columns):
        names = [column.name for column in columns]
        assert len(names) == len(set(names))


def test_every_component_says_where_it_comes_from(spec: GameSpec) -> None:
    for what, numbers, provenance, source in spec.module("box").describe(load_box(spec, None)):
        assert provenance in PROVENANCES, what
        assert numbers
        assert source


def test_a_pace_is_an_assumption_about_columns_that_there_are(spec: GameSpec) -> None:
    profile = paces(spec.name)
    assert profile.provenance == "assumed"
    names = {column.name for column in spec.columns}
    for players in spec.players:
        quick, usual, slow = (profile.seconds(name, players) for name in PACES)
        assert set(usual[1]) <= names
        assert quick[0] < usual[0] < slow[0]
        assert profile.quick.decision < profile.usual.decision < profile.slow.decision
        assert all(entry.saved(players) >= 0 for entry in profile.at_once)
    assert not profile.at_once or any(entry.saved(max(spec.players)) > 0 for entry in profile.at_once)


def test_the_box_can_be_played_with_as_many_as_it_promises(spec: GameSpec) -> None:
    box = load_box(spec, None)
    assert printed(box).players is not None
    assert broken(spec, box) == {}
    assert [each.players for each in seats(spec, box) if not each.fault] == list(spec.players)


def test_rules_name_every_option_clause_policy_and_column(spec: GameSpec) -> None:
    rules = spec.text("RULES.md")
    for option in spec.options:
        assert f"`{option.name}`" in rules, option.name
        assert f"| {option.clause} | `{option.name}`" in rules, option.name
        for value in option.values:
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            assert shown in rules, (option.name, value)
    for policy in spec.policies:
        assert f"`{policy.name}`" in rules
    for column in (*spec.columns, *spec.player_columns):
        assert f"`{column.name}`" in rules, column.name


@pytest.mark.parametrize(
    "file", sorted((PROJECT / "scenarios").rglob("*.toml")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_scenario_and_claims_file_is_valid(file: object) -> None:

    path = Path(str(file))
    if "claim" in tomllib.loads(path.read_text(encoding="utf-8")):
        claims = load_claims(path)
        assert claims.title
        assert {recipe_of(claims, claim, path).game for claim in claims.claim} == {path.parent.name}
        return
    recipe = expand(load_scenario(path), str(path))
    assert recipe.game == path.parent.name
    assert tomllib.loads(path.read_text(encoding="utf-8"))["title"] == recipe.title


def test_every_value_of_every_option_makes_a_difference(spec: GameSpec) -> None:
    """Flipping an option changes some playout on the same deals; if it never did, it would not be wired."""
    sample = list(settings(spec, 400, seed=21, unusual_boxes=0.1))
    for option in spec.options:
        for value in option.values:
            if option.only_policies or value == option.default:
                continue
            assert any(differs(setting, option.name, value, option.default) for setting in sample), (option.name, value)


def differs(setting: object, name: str, value: object, default: object) -> bool:
    from tests.contract.sampling import Setting

    assert isinstance(setting, Setting)
    first, second = (replace(setting, options=setting.options | {name: v}) for v in (value, default))
    try:
        a, b = (play(s.job, 0, 40) for s in (first, second))
    except BoxError:
        return False
    return not (a.tally.by_playout == b.tally.by_playout).all()


def test_an_option_that_only_policies_use_changes_no_rule(spec: GameSpec) -> None:
    for option in spec.options:
        if option.only_policies:
            for setting in islice(settings(spec, 50, seed=22, costly=False), 50):
                assert not differs(setting, option.name, option.values[1], option.default)


def test_every_end_reason_can_happen(spec: GameSpec) -> None:
    seen = set()
    for setting in settings(spec, 300, seed=23, costly=False):
        seen |= set(play(setting.job, 0, 30, 30).columns["end_reason"].tolist())
    assert seen >= set(range(1, len(spec.end_reasons)))


def test_a_recipe_survives_the_manifest(spec: GameSpec) -> None:
    import json

    from simkit import api
    from simkit.manifest import recipe_of

    recipe = api.question(spec.name).recipe
    again = recipe_of(json.loads(json.dumps(recipe.to_json())))
    assert again == recipe
    assert Job.of(again, again.cells[0]).table == Job.of(recipe, recipe.cells[0]).table
