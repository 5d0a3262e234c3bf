"""What changes the result?"""

import pandas as pd

from simkit.report.figures import differences as figure
from simkit.report.model import Picture, Section
from simkit.report.sections.parts import MANY, group_name, is_curve, made_table, picture
from simkit.summary import words
from simkit.summary.evidence import Evidence


def section(evidence: Evidence) -> Section | None:
    differences = evidence.differences
    if differences.empty:
        return None
    answers: list[str] = []
    pictures: list[Picture] = []
    label = evidence.cells.set_index("cell")["label"]
    for number in range(len(evidence.recipe.groups)):
        mine = differences[differences["group"] == number]
        if mine.empty or is_curve(evidence, number):
            continue  # steps of a curve are told under difficulty
        answers.append(sentence(evidence, number, mine, label))
        references = mine["against"].unique()
        if len(references) == 1 and len(mine) <= MANY:
            pictures.append(drawn(evidence, number, mine, label[references[0]]))
    if not answers:
        return None
    rows = [
        (
            row.change,
            label[row.against],
            words.points(row.difference, row.family_low, row.family_high),
            f"{row.only_here:,} / {row.only_there:,}",
            "never differed" if pd.isna(row.variance_reduction) else f"{row.variance_reduction:.2f}",
        )
        for row in differences.itertuples()
    ]
    names = ("change", "against", "difference", "deals won only with it / only without", "variance reduction")
    table = made_table("differences", "Paired differences on the same deals", names, rows, differences, right=(2, 3, 4))
    notes = (
        "Both cells of a pair meet the same deals, so that the luck of the cards drops out of the difference.",
        "The ranges of a whole group hold together (Bonferroni): in 95 of 100 such reports none of them misses. The file "
        "tables/differences.csv also has each range for itself.",
        "Variance reduction: how many times as many playouts would have been needed with separate deals.",
    )
    return Section("changes", "What changes the result?", tuple(answers), tuple(pictures), (table,), notes)


def sentence(evidence: Evidence, number: int, mine: pd.DataFrame, label: pd.Series) -> str:
    largest = mine.loc[mine["difference"].abs().idxmax()]
    same = mine[mine["only_here"] + mine["only_there"] == 0]
    text = (
        f"{group_name(evidence, number)}the largest change is {largest['change']}: "
        f"{words.points(largest['difference'], largest['family_low'], largest['family_high'])} against "
        f"{label[largest['against']]}, on the same {largest['deals']:,} deals."
    )
    return text + (f" No difference on any deal: {'; '.join(same['change'])}." if len(same) else "")


def drawn(evidence: Evidence, number: int, mine: pd.DataFrame, reference: str) -> Picture:
    margin = evidence.recipe.cells[evidence.recipe.groups[number].cells[0]].margin / 100
    title = f"Difference to {reference}"
    alt = f"Dots of paired differences. {title}. " + " ".join(
        f"{row.change}: {words.points(row.difference, row.family_low, row.family_high)}." for row in mine.itertuples()
    )
    caption = f"Sorted by size; bars are 95 % ranges for all {len(mine)} comparisons together."
    return picture(f"changes-{number}", title, alt, caption, figure.draw(mine, evidence.headline, margin))
