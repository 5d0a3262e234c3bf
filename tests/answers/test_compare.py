"""What `simkit compare` says, held against numbers computed anew from rows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simkit import api
from simkit.answers.compare import compare_variant, question
from simkit.answers.compare_runs import compare_runs
from simkit.answers.difference import Difference, Finding, disagreement, sentence, verdict
from simkit.cli import run
from simkit.engine.worker import Job, play
from simkit.spec import GameSpec
from simkit.stats.intervals import rate_difference
from simkit.stats.paired import paired_difference
from simkit.stats.planning import to_settle
from simkit.summary import words


def won(recipe, cell, playouts):
    return play(Job.of(recipe, cell), 0, playouts).won & 1


def paired(first, second):
    return paired_difference(*(int((2 * second + first == value).sum()) for value in range(4)))


def simkit(capsys, *args: str) -> list[str]:
    assert run(list(args)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Runs of Propuh: a and b by seed, c with another option, t with tallies only, and a longer one."""
    place = tmp_path_factory.mktemp("runs")
    for name, playouts, seed, options, tally_only in (
        ("a", 12_000, 1, {}, False),
        ("b", 12_000, 2, {}, False),
        ("c", 12_000, 1, {"failed_counter": "discarded"}, False),
        ("longer", 20_000, 1, {"failed_counter": "discarded"}, False),
        ("tallies", 12_000, 1, {"win_check": "immediate"}, True),
        ("tallies-2", 12_000, 2, {"win_check": "immediate"}, True),
    ):
        asked = api.question("propuh", playouts=playouts, seed=seed, options=options)
        api.run(asked, out=place / name, jobs=1, tally_only=tally_only)
    return place


def test_a_change_is_told_as_the_rows_of_both_cells_tell_it():
    asked = question("propuh", {"failed_counter": "discarded"}, playouts=5_000, seed=3)
    found = compare_variant(asked, jobs=1).differences
    cells = asked.recipe.cells
    assert [one.who for one in found] == ["random / random", "builder / blocker_propuh"]
    for one, (a, b) in zip(found, ((cells[0], cells[1]), (cells[2], cells[3])), strict=True):
        before, after = won(asked.recipe, a, 5_000), won(asked.recipe, b, 5_000)
        expected = paired(before, after)
        assert (one.difference, one.low, one.high) == (expected.difference, expected.low, expected.high)
        assert (one.before[0], one.after[0]) == (before.mean(), after.mean())
        difference = after.astype(float) - before
        assert one.spread == pytest.approx(difference.var())
        assert one.change == "failed_counter = discarded"


