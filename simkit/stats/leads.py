"""What a lead is worth if nothing but luck is at work: the measure for leads in games."""

from functools import lru_cache
from math import asin, pi, sqrt

import numpy as np

REACH, POINTS = 7.0, 561  # of the grid, in standard deviations: good for four decimals


@lru_cache(maxsize=64)
def leader_by_luck(players: int, part: float) -> float:
    """The chance that whoever leads when a part of the game is over also leads in the end.

    Scores grow by independent, equally distributed normal steps, and the parts are counted in steps. players : 2 or more;
    part : above 0, at most 1
    raises : ValueError for fewer than two players or another part
    source : for two the arc sine law, P. Levy, Compositio Math. 7 (1940), 283-339; for more the same by integration: one
    of them must be above each of the others now and in the end, and each pair of these is normal with correlation sqrt(part)
    """
    if players < 2 or not 0 < part <= 1:
        raise ValueError("a lead needs two players, and a part of the game above 0 and at most 1")
    if players == 2:
        return 0.5 + asin(sqrt(part)) / pi
    if part == 1:
        return 1.0
    from scipy import special

    rho = sqrt(part)
    rest = sqrt(1 - part)
    grid = np.linspace(-REACH, REACH, POINTS)
    width = grid[1] - grid[0]
    now = np.exp(-(grid**2) / 2) / sqrt(2 * pi)
    later = (grid[None, :] - rho * grid[:, None]) / rest  # (now, in the end)
    density = now[:, None] * np.exp(-(later**2) / 2) / (sqrt(2 * pi) * rest)
    pieces = now[:, None] * special.ndtr(later)
    below = width * (np.cumsum(pieces, axis=0) - (pieces + pieces[:1]) / 2)  # one other is below both
    return float(players * (density * below ** (players - 1)).sum() * width**2)


def runaway(rate: float, players: int, part: float) -> float:
    """How much more a lead is worth than by luck: 1 if it always holds, 0 as by luck, below 0 if those behind catch up."""
    luck = leader_by_luck(players, part)
    return (rate - luck) / (1 - luck) if luck < 1 else float("nan")
