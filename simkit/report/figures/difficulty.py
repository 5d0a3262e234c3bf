"""Win rate over difficulty levels: a panel for each curve of levels, a line for each line-up."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, LINES, MARKERS, TEXT, drawing, new_figure

ACROSS = 2


def draw(cells: pd.DataFrame, headline: str) -> Figure:
    """`cells` holds one row per group, level and line-up, the levels in the order in which they appear. Groups with the
    same levels share a panel; cells of one group and line-up are joined by a line.
    """
    panels: dict[tuple[str, ...], list[pd.DataFrame]] = {}
    for _, mine in cells.groupby("group", sort=False):
        panels.setdefault(tuple(dict.fromkeys(mine["preset"])), []).append(mine)
    line_ups = list(dict.fromkeys(cells["policies"]))
    across = min(ACROSS, len(panels))
    down = -(-len(panels) // across)
    with drawing():
        figure = new_figure(8, 0.8 + 3.4 * down if len(panels) > 1 else 4.2)
        shared = figure.subplots(down, across, sharey=True, squeeze=False).flatten()
        for axes in shared[len(panels) :]:
            axes.set_visible(False)
        for axes, (levels, groups) in zip(shared, panels.items(), strict=False):
            mine = pd.concat(groups)
            for (_, policies), line in mine.groupby(["group", "policies"], sort=False):
                i = line_ups.index(policies)
                x = [levels.index(preset) for preset in line["preset"]]
                rate, low, high = 100 * line["rate"], 100 * line["low"], 100 * line["high"]
                axes.errorbar(x, rate, yerr=[rate - low, high - rate], color=COLOURS[i % 5], marker=MARKERS[i % 7],
                              ls=LINES[i % 4], ms=6, capsize=3, lw=1.6, label=policies)  # fmt: skip
                above = 5 if i % 2 else -12  # keeps the numbers of two lines that run close together apart
                for place, value in zip(x, rate, strict=True):
                    axes.annotate(f"{value:.1f}", (place, value), xytext=(7, above), textcoords="offset points",
                                  fontsize=8.5, color=COLOURS[i % 5])  # fmt: skip
            targets = mine.dropna(subset="target").drop_duplicates("preset")
            if len(targets):
                x = [levels.index(preset) for preset in targets["preset"]]
                axes.plot(
                    x, 100 * targets["target"], color=TEXT, lw=1, ls=(0, (1, 2)), marker="_", ms=14, label="target"
                )
            short = mine.drop_duplicates("preset")["level"].tolist()
            slanted = {"rotation": 30, "ha": "right"} if len(short) > 5 and len(panels) > 1 else {}
            axes.set_xticks(range(len(levels)), short, **slanted)
            axes.set_xlim(-0.3, len(levels) - 0.6)
            axes.set_ylim(0, 100)
            axes.grid(axis="y")
            if len(panels) > 1:
                axes.set_title(" and ".join(str(group["group"].iloc[0]) for group in groups), fontsize=9, loc="left")
        handles = {
            label: handle for axes in shared for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        if len(panels) > 1:
            figure.legend(list(handles.values()), list(handles), loc="outside upper left", ncols=3)
        else:
            shared[0].legend(list(handles.values()), list(handles), title="policy", loc="upper right")
        figure.supylabel(f"{headline}, % of playouts", fontsize=10)
    return figure
