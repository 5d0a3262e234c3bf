"""simkit report"""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command("report")
    def report(
        run: Annotated[str, typer.Argument(metavar="RUN", help="A finished run folder.")],
        after: Annotated[
            str | None, typer.Argument(metavar="[LATER]", help="A later run: its report, with what changed since RUN.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FOLDER", help="Where it goes; RUN/report if not given.")
        ] = None,
        pace: Annotated[
            str, typer.Option("--pace", metavar="NAME", help="How fast people play: quick, usual or slow.")
        ] = "usual",
        fail_if: Annotated[
            list[str] | None,
            typer.Option(
                "--fail-if", metavar="CONDITION", help='Exit with 3 if it surely holds: "seat_gap > 2". Repeatable.'
            ),
        ] = None,
    ) -> None:
        """Write the report of a run: an HTML page, Markdown, tables and figures."""
        from simkit import api

        told, before = (run, None) if after is None else (after, run)
        failed = api.broken(told, fail_if or [])
        typer.echo(str(api.report(told, out, before, pace)))
        for line in failed:
            typer.echo(f"simkit: {line}", err=True)
        if failed:
            raise typer.Exit(3)
