"""Same seed, same result: on any number of workers, work-unit size, backend, after a break, compiled or not."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit import api
from simkit.errors import Interrupted
from simkit.spec import GameSpec
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.digest import digest

PLAYOUTS = 700


def bytes_of(folder: Path) -> dict[str, str]:
    """Checksums of all files that must not depend on how a run was carried out."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in (".parquet", ".csv"))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def question(spec: GameSpec, playouts: int = PLAYOUTS) -> api.Question:
    """A scenario of two groups, one of them compared on the same deals."""
    path = Path("question.toml")
    players = max(spec.players)
    line_ups = ", ".join(
        "{" + ", ".join(f'{seat} = "{name}"' for seat, name in enumerate(line_up)) + "}"
        for line_up in spec.line_ups[players]
    )
    path.write_text(
        f'game = "{spec.name}"\nplayouts = {playouts}\nseed = 3\n[[grid]]\nplayers = {players}\npolicies = [{line_ups}]\n'
        f"[[grid]]\nplayers = {min(spec.players)}\nindependent = true\n"
    )
    return api.question(str(path))


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.engine.plan.PART", 256)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("unit", [7, 100, 256, 100_000])
@pytest.mark.parametrize("jobs", [1, 3])
def test_workers_and_work_units_leave_no_trace(spec: GameSpec, jobs: int, unit: int, tmp_path: Path) -> None:
    asked = question(spec)
    whole = api.run(asked, out=tmp_path / "whole", jobs=1)
    split = api.run(asked, out=tmp_path / "split", jobs=jobs, unit_playouts=unit)
    assert bytes_of(whole.folder) == bytes_of(split.folder)
    assert whole.manifest["parts"] == split.manifest["parts"]


@pytest.mark.usefixtures("small_parts")
def test_processes_leave_no_trace(spec: GameSpec, tmp_path: Path) -> None:
    asked = question(spec)
    threads = api.run(asked, out=tmp_path / "threads", jobs=2)
    processes = api.run(asked, out=tmp_path / "processes", jobs=2, backend="loky", unit_playouts=150)
    assert bytes_of(threads.folder) == bytes_of(processes.folder)


class StopsAfter:
    """A progress bar that is interrupted after some work units, as by Ctrl-C."""

    def __init__(self, units: int) -> None:
        self.units = units

    def compiling(self, game: str) -> None: ...
    def begin(self, total: int, done: int, what: str = "playing") -> None: ...
    def end(self) -> None: ...

    def advance(self, playouts: int) -> None:
        self.units -= 1
        if self.units < 0:
            raise KeyboardInterrupt


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("units", [0, 3, 8, 11])
def test_a_broken_off_run_is_resumed_to_the_same_bytes(spec: GameSpec, units: int, tmp_path: Path) -> None:
    asked = question(spec)
    whole = api.run(asked, out=tmp_path / "whole", jobs=1)
    with pytest.raises(Interrupted):
        api.run(asked, out=tmp_path / "broken", jobs=2, unit_playouts=100, progress=StopsAfter(units))
    assert not Run.read(tmp_path / "broken").is_complete
    resumed = api.run(asked, out=tmp_path / "broken", jobs=2, resume=True)
    assert bytes_of(whole.folder) == bytes_of(resumed.folder)
    assert resumed.manifest["parts"] == whole.manifest["parts"]
    assert not list(resumed.folder.rglob("*.tmp"))


@pytest.mark.usefixtures("small_parts")
def test_an_extended_run_is_one_long_run(spec: GameSpec, tmp_path: Path) -> None:
    long = api.run(question(spec), out=tmp_path / "long", jobs=1)
    api.run(question(spec, 300), out=tmp_path / "short", jobs=1)
    extended = api.extend(tmp_path / "short", PLAYOUTS, jobs=2)
    assert bytes_of(long.folder) == bytes_of(extended.folder)
    assert long.manifest["parts"] == extended.manifest["parts"]


@pytest.mark.usefixtures("small_parts")
def test_tallies_are_the_same_without_rows(spec: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.engine.execute.SAMPLE_ROWS", 100)
    rows = api.run(question(spec), out=tmp_path / "rows", jobs=2)
    tallies = api.run(question(spec), out=tmp_path / "tallies", jobs=2, tally_only=True)
    assert rows.tallies().equals(tallies.tallies())
    sample = tallies.scan("playouts", 0).collect()
    assert sample.height == 100
    assert sample.equals(rows.scan("playouts", 0).collect().head(100))


@pytest.mark.parametrize(
    "how",
    [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}],
    ids=["compiler off", "bounds checks in a fresh cache"],
)
def test_rows_are_the_same(spec: GameSpec, how: dict[str, str], tmp_path: Path) -> None:
    environment = os.environ | how | {"SIMKIT_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.digest", spec.name, "20", "2"],
        capture_output=True, text=True, env=environment, cwd=PROJECT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest(spec.name, 20, 2)
