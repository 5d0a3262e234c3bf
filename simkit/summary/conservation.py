"""Counts that must be exact: every playout counted once everywhere, nothing outside its range, the laws of the game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from simkit.exact import Law
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS, CARD_COMBINATIONS, Column, GameSpec
from simkit.summary import known
from simkit.summary.counts import Counts

KEYS = {"cell": pl.Int32, "block": pl.Int16, "due": pl.Int64}
Values = dict[int, int]  # value: how often
OF_SEATS = (
    Law("decisions are counted with the seat", (("decisions", 1), ("player.decisions", -1))),
    Law(
        "decisions with a single choice are counted with the seat",
        (("forced_decisions", 1), ("player.forced_decisions", -1)),
    ),
)


def conserved(
    recipe: Recipe, playouts: Sequence[int], tallies: pl.DataFrame, summed: pl.DataFrame, counted: Mapping[int, Counts]
) -> Iterator[dict[str, Any]]:
    """One row per cell and thing that must be exact: how many of how many sums are wrong. summed : see `over_blocks`"""
    for name, found in every_sum(recipe, playouts, tallies, summed, counted):
        for cell in recipe.cells:
            wrong, sums = found.get(cell.id, (0, 0))
            if sums:
                yield {"cell": cell.id, "name": name, "place": "", "counted": wrong, "of": sums}
    yield from laws(recipe, summed)


# --- counts add up ----------------------------------------------------------------------------------------------

Wrong = dict[int, tuple[int, int]]  # by cell: sums that are wrong, and all


def every_sum(
    recipe: Recipe, playouts: Sequence[int], tallies: pl.DataFrame, summed: pl.DataFrame, counted: Mapping[int, Counts]
) -> Iterator[tuple[str, Wrong]]:
    spec = recipe.spec
    all_, had = played(recipe, playouts), outcomes(counted)
    columns = grouped(tallies, "playout", "column", "block")
    yield "every playout has one end reason", compare(columns.filter(pl.col("column") == "end_reason"), all_)
    yield "every playout is in every column", compare(columns, all_)
    whole = all_.group_by("cell").agg(pl.col("due").sum())
    yield "every player is in every column", compare(grouped(tallies, "player", "column", "turn_order"), whole)
    sets = "winners" if spec.outcome == "won" else "losers"
    yield f"every playout has one set of {sets}", compare(grouped(tallies, "winners", "block"), all_)
    mine = tallies.filter(pl.col("column") == spec.outcome, pl.col("value") == 1)
    yield f"{sets} are those of the sets", compare(grouped(mine, "player", "block", "turn_order"), had)
    together = had.group_by("cell", "block").agg(pl.col("due").sum())
    yield f"{sets} by policy are those by seat", compare(grouped(tallies, "slot", "block"), together)
    yield "every pair of playouts is counted", compare(grouped(tallies, "pair", "other", "turn_order", "block"), all_)
    here, there = tallies.filter(pl.col("value") >= 2), tallies.filter(pl.col("value") % 2 == 1)
    of_pair = ("other", "turn_order", "block")
    yield f"pairs have the {sets} of their own cell", compare(grouped(here, "pair", *of_pair), had)
    other = had.rename({"cell": "other"})
    yield f"pairs have the {sets} of the other cell", compare(grouped(there, "pair", *of_pair), other)
    people = tallies.filter(pl.col("column") == "all", pl.col("value") == 0)
    yield "every player's cards are counted", compare(grouped(people, "card", "block"), of_players(recipe, all_))
    yield "all values lie in their range", out_of_range(recipe, summed)
    yield f"counts of {sets} are part of all", no_more_than_all(tallies)
    if spec.cooperative:
        yield "all win or lose together", {number: divided(mine) for number, mine in counted.items()}


def over_blocks(tallies: pl.DataFrame) -> pl.DataFrame:
    """The tallies of a run over all blocks together, a tenth of the rows; `least` is the smallest count that went in."""
    keys = ["cell", "kind", "turn_order", "column", "value"]
    return tallies.group_by(keys).agg(pl.col("count").sum(), least=pl.col("count").min())


def grouped(tallies: pl.DataFrame, kind: str, *keys: str) -> pl.DataFrame:
    """The sum of the counts of a kind, by cell and keys."""
    return tallies.filter(pl.col("kind") == kind).group_by("cell", *keys).agg(pl.col("count").sum())


def played(recipe: Recipe, playouts: Sequence[int]) -> pl.DataFrame:
    """How many playouts each block of each cell has (`due`); deals are dealt out to the blocks in turn."""
    parts = []
    for cell in recipe.cells:
        per_deal = recipe.per_deal(cell.id)
        whole, rest = divmod(playouts[cell.id], per_deal)
        due = per_deal * (whole // BLOCKS + (np.arange(BLOCKS) < whole % BLOCKS).astype(np.int64))
        due[whole % BLOCKS] += rest
        parts.append(pl.DataFrame({"cell": cell.id, "block": np.arange(BLOCKS), "due": due}, KEYS))
    return pl.concat(parts).filter(pl.col("due") > 0)


def of_players(recipe: Recipe, playouts: pl.DataFrame) -> pl.DataFrame:
    seats = pl.col("cell").replace_strict({cell.id: cell.players for cell in recipe.cells}, return_dtype=pl.Int64)
    return playouts.with_columns(due=pl.col("due") * seats)


def outcomes(counted: Mapping[int, Counts]) -> pl.DataFrame:
    """How often each position in the turn order had the outcome, by block, from the sets of those who had it together."""
    parts = []
    for number, mine in counted.items():
        block, turn_order = np.nonzero(mine.outcomes)
        made = {"cell": number, "block": block, "turn_order": turn_order, "due": mine.outcomes[block, turn_order]}
        parts.append(pl.DataFrame(made, KEYS | {"turn_order": pl.Int16}))
    return pl.concat(parts).select("cell", "block", "turn_order", "due")


def compare(found: pl.DataFrame, due: pl.DataFrame) -> Wrong:
    """How many sums are not what is due. What was counted at all of a cell (of a column, of a pair) must be complete.

    found : cell, keys, `count`       due : cell (or other), some of the keys, `due`
    """
    on = [name for name in due.columns if name != "due"]
    more = [name for name in found.columns if name not in (*on, "count")]
    complete = found.select(on[0], *more).unique().join(due, on=on[0])
    both = complete.join(found, on=[*on, *more], how="full", coalesce=True)
    off = pl.col("due").fill_null(0) != pl.col("count").fill_null(0)
    summed = both.group_by("cell").agg(off.sum().alias("wrong"), pl.len().alias("sums"))
    return {cell: (wrong, sums) for cell, wrong, sums in summed.select("cell", "wrong", "sums").iter_rows()}


def out_of_range(recipe: Recipe, summed: pl.DataFrame) -> Wrong:
    """Counted values that their column does not allow."""
    spec = recipe.spec
    ranges = [
        (kind, column.name, column.low, column.high)
        for kind, columns in (("playout", spec.columns), ("player", spec.player_columns))
        for column in columns
    ]
    known = pl.DataFrame(ranges, ["kind", "column", "low", "high"], orient="row").cast({"kind": summed.schema["kind"]})
    values = summed.filter(pl.col("kind").is_in(["playout", "player"])).join(known, on=["kind", "column"])
    off = ~pl.col("value").is_between(pl.col("low"), pl.col("high")) | (pl.col("least") < 0)
    by_cell = values.group_by("cell").agg(off.sum().alias("wrong"), pl.len().alias("sums"))
    return {cell: (wrong, sums) for cell, wrong, sums in by_cell.iter_rows()}


def no_more_than_all(tallies: pl.DataFrame) -> Wrong:
    """Values counted more often with the outcome than at all."""
    found: Wrong = {}
    for kind, keys in (
        ("playout", ["column", "value", "block"]),
        ("player", ["column", "value", "block", "turn_order"]),
    ):
        had = grouped(tallies, f"{kind}_had", *keys)
        all_ = grouped(tallies.filter(pl.col("column").is_in(had["column"].unique().to_list())), kind, *keys)
        both = had.join(all_, on=["cell", *keys], how="left", suffix="_all")
        off = pl.col("count") > pl.col("count_all").fill_null(0)
        for cell, wrong, sums in (
            both.group_by("cell").agg(off.sum().alias("wrong"), pl.len().alias("sums")).iter_rows()
        ):
            before = found.get(cell, (0, 0))
            found[cell] = (before[0] + wrong, before[1] + sums)
    return found


def divided(mine: Counts) -> tuple[int, int]:
    """Playouts in which some of a team won and others did not."""
    patterns = mine.patterns.sum(axis=0)
    return int(patterns[1:-1].sum()), int(patterns.sum())


# --- laws of the game -------------------------------------------------------------------------------------------


def laws(recipe: Recipe, summed: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """The laws of the game in every cell: whether the sum over all playouts is what it must be.

    Left out: cells with playouts that were cut off, and laws about a column that has come to the end of what it counts.
    """
    sums = Sums(recipe.spec, summed)
    for cell in recipe.cells:
        if sums.has_cut_off(cell):
            continue
        for law in (*OF_SEATS, *known.laws(recipe, cell)):
            terms = [(sums.of(cell, name), weight) for name, weight in law.terms]
            if any(found is None for found, _ in terms):
                continue
            total = sum(weight * found for found, weight in terms if found is not None)
            wrong = int(total != law.total * sums.playouts(cell))
            yield {"cell": cell.id, "name": law.name, "place": "", "counted": wrong, "of": 1}


def sums_of(summed: pl.DataFrame, kind: str, *keys: str) -> dict[tuple[Any, ...], Values]:
    """How often each value was counted, over all blocks, by cell and keys."""
    mine = summed.filter(pl.col("kind") == kind).group_by("cell", *keys, "value").agg(pl.col("count").sum())
    found: dict[tuple[Any, ...], Values] = {}
    for *key, value, count in mine.iter_rows():
        found.setdefault(tuple(key), {})[value] = count
    return found


def opening_cards(summed: pl.DataFrame) -> dict[int, Values]:
    """How many players had each kind of card in their opening hand, by cell and kind."""
    code = pl.col("value")
    is_opening = (code // 2 % CARD_COMBINATIONS % 2 == 1) & (code % 2 == 0)
    mine = summed.filter(pl.col("kind") == "card", pl.col("column") == "card", is_opening)
    summed = mine.group_by("cell", (code // (2 * CARD_COMBINATIONS)).alias("card")).agg(pl.col("count").sum())
    found: dict[int, Values] = {}
    for cell, card, count in summed.iter_rows():
        found.setdefault(cell, {})[card] = count
    return found


class Sums:
    """What the columns of a cell add up to over all playouts."""

    def __init__(self, spec: GameSpec, summed: pl.DataFrame) -> None:
        self.spec = spec
        self.of_playouts = sums_of(summed, "playout", "column")
        self.of_players = sums_of(summed, "player", "column")
        self.cards = opening_cards(summed)
        self.columns = {column.name: column for column in spec.columns}
        self.player_columns = {column.name: column for column in spec.player_columns}

    def playouts(self, cell: Cell) -> int:
        return sum(self.of_playouts[cell.id, "end_reason"].values())

    def has_cut_off(self, cell: Cell) -> bool:
        return self.of_playouts[cell.id, "end_reason"].get(0, 0) > 0

    def of(self, cell: Cell, term: str) -> int | None:
        """A term of a law; None if it was not counted, or counted to the end of its range, where more may be hidden."""
        if term == "opening_cards":
            return sum(self.cards[cell.id].values()) if cell.id in self.cards else None
        if "=" in term:
            column, word = term.split("=")
            return self.of_playouts[cell.id, column].get(self.columns[column].words.index(word), 0)
        if term.startswith("player."):
            name = term.removeprefix("player.")
            return total(self.player_columns[name], self.of_players.get((cell.id, name), {}))
        return total(self.columns[term], self.of_playouts.get((cell.id, term), {}))


def total(column: Column, values: Values) -> int | None:
    """The sum of all values, or None as `Sums.of` says. A flag has no end beyond which there could be more."""
    ends = {column.high} | ({column.low} if column.low < 0 else set())
    if not values or (column.high > 1 and ends & values.keys()):
        return None
    return sum(value * count for value, count in values.items())
