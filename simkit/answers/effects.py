"""What changes do to the headline of a game, on the same deals: differences with ranges that hold together, verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from simkit.answers.difference import Difference, Finding, Rate
from simkit.scenario.grid import Cell, Recipe, told_line_up
from simkit.spec import BLOCKS
from simkit.stats.block_rates import block_rate
from simkit.stats.multiplicity import family_wise_level
from simkit.stats.normal import student
from simkit.stats.paired import rare_difference
from simkit.summary import line_ups, tables, words
from simkit.summary.counts import LEVEL, counts
from simkit.summary.line_ups import Part

MATTERS, NOT, OPEN = "matters", "does not matter", "cannot be told yet"


@dataclass(frozen=True)
class Effect:
    """A changed cell against the first of its group. The range of `found` holds together with all of the group."""

    cell: Cell
    against: Cell
    found: Difference
    alone: tuple[float, float]  # the range of this difference by itself

    @property
    def word(self) -> str:
        match self.found.finding:
            case Finding.LARGER:
                return MATTERS
            case Finding.OPEN:
                return OPEN
            case _:
                return NOT

    @property
    def verdict(self) -> str:
        """The word, and what else a designer must know."""
        match self.found.finding:
            case Finding.SAME:
                return f"{NOT}: no difference on any deal"
            case Finding.WITHIN:
                return f"{NOT}: real, but within the limit"
            case Finding.OPEN:
                real = "real, but " if self.found.low > 0 or self.found.high < 0 else ""
                return f"{real}{OPEN}: about {self.found.playouts_needed:,} playouts would settle it"
            case _:
                return self.word


@dataclass(frozen=True)
class Block:
    """One line-up: what is measured, how it is with the rules as they are, and what each change does, the largest first."""

    group: int
    who: str
    measure: str
    before: Rate
    effects: tuple[Effect, ...]

    def count(self, word: str) -> int:
        return sum(effect.word == word for effect in self.effects)


def is_mixed(recipe: Recipe, cell: Cell) -> bool:
    """Whether alike seats play different policies: then what the first of them gets is measured, wherever it sits."""
    return not recipe.spec.roles and len(set(cell.policies)) > 1


def measure(recipe: Recipe, cell: Cell) -> str:
    """What is measured of a cell, in words."""
    if not is_mixed(recipe, cell):
        return words.headline(recipe.spec)
    policy = cell.policies[0]
    others = ", ".join(dict.fromkeys(name for name in cell.policies if name != policy))
    return f"share of the {words.outcome(recipe.spec).many} of {policy} among {others}"


def measured(recipe: Recipe, tallies: pl.DataFrame) -> dict[int, tuple[Any, Any]]:
    """For every cell what is measured and the playouts, by block of deals: float (64,) and int (64,)."""
    first: dict[int, Part] = {}
    for part in line_ups.parts(recipe, tallies):
        first.setdefault(part.cell.id, part)
    return {
        number: (first[number].credit if number in first else mine.outcomes[:, 0], mine.playouts)
        for number, mine in counts(recipe, tallies).items()
    }


def blocks(recipe: Recipe, tallies: pl.DataFrame) -> Iterator[Block]:
    """A block for each group of a recipe whose cells are all compared with its first."""
    rates = rates_of(recipe, tallies)
    playouts = {number: mine.deals for number, mine in counts(recipe, tallies).items()}
    plain, mixed = tables.differences(recipe, tallies), line_ups.effects(recipe, tallies)
    for number, group in enumerate(recipe.groups):
        first = recipe.cells[group.cells[0]]
        rows = (mixed if is_mixed(recipe, first) else plain).query("group == @number").to_dict("records")
        found = [effect(recipe, rates, row, playouts[first.id]) for row in rows]
        found.sort(key=lambda each: -abs(each.found.difference))
        yield Block(
            number, told_line_up(recipe.spec, first.policies), measure(recipe, first), rates[first.id], tuple(found)
        )


def rates_of(recipe: Recipe, tallies: pl.DataFrame) -> dict[int, Rate]:
    """What is measured of every cell, with its range."""
    found = {
        row["cell"]: (float(row["rate"]), float(row["low"]), float(row["high"]))
        for row in tables.cells(recipe, tallies).to_dict("records")
    }
    for number, (credit, playouts) in measured(recipe, tallies).items():
        if is_mixed(recipe, recipe.cells[number]):
            share = block_rate(credit, playouts, int(playouts.sum()))
            found[number] = (share.rate, share.low, share.high)
    return found


def effect(recipe: Recipe, rates: dict[int, Rate], row: dict[str, Any], deals: int) -> Effect:
    """A row of `tables.differences`, or of `line_ups.effects` where alike seats play different policies."""
    a, b = recipe.cells[row["against"]], recipe.cells[row["cell"]]
    level = family_wise_level(LEVEL, int(row["family"]))
    alone, together = (row["low"], row["high"]), (row["family_low"], row["family_high"])
    if is_mixed(recipe, a):
        error = (alone[1] - alone[0]) / 2 / student(LEVEL, BLOCKS - 1)
        never = row["difference"] == 0 and error == 0
        if never:  # blocks that all agree have no spread, and yet a rare difference may have been missed
            alone, together = (rare_difference(0, 0, deals, each) for each in (LEVEL, level))
    else:
        error, never = row["standard_error"], row["only_here"] + row["only_there"] == 0
    found = Difference(
        who=told_line_up(recipe.spec, b.policies),
        change=row["change"],
        on=f"the same {deals:,} deals",
        before=rates[a.id],
        after=rates[b.id],
        difference=row["difference"],
        low=together[0],
        high=together[1],
        spread=error**2 * deals,
        playouts=deals,
        margin=b.margin / 100,
        never_differed=bool(never),
        level=level,
    )
    return Effect(b, a, found, alone)
