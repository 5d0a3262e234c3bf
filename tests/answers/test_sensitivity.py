"""What `simkit sensitivity` says: tornado, audit, multiverse and factorial, held against rows and against each other."""

import csv
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from simkit import games
from simkit.answers.audit import audit
from simkit.answers.axes import across, around
from simkit.answers.factorial import factorial
from simkit.answers.multiverse import combinations, multiverse
from simkit.answers.sensitivity import sensitivity
from simkit.answers.setting import Setting
from simkit.answers.verdicts import FLIPS, KEEPS, OPEN, fate, same_outcomes, verdicts
from simkit.cli import run
from simkit.engine.worker import Job, play
from simkit.errors import OptionError
from simkit.scenario.grid import Recipe
from simkit.spec import GameSpec
from simkit.stats.factorial import variances
from simkit.stats.multiplicity import family_wise_level
from simkit.stats.paired import paired_difference

HALF = {"all": "random"}
SURE = {"granny": "builder", "propuh": "blocker_propuh"}


def setting(game: str = "propuh", **more: object) -> Setting:
    return Setting.of(game, **{"playouts": 2_000, "seed": 3, **more})  # type: ignore[arg-type]


def won(recipe: Recipe, cell: int, playouts: int):
    return play(Job.of(recipe, recipe.cells[cell]), 0, playouts).won & 1


