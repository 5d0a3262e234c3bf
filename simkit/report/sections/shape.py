"""How long is a game?"""

from simkit.report.figures import lengths as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import made_table, picture
from simkit.summary import words
from simkit.summary.evidence import Evidence

SHOWN = 12  # cells in the figure
FEW = 4  # cells that have a column each in the table of means


def section(evidence: Evidence) -> Section:
    """Length and decisions, and the means of all other columns."""
    columns, length = evidence.columns, evidence.length
    label = evidence.cells.set_index("cell")["label"]
    lengths = columns[columns["column"] == length].set_index("cell")
    decisions = columns[columns["column"] == "decisions"].set_index("cell")
    rows = [
        (
            label[cell],
            f"{lengths.loc[cell, 'median']}",
            f"{lengths.loc[cell, 'q05']} to {lengths.loc[cell, 'q95']}",
            f"{lengths.loc[cell, 'mean']:.2f} ({lengths.loc[cell, 'low']:.2f} to {lengths.loc[cell, 'high']:.2f})",
            f"{decisions.loc[cell, 'mean']:.1f}",
        )
        for cell in evidence.cells["cell"]
    ]
    names = ("cell", f"median {length}", "5 % to 95 %", f"mean {length}, 95 % range", "mean decisions")
    data = columns[columns["column"].isin([length, "decisions"])].merge(evidence.cells[["cell", "label"]], on="cell")
    table = made_table("lengths", f"Length of games in {length}", names, rows, data, right=(1, 2, 3, 4))
    notes = (
        "The file tables/columns.csv has mean, range and quantiles of every recorded column of every cell.",
        "Rounds are not minutes: how long a round takes depends on the people.",
    )
    return Section(
        "shape", "How long is a game?", (sentence(evidence),), drawn(evidence), (table, measures(evidence)), notes
    )


def measures(evidence: Evidence) -> Table:
    """A row for each recorded column, however many cells there are: its mean in each of a few, else the least and the most."""
    label = evidence.cells.set_index("cell")["label"]
    few = len(label) <= FEW
    rows = []
    for column in evidence.spec.columns:
        if column.words:
            continue
        mine = evidence.columns[evidence.columns["column"] == column.name]
        ordered = mine if few else mine.sort_values("mean", kind="stable").iloc[[0, -1]]
        means = [words.mean(row["mean"], row["low"], row["high"]) for _, row in ordered.iterrows()]
        where = [] if few else [label[cell] for cell in ordered["cell"]]
        shown = means if few else [means[0], where[0], means[1], where[1]]
        if not few and ordered["mean"].nunique() == 1:
            shown = [means[0], "every cell", "", ""]
        rows.append((column.name, column.about, *shown))
    names = label.tolist() if few else ["lowest mean", "in", "highest mean", "in "]
    data = evidence.columns.merge(evidence.cells[["cell", "label"]], on="cell")
    right = tuple(range(2, 2 + len(names))) if few else (2, 4)
    caption = "Means of everything that is recorded of a playout, with 95 % ranges"
    return made_table("columns", caption, ("column", "what it is", *names), rows, data, right=right)


def typical(evidence: Evidence) -> str:
    """The lowest and highest median of all cells: '2 to 7'."""
    medians = evidence.columns[evidence.columns["column"] == evidence.length]["median"]
    low, high = medians.min(), medians.max()
    return f"{low}" if low == high else f"{low} to {high}"


def sentence(evidence: Evidence) -> str:
    mine = evidence.columns[evidence.columns["column"] == evidence.length]
    return (
        f"A typical game has {typical(evidence)} {evidence.length}, depending on the cell; nine in ten games of all cells lie "
        f"within {mine['q05'].min()} to {mine['q95'].max()}."
    )


def drawn(evidence: Evidence) -> tuple[Picture, ...]:
    shown = evidence.cells.head(SHOWN)
    mine = evidence.columns[evidence.columns["column"] == evidence.length].set_index("cell")
    alt = f"Step outlines of the number of {evidence.length}. " + " ".join(
        f"{row.label}: median {mine.loc[row.cell, 'median']}, nine in ten within {mine.loc[row.cell, 'q05']} to "
        f"{mine.loc[row.cell, 'q95']}."
        for row in shown.itertuples()
    )
    more = f" The first {SHOWN} of {len(evidence.cells)} cells." if len(evidence.cells) > SHOWN else ""
    caption = f"Share of the {evidence.playouts} playouts of each cell; the line marks the median.{more}"
    chart = figure.draw(evidence.lengths, shown, evidence.length)
    return (picture("lengths", f"How many {evidence.length} a game has", alt, caption, chart),)
