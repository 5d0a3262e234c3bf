"""Options that mean the same in every command."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from simkit.errors import OptionError, shown

Target = Annotated[str, typer.Argument(metavar="SCENARIO|GAME", help="A scenario file, or the name of a game.")]
RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="A run folder, or its address (s3://...).")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game.")]
Playouts = Annotated[int | None, typer.Option("--playouts", "-n", metavar="N", help="Playouts of each cell.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The run's seed.")]
Players = Annotated[int | None, typer.Option("--players", metavar="N", help="Player count (with a game's name).")]
PresetName = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A preset (with a game's name).")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Change an option; can be repeated.")
]
Policies = Annotated[
    list[str] | None, typer.Option("--policy", metavar="SEAT=NAME", help="Who plays a seat (or all=NAME); repeatable.")
]
BoxFile = Annotated[
    Path | None, typer.Option("--box", metavar="FILE", help="A box file to play instead of the game's own.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", min=1, max=1024, help="Workers; all cores if not given.")
]
Backend = Annotated[str, typer.Option("--backend", metavar="NAME", help="threads, loky (processes) or dask.")]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Of the dask cluster: tcp://HOST:8786.")
]
WorkersWrite = Annotated[
    bool, typer.Option("--workers-write", help="The cluster's workers share the run folder, and write it themselves.")
]
Margin = Annotated[float | None, typer.Option("--margin", metavar="POINTS", help="Your limit; 2 if not given.")]
KeptRun = Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Keep the run there.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an unfinished run (with --out).")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print rows and sentences as JSON.")]
OutFolder = Annotated[
    str | None, typer.Option("--out", metavar="FOLDER", help="Where the run goes; or an address, s3://BUCKET/NAME.")
]


def pairs(given: Sequence[str] | None, flag: str) -> dict[str, str]:
    """NAME=VALUE words as a dictionary. Raises OptionError for a word of another form or a name given twice."""
    found: dict[str, str] = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise OptionError(f"{flag} {shown(word)}: expected NAME=VALUE")
        if name in found:
            raise OptionError(f"{flag} {name} is given twice")
        found[name] = value
    return found


def points(word: str, flag: str) -> float:
    """A number of points: '0.5' or '0.5pt'. Raises OptionError for anything else."""
    number = word.strip().removesuffix("points").removesuffix("pt").strip()
    try:
        found = float(number)
    except ValueError:
        found = 0.0
    if not 0.001 <= found <= 50:
        raise OptionError(f"{flag} {shown(word)}: expected points from 0.001 to 50, such as 0.5pt")
    return found
