"""`simkit compare --sprt`: what it decides, when, and how often it errs."""

from pathlib import Path

import numpy as np
import pytest

from simkit.answers.compare import question
from simkit.answers.sprt import Decision, Trial, decide, sentence
from simkit.cli import run
from simkit.engine.plan import look_deals
from simkit.engine.worker import Job, play
from simkit.stats.sprt import bounds


def simkit(capsys, *args: str) -> list[str]:
    assert run(list(args)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_it_is_decided_at_the_look_where_the_outcomes_decide_it():
    """Found again from the outcomes of the same playouts, one look after the other."""
    asked = question("propuh", {"failed_counter": "discarded"}, playouts=50_000, seed=1)
    found = decide(asked, jobs=1)
    for one, group in zip(found, asked.recipe.groups, strict=True):
        a, b = (play(Job.of(asked.recipe, asked.recipe.cells[cell]), 0, 50_000).won & 1 for cell in group.cells)
        test = Trial(0.02, bounds(0.025, 0.05))
        for deals in look_deals():
            test.outcomes = np.bincount(a[:deals] + 2 * b[:deals], minlength=4)
            test.look()
            if test.decision is not Decision.OPEN:
                break
        assert (one.decision, one.deals) == (test.decision, deals)
        gap = b[:deals].astype(float) - a[:deals]
        assert one.difference.difference == pytest.approx(gap.mean())
        assert one.difference.low < gap.mean() < one.difference.high
    assert {one.decision for one in found} == {Decision.UP, Decision.DOWN}


def test_the_answer_is_the_same_on_any_workers(monkeypatch):
    asked = question("propuh", {"failed_counter": "discarded"}, playouts=20_000, seed=5)
    alone = decide(asked, jobs=1)
    monkeypatch.setattr("simkit.answers.playing.AT_ONCE", 300)
    assert decide(asked, jobs=3) == alone


@pytest.mark.parametrize(
    ("chances", "wrong"),
    [
        ((0.45, 0.05, 0.05, 0.45), (Decision.UP, Decision.DOWN)),
        ((0.45, 0.04, 0.06, 0.45), (Decision.NONE, Decision.DOWN)),
        ((0.55, 0.06, 0.04, 0.35), (Decision.NONE, Decision.UP)),
    ],
)
def test_it_errs_as_seldom_as_it_promises(chances, wrong):
    """300 tests at 5 % each way: more than 27 errors would be 3 errors of that number too many."""
    random = np.random.default_rng(8)
    errors = 0
    for _ in range(300):
        test = Trial(0.02, bounds(0.025, 0.05))
        played = 0
        for deals in look_deals():
            test.outcomes += random.multinomial(deals - played, chances)
            played = deals
            test.look()
            if test.decision is not Decision.OPEN:
                break
        errors += test.decision in wrong
    assert errors <= 27


def test_what_was_decided_is_told_with_its_range_and_a_picture(capsys):
    lines = simkit(capsys, "compare", "propuh", "--set", "win_check=immediate", "--sprt", "--margin", "3", "-j", "1")
    assert lines[1].startswith("Decided after 1,024 deals: win_check = immediate lowers 'Granny wins'. So far -")
    assert lines[1].endswith(". builder / blocker_propuh.")
    assert lines[2].startswith("The test holds 'no change' against 'a change of at least 3 points'.")
    assert "however often one looks" in lines[3]
    assert lines[-1] == "picture: runs/compare-propuh-win_check-immediate.svg"
    assert Path("runs/compare-propuh-win_check-immediate.svg").exists()


def test_a_change_that_does_nothing_is_decided_for_none_and_keeps_a_range(capsys):
    lines = simkit(capsys, "compare", "propuh", "--set", "discards_visible=false", "--sprt", "-j", "1")
    assert lines[0].startswith("Decided after ")
    assert "does not change 'Granny wins' by 2 points. So far " in lines[0]
    asked = question("propuh", {"discards_visible": "false"}, playouts=2_000)
    one = decide(asked, jobs=1)[0]
    assert one.decision is Decision.NONE
    assert one.difference.low < 0 == one.difference.difference < one.difference.high


def test_what_is_not_decided_by_the_most_playouts_says_so():
    asked = question("propuh", {"failed_counter": "discarded"}, playouts=3_000, margin=0.5)
    found = decide(asked, 0.01, 0.01, jobs=1)
    assert {one.decision for one in found} == {Decision.OPEN}
    assert {one.deals for one in found} == {3_000}
    told = sentence(found[0], "Granny wins")
    assert told.startswith(
        "Not decided after 3,000 deals, the most allowed, whether failed_counter = discarded changes"
    )


WRONG = [
    (["--set", "deck=even", "--alpha", "0.1"], "--alpha goes with --sprt"),
    (["--set", "deck=even", "--beta", "0.1"], "--beta goes with --sprt"),
    (["--set", "deck=even", "--sprt", "--alpha", "0"], "--alpha cannot be 0; expected a chance from 0.000001 to 0.25"),
    (["--set", "deck=even", "--sprt", "--beta", "nan"], "--beta cannot be nan"),
    (["--sprt"], "say what to change with --set OPTION=VALUE"),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    assert run(["compare", "propuh", *args]) == 2
    err = capsys.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert expected in err


def test_two_runs_are_not_tested_as_they_are_played(capsys):
    assert run(["compare", ".", ".", "--sprt"]) == 2
    assert "--sprt goes with a game's name" in capsys.readouterr().err
