"""What a scenario file may say, as pydantic models, and errors that a designer can act on."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from simkit.errors import listed, nearest, one_line, shown

Setting = str | bool | int
Name = Annotated[str, StringConstraints(max_length=80)]
Text = Annotated[str, StringConstraints(max_length=2000)]
LineUp = dict[str, str]

MAX_PLAYOUTS = 10**13
MAX_SEED = 2**63 - 1


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class CellEntry(Strict):
    """One cell written out: what it sets; everything else is at its default."""

    label: Name = ""
    players: int | None = None
    preset: str | None = None
    options: dict[str, Setting] = {}
    policies: LineUp = {}
    swap: dict[str, str] = {}  # cards exchanged for others, each in its place of the deck


class Grid(Strict):
    """A comparison group: cells that are played on the same deals (unless `independent`).

    `vary = "product"` plays every combination of players, presets, options and policies; `"one at a time"` changes one
    option at a time around the baseline; `cells` lists the cells one by one.
    """

    name: Name = ""
    vary: Literal["product", "one at a time"] = "product"
    players: int | list[int] | None = None
    presets: str | list[str] | None = None
    options: dict[str, Setting | list[Setting]] | Literal["all", "rulings"] = {}
    policies: LineUp | list[LineUp] = {}
    cells: Annotated[list[CellEntry], Field(max_length=2000)] | None = None
    baseline: dict[str, Setting] = {}
    compare: Literal["baseline", "neighbours", "none"] = "baseline"
    independent: bool = False
    margin: Annotated[float, Field(gt=0, lt=50, strict=False)] | None = None
    target: Annotated[float, Field(gt=0, lt=100, strict=False)] | None = None
    targets: dict[str, Annotated[float, Field(gt=0, lt=100, strict=False)]] = {}


class Scenario(Strict):
    """A question: a game, a grid of cells, how many playouts, and what counts as balanced."""

    game: str
    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$")] | Literal[""] = ""
    title: Text = ""
    question: Text = ""
    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)] = 100_000
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 1
    replicates: Annotated[int, Field(ge=1, le=1000)] = 1
    rotate: bool = False
    box: str | None = None
    margin: Annotated[float, Field(gt=0, lt=50, strict=False)] = 2.0
    target: Annotated[float, Field(gt=0, lt=100, strict=False)] | None = None
    grid: Annotated[list[Grid], Field(min_length=1, max_length=200)] = [Grid()]

    @field_validator("grid", mode="before")
    @classmethod
    def one_grid_may_be_a_table(cls, value: Any) -> Any:
        return [value] if isinstance(value, dict) else value


def spoken(place: Sequence[object]) -> str:
    """A place of a file in words: 'limits.granny', and in lists 'deck.cards entry 2, value', entries counted from 1."""
    text = ""
    for part, before in zip(place, [None, *place], strict=False):
        if isinstance(part, int):
            text += f" entry {part + 1}"
        else:
            text += f"{', ' if isinstance(before, int) else '.' if text else ''}{part}"
    return text or "the file"


def explain(problem: ValidationError, model: type[BaseModel], where: Callable[[Sequence[object]], str] = spoken) -> str:
    """The first fault of a file in one line: key, value, what was expected, the nearest valid name.

    where : names a place of the file, given as keys and numbers of entries
    """
    faults = problem.errors()
    fault = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    place = [part for part in fault["loc"] if not (isinstance(part, str) and is_union_tag(part))]
    key, value = where(place).replace("\n", " "), fault["input"]
    match fault["type"]:
        case "extra_forbidden":
            names = fields_at(model, list(place[:-1]))
            return f"{key} is not a known key{nearest(place[-1], names)}; expected {listed(names)}"
        case "missing":
            return f"{key} is missing"
        case "value_error":
            return f"{key}: {one_line(str(fault['ctx']['error']))}"
        case "literal_error":
            allowed = [word.strip(" '") for word in fault["ctx"]["expected"].replace(" or ", ", ").split(", ")]
            return f"{key} cannot be {shown(value)}{nearest(value, allowed)}; expected {listed(allowed)}"
        case kind if kind.endswith(("_type", "_parsing")):
            expected = fault["msg"].removeprefix("Input should be ").replace("valid dictionary", "table")
            expected = expected.replace(" or instance of CellEntry", "").replace(" or instance of Grid", "")
            return f"{key} cannot be {shown(value)}; expected {expected}"
        case _:
            return f"{key} cannot be {shown(value)}: {fault['msg'][0].lower()}{fault['msg'][1:]}"


def is_union_tag(part: str) -> bool:
    """Whether a part of pydantic's location names an alternative of a union instead of a key of the file."""
    return part in {"int", "str", "bool", "[key]"} or part.startswith(
        ("list[", "dict[", "literal[", "constrained", "tagged")
    )


def fields_at(model: type[BaseModel], place: list[str | int]) -> list[str]:
    """The keys allowed at a place of the file."""
    for part in place:
        if isinstance(part, int):
            continue
        field = next((f for name, f in model.model_fields.items() if part in (name, f.alias)), None)
        nested = models_in(field.annotation) if field else []
        if not nested:
            return []
        model = nested[0]
    return [field.alias or name for name, field in model.model_fields.items()]


def models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in models_in(argument)]
