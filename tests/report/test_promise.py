"""The section on what the box says: players against rules and play, minutes against the promise, the pace that is chosen."""

from pathlib import Path

import pytest

from simkit import api, games
from simkit.report.build import gathered
from simkit.report.model import Section
from simkit.report.sections.promise import FITS, LONGER, MOSTLY, SHORTER, section
from simkit.store import Run


def with_minutes(fewest: int, most: int, players: str = "fewest = 1\nmost = 2") -> Run:
    """A run of Propuh for two whose box promises these minutes."""
    text = games.get("propuh").text("box.toml").replace("fewest = 1\nmost = 2", players)
    text += f'\n[printed.minutes]\nprovenance = "rulebook"\nfewest = {fewest}\nmost = {most}\n'
    Path("mine.toml").write_text(text, encoding="utf-8")
    asked = api.question("propuh", players=2, playouts=600, box=Path("mine.toml"), seed=1)
    return api.run(asked, out=Path(f"run-{fewest}-{most}-{len(players)}"), jobs=1)


def told(run: Run, pace: str = "usual") -> Section:
    return section(gathered(run), pace)


def verdicts(found: Section) -> set[str]:
    return {row[-1] for row in found.tables[0].rows}


@pytest.mark.parametrize(
    ("fewest", "most", "expected"), [(1, 60, FITS), (20, 30, SHORTER), (1, 2, LONGER)], ids=["fits", "short", "long"]
)
def test_minutes_are_held_against_the_promise(fewest: int, most: int, expected: str) -> None:
    found = told(with_minutes(fewest, most))
    assert verdicts(found) == {expected}
    assert f"The rulebook says {fewest} to {most} minutes." in found.answers
    assert any("minutes with 2 players (nine in ten games" in line and expected in line for line in found.answers)


def test_a_median_inside_with_long_games_outside_is_mostly_as_promised() -> None:
    run = with_minutes(1, 60)
    row = gathered(run).minutes.query("pace == 'usual' and cell == 0").iloc[0]
    assert round(row["q05"]) < round(row["median"])
    assert MOSTLY in verdicts(told(with_minutes(round(row["median"]), round(row["q95"]))))


def test_the_pace_changes_the_minutes_and_is_called_an_assumption() -> None:
    run = with_minutes(1, 60)
    usual, slow = told(run), told(run, "slow")
    assert usual.tables[0].data.equals(slow.tables[0].data)
    assert any(line.startswith("At the slow pace") for line in slow.answers)
    assert usual.answers[2] != slow.answers[2]
    assert "this pace, which is assumed" in usual.answers[-1]
    assert [row[0] for row in usual.tables[2].rows] == ["quick", "usual", "slow"]


def test_players_printed_allowed_and_played() -> None:
    found = told(with_minutes(1, 60, players="fewest = 2\nmost = 3"))
    assert found.answers[0] == (
        "Public sources say 2 to 3 players, but it cannot be played with 3: there are no rules for so many. "
        "This run played with 2."
    )
    assert found.tables[1].rows == [
        ("1", "no", "yes", "no"),
        ("2", "yes", "yes", "yes"),
        ("3", "yes", "no: there are no rules for so many", "no"),
    ]


def test_a_run_from_before_boxes_promised_anything_is_reported() -> None:
    run = api.run(api.question("propuh", players=1, playouts=300), out=Path("old"), jobs=1)
    del run.manifest["recipe"]["box"]["printed"]
    run.save(force=True)
    found = told(Run.read(run.folder))
    assert found.answers[0].startswith(
        "For how many players it is made is not known; rules and components allow 1 and 2."
    )
    assert found.answers[1].startswith("No playing time is known")


def test_the_pace_is_chosen_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    from simkit.cli import run as command

    api.run(api.question("propuh", players=1, playouts=300), out=Path("run"), jobs=1)
    assert command(["report", "run", "--pace", "quick"]) == 0
    assert "At the quick pace" in Path("run/report/report.md").read_text(encoding="utf-8")
    assert command(["report", "run", "--pace", "quik"]) == 2
    assert "did you mean quick?" in capsys.readouterr().err
