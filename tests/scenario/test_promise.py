"""What a box promises: read, checked, shown, and no part of what results depend on."""

from pathlib import Path

import pytest

from simkit import api, games
from simkit.box_file import components, described, printed
from simkit.cli import run
from simkit.errors import BoxError, OptionError
from simkit.scenario.load import load_box
from simkit.scenario.pace import AtOnce, paces
from simkit.scenario.promise import broken
from simkit.scenario.provenance import origins

PUG = games.get("pug_you")
OWN = PUG.text("box.toml")


def edited(before: str, after: str) -> Path:
    assert before in OWN
    path = Path("mine.toml")
    path.write_text(OWN.replace(before, after, 1), encoding="utf-8")
    return path


def test_what_the_rulebook_of_pug_you_says() -> None:
    promise = printed(load_box(PUG, None))
    assert promise.players is not None
    assert promise.minutes is not None
    assert (promise.players.fewest, promise.players.most, promise.players.provenance) == (5, 10, "rulebook")
    assert (promise.minutes.fewest, promise.minutes.most, promise.minutes.provenance) == (20, 45, "rulebook")
    rows = described(PUG, load_box(PUG, None))
    assert rows[0] == ("printed: players", "5 to 10", "rulebook", "recommended number of players")
    assert rows[2:] == PUG.module("box").describe(load_box(PUG, None))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("fewest = 20", "fewest = 50", "printed.minutes: fewest is 50, more than most, 45"),
        ("fewest = 20", 'fewest = "20"', "printed.minutes.fewest cannot be '20'; expected a valid integer"),
        ("most = 45", "", "printed.minutes.most is missing"),
        ("[printed.minutes]", "[printed.minuts]", "printed.minuts is not a known key (did you mean minutes?)"),
    ],
)
def test_a_mistake_names_file_and_key(before: str, after: str, expected: str) -> None:
    with pytest.raises(BoxError) as caught:
        load_box(PUG, edited(before, after))
    assert str(caught.value).startswith(f"mine.toml: {expected}")


def test_a_promise_changes_no_result() -> None:
    mine, own = api.question("pug_you", box=edited("most = 45", "most = 30")).recipe, api.question("pug_you").recipe
    assert mine.box != own.box
    assert mine.hash == own.hash
    assert mine.to_json()["box_hash"] == own.to_json()["box_hash"]
    assert origins(mine.box) == origins(components(mine.box)) == origins(own.box)


def test_a_box_without_a_promise_is_a_box() -> None:
    start, end = OWN.index("[printed.players]"), OWN.index("# Cards in hand")
    Path("mine.toml").write_text(OWN[:start] + OWN[end:], encoding="utf-8")
    box = load_box(PUG, Path("mine.toml"))
    assert (printed(box).players, printed(box).minutes) == (None, None)
    assert broken(PUG, box) == {}


def test_a_promise_that_cannot_be_kept_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    path = edited("fewest = 5", "fewest = 4")
    assert run(["box", "check", "pug_you", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "printed: 4 to 10 players (rulebook)" in lines
    assert "printed: 20 to 45 minutes (rulebook)" in lines
    assert "printed for 4 players, but: there are no rules for so many" in lines
    path = edited("{ players = 10, hand = 4 }", "{ players = 10, hand = 4 },\n  { players = 10, hand = 5 }")
    assert broken(PUG, load_box(PUG, path)) == {10: "hands.tables: more than one line for 10 players"}


def test_show_tells_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "pug_you"]) == 0
    assert "printed: minutes" in capsys.readouterr().out


def test_decisions_at_once_take_the_time_of_one() -> None:
    """Pug You! for 6: five offers and four votes in a turn of eleven decisions leave four that follow each other."""
    fixed, weights = paces("pug_you").seconds("usual", 6)
    usual = paces("pug_you").usual
    assert fixed == usual.setup
    assert 11 * weights["decisions"] + weights["turns"] == pytest.approx(4 * usual.decision + usual.round)
    assert 6 * weights["decisions"] + weights["second_questions"] == pytest.approx(3 * usual.decision)
    assert [AtOnce(what="", column="x", who="all", each=True).saved(n) for n in (1, 2, 4)] == [0, 1 / 2, 3 / 4]
    assert [AtOnce(what="", column="x", who="all but two").saved(n) for n in (2, 3, 5)] == [0, 0, 2]


def test_an_unknown_pace_is_told_with_the_nearest() -> None:
    with pytest.raises(
        OptionError, match=r"^--pace 'usal' is not known \(did you mean usual\?\); expected quick, usual"
    ):
        paces("propuh").of("usal")
