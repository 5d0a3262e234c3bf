"""How hard is it?"""

import pandas as pd

from simkit.report.figures import difficulty as figure
from simkit.report.model import Section
from simkit.report.sections.parts import group_name, is_curve, made_table, picture, rate, verdict_words
from simkit.summary import words
from simkit.summary.evidence import Evidence


def curves(evidence: Evidence) -> list[int]:
    return [number for number in range(len(evidence.recipe.groups)) if is_curve(evidence, number)]


def section(evidence: Evidence) -> Section | None:
    numbers = curves(evidence)
    if not numbers:
        return None
    answers = []
    for number in numbers:
        for policies, mine in evidence.of_group(number).groupby("policies", sort=False):
            steps = ", ".join(f"{row.preset} {rate(row)}" for row in mine.itertuples())
            title = group_name(evidence, number) or f"{policies}: "
            answers.append(f"{title}{steps}.{misplaced(evidence, mine)}")
    levels = pd.concat([evidence.of_group(number) for number in numbers])
    one = evidence.outcome.rate
    alt = f"Lines of {one} over difficulty, one for each policy. " + " ".join(answers)
    caption = f"{evidence.playouts} playouts of each; bars are 95 % intervals."
    drawn = picture(
        "difficulty", f"{words.capital(one)} over difficulty", alt, caption, figure.draw(levels, evidence.headline)
    )  # fmt: skip
    rows = [
        (
            row.preset,
            row.policies,
            words.percent(row.rate, row.low, row.high),
            words.span(row.low, row.high),
            step_words(evidence, row.cell),
            verdict_words(row),
        )
        for row in levels.itertuples()
    ]
    names = (
        "difficulty",
        "policy",
        evidence.headline,
        "95 % range",
        "change from the level before",
        "against the target",
    )
    data = levels[["cell", "preset", "policies", "playouts", "wins", "rate", "low", "high", "target", "margin"]]
    table = made_table("difficulty", f"{words.capital(one)} of every difficulty", names, rows, data, right=(2, 3, 4))
    notes = (
        f"Levels are in the order of the scenario. A good curve {'falls' if evidence.outcome.is_good else 'rises'} for every "
        "policy, not only for the best one.",
        "Neighbouring levels are compared on the same deals; the ranges of a curve's steps hold together.",
    )
    return Section("difficulty", "How hard is it?", tuple(answers), (drawn,), (table,), notes)


def step(evidence: Evidence, cell: int) -> pd.Series | None:
    """The paired difference of a level from the one before, if the scenario compares neighbours."""
    cells = evidence.recipe.cells
    for _, found in evidence.differences[evidence.differences["cell"] == cell].iterrows():
        before = cells[found["against"]]
        if before.policies == cells[cell].policies and before.preset != cells[cell].preset:
            return found
    return None


def step_words(evidence: Evidence, cell: int) -> str:
    found = step(evidence, cell)
    return "" if found is None else words.points(found["difference"], found["family_low"], found["family_high"])


def misplaced(evidence: Evidence, cells: pd.DataFrame) -> str:
    """What is wrong with the order of the levels, if anything."""
    faults = []
    for before, row in zip(cells.iloc[:-1].itertuples(), cells.iloc[1:].itertuples(), strict=True):
        found = step(evidence, row.cell)
        if found is None:
            continue
        if (found["family_low"] > 0) if evidence.outcome.is_good else (found["family_high"] < 0):
            faults.append(f"{row.preset} is easier than {before.preset}")
        elif found["family_low"] > -row.margin and found["family_high"] < row.margin:
            faults.append(f"{row.preset} plays like {before.preset}, within the margin")
    return f" Mind: {'; '.join(faults)}." if faults else ""
