"""simkit report"""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command("report")
    def report(
        run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run folder.")],
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FOLDER", help="Where it goes; RUN/report if not given.")
        ] = None,
    ) -> None:
        """Write the report of a run: an HTML page, Markdown, tables and figures."""
        from simkit import api

        typer.echo(str(api.report(run, out)))
