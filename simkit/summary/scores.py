"""Scores of those who had the outcome and of those who had not, and how often it was shared."""

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Recipe
from simkit.summary.counts import LEVEL, counts
from simkit.summary.tables import block_mean

WHOSE = ("all", "had", "others")
COLUMNS = ["cell", *(f"{whose}{end}" for whose in WHOSE for end in ("_mean", "_low", "_high"))]


def shared(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell for two and more of a game with alike seats: how often several seats had the outcome, and how often
    none, with intervals; `having` is how many had it on average.
    """
    rows = []
    for number, mine in counts(recipe, tallies, looked).items():
        if not recipe.spec.is_alike or mine.cell.players < 2:
            continue
        several = mine.rated(mine.having(2, mine.cell.players))
        nobody = mine.rated(mine.having(0, 0))
        having = float(mine.outcomes.sum() / mine.playouts.sum())
        rows.append([number, having, several.rate, several.low, several.high, nobody.rate, nobody.low, nobody.high])
    names = ["cell", "having", "shared", "low", "high", "nobody", "nobody_low", "nobody_high"]
    return pd.DataFrame(rows, columns=names)


def scores(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell for two and more of a game with alike seats whose players have a `score`: its mean over all players,
    over those who had the outcome, and over the others, with intervals that count a playout once.
    """
    mine = tallies.filter(pl.col("column") == "score")
    if not recipe.spec.is_alike or mine.is_empty():
        return pd.DataFrame(columns=COLUMNS)
    everybody = sums(mine.filter(pl.col("kind") == "player"))
    had = sums(mine.filter(pl.col("kind") == "had"))
    rows = []
    for number, counted in counts(recipe, tallies, looked).items():
        if counted.cell.players < 2:
            continue
        all_, with_it = everybody[number], had.get(number, everybody[number].clear())
        rest = pl.concat([all_, with_it.with_columns(count=-pl.col("count"))])
        row: list[float] = [number]
        for part in (all_, with_it, rest):
            row += block_mean(part, counted.wide(LEVEL)) if part.height and part["count"].sum() > 0 else (np.nan,) * 3
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def sums(counted: pl.DataFrame) -> dict[int, pl.DataFrame]:
    """Block, value and count of every cell."""
    together = counted.group_by("cell", "block", "value", maintain_order=True).agg(pl.col("count").sum())
    return {
        number: part.select("block", "value", "count")
        for (number,), part in together.partition_by("cell", as_dict=True).items()
    }
