"""simkit sensitivity"""

from typing import Annotated, Any

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
from simkit.errors import ScenarioError


def register(app: typer.Typer) -> None:
    @app.command("sensitivity")
    def sensitivity(
        game: GameName,
        named: Annotated[
            list[str] | None,
            typer.Argument(metavar="[OPTION]...", help="Only these; OPTION=VALUE,VALUE for some values."),
        ] = None,
        players: Players = None,
        preset: PresetName = None,
        policy: Policies = None,
        settings: Settings = None,
        playouts: Playouts = None,
        seed: Seed = None,
        box: BoxFile = None,
        margin: Margin = None,
        target: Annotated[
            float | None,
            typer.Option("--target", metavar="PER_CENT", help="What verdicts hold a rate against; 50 if not given."),
        ] = None,
        factorial: Annotated[bool, typer.Option("--factorial", help="Every combination of the options named.")] = False,
        audit: Annotated[
            bool, typer.Option("--audit", help="Every open ruling and component read otherwise: does a verdict flip?")
        ] = False,
        multiverse: Annotated[
            int | None, typer.Option("--multiverse", metavar="N", help="N random combinations of open rulings.")
        ] = None,
        jobs: Jobs = None,
        out: KeptRun = None,
        resume: Resume = False,
        csv: AsCsv = False,
        json: AsJson = False,
    ) -> None:
        """Say which rule matters: every option by itself, on the same deals."""
        from simkit.answers import sensitivity as one_at_a_time
        from simkit.answers.setting import Setting
        from simkit.cli import answers

        chosen = [flag for flag, given in (("--factorial", factorial), ("--audit", audit),
                                           ("--multiverse", multiverse is not None)) if given]  # fmt: skip
        answers.check_flags(csv, json, out, resume)
        if len(chosen) > 1:
            raise ScenarioError(f"{' and '.join(chosen)} exclude each other")
        setting = Setting.of(
            answers.game(game, "sensitivity"), options=pairs(settings, "--set"), preset=preset, players=players,
            policies=pairs(policy, "--policy"), playouts=one_at_a_time.PLAYOUTS if playouts is None else playouts, seed=seed,
            box=box, margin=margin, target=target,
        )  # fmt: skip
        with answers.playing(out) as progress:
            run: Any = {"out": out, "resume": resume, "jobs": jobs, "progress": progress}
            if factorial:
                from simkit.answers import factorial as combined

                found = combined.factorial(setting, named or (), **run)
            elif audit:
                from simkit.answers import audit as audited

                found = audited.audit(setting, named or (), **run)
            elif multiverse is not None:
                from simkit.answers import multiverse as many

                found = many.multiverse(setting, multiverse, named or (), **run)
            else:
                found = one_at_a_time.sensitivity(setting, named or (), **run)
        answers.tell(found, out, csv, json)
