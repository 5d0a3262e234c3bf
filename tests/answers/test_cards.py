"""What `simkit cards` says: the card table, and cards exchanged on the same deals."""

import csv
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from simkit import api
from simkit.answers.cards import cards
from simkit.answers.setting import Setting
from simkit.answers.swaps import chosen_of, question, swaps
from simkit.cli import run
from simkit.engine.worker import Job, play, trace
from simkit.errors import BoxError, OptionError
from simkit.manifest import recipe_of
from simkit.stats.jackknife import jackknife
from simkit.stats.multiplicity import family_wise_level
from simkit.summary.cards import cards as card_table
from simkit.summary.cards import holders

OPEN = {"all": "open"}


def setting(game: str = "granny_wars", **more: object) -> Setting:
    return Setting.of(game, **{"players": 3, "policies": OPEN, "playouts": 1_500, "seed": 5, **more})  # type: ignore[arg-type]


def simkit(capsys, *args: str) -> list[str]:
    assert run(list(args)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


# --- exchanges --------------------------------------------------------------------------------------------------


def test_a_card_exchanged_for_itself_is_worth_exactly_nothing():
    row = swaps(setting(), ["New Hip=New Hip"], jobs=1).rows[0]
    assert (row["worth"], row["difference"], row["verdict"]) == (0, 0, "does not matter")
    assert row["with_card"] == row["with_stand_in"]
    assert row["before"] == row["after"]


def test_the_worth_of_a_card_is_what_the_rows_of_both_cells_tell():
    """Whoever was dealt it, playout by playout, with it and on the same deal with its stand-in."""
    asked = setting()
    chosen = [("Nana Nap", "+1"), ("Sweet Old Lady", "0")]
    recipe = question(asked, chosen, "").recipe
    before, *after = (play(Job.of(recipe, cell), 0, 1_500) for cell in recipe.cells)
    found = {row["card"]: row for row in swaps(asked, ["Nana Nap", "Sweet Old Lady=nothing"], jobs=1).rows}
    names = recipe.spec.module("box").card_names(recipe.box)
    for (card, _), other_cell in zip(chosen, after, strict=True):
        held = before.holders[names.index(card)]
        seats = np.arange(3)
        has, there, here = (masks[:, None] >> seats & 1 for masks in (held, before.won, other_cell.won))
        row = found[card]
        assert row["dealt"] == has.sum()
        assert row["with_card"] == pytest.approx(100 * there[has == 1].mean())
        assert row["with_stand_in"] == pytest.approx(100 * here[has == 1].mean())
        block = np.arange(1_500) % 64
        gain = [np.bincount(block, (has * (there - here)).sum(axis=1)), np.bincount(block, has.sum(axis=1))]
        wide = jackknife(lambda gain, dealt: gain / dealt, *gain, level=family_wise_level(0.95, 2))
        assert (row["worth"], row["low"], row["high"]) == pytest.approx(
            (100 * wide.estimate, 100 * wide.low, 100 * wide.high)
        )


def test_holders_are_those_whom_the_trace_deals_the_card():
    recipe = question(setting(), [("Nana Nap", "+1"), ("+5", "+1")], "").recipe
    job = Job.of(recipe, recipe.cells[0])
    names = recipe.spec.module("box").card_names(recipe.box)
    assert job.watched == (names.index("Nana Nap"), names.index("+5"))
    played = play(job, 0, 100)
    for playout in range(100):
        players = trace(job, playout)[2]
        for kind, masks in played.holders.items():
            expected = sum(1 << p["turn_order"] for p in players if p["opening_cards"] >> kind & 1)
            assert masks[playout] == expected


def test_a_run_with_exchanges_verifies_and_leaves_no_trace_of_its_work_units(tmp_path: Path):
    asked = question(setting(playouts=400), [("Nana Nap", "+1")], "")
    runs = [
        api.run(asked, out=tmp_path / name, jobs=jobs, unit_playouts=units)
        for name, jobs, units in (("one", 1, None), ("many", 2, 37))
    ]
    assert runs[0].tallies().equals(runs[1].tallies())
    assert len(holders(asked.recipe, runs[0].tallies())) == 1
    assert any("counts the same when replayed" in line for line in api.verify(tmp_path / "many", 5))
    assert "Cards: Nana Nap replaced by +1" in api.replay(str(tmp_path / "one"), 3, cell=1).story()
    assert api.report(tmp_path / "one").exists()


def test_a_scenario_can_exchange_cards():
    Path("swap.toml").write_text(
        'game = "granny_wars"\nplayouts = 200\n[[grid.cells]]\nplayers = 3\n[[grid.cells]]\nplayers = 3\n'
        'swap = { "New Hip" = "+2" }\n'
    )
    done = api.run(api.question("swap.toml"), out=Path("here"), jobs=1)
    assert [cell.swap for cell in done.recipe.cells] == [(), (("New Hip", "+2"),)]
    assert done.recipe.cells[1].label.endswith(", New Hip replaced by +2")
    assert recipe_of(done.recipe.to_json()) == done.recipe


def test_what_stands_in_if_nothing_is_named():
    chosen, left_out = chosen_of(setting(), ["all"])
    assert {other for _, other in chosen} == {"+1"}
    assert len(chosen) == 15  # of sixteen kinds in the deck
    assert left_out == []
    assert chosen_of(setting(), ["Nana Nap=nothing"])[0] == [("Nana Nap", "nothing")]
    purim = Setting.of("purim", players=2, playouts=100)
    assert chosen_of(purim, ["16 Arrest"])[0] == [("16 Arrest", "nothing")]


def test_too_few_with_a_card_tell_nothing():
    found = swaps(setting(playouts=100), ["Nana Nap"], jobs=1)
    assert found.rows[0]["verdict"] == "dealt to too few to tell"
    assert found.csv.splitlines()[1].split(",")[4:10] == [""] * 6


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (["Nana Nip"], "card 'Nana Nip' is not known .did you mean Nana Nap"),
        (["Nana Nap="], r"expected CARD or CARD=OTHER"),
        (["Nana Nap", "Nana Nap"], "Nana Nap is given twice"),
        (["+1"], "is the most ordinary card itself"),
        (["+9"], "there is none in the deck that is played"),
    ],
)
def test_cards_that_cannot_be_exchanged(wanted, expected):
    with pytest.raises(OptionError, match=expected):
        swaps(setting(), wanted, jobs=1)


