"""Nothing already written is lost: damage, full disks, other writers, other runs. Always one line."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from simkit import api
from simkit.errors import RunError
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.test_same_rows import bytes_of


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> api.Question:
    monkeypatch.setattr("simkit.engine.plan.PART", 256)
    return api.question("propuh", playouts=700, seed=2)


@pytest.fixture
def whole(asked: api.Question, tmp_path: Path) -> Run:
    return api.run(asked, out=tmp_path / "whole", jobs=1)


def fails(expected: str, call: Callable[[], Any]) -> str:
    with pytest.raises(RunError, match=expected) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_finished_run_is_left_as_it_is(asked: api.Question, whole: Run) -> None:
    before = {path: path.stat().st_mtime_ns for path in whole.folder.rglob("*.*")}
    assert api.run(asked, out=whole.folder).is_complete
    assert {path: path.stat().st_mtime_ns for path in whole.folder.rglob("*.*")} == before


def test_another_question_needs_another_folder(whole: Run) -> None:
    fails(
        "holds another run .* choose another folder with --out",
        lambda: api.run(api.question("propuh", seed=3), out=whole.folder),
    )


def test_more_playouts_are_an_extension(asked: api.Question, whole: Run) -> None:
    more = api.Question(asked.recipe, 900)
    fails("holds 700 playouts per cell, not 900; use simkit extend", lambda: api.run(more, out=whole.folder))
    fails("holds 700 playouts per cell already, more than 600", lambda: api.extend(whole.folder, 600))


@pytest.mark.parametrize("table", ["playouts", "players", "tallies"])
@pytest.mark.parametrize("how", ["truncated", "flipped", "gone"])
def test_a_damaged_part_is_named_and_repaired_by_playing_it_again(
    asked: api.Question, whole: Run, table: str, how: str
) -> None:
    before = bytes_of(whole.folder)
    path = whole.path(table, 1, 1)
    content = bytearray(path.read_bytes())
    if how == "gone":
        path.unlink()
    else:
        if how == "truncated":
            content = content[: len(content) // 2]
        else:
            content[len(content) // 2] ^= 1
        path.write_bytes(content)
    others = {p: p.stat().st_mtime_ns for p in whole.folder.rglob("part-*.parquet") if "part-00001" not in p.name}
    message = fails("part-00001.parquet", lambda: list(api.verify(whole.folder)))
    assert "--resume" in message
    api.run(asked, out=whole.folder, resume=True)
    assert bytes_of(whole.folder) == before
    assert {p: p.stat().st_mtime_ns for p in others} == others
    assert list(api.verify(whole.folder))


def test_verify_finds_rows_that_do_not_belong(whole: Run) -> None:
    """A file that was changed and given a new checksum is found out by playing again."""
    path = whole.path("playouts", 0, 0)
    frame = pl.read_parquet(path).with_columns(rounds=pl.lit(3, pl.Int8))
    run = Run.reopen(whole.folder)
    run.committed()[0, 0]["files"]["playouts"] = run.write_part("playouts", 0, 0, frame)
    run.save(force=True)
    run.close()
    fails("is different when replayed", lambda: list(api.verify(whole.folder)))


def test_a_full_disk_loses_nothing(
    asked: api.Question, whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = os.fsync, 0

    def full(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 9:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    out = tmp_path / "full"
    message = fails("the disk is full", lambda: api.run(asked, out=out, jobs=2))
    assert "--resume" in message
    monkeypatch.setattr(os, "fsync", real)
    assert not list(out.rglob("*.tmp"))
    api.run(asked, out=out, resume=True)
    assert bytes_of(out) == bytes_of(whole.folder)


def test_a_really_full_device_is_one_line(
    asked: api.Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Everything after the first files goes to a device that is always full."""
    calls = 0

    def onto_a_full_device(path: Path, mode: str) -> Any:
        nonlocal calls
        calls += "w" in mode
        return open("/dev/full" if calls > 4 and "w" in mode else path, mode)

    monkeypatch.setattr("simkit.storage.open", onto_a_full_device, raising=False)
    out = tmp_path / "full"
    fails("the disk is full", lambda: api.run(asked, out=out, jobs=2))
    assert capfd.readouterr().err == ""
    monkeypatch.undo()
    monkeypatch.setattr("simkit.engine.plan.PART", 256)
    assert api.run(asked, out=out, resume=True).is_complete


