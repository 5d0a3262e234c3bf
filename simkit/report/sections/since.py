"""What changed since an earlier run?"""

import numpy as np
import pandas as pd

from simkit.report.figures import differences as figure
from simkit.report.model import Picture, Section
from simkit.report.sections.parts import MANY, made_table, picture
from simkit.spec import BLOCKS
from simkit.stats.jackknife import jackknife
from simkit.stats.multiplicity import family_wise_level
from simkit.summary import words
from simkit.summary.counts import LEVEL, wide
from simkit.summary.evidence import Evidence


def section(before: Evidence, after: Evidence) -> Section:
    """Cells of the same name, before and after. The error comes from the blocks of deals (jackknife), so it is right for
    runs that share their deals and for runs that do not.
    """
    rows = changed(before, after)
    missing = [label for label in after.cells["label"] if label not in set(before.cells["label"])]
    gone = [label for label in before.cells["label"] if label not in set(after.cells["label"])]
    answers = []
    pictures: tuple[Picture, ...] = ()
    if rows.empty:
        answers.append("The two runs have no cell in common.")
    else:
        moved = rows[(rows["family_low"] > 0) | (rows["family_high"] < 0)]
        answers.append(f"{len(moved)} of {len(rows)} cells changed for sure.")
        top = rows.loc[rows["difference"].abs().idxmax()]
        answers.append(
            f"Most of all {top['change']}: {words.points(top['difference'], top['family_low'], top['family_high'])}."
        )
        if len(rows) <= MANY:
            alt = "Dots of differences, after less before. " + " ".join(
                f"{row.change}: {words.points(row.difference, row.family_low, row.family_high)}."
                for row in rows.itertuples()
            )
            caption = f"After less before; bars are 95 % ranges for all {len(rows)} cells together."
            drawn = figure.draw(rows, after.headline, float(after.cells["margin"].max()))
            pictures = (picture("since", "What changed", alt, caption, drawn),)
    answers += [f"New: {', '.join(missing)}."] if missing else []
    answers += [f"No longer there: {', '.join(gone)}."] if gone else []
    body = [
        (
            row.change,
            words.rate(row.before, row.before_low, row.before_high),
            words.rate(row.after, row.after_low, row.after_high),
            words.points(row.difference, row.low, row.high),
            words.points(row.difference, row.family_low, row.family_high),
        )
        for row in rows.itertuples()
    ]
    names = ("cell", "before", "after", "difference, 95 % range", "range for all together")
    table = made_table("since", "Before and after", names, body, rows, right=(1, 2, 3, 4))
    return Section("since", "What changed since the run before?", tuple(answers), pictures, (table,))


def changed(before: Evidence, after: Evidence) -> pd.DataFrame:
    """One row per cell that both runs have, by label: both rates, their difference, its range alone and with all others."""
    old, new = (evidence.cells.drop_duplicates("label").set_index("label") for evidence in (before, after))
    labels = [label for label in new.index if label in old.index]
    family = family_wise_level(LEVEL, len(labels))
    rows = []
    for label in labels:
        a, b = old.loc[label], new.loc[label]
        sums = [in_blocks(before, a["cell"]), in_blocks(after, b["cell"])]
        deals = min(deals_of(before, a), deals_of(after, b))
        levels = [wide(level, deals, before.looked or after.looked) for level in (LEVEL, family)]
        alone, together = (jackknife(gap, *sums, level=level) for level in levels)
        rows.append(
            {
                "change": label,
                "before": a["rate"], "before_low": a["low"], "before_high": a["high"],
                "after": b["rate"], "after_low": b["low"], "after_high": b["high"],
                "difference": alone.estimate, "low": alone.low, "high": alone.high,
                "family_low": together.low, "family_high": together.high,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def deals_of(evidence: Evidence, row: pd.Series) -> int:
    return int(row["playouts"]) // evidence.recipe.per_deal(row["cell"])


def in_blocks(evidence: Evidence, cell: int) -> np.ndarray:
    """Wins and playouts of a cell, (64, 2): a run too short for a block has zeros there."""
    mine = evidence.blocks[evidence.blocks["cell"] == cell].set_index("block")
    return mine[["wins", "playouts"]].reindex(range(BLOCKS), fill_value=0).to_numpy()


def gap(before: np.ndarray, after: np.ndarray) -> float:
    return float(after[0] / after[1] - before[0] / before[1])
