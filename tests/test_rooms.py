"""Arrows point down: each room may import a written list of others. This table is the picture of the house."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import PROJECT

MAY_IMPORT = {
    "errors": set(),
    "spec": {"errors", "coverage"},
    "coverage": set(),
    "box_file": {"spec"},
    "exchanges": {"errors", "spec", "box_file"},
    "exact": set(),
    "kernel": set(),
    "stats": set(),
    "games": {"errors", "spec", "box_file", "exchanges", "coverage", "exact", "kernel"},
    "scenario": {"errors", "spec", "box_file", "games", "kernel"},  # kernel: the keys of independent cells
    "engine": {"__init__", "errors", "spec", "coverage", "box_file", "kernel", "games", "scenario", "store", "storage"},
    "storage": {"errors"},
    "manifest": {"errors", "scenario"},
    "store": {"errors", "scenario", "manifest", "storage"},
    "summary": {"errors", "spec", "coverage", "box_file", "exact", "stats", "scenario"},
    "report": {"errors", "spec", "box_file", "stats", "scenario", "summary", "storage", "store"},
    "api": {"__init__", "errors", "games", "kernel", "scenario", "engine", "store", "storage", "summary", "report"},
    "answers": {
        "errors",
        "spec",
        "games",
        "kernel",
        "stats",
        "scenario",
        "engine",
        "summary",
        "report",
        "storage",
        "store",
        "api",
    },
    "cli": {
        "__init__",
        "answers",
        "api",
        "box_file",
        "errors",
        "games",
        "scenario",
        "engine",
        "storage",
        "store",
        "summary",
        "kernel",
    },
    "__init__": set(),
}


def modules() -> Iterator[tuple[Path, str]]:
    for path in sorted((PROJECT / "simkit").rglob("*.py")):
        yield path, path.relative_to(PROJECT / "simkit").parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """The rooms of simkit that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "simkit" else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "simkit":
                yield "__init__" if parts[1].startswith("__") else parts[1]


def test_each_room_imports_only_what_it_may() -> None:
    for path, room in modules():
        for target in imports(path):
            assert target == room or target in MAY_IMPORT[room], f"{path}: {room} may not import {target}"


def test_a_game_imports_no_other_game() -> None:
    for path, room in modules():
        if room == "games" and len(path.relative_to(PROJECT / "simkit").parts) > 2:
            own = path.relative_to(PROJECT / "simkit").parts[1]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("simkit.games."):
                    assert node.module.split(".")[2] == own, path


def test_the_twins_have_not_seen_the_kernel() -> None:
    for path, _ in modules():
        if path.name == "reference.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("simkit"):
                    assert node.module in ("simkit.kernel.plain", "simkit.errors", "simkit.spec"), path


def test_only_some_rooms_touch_the_outside() -> None:
    allowed = {
        "storage",
        "store",
        "scenario",
        "report",
        "cli",
        "api",
        "kernel",
        "spec",
    }  # kernel: its cache; spec: package files
    for path, room in modules():
        text = path.read_text(encoding="utf-8")
        if room not in allowed:
            assert "open(" not in text.replace("reopen(", ""), path
            assert ".write_text(" not in text, path


def test_nothing_speaks_of_the_machine_it_was_written_on() -> None:
    rooms = [PROJECT / name for name in ("simkit", "tests", "scenarios", "reports")]
    files = [*PROJECT.glob("*.*"), *(path for room in rooms for path in room.rglob("*"))]
    for path in files:
        if path.suffix in (".py", ".md", ".toml", ".html", ".json", ".css"):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert "/wo" + "rk/" not in text, path
            assert ".." + "/shared" not in text, path