def test_a_sentence_for_each_line_up_and_a_picture(capsys):
    lines = simkit(
        capsys, "compare", "propuh", "--set", "failed_counter=discarded", "-n", "4000", "--seed", "1", "-j", "1"
    )
    assert lines[0].startswith("On the same 4,000 deals, failed_counter = discarded changes 'Granny wins' by +")
    assert lines[0].endswith(". random / random.")
    assert lines[1].endswith(". builder / blocker_propuh.")
    assert lines[2].startswith("The ranges cover simulation noise only")
    assert lines[-1] == "picture: runs/compare-propuh-failed_counter-discarded.svg"
    assert Path("runs/compare-propuh-failed_counter-discarded.svg").read_text().startswith("<svg")
    assert Path("runs/compare-propuh-failed_counter-discarded.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.suffix for path in Path("runs").iterdir()) == [".png", ".svg"]  # the run itself is not kept


def test_one_line_up_if_one_is_named_and_a_folder_of_choice(capsys):
    lines = simkit(
        capsys, "compare", "propuh", "--preset", "solo-2", "--set", "difficulty=3", "--policy", "granny=blocker",
        "-n", "2000", "--margin", "1.5", "--out", "here", "-j", "1",
    )  # fmt: skip
    assert "your 1.5-point limit. blocker." in lines[0]
    assert lines[1].startswith("The ranges cover")
    assert Path("here/compare-propuh-solo-2-difficulty-3.png").exists()


def test_an_option_that_does_nothing_makes_no_difference_on_any_deal(capsys):
    lines = simkit(capsys, "compare", "propuh", "--set", "discards_visible=false", "-n", "2000", "-j", "1")
    for line in lines[:2]:
        assert "leaves 'Granny wins' at" in line
        assert "no difference on any deal, nor in any recorded column" in line
    assert lines[2] == "discards_visible changes no rule, only what policies may look at."


def test_an_option_of_the_solo_game_is_said_not_to_matter_for_two(capsys):
    lines = simkit(capsys, "compare", "propuh", "--set", "difficulty=3", "-n", "2000", "-j", "1")
    assert lines[2] == "difficulty does not matter here: made for 1 at the table, not 2."
    lines = simkit(capsys, "compare", "propuh", "--set", "figurine_start=bed", "-n", "2000", "-j", "1")
    assert lines[2] == "figurine_start does not matter here: without effect unless figurine_removal = only_if_moved."


def example(low, high, **more):
    middle = (low + high) / 2
    rates = (0.4, 0.39, 0.41), (0.4 + middle, 0.39 + middle, 0.41 + middle)
    found = Difference("x / y", "deck = even", "the same 1,000 deals", *rates, middle, low, high, 0.2, 1_000, 0.02)
    return replace(found, **more)


@pytest.mark.parametrize(
    ("low", "high", "finding", "told"),
    [
        (0.021, 0.05, Finding.LARGER, "a real change, larger than your 2-point limit"),
        (-0.05, -0.021, Finding.LARGER, "a real change, larger than your 2-point limit"),
        (0.001, 0.019, Finding.WITHIN, "a real change, but within your 2-point limit"),
        (-0.019, 0.019, Finding.SMALL, "within your 2-point limit, and perhaps no change at all"),
        (
            0.01,
            0.03,
            Finding.OPEN,
            "a real change, but cannot tell yet whether it is larger than your 2-point limit: about ",
        ),
        (-0.03, 0.03, Finding.OPEN, "cannot tell yet: about "),
        (-0.03, 0.01, Finding.OPEN, "cannot tell yet: about "),
    ],
)
def test_the_verdict_is_where_the_range_lies(low, high, finding, told):
    found = example(low, high)
    assert found.finding is finding
    assert verdict(found).startswith(told)


def test_what_is_not_settled_says_how_many_playouts_would():
    found = example(-0.02, 0.03)
    needed = to_settle(found.difference, 0.02) * 0.2 / 0.25
    assert needed <= found.playouts_needed <= 1.1 * needed
    assert verdict(found) == f"cannot tell yet: about {found.playouts_needed:,} playouts would settle it"
    assert example(-0.02, 0.03, playouts=10**6).playouts_needed == 2 * 10**6


def test_a_handful_of_equal_deals_settles_nothing():
    found = compare_variant(question("propuh", {"discards_visible": "false"}, playouts=20), jobs=1).differences[0]
    assert found.never_differed
    assert found.finding is Finding.OPEN
    assert "no deal differed, which leaves room for" in sentence(found, "Granny wins")
    more = compare_variant(question("propuh", {"discards_visible": "false"}, playouts=found.playouts_needed), jobs=1)
    assert more.differences[0].finding is Finding.SAME


def test_line_ups_that_disagree_are_told_apart():
    up, down, within = example(0.03, 0.04), example(-0.04, -0.03), example(0.001, 0.002)
    assert disagreement([up, up]) == ""
    assert "within the limit with x / y" in disagreement([up, within])
    assert "down by more than the limit with x / y" in disagreement([up, down])
    assert disagreement([up, example(-0.1, 0.1)]).startswith("Not every line-up has settled it")


def test_runs_with_other_seeds_are_compared_as_strangers(folder):
    compared = compare_runs(folder / "a", folder / "b")
    recipes = [api.question("propuh", seed=seed).recipe for seed in (1, 2)]
    for found, cell in zip(compared.differences, recipes[0].cells, strict=True):
        wins = [int(won(recipe, cell, 12_000).sum()) for recipe in recipes]
        assert (found.difference, found.low, found.high) == rate_difference(wins[1], 12_000, wins[0], 12_000)
        assert found.on == "12,000 playouts, each on deals of its own"
    assert compared.remarks == ("seeds: 1 and 2",)


@pytest.mark.parametrize("other", ["c", "longer"])
def test_runs_under_one_seed_are_compared_deal_by_deal(folder, other):
    compared = compare_runs(folder / "a", folder / other)
    recipes = [api.question("propuh", options=o).recipe for o in ({}, {"failed_counter": "discarded"})]
    for i, found in enumerate(compared.differences):
        expected = paired(*(won(recipe, recipe.cells[i], 12_000) for recipe in recipes))
        assert (found.difference, found.low, found.high) == (expected.difference, expected.low, expected.high)
        assert (found.on, found.change) == ("the same 12,000 deals", "failed_counter = discarded")


def test_a_run_does_not_differ_from_itself(folder):
    assert {one.finding for one in compare_runs(folder / "a", folder / "a").differences} == {Finding.SAME}


def test_tallies_are_enough_for_other_seeds_only(folder, capsys):
    assert len(compare_runs(folder / "a", folder / "tallies-2").differences) == 2
    assert run(["compare", str(folder / "a"), str(folder / "tallies")]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "comparing takes every row, but tallies only were kept" in error
    assert "without --tally-only, or with another --seed" in error


def test_cells_without_a_partner_are_listed(folder, capsys):
    Path("half.toml").write_text(
        'game = "propuh"\nplayouts = 1000\nseed = 5\n[grid]\nplayers = 2\n'
        'policies = [{ all = "random" }, { granny = "blocker", propuh = "rusher" }]\n'
    )
    api.run(api.question("half.toml"), out=Path("half"), jobs=1)
    lines = simkit(capsys, "compare", str(folder / "a"), "half", "--margin", "3")
    assert "on 12,000 and 1,000 playouts, each on deals of its own" in lines
    assert f"only in {folder / 'a'}: 2 players, builder / blocker_propuh" in lines
    assert "only in half: 2 players, blocker / rusher" in lines
    assert Path("runs/compare-a-half.svg").exists()


def test_replayed_deals_count_once():
    """Four playouts of each deal: the deal is the unit, and the range is wider than of as many strangers."""
    for name, seed, option in (("x", 1, "stays"), ("y", 1, "discarded"), ("z", 2, "stays")):
        Path(f"{name}.toml").write_text(
            f'game = "propuh"\nplayouts = 4000\nreplicates = 4\nseed = {seed}\n'
            f'[[grid.cells]]\nlabel = "one"\noptions = {{ failed_counter = "{option}" }}\n'
        )
        api.run(api.question(f"{name}.toml"), out=Path(name), jobs=1)
    rows = [
        pl.read_parquet(f"{name}/players/cell=0000/*.parquet").filter(pl.col("turn_order") == 0).sort("playout")
        for name in "xy"
    ]
    gap = rows[1]["won"].to_numpy().astype(float) - rows[0]["won"].to_numpy()
    by_deal = gap.reshape(-1, 4).mean(axis=1)
    found = compare_runs(Path("x"), Path("y")).differences[0]
    assert found.difference == pytest.approx(gap.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * by_deal.std(ddof=1) / 1000**0.5, rel=1e-3)
    strangers = compare_runs(Path("x"), Path("z")).differences[0]
    means = rows[0]["won"].to_numpy().reshape(-1, 4).mean(axis=1)
    # two rates of a thousand deals each; 64 blocks know a spread to about a tenth
    assert strangers.high - strangers.low == pytest.approx(2 * 1.96 * (2 * means.var() / 1000) ** 0.5, rel=0.3)
    assert np.isfinite(strangers.playouts_needed)


WRONG = [
    (["compare"], "Missing argument"),
    (["compare", "propuh"], "say what to change with --set OPTION=VALUE"),
    (["compare", "propuhh", "--set", "deck=even"], "did you mean propuh?"),
    (["compare", "propuh", "--set", "dek=even"], "did you mean deck?"),
    (["compare", "propuh", "--set", "deck=evn"], "did you mean even?"),
    (["compare", "propuh", "--set", "deck=public"], "propuh plays deck = public anyway"),
    (["compare", "propuh", "--preset", "solo-2", "--set", "difficulty=2"], "solo-2 plays difficulty = 2 anyway"),
    (["compare", "propuh", "--set", "deck=even", "--margin", "0"], "--margin cannot be 0; expected"),
    (["compare", "propuh", "--set", "deck=even", "--margin", "nan"], "--margin cannot be nan; expected"),
    (["compare", "propuh", "--set", "deck=even", "--players", "3"], "players cannot be 3"),
    (["compare", "propuh", "--set", "deck=even", "--playouts", "0"], "playouts cannot be 0"),
    (["compare", "propuh", "--set", "deck=even", "--policy", "granny=bilder"], "did you mean builder?"),
    (["compare", "propuh", "--set", "deck=even", "--box", "none.toml"], "none.toml: no such file"),
    (
        ["compare", "propuh", "--set", "deck=even", "-n", "50", "--out", "/proc/nothing"],
        "--out /proc/nothing: cannot be written",
    ),
    (["compare", "some.toml"], "compare takes a game's name or two run folders"),
    (["compare", "."], "is one folder; compare takes two runs"),
    (["compare", ".", "."], "is not a run folder"),
    (["compare", "propuh", "runs/x"], "is not a run folder"),
    (["compare", ".", ".", "--set", "deck=even"], "--set goes with a game's name"),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert len(err.strip().splitlines()) == 1
    assert expected in err
    assert "Traceback" not in out + err


def test_an_unfinished_run_is_refused(folder, capsys):
    api.run(api.question("propuh", playouts=100), out=Path("begun"), jobs=1)
    manifest = Path("begun/manifest.json")
    manifest.write_text(manifest.read_text().replace('"status": "complete"', '"status": "running"'))
    assert run(["compare", str(folder / "a"), "begun"]) == 2
    assert "begun: the run is not finished; continue it with --resume" in capsys.readouterr().err


def test_runs_that_have_nothing_in_common_are_refused(folder, capsys):
    api.run(api.question("propuh", preset="solo-1", playouts=100), out=Path("solo"), jobs=1)
    assert run(["compare", str(folder / "a"), "solo"]) == 2
    assert "none of its cells is one of" in capsys.readouterr().err


def test_any_game_is_compared_by_its_own_outcome(spec: GameSpec, tmp_path: Path) -> None:
    """Two runs on the same deals, a rule changed: the difference is that of the column `won` or `lost` of their rows."""
    players = min(spec.players)
    options = spec.resolve({})
    rule = next(option for option in spec.options if option.ruling and spec.matters(option, players, options))
    changed = {rule.name: str(rule.values[1]).lower()}
    runs = [
        api.run(api.question(spec.name, players=players, options=set_, playouts=100), out=tmp_path / name)
        for name, set_ in (("plain", {}), ("changed", changed))
    ]
    compared = compare_runs(*(run.folder for run in runs))
    assert compared.headline == words.headline(spec)
    for found, cell in zip(compared.differences, runs[0].recipe.cells, strict=True):
        first = [
            run.scan("players", cell.id).filter(pl.col("turn_order") == 0).sort("playout").collect()[spec.outcome]
            for run in runs
        ]
        assert found.difference == pytest.approx(first[1].mean() - first[0].mean(), abs=1e-12)
        assert found.before[0] == pytest.approx(first[0].mean())
