"""Run folders to which something has happened: what is damaged is named and made good, and nothing else is touched."""

import copy
import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from simkit import api
from simkit.engine.workers import PlayUnit
from simkit.errors import Interrupted, RunError, UserError
from simkit.scenario.grid import sha256
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.test_same_rows import bytes_of
from tests.guard.fuzz import NASTY_NUMBERS, NASTY_TEXT, places_in, told

PART = 256
PLAYOUTS = 700  # three parts of each of two cells


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.engine.plan.PART", PART)


@pytest.fixture
def asked() -> api.Question:
    return api.question("propuh", playouts=PLAYOUTS, seed=2)


@pytest.fixture(scope="module")
def once_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simkit.engine.plan.PART", PART)
        asked = api.question("propuh", playouts=PLAYOUTS, seed=2)
        return api.run(asked, out=tmp_path_factory.mktemp("runs") / "whole", jobs=1).folder


@pytest.fixture
def whole(once_played: Path) -> Run:
    """A finished run of its own for every test, in the folder `whole`."""
    shutil.copytree(once_played, "whole")
    return Run.read(Path("whole"))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """What is played from now on: cell, first playout, playouts."""
    units: list[tuple[int, int, int]] = []
    real = PlayUnit.__call__

    def watched(task: PlayUnit, *stop: Any) -> Any:
        units.append((task.unit.cell, task.unit.first, task.unit.playouts))
        return real(task, *stop)

    monkeypatch.setattr(PlayUnit, "__call__", watched)
    return units


def fails(expected: str, call: Callable[[], Any]) -> str:
    with pytest.raises(RunError) as caught:
        call()
    line = told(caught.value)
    assert expected in line
    return line


def everything(folder: Path) -> list[str]:
    """Read a run in every way there is."""
    api.cells(folder)
    api.export(folder, Path("rows.csv"))
    return list(api.verify(folder, 5))


def assert_made_good(folder: Path, before: dict[str, str]) -> None:
    """The bytes of one long run, every part once, and nothing left over."""
    assert bytes_of(folder) == before
    assert not list(folder.rglob(".*.tmp"))
    run = Run.read(folder)
    assert run.is_complete
    assert len(run.committed()) == len(run.manifest["parts"]) == 6
    assert everything(folder)


