"""Which rules came into play in a run, and whether the components sufficed."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import polars as pl

from simkit.coverage import Ending, InColumn, Shown, Supply
from simkit.scenario.grid import Cell, Recipe
from simkit.stats.intervals import rate_interval

COVERAGE = ["cell", "clause", "what", "seen_in", "playouts", "deals", "having", "times"]
SUPPLIES = [
    "cell", "supply", "unit", "size", "used", "spare", "short", "playouts", "deals", "rate", "low", "high", "about",
]  # fmt: skip
ENDING, COLUMN, TRACE = "end reason", "column", "trace"


@dataclass(frozen=True)
class Histograms:
    """How often each column of a playout took each value, of one cell."""

    end_reasons: tuple[str, ...]
    counts: dict[str, dict[int, int]]

    def of(self, column: str) -> dict[int, int]:
        return self.counts[column]

    def having(self, by: InColumn | Ending) -> int:
        """Playouts with the column in a range, or with an end reason."""
        if isinstance(by, Ending):
            return self.of("end_reason").get(self.end_reasons.index(by.reason), 0)
        return sum(count for value, count in self.of(by.column).items() if by.low <= value <= by.high)

    @property
    def playouts(self) -> int:
        return sum(self.of("end_reason").values())


def cells(recipe: Recipe, tallies: pl.DataFrame) -> Iterator[tuple[Cell, Any, Histograms]]:
    """Every cell with its rules record and the histograms of its columns."""
    pack = recipe.spec.module("box").pack
    columns = tallies.filter(pl.col("kind") == "playout").group_by("cell", "column", "value").agg(pl.col("count").sum())
    counts: dict[int, dict[str, dict[int, int]]] = {cell.id: defaultdict(dict) for cell in recipe.cells}
    for cell_id, column, value, count in columns.iter_rows():
        counts[cell_id][column][value] = count
    for cell in recipe.cells:
        rules = pack(cell.options, recipe.box, cell.players)
        yield cell, rules, Histograms(recipe.spec.end_reasons, counts[cell.id])


def coverage(recipe: Recipe, tallies: pl.DataFrame, observed: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and thing that a clause foresees, if it can happen in that cell.

    deals    : different deals among the playouts, which alone are sure to be independent
    playouts : those looked at, the observed ones for what traces show, else all     having : those in which it happened
    times    : how often in all; for columns and end reasons the same as `having`
    """
    if recipe.spec.coverage is None:
        return pd.DataFrame(columns=COVERAGE)
    counted = observed.filter(pl.col("kind") == "clause").select("cell", "key", "playouts", "total")
    traced = {(cell, key): (having, times) for cell, key, having, times in counted.iter_rows()}
    sample = dict(
        observed.filter(pl.col("kind") == "measure", pl.col("key") == "decisions")
        .group_by("cell")
        .agg(pl.col("playouts").sum())
        .iter_rows()
    )
    rows = []
    for cell, rules, histograms in cells(recipe, tallies):
        for item in recipe.spec.coverage.shown:
            if not item.is_possible(cell.players, cell.options, rules):
                continue
            if not isinstance(item.by, tuple):
                having = histograms.having(item.by)
                of = histograms.playouts
                rows.append(
                    (cell.id, item.clause, item.what, seen_in(item), of, deals(recipe, cell, of), having, having)
                )
            elif (cell.id, item.name) in traced:  # else the table is from before it was looked for
                of = sample[cell.id]
                found = traced[cell.id, item.name]
                rows.append((cell.id, item.clause, item.what, TRACE, of, deals(recipe, cell, of), *found))
    return pd.DataFrame(rows, columns=COVERAGE)


def deals(recipe: Recipe, cell: Cell, playouts: int) -> int:
    """How many different deals so many playouts of a cell have."""
    return -(-playouts // (recipe.replicates * recipe.rotations(cell)))


def share_of_deals(happened: float, times: int, deals_: int) -> tuple[float, float]:
    """The range of a share, counting no more than one independent playout for each deal."""
    low, high, _ = rate_interval(deals_ * happened / times, deals_)
    return low, high


def seen_in(item: Shown) -> str:
    return ENDING if isinstance(item.by, Ending) else COLUMN


def supplies(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and component of which there are so many.

    used : the most that any playout had in use, missing if nothing tells it     spare : how many no playout needed
    short, rate, low, high : playouts in which there were not enough, their share with its range (one playout a deal)
    """
    if recipe.spec.coverage is None:
        return pd.DataFrame(columns=SUPPLIES)
    rows = []
    for cell, rules, histograms in cells(recipe, tallies):
        for supply in recipe.spec.coverage.supplies:
            size = supply.size(rules)
            used = most_used(supply, size, histograms)
            short = histograms.having(supply.short or InColumn(supply.used, size))
            of = histograms.playouts
            dealt = deals(recipe, cell, of)
            low, high = share_of_deals(short, of, dealt)
            spare = None if used is None else size - used
            rows.append((
                cell.id, supply.name, supply.unit, size, used, spare, short, of, dealt, short / of, low, high, supply.about,
            ))  # fmt: skip
    made = pd.DataFrame(rows, columns=SUPPLIES)
    return made.astype({"used": "Int64", "spare": "Int64"})


def most_used(supply: Supply, size: int, histograms: Histograms) -> int | None:
    """The largest number in use; None if no column tells it."""
    if not supply.used:
        return None
    values = histograms.of(supply.used)
    return size - min(values) if supply.is_left else max(values)
