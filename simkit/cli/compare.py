"""simkit compare"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simkit.cli.flags import BoxFile, Jobs, Players, Playouts, Policies, PresetName, Seed, Settings, pairs
from simkit.errors import Interrupted, OptionError, RunError, ScenarioError

if TYPE_CHECKING:
    from simkit.answers.difference import Comparison
    from simkit.answers.sprt import Decided
    from simkit.api import Question
    from simkit.engine.execute import Progress


def register(app: typer.Typer) -> None:
    @app.command("compare")
    def compare(
        first: Annotated[str, typer.Argument(metavar="GAME|RUN", help="A game with --set, or a finished run folder.")],
        second: Annotated[
            str | None, typer.Argument(metavar="[RUN]", help="The run to hold against the first.")
        ] = None,
        settings: Settings = None,
        preset: PresetName = None,
        players: Players = None,
        policy: Policies = None,
        playouts: Playouts = None,
        seed: Seed = None,
        box: BoxFile = None,
        margin: Annotated[
            float | None, typer.Option("--margin", metavar="POINTS", help="Your limit; 2, or that of the run.")
        ] = None,
        sprt: Annotated[
            bool, typer.Option("--sprt", help="Stop as soon as it is decided: no change, or one of at least --margin?")
        ] = False,
        alpha: Annotated[
            float | None, typer.Option("--alpha", metavar="CHANCE", help="To see a change where there is none; 0.05.")
        ] = None,
        beta: Annotated[
            float | None, typer.Option("--beta", metavar="CHANCE", help="To miss a change of --margin; 0.05.")
        ] = None,
        jobs: Jobs = None,
        out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the picture goes.")] = Path("runs"),
    ) -> None:
        """Say what a change does to who wins, on the same deals; or hold two finished runs against each other."""
        if second is not None:
            from simkit.answers.compare_runs import compare_runs, refuse_settings
            from simkit.storage import place

            given: dict[str, object] = {"set": settings, "preset": preset, "players": players, "policy": policy}
            given |= {"playouts": playouts, "seed": seed, "box": box, "jobs": jobs}
            refuse_settings(given | {"sprt": sprt or None, "alpha": alpha, "beta": beta})
            compared = compare_runs(place(first), place(second), margin)
            print_table(compared)
            name = [Path(first).name, Path(second).name]
        else:
            refuse_one_file(first)
            from simkit.answers.compare import question
            from simkit.answers.difference import MARGIN
            from simkit.cli import screen

            options = pairs(settings, "--set")
            asked = question(
                first, options, preset=preset, players=players, policies=pairs(policy, "--policy"), playouts=playouts,
                seed=seed, box=box, margin=MARGIN if margin is None else margin,
            )  # fmt: skip
            try:
                with screen.terminable():
                    compared = answered(asked, sprt, alpha, beta, jobs, screen.progress())
            except Interrupted:  # nothing is kept that could be continued
                raise KeyboardInterrupt from None
            name = [asked.recipe.name, *(f"{option}-{value}" for option, value in options.items())]
        typer.echo(f"picture: {write_picture(compared, out, name)}")


def refuse_one_file(first: str) -> None:
    from simkit import api, games

    if first not in games.names() and Path(first).is_dir():
        raise RunError(f"{first}: is one folder; compare takes two runs, or a game's name with --set OPTION=VALUE")
    if api.is_file(first):
        raise ScenarioError(f"{first}: compare takes a game's name or two run folders; run compares a scenario's cells")


def answered(
    asked: "Question",
    sprt: bool,
    alpha: float | None,
    beta: float | None,
    jobs: int | None,
    progress: "Progress | None",
) -> "Comparison":
    """Play, and print what came of it."""
    from simkit.answers.compare import compare_variant

    if sprt:
        from simkit.answers.sprt import CHANCE, comparison, decide

        chances = CHANCE if alpha is None else alpha, CHANCE if beta is None else beta
        decided = decide(asked, *chances, jobs, progress)
        compared = comparison(asked.recipe, decided)
        print_decisions(compared, decided, chances)
        return compared
    for name, value in (("alpha", alpha), ("beta", beta)):
        if value is not None:
            raise OptionError(f"--{name} goes with --sprt")
    compared = compare_variant(asked, jobs, progress)
    print_sentences(compared)
    typer.echo(f"{len(asked.recipe.cells)} cells x {asked.playouts:,} playouts, seed {asked.recipe.seed}")
    return compared


def print_decisions(compared: "Comparison", decided: "list[Decided]", chances: tuple[float, float]) -> None:
    """A line for each line-up, then what it means."""
    from simkit.answers.difference import HONESTY
    from simkit.answers.sprt import remarks, sentence

    for one in decided:
        typer.echo(sentence(one, compared.headline))
    margin = 100 * decided[0].difference.margin
    for line in (*compared.remarks, *remarks(margin, *chances), HONESTY):
        typer.echo(line)


def print_sentences(compared: "Comparison") -> None:
    """A line for each line-up, then whatever must be known beside."""
    from simkit.answers.difference import HONESTY, disagreement, sentence

    for found in compared.differences:
        typer.echo(sentence(found, compared.headline))
    for line in (*compared.remarks, HONESTY, disagreement(compared.differences)):
        if line:
            typer.echo(line)


def print_table(compared: "Comparison") -> None:
    """A line for each pair of cells, then what tells the runs apart and the cells that have no partner."""
    from simkit.answers.difference import HONESTY, verdict
    from simkit.cli.screen import table
    from simkit.summary import words

    rows = [
        [
            found.who,
            found.change,
            words.percent(*found.before),
            words.percent(*found.after),
            words.points(found.difference, found.low, found.high),
            verdict(found),
            found.on,
        ]
        for found in compared.differences
    ]
    names = ["cell", "change", f"first: {compared.headline}", "second", "difference", "verdict", "on"]
    kept = [i for i in range(6) if i != 1 or any(row[1] for row in rows)]
    decks = {found.on for found in compared.differences}
    kept += [6] if len(decks) > 1 else []
    table(compared.title, [names[i] for i in kept], [[row[i] for i in kept] for row in rows], right=names[2:5])
    for line in (*([f"on {decks.pop()}"] if len(decks) == 1 else []), *compared.remarks, HONESTY):
        typer.echo(line)


def write_picture(compared: "Comparison", folder: Path, name: list[str]) -> Path:
    """Write NAME.png and NAME.svg; gives the path of the second."""
    from simkit.answers.picture import picture, picture_name

    stem = picture_name(*name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending, content in picture(compared).items():
            (folder / f"{stem}{ending}").write_bytes(content)
    except OSError as problem:
        raise RunError(f"--out {folder}: cannot be written: {(problem.strerror or str(problem)).lower()}") from None
    return folder / f"{stem}.svg"
