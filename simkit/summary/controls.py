"""Whether a run can be trusted: what its counts must be, held against what they are.

Some controls allow no deviation at all (counts add up, laws of a game). Others have a p-value: what chance alone decides
against its exact probability, seats that must fare alike, a better policy against a worse one. All p-values of a run are
judged together, so that a run in which all is well raises a false alarm once in 1 / `ALARM` reports.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.exact import Chance
from simkit.scenario.grid import Cell, Recipe
from simkit.stats.intervals import clopper_pearson, exact_test
from simkit.stats.multiplicity import benjamini_hochberg, bonferroni, family_wise_level
from simkit.summary import known
from simkit.summary.alike import policies, rotations, seats
from simkit.summary.conservation import conserved, opening_cards, over_blocks, sums_of
from simkit.summary.counts import counts
from simkit.summary.kept import Kept

ALARM = 1e-4
COUNTS, CHANCES = "counts", "chances"
SEATS, ROTATIONS, POLICIES = "seats", "rotations", "policies"

CONTROLS = [
    "cell", "kind", "name", "place", "counted", "of", "rate", "exact", "low", "high", "z", "p_value", "adjusted",
    "adjusted_bh", "is_off",
]  # fmt: skip


def controls(recipe: Recipe, playouts: Sequence[int], tallies: pl.DataFrame, kept: Mapping[int, Kept]) -> pd.DataFrame:
    """One row per control and cell.

    playouts : of each cell, as the run says
    kind     : 'counts' (must be exact: `counted` sums out of `of` are wrong), 'chances' (`counted` of `of` deals against the
               probability `exact`), 'seats' and 'rotations' (must fare alike), 'policies' (the better one must not be worse)
    place    : position in the turn order, rotation, or the policies compared
    low, high: range of the rate, all ranges of the run together at 1 - ALARM (Clopper and Pearson)
    adjusted : p-value by Bonferroni over the whole run, `adjusted_bh` by Benjamini and Hochberg
    is_off   : it is wrong, or so unlikely that it must be
    """
    counted = counts(recipe, tallies)
    summed = over_blocks(tallies)
    rows: list[dict[str, Any]] = [
        *({"kind": COUNTS, **row} for row in conserved(recipe, playouts, tallies, summed, counted)),
        *({"kind": CHANCES, **row} for row in chances(recipe, playouts, summed)),
        *({"kind": SEATS, **row} for row in seats(recipe, tallies, counted)),
        *({"kind": ROTATIONS, **row} for row in rotations(recipe, kept)),
        *({"kind": POLICIES, **row} for row in policies(recipe, tallies, counted)),
    ]
    return judged(pd.DataFrame(rows, columns=CONTROLS))


def judged(table: pd.DataFrame) -> pd.DataFrame:
    """The table with all p-values held together, and the ranges of its rates."""
    p_values = table["p_value"].to_numpy(float)
    family = int((~np.isnan(p_values)).sum())
    table = table.assign(adjusted=bonferroni(p_values), adjusted_bh=benjamini_hochberg(p_values))
    rated = (table["kind"] == CHANCES).to_numpy()
    if rated.any():
        times, trials = (table.loc[rated, name].to_numpy(float) for name in ("counted", "of"))
        low, high = clopper_pearson(times, trials, family_wise_level(1 - ALARM, family))
        table.loc[rated, "low"], table.loc[rated, "high"] = low, high
    wrong = (table["kind"] == COUNTS) & (table["counted"] > 0)
    impossible = rated & table["exact"].isin([0.0, 1.0]) & (table["rate"] != table["exact"])
    return table.assign(is_off=wrong | impossible | (table["adjusted"] < ALARM))


# --- chances ----------------------------------------------------------------------------------------------------


def chances(recipe: Recipe, playouts: Sequence[int], summed: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """What chance alone decides, counted over deals: playouts of one deal have it in common."""
    counted = Occurrences(summed)
    for cell in recipe.cells:
        for chance in known.chances(recipe, cell):
            unit = recipe.rotations(cell) * (1 if chance.anew else recipe.replicates)
            if playouts[cell.id] % unit:
                continue  # the last deal was not played out
            for place, times, people in counted.of(cell, chance):
                yield occurrence(cell, chance, place, times, people * playouts[cell.id], unit)


def occurrence(cell: Cell, chance: Chance, place: str, times: int, trials: int, unit: int) -> dict[str, Any]:
    """One comparison. Counts that playouts of a deal do not have in common are impossible, and get a p-value of 0."""
    exact, rate = float(chance.exact), times / trials
    spread = (exact * (1 - exact) * unit / trials) ** 0.5
    p_value = np.nan
    if 0 < exact < 1:
        p_value = float(exact_test(times // unit, trials // unit, exact)) if times % unit == 0 else 0.0
    return {
        "cell": cell.id,
        "name": chance.name,
        "place": place,
        "counted": times // unit,
        "of": trials // unit,
        "rate": rate,
        "exact": exact,
        "z": (rate - exact) / spread if spread > 0 else np.nan,
        "p_value": p_value,
    }


class Occurrences:
    """How often columns took some values, and how many players had kinds of cards in their opening hands."""

    def __init__(self, summed: pl.DataFrame) -> None:
        self.playout = sums_of(summed, "playout", "column")
        self.player = sums_of(summed, "player", "column", "turn_order")
        self.cards = opening_cards(summed)

    def of(self, cell: Cell, chance: Chance) -> Iterator[tuple[str, int, int]]:
        """Place, how often, and how many it could happen to in a playout; nothing where the column was not counted."""
        if chance.of == "card":
            # a card that one has another cannot have, so the spread over players is at most that of separate hands
            if found := self.cards.get(cell.id):
                yield "", sum(found.get(kind, 0) for kind in chance.values), cell.players
        elif chance.of == "playout":
            if found := self.playout.get((cell.id, chance.column)):
                yield "", sum(found.get(value, 0) for value in chance.values), 1
        else:
            for turn_order in range(cell.players):
                if found := self.player.get((cell.id, chance.column, turn_order)):
                    yield str(turn_order), sum(found.get(value, 0) for value in chance.values), 1
