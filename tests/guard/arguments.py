"""Bad command lines by the thousand: good ones with a word exchanged for something that does not belong there."""

import contextlib
import io
import os
from pathlib import Path
from random import Random

from simkit import api, games
from simkit.cli import run
from tests.guard.fuzz import NASTY_NUMBERS, NASTY_TEXT

# every option of every command that does not take seconds; run is a finished run, box.toml and s.toml are good files
GOOD = (
    "run propuh --playouts 20 --seed 1 --players 2 --set deck=even --policy granny=builder --jobs 1 --out new --tally-only",
    "run propuh --playouts 20 --preset solo-2 --box box.toml --backend threads --out new",
    "run s.toml --playouts 20 --out new --resume",
    "run propuh --playouts 20 --out run",
    "extend run --playouts 20 --jobs 1",
    "check s.toml --playouts 20 --box box.toml --jobs 1",
    "compare propuh --set deck=even --policy all=random --playouts 20 --margin 2 --seed 1 --jobs 1 --out pictures",
    "compare run run --margin 2 --out pictures",
    "replay propuh --playout 3 --seed 1 --preset solo-1 --set deck=even --policy granny=builder --box box.toml --json",
    "replay run --playout 3 --cell 1",
    "export run --to rows.csv --table playouts --cell 0",
    "export run --to rows.parquet --table cells",
    "verify run --sample 2",
    "report run --fail-if lowest_rate<0 --out report",
    "box check propuh box.toml",
    "box export propuh --csv sheets",
    "show propuh --box box.toml",
    "plan --half-width 1 --detect 1 --margin 2 --power 0.8",
    "games",
)

SURROGATES = ("\udcff", "x\udc80y", "\ud800")
FILES = (
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/proc/self/mem",
    "/",
    ".",
    "pipe",
    "loop",
    "link",
    "folder",
    "run/manifest.json",
)


def set_up() -> None:
    """What the good command lines need, and some files that are none."""
    api.run(api.question("propuh", playouts=20), out=Path("run"))
    Path("box.toml").write_text(games.get("propuh").text("box.toml"), encoding="utf-8")
    Path("s.toml").write_text('game = "propuh"\nplayouts = 20\n', encoding="utf-8")
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    Path("link").symlink_to("/dev/zero")


def spoilt_line(random: Random) -> list[str]:
    """A good command line with one to two words exchanged, added or left out."""
    words = random.choice(GOOD).split()
    for _ in range(random.choice((1, 1, 2))):
        place = random.randrange(len(words))
        bad = str_of(random.choice(random.choice((NASTY_TEXT, NASTY_NUMBERS, SURROGATES, FILES))))
        match random.randrange(6):
            case 0:
                words.insert(place, bad)
            case 1 if len(words) > 1:
                del words[place]
            case 2 if "=" in words[place]:
                words[place] = random.choice(
                    (words[place].split("=")[0] + "=" + bad, bad + "=" + words[place].split("=")[1])
                )
            case _:
                words[place] = bad
    return words


def str_of(value: object) -> str:
    try:
        return str(value)
    except ValueError:
        return "9" * 4000


def answered(words: list[str]) -> tuple[int, str, str]:
    """The exit code of a command line, and what it says on standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, out.getvalue(), err.getvalue()
