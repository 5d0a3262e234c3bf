"""Fair-share index by player count: one axis for tables of any size, because 1 is fair for all."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, TEXT, drawing, new_figure


def draw(shares: pd.DataFrame) -> Figure:
    """`shares`: players, turn_order, index, low, high; a row of the figure for each."""
    with drawing():
        figure = new_figure(8, 1.0 + 0.32 * len(shares))
        axes = figure.subplots()
        places = list(range(len(shares)))[::-1]
        value = shares["index"]
        spread = [value - shares["low"], shares["high"] - value]
        axes.axvline(1, color=TEXT, lw=1, ls="--")
        axes.errorbar(value, places, xerr=spread, fmt="o", color=COLOURS[0], ms=5, capsize=3, lw=1.5)
        names = [f"{row.players} players, turn order {row.turn_order + 1}" for row in shares.itertuples()]
        axes.set_yticks(places, names)
        axes.set_ylim(-0.6, len(shares) - 0.4)
        axes.set_xlabel("fair-share index (95 % interval): wins as a multiple of an equal share")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure
