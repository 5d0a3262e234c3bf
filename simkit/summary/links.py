"""What goes with the outcome: the linked columns of a game, held against who had the outcome.

Cells of one group with the same players and policies are one table: they differ in rules or difficulty only, and are
compared each within itself. Seats of players are compared each with itself, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS, CARD_COMBINATIONS, Column
from simkit.stats.block_rates import block_rate
from simkit.stats.cards import adjusted, contrast
from simkit.summary import words
from simkit.summary.counts import LEVEL, Counts, counts

KEYS = ["group", "players", "policies", "cells", "column", "value", "name"]
GIVEN = [
    *KEYS, "of", "counted", "others", "rate", "rate_low", "rate_high", "difference", "low", "high", "p_value",
    "adjusted_p", "family", "is_thin",
]  # fmt: skip
FOUND = [*KEYS, "lost", "share", "low", "high"]


@dataclass(frozen=True)
class Setting:
    """The cells of a group that have the same players and policies."""

    group: int
    cells: tuple[Cell, ...]

    @property
    def keys(self) -> dict[str, Any]:
        first = self.cells[0]
        return {
            "group": self.group,
            "players": first.players,
            "policies": " / ".join(first.policies),
            "cells": len(self.cells),
        }


@dataclass(frozen=True)
class Link:
    """A value that a linked column can take. A flag has one link, for being 1."""

    column: Column
    value: int


def is_flag(column: Column) -> bool:
    return (column.low, column.high) == (0, 1)


def linked_to(recipe: Recipe, linked: str) -> dict[str, list[Link]]:
    """Every value of the columns of a playout, and of a player, that are linked in this way."""
    spec = recipe.spec
    return {
        of: [Link(c, v) for c in columns if c.linked == linked for v in values_of(c)]
        for of, columns in (("playout", spec.columns), ("player", spec.player_columns))
    }


def values_of(column: Column) -> Sequence[int]:
    return (1,) if is_flag(column) else range(column.low, column.high + 1)


def described(link: Link, said: dict[str, str]) -> dict[str, Any]:
    name = said.get(link.column.name, link.column.name.replace("_", " "))
    return {
        "column": link.column.name,
        "value": link.value,
        "name": name if is_flag(link.column) else f"{name} {link.value}",
    }


def settings(recipe: Recipe) -> list[Setting]:
    """All tables of a run, group by group."""
    found: dict[tuple[Any, ...], list[Cell]] = {}
    for cell in recipe.cells:
        found.setdefault((cell.group, cell.players, cell.policies), []).append(cell)
    return [Setting(key[0], tuple(cells)) for key, cells in found.items()]


def given(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per table and value that chance had dealt: how those fared who had it, and the difference to all others.

    of         : 'playout', and the rate is the headline's, or 'player', and it is the player's own
    counted    : playouts or players with the value; `rate` is how many of them had the outcome
    difference : to the others of the same cell (and seat), with its range (block jackknife over deals, which the cells of
                 a group share). `adjusted_p` over the `family` of values of a table that are not `is_thin`
                 (Benjamini and Hochberg)
    Values that all of a cell had, or none, in every cell, are left out, and tables that were
    partly played before such columns were counted.
    """
    rows: list[dict[str, Any]] = []
    if any(linked_to(recipe, "given").values()):
        counted, said = counts(recipe, tallies, looked), names(recipe)
        for setting in settings(recipe):
            level = counted[setting.cells[0].id].wide(LEVEL)
            for of, links in linked_to(recipe, "given").items():
                if not links or not is_whole(setting, of, links[0], tallies, counted):
                    continue
                for seats, whose in holders(recipe, setting, of):
                    figures = arrays(setting, of, seats, links, tallies, counted)
                    rows += (
                        {**row, "name": whose + row["name"]}
                        for row in rows_of(setting, of, links, *figures, said, level)
                    )
    return pd.DataFrame(rows, columns=GIVEN)


def holders(recipe: Recipe, setting: Setting, of: str) -> list[tuple[range, str]]:
    """Whose links are looked at together: positions in the turn order, and how to begin. Roles stand each for itself."""
    if of == "playout":
        return [(range(1), "")]
    seats = range(setting.cells[0].players)
    return (
        [(range(t, t + 1), f"{words.capital(recipe.spec.roles[t])}: ") for t in seats]
        if recipe.spec.roles
        else [(seats, "")]
    )


def names(recipe: Recipe) -> dict[str, str]:
    """What the game calls its linked columns, from its box, where it says so."""
    said = getattr(recipe.spec.module("box"), "link_names", None)
    return dict(said(recipe.box)) if said else {}


