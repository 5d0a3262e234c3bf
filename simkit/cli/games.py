"""simkit games"""

import typer


def register(app: typer.Typer) -> None:
    @app.command("games")
    def games() -> None:
        """List all games: player counts, presets, policies."""
        from simkit import games as registry
        from simkit.cli.screen import table

        rows = [
            [
                spec.name,
                spec.title,
                ", ".join(map(str, spec.players)),
                ", ".join(spec.presets),
                ", ".join(policy.name for policy in spec.policies),
            ]
            for spec in registry.every()
        ]
        table("", ["game", "title", "players", "presets", "policies"], rows)
        typer.echo("simkit show GAME tells all about one; simkit run GAME plays it.")
