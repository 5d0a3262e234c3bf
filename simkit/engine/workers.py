"""Who plays: threads or processes of this machine here, a dask cluster in cluster.py; and what they are given to do."""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from joblib import cpu_count
from joblib.externals.loky import get_reusable_executor

from simkit.engine.assemble import Assembly, Files
from simkit.engine.plan import Part, Unit
from simkit.engine.worker import NEVER, Job, Played, play
from simkit.errors import OptionError, RunError, unknown
from simkit.scenario.grid import Recipe
from simkit.storage import Place
from simkit.store import Run

BACKENDS = ("threads", "loky", "dask")


@dataclass(frozen=True)
class PlayUnit:
    """A task: play a work unit, and give back its counts, and its rows if they are kept."""

    job: Job
    unit: Unit
    rows_until: int
    compared: bool  # whether the winners of every playout are needed

    def __call__(self, stop: Any = NEVER) -> tuple[Unit, Played]:
        played = play(self.job, self.unit.first, self.unit.playouts, self.rows_until, stop)
        if not self.compared:
            played.won = played.won[:0]
        return self.unit, played


@dataclass(frozen=True)
class PlayPart:
    """A task: play all cells of a part and write its files, where all workers can write. Gives what the manifest says of
    them.
    """

    folder: Place
    identity: str
    part: Part
    rows_until: int

    def __call__(self, stop: Any = NEVER) -> tuple[Part, Files]:
        run, recipe = seen(self.folder, self.identity)
        assembly = Assembly(run, recipe, self.part, self.rows_until)
        for cell in recipe.groups[self.part.group].cells:
            job = Job.of(recipe, recipe.cells[cell])
            assembly.add(cell, play(job, self.part.first, self.part.playouts, self.rows_until, stop))
        return self.part, assembly.write_tallies()


@dataclass(frozen=True)
class Several:
    """What travels to a worker: tasks that are done one after the other, for sending one takes milliseconds."""

    tasks: tuple[Any, ...]

    def __call__(self, stop: Any = NEVER) -> list[Any]:
        return [task(stop) for task in self.tasks]


def together(tasks: Iterable[tuple[float, Any]], seconds: float) -> Iterator[Several]:
    """Tasks, each with the seconds it should take, put together until they take so long."""
    begun: list[Any] = []
    taken = 0.0
    for each, task in tasks:
        begun.append(task)
        taken += each
        if taken >= seconds:
            yield Several(tuple(begun))
            begun, taken = [], 0.0
    if begun:
        yield Several(tuple(begun))


@lru_cache(maxsize=8)
def seen(folder: Place, identity: str) -> tuple[Run, Recipe]:
    """The run that another machine has begun, as this one sees it. Raises RunError if it sees none, or another one."""
    try:
        run = Run.read(folder)
    except RunError as problem:
        raise RunError(f"--workers-write needs a place that all workers share: {problem}") from None
    if run.identity != identity:
        raise RunError(f"--workers-write needs a place that all workers share: {folder}: is another run there")
    run.manifest["parts"] = []  # a worker does not need the list, and it can be long
    return run, run.recipe


def finished(
    tasks: Iterable[Several],
    submit: Callable[[Several], Any],
    room: Callable[[], int],
    idle: Callable[[], None] | None = None,
) -> Generator[Any]:
    """The futures of tasks as they finish. A task takes up room until its result is asked for, so results do not pile up where
    they are made faster than used (joblib's generators send the next task as soon as one is done).

    room : how many tasks may be under way now     idle : called every second in which none finishes
    """
    rest = iter(tasks)
    done: SimpleQueue[Any] = SimpleQueue()
    flying: set[Any] = set()
    try:
        while True:
            for task in islice(rest, max(room() - len(flying), 0)):
                future = submit(task)
                flying.add(future)
                future.add_done_callback(done.put)
            if not flying:
                return
            try:
                future = done.get(timeout=1)
            except Empty:
                if idle is not None:
                    idle()
                continue
            yield future
            flying.remove(future)
    finally:
        with suppress(Exception):  # of a cluster that is gone
            for future in flying:
                future.cancel()


class Workers(Protocol):
    """Who plays. Used as a context manager; results come in any order, as soon as they are there, and only a few ahead."""

    @property
    def count(self) -> int: ...
    @property
    def elsewhere(self) -> bool:
        """Whether they are on other machines, as far as this one knows."""
        ...

    @property
    def seconds_at_a_time(self) -> float:
        """How long a task should take."""
        ...

    def check(self, game: str) -> None:
        """Raises RunError if a worker would not play the game as this machine does."""
        ...

    def play(self, tasks: Iterable[Several]) -> Generator[list[Any]]: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Local(AbstractContextManager["Local"]):
    """Threads, or processes (loky), of this machine."""

    elsewhere = False
    seconds_at_a_time = 0.4

    def __init__(self, count: int | None = None, backend: str = "threads") -> None:
        self.count = count or cpu_count()
        self.backend = backend

    def check(self, game: str) -> None:
        """Always right: they are this machine."""

    def play(self, tasks: Iterable[Several]) -> Generator[list[Any]]:
        stop = np.zeros(1, np.uint8)  # threads share it; processes get a copy, and are killed
        if self.count == 1:
            yield from (task(stop) for task in tasks)
            return
        pool: Any = ThreadPoolExecutor(self.count) if self.backend == "threads" else get_reusable_executor(self.count)
        try:
            for future in finished(tasks, lambda task: pool.submit(task, stop), lambda: 2 * self.count):
                yield future.result()
        except BaseException:
            stop[0] = 1
            if self.backend == "loky":
                pool.shutdown(kill_workers=True)
            raise
        finally:
            if self.backend == "threads":
                pool.shutdown(cancel_futures=True)

    def __exit__(self, *_: object) -> None:
        """Nothing is kept open."""


def workers_of(
    backend: str, jobs: int | None = None, scheduler: str | None = None, workers_write: bool = False
) -> Workers:
    """The workers of a backend. Raises OptionError for what does not go together, RunError for an unreachable scheduler."""
    if backend not in BACKENDS:
        raise OptionError(unknown("--backend", backend, BACKENDS))
    if backend != "dask":
        if scheduler is not None:
            raise OptionError(f"--scheduler {scheduler} goes with --backend dask, not with {backend}")
        if workers_write:
            raise OptionError(f"--workers-write goes with --backend dask, not with {backend}")
        return Local(jobs, backend)
    if scheduler is None:
        raise OptionError("--backend dask needs the address of its scheduler: --scheduler tcp://HOST:8786")
    if jobs is not None:
        raise OptionError("--jobs does not go with --backend dask: every thread of the cluster plays")
    from simkit.engine.cluster import Cluster

    return Cluster(scheduler)
