"""simkit export"""

from pathlib import Path
from typing import Annotated

import typer

from simkit.cli.flags import RunFolder


def register(app: typer.Typer) -> None:
    @app.command("export")
    def export(
        run: RunFolder,
        to: Annotated[Path, typer.Option("--to", metavar="FILE", help="A .csv or .parquet file.")],
        table: Annotated[
            str, typer.Option("--table", metavar="NAME", help="playouts, players, tallies or cells.")
        ] = "playouts",
        cell: Annotated[int | None, typer.Option("--cell", min=0, metavar="N", help="One cell only.")] = None,
    ) -> None:
        """Write a table of a run into one CSV or Parquet file."""
        from simkit import api

        typer.echo(f"{api.export(run, to, table, cell):,} rows: {to}")
