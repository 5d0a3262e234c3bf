"""What most tables need of a run's tallies: who had the outcome together, and how often, by block of deals."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS, WHOLE
from simkit.stats.block_rates import block_rate
from simkit.stats.clusters import shared_credit
from simkit.stats.intervals import rate_interval
from simkit.stats.normal import quantile
from simkit.stats.sequential import anytime_level, rate_sequence, standard_errors

LEVEL = 0.95
AT_ANY_LOOK = "at any look"  # the method of ranges that hold however often one looks


@dataclass(frozen=True)
class Rated:
    """A rate with its interval, and how that was found: 'Wilson', 'exact', 'blocks' of deals, or 'at any look'."""

    rate: float
    low: float
    high: float
    method: str


@dataclass(frozen=True)
class Counts:
    """One cell. `patterns`: int64 (64, 2^seats), playouts by the set of turn-order positions that had the outcome.

    `looked` if it was stopped by what was seen of it: then its ranges are those that hold however often one looks.
    """

    cell: Cell
    per_deal: int
    patterns: Any
    looked: bool = False

    @cached_property
    def playouts(self) -> Any:
        """(64,)"""
        return self.patterns.sum(axis=1)

    @property
    def deals(self) -> int:
        return -(-int(self.playouts.sum()) // self.per_deal)

    @property
    def is_clustered(self) -> bool:
        """Whether deals are played more than once: then playouts are not independent."""
        return self.per_deal > 1

    @cached_property
    def outcomes(self) -> Any:
        """How often each position had the outcome, shared or not: int64 (64, seats)."""
        return self.patterns @ self.members

    @cached_property
    def shares(self) -> Any:
        """The share of the outcome that each position had, in units of 1/2520 of a playout: int64 (64, seats)."""
        return self.patterns @ self.credit

    @cached_property
    def members(self) -> Any:
        """Who is in each set: int64 (2^seats, seats)."""
        return (np.arange(self.patterns.shape[1])[:, None] >> np.arange(self.cell.players)) & 1

    @cached_property
    def credit(self) -> Any:
        """The share of each position in each set: 2520 / W where W have the outcome. int64 (2^seats, seats)."""
        return self.members * (WHOLE // np.maximum(self.members.sum(axis=1, keepdims=True), 1))

    def having(self, fewest: int, most: int) -> Any:
        """Playouts in which so many positions had the outcome: int64 (64,)."""
        many = self.members.sum(axis=1)
        return self.patterns[:, (many >= fewest) & (many <= most)].sum(axis=1)

    def rated(self, times: Any, level: float = LEVEL) -> Rated:
        """How often something happened in a playout. times: (64,)"""
        if self.is_clustered:
            found = block_rate(times, self.playouts, self.deals, self.wide(level))
            return Rated(found.rate, found.low, found.high, AT_ANY_LOOK if self.looked else "blocks")
        happened, playouts = int(times.sum()), int(self.playouts.sum())
        if self.looked:
            return Rated(happened / playouts, *rate_sequence(happened, playouts, level), AT_ANY_LOOK)
        low, high, exact = rate_interval(happened, playouts, level)
        return Rated(happened / playouts, low, high, "exact" if exact else "Wilson")

    def shared(self, position: int, level: float = LEVEL) -> Rated:
        """The share of the outcome that a position had, 1/W of a playout where W had it."""
        if (self.shares[:, position] == WHOLE * self.outcomes[:, position]).all():
            return self.rated(self.outcomes[:, position], level)
        if self.is_clustered or self.playouts.sum() < 2:
            found = block_rate(self.shares[:, position] / WHOLE, self.playouts, self.deals, self.wide(level))
            return Rated(found.rate, found.low, found.high, AT_ANY_LOOK if self.looked else "blocks")
        together, credit = self.patterns.sum(axis=0), self.credit[:, position]
        sums = Fraction(int(together @ credit), WHOLE), Fraction(int(together @ credit**2), WHOLE**2)
        found = shared_credit(int(together.sum()), *sums, self.wide(level))
        return Rated(found.rate, found.low, found.high, AT_ANY_LOOK if self.looked else "Wilson")

    def wide(self, level: float) -> float:
        """The level that an ordinary interval method must be given to have `level` at any look."""
        return wide(level, self.deals, self.looked)


def wide(level: float, deals: int, looked: bool) -> float:
    """The level of ordinary intervals so that they hold at `level`: the same, or higher if one looked and then stopped."""
    return anytime_level(level, deals) if looked else level


def widening(deals: int) -> float:
    """How many times as many deals it takes to be as sure when one looks at any time."""
    return float(standard_errors(deals, LEVEL) / quantile(LEVEL)) ** 2


def counts(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> dict[int, Counts]:
    """Every cell of a run, by its number. Cells that `tallies` says nothing of have no playouts."""
    sums = tallies.filter(pl.col("kind") == "winners").group_by("cell", "block", "value").agg(pl.col("count").sum())
    patterns = {cell.id: np.zeros((BLOCKS, 2**cell.players), np.int64) for cell in recipe.cells}
    for (number,), mine in sums.partition_by("cell", as_dict=True).items():
        patterns[number][mine["block"].to_numpy(), mine["value"].to_numpy()] = mine["count"].to_numpy()
    return {cell.id: Counts(cell, recipe.per_deal(cell.id), patterns[cell.id], looked) for cell in recipe.cells}
