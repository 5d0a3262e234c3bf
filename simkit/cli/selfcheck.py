"""simkit selfcheck"""

from typing import Annotated

import typer

from simkit.cli.flags import Jobs


def register(app: typer.Typer) -> None:
    @app.command("selfcheck")
    def selfcheck(
        game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if not given.")] = None,
        runs: Annotated[
            int, typer.Option("--runs", metavar="N", min=20, help="How often a cell is held against itself.")
        ] = 200,
        playouts: Annotated[
            int, typer.Option("--playouts", "-n", metavar="N", min=100, help="Playouts of each such playing.")
        ] = 2_000,
        jobs: Jobs = None,
    ) -> None:
        """Test the statistics: equals must look equal, ranges must cover, planted changes must be found."""
        import joblib

        from simkit import games
        from simkit.answers import selfcheck as answer

        specs = [games.get(game)] if game else list(games.every())
        workers = jobs or joblib.cpu_count()
        groups = [(spec.title, answer.checks(spec, runs, playouts, workers)) for spec in specs]
        failed = 0
        for title, checks in (("Ranges, by exact sums", answer.coverage_table()), *groups):
            typer.echo(title)
            for check in checks:
                typer.echo(f"  {check.line}")
                failed += check.is_ok is False
        if failed:
            typer.echo(f"{failed} check{'s' if failed > 1 else ''} FAILED")
            raise typer.Exit(3)
        typer.echo("all is as it should be")
