"""Does player count matter?"""

import pandas as pd

from simkit.report.figures import players as figure
from simkit.report.model import Section
from simkit.report.sections.parts import made_table, picture
from simkit.summary import words
from simkit.summary.evidence import Evidence


def shares(evidence: Evidence) -> pd.DataFrame:
    """The fair-share index of every place in the turn order, for each player count: its first cell without a preset.

    Empty for games with roles, whose seats cannot be compared over player counts, and for runs with one player count.
    """
    cells = evidence.cells[evidence.cells["preset"] == ""].drop_duplicates("players").sort_values("players")
    if evidence.spec.roles or len(cells) < 2:
        return pd.DataFrame()
    mine = cells[["cell", "players", "policies"]].merge(evidence.seats, on="cell")
    for name, rate in (("index", "rate"), ("low", "low"), ("high", "high")):
        mine[name] = mine["players"] * mine[rate]
    return mine.sort_values(["players", "turn_order"], kind="stable").reset_index(drop=True)


def told(row: pd.Series) -> str:
    digits = words.decimals((row["high"] - row["low"]) / 2)
    return f"{row['index']:.{digits}f} ({row['low']:.{digits}f} to {row['high']:.{digits}f})"


def sentences(mine: pd.DataFrame) -> tuple[str, ...]:
    """For each player count the place that wins most, with its policies."""
    lines = []
    for count, part in mine.groupby("players"):
        best = part.loc[part["index"].idxmax()]
        lines.append(
            f"{count} players: turn order {best['turn_order'] + 1} wins most, {told(best)} of a fair share, "
            f"with {best['policies']}."
        )
    return tuple(lines)


def section(evidence: Evidence) -> Section | None:
    mine = shares(evidence)
    if mine.empty:
        return None
    rows = [
        (f"{row['players']}", f"{row['turn_order'] + 1}", told(row), f"{row['playouts']:,}", row["policies"])
        for _, row in mine.iterrows()
    ]
    names = ("players", "turn order", "fair-share index, 95 % range", "playouts", "policies")
    table = made_table("players", "Fair-share index by player count", names, rows, mine, right=(0, 1, 2, 3))
    alt = "Dots of the fair-share index, a row for each player count and turn order. " + " ".join(sentences(mine))
    caption = f"{evidence.playouts:,} playouts of each player count; 1 is fair for any number of players."
    drawn = picture("players", "Fair shares by player count", alt, caption, figure.draw(mine))
    return Section("players", "Does player count matter?", sentences(mine), (drawn,), (table,))
