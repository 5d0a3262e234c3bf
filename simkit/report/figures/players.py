"""Fair-share index by player count: one axis for tables of any size, because 1 is fair for all."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, TEXT, drawing, new_figure

ACROSS = 3


def draw(shares: pd.DataFrame, many: str) -> Figure:
    """`shares`: policy, players, turn_order, index, low, high. A panel for each policy, a row for each player count."""
    policies = list(dict.fromkeys(shares["policy"]))
    counts = sorted(shares["players"].unique().tolist())
    across = min(ACROSS, len(policies))
    down = -(-len(policies) // across)
    with drawing():
        figure = new_figure(8, 0.9 + down * (0.6 + 0.34 * len(counts)))
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for axes in panels.flatten()[len(policies) :]:
            axes.set_visible(False)
        for axes, policy in zip(panels.flatten(), policies, strict=False):
            mine = shares[shares["policy"] == policy]
            last = mine["turn_order"] == mine["players"] - 1
            axes.axvline(1, color=TEXT, lw=0.8, ls="--")
            kinds = (
                (mine[(mine["turn_order"] > 0) & ~last], "#999999", "|", 0.0, "between"),
                (mine[mine["turn_order"] == 0], COLOURS[0], "o", 0.12, "going first"),
                (mine[last], COLOURS[1], "s", -0.12, "going last"),
            )
            for part, colour, marker, up, label in kinds:
                places = [up - counts.index(players) for players in part["players"]]
                spread = [part["index"] - part["low"], part["high"] - part["index"]]
                axes.errorbar(part["index"], places, xerr=spread, fmt=marker, color=colour, ms=5, capsize=2, lw=1.3,
                              label=label)  # fmt: skip
            axes.set_yticks([-i for i in range(len(counts))], [f"{players} players" for players in counts])
            axes.set_ylim(0.6 - len(counts), 0.5)
            axes.set_title(f"all {policy}", fontsize=9, loc="left")
            axes.grid(axis="x")
            axes.tick_params(axis="y", length=0)
            axes.tick_params(axis="x", labelbottom=True)
        figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
        figure.supxlabel(f"share of the {many} as a multiple of a fair one (95 % intervals)", fontsize=10)
    return figure
