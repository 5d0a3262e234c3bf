"""Telling games are what they are said to be, and their commands play just them."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pytest

from simkit import api
from simkit.engine.observe import look
from simkit.engine.reduce import MEASURES
from simkit.engine.worker import Job
from simkit.report.build import build, gathered
from simkit.report.sections.gallery import folder_told, sentence
from simkit.store import Run
from simkit.summary.gallery import on_show
from simkit.summary.kept import FIRST

CASES = {"propuh": 2, "granny_wars": 3, "pug_you": 5, "purim": 1}


@pytest.fixture(scope="module", params=CASES)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Several parts for each cell, so that rows come from more than one file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simkit.engine.plan.PART", 256)
        asked = api.question(request.param, players=CASES[request.param], playouts=600, seed=8)
        return api.run(asked, out=tmp_path_factory.mktemp("gallery") / "run", jobs=1)


def rows_of(run: Run, cell: int) -> pd.DataFrame:
    """Playouts with the two highest scores, counted another way."""
    rows = pd.DataFrame(run.scan("playouts", cell).collect().to_dict(as_series=False))
    players = pd.DataFrame(run.scan("players", cell).collect().to_dict(as_series=False))
    if "score" in players and "margin" not in rows:
        ordered = players.groupby("playout")["score"].apply(lambda scores: sorted(scores, reverse=True))
        rows["margin"] = [scores[0] - scores[1] for scores in ordered]
    if "margin" in rows:
        rows["margin"] = rows["margin"].abs()
    return rows.set_index("playout", drop=False)


def test_they_are_what_they_are_said_to_be(run: Run) -> None:
    evidence = gathered(run)
    shown = evidence.gallery.groupby("cell")
    thinking = [cell.id for cell in run.recipe.cells if set(cell.policies) != {"random"}]
    assert list(shown.groups) == thinking
    for cell, games in shown:
        check(rows_of(run, int(str(cell))), games.set_index("what")["playout"].to_dict(), evidence.length)


def test_the_biggest_comeback_and_the_most_changes_of_the_lead_are_the_largest_of_all(run: Run) -> None:
    spec, evidence = run.recipe.spec, gathered(run)
    said = {"biggest comeback" if spec.outcome == "won" else "biggest turn for the worse": "comeback",
            "most changes of the lead": "lead_changes"}  # fmt: skip
    found = evidence.gallery[evidence.gallery["what"].isin(said)]
    assert found.empty == spec.cooperative
    for row in found.itertuples():
        job = Job.of(run.recipe, run.recipe.cells[row.cell])
        each = look(job, 0, 600).measures[:, MEASURES.index(said[row.what])]
        assert (row.playout, row.extreme) == (each.argmax(), each.max())
        wanted = f", having been {row.extreme} " if said[row.what] == "comeback" else f"changed {row.extreme} time"
        assert wanted in sentence(evidence, row)


def check(rows: pd.DataFrame, picked: dict[str, int], name: str) -> None:
    length, decisions = rows[name], rows["decisions"]
    assert length[picked["longest"]] == length.max()
    assert length[picked["shortest"]] == length.min()
    as_long = rows[length == length.max()]
    assert picked["longest"] == as_long[as_long["decisions"] == as_long["decisions"].max()]["playout"].min()
    assert rows["end_reason"][picked["most typical"]] == rows["end_reason"].mode()[0]
    assert decisions.quantile(0.1) <= decisions[picked["most typical"]] <= decisions.quantile(0.9)
    assert ("closest" in picked) == ("most lopsided" in picked) == ("margin" in rows)
    if "margin" in rows:
        assert rows["margin"][picked["closest"]] == rows["margin"].min()
        assert rows["margin"][picked["most lopsided"]] == rows["margin"].max()
    share = rows["end_reason"].value_counts(normalize=True)
    rare = {f"rare ending: {reason.replace('_', ' ')}" for reason, of_all in share.items() if 0 < of_all < 0.01}
    assert {what for what in picked if what.startswith("rare")} == rare


def test_the_command_plays_that_very_game(run: Run) -> None:
    evidence, spec = gathered(run), run.recipe.spec
    for row in evidence.gallery.itertuples():
        again = api.replay(str(run.folder), int(row.playout), cell=int(row.cell))
        assert again.columns["decisions"] == row.decisions
        assert again.columns[evidence.length] == row.length
        assert spec.end_reasons[again.columns["end_reason"]] == row.end_reason
        had = [spec.role(seat) for seat, player in enumerate(again.players) if player[spec.outcome]]
        assert row.seats == ", ".join(had)


def section_of(run: Run) -> Any:
    return next(section for section in build(run).sections if section.name == "gallery")


def test_every_game_has_a_sentence_and_a_command(run: Run) -> None:
    section, games = section_of(run), gathered(run).gallery
    assert len(section.tables[0].rows) == len(games)
    for row, game in zip(section.tables[0].rows, games.itertuples(), strict=True):
        assert row[3] == f"simkit replay {run.recipe.folder} --cell {game.cell} --playout {game.playout}"
        assert row[2].endswith(".")
        assert str(game.decisions) in row[2]
    assert run.recipe.folder.startswith("runs/")


def test_the_command_line_knows_the_command(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    from simkit.cli import run as command

    Path("runs").mkdir()
    shutil.copytree(run.folder, run.recipe.folder)
    words = section_of(run).tables[0].rows[0][3].split()
    assert words[0] == "simkit"
    assert command(words[1:]) == 0
    assert f"playout {words[-1]}" in capsys.readouterr().out


def test_a_run_of_tallies_only_shows_the_same_games() -> None:
    asked = api.question("propuh", players=1, playouts=FIRST + 2000, seed=3)
    kept, only = (api.run(asked, out=Path(name), tally_only=name == "only", jobs=1) for name in ("kept", "only"))
    assert only.scan("playouts", 0).select(pl.len()).collect().item() == FIRST
    pd.testing.assert_frame_equal(gathered(kept).gallery, gathered(only).gallery)
    assert (gathered(kept).gallery["playout"] < FIRST).all()
    assert section_of(kept).answers[0].startswith("Of the first 10,000 games of each cell")


def test_a_rare_ending_that_no_kept_game_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred rows kept of 3,000 games, of which one in a hundred or fewer ends in exhaustion."""
    monkeypatch.setattr("simkit.report.build.FIRST", 20)
    run = api.run(api.question("propuh", players=2, playouts=3000, seed=7), out=Path("run"), jobs=1)
    games = gathered(run).gallery
    missing = games[games["playout"].isna()]
    assert list(missing["what"]) == ["rare ending: exhaustion"]
    row = next(row for row in section_of(run).tables[0].rows if row[1] == "rare ending: exhaustion")
    assert row[2] == "None of the first 10,000 games ended so."
    assert row[3] == ""


