"""simkit bench"""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command("bench")
    def bench(
        game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if not given.")] = None,
        seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="How long each measurement lasts.")] = 0.5,
    ) -> None:
        """Measure the speed of this machine: playouts and decisions per second, and what everything else adds."""
        from simkit import api, games
        from simkit.cli.screen import table
        from simkit.engine import bench as measure

        specs = [games.get(game)] if game else list(games.every())
        rows = [
            [s.game, s.players, s.line_up, f"{s.playouts:,.0f}", f"{s.decisions / 1e6:.1f} M", f"{s.per_playout:.1f}"]
            for spec in specs
            for s in measure.speeds(spec, seconds)
        ]
        names = ["game", "players", "policies", "playouts/s", "decisions/s", "decisions each"]
        table("One core, all columns recorded", names, rows, right=("players", *names[3:]))
        rows = []
        for spec in specs:
            asked = api.question(spec.name, policies={"all": "random"})
            playouts = measure.enough(measure.job_of(spec, asked.recipe.cells[0].policies), 8 * seconds)
            tallies, with_rows = measure.rows_cost(asked.recipe, api.manifest_of(asked, False), playouts)
            rows += [
                [spec.name, "two threads against one", f"{measure.two_threads(spec, seconds):.2f} x", "1.85 x"],
                [spec.name, "tallies, on top of playing", f"{100 * measure.tally_cost(spec, seconds):.0f} %", "15 %"],
                [spec.name, "a whole run with tallies only, processor time", f"{100 * tallies:.0f} %", ""],
                [spec.name, "a whole run with rows on disk, processor time", f"{100 * with_rows:.0f} %", "60 %"],
                [spec.name, "first compile of all entries", f"{measure.first_compile(spec):.1f} s", "20 s"],
                [spec.name, "a small run from a warm cache", f"{measure.small_run_seconds(spec.name):.2f} s", "1.5 s"],
            ]
        rows.append(["", "simkit --help", f"{measure.help_seconds():.2f} s", "0.3 s"])
        table("Everything else", ["game", "what", "measured", "budget"], rows, right=("measured", "budget"))