def test_a_stand_in_that_there_is_not_is_named():
    with pytest.raises(BoxError, match="exchange: by 'Sour Cream' is not known"):
        swaps(setting(), ["Nana Nap=Sour Cream"], jobs=1)
    with pytest.raises(BoxError, match="exchange: by 'nothing' is not known"):
        swaps(Setting.of("prrrt", players=3, playouts=100), ["smell 3=nothing"], jobs=1)


# --- the table --------------------------------------------------------------------------------------------------


def test_the_card_table_is_that_of_the_report(tmp_path: Path):
    asked = setting()
    found = cards(asked, jobs=1)
    done = api.run(
        api.question("granny_wars", players=3, policies=OPEN, playouts=1_500, seed=5), out=tmp_path / "run", jobs=1
    )
    expected = card_table(done.recipe, done.tallies()).set_index("card")
    assert {row["card"] for row in found.rows} == set(expected.index)
    for row in found.rows:
        for column in ("opening_difference", "opening_low", "opening_high", "drawn_difference", "adjusted_p"):
            assert row[column] == pytest.approx(expected[column][row["card"]], nan_ok=True)
    assert any("These describe and do not explain" in line for line in found.lines)


# --- the command ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["cards", "swap"])
def test_what_the_command_prints(mode, capsys):
    """Golden text: read it after a change, and write it anew on purpose."""
    flags = {"cards": [], "swap": ["--swap", "Nana Nap", "--swap", "Sweet Old Lady=nothing"]}
    args = ["cards", "granny_wars", "--players", "3", "--policy", "all=open", *flags[mode], "-n", "3000", "-j", "1"]
    golden = Path(__file__).parent / "golden" / f"{mode}.txt"
    lines = [line.rstrip() for line in simkit(capsys, *args)]
    assert lines == golden.read_text(encoding="utf-8").splitlines()


def test_rows_as_csv(capsys):
    args = ("cards", "granny_wars", "--swap", "Nana Nap", "--players", "3", "-n", "1000", "-j", "1", "--csv")
    rows = list(csv.DictReader(StringIO("\n".join(simkit(capsys, *args)))))
    assert {row["card"] for row in rows} == {"Nana Nap"}
    assert {row["stand_in"] for row in rows} == {"+1"}
    assert sorted(path.name for path in Path("runs").iterdir()) == [
        f"swap-granny_wars.{ending}" for ending in ("csv", "png", "svg")
    ]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["cards", "propuh"], "cards: Propuh counts no cards"),
        (["cards", "propuh", "--swap", "all"], "cards: Propuh counts no cards"),
        (["cards", "grany_wars"], "did you mean granny_wars?"),
        (["cards", "some.toml"], "cards takes a game's name"),
        (["cards", "granny_wars", "--swap", "Nana"], "card 'Nana' is not known"),
        (["cards", "granny_wars", "--csv", "--json"], "--csv and --json exclude each other"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert len(err.strip().splitlines()) == 1
    assert expected in err
    assert "Traceback" not in out + err
