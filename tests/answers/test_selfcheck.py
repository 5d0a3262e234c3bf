"""The self-check passes, and every check fails when its fault is planted. Seeds are fixed in the checks themselves."""

from dataclasses import replace

import numpy as np
import pytest

from simkit import games
from simkit.answers import selfcheck
from simkit.cli import run
from simkit.stats.intervals import rate_difference, rate_interval, wilson
from simkit.stats.paired import paired_difference

SMALL = {"runs": 60, "playouts": 400, "jobs": 1}


def results(**more):
    spec = more.pop("spec", games.get("propuh"))
    return {check.what: check for check in selfcheck.checks(spec, **SMALL | more)}


def failures(**more):
    return [what for what, check in results(**more).items() if check.is_ok is False]


def test_everything_is_as_it_should_be(spec):
    costly = any(policy.costly for policy in spec.policies)  # then fewer playouts in each run
    assert failures(spec=spec, playouts=100 if costly else 400) == []
    assert [check.what for check in selfcheck.coverage_table() if not check.is_ok] == []


def test_the_command_prints_a_line_for_each_check(capsys):
    assert run(["selfcheck", "propuh", "--runs", "40", "--playouts", "300", "-j", "1"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[0] == "Ranges, by exact sums"
    assert sum(line.startswith("  ok       ") for line in lines) == 14
    assert sum(line.startswith("  skipped  ") for line in lines) == 1
    assert (
        "  skipped  the seat test leaves equal seats alone: the roles of Propuh differ, so its seats are not meant to be equal"
        in lines
    )
    assert all("(allowed: " in line for line in lines if line.startswith("  ok"))
    assert lines[-1] == "all is as it should be"


def test_the_checks_say_the_same_every_time_on_any_number_of_workers():
    assert [c.line for c in results(runs=20).values()] == [c.line for c in results(runs=20, jobs=3).values()]


def test_a_seed_used_twice_is_noticed(monkeypatch, capsys):
    honest = selfcheck.seed_of
    monkeypatch.setattr(selfcheck, "seed_of", lambda run, side: honest(run, 0))
    found = failures()
    assert "other seeds give other rows" in found
    assert "p-values of a cell against itself are spread evenly" in found
    assert run(["selfcheck", "propuh", "--runs", "40", "--playouts", "300", "-j", "1"]) == 3
    assert "checks FAILED" in capsys.readouterr().out


def test_ranges_that_are_too_narrow_are_noticed(monkeypatch):
    monkeypatch.setattr(selfcheck, "rate_interval", lambda k, n, level: rate_interval(k, n, 0.8))
    assert failures() == ["95 % ranges of a rate hold the pooled rate"]
    monkeypatch.setattr(selfcheck, "wilson", lambda k, n: wilson(k, n, 0.9))
    told = [check.what for check in selfcheck.coverage_table() if check.is_ok is False]
    assert told == [
        "the ranges that simkit prints of 100 playouts cover 95 %",
        "the ranges that simkit prints of 1,000 playouts cover 95 %",
        "Wilson's of 100 playouts cover 95 %",
        "Wilson's of 1,000 playouts cover 95 %",
    ]


def test_ranges_of_differences_that_are_too_narrow_are_noticed(monkeypatch):
    monkeypatch.setattr(selfcheck, "rate_difference", lambda *counts: rate_difference(*counts[:4], 0.75))
    assert failures() == ["95 % ranges of a difference of nothing hold 0"]


def test_pairing_that_is_forgotten_is_noticed(monkeypatch):
    """The planted change is then looked for as if both cells had deals of their own."""

    def forgetful(neither, only_a, only_b, both, level):
        honest = paired_difference(neither, only_a, only_b, both, level)
        difference, low, high = rate_difference(only_b + both, honest.deals, only_a + both, honest.deals)
        return replace(honest, difference=difference, low=low, high=high)

    monkeypatch.setattr(selfcheck, "paired_difference", forgetful)
    assert failures() == ["a planted change of 1 point is found as often as planned"]


def test_rows_that_depend_on_where_a_piece_begins_are_noticed(monkeypatch):
    honest = selfcheck.play

    def late(job, first, *rest):
        return honest(job, first + (first > 0), *rest)

    monkeypatch.setattr(selfcheck, "play", late)
    assert failures() == ["one seed gives the same rows"]


def test_seats_are_left_alone_only_if_their_places_were_dealt_out_anew(monkeypatch):
    seats = replace(games.get("propuh"), roles=())
    generator = np.random.default_rng(7)
    won = [(1 << generator.integers(0, 4, 500)).astype(np.uint16) for _ in range(100)]
    assert selfcheck.seats_alike(seats, won, 4).is_ok
    # the same playouts, but the places are left as they are and one seat wins nearly always
    unfair = [np.where(generator.random(500) < 0.4, 1, one) for one in won]
    assert selfcheck.seats_alike(seats, unfair, 4).is_ok
    monkeypatch.setattr(selfcheck.np.random, "default_rng", lambda _: Unshuffled())
    assert selfcheck.seats_alike(seats, unfair, 4).is_ok is False


class Unshuffled:
    def permuted(self, rows, axis):
        return rows


def test_what_cannot_be_checked_is_skipped_with_a_reason():
    seats = replace(games.get("propuh"), roles=())
    together = [np.full(50, 15, np.uint16)]
    assert selfcheck.seats_alike(seats, together, 4).line.endswith("all seats win or lose together")
    assert selfcheck.seats_alike(seats, together, 1).is_ok is None
    rare = [selfcheck.Playing(np.zeros(100, np.uint16), str(i)) for i in range(20)]
    (check,) = selfcheck.against_itself(rare, rare)
    assert check.is_ok is None
    assert "too few" in check.line


WRONG = [
    (["selfcheck", "propuhh"], "did you mean propuh?"),
    (["selfcheck", "--runs", "1"], "--runs"),
    (["selfcheck", "--playouts", "0"], "--playouts"),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    assert run(args) == 2
    err = capsys.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert expected in err


@pytest.mark.soak
def test_every_check_holds_over_two_thousand_runs(spec):
    """The same checks with ten times as many runs: a small fault that 200 runs would miss."""
    for check in selfcheck.checks(spec, runs=2000, playouts=500, jobs=1):
        assert check.is_ok is not False, check.line
