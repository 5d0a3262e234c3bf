"""The test for a difference of a certain size: known log-likelihood ratios, and how often it errs."""

from math import log, sqrt

import numpy as np
import pytest

from simkit.stats.sprt import NEVER_SEEN, bounds, log_ratio, weights_for


def close(value, off=1e-9):
    return pytest.approx(value, rel=0, abs=off)


def score(elo):
    """The expected score of a chess player who is better by so much."""
    return 1 / (1 + 10 ** (-elo / 400))


def outcomes(counts):
    """Scores from a loss to a win in equal steps."""
    return np.linspace(0, 1, len(counts))


def test_the_bounds_are_the_known_ones():
    for (alpha, beta), (lower, upper) in {
        (0.05, 0.05): (-2.944438979166, 2.944438979166),
        (0.05, 0.10): (-2.251291798606, 2.890371757896),
        (0.01, 0.01): (-4.595119850135, 4.595119850135),
    }.items():
        found = bounds(alpha, beta)
        assert (found.lower, found.upper) == (close(lower), close(upper))


@pytest.mark.parametrize(
    ("wins", "losses", "expected"),
    [(560, 440, 4.001921776925), (490, 510, -1.601067760222), (2650, 2350, 8.003202733596)],
)
def test_for_wins_and_losses_it_is_the_test_of_wald(wins, losses, expected):
    assert log_ratio([0, 1], [losses, wins], 0.5, 0.52) == close(expected)
    assert expected == close(wins * log(0.52 / 0.5) + losses * log(0.48 / 0.5))


@pytest.mark.parametrize(
    ("counts", "elo", "expected", "off"),
    [
        ((400, 200, 450), (0, 5), 0.754624375927, 1e-9),
        ((4400, 2000, 4600), (0, 10), 1.467601788220, 1e-9),
        ((0, 0, 10), (0, 10), 0.283680766, 1e-9),  # by the quick formula 567
        ((5, 0, 5), (0, 10), -0.004142364472, 1e-9),
        ((20, 120, 200, 140, 30), (0, 10), 1.621904862028, 1e-9),
        ((21184, 40708, 21404), (0.5, 2.5), -1.5719, 5e-5),
        ((57030, 106593, 57433), (0, 2), -2.5930, 5e-5),
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.0741, 5e-5),
        ((871, 26175, 55983, 26678, 821), (0, 2), -4.9787, 5e-5),
        ((13, 37, 50, 25, 3), (0, 2.715750431), -0.537716, 5e-7),
    ],
)
def test_log_ratios_of_chess_testers_are_reproduced(counts, elo, expected, off):
    assert log_ratio(outcomes(counts), counts, *map(score, elo)) == close(expected, off)


def normalised(counts, elo):
    """The log-likelihood ratio for means in units of the spread of a game, by the same tilting of probabilities."""
    seen = np.where(np.asarray(counts) > 0, counts, NEVER_SEEN)
    a, p = outcomes(counts), seen / seen.sum()
    fits = []
    for each in elo:
        t = each * log(10) / 800 * (sqrt(2) if len(counts) == 5 else 1)
        fit = np.full(p.size, 1 / p.size)
        for _ in range(50):
            mean = fit @ a
            spread = sqrt(fit @ (a - mean) ** 2)
            fit = p * weights_for(p, a - 0.5 - t * spread * (1 + ((mean - a) / spread) ** 2) / 2)
        fits.append(fit)
    return (seen * np.log(fits[1] / fits[0])).sum()


@pytest.mark.parametrize(
    ("counts", "elo", "expected", "off"),
    [
        ((36027, 68692, 36433), (0, 2), 0.9233, 5e-5),
        ((10650, 20431, 10871), (-1.75, 0.25), 2.2975, 5e-5),
        ((365, 16618, 36229, 16974, 390), (0, 2), 2.2504, 5e-5),
        ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.0102, 5e-5),
        ((13, 37, 50, 25, 3), (0, 4), -0.549125, 5e-7),
    ],
)
def test_the_tilting_also_gives_normalised_log_ratios(counts, elo, expected, off):
    assert normalised(counts, elo) == close(expected, off)


def test_differences_and_shares_have_the_known_log_ratios():
    assert log_ratio([-1, 0, 1], [80, 1800, 120], 0, 0.02) == close(4.027102710138)
    assert log_ratio([0, 0.5, 1], [7300, 100, 2600], 0.25, 0.27) == close(5.355723979130)


def test_many_counts_are_taken_at_once():
    counts = np.array([[[80, 1800, 120], [0, 2000, 0]], [[120, 1800, 80], [5, 10, 5]]])
    found = log_ratio([-1, 0, 1], counts, 0, 0.02)
    assert found.shape == (2, 2)
    for place in np.ndindex(2, 2):
        assert found[place] == close(log_ratio([-1, 0, 1], counts[place], 0, 0.02))


def test_deals_that_never_differ_speak_against_a_difference():
    assert log_ratio([-1, 0, 1], [0, 1000, 0], 0, 0.02) == pytest.approx(1000 * log(1 - 0.02), rel=0.01)


def test_a_mean_that_the_values_cannot_have_is_refused():
    for mean in (1.0, 1.2, -1.0):
        with pytest.raises(ValueError, match="between the least and the largest"):
            log_ratio([-1, 0, 1], [1, 2, 3], 0, mean)


def ends(chances, runs, batch, looks, seed):
    """How runs of the test 'no difference' against 'a point' end: share decided for each, and deals used on average."""
    counts = np.random.default_rng(seed).multinomial(batch, chances, (runs, looks)).cumsum(axis=1)
    ratio = log_ratio([-1, 0, 1], counts, 0, 0.01)
    limit = bounds()
    over = (ratio >= limit.upper) | (ratio <= limit.lower)
    assert over.any(axis=1).all()
    first = over.argmax(axis=1)
    at = ratio[np.arange(runs), first]
    return (at >= limit.upper).mean(), (at <= limit.lower).mean(), batch * (first + 1).mean()


def test_it_errs_as_seldom_as_it_promises():
    """Of 100 deals ten differ; looks every 500 deals. 4 % of 2,000 runs err by 0.45 points: 5.5 % is 3 errors above 4.1."""
    yes, _, deals = ends([0.05, 0.9, 0.05], 2_000, 500, 120, 1)
    assert yes < 0.055
    assert deals == pytest.approx(6_400, rel=0.05)
    _, no, deals = ends([0.045, 0.9, 0.055], 2_000, 500, 120, 2)
    assert no < 0.055
    assert deals == pytest.approx(6_400, rel=0.05)
    _, _, between = ends([0.0475, 0.9, 0.0525], 1_000, 500, 240, 3)
    assert between == pytest.approx(11_300, rel=0.08)


@pytest.mark.parametrize(("rate", "known"), [(0.5, 3309.84), (0.505, 4609.92), (0.51, 5414.96), (0.52, 3311.61)])
def test_wins_and_losses_are_decided_as_fast_as_theory_has_it(rate, known):
    """Wald's expected number of games for 0.50 against 0.52 leaves out the way from the last toss to beyond a bound; here
    there is a look every ten games. The mean of 2,000 runs errs by 2 %.
    """
    wins = np.random.default_rng(5).binomial(10, rate, (2_000, 8_000)).astype(np.int8)
    ratio = (wins * log(0.52 / 0.5) + (10 - wins) * log(0.48 / 0.5)).cumsum(axis=1)
    over = abs(ratio) >= bounds().upper
    assert over.any(axis=1).all()
    assert 10 * (over.argmax(axis=1) + 1).mean() == pytest.approx(known, rel=0.06)
