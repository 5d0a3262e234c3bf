"""All tables of a run together: what a report is written from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import GameSpec
from simkit.summary import cards, feel, line_ups, links, luck, rules, scores, tables, words
from simkit.summary.controls import controls
from simkit.summary.counts import counts
from simkit.summary.gallery import gallery, on_show
from simkit.summary.kept import Kept
from simkit.summary.minutes import minutes


@dataclass(frozen=True)
class Evidence:
    """The tables of a finished run. Rates and differences are probabilities."""

    recipe: Recipe
    looked: bool  # whether the run stopped because of what was seen of it, so that ranges must hold at any look
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
    supplies: pd.DataFrame
    observed: "Observed | None"  # how games go; None for a run from before that was looked at
    deal_luck: pd.DataFrame  # what the deal settles; empty for a run without replayed deals
    split: pd.DataFrame  # what the outcome is due to: deal, policy, both together, the rest

    @property
    def spec(self) -> GameSpec:
        return self.recipe.spec

    @property
    def playouts(self) -> str:
        """How many of each cell: '400,000', or '4,096 to 65,536'."""
        return words.from_to(self.cells["playouts"])

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
        """The cells with the default rules and cards; where there are none, those with the rules of the first cell."""
        return frozenset(cell.id for cell in plain_cells(self.recipe))

    @property
    def headline(self) -> str:
        return words.capital(words.headline(self.spec))

    def of_group(self, number: int) -> pd.DataFrame:
        """The cells of a group, in their order."""
        return self.cells[self.cells["cell"].isin(self.recipe.groups[number].cells)]


def plain_cells(recipe: Recipe) -> list[Cell]:
    """The cells with the default rules and cards; where there are none, those with the rules of the first cell."""
    cells = [cell for cell in recipe.cells if not cell.swap] or list(recipe.cells)
    default = recipe.spec.resolve({})
    rules = default if any(cell.options == default for cell in cells) else cells[0].options
    return [cell for cell in cells if cell.options == rules]


@dataclass(frozen=True)
class Observed:
    """The tables of the observed sample."""

    feel: pd.DataFrame
    hope: pd.DataFrame
    decisions: pd.DataFrame
    coverage: pd.DataFrame

    @classmethod
    def of(cls, recipe: Recipe, tallies: pl.DataFrame, observed: pl.DataFrame) -> "Observed":
        return cls(
            feel.feel(recipe, observed),
            feel.hope(recipe, observed),
            feel.decision_kinds(recipe, observed),
            rules.coverage(recipe, tallies, observed),
        )


def gather(
    recipe: Recipe,
    tallies: pl.DataFrame,
    looked: bool = False,
    playouts: Sequence[int] | None = None,
    kept: Mapping[int, Kept] | None = None,
    observed: pl.DataFrame | None = None,
    replayed: pl.DataFrame | None = None,
) -> Evidence:
    """All tables of a run from its tallies, and the few that need the rows of its first playouts, by cell.

    playouts : of each cell, as the run says; as many as were counted if not given
    observed : the table of the observed sample, if the run has one
    replayed : that of the replayed deals
    """
    playouts = playouts or [int(mine.playouts.sum()) for _, mine in sorted(counts(recipe, tallies).items())]
    kept = kept or {}
    endings = tables.end_reasons(recipe, tallies, looked)
    names = {column.name for column in recipe.spec.columns}
    length = next(name for name in ("rounds", "turns", "decisions") if name in names)
    return Evidence(
        recipe=recipe,
        looked=looked,
        cells=tables.cells(recipe, tallies, looked),
        seats=tables.seats(recipe, tallies, looked),
        seat_tests=tables.seat_tests(recipe, tallies),
        end_reasons=endings,
        columns=tables.columns(recipe, tallies, looked),
        differences=tables.differences(recipe, tallies, looked),
        blocks=tables.blocks(recipe, tallies),
        length=length,
        lengths=tables.histogram(tallies, length),
        shares=line_ups.shares(recipe, tallies, looked),
        gaps=line_ups.gaps(recipe, tallies, looked),
        effects=line_ups.effects(recipe, tallies, looked),
        shared=scores.shared(recipe, tallies, looked),
        scores=scores.scores(recipe, tallies, looked),
        cards=cards.cards(recipe, tallies, looked),
        given=links.given(recipe, tallies, looked),
        found=links.found(recipe, tallies, looked),
        minutes=minutes(recipe, tallies),
        controls=controls(recipe, playouts, tallies, kept),
        gallery=gallery(recipe, kept, on_show(recipe, plain_cells(recipe)), length, endings, observed),
        supplies=rules.supplies(recipe, tallies),
        observed=Observed.of(recipe, tallies, observed) if observed is not None else None,
        deal_luck=pd.DataFrame(columns=luck.LUCK) if replayed is None else luck.deal_luck(recipe, replayed, looked),
        split=pd.DataFrame(columns=luck.SPLIT) if replayed is None else luck.split(recipe, replayed, looked),
    )


def outline(recipe: Recipe, tallies: pl.DataFrame) -> Evidence:
    """What the verdicts on single tables need: cells, seats and the shares of policies. All other tables are empty."""
    empty = pd.DataFrame()
    return Evidence(
        recipe=recipe,
        looked=False,
        cells=tables.cells(recipe, tallies),
        seats=tables.seats(recipe, tallies),
        seat_tests=empty,
        end_reasons=empty,
        columns=empty,
        differences=empty,
        blocks=empty,
        length="",
        lengths=empty,
        shares=line_ups.shares(recipe, tallies),
        gaps=empty,
        effects=empty,
        shared=empty,
        scores=empty,
        cards=empty,
        given=empty,
        found=empty,
        minutes=empty,
        controls=empty,
        gallery=empty,
        supplies=empty,
        observed=None,
        deal_luck=empty,
        split=empty,
    )
