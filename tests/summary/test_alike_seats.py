"""Tables of games with alike seats: shares of the outcome by place and by policy, recounted from the rows one by one."""

from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from simkit import games
from simkit.spec import WHOLE
from simkit.stats.intervals import wilson
from simkit.stats.multiplicity import family_wise_level
from simkit.summary import line_ups, scores, tables, words
from simkit.summary.counts import Counts, counts
from tests.summary.made_up import Asked, MadeUp, made, spec

OUTCOMES = ("won", "lost")


@pytest.fixture(params=OUTCOMES)
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    """Four players, all alike and one odd, shared outcomes, policies moved through the seats."""
    game = spec(request.param)
    monkeypatch.setattr(games, "get", lambda name: game)
    strong = {"bold": 2.0, "random": 1.0, "sly": 0.5}
    return made(
        game,
        [
            Asked(["random"] * 4, ties=0.2, strength=lambda policy, place, players: 1.3 if place == 0 else 1.0),
            Asked(["bold", "random", "random", "random"], ties=0.1, strength=lambda policy, *_: strong[policy]),
            Asked(["sly", "random", "random", "random"], strength=lambda policy, *_: strong[policy]),
            Asked(["bold", "bold", "random"], ties=0.1, strength=lambda policy, *_: strong[policy]),
        ],
        2_400,
        rotate=True,
    )


def credit(run: MadeUp, cell: int) -> list[list[Fraction]]:
    """The share of every seat in every playout, the slow way."""
    had = run.players[cell][run.recipe.spec.outcome].tolist()
    return [[Fraction(one, sum(row)) for one in row] for row in had]


def test_shares_by_turn_order_are_those_of_the_rows(run: MadeUp) -> None:
    seats = tables.seats(run.recipe, run.tallies).set_index(["cell", "turn_order"])
    for cell in (0, 1):
        order = run.players[cell]["turn_order"]
        got = Counter[int]()
        for places, shares in zip(order.tolist(), credit(run, cell), strict=True):
            for place, share in zip(places, shares, strict=True):
                got[place] += share
        for place in range(4):
            row = seats.loc[(cell, place)]
            assert row["share"] == pytest.approx(float(Fraction(got[place], run.playouts)), abs=1e-14)
            assert row["family_low"] < row["share_low"] < row["share"] < row["share_high"] < row["family_high"]
            assert row["index"] == pytest.approx(4 * row["share"])
            had = run.players[cell][run.recipe.spec.outcome][order == place].sum()
            assert row["wins"] == had
        assert seats.loc[cell]["share"].sum() == pytest.approx(1)


def test_shares_by_policy_are_those_of_the_rows(run: MadeUp) -> None:
    found = line_ups.shares(run.recipe, run.tallies).set_index(["cell", "policy"])
    assert set(found["credit"]) == {"share"}
    assert found.loc[(1, "bold")][["seats", "others", "rest"]].tolist() == [1, "3 x random", "random"]
    assert found.loc[(3, "bold")][["seats", "others", "rest"]].tolist() == [2, "1 x random", ""]
    for cell in run.recipe.cells[1:]:
        got = Counter[str]()
        for playout, shares in enumerate(credit(run, cell.id)):
            for seat, share in enumerate(shares):
                got[cell.policies[(seat - playout % cell.players) % cell.players]] += share
        for policy, count in Counter(cell.policies).items():
            mean = float(Fraction(got[policy], count * run.playouts))
            row = found.loc[(cell.id, policy)]
            assert row["share"] == pytest.approx(mean, abs=1e-14)
            assert row["index"] == pytest.approx(cell.players * mean)
            assert row["family_low"] < row["low"] < mean < row["high"] < row["family_high"]


def test_policies_among_the_same_others_are_compared(run: MadeUp) -> None:
    (gap,) = line_ups.gaps(run.recipe, run.tallies).to_dict("records")
    shares = line_ups.shares(run.recipe, run.tallies).set_index(["cell", "policy"])["share"]
    assert (gap["policy"], gap["against"], gap["rest"], gap["players"]) == ("bold", "sly", "random", 4)
    assert gap["difference"] == pytest.approx(shares[1, "bold"] - shares[2, "sly"])
    assert gap["low"] < gap["difference"] < gap["high"]


def test_scores_of_those_who_had_it_and_of_the_others(run: MadeUp) -> None:
    found = scores.scores(run.recipe, run.tallies).set_index("cell")
    for cell, players in run.players.items():
        had, score = players[run.recipe.spec.outcome] == 1, players["score"]
        row = found.loc[cell]
        assert row["all_mean"] == pytest.approx(score.mean())
        assert row["had_mean"] == pytest.approx(score[had].mean())
        assert row["others_mean"] == pytest.approx(score[~had].mean())
        assert row["others_low"] < row["others_mean"] < row["others_high"]


def test_how_often_the_outcome_is_shared(run: MadeUp) -> None:
    found = scores.shared(run.recipe, run.tallies).set_index("cell")
    many = run.players[0][run.recipe.spec.outcome].sum(axis=1)
    row = found.loc[0]
    assert row["shared"] == pytest.approx((many > 1).mean())
    assert row["having"] == pytest.approx(many.mean())
    assert row["nobody"] == 0
    assert row["low"] < row["shared"] < row["high"]
    assert found.loc[2, "shared"] == 0


