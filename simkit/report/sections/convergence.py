"""Has it settled?"""

import numpy as np
import pandas as pd

from simkit.report.figures import convergence as figure
from simkit.report.model import Section
from simkit.report.sections.parts import made_table, picture
from simkit.stats.jackknife import BlockSpread, block_spread
from simkit.stats.normal import quantile
from simkit.summary import words
from simkit.summary.counts import AT_ANY_LOOK, LEVEL
from simkit.summary.evidence import Evidence

SHOWN = 4  # cells in the figure


def spreads(evidence: Evidence) -> dict[int, BlockSpread]:
    """Whether the blocks of each cell differ as much as chance has them; not for cells that replay their deals."""
    recipe = evidence.recipe
    if recipe.replicates > 1 or recipe.rotate:
        return {}
    return {
        int(cell): block_spread(mine["wins"].to_numpy(), mine["playouts"].to_numpy())
        for cell, mine in evidence.blocks.groupby("cell")
        if len(mine) > 1
    }


def worth(cells: pd.DataFrame) -> pd.Series:
    """How many independent playouts tell as much as one of a cell: 1, or by the width of ranges taken from blocks."""
    half = (cells["high"] - cells["low"]) / 2
    likewise = quantile(LEVEL) ** 2 * cells["rate"] * (1 - cells["rate"]) / half**2 / cells["playouts"]
    return likewise.where(cells["method"].isin(["blocks", AT_ANY_LOOK]) & (half > 0) & (likewise > 0), 1.0)


def suspects(evidence: Evidence) -> list[str]:
    label = evidence.cells.set_index("cell")["label"]
    return [label[cell] for cell, spread in spreads(evidence).items() if spread.is_suspect()]


def section(evidence: Evidence) -> Section:
    label = evidence.cells.set_index("cell")["label"]
    found = spreads(evidence)
    bad = suspects(evidence)
    if not found:
        answer = (
            "Each deal is played more than once in this run; how much blocks of deals may then differ is not known."
        )
    elif bad:
        answer = f"The blocks of {', '.join(bad)} differ more or less than chance allows: do not trust these cells."
    else:
        answer = (
            f"The {evidence.blocks['block'].nunique()} blocks of deals of each cell differ as much as chance has them, "
            "so the playouts are as good as independent."
        )
    rows = [
        (
            label[cell],
            f"{spread.statistic:.1f}",
            f"{spread.degrees}",
            "suspect" if spread.is_suspect() else "as expected",
        )
        for cell, spread in found.items()
        if not np.isnan(spread.statistic)
    ]
    names = ("cell", "spread of the blocks", "expected", "verdict")
    table = made_table("blocks", "Spread of the blocks against chance", names, rows, evidence.blocks, right=(1, 2))
    shown = evidence.cells.iloc[:SHOWN]
    alt = f"Running {evidence.outcome.rate}s, settling from block to block. " + " ".join(
        f"{row.label}." for row in shown.itertuples()
    )
    more = f" The first {SHOWN} of {len(label)} cells." if len(label) > SHOWN else ""
    one = words.capital(evidence.outcome.rate)
    caption = f"{one} of the first blocks of deals with its 95 % range, less the rate of all.{more}"
    drawn = picture(
        "convergence",
        "The running result",
        alt,
        caption,
        figure.draw(evidence.blocks, shown.assign(worth=worth(shown))),
    )
    notes = ("A block is every 64th deal. The spread is chi-square: it should lie near the expected value.",)
    return Section("convergence", "Has it settled?", (answer,), (drawn,), (table,), notes)
