"""How long games are: small step outlines with the median marked, all on one scale."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, FILLS, drawing, new_figure
from simkit.stats.histograms import histogram_quantile


def draw(lengths: pd.DataFrame, cells: pd.DataFrame, length: str) -> Figure:
    """`lengths`: cell, value, count. One small panel per cell, same axes for all."""
    lengths = lengths[lengths["cell"].isin(cells["cell"])]
    low, high = lengths["value"].min(), lengths["value"].max()
    values = range(low, high + 1)
    counts = {
        cell: mine.set_index("value")["count"].reindex(values, fill_value=0) for cell, mine in lengths.groupby("cell")
    }
    shares = {cell: 100 * mine / mine.sum() for cell, mine in counts.items()}
    top = max(share.max() for share in shares.values())
    with drawing():
        across = min(3, len(cells))
        down = -(-len(cells) // across)
        figure = new_figure(8, 0.7 + 1.45 * down)
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).flatten().tolist()
        for axes, row in zip(panels, cells.itertuples(), strict=False):
            share = shares[row.cell]
            edges = [value - 0.5 for value in range(low, high + 2)]
            axes.stairs(share.to_numpy(), edges, fill=True, color=FILLS[2], alpha=0.55)
            axes.stairs(share.to_numpy(), edges, color=COLOURS[0], lw=1.3)
            axes.axvline(
                histogram_quantile(list(values), counts[row.cell].to_numpy(), 0.5), color=COLOURS[1], lw=1.5, ls="--"
            )
            axes.set_title(row.label, fontsize=8, loc="left")
            axes.set_ylim(0, 1.08 * top)
        for axes in panels[len(cells) :]:
            axes.set_visible(False)
        figure.supxlabel(length, fontsize=10)
        figure.supylabel("% of playouts", fontsize=10)
    return figure
