"""simkit claims"""

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simkit.cli.flags import Jobs
from simkit.errors import Interrupted, RunError

if TYPE_CHECKING:
    from simkit.answers.claim_results import Result

EXIT = {"holds": 0, "fails": 3, "undecided": 4}


def register(app: typer.Typer) -> None:
    @app.command("claims")
    def claims(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="A claims file, such as balance.toml.")],
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE", help="Keep the results here; told is what changed.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
        jobs: Jobs = None,
    ) -> None:
        """Decide claims about balance. Exit code 0 if all hold, 3 if one fails, 4 if none fails but one is undecided."""
        from simkit.answers.claim_results import changes, remarks, result_of
        from simkit.answers.claims import decide
        from simkit.cli import screen

        before = None if out is None else kept(out)
        try:
            with screen.terminable():
                result = result_of(*decide(file, jobs, screen.progress()))
        except Interrupted:  # nothing is kept that could be continued
            raise KeyboardInterrupt from None
        moved = None if before is None else list(changes(before, result))
        if as_json:
            told = result.model_dump() | ({} if moved is None else {"changes": moved})
            typer.echo(json.dumps(told, indent=1))
        else:
            print_table(result)
            for line in remarks(result):
                typer.echo(line)
            if moved is not None:
                typer.echo(
                    "\n".join(["Since the last time:", *moved]) if moved else "Nothing changed since the last time."
                )
        if out is not None:
            keep(out, result)
        raise typer.Exit(EXIT[result.verdict])


def print_table(result: "Result") -> None:
    from simkit.cli.screen import table

    names = ["claim", "verdict", "figure", "wanted", "found", "playouts", "in"]
    rows = [
        [claim.name, claim.verdict, claim.metric, claim.wanted, claim.found, f"{claim.playouts:,}", claim.cell]
        for claim in result.claims
    ]
    table(result.title, names, rows, right=["playouts"])


def kept(path: Path) -> "Result | None":
    """The results of the last time; None if there are none. Raises RunError for a file that holds something else."""
    from pydantic import ValidationError

    from simkit.answers.claim_results import Result

    try:
        return Result.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise RunError(f"--out {path}: cannot be read: {(problem.strerror or str(problem)).lower()}") from None
    except ValidationError:
        raise RunError(
            f"--out {path}: holds something else than results of simkit claims; choose another file"
        ) from None


def keep(path: Path, result: "Result") -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(result.model_dump_json(indent=1) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as problem:
        with suppress(OSError):
            temporary.unlink()
        raise RunError(f"--out {path}: cannot be written: {(problem.strerror or str(problem)).lower()}") from None
