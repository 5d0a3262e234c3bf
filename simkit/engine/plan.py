"""Cutting a run into parts and work units. Parts are files; work units are what one task plays and leave no trace."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from simkit.engine.worker import Job, play
from simkit.scenario.grid import Recipe

PART = 2**18  # playouts of a cell in one file
SAMPLE_ROWS = 10_000  # rows kept of each cell when only tallies are wanted: those of the first playouts
PART_SECONDS = 120  # a part that takes one worker longer is cut into work units, also where workers could write it
UNIT_STEP = 256  # playouts


@dataclass(frozen=True)
class Part:
    """A fixed range of playouts of every cell of a comparison group."""

    group: int
    number: int
    first: int
    playouts: int


@dataclass(frozen=True)
class Unit:
    """A range of playouts of one cell inside a part."""

    part: Part
    cell: int
    first: int
    playouts: int


def parts_of(recipe: Recipe, playouts: int) -> Iterator[Part]:
    """All parts of a run, group by group. A part begins with a whole deal."""
    for number, group in enumerate(recipe.groups):
        per_deal = recipe.replicates * recipe.rotations(recipe.cells[group.cells[0]])
        size = PART - PART % per_deal
        for i, first in enumerate(range(0, playouts, size)):
            yield Part(number, i, first, min(size, playouts - first))


def units_of(recipe: Recipe, part: Part, unit_playouts: dict[int, int]) -> Iterator[Unit]:
    """The work units of a part, cell by cell."""
    for cell in recipe.groups[part.group].cells:
        size = unit_playouts[cell]
        for first in range(part.first, part.first + part.playouts, size):
            yield Unit(part, cell, first, min(size, part.first + part.playouts - first))


def seconds_per_playout(job: Job, at_most: int) -> float:
    """A short measurement of how long a playout of a cell takes on one core; compiles the kernel on the way."""
    play(job, 0, 1)
    count = min(64, at_most)
    while True:
        start = time.perf_counter()
        play(job, 0, count)
        seconds = time.perf_counter() - start
        if seconds > 0.002 or count >= at_most:
            return seconds / count
        count = min(4 * count, at_most)


def unit_size(seconds_each: float, share: int, seconds: float) -> int:
    """Playouts in a work unit: so many seconds of work, but not more than the share of a worker."""
    size = max(1, min(int(seconds / max(seconds_each, 1e-9)), share, PART))
    return -(-size // UNIT_STEP) * UNIT_STEP if size > UNIT_STEP else size
