"""simkit extend"""

from typing import Annotated

import typer

from simkit.cli.flags import Backend, Jobs, RunFolder, Scheduler, WorkersWrite


def register(app: typer.Typer) -> None:
    @app.command("extend")
    def extend(
        run: RunFolder,
        playouts: Annotated[
            int, typer.Option("--playouts", "-n", metavar="N", min=1, help="Playouts of each cell, in all.")
        ],
        jobs: Jobs = None,
        backend: Backend = "threads",
        scheduler: Scheduler = None,
        workers_write: WorkersWrite = False,
    ) -> None:
        """Continue a run to more playouts; the result is that of one long run."""
        from simkit import api
        from simkit.cli import screen
        from simkit.cli.results import print_run

        with screen.terminable():
            done = api.extend(
                run, playouts, jobs=jobs, backend=backend, scheduler=scheduler, workers_write=workers_write,
                progress=screen.progress(),
            )  # fmt: skip
        print_run(done)
