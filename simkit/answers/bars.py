"""Horizontal bars with ranges, longest first: the tornado of changes, shares of variance, what flips go with."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from matplotlib.figure import Figure

from simkit.report.style import BAND, COLOURS, TEXT, drawing, new_figure, png_of, svg_of

MOST_BARS = 30  # of a panel
STRONG, WEAK = COLOURS[0], "#A9BFD0"


@dataclass(frozen=True)
class Bar:
    """A value with its range, in the units of the axis; strong bars are those that matter."""

    label: str
    value: float
    low: float
    high: float
    is_strong: bool = True


@dataclass(frozen=True)
class Panel:
    title: str
    bars: tuple[Bar, ...]


def draw(panels: Sequence[Panel], axis: str, title: str, margin: float = 0.0, digits: int = 2) -> Figure:
    """One panel below the other on a common axis. margin : half of a band around 0, none if it is 0"""
    shown = [panel.bars[:MOST_BARS] for panel in panels]
    heights = [0.9 + 0.3 * len(bars) for bars in shown]
    from_zero = all(bar.low >= 0 for bars in shown for bar in bars)
    far = max([margin, 0.1, *(abs(end) for bars in shown for bar in bars for end in (bar.low, bar.high))])
    with drawing():
        figure = new_figure(8, 0.6 + sum(heights))
        grid = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)
        for axes, panel, bars in zip(grid[:, 0], panels, shown, strict=True):
            places = range(len(bars))[::-1]
            if margin:
                axes.axvspan(-margin, margin, color=BAND, lw=0)
            axes.axvline(0, color=TEXT, lw=1)
            values = [bar.value for bar in bars]
            axes.barh(places, values, height=0.62, color=[STRONG if bar.is_strong else WEAK for bar in bars])
            ends = [[bar.value - bar.low for bar in bars], [bar.high - bar.value for bar in bars]]
            axes.errorbar(values, places, xerr=ends, fmt="none", ecolor=TEXT, capsize=2.5, lw=1.1)
            for place, bar in zip(places, bars, strict=True):
                end, side = (bar.high, "left") if bar.value >= 0 else (bar.low, "right")
                told = f"{bar.value:.{digits}f}" if from_zero else f"{bar.value:+.{digits}f}"
                axes.annotate(told, (end, place), xytext=(4 if side == "left" else -4, 0), textcoords="offset points",
                              ha=side, va="center", fontsize=8.5)  # fmt: skip
            axes.set_yticks(list(places), [bar.label for bar in bars])
            axes.set_ylim(-0.6, len(bars) - 0.4)
            more = f" (the {len(bars)} largest of {len(panel.bars)})" if len(bars) < len(panel.bars) else ""
            axes.set_title(f"{panel.title}{more}", loc="left", fontsize=10)
            axes.grid(axis="x")
            axes.tick_params(axis="y", length=0)
        reach = 1.2 * far if far < 10 else float(ceil(1.2 * far))
        grid[-1, 0].set_xlim(0 if from_zero else -reach, reach)
        grid[-1, 0].set_xlabel(axis)
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure


def files(figure: Figure) -> dict[str, bytes]:
    """The figure as file contents, by ending."""
    return {".png": png_of(figure), ".svg": svg_of(figure).encode()}
