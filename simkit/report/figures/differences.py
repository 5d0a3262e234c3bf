"""Paired differences against a reference cell, sorted by size: a tornado."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import BAND, COLOURS, TEXT, brief, drawing, new_figure


def draw(differences: pd.DataFrame, headline: str, margin: float) -> Figure:
    """`differences`: change, difference, family_low, family_high (probabilities). Values within the margin lie in the band."""
    ordered = differences.sort_values("difference", key=lambda d: d.abs(), kind="stable")
    with drawing():
        figure = new_figure(8, 1.0 + 0.32 * len(ordered))
        axes = figure.subplots()
        places = range(len(ordered))
        axes.axvspan(-100 * margin, 100 * margin, color=BAND, lw=0)
        axes.axvline(0, color=TEXT, lw=1)
        value, low, high = (100 * ordered[name] for name in ("difference", "family_low", "family_high"))
        axes.hlines(places, 0, value, color="#AAAAAA", lw=1)
        axes.errorbar(
            value, places, xerr=[value - low, high - value], fmt="o", color=COLOURS[0], ms=5, capsize=3, lw=1.5
        )
        for place, number in zip(places, value, strict=True):
            side = 8 if number >= 0 else -8
            axes.annotate(f"{number:+.1f}", (number, place), xytext=(side, 0), textcoords="offset points", va="center",
                          ha="left" if side > 0 else "right", fontsize=8.5)  # fmt: skip
        axes.set_yticks(list(places), brief(ordered["change"]))
        axes.set_ylim(-0.6, len(ordered) - 0.4)
        reach = 1.25 * max(abs(low).max(), abs(high).max(), 100 * margin, 0.5)
        axes.set_xlim(-reach, reach)
        axes.set_xlabel(f"{headline}: points more or less, on the same deals (band: ±{100 * margin:g})")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure
