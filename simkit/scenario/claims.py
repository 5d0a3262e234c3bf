"""A claims file: what a designer holds to be true of a game, as pydantic models, and the cells each claim is about."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError, field_validator, model_validator

from simkit.errors import ScenarioError, UserError, unknown
from simkit.scenario.grid import Recipe, expand
from simkit.scenario.load import load_scenario, read_toml
from simkit.scenario.validate import (
    MAX_PLAYOUTS,
    MAX_SEED,
    CellEntry,
    Grid,
    LineUp,
    Name,
    Scenario,
    Setting,
    Strict,
    Text,
    explain,
    spoken,
)

RATES = ("win_rate", "loss_rate", "first_seat_wins", "first_seat_loses")  # of one cell
EXTREMES = ("lowest_rate", "highest_rate")  # of all cells
SIZES = ("seat_gap", "seat_off", "target_gap", "largest_change")  # the largest of all cells, in points
Metric = Literal[
    "win_rate", "loss_rate", "first_seat_wins", "first_seat_loses", "lowest_rate", "highest_rate", "seat_gap", "seat_off",
    "target_gap", "largest_change",
]  # fmt: skip
UNCLAIMED = ("unbalanced", "undecided", "truncated")  # figures of a report that are counts and have no range
Number = Annotated[float, Field(ge=0, le=100, strict=False)]


class Claim(Strict):
    """One claim: a figure (`metric`) of a game with settings, or of a scenario's cells, and where it should lie."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$")]
    metric: Metric
    at_most: Number | None = None
    at_least: Number | None = None
    between: Annotated[list[Number], Field(min_length=2, max_length=2)] | None = None
    scenario: str | None = None
    players: int | None = None
    preset: str | None = None
    options: dict[str, Setting] = Field(default_factory=dict)
    policies: LineUp = Field(default_factory=dict)
    change: dict[str, Setting] = Field(default_factory=dict)
    seat: Name | None = None
    turn_order: Annotated[int, Field(ge=1)] | None = None

    @field_validator("metric", mode="before")
    @classmethod
    def counts_have_no_range(cls, value: Any) -> Any:
        if value in UNCLAIMED:
            raise ValueError(f"'{value}' is a count without a range; a claim needs a rate or a gap")
        return value

    @model_validator(mode="after")
    def limits_are_one(self) -> "Claim":
        given = [name for name in ("at_most", "at_least", "between") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"expected one of at_most, at_least and between, found {' and '.join(given) or 'none'}")
        if self.between and self.between[0] >= self.between[1]:
            raise ValueError("between: expected the lower limit first")
        return self

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """From, to; in points or per cent."""
        return (self.between[0], self.between[1]) if self.between else (self.at_least, self.at_most)


class Claims(Strict):
    """The claims about a game. `playouts` is the most that a cell may take."""

    game: str | None = None
    title: Text = ""
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 1
    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)] = 1_000_000
    box: str | None = None
    claim: Annotated[list[Claim], Field(min_length=1, max_length=500)]

    @field_validator("claim")
    @classmethod
    def names_differ(cls, value: list[Claim]) -> list[Claim]:
        names = [claim.name for claim in value]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"the name '{name}' is given twice")
        return value


def load_claims(path: Path) -> Claims:
    """A claims file, validated. Raises ScenarioError naming file, key, value, what is allowed and the nearest name."""

    def where(place: Sequence[object]) -> str:
        return f"{path}: {spoken(place)}"

    content = read_toml(path, ScenarioError)
    if "grid" in content and "claim" not in content:
        raise ScenarioError(f"{path}: is a scenario; simkit run plays it")
    try:
        claims = Claims.model_validate(content)
    except ValidationError as problem:
        raise ScenarioError(explain(problem, Claims, where)) from None
    except RecursionError:
        raise ScenarioError(f"{path}: nested too deeply") from None
    claims.box = str((path.parent / claims.box).resolve()) if claims.box else None
    return claims


