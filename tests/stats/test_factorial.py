"""The split of variance over options: published values, closed forms, and what is known of made-up games."""

import numpy as np
import pytest

from simkit.stats.factorial import components, decompose, noise, sets_of, total, variances, without_noise

TABLE = np.array(
    [[[0.40, 0.46], [0.44, 0.52], [0.50, 0.60]], [[0.38, 0.40], [0.40, 0.44], [0.46, 0.50]]]
)  # a 2 x 3 x 2 design worked out by hand


def test_the_shares_of_a_2_by_3_by_2_table():
    found = variances(TABLE)
    whole = sum(found.values())
    assert TABLE.mean() == pytest.approx(0.458333333, abs=5e-10)
    assert whole == pytest.approx(0.003697222222, abs=5e-13)
    assert whole == pytest.approx(TABLE.var())
    expected = {
        (0,): 0.217129977, (1,): 0.506386176, (2,): 0.217129977, (0, 1): 0.010518407, (0, 2): 0.036814425,
        (1, 2): 0.010518407, (0, 1, 2): 0.001502630,
    }  # fmt: skip
    assert {each: value / whole for each, value in found.items()} == pytest.approx(expected, abs=5e-10)
    totals = [total(found, option) / whole for option in range(3)]
    assert totals == pytest.approx([0.265965440, 0.528925620, 0.265965440], abs=5e-10)


def test_the_noise_of_a_thousand_playouts_in_each_independent_cell():
    nu = noise(TABLE, np.full(TABLE.shape, 1000))
    found = without_noise(variances(TABLE), TABLE.shape, nu)
    assert nu == pytest.approx(0.000244566667, abs=5e-13)
    assert TABLE.var() - nu * 11 / 12 == pytest.approx(0.003473036111, abs=5e-13)
    assert found[(0,)] == pytest.approx(0.000782397222, abs=5e-13)
    assert min(found.values()) == 0  # clipped: the interaction of all three is smaller than its noise


def test_ishigami_on_a_fine_grid_has_its_known_indices():
    """Ishigami and Homma (1990) with a = 7, b = 0.1: first order 0.3139, 0.4424, 0; total of x1 and x3 0.5576, 0.2437."""
    x = -np.pi + 2 * np.pi * (np.arange(200) + 0.5) / 200
    a, b, c = np.meshgrid(x, x, x, indexing="ij", sparse=True)
    found = variances(np.sin(a) + 7 * np.sin(b) ** 2 + 0.1 * c**4 * np.sin(a))
    whole = sum(found.values())
    first = [found[(axis,)] / whole for axis in range(3)]
    assert first == pytest.approx([0.313905191, 0.442411145, 0], abs=2e-4)
    assert [total(found, axis) / whole for axis in (0, 2)] == pytest.approx([0.557589, 0.243683664], abs=2e-4)


def test_components_are_orthogonal_and_add_up_to_the_table():
    table = np.random.default_rng(1).random((2, 3, 2, 4))
    found = components(table)
    np.testing.assert_allclose(sum(part + np.zeros(table.shape) for part in found.values()), table)
    for one in sets_of(4):
        for axis in one:
            np.testing.assert_allclose(found[one].sum(axis=axis), 0, atol=1e-12)


def played(rates, blocks, playouts, seed, common):
    """Wins by block; with `common` deals all combinations are held against the same draws."""
    chance = np.random.default_rng(seed)
    flat = np.asarray(rates).ravel()
    size = (blocks, playouts, 1 if common else flat.size)
    return (chance.random(size) < flat).sum(axis=1)


@pytest.mark.parametrize("common", [True, False])
def test_ranges_hold_the_truth_and_noise_is_removed(common):
    """Sixty made-up runs: each share is covered about as often as promised, and the variance is not inflated."""
    truth = variances(TABLE)
    whole = sum(truth.values())
    inside, seen = np.zeros(7), []
    for seed in range(60):
        won = played(TABLE, 64, 100, seed, common)
        found = decompose(won, np.full(won.shape, 100), TABLE.shape)
        seen.append(found.variance)
        inside += [share.low <= truth[share.options] / whole <= share.high for share in found.shares]
    assert (inside >= 50).all()  # 57 are expected; fewer than 50 of the worst of seven: about 1 in 500
    assert np.mean(seen) == pytest.approx(whole, rel=0.06)


def test_an_option_that_does_nothing_has_no_share():
    won = played([[0.4, 0.4], [0.5, 0.5]], 64, 200, 3, common=True)
    found = decompose(won, np.full(won.shape, 200), (2, 2))
    assert found.of(1).share == found.of(0, 1).share == 0
    assert found.of(0).share == 1
    assert np.array(found.levels[1]) == pytest.approx(np.zeros((2, 3)), abs=1e-12)
    assert found.levels[0][0][0] == pytest.approx(-0.05, abs=0.01)
    assert found.levels[0][0][0] == pytest.approx(-found.levels[0][1][0])
    assert not found.of(1).is_sure


def test_where_nothing_matters_there_are_no_shares():
    won = np.tile(np.random.default_rng(5).integers(40, 60, (64, 1)), 4)
    found = decompose(won, np.full(won.shape, 100), (2, 2))
    assert (found.variance, found.of(0).share, found.of(0).high) == (0, 0, 0)


def test_what_multiplies_odds_does_not_interact_on_their_scale():
    odds = np.outer([0.01, 0.04], [1.0, 3.0])
    won = np.tile(1e6 * odds / (1 + odds), (64, 1, 1)).reshape(64, 4)
    found = decompose(won, np.full(won.shape, 1e6), (2, 2), log_odds=True)
    assert found.of(0, 1).share < 1e-6
    assert decompose(won, np.full(won.shape, 1e6), (2, 2)).of(0, 1).share > 0.01
    assert found.mean == pytest.approx((odds / (1 + odds)).mean())
