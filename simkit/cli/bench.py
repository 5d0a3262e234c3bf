"""simkit bench"""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command("bench")
    def bench(
        game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if not given.")] = None,
        seconds: Annotated[
            float, typer.Option("--seconds", min=0.01, max=600, help="How long each measurement lasts.")
        ] = 0.5,
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
            threads, compiled = measure.two_threads(spec, seconds), measure.first_compile(spec)
            counted, small = 100 * measure.tally_cost(spec, seconds), measure.small_run_seconds(spec.name)
            rows += [
                [spec.name, "two threads against one", f"{threads:.2f} x", *held(-threads, -1.85, "1.85 x")],
                [spec.name, "tallies, on top of playing", f"{counted:.0f} %", *held(counted, 15, "15 %")],
                [spec.name, "a whole run with tallies only, processor time", f"{100 * tallies:.0f} %", "", ""],
                [
                    spec.name, "a whole run with rows on disk, processor time",
                    f"{100 * with_rows:.0f} %", *held(100 * with_rows, 60, "60 %"),
                ],
                [spec.name, "first compile of all entries", f"{compiled:.1f} s", *held(compiled, 20, "20 s")],
                [spec.name, "a small run from a warm cache", f"{small:.2f} s", *held(small, 1.5, "1.5 s")],
            ]  # fmt: skip
        helped = measure.help_seconds()
        rows.append(["", "simkit --help", f"{helped:.2f} s", *held(helped, 0.3, "0.3 s")])
        table("Everything else", ["game", "what", "measured", "budget", ""], rows, right=("measured", "budget"))


def held(measured: float, budget: float, words: str) -> tuple[str, str]:
    """A budget in words, and whether it was missed; `measured` should not be more."""
    return words, "missed" if measured > budget else ""
