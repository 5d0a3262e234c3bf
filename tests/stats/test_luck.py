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
        len(y), y.shape[2], cells.sum(axis=0), (cells.sum(axis=1) ** 2).sum(), (y.sum(axis=1) ** 2).sum(),
        (cells**2).sum(), (y**2).sum(),
    )  # fmt: skip


def test_the_split_is_that_of_an_analysis_of_variance():
    """Mean squares from statsmodels, replays nested in deals, put together after Scheffe's expectations."""
    y = np.random.default_rng(2).normal(size=(9, 3, 4)) + np.arange(9)[:, None, None] + 5 * np.arange(3)[None, :, None]
    deals, policies, replays = y.shape
    places = np.indices(y.shape).reshape(3, -1)
    frame = pd.DataFrame({"y": y.reshape(-1), "d": places[0], "p": places[1], "r": places[2]})
    table = anova_lm(ols("y ~ C(d) * C(p) + C(d):C(r)", frame).fit())
    degrees = {"C(d)": deals - 1, "C(p)": policies - 1, "C(d):C(p)": (deals - 1) * (policies - 1),
               "C(d):C(r)": deals * (replays - 1), "Residual": deals * (policies - 1) * (replays - 1)}  # fmt: skip
    square = {name: table["sum_sq"][name] / count for name, count in degrees.items()}
    inner = (policies - 1) / policies
    found = split(*sums(y))
    assert found.deal == close((square["C(d)"] - square["C(d):C(r)"]) / (policies * replays))
    assert found.policy == close((square["C(p)"] - square["C(d):C(p)"]) / (deals * replays) * inner)
    assert found.interaction == close((square["C(d):C(p)"] - square["Residual"]) / replays * inner)
    within = table["sum_sq"]["C(d):C(r)"] + table["sum_sq"]["Residual"]
    assert found.rest == close(within / (deals * policies * (replays - 1)))


def estimates(chances, same_chance):
    """Splits of made-up wins: of two kinds of deals and three policies the chances are known."""
    generator = np.random.default_rng(3)
    found = []
    for _ in range(1500):
        p = chances[generator.integers(0, 2, 24)][:, :, None]
        lots = generator.random((24, 1 if same_chance else 3, 3))
        each = split(*sums((lots < p).astype(float)))
        found.append([each.deal, each.policy, each.interaction, each.rest])
    return np.array(found)


@pytest.mark.parametrize("same_chance", [False, True])
def test_the_split_is_right_on_average(same_chance):
    """What each part is due to is known exactly, and so is their sum; also where policies meet the same chance in a replay."""
    chances = np.array([[0.2, 0.5, 0.3], [0.6, 0.4, 0.9]])
    by_deal, by_policy = chances.mean(axis=1), chances.mean(axis=0)
    true = [
        by_deal.var(),
        by_policy.var(),
        (chances - by_deal[:, None] - by_policy[None] + chances.mean()).var(),
        (chances * (1 - chances)).mean(),
    ]
    found = estimates(chances, same_chance)
    assert found.mean(axis=0) == pytest.approx(true, abs=4 * found.std(axis=0).max() / 1500**0.5)
    assert sum(true) == close(chances.mean() * (1 - chances.mean())), "of a playout of any deal by any policy"


def test_chance_that_policies_share_is_not_taken_for_the_deal():
    found = estimates(np.full((2, 3), 0.4), same_chance=True)
    assert abs(found[:, 0].mean()) < 4 * found[:, 0].std() / 1500**0.5 + 1e-12


def test_a_split_of_what_never_varies_is_none():
    assert np.isnan(split(*sums(np.ones((4, 2, 3)))).shares).all()


def test_shares_add_up_to_one():
    shares = split(*sums(np.random.default_rng(4).random((30, 2, 2)))).shares
    assert shares.sum() == close(1.0)


@pytest.mark.parametrize("shape", [(1, 2, 2), (2, 1, 2), (2, 2, 1)])
def test_a_split_needs_two_of_each(shape):
    with pytest.raises(ValueError, match="two deals, two policies and two replays"):
        split(*sums(np.ones(shape)))
