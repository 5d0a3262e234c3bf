"""From a scenario to a recipe: every cell with all its options resolved, grouped for comparison."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby, pairwise, product
from math import prod
from pathlib import Path
from typing import Any

from simkit import games
from simkit.box_file import components
from simkit.errors import BoxError, OptionError, ScenarioError, UserError, shown, unknown
from simkit.kernel.plain import derive
from simkit.scenario.load import box_name, load_box
from simkit.scenario.provenance import origins
from simkit.scenario.swaps import told_swaps, with_swaps
from simkit.scenario.validate import CellEntry, Grid, Scenario, Setting
from simkit.spec import GameSpec, Value

RECIPE_VERSION = 1
MAX_CELLS = 5000


@dataclass(frozen=True)
class Cell:
    """One combination of player count, options and policies; `policies` holds one name per slot."""

    id: int
    group: int
    label: str
    players: int
    preset: str
    options: dict[str, Value]
    policies: tuple[str, ...]
    margin: float = field(default=2.0)
    target: float | None = field(default=None)
    swap: tuple[tuple[str, str], ...] = ()  # kinds of cards exchanged for others

    def content(self) -> dict[str, Any]:
        """What the results of a cell depend on."""
        content = {"players": self.players, "options": self.options, "policies": list(self.policies)}
        return content | ({"swap": [list(pair) for pair in self.swap]} if self.swap else {})


@dataclass(frozen=True)
class Group:
    """Cells that share their deals, and which pairs of them are compared: (reference, other)."""

    name: str
    cells: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    independent: bool = False


@dataclass(frozen=True)
class Recipe:
    """All that decides the results of a run, but for how many playouts there are; and what the report calls it."""

    game: str
    rules_version: int
    seed: int
    replicates: int
    rotate: bool
    box: dict[str, Any]
    cells: tuple[Cell, ...]
    groups: tuple[Group, ...]
    name: str = ""
    title: str = ""
    question: str = ""

    @property
    def spec(self) -> GameSpec:
        return games.get(self.game)

    @property
    def components(self) -> dict[str, Any]:
        """What of the box is played with."""
        return components(self.box)

    @property
    def folder(self) -> str:
        """Where a run of it goes if nothing else is said: always one folder below `runs`, whatever the scenario is called."""
        name = "".join(c if c.isalnum() or c in "-_." else "-" for c in self.name)
        return f"runs/{name[:60].lstrip('.')}-{self.hash[:8]}"

    def rotations(self, cell: Cell) -> int:
        return cell.players if self.rotate else 1

    def per_deal(self, cell: int) -> int:
        """How many playouts of a cell are played from one deal."""
        return self.replicates * self.rotations(self.cells[cell])

    def box_of(self, cell: Cell) -> Mapping[str, Any]:
        """The box that a cell is played with."""
        return with_swaps(self.spec, self.box, cell.swap)

    def exchanged_from(self, cell: Cell) -> tuple[str, ...]:
        """The kinds of cards of a cell that are exchanged in cells compared with it: who is dealt them is counted there."""
        compared = [self.cells[other] for first, other in self.groups[cell.group].pairs if first == cell.id]
        return tuple(dict.fromkeys(card for other in compared if not cell.swap for card, _ in other.swap))

    def root(self, cell: Cell) -> int:
        """The key of all streams of a cell: the seed, or a child of it named by the cell's content."""
        if not self.groups[cell.group].independent:
            return self.seed
        return derive(self.seed, int(sha256(cell.content())[:15], 16))

    def decisive(self) -> dict[str, Any]:
        """What the results depend on, as plain data."""
        return {
            "recipe_version": RECIPE_VERSION,
            "game": self.game,
            "rules_version": self.rules_version,
            "seed": str(self.seed),
            "replicates": self.replicates,
            "rotate": self.rotate,
            "box": self.components,
            "cells": [cell.content() | {"group": cell.group} for cell in self.cells],
            "groups": [{"pairs": group.pairs, "independent": group.independent} for group in self.groups],
        }

    @property
    def hash(self) -> str:
        return sha256(self.decisive())

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"seed": str(self.seed), "hash": self.hash, **about_box(self.box)}


def about_box(box: Mapping[str, Any]) -> dict[str, Any]:
    """What a manifest says of a box beside its content: the hash of its components, and how many of their numbers come from
    where.
    """
    return {"box_hash": sha256(components(box)), "box_provenance": origins(box)}