def is_whole(setting: Setting, of: str, link: Link, tallies: pl.DataFrame, counted: dict[int, Counts]) -> bool:
    """Whether everybody who had the outcome was counted together with a linked column."""
    ids = [cell.id for cell in setting.cells]
    mine = tallies.filter(
        pl.col("cell").is_in(ids), pl.col("kind") == f"{of}_had", pl.col("column") == link.column.name
    )
    seats = slice(None) if of == "player" else slice(1)
    return int(mine["count"].sum()) == sum(int(counted[cell].outcomes[:, seats].sum()) for cell in ids)


def arrays(
    setting: Setting, of: str, seats: range, links: Sequence[Link], tallies: pl.DataFrame, counted: dict[int, Counts]
) -> tuple[Any, Any]:
    """Those with each value, and everybody, as `stats.cards.contrast` takes them: strata are cells, and seats of them."""
    strata = [(cell.id, t) for cell in setting.cells for t in seats]
    place = {key: i for i, key in enumerate(strata)}
    number = {(link.column.name, link.value): k for k, link in enumerate(links)}
    with_it = np.zeros((BLOCKS, len(strata), len(links), CARD_COMBINATIONS, 2), np.int64)
    wanted = pl.col("column").is_in(list({name for name, _ in number})) & pl.col("block").is_not_null()
    mine = tallies.filter(pl.col("cell").is_in([cell.id for cell in setting.cells]), wanted)
    for figure, kind in enumerate((of, f"{of}_had")):
        rows = mine.filter(pl.col("kind") == kind).select("block", "cell", "turn_order", "column", "value", "count")
        for block, cell, turn_order, column, value, count in rows.iter_rows():
            if (column, value) in number and (cell, turn_order or 0) in place:
                with_it[block, place[cell, turn_order or 0], number[column, value], 1, figure] += count
    everybody = np.stack(
        [np.stack([counted[cell].playouts, counted[cell].outcomes[:, t]], axis=-1) for cell, t in strata], axis=1
    )
    return with_it, everybody


def rows_of(
    setting: Setting, of: str, links: Sequence[Link], with_it: Any, everybody: Any, said: dict[str, str], level: float
) -> Iterator[dict[str, Any]]:
    total = everybody[..., 0].sum()
    had = with_it[..., 0].sum(axis=(0, 1, 3))
    kept = np.flatnonzero((had > 0) & (had < total))
    if not kept.size:
        return
    found = contrast(with_it[:, :, kept], everybody, 1, "opening", level)
    p_values = adjusted(found)
    for i, k in enumerate(kept.tolist()):
        if np.isnan(found.difference[i]):  # all or none of a cell had it, in every cell
            continue
        yield (
            setting.keys
            | described(links[k], said)
            | {
                "of": of,
                "counted": int(found.players[i]),
                "others": int(found.others[i]),
                "rate": found.rate[i],
                "rate_low": found.rate_low[i],
                "rate_high": found.rate_high[i],
                "difference": found.difference[i],
                "low": found.low[i],
                "high": found.high[i],
                "p_value": found.p_value[i],
                "adjusted_p": p_values[i],
                "family": int((~np.isnan(p_values)).sum()),
                "is_thin": bool(found.is_thin[i]),
            }
        )


def found(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per table and thing found at the end: the share of the playouts lost in which it was so, with its range.

    Lost are those in which the first in turn order (in a co-operative game: the team) did not win; `lost` counts them.
    """
    rows: list[dict[str, Any]] = []
    links = [link for link in linked_to(recipe, "found")["playout"] if is_flag(link.column)]
    if not links:
        return pd.DataFrame(columns=FOUND)
    counted, said = counts(recipe, tallies, looked), names(recipe)
    is_good = recipe.spec.outcome == "won"
    for setting in settings(recipe):
        if not is_whole(setting, "playout", links[0], tallies, counted):
            continue
        with_it, everybody = arrays(setting, "playout", range(1), links, tallies, counted)
        happened, had = (with_it[..., 1, figure].sum(axis=1) for figure in (0, 1))  # (64, links)
        playouts, outcomes = everybody.sum(axis=1).T
        lost, times = (playouts - outcomes, happened - had) if is_good else (outcomes, had)
        if not lost.sum():
            continue
        deals = max(counted[cell.id].deals for cell in setting.cells)
        level = counted[setting.cells[0].id].wide(LEVEL)
        for k in np.flatnonzero(times.sum(axis=0)).tolist():
            rate = block_rate(times[:, k], lost, deals, level)
            figures = {"lost": int(lost.sum()), "share": rate.rate, "low": rate.low, "high": rate.high}
            rows.append(setting.keys | described(links[k], said) | figures)
    return pd.DataFrame(rows, columns=FOUND)