def test_without_rows_it_is_told_how_to_get_them() -> None:
    run = api.run(api.question("propuh", players=1, playouts=300), out=Path("run"), jobs=1)
    shutil.rmtree("run/playouts")
    section = section_of(Run.read(run.folder))
    assert section.tables == ()
    assert "Play the run anew to have them" in section.answers[0]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("simkit run s.toml --out runs/mine --report", "runs/mine"),
        ("simkit run s.toml --out=mine/", "mine"),
        ("simkit run s.toml --out /home/somebody/runs/mine", "mine"),
        ("simkit run s.toml --out ../../elsewhere/mine", "mine"),
        ("simkit run s.toml --out C:\\somebody\\mine", "mine"),
        ("simkit run s.toml", "runs/usual"),
        ("simkit -c", "runs/usual"),
    ],
)
def test_no_folder_of_the_machine_is_told(command: str, expected: str) -> None:
    stored: Any = SimpleNamespace(manifest={"command": command}, recipe=SimpleNamespace(folder="runs/usual"))
    assert folder_told(stored) == expected


def test_cells_on_show_are_spread_over_player_counts() -> None:
    Path("s.toml").write_text(
        'game = "granny_wars"\n[grid]\nplayers = [2, 3, 4]\n'
        'policies = [{ all = "random" }, { all = "stealth" }, { all = "open" }]\n'
    )
    recipe = api.question("s.toml").recipe
    chosen = on_show(recipe, list(recipe.cells))
    assert [cell.players for cell in chosen] == [2, 2, 3, 4]
    assert [cell.policies[0] for cell in chosen] == ["stealth", "open", "open", "open"]
    only_random = [cell for cell in recipe.cells if cell.policies[0] == "random"]
    assert on_show(recipe, only_random) == only_random
