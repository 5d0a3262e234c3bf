"""The tables of a run, computed from its tallies alone."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe, show_value
from simkit.stats.histograms import histogram_quantile, mean_interval
from simkit.stats.intervals import rate_interval
from simkit.stats.paired import paired_difference

LEVEL = 0.95


def cells(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell: what it is, and the headline rate with its interval.

    For a game with roles the headline is the win rate of the first role; else that of whoever goes first.
    `exact` tells where the Clopper-Pearson interval was used. Rates are probabilities.
    """
    spec = recipe.spec
    rows = []
    for cell in recipe.cells:
        mine = tallies.filter(pl.col("cell") == cell.id)
        playouts = total(mine, "end_reason")
        wins = total(of_turn_order(mine, 0), "won", 1)
        low, high, exact = rate_interval(wins, playouts, LEVEL)
        row: dict[str, Any] = {
            "cell": cell.id,
            "group": recipe.groups[cell.group].name or cell.group,
            "label": cell.label,
            "players": cell.players,
            "preset": cell.preset,
            "policies": " / ".join(cell.policies),
            "playouts": playouts,
            "wins": wins,
            "rate": wins / playouts,
            "low": low,
            "high": high,
            "exact": exact,
            "target": np.nan if cell.target is None else cell.target / 100,
            "margin": cell.margin / 100,
            "truncated": total(mine, "end_reason", 0),
        }
        row |= {f"opt_{option.name}": show_value(cell.options[option.name]) for option in spec.options}
        rows.append(row)
    return pd.DataFrame(rows)


def seats(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and position in the turn order: wins, rate, interval."""
    spec = recipe.spec
    rows = []
    for cell in recipe.cells:
        mine = tallies.filter(pl.col("cell") == cell.id)
        playouts = total(mine, "end_reason")
        for turn_order in range(cell.players):
            wins = total(of_turn_order(mine, turn_order), "won", 1)
            low, high, _ = rate_interval(wins, playouts, LEVEL)
            role = spec.roles[turn_order] if spec.roles else ""
            rows.append([cell.id, turn_order, role, playouts, wins, wins / playouts, low, high])
    return pd.DataFrame(rows, columns=["cell", "turn_order", "role", "playouts", "wins", "rate", "low", "high"])


def end_reasons(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and end reason that the game knows: count and share with interval, also where the count is 0."""
    rows = []
    for cell in recipe.cells:
        mine = tallies.filter(pl.col("cell") == cell.id)
        playouts = total(mine, "end_reason")
        for value, reason in enumerate(recipe.spec.end_reasons):
            count = total(mine, "end_reason", value)
            low, high, _ = rate_interval(count, playouts, LEVEL)
            rows.append([cell.id, reason, count, count / playouts, low, high])
    return pd.DataFrame(rows, columns=["cell", "end_reason", "count", "share", "low", "high"])


def columns(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and counted column of a playout: mean with interval, 5, 50 and 95 % quantiles."""
    rows = []
    for cell in recipe.cells:
        mine = tallies.filter(pl.col("cell") == cell.id, pl.col("kind") == "playout")
        for column in recipe.spec.columns:
            if column.words:
                continue
            part = mine.filter(pl.col("column") == column.name).group_by("value").agg(pl.col("count").sum())
            values, counts = part["value"].to_numpy(), part["count"].to_numpy()
            mean, low, high = mean_interval(values, counts, LEVEL)
            quantiles = [histogram_quantile(values, counts, q) for q in (0.05, 0.5, 0.95)]
            rows.append([cell.id, column.name, mean, low, high, *quantiles])
    return pd.DataFrame(rows, columns=["cell", "column", "mean", "low", "high", "q05", "median", "q95"])


def differences(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per compared pair of cells: the headline rate of `cell` minus that of `against`, on the same deals.

    `variance_reduction` is how many times as many independent playouts would have been needed for the same precision.
    """
    rows = []
    for group in recipe.groups:
        for against, cell in group.pairs:
            pair = tallies.filter(pl.col("cell") == cell, pl.col("kind") == "pair", pl.col("other") == against)
            first = pair.filter(pl.col("turn_order") == 0)
            neither, only_there, only_here, both = (total(first, "won", value) for value in range(4))
            found = paired_difference(neither, only_there, only_here, both, LEVEL)
            rows.append(
                [
                    cell, against, what_changed(recipe.cells[against], recipe.cells[cell]), found.deals,
                    found.difference, found.low, found.high, found.standard_error, found.p_value,
                    found.variance_reduction, only_here, only_there,
                ]
            )  # fmt: skip
    names = [
        "cell", "against", "change", "deals", "difference", "low", "high", "standard_error", "p_value",
        "variance_reduction", "only_here", "only_there",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=names)


def what_changed(reference: Cell, other: Cell) -> str:
    """What tells a cell from its reference: options, preset, policies."""
    changes = [
        f"{name} = {show_value(value)}" for name, value in other.options.items() if value != reference.options[name]
    ]
    if other.preset != reference.preset:
        changes = [other.preset]
    if other.policies != reference.policies:
        changes.append(" / ".join(other.policies))
    return ", ".join(changes)


def of_turn_order(tallies: pl.DataFrame, turn_order: int) -> pl.DataFrame:
    return tallies.filter(pl.col("kind") == "player", pl.col("turn_order") == turn_order)


def total(tallies: pl.DataFrame, column: str, value: int | None = None) -> int:
    """How often a column took a value (any value when None)."""
    found = pl.col("column") == column
    if value is not None:
        found &= pl.col("value") == value
    return int(tallies.filter(found)["count"].sum())
