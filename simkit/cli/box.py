"""simkit box"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from simkit.cli.flags import GameName

Folder = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FOLDER", help="Write box.toml and a CSV file for every card list into this folder."),
]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="A game's components as a file to edit.", no_args_is_help=True, rich_markup_mode=None)

    @group.command("export")
    def export(game: GameName, csv: Folder = None) -> None:
        """Print a game's box file, to edit and play with --box; or write it with its lists as CSV."""
        from simkit import games

        spec = games.get(game)
        if csv is None:
            typer.echo(spec.text("box.toml"), nl=False)
        else:
            for name in write_files(spec, csv):
                typer.echo(name)

    @group.command("check")
    def check(game: GameName, file: Annotated[Path, typer.Argument(metavar="FILE", help="A box file.")]) -> None:
        """Validate a box file: for which player counts it can be dealt, whether it keeps what is printed on it, and where its
        numbers come from.

        Exit code 2 if it can be dealt for none.
        """
        from simkit import games
        from simkit.errors import BoxError
        from simkit.scenario.load import load_box
        from simkit.scenario.promise import broken, dealt
        from simkit.scenario.provenance import origins, shares

        spec = games.get(game)
        content = load_box(spec, file)
        faults = {players: dealt(spec, content, players) for players in spec.players}
        for players, fault in faults.items():
            typer.echo(f"{players} players: {fault or 'can be dealt'}")
            for change, other in other_tables(spec, content, players):
                if other != fault:
                    typer.echo(f"{players} players with {change}: {other or 'can be dealt'}")
        for line in promised(content):
            typer.echo(line)
        for players, fault in broken(spec, content).items():
            typer.echo(f"printed for {players} players, but: {fault}")
        typer.echo(f"provenance: {shares(origins(content))}")
        if all(faults.values()):
            raise BoxError(f"{file}: can be dealt for no player count")

    app.add_typer(group, name="box")


def promised(box: Mapping[str, Any]) -> Iterator[str]:
    """What is printed on a box, a line each."""
    from simkit.box_file import printed, span

    promise = printed(box)
    for what, found in (("players", promise.players), ("minutes", promise.minutes)):
        yield f"printed: {span(found)} {what} ({found.provenance})" if found else f"printed: no number of {what}"


def other_tables(spec: Any, box: Mapping[str, Any], players: int) -> Iterator[tuple[str, str]]:
    """The options that choose other tables of the box, each alone, and why they cannot be dealt."""
    from simkit.scenario.grid import show_value
    from simkit.scenario.promise import dealt

    for option in spec.options:
        if option.box and (not option.players or players in option.players):
            for value in option.values[1:]:
                yield f"{option.name} = {show_value(value)}", dealt(spec, box, players, **{option.name: value})


def write_files(spec: Any, folder: Path) -> Iterator[str]:
    """Write a game's box into a folder, lists as CSV; gives the names. Raises BoxError if any of the files is there."""
    from simkit.errors import BoxError, listed
    from simkit.scenario.sheets import in_files
    from simkit.storage import told_as_run_error

    files = in_files(spec.text("box.toml"), spec.module("box").Box)
    if there := [name for name in files if (folder / name).exists()]:
        verb = "is" if len(there) == 1 else "are"
        raise BoxError(
            f"{folder}: {listed(there).replace(' or ', ' and ')} {verb} there already; choose another folder"
        )
    for name, text in files.items():
        with told_as_run_error(folder / name, ""):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        yield str(folder / name)
