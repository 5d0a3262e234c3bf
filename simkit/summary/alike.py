"""Comparisons that must come out one way: seats that all play alike fare alike, a better policy is not worse."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl

from simkit.exact import Stronger
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS
from simkit.stats.block_rates import block_rate, seat_test_of_blocks
from simkit.stats.exchangeability import SeatTest, seat_test
from simkit.stats.normal import quantile, two_sided, upper_tail
from simkit.summary import known
from simkit.summary.counts import LEVEL, Counts
from simkit.summary.kept import Kept
from simkit.summary.line_ups import parts

ENOUGH = 100  # variance of a seat's total by chance: what far tails of chi-square need
ENOUGH_DEALS = 400  # deals in which the rotations differ


# --- seats ------------------------------------------------------------------------------------------------------


def seats(recipe: Recipe, tallies: pl.DataFrame, counted: Mapping[int, Counts]) -> Iterator[dict[str, Any]]:
    """Tables where all play one policy and nothing tells the seats apart: whichever seat it is, it fares alike."""
    had = by_slot(recipe, tallies)
    for cell in recipe.cells:
        if is_mirror(recipe, cell) and had[cell.id].any():
            found = slot_test(had[cell.id], counted[cell.id])
            if not np.isnan(found.p_value):
                yield {
                    "cell": cell.id,
                    "name": "all seats play alike and fare alike",
                    "place": "",
                    "of": int(counted[cell.id].playouts.sum()),
                    "z": found.statistic,
                    "p_value": found.p_value,
                }


def is_mirror(recipe: Recipe, cell: Cell) -> bool:
    return (
        recipe.spec.is_alike and cell.players > 1 and len(set(cell.policies)) == 1 and known.seats_alike(recipe, cell)
    )


def by_slot(recipe: Recipe, tallies: pl.DataFrame) -> dict[int, Any]:
    """How often each slot of a line-up had the outcome together with so many: int64 (64, slots, slots + 1) by cell."""
    found = {cell.id: np.zeros((BLOCKS, cell.players, cell.players + 1), np.int64) for cell in recipe.cells}
    mine = tallies.filter(pl.col("kind") == "slot")
    for (number,), part in mine.partition_by("cell", as_dict=True).items():
        places = tuple(part[name].to_numpy() for name in ("block", "slot", "value"))
        np.add.at(found[number], places, part["count"].to_numpy())
    return found


def slot_test(had: Any, mine: Counts) -> SeatTest:
    """Cochran's Q from who had the outcome with how many; by blocks of deals where deals are played more than once."""
    if mine.is_clustered:
        return seat_test_of_blocks(had.sum(axis=2), mine.playouts)
    slots = mine.cell.players
    many = np.arange(slots + 1)
    variance = float((had.sum(axis=(0, 1)) * (slots - many)).sum()) / (slots * (slots - 1))
    found = seat_test(had.sum(axis=(0, 2)), variance, int(mine.playouts.sum()))
    return found if variance >= ENOUGH else SeatTest(np.nan, slots - 1, np.nan, np.nan, found.method, False)


# --- rotations --------------------------------------------------------------------------------------------------


def rotations(recipe: Recipe, kept: Mapping[int, Kept]) -> Iterator[dict[str, Any]]:
    """Where policies change seats: moving them on by some seats must not change how often going first pays."""
    spec = recipe.spec
    for cell in recipe.cells:
        count = recipe.rotations(cell)
        if count < 2 or cell.id not in kept or not known.seats_alike(recipe, cell):
            continue
        first = first_had(kept[cell.id], spec.outcome)
        per_deal = count * recipe.replicates
        deals = len(first) // per_deal
        each = first[: deals * per_deal].reshape(deals, recipe.replicates, count).mean(axis=1)
        off = each - each.mean(axis=1, keepdims=True)
        if (off != 0).any(axis=1).sum() < ENOUGH_DEALS:
            continue
        for rotation in range(count):
            spread = float(off[:, rotation].std(ddof=1)) / deals**0.5
            z = float(off[:, rotation].mean()) / spread
            yield {
                "cell": cell.id,
                "name": "the same with policies in other seats",
                "place": str(rotation),
                "of": deals,
                "z": z,
                "p_value": float(two_sided(z)),
            }


def first_had(kept: Kept, outcome: str) -> Any:
    """Whether the first in the turn order had the outcome, by playout: float (playouts,)"""
    first = kept.players.filter(pl.col("turn_order") == 0).sort("playout")
    return first[outcome].to_numpy().astype(float)


# --- policies ---------------------------------------------------------------------------------------------------


def policies(recipe: Recipe, tallies: pl.DataFrame, counted: Mapping[int, Counts]) -> Iterator[dict[str, Any]]:
    """Pairs of which the game says that one policy does better, with the rules as printed: it must not do worse."""
    pairs = known.stronger(recipe.spec)
    plain = [cell for cell in recipe.cells if is_as_printed(recipe, cell)]
    found = among_alike(recipe, tallies, plain, pairs) if recipe.spec.is_alike else seat_by_seat(counted, plain, pairs)
    sign = 1 if recipe.spec.outcome == "won" else -1
    for cell, pair, gain, error in found:
        if error > 0:
            z = sign * gain / error
            yield {
                "cell": cell.id,
                "name": f"{pair.policy} does better than {pair.against}",
                "place": "",
                "rate": sign * gain,
                "z": z,
                "p_value": float(upper_tail(-z)),
            }


def is_as_printed(recipe: Recipe, cell: Cell) -> bool:
    """Whether it has the default rules, or those of its preset."""
    preset = recipe.spec.preset(cell.preset).options if cell.preset else {}
    return cell.options == recipe.spec.resolve(preset)


Gain = tuple[Cell, Stronger, float, float]  # where, what, how much more often the outcome, standard error


def seat_by_seat(counted: Mapping[int, Counts], cells: list[Cell], pairs: tuple[Stronger, ...]) -> Iterator[Gain]:
    """Cells that differ in the policy of one role, or of the whole team.

    Errors are those of independent cells: on shared deals the difference is surer than that.
    """
    rules: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        rules.setdefault((cell.players, *cell.options.values()), []).append(cell)
    for cell, other in (pair for same in rules.values() for pair in permutations(same, 2)):
        differ = [seat for seat in range(cell.players) if cell.policies[seat] != other.policies[seat]]
        for pair in pairs:
            swaps = {(cell.policies[seat], other.policies[seat]) for seat in differ}
            if swaps == {(pair.policy, pair.against)} and len(differ) in (1, cell.players):
                here, there = (counted[c.id].rated(counted[c.id].outcomes[:, differ[0]]) for c in (cell, other))
                errors = error_of(here.low, here.high), error_of(there.low, there.high)
                yield cell, pair, here.rate - there.rate, float(np.hypot(*errors))


def among_alike(
    recipe: Recipe, tallies: pl.DataFrame, cells: list[Cell], pairs: tuple[Stronger, ...]
) -> Iterator[Gain]:
    """One seat among seats that all play the other policy: its share of the outcome, less a fair one."""
    ids = {cell.id for cell in cells}
    for part in parts(recipe, tallies):
        for pair in pairs:
            if part.cell.id in ids and (part.policy, part.rest) == (pair.policy, pair.against):
                found = block_rate(part.credit, part.playouts, part.deals, LEVEL)
                yield part.cell, pair, found.rate - 1 / part.cell.players, error_of(found.low, found.high)


def error_of(low: float, high: float) -> float:
    """The standard error that a range stands for."""
    return float((high - low) / 2 / quantile(LEVEL))
