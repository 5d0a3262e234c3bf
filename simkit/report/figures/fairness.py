"""What every place in the turn order gets, as points from an equal share: a panel for each number of players."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import BAND, COLOURS, MARKERS, TEXT, drawing, new_figure

ACROSS = 3


def draw(tables: Sequence[tuple[int, str, pd.DataFrame]], margin: float, many: str) -> Figure:
    """`tables`: players, policy, and its seats (turn_order, points, points_low, points_high: probabilities), one colour
    for each policy. All panels have the same axis; the margin is a band.
    """
    counts = sorted({players for players, _, _ in tables})
    policies = list(dict.fromkeys(policy for _, policy, _ in tables))
    ends = pd.concat([seats for _, _, seats in tables])[["points_low", "points_high"]].abs()
    reach = 110 * max(ends.to_numpy().max(), margin)
    rows = [counts[i : i + ACROSS] for i in range(0, len(counts), ACROSS)]
    across = max(map(len, rows))
    heights = [0.7 + (0.26 + 0.05 * len(policies)) * max(row) for row in rows]
    with drawing():
        figure = new_figure(8, 0.9 + sum(heights))
        panels = figure.subplots(len(rows), across, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights})
        for axes in panels.flatten()[len(counts) :]:
            axes.set_visible(False)
        for axes, players in zip(panels.flatten(), counts, strict=False):
            axes.axvspan(-100 * margin, 100 * margin, color=BAND, lw=0)
            axes.axvline(0, color=TEXT, lw=0.8, ls="--")
            mine = [(policy, seats) for count, policy, seats in tables if count == players]
            for policy, seats in mine:
                i = policies.index(policy)
                place = -seats["turn_order"] - (i - (len(policies) - 1) / 2) * 0.6 / max(len(policies), 2)
                value, low, high = (100 * seats[name] for name in ("points", "points_low", "points_high"))
                axes.errorbar(value, place, xerr=[value - low, high - value], fmt=MARKERS[i % 7], color=COLOURS[i % 5],
                              ms=4.5, capsize=2, lw=1.3)  # fmt: skip
            axes.set_yticks([-k for k in range(players)], [f"{k + 1}" for k in range(players)])
            axes.set_ylim(-players + 0.4, 0.6)
            axes.set_xlim(-reach, reach)
            axes.set_title(f"{players} players", fontsize=9, loc="left")
            axes.grid(axis="x")
            axes.tick_params(axis="y", length=0)
            axes.tick_params(axis="x", labelbottom=True)
        lines = [
            panels[0, 0].plot([], [], MARKERS[i % 7], color=COLOURS[i % 5], ms=5, label=f"all {policy}")[0]
            for i, policy in enumerate(policies)
        ]
        figure.legend(handles=lines, loc="outside upper left", ncols=min(len(lines), 5))
        figure.supylabel("turn order", fontsize=10)
        figure.supxlabel(f"points from a fair share of the {many} (95 % ranges)", fontsize=10)
    return figure
