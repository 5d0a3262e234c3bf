"""simkit verify"""

from typing import Annotated

import typer

from simkit.cli.flags import RunFolder


def register(app: typer.Typer) -> None:
    @app.command("verify")
    def verify(
        run: RunFolder,
        sample: Annotated[
            int, typer.Option("--sample", metavar="N", min=0, max=1_000_000, help="Playouts of each cell to replay.")
        ] = 100,
    ) -> None:
        """Check every file against its checksum, the sums against the parts, and replay a sample of playouts."""
        from simkit import api

        for line in api.verify(run, sample):
            typer.echo(line)
