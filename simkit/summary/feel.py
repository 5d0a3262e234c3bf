"""How games go, from the observed sample of a run: what there is to decide, who leads when, and how often that turns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS, WHOLE
from simkit.stats.block_rates import block_rate
from simkit.stats.jackknife import jackknife
from simkit.stats.leads import leader_by_luck, runaway
from simkit.summary.counts import LEVEL

PERMILLE = 1000
MICRO = 1_000_000
TIMES = 10  # points of time: 5, 15, ... 95 % of the decisions
QUARTERS = (25, 50, 75)
SHARES = ("tied", "behind", "decided")  # thousandths of the decisions
ENDS = ("low", "high")
KINDS = ["cell", "kind", "playouts", "per_playout", "choices", "forced"]
HOPE = ["cell", "time", "share", "low", "high"]
FIGURES = (
    "decisions", "choices", "forced", "wait", "longest_wait", "lead_changes", *SHARES, "drama", "comeback",
    *(f"leader_{part}" for part in QUARTERS),
)  # fmt: skip
COLUMNS = [
    "cell", "playouts", "players", "alone", "cut",
    *(f"{name}{end}" for name in FIGURES for end in ("", "_low", "_high")),
    *(f"{name}_{part}" for name in ("led", "luck", "runaway") for part in QUARTERS), "no_return",
]  # fmt: skip


@dataclass(frozen=True)
class Sums:
    """The measures of one cell by block of deals: int64 (64,) each."""

    cell: Cell
    per_deal: int
    playouts: dict[str, Any]
    totals: dict[str, Any]

    @property
    def sample(self) -> int:
        return int(self.playouts["decisions"].sum())

    @property
    def deals(self) -> int:
        return -(-self.sample // self.per_deal)

    def rate(self, happened: Any, times: Any) -> tuple[float, float, float]:
        """A share of times, with its range from blocks; nan where there are none."""
        if times.sum() == 0:
            return np.nan, np.nan, np.nan
        found = block_rate(happened, times, self.deals, LEVEL)
        return found.rate, found.low, found.high

    def mean(self, total: Any, times: Any, scale: float = 1.0) -> tuple[float, float, float]:
        """A mean with its range from blocks; nan where there is nothing to average, without a range in a single block."""
        total, times = total[times > 0], times[times > 0]
        if times.size == 0:
            return np.nan, np.nan, np.nan
        if times.size == 1:
            return float(total[0] / times[0]) / scale, np.nan, np.nan
        found = jackknife(lambda t, n: t / n, total / scale, times, level=LEVEL)
        return found.estimate, found.low, found.high


def sums(recipe: Recipe, observed: pl.DataFrame) -> Iterator[Sums]:
    """Every cell of a run."""
    found: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {cell.id: ({}, {}) for cell in recipe.cells}
    measures = observed.filter(pl.col("kind") == "measure")
    for (number, name), rows in measures.partition_by("cell", "key", as_dict=True).items():
        for array, column in zip(found[number], ("playouts", "total"), strict=True):
            array[str(name)] = np.zeros(BLOCKS, np.int64)
            array[str(name)][rows["block"].to_numpy()] = rows[column].to_numpy()
    for cell in recipe.cells:
        arrays = found[cell.id]
        yield Sums(cell, recipe.replicates * recipe.rotations(cell), *arrays)


def feel(recipe: Recipe, observed: pl.DataFrame) -> pd.DataFrame:
    """One row per cell. Means and shares with their ranges (blocks of deals); nan where something is not defined.

    alone      : whether nobody can be ahead of another: a single seat, or a team
    cut        : playouts with a trace too long to be noted whole
    choices    : geometric mean of the number of choices of a decision     forced : decisions with one choice
    wait       : decisions of others between two turns of a seat; `longest_wait` : the longest of a playout
    lead_changes, comeback, drama : as in `engine/reduce.py`; drama is a share
    tied, behind, decided : shares of the decisions of a playout
    leader_25, ... : the part of the outcome of whoever led alone then; `led_25` in what share of playouts somebody did,
    `luck_25` what it would be by luck, `runaway_25` the difference as a share of what is left to 1
    no_return  : in games that came to nothing, by when in the middle the chance was above one in ten for the last time, as
    a share of the decisions
    """
    rows = [row_of(recipe, each) for each in sums(recipe, observed)]
    made = pd.DataFrame(rows, columns=COLUMNS)
    made["no_return"] = [no_return(observed.filter(pl.col("cell") == cell)) for cell in made["cell"]]
    return made


def row_of(recipe: Recipe, mine: Sums) -> dict[str, Any]:
    """The figures of one cell."""
    playouts, totals, players = mine.playouts, mine.totals, mine.cell.players
    nothing = np.zeros(BLOCKS, np.int64)
    decisions = totals["decisions"]
    bits = mine.mean(totals.get("choice_bits", nothing), decisions, MICRO)
    figures = {
        "decisions": mine.mean(decisions, playouts["decisions"]),
        "choices": tuple(2.0**end for end in bits),
        "forced": mine.rate(decisions - totals["real_decisions"], decisions),
        "wait": mine.mean(totals["waited"], totals["waits"]),
        "longest_wait": mine.mean(totals["longest_wait"], playouts["longest_wait"]),
    }
    for name in ("lead_changes", "comeback"):
        figures[name] = mine.mean(totals.get(name, nothing), playouts.get(name, nothing))
    figures["drama"] = mine.mean(totals.get("drama", nothing), playouts.get("drama", nothing), PERMILLE)
    for name in SHARES:
        figures[name] = mine.rate(totals.get(name, nothing) / PERMILLE, playouts.get(name, nothing))
    row: dict[str, Any] = {
        "cell": mine.cell.id,
        "playouts": mine.sample,
        "players": players,
        "alone": recipe.spec.cooperative or players == 1,
        "cut": int(totals["cut"].sum()),
    }
    for part in QUARTERS:
        name = f"leader_{part}"
        led = playouts.get(name, nothing)
        figures[name] = mine.rate(totals.get(name, nothing) / WHOLE, led)
        known = led.sum() > 0
        row[f"led_{part}"] = led.sum() / mine.sample if known else np.nan
        row[f"luck_{part}"] = leader_by_luck(players, part / 100) if known else np.nan
        row[f"runaway_{part}"] = runaway(figures[name][0], players, part / 100) if known else np.nan
    for name, (value, low, high) in figures.items():
        row |= {name: value, f"{name}_low": low, f"{name}_high": high}
    return row


def no_return(mine: pl.DataFrame) -> float:
    """The median point of time of the last hope in games that came to nothing; nan if there were none."""
    rows = mine.filter(pl.col("kind") == "no_return").sort("value")
    if rows.is_empty():
        return np.nan
    times, counts = rows["value"].to_numpy(), rows["playouts"].to_numpy()
    middle = times[np.searchsorted(np.cumsum(counts), counts.sum() / 2)]
    return float((2 * middle - 1) / (2 * TIMES)) if middle > 0 else 0.0


def hope(recipe: Recipe, observed: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and point of time (a share of the decisions): the share of seats that stand where hardly anybody
    (one in 50 or fewer) has the outcome in the end.
    """
    counted = observed.filter(pl.col("kind") == "hopeless")
    rows = []
    for each in sums(recipe, observed):
        mine = counted.filter(pl.col("cell") == each.cell.id)
        for (time,), part in sorted(mine.partition_by("value", as_dict=True).items()):
            share, low, high = each.rate(part["total"].to_numpy(), part["playouts"].to_numpy())
            rows.append((each.cell.id, (2 * int(time) + 1) / (2 * TIMES), share, low, high))
    return pd.DataFrame(rows, columns=HOPE)


def decision_kinds(recipe: Recipe, observed: pl.DataFrame) -> pd.DataFrame:
    """One row per cell and kind of decision that it had.

    playouts : share of playouts with one        per_playout : decisions per playout
    choices  : geometric mean of the number of choices      forced : share of decisions with one choice
    """
    rows = []
    samples = {each.cell.id: each.sample for each in sums(recipe, observed)}
    counted = observed.filter(pl.col("kind") == "decision")
    for part in counted.partition_by("cell", "key", maintain_order=True):
        total = dict(part.select("value", "total").iter_rows())
        cell, name, having = part.row(0, named=True)["cell"], part["key"][0], part["playouts"][0]
        times, sample = total[0], samples[cell]
        rows.append((
            cell, name, having / sample, times / sample,
            float(2.0 ** (total.get(2, 0) / MICRO / times)), total.get(1, 0) / times,
        ))  # fmt: skip
    return pd.DataFrame(rows, columns=KINDS)
