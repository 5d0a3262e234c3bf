"""How many playouts does it take? Numbers are not rounded: round up, and remember they are plans, not promises.

`level` belongs to the two-sided interval or test that will be read, `power` is the chance that it then says what is true.
"""

from collections.abc import Callable
from math import asin, sqrt
from statistics import NormalDist

import numpy as np

from simkit.stats.normal import Numbers, one_sided, quantile


def playouts_for(half_width: float, rate: float = 0.5, level: float = 0.95) -> int:
    """Playouts that bring the half-width of a rate's interval down to `half_width` (a probability), rounded up."""
    return int(np.ceil(quantile(level) ** 2 * rate * (1 - rate) / half_width**2))


def for_two_rates(rate_a: float, rate_b: float, power: float = 0.8, level: float = 0.95) -> float:
    """Playouts of each cell to tell two rates apart that share no deals, by the interval of their difference."""
    spread = rate_a * (1 - rate_a) + rate_b * (1 - rate_b)
    return (quantile(level) + one_sided(power)) ** 2 * spread / (rate_a - rate_b) ** 2


def for_two_rates_pooled(rate_a: float, rate_b: float, power: float = 0.8, level: float = 0.95) -> float:
    """The same for the test that pools both rates under 'no difference'.

    source : J. L. Fleiss, B. Levin and M. C. Paik, Statistical Methods for Rates and Proportions (3rd ed., 2003), chapter 4
    """
    mean = (rate_a + rate_b) / 2
    null, other = sqrt(2 * mean * (1 - mean)), sqrt(rate_a * (1 - rate_a) + rate_b * (1 - rate_b))
    return (quantile(level) * null + one_sided(power) * other) ** 2 / (rate_a - rate_b) ** 2


def for_two_rates_arcsine(rate_a: float, rate_b: float, power: float = 0.8, level: float = 0.95) -> float:
    """The same by the arcsine scale: J. Cohen, Statistical Power Analysis (2nd ed., 1988), chapter 6."""
    effect = 2 * asin(sqrt(rate_a)) - 2 * asin(sqrt(rate_b))
    return 2 * ((quantile(level) + one_sided(power)) / effect) ** 2


def for_same_deals(differing: float, difference: float, power: float = 0.8, level: float = 0.95) -> float:
    """Deals to tell two cells apart that play the same deals.

    differing  : share of deals that end differently, at least as large as the difference
    difference : of the win rates
    source     : R. J. Connor, Biometrics 43 (1987), 207-211
    """
    if differing < abs(difference):
        raise ValueError("rates cannot differ by more than the share of deals that end differently")
    spread = sqrt(differing), sqrt(differing - difference**2)
    return (quantile(level) * spread[0] + one_sided(power) * spread[1]) ** 2 / difference**2


def for_equivalence(
    margin: float, gap: float = 0.0, rate: float = 0.5, power: float = 0.8, level: float = 0.95
) -> float:
    """Playouts until an interval lies inside target ± margin, if the truth is `gap` from the target.

    level   : 0.95 for the verdict by a 95 % interval; 0.90 for two one-sided tests at 5 %
    returns : inf when the truth is on the margin or beyond. For two cells that share no deals double it: so many each
    source  : D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987), 657-680
    """
    near, far = margin - abs(gap), margin + abs(gap)
    if near <= 0:
        return float("inf")
    z, below = quantile(level), NormalDist().cdf

    def power_at(root: float) -> float:
        scale = root / sqrt(rate * (1 - rate))
        return below(near * scale - z) + below(far * scale - z) - 1

    return smallest_root(power_at, power) ** 2


def to_settle(gap: float, margin: float, rate: float = 0.5, power: float = 0.8, level: float = 0.95) -> float:
    """Playouts until the verdict on a rate, `gap` away from its target, is balanced or unbalanced.

    A gap within a twentieth of the margin from the edge is planned as if it were that far: nothing settles the edge itself.
    """
    step = margin / 20
    if abs(gap) < margin:
        return for_equivalence(margin, min(abs(gap), margin - step), rate, power, level)
    distance = max(abs(gap) - margin, step)
    return ((quantile(level) + one_sided(power)) / distance) ** 2 * rate * (1 - rate)


def for_seats(shares: Numbers, power: float = 0.8, level: float = 0.95) -> float:
    """Playouts for the seat test to notice that the seats win these shares (seats,), one winner in each playout.

    returns : inf for equal shares
    source  : Cohen (1988), chapter 7: effect size w and the noncentral chi-square distribution
    """
    from scipy import special

    p = np.asarray(shares, float)
    effect = seat_effect(p)
    if effect == 0:
        return float("inf")
    critical = special.chdtri(p.size - 1, 1 - level)
    return float(special.chndtrinc(critical, p.size - 1, 1 - power)) / effect


def seat_power(playouts: float, shares: Numbers, level: float = 0.95) -> float:
    """The chance that the seat test notices that the seats win these shares (seats,)."""
    from scipy import special

    p = np.asarray(shares, float)
    critical = special.chdtri(p.size - 1, 1 - level)
    return float(1 - special.chndtr(critical, p.size - 1, playouts * seat_effect(p)))


def seat_effect(shares: Numbers) -> float:
    """Cohen's w squared: what every playout adds to the noncentrality of the seat test."""
    p = np.asarray(shares, float)
    return float((p.size * (p / p.sum() - 1 / p.size) ** 2).sum())


def smallest_root(rising: Callable[[float], float], goal: float) -> float:
    """Where a rising function reaches its goal, by halving: to the last digits."""
    high = 1.0
    while rising(high) < goal:
        high *= 2
    low = 0.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if rising(middle) >= goal else (middle, high)
    return high
