"""How long a large run takes on a cluster, what it leaves on disk, and how many workers one driver can feed.

The cost model. A run of n playouts of each of c cells, in parts of 2^18, is p = c x ceil(n / 2^18) parts of a cell.

    playing  = n x (sum over the cells of the seconds per playout, counting included)     shared by the workers
    rows     = n x c x (seconds to make files of the rows of a playout)                   driver, or workers that write
    tables   = p x (seconds to make a file of the counts of a part)                       driver, or workers that write
    merging  = units x (seconds to receive the counts of a work unit and add them)        driver, unless workers write
    sending  = tasks x TASK_SECONDS + p x LIST_SECONDS                                    driver
    adding   = p x (seconds to read the counts of a part and add them to the sum)         driver, at the end

    time     = start + max(what the workers do / workers, what the driver does meanwhile) + adding
    feeds    = what the workers do / what the driver does meanwhile: more workers than that wait for the driver
    disk     = p x (bytes of a part's counts) + rows kept x (bytes of a playout's rows) + the list of parts
    memory   = BASE_BYTES + p x LISTED_BYTES + parts in the making x (counts, and rows if they travel)

All times and sizes but the constants are measured here, on one part of the cell with most players: a worker's thread is
supposed to be as fast as a core of this machine, and the network fast enough for what travels. Counts of a part grow slower
than its playouts: where a part takes longer than the calibration, its file is somewhat larger than said.
"""

import pickle
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simkit import api
from simkit.engine.assemble import Assembly
from simkit.engine.execute import execute
from simkit.engine.plan import PART, PART_SECONDS, SAMPLE_ROWS, Part, seconds_per_playout, unit_size
from simkit.engine.tally import merge_frames
from simkit.engine.worker import Job, play
from simkit.engine.workers import Local
from simkit.scenario.grid import Cell, Recipe
from simkit.store import Run

WORKERS = 64
PLAYOUTS = 10**10
TASK_SECONDS = 0.006  # of the driver, to send a task and fetch what came of it (measured by a soak test)
TASK_LENGTH = 2.0  # seconds of playing in a task, as Cluster.seconds_at_a_time
LIST_SECONDS = 30e-6  # to list a part (measured with 38,000)
LISTED_BYTES = {False: 1_800, True: 4_500}  # of memory for a listed part, without and with rows (measured with 38,000)
LINE_BYTES = {False: 190, True: 480}  # of the manifest
BASE_BYTES = 330_000_000  # a process with its libraries, that has written files (measured)
CALIBRATION = 1.5  # seconds of playing
SUMMED = 8  # parts


@dataclass(frozen=True)
class Costs:
    """What was measured."""

    playing: tuple[float, ...]  # seconds per playout of each cell
    start: float  # seconds of a run that plays next to nothing
    merging: float  # seconds per work unit
    tables: float  # seconds per part of a cell
    rows: float  # seconds per playout
    adding: float  # seconds per part of a cell
    tally_bytes: int  # file of the counts of a part
    row_bytes: float  # files of the rows of a playout
    counts_memory: int  # bytes of the counts of a part in the making
    rows_memory: float  # bytes of the rows of a playout in the making


@dataclass(frozen=True)
class Way:
    """How a run is carried out."""

    rows: bool
    workers_write: bool

    @property
    def told(self) -> str:
        return (
            f"{'rows' if self.rows else 'counts only'}, written by the {'workers' if self.workers_write else 'driver'}"
        )


WAYS = tuple(Way(rows, workers_write) for rows in (False, True) for workers_write in (False, True))


@dataclass(frozen=True)
class Estimate:
    seconds: float
    disk: float  # bytes
    driver: float  # seconds that the driver is busy while the others play
    adding: float  # seconds of the driver at the end
    feeds: float  # workers
    memory: float  # bytes, of the driver
    whole_parts: bool  # whether workers that may write do: where a part takes too long, it is cut into work units


