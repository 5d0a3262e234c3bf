"""Workers of a dask cluster, on any number of machines.

The tasks go out through distributed's own futures and not through joblib's dask backend, although that one has generators
too: joblib scatters every argument above a kilobyte to a single worker (a killed worker takes the cell with it), counts the
workers once, and waits for ever when there are none left.
"""

import logging
import socket
import time
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, suppress
from typing import Any
from urllib.parse import urlsplit

from simkit.engine.worker import sources
from simkit.engine.workers import Several, finished
from simkit.errors import RunError, one_line, shown

CONNECT_SECONDS = 5.0
PATIENCE = 30.0  # seconds without any worker before a run gives up
TASKS_PER_THREAD = 2  # sent ahead: one is played, one waits
RETRIES = 3  # of a task that fails, elsewhere if there is an elsewhere
KEPT = "what is played is kept, continue with --resume"


def carry_out(task: Several, game: str, expected: dict[str, str]) -> list[Any]:
    """What a worker does. A worker may have joined since the others were checked."""
    from distributed import get_worker

    if fault := unlike(expected, sources(game)):
        raise RunError(f"{get_worker().address}: {fault}")
    try:
        return task()
    except RunError as problem:
        raise RunError(f"{get_worker().address}: {problem}") from None


def unlike(expected: dict[str, str], found: Any) -> str:
    """What a worker has otherwise than this machine; nothing if they are alike."""
    if not isinstance(found, dict):
        return f"cannot run simkit ({one_line(str(found))}); install the same simkit on every worker"
    other = [what for what, version in expected.items() if found.get(what) != version]
    return f"{' and '.join(other)} not as on this machine; install the same on every worker" if other else ""


def look_for(scheduler: str) -> None:
    """Raises RunError unless a scheduler answers. Comes before distributed, which would wait for ever for the first word of
    a server that is none.
    """
    address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    with suppress(ValueError):  # of a port that is no number
        if address.scheme in ("tcp", "tls", "ws", "wss") and address.hostname and address.port:
            try:
                with socket.create_connection((address.hostname, address.port), CONNECT_SECONDS) as line:
                    # on tcp it speaks first, and first of all says how long its words are
                    if address.scheme != "tcp" or int.from_bytes(line.recv(8), "little") in range(1, 2**20):
                        return
                    reason = "what answers there is no dask scheduler"
            except TimeoutError:
                reason = "no answer"
            except OSError as problem:
                reason = (problem.strerror or str(problem)).lower()
            raise RunError(f"--scheduler {scheduler}: cannot be reached: {reason}")
    raise RunError(f"--scheduler {shown(scheduler)}: expected an address like tcp://HOST:8786")


class Cluster(AbstractContextManager["Cluster"]):
    """The workers that a dask scheduler knows. Raises RunError if it cannot be reached, or has none."""

    elsewhere = True
    seconds_at_a_time = 2.0

    def __init__(self, scheduler: str) -> None:
        try:
            import dask
            import distributed
        except ModuleNotFoundError:
            raise RunError("--backend dask needs more packages: pip install 'simkit[dask]'") from None
        self.scheduler = scheduler
        self.game = ""
        self.expected: dict[str, str] = {}
        for name in ("distributed", "distributed.client"):  # what goes wrong is told in one line, also after closing
            logging.getLogger(name).setLevel(logging.CRITICAL)
        look_for(scheduler)
        self._settings = dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"})
        try:
            self.client = distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
            self.wait_for_workers(f"start some with: dask worker {scheduler}")
        except OSError as problem:
            self.__exit__()
            raise RunError(f"--scheduler {scheduler}: cannot be reached: {one_line(str(problem))}") from None
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):  # the scheduler may be gone
            self.client.close(timeout=2)
        self._settings.__exit__(None, None, None)

    @property
    def count(self) -> int:
        """Threads of all workers, 0 if there are none or the scheduler is gone."""
        try:
            return sum(self.client.nthreads().values())
        except Exception:  # any of the many ways in which distributed says that a connection is lost
            return 0

    def wait_for_workers(self, advice: str = KEPT) -> None:
        patience = time.monotonic() + PATIENCE
        while not self.count:
            if time.monotonic() > patience:
                raise RunError(f"{self.scheduler}: has had no workers for {PATIENCE:g} seconds; {advice}")
            time.sleep(0.2)

    def check(self, game: str) -> None:
        self.game, self.expected = game, sources(game)
        for worker, found in self.client.run(sources, game, on_error="return").items():
            if isinstance(found, OSError):
                continue  # it went away; if it comes back, its first task is checked
            if fault := unlike(self.expected, found):
                raise RunError(f"{worker}: {fault}")

    def play(self, tasks: Iterable[Several]) -> Generator[list[Any]]:
        looked, room = 0.0, 1

        def submit(task: Several) -> Any:
            return self.client.submit(carry_out, task, self.game, self.expected, pure=False, retries=RETRIES)

        def room_now() -> int:
            """Workers come and go."""
            nonlocal looked, room
            if time.monotonic() - looked > 1:
                looked, room = time.monotonic(), max(TASKS_PER_THREAD * self.count, 1)
            return room

        for future in finished(tasks, submit, room_now, self.wait_for_workers):
            yield self.result_of(future)

    def result_of(self, future: Any) -> Any:
        """What a task gave back. If it was lost with its worker before it was fetched, it is played again on the way."""
        from distributed import CancelledError, KilledWorker

        while True:
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                self.wait_for_workers()
            except KilledWorker:
                raise RunError(
                    f"{self.scheduler}: the same work was lost with several workers in turn; {KEPT}"
                ) from None
            except (CancelledError, OSError) as problem:
                why = one_line(str(problem)) if future.status == "error" else "the connection to the scheduler was lost"
                raise RunError(f"{self.scheduler}: {why}; {KEPT}") from None
