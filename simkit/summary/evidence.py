"""All tables of a run together: what a report is written from."""

from dataclasses import dataclass

import pandas as pd
import polars as pl

from simkit.scenario.grid import Recipe
from simkit.spec import GameSpec
from simkit.summary import tables


@dataclass(frozen=True)
class Evidence:
    """The tables of a finished run. Rates and differences are probabilities."""

    recipe: Recipe
    playouts: int  # of each cell
    cells: pd.DataFrame
    seats: pd.DataFrame
    seat_tests: pd.DataFrame
    end_reasons: pd.DataFrame
    columns: pd.DataFrame
    differences: pd.DataFrame
    blocks: pd.DataFrame
    length: str  # the column that says how long a game is
    lengths: pd.DataFrame

    @property
    def spec(self) -> GameSpec:
        return self.recipe.spec

    @property
    def headline(self) -> str:
        return self.spec.headline or "First in turn order wins"

    def of_group(self, number: int) -> pd.DataFrame:
        """The cells of a group, in their order."""
        return self.cells[self.cells["cell"].isin(self.recipe.groups[number].cells)]


def gather(recipe: Recipe, playouts: int, tallies: pl.DataFrame) -> Evidence:
    length = "rounds" if any(column.name == "rounds" for column in recipe.spec.columns) else "decisions"
    return Evidence(
        recipe=recipe,
        playouts=playouts,
        cells=tables.cells(recipe, tallies),
        seats=tables.seats(recipe, tallies),
        seat_tests=tables.seat_tests(recipe, tallies),
        end_reasons=tables.end_reasons(recipe, tallies),
        columns=tables.columns(recipe, tallies),
        differences=tables.differences(recipe, tallies),
        blocks=tables.blocks(recipe, tallies),
        length=length,
        lengths=tables.histogram(tallies, length),
    )
