"""Opening a user's file as text: what cannot be read is told in one line."""

import re
import stat
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from simkit.errors import UserError, hidden, nearest

MAX_BYTES = 1_000_000
MAX_DEPTH = 40  # tables and lists within each other
LINES = ("question", "source")  # keys whose text may have several lines

# More parts in one dotted key than anybody writes: reading them takes time that grows with their square.
KEY = r"""(?:[A-Za-z0-9_-]{1,200}+|"(?:[^"\\\n]|\\.){0,200}+"|'[^'\n]{0,200}+')"""
LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){KEY}(?:[ \t]{{0,99}}+\.[ \t]{{0,99}}+{KEY}){{{MAX_DEPTH}}}")


def read_text(path: Path, error: type[UserError], kind: str) -> str:
    """The text of a file without its byte order mark. Raises `error` for anything that cannot be read.

    kind : what the file should be: "TOML", "CSV"
    """
    try:
        about = path.stat()
        if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)):
            raise error(f"{path}: is a device or a pipe, expected a {kind} file")
        if about.st_size > MAX_BYTES:
            raise error(f"{path}: {about.st_size:,} bytes, expected at most {MAX_BYTES:,}")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)  # what the system makes up as it is read has no size beforehand
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise error(f"{path}: no such file{similar_files(path)}") from None
    except IsADirectoryError:
        raise error(f"{path}: is a folder, expected a {kind} file") from None
    except UnicodeDecodeError as problem:
        raise error(f"{path}: byte {problem.start} is not UTF-8; save the file as UTF-8") from None
    except ValueError as problem:  # a name that no file can have
        raise error(f"{path!s:.80}: cannot be read: {problem}") from None
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None

    for number, line in enumerate(text.split("\n"), 1):
        if found := hidden(line, "\t\r"):
            raise error(
                f"{path} line {number}: holds the hidden character {found}; take it out, or save the file as text"
            )
    return text


def check_plain(content: Any, place: Sequence[object] = (), lines: bool = False) -> tuple[Sequence[object], str] | None:
    """The first thing in the data of a file that no file of ours needs, as its place and what is wrong; None if all is well.

    lines : whether text here may have several lines
    """
    if len(place) > MAX_DEPTH:
        return place[:3], "is nested too deeply"
    if isinstance(content, dict):
        for key, value in content.items():
            if found := hidden(key):
                return place, f"a key holds the hidden character {found}"
            if fault := check_plain(value, (*place, key), key in LINES):
                return fault
    elif isinstance(content, list):
        for number, value in enumerate(content):
            if fault := check_plain(value, (*place, number), lines):
                return fault
    elif isinstance(content, str) and (found := hidden(content, "\t\n\r" if lines else "")):
        return place, f"holds the character {found}, which does not print"
    elif isinstance(content, int) and not -(2**63) <= content < 2**63:
        return place, "is a number of more than 64 bits"
    elif isinstance(content, float) and not isfinite(content):
        return place, f"cannot be {content}; expected an ordinary number"
    return None


def similar_files(path: Path) -> str:
    try:
        return nearest(path.name, [other.name for other in path.parent.glob(f"*{path.suffix}")])
    except (OSError, ValueError):
        return ""
