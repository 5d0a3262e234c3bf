"""Samples of every cell beside the run itself: played in pieces, in any order, and put together cell by cell."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from typing import Protocol, TypeVar

from simkit.engine.execute import Progress
from simkit.engine.workers import Workers, together
from simkit.errors import Interrupted, RunError
from simkit.store import Run


class Piece(Protocol):
    """What came of some playouts of a cell."""

    @property
    def first(self) -> int: ...
    @property
    def size(self) -> int:
        """Playouts."""
        ...


P = TypeVar("P", bound=Piece)


def by_cell(
    run: Run,
    samples: Sequence[int],
    tasks: Iterable[Callable[..., tuple[int, P]]],
    what: str,
    workers: Workers,
    progress: Progress,
) -> Iterator[tuple[int, list[P]]]:
    """Every cell with the pieces of its sample in their order, the cells in any order.

    samples : how many playouts of each cell     tasks : each gives a cell and a piece     what : 'observing'
    raises  : Interrupted after Ctrl-C or SIGTERM, RunError if workers are lost
    """
    pieces: dict[int, list[P]] = {}
    progress.begin(sum(samples), 0, what)
    try:
        with closing(workers.play(together(((0.0, task) for task in tasks), 0.0))) as results:
            for cell, piece in chain.from_iterable(results):
                progress.advance(piece.size)
                mine = pieces.setdefault(cell, [])
                mine.append(piece)
                if sum(one.size for one in mine) == samples[cell]:
                    yield cell, sorted(pieces.pop(cell), key=lambda one: one.first)
    except BaseException as problem:
        with suppress(RunError):
            run.save(force=True)
        if isinstance(problem, KeyboardInterrupt):
            raise Interrupted(str(run.folder)) from None
        raise
    finally:
        progress.end()
