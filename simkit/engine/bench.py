"""How fast simkit is on this machine, as ratios within one run."""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simkit import games
from simkit.engine.execute import execute
from simkit.engine.worker import CHUNK, Bench, Job, play
from simkit.engine.workers import Local
from simkit.kernel.drive import new_table
from simkit.scenario.grid import Recipe
from simkit.scenario.load import load_box
from simkit.spec import GameSpec
from simkit.store import Run


@dataclass(frozen=True)
class Speed:
    """One line-up of a game on one core."""

    game: str
    players: int
    line_up: str
    playouts: float  # per second
    decisions: float  # per second
    per_playout: float  # decisions in a playout


def best(work: Callable[[], Any], repeats: int = 5) -> float:
    """The shortest time of some repeats, in seconds: the one least disturbed by others."""

    def seconds() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(seconds() for _ in range(repeats))


def job_of(spec: GameSpec, line_up: tuple[str, ...]) -> Job:
    rules = spec.module("box").pack(spec.resolve({}), load_box(spec, None), len(line_up))
    return Job(spec.name, rules, new_table([spec.policy(name, seat).code for seat, name in enumerate(line_up)], 1))


def bare(job: Job, playouts: int) -> int:
    """Play without counting anything but the columns every playout records; gives the decisions."""
    kernel = games.get(job.game).module("entry").play
    bench, stop = Bench.of(job.game, job.seats, min(CHUNK, playouts)), np.zeros(1, np.uint8)
    decisions = 0
    for first in range(0, playouts, CHUNK):
        kernel(job.rules, job.table, first, bench.state, bench.streams, bench.rows, bench.players, stop)
        decisions += int(bench.rows.decisions.sum())
    return decisions


def enough(job: Job, seconds: float) -> int:
    """Playouts that take about this long: whole chunks, but for policies that think for long."""
    few = 16
    bare(job, few)
    each = best(lambda: bare(job, few), 3) / few
    playouts = round(seconds / each)
    return max(1, round(playouts / CHUNK)) * CHUNK if playouts >= CHUNK else max(few, playouts)


def line_ups_of(spec: GameSpec, players: int) -> list[tuple[str, ...]]:
    """What is worth measuring: the usual line-ups, and where seats are alike every policy by itself."""
    alike = [] if spec.roles else [(policy.name,) * players for policy in spec.policies]
    return list(dict.fromkeys([*spec.line_ups[players], *alike]))


def speeds(spec: GameSpec, seconds: float) -> Iterator[Speed]:
    """Every line-up of `line_ups_of` at every player count, on one core."""
    for players in spec.line_ups:
        for line_up in line_ups_of(spec, players):
            job = job_of(spec, line_up)
            playouts = enough(job, seconds)
            decisions = bare(job, playouts)
            took = best(lambda job=job, playouts=playouts: bare(job, playouts), 3)  # type: ignore[misc]
            told = label_of_line_up(spec, line_up)
            yield Speed(spec.name, players, told, playouts / took, decisions / took, decisions / playouts)


def label_of_line_up(spec: GameSpec, line_up: tuple[str, ...]) -> str:
    return f"all {line_up[0]}" if not spec.roles and len(set(line_up)) == 1 else " / ".join(line_up)


def two_threads(spec: GameSpec, seconds: float) -> float:
    """How many times as fast two threads are as one, at the usual random line-up."""
    job = job_of(spec, spec.line_ups[max(spec.line_ups)][0])
    playouts = enough(job, seconds)
    one = best(lambda: bare(job, playouts))

    def both() -> None:
        threads = [threading.Thread(target=bare, args=(job, playouts)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return 2 * one / best(both)


def tally_cost(spec: GameSpec, seconds: float) -> float:
    """What counting adds to playing, as a share."""
    job = job_of(spec, spec.line_ups[max(spec.line_ups)][0])
    playouts = enough(job, seconds)
    return best(lambda: play(job, 0, playouts)) / best(lambda: bare(job, playouts)) - 1


def rows_cost(recipe: Recipe, manifest: dict[str, Any], playouts: int) -> tuple[float, float]:
    """What tallies, and rows on disk as well, add to playing: shares of processor time, one worker."""
    job = Job.of(recipe, recipe.cells[0])
    start = time.process_time()
    bare(job, playouts)
    playing = time.process_time() - start

    def cost(tally_only: bool) -> float:
        with tempfile.TemporaryDirectory() as folder:
            run = Run.create(Path(folder) / "run", manifest | {"playouts": playouts, "tally_only": tally_only})
            start = time.process_time()
            execute(run, Local(1))
            seconds = time.process_time() - start
            run.close()
        return seconds / playing - 1

    execute_once(manifest)
    return cost(True), cost(False)


def execute_once(manifest: dict[str, Any]) -> None:
    """A tiny run, so that nothing is compiled or imported while the clock runs."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(Path(folder) / "run", manifest | {"playouts": 10, "tally_only": False})
        execute(run, Local(1))
        run.close()


def first_compile(spec: GameSpec) -> float:
    """Seconds to compile all entries of a game in a fresh process with an empty cache."""
    code = (
        f"import time; from simkit.engine.bench import job_of; from simkit.engine.worker import play, trace; "
        f"from simkit import games; spec = games.get({spec.name!r}); job = job_of(spec, spec.line_ups[max(spec.line_ups)][0]); "
        "start = time.perf_counter(); play(job, 0, 1); trace(job, 0); print(time.perf_counter() - start)"
    )
    with tempfile.TemporaryDirectory() as cache:
        return float(python(code, SIMKIT_CACHE=cache))


def help_seconds() -> float:
    """Seconds until `simkit --help` has answered."""
    return best(lambda: python("from simkit.cli import run; run(['--help'])"), 5)


def small_run_seconds(game: str) -> float:
    """Seconds of a small run whose kernel is on disk already, start to end."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(100))
        code = "from simkit.cli import run; run(['run', {!r}, '--playouts', '1000', '--out', {!r}])"
        return best(lambda: python(code.format(game, f"{folder}/{next(numbers)}")), 3)


def python(code: str, **environment: str) -> str:
    import os

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return done.stdout
