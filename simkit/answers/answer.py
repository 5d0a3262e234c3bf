"""The shape of an answer about a game's rules or cards: tables and sentences for people, rows for programs, a picture."""

import csv
import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit import api
from simkit.scenario.grid import Recipe

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

Row = Mapping[str, Any]  # a line of the CSV file: one kind of answer has the same keys in every row


@dataclass(frozen=True)
class Shown:
    """A table for people."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()  # columns of numbers


@dataclass(frozen=True)
class Answer:
    """All there is to tell. `files` are pictures by their ending: .png and .svg."""

    name: str  # of its files
    title: str
    tables: tuple[Shown, ...]
    lines: tuple[str, ...]
    rows: tuple[Row, ...]
    files: Mapping[str, bytes]

    @property
    def csv(self) -> str:
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.rows[0])
        for row in self.rows:
            writer.writerow(["" if value is None else value for value in map(plain, row.values())])
        return text.getvalue()

    @property
    def json(self) -> str:
        rows = [{name: plain(value) for name, value in row.items()} for row in self.rows]
        return json.dumps({"title": self.title, "rows": rows, "sentences": list(self.lines)}, indent=1)

    @property
    def contents(self) -> dict[str, bytes]:
        """Its files by name."""
        files = {**self.files, ".csv": self.csv.encode()}
        return {f"{self.name}{ending}": content for ending, content in files.items()}


def plain(value: Any) -> Any:
    """A value for CSV and JSON: numbers of Python's own, nothing in place of what is not a number."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not isfinite(value) else value


def played(
    asked: api.Question, out: Path | None, resume: bool, jobs: int | None, progress: "Progress | None"
) -> tuple[Recipe, pl.DataFrame]:
    """Play a question into a run folder, or into one that is thrown away; gives what was counted."""
    with TemporaryDirectory(prefix="simkit-") if out is None else nullcontext(str(out)) as folder:
        where = Path(folder) / "run" if out is None else Path(folder)
        done = api.run(asked, out=where, jobs=jobs, tally_only=True, resume=resume, progress=progress)
        return done.recipe, done.tallies()


def names_of(parts: Sequence[str]) -> str:
    """A file name, without its ending, from words."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in "-".join(parts))[:80]
