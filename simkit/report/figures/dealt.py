"""What something that was dealt goes with: a dot with its interval for each, a panel for every way of playing."""

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.style import COLOURS, TEXT, brief, drawing, new_figure

GREY = "#888888"


def draw(panels: list[tuple[str, pd.DataFrame]], order: list[str], what: str, dealt: str) -> Figure:
    """panels : title and rows of each: name, difference, low, high (probabilities), is_sure, is_thin
    order : names from top to bottom, the same in all panels      what : what the points are of      dealt : with what
    """
    places = {name: -place for place, name in enumerate(order)}
    with drawing():
        figure = new_figure(8, 1.1 + 0.26 * len(order))
        shared = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (title, rows) in zip(shared, panels, strict=True):
            axes.axvline(0, color=TEXT, lw=1)
            kinds = (
                (rows[rows["is_sure"]], COLOURS[0], COLOURS[0], "o", "more than chance explains"),
                (rows[~rows["is_sure"] & ~rows["is_thin"]], GREY, "white", "o", "may be chance"),
                (rows[rows["is_thin"]], GREY, GREY, "x", "too few to tell"),
            )
            for part, colour, fill, marker, label in kinds:
                if not part.empty:
                    value, low, high = (100 * part[end] for end in ("difference", "low", "high"))
                    axes.errorbar(value, part["name"].map(places), xerr=[value - low, high - value], fmt=marker, ms=5,
                                  color=colour, mfc=fill, capsize=2, lw=1.3, label=label)  # fmt: skip
            axes.set_title(title, fontsize=9, loc="left")
            axes.grid(axis="x")
            axes.tick_params(axis="y", length=0)
        shared[0].set_yticks(list(places.values()), brief(order))
        shared[0].set_ylim(0.6 - len(order), 0.6)
        handles = {
            label: handle for axes in shared for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        figure.legend(list(handles.values()), list(handles), loc="outside upper left", ncols=3)
        figure.supxlabel(f"points of the {what} more, or less, {dealt} (95 % intervals)", fontsize=10)
    return figure
