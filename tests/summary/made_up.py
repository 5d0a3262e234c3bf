"""A made-up game with alike seats, and runs of it: each playout has one winner (or loser), at times two, drawn by how strong
the policies and the places in the turn order are said to be. The rows are kept beside the tallies, to count again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from simkit.engine.tally import Layout, Tally, frame_of_pair
from simkit.scenario.grid import Cell, Group, Recipe, gathered
from simkit.spec import Column, GameSpec, Option, Policy, row_dtype
from simkit.summary.evidence import Evidence, gather

POLICIES = ("random", "bold", "sly")
Strength = Callable[[str, int, int], float]  # of a policy, at a place in the turn order, of so many players


def spec(outcome: str = "won") -> GameSpec:
    return GameSpec(
        package="nowhere",
        name="made_up",
        title="Made up",
        about="somebody is drawn",
        rules_version=1,
        players=(2, 3, 4, 5),
        options=(
            Option("deck", ("long", "short", "mixed"), "B1", "which deck", box=True),
            Option("twist", (False, True), "B2", "a rule", ruling=True),
        ),
        policies=tuple(Policy(name, code, name) for code, name in enumerate(POLICIES)),
        columns=(
            Column("end_reason", 0, 1, "why the game ended", words=("truncated", "over")),
            Column("decisions", 0, 20, "decisions"),
            Column("forced_decisions", 0, 20, "forced decisions"),
            Column("rounds", 1, 9, "rounds"),
        ),
        player_columns=(
            Column("turn_order", 0, 4, "position in the order of play"),
            Column(outcome, 0, 1, "the outcome"),
            Column("decisions", 0, 20, "decisions"),
            Column("forced_decisions", 0, 20, "forced decisions"),
            Column("score", -9, 30, "points"),
        ),
        line_ups={n: (("random",) * n,) for n in (2, 3, 4, 5)},
    )


@dataclass
class Asked:
    """A cell to be made: a line-up, options, and how strong everybody is (1 if nothing is said)."""

    policies: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    strength: Strength = lambda policy, place, players: 1.0
    ties: float = 0.0  # how often the outcome is shared with the next seat


@dataclass
class MadeUp:
    recipe: Recipe
    tallies: pl.DataFrame
    players: dict[int, Any]  # by cell: record array (playouts, seats)
    playouts: int

    @property
    def evidence(self) -> Evidence:
        return gather(self.recipe, self.tallies)


def made(
    game: GameSpec,
    asked: Sequence[Asked],
    playouts: int = 20_000,
    *,
    rotate: bool = False,
    replicates: int = 1,
    margin: float = 2.0,
    pairs: tuple[tuple[int, int], ...] = (),
    same_luck: bool = False,
) -> MadeUp:
    """A run. `games.get` must give `game` while it is looked at.

    same_luck : all playouts of a deal have the same first player and the same seat with the outcome
    """
    cells = tuple(
        Cell(i, 0, label(game, cell), len(cell.policies), "", game.resolve(cell.options), tuple(cell.policies), margin)
        for i, cell in enumerate(asked)
    )
    group = Group("", tuple(range(len(cells))), pairs)
    recipe = Recipe("made_up", 1, 7, replicates, rotate, {"title": "no box"}, cells, (group,), "made-up", "Made up")
    frames, players, masks = [], {}, {}
    tallies = {}
    for cell, wanted in zip(cells, asked, strict=True):
        per_deal = replicates * recipe.rotations(cell)
        rows, players[cell.id] = drawn(game, cell, wanted, playouts, recipe.rotations(cell), per_deal, same_luck)
        tallies[cell.id] = Tally(Layout.of(game, cell.players))
        masks[cell.id] = tallies[cell.id].add_rows(rows, players[cell.id], 0, replicates, recipe.rotations(cell))
        assert tallies[cell.id].outside == 0
    for other, this in pairs:
        per_deal = replicates * recipe.rotations(cells[this])
        pair = frame_of_pair(game.outcome, cells[this].players, other, masks[this], masks[other], 0, per_deal)
        frames.append(pair.with_columns(cell=pl.lit(this, pl.Int32)))
    for number, tally in tallies.items():
        frames.append(tally.frame().with_columns(cell=pl.lit(number, pl.Int32)))
    return MadeUp(recipe, pl.concat(frames), players, playouts)


def label(game: GameSpec, cell: Asked) -> str:
    told = [f"{name}={str(value).lower()}" for name, value in cell.options.items()]
    return ", ".join([f"{len(cell.policies)} players", gathered(tuple(cell.policies)), *told])


def drawn(
    game: GameSpec, cell: Cell, asked: Asked, playouts: int, rotations: int, per_deal: int, same_luck: bool
) -> tuple[Any, Any]:
    """Rows of playouts and players: int32 records (playouts,) and (playouts, seats)."""
    seats = cell.players
    generator = np.random.default_rng([11, cell.id])
    deal = np.arange(playouts) // per_deal if same_luck else np.arange(playouts)
    first = generator.integers(0, seats, playouts)[deal]
    turn_order = (np.arange(seats)[None, :] - first[:, None]) % seats
    slot = (np.arange(seats)[None, :] - (np.arange(playouts) % rotations)[:, None]) % seats
    table = np.array([[asked.strength(p, place, seats) for place in range(seats)] for p in cell.policies])
    luck = generator.gumbel(size=(playouts, seats))[deal]
    best = (np.log(table[slot, turn_order]) + luck).argmax(axis=1)
    rows = np.zeros(playouts, row_dtype(game.columns)).view(np.recarray)
    players = np.zeros((playouts, seats), game.player_dtype).view(np.recarray)
    rows.end_reason, rows.decisions = 1, 9
    rows.rounds = generator.integers(2, 7, playouts)
    had = np.zeros((playouts, seats), np.int32)
    had[np.arange(playouts), best] = 1
    tied = generator.random(playouts) < asked.ties
    had[tied, (best[tied] + 1) % seats] = 1
    players["turn_order"], players[game.outcome] = turn_order, had
    players["score"] = generator.integers(-5, 10, (playouts, seats)) + 12 * had
    return rows, players
