"""Runs that are killed in a process of their own, at any moment: continued, they end as if nothing had happened."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from simkit import api
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.test_same_rows import bytes_of

PART = 4096
PLAYOUTS, BEFORE = 150_000, 50_000  # of a run, and of one that is extended to it
FILES = 3 * 2 * -(-PLAYOUTS // PART)  # three tables of two cells


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.engine.plan.PART", PART)


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """What every killed run must become."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simkit.engine.plan.PART", PART)
        return api.run(asked(), out=tmp_path_factory.mktemp("long") / "run")


def asked(playouts: int = PLAYOUTS) -> api.Question:
    return api.question("propuh", playouts=playouts, seed=6)


def started(words: list[str], before: str = "") -> "subprocess.Popen[str]":
    """simkit in a process group of its own, with small parts."""
    code = (
        f"import simkit.engine.plan as plan; plan.PART = {PART}\n{before}\n"
        f"import sys\nsys.argv[1:] = {words!r}\nfrom simkit.cli import main\nmain()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(PROJECT)}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def files_in(out: Path) -> int:
    """How many files of parts there are."""
    return len(list(out.glob("*/cell=*/part-*.parquet")))


def stopped(words: list[str], out: Path, how: int, files: int, before: str = "", times: int = 1) -> tuple[int, str]:
    """Start, wait until so many files of parts are new, stop; the exit code and what was said.

    times : how often the signal is sent, with a second between
    """
    had, process = files_in(out), started(words, before)
    start = time.monotonic()
    while process.poll() is None and files_in(out) < had + files:
        time.sleep(0.002)
        assert time.monotonic() - start < 120
    for number in range(times):
        time.sleep(number)
        if process.poll() is None:
            os.killpg(process.pid, how)
    _, said = process.communicate(timeout=120)
    return process.returncode, said


def assert_as_one_long_run(out: Path, long_run: Run) -> None:
    assert bytes_of(out) == bytes_of(long_run.folder)
    run = Run.read(out)
    assert run.is_complete
    assert run.manifest["parts"] == long_run.manifest["parts"]
    assert len(run.committed()) == len(run.manifest["parts"])
    assert run.tallies().equals(long_run.tallies())
    assert not list(out.rglob(".*.tmp"))
    assert not run.unlisted()


def survived(out: Path, kills: int, random: Random, long_run: Run) -> int:
    """Kill a run again and again as it is continued, then let it end; how often it was really broken off."""
    words = ["run", "propuh", "--playouts", str(PLAYOUTS), "--seed", "6", "--out", str(out), "--resume"]
    codes = [stopped(words, out, signal.SIGKILL, random.randrange(FILES // kills))[0] for _ in range(kills)]
    api.run(asked(), out=out, resume=True)
    assert_as_one_long_run(out, long_run)
    return codes.count(-signal.SIGKILL)


def survived_extending(out: Path, kills: int, random: Random, long_run: Run) -> int:
    api.run(asked(BEFORE), out=out)
    words = ["extend", str(out), "--playouts", str(PLAYOUTS)]
    codes = [stopped(words, out, signal.SIGKILL, random.randrange(FILES // 2 // kills))[0] for _ in range(kills)]
    api.extend(out, PLAYOUTS)
    assert_as_one_long_run(out, long_run)
    return codes.count(-signal.SIGKILL)


def test_a_killed_run_is_continued_to_the_same_bytes(long_run: Run) -> None:
    assert survived(Path("run"), 3, Random(1), long_run) == 3
    assert survived_extending(Path("extended"), 2, Random(2), long_run) == 2


@pytest.mark.soak
def test_a_hundred_kills_lose_nothing(long_run: Run) -> None:
    random, broken = Random(3), 0
    for number in range(35):
        broken += survived(Path(f"run-{number}"), 2, random, long_run)
        broken += survived_extending(Path(f"extended-{number}"), 1, random, long_run)
    assert broken > 95


@pytest.mark.parametrize(
    ("how", "backend"), [(signal.SIGTERM, "threads"), (signal.SIGINT, "threads"), (signal.SIGINT, "loky")]
)
def test_ctrl_c_and_sigterm_end_cleanly_and_say_how_to_go_on(how: int, backend: str) -> None:
    """The signal goes to the whole group, as a terminal sends it."""
    out = Path("run")
    words = [
        "run",
        "propuh",
        "--playouts",
        "30000000",
        "--tally-only",
        "--seed",
        "6",
        "--out",
        "run",
        "--backend",
        backend,
    ]
    code, said = stopped(words, out, how, 6)
    assert code == 130
    assert said == "simkit: stopped; what is played is kept in run, continue with --resume\n"
    run = Run.read(out)
    assert not run.is_complete
    assert not run.damaged()
    assert not list(out.rglob(".*.tmp"))


def test_ctrl_c_while_extending_names_the_command_that_goes_on() -> None:
    api.run(asked(BEFORE), out=Path("run"))
    code, said = stopped(["extend", "run", "--playouts", "30000000"], Path("run"), signal.SIGINT, 6)
    assert code == 130
    assert (
        said == "simkit: stopped; what is played is kept in run, continue with simkit extend run --playouts 30000000\n"
    )


def test_a_second_ctrl_c_ends_at_once() -> None:
    """The first is answered slowly here, as by a disk that hangs; nobody has to wait for it."""
    slow = (
        "import time, simkit.store as store\nreal = store.Run.save\n"
        "def save(run, force=False):\n"
        "    real(run, force)\n"
        "    if force and run.manifest['parts'] and run.manifest['status'] == 'running':\n"
        "        time.sleep(600)\n"
        "store.Run.save = save"
    )
    words = ["run", "propuh", "--playouts", "30000000", "--tally-only", "--seed", "6", "--out", "run"]
    start = time.monotonic()
    code, said = stopped(words, Path("run"), signal.SIGINT, 6, slow, times=2)
    assert time.monotonic() - start < 120
    assert code == 130
    assert said == "simkit: stopped at once; what is played is kept, continue with --resume\n"
    run = Run.read(Path("run"))
    assert not run.is_complete
    assert not run.damaged()