def estimate(
    recipe: Recipe,
    costs: Costs,
    playouts: int,
    workers: int,
    way: Way,
    task_seconds: float = TASK_SECONDS,
    task_length: float = TASK_LENGTH,
) -> Estimate:
    """The cost model above. playouts: of each cell     workers: threads of the cluster"""
    cells = len(recipe.cells)
    parts = cells * ceil(playouts / PART)
    playing = playouts * sum(costs.playing)
    group_seconds = max(sum(costs.playing[cell] for cell in group.cells) for group in recipe.groups)
    whole = way.workers_write and min(PART, playouts) * group_seconds < PART_SECONDS
    share = playouts * cells // (2 * workers)
    sizes = [unit_size(each, share, task_length) for each in costs.playing]
    units = sum(ceil(playouts / size) for size in sizes)
    length = min(task_length, playing / (2 * workers))
    tasks = units if way.rows and not whole else max(playing / length, 1)
    writing = parts * costs.tables + (playouts * cells * costs.rows if way.rows else 0)
    driver = min(tasks, units) * task_seconds + parts * LIST_SECONDS
    if whole:
        busy = playing + writing
    else:
        busy = playing
        driver += writing + units * costs.merging
    adding = parts * costs.adding
    kept = playouts if way.rows else min(SAMPLE_ROWS, playouts)
    in_the_making = 1 if whole else 1 + ceil(2 * workers * max(sizes) / PART)
    each_in_the_making = 0 if whole else costs.counts_memory + (costs.rows_memory * PART if way.rows else 0)
    return Estimate(
        seconds=costs.start + max(busy / workers, driver) + adding,
        disk=parts * (costs.tally_bytes + LINE_BYTES[way.rows]) + cells * kept * costs.row_bytes,
        driver=driver,
        adding=adding,
        feeds=busy / driver,
        memory=BASE_BYTES + parts * LISTED_BYTES[way.rows] + in_the_making * each_in_the_making,
        whole_parts=whole,
    )


def calibrate(recipe: Recipe) -> Costs:
    """Play a part, or as much of it as there is time for, and put it together as the driver does. Takes some seconds."""
    jobs = [Job.of(recipe, cell) for cell in recipe.cells]
    playing = tuple(min(seconds_per_playout(job, 20_000) for _ in range(3)) for job in jobs)
    largest = max(recipe.cells, key=lambda cell: cell.players)
    per_deal = recipe.replicates * recipe.rotations(largest)
    count = max(min(PART, int(CALIBRATION / playing[largest.id])) // per_deal, 1) * per_deal
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(Path(folder) / "run", api.manifest_of(api.Question(recipe, per_deal), False))
        try:
            small_run(run)  # the first time, libraries make themselves ready
            start = timed(partial(small_run, run))
            return measured(run, recipe, largest, count, playing, start)
        finally:
            run.close()


def small_run(run: Run) -> None:
    run.forget(list(run.committed()))
    execute(run, Local(1))
    api.write_tables(run)


def measured(run: Run, recipe: Recipe, cell: Cell, count: int, playing: tuple[float, ...], start: float) -> Costs:
    job = Job.of(recipe, cell)
    played = play(job, 0, count, count)
    sent = pickle.dumps(played.tally)
    files: dict[str, Any] = {}

    def put_together(number: int, rows_until: int) -> None:
        """As the driver does, without comparing cells."""
        assembly = Assembly(run, recipe, Part(cell.group, number, 0, count), rows_until)
        assembly.add(cell.id, replace(played, tally=pickle.loads(sent)))
        files.update(assembly.files[cell.id])
        files["tallies"] = run.write_part("tallies", cell.id, number, pl.concat(assembly.tallies[cell.id]))

    tables = sum(timed(partial(put_together, number, 0)) for number in range(SUMMED)) / SUMMED
    rows = timed(partial(put_together, 0, count)) - tables
    return Costs(
        playing=playing,
        start=start,
        merging=timed(lambda: played.tally.merge(pickle.loads(sent))),
        tables=tables,
        rows=max(rows, 0) / count,
        adding=timed(lambda: merge_frames(run.read_parts("tallies", cell.id, range(SUMMED)))) / SUMMED,
        tally_bytes=files["tallies"]["bytes"],
        row_bytes=(files["playouts"]["bytes"] + files["players"]["bytes"]) / count,
        counts_memory=sum(array.nbytes for array in vars(played.tally).values() if isinstance(array, np.ndarray)),
        rows_memory=sum(a.nbytes for a in [*played.columns.values(), *played.player_columns.values()]) / count,
    )


def timed(call: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
