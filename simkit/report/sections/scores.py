"""What are the scores, and how often is the outcome shared?"""

import numpy as np
import pandas as pd

from simkit.report.model import Section, Table
from simkit.report.sections.parts import made_table
from simkit.summary import words
from simkit.summary.evidence import Evidence


def section(evidence: Evidence) -> Section | None:
    """For games with alike seats: ties, and the mean score of those who had the outcome and of the others."""
    if evidence.shared.empty:
        return None
    answers = [ties(evidence)]
    if not evidence.scores.empty:
        answers.append(score_sentence(evidence))
    question = f"How often is a {evidence.outcome.one} shared" + (
        ", and what are the scores?" if len(answers) > 1 else "?"
    )
    return Section("scores", question, tuple(answers), (), (table(evidence),), notes(evidence))


def ties(evidence: Evidence) -> str:
    """The cells in which the outcome is shared least and most often."""
    label = evidence.cells.set_index("cell")["label"]
    ordered = evidence.shared.sort_values("shared", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    one = evidence.outcome.one

    def told(row: pd.Series) -> str:
        return f"{words.rate(row['shared'], row['low'], row['high'])} with {label[row['cell']]}"

    if len(ordered) == 1:
        return f"Several seats share the {one} in {told(most)}."
    return f"Several seats share the {one} in {told(least)} at the least, and in {told(most)} at the most."


def score_sentence(evidence: Evidence) -> str:
    """Between which means the scores of winners (or losers) and of the others lie."""
    scores, holder = evidence.scores, evidence.outcome.holder
    label = evidence.cells.set_index("cell")["label"]
    alike = {cell.id for cell in evidence.recipe.cells if len(set(cell.policies)) == 1}
    plain = scores[scores["cell"].isin(evidence.as_printed & alike)]
    row = (scores if plain.empty else plain).iloc[-1]
    had, others = (words.mean(row[f"{who}_mean"], row[f"{who}_low"], row[f"{who}_high"]) for who in ("had", "others"))
    told = f"With {label[row['cell']]} a {holder} scores {had} on average, the others {others}."
    if len(scores) > 1:
        means = scores["had_mean"].dropna()
        told += f" Over all cells, the mean score of a {holder} lies between {means.min():.1f} and {means.max():.1f}."
    return told


def table(evidence: Evidence) -> Table:
    label = evidence.cells.set_index("cell")["label"]
    holder, one = evidence.outcome.holder, evidence.outcome.one
    joined = evidence.shared.merge(evidence.scores, on="cell", how="left")
    rows = [
        (
            label[row["cell"]],
            words.rate(row["shared"], row["low"], row["high"]),
            words.rate(row["nobody"], row["nobody_low"], row["nobody_high"]) if row["nobody"] > 0 else "",
            f"{row['having']:.3f}",
            *(score(row, who) for who in ("all", "had", "others")),
        )
        for _, row in joined.iterrows()
    ]
    names = (
        "cell", f"{one} shared", f"no {holder}", f"{holder}s per game", "mean score of all", f"of a {holder}",
        "of the others",
    )  # fmt: skip
    return made_table(
        "scores", f"Shared {evidence.outcome.many} and scores", names, rows, joined, right=(1, 2, 3, 4, 5, 6)
    )


def score(row: pd.Series, who: str) -> str:
    mean = row.get(f"{who}_mean", np.nan)
    return "" if pd.isna(mean) else words.mean(mean, row[f"{who}_low"], row[f"{who}_high"])


def notes(evidence: Evidence) -> tuple[str, ...]:
    one = evidence.outcome.one
    told = [f"A {one} is shared when a tie is left after all tie-breaks of the rules."]
    if not evidence.scores.empty:
        told.append("Ranges of scores are taken from blocks of deals: the players of one game are not independent.")
    return tuple(told)
