"""What a manifest must say. It lies in a folder that anybody can edit, so nothing in it is believed unread."""

from collections.abc import Mapping
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from simkit.errors import RunError, UserError, shown
from simkit.scenario.grid import MAX_CELLS, Recipe
from simkit.scenario.read import check_plain
from simkit.scenario.validate import MAX_PLAYOUTS, explain, spoken

SCHEMA_VERSION = 2  # 2: linked columns are counted together with the outcome

Count = Annotated[int, Field(ge=0, le=MAX_PLAYOUTS)]
Checksum = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Table = Literal["playouts", "players", "tallies"]


class Entry(BaseModel):
    """Something a manifest says; what a later simkit adds to it is passed over."""

    model_config = ConfigDict(strict=True)


class File(Entry):
    rows: Count
    sha256: Checksum
    bytes: Count = 0


class PartEntry(Entry):
    cell: Count
    number: Count
    first: Count
    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
    files: dict[Table, File]


class Time(Entry):
    started: str
    seconds: Annotated[float, Field(ge=0, strict=False)]


class Until(Entry):
    """When a run looks and stops."""

    width: Annotated[float, Field(gt=0, le=100, strict=False)]
    at_most: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
    first_deals: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
    is_settled: bool


class ObservedSample(Entry):
    """How many playouts of each cell were traced at most, and what was counted in them."""

    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
    counts: str


class ReplayedSample(Entry):
    """How many deals of each cell were replayed at most, how often each, and a digest of which."""

    deals: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
    replays: Annotated[int, Field(ge=2, le=1000)]
    sample: str


class Manifest(Entry):
    status: Literal["running", "complete"]
    recipe: dict[str, Any]
    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]
    tally_only: bool
    kernel: str
    command: str
    created: str
    versions: dict[str, str]
    parts: list[PartEntry]
    times: list[Time] = []
    tables: dict[str, Checksum] = {}
    playouts_of: list[Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)]] = []
    until: Until | None = None
    observed: ObservedSample | None = None
    replayed: ReplayedSample | None = None


RECIPE = TypeAdapter(Recipe)


def check(manifest: object) -> dict[str, Any]:
    """The manifest, if it is one that this simkit reads. Raises RunError naming the key, the value and what was expected."""
    version = manifest.get("schema_version") if isinstance(manifest, dict) else None
    if not isinstance(manifest, dict) or type(version) is not int or version != SCHEMA_VERSION:
        who = ""
        if type(version) is int and version != SCHEMA_VERSION:
            newer = version > SCHEMA_VERSION
            who = (
                "; a newer simkit wrote it"
                if newer
                else "; an older simkit wrote it: play it again into another folder"
            )
        raise RunError(f"schema_version is {shown(version)}, this simkit reads {SCHEMA_VERSION}{who}")
    if fault := check_plain(
        {key: value for key, value in manifest.items() if key != "parts"}
    ):  # of which there are many
        raise RunError(f"{spoken(fault[0])} {fault[1]}")
    try:
        Manifest.model_validate(manifest)
    except ValidationError as problem:
        raise RunError(explain(problem, Manifest)) from None
    cells = manifest["recipe"].get("cells")
    if manifest.get("playouts_of") and (not isinstance(cells, list) or len(manifest["playouts_of"]) != len(cells)):
        raise RunError("playouts_of does not have a number for each cell")
    return manifest


def recipe_of(data: Mapping[str, Any]) -> Recipe:
    """The recipe of a manifest. Raises RunError for anything that is none, or that the game as it is now cannot play."""
    try:
        recipe = RECIPE.validate_python(dict(data) | {"seed": int(data["seed"])})
    except ValidationError as problem:
        raise RunError(f"recipe.{explain(problem, Manifest)}") from None
    except (KeyError, TypeError, ValueError):
        raise RunError("recipe.seed is not a number") from None
    if recipe.hash != data.get("hash"):
        raise RunError("recipe: the recipe does not have the hash that is written beside it")
    try:
        check_recipe(recipe)
    except UserError as problem:
        raise RunError(f"recipe: {problem}") from None
    return recipe


def check_recipe(recipe: Recipe) -> None:
    """Raise UserError for a recipe that no scenario gives: its hash says only that it is the one that was written."""
    spec = recipe.spec
    ids = list(range(len(recipe.cells)))
    if not ids or len(ids) > MAX_CELLS or [cell.id for cell in recipe.cells] != ids:
        raise RunError(f"cells are not numbered 0 to {len(ids) - 1}")
    if sorted((cell, number) for number, group in enumerate(recipe.groups) for cell in group.cells) != [
        (cell.id, cell.group) for cell in recipe.cells
    ]:
        raise RunError("groups and cells do not belong together")
    if any(not {*pair} <= {*group.cells} for group in recipe.groups for pair in group.pairs):
        raise RunError("groups compare cells that they do not have")
    if recipe.replicates < 1 or not 0 <= recipe.seed < 2**63:
        raise RunError("replicates or seed are out of range")
    box = spec.module("box")
    try:
        box.Box.model_validate(recipe.box)
    except ValidationError as problem:
        raise RunError(f"box.{explain(problem, box.Box)}") from None
    for cell in recipe.cells:
        where = f"cells entry {cell.id + 1}: "
        try:
            spec.check_line_up(cell.policies, spec.check_players(cell.players))
            if spec.check_options(cell.options) != cell.options or len(cell.options) != len(spec.options):
                raise RunError(f"does not set every option of {spec.title} to a value it has now")
            if cell.preset:
                spec.preset(cell.preset)
            recipe.box_of(cell)
        except UserError as problem:
            raise RunError(f"{where}{problem}") from None
        target = 50.0 if cell.target is None else cell.target
        if not (isfinite(cell.margin) and cell.margin > 0 and 0 < target - cell.margin < target + cell.margin < 100):
            raise RunError(f"{where}target or margin are out of range")
