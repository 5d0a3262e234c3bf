"""What the sections share."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.model import Picture, Table
from simkit.report.style import laid_out, png_of, svg_of
from simkit.scenario.grid import Cell, told_line_up
from simkit.stats.verdict import Judged, Verdict, judge
from simkit.summary import words
from simkit.summary.counts import AT_ANY_LOOK, widening
from simkit.summary.evidence import Evidence

MANY = 60  # cells beyond this are in the tables only


def picture(name: str, title: str, alt: str, caption: str, figure: Figure) -> Picture:
    laid_out(figure)
    return Picture(name, title, alt, caption, svg_of(figure), png_of(figure))


def made_table(
    name: str,
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    data: pd.DataFrame,
    right: Sequence[int] = (),
) -> Table:
    """A table for people without the columns that are empty in every row."""
    kept = [i for i in range(len(columns)) if not rows or any(row[i] for row in rows)]
    return Table(
        name,
        caption,
        tuple(columns[i] for i in kept),
        [tuple(row[i] for i in kept) for row in rows],
        data,
        tuple(kept.index(i) for i in right if i in kept),
    )


def points_of(value: float, low: float, high: float) -> str:
    """'+4.2 points (+3.5 to +4.8)', also where the range is not known (probabilities)."""
    return words.points(value, low, high) if pd.notna(low) else f"{100 * value:+.1f} points (range not known)"


def p_value(p: float) -> str:
    if pd.isna(p):
        return ""
    return "below 0.0001" if p < 0.0001 else f"{p:.4f}"


def say(word: str) -> str:
    return word.replace("_", " ")


def rate(row: Any) -> str:
    return words.rate(row.rate, row.low, row.high)


def who(evidence: Evidence, cell: Cell) -> str:
    """Who plays in a cell."""
    return told_line_up(evidence.spec, cell.policies)


def judged(row: Any) -> Judged:
    """The row of a cell that has a target."""
    found = judge(row.low, row.high, row.rate, row.target, row.margin)
    if row.method == AT_ANY_LOOK:
        return replace(found, playouts_needed=ceil(found.playouts_needed * widening(row.playouts)))
    return found


def verdict_words(row: Any) -> str:
    """'balanced: +0.4 points (-0.2 to +1.0) from 50 % ± 2', or nothing without a target."""
    if pd.isna(row.target):
        return ""
    found = judged(row)
    word = found.verdict.value + (", with a lean" if found.is_leaning else "")
    gap = words.points(found.gap, found.low, found.high)
    more = ""
    if found.verdict is Verdict.UNKNOWN:
        more = f"; about {found.playouts_needed:,} playouts would settle it" if found.playouts_needed < 10**10 else (
            "; it lies on the limit, no number of playouts would settle it"
        )  # fmt: skip
    return f"{word}: {gap} from {100 * row.target:g} % ± {100 * row.margin:g}{more}"


def where(players: int, preset: str) -> str:
    """'with 4 players', 'in solo-2'."""
    return f"in {preset}" if preset else f"with {words.players(players)}"


def a_few(count: int, most: int) -> list[int]:
    """The places of at most so many of `count` things, evenly spread, the first and the last among them."""
    return [round(i * (count - 1) / (most - 1)) for i in range(most)] if count > most else list(range(count))


def is_curve(evidence: Evidence, number: int) -> bool:
    """Whether a group is a difficulty curve: several presets of one player count, each with the same policies."""
    cells = evidence.of_group(number)
    presets = cells["preset"]
    return presets.nunique() > 1 and bool((presets != "").all()) and cells["players"].nunique() == 1


def is_around_a_baseline(evidence: Evidence, number: int) -> bool:
    """Whether a group changes options around one cell: then its differences say more than its rates."""
    recipe = evidence.recipe
    first, *others = [recipe.cells[cell] for cell in recipe.groups[number].cells]
    return bool(others) and all(
        cell.policies == first.policies and cell.players == first.players and cell.preset == first.preset
        for cell in others
    )


def is_line_ups(evidence: Evidence, number: int) -> bool:
    """Whether a group plays one set of rules with several line-ups of policies."""
    recipe = evidence.recipe
    cells = [recipe.cells[cell] for cell in recipe.groups[number].cells]
    first = cells[0]
    same = all((c.options, c.players, c.swap) == (first.options, first.players, first.swap) for c in cells)
    return same and len(cells) > 1


def group_name(evidence: Evidence, number: int) -> str:
    """'Two players: ' or nothing."""
    name = evidence.recipe.groups[number].name
    return f"{name[0].upper()}{name[1:]}: " if name else ""
