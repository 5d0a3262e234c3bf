"""Who wins?"""

from collections.abc import Iterator

import pandas as pd

from simkit.report.figures import rates as figure
from simkit.report.model import Picture, Section
from simkit.report.sections.parts import (
    MANY,
    group_name,
    is_around_a_baseline,
    is_curve,
    judged,
    made_table,
    picture,
    rate,
    verdict_words,
)  # fmt: skip
from simkit.stats.verdict import Verdict
from simkit.summary import words
from simkit.summary.evidence import Evidence


def section(evidence: Evidence) -> Section:
    answers: list[str] = []
    pictures: list[Picture] = []
    for number in range(len(evidence.recipe.groups)):
        if is_curve(evidence, number):
            continue  # told under difficulty
        cells = comparable(evidence, number)
        if cells.empty:
            continue
        answers += sentences(evidence, number, cells)
        if len(cells) <= MANY and not is_around_a_baseline(evidence, number) and not evidence.is_alike:
            pictures.append(drawn(evidence, number))
    rows = [
        (
            row.label,
            words.percent(row.rate, row.low, row.high),
            words.span(row.low, row.high),
            row.method,
            f"{row.playouts:,}",
            verdict_words(row),
        )
        for row in evidence.cells.itertuples()
    ]
    names = ("cell", evidence.headline, "95 % range", "method", "playouts", "against the target")
    table = made_table(
        "cells", f"{words.capital(evidence.outcome.rate)} of every cell", names, rows, evidence.cells, right=(1, 2, 4)
    )
    notes: tuple[str, ...] = (
        "A cell is one combination of players, options and policies. Its rate is the share of all its playouts, none left out.",
        f"A {evidence.outcome.rate} is a statement about policies as much as about a game: look whether it holds for more "
        "than one line-up.",
        "Balanced means that the whole range lies within the margin; unbalanced that all of it lies outside; anything else "
        "is not enough data.",
    )
    if evidence.spec.roles:
        notes = (f"Policies are named in the order {' / '.join(evidence.spec.roles)}.", *notes)
    if evidence.is_alike:
        one = evidence.outcome.one
        notes = (
            *notes,
            f"A shared {one} counts in full here; under 'Is the order of play fair?' its parts are counted.",
        )
    if (evidence.cells["method"] == "blocks").any():
        notes = (
            *notes,
            "Deals are played more than once here: ranges are taken from blocks of deals, not from playouts.",
        )
    told = tuple(answers) or (elsewhere(evidence),)
    return Section("rates", question(evidence), told, tuple(pictures), (table,), notes)


def elsewhere(evidence: Evidence) -> str:
    if evidence.is_alike:
        return "Policies differ at every table: see whether choices matter."
    return "All cells belong to difficulty curves: see the next question."


def question(evidence: Evidence) -> str:
    if evidence.spec.cooperative:
        return f"How often does the team {evidence.outcome.do}?"
    return (
        f"How often does the first player {evidence.outcome.do}?"
        if evidence.is_alike
        else f"Who {evidence.outcome.does}?"
    )


def comparable(evidence: Evidence, number: int) -> pd.DataFrame:
    """The cells of a group whose headline can be told; with alike seats it is about going first, and policies must be alike
    too.
    """
    cells = evidence.of_group(number)
    if not evidence.is_alike:
        return cells
    return cells[[len(set(evidence.recipe.cells[cell].policies)) == 1 for cell in cells["cell"]]]


def sentences(evidence: Evidence, number: int, cells: pd.DataFrame) -> Iterator[str]:
    """The lowest and the highest rate of a group, and what the verdicts are."""
    name, what = group_name(evidence, number), evidence.headline
    ordered = cells.sort_values("rate", kind="stable")
    shown = list((ordered if len(cells) <= 2 else ordered.iloc[[0, -1]]).itertuples())
    told = [f"{rate(row)} with {row.label}" for row in shown]
    if len(cells) <= 2:
        yield f"{name}{what} {' and '.join(told)}."
    else:
        yield f"{name}{what} from {told[0]} to {told[1]}; {len(cells)} cells in all."
    aimed = list(cells.dropna(subset="target").itertuples())
    if aimed:
        verdicts = [judged(row).verdict for row in aimed]
        counts = ", ".join(f"{verdicts.count(v)} {v.value}" for v in Verdict if v in verdicts)
        flips = len(set(verdicts)) > 1 and len({row.policies for row in aimed}) > 1
        more = " The verdict depends on who plays and how." if flips else ""
        yield f"{name}against the target with its margin: {counts}.{more}"


def drawn(evidence: Evidence, number: int) -> Picture:
    cells = evidence.of_group(number)
    title = evidence.recipe.groups[number].name or evidence.headline
    alt = f"Dot plot, {len(cells)} cells. " + " ".join(f"{row.label}: {rate(row)}." for row in cells.itertuples())
    caption = f"{evidence.playouts} playouts of each; lines through the dots are 95 % intervals."
    return picture(f"rates-{number}", title[0].upper() + title[1:], alt, caption, figure.draw(cells, evidence.headline))
