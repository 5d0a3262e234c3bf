"""Tables and progress on a terminal. In a pipe: plain text, no colours, no progress."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from simkit.errors import Interrupted

if TYPE_CHECKING:
    from rich.console import Console

    from simkit.engine.execute import Progress

PIPE_WIDTH = 160


def console() -> "Console":
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False, soft_wrap=False)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], right: Sequence[str] = ()) -> None:
    """Print a table; columns named in `right` are aligned to the right."""
    from rich.box import SIMPLE
    from rich.markup import escape
    from rich.table import Table

    made = Table(title=escape(title) or None, box=SIMPLE, title_justify="left", title_style="bold")
    for name in columns:
        made.add_column(escape(name), justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*(escape(str(value)) for value in row))
    console().print(made)


class Bar:
    """A progress bar with rate and time left on standard error."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %  {task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._task: Any = None
        self._started = 0.0
        self._played = 0

    def compiling(self, game: str) -> None:
        self._console.print(f"compiling {game} (first run only) ...", markup=False)

    def begin(self, total: int, done: int, what: str = "playing") -> None:
        self._started = time.monotonic()
        self._played = 0
        self._task = self._bar.add_task(what, total=total, completed=done, rate="")
        self._bar.start()

    def advance(self, playouts: int) -> None:
        self._played += playouts
        rate = self._played / max(time.monotonic() - self._started, 1e-3)
        self._bar.update(self._task, advance=playouts, rate=f"{rate:,.0f} playouts/s")

    def end(self) -> None:
        self._bar.stop()


def progress() -> "Progress | None":
    """A bar on a terminal, nothing in a pipe."""
    return Bar() if sys.stderr.isatty() else None


@contextmanager
def terminable() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C: finish cleanly, leave the run resumable. A second of either ends the program at once, and
    the run is as resumable.
    """
    import os
    import signal

    def at_once(*_: Any) -> None:
        os.write(2, b"simkit: stopped at once; what is played is kept, continue with --resume\n")
        os._exit(130)

    def interrupt(*_: Any) -> None:
        for number in before:
            signal.signal(number, at_once)
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
