"""What a user can do wrong. Each is one line: what, where, what was expected, the nearest valid name."""

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 1500  # characters of a message
DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


class UserError(Exception):
    """Anything the user can put right; the command line prints it on one line and exits with code 2.

    Whatever is told is made fit for a terminal: one line of characters that print, without the middle of a very long one.
    """

    def __init__(self, text: str) -> None:
        super().__init__(shortened(one_line(text), LONGEST))


class ScenarioError(UserError):
    """A scenario file that cannot be carried out."""


class BoxError(UserError):
    """A box file that does not describe a game's components, or a box that cannot be dealt."""


class OptionError(UserError):
    """An option, preset, policy, seat or player count that a game does not have."""


class RunError(UserError):
    """A run folder that cannot be written, continued or read."""


class Interrupted(Exception):
    """Ctrl-C or SIGTERM: the run is left resumable; the command line exits with code 130.

    folder : where the run is, if there is one      how : what continues it
    """

    def __init__(self, folder: str = "", how: str = "--resume") -> None:
        super().__init__(folder, how)
        self.folder = folder
        self.how = how


def one_line(text: str) -> str:
    """The text on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and end if it is longer than `most` characters."""
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 5]} ... {text[-end:]}"


def hidden(text: str, allowed: str = "") -> str:
    """The first character that does not belong into a name, as 'U+001B'; nothing if there is none.

    Those are control characters, halves of surrogate pairs, what turns the direction of writing, separators of lines, and
    what is no character at all. Joiners and spaces of other scripts are none of these.
    """
    if text.isprintable():
        return ""
    for c in text:
        if c in allowed or c.isprintable():
            continue
        if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in DIRECTIONS or ord(c) & 0xFFFE == 0xFFFE:
            return f"U+{ord(c):04X}"
    return ""


def listed(names: Iterable[object]) -> str:
    """Names for a sentence: 'a, b or c'."""
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}" if words else "nothing"


def nearest(name: object, names: Iterable[object]) -> str:
    """' (did you mean X?)' when a valid name is close to what was written, else nothing."""
    close = get_close_matches(str(name)[:200].lower(), [str(n) for n in names], n=1, cutoff=0.6)
    return f" (did you mean {close[0]}?)" if close else ""


def unknown(what: str, name: object, names: Iterable[object]) -> str:
    """'WHAT NAME is not known (did you mean X?); expected A, B or C'."""
    names = list(names)
    return f"{what} {shown(name)} is not known{nearest(name, names)}; expected {listed(names)}"


def shown(value: object) -> str:
    """A value as a user wrote it, shortened so that a message stays one line."""
    text = one_line(value[:1000] if isinstance(value, str) else repr(value))
    text = text if len(text) <= 60 else text[:57] + "..."
    return f"'{text}'" if isinstance(value, str) else text
