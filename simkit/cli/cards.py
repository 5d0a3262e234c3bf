"""simkit cards"""

from typing import Annotated

import typer

from simkit.cli.flags import (
    AsCsv,
    AsJson,
    BoxFile,
    GameName,
    Jobs,
    KeptRun,
    Margin,
    Players,
    Playouts,
    Policies,
    PresetName,
    Resume,
    Seed,
    Settings,
    pairs,
)  # fmt: skip


def register(app: typer.Typer) -> None:
    @app.command("cards")
    def cards(
        game: GameName,
        swap: Annotated[
            list[str] | None,
            typer.Option("--swap", metavar="CARD[=OTHER]", help="Put another card in its place; repeatable; or all."),
        ] = None,
        players: Players = None,
        preset: PresetName = None,
        policy: Policies = None,
        settings: Settings = None,
        playouts: Playouts = None,
        seed: Seed = None,
        box: BoxFile = None,
        margin: Margin = None,
        jobs: Jobs = None,
        out: KeptRun = None,
        resume: Resume = False,
        csv: AsCsv = False,
        json: AsJson = False,
    ) -> None:
        """Say which card matters: what goes with having it, or (--swap) what it does on the same deals."""
        from simkit.answers.sensitivity import PLAYOUTS
        from simkit.answers.setting import Setting
        from simkit.cli import answers

        answers.check_flags(csv, json, out, resume)
        setting = Setting.of(
            answers.game(game, "cards"), options=pairs(settings, "--set"), preset=preset, players=players,
            policies=pairs(policy, "--policy"), playouts=PLAYOUTS if playouts is None else playouts, seed=seed, box=box,
            margin=margin,
        )  # fmt: skip
        with answers.playing(out) as progress:
            if swap:
                from simkit.answers import swaps

                found = swaps.swaps(setting, swap, out=out, resume=resume, jobs=jobs, progress=progress)
            else:
                from simkit.answers import cards as table

                found = table.cards(setting, out=out, resume=resume, jobs=jobs, progress=progress)
        answers.tell(found, out, csv, json)
