"""Scenario files: what they expand to, and that every mistake gets one line with file, key and the nearest name."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit import api
from simkit.errors import UserError
from simkit.kernel.plain import derive
from simkit.scenario.grid import Recipe, expand
from simkit.scenario.load import load_scenario
from simkit.scenario.validate import Scenario


def recipe(text: str) -> Recipe:
    path = Path("s.toml")
    path.write_text(text, encoding="utf-8")
    return expand(load_scenario(path), "s.toml")


def fault(text: str) -> str:
    with pytest.raises(UserError) as caught:
        recipe(text)
    line = str(caught.value)
    assert line.startswith("s.toml: ")
    assert "\n" not in line
    return line.removeprefix("s.toml: ")


def labels(text: str) -> list[str]:
    return [cell.label for cell in recipe('game = "propuh"\n' + text).cells]


# --- what a grid means


def test_a_product_plays_every_combination() -> None:
    found = recipe(
        'game = "propuh"\n[grid]\nplayers = 2\noptions = { equal_strength = ["attacker_holds", "counters"], deck = "all" }\n'
        'policies = [{ all = "random" }, { granny = "builder" }]'
    )
    assert len(found.cells) == 8
    assert found.cells[1].options["deck"] == "even"
    assert found.cells[0].policies == ("random", "random")
    assert found.cells[4].policies == ("builder", "blocker_propuh")
    assert found.groups[0].pairs == tuple((0, other) for other in range(1, 8))


def test_one_at_a_time_varies_around_the_baseline() -> None:
    found = recipe(
        'game = "propuh"\n[grid]\nvary = "one at a time"\nplayers = 2\nbaseline = { failed_counter = "forbidden" }\n'
        'options = { failed_counter = "all", deck = "all" }'
    )
    assert [(c.options["failed_counter"], c.options["deck"]) for c in found.cells] == [
        ("forbidden", "public"), ("stays", "public"), ("discarded", "public"), ("forbidden", "even"),
    ]  # fmt: skip


def test_rulings_stand_for_every_open_rule_that_can_matter() -> None:
    two = recipe('game = "propuh"\n[grid]\nvary = "one at a time"\nplayers = 2\noptions = "rulings"')
    changed = {n for c in two.cells[1:] for n, v in c.options.items() if v != two.cells[0].options[n]}
    assert "failed_counter" in changed
    assert not changed & {"clockwise", "solo_full_rule", "difficulty", "deck"}
    one = recipe('game = "propuh"\n[grid]\nvary = "one at a time"\npresets = "solo-2"\noptions = "rulings"')
    changed = {n for c in one.cells[1:] for n, v in c.options.items() if v != one.cells[0].options[n]}
    assert {"clockwise", "solo_full_rule", "solo_no_pending_full"} <= changed
    assert "difficulty" not in changed


def test_cells_can_be_listed() -> None:
    found = recipe(
        'game = "propuh"\n[[grid.cells]]\nlabel = "hard"\npreset = "solo-3"\n[[grid.cells]]\nplayers = 2\n'
        'policies = { propuh = "rusher" }\noptions = { deck = "even" }'
    )
    assert [cell.label for cell in found.cells] == ["hard", "2 players, builder / rusher, deck=even"]
    assert found.groups[0].pairs == ()  # different player counts meet different deals


def test_neighbours_are_compared_pair_by_pair() -> None:
    found = recipe('game = "propuh"\n[grid]\npresets = ["solo-1", "solo-2", "solo-3"]\ncompare = "neighbours"')
    assert found.groups[0].pairs == ((0, 1), (1, 2))


def test_neighbours_play_the_same_policies() -> None:
    found = recipe(
        'game = "propuh"\n[grid]\npresets = ["solo-1", "solo-2"]\npolicies = [{ granny = "builder" }, { granny = "blocker" }]\n'
        'compare = "neighbours"'
    )
    assert [(cell.preset, cell.policies[0]) for cell in found.cells] == [
        ("solo-1", "builder"), ("solo-1", "blocker"), ("solo-2", "builder"), ("solo-2", "blocker"),
    ]  # fmt: skip
    assert found.groups[0].pairs == ((0, 2), (1, 3))


def test_cells_of_a_group_share_their_deals_unless_independent() -> None:
    text = 'game = "propuh"\nseed = 5\n[grid]\nplayers = 2\noptions = { deck = "all" }\n'
    shared, alone = recipe(text), recipe(text + "independent = true")
    assert {shared.root(cell) for cell in shared.cells} == {5}
    roots = {alone.root(cell) for cell in alone.cells}
    assert len(roots) == 2
    assert 5 not in roots
    assert alone.groups[0].pairs == ()
    assert derive(5, 0) not in roots


def test_an_independent_cell_keeps_its_deals_when_another_is_added() -> None:
    text = 'game = "propuh"\n[grid]\nplayers = 2\nindependent = true\n'
    one = recipe(text)
    two = recipe(text + 'options = { deck = ["even", "public"] }')
    assert one.root(one.cells[0]) == two.root(two.cells[1])


def test_targets_and_margins_reach_the_cells_but_not_the_hash() -> None:
    text = 'game = "propuh"\n[grid]\npresets = ["solo-1", "solo-2"]\n'
    plain = recipe(text)
    aimed = recipe(text + "target = 50\nmargin = 1.5\ntargets = { solo-2 = 60 }")
    assert [(c.target, c.margin) for c in aimed.cells] == [(50, 1.5), (60, 1.5)]
    assert plain.hash == aimed.hash


def test_the_hash_depends_on_whatever_changes_results() -> None:
    base = 'game = "propuh"\n[grid]\nplayers = 2\n'
    texts = [base, "seed = 9\n" + base, base + 'options = { deck = "even" }', base + 'policies = { all = "random" }',
             base + "independent = true", "replicates = 2\n" + base]  # fmt: skip
    assert len({recipe(text).hash for text in texts}) == len(texts)
    assert recipe("playouts = 5\n" + base).hash == recipe(base).hash


# --- mistakes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "game is missing"),
        ('game = "propu"', "game: game 'propu' is not known (did you mean propuh?); expected "),
        ('game = "propuh"\nplayout = 5', "playout is not a known key (did you mean playouts?)"),
        ('game = "propuh"\nplayouts = 0', "playouts cannot be 0: input should be greater than or equal to 1"),
        ('game = "propuh"\nplayouts = "many"', "playouts cannot be 'many'; expected a valid integer"),
        ('game = "propuh"\nseed = -1', "seed cannot be -1: input should be greater than or equal to 0"),
        ('game = "propuh"\n[grid]\nplayer = 2', "grid.player is not a known key (did you mean players?)"),
        (
            'game = "propuh"\n[[grid]]\nplayers = 2\n[[grid]]\nplayer = 2',
            "grid entry 2, player is not a known key (did you",
        ),
        ('game = "propuh"\n[[grid]]\nplayers = 2\n[[grid]]\nplayers = 3', "grid entry 2: players cannot be 3"),
        (
            'game = "propuh"\n[grid]\n[[grid.cells]]\nplayer = 2',
            "grid.cells entry 1, player is not a known key (did you",
        ),
        ('game = "propuh"\n[grid]\nplayers = 3', "grid: players cannot be 3; Propuh is for 1 or 2"),
        ('game = "propuh"\n[grid]\npresets = "solo3"', "grid: preset 'solo3' is not known (did you mean solo-3?)"),
        ('game = "propuh"\n[grid]\nvary = "produkt"', "grid.vary cannot be 'produkt' (did you mean product?)"),
        (
            'game = "propuh"\n[grid]\noptions = { failed_count = "stays" }',
            "grid: option 'failed_count' is not known (did you mean failed_counter?)",
        ),
        (
            'game = "propuh"\n[grid]\noptions = { failed_counter = "forbiden" }',
            "grid: option failed_counter cannot be 'forbiden' (did you mean forbidden?); expected stays, discarded or forbidden",
        ),
        (
            'game = "propuh"\n[grid]\npolicies = { granni = "builder" }',
            "grid: seat 'granni' is not known (did you mean granny?)",
        ),
        (
            'game = "propuh"\n[grid]\npolicies = { granny = "rusher" }',
            "grid: policy of granny 'rusher' is not known; expected random, builder or blocker",
        ),
        ('game = "propuh"\n[grid]\nplayers = 2\npresets = "solo-1"', "grid: preset solo-1 is for 1 players, not 2"),
        (
            'game = "propuh"\n[grid]\noptions = { deck = ["even", "even"] }',
            "grid: options.deck: 'even' is listed twice",
        ),
        ('game = "propuh"\nrotate = true', "rotate: the seats of Propuh are not alike, policies cannot change seats"),
        ('game = "propuh"\nreplicates = 3\nplayouts = 100', "playouts: 100 is not a multiple of 3"),
        ('game = "propuh"\nname = "../x"', "name cannot be '../x'"),
        ('game = "propuh"\nbox = "nobox.toml"', ""),
        (
            'game = "propuh"\ntarget = 1',
            "grid: target 1 with margin 2 reaches beyond 0 to 100; choose a smaller margin",
        ),
        ('game = "propuh"\nmargin = 0', "margin cannot be 0: input should be greater than 0"),
        (
            'game = "propuh"\n[grid]\nplayers = 2\n[[grid.cells]]\nplayers = 2',
            "grid: cells: a grid that lists its cells",
        ),
        (
            'game = "propuh"\n[grid]\nplayers = []',
            "grid: has no cells; players, presets, options, policies or cells is an empty list",
        ),
        ('game = "propuh"\n[grid]\ncells = []', "grid: has no cells"),
        ('game = "propuh"\n[grid]\noptions = { deck = [] }', "grid: has no cells"),
        (
            'game = "propuh"\n[grid]\npresets = ["solo-1"]\ntargets = { solo-2 = 60 }',
            "grid: targets: preset 'solo-2' is not known (did you mean solo-1?); expected solo-1",
        ),
        ("game = ", "not valid TOML: "),
        ('game = "propuh"\ngame = "propuh"', "not valid TOML: "),
    ],
)
def test_a_mistake_gets_one_line(text: str, expected: str) -> None:
    if "nobox" in text:
        with pytest.raises(UserError, match=r"nobox.toml: no such file"):
            recipe(text)
    else:
        assert fault(text).startswith(expected)


def test_a_file_that_is_not_there_names_one_that_is() -> None:
    Path("policies.toml").write_text("")
    with pytest.raises(UserError, match=r"^polices.toml: no such file \(did you mean policies.toml\?\)$"):
        load_scenario(Path("polices.toml"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b"a" * 1_000_001, "expected at most"),
        (b"x = " + b"[" * 5000, "nested too deeply|not valid TOML"),
    ],
)
def test_a_file_that_is_no_text_is_refused(content: bytes, expected: str) -> None:
    Path("s.toml").write_bytes(content)
    with pytest.raises(UserError, match=expected):
        load_scenario(Path("s.toml"))


def test_byte_order_marks_and_windows_line_ends_are_read() -> None:
    Path("s.toml").write_bytes('game = "propuh"\r\nplayouts = 77\r\n'.encode("utf-8-sig"))
    assert load_scenario(Path("s.toml")).playouts == 77


@given(st.dictionaries(st.sampled_from([*Scenario.model_fields, "grids", "x"]), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8,
)))  # fmt: skip
def test_nothing_that_a_file_says_can_crash(content: dict[str, object]) -> None:
    from pydantic import ValidationError

    from simkit.scenario.validate import explain

    try:
        scenario = Scenario.model_validate({"game": "propuh", **content})
    except ValidationError as problem:
        line = explain(problem, Scenario)
        assert line
        assert "\n" not in line
        return
    try:
        expand(scenario)
    except UserError as problem:
        assert "\n" not in str(problem)


def test_settings_go_with_a_game_not_with_a_file() -> None:
    Path("s.toml").write_text('game = "propuh"')
    with pytest.raises(UserError, match=r"^--preset goes with a game's name; s.toml says itself what is played$"):
        api.question("s.toml", preset="solo-1")
