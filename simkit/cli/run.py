"""simkit run"""

from typing import Annotated

import typer

from simkit.cli.flags import (
    Backend,
    BoxFile,
    Jobs,
    OutFolder,
    Players,
    Playouts,
    Policies,
    PresetName,
    Scheduler,
    Seed,
    Settings,
    Target,
    WorkersWrite,
    pairs,
    points,
)  # fmt: skip


def register(app: typer.Typer) -> None:
    @app.command("run")
    def run(
        target: Target,
        playouts: Playouts = None,
        seed: Seed = None,
        players: Players = None,
        preset: PresetName = None,
        settings: Settings = None,
        policy: Policies = None,
        box: BoxFile = None,
        jobs: Jobs = None,
        backend: Backend = "threads",
        scheduler: Scheduler = None,
        workers_write: WorkersWrite = False,
        until_width: Annotated[
            str | None,
            typer.Option(
                "--until-width",
                metavar="POINTS",
                help="Play until every range is at most so wide, end to end: 0.5pt. Then --playouts is the most it may take.",
            ),
        ] = None,
        out: OutFolder = None,
        resume: Annotated[bool, typer.Option("--resume", help="Continue an unfinished run.")] = False,
        tally_only: Annotated[bool, typer.Option("--tally-only", help="Keep counts and a sample of rows.")] = False,
        report: Annotated[bool, typer.Option("--report", help="Also write the report.")] = False,
    ) -> None:
        """Play a scenario, or a game, and print how often who wins."""
        from simkit import api
        from simkit.cli import screen
        from simkit.storage import local

        if report and out is not None:
            local(out, "--report writes a report into a folder; make it afterwards with simkit report RUN --out FOLDER")
        asked = api.question(
            target, playouts=playouts, seed=seed, players=players, preset=preset,
            options=pairs(settings, "--set"), policies=pairs(policy, "--policy"), box=box,
            until_width=None if until_width is None else points(until_width, "--until-width"),
        )  # fmt: skip
        with screen.terminable():
            done = api.run(
                asked, out=out, jobs=jobs, backend=backend, scheduler=scheduler, workers_write=workers_write,
                resume=resume, tally_only=tally_only, progress=screen.progress(),
            )  # fmt: skip
        from simkit.cli.results import print_run

        print_run(done)
        if report:
            typer.echo(f"report: {api.report(str(done.folder))}")
