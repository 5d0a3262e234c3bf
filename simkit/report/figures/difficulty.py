"""Win rate over difficulty levels, a line for each line-up."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, LINES, MARKERS, TEXT, drawing, new_figure


def draw(cells: pd.DataFrame, headline: str) -> Figure:
    """`cells` holds one row per group, level and line-up; levels are presets in the order in which they appear.
    Cells of one group and line-up are joined by a line.
    """
    levels = list(dict.fromkeys(cells["preset"]))
    with drawing():
        figure = new_figure(8, 4.2)
        axes = figure.subplots()
        line_ups = list(dict.fromkeys(cells["policies"]))
        named: set[str] = set()
        for (_, policies), mine in cells.groupby(["group", "policies"], sort=False):
            i = line_ups.index(policies)
            x = [levels.index(preset) for preset in mine["preset"]]
            rate, low, high = 100 * mine["rate"], 100 * mine["low"], 100 * mine["high"]
            axes.errorbar(x, rate, yerr=[rate - low, high - rate], color=COLOURS[i % 5], marker=MARKERS[i % 7],
                          ls=LINES[i % 4], ms=6, capsize=3, lw=1.6, label=None if policies in named else policies)  # fmt: skip
            named.add(policies)
            above = 5 if i % 2 else -12  # keeps the numbers of two lines that run close together apart
            for place, value in zip(x, rate, strict=True):
                axes.annotate(f"{value:.1f}", (place, value), xytext=(7, above), textcoords="offset points", fontsize=8.5,
                              color=COLOURS[i % 5])  # fmt: skip
        targets = cells.dropna(subset="target").drop_duplicates("preset")
        if len(targets):
            x = [levels.index(preset) for preset in targets["preset"]]
            axes.plot(x, 100 * targets["target"], color=TEXT, lw=1, ls=(0, (1, 2)), marker="_", ms=14, label="target")
        axes.set_xticks(range(len(levels)), levels)
        axes.set_xlim(-0.3, len(levels) - 0.6)
        axes.set_ylim(0, 100)
        axes.set_ylabel(f"{headline}, % of playouts")
        axes.grid(axis="y")
        axes.legend(title="policy", loc="upper right")
    return figure
