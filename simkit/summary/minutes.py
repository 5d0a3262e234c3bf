"""Playouts turned into minutes, by an assumed pace."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import polars as pl

from simkit.scenario.grid import Recipe
from simkit.scenario.pace import PACES, paces
from simkit.stats.histograms import histogram_quantile, power_sums

MINUTES = ["cell", "pace", "mean", "q05", "median", "q95"]
QUANTILES = (0.05, 0.5, 0.95)

Histograms = Mapping[str, tuple[Any, Any]]  # by column: values, counts


def minutes(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and pace: the minutes of a game, on average, and 5, 50 and 95 % of games at most. Without rows for a
    game without paces.

    Means are exact. Counts of different columns are kept apart, not playout by playout: quantiles take a game that is long
    by one count to be as long by the others (they are those of comonotone counts).
    """
    profile = paces(recipe.game)
    if profile is None:
        return pd.DataFrame(columns=MINUTES)
    names = sorted({name for pace in PACES for name in profile.seconds(pace, max(recipe.spec.players))[1]})
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column").is_in(names))
    sums = mine.group_by("cell", "column", "value").agg(pl.col("count").sum()).sort("cell", "column", "value")
    counted = {
        key: (part["value"].to_numpy(), part["count"].to_numpy())
        for key, part in sums.partition_by("cell", "column", as_dict=True).items()
    }
    rows = []
    for cell in recipe.cells:
        found = {name: counted[cell.id, name] for name in names}
        for pace in PACES:
            fixed, weights = profile.seconds(pace, cell.players)
            rows.append([cell.id, pace, *(seconds / 60 for seconds in of_game(found, fixed, weights))])
    return pd.DataFrame(rows, columns=MINUTES)


def of_game(found: Histograms, fixed: float, weights: Mapping[str, float]) -> list[float]:
    """Mean and quantiles of the seconds of a game: `fixed`, and so many for each that a column counts."""
    mean = fixed
    for name, weight in weights.items():
        count, total, *_ = power_sums(*found[name])
        mean += weight * total / count
    ends = [fixed + sum(w * histogram_quantile(*found[name], q) for name, w in weights.items()) for q in QUANTILES]
    return [mean, *(max(seconds, 0.0) for seconds in ends)]
