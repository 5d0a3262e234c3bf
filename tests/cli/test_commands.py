"""The command line as a user meets it: what it prints, where, and with which exit code."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simkit.cli import COMMANDS, run
from tests.conftest import PROJECT


def simkit(*args: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own, with pipes for its output."""
    code = "from simkit.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(PROJECT)} | environment,
    )  # fmt: skip


def test_help_names_every_command_and_imports_nothing_heavy() -> None:
    done = simkit("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert f"  {name} " in done.stdout
    code = "import sys, simkit.cli; print(sorted({'numba', 'numpy', 'polars', 'pandas', 'scipy', 'matplotlib', 'joblib'} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_the_bare_command_is_help() -> None:
    assert simkit().stdout == simkit("--help").stdout


def test_help_answers_at_once() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        simkit("--help")
        return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.3


def test_a_run_ends_with_a_table_and_is_silent_on_standard_error() -> None:
    done = simkit("run", "propuh", "--playouts", "2000", "--seed", "4", "--out", "here")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 players, random / random" in done.stdout
    assert "2 players, builder / blocker_propuh" in done.stdout
    assert "95 % interval" in done.stdout
    assert "Wilson" in done.stdout
    assert "simulation noise only" in done.stdout
    again = simkit("run", "propuh", "--playouts", "2000", "--seed", "4", "--out", "here")
    assert again.stdout == done.stdout


def test_a_replay_is_a_story_or_json_lines() -> None:
    args = ("replay", "propuh", "--preset", "solo-3", "--seed", "7", "--playout", "12")
    story = simkit(*args).stdout.splitlines()
    assert story[0] == "Propuh: solo-3; granny = builder"
    assert story[-1].startswith(("Granny wins", "Propuh wins"))
    lines = [json.loads(line) for line in simkit(*args, "--json").stdout.splitlines()]
    assert lines[0]["event"] == "start"
    assert lines[-1]["event"] == "end"
    assert lines[0]["seed"] == 7
    assert lines[0]["playout"] == 12
    assert lines[0]["policies"] == {"granny": "builder"}
    assert lines[0]["options"]["difficulty"] == "3"
    assert {line["event"] for line in lines[1:-1]} == {"decision", "chance"}
    decisions = [line for line in lines if line["event"] == "decision"]
    assert all(0 <= line["choice"] < line["choices"] for line in decisions)
    assert lines[-1]["decisions"] == len(decisions)


def test_a_replay_of_a_run_is_the_row_of_the_run() -> None:
    import polars as pl

    simkit("run", "propuh", "--playouts", "500", "--out", "here")
    row = pl.scan_parquet("here/playouts/cell=0001/*.parquet").filter(pl.col("playout") == 321).collect().to_dicts()[0]
    end = json.loads(simkit("replay", "here", "--cell", "1", "--playout", "321", "--json").stdout.splitlines()[-1])
    assert all(end[name] == value for name, value in row.items() if name in end)


def test_a_playout_that_the_run_did_not_play_is_not_told() -> None:
    simkit("run", "propuh", "--playouts", "500", "--out", "here")
    done = simkit("replay", "here", "--playout", "500")
    assert done.returncode == 2
    assert "--playout cannot be 500; expected 0 to 499" in done.stderr


def test_exports_hold_every_row() -> None:
    import polars as pl

    simkit("run", "propuh", "--playouts", "500", "--out", "here")
    assert simkit("export", "here", "--to", "a.csv").stdout == "1,000 rows: a.csv\n"
    assert simkit("export", "here", "--to", "a.parquet", "--table", "players", "--cell", "1").returncode == 0
    assert pl.read_csv("a.csv").height == 1000
    assert pl.read_parquet("a.parquet")["seat"].to_list() == [0] * 500 + [1] * 500
    assert simkit("export", "here", "--to", "t.csv", "--table", "tallies").returncode == 0
    assert simkit("export", "here", "--to", "c.csv", "--table", "cells").returncode == 0
    assert pl.read_csv("c.csv").height == 2


def test_a_run_folder_opens_at_once_in_every_reader() -> None:
    """pandas, polars, DuckDB and Arrow find rows and cells by the folder alone."""
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow.dataset

    simkit("run", "propuh", "--playouts", "300", "--out", "here")
    for table, rows in (("playouts", 600), ("players", 1200)):
        assert pd.read_parquet(f"here/{table}").groupby("cell", observed=True).size().tolist() == [rows / 2] * 2
        assert pl.read_parquet(f"here/{table}")["cell"].unique().sort().to_list() == [0, 1]
        counted = duckdb.sql(
            f"select cast(cell as integer), count(*) from 'here/{table}/**/*.parquet' group by all order by all"
        ).fetchall()
        assert counted == [(0, rows / 2), (1, rows / 2)]
        assert pyarrow.dataset.dataset(f"here/{table}", partitioning="hive").to_table().num_rows == rows


def test_only_whole_and_sound_runs_are_exported() -> None:
    simkit("run", "propuh", "--playouts", "300", "--out", "here")
    path = Path("here/players/cell=0001/part-00000.parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    done = simkit("export", "here", "--to", "a.csv")
    assert done.returncode == 2
    assert "or with: simkit extend here --playouts 300" in done.stderr
    assert simkit("extend", "here", "--playouts", "300").returncode == 0
    assert simkit("export", "here", "--to", "a.csv").returncode == 0


def test_check_prints_the_cells_and_the_expected_time() -> None:
    done = simkit("check", str(PROJECT / "scenarios" / "propuh" / "difficulty.toml"))
    assert done.returncode == 0
    assert "21 cells x 400,000 playouts" in done.stdout
    assert "of playing on" in done.stdout
    assert not Path("runs").exists()


def test_games_and_show_tell_what_there_is() -> None:
    assert "propuh" in simkit("games").stdout
    shown = simkit("show", "propuh").stdout
    for word in ("failed_counter", "solo-3", "blocker_propuh", "tokens_removed", "rulebook", "public", "assumed"):
        assert word in shown
    assert (
        "Of the numbers in the box, 12 of 60 values are assumed (20 %); 27 of 60 values are from public sources"
        in shown
    )
    assert "## A. The printed rules" in simkit("show", "propuh", "--rules").stdout


def test_a_box_can_be_exported_edited_and_played() -> None:
    text = simkit("box", "export", "propuh").stdout
    Path("mine.toml").write_text(text.replace("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", "stove = { 4 = 6 }"))
    assert simkit("box", "check", "propuh", "mine.toml").stdout == (
        "1 players: can be dealt\n2 players: can be dealt\n"
        "printed: 1 to 2 players (public)\nprinted: no number of minutes\n"
        "provenance: 12 of 57 values are assumed (21 %); 24 of 57 values are from public sources (42 %); "
        "21 of 57 values are printed in the rulebook (37 %)\n"
    )
    done = simkit("run", "propuh", "--box", "mine.toml", "--playouts", "500", "--out", "here", "--report")
    assert done.returncode == 0
    told = Path("here/report/report.md").read_text()
    assert "Played with a box file of the user's own" in told
    assert "Of the numbers in the box, 12 of 57 values are assumed (21 %)" in told
    assert json.loads(Path("here/manifest.json").read_text())["recipe"]["box_provenance"]["public"] == 24


def test_a_box_can_be_edited_as_sheets() -> None:
    done = simkit("box", "export", "propuh", "--csv", "mine/box")
    assert done.stdout.split() == ["mine/box/box.toml", "mine/box/random_difficulty-cards.csv"]
    sheet = Path("mine/box/random_difficulty-cards.csv")
    assert sheet.read_text() == "stove,table,bed\n0,1,0\n0,2,0\n1,0,0\n0,0,1\n0,0,2\n"
    own = simkit("run", "propuh", "--playouts", "10", "--out", "own").stdout
    assert simkit("run", "propuh", "--box", "mine/box/box.toml", "--playouts", "10", "--out", "own").stdout == own
    again = simkit("box", "export", "propuh", "--csv", "mine/box")
    assert again.returncode == 2
    assert again.stderr == (
        "simkit: mine/box: box.toml and random_difficulty-cards.csv are there already; choose another folder\n"
    )
    sheet.write_text(sheet.read_text().replace("0,0,2", "0,0,20"))
    wrong = simkit("box", "check", "propuh", "mine/box/box.toml")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("simkit: mine/box/random_difficulty-cards.csv row 6, bed cannot be 20: ")


def test_a_box_for_nobody_is_an_error() -> None:
    text = simkit("box", "export", "granny_wars").stdout
    start = text.index("cards = [", text.index("[vp.flat]"))
    end = text.index("]", start) + 1
    Path("mine.toml").write_text(f"{text[:start]}cards = [{{ value = 1, copies = 9 }}]{text[end:]}")
    done = simkit("box", "check", "granny_wars", "mine.toml")
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    cannot = "23 cards cannot be dealt to 3: 3 x 10 in hand = 30 are needed"
    assert f"3 players: vp.flat and gold: {cannot}" in lines
    assert "3 players with vp_distribution = triangular: can be dealt" in lines
    assert f"3 players with gold_set = none: vp.flat: {cannot.replace('23', '9')}" in lines
    assert f"3 players with gold_set = valueless: vp.flat and gold: {cannot}" not in lines
    assert done.stderr == "simkit: mine.toml: can be dealt for no player count\n"


WRONG = [
    (["frobnicate"], "No such command"),
    (["run"], "Missing argument"),
    (["run", "propuhh"], "did you mean propuh?"),
    (["run", "nothing.toml"], "no such file"),
    (["run", "propuh", "--playouts", "0"], "playouts cannot be 0; expected 1 to"),
    (["run", "propuh", "--playouts", "x"], "'--playouts'"),
    (["run", "propuh", "--seed", "-1"], "seed cannot be -1"),
    (["run", "propuh", "--players", "4"], "players cannot be 4; Propuh is for 1 or 2"),
    (["run", "propuh", "--preset", "solo-9"], "did you mean solo-"),
    (["run", "propuh", "--set", "deck"], "expected NAME=VALUE"),
    (["run", "propuh", "--set", "deck=evn"], "did you mean even?"),
    (["run", "propuh", "--set", "dek=even"], "did you mean deck?"),
    (["run", "propuh", "--set", "deck=even", "--set", "deck=public"], "given twice"),
    (["run", "propuh", "--policy", "granny=bilder"], "did you mean builder?"),
    (["run", "propuh", "--policy", "grany=builder"], "did you mean granny?"),
    (["run", "propuh", "--policy", "2=builder"], "expected granny, propuh, 0 or 1"),
    (["run", "propuh", "--backend", "thread"], "did you mean threads?"),
    (["run", "propuh", "--box", "none.toml"], "none.toml: no such file"),
    (["run", "propuh", "--out", "/proc/nothing/here"], "cannot be written"),
    (["show", "purimm"], "is not known"),
    (["box", "export", "propuh", "--csv", "/proc/nothing/here"], "cannot be written"),
    (["box", "check", "propuh", "none.toml"], "none.toml: no such file"),
    (["replay", "nowhere/run"], "expected a run folder or a game's name"),
    (["replay", "propuh", "--cell", "1"], "--cell goes with a run folder"),
    (["export", ".", "--to", "x.csv"], "is not a run folder"),
    (["verify", "."], "is not a run folder"),
    (["report", "."], "is not a run folder"),
    (["extend", ".", "-n", "5"], "is not a run folder"),
]


@pytest.mark.parametrize(("args", "expected"), WRONG, ids=[" ".join(args) or "nothing" for args, _ in WRONG])
def test_a_mistake_is_one_line_on_standard_error_and_exit_code_2(
    args: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert len(err.strip().splitlines()) == 1
    assert err.startswith("simkit: ")
    assert expected in err
    assert "Traceback" not in out + err


def test_our_own_bugs_are_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("simkit.api.question", broken)
    assert run(["run", "propuh"]) == 1
    assert (
        capsys.readouterr().err
        == "simkit: internal error, please report it (SIMKIT_TRACEBACK=1 shows where): ZeroDivisionError: oh\n"
    )
