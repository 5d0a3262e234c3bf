"""What `simkit plan` says: the numbers of stats.planning, and a pilot that is what the game plays."""

from math import ceil, inf
from pathlib import Path

import pytest

from simkit import api
from simkit.answers.plan import Pilot, calibrate, measure, shown, study, time_shown, wishes
from simkit.cli import run
from simkit.engine.worker import Job, play
from simkit.stats.planning import for_equivalence, for_same_deals, for_two_rates, playouts_for
from tests.conftest import PROJECT


def table(capsys, *args: str) -> tuple[dict[str, list[str]], str]:
    """The lines of the table by their first cell, and everything that was printed."""
    assert run(["plan", *args]) == 0
    out = capsys.readouterr().out
    rows = [[part.strip() for part in line.split("  ") if part.strip()] for line in out.splitlines()]
    return {row[0]: row[1:] for row in rows if len(row) > 1}, out


def test_without_a_game_the_table_is_that_of_the_textbook(capsys):
    rows, out = table(capsys)
    for width in (2, 1, 0.5, 0.2, 0.1):
        name = f"a rate known to ±{width:g} point{'' if width == 1 else 's'}"
        assert rows[name] == [f"{playouts_for(width / 100):,}"]
    assert rows["a rate shown to be within ±2 points of its target, when it is on it"] == ["6,568"]
    assert rows["a change of 1 point found, each cell on its own deals"] == [f"{ceil(for_two_rates(0.5, 0.49)):,}"]
    told = "a change of 1 point found, on the same deals, when 5 % of deals end differently"
    assert rows[told] == [f"{ceil(for_same_deals(0.05, 0.01)):,}"]
    assert "found, or shown, in 80 % of such runs" in out


def test_wishes_are_those_that_were_asked_for():
    found = {wish.what: wish for wish in wishes([0.5, 0.3], half_width=0.4, detect=0.5, margin=3, power=0.9)}
    assert found["a rate known to ±0.4 points"].playouts == (playouts_for(0.004), playouts_for(0.004, 0.3))
    on_it, off = (wish.playouts for name, wish in found.items() if "of its target" in name)
    assert on_it == (for_equivalence(0.03, 0, 0.5, 0.9), for_equivalence(0.03, 0, 0.3, 0.9))
    assert off == (for_equivalence(0.03, 0.015, 0.5, 0.9), for_equivalence(0.03, 0.015, 0.3, 0.9))
    own = found["a change of 0.5 points found, each cell on its own deals"]
    assert own.playouts == (for_two_rates(0.5, 0.495, 0.9), for_two_rates(0.3, 0.305, 0.9))
    assert own.cells == 2
    shared = found["a change of 0.5 points found, on the same deals, when 20 % of deals end differently"]
    assert shared.playouts == (for_same_deals(0.2, 0.005, 0.9),) * 2


def test_the_pilot_measures_how_many_deals_end_differently():
    known = study("propuh", 1, options={"failed_counter": "discarded"}, pilot_playouts=3_000)
    recipes = [api.question("propuh", options=o).recipe for o in ({}, {"failed_counter": "discarded"})]
    before, after = (play(Job.of(recipe, recipe.cells[-1]), 0, 3_000).won & 1 for recipe in recipes)
    assert known.pilot == Pilot(3_000, int(before.sum()), int((before != after).sum()))
    assert known.rates == (0.5, before.mean())
    share = float((before != after).mean())
    wish = next(wish for wish in wishes(known.rates, pilot=known.pilot) if "on the same deals" in wish.what)
    assert wish.playouts[0] == for_same_deals(share, 0.01)
    last = list(wishes(known.rates, pilot=known.pilot))[-1]
    assert last.playouts[0] == pytest.approx(for_equivalence(0.02, 0, 0.5) * 4 * share)


