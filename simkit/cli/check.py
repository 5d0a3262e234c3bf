"""simkit check"""

import typer

from simkit.cli.flags import BoxFile, Jobs, Playouts, Target


def register(app: typer.Typer) -> None:
    @app.command("check")
    def check(target: Target, playouts: Playouts = None, box: BoxFile = None, jobs: Jobs = None) -> None:
        """Validate a scenario without playing it: print its cells, and how long it will take."""
        import joblib

        from simkit import api
        from simkit.cli.screen import table
        from simkit.engine.plan import seconds_per_playout
        from simkit.engine.worker import Job
        from simkit.summary.words import count, duration

        asked = api.question(target, playouts=playouts, box=box)
        recipe = asked.recipe
        compared = {other: against for group in recipe.groups for against, other in group.pairs}
        rows = []
        seconds = 0.0
        for cell in recipe.cells:
            each = seconds_per_playout(Job.of(recipe, cell), 5_000)
            seconds += each * asked.playouts
            rows.append(
                [
                    cell.id,
                    recipe.groups[cell.group].name or cell.group,
                    cell.label,
                    cell.players,
                    count(asked.playouts),
                    compared.get(cell.id, ""),
                    f"{1 / each:,.0f}",
                ]
            )
        names = ["cell", "group", "what", "players", "playouts", "compared with", "playouts/s"]
        table(recipe.title, names, rows, right=("cell", "players", "playouts", "compared with", "playouts/s"))
        workers = jobs or joblib.cpu_count()
        typer.echo(
            f"{len(recipe.cells)} cells x {asked.playouts:,} playouts, seed {recipe.seed}, recipe {recipe.hash[:8]}: "
            f"about {duration(seconds / workers)} of playing on {workers} workers"
        )
