"""simkit plan"""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from simkit.cli.flags import BoxFile, Jobs, Players, Policies, PresetName, Settings, pairs
from simkit.errors import OptionError

if TYPE_CHECKING:
    from simkit.scenario.grid import Recipe


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
        cluster: Annotated[
            bool, typer.Option("--cluster", help="Instead: what a large run takes on a cluster, and leaves on disk.")
        ] = False,
        workers: Annotated[
            int | None, typer.Option("--workers", metavar="N", min=1, help="Threads of the cluster; 64 if not given.")
        ] = None,
        playouts: Annotated[
            int | None,
            typer.Option(
                "--playouts", "-n", metavar="N", min=1, help="Of each cell on the cluster; 10^10 if not given."
            ),
        ] = None,
    ) -> None:
        """Say how many playouts a wanted precision takes, and how long that is on this machine."""
        if cluster:
            from simkit import api

            if target is None:
                raise OptionError("--cluster needs a scenario or a game: simkit plan SCENARIO --cluster")
            asked = api.question(
                target, options=pairs(settings, "--set"), preset=preset, players=players,
                policies=pairs(policy, "--policy"), box=box,
            )  # fmt: skip
            return print_cluster(asked.recipe, playouts, workers)
        for name, value in (("workers", workers), ("playouts", playouts)):
            if value is not None:
                raise OptionError(f"--{name} goes with --cluster")
        import joblib

        from simkit.answers import plan as answer
        from simkit.cli.screen import table

        cores = jobs or joblib.cpu_count()
        wishes = partial(answer.wishes, half_width=half_width, detect=detect, margin=margin, power=power)
        list(wishes((0.5,)))  # complains about numbers before anything is played
        known = answer.study(
            target, cores, options=pairs(settings, "--set"), preset=preset, players=players,
            policies=pairs(policy, "--policy"), box=box,
        )  # fmt: skip
        rows = []
        for wish in wishes(known.rates, pilot=known.pilot):
            seconds = known.seconds(wish)
            took = [] if seconds is None else [answer.time_shown(seconds)]
            rows.append([wish.what, *map(answer.shown, wish.playouts), *took])
        names = ["what you want", *(f"at a rate of {100 * rate:.3g} %" for rate in known.rates)]
        names += [f"time, {cores} worker{'s' if cores > 1 else ''}"] if target is not None else []
        table(f"{known.title}: playouts of each cell", names, rows, right=names[1:])
        for line in known.remarks:
            typer.echo(line)
        typer.echo(f"Ranges at 95 %; what is true is found, or shown, in {100 * power:g} % of such runs.")


def print_cluster(recipe: "Recipe", playouts: int | None, workers: int | None) -> None:
    """A line for each way to carry a run out on a cluster."""
    from simkit.answers import cluster
    from simkit.answers.plan import time_shown
    from simkit.cli.screen import table
    from simkit.summary.words import storage

    playouts, workers = playouts or cluster.PLAYOUTS, workers or cluster.WORKERS
    costs = cluster.calibrate(recipe)
    found = {way: cluster.estimate(recipe, costs, playouts, workers, way) for way in cluster.WAYS}
    rows = [
        [
            way.told, time_shown(one.seconds), storage(one.disk), time_shown(one.driver), time_shown(one.adding),
            f"{one.feeds:,.0f}", storage(one.memory),
        ]
        for way, one in found.items()
    ]  # fmt: skip
    names = ["what is kept", "time", "disk", "driver busy", "adding up", "feeds workers", "driver's memory"]
    cells = f"{len(recipe.cells)} cell{'s' if len(recipe.cells) > 1 else ''}"
    title = f"{recipe.title}: {cells} x {playouts:,} playouts on {workers} workers"
    table(title, names, rows, right=names[1:])
    typer.echo(
        f"Rows: {costs.row_bytes:.1f} bytes a playout. Counts: {storage(costs.tally_bytes)} for a part of a cell."
    )
    slow = [way.told for way, one in found.items() if one.feeds < workers]
    if slow:
        typer.echo(f"With {workers} workers the driver is the bottleneck for: {'; '.join(slow)}.")
    if not all(one.whole_parts for way, one in found.items() if way.workers_write):
        typer.echo(
            "A part takes one worker so long that its work is shared: the driver writes, also with --workers-write."
        )
    typer.echo("A worker is taken to be as fast as one core of this machine. The workers write with --workers-write.")