def test_the_shared_tallies_are_what_the_rows_say(run: MadeUp) -> None:
    """Slot by slot and by how many had the outcome, and the histogram of their scores."""
    for cell in run.recipe.cells:
        had = run.players[cell.id][run.recipe.spec.outcome]
        block = np.arange(run.playouts) // cell.players % 64
        expected: Counter[tuple[int, int, int]] = Counter()
        values: Counter[tuple[int, int]] = Counter()
        for playout, row in enumerate(had.tolist()):
            for seat, one in enumerate(row):
                if one:
                    slot = (seat - playout % cell.players) % cell.players
                    expected[int(block[playout]), slot, sum(row)] += 1
                    values[int(block[playout]), int(run.players[cell.id]["score"][playout, seat])] += 1
        mine = run.tallies.filter(pl.col("cell") == cell.id)
        slots = mine.filter(pl.col("kind") == "slot").select("block", "slot", "value", "count")
        assert {row[:3]: row[3] for row in slots.iter_rows()} == expected
        scored = mine.filter(pl.col("kind") == "had").select("block", "value", "count")
        assert {row[:2]: row[2] for row in scored.iter_rows()} == values


# --- intervals --------------------------------------------------------------------------------------------------


def patterns(game_players: int, often: dict[int, int]) -> Counts:
    """Counts of a cell whose playouts lie in block 0."""
    game = spec()
    cell = made(game, [Asked(["random"] * game_players)], 64).recipe.cells[0]
    found = np.zeros((64, 2**game_players), np.int64)
    for mask, count in often.items():
        found[0, mask] = count
    return Counts(cell, 1, found)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "get", lambda name: spec())


@pytest.mark.usefixtures("game")
def test_a_shared_win_is_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three seats: 40 wins of A alone, 30 of B, 20 of C, 6 shared by A and B, 4 by B and C."""
    mine = patterns(3, {0b001: 40, 0b010: 30, 0b100: 20, 0b011: 6, 0b110: 4})
    assert (mine.shares.sum(axis=0) / WHOLE).tolist() == [43, 35, 22]
    assert mine.outcomes.sum(axis=0).tolist() == [46, 40, 24]
    one = np.array([1.0] * 40 + [0.5] * 6 + [0.0] * 54)
    worth = 0.43 * 0.57 / (one.var(ddof=1) / 100)  # independent playouts with this spread
    found = mine.shared(0)
    assert (found.low, found.high) == pytest.approx(wilson(0.43 * worth, worth))
    assert found.rate == pytest.approx(0.43)


@pytest.mark.usefixtures("game")
def test_without_ties_shares_and_rates_are_one() -> None:
    mine = patterns(3, {0b001: 400, 0b010: 300, 0b100: 300})
    assert mine.shared(0) == mine.rated(mine.outcomes[:, 0])
    assert (mine.shared(1).low, mine.shared(1).high) == pytest.approx(wilson(300, 1000))
    wide = mine.shared(1, family_wise_level(0.95, 3))
    assert (wide.low, wide.high) == pytest.approx(wilson(300, 1000, 1 - 0.05 / 3))


@pytest.mark.usefixtures("game")
def test_replayed_deals_widen_every_range() -> None:
    """Four playouts of a deal that end alike tell as much as one: all ranges are about twice as wide."""
    asked = [Asked(["random"] * 3), Asked(["random"] * 3, {"twist": True})]
    once, alike = (
        made(spec(), asked, 16_000, replicates=replicates, same_luck=True, pairs=((0, 1),)) for replicates in (1, 4)
    )

    def widths(run: MadeUp) -> dict[str, float]:
        cell = tables.cells(run.recipe, run.tallies).iloc[0]
        seat = tables.seats(run.recipe, run.tallies).iloc[0]
        gap = tables.differences(run.recipe, run.tallies).iloc[0]
        return {
            "cell": cell["high"] - cell["low"],
            "share": seat["share_high"] - seat["share_low"],
            "difference": gap["family_high"] - gap["family_low"],
            "error": gap["standard_error"],
        }

    narrow, wide = widths(once), widths(alike)
    assert {name: wide[name] / narrow[name] for name in narrow} == pytest.approx(dict.fromkeys(narrow, 2.0), rel=0.3)
    assert tables.cells(once.recipe, once.tallies)["method"].tolist() == ["Wilson"] * 2
    assert tables.cells(alike.recipe, alike.tallies)["method"].tolist() == ["blocks"] * 2
    (first, _), (second, _) = (tables.seat_tests(run.recipe, run.tallies)["method"] for run in (once, alike))
    assert (first, second) == ("chi-square", "blocks of deals")
    assert tables.differences(alike.recipe, alike.tallies)["deals"].tolist() == [4_000]


@pytest.mark.usefixtures("game")
def test_one_deal_is_told_as_unknown() -> None:
    run = made(spec(), [Asked(["random"] * 3)], 3, rotate=True)
    row = tables.seats(run.recipe, run.tallies).iloc[0]
    assert (row["low"], row["high"], row["share_low"], row["share_high"]) == (0, 1, 0, 1)
    assert tables.columns(run.recipe, run.tallies)["low"].isna().all()


# --- words ------------------------------------------------------------------------------------------------------


def test_a_game_of_losers_speaks_of_losing() -> None:
    assert words.headline(spec("won")) == "first in turn order wins"
    assert words.headline(spec("lost")) == "first in turn order loses"
    assert words.outcome(spec("lost")).rate == "loss rate"
    assert not words.outcome(spec("lost")).is_good


def test_cells_count_the_outcome_whatever_it_is_called(run: MadeUp) -> None:
    cells = tables.cells(run.recipe, run.tallies)
    first = run.players[0]["turn_order"] == 0
    assert cells["wins"].iloc[0] == run.players[0][run.recipe.spec.outcome][first].sum()
    blocks = tables.blocks(run.recipe, run.tallies)
    assert blocks[blocks["cell"] == 0]["wins"].sum() == cells["wins"].iloc[0]
    assert blocks[blocks["cell"] == 0]["playouts"].sum() == run.playouts
    assert set(counts(run.recipe, run.tallies)) == set(range(4))
