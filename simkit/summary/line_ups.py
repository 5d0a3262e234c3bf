"""Policies at tables of several: what a seat gets that plays one way among seats that play another."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS
from simkit.stats.block_rates import block_rate
from simkit.stats.jackknife import jackknife
from simkit.stats.multiplicity import family_wise_level
from simkit.summary.counts import LEVEL, counts, wide
from simkit.summary.tables import what_changed

SHARES = [
    "cell", "players", "policy", "seats", "others", "rest", "playouts", "credit", "share", "low", "high",
    "family_low", "family_high", "fair", "index",
]  # fmt: skip
EFFECTS = [
    "group", "cell", "against", "change", "policy", "others", "before", "after", "difference", "low", "high", "family_low",
    "family_high", "family",
]  # fmt: skip
GAPS = ["players", "rest", "policy", "against", "cell", "other", "difference", "low", "high"]


@dataclass(frozen=True)
class Part:
    """The seats of a cell that play one policy, and what they got. Credit is that of one such seat, per playout."""

    cell: Cell
    policy: str
    seats: int
    credit: Any  # (64,) sums
    playouts: Any  # (64,)
    deals: int
    looked: bool = False  # whether the run stopped because of what was seen of it

    def wide(self, level: float) -> float:
        """The level for ordinary intervals so that they hold at `level`."""
        return wide(level, self.deals, self.looked)

    @property
    def others(self) -> str:
        """'3 x open', '2 x open, 1 x random'."""
        rest = Counter(policy for policy in self.cell.policies if policy != self.policy)
        return ", ".join(f"{count} x {policy}" for policy, count in rest.items())

    @property
    def rest(self) -> str:
        """The policy of all others, for one seat among seats that play alike; else nothing."""
        rest = {policy for policy in self.cell.policies if policy != self.policy}
        return rest.pop() if self.seats == 1 and len(rest) == 1 else ""

    @property
    def rules(self) -> tuple[object, ...]:
        return (self.cell.players, self.cell.preset, *self.cell.options.items())


def parts(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> list[Part]:
    """The policies of every cell that mixes some, for games with alike seats."""
    mixed = [cell for cell in recipe.cells if len(set(cell.policies)) > 1]
    if not recipe.spec.is_alike or not mixed:
        return []
    counted = counts(recipe, tallies, looked)
    credit = by_slot(recipe, tallies)
    found = []
    for cell in mixed:
        here = counted[cell.id]
        for policy in dict.fromkeys(cell.policies):
            slots = [slot for slot, name in enumerate(cell.policies) if name == policy]
            mine = credit[cell.id][:, slots].sum(axis=1) / len(slots)
            found.append(Part(cell, policy, len(slots), mine, here.playouts, here.deals, looked))
    return found


def by_slot(recipe: Recipe, tallies: pl.DataFrame) -> dict[int, Any]:
    """The credit of each slot of a line-up, float (64, slots) by cell: its shares of the outcome, added up."""
    shares = tallies.filter(pl.col("kind") == "slot", pl.col("value") > 0)
    worth = shares.with_columns(credit=pl.col("count") / pl.col("value"))
    sums = worth.group_by("cell", "block", "slot").agg(pl.col("credit").sum())
    found = {cell.id: np.zeros((BLOCKS, cell.players)) for cell in recipe.cells}
    for (number,), mine in sums.partition_by("cell", as_dict=True).items():
        found[number][mine["block"].to_numpy(), mine["slot"].to_numpy()] = mine["credit"].to_numpy()
    return found


def shares(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per mixed cell and policy in it: what one seat of that policy gets of the outcome, and what would be fair.

    `rest` names the policy of all others where one seat plays among seats that play alike. `low`, `high` hold for the
    row alone, `family_low`, `family_high` for all rows of the run (Bonferroni); errors are those of blocks of deals.
    `credit` is 'share' (1/W of a playout where W had the outcome) or 'rate' (having it at all).
    Empty for games with roles, whose policies are compared seat by seat.
    """
    found = parts(recipe, tallies, looked)
    together = family_wise_level(LEVEL, len(found))
    rows = []
    for part in found:
        levels = part.wide(LEVEL), part.wide(together)
        alone, in_all = (block_rate(part.credit, part.playouts, part.deals, level) for level in levels)
        fair = 1 / part.cell.players
        rows.append(
            [
                part.cell.id, part.cell.players, part.policy, part.seats, part.others, part.rest,
                int(part.playouts.sum()), "share",
                alone.rate, alone.low, alone.high, in_all.low, in_all.high, fair, alone.rate / fair,
            ]
        )  # fmt: skip
    return pd.DataFrame(rows, columns=SHARES)


def gaps(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per pair of policies that were each played by one seat among the same others, under the same rules.

    `difference` is the credit of `policy` (in `cell`) less that of `against` (in `other`), per playout. The ranges hold
    for all pairs with the same others together. Cells share their blocks of deals, so the errors are right whether or
    not they share the deals.
    """
    odd: dict[tuple[object, ...], list[Part]] = {}
    for part in parts(recipe, tallies, looked):
        if part.rest:
            odd.setdefault((part.rules, part.rest), []).append(part)
    rows = []
    for group in odd.values():
        level = family_wise_level(LEVEL, len(group) * (len(group) - 1) // 2)
        for one, other in combinations(group, 2):
            fewer = min(one, other, key=lambda part: part.deals)
            found = jackknife(apart, both(one), both(other), level=fewer.wide(level))
            ends = float(found.estimate), float(found.low), float(found.high)
            rows.append([one.cell.players, one.rest, one.policy, other.policy, one.cell.id, other.cell.id, *ends])
    return pd.DataFrame(rows, columns=GAPS)


def effects(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per compared pair of mixed cells with the same policies, for the first policy of their line-up: what a change
    of rules does to what one of its seats gets. `before` and `after` are shares; the ranges of `difference` hold alone
    (`low`, `high`) and for all pairs of the group together. Errors are those of blocks of deals, which both cells share.
    """
    first = {part.cell.id: part for part in parts(recipe, tallies, looked) if part.policy == part.cell.policies[0]}
    rows = []
    for number, group in enumerate(recipe.groups):
        pairs = [(a, b) for a, b in group.pairs if a in first and b in first]
        pairs = [(a, b) for a, b in pairs if recipe.cells[a].policies == recipe.cells[b].policies]
        for against, cell in pairs:
            here, there = first[cell], first[against]
            levels = here.wide(LEVEL), here.wide(family_wise_level(LEVEL, len(pairs)))
            alone, in_all = (jackknife(apart, both(here), both(there), level=level) for level in levels)
            rows.append(
                [
                    number, cell, against, what_changed(recipe.cells[against], recipe.cells[cell]), here.policy, here.others,
                    rate(there), rate(here), float(alone.estimate), float(alone.low), float(alone.high), float(in_all.low),
                    float(in_all.high), len(pairs),
                ]
            )  # fmt: skip
    return pd.DataFrame(rows, columns=EFFECTS)


def rate(part: Part) -> float:
    return float(part.credit.sum() / part.playouts.sum())


def both(part: Part) -> Any:
    """Credit and playouts, (64, 2)."""
    return np.column_stack([part.credit, part.playouts])


def apart(one: Any, other: Any) -> float:
    return float(one[0] / one[1] - other[0] / other[1])
