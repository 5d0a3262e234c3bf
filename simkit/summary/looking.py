"""When a run that looks at its results knows enough, and how that is told."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import polars as pl

from simkit.scenario.grid import Group, Recipe
from simkit.stats.sequential import FEWEST_DEALS, rate_sequence
from simkit.summary.counts import counts
from simkit.summary.words import count, from_to

STOPPED = "Playing stopped when the ranges were narrow enough. They are made wider for that, and hold however often one looks."


def is_narrow(recipe: Recipe, group: Group, winners: pl.DataFrame, width: float) -> bool:
    """Whether the range of the headline rate of every cell of a group is at most `width` points wide, end to end."""
    counted = counts(recipe, winners, looked=True)
    rates = (counted[cell].rated(counted[cell].outcomes[:, 0]) for cell in group.cells)
    return all(is_within(rate.low, rate.high, width) for rate in rates)


def is_within(low: float, high: float, width: float) -> bool:
    return 100 * (high - low) <= width


def first_look(width: float) -> int:
    """Playouts before which no range can be so narrow (points), not even that of something that never happened."""
    return least(lambda playouts: is_within(*rate_sequence(0, playouts), width), FEWEST_DEALS)


def enough(width: float) -> int:
    """Playouts after which the range of every rate is so narrow (points): one half takes most."""
    return least(lambda playouts: is_within(*rate_sequence(playouts / 2, playouts), width), FEWEST_DEALS)


def least(is_so: Callable[[int], Any], start: int) -> int:
    """The least number from `start` on for which something is so that, once so, stays so."""
    if is_so(start):
        return start
    below, above = start, 2 * start
    while not is_so(above):
        below, above = above, 2 * above
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if is_so(middle) else (middle, above)
    return above


def rule(until: dict[str, Any]) -> str:
    """'until every range was at most 0.5 points wide, at most 400,000 playouts of each cell'."""
    return f"until every range was at most {points(until['width'])} wide, at most {count(until['at_most'])} playouts of a cell"


def played(cells: pd.DataFrame) -> str:
    """'4 cells x 2,000 playouts', or '4 cells, 2,000 to 9,000 playouts each'."""
    each = from_to(cells["playouts"])
    return f"{len(cells)} cells{', ' if ' to ' in each else ' x '}{each} playouts{' each' if ' to ' in each else ''}"


def told(until: dict[str, Any], cells: pd.DataFrame) -> Iterator[str]:
    """What a reader must know of a run that looked at its results; nothing for one of a fixed number of playouts.

    cells : as `tables.cells` gives them
    """
    if not until:
        return
    yield STOPPED
    wide = cells[[not is_within(row.low, row.high, until["width"]) for row in cells.itertuples()]]
    if len(wide):
        row = wide.loc[(wide["high"] - wide["low"]).idxmax()]
        more = f" and {len(wide) - 1} more" if len(wide) > 1 else ""
        yield (
            f"Not narrow enough after {count(row['playouts'])} playouts, the most allowed: {row['label']}{more}; the widest "
            f"range is {points(round(100 * (row['high'] - row['low']), 2))} wide, {points(until['width'])} were asked for."
        )


def points(number: float) -> str:
    """'0.5 points', '1 point'."""
    return f"{number:g} point{'' if number == 1 else 's'}"