def simkit(capsys, *args: str) -> list[str]:
    assert run(list(args)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


# --- one option at a time ---------------------------------------------------------------------------------------


def test_every_change_is_what_the_rows_of_both_cells_tell():
    """Recomputed from playouts played anew, with the range of a family of as many changes."""
    asked = setting(policies=SURE)
    found = sensitivity(asked, jobs=1)
    recipe = asked_again(asked)
    labels = {
        f"{name} = {str(value).lower() if isinstance(value, bool) else value}": cell.id
        for cell in recipe.cells[1:]
        for name, value in cell.options.items()
        if value != recipe.cells[0].options[name]
    }
    assert len(found.rows) == len(labels) == 9
    before = won(recipe, 0, 2_000)
    for row in found.rows:
        after = won(recipe, labels[f"{row['option']} = {row['value']}"], 2_000)
        outcomes = [int((2 * after + before == value).sum()) for value in range(4)]
        alone, together = (paired_difference(*outcomes, level) for level in (0.95, family_wise_level(0.95, 9)))
        assert row["difference"] == pytest.approx(100 * alone.difference)
        assert (row["low"], row["high"]) == pytest.approx((100 * together.low, 100 * together.high))
        assert (row["low_alone"], row["high_alone"]) == pytest.approx((100 * alone.low, 100 * alone.high))
    sizes = [abs(row["difference"]) for row in found.rows]
    assert sizes == sorted(sizes, reverse=True)


def asked_again(asked: Setting) -> Recipe:
    from simkit.answers.sensitivity import one_at_a_time

    return one_at_a_time(asked, around(asked), "", "").recipe


def test_an_option_that_no_rule_reads_changes_exactly_nothing():
    rows = {row["option"]: row for row in sensitivity(setting(policies=HALF), jobs=1).rows}
    assert rows["discards_visible"]["difference"] == 0
    assert rows["discards_visible"]["before"] == rows["discards_visible"]["after"]
    assert rows["discards_visible"]["verdict"] == "does not matter"


def test_options_that_cannot_matter_are_left_out_and_said_so():
    axes = around(setting())
    assert "difficulty" not in axes.names
    assert any("difficulty" in line and "made for 1 at the table, not 2" in line for line in axes.left_out)
    assert any("figurine_start" in line and "figurine_removal = only_if_moved" in line for line in axes.left_out)
    with_need = around(setting(options={"figurine_removal": "only_if_moved"}))
    assert "figurine_start" in with_need.names


def test_only_the_values_that_are_named():
    axes = around(setting(), ["failed_counter=discarded", "deck"])
    assert [(axis.option.name, axis.values) for axis in axes.axes] == [
        ("failed_counter", ("discarded",)),
        ("deck", ("even",)),
    ]


def test_what_cannot_be_dealt_is_left_out():
    """With ten players the smaller decks of this game do not go round."""
    axes = around(setting("pug_you", players=10, box=None), ["deck_filter", "mutts"])
    played = {value for axis in axes.axes for value in axis.values}
    spec = games.get("pug_you")
    for option in ("deck_filter", "mutts"):
        for value in spec.option(option).values[1:]:
            told = any(line.startswith(f"{option} = {value} cannot be played here: ") for line in axes.left_out)
            assert told != (value in played)


def test_the_range_decides_the_word():
    """Two hundred playouts settle nothing but the largest changes; every verdict agrees with its range."""
    for row in sensitivity(setting(playouts=200), jobs=1).rows:
        if row["low"] > 2 or row["high"] < -2:
            assert row["verdict"] == "matters"
        elif row["low"] > -2 and row["high"] < 2:
            assert row["verdict"] == "does not matter"
        else:
            assert row["verdict"] == "cannot be told yet"


def test_mixed_tables_of_alike_seats_are_about_the_first_policy():
    policies = {"all": "random", "0": "open"}
    found = sensitivity(setting("granny_wars", players=3, policies=policies), ["gold_powers", "final_tie"], jobs=1)
    assert found.rows[0]["measure"] == "share of the wins of open among random"
    assert found.rows[0]["before"] > 50  # far more than a third, wherever it sits


def test_any_game_has_a_tornado(spec: GameSpec):
    players = min(spec.players)
    cheap = next(name for name in ("random",) if any(policy.name == name for policy in spec.policies))
    found = sensitivity(setting(spec.name, players=players, policies={"all": cheap}, playouts=100), jobs=1)
    assert len(found.rows) >= 5
    assert found.files[".svg"].startswith(b"<svg")


# --- audit ------------------------------------------------------------------------------------------------------


def test_the_audit_flips_what_the_rates_say():
    """A flip is a rate wholly inside the target's margin before and wholly outside it after, or the other way round."""
    found = audit(setting(playouts=20_000, policies=SURE), jobs=1)
    flips = [row for row in found.rows if row["fate"] == FLIPS]
    assert [(row["option"], row["value"]) for row in flips] == [("equal_strength", "counters")]
    assert flips[0]["flips"] == "unfair, below the target to fair"
    assert abs(flips[0]["after"] - 50) < 2 < abs(flips[0]["before"] - 50)
    assert "1 of the 7 open rulings flips a verdict: equal_strength." in found.lines
    assert "The one component (deck) flips no verdict." in found.lines


def test_alone_a_game_is_easy_or_hard():
    found = audit(
        setting(preset="solo-2", policies={"granny": "builder"}, playouts=4_000), ["figurine_removal"], jobs=1
    )
    assert (found.rows[0]["verdict_before"], found.rows[0]["flips"]) == ("easy", "easy to hard")
    asked = setting(preset="solo-2", policies={"granny": "builder"}, playouts=4_000, target=30)
    assert audit(asked, ["figurine_removal"], jobs=1).rows[0]["fate"] == KEEPS  # easy both ways


def test_verdicts_flip_only_if_both_are_sure():
    def told(word: str) -> dict[tuple[object, ...], tuple[str, str]]:
        return {("rate",): ("", word)}

    assert fate(told("fair"), told("unfair"), False).flips == (("", "fair", "unfair"),)
    assert fate(told("fair"), told("fair"), False).word == KEEPS
    assert fate(told("fair"), told("not settled"), False).word == OPEN
    assert fate(told("not settled"), told("unfair"), False).word == OPEN
    assert fate(told("not settled"), told("not settled"), True).word == KEEPS  # the same outcomes


def test_alike_seats_are_judged_place_by_place():
    asked = setting("granny_wars", players=2, policies={"all": "random"}, playouts=500)
    found = audit(asked, ["final_tie"], jobs=1)
    assert found.rows[0]["verdict_before"].startswith("going first: ")
    assert "; going last: " in found.rows[0]["verdict_before"]


def test_who_wins_together_is_judged_by_difficulty(tmp_path: Path):
    from simkit import api

    asked = api.question("purim", players=2, policies={"all": "random"}, playouts=200)
    done = api.run(asked, out=tmp_path / "run", jobs=1, tally_only=True)
    told = verdicts(done.recipe, done.tallies(), ())
    assert told[0] == {("rate",): ("", "hard")}
    assert same_outcomes(done.recipe, done.tallies()) == {0}


# --- multiverse -------------------------------------------------------------------------------------------------


def test_a_multiverse_is_the_same_again_and_a_longer_one_begins_with_it():
    asked = setting()
    axes = across(asked, (), ("ruling",))
    few, more = combinations(asked, axes, 12), combinations(asked, axes, 40)
    assert combinations(asked, axes, 12) == few
    assert list(more)[: len(few)] == list(few)
    assert sum(times for _, times in more.values()) == 40
    assert combinations(setting(seed=4), axes, 12) != few


def test_combinations_do_not_shift_when_another_option_joins():
    asked = setting()
    one, two = (across(asked, names) for names in (["win_check"], ["win_check", "deck"]))
    alone = [options["win_check"] for options in draws(asked, one)]
    assert alone == [options["win_check"] for options in draws(asked, two)]
    assert 5 < alone.count("immediate") < 35  # 40 fair coins: outside about once in a million


def draws(asked: Setting, axes: object) -> list[dict[str, object]]:
    from simkit.answers.multiverse import drawn

    return [drawn(asked, axes, i, 0) for i in range(40)]  # type: ignore[arg-type, misc]


def test_what_does_not_matter_in_a_combination_is_set_back():
    asked = setting()
    for options, _ in combinations(asked, across(asked, (), ("ruling",)), 60).values():
        if options["figurine_removal"] == "always":
            assert options["figurine_start"] == "stove"
        if options["win_check"] == "immediate":
            assert options["exhaustion_order"] == "goals_first"


def test_shares_of_a_multiverse_are_those_of_its_rows():
    found = multiverse(setting(playouts=1_000, policies=SURE), 30, jobs=1)
    assert sum(row["times_drawn"] for row in found.rows) == 30
    keeps = sum(row["times_drawn"] for row in found.rows if row["fate"] == KEEPS)
    assert any(
        f"{100 * keeps / 30:.0f} % (" in line and "of 30 combinations keep the verdict" in line for line in found.lines
    )
    assert multiverse(setting(playouts=1_000, policies=SURE), 30, jobs=1).rows == found.rows


def test_flips_go_with_the_ruling_that_makes_them():
    """Of two rulings one turns an easy solo game into a hard one, the other does nothing worth telling."""
    asked = setting(preset="solo-2", policies={"granny": "builder"})
    found = multiverse(asked, 40, ["figurine_removal", "clockwise"], jobs=1)
    assert any(
        "flips go with figurine_removal = only_if_moved most of all: 100 % flip with it, 0 %" in line
        for line in found.lines
    )
    table = next(table for table in found.tables if table.columns[0] == "flips go with")
    assert [row[0] for row in table.rows] == ["figurine_removal = only_if_moved"]


def test_flips_do_not_go_with_an_option_that_only_rides_along():
    """Where the figurine starts matters in half of the combinations alone, in those that flip anyway."""
    asked = setting(preset="solo-2", policies={"granny": "builder"})
    found = multiverse(asked, 60, ["figurine_removal", "figurine_start"], jobs=1)
    table = next(table for table in found.tables if table.columns[0] == "flips go with")
    assert [row[0] for row in table.rows] == ["figurine_removal = only_if_moved"]


# --- factorial --------------------------------------------------------------------------------------------------


def test_factorial_shares_are_those_of_the_rates_but_for_noise():
    names = ["win_check", "equal_strength", "deck"]
    found = factorial(setting(playouts=20_000, policies=SURE), names, jobs=1)
    from simkit.answers.factorial import question

    asked = setting(playouts=20_000, policies=SURE)
    recipe = question(asked, across(asked, names), "").recipe
    rates = np.array([won(recipe, cell.id, 20_000).mean() for cell in recipe.cells]).reshape(2, 2, 2)
    split = variances(rates)
    whole = sum(split.values())
    alone = {row["options"]: row for row in found.rows if row["what"] == "alone"}
    for chosen, variance in split.items():
        row = alone[" with ".join(names[axis] for axis in chosen)]
        assert row["estimate"] == pytest.approx(100 * variance / whole, abs=0.2)
        assert row["low"] <= row["estimate"] <= row["high"]
    assert sum(row["estimate"] for row in alone.values()) == pytest.approx(100)
    value = next(row for row in found.rows if row["value"] == "immediate")
    assert value["estimate"] == pytest.approx(100 * (rates[1].mean() - rates.mean()))


def test_too_many_combinations_are_counted_and_refused(capsys):
    with pytest.raises(OptionError, match=r"3 x 2 x 2 x 2 x 4 x 2 x 2 x 2 = 768 combinations of .*, at most 512"):
        factorial(
            setting(),
            ["failed_counter", "equal_strength", "figurine_removal", "figurine_removal_choice", "figurine_start", "win_check",
             "exhaustion_order", "deck"],
        )  # fmt: skip


# --- the command ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["one-at-a-time", "audit", "multiverse", "factorial"])
def test_what_the_command_prints(mode, capsys):
    """Golden text: read it after a change, and write it anew on purpose."""
    flags = {
        "one-at-a-time": [],
        "audit": ["--audit"],
        "multiverse": ["--multiverse", "25"],
        "factorial": ["--factorial"],
    }
    args = ["sensitivity", "propuh", "win_check", "equal_strength", *flags[mode], "-n", "6000", "-j", "1"]
    golden = Path(__file__).parent / "golden" / f"{mode}.txt"
    lines = [line.rstrip() for line in simkit(capsys, *args)]
    assert lines == golden.read_text(encoding="utf-8").splitlines()


def test_the_command_writes_a_picture_twice_and_the_rows(capsys):
    lines = simkit(capsys, "sensitivity", "propuh", "win_check", "-n", "500", "-j", "1")
    names = [f"runs/sensitivity-propuh.{ending}" for ending in ("png", "svg", "csv")]
    assert lines[-1] == f"files: {', '.join(names)}"
    assert sorted(map(str, Path("runs").iterdir())) == sorted(names)
    assert Path(names[0]).read_bytes().startswith(b"\x89PNG")
    assert Path(names[1]).read_text().startswith("<svg")


def test_rows_as_csv_and_json(capsys):
    args = ("sensitivity", "propuh", "win_check", "-n", "500", "-j", "1")
    rows = list(csv.DictReader(StringIO("\n".join(simkit(capsys, *args, "--csv")))))
    assert [row["option"] for row in rows] == ["win_check", "win_check"]
    told = json.loads("\n".join(simkit(capsys, *args, "--json")))
    assert [float(row["difference"]) for row in rows] == [row["difference"] for row in told["rows"]]
    assert Path("runs/sensitivity-propuh.csv").read_text().splitlines()[0].startswith("line_up,measure,option,value")


def test_a_sensitivity_that_is_kept_is_a_run_like_any_other(capsys):
    from simkit import api

    args = ("sensitivity", "propuh", "win_check", "-n", "500", "-j", "1", "--out", "kept")
    first = simkit(capsys, *args)
    assert first[-1] == "run: kept"
    assert simkit(capsys, *args) == first  # finished: nothing is played again
    assert len(api.cells(Path("kept"))) == 4
    assert api.report(Path("kept")).exists()
    assert Path("kept/answers/sensitivity-propuh.svg").exists()


WRONG = [
    (["sensitivity", "propuhh"], "did you mean propuh?"),
    (["sensitivity", "some.toml"], "sensitivity takes a game's name"),
    (["sensitivity", "propuh", "dek"], "did you mean deck?"),
    (["sensitivity", "propuh", "deck=evn"], "did you mean even?"),
    (["sensitivity", "propuh", "deck", "deck"], "option deck is named twice"),
    (["sensitivity", "propuh", "difficulty"], "there is nothing to change. difficulty cannot matter here"),
    (["sensitivity", "propuh", "--csv", "--json"], "--csv and --json exclude each other"),
    (["sensitivity", "propuh", "--resume"], "--resume goes with --out"),
    (["sensitivity", "propuh", "--audit", "--factorial"], "--factorial and --audit exclude each other"),
    (["sensitivity", "propuh", "--factorial"], "name the options to combine"),
    (
        ["sensitivity", "propuh", "difficulty", "--factorial"],
        "there is nothing to combine. difficulty cannot matter here",
    ),
    (["sensitivity", "propuh", "deck", "--factorial", "-n", "20"], "--factorial takes 64 and more"),
    (["sensitivity", "propuh", "--multiverse", "1"], "--multiverse cannot be 1; expected 2 to 1000"),
    (["sensitivity", "propuh", "--margin", "0"], "--margin cannot be 0"),
    (["sensitivity", "propuh", "--target", "99", "--audit"], "--target 99 with a margin of 2 reaches beyond"),
    (["sensitivity", "propuh", "--policy", "granny=bilder"], "did you mean builder?"),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert len(err.strip().splitlines()) == 1
    assert expected in err
    assert "Traceback" not in out + err
