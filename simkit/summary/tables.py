"""The tables of a run, computed from its tallies alone."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe, show_value
from simkit.stats.exchangeability import seat_test_of_patterns
from simkit.stats.histograms import histogram_quantile, mean_interval
from simkit.stats.intervals import rate_interval
from simkit.stats.multiplicity import family_wise_level
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

    `low`, `high` hold for the pair alone; `family_low`, `family_high` for all pairs of the group together (Bonferroni).
    `variance_reduction` is how many times as many independent playouts would have been needed for the same precision.
    """
    rows = []
    for number, group in enumerate(recipe.groups):
        family = family_wise_level(LEVEL, len(group.pairs))
        for against, cell in group.pairs:
            pair = tallies.filter(pl.col("cell") == cell, pl.col("kind") == "pair", pl.col("other") == against)
            first = pair.filter(pl.col("turn_order") == 0)
            neither, only_there, only_here, both = (total(first, "won", value) for value in range(4))
            found = paired_difference(neither, only_there, only_here, both, LEVEL)
            together = paired_difference(neither, only_there, only_here, both, family)
            rows.append(
                {
                    "group": number,
                    "cell": cell,
                    "against": against,
                    "change": what_changed(recipe.cells[against], recipe.cells[cell]),
                    "deals": found.deals,
                    "difference": found.difference,
                    "low": found.low,
                    "high": found.high,
                    "family_low": together.low,
                    "family_high": together.high,
                    "family": len(group.pairs),
                    "standard_error": found.standard_error,
                    "p_value": found.p_value,
                    "variance_reduction": np.nan if found.never_differed else found.variance_reduction,
                    "only_here": only_here,
                    "only_there": only_there,
                }
            )
    return pd.DataFrame(rows, columns=list(rows[0]) if rows else ["group", "cell", "against", "change"])


def blocks(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and block of deals: playouts, and wins of the headline."""
    wins = of_turn_order(tallies, 0).filter(pl.col("column") == "won", pl.col("value") == 1)
    playouts = tallies.filter(pl.col("kind") == "playout", pl.col("column") == "end_reason")
    keys = ["cell", "block"]
    counted = playouts.group_by(keys).agg(playouts=pl.col("count").sum())
    won = wins.group_by(keys).agg(wins=pl.col("count").sum())
    joined = counted.join(won, on=keys, how="left").with_columns(pl.col("wins").fill_null(0)).sort(keys)
    return pd.DataFrame(joined.to_dict(as_series=False))


def histogram(tallies: pl.DataFrame, column: str) -> pd.DataFrame:
    """One row per cell and value of a playout column: how often."""
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column") == column)
    counts = mine.group_by(["cell", "value"]).agg(pl.col("count").sum()).sort(["cell", "value"])
    return pd.DataFrame(counts.to_dict(as_series=False))


def seat_tests(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell with alike seats and one policy for all: is the order of play exchangeable?

    Empty for games with roles, whose seats are not alike. Ties between permutations are drawn from a fixed seed.
    """
    rows = []
    for cell in recipe.cells:
        if recipe.spec.roles or cell.players < 2 or len(set(cell.policies)) > 1:
            continue
        mine = tallies.filter(pl.col("cell") == cell.id, pl.col("kind") == "winners")
        counts = np.zeros(2**cell.players, np.int64)
        for value, count in mine.group_by("value").agg(pl.col("count").sum()).iter_rows():
            counts[value] = count
        found = seat_test_of_patterns(counts, np.random.default_rng(recipe.seed))
        rows.append([cell.id, found.statistic, found.degrees, found.p_value, found.concordance, found.method.value])
    names = ["cell", "statistic", "degrees", "p_value", "concordance", "method"]
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
