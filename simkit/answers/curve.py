"""All combinations side by side, sorted: which rates they come to, and which of them keep the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from simkit.answers.verdicts import FLIPS, KEEPS, OPEN
from simkit.report.style import BAND, COLOURS, TEXT, drawing, new_figure

LOOKS = {  # colour, marker, in the legend
    KEEPS: (COLOURS[0], "o", "keep the verdict"),
    FLIPS: (COLOURS[1], "^", "flip it"),
    OPEN: ("#8A8A8A", "s", "cannot be told yet"),
}


@dataclass(frozen=True)
class Point:
    """A combination: its rate and range in per cent, and what becomes of the verdict."""

    rate: float
    low: float
    high: float
    fate: str


@dataclass(frozen=True)
class Panel:
    title: str
    points: tuple[Point, ...]  # ascending
    now: float  # the rate with the rules as they are read now


def draw(panels: Sequence[Panel], axis: str, title: str, target: tuple[float, float] | None) -> Figure:
    """target : what counts as fair, in per cent, drawn as a band"""
    with drawing():
        figure = new_figure(8, 0.7 + 2.6 * len(panels))
        grid = figure.subplots(len(panels), 1, squeeze=False)
        for axes, panel in zip(grid[:, 0], panels, strict=True):
            if target:
                axes.axhspan(*target, color=BAND, lw=0)
            axes.axhline(panel.now, color=TEXT, lw=1, ls="--")
            for fate, (colour, marker, label) in LOOKS.items():
                mine = [(i, point) for i, point in enumerate(panel.points, 1) if point.fate == fate]
                if mine:
                    places, values = [i for i, _ in mine], [point.rate for _, point in mine]
                    ends = [[p.rate - p.low for _, p in mine], [p.high - p.rate for _, p in mine]]
                    axes.errorbar(places, values, yerr=ends, fmt=marker, color=colour, ms=3.5, lw=0.8, label=label)
            axes.set_title(panel.title, loc="left", fontsize=10)
            axes.legend(fontsize=8.5, loc="lower right", bbox_to_anchor=(1, 1), ncols=3, borderaxespad=0.1)
            axes.set_ylabel(axis, fontsize=8.5)
            axes.grid(axis="y")
        grid[-1, 0].set_xlabel("combinations, sorted (dashed: the rules as they are read now)")
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
