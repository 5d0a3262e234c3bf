"""One seat that plays another way than all others: points from its fair share, a panel for each number of players."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import BAND, COLOURS, TEXT, drawing, new_figure

ACROSS = 3


def draw(shares: pd.DataFrame, margin: float, many: str) -> Figure:
    """`shares`: players, policy, rest, points, points_low, points_high (probabilities). One axis for all panels."""
    counts = sorted(shares["players"].unique().tolist())
    names = list(dict.fromkeys(zip(shares["rest"], shares["policy"], strict=True)))
    names.sort(key=lambda name: name[0])
    across = min(ACROSS, len(counts))
    down = -(-len(counts) // across)
    reach = 110 * max(float(shares[["points_low", "points_high"]].abs().to_numpy().max()), margin)
    with drawing():
        figure = new_figure(8, 0.7 + down * (0.6 + 0.26 * len(names)))
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for axes in panels.flatten()[len(counts) :]:
            axes.set_visible(False)
        for axes, players in zip(panels.flatten(), counts, strict=False):
            mine = shares[shares["players"] == players]
            places = [-names.index(name) for name in zip(mine["rest"], mine["policy"], strict=True)]
            value, low, high = (100 * mine[name] for name in ("points", "points_low", "points_high"))
            axes.axvspan(-100 * margin, 100 * margin, color=BAND, lw=0)
            axes.axvline(0, color=TEXT, lw=0.8, ls="--")
            axes.errorbar(value, places, xerr=[value - low, high - value], fmt="o", color=COLOURS[0], ms=4.5, capsize=2,
                          lw=1.3)  # fmt: skip
            axes.set_yticks([-i for i in range(len(names))], [f"{policy} among {rest}" for rest, policy in names])
            axes.set_ylim(0.4 - len(names), 0.6)
            axes.set_xlim(-reach, reach)
            axes.set_title(f"{players} players", fontsize=9, loc="left")
            axes.grid(axis="x")
            axes.tick_params(axis="y", length=0)
            axes.tick_params(axis="x", labelbottom=True)
        figure.supxlabel(f"points from a fair share of the {many} (95 % ranges)", fontsize=10)
    return figure
