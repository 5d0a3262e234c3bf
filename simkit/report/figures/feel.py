"""How games go: what a lead is worth as the game goes on, and how many have hardly any hope left."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, LINES, MARKERS, drawing, new_figure

QUARTERS = (25, 50, 75)
GREY = "#888888"


def draw(feel: pd.DataFrame, hope: pd.DataFrame, labels: dict[int, str], leads: str, no_hope: str) -> Figure:
    """feel : one row per cell that is drawn     hope : cell, time, share, low, high (shares)
    labels : by cell     leads, no_hope : what the two panels show, in words; an empty panel is left out
    """
    panels = [title for title in (leads, no_hope) if title]
    cells = list(labels)
    styles: dict[int, dict[str, Any]] = {
        cell: {"color": COLOURS[i % 5], "ls": LINES[i % 4], "marker": MARKERS[i % 7]} for i, cell in enumerate(cells)
    }
    with drawing():
        figure = new_figure(8, 3.6)
        shared = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, title in zip(shared, panels, strict=True):
            if title == leads:
                draw_leads(axes, feel, labels, styles)
            else:
                draw_hope(axes, hope, labels, styles)
            axes.set_title(title, fontsize=9, loc="left")
            axes.set_xlabel("% of the decisions made")
            axes.grid(axis="y")
        handles = {
            label: handle for axes in shared for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        figure.legend(list(handles.values()), list(handles), loc="outside upper left", ncols=2, fontsize=8.5)
    return figure


def draw_leads(axes: Axes, feel: pd.DataFrame, labels: dict[int, str], styles: dict[int, dict[str, Any]]) -> None:
    """Who leads alone at a quarter, half and three quarters; beside each what it would be by luck."""
    for i, row in enumerate(feel.itertuples()):
        style, shift = styles[row.cell], 1.2 * (i - (len(feel) - 1) / 2)
        value = [100 * getattr(row, f"leader_{part}") for part in QUARTERS]
        ends = [
            [
                abs(100 * getattr(row, f"leader_{part}_{end}") - middle)
                for part, middle in zip(QUARTERS, value, strict=True)
            ]
            for end in ("low", "high")
        ]
        at = [part + shift for part in QUARTERS]
        axes.errorbar(at, value, yerr=ends, capsize=2, ms=5, lw=1.3, label=labels[row.cell], **style)
    for players, mine in feel.groupby("players"):
        luck = [100 * mine[f"luck_{part}"].iloc[0] for part in QUARTERS]
        axes.plot(QUARTERS, luck, color=GREY, ls=":", marker="_", ms=9, label="by luck alone")
        axes.annotate(
            f"{players} players", (QUARTERS[-1], luck[-1]), (4, 0), textcoords="offset points", fontsize=7.5, color=GREY
        )
    axes.set_xticks(QUARTERS)
    axes.set_xlim(15, 92)
    axes.set_ylabel("% of the games")


def draw_hope(axes: Axes, hope: pd.DataFrame, labels: dict[int, str], styles: dict[int, dict[str, Any]]) -> None:
    for cell, label in labels.items():
        mine = hope[hope["cell"] == cell]
        style = styles[cell]
        axes.plot(100 * mine["time"], 100 * mine["share"], ms=4, lw=1.3, label=label, **style)
        axes.fill_between(
            100 * mine["time"], 100 * mine["low"], 100 * mine["high"], color=style["color"], alpha=0.12, lw=0
        )
    axes.set_ylim(bottom=0)
    axes.set_xlim(0, 100)
    axes.set_ylabel("% of the seats")
