"""How many playouts a question takes, and how long that is on this machine."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from simkit import api
from simkit.answers import compare
from simkit.answers.difference import MARGIN, probability
from simkit.answers.playing import outcomes
from simkit.engine.plan import seconds_per_playout
from simkit.engine.worker import Job, play
from simkit.errors import OptionError, ScenarioError
from simkit.scenario.grid import Cell, Recipe
from simkit.stats.intervals import rate_interval, upper_bound
from simkit.stats.normal import quantile
from simkit.stats.planning import for_equivalence, for_same_deals, for_two_rates, playouts_for
from simkit.summary import words

HALF_WIDTHS = (2.0, 1.0, 0.5, 0.2, 0.1)  # points
DETECT = 1.0  # points
POWER = 0.8
PILOT = 10_000  # playouts of a cell
SUPPOSED = (0.05, 0.2)  # shares of deals that end differently, where none was measured
CALIBRATION = 0.8  # seconds


@dataclass(frozen=True)
class Wish:
    """What is asked of a run, and the playouts of each cell that it takes, for each planned rate; inf: it cannot be had."""

    what: str
    playouts: tuple[float, ...]
    cells: int  # 1, or 2 to compare


@dataclass(frozen=True)
class Pilot:
    """A small run of the usual line-up: its headline rate, and what a change did on the same deals."""

    playouts: int
    wins: int
    differing: int | None = None  # deals that ended differently in the two cells; None without a change

    @property
    def rate(self) -> float:
        """The rate to plan with: where it never or always came true, the end of the interval nearer to one half."""
        if 0 < self.wins < self.playouts:
            return self.wins / self.playouts
        low, high, _ = rate_interval(self.wins, self.playouts)
        return float(high if self.wins == 0 else low)

    @property
    def most_differing(self) -> float:
        """A share of differing deals to plan with: the measured one, or what it stays below if none was seen."""
        return self.differing / self.playouts if self.differing else float(upper_bound(0, self.playouts))


@dataclass(frozen=True)
class Study:
    """What is known of the thing to be planned."""

    title: str
    rates: tuple[float, ...]  # to plan with, probabilities
    pilot: Pilot | None = None
    seconds_each: tuple[float, ...] = ()  # per playout of each cell, all workers together; empty if nothing is played
    is_scenario: bool = False
    remarks: tuple[str, ...] = ()

    def seconds(self, wish: Wish) -> float | None:
        """How long a wish takes, planned for the last rate: all cells of a scenario, or the one or two cells of the wish."""
        if not self.seconds_each:
            return None
        each = sum(self.seconds_each) if self.is_scenario else wish.cells * float(np.mean(self.seconds_each))
        return each * wish.playouts[-1]


def wishes(
    rates: Sequence[float],
    *,
    half_width: float | None = None,
    detect: float = DETECT,
    margin: float = MARGIN,
    power: float = POWER,
    pilot: Pilot | None = None,
) -> Iterator[Wish]:
    """Every line of the table, planned for each of the rates (probabilities).

    half_width, detect, margin : points     power : the chance that a run finds what is true
    pilot  : the share of differing deals is planned with as measured in it; else with two supposed ones
    raises : OptionError for numbers out of range
    """
    gap, edge = probability("--detect", detect), probability("--margin", margin)
    if not 0.01 <= power <= 0.9999:
        raise OptionError(f"--power cannot be {power:g}; expected a chance from 0.01 to 0.9999")
    for width in HALF_WIDTHS if half_width is None else (half_width,):
        half = probability("--half-width", width)
        yield Wish(f"a rate known to ±{in_points(width)}", tuple(playouts_for(half, rate) for rate in rates), 1)
    for off, told in ((0.0, "when it is on it"), (edge / 2, f"when it is {in_points(margin / 2)} off")):
        yield Wish(
            f"a rate shown to be within ±{in_points(margin)} of its target, {told}",
            tuple(for_equivalence(edge, off, rate, power) for rate in rates), 1,
        )  # fmt: skip
    found = f"a change of {in_points(detect)} found"
    yield Wish(f"{found}, each cell on its own deals", tuple(for_two_rates(r, moved(r, gap), power) for r in rates), 2)
    measured = pilot is not None and pilot.differing is not None
    for share in (pilot.most_differing,) if pilot and measured else SUPPOSED:
        deals = for_same_deals(share, gap, power) if share >= gap else inf
        told = f"{found}, on the same deals, when {100 * share:.3g} % of deals end differently"
        yield Wish(told, (deals,) * len(rates), 2)
    if pilot and measured:
        # of a change that does nothing on average, the differing deals are the variance
        deals = for_equivalence(edge, 0, 0.5, power) * pilot.most_differing / 0.25
        yield Wish(f"the change shown to be within ±{in_points(margin)}, when it is none", (deals,) * len(rates), 2)


def in_points(number: float) -> str:
    return f"{number:g} point{'' if number == 1 else 's'}"


def moved(rate: float, gap: float) -> float:
    """The other rate, a gap away: on the side of one half, where it takes more playouts."""
    return rate + gap if rate < 0.5 else rate - gap


def study(
    target: str | None,
    jobs: int,
    *,
    options: Mapping[str, str] | None = None,
    preset: str | None = None,
    players: int | None = None,
    policies: Mapping[str, str] | None = None,
    box: Path | None = None,
    pilot_playouts: int = PILOT,
) -> Study:
    """Play a little of a game, or of every cell of a scenario, to plan with. Raises a UserError for anything wrong."""
    if target is None:
        given = {"set": options, "preset": preset, "players": players, "policy": policies, "box": box}
        for name, value in given.items():
            if value:
                raise ScenarioError(f"--{name} goes with a game's name; plan GAME --{name} ...")
        return Study("Any game", (0.5,))
    if options and not api.is_file(target):
        asked = compare.question(target, options, preset=preset, players=players, policies=policies, box=box)
        cells = asked.recipe.cells[-2:]
    else:
        asked = api.question(
            target, options=options, preset=preset, players=players, policies=policies, box=box, playouts=None
        )
        cells = asked.recipe.cells if api.is_file(target) else asked.recipe.cells[-1:]
    recipe = asked.recipe
    each = tuple(calibrate(recipe, cells, jobs))
    if api.is_file(target):
        half = quantile(0.95) / 2 / asked.playouts**0.5
        remark = (
            f"As written: {len(cells)} cells x {asked.playouts:,} playouts, {time_shown(sum(each) * asked.playouts)} of "
            f"playing; each rate known to ±{100 * half:.{words.decimals(100 * half)}f} points or better."
        )
        return Study(recipe.title, (0.5,), None, each, True, (remark,))
    pilot = measure(recipe, cells, jobs, pilot_playouts)
    return Study(recipe.title, (0.5, pilot.rate), pilot, each, False, tuple(remarks(recipe, cells, pilot)))


def remarks(recipe: Recipe, cells: Sequence[Cell], pilot: Pilot) -> Iterator[str]:
    low, high, _ = rate_interval(pilot.wins, pilot.playouts)
    headline = words.headline(recipe.spec)
    seen = words.rate(pilot.wins / pilot.playouts, low, high)
    yield f"Pilot of {pilot.playouts:,} playouts, {cells[0].label}: '{headline}' {seen}."
    if pilot.differing == 0:
        yield f"{cells[1].label}: not one of these deals ended differently."
    elif pilot.differing is not None:
        yield f"{cells[1].label}: {pilot.differing:,} of these deals ended differently."


def measure(recipe: Recipe, cells: Sequence[Cell], jobs: int, playouts: int = PILOT) -> Pilot:
    """Play the first of one or two cells, and the second on the same deals."""
    wins = [outcomes(Job.of(recipe, cell), 0, playouts, jobs) & 1 for cell in cells]  # of the first in turn order
    differing = int((wins[0] != wins[1]).sum()) if len(wins) > 1 else None
    return Pilot(playouts, int(wins[0].sum()), differing)


def calibrate(recipe: Recipe, cells: Sequence[Cell], jobs: int, seconds: float = CALIBRATION) -> list[float]:
    """Seconds per playout of each cell when so many workers share the work. Takes about `seconds`.

    What the workers gain together is measured on the last cell and taken to be the same for all.
    """
    alone = [seconds_per_playout(Job.of(recipe, cell), 20_000) for cell in cells]
    job = Job.of(recipe, cells[-1])
    count = max(int(seconds / alone[-1]), 1)
    start = time.perf_counter()
    Parallel(n_jobs=jobs, backend="threading")(delayed(play)(job, i * count, count) for i in range(jobs))
    together = (time.perf_counter() - start) / (jobs * count)
    return [each * together / alone[-1] for each in alone]


def shown(playouts: float) -> str:
    """Whole playouts, rounded up."""
    return "never" if playouts == inf else f"{ceil(playouts):,}"


def time_shown(seconds: float) -> str:
    """A planned time, in no more detail than it deserves."""
    if seconds == inf:
        return ""
    return words.duration(seconds) if seconds >= 0.1 else "under 0.1 s"
