"""Playouts turned into minutes, by an assumed pace."""

import pandas as pd
import polars as pl

from simkit.scenario.grid import Recipe
from simkit.scenario.pace import PACES, paces
from simkit.stats.histograms import histogram_quantile

MINUTES = ["cell", "pace", "mean", "q05", "median", "q95"]
QUANTILES = (0.05, 0.5, 0.95)


def minutes(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and pace: the minutes of a game, on average, and 5, 50 and 95 % of games at most.

    Means are exact. Counts of different columns are kept apart, not playout by playout: quantiles take a game that is long
    by one count to be as long by the others (they are those of comonotone counts).
    """
    profile = paces(recipe.game)
    names = {name for pace in PACES for name in profile.seconds(pace, max(recipe.spec.players))[1]}
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column").is_in(sorted(names)))
    sums = mine.group_by("cell", "column", "value").agg(pl.col("count").sum()).sort("cell", "column", "value")
    counted = sums.partition_by("cell", "column", as_dict=True)
    rows: list[list[object]] = []
    for cell in recipe.cells:
        found = {
            name: [counted[cell.id, name][field].to_numpy() for field in ("value", "count")] for name in sorted(names)
        }
        for pace in PACES:
            fixed, weights = profile.seconds(pace, cell.players)
            mean = fixed + sum(
                w * float((found[n][0] * found[n][1]).sum() / found[n][1].sum()) for n, w in weights.items()
            )
            ends = [
                max(fixed + sum(w * histogram_quantile(*found[n], q) for n, w in weights.items()), 0.0)
                for q in QUANTILES
            ]
            rows.append([cell.id, pace, mean / 60, *(seconds / 60 for seconds in ends)])
    return pd.DataFrame(rows, columns=MINUTES)
