"""What luck alone makes of a lead."""

import itertools
from math import isnan

import numpy as np
import pytest

from simkit.stats.leads import leader_by_luck, runaway


@pytest.mark.parametrize(
    ("part", "chance"), [(0.25, 0.666666667), (0.5, 0.75), (0.75, 0.833333333), (0.9, 0.897583618)]
)
def test_two_follow_the_arc_sine_law(part: float, chance: float) -> None:
    """Reference value T3."""
    assert leader_by_luck(2, part) == pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize(("players", "chance"), [(3, 0.644), (4, 0.582), (5, 0.539), (8, 0.462)])
def test_leaders_at_half_time_among_several(players: int, chance: float) -> None:
    """Published to three digits, from a million simulated games each."""
    assert leader_by_luck(players, 0.5) == pytest.approx(chance, abs=0.0012)


def test_the_more_players_the_less_a_lead_holds() -> None:
    chances = [leader_by_luck(players, 0.75) for players in range(2, 11)]
    assert all(a > b for a, b in itertools.pairwise(chances))
    assert leader_by_luck(3, 1.0) == 1.0
    assert leader_by_luck(4, 1e-9) == pytest.approx(0.25, abs=1e-3)


def test_simulated_walks_agree() -> None:
    """Seven players, a quarter of 16 normal steps, 200,000 games: within 4 standard errors (0.0044)."""
    chance = np.random.default_rng(5)
    quarter = chance.normal(size=(200_000, 7)) * 2
    end = quarter + chance.normal(size=(200_000, 7)) * np.sqrt(12)
    held = (quarter.argmax(axis=1) == end.argmax(axis=1)).mean()
    assert leader_by_luck(7, 0.25) == pytest.approx(held, abs=0.0044)


def test_runaway_compares_with_luck() -> None:
    assert runaway(1.0, 2, 0.5) == 1.0
    assert runaway(0.75, 2, 0.5) == pytest.approx(0.0)
    assert runaway(0.5, 2, 0.5) == pytest.approx(-1.0)
    assert isnan(runaway(1.0, 3, 1.0))


def test_what_makes_no_sense_is_refused() -> None:
    for players, part in ((1, 0.5), (3, 0.0), (3, 1.1)):
        with pytest.raises(ValueError, match="a lead needs"):
            leader_by_luck(players, part)
