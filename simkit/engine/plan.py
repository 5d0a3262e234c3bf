"""Cutting a run into parts and work units. Parts are files; work units are what one task plays and leave no trace."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm

from simkit.engine.worker import Job, play
from simkit.scenario.grid import Group, Recipe

PART = 2**18  # playouts of a cell in one file
MAX_FILES = 1_000_000  # parts of a run: their list is kept in memory
SAMPLE_ROWS = 10_000  # rows kept of each cell when only tallies are wanted: those of the first playouts
FIRST_LOOK = 1_024  # deals: ranges that hold at any look lean on the normal distribution
LOOK_STEP = 256  # deals
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


def parts_of(recipe: Recipe, playouts: Sequence[int], first_deals: int | None = None) -> Iterator[Part]:
    """All parts of a run, group by group. A part begins with a whole deal.

    playouts    : of each cell
    first_deals : of a run that looks at its results; then a part ends at every look, so that none is played twice
    """
    for number in range(len(recipe.groups)):
        yield from parts_of_group(recipe, number, playouts, first_deals)


def parts_of_group(
    recipe: Recipe, number: int, playouts: Sequence[int], first_deals: int | None = None
) -> Iterator[Part]:
    """The parts of one comparison group, in the order of playouts."""
    group = recipe.groups[number]
    until = playouts[group.cells[0]]
    size = PART - PART % recipe.per_deal(group.cells[0])
    ends = [until] if first_deals is None else looks(recipe, group, until, first_deals)
    count = begin = 0
    for end in ends:
        for first in range(begin, end, size):
            yield Part(number, count, first, min(size, end - first))
            count += 1
        begin = end


def looks(recipe: Recipe, group: Group, at_most: int, first_deals: int) -> Iterator[int]:
    """The numbers of playouts of each cell at which a comparison group looks at its results, and at last `at_most`."""
    per_deal = [recipe.per_deal(cell) for cell in group.cells]
    whole = lcm(*per_deal)  # at whole deals of every cell
    for deals in look_deals(first_deals):
        playouts = -(-deals * max(per_deal) // whole) * whole
        if playouts >= at_most:
            break
        yield playouts
    yield at_most


def look_deals(first: int = FIRST_LOOK) -> Iterator[int]:
    """The numbers of deals at which to look: each a quarter more than the one before, in steps of 256."""
    deals = first
    while True:
        yield deals
        deals = -(-(deals + deals // 4) // LOOK_STEP) * LOOK_STEP


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
