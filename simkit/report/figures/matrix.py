"""Policy against policy: a field for each pair, the number printed in it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from simkit.report.style import drawing, new_figure

DIVERGING = LinearSegmentedColormap.from_list("blue-white-vermillion", ["#D55E00", "#FFFFFF", "#0072B2"])


def draw(
    cells: pd.DataFrame, rows: Sequence[str], columns: Sequence[str], roles: Sequence[str], headline: str
) -> Figure:
    """`cells`: policies ('row / column'), rate. The colours run from 0 to 100 % around white at 50 %."""
    rates = dict(zip(cells["policies"], cells["rate"], strict=True))
    values = np.array([[100 * rates[f"{row} / {column}"] for column in columns] for row in rows])
    with drawing():
        figure = new_figure(2.6 + 1.45 * len(columns), 1.5 + 0.55 * len(rows))
        axes = figure.subplots()
        image = axes.imshow(values, cmap=DIVERGING, vmin=0, vmax=100, aspect="auto")
        for (i, j), value in np.ndenumerate(values):
            dark = abs(value - 50) > 32
            axes.text(j, i, f"{value:.1f}", ha="center", va="center", color="white" if dark else "black")
        axes.set_xticks(range(len(columns)), columns)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_xlabel(f"policy of {roles[1]}")
        axes.set_ylabel(f"policy of {roles[0]}")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        figure.colorbar(image, ax=axes, label=f"{headline}, %", ticks=[0, 25, 50, 75, 100])
    return figure
