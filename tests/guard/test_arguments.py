"""Command lines: whatever is typed, it is done, or refused in one plain line with exit code 2."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit import games
from simkit.errors import UserError
from simkit.scenario.grid import Recipe
from tests.conftest import PROJECT
from tests.guard.arguments import answered, set_up, spoilt_line


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder far below the one that is looked at afterwards, with all that command lines need."""
    here = tmp_path / "a" / "b" / "c" / "d"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    set_up()
    return here


def is_plain(code: int, said: str) -> bool:
    """Whether an answer is a result without complaint, a condition that failed, or one plain line of complaint."""
    if code in (0, 3):
        return "Traceback" not in said
    return (
        code == 2
        and said.startswith("simkit: ")
        and said.endswith("\n")
        and said[:-1].isprintable()
        and len(said) < 1600
    )


def tried(examples: int) -> Counter[int]:
    codes: Counter[int] = Counter()

    @settings(max_examples=examples)
    @given(st.randoms(use_true_random=False))
    def try_one(random: Random) -> None:
        words = spoilt_line(random)
        code, _, said = answered(words)
        assert is_plain(code, said), (code, said)
        codes[code] += 1

    try_one()
    return codes


@pytest.mark.usefixtures("deep")
def test_a_spoilt_command_line_is_done_or_refused_in_one_line() -> None:
    codes = tried(200)
    assert codes[2] > 100


@pytest.mark.soak
@pytest.mark.usefixtures("deep")
def test_two_thousand_spoilt_command_lines() -> None:
    codes = tried(2000)
    assert codes[2] > 1000


BAD: list[tuple[list[str], str]] = [
    (["run", "propuh", "--set", "deck=\x1b[31mred"], "word 4 of the command, 'deck= [31mred', holds the character U+001B"),
    (["run", "propuh", "--set", "deck=\u202egnp"], "U+202E"),
    (["run", "propuh", "--out", "a\nb"], "U+000A"),
    (["run", "propuh", "--out", "a\0b"], "U+0000"),
    (["run", "prop\udcffuh"], "U+DCFF"),
    (["run", "propuh", "--out", "x" * 300], "file name too long"),
    (["run", "propuh", "--out", "s.toml"], "cannot be written: file exists"),
    (["run", "propuh", "--out", "folder/../s.toml/x"], "cannot be written: not a directory"),
    (["run", "propuh", "--out", "loop"], "cannot be written: "),
    (["run", "propuh", "--out", "/dev/null"], "cannot be written: file exists"),
    (["run", "propuh", "--playouts", "9" * 5000], "'--playouts'"),
    (["run", "propuh", "--playouts", "9" * 4000], " ... "),
    (["run", "propuh", "--playouts", "9999999999999"], "files, at most 1,000,000 are supported"),
    (["run", "propuh", "--playouts", "nan"], "'--playouts'"),
    (["run", "propuh", "--seed", str(2**63)], "seed cannot be 9223372036854775808; expected 0 to"),
    (["run", "propuh", "--jobs", "1000000"], "'--jobs'"),
    (["run", "propuh", "--players", str(2**64)], "players cannot be"),
    (["run", "propuh", "--policy", "9" * 5000 + "=builder"], "...' is not known"),
    (["run", "propuh", "--policy", "²=builder"], "seat '²' is not known"),
    (["run", "propuh", "--set", "x" * 100_000 + "=1"], "option 'xxxx"),
    (["run", "x" * 100_000], "game 'xxxx"),
    (["run", "../../etc/passwd"], "no such file"),
    (["run", "propuh", "--box", "pipe"], "is a device or a pipe"),
    (["run", "/dev/zero"], "is a device or a pipe"),
    (["run", "folder/"], "is a folder"),
    (["run", "propuh", "--box", "/proc/self/mem"], "cannot be read: "),
    (["run", "propuh", "--out", "folder/.."], "is neither empty nor a run folder, it holds "),
    (["export", "run", "--to", "run/cells.csv"], "--to run/cells.csv: is inside the run"),
    (["export", "run", "--to", "folder/../run/playouts/cell=0000/part-00000.parquet"], "is inside the run"),
    (["export", "run", "--to", "nowhere/x.csv"], "cannot be written"),
    (["export", "run", "--to", "x.csv", "--cell", str(10**30)], "the run has the cells 0 to 1"),
    (["replay", "run", "--playout", str(10**30)], "--playout cannot be"),
    (["verify", "run", "--sample", str(10**18)], "'--sample'"),
    (["extend", "run", "-n", str(10**13)], "files, at most 1,000,000 are supported"),
    (["extend", "mistyped", "-n", "5"], "mistyped: is not a run folder"),
    (["bench", "propuh", "--seconds", "inf"], "'--seconds'"),
    (["bench", "propuh", "--seconds", "nan"], "'--seconds'"),
    (["report", "run", "--fail-if", "seat_gap > nan"], "expected NAME > NUMBER"),
    (["report", "pipe"], "cannot be read: not a directory"),
    (["report", "run", "--out", "s.toml"], "cannot be written"),
    (["compare", "run", "run", "--margin", "nan"], "--margin cannot be nan"),
    (["\x1b]0;x\x07"], "U+001B"),
    ([""], ""),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), BAD, ids=[f"{words[0][:8]!a}-{i}" for i, (words, _) in enumerate(BAD)])
def test_a_bad_word_is_refused(deep: Path, words: list[str], expected: str) -> None:
    before = set(deep.rglob("*"))
    code, out, said = answered(words)
    assert code == 2
    assert is_plain(code, said)
    assert expected in said
    assert out == ""
    assert set(deep.rglob("*")) == before


def test_nothing_is_written_beside_the_chosen_folder(deep: Path, tmp_path: Path) -> None:
    before = set(tmp_path.rglob("*"))
    for words in ("run propuh -n 20 --out new --report", "compare propuh --set deck=even -n 20 --out new/pictures"):
        assert answered(words.split())[0] == 0
    written = set(tmp_path.rglob("*")) - before
    assert written
    assert all(path.is_relative_to(deep / "new") for path in written)


@given(
    st.text(max_size=300)
    | st.sampled_from(["..", ".", "../../x", "/etc", "a/b", "a\\b", "~", ".ssh", "con", "é" * 200])
)
def test_a_run_goes_into_one_folder_below_runs_whatever_it_is_called(name: str) -> None:
    recipe = Recipe("propuh", 1, 1, 1, False, {}, (), (), name)
    folder = Path(recipe.folder)
    assert folder.parent == Path("runs")
    assert folder.name not in (".", "..")
    assert not set('/\\\0:*?"<>|') & set(folder.name)
    assert len(folder.name.encode()) <= 255


@pytest.mark.parametrize("word", [b"prop\xffuh", b"\x1b[2J", "\u202e".encode()])
def test_a_word_that_is_no_text_is_refused_without_a_trace(word: bytes) -> None:
    """In a process of its own, as a shell would start it."""
    code = "from simkit.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", word],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"simkit: word 2 of the command, ")
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.strip().decode("ascii").isprintable()


def test_a_terminal_that_cannot_show_a_letter_is_no_reason_to_fail() -> None:
    text = games.get("propuh").text("box.toml").replace('title = "', 'title = "Průvan ')
    Path("box.toml").write_text(text, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", "from simkit.cli import main; main()", "show", "propuh", "--box", "box.toml"], capture_output=True, check=False, env=environment
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Pr\\u016fvan" in done.stdout


def test_every_refusal_is_one_line_of_bounded_length() -> None:
    """Wherever it is raised: the kind of error sees to it."""
    line = str(UserError("a\x1b[31m\nb\u202e" + "x" * 10**6 + "the end"))
    assert line.startswith("a [31m b xxx")
    assert line.endswith("the end")
    assert len(line) <= 1500
    assert line.isprintable()