def test_a_folder_that_cannot_be_made_is_told(asked: api.Question, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    fails("cannot be written: ", lambda: api.run(asked, out=tmp_path / "file" / "run"))


def test_one_writer_at_a_time(asked: api.Question, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "busy", api.manifest_of(asked, False))
    fails("another simkit is writing to this run", lambda: api.run(asked, out=tmp_path / "busy", resume=True))
    run.close()
    assert api.run(asked, out=tmp_path / "busy", resume=True).is_complete


@pytest.mark.parametrize("key", ["status", "recipe", "playouts", "kernel", "parts"])
def test_a_manifest_with_missing_keys_is_told(whole: Run, key: str) -> None:
    path = whole.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest[key]
    path.write_text(json.dumps(manifest))
    fails(f"manifest.json: {key} is missing", lambda: api.cells(whole.folder))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("{", "cannot be read"),
        ("[]", "schema_version is None"),
        ('{"schema_version": 99}', "schema_version is 99, this simkit reads 1"),
    ],
)
def test_a_manifest_that_is_none_is_told(whole: Run, content: str, expected: str) -> None:
    (whole.folder / "manifest.json").write_text(content)
    fails(expected, lambda: api.cells(whole.folder))


def test_a_manifest_with_a_changed_recipe_is_told(whole: Run) -> None:
    path = whole.folder / "manifest.json"
    path.write_text(path.read_text().replace('"seed": "2"', '"seed": "4"'))
    fails("recipe: the recipe does not have the hash", lambda: api.cells(whole.folder))


def test_resume_refuses_another_kernel(asked: api.Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.create(tmp_path / "begun", api.manifest_of(asked, False))
    run.close()
    monkeypatch.setattr(api, "kernel_version", lambda game: "another")
    fails("begun with other kernel sources", lambda: api.run(asked, out=tmp_path / "begun", resume=True))


def test_an_unfinished_run_names_resume(asked: api.Question, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "begun", api.manifest_of(asked, False))
    run.close()
    fails("continue it with --resume", lambda: api.run(asked, out=tmp_path / "begun"))
    fails("not finished; continue it with --resume", lambda: api.cells(tmp_path / "begun"))


def kill_and_resume(tmp_path: Path, number: int, how: int, after: float) -> bool:
    """Kill a run after some seconds, resume it, and compare; False if it had ended before."""
    out = tmp_path / f"killed-{number}"
    code = (
        "import simkit.engine.plan as plan; plan.PART = 4096\nfrom simkit.cli import run\nimport sys\n"
        f"sys.exit(run(['run', 'propuh', '--playouts', '150000', '--seed', '6', '--out', {str(out)!r}, '--resume']))"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    start = time.monotonic()
    while not (out / "manifest.json").exists():
        time.sleep(0.01)
        assert time.monotonic() - start < 60
    time.sleep(after)
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    broken = process.returncode != 0
    if broken and how != signal.SIGKILL:
        assert process.returncode == 130
        assert said.strip().endswith("continue with --resume")
        assert len(said.strip().splitlines()) == 1
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not list(out.rglob("*.tmp"))
    return broken


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_is_resumed_to_the_same_bytes(tmp_path: Path, how: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.engine.plan.PART", 4096)
    whole = api.run(api.question("propuh", playouts=150_000, seed=6), out=tmp_path / "whole")
    broken = [kill_and_resume(tmp_path, i, how, after) for i, after in enumerate((0.05, 0.3))]
    assert any(broken)
    for number in range(2):
        assert bytes_of(tmp_path / f"killed-{number}") == bytes_of(whole.folder)


@pytest.mark.soak
def test_a_hundred_kills_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.engine.plan.PART", 4096)
    whole = api.run(api.question("propuh", playouts=150_000, seed=6), out=tmp_path / "whole")
    broken = 0
    for number in range(100):
        broken += kill_and_resume(tmp_path, number, signal.SIGKILL, 0.02 * number % 1.1)
        assert bytes_of(tmp_path / f"killed-{number}") == bytes_of(whole.folder)
    assert broken > 50
