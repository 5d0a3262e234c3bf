"""simkit show"""

from pathlib import Path
from typing import Annotated

import typer

from simkit.cli.flags import BoxFile, GameName


def register(app: typer.Typer) -> None:
    @app.command("show")
    def show(
        game: GameName,
        box: BoxFile = None,
        rules: Annotated[bool, typer.Option("--rules", help="Print the rules as simkit plays them.")] = False,
    ) -> None:
        """Show a game: options with defaults and rulings, presets, policies, columns, box with provenance."""
        from simkit import games

        spec = games.get(game)
        if rules:
            typer.echo(spec.text("RULES.md"), nl=False)
        else:
            describe(game, box)


def describe(game: str, box: Path | None) -> None:
    from simkit import games
    from simkit.box_file import described
    from simkit.cli.screen import table
    from simkit.scenario.grid import show_value
    from simkit.scenario.load import load_box
    from simkit.scenario.provenance import origins, shares

    spec = games.get(game)
    typer.echo(
        f"{spec.title} (rules version {spec.rules_version}), {' or '.join(map(str, spec.players))} players\n{spec.about}\n"
    )
    options = [
        [
            option.name,
            show_value(option.default),
            ", ".join(show_value(value) for value in option.values[1:]),
            f"{option.about} ({option.clause}{', ruling' if option.ruling else ''})",
        ]
        for option in spec.options
    ]
    table("Options", ["option", "default", "other values", "what it decides"], options)
    presets = [
        [p.name, p.title, p.players, ", ".join(f"{k} = {show_value(v)}" for k, v in p.options.items())]
        for p in spec.presets.values()
    ]
    table("Presets", ["preset", "what", "players", "options"], presets)
    policies = [[p.name, ", ".join(p.roles) or "all", p.about] for p in spec.policies]
    table("Policies", ["policy", "seats", "what it does"], policies)
    columns = [
        [where, c.name, ", ".join(c.words) or f"{c.low} .. {c.high}", c.unit, c.about]
        for where, columns in (("playout", spec.columns), ("player", spec.player_columns))
        for c in columns
    ]
    table("Columns", ["of a", "column", "values", "unit", "what"], columns)
    content = load_box(spec, box)
    table(f"Box: {content['title']}", ["what", "numbers", "provenance", "source"], described(spec, content))
    typer.echo(f"Of the numbers in the box, {shares(origins(content))}.")
    if spec.cards:
        names = [[number, name] for number, name in enumerate(spec.module("box").card_names(content))]
        typer.echo(f"\nCards whose part in the outcome is counted: {spec.cards}")
        table("", ["number", "card"], names, right=("number",))
