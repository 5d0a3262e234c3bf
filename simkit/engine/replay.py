"""One playout, told: as a story for people, as JSON Lines for programs. Both come from the kernel's own trace."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simkit.box_file import components
from simkit.engine.worker import Job, trace
from simkit.scenario.grid import Cell, Recipe, sha256, show_value
from simkit.scenario.swaps import told_swaps
from simkit.spec import Told


@dataclass(frozen=True)
class Replay:
    """A playout of a cell with all its events."""

    recipe: Recipe
    cell: Cell
    playout: int
    told: tuple[Told, ...]
    columns: dict[str, int]
    players: list[dict[str, int]]

    @property
    def line_up(self) -> dict[str, str]:
        """Policies by role or seat, as they sit in this playout."""
        spec, seats = self.recipe.spec, self.cell.players
        rotation = self.playout % self.recipe.rotations(self.cell)
        return {spec.role(seat): self.cell.policies[(seat - rotation) % seats] for seat in range(seats)}

    def story(self) -> Iterator[str]:
        spec = self.recipe.spec
        who = ", ".join(f"{role} = {policy}" for role, policy in self.line_up.items())
        changed = [
            f"{option.name} = {show_value(self.cell.options[option.name])}"
            for option in spec.options
            if self.cell.options[option.name] != option.default
        ]
        yield f"{spec.title}: {self.cell.preset or f'{self.cell.players} players'}; {who}"
        if changed:
            yield f"Options: {', '.join(changed)}"
        if self.cell.swap:
            yield f"Cards: {told_swaps(self.cell.swap)}"
        yield f"Seed {self.recipe.seed}, playout {self.playout}"
        yield ""
        yield from self.lines()

    def lines(self) -> list[str]:
        """The events alone."""
        return [told.line for told in self.told if told.line]

    def json_lines(self) -> Iterator[str]:
        spec = self.recipe.spec
        rotations = self.recipe.rotations(self.cell)
        start = {
            "event": "start",
            "game": spec.name,
            "rules_version": spec.rules_version,
            "players": self.cell.players,
            "preset": self.cell.preset or None,
            "options": self.cell.options,
            "policies": self.line_up,
            "box": sha256(components(self.recipe.box_of(self.cell))),
            "seed": self.recipe.seed,
            "playout": self.playout,
            "deal": self.playout // (rotations * self.recipe.replicates),
            "replicate": self.playout // rotations % self.recipe.replicates,
            "rotation": self.playout % rotations,
        }
        end: dict[str, Any] = {"event": "end"}
        for column in spec.columns:
            value = self.columns[column.name]
            end[column.name] = column.words[value] if column.words else value
        end["players"] = [{"seat": seat, "role": spec.role(seat), **row} for seat, row in enumerate(self.players)]
        for about in [start, *(told.about for told in self.told if told.about), end]:
            yield json.dumps(about)


def replay(recipe: Recipe, cell: Cell, playout: int) -> Replay:
    """Play one playout again, event by event."""
    job = Job.of(recipe, cell)
    events, columns, players = trace(job, playout)
    return Replay(recipe, cell, playout, tuple(recipe.spec.tell(events, job.rules)), columns, players)
