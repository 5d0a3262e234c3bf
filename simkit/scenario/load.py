"""Reading the files a user writes: scenarios and boxes. Only here are they opened."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simkit.errors import BoxError, ScenarioError, UserError, one_line
from simkit.scenario.validate import Scenario, explain
from simkit.spec import GameSpec

MAX_BYTES = 1_000_000


def read_toml(path: Path, error: type[UserError]) -> dict[str, Any]:
    """The content of a TOML file. Raises `error` with file and line for anything that cannot be read."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise error(f"{path}: {size:,} bytes, expected at most {MAX_BYTES:,}")
        return tomllib.loads(path.read_text(encoding="utf-8-sig").replace("\r\n", "\n"))
    except FileNotFoundError:
        raise error(f"{path}: no such file{similar_files(path)}") from None
    except IsADirectoryError:
        raise error(f"{path}: is a folder, expected a TOML file") from None
    except UnicodeDecodeError as problem:
        raise error(f"{path}: byte {problem.start} is not UTF-8; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as problem:
        raise error(f"{path}: not valid TOML: {one_line(str(problem))}") from None
    except RecursionError:
        raise error(f"{path}: nested too deeply") from None
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None


def similar_files(path: Path) -> str:
    from simkit.errors import nearest

    try:
        return nearest(path.name, [other.name for other in path.parent.glob("*.toml")])
    except OSError:
        return ""


def load_scenario(path: Path) -> Scenario:
    """A scenario file, validated. Raises ScenarioError naming file, key, value, what is allowed and the nearest name."""
    content = read_toml(path, ScenarioError)
    try:
        scenario = Scenario.model_validate(content)
    except ValidationError as problem:
        line = explain(problem, Scenario)
        if isinstance(content.get("grid"), dict):
            line = line.replace("grid.0", "grid", 1)
        raise ScenarioError(f"{path}: {line}") from None
    except RecursionError:
        raise ScenarioError(f"{path}: nested too deeply") from None
    if not scenario.name:
        scenario.name = path.stem
    if scenario.box:
        scenario.box = str((path.parent / scenario.box).resolve())
    return scenario


def load_box(spec: GameSpec, path: Path | None) -> dict[str, Any]:
    """A game's box: the one it comes with, or a user's file of the same shape. Raises BoxError with file and key."""
    name = Path(f"{spec.name}/box.toml") if path is None else path
    content = tomllib.loads(spec.text("box.toml")) if path is None else read_toml(path, BoxError)
    model = spec.module("box").Box
    try:
        model.model_validate(content)
    except ValidationError as problem:
        raise BoxError(f"{name}: {explain(problem, model)}") from None
    except RecursionError:
        raise BoxError(f"{name}: nested too deeply") from None
    return content
