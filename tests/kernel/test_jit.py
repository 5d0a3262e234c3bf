"""Compiled entries are kept in a folder named after all their sources."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from simkit.kernel import jit
from tests.conftest import PROJECT

GAME = PROJECT / "simkit" / "games" / "propuh" / "entry.py"


def test_an_entry_is_compiled_from_the_kernel_and_its_own_game() -> None:
    names = {str(path.relative_to(PROJECT / "simkit")) for path in jit.sources_of(GAME)}
    assert {"kernel/drive.py", "kernel/streams.py", "games/propuh/moves/rounds.py", "games/propuh/policies.py"} <= names
    assert not any(name.endswith(("reference.py", "plain.py")) for name in names)


def test_a_changed_source_gives_another_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "entry.py"
    source.write_text("a = 1")
    before = jit.sources_hash.__wrapped__(source)
    source.write_text("a = 2")
    assert jit.sources_hash.__wrapped__(source) != before


def test_the_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    code = (
        "from simkit.kernel.jit import is_compiled\nfrom simkit.games.propuh.entry import play\nprint(is_compiled(play))\n"
        "from simkit import api\nfrom simkit.engine.worker import Job, play as work\n"
        "recipe = api.question('propuh').recipe\nwork(Job.of(recipe, recipe.cells[0]), 0, 10)\nprint(is_compiled(play))"
    )
    environment = os.environ | {"SIMKIT_CACHE": str(tmp_path), "PYTHONPATH": str(PROJECT)}
    answers = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert answers == [["False", "True"], ["True", "True"]]


def test_folders_unused_for_a_month_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMKIT_CACHE", str(tmp_path))
    old, recent = tmp_path / "old", tmp_path / "recent"
    for folder, age in ((old, 40), (recent, 3)):
        folder.mkdir()
        (folder / "entry.nbc").write_bytes(b"x")
        then = time.time() - age * 24 * 3600
        os.utime(folder, (then, then))
    jit.cache_folder.__wrapped__(GAME)
    assert not old.exists()
    assert recent.exists()


def test_kernels_are_kept_elsewhere_when_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    monkeypatch.setenv("SIMKIT_CACHE", str(file / "below"))
    assert "simkit-kernels" in str(jit.cache_home())


@jit.phase
def doubled(number):  # type: ignore[no-untyped-def]
    return 2 * number


@jit.step
def halved(number):  # type: ignore[no-untyped-def]
    return number // 2


@njit  # not an entry: those are kept on disk, and then nothing is compiled
def doubled_and_halved(numbers):  # type: ignore[no-untyped-def]
    return doubled(numbers[0]) + doubled(3) + doubled(numbers[0] > 1) + halved(numbers[0]) + halved(7)


@pytest.mark.skipif(bool(jit.config.DISABLE_JIT), reason="nothing is compiled")
def test_phases_and_steps_are_compiled_once_for_all_widths() -> None:
    """Narrow, literal and boolean arguments all arrive as int64."""
    numbers = np.array([100], np.int8)
    assert doubled_and_halved(numbers) == 200 + 6 + 2 + 50 + 3
    assert len(doubled.signatures) == len(halved.signatures) == 1
