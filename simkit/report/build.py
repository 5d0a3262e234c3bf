"""Building the report of a run: summary tables to sections, sections to files."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from simkit.report import sections
from simkit.report.model import Report, Section
from simkit.report.page import html, markdown
from simkit.store import Run, told_as_run_error
from simkit.summary import tables

HONESTY = (
    "The ranges cover simulation noise only, at 95 %. They say nothing about whether the policies play like people."
)


def write_report(run: Run, out: Path) -> Path:
    """Write index.html, report.md, report.json, tables/ and figures/ into `out`; gives the page. Same run, same bytes."""
    report = build(run)
    with told_as_run_error(out):
        for name, content in files_of(report):
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return out / "index.html"


def build(run: Run) -> Report:
    """The report of a finished run, from its tallies and manifest alone."""
    recipe, tallies = run.recipe, run.tallies()
    cells = tables.cells(recipe, tallies)
    endings = tables.end_reasons(recipe, tallies)
    differences = tables.differences(recipe, tallies)
    columns = tables.columns(recipe, tallies)
    parts: list[Section | None] = [
        sections.rates(recipe, cells),
        sections.difficulty(recipe, cells),
        sections.changes(recipe, cells, differences),
        sections.endings(recipe, cells, endings),
        sections.shape(recipe, cells, columns),
        sections.rulings(recipe, cells, differences),
        sections.provenance(run),
    ]
    kept = tuple(part for part in parts if part is not None)
    versions = run.manifest["versions"]
    return Report(
        title=recipe.title,
        question=recipe.question,
        facts=(
            ("Game", f"{recipe.spec.title}, rules version {recipe.rules_version}"),
            (
                "Played",
                f"{len(recipe.cells)} cells x {run.playouts:,} playouts = {len(recipe.cells) * run.playouts:,} games",
            ),
            ("Seed", str(recipe.seed)),
            ("Recipe", recipe.hash[:12]),
            ("simkit", versions["simkit"]),
        ),
        honesty=HONESTY,
        warnings=tuple(warnings_of(run, cells)),
        sections=kept,
        command=run.manifest["command"],
        numbers={
            "schema_version": 1,
            "title": recipe.title,
            "game": recipe.game,
            "recipe": recipe.hash,
            "seed": str(recipe.seed),
            "playouts": run.playouts,
            "cells": plain(cells),
            "end_reasons": plain(endings),
            "differences": plain(differences),
            "columns": plain(columns),
            "sentences": [sentence for part in kept for sentence in part.answers],
        },
    )


def warnings_of(run: Run, cells: pd.DataFrame) -> Iterator[str]:
    """What a reader must know before anything else."""
    provenance = sorted({row[2] for row in run.recipe.spec.module("box").describe(run.recipe.box)})
    if "placeholder" in provenance:
        yield "Some components are placeholders: no number here speaks for the published game."
    if run.recipe.box != sections.own_box(run.recipe):
        yield "Played with a box file of the user's own, not with the box that simkit comes with."
    share = cells["truncated"].sum() / cells["playouts"].sum()
    if share > 0:
        yield f"{cells['truncated'].sum():,} playouts were cut off at the limit of decisions; they count as not won."


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A table as plain data for JSON: nothing that is not a number of its own kind, missing values as null."""
    return json.loads(frame.to_json(orient="records", double_precision=15))


def files_of(report: Report) -> Iterator[tuple[str, bytes]]:
    """Every file of a report, by its name within the folder."""
    yield "index.html", html(report).encode()
    yield "report.md", markdown(report).encode()
    yield "report.json", (json.dumps(report.numbers, indent=1) + "\n").encode()
    for section in report.sections:
        for table in section.tables:
            yield f"tables/{table.name}.csv", csv_of(table.data).encode()
        for picture in section.pictures:
            yield f"figures/{picture.name}.svg", picture.svg.encode()
            yield f"figures/{picture.name}.png", picture.png


def csv_of(frame: pd.DataFrame) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.itertuples(index=False):
        writer.writerow(["" if pd.isna(value) else value for value in row])
    return text.getvalue()
