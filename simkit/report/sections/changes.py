"""What changes the result?"""

from collections.abc import Iterator

import pandas as pd

from simkit.report.figures import differences as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import MANY, group_name, is_curve, made_table, picture
from simkit.summary import words
from simkit.summary.evidence import Evidence


def section(evidence: Evidence) -> Section | None:
    differences = measured(evidence)
    if differences.empty:
        return only_policies(evidence)
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
        return only_policies(evidence)
    more = policy_sentences(evidence)
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
    names = (
        "change",
        "against",
        "difference",
        f"deals {evidence.outcome.did} only with it / only without",
        "variance reduction",
    )
    table = made_table("differences", "Paired differences on the same deals", names, rows, differences, right=(2, 3, 4))
    notes = (
        "Both cells of a pair meet the same deals, so that the luck of the cards drops out of the difference.",
        "The ranges of a whole group hold together (Bonferroni): in 95 of 100 such reports none of them misses. The file "
        "tables/differences.csv also has each range for itself.",
        "Variance reduction: how many times as many playouts would have been needed with separate deals.",
    )
    tables = (table, *policy_table(evidence))
    return Section("changes", "What changes the result?", (*answers, *more), tuple(pictures), tables, notes)


def only_policies(evidence: Evidence) -> Section | None:
    """The section where changes were measured at mixed tables only."""
    tables = tuple(policy_table(evidence))
    if not tables:
        return None
    return Section("changes", "What changes the result?", tuple(policy_sentences(evidence)), (), tables)


def policy_sentences(evidence: Evidence) -> Iterator[str]:
    """For each mixed table, the change that does most to what its first policy gets."""
    for number, mine in evidence.effects.groupby("group", sort=False):
        top = mine.loc[mine["difference"].abs().idxmax()]
        players = evidence.recipe.cells[top["cell"]].players
        yield words.capital(
            f"{group_name(evidence, int(number))}what one who plays {top['policy']} among {top['others']} gets of the "
            f"{evidence.outcome.many} with {players} players changes most by {top['change']}: "
            f"{words.points(top['difference'], top['family_low'], top['family_high'])}."
        )


def policy_table(evidence: Evidence) -> Iterator[Table]:
    """Changed rules against what a policy gets among others."""
    if evidence.effects.empty:
        return
    rows = [
        (
            row.change,
            f"{evidence.recipe.cells[row.cell].players}",
            row.policy,
            row.others,
            "never differed"
            if row.difference == row.family_low == row.family_high == 0
            else words.points(row.difference, row.family_low, row.family_high),
        )
        for row in evidence.effects.itertuples()
    ]
    names = ("change", "players", "policy", "among", f"difference of its share of the {evidence.outcome.many}")
    caption = "What changed rules do to a policy's share, on the same deals"
    yield made_table("policy_effects", caption, names, rows, evidence.effects, right=(1, 4))


def measured(evidence: Evidence) -> pd.DataFrame:
    """The differences that mean something. With alike seats the headline is about whoever goes first, which tells nothing
    of who plays how: there only tables are compared at which everybody plays one and the same policy.
    """
    cells = evidence.recipe.cells
    if not evidence.is_alike or evidence.differences.empty:
        return evidence.differences
    pairs = zip(evidence.differences["cell"], evidence.differences["against"], strict=True)
    return evidence.differences[[len({*cells[a].policies, *cells[b].policies}) == 1 for a, b in pairs]]


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
