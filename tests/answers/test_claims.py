"""Claims are decided by ranges that hold at any look: what they are made of, when they end, how often they err."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from simkit.answers.claim_results import ClaimResult, Result, changes, wanted
from simkit.answers.claims import Figure, Trial, Verdict, decide
from simkit.engine.plan import look_deals
from simkit.engine.worker import Job, play
from simkit.errors import ScenarioError
from simkit.report.build import gathered
from simkit.report.metrics import metrics
from simkit.scenario.claims import Claim
from simkit.stats.sequential import mean_sequence, rate_sequence

BALANCE = """game = "propuh"
seed = 4
playouts = 20_000
[[claim]]
name = "holds"
metric = "win_rate"
policies = { granny = "builder", propuh = "blocker_propuh" }
between = [25, 45]
[[claim]]
name = "fails"
metric = "win_rate"
seat = "propuh"
policies = { granny = "builder", propuh = "blocker_propuh" }
at_most = 60
[[claim]]
name = "open"
metric = "first_seat_wins"
policies = { granny = "builder", propuh = "blocker_propuh" }
at_most = 33.5
"""


def decided(text: str, jobs: int = 1) -> list[Trial]:
    Path("balance.toml").write_text(text)
    return decide(Path("balance.toml"), jobs)[1]


def test_each_claim_ends_at_the_look_where_its_range_lies_on_one_side():
    """Found again from the outcomes of the same playouts; three claims share the 5 %."""
    trials = decided(BALANCE)
    won = play(Job.of(trials[0].recipe, trials[0].recipe.cells[0]), 0, 20_000).won
    for trial, position in zip(trials, (0, 1, 0), strict=True):
        credit = (won >> position) & 1
        least, most = trial.claim.limits
        for planned in look_deals():
            deals = min(planned, 20_000)
            low, high = (100 * end for end in rate_sequence(int(credit[:deals].sum()), deals, 1 - 0.05 / 3))
            inside = (least is None or low >= least) and (most is None or high <= most)
            outside = (least is not None and high < least) or (most is not None and low > most)
            if inside or outside or deals == 20_000:
                break
        verdict = Verdict.HOLDS if inside else Verdict.FAILS if outside else Verdict.OPEN
        assert (trial.verdict, trial.playouts) == (verdict, deals)
        assert (trial.low, trial.high) == (pytest.approx(low), pytest.approx(high))
        assert trial.value == pytest.approx(100 * credit[:deals].mean())
    assert [trial.verdict for trial in trials] == [Verdict.HOLDS, Verdict.FAILS, Verdict.OPEN]


def test_verdicts_are_the_same_on_any_workers(monkeypatch):
    alone = [(t.verdict, t.value, t.low, t.high, t.playouts, t.cell) for t in decided(BALANCE)]
    monkeypatch.setattr("simkit.answers.playing.AT_ONCE", 700)
    assert [(t.verdict, t.value, t.low, t.high, t.playouts, t.cell) for t in decided(BALANCE, 3)] == alone


ALL = """playouts = 1000
seed = 1
[[claim]]
name = "a"
metric = "{metric}"
scenario = "s.toml"
at_most = 0
"""


@pytest.mark.parametrize("metric", ["seat_gap", "target_gap", "largest_change", "lowest_rate", "highest_rate"])
def test_a_figure_of_a_scenario_is_the_one_of_its_report(metric, tmp_path):
    from simkit import api

    Path("s.toml").write_text(
        'game = "propuh"\nplayouts = 1000\nseed = 1\ntarget = 50\n[[grid]]\nplayers = 2\n'
        'policies = [{ all = "random" }, { granny = "builder", propuh = "blocker_propuh" }]\n'
        '[[grid]]\npresets = ["solo-1", "solo-3"]\ncompare = "neighbours"\n'
    )
    done = api.run(api.question("s.toml"), out=tmp_path / "run", jobs=1)
    expected = metrics(gathered(done))[metric]
    (trial,) = decided(ALL.format(metric=metric))
    assert trial.value == pytest.approx(expected.value)
    assert trial.playouts == 1000
    assert trial.low <= trial.value <= trial.high
    assert trial.high > expected.high


@pytest.mark.parametrize("design", ["", "replicates = 2\n", "rotate = true\n"])
def test_a_seat_that_is_off_is_found_as_in_a_report(design, tmp_path):
    from simkit import api

    Path("s.toml").write_text(
        f'game = "granny_wars"\nplayouts = 1020\nseed = 1\n{design}[grid]\nplayers = 3\npolicies = {{ all = "open" }}\n'
    )
    done = api.run(api.question("s.toml"), out=tmp_path / "run", jobs=1)
    found = {name: decided(ALL.format(metric=name).replace("1000", "1020"))[0] for name in ("seat_off", "seat_gap")}
    expected = metrics(gathered(done))
    for name, trial in found.items():
        assert trial.value == pytest.approx(expected[name].value), name
        assert trial.low <= trial.value <= trial.high


def test_shares_and_replayed_deals_have_the_range_of_their_mean():
    """Against numbers taken one by one from made-up outcomes."""
    random = np.random.default_rng(2)
    masks = random.integers(1, 8, 6_000).astype(np.uint16)
    from simkit.answers.claims import gap, share

    shares = [Fraction(int(m) & 1, int(m).bit_count()) for m in masks]
    figure = Figure("x", share(0, 0, 3), per_deal=2, whole=2520, zero=1 / 3)
    figure.add({0: masks[:2_000]})
    figure.add({0: masks[2_000:]})
    by_deal = np.array([float(a + b) / 2 for a, b in zip(shares[::2], shares[1::2], strict=True)])
    value, low, high = figure.range(0.95)
    assert value == pytest.approx(by_deal.mean() - 1 / 3)
    expected = mean_sequence(by_deal.mean() - 1 / 3, by_deal.std(), 3_000)
    assert (low, high) == (pytest.approx(expected[0]), pytest.approx(expected[1]))
    gaps = Figure("x", gap(0, 0, 0, 1), per_deal=1, lowest=-1)
    gaps.add({0: masks})
    differences = (masks & 1).astype(float) - ((masks >> 1) & 1)
    value, low, high = gaps.range(0.99)
    expected = mean_sequence(differences.mean(), differences.std(), 6_000, 0.99)
    assert (value, low, high) == pytest.approx((differences.mean(), *expected))


def test_deals_that_never_vary_leave_room_for_those_not_seen():
    from simkit.answers.claims import had

    never = Figure("x", had(0, 0), per_deal=2)
    never.add({0: np.zeros(2_000, np.uint16)})
    assert never.range(0.95) == (0, 0, pytest.approx(rate_sequence(0, 1_000)[1]))


@pytest.mark.parametrize(("rate", "limit"), [(0.5, 0.5), (0.52, 0.5), (0.31, 0.3)])
def test_a_true_claim_fails_and_a_false_one_holds_in_less_than_one_of_twenty_runs(rate, limit):
    """'At most the true rate' is true, 'at most a little less' false. 100 runs: more than 11 would be 3 errors over 5 %."""
    from simkit.answers.claims import had

    wrong = 0
    random = np.random.default_rng(7)
    claim = Claim(name="x", metric="win_rate", at_most=100 * limit)
    for _ in range(100):
        figure = Figure("x", had(0, 0), per_deal=1)
        begun = 0
        for deals in look_deals():
            if deals > 15_000:
                break
            figure.add({0: (random.random(deals - begun) < rate).astype(np.uint16)})
            begun = deals
            low, high = (100 * end for end in figure.range(0.95)[1:])
            if low > claim.limits[1] or high <= claim.limits[1]:
                wrong += (low > claim.limits[1]) == (rate <= limit)
                break
    assert wrong <= 11


def test_claims_about_one_setting_play_it_once(monkeypatch):
    calls = []
    real = play
    monkeypatch.setattr(
        "simkit.answers.playing.play", lambda job, first, playouts, *rest: calls.append(playouts) or real(job, first, playouts, *rest)
    )  # fmt: skip
    trials = decided(BALANCE)
    assert sum(calls) == max(trial.playouts for trial in trials) == 20_000


def test_too_few_playouts_for_two_deals_are_refused():
    Path("s.toml").write_text('game = "propuh"\nplayouts = 40\nreplicates = 40\n')
    with pytest.raises(ScenarioError, match="playouts: 40 are too few for claim a; two deals take more"):
        decided(ALL.format(metric="highest_rate").replace("1000", "40"))


def result(**more) -> ClaimResult:
    given = {
        "name": "first_seat", "metric": "first_seat_wins", "wanted": "at most 53 %", "verdict": "holds", "value": 51.2,
        "low": 50.9, "high": 51.5, "unit": "per cent", "cell": "2 players", "playouts": 9_728,
    }  # fmt: skip
    return ClaimResult(**(given | more))


def kept(*claims: ClaimResult) -> Result:
    return Result(title="x", seed="1", playouts=10, verdict="holds", claims=list(claims))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([result()], [result()], []),
        ([result()], [result(value=51.3, low=51.0, high=51.6)], []),
        (
            [result()],
            [result(verdict="fails", value=55.0, low=54.1, high=55.9)],
            ["first_seat: held at 51.20 % (50.90 to 51.50), now fails at 55.00 % (54.10 to 55.90)"],
        ),
        (
            [result()],
            [result(verdict="undecided")],
            ["first_seat: held at 51.20 % (50.90 to 51.50), now is undecided at 51.20 % (50.90 to 51.50)"],
        ),
        (
            [result(verdict="undecided")],
            [result()],
            ["first_seat: was undecided at 51.20 % (50.90 to 51.50), now holds at 51.20 % (50.90 to 51.50)"],
        ),
        (
            [result()],
            [result(value=52.2, low=51.9, high=52.5)],
            ["first_seat: still holds, but moved from 51.20 % (50.90 to 51.50) to 52.20 % (51.90 to 52.50)"],
        ),
        (
            [result()],
            [result(wanted="at most 50 %", verdict="fails")],
            [
                "first_seat: the claim was 'first_seat_wins at most 53 %', is 'first_seat_wins at most 50 %'; held at 51.20 % "
                "(50.90 to 51.50), now fails at 51.20 % (50.90 to 51.50)"
            ],
        ),
        (
            [result(name="old", unit="points")],
            [result(name="new")],
            [
                "new: new, holds at 51.20 % (50.90 to 51.50)",
                "old: held at 51.20 points (50.90 to 51.50), is no longer claimed",
            ],
        ),
    ],
)
def test_what_changed_is_told_claim_by_claim(before, after, told):
    assert list(changes(kept(*before), kept(*after))) == told


def test_limits_are_told_with_their_unit():
    told = [
        wanted(Claim(name="x", metric=metric, **limits))
        for metric, limits in (
            ("win_rate", {"between": [47, 53]}),
            ("seat_gap", {"at_most": 2.5}),
            ("lowest_rate", {"at_least": 5}),
        )
    ]
    assert told == ["47 to 53 %", "at most 2.5 points", "at least 5 %"]


def test_no_claim_looks_at_more_pairs_than_there_are():
    Path("s.toml").write_text('game = "granny_wars"\nplayouts = 1000\n[grid]\nplayers = 4\n')
    (trial,) = decided(ALL.format(metric="seat_gap"))
    assert len(trial.figures) == len(list(combinations(range(4), 2)))
