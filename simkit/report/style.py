"""How figures look: colours that colour-blind people can tell apart, text that stays text, the same bytes every time."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

# Okabe and Ito; those with a contrast of 3:1 and more on white, in this order
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000")
# only as fills with a dark outline
FILLS = ("#0072B2", "#E69F00", "#56B4E9", "#D55E00", "#999999", "#F0E442", "#009E73", "#CC79A7")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "ooo")
TEXT = "#333333"
GRID = "#DDDDDD"
BAND = "#E3EEF6"
LONGEST_NAME = 60  # characters

SETTINGS: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "text.color": TEXT,
    "text.parse_math": False,  # a name with two dollar signs is a name
    "axes.labelcolor": TEXT,
    "axes.edgecolor": "#888888",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "grid.color": GRID,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "simkit",
    "figure.dpi": 100,
}


def brief(names: Iterable[object]) -> list[str]:
    """Names beside an axis, cut where they would leave no room for the axis; the tables have them whole."""
    words = [str(name) for name in names]
    return [word if len(word) <= LONGEST_NAME else f"{word[: LONGEST_NAME - 1]}…" for word in words]


def new_figure(width: float, height: float) -> Figure:
    with plt.rc_context(SETTINGS):
        return Figure(figsize=(width, height), layout="constrained")


def drawing() -> Any:
    """Use the settings while drawing: `with drawing(): ...`."""
    return plt.rc_context(SETTINGS)


@contextmanager
def writing() -> Iterator[None]:
    """The settings while a figure is written; letters that the font lacks are boxes, which needs no warning."""
    with plt.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        yield


def laid_out(figure: Figure) -> Figure:
    """The figure with everything in its place: found once, not anew for every format."""
    with writing():
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def svg_of(figure: Figure) -> str:
    """The figure as inline SVG: no XML header, no date, generic fonts, scales with the page."""
    with writing():
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    return svg.replace("'DejaVu Sans'", "'DejaVu Sans', system-ui, sans-serif")


def png_of(figure: Figure) -> bytes:
    with writing():
        data = BytesIO()
        figure.savefig(data, format="png", dpi=200, metadata={"Software": None})
    return data.getvalue()
