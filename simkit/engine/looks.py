"""Runs that stop when they know enough: when they look is fixed in advance, so they stop at the same playout everywhere."""

from collections.abc import Callable, Sequence

import polars as pl

from simkit.engine.plan import looks
from simkit.scenario.grid import Group, Recipe
from simkit.store import Run

Enough = Callable[[Group, pl.DataFrame], bool]  # from a group and the winners of its cells (a tally with `cell`)


def play_until(run: Run, play: Callable[[], None], is_enough: Enough) -> None:
    """Let the comparison groups of a run grow from look to look, each until it knows enough or has the most it may have.

    play : plays whatever the run lacks of its playouts. Parts that are there already count as they are, so a run that was
           interrupted goes the same way again. Cells of a group are on the same deals and grow together.
    """
    recipe, at_most, first_deals = run.recipe, run.until["at_most"], run.until["first_deals"]
    plans = [list(looks(recipe, group, at_most, first_deals)) for group in recipe.groups]
    winners = Winners(run)
    growing = list(range(len(plans)))
    sizes = [plan[0] for plan in plans]

    def has_seen_enough(number: int) -> bool:
        group = recipe.groups[number]
        return is_enough(group, winners.of(group.cells, sizes[number]))

    look = 0
    while growing:
        for number in growing:
            sizes[number] = plans[number][look]
        run.set_playouts(of_cells(recipe, sizes))
        play()
        growing = [number for number in growing if sizes[number] < at_most and not has_seen_enough(number)]
        look += 1


def of_cells(recipe: Recipe, of_groups: Sequence[int]) -> list[int]:
    """For each cell what its group has."""
    return [of_groups[cell.group] for cell in recipe.cells]


class Winners:
    """The sums of who won together, of the first playouts of each cell; every part is read once."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.sums: dict[int, pl.DataFrame] = {}
        self.parts: dict[int, int] = {}  # by cell, how many of its parts are in the sums

    def of(self, cells: Sequence[int], playouts: int) -> pl.DataFrame:
        """cell, kind, block, value, count of the first playouts of some cells; never fewer than were asked for before."""
        committed = self.run.committed()
        for cell in cells:
            frames = [self.sums[cell]] if cell in self.sums else []
            number = self.parts.get(cell, 0)
            while (part := committed.get((cell, number))) and part["first"] + part["playouts"] <= playouts:
                frame = self.run.read_part("tallies", cell, number).filter(pl.col("kind") == "winners")
                frames.append(frame.select("kind", "block", "value", "count").cast({"kind": pl.String}))
                number += 1
            self.parts[cell] = number
            keys = ["kind", "block", "value"]
            self.sums[cell] = pl.concat(frames).group_by(keys).agg(pl.col("count").sum()).sort(keys)
        return pl.concat(self.sums[cell].with_columns(cell=pl.lit(cell, pl.Int32)) for cell in cells)
