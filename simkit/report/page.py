"""The report as a page and as Markdown, through jinja2 templates. Everything a user named is escaped."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from simkit.report.model import Card, Picture, Report

TAG = re.compile(r"<[^<>]*>")
IDS = re.compile(r'\bid="|href="#|url\(#')
ICONS = {"good": "✓", "bad": "▲", "unknown": "?", "depends": "◐", "info": "●"}


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("simkit.report"),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["cell"] = markdown_cell
    made.filters["line"] = markdown_line
    made.filters["drawing"] = drawing
    made.filters["glyph"] = glyph
    made.globals["icons"] = ICONS
    return made


def html(report: Report) -> str:
    """A page that needs nothing but itself: styles and figures are inside, scripts and network are forbidden."""
    return environment().get_template("page.html").render(report=report)


def markdown(report: Report) -> str:
    return environment().get_template("report.md").render(report=report)


def markdown_cell(text: Any) -> str:
    """Text for a Markdown table or line: characters with a meaning are escaped."""
    return re.sub(r"([\\`*_\[\]<>|&])", r"\\\1", str(text)).replace("\n", " ")


def markdown_line(text: Any) -> str:
    """Text for a line of its own: what would make it a heading, a list or a fence is escaped too."""
    text = markdown_cell(text).strip()
    return re.sub(r"^(\d{1,9})([.)])(?=\s|$)|^(?=[#+=-]+(?:\s|$)|~~~)", r"\1\\\2", text)


def drawing(picture: Picture) -> Markup:
    """The figure's SVG for the page: labelled for screen readers, its ids made unique within the page."""
    svg = TAG.sub(lambda tag: IDS.sub(rf"\g<0>{picture.name}-", tag[0]), picture.svg)  # words between tags stay
    svg = re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r"<svg \1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?)height="[^"]*" ([^>]*?)width="[^"]*"', r"\1\2", svg, count=1)
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))


def glyph(card: Card) -> Markup:
    """The card's rates as dots with their ranges on one axis, the margin as a band. Decoration: the sentences say the same."""
    height = 9 * len(card.dots) + 14
    left = 70 if card.labelled else 4
    low, high = card.axis

    def x(value: float) -> float:
        return left + (204 - left) * (max(low, min(high, value)) - low) / (high - low)

    parts = [f'<svg viewBox="0 0 208 {height}" aria-hidden="true" focusable="false">']
    if card.band:
        begin, end = map(x, card.band)
        parts.append(f'<rect class="band" x="{begin:.1f}" y="0" width="{end - begin:.1f}" height="{height - 12}"/>')
    middle = (left + 204) / 2
    parts.append(
        f'<path class="axis" d="M{left} {height - 11.5}H204M{left} {height - 13}v3M{middle:g} {height - 13}v3M204 '
        f'{height - 13}v3"/>'
    )
    for i, dot in enumerate(card.dots):
        y = 6 + 9 * i
        if card.labelled:
            parts.append(f'<text x="{left - 5}" y="{y + 2.5}" text-anchor="end">{escape(dot.label)}</text>')
        parts.append(f'<path class="range" d="M{x(dot.low):.1f} {y}H{x(dot.high):.1f}"/>')
        parts.append(f'<circle cx="{x(dot.value):.1f}" cy="{y}" r="2.6"/>')
    for place, anchor, value in ((left, "start", low), (middle, "middle", (low + high) / 2), (204, "end", high)):
        text = f"{value:g} %" if card.unit == "%" else f"{value:+g}" if value else "0 points"
        parts.append(f'<text x="{place:g}" y="{height - 1.5}" text-anchor="{anchor}">{text}</text>')
    return Markup("".join(parts) + "</svg>")
