"""Can the simulation be trusted? The controls that are built into every run, and whether one is off."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from simkit.report.model import Section
from simkit.report.sections.parts import made_table
from simkit.summary import words
from simkit.summary.controls import ALARM, CHANCES, COUNTS, POLICIES, ROTATIONS, SEATS
from simkit.summary.evidence import Evidence

KINDS = {
    COUNTS: ("counts add up", "cards, tokens and playouts are all accounted for"),
    CHANCES: ("exact chances", "what only chance decides comes as often as it must"),
    SEATS: ("mirror match", "where all seats play alike, they fare alike"),
    ROTATIONS: ("seats exchanged", "moving policies to other seats changes nothing"),
    POLICIES: ("better against worse", "a better policy does not do worse"),
}
TOLD = 3  # controls that are off are named, so many of them


def section(evidence: Evidence) -> Section:
    found = evidence.controls
    made = [KINDS[kind][1] for kind in KINDS if (found["kind"] == kind).any()]
    good = f"All {len(found):,} controls of this run hold: {'; '.join(made)}."
    answers = tuple(off_sentences(evidence)) or (good,)
    named = found.merge(evidence.cells[["cell", "label"]], on="cell")
    rows = [row_of(part) for _, part in named.groupby(["kind", "name"], sort=False)]
    names = ("control", "what", "checks", "must be", "farthest from it", "range", "off")
    table = made_table("controls", "What was checked, and how far off it is", names, rows, named, right=(2, 3, 4, 5, 6))
    return Section(
        "trust", "Can the simulation be trusted?", answers, (), (table,), tuple(notes(evidence)), is_calm=True
    )


def off_sentences(evidence: Evidence) -> Iterator[str]:
    """What is off, the worst first; nothing if all is well."""
    found = evidence.controls
    off = found[found["is_off"]].sort_values("p_value", na_position="first", kind="stable")
    if off.empty:
        return
    label = evidence.cells.set_index("cell")["label"]
    verb = "is" if len(off) == 1 else "are"
    yield f"{len(off):,} of {len(found):,} controls {verb} off: do not trust this run before that is explained."
    for row in off.head(TOLD).itertuples():
        yield f"{label[row.cell]}: {row.name}: {deviation(row)}."


def deviation(row: Any) -> str:
    """How far off a control is: 'came in 12.3 % (12.0 to 12.6) of deals, exactly 14 % is due'."""
    if row.kind == COUNTS:
        return f"{row.counted:,.0f} of {row.of:,.0f} sums wrong"
    if row.kind == CHANCES:
        told = words.rate(row.rate, row.low, row.high)
        return f"came in {told} of {row.of:,.0f} deals, {100 * row.exact:.4g} per cent is exact"
    return f"chance explains this in 1 of {1 / max(row.p_value, 1e-12):,.0f} runs"


def row_of(part: pd.DataFrame) -> tuple[str, ...]:
    """All checks of one control: what must be, and the one that is farthest from it."""
    kind, name = part["kind"].iloc[0], part["name"].iloc[0]
    off = str(int(part["is_off"].sum()))
    start = (KINDS[kind][0], name, f"{len(part):,}")
    if kind == COUNTS:
        return (*start, "0 wrong", f"{part['counted'].sum():,.0f} of {part['of'].sum():,.0f} wrong", "", off)
    far = part.sort_values("p_value", kind="stable").iloc[0]
    if kind != CHANCES:
        return (*start, "", p_words(far["p_value"]), "", off)
    low, high = far["low"], far["high"]
    exact = f"{100 * far['exact']:.{words.decimals(50 * (high - low))}f} %"
    return (*start, exact, words.percent(far["rate"], low, high), words.span(low, high), off)


def p_words(p_value: float) -> str:
    return "p below 0.0001" if p_value < 1e-4 else f"p = {p_value:.4f}"


def notes(evidence: Evidence) -> Iterator[str]:
    yield (
        f"Counts must be exact. All other controls together raise a false alarm in 1 of {1 / ALARM:,.0f} reports; the ranges "
        "hold together as surely. They are counted over deals, since playouts of a deal have its chances in common."
    )
    found = set(evidence.controls["kind"])
    reasons = {
        SEATS: "no table where all play alike, with seats that start alike and enough playouts",
        ROTATIONS: "no policies that change seats over enough deals whose rows were kept",
        POLICIES: "no two policies of which one is known to be better, against the same others",
    }
    missing = [f"{KINDS[kind][0]} ({reason})" for kind, reason in reasons.items() if kind not in found]
    if missing:
        yield f"Not controlled here: {'; '.join(missing)}."
    yield "What every game says of itself for this is in exact.py of its folder. simkit verify plays a sample again."
