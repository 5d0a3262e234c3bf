"""simkit replay"""

from typing import Annotated

import typer

from simkit.cli.flags import BoxFile, Players, Policies, PresetName, Seed, Settings, pairs


def register(app: typer.Typer) -> None:
    @app.command("replay")
    def replay(
        target: Annotated[str, typer.Argument(metavar="RUN|GAME", help="A run folder, or the name of a game.")],
        playout: Annotated[int, typer.Option("--playout", min=0, metavar="N", help="Which playout.")] = 0,
        cell: Annotated[int | None, typer.Option("--cell", min=0, metavar="N", help="Which cell of a run.")] = None,
        seed: Seed = None,
        players: Players = None,
        preset: PresetName = None,
        settings: Settings = None,
        policy: Policies = None,
        box: BoxFile = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON Lines instead of a story.")] = False,
    ) -> None:
        """Tell one playout as a readable story."""
        from simkit import api

        told = api.replay(
            target, playout, cell=cell, seed=seed, players=players, preset=preset,
            options=pairs(settings, "--set"), policies=pairs(policy, "--policy"), box=box,
        )  # fmt: skip
        for line in told.json_lines() if as_json else told.story():
            typer.echo(line)
