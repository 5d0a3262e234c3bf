"""What a user can do wrong. Each is one line: what, where, what was expected, the nearest valid name."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Anything the user can put right; the command line prints it on one line and exits with code 2."""


class ScenarioError(UserError):
    """A scenario file that cannot be carried out."""


class BoxError(UserError):
    """A box file that does not describe a game's components, or a box that cannot be dealt."""


class OptionError(UserError):
    """An option, preset, policy, seat or player count that a game does not have."""


class RunError(UserError):
    """A run folder that cannot be written, continued or read."""


class Interrupted(Exception):
    """Ctrl-C or SIGTERM: the run is left resumable; the command line exits with code 130."""


def one_line(text: str) -> str:
    """The text on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def listed(names: Iterable[object]) -> str:
    """Names for a sentence: 'a, b or c'."""
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}" if words else "nothing"


def nearest(name: object, names: Iterable[object]) -> str:
    """' (did you mean X?)' when a valid name is close to what was written, else nothing."""
    close = get_close_matches(str(name).lower(), [str(n) for n in names], n=1, cutoff=0.6)
    return f" (did you mean {close[0]}?)" if close else ""


def unknown(what: str, name: object, names: Iterable[object]) -> str:
    """'WHAT NAME is not known (did you mean X?); expected A, B or C'."""
    names = list(names)
    return f"{what} {shown(name)} is not known{nearest(name, names)}; expected {listed(names)}"


def shown(value: object) -> str:
    """A value as a user wrote it, shortened so that a message stays one line."""
    text = one_line(value if isinstance(value, str) else repr(value))
    text = text if len(text) <= 60 else text[:57] + "..."
    return f"'{text}'" if isinstance(value, str) else text
