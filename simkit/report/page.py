"""The report as a page and as Markdown, through jinja2 templates. Everything a user named is escaped."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from simkit.report.model import Picture, Report


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
    made.filters["drawing"] = drawing
    return made


def html(report: Report) -> str:
    """A page that needs nothing but itself: styles and figures are inside, scripts and network are forbidden."""
    return environment().get_template("page.html").render(report=report)


def markdown(report: Report) -> str:
    return environment().get_template("report.md").render(report=report)


def markdown_cell(text: Any) -> str:
    """Text for a Markdown table or line: characters with a meaning are escaped."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", str(text)).replace("\n", " ")


def drawing(picture: Picture) -> Markup:
    """The figure's SVG for the page: labelled for screen readers, its ids made unique within the page."""
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{picture.name}-", picture.svg)
    svg = re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r"<svg \1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?)height="[^"]*" ([^>]*?)width="[^"]*"', r"\1\2", svg, count=1)
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))
