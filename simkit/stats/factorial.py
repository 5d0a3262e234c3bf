"""Which options matter, alone and together, where every combination of their values was played.

The rate of a combination is split into the mean of all, what each option does alone, what each pair does beyond that, and
so on; the parts are orthogonal, so their mean squares add up to the variance between combinations. The shares of that
variance are Sobol's indices of the design in which every value is as likely as every other.
source : I. M. Sobol, Math. Comput. Simul. 55 (2001), 271-280; H. Scheffe, The Analysis of Variance (1959), chapter 4
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.jackknife import jackknife
from simkit.stats.normal import Numbers, student

Array = npt.NDArray[np.float64]
Set = tuple[int, ...]  # options by their axis, ascending
DUST = 1e-24  # a variance below it is a rounding error: rates that differ do so by more than 1e-12


@dataclass(frozen=True)
class Share:
    """What a set of options does together beyond what its subsets do, as a part of all variance between combinations."""

    options: Set
    variance: float  # noise removed
    share: float  # 0..1
    low: float
    high: float

    @property
    def is_sure(self) -> bool:
        return self.low > 0


@dataclass(frozen=True)
class Decomposition:
    """All sets of options, and for each option everything it has a part in."""

    mean: float
    variance: float  # between combinations, noise removed
    shares: tuple[Share, ...]  # single options first, then pairs, ...
    totals: tuple[Share, ...]  # one per option: the sets that contain it together
    levels: tuple[
        tuple[tuple[float, float, float], ...], ...
    ]  # per option and value: its mean rate less `mean`, low, high

    def of(self, *options: int) -> Share:
        return next(share for share in self.shares if share.options == options)


def sets_of(axes: int) -> list[Set]:
    """Every set of options but the empty one, small ones first."""
    return list(chain.from_iterable(combinations(range(axes), size) for size in range(1, axes + 1)))


def components(rates: Numbers) -> dict[Set, Array]:
    """What every set of options adds: for each set an array with the axes of `rates`, 1 long where an option is not in it.

    rates : (values of the first option, values of the second, ...)
    """
    table = np.asarray(rates, float)
    found: dict[Set, Array] = {(): table.mean(keepdims=True)}
    for chosen in sets_of(table.ndim):
        others = tuple(axis for axis in range(table.ndim) if axis not in chosen)
        mean = table.mean(axis=others, keepdims=True)
        found[chosen] = mean - sum(found[part] for part in [(), *subsets(chosen)])
    return found


def subsets(chosen: Set) -> Iterator[Set]:
    """The smaller sets within a set, without the empty one."""
    return chain.from_iterable(combinations(chosen, size) for size in range(1, len(chosen)))


def variances(rates: Numbers) -> dict[Set, float]:
    """The variance that each set of options adds: the mean square of its component."""
    return {chosen: float((part**2).mean()) for chosen, part in components(rates).items() if chosen}


def degrees(shape: Sequence[int], chosen: Set) -> int:
    return prod(shape[axis] - 1 for axis in chosen)


def noise(rates: Numbers, playouts: Numbers) -> float:
    """The variance of the rates that chance alone makes, for combinations that share no deals: the mean of p(1-p)/n."""
    p, n = np.asarray(rates, float), np.asarray(playouts, float)
    return float((p * (1 - p) / n).mean())


def without_noise(found: Mapping[Set, float], shape: Sequence[int], noise: float) -> dict[Set, float]:
    """Variances less what chance adds to each, for combinations that share no deals; at least 0."""
    size = prod(shape)
    return {chosen: max(0.0, v - noise * degrees(shape, chosen) / size) for chosen, v in found.items()}


def total(found: Mapping[Set, float], option: int) -> float:
    """All that an option has a part in."""
    return sum(value for chosen, value in found.items() if option in chosen)


def decompose(
    credit: Numbers, playouts: Numbers, shape: Sequence[int], level: float = 0.95, log_odds: bool = False
) -> Decomposition:
    """Shares of variance with the noise removed, and ranges, for combinations that were played on the same deals.

    credit, playouts : (blocks, combinations), combinations in the order of `shape`, the last option running fastest
    log_odds         : split log((k + 1/2) / (n - k + 1/2)) instead of the rates, for rates near 0 or 1; `mean` and
                       `levels` stay rates
    Errors and the noise in the variances come from the block jackknife, for common deals make the errors of combinations
    depend on each other. Where all combinations fare alike, shares are 0.
    """
    chosen = sets_of(len(shape))

    def rates(won: Any, count: Any) -> Array:
        return np.asarray(won / count, float).reshape(tuple(shape))

    def scale(won: Any, count: Any) -> Array:
        return np.log((won + 0.5) / (count - won + 0.5)).reshape(tuple(shape)) if log_odds else rates(won, count)

    def split(won: Any, count: Any) -> Array:
        found = variances(scale(won, count))
        return np.array([found[each] for each in chosen])

    def parts(won: Any, count: Any) -> Array:
        found = split(won, count)
        whole = found.sum()
        return np.concatenate([found, totals(found)]) / (whole if whole > 0 else 1.0)

    def totals(found: Any) -> Array:
        return np.array([sum(found[i] for i, each in enumerate(chosen) if axis in each) for axis in range(len(shape))])

    def means(won: Any, count: Any) -> Array:
        found = components(rates(won, count))
        return np.concatenate([found[(axis,)].ravel() for axis in range(len(shape))])

    raw = jackknife(split, credit, playouts, level=level)
    cleaned = np.asarray(raw.estimate) - np.asarray(raw.bias)
    cleaned = np.where(cleaned > DUST, cleaned, 0.0)
    whole = float(cleaned.sum())
    error = np.asarray(jackknife(parts, credit, playouts, level=level).standard_error)
    half = student(level, len(np.asarray(credit)) - 1) * error
    everything = np.concatenate([cleaned, totals(cleaned)])
    made = []
    for each, variance, width in zip(
        [*chosen, *((axis,) for axis in range(len(shape)))], everything, half, strict=True
    ):
        share = float(variance) / whole if whole > 0 else 0.0
        low, high = (max(share - width, 0.0), min(share + width, 1.0)) if whole > 0 else (0.0, 0.0)
        made.append(Share(each, float(variance), share, float(low), float(high)))
    single = jackknife(means, credit, playouts, level=level)
    ends = list(zip(*(np.asarray(part).tolist() for part in (single.estimate, single.low, single.high)), strict=True))
    starts = np.cumsum([0, *shape])
    levels = tuple(tuple(ends[a:b]) for a, b in pairwise(starts))
    sums = [np.asarray(part).sum(axis=0) for part in (credit, playouts)]
    return Decomposition(
        float(rates(*sums).mean()), whole, tuple(made[: len(chosen)]), tuple(made[len(chosen) :]), levels
    )