def edited(run: Run, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest of a run as it lies on disk."""
    path = run.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


# --- damaged files ----------------------------------------------------------------------------------------------


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGE = [truncate, flip, empty, Path.unlink]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("table", ["playouts", "players", "tallies"])
def test_a_damaged_part_is_played_again_and_nothing_else(
    asked: api.Question, whole: Run, played: list[tuple[int, int, int]], damage: Any, table: str
) -> None:
    before, number = bytes_of(whole.folder), 2
    path = whole.path(table, 1, number)
    damage(path)
    assert str(path) in fails("repair it with", lambda: list(api.verify(whole.folder)))
    times = {p: p.stat().st_mtime_ns for p in whole.folder.rglob("part-*") if f"part-{number:05d}" not in p.name}
    api.run(asked, out=whole.folder, resume=True, jobs=1)
    first = number * PART
    assert {(cell, start >= first, start + count <= first + PART) for cell, start, count in played} <= {
        (0, True, True),
        (1, True, True),
    }
    assert sum(count for _, _, count in played) == 2 * min(PART, PLAYOUTS - first)
    assert {p: p.stat().st_mtime_ns for p in times} == times
    assert_made_good(whole.folder, before)


@pytest.mark.parametrize("damage", [flip, Path.unlink])
@pytest.mark.parametrize("name", ["agg/tallies.parquet", "cells.parquet", "cells.csv", "columns.csv"])
@pytest.mark.parametrize("repair", ["resume", "extend"])
def test_a_damaged_table_is_made_anew_and_nothing_is_played(
    asked: api.Question, whole: Run, played: list[tuple[int, int, int]], damage: Any, name: str, repair: str
) -> None:
    before = bytes_of(whole.folder)
    damage(whole.folder / name)
    line = fails("repair it with", lambda: list(api.verify(whole.folder)))
    assert f"whole/{name}" in line
    if name.startswith("agg"):
        fails("repair it with", lambda: api.cells(whole.folder))
        fails("repair it with", lambda: api.report(whole.folder))
    if repair == "resume":
        api.run(asked, out=whole.folder, resume=True)
    else:
        api.extend(whole.folder, PLAYOUTS)
    assert played == []
    assert_made_good(whole.folder, before)


def test_a_table_from_before_there_were_checksums_is_told_when_it_cannot_be_read(whole: Run) -> None:
    edited(whole, lambda manifest: manifest.pop("tables"))
    assert everything(whole.folder)
    path = whole.folder / "agg" / "tallies.parquet"
    content = path.read_bytes()
    truncate(path)
    fails("agg/tallies.parquet: cannot be read: ", lambda: api.cells(whole.folder))
    shutil.copy(whole.folder / "cells.parquet", path)
    fails("agg/tallies.parquet: is not a table of tallies", lambda: api.cells(whole.folder))
    path.write_bytes(content)
    assert everything(whole.folder)


# --- a list that is wrong ---------------------------------------------------------------------------------------


def twice(manifest: dict[str, Any]) -> None:
    manifest["parts"].append(copy.deepcopy(manifest["parts"][1]))


def twice_and_different(manifest: dict[str, Any]) -> None:
    twice(manifest)
    manifest["parts"][1]["files"]["playouts"]["sha256"] = 64 * "0"


def wrong_playouts(manifest: dict[str, Any]) -> None:
    manifest["parts"][1]["playouts"] += 1


def wrong_first(manifest: dict[str, Any]) -> None:
    manifest["parts"][1]["first"] = 0


def no_such_part(manifest: dict[str, Any]) -> None:
    manifest["parts"].append(manifest["parts"][0] | {"number": 99, "files": {}})


def no_such_cell(manifest: dict[str, Any]) -> None:
    manifest["parts"].append(manifest["parts"][0] | {"cell": 7, "files": {}})


def without_rows(manifest: dict[str, Any]) -> None:
    del manifest["parts"][1]["files"]["players"]


def without_tallies(manifest: dict[str, Any]) -> None:
    del manifest["parts"][1]["files"]["tallies"]


def forgotten(manifest: dict[str, Any]) -> None:
    del manifest["parts"][1]


LISTS = [
    twice, twice_and_different, wrong_playouts, wrong_first, no_such_part, no_such_cell, without_rows, without_tallies, forgotten
]  # fmt: skip


@pytest.mark.parametrize("change", LISTS)
@pytest.mark.parametrize("status", ["running", "complete"])
def test_a_list_of_parts_that_is_wrong_is_put_right(asked: api.Question, whole: Run, change: Any, status: str) -> None:
    before = bytes_of(whole.folder)
    edited(whole, lambda manifest: (change(manifest), manifest.update(status=status)))
    with pytest.raises(RunError) as caught:
        list(api.verify(whole.folder, 5))
    told(caught.value)
    if status == "running":
        api.run(asked, out=whole.folder, resume=True)
    else:
        api.extend(whole.folder, PLAYOUTS)
    assert_made_good(whole.folder, before)


@pytest.mark.parametrize(
    "name",
    [
        "playouts/cell=0000/part-00003.parquet",
        "tallies/cell=0001/part-00099.parquet",
        "players/cell=0009/part-00000.parquet",
    ],
)
def test_files_that_the_manifest_does_not_know_count_for_nothing(asked: api.Question, whole: Run, name: str) -> None:
    before = bytes_of(whole.folder)
    stray = whole.folder / name
    stray.parent.mkdir(exist_ok=True)
    shutil.copy(whole.path(name.split("/")[0], 0, 0), stray)
    rows = whole.scan("playouts").collect()
    assert rows.height == 2 * PLAYOUTS
    assert rows["playout"].n_unique() == PLAYOUTS
    fails(f"{stray}: is not a part of this run; repair it with", lambda: list(api.verify(whole.folder)))
    api.run(asked, out=whole.folder, resume=True)
    assert_made_good(whole.folder, before)


# --- manifests --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (1, "schema_version is 1, this simkit reads 2; an older simkit wrote it: play it again into another folder"),
        (3, "schema_version is 3, this simkit reads 2; a newer simkit wrote it"),
        (None, "schema_version is None"),
        ("1", "schema_version is '1'"),
        (True, "schema_version is True"),
        (1.0, "schema_version is 1.0"),
    ],
)  # fmt: skip
def test_another_schema_is_refused_and_left_alone(
    asked: api.Question, whole: Run, version: object, expected: str
) -> None:
    edited(whole, lambda manifest: manifest.update(schema_version=version))
    before = {path: path.read_bytes() for path in whole.folder.rglob("*") if path.is_file()}
    for call in (
        lambda: api.cells(whole.folder),
        lambda: api.run(asked, out=whole.folder, resume=True),
        lambda: api.extend(whole.folder, 900),
        lambda: api.report(whole.folder),
    ):
        fails(f"whole/manifest.json: {expected}", call)
    assert {path: path.read_bytes() for path in whole.folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("how", ["gone", "null", "text", "number", "list", "table", "huge", "hostile"])
def test_every_key_of_a_manifest_gone_or_of_another_type_is_told(whole: Run, how: str) -> None:
    """One key after the other, at any depth; also where the recipe's hash is made to fit again."""
    others: dict[str, Any] = {
        "null": None, "text": "x", "number": -7, "list": [], "table": {}, "huge": NASTY_NUMBERS[11], "hostile": NASTY_TEXT[3]
    }  # fmt: skip
    path = whole.folder / "manifest.json"
    good = json.loads(path.read_text())
    good["parts"] = good["parts"][:2]
    count = refused = 0
    for number, (_, key) in enumerate(list(places_in(good))):
        if key == "box_provenance":
            continue  # told, never read
        for with_hash in (False, True):
            manifest = copy.deepcopy(good)
            holder, key = list(places_in(manifest))[number]
            if how == "gone":
                del holder[key]
            elif type(holder[key]) is type(others[how]) and how != "hostile":
                continue
            else:
                holder[key] = others[how] if how != "huge" else 10**30
            if with_hash and not rehashed(manifest):
                continue
            path.write_text(json.dumps(manifest))
            count += 1
            try:
                run = Run.read(whole.folder)
                api.cells(whole.folder)
                run.damaged()
            except UserError as problem:
                refused += 1
                assert told(problem).startswith("whole/")
    assert count > 100
    assert refused > 0.7 * count


def rehashed(manifest: dict[str, Any]) -> bool:
    """Give a changed recipe the hash that belongs to it; False if it has no shape to be hashed."""
    from simkit.manifest import RECIPE

    try:
        recipe = RECIPE.validate_python(manifest["recipe"] | {"seed": int(manifest["recipe"]["seed"])})
        manifest["recipe"]["hash"] = recipe.hash
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
    return True


def test_a_recipe_that_no_scenario_gives_is_refused_although_its_hash_is_right(whole: Run) -> None:
    def with_recipe(change: Callable[[dict[str, Any]], object]) -> str:
        path = whole.folder / "manifest.json"
        content = path.read_text()
        edited(whole, lambda manifest: (change(manifest["recipe"]), rehashed(manifest)))
        line = fails("whole/manifest.json: recipe", lambda: api.cells(whole.folder))
        path.write_text(content)
        return line

    assert "did you mean propuh" in with_recipe(lambda recipe: recipe.update(game="propuhh"))
    assert "players cannot be 9" in with_recipe(lambda recipe: recipe["cells"][0].update(players=9))
    assert "does not set every option" in with_recipe(lambda recipe: recipe["cells"][0]["options"].popitem())
    assert "cannot be 'odd'" in with_recipe(lambda recipe: recipe["cells"][0]["options"].update(deck="odd"))
    assert "policy of granny 'cheat' is not known" in with_recipe(
        lambda r: r["cells"][0].update(policies=["cheat", "random"])
    )
    assert "cells are not numbered" in with_recipe(lambda recipe: recipe["cells"][0].update(id=5))
    assert "do not belong together" in with_recipe(lambda recipe: recipe["cells"][0].update(group=3))
    assert "compare cells that they do not have" in with_recipe(lambda r: r["groups"][0].update(pairs=[[0, 9]]))
    assert "target or margin" in with_recipe(lambda recipe: recipe["cells"][0].update(margin=70.0))
    assert "box.limits.granny is missing" in with_recipe(lambda recipe: recipe["box"]["limits"].pop("granny"))
    assert "replicates" in with_recipe(lambda recipe: recipe.update(replicates=0))
    assert "recipe.seed is not a number" in with_recipe(lambda recipe: recipe.update(seed="nine"))
    assert sha256({}) != whole.recipe.hash


# --- disks and folders ------------------------------------------------------------------------------------------


class Failing:
    """A call of the system that fails from the n-th time on."""

    def __init__(self, real: Callable[..., Any], from_call: int, problem: BaseException, times: int = 10**9) -> None:
        self.real, self.left, self.problem, self.times = real, from_call, problem, times

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.left -= 1
        if self.left < 0 and self.times > 0:
            self.times -= 1
            raise self.problem
        return self.real(*args, **kwargs)


FULL = OSError(errno.ENOSPC, "No space left on device")
READ_ONLY = OSError(errno.EROFS, "Read-only file system")
FORBIDDEN = PermissionError(errno.EACCES, "Permission denied")
BROKEN = OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize(
    ("call", "problem", "expected", "step"),
    [
        ("fsync", FULL, "the disk is full", 2),
        ("replace", FULL, "the disk is full", 5),
        ("fsync", BROKEN, "input/output error", 6),
        ("replace", READ_ONLY, "read-only", 6),
        ("replace", FORBIDDEN, "no permission", 6),
    ],
    ids=["full", "full at the last moment", "broken", "read-only", "forbidden"],
)
def test_a_disk_that_fails_at_any_moment_loses_nothing(
    asked: api.Question,
    whole: Run,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    problem: OSError,
    expected: str,
    step: int,
) -> None:
    """At every single write in turn, the last ones included; then the disk is well again."""
    before, real, failures = bytes_of(whole.folder), getattr(os, call), 0
    for moment in range(0, 100, step):
        out = Path(f"out-{moment}")
        monkeypatch.setattr(os, call, Failing(real, moment, problem))
        try:
            api.run(asked, out=out, jobs=1)
        except RunError as told_:
            assert expected in told(told_)
            failures += 1
        else:
            break
        finally:
            monkeypatch.setattr(os, call, real)
        assert not list(out.rglob("*.tmp"))
        api.run(asked, out=out, resume=True, jobs=1)
        assert_made_good(out, before)
    assert failures > 20 // step


def test_a_folder_that_is_read_only_is_told_and_left_alone(
    asked: api.Question, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in whole.folder.rglob("*") if path.is_file()}

    def read_only(path: Any, mode: str = "r") -> Any:
        if set(mode) & set("wxa+"):
            raise READ_ONLY
        return open(path, mode)

    monkeypatch.setattr("simkit.storage.open", read_only, raising=False)
    fails("read-only", lambda: api.extend(whole.folder, 900))
    fails("read-only", lambda: api.report(whole.folder))
    fails("read-only", lambda: api.run(asked, out=Path("new")))
    assert {path: path.read_bytes() for path in whole.folder.rglob("*") if path.is_file()} == before
    fails("cannot be written", lambda: api.run(asked, out=Path("/sys/simkit")))
    assert everything(whole.folder)


@pytest.mark.parametrize("moment", [1, 12, 24])
def test_a_folder_that_vanishes_is_told_and_not_made_again(
    asked: api.Question, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    out, real, count = Path("out"), os.fsync, 0

    def vanish(descriptor: int) -> None:
        nonlocal count
        count += 1
        real(descriptor)
        if count == moment:
            shutil.rmtree(out)

    monkeypatch.setattr(os, "fsync", vanish)
    with pytest.raises(RunError) as caught:
        api.run(asked, out=out, jobs=1)
    told(caught.value)
    assert not out.exists()
    assert api.run(asked, out=out, jobs=1).is_complete


@pytest.mark.parametrize("what", ["tallies", "playouts"])
def test_parts_that_vanish_while_others_are_played_are_played_again(
    asked: api.Question, whole: Run, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before, out, real, count = bytes_of(whole.folder), Path("out"), os.fsync, 0

    def vanish(descriptor: int) -> None:
        nonlocal count
        count += 1
        real(descriptor)
        if count == 14:
            shutil.rmtree(out / what)

    monkeypatch.setattr(os, "fsync", vanish)
    with suppress(RunError):  # told at once where it is noticed, which is when sums are made
        api.run(asked, out=out, jobs=1)
    assert count > 14
    monkeypatch.setattr(os, "fsync", real)
    api.run(asked, out=out, resume=True, jobs=1)
    assert_made_good(out, before)


def test_ctrl_c_at_any_moment_leaves_a_run_to_be_continued(
    asked: api.Question, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, real, stopped = bytes_of(whole.folder), os.replace, 0
    for moment in range(0, 100, 3):
        out = Path(f"out-{moment}")
        monkeypatch.setattr(os, "replace", Failing(real, moment, KeyboardInterrupt(), times=1))
        try:
            api.run(asked, out=out, jobs=1)
        except (Interrupted, KeyboardInterrupt):
            stopped += 1
        else:
            break
        finally:
            monkeypatch.setattr(os, "replace", real)
        assert not list(out.rglob("*.tmp"))
        api.run(asked, out=out, resume=True, jobs=1)
        assert_made_good(out, before)
    assert stopped > 6


def test_an_extension_that_is_stopped_says_how_to_go_on(whole: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", Failing(os.replace, 4, KeyboardInterrupt(), times=1))
    with pytest.raises(Interrupted) as caught:
        api.extend(whole.folder, 1500)
    assert caught.value.how == "simkit extend whole --playouts 1500"
    fails("not finished; continue it with --resume", lambda: api.cells(whole.folder))
    fails("not finished; continue it with --resume", lambda: api.report(whole.folder))
    api.extend(whole.folder, 1500)
    long = api.run(api.question("propuh", playouts=1500, seed=2), out=Path("long"))
    assert bytes_of(whole.folder) == bytes_of(long.folder)


# --- other processes --------------------------------------------------------------------------------------------


def a_holder_of(folder: Path) -> "subprocess.Popen[str]":
    """Another process that holds a run open."""
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom simkit.store import Run\n"
        f"run = Run.reopen(Path({str(folder.resolve())!r}))\nprint('open', flush=True)\ntime.sleep(600)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(PROJECT)}
    )
    assert process.stdout
    assert process.stdout.readline() == "open\n"
    return process


def test_two_processes_cannot_write_one_run_and_a_killed_one_leaves_no_lock(asked: api.Question, whole: Run) -> None:
    before = bytes_of(whole.folder)
    other = a_holder_of(whole.folder)
    try:
        fails(
            "another simkit is writing to this run; wait for it or choose --out", lambda: api.extend(whole.folder, 900)
        )
        truncate(whole.path("tallies", 0, 0))
        fails("another simkit is writing to this run", lambda: api.run(asked, out=whole.folder, resume=True))
    finally:
        other.kill()
        other.wait()
        assert other.stdout
        other.stdout.close()
    assert (whole.folder / ".lock").exists()
    api.run(asked, out=whole.folder, resume=True)
    assert_made_good(whole.folder, before)


def test_a_lock_file_of_long_ago_is_nobody(asked: api.Question) -> None:
    Path("out").mkdir()
    Path("out/.lock").write_text("12345")
    os.utime("out/.lock", (time.time() - 10**7,) * 2)
    assert api.run(asked, out=Path("out")).is_complete


def test_a_run_that_another_finished_meanwhile_is_not_begun_again(
    asked: api.Question, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking and locking, another process makes the run: its manifest is not overwritten."""
    before = (whole.folder / "manifest.json").read_bytes()
    monkeypatch.setattr(Run, "exists", lambda folder: False)
    fails("another simkit has just begun a run here", lambda: api.run(asked, out=whole.folder))
    assert (whole.folder / "manifest.json").read_bytes() == before


# --- folders that are not ours ----------------------------------------------------------------------------------


def test_a_folder_with_other_things_in_it_is_left_alone(asked: api.Question) -> None:
    mine = Path("mine")
    mine.mkdir()
    (mine / "cells.csv").write_text("my own")
    fails("mine: is neither empty nor a run folder, it holds 'cells.csv'", lambda: api.run(asked, out=mine))
    assert [path.name for path in mine.iterdir()] == ["cells.csv"]
    assert (mine / "cells.csv").read_text() == "my own"


def test_nothing_is_written_through_links_that_lead_out(asked: api.Question, whole: Run) -> None:
    outside = Path("outside")
    outside.mkdir()
    (outside / "precious").write_text("precious")
    for name in (".manifest.json.tmp", "cells.csv", ".cells.csv.tmp"):
        (whole.folder / name).unlink(missing_ok=True)
        (whole.folder / name).symlink_to(Path("../outside/precious"))
    shutil.rmtree(whole.folder / "tallies")
    (whole.folder / "tallies").symlink_to("../outside")
    fails("a link leads out of whole, nothing is written there", lambda: api.run(asked, out=whole.folder, resume=True))
    (whole.folder / "tallies").unlink()
    api.run(asked, out=whole.folder, resume=True)
    report = whole.folder / "report"
    report.mkdir()
    (report / "index.html").symlink_to("../../outside/precious")
    (report / "tables").symlink_to("../../outside")
    fails("a link leads out of whole/report", lambda: api.report(whole.folder))
    (report / "tables").unlink()
    api.report(whole.folder)
    assert [path.name for path in outside.iterdir()] == ["precious"]
    assert (outside / "precious").read_text() == "precious"


def test_a_run_begun_with_another_kernel_is_not_mixed(whole: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "kernel_version", lambda game: "another")
    fails("was begun with other kernel sources", lambda: api.extend(whole.folder, 900))
    assert everything(whole.folder)