def sha256(content: Any) -> str:
    """SHA-256 of plain data, as canonical JSON."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def expand(scenario: Scenario, where: str = "") -> Recipe:
    """The recipe of a scenario. Raises a UserError that begins with `where`, the file, and names the key."""
    prefix = f"{where}: " if where else ""
    try:
        spec = games.get(scenario.game)
    except UserError as problem:
        raise ScenarioError(f"{prefix}game: {problem}") from None
    box = load_box(spec, Path(scenario.box) if scenario.box else None)
    cells: list[Cell] = []
    groups: list[Group] = []
    for i, grid in enumerate(scenario.grid):
        place = prefix + (f"grid entry {i + 1}: " if len(scenario.grid) > 1 else "grid: " if where else "")
        try:
            group = [
                resolve_cell(spec, entry, len(cells) + n, i, scenario, grid, box)
                for n, entry in enumerate(entries(spec, grid))
            ]
        except (OptionError, ScenarioError) as problem:
            raise ScenarioError(f"{place}{problem}") from None
        except BoxError as problem:
            raise BoxError(f"{place}{box_name(spec, scenario.box)}: {problem}") from None
        if not group:
            raise ScenarioError(f"{place}has no cells; players, presets, options, policies or cells is an empty list")
        for preset in grid.targets:
            if preset not in {cell.preset for cell in group}:
                names = sorted({cell.preset for cell in group if cell.preset})
                raise ScenarioError(f"{place}{unknown('targets: preset', preset, names)}")
        check_distinct(group, place)
        ids = tuple(cell.id for cell in group)
        pairs: tuple[tuple[int, int], ...] = ()
        if grid.compare == "baseline":
            pairs = tuple((ids[0], other) for other in ids[1:] if cells_compare(group, ids[0], other))
        elif grid.compare == "neighbours":
            pairs = tuple(sorted(pair for chain in chains(group) for pair in pairwise(chain)))
        groups.append(Group(grid.name, ids, () if grid.independent else pairs, grid.independent))
        cells += group
        if len(cells) > MAX_CELLS:
            raise ScenarioError(f"{place}more than {MAX_CELLS:,} cells; split the scenario")
    if scenario.rotate and spec.roles:
        raise ScenarioError(f"{prefix}rotate: the seats of {spec.title} are not alike, policies cannot change seats")
    recipe = Recipe(
        spec.name, spec.rules_version, scenario.seed, scenario.replicates, scenario.rotate, box,
        tuple(cells), tuple(groups), scenario.name, scenario.title or spec.title, scenario.question,
    )  # fmt: skip
    for cell in cells:
        unit = scenario.replicates * recipe.rotations(cell)
        if scenario.playouts % unit:
            raise ScenarioError(
                f"{prefix}playouts: {scenario.playouts} is not a multiple of {unit}, the playouts of a deal"
            )
    return recipe


def chains(group: list[Cell]) -> list[list[int]]:
    """The cells of a group that are neighbours of each other: same player count, same policies, in their order."""
    found: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for cell in group:
        found.setdefault((cell.players, cell.policies), []).append(cell.id)
    return list(found.values())


def cells_compare(group: list[Cell], a: int, b: int) -> bool:
    """Whether two cells of a group can be compared deal by deal: they need the same number of players."""
    by_id = {cell.id: cell for cell in group}
    return by_id[a].players == by_id[b].players


def check_distinct(group: list[Cell], place: str) -> None:
    seen: dict[str, str] = {}
    for cell in group:
        key = sha256(cell.content())
        if key in seen:
            raise ScenarioError(f"{place}cells {shown(seen[key])} and {shown(cell.label)} are the same")
        seen[key] = cell.label


def entries(spec: GameSpec, grid: Grid) -> Iterator[CellEntry]:
    """The cells of a grid, the baseline first."""
    if grid.cells is not None:
        if grid.players is not None or grid.presets is not None or grid.options or grid.policies:
            raise ScenarioError(
                "cells: a grid that lists its cells cannot also have players, presets, options or policies"
            )
        for entry in grid.cells:
            yield entry.model_copy(update={"options": {**grid.baseline, **entry.options}})
        return
    given: dict[str, Any] = {"players": grid.players, "presets": grid.presets, "policies": grid.policies or None}
    if isinstance(grid.options, dict):
        given |= {f"options.{name}": value for name, value in grid.options.items()}
    for name, value in given.items():
        check_once(name, as_list(value))
    lists = as_list(grid.players), as_list(grid.presets), as_list(grid.policies or None)
    check_count(prod(map(len, lists)))
    for players, preset, policies in product(*lists):
        base = CellEntry(players=players, preset=preset, policies=policies or {}, options=dict(grid.baseline))
        axes = option_axes(spec, grid, base)
        sizes = [len(values) for values in axes.values()]
        check_count(prod(map(len, lists)) * (prod(sizes) if grid.vary == "product" else 1 + sum(sizes)))
        if grid.vary == "one at a time":
            yield base
            known = spec.resolve({**preset_options(spec, base), **grid.baseline})
            for name, values in axes.items():
                for value in values:
                    if spec.option(name).check(value) != known[name]:
                        yield base.model_copy(update={"options": {**grid.baseline, name: value}})
        else:
            for combination in product(*axes.values()):
                chosen = dict(zip(axes, combination, strict=True))
                yield base.model_copy(update={"options": {**grid.baseline, **chosen}})


def check_count(cells: int) -> None:
    """Raise ScenarioError before more cells are made than a scenario may have."""
    if cells > MAX_CELLS:
        raise ScenarioError(f"{cells:,} cells, at most {MAX_CELLS:,} are supported; split the scenario")


def check_once(name: str, values: list[Any]) -> None:
    """Raise ScenarioError for a value that a list holds twice: told at once, however many cells it would make."""
    seen: set[str] = set()
    for value in values:
        written = json.dumps(value, sort_keys=True)
        if written in seen:
            raise ScenarioError(f"{name}: {shown(value)} is listed twice")
        seen.add(written)


def preset_options(spec: GameSpec, entry: CellEntry) -> Mapping[str, Value]:
    return spec.preset(entry.preset).options if entry.preset is not None else {}


def option_axes(spec: GameSpec, grid: Grid, base: CellEntry) -> dict[str, list[Setting]]:
    """The values each varied option takes. 'all' and 'rulings' stand for the options that matter in the baseline."""
    if isinstance(grid.options, dict):
        return {
            name: list(spec.option(name).values) if value == "all" else as_list(value)
            for name, value in grid.options.items()
        }
    players = players_of(spec, base)
    fixed = preset_options(spec, base)
    resolved = spec.resolve({**fixed, **base.options})
    return {
        option.name: list(option.values)
        for option in spec.options
        if option.name not in fixed
        and spec.matters(option, players, resolved)
        and (option.ruling or grid.options == "all")
    }


def players_of(spec: GameSpec, entry: CellEntry) -> int:
    if entry.players is not None:
        return spec.check_players(entry.players)
    return spec.preset(entry.preset).players if entry.preset is not None else max(spec.line_ups)


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def resolve_cell(
    spec: GameSpec, entry: CellEntry, number: int, group: int, scenario: Scenario, grid: Grid, box: Mapping[str, Any]
) -> Cell:
    """A cell with every option and policy settled, dealt once on paper to see that the box allows it."""
    players = players_of(spec, entry)
    preset = ""
    options: dict[str, object] = {}
    if entry.preset is not None:
        chosen = spec.preset(entry.preset)
        if chosen.players != players:
            raise OptionError(f"preset {chosen.name} is for {chosen.players} players, not {players}")
        preset = chosen.name
        options |= chosen.options
    changed = spec.check_options(entry.options)
    line_up = spec.complete_line_up(entry.policies, players)
    resolved = spec.resolve(options | changed)
    swap = tuple(entry.swap.items())
    spec.module("box").pack(resolved, with_swaps(spec, box, swap), players)
    label = entry.label or ", ".join(
        [label_of(spec, players, preset, changed, line_up), *([told_swaps(swap)] if swap else [])]
    )
    target = grid.targets.get(preset, grid.target if grid.target is not None else scenario.target)
    margin = grid.margin if grid.margin is not None else scenario.margin
    if target is not None and not 0 < target - margin < target + margin < 100:
        raise ScenarioError(
            f"target {target:g} with margin {margin:g} reaches beyond 0 to 100; choose a smaller margin"
        )
    return Cell(number, group, label, players, preset, resolved, line_up, margin, target, swap)


def label_of(spec: GameSpec, players: int, preset: str, changed: Mapping[str, Value], line_up: tuple[str, ...]) -> str:
    """What a person calls the cell: who plays, and what differs from the defaults."""
    differs = [f"{name}={show_value(value)}" for name, value in changed.items() if value != spec.option(name).default]
    where = preset or f"{players} players" if players > 1 or preset else "solo"
    return ", ".join([where, told_line_up(spec, line_up), *differs])


def told_line_up(spec: GameSpec, line_up: tuple[str, ...]) -> str:
    """Who plays: 'builder / blocker' by role, 'all open' or 'spoiler + 3 x open' where there are no roles."""
    return " / ".join(line_up) if spec.roles else gathered(line_up)


def gathered(line_up: tuple[str, ...]) -> str:
    """A line-up of alike seats: 'all open', 'open + 3 x random'."""
    runs = [(name, len(list(same))) for name, same in groupby(line_up)]
    if len(runs) == 1:
        return f"all {line_up[0]}" if len(line_up) > 1 else line_up[0]
    return " + ".join(name if count == 1 else f"{count} x {name}" for name, count in runs)


def show_value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
