"""How hard is it?"""

import pandas as pd

from simkit.report.figures import difficulty as figure
from simkit.report.model import Section
from simkit.report.sections.parts import group_name, is_curve, made_table, picture, rate, verdict_words, who
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
        for _, mine in evidence.of_group(number).groupby("policies", sort=False):
            steps = ", ".join(f"{row.preset} {rate(row)}" for row in mine.itertuples())
            title = curve_name(evidence, number, mine)
            answers.append(f"{title}{steps}.{misplaced(evidence, mine)}")
    levels = pd.concat([evidence.of_group(number) for number in numbers])
    one = evidence.outcome.rate
    alt = f"Lines of {one} over difficulty, one for each policy. " + " ".join(answers)
    caption = f"{evidence.playouts} playouts of each; bars are 95 % intervals."
    lines = figure.draw(drawable(evidence, levels), evidence.headline)
    drawn = picture("difficulty", f"{words.capital(one)} over difficulty", alt, caption, lines)
    rows = [
        (
            row.preset,
            who(evidence, evidence.recipe.cells[row.cell]),
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


def drawable(evidence: Evidence, levels: pd.DataFrame) -> pd.DataFrame:
    """The levels as the figure wants them: who plays in a few words, and short names of levels."""
    line_ups = [who(evidence, evidence.recipe.cells[cell]) for cell in levels["cell"]]
    short: dict[tuple[object, str], str] = {}
    for group, mine in levels.groupby("group", sort=False):
        names = list(dict.fromkeys(mine["preset"]))
        short |= {(group, name): kept for name, kept in zip(names, shortened(names), strict=True)}
    return levels.assign(
        policies=line_ups, level=[short[key] for key in zip(levels["group"], levels["preset"], strict=True)]
    )


def shortened(names: list[str]) -> list[str]:
    """Names without the words that all of them begin with: 'solo-easy', 'solo-hard' as 'easy', 'hard'."""
    split = [name.split("-") for name in names]
    shortest = min(map(len, split))
    same = 0
    while same < shortest - 1 and len({parts[same] for parts in split}) == 1:
        same += 1
    return ["-".join(parts[same:]) for parts in split]


def curve_name(evidence: Evidence, number: int, cells: pd.DataFrame) -> str:
    """'Solo: ', or who plays where the group has no name or several curves."""
    name = group_name(evidence, number)
    several = evidence.of_group(number)["policies"].nunique() > 1
    line_up = who(evidence, evidence.recipe.cells[int(cells["cell"].iloc[0])])
    return f"{name.removesuffix(': ')}, {line_up}: " if name and several else name or f"{line_up}: "


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
