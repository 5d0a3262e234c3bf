"""All tables of a run together: what a report is written from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import GameSpec
from simkit.summary import cards, line_ups, links, scores, tables, words
from simkit.summary.controls import controls
from simkit.summary.gallery import gallery, on_show
from simkit.summary.kept import Kept
from simkit.summary.minutes import minutes


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
    shares: pd.DataFrame  # what policies get at tables that mix them; empty for games with roles
    gaps: pd.DataFrame
    effects: pd.DataFrame  # of changed rules on what a policy gets among others
    shared: pd.DataFrame
    scores: pd.DataFrame
    cards: pd.DataFrame
    given: pd.DataFrame  # what chance had dealt, and the outcome
    found: pd.DataFrame  # how things stood at the end of what was lost
    minutes: pd.DataFrame
    gallery: pd.DataFrame  # games worth looking at
    controls: pd.DataFrame  # whether the counts are what they must be

    @property
    def spec(self) -> GameSpec:
        return self.recipe.spec

    @property
    def outcome(self) -> words.Outcome:
        """How to speak of the outcome."""
        return words.outcome(self.spec)

    @property
    def is_alike(self) -> bool:
        """Whether the seats of the game can be compared with each other."""
        return self.spec.is_alike

    @cached_property
    def as_printed(self) -> frozenset[int]:
        """The cells with the default rules; where there are none, those with the rules of the first cell."""
        return frozenset(cell.id for cell in plain_cells(self.recipe))

    @property
    def headline(self) -> str:
        return words.capital(words.headline(self.spec))

    def of_group(self, number: int) -> pd.DataFrame:
        """The cells of a group, in their order."""
        return self.cells[self.cells["cell"].isin(self.recipe.groups[number].cells)]


def plain_cells(recipe: Recipe) -> list[Cell]:
    """The cells with the default rules; where there are none, those with the rules of the first cell."""
    default = recipe.spec.resolve({})
    rules = default if any(cell.options == default for cell in recipe.cells) else recipe.cells[0].options
    return [cell for cell in recipe.cells if cell.options == rules]


def gather(recipe: Recipe, playouts: int, tallies: pl.DataFrame, kept: Mapping[int, Kept] | None = None) -> Evidence:
    """All tables of a run from its tallies, and the few that need the rows of its first playouts, by cell."""
    kept = kept or {}
    endings = tables.end_reasons(recipe, tallies)
    names = {column.name for column in recipe.spec.columns}
    length = next(name for name in ("rounds", "turns", "decisions") if name in names)
    return Evidence(
        recipe=recipe,
        playouts=playouts,
        cells=tables.cells(recipe, tallies),
        seats=tables.seats(recipe, tallies),
        seat_tests=tables.seat_tests(recipe, tallies),
        end_reasons=endings,
        columns=tables.columns(recipe, tallies),
        differences=tables.differences(recipe, tallies),
        blocks=tables.blocks(recipe, tallies),
        length=length,
        lengths=tables.histogram(tallies, length),
        shares=line_ups.shares(recipe, tallies),
        gaps=line_ups.gaps(recipe, tallies),
        effects=line_ups.effects(recipe, tallies),
        shared=scores.shared(recipe, tallies),
        scores=scores.scores(recipe, tallies),
        cards=cards.cards(recipe, tallies),
        given=links.given(recipe, tallies),
        found=links.found(recipe, tallies),
        minutes=minutes(recipe, tallies),
        gallery=gallery(recipe, kept, on_show(recipe, plain_cells(recipe)), length, endings),
        controls=controls(recipe, playouts, tallies, kept),
    )
