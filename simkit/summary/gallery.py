"""Games worth looking at: of the rows that a run keeps of each cell, the few that say most.

What makes a game telling is one function each: it takes the rows of a cell and gives the playout. Who was ahead when is in no
row: the games with the largest comeback and the most changes of the lead are those of the observed sample.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import GameSpec
from simkit.summary.kept import Kept

SHOWN = 4  # cells whose games are looked through
RARE = 0.01  # endings of fewer playouts than this share have a game of their own
GALLERY = ["cell", "what", "playout", "length", "decisions", "end_reason", "margin", "seats", "policies", "extreme"]


@dataclass(frozen=True)
class Rows:
    """The rows of a cell as arrays, (playouts,)."""

    spec: GameSpec
    length: str  # the column that says how long a game is
    kept: Kept
    end_reasons: pd.DataFrame  # of all playouts of the cell

    def column(self, name: str) -> Any:
        """A column as whole numbers; words as their position."""
        column = next(c for c in self.spec.columns if c.name == name)
        values = self.kept.playouts[name]
        if column.words:
            return values.cast(pl.String).replace_strict({w: i for i, w in enumerate(column.words)}).to_numpy()
        return values.to_numpy().astype(np.int64)

    @property
    def is_whole(self) -> Any:
        """Playouts that were not cut off."""
        return self.column("end_reason") != 0

    @cached_property
    def margin(self) -> Any:
        """How far from the other result a game ended, or the best two scores from each other; None if nothing tells."""
        if any(c.name == "margin" for c in self.spec.columns):
            return np.abs(self.column("margin"))
        if not any(c.name == "score" for c in self.spec.player_columns):
            return None
        seats = self.kept.players["seat"].n_unique()
        if seats < 2:
            return None
        scores = self.kept.players.sort("seat", "playout")["score"].to_numpy().astype(np.int64).reshape(seats, -1)
        top = np.sort(scores, axis=0)
        return top[-1] - top[-2]


Pick = Callable[[Rows], int | None]  # the place of the playout among the rows


def first_least(values: Any, among: Any) -> int | None:
    """The first place of the smallest value among some."""
    places = np.flatnonzero(among)
    return int(places[np.argmin(values[places])]) if places.size else None


def closest(rows: Rows) -> int | None:
    return None if rows.margin is None else first_least(rows.margin, rows.is_whole)


def most_lopsided(rows: Rows) -> int | None:
    return None if rows.margin is None else first_least(-rows.margin, rows.is_whole)


def by_length(rows: Rows) -> Any:
    """Length, and among games of one length decisions."""
    decisions = rows.column("decisions")
    return rows.column(rows.length) * (int(decisions.max()) + 1) + decisions


def longest(rows: Rows) -> int | None:
    return first_least(-by_length(rows), rows.is_whole)


def shortest(rows: Rows) -> int | None:
    return first_least(by_length(rows), rows.is_whole)


def most_typical(rows: Rows) -> int | None:
    """With the most frequent ending, nearest to the medians of all columns: distances in units of what nine in ten span."""
    reasons = rows.column("end_reason")
    far = np.zeros(len(reasons))
    for column in rows.spec.columns:
        if not column.words:
            values = rows.column(column.name)
            low, middle, high = np.quantile(values, (0.05, 0.5, 0.95), method="inverted_cdf")
            far += np.abs(values - middle) / max(high - low, 1)
    return first_least(far, (reasons == np.bincount(reasons).argmax()) & rows.is_whole)


def on_show(recipe: Recipe, cells: list[Cell], most: int = SHOWN) -> list[Cell]:
    """A few of the cells, spread over player counts: those in which somebody plays more than at random, if there are any, and
    first of all the usual line-up.
    """
    usual = {players: line_ups[-1] for players, line_ups in recipe.spec.line_ups.items()}
    thinking = [cell for cell in cells if set(cell.policies) != {recipe.spec.policies[0].name}] or cells
    by_players: dict[int, list[Cell]] = {}
    for cell in sorted(thinking, key=lambda cell: cell.policies != usual.get(cell.players)):
        by_players.setdefault(cell.players, []).append(cell)
    chosen: list[Cell] = []
    for turn in range(max(map(len, by_players.values()))):
        chosen += [mine[turn] for mine in by_players.values() if turn < len(mine)]
    return sorted(chosen[:most], key=lambda cell: cell.id)


PICKS: Mapping[str, Pick] = {
    "most typical": most_typical,
    "closest": closest,
    "most lopsided": most_lopsided,
    "longest": longest,
    "shortest": shortest,
}


COMEBACK, COLLAPSE, CHANGES = "biggest comeback", "biggest turn for the worse", "most changes of the lead"


def gallery(
    recipe: Recipe,
    kept: Mapping[int, Kept],
    cells: list[Cell],
    length: str,
    end_reasons: pd.DataFrame,
    observed: pl.DataFrame | None = None,
) -> pd.DataFrame:
    """One row per telling game of some cells: what makes it so, its playout, and how it went.

    margin   : of the game's column or between the best two scores; missing where nothing tells
    seats    : who had the outcome, by role or seat; `policies` what they played
    extreme  : how large the comeback was (in units of the standing), how often the lead changed
    observed : the table of the observed sample, if there is one
    A rare ending of which no kept playout is has a row without a playout.
    """
    rows: list[dict[str, Any]] = []
    for cell in cells:
        if cell.id in kept:
            mine = Rows(recipe.spec, length, kept[cell.id], end_reasons[end_reasons["cell"] == cell.id])
            rows += ({"cell": cell.id, "what": what, **told(mine, place)} for what, place in picked(mine))
            if observed is not None:
                rows += ({"cell": cell.id, **found} for found in extremes(mine, cell, observed))
    numbers = ("playout", "length", "decisions", "margin", "extreme")
    return pd.DataFrame(rows, columns=GALLERY).astype(dict.fromkeys(numbers, "Int64"))


def extremes(rows: Rows, cell: Cell, observed: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """The games of the observed sample in which a measure is largest."""
    mine = observed.filter(pl.col("cell") == cell.id, pl.col("kind") == "extreme")
    turn = COMEBACK if rows.spec.outcome == "won" else COLLAPSE
    for key, what in (("comeback", turn), ("lead_changes", CHANGES)):
        for playout, total in mine.filter(pl.col("key") == key).select("value", "total").iter_rows():
            places = np.flatnonzero(rows.kept.playouts["playout"].to_numpy() == playout)
            if places.size:
                yield {"what": what, **told(rows, int(places[0])), "extreme": total}


def picked(rows: Rows) -> Iterator[tuple[str, int | None]]:
    for what, pick in PICKS.items():
        if (place := pick(rows)) is not None:
            yield what, place
    reasons = rows.column("end_reason")
    for reason in rows.end_reasons.rename(columns={"count": "times"}).itertuples():
        if reason.times > 0 and reason.share < RARE:
            places = np.flatnonzero(reasons == rows.spec.end_reasons.index(reason.end_reason))
            yield f"rare ending: {reason.end_reason.replace('_', ' ')}", int(places[0]) if places.size else None


def told(rows: Rows, place: int | None) -> dict[str, Any]:
    """What there is to tell of a playout."""
    if place is None:
        return {}
    spec, row = rows.spec, rows.kept.playouts.row(place, named=True)
    players = rows.kept.players.filter(pl.col("playout") == row["playout"], pl.col(spec.outcome) == 1).sort("seat")
    return {
        "playout": row["playout"],
        "length": row[rows.length],
        "decisions": row["decisions"],
        "end_reason": row["end_reason"],
        "margin": None if rows.margin is None else int(rows.margin[place]),
        "seats": ", ".join(spec.role(seat) for seat in players["seat"]),
        "policies": ", ".join(players["policy"].cast(pl.String)),
    }
