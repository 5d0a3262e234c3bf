"""What the deal settles, and what the policy: deals played again and again."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from simkit.stats.luck import deal_luck, split
from tests.stats.test_effects import close


def test_luck_of_the_deal_from_four_deals_played_three_times():
    credit = np.array([(5, 6, 7), (8, 9, 7), (4, 3, 5), (6, 6, 9)])
    totals = credit.sum(axis=1)
    found = deal_luck(4, 3, credit.sum().item(), (credit**2).sum().item(), (totals**2).sum().item())
    assert (found.between, found.within) == close((8.75, 1.5))
    assert found.share == close(0.617021276596)
    assert found.variance == close(2.416666666667)


def test_luck_of_the_deal_is_all_or_less_than_nothing():
    assert deal_luck(2, 2, 2, 2, 4).share == 1  # the deal decides
    assert deal_luck(2, 2, 2, 2, 2).share == -1  # every deal goes both ways: chance below 0
    assert np.isnan(deal_luck(2, 2, 4, 4, 8).share)


@pytest.mark.parametrize(("deals", "replays"), [(1, 3), (3, 1)])
def test_luck_of_the_deal_needs_deals_and_replays(deals, replays):
    with pytest.raises(ValueError, match="two deals"):
        deal_luck(deals, replays, 3, 3, 9)


def test_seats_are_taken_together():
    """Two seats, one the mirror of the other, have the luck that one alone has."""
    generator = np.random.default_rng(1)
    credit = (generator.random((500, 4)) < generator.random((500, 1))).astype(float)
    both = np.stack([credit, 1 - credit], axis=2)  # (deals, replays, seats)
    totals = both.sum(axis=1)
    seats = deal_luck(500, 4, both.sum(axis=(0, 1)), (both**2).sum(axis=(0, 1)), (totals**2).sum(axis=0))
    one = deal_luck(500, 4, credit.sum(), (credit**2).sum(), (totals[:, 0] ** 2).sum())
    assert seats.share == close(one.share)
    assert seats.variance.tolist() == close([one.variance] * 2)


def sums(y):
    """y : (deals, policies, replays)"""
    cells = y.sum(axis=2)
    return (
        len(y), y.shape[2], cells.sum(axis=0), (cells.sum(axis=1) ** 2).sum(), (cells**2).sum(), (y**2).sum()
    )  # fmt: skip


def test_the_split_is_that_of_an_analysis_of_variance():
    """Mean squares from statsmodels, put together after Scheffe's expectations."""
    y = np.random.default_rng(2).normal(size=(9, 3, 4)) + np.arange(9)[:, None, None] + 5 * np.arange(3)[None, :, None]
    deals, policies, replays = y.shape
    places = np.indices(y.shape).reshape(3, -1)
    frame = pd.DataFrame({"y": y.reshape(-1), "d": places[0], "p": places[1]})
    table = anova_lm(ols("y ~ C(d) * C(p)", frame).fit())
    square = table["sum_sq"] / table["df"]
    rest, both = square["Residual"], square["C(d):C(p)"]
    found = split(*sums(y))
    assert found.rest == close(rest)
    assert found.deal == close((square["C(d)"] - rest) / (policies * replays))
    assert found.interaction == close((both - rest) / replays * (policies - 1) / policies)
    assert found.policy == close((square["C(p)"] - both) / (deals * replays) * (policies - 1) / policies)


def test_the_split_is_right_on_average():
    """Made-up wins with known chances: what each part is due to is known exactly, and so is their sum."""
    generator = np.random.default_rng(3)
    chances = np.array([[0.2, 0.5, 0.3], [0.6, 0.4, 0.9]])  # two kinds of deals, three policies
    by_deal, by_policy = chances.mean(axis=1), chances.mean(axis=0)
    true = [
        by_deal.var(),
        by_policy.var(),
        (chances - by_deal[:, None] - by_policy[None] + chances.mean()).var(),
        (chances * (1 - chances)).mean(),
    ]
    found = []
    for _ in range(1500):
        p = chances[generator.integers(0, 2, 24)][:, :, None]
        each = split(*sums((generator.random((24, 3, 3)) < p).astype(float)))
        found.append([each.deal, each.policy, each.interaction, each.rest])
    assert np.mean(found, axis=0) == pytest.approx(true, abs=4 * np.std(found, axis=0).max() / 1500**0.5)
    assert sum(true) == close(chances.mean() * (1 - chances.mean())), "of a playout of any deal by any policy"


def test_a_split_of_what_never_varies_is_none():
    assert np.isnan(split(*sums(np.ones((4, 2, 3)))).shares).all()


def test_shares_add_up_to_one():
    shares = split(*sums(np.random.default_rng(4).random((30, 2, 2)))).shares
    assert shares.sum() == close(1.0)


@pytest.mark.parametrize("shape", [(1, 2, 2), (2, 1, 2), (2, 2, 1)])
def test_a_split_needs_two_of_each(shape):
    with pytest.raises(ValueError, match="two deals, two policies and two replays"):
        split(*sums(np.ones(shape)))
