"""A game against the same game with a change: on the same deals, for each usual line-up."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from simkit import api, games
from simkit.answers.answer import played
from simkit.answers.axes import reason
from simkit.answers.difference import MARGIN, Comparison, Difference
from simkit.answers.setting import Setting
from simkit.errors import OptionError
from simkit.scenario.grid import Cell, Recipe, show_value
from simkit.scenario.validate import CellEntry, Grid
from simkit.spec import Value
from simkit.summary import tables

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

PLAYOUTS = 200_000  # of each cell, when nothing else is asked for


def question(
    game: str,
    options: Mapping[str, str],
    *,
    preset: str | None = None,
    players: int | None = None,
    policies: Mapping[str, str] | None = None,
    playouts: int | None = None,
    seed: int | None = None,
    box: Path | None = None,
    margin: float = MARGIN,
) -> api.Question:
    """A comparison group of two cells for each usual line-up (or the one that `policies` names): as it is, and changed.

    margin : points
    raises : UserError for anything wrong, also for options that are set to what they are already
    """
    if not options:
        games.get(game)
        raise OptionError(f"compare {game}: say what to change with --set OPTION=VALUE, or name two run folders")
    setting = Setting.of(
        game, preset=preset, players=players, policies=policies, playouts=PLAYOUTS if playouts is None else playouts,
        seed=seed, box=box, margin=margin,
    )  # fmt: skip
    changed = setting.spec.check_options(options)
    if setting.spec.resolve({**setting.fixed, **changed}) == setting.rules:
        told = ", ".join(f"{name} = {show_value(value)}" for name, value in changed.items())
        raise OptionError(f"--set: {preset or game} plays {told} anyway; there is nothing to compare")

    def entry(line_up: Mapping[str, str], options: Mapping[str, Value]) -> CellEntry:
        return CellEntry(players=setting.players, preset=preset, policies=dict(line_up), options=dict(options))

    return setting.question([Grid(cells=[entry(line_up, {}), entry(line_up, changed)]) for line_up in setting.line_ups])


def compare_variant(asked: api.Question, jobs: int | None = None, progress: "Progress | None" = None) -> Comparison:
    """Play a question made by `question`, in a folder that is thrown away, and compare the cells of each pair."""
    recipe, tallies = played(asked, None, False, jobs, progress)
    cells = tables.cells(recipe, tallies).set_index("cell")
    rates = {cell: (float(row["rate"]), float(row["low"]), float(row["high"])) for cell, row in cells.iterrows()}
    differences = []
    for row in tables.differences(recipe, tallies).to_dict("records"):
        a, b = recipe.cells[row["against"]], recipe.cells[row["cell"]]
        found = Difference(
            who=" / ".join(b.policies),
            change=row["change"],
            on=f"the same {row['deals']:,} deals",
            before=rates[a.id],
            after=rates[b.id],
            difference=row["difference"],
            low=row["low"],
            high=row["high"],
            spread=row["standard_error"] ** 2 * row["deals"],
            playouts=asked.playouts,
            margin=b.margin / 100,
            never_differed=row["only_here"] + row["only_there"] == 0,
            same_counts=counts(tallies, a).equals(counts(tallies, b)),
        )
        differences.append(found)
    return Comparison(recipe.spec, recipe.title, tuple(differences), tuple(without_effect(recipe)))


def counts(tallies: pl.DataFrame, cell: Cell) -> pl.DataFrame:
    """Everything that is counted of a cell by itself."""
    return tallies.filter(pl.col("cell") == cell.id, pl.col("kind") != "pair").drop("cell")


def without_effect(recipe: Recipe) -> Iterator[str]:
    """A sentence for every changed option that no rule of this game reads: its silence is expected."""
    spec = recipe.spec
    a, b = (recipe.cells[i] for i in recipe.groups[0].pairs[0])
    for name, value in b.options.items():
        option = spec.option(name)
        if value == a.options[name]:
            continue
        if option.only_policies:
            yield f"{name} changes no rule, only what policies may look at."
        elif not spec.matters(option, b.players, b.options) and not spec.matters(option, a.players, a.options):
            yield f"{name} does not matter here: {reason(spec, name, b.players, b.options)}."
