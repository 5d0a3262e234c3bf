"""What the deal settles before anybody plays, and what who plays: from deals that were played several times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe, gathered, told_line_up
from simkit.spec import BLOCKS
from simkit.stats import luck
from simkit.stats.jackknife import jackknife
from simkit.stats.normal import Numbers
from simkit.summary.counts import LEVEL, wide

PARTS = ("deal", "policy", "interaction", "rest")
LUCK = ["cell", "players", "policies", "deals", "replays", "share", "low", "high"]
SPLIT = ["set", "cells", "players", "who", "policies", "others", "deals", "replays", "part", "share", "low", "high"]


@dataclass(frozen=True)
class Replays:
    """The replayed deals of a cell: the credit of each seat in each replay, int64 (deals, seats, replays)."""

    cell: Cell
    credit: Any

    @property
    def deals(self) -> int:
        return len(self.credit)

    @property
    def replays(self) -> int:
        return int(self.credit.shape[2])


def of_cells(recipe: Recipe, replayed: pl.DataFrame) -> dict[int, Replays]:
    columns = [name for name in replayed.columns if name.startswith("replay_")]
    found = {}
    for (number,), mine in replayed.sort("cell", "deal", "seat").partition_by("cell", as_dict=True).items():
        seats = mine["seat"].n_unique()
        credit = mine.select(columns).to_numpy().astype(np.int64).reshape(-1, seats, len(columns))
        found[int(number)] = Replays(recipe.cells[number], credit)
    return found


def blocks_of(values: Numbers) -> Any:
    """Summed over blocks of deals: (64, ...). values : (deals, ...)"""
    values = np.asarray(values)
    found = np.zeros((BLOCKS, *values.shape[1:]), np.int64)
    np.add.at(found, np.arange(len(values)) % BLOCKS, values)
    return found


def deal_luck(recipe: Recipe, replayed: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell with replayed deals: what share of the variance of the outcome the deal settles, over all seats
    together. Below 0 by chance where the deal hardly matters; missing where the outcome never varies.
    """
    rows = []
    for mine in of_cells(recipe, replayed).values():
        who, totals = told_line_up(recipe.spec, mine.cell.policies), mine.credit.sum(axis=2)
        sums = np.ones(mine.deals, int), totals, (mine.credit**2).sum(axis=2), totals**2
        found = jackknife(partial(share, mine.replays), *map(blocks_of, sums), level=wide(LEVEL, mine.deals, looked))
        ends = found.estimate, found.low, found.high
        rows.append([mine.cell.id, mine.cell.players, who, mine.deals, mine.replays, *ends])
    return pd.DataFrame(rows, columns=LUCK)


def share(replays: int, deals: Any, credit: Any, squared: Any, totals: Any) -> float:
    return luck.deal_luck(deals, replays, credit, squared, totals).share


def split(recipe: Recipe, replayed: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """Four rows per set of cells that differ in nothing but the policy of one seat, or of a whole team, on the same deals:
    what share of the variance of the outcome is due to the deal, to the policy, to deals that suit one policy and not
    another, and to chance after the deal. Every policy of the set is as likely as the other.

    who : the role, 'one seat', 'the team' or 'the player'     others : the policies of the rest
    """
    replays_of = of_cells(recipe, replayed)
    rows: list[list[Any]] = []
    for number, (who, seat, cells) in enumerate(sets(recipe, [recipe.cells[cell] for cell in sorted(replays_of)])):
        mine = [replays_of[cell.id] for cell in cells]
        deals, replays = min(one.deals for one in mine), mine[0].replays
        credit = np.stack([one.credit[:deals, seat] for one in mine], axis=1)  # (deals, policies, replays)
        by_policy = credit.sum(axis=2)
        sums = (
            np.ones(deals, int), by_policy, by_policy.sum(axis=1) ** 2, (credit.sum(axis=1) ** 2).sum(axis=1),
            (by_policy**2).sum(axis=1), (credit**2).sum(axis=(1, 2)),
        )  # fmt: skip
        found = jackknife(partial(shares, replays), *map(blocks_of, sums), level=wide(LEVEL, deals, looked))
        rest = "" if recipe.spec.cooperative else gathered(others(cells[0], seat))
        about = [
            number, ", ".join(str(cell.id) for cell in cells), cells[0].players, who,
            ", ".join(cell.policies[seat] for cell in cells), rest, deals, replays,
        ]  # fmt: skip
        ends = np.array([found.estimate, found.low, found.high])
        rows += ([*about, part, *ends[:, place]] for place, part in enumerate(PARTS))
    return pd.DataFrame(rows, columns=SPLIT)


def shares(replays: int, deals: Any, by_policy: Any, *squares: Any) -> Any:
    return luck.split(deals, replays, by_policy.astype(float), *squares).shares


def sets(recipe: Recipe, cells: Sequence[Cell]) -> Iterator[tuple[str, int, list[Cell]]]:
    """Cells that differ in one seat's policy alone and share their deals: who that is, its seat, and the cells."""
    spec = recipe.spec
    if spec.cooperative:
        alike = [cell for cell in cells if len(set(cell.policies)) == 1]
        for mine in several(recipe, alike, None):
            yield ("the team" if mine[0].players > 1 else "the player"), 0, mine
        return
    for seat in range(len(spec.roles) or 1):
        with_seat = [cell for cell in cells if cell.players > seat]
        for mine in several(recipe, with_seat, seat):
            yield (spec.role(seat) if spec.roles else "one seat"), seat, mine


def others(cell: Cell, seat: int) -> tuple[str, ...]:
    """The policies of all seats but one."""
    return (*cell.policies[:seat], *cell.policies[seat + 1 :])


def several(recipe: Recipe, cells: Sequence[Cell], seat: int | None) -> Iterator[list[Cell]]:
    """Cells with the same rules, cards, deals, and policies of all seats but one (or none), if they are several; one of each
    line-up.
    """
    found: dict[tuple[object, ...], dict[tuple[str, ...], Cell]] = {}
    for cell in cells:
        rules = (cell.players, cell.preset, *cell.options.items(), cell.swap, recipe.root(cell))
        rules += () if seat is None else others(cell, seat)
        found.setdefault(rules, {}).setdefault(cell.policies, cell)
    yield from (list(mine.values()) for mine in found.values() if len(mine) > 1)
