"""simkit plan"""

from functools import partial
from typing import Annotated

import typer

from simkit.cli.flags import BoxFile, Jobs, Players, Policies, PresetName, Settings, pairs


def register(app: typer.Typer) -> None:
    @app.command("plan")
    def plan(
        target: Annotated[
            str | None, typer.Argument(metavar="[SCENARIO|GAME]", help="What to play; without it, the bare table.")
        ] = None,
        half_width: Annotated[
            float | None, typer.Option("--half-width", metavar="POINTS", help="How exactly a rate must be known.")
        ] = None,
        detect: Annotated[
            float, typer.Option("--detect", metavar="POINTS", help="How small a change must be found.")
        ] = 1.0,
        margin: Annotated[
            float, typer.Option("--margin", metavar="POINTS", help="How far off its target a rate may be.")
        ] = 2.0,
        power: Annotated[
            float, typer.Option("--power", metavar="CHANCE", help="The chance that a run finds what is true.")
        ] = 0.8,
        settings: Settings = None,
        preset: PresetName = None,
        players: Players = None,
        policy: Policies = None,
        box: BoxFile = None,
        jobs: Jobs = None,
    ) -> None:
        """Say how many playouts a wanted precision takes, and how long that is on this machine."""
        import joblib

        from simkit.answers import plan as answer
        from simkit.cli.screen import table

        workers = jobs or joblib.cpu_count()
        wishes = partial(answer.wishes, half_width=half_width, detect=detect, margin=margin, power=power)
        list(wishes((0.5,)))  # complains about numbers before anything is played
        known = answer.study(
            target, workers, options=pairs(settings, "--set"), preset=preset, players=players,
            policies=pairs(policy, "--policy"), box=box,
        )  # fmt: skip
        rows = []
        for wish in wishes(known.rates, pilot=known.pilot):
            seconds = known.seconds(wish)
            took = [] if seconds is None else [answer.time_shown(seconds)]
            rows.append([wish.what, *map(answer.shown, wish.playouts), *took])
        names = ["what you want", *(f"at a rate of {100 * rate:.3g} %" for rate in known.rates)]
        names += [f"time, {workers} worker{'s' if workers > 1 else ''}"] if target is not None else []
        table(f"{known.title}: playouts of each cell", names, rows, right=names[1:])
        for line in known.remarks:
            typer.echo(line)
        typer.echo(f"Ranges at 95 %; what is true is found, or shown, in {100 * power:g} % of such runs.")
