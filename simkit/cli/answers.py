"""What commands share that play a question and print an answer: tables and sentences, or CSV, or JSON; and its files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from simkit.errors import Interrupted, RunError, ScenarioError

if TYPE_CHECKING:
    from simkit.answers.answer import Answer
    from simkit.engine.execute import Progress


def game(name: str, command: str) -> str:
    """A game's name. Raises ScenarioError for a file."""
    from simkit import api

    if api.is_file(name):
        raise ScenarioError(f"{name}: {command} takes a game's name; run plays the cells of a scenario")
    return name


def check_flags(csv: bool, json: bool, out: Path | None, resume: bool) -> None:
    """Raise ScenarioError for flags that do not go together."""
    if csv and json:
        raise ScenarioError("--csv and --json exclude each other")
    if resume and out is None:
        raise ScenarioError("--resume goes with --out FOLDER: without it a run is not kept")


@contextmanager
def playing(out: Path | None) -> Iterator["Progress | None"]:
    """Play within it: a run in a folder of its own can be continued, one that is thrown away just stops."""
    from simkit.cli import screen

    try:
        with screen.terminable():
            yield screen.progress()
    except Interrupted:
        if out is None:
            raise KeyboardInterrupt from None
        raise


def tell(found: "Answer", out: Path | None, csv: bool, json: bool) -> None:
    """Print an answer, and write its files: below the run's folder, or below `runs` if the run is not kept."""
    from simkit.cli.screen import table

    if csv:
        typer.echo(found.csv, nl=False)
    elif json:
        typer.echo(found.json)
    else:
        typer.echo(found.title)
        for shown in found.tables:
            typer.echo(f"\n{shown.title}" if shown.title else "")
            table("", shown.columns, shown.rows, right=shown.right)
        for line in found.lines:
            typer.echo(line)
    folder = Path("runs") if out is None else out / "answers"
    names = write(found, folder)
    if not (csv or json):
        typer.echo(f"files: {', '.join(str(folder / name) for name in names)}")
        if out is not None:
            typer.echo(f"run: {out}")


def write(found: "Answer", folder: Path) -> list[str]:
    """Write the files of an answer; gives their names."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in found.contents.items():
            (folder / name).write_bytes(content)
    except OSError as problem:
        raise RunError(f"{folder}: cannot be written: {(problem.strerror or str(problem)).lower()}") from None
    return list(found.contents)
