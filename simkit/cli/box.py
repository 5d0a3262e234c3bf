"""simkit box"""

from pathlib import Path
from typing import Annotated

import typer

from simkit.cli.flags import GameName


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="A game's components as a file to edit.", no_args_is_help=True, rich_markup_mode=None)

    @group.command("export")
    def export(game: GameName) -> None:
        """Print a game's box file, to edit and play with --box."""
        from simkit import games

        typer.echo(games.get(game).text("box.toml"), nl=False)

    @group.command("check")
    def check(game: GameName, file: Annotated[Path, typer.Argument(metavar="FILE", help="A box file.")]) -> None:
        """Validate a box file, and say for which player counts it can be dealt."""
        from simkit import games
        from simkit.errors import BoxError
        from simkit.scenario.load import load_box

        spec = games.get(game)
        content = load_box(spec, file)
        for players in spec.players:
            try:
                spec.module("box").pack(spec.resolve({}), content, players)
                typer.echo(f"{players} players: can be dealt")
            except BoxError as problem:
                typer.echo(f"{players} players: {problem}")

    app.add_typer(group, name="box")
