"""Win rates of cells as dots with intervals."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import BAND, COLOURS, TEXT, brief, drawing, new_figure


def draw(cells: pd.DataFrame, headline: str) -> Figure:
    """One line per cell, in the order given; the target and its margin as a band where all cells share one."""
    with drawing():
        figure = new_figure(8, 0.9 + 0.32 * len(cells))
        axes = figure.subplots()
        places = range(len(cells))[::-1]
        targets, margins = cells["target"].dropna().unique(), cells["margin"].unique()
        if len(targets) == 1 and len(margins) == 1 and cells["target"].notna().all():
            target, margin = 100 * targets[0], 100 * margins[0]
            axes.axvspan(target - margin, target + margin, color=BAND, lw=0)
            axes.axvline(target, color=TEXT, lw=1, ls="--")
            axes.annotate(f"target {target:g} % ± {margin:g}", (target, 1), xycoords=("data", "axes fraction"),
                          xytext=(4, 2), textcoords="offset points", fontsize=8)  # fmt: skip
        rate, low, high = 100 * cells["rate"], 100 * cells["low"], 100 * cells["high"]
        axes.errorbar(rate, places, xerr=[rate - low, high - rate], fmt="o", color=COLOURS[0], ms=5, capsize=3, lw=1.5)
        for place, value in zip(places, rate, strict=True):
            side = 8 if value < 85 else -8
            axes.annotate(f"{value:.1f}", (value, place), xytext=(side, 0), textcoords="offset points", va="center",
                          ha="left" if side > 0 else "right", fontsize=8.5)  # fmt: skip
        axes.set_yticks(list(places), brief(cells["label"]))
        axes.set_ylim(-0.6, len(cells) - 0.4)
        axes.set_xlim(0, 100)
        axes.set_xlabel(f"{headline}, % of playouts (95 % interval)")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure
