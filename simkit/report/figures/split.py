"""What an outcome is due to: a bar for each set of policies, split into deal, policy, both together, and the rest."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import FILLS, HATCHES, TEXT, brief, drawing, new_figure
from simkit.summary.luck import PARTS

MOST = 16  # bars
WORDS = {
    "deal": "deal",
    "policy": "policy",
    "interaction": "deal and policy together",
    "rest": "chance after the deal",
}


def draw(split: pd.DataFrame) -> Figure:
    """`split`: set, name, part, share (0 to 1), four rows for each set. Shares that chance made negative are 0 already."""
    names = split.drop_duplicates("set")["name"].tolist()
    wide = split.pivot(index="set", columns="part", values="share").loc[split["set"].unique()]
    with drawing():
        figure = new_figure(8, 1.1 + 0.34 * len(names))
        axes = figure.subplots()
        left = pd.Series(0.0, index=wide.index)
        whole = wide.sum(axis=1)
        for i, part in enumerate(PARTS):
            share = 100 * wide[part] / whole
            fill = FILLS[(0, 1, 2, 4)[i]]
            axes.barh(range(len(names)), share, left=left, height=0.66, color=fill, edgecolor=TEXT, lw=0.6,
                      hatch=HATCHES[i], label=WORDS[part])  # fmt: skip
            left += share
        axes.set_yticks(range(len(names)), brief(names))
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        axes.set_xlabel("% of the variance of the outcome")
        figure.legend(loc="outside upper left", ncols=4)
    return figure
