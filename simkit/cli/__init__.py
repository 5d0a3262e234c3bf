"""The command line: one command per file, each a thin skin over `simkit.api`.

Results go to standard output, progress and errors to standard error. Exit codes: 0 done; 1 our bug; 2 something the user
can put right, told in one line; 3 a claim failed; 4 none failed, but one is undecided;
130 interrupted.
"""

import os
import signal
import sys
from importlib import import_module
from io import TextIOWrapper

import typer

from simkit.errors import LONGEST, Interrupted, UserError, hidden, one_line, shortened, shown

COMMANDS = (
    "games", "show", "check", "plan", "run", "extend", "compare", "sensitivity", "cards", "claims", "report", "replay",
    "export", "verify", "box", "bench", "selfcheck",
)  # fmt: skip

app = typer.Typer(
    name="simkit",
    help="A balance lab for tabletop games: plays millions of seeded games and says whether the game is fair.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for name in COMMANDS:
    import_module(f"simkit.cli.{name}").register(app)


@app.callback(invoke_without_command=True)
def simkit(version: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    if version:
        from simkit import __version__

        typer.echo(f"simkit {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; every error a user can put right is one line and exit code 2."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a letter is no reason to fail
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    if code == 130:  # all is said; nothing more is told by Ctrl-C while Python shuts down
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


def run(args: list[str]) -> int:
    if not args:
        args = ["--help"]
    for number, arg in enumerate(args, 1):
        if found := hidden(arg):
            return complain(
                f"word {number} of the command, {shown(arg)}, holds the character {found}, which does not print", 2
            )
    try:
        code = int(app(args, standalone_mode=False) or 0)
        return complain("stopped", code) if code == 130 else code
    except UserError as problem:
        return complain(str(problem), 2)
    except typer.TyperException as problem:  # the command line itself is wrong
        text = problem.format_message() if hasattr(problem, "format_message") else str(problem)
        return complain(text or "nothing to do; see simkit --help", 2)
    except Interrupted as stopped:
        where = f" in {stopped.folder}" if stopped.folder else ""
        return complain(f"stopped; what is played is kept{where}, continue with {stopped.how}", 130)
    except (KeyboardInterrupt, typer.Abort):
        return complain("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        return complain(f"{problem.filename or 'the disk'}: {(problem.strerror or str(problem)).lower()}", 2)
    except Exception as bug:
        if os.environ.get("SIMKIT_TRACEBACK"):
            raise
        about = f"{type(bug).__name__}: {bug}"
        return complain(f"internal error, please report it (SIMKIT_TRACEBACK=1 shows where): {about}", 1)


def complain(text: str, code: int) -> int:
    print(f"simkit: {shortened(one_line(text), LONGEST)}", file=sys.stderr)
    return code
