"""Nothing already written is lost: damage, full disks, other writers, other runs. Always one line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from simkit import api
from simkit.errors import RunError
from simkit.store import Run


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


def test_verify_finds_rows_that_do_not_belong(whole: Run) -> None:
    """A file that was changed and given a new checksum is found out by playing again."""
    path = whole.path("playouts", 0, 0)
    frame = pl.read_parquet(path).with_columns(rounds=pl.lit(3, pl.Int8))
    run = Run.reopen(whole.folder)
    run.committed()[0, 0]["files"]["playouts"] = run.write_part("playouts", 0, 0, frame)
    run.save(force=True)
    run.close()
    fails("is different when replayed", lambda: list(api.verify(whole.folder)))


def test_a_really_full_device_is_one_line(
    asked: api.Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Everything after the first files goes to a device that is always full."""
    calls = 0

    def onto_a_full_device(path: Path, mode: str) -> Any:
        nonlocal calls
        calls += "x" in mode
        return open("/dev/full", "wb") if calls > 4 and "x" in mode else open(path, mode)

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


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("{", "cannot be read"),
        ("[]", "schema_version is None"),
        ('{"schema_version": 99}', "schema_version is 99, this simkit reads 2"),
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
