"""`simkit claims` as a designer's repository uses it: text, JSON, exit codes, and what changed since the last time."""

import json
from pathlib import Path

import pytest

from simkit.cli import run

BALANCE = """game = "propuh"
title = "Is it still balanced?"
seed = 4
playouts = 20_000
[[claim]]
name = "granny_has_a_chance"
metric = "first_seat_wins"
policies = { granny = "builder", propuh = "blocker_propuh" }
at_least = 25
[[claim]]
name = "nobody_is_hopeless"
metric = "seat_gap"
policies = { granny = "builder", propuh = "blocker_propuh" }
at_most = 50
"""
GOLDEN = """
Is it still balanced?
  claim                 verdict   figure            wanted              found                        playouts   in
 ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  granny_has_a_chance   holds     first_seat_wins   at least 25 %       32.9 % (27.6 to 38.5)           1,024   2 players, builder / blocker_propuh
  nobody_is_hopeless    holds     seat_gap          at most 50 points   34.2 points (22.3 to 46.0)      1,024   2 players, builder / blocker_propuh
2 claims: 2 hold.
All verdicts are right together at 95 %, each claim at 97.5 %; ranges hold however often one looks.
They cover simulation noise only, and say nothing about whether the policies play like people.
"""


def claims(capsys, *args: str, text: str = BALANCE) -> tuple[int, list[str]]:
    Path("balance.toml").write_text(text)
    code = run(["claims", "balance.toml", "-j", "1", *args])
    out, err = capsys.readouterr()
    assert err == ""
    return code, [line.rstrip() for line in out.splitlines() if line.strip()]


def test_all_hold_as_it_was(capsys):
    code, lines = claims(capsys)
    assert code == 0
    assert lines == GOLDEN.strip("\n").splitlines()


def test_a_claim_that_fails_is_exit_code_3_and_told_against_the_last_time(capsys):
    assert claims(capsys, "--out", "last.json")[0] == 0
    assert claims(capsys, "--out", "last.json")[1][-1] == "Nothing changed since the last time."
    code, lines = claims(capsys, "--out", "last.json", text=BALANCE.replace("at_most = 50", "at_most = 10"))
    assert code == 3
    assert "2 claims: 1 holds, 1 fails." in lines
    assert lines[-2] == "Since the last time:"
    assert lines[-1].startswith(
        "nobody_is_hopeless: the claim was 'seat_gap at most 50 points', is 'seat_gap at most 10 points'; held at 34.2 points ("
    )
    code, lines = claims(capsys, "--out", "last.json", text=BALANCE.replace("at_most = 50", "at_most = 10").replace("blocker_propuh", "random"))  # fmt: skip
    assert code == 3
    assert lines[-1].startswith("nobody_is_hopeless: still fails, but moved from 34.2 points (")
    assert lines[-2].startswith("granny_has_a_chance: still holds, but moved from ")


def test_an_undecided_claim_is_exit_code_4_and_says_what_was_not_enough(capsys):
    code, lines = claims(capsys, text=BALANCE.replace("at_least = 25", "at_least = 33.4"))
    assert code == 4
    assert "2 claims: 1 holds, 1 is undecided." in lines
    assert "Undecided means that 20,000 playouts, the most a cell may take here, were not enough to tell." in lines
    both = BALANCE.replace("at_least = 25", "at_least = 33.4").replace("at_most = 50", "at_most = 10")
    assert claims(capsys, text=both)[0] == 3


def test_json_has_every_number_and_what_changed(capsys):
    code, lines = claims(capsys, "--json", "--out", "last.json")
    told = json.loads("".join(lines))
    assert code == 0
    assert "changes" not in told
    assert told == json.loads(Path("last.json").read_text())
    assert (told["verdict"], told["seed"]) == ("holds", "4")
    assert told["claims"][0] | {"value": 0, "low": 0, "high": 0} == {
        "name": "granny_has_a_chance", "metric": "first_seat_wins", "wanted": "at least 25 %", "verdict": "holds", "value": 0,
        "low": 0, "high": 0, "unit": "per cent", "cell": "2 players, builder / blocker_propuh", "playouts": 1024,
    }  # fmt: skip
    again = json.loads("".join(claims(capsys, "--json", "--out", "last.json")[1]))
    assert again == told | {"changes": []}


WRONG = [
    (["none.toml"], "none.toml: no such file"),
    (["balance.toml", "--out", "other.json"], "--out other.json: holds something else than results of simkit claims"),
    (["balance.toml", "--out", "."], "--out .: cannot be read: is a directory"),
    (["s.toml"], "s.toml: is a scenario; simkit run plays it"),
    (
        ["wrong.toml"],
        "wrong.toml: claim entry 1, metric cannot be 'seat_gip' (did you mean seat_gap?); expected win_rate",
    ),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_code_2(args, expected, capsys):
    Path("balance.toml").write_text(BALANCE)
    Path("wrong.toml").write_text(BALANCE.replace("first_seat_wins", "seat_gip"))
    Path("s.toml").write_text('game = "propuh"\n[grid]\nplayers = 2\n')
    Path("other.json").write_text("{}")
    assert run(["claims", *args]) == 2
    err = capsys.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert err.startswith(f"simkit: {expected}")


def test_results_that_cannot_be_kept_are_told(capsys):
    Path("balance.toml").write_text(BALANCE)
    assert run(["claims", "balance.toml", "-j", "1", "--out", "nowhere/last.json"]) == 2
    assert capsys.readouterr().err == "simkit: --out nowhere/last.json: cannot be written: no such file or directory\n"


def test_a_claims_file_is_no_scenario(capsys):
    Path("balance.toml").write_text(BALANCE)
    assert run(["run", "balance.toml"]) == 2
    assert capsys.readouterr().err == "simkit: balance.toml: is a claims file; simkit claims decides it\n"
