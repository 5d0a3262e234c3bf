"""Building the report of a run: summary tables to sections, sections to files."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from simkit.box_file import components
from simkit.report.cards import cards
from simkit.report.metrics import frame, metrics
from simkit.report.model import Report, Section
from simkit.report.page import html, markdown
from simkit.report.sections import (
    boxes,
    changes,
    convergence,
    difficulty,
    endings,
    fairness,
    feel,
    gallery,
    links,
    players,
    policies,
    promise,
    provenance,
    rates,
    rules,
    scores,
    shape,
    since,
    skill,
    supplies,
    tables_of_many,
    trust,
)  # fmt: skip
from simkit.report.sections import cards as card_values
from simkit.scenario.load import load_box
from simkit.scenario.pace import USUAL, check_pace
from simkit.scenario.provenance import origins, share_of
from simkit.storage import told_as_run_error, write_whole
from simkit.store import Run
from simkit.summary import words
from simkit.summary.evidence import Evidence, gather
from simkit.summary.kept import FIRST, Kept
from simkit.summary.looking import played, told
from simkit.summary.sheet import harmless

HONESTY = (
    "The ranges cover simulation noise only, at 95 %. They say nothing about whether the policies play like people."
)


def write_report(run: Run, out: Path, before: Run | None = None, pace: str = USUAL) -> Path:
    """Write index.html, report.md, report.json, tables/ and figures/ into `out`; gives the page. Same run, same bytes.

    before : an earlier run to compare with; adds a section of what changed
    pace   : the profile by which decisions become minutes
    """
    report = build(run, before, pace)
    with told_as_run_error(out, ""):
        for name, content in files_of(report):
            write_whole(out / name, content, out)
    return out / "index.html"


def gathered(run: Run) -> Evidence:
    return gather(
        run.recipe, run.tallies(), bool(run.until), run.playouts_of, dict(kept(run)), run.observed(), run.replayed()
    )  # fmt: skip


def kept(run: Run) -> Iterator[tuple[int, Kept]]:
    """The rows of the first playouts of each cell, of which the run has any."""
    for cell in run.recipe.cells:
        playouts, players = (run.first_rows(table, cell.id, FIRST) for table in ("playouts", "players"))
        if playouts is not None and players is not None:
            yield cell.id, Kept(playouts, players)


def build(run: Run, before: Run | None = None, pace: str = USUAL) -> Report:
    """The report of a finished run, from its tallies and manifest alone."""
    check_pace(pace)
    evidence = gathered(run)
    recipe = evidence.recipe
    made: list[Section | None] = [
        since.section(gathered(before), evidence) if before is not None else None,
        *ordered(evidence, rates.section(evidence), fairness.section(evidence)),
        players.section(evidence),
        difficulty.section(evidence),
        changes.section(evidence),
        policies.section(evidence),
        tables_of_many.section(evidence),
        skill.section(evidence),
        card_values.section(evidence),
        links.section(evidence),
        boxes.section(evidence),
        scores.section(evidence),
        shape.section(evidence),
        feel.section(evidence),
        promise.section(evidence, pace),
        endings.section(evidence),
        rules.section(evidence),
        supplies.section(evidence),
        gallery.section(run, evidence),
        convergence.section(evidence),
        trust.section(evidence),
        provenance.rulings(evidence),
        provenance.section(run, evidence),
    ]
    kept = tuple(section for section in made if section is not None)
    games = int(evidence.cells["playouts"].sum())
    shown = cards(evidence)
    facts = (
        ("Game", f"{recipe.spec.title}, rules version {recipe.rules_version}"),
        ("Played", f"{played(evidence.cells)} = {games:,} games"),
        ("Seed", str(recipe.seed)),
        ("Recipe", recipe.hash[:12]),
        ("simkit", run.manifest["versions"]["simkit"]),
    )
    return Report(
        title=recipe.title,
        question=recipe.question,
        facts=facts,
        honesty=" ".join([HONESTY, *told(run.until, evidence.cells)]),
        warnings=tuple(warnings_of(run, evidence.cells)),
        cards=shown,
        sections=kept,
        command=run.manifest["command"],
        numbers={
            "schema_version": 1,
            "title": recipe.title,
            "game": recipe.game,
            "recipe": recipe.hash,
            "seed": str(recipe.seed),
            "playouts": run.playouts,
            **({"until": run.until} if run.until else {}),
            "games": games,
            "facts": dict(facts),
            "metrics": plain(frame(metrics(evidence))),
            "cards": [
                {"name": c.name, "state": c.state, "word": c.word, "sentences": list(c.sentences)} for c in shown
            ],
            "cells": plain(evidence.cells),
            "seats": plain(evidence.seats),
            "seat_tests": plain(evidence.seat_tests),
            "end_reasons": plain(evidence.end_reasons),
            "differences": plain(evidence.differences),
            "columns": plain(evidence.columns),
            "minutes": plain(evidence.minutes),
            "gallery": plain(evidence.gallery),
            "deal_luck": plain(evidence.deal_luck),
            "split": plain(evidence.split),
            "controls_off": plain(
                evidence.controls[evidence.controls["is_off"].astype(bool)]
            ),  # all are in tables/controls.csv
            "policies": plain(evidence.shares),
            "policy_gaps": plain(evidence.gaps),
            "policy_effects": plain(evidence.effects),
            "given": plain(evidence.given),
            "found": plain(evidence.found),
            "shared": plain(evidence.shared),
            "scores": plain(evidence.scores),
            "supplies": plain(evidence.supplies),
            **observed_numbers(evidence),
            "sections": {
                section.name: {
                    "question": section.question,
                    "sentences": [*section.answers, *section.notes],
                    "captions": [picture.caption for picture in section.pictures],
                    "alt": [picture.alt for picture in section.pictures],
                    "tables": {table.name: {"columns": table.columns, "rows": table.rows} for table in section.tables},
                }
                for section in kept
            },
        },
    )


def observed_numbers(evidence: Evidence) -> dict[str, Any]:
    """What the observed sample tells, if the run has one."""
    if evidence.observed is None:
        return {}
    return {
        "feel": plain(evidence.observed.feel),
        "hope": plain(evidence.observed.hope),
        "decision_kinds": plain(evidence.observed.decisions),
        "rules": plain(evidence.observed.coverage),
    }


def ordered(evidence: Evidence, rates_: Section, fairness_: Section | None) -> tuple[Section | None, ...]:
    """With alike seats their fairness comes first."""
    return (fairness_, rates_) if evidence.is_alike else (rates_, fairness_)


def warnings_of(run: Run, cells: pd.DataFrame) -> Iterator[str]:
    """What a reader must know before anything else."""
    counts = origins(run.recipe.box)
    if "placeholder" in counts:
        yield f"In the box {share_of(counts, 'placeholder')}: no number here speaks for the published game."
    if run.recipe.components != components(load_box(run.recipe.spec, None)):
        yield "Played with a box file of the user's own, not with the box that simkit comes with."
    share = cells["truncated"].sum() / cells["playouts"].sum()
    if share > 0:
        as_what = f"not {words.outcome(run.recipe.spec).did}"
        yield f"{cells['truncated'].sum():,} playouts were cut off at the limit of decisions; they count as {as_what}."


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A table as plain data for JSON: nothing that is not a number of its own kind, missing values as null."""
    return json.loads(frame.to_json(orient="records", double_precision=15))


def files_of(report: Report) -> Iterator[tuple[str, bytes]]:
    """Every file of a report, by its name within the folder."""
    yield "index.html", html(report).encode()
    yield "report.md", markdown(report).encode()
    yield "report.json", numbers_text(report.numbers).encode()
    for section in report.sections:
        for table in section.tables:
            yield f"tables/{table.name}.csv", csv_of(table.data).encode()
        for picture in section.pictures:
            yield f"figures/{picture.name}.svg", picture.svg.encode()
            yield f"figures/{picture.name}.png", picture.png


def numbers_text(numbers: dict[str, Any]) -> str:
    """JSON with a row of a table on a line: half as large as with a value on a line, and as easy to compare."""

    def lines(value: Any) -> str:
        if isinstance(value, list) and value:
            return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        if isinstance(value, dict) and value:
            return "{\n  " + ",\n  ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n }"
        return json.dumps(value)

    return "{\n " + ",\n ".join(f"{json.dumps(key)}: {lines(value)}" for key, value in numbers.items()) + "\n}\n"


def csv_of(frame: pd.DataFrame) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.itertuples(index=False):
        writer.writerow(["" if pd.isna(value) else harmless(value) for value in row])
    return text.getvalue()
