"""Games worth looking at, each with the command that tells it as a story."""

from itertools import pairwise
from typing import Any

import pandas as pd

from simkit.report.model import Section
from simkit.report.sections.parts import made_table, say
from simkit.store import Run
from simkit.summary import words
from simkit.summary.evidence import Evidence
from simkit.summary.gallery import CHANGES, COMEBACK
from simkit.summary.kept import FIRST


def section(run: Run, evidence: Evidence) -> Section:
    question = "Which games are worth looking at?"
    folder = folder_told(run)
    found = evidence.gallery.merge(evidence.cells[["cell", "label"]], on="cell")
    if found.empty:
        gone = "The rows of single games are not in the run folder any more, so none can be shown."
        again = (
            f"Play the run anew to have them: it keeps all rows, or with --tally-only the first {FIRST:,} of each cell."
        )
        return Section("gallery", question, (f"{gone} {again}",))
    found = found.assign(
        told=[sentence(evidence, row) for row in found.itertuples()],
        command=["" if pd.isna(row.playout) else replay(folder, row) for row in found.itertuples()],
    )
    some = f"the first {FIRST:,}" if run.playouts > FIRST else f"the {run.playouts:,}"
    answer = (
        f"Of {some} games of each cell these say most; the command beside a game tells it move by move. "
        "They are examples, picked for being unusual (the typical one for being usual), and say nothing of how often."
    )
    rows = [(row.label, row.what, row.told, row.command) for row in found.itertuples()]
    names = ("cell", "game", "what happened", "command")
    table = made_table("gallery", "Telling games, and how to watch them", names, rows, found)
    notes = [f"The commands take the run to be in {folder}."]
    shown, cells = found["cell"].nunique(), len(evidence.cells)
    if shown < cells:
        notes.append(f"{shown} of {cells} cells are looked through: with the rules as printed, and by player count.")
    return Section("gallery", question, (answer,), (), (table,), tuple(notes))


def sentence(evidence: Evidence, row: Any) -> str:
    """'Granny won after 4 rounds and 20 decisions; it ended by granny goals.'"""
    if pd.isna(row.playout):
        return f"None of the first {FIRST:,} games ended so."
    length = f"{row.length} {evidence.length if row.length != 1 else evidence.length.removesuffix('s')}"
    decisions = (
        "" if evidence.length == "decisions" else f" and {row.decisions} decision{'' if row.decisions == 1 else 's'}"
    )
    ended = f"it ended by {say(row.end_reason)}{turn(evidence, row)}"
    return f"{who(evidence, row)}{by(evidence, row)} after {length}{decisions}; {ended}."


def turn(evidence: Evidence, row: Any) -> str:
    """', having been 7 points behind', ', the lead having changed 9 times'."""
    if pd.isna(row.extreme):
        return ""
    if row.what == CHANGES:
        return f", the lead having changed {row.extreme} time{'' if row.extreme == 1 else 's'}"
    unit = evidence.spec.standing.unit if evidence.spec.standing else ""
    far = f"{row.extreme} {unit.removesuffix('s') if row.extreme == 1 else unit}"
    return f", having been {far} {'behind' if row.what == COMEBACK else 'further from it than another'}"


def who(evidence: Evidence, row: Any) -> str:
    """'Granny won', 'Seat 2 (open) lost', 'Seats 0 and 3 (open, random) won', 'The team lost'."""
    did, did_not = evidence.outcome.did, "lost" if evidence.outcome.is_good else "won"
    seats = row.seats.split(", ") if row.seats else []
    if evidence.spec.cooperative:
        return f"The team {did if seats else did_not}"
    if not seats:
        return words.capital(f"{evidence.spec.roles[0]} {did_not}") if evidence.spec.roles else f"Nobody {did}"
    if evidence.spec.roles:
        return words.capital(f"{words.listed_words(seats)} {did}")
    numbers = words.listed_words([seat.removeprefix("seat ") for seat in seats])
    return f"Seat{'s' if len(seats) > 1 else ''} {numbers} ({', '.join(dict.fromkeys(row.policies.split(', ')))}) {did}"


def by(evidence: Evidence, row: Any) -> str:
    """' by 3 points', ' on level scores', where something tells how close it was."""
    if pd.isna(row.margin):
        return ""
    if row.margin == 0:
        return " with nothing to spare" if evidence.spec.cooperative else " on level scores"
    columns = {column.name: column for column in (*evidence.spec.player_columns, *evidence.spec.columns)}
    unit = (columns["margin"] if "margin" in columns else columns["score"]).unit or "points"
    return f" by {row.margin} {unit.removesuffix('s') if row.margin == 1 else unit}"


def replay(folder: str, row: Any) -> str:
    return f"simkit replay {folder} --cell {row.cell} --playout {row.playout}"


def folder_told(run: Run) -> str:
    """The run folder as the command that made the run called it, never with the folders of a machine above it."""
    given = run.manifest["command"].split()
    named = [word.removeprefix("--out=") for word in given if word.startswith("--out=")]
    named += [after for word, after in pairwise(given) if word == "--out"]
    if not named:
        return run.recipe.folder
    folder = named[-1].replace("\\", "/").rstrip("/")
    is_relative = not folder.startswith(("/", "~", "..")) and ":" not in folder
    return folder if is_relative else folder.split("/")[-1]
