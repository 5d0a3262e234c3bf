"""The running win rate, block of deals after block, with its shrinking range."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, LINES, TEXT, drawing, new_figure
from simkit.stats.intervals import wilson


def draw(blocks: pd.DataFrame, cells: pd.DataFrame) -> Figure:
    """`blocks`: cell, block, playouts, wins. Drawn as points from each cell's final rate.

    `cells` has in `worth` how many independent playouts tell as much as one of the cell.
    """
    with drawing():
        figure = new_figure(8, 3.4)
        axes = figure.subplots()
        widest = 0.0
        for i, row in enumerate(cells.itertuples()):
            mine = blocks[blocks["cell"] == row.cell]
            playouts, wins = mine["playouts"].cumsum().to_numpy(), mine["wins"].cumsum().to_numpy()
            low, high = wilson(row.worth * wins, row.worth * playouts)
            final = wins[-1] / playouts[-1]
            axes.plot(playouts, 100 * (wins / playouts - final), color=COLOURS[i % 5], ls=LINES[i % 4], label=row.label)
            axes.fill_between(
                playouts, 100 * (low - final), 100 * (high - final), color=COLOURS[i % 5], alpha=0.12, lw=0
            )
            widest = max(widest, 100 * float(max(high[0] - final, final - low[0])))
        axes.axhline(0, color=TEXT, lw=0.8)
        axes.set_ylim(-1.1 * widest, 1.1 * widest)
        axes.set_xlabel("playouts")
        axes.set_ylabel("points from the final rate")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.legend(fontsize=8.5)
        axes.grid(axis="y")
    return figure
