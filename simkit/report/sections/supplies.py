"""Do the components suffice?"""

from collections.abc import Iterator

import pandas as pd

from simkit.report.model import Section
from simkit.report.sections.parts import made_table
from simkit.summary import words
from simkit.summary.evidence import Evidence
from simkit.summary.rules import share_of_deals

QUESTION = "Do the components suffice?"


def section(evidence: Evidence) -> Section | None:
    """For games that say which components could run out."""
    if evidence.supplies.empty:
        return None
    supplies = pooled(evidence)
    rows = [
        (
            row.supply,
            sizes(row.least_size, row.size),
            "" if pd.isna(row.used) else f"{row.used} {row.unit}",
            "" if pd.isna(row.spare) or row.short else f"{row.spare} fewer would do",
            words.percent(row.share, row.low, row.high),
            words.span(row.low, row.high),
            row.worst if row.short else "",
            row.about or "all were in use",
        )
        for row in supplies.itertuples()
    ]
    names = (
        "component",
        "in the box",
        "used at most",
        "to spare",
        "not enough in",
        "95 % range",
        "most with",
        "that is",
    )
    data = evidence.supplies.merge(evidence.cells[["cell", "label"]], on="cell")
    caption = "Components, how many were used, and how often there were not enough"
    return Section(
        "supplies",
        QUESTION,
        tuple(answers(supplies)),
        (),
        (made_table("supplies", caption, names, rows, data, right=(1, 2, 4, 5)),),
        (
            "Used at most: in any game of this run. More games, other policies and people may need more.",
            "What the rules foresee for the case is part of the game; whether it should happen so often is for the designer.",
        ),
    )


def pooled(evidence: Evidence) -> pd.DataFrame:
    """One row per component, over all cells. Cells may have the same deals, so the range is as wide as that of one cell."""
    label = evidence.cells.set_index("cell")["label"]
    rows = []
    for supply, mine in evidence.supplies.groupby("supply", sort=False):
        short, playouts = int(mine["short"].sum()), int(mine["playouts"].sum())
        low, high = share_of_deals(short, playouts, int(mine["deals"].max()))
        rows.append({
            "supply": supply, "unit": mine["unit"].iloc[0], "least_size": mine["size"].min(), "size": mine["size"].max(),
            "used": mine["used"].max(), "spare": mine["spare"].min(), "short": short, "share": short / playouts, "low": low,
            "high": high, "worst": label[mine["cell"][mine["rate"].idxmax()]], "about": mine["about"].iloc[0],
        })  # fmt: skip
    return pd.DataFrame(rows)


def sizes(least: int, most: int) -> str:
    return f"{most}" if least == most else f"{least} to {most}"


def answers(supplies: pd.DataFrame) -> Iterator[str]:
    """Which of them ever ran out, and the smallest numbers that would have been enough."""
    enough = supplies[supplies["short"] == 0]
    for row in supplies[supplies["short"] > 0].itertuples():
        what = f": {row.about}" if row.about else ""
        yield (
            f"{words.capital(row.supply)} run out in {words.rate(row.share, row.low, row.high)} of the games, most often with "
            f"{row.worst}{what}."
        )
    known = enough[enough["spare"].notna()]
    for row in known[known["spare"] > 0].itertuples():
        yield (
            f"{words.capital(row.supply)} never run out: no game used more than {row.used} of "
            f"{sizes(row.least_size, row.size)}."
        )
    if len(enough) == len(supplies) and not len(known[known["spare"] > 0]):
        yield "Nothing ran out in any game of this run."