def recipe_of(claims: Claims, claim: Claim, path: Path) -> Recipe:
    """The cells that a claim is about: those of its scenario, or one with its settings (and one with its change).

    raises : ScenarioError that names the file and the claim
    """
    try:
        scenario = scenario_of(claims, claim, path)
        recipe = expand(scenario, str(path.parent / claim.scenario) if claim.scenario else "")
        check_metric(recipe, claim)
    except UserError as problem:
        raise ScenarioError(f"{path}: claim {claim.name}: {problem}") from None
    return recipe


def scenario_of(claims: Claims, claim: Claim, path: Path) -> Scenario:
    settings = {"players": claim.players, "preset": claim.preset, "options": claim.options, "policies": claim.policies,
                "change": claim.change}  # fmt: skip
    if claim.scenario is not None:
        for name, value in settings.items():
            if value:
                raise ScenarioError(f"{name} goes with a game; {claim.scenario} says itself what is played")
        scenario = load_scenario(path.parent / claim.scenario)
        scenario.seed, scenario.playouts = claims.seed, claims.playouts
        return scenario
    if claims.game is None:
        raise ScenarioError("which game? expected game at the top of the file, or a scenario")
    if bool(claim.change) != (claim.metric == "largest_change"):
        raise ScenarioError("largest_change is about change, a table of options; no other metric has one")
    plain = CellEntry(players=claim.players, preset=claim.preset, options=claim.options, policies=claim.policies)
    cells = [plain]
    if claim.change:
        cells.append(plain.model_copy(update={"options": claim.options | claim.change}))
    scenario = Scenario(game=claims.game, name=claim.name, seed=claims.seed, grid=[Grid(cells=cells)])
    scenario.box, scenario.playouts = claims.box, claims.playouts
    return scenario


def check_metric(recipe: Recipe, claim: Claim) -> None:
    """Whether the metric is one of these cells. Raises ScenarioError."""
    spec, cells, metric = recipe.spec, recipe.cells, claim.metric
    if metric in RATES:
        outcome = "won" if "win" in metric else "lost"
        if spec.outcome != outcome:
            other = (
                "winners: win_rate or first_seat_wins"
                if spec.outcome == "won"
                else "losers: loss_rate or first_seat_loses"
            )
            raise ScenarioError(f"metric {metric}: {spec.title} has {other}")
        if len(cells) > 1:
            raise ScenarioError(
                f"metric {metric} is about one cell, here are {len(cells)}; see lowest_rate and highest_rate"
            )
        place_of(recipe, claim)
    elif claim.seat is not None or claim.turn_order is not None:
        raise ScenarioError(f"seat and turn_order go with win_rate and loss_rate, not with {metric}")
    if metric in ("seat_gap", "seat_off") and all(cell.players < 2 for cell in cells):
        raise ScenarioError(f"metric {metric} needs two players or more")
    if metric == "seat_off" and (spec.roles or any(len(set(cell.policies)) > 1 for cell in cells)):
        raise ScenarioError("metric seat_off needs seats that are alike and one policy for all")
    if metric == "target_gap" and all(cell.target is None for cell in cells):
        raise ScenarioError("metric target_gap needs a scenario whose cells have a target")
    if metric == "largest_change" and not any(group.pairs for group in recipe.groups):
        raise ScenarioError("metric largest_change needs cells that are compared with each other")


def place_of(recipe: Recipe, claim: Claim) -> int:
    """The position in the turn order, from 0, that a claim about a rate speaks of: the first if it names none."""
    spec, players = recipe.spec, recipe.cells[0].players
    if claim.seat is None and claim.turn_order is None:
        return 0
    if claim.metric not in ("win_rate", "loss_rate"):
        raise ScenarioError(f"seat and turn_order go with win_rate and loss_rate, not with {claim.metric}")
    if spec.roles:
        if claim.turn_order is not None:
            raise ScenarioError(f"turn_order: the seats of {spec.title} have roles; expected seat")
        if claim.seat not in spec.roles[:players]:
            raise ScenarioError(unknown("seat", claim.seat, spec.roles[:players]))
        return spec.roles.index(claim.seat)
    if claim.turn_order is None or claim.seat is not None:
        raise ScenarioError(f"seat: the seats of {spec.title} are alike; expected turn_order")
    if claim.turn_order > players:
        raise ScenarioError(f"turn_order cannot be {claim.turn_order}; expected 1 to {players}")
    return claim.turn_order - 1
