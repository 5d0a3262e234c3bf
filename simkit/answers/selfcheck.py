"""Whether the statistics can be trusted: a game's cells against their equals, planted changes, and coverage summed exactly.

Seeds are fixed, so a check that fails fails again. Each was given a chance of 1 in 1,000 to fail where all is well.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from simkit import api
from simkit.engine.worker import Job, Played, play
from simkit.kernel.plain import derive
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import GameSpec
from simkit.stats.exchangeability import seat_test
from simkit.stats.intervals import clopper_pearson, jeffreys, rate_difference, rate_interval, wilson
from simkit.stats.normal import two_sided
from simkit.stats.paired import paired_difference
from simkit.stats.planning import for_same_deals
from simkit.stats.seat_sums import sums_of_rows
from simkit.stats.selfcheck import coverage_band, covered, exact_coverage, uniformity

SEED = 20260901
ALARM = 1e-3
KEPT_ROWS = 256  # of each playing, to see whether two are the same
FEW = 20  # wins or losses in a playing: below it p-values take too few values to be spread evenly
GAINED, LOST = 0.03, 0.02  # deals turned into wins and into losses: one point in all
POWER = 0.8
LEVEL = 0.95


@dataclass(frozen=True)
class Check:
    what: str
    measured: str
    allowed: str = ""
    is_ok: bool | None = None  # None: could not be checked, `measured` says why

    @property
    def line(self) -> str:
        result = {True: "ok", False: "FAILED", None: "skipped"}[self.is_ok]
        allowed = f" (allowed: {self.allowed})" if self.allowed else ""
        return f"{result:<8} {self.what}: {self.measured}{allowed}"


@dataclass(frozen=True)
class Playing:
    """One cell played once under a seed."""

    won: Any  # uint16 (playouts,), bit t is set if the seat at turn order t has the outcome
    digest: str  # of its first rows

    @property
    def wins(self) -> int:
        return int((self.won & 1).sum())


def checks(spec: GameSpec, runs: int = 200, playouts: int = 2_000, jobs: int = 1) -> Iterator[Check]:
    """Everything that is checked with the playouts of a game: its usual line-up under the default options.

    runs, playouts : how many times the cell is held against itself, and the playouts of each playing
    """
    recipe = api.question(spec.name).recipe
    cell = recipe.cells[-1]
    yield same_rows(recipe, cell, playouts)
    numbers = [(run, side) for run in range(runs) for side in (0, 1)]
    each = spread(lambda key: playing(recipe, cell, seed_of(*key), playouts), numbers, jobs)
    yield other_rows(each)
    yield from against_itself(each[0::2], each[1::2])
    yield seats_alike(spec, [one.won for one in each[0::2]], cell.players)
    rate = sum(one.wins for one in each) / (2 * runs * playouts)
    yield planted_change(recipe, cell, rate, runs, jobs)


def seed_of(run: int, side: int) -> int:
    """The seed of a playing: `side` 0 and 1 are held against each other, 2 is for planted changes."""
    return derive(SEED, 3 * run + side) >> 1  # a scenario's seeds have 63 bits


def playing(recipe: Recipe, cell: Cell, seed: int, playouts: int) -> Playing:
    played = play(Job.of(replace(recipe, seed=seed), cell), 0, playouts, KEPT_ROWS)
    return Playing(played.won, digest(played))


def digest(played: Played) -> str:
    """A fingerprint of the rows that were kept."""
    found = hashlib.sha256(played.won.tobytes())
    for columns in (played.columns, played.player_columns):
        for name in sorted(columns):
            found.update(np.ascontiguousarray(columns[name]).tobytes())
    return found.hexdigest()


def spread(work: Callable[[Any], Any], items: list[Any], jobs: int) -> list[Any]:
    """The results of some work on each item, in their order, on threads."""
    return list(Parallel(n_jobs=jobs, backend="threading")(delayed(work)(item) for item in items))


def same_rows(recipe: Recipe, cell: Cell, playouts: int) -> Check:
    """A seed's playouts in one go, again, and in pieces that begin elsewhere."""
    job = Job.of(replace(recipe, seed=seed_of(0, 0)), cell)
    whole, again = (play(job, 0, playouts, playouts) for _ in range(2))
    cut = playouts // 3
    pieces = play(job, 0, cut, playouts), play(job, cut, playouts - cut, playouts)
    same = digest(whole) == digest(again)
    for kind in ("columns", "player_columns"):
        for name, column in getattr(whole, kind).items():
            joined = np.concatenate([getattr(piece, kind)[name] for piece in pieces], axis=-1)
            same = same and np.array_equal(joined, column)
    told = f"{playouts:,} playouts, all columns, played three times: {'the same' if same else 'different'}"
    return Check("one seed gives the same rows", told, "the same", same)


def other_rows(each: list[Playing]) -> Check:
    distinct = len({one.digest for one in each})
    told = f"{distinct} of {len(each)} playings are unlike"
    return Check("other seeds give other rows", told, f"{len(each)}", distinct == len(each))


