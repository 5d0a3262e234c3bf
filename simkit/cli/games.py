"""simkit games"""

import typer


def register(app: typer.Typer) -> None:
    @app.command("games")
    def games() -> None:
        """List all games: modes, player counts, presets, policies."""
        from simkit import games as registry
        from simkit.cli.screen import table
        from simkit.summary.words import listed

        rows = [
            [
                spec.name,
                spec.title,
                ", ".join(spec.modes),
                listed(spec.players),
                ", ".join(spec.presets),
                ", ".join(policy.name for policy in spec.policies),
            ]
            for spec in registry.every()
        ]
        table("", ["game", "title", "modes", "players", "presets", "policies"], rows)
        typer.echo("simkit show GAME tells all about one; simkit run GAME plays it.")
