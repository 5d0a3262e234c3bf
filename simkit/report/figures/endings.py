"""Why games end: parts of a whole for each cell."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import FILLS, HATCHES, brief, drawing, new_figure


def draw(endings: pd.DataFrame, labels: dict[int, str]) -> Figure:
    """Stacked bars from 0 to 100 %, a row per cell. `endings`: cell, end_reason, share. Reasons that never happen
    are left out.
    """
    wide = endings.pivot(index="cell", columns="end_reason", values="share").loc[list(labels)]
    reasons = [reason for reason in dict.fromkeys(endings["end_reason"]) if wide[reason].max() > 0]
    with drawing():
        figure = new_figure(8, 1.3 + 0.32 * len(labels))
        axes = figure.subplots()
        places = list(range(len(labels)))[::-1]
        left = pd.Series(0.0, index=wide.index)
        for i, reason in enumerate(reasons):
            share = 100 * wide[reason]
            axes.barh(places, share, left=left, height=0.72, color=FILLS[i % 8], hatch=HATCHES[i % 6], edgecolor="#333333",
                      lw=0.6, label=reason.replace("_", " "))  # fmt: skip
            for place, value, begin in zip(places, share, left, strict=True):
                if value >= 6:
                    axes.text(begin + value / 2, place, f"{value:.0f}", ha="center", va="center", fontsize=8,
                              bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"})  # fmt: skip
            left += share
        axes.set_yticks(places, brief(labels.values()))
        axes.set_ylim(-0.6, len(labels) - 0.4)
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of playouts")
        axes.tick_params(axis="y", length=0)
        figure.legend(loc="outside upper left", ncols=min(len(reasons), 4))
    return figure
