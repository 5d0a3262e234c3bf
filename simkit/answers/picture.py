"""The picture of a comparison."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from simkit.answers.answer import names_of
from simkit.answers.difference import Comparison, Difference
from simkit.report.style import BAND, COLOURS, TEXT, drawing, new_figure, png_of, svg_of

MOST_DRAWN = 40  # lines in a figure


def draw(differences: Sequence[Difference], headline: str, title: str) -> Figure:
    """A dot and its interval for each difference, the zero line, and the margin as a band where there is one for all."""
    shown = sorted(differences, key=lambda d: -abs(d.difference))[:MOST_DRAWN]
    shown = [found for found in differences if any(found is other for other in shown)]
    value, low, high = ([100 * getattr(found, name) for found in shown] for name in ("difference", "low", "high"))
    margins = {found.margin for found in shown}
    with drawing():
        figure = new_figure(8, 1.4 + 0.36 * len(shown))
        axes = figure.subplots()
        places = range(len(shown))[::-1]
        if len(margins) == 1:
            margin = 100 * margins.pop()
            axes.axvspan(-margin, margin, color=BAND, lw=0)
        else:
            margin = 0.0
        axes.axvline(0, color=TEXT, lw=1)
        ends: Any = [
            [v - x for v, x in zip(value, low, strict=True)],
            [x - v for v, x in zip(value, high, strict=True)],
        ]
        axes.errorbar(value, places, xerr=ends, fmt="o", color=COLOURS[0], ms=5, capsize=3, lw=1.5)
        for place, number in zip(places, value, strict=True):
            axes.annotate(f"{number:+.2f}", (number, place), xytext=(0, 7), textcoords="offset points", ha="center",
                          fontsize=8.5)  # fmt: skip
        axes.set_yticks(list(places), [found.who for found in shown])
        axes.set_ylim(-0.6, len(shown) - 0.3)
        reach = 1.15 * max(*map(abs, low), *map(abs, high), margin, 0.1)
        axes.set_xlim(-reach, reach)
        band = f", band: ±{margin:g}" if margin else ""
        axes.set_xlabel(f"{headline}: points more or less (95 % intervals{band})")
        deals = {found.on for found in shown}
        about = f"on {deals.pop()}" if len(deals) == 1 else ""
        if len(shown) < len(differences):
            about += f"{about and '; '}the {len(shown)} largest of {len(differences)}"
        axes.set_title("\n".join(filter(None, (title, about))), loc="left", fontsize=10)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure


def picture(compared: Comparison) -> dict[str, bytes]:
    """The figure as file contents, by ending: .png and .svg."""
    changes = {found.change for found in compared.differences}
    title = f"{compared.spec.title}: {changes.pop()}" if len(changes) == 1 and "" not in changes else compared.title
    figure = draw(compared.differences, compared.headline, title)
    return {".png": png_of(figure), ".svg": svg_of(figure).encode()}


def picture_name(*parts: str) -> str:
    """A file name, without its ending, from words of a comparison."""
    return names_of(["compare", *filter(None, parts)])