def against_itself(first: list[Playing], second: list[Playing]) -> Iterator[Check]:
    """The cell under one seed against the same cell under another: whatever differs is noise."""
    runs, playouts = len(first), len(first[0].won)
    a, b = (np.array([one.wins for one in side]) for side in (first, second))
    pooled = (a.sum() + b.sum()) / (2 * runs * playouts)
    if min(pooled, 1 - pooled) * playouts < FEW:
        yield Check(
            "a cell against itself", f"a rate of {100 * pooled:.2g} %, too few to tell anything from; more --playouts"
        )
        return
    mean = (a + b) / (2 * playouts)
    # wins are whole numbers; spread over the unit between them, or many runs would find their p-values uneven
    between = np.random.default_rng([SEED, runs]).random(runs) - 0.5
    found = uniformity(two_sided((b - a + between) / np.sqrt(2 * playouts * mean * (1 - mean) + 1 / 12)))
    told = f"p = {found.p_value:.3g} by Kolmogorov and Smirnov, {runs} p-values"
    yield Check(
        "p-values of a cell against itself are spread evenly", told, f"{ALARM:g} or more", found.p_value >= ALARM
    )
    low, high, _ = rate_interval(np.concatenate([a, b]), playouts, LEVEL)
    # wins being whole numbers, no range covers 95 % exactly: this much it is at this very rate
    exactly = float(exact_coverage(wilson, playouts, [pooled])[0])
    yield coverage("95 % ranges of a rate hold the pooled rate", covered(low, high, pooled), 2 * runs, exactly)
    _, low, high = rate_difference(b, playouts, a, playouts, LEVEL)
    yield coverage("95 % ranges of a difference of nothing hold 0", covered(low, high, 0), runs)


def coverage(what: str, count: int, runs: int, level: float = LEVEL) -> Check:
    fewest, most = coverage_band(runs, level, ALARM)
    return Check(
        what, f"{count} of {runs} = {100 * count / runs:.1f} %", f"{fewest} to {most}", fewest <= count <= most
    )


def seats_alike(spec: GameSpec, won: list[Any], seats: int) -> Check:
    """The seat test on winners whose places are dealt out anew in every playout: now no seat is better off."""
    what = "the seat test leaves equal seats alone"
    if spec.roles:
        return Check(what, f"the roles of {spec.title} differ, so its seats are not meant to be equal")
    if seats < 2:
        return Check(what, "there is one seat only")
    p_values = []
    for run, masks in enumerate(won):
        rows = (masks[:, None] >> np.arange(seats)) & 1
        sums = sums_of_rows(np.random.default_rng([SEED, run]).permuted(rows, axis=1).astype(np.int64))
        p_values.append(seat_test(sums.totals, sums.row_variance, sums.playouts).p_value)
    if np.isnan(p_values).any():
        return Check(what, "all seats win or lose together")
    kept = int((np.array(p_values) >= 1 - LEVEL).sum())
    return coverage(what, kept, len(won))


def planted_change(recipe: Recipe, cell: Cell, rate: float, runs: int, jobs: int) -> Check:
    """Turn some losses into wins and fewer wins into losses, and see how often the change is found on the same deals."""
    what = f"a planted change of {100 * (GAINED - LOST):g} point is found as often as planned"
    if rate < 2 * LOST or 1 - rate < 2 * GAINED:
        return Check(what, f"a rate of {100 * rate:.2g} %, too near the end to plant one")
    deals = ceil(for_same_deals(GAINED + LOST, GAINED - LOST, POWER, LEVEL))

    def is_found(run: int) -> bool:
        before = playing(recipe, cell, seed_of(run, 2), deals).won & 1
        luck = np.random.default_rng([SEED, run]).random(deals)
        turned = luck < np.where(before == 1, LOST / rate, GAINED / (1 - rate))
        lost, gained = int((turned & (before == 1)).sum()), int((turned & (before == 0)).sum())
        wins = int(before.sum())
        found = paired_difference(deals - wins - gained, lost, gained, wins - lost, LEVEL)
        return found.low > 0

    found = sum(spread(is_found, list(range(runs)), jobs))
    check = coverage(what, found, runs, POWER)
    return replace(check, measured=f"{check.measured} of runs of {deals:,} deals")


def coverage_table() -> Iterator[Check]:
    """How often each interval for a rate covers it, summed over all outcomes: the rates 5 to 95 % in steps of half a point."""

    def printed(wins: Any, playouts: Any) -> tuple[Any, Any]:
        low, high, _ = rate_interval(wins, playouts, LEVEL)
        return low, high

    rates = np.linspace(0.05, 0.95, 181)
    for name, interval, bands in (
        ("the ranges that simkit prints", printed, {100: (0.92, 0.985), 1000: (0.94, 0.965)}),
        ("Wilson's", wilson, {100: (0.92, 0.985), 1000: (0.94, 0.965)}),
        ("Jeffreys'", jeffreys, {100: (0.92, 0.985), 1000: (0.94, 0.965)}),
        ("Clopper and Pearson's", clopper_pearson, {100: (0.95, 1.0), 1000: (0.95, 1.0)}),
    ):
        for playouts, (least, most) in bands.items():
            found = exact_coverage(interval, playouts, rates)
            low, high = float(found.min()), float(found.max())
            yield Check(
                f"{name} of {playouts:,} playouts cover 95 %", f"{100 * low:.1f} to {100 * high:.1f} %",
                f"{100 * least:g} to {100 * most:g} %", least <= low and high <= most,
            )  # fmt: skip
