"""Reading the files a user writes: scenarios and boxes. Only in this room are they opened."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simkit.errors import BoxError, ScenarioError, UserError
from simkit.scenario.read import LONG_KEY, MAX_DEPTH, check_plain, read_text
from simkit.scenario.sheets import Place, Sheet, with_sheets
from simkit.scenario.validate import Scenario, explain, spoken
from simkit.spec import GameSpec


def read_toml(path: Path, error: type[UserError]) -> dict[str, Any]:
    """The content of a TOML file. Raises `error` with file and line for anything that cannot be read."""
    text = read_text(path, error, "TOML")
    if LONG_KEY.search(text):
        raise error(f"{path}: nested too deeply, a key has more than {MAX_DEPTH} parts")
    try:
        content = tomllib.loads(text.replace("\r\n", "\n"))
    except ValueError as problem:  # also numbers of thousands of digits
        raise error(f"{path}: not valid TOML: {problem}") from None
    except RecursionError:
        raise error(f"{path}: nested too deeply") from None
    if fault := check_plain(content):
        raise error(f"{path}: {spoken(fault[0])} {fault[1]}")
    return content


def load_scenario(path: Path) -> Scenario:
    """A scenario file, validated. Raises ScenarioError naming file, key, value, what is allowed and the nearest name."""
    content = read_toml(path, ScenarioError)
    if "claim" in content:
        raise ScenarioError(f"{path}: is a claims file; simkit claims decides it")
    one_grid = isinstance(content.get("grid"), dict)

    def where(place: Sequence[object]) -> str:
        if one_grid and place[:2] == ["grid", 0]:
            place = ["grid", *place[2:]]
        return f"{path}: {spoken(place)}"

    try:
        scenario = Scenario.model_validate(content)
    except ValidationError as problem:
        raise ScenarioError(explain(problem, Scenario, where)) from None
    except RecursionError:
        raise ScenarioError(f"{path}: nested too deeply") from None
    if not scenario.name:
        scenario.name = path.stem
    if scenario.box:
        scenario.box = str((path.parent / scenario.box).resolve())
    return scenario


def box_name(spec: GameSpec, path: Path | str | None) -> str:
    """What errors call a box: the file of the user, or the game's own."""
    return str(path) if path else f"{spec.name}/box.toml"


def load_box(spec: GameSpec, path: Path | None) -> dict[str, Any]:
    """A game's box: the one it comes with, or a user's file of the same shape, its sheets read in.

    raises : BoxError with file and key, or with file, row and column of a sheet
    """
    name, model = box_name(spec, path), spec.module("box").Box
    content = tomllib.loads(spec.text("box.toml")) if path is None else read_toml(path, BoxError)
    sheets: dict[Place, Sheet] = {}
    try:
        if path is not None:
            content, sheets = with_sheets(content, model, path)
        if fault := check_plain(content):  # once more: cells of sheets can hold what TOML cannot
            raise BoxError(f"{place_in_box(name, fault[0], sheets)} {fault[1]}")
        model.model_validate(content)
    except ValidationError as problem:
        raise BoxError(explain(problem, model, lambda place: place_in_box(name, place, sheets))) from None
    except RecursionError:
        raise BoxError(f"{name}: nested too deeply") from None
    return content


def place_in_box(name: str, place: Sequence[object], sheets: Mapping[Place, Sheet]) -> str:
    """'mine.toml: limits.granny', or for what came from a sheet 'mine.csv row 4, value'."""
    for start, sheet in sheets.items():
        if list(place[: len(start)]) == list(start):
            return sheet.where(place[len(start) :])
    return f"{name}: {spoken(place)}"
