"""The tables of a run, computed from its tallies alone.

`looked` says that the run stopped because of what was seen of it: then ranges are those that hold however often one looks,
about twice as wide. p-values are always those of a number of playouts fixed in advance.
"""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe, show_value
from simkit.scenario.swaps import told_swaps
from simkit.spec import BLOCKS
from simkit.stats.block_rates import seat_test_of_blocks
from simkit.stats.exchangeability import SeatTest, seat_test_of_patterns
from simkit.stats.histograms import histogram_quantile, mean_interval
from simkit.stats.jackknife import jackknife
from simkit.stats.multiplicity import family_wise_level, holm
from simkit.stats.paired import from_error, paired_difference
from simkit.stats.seat_gaps import fair_share_index
from simkit.summary.counts import LEVEL, Counts, counts, wide

__all__ = ["LEVEL", "blocks", "cells", "columns", "differences", "end_reasons", "histogram", "seat_tests", "seats"]

DIFFERENCES = [
    "group", "cell", "against", "change", "deals", "difference", "low", "high", "family_low", "family_high", "family",
    "standard_error", "p_value", "variance_reduction", "only_here", "only_there",
]  # fmt: skip


def cells(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell: what it is, and the headline rate with its interval.

    For a game with roles the headline is the rate of the outcome (winning, or losing) of the first role; else that of
    whoever goes first. `wins` counts it. `method` tells how the interval was found, and `exact` where it is that of
    Clopper and Pearson. Rates are probabilities.
    """
    cut = truncated(tallies)
    rows = []
    for number, mine in counts(recipe, tallies, looked).items():
        cell = mine.cell
        found = mine.rated(mine.outcomes[:, 0])
        row: dict[str, Any] = {
            "cell": number,
            "group": recipe.groups[cell.group].name or cell.group,
            "label": cell.label,
            "players": cell.players,
            "preset": cell.preset,
            "policies": " / ".join(cell.policies),
            "playouts": int(mine.playouts.sum()),
            "wins": int(mine.outcomes[:, 0].sum()),
            "rate": found.rate,
            "low": found.low,
            "high": found.high,
            "exact": found.method == "exact",
            "method": found.method,
            "target": np.nan if cell.target is None else cell.target / 100,
            "margin": cell.margin / 100,
            "truncated": cut.get(number, 0),
        }
        row |= {f"opt_{option.name}": show_value(cell.options[option.name]) for option in recipe.spec.options}
        rows.append(row)
    return pd.DataFrame(rows)


def truncated(tallies: pl.DataFrame) -> dict[int, int]:
    """How many playouts of each cell were cut off at the limit of decisions."""
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column") == "end_reason", pl.col("value") == 0)
    return dict(mine.group_by("cell").agg(pl.col("count").sum()).iter_rows())


def seats(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell and position in the turn order: how often it had the outcome, with its interval.

    For games with alike seats also its share of the outcome (1/W of a playout where W have it), which is 1/players where
    all positions fare alike: `share`, `share_low`, `share_high`, and `family_low`, `family_high` for all positions of
    the cell together (Bonferroni); `index` is the share as a multiple of a fair one.
    """
    alike = recipe.spec.is_alike
    rows = []
    for number, mine in counts(recipe, tallies, looked).items():
        for turn_order in range(mine.cell.players):
            found = mine.rated(mine.outcomes[:, turn_order])
            row: dict[str, Any] = {
                "cell": number,
                "turn_order": turn_order,
                "role": recipe.spec.roles[turn_order] if recipe.spec.roles else "",
                "playouts": int(mine.playouts.sum()),
                "wins": int(mine.outcomes[:, turn_order].sum()),
                "rate": found.rate,
                "low": found.low,
                "high": found.high,
            }
            rows.append(row | share(mine, turn_order) if alike else row)
    return pd.DataFrame(rows)


def share(mine: Counts, turn_order: int) -> dict[str, float]:
    """A position's share of the outcome, with its interval alone and with all positions together."""
    players = mine.cell.players
    alone = mine.shared(turn_order)
    together = mine.shared(turn_order, family_wise_level(LEVEL, players))
    return {
        "share": alone.rate,
        "share_low": alone.low,
        "share_high": alone.high,
        "family_low": together.low,
        "family_high": together.high,
        "index": float(fair_share_index(alone.rate, players)),
    }


def end_reasons(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell and end reason that the game knows: count and share with interval, also where the count is 0."""
    times = by_block(tallies, "end_reason", len(recipe.spec.end_reasons))
    rows = []
    for number, mine in counts(recipe, tallies, looked).items():
        for value, reason in enumerate(recipe.spec.end_reasons):
            here = times[number][:, value]
            found = mine.rated(here)
            rows.append([number, reason, int(here.sum()), found.rate, found.low, found.high])
    return pd.DataFrame(rows, columns=["cell", "end_reason", "count", "share", "low", "high"])


def by_block(tallies: pl.DataFrame, column: str, values: int) -> dict[int, Any]:
    """How often a playout column took its values 0, 1, ... in each cell: int64 (64, values)."""
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column") == column)
    found = {}
    for (number,), part in mine.partition_by("cell", as_dict=True).items():
        found[number] = np.zeros((BLOCKS, values), np.int64)
        np.add.at(found[number], (part["block"].to_numpy(), part["value"].to_numpy()), part["count"].to_numpy())
    return found


def columns(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell and counted column of a playout: mean with interval, 5, 50 and 95 % quantiles."""
    numbers = [column.name for column in recipe.spec.columns if not column.words]
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column").is_in(numbers))
    keys = ["cell", "column"]
    counted = mine.group_by(*keys, "value").agg(pl.col("count").sum()).sort(*keys, "value")
    histograms = counted.partition_by(*keys, as_dict=True)
    clustered = [cell.id for cell in recipe.cells if recipe.per_deal(cell.id) > 1]
    in_blocks = sums_of_blocks(mine.filter(pl.col("cell").is_in(clustered)), keys).partition_by(*keys, as_dict=True)
    rows = []
    for cell in recipe.cells:
        for name in numbers:
            together = histograms[cell.id, name]
            values, often = together["value"].to_numpy(), together["count"].to_numpy()
            level = wide(LEVEL, int(often.sum()) // recipe.per_deal(cell.id), looked)
            part = in_blocks.get((cell.id, name))
            mean = mean_interval(values, often, level) if part is None else mean_of_blocks(part, level)
            quantiles = [histogram_quantile(values, often, q) for q in (0.05, 0.5, 0.95)]
            rows.append([cell.id, name, *mean, *quantiles])
    return pd.DataFrame(rows, columns=["cell", "column", "mean", "low", "high", "q05", "median", "q95"])


def block_mean(part: pl.DataFrame, level: float = LEVEL) -> tuple[float, float, float]:
    """The mean of counted values (block, value, count), with an interval from the spread between blocks of deals."""
    return mean_of_blocks(sums_of_blocks(part, []), level)


def sums_of_blocks(counted: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Of counted values (keys, block, value, count) the total and the count of each block."""
    total = (pl.col("value").cast(pl.Int64) * pl.col("count")).sum()
    return counted.group_by(*keys, "block").agg(total=total, count=pl.col("count").sum()).sort(*keys, "block")


def mean_of_blocks(blocks: pl.DataFrame, level: float) -> tuple[float, float, float]:
    total, count = blocks["total"].to_numpy(), blocks["count"].to_numpy()
    if len(count) < 2:
        return float(total.sum() / count.sum()), np.nan, np.nan
    found = jackknife(lambda t, n: t / n, total, count, level=level, at_once=True)
    return float(found.estimate), float(found.low), float(found.high)


def differences(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per compared pair of cells: the headline rate of `cell` minus that of `against`, on the same deals.

    `low`, `high` hold for the pair alone; `family_low`, `family_high` for all pairs of the group together (Bonferroni).
    `variance_reduction` is how many times as many independent playouts would have been needed for the same precision.
    `only_here` and `only_there` count playouts. Deals that are played more than once have errors from their blocks.
    """
    first = tallies.filter(pl.col("kind") == "pair", pl.col("turn_order") == 0)
    parts = first.partition_by("cell", "other", as_dict=True)
    rows = []
    for number, group in enumerate(recipe.groups):
        for against, cell in group.pairs:
            four = np.zeros((BLOCKS, 4), np.int64)
            part = parts[cell, against]
            four[part["block"].to_numpy(), part["value"].to_numpy()] = part["count"].to_numpy()
            per_deal = recipe.per_deal(cell)
            found = {
                "group": number,
                "cell": cell,
                "against": against,
                "change": what_changed(recipe.cells[against], recipe.cells[cell]),
                "family": len(group.pairs),
                "only_there": int(four[:, 1].sum()),
                "only_here": int(four[:, 2].sum()),
            }
            rows.append(found | between(four, len(group.pairs), per_deal, looked))
    return pd.DataFrame(rows, columns=DIFFERENCES if rows else DIFFERENCES[:4])


def between(four: Any, family: int, per_deal: int, looked: bool) -> dict[str, Any]:
    """The difference of a pair. four : (64, 4), playouts with the outcome in neither, there only, here only, both."""
    neither, only_there, only_here, both = (int(count) for count in four.sum(axis=0))
    deals = int(four.sum()) // per_deal
    levels = [wide(level, deals, looked) for level in (LEVEL, family_wise_level(LEVEL, family))]
    found, together = (paired_difference(neither, only_there, only_here, both, level) for level in levels)
    row = {
        "deals": deals,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "family_low": together.low,
        "family_high": together.high,
        "standard_error": found.standard_error,
        "p_value": found.p_value,
        "variance_reduction": np.nan if found.never_differed else found.variance_reduction,
    }
    played = four[four.sum(axis=1) > 0]
    if per_deal == 1 or found.never_differed or len(played) < 2:
        return row

    def gap(sums: Any) -> float:
        return float((sums[2] - sums[1]) / sums.sum())

    alone, in_all = (jackknife(gap, played, level=level) for level in levels)
    error = float(alone.standard_error)
    spread = found.variance_reduction * found.standard_error**2  # of both cells, were their playouts independent
    return row | {
        "low": float(alone.low),
        "high": float(alone.high),
        "family_low": float(in_all.low),
        "family_high": float(in_all.high),
        "standard_error": error,
        "p_value": float(from_error(found.difference, error, len(played) - 1)),
        "variance_reduction": spread / error**2 if error > 0 else np.nan,
    }


def blocks(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and block of deals: playouts, and how often the headline came true (`wins`)."""
    rows = [
        (number, block, int(mine.playouts[block]), int(mine.outcomes[block, 0]))
        for number, mine in counts(recipe, tallies).items()
        for block in np.flatnonzero(mine.playouts).tolist()
    ]
    return pd.DataFrame(rows, columns=["cell", "block", "playouts", "wins"])


def histogram(tallies: pl.DataFrame, column: str) -> pd.DataFrame:
    """One row per cell and value of a playout column: how often."""
    mine = tallies.filter(pl.col("kind") == "playout", pl.col("column") == column)
    counted = mine.group_by(["cell", "value"]).agg(pl.col("count").sum()).sort(["cell", "value"])
    return pd.DataFrame(counted.to_dict(as_series=False))


def seat_tests(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell with alike seats and one policy for all: is the order of play exchangeable?

    Empty for games whose seats are not alike. Ties between permutations are drawn from a fixed seed.
    `adjusted` is the p-value by Holm over all rows.
    """
    rows = []
    for number, mine in counts(recipe, tallies).items():
        if not recipe.spec.is_alike or mine.cell.players < 2 or len(set(mine.cell.policies)) > 1:
            continue
        found = seat_test(recipe, mine)
        rows.append([number, found.statistic, found.degrees, found.p_value, found.concordance, found.method.value])
    names = ["cell", "statistic", "degrees", "p_value", "concordance", "method"]
    table = pd.DataFrame(rows, columns=names)
    return table.assign(adjusted=holm(table["p_value"].to_numpy(float)))


def seat_test(recipe: Recipe, mine: Counts) -> SeatTest:
    if mine.is_clustered:
        return seat_test_of_blocks(mine.outcomes, mine.playouts)
    return seat_test_of_patterns(mine.patterns.sum(axis=0), np.random.default_rng(recipe.seed))


def what_changed(reference: Cell, other: Cell) -> str:
    """What tells a cell from its reference: options, preset, policies."""
    changes = [
        f"{name} = {show_value(value)}" for name, value in other.options.items() if value != reference.options[name]
    ]
    if other.preset != reference.preset:
        changes = [other.preset]
    if other.swap != reference.swap:
        changes.append(told_swaps(other.swap))
    if other.policies != reference.policies:
        changes.append(" / ".join(other.policies))
    return ", ".join(changes)
