"""Figures that a gate can be set on: `simkit report RUN --fail-if "seat_gap > 2"`. In points or per cent, with their range."""

import re
from dataclasses import dataclass

import pandas as pd

from simkit.errors import OptionError, shown, unknown
from simkit.report.sections.fairness import fairness
from simkit.stats.verdict import Verdict
from simkit.summary.evidence import Evidence


@dataclass(frozen=True)
class Metric:
    """A figure of a report with its 95 % range, and the cell it was found in."""

    name: str
    value: float
    low: float
    high: float
    cell: str
    about: str


def metrics(evidence: Evidence) -> dict[str, Metric]:
    """All figures of a run that a gate may name."""
    found = [
        *seat_gap(evidence), *seat_off(evidence), *target_gap(evidence), *largest_change(evidence), *rates(evidence),
        *counts(evidence),
    ]  # fmt: skip
    return {metric.name: metric for metric in found}


def seat_gap(evidence: Evidence) -> list[Metric]:
    """The largest gap between two seats of a cell for two or more, in points."""
    best = None
    for cell, mine in evidence.seats.groupby("cell"):
        if len(mine) < 2:
            continue
        top, bottom = mine.loc[mine["rate"].idxmax()], mine.loc[mine["rate"].idxmin()]
        gap = 100 * (top["rate"] - bottom["rate"])
        low, high = 100 * (top["low"] - bottom["high"]), 100 * (top["high"] - bottom["low"])
        if best is None or gap > best.value:
            best = Metric(
                "seat_gap", gap, max(low, 0.0), high, label(evidence, cell), "points between the best and worst seat"
            )
    return [best] if best else []


def seat_off(evidence: Evidence) -> list[Metric]:
    """The largest distance of a place in the turn order from its fair share, all playing one policy, in points."""
    tables = fairness(evidence)
    if not tables:
        return []
    far = max(tables, key=lambda table: abs(table.furthest["points"]))
    seat = far.furthest
    low, high = distance(100 * seat["points_low"], 100 * seat["points_high"])
    return [Metric("seat_off", 100 * abs(seat["points"]), low, high, far.name, "points from a fair share")]


def target_gap(evidence: Evidence) -> list[Metric]:
    """The largest distance of a rate from its target, in points."""
    aimed = evidence.cells.dropna(subset="target")
    if aimed.empty:
        return []
    row = aimed.loc[(aimed["rate"] - aimed["target"]).abs().idxmax()]
    low, high = distance(100 * (row["low"] - row["target"]), 100 * (row["high"] - row["target"]))
    value = 100 * abs(row["rate"] - row["target"])
    return [Metric("target_gap", value, low, high, row["label"], "points from the target")]


def largest_change(evidence: Evidence) -> list[Metric]:
    """The largest paired difference, in points, with its family-wise range."""
    if evidence.differences.empty:
        return []
    row = evidence.differences.loc[evidence.differences["difference"].abs().idxmax()]
    low, high = distance(100 * row["family_low"], 100 * row["family_high"])
    value = 100 * abs(row["difference"])
    return [Metric("largest_change", value, low, high, label(evidence, row["cell"]), "points, on the same deals")]


def rates(evidence: Evidence) -> list[Metric]:
    cells = evidence.cells
    found = []
    for name, row in (
        ("lowest_rate", cells.loc[cells["rate"].idxmin()]),
        ("highest_rate", cells.loc[cells["rate"].idxmax()]),
    ):
        found.append(Metric(name, 100 * row["rate"], 100 * row["low"], 100 * row["high"], row["label"], "per cent"))
    return found


def counts(evidence: Evidence) -> list[Metric]:
    from simkit.report.sections.parts import judged

    aimed = evidence.cells.dropna(subset="target")
    verdicts = [judged(row).verdict for row in aimed.itertuples()] + [t.verdict for t in fairness(evidence)]
    unbalanced = verdicts.count(Verdict.UNBALANCED)
    cut = int(evidence.cells["truncated"].sum())
    return [
        Metric(
            "unbalanced", unbalanced, unbalanced, unbalanced, "", "cells off their target, tables with an unfair place"
        ),
        Metric("undecided", n := verdicts.count(Verdict.UNKNOWN), n, n, "", "cells without enough data"),
        Metric("truncated", cut, cut, cut, "", "playouts cut off"),
    ]


def distance(low: float, high: float) -> tuple[float, float]:
    """The range of a size from the range of a signed number."""
    if low <= 0 <= high:
        return 0.0, max(-low, high)
    return min(abs(low), abs(high)), max(abs(low), abs(high))


def label(evidence: Evidence, cell: object) -> str:
    return str(evidence.cells.set_index("cell")["label"][cell])


CONDITION = re.compile(r"\s*([a-z_]+)\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)\s*")


def broken(conditions: list[str], found: dict[str, Metric]) -> list[str]:
    """Which conditions hold for sure: the whole range of the figure lies on the forbidden side. One line for each.

    raises : OptionError for a condition that cannot be read or names no figure of this report
    """
    lines = []
    for condition in conditions:
        match = CONDITION.fullmatch(condition)
        if not match:
            raise OptionError(f"--fail-if {shown(condition)}: expected NAME > NUMBER or NAME < NUMBER")
        name, sign, number = match[1], match[2], float(match[3])
        if name not in found:
            raise OptionError(unknown("--fail-if", name, found))
        metric = found[name]
        sure = {
            ">": metric.low > number, ">=": metric.low >= number, "<": metric.high < number, "<=": metric.high <= number,
        }[sign]  # fmt: skip
        if sure:
            where = f" ({metric.cell})" if metric.cell else ""
            lines.append(
                f"{name} is {metric.value:.2f}, {metric.low:.2f} to {metric.high:.2f}{where}: {condition.strip()}"
            )
    return lines


def frame(found: dict[str, Metric]) -> pd.DataFrame:
    return pd.DataFrame([vars(metric) for metric in found.values()])