def test_workers_do_not_change_the_pilot():
    recipe = api.question("propuh").recipe
    assert measure(recipe, recipe.cells[-1:], 1, 1_001) == measure(recipe, recipe.cells[-1:], 3, 1_001)


def test_a_change_that_never_shows_cannot_be_found(capsys):
    rows, out = table(capsys, "propuh", "--set", "discards_visible=false", "-j", "1")
    found = next(row for name, row in rows.items() if "on the same deals" in name)
    assert found == ["never", "never"]
    assert "not one of these deals ended differently" in out


def test_a_rate_at_the_end_is_planned_with_what_it_may_be():
    assert Pilot(1_000, 0).rate == pytest.approx(0.003682, abs=1e-6)
    assert Pilot(1_000, 1_000).rate == pytest.approx(1 - 0.003682, abs=1e-6)
    assert all(0 < n < inf for wish in wishes([Pilot(1_000, 1_000).rate]) for n in wish.playouts[:1] if wish.cells == 1)


def test_a_game_is_planned_at_its_own_rate_with_times(capsys):
    rows, out = table(capsys, "propuh", "--preset", "solo-2", "--half-width", "0.1", "-j", "1")
    wins = int(
        (play(Job.of((r := api.question("propuh", preset="solo-2").recipe), r.cells[-1]), 0, 10_000).won & 1).sum()
    )
    half, own, took = rows["a rate known to ±0.1 points"]
    assert (half, own) == (f"{playouts_for(0.001):,}", f"{playouts_for(0.001, wins / 10_000):,}")
    assert took.endswith(" s")
    assert "a rate known to ±2 points" not in rows
    assert "Pilot of 10,000 playouts, solo-2, builder: 'Granny wins'" in out


def test_a_scenario_takes_the_time_of_all_its_cells(capsys):
    path = str(PROJECT / "scenarios" / "propuh" / "smoke.toml")
    known = study(path, 1)
    assert len(known.seconds_each) == len(api.question(path).recipe.cells)
    wish = next(wishes(known.rates))
    assert known.seconds(wish) == pytest.approx(sum(known.seconds_each) * wish.playouts[0])
    _, out = table(capsys, path, "-j", "1")
    assert "As written: 6 cells x 2,000 playouts" in out
    assert "each rate known to ±2.2 points or better" in out
    assert not Path("runs").exists()


def test_the_calibration_is_near_what_a_playout_takes():
    recipe = api.question("propuh").recipe
    found = calibrate(recipe, recipe.cells, 1, seconds=0.2)
    assert all(1e-7 < seconds < 1e-3 for seconds in found)


def test_numbers_are_rounded_up_and_times_are_not_too_exact():
    assert [shown(n) for n in (1.2, 9_603.1, inf)] == ["2", "9,604", "never"]
    assert [time_shown(s) for s in (0.01, 0.2, 200, inf)] == ["under 0.1 s", "0.2 s", "3 min 20 s", ""]


WRONG = [
    (["plan", "propuhh"], "did you mean propuh?"),
    (["plan", "nothing.toml"], "no such file"),
    (["plan", "--half-width", "0"], "--half-width cannot be 0; expected"),
    (["plan", "propuh", "--detect", "60"], "--detect cannot be 60; expected"),
    (["plan", "--margin", "nan"], "--margin cannot be nan; expected"),
    (["plan", "--power", "1"], "--power cannot be 1; expected"),
    (["plan", "--set", "deck=even"], "--set goes with a game's name"),
    (["plan", "propuh", "--set", "deck=evn"], "did you mean even?"),
    (["plan", "propuh", "--set", "deck=public"], "there is nothing to compare"),
    (["plan", "propuh", "--preset", "solo-9"], "did you mean solo-"),
    (
        ["plan", str(PROJECT / "scenarios" / "propuh" / "smoke.toml"), "--set", "deck=even"],
        "--set goes with a game's name",
    ),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args)[-50:] for args, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    assert run(args) == 2
    err = capsys.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert expected in err
