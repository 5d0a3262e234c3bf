"""The card table of a run: from tallies to rates and differences, and against what the shuffle must give."""

from dataclasses import replace
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from simkit import api, games
from simkit.store import Run
from simkit.summary.cards import COLUMNS, arrays, cards, seats_by_policy
from simkit.summary.evidence import gather


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("cards")
    (folder / "mixed.toml").write_text(
        'game = "granny_wars"\nplayouts = 3000\n[grid]\nplayers = 3\n'
        'policies = [{ all = "open" }, { 0 = "random", 1 = "open", 2 = "open" }]'
    )
    return api.run(api.question(str(folder / "mixed.toml")), out=folder / "run")


@pytest.fixture(scope="module")
def table(run: Run) -> pd.DataFrame:
    return cards(run.recipe, run.tallies())


def test_a_row_for_every_cell_policy_and_card(table: pd.DataFrame) -> None:
    assert list(table.columns) == COLUMNS
    groups = table.groupby(["cell", "who"], sort=False)["counted"].first()
    assert groups.to_dict() == {(0, "open"): 9000, (1, "random"): 3000, (1, "open"): 6000}
    assert (table.groupby(["cell", "who"])["card"].nunique() == 16).all()
    assert set(table["card"]) == {
        "-5", "-4", "-3", "-2", "-1", "+1", "+2", "+3", "+4", "+5",
        "Sweet Old Lady", "Senior Moment", "Nana Nap", "New Hip", "New Wheels", "Generation Gap",
    }  # fmt: skip


def test_rates_are_those_of_the_rows_on_disk(run: Run, table: pd.DataFrame) -> None:
    """Rows have no cards, but they have the outcomes that all players with and without a card share."""
    won = run.scan("players").collect().filter(pl.col("won") == 1)
    shares = won.with_columns(share=1 / pl.len().over("cell", "playout"), policy=pl.col("policy").cast(pl.String))
    sums = shares.group_by("cell", "policy").agg(pl.col("share").sum())
    found = {(cell, policy): share for cell, policy, share in sums.iter_rows()}
    assert len(found) == 3
    for (cell, who), mine in table.groupby(["cell", "who"]):
        assert (mine["rate"] * mine["counted"]).to_numpy() == pytest.approx(found[cell, who])
        never = (mine["never_rate"] * mine["never_players"]).fillna(0)
        seen = (mine["in_hand_rate"] * mine["in_hand_players"]).fillna(0)
        assert (never + seen <= found[cell, who] + 1e-6).all()


def test_the_difference_of_one_seat_is_that_of_its_two_rates(table: pd.DataFrame) -> None:
    whole = table["opening_rate"] * table["opening_players"]
    rest = table["counted"] - table["opening_players"]
    alone = table[table["who"] == "random"]  # one seat: one stratum, so the difference is that of the two rates
    others = (alone["rate"] * alone["counted"] - whole) / rest
    assert alone["opening_difference"].to_numpy() == pytest.approx((alone["opening_rate"] - others)[alone.index])


def test_those_who_never_saw_a_card_are_all_others(table: pd.DataFrame) -> None:
    assert (table["in_hand_players"] >= table[["opening_players", "drawn_players"]].max(axis=1)).all()
    assert (table["opening_players"] + table["drawn_players"] == table["in_hand_players"]).all()
    assert (table["never_players"] + table["in_hand_players"] <= table["counted"]).all()
    assert (
        (table["opening_rate_low"] <= table["opening_rate"]) & (table["opening_rate"] <= table["opening_rate_high"])
    ).all()
    assert (
        (table["opening_low"] <= table["opening_difference"]) & (table["opening_difference"] <= table["opening_high"])
    ).all()


def test_thin_cards_are_marked_and_not_judged(run: Run) -> None:
    few = run.tallies().filter(pl.col("block") < 4)
    table = cards(run.recipe, few)
    assert table["is_thin"].any()
    assert table.loc[table["is_thin"], "adjusted_p"].isna().all()
    assert (table["family"] == (~table["is_thin"]).groupby([table["cell"], table["who"]]).transform("sum")).all()


@pytest.mark.parametrize("players", [2, 5, 8])
def test_opening_hands_are_as_often_dealt_as_the_shuffle_says(players: int) -> None:
    """Exposure is hypergeometric: a card with c copies among N is in a hand of h with chance 1 - C(N-c, h) / C(N, h)."""
    run = api.run(api.question("granny_wars", players=players, playouts=4000), out=Path("run"))
    table = cards(run.recipe, run.tallies())
    box = run.recipe.box
    hand = next(line["hand"] for line in box["setup"]["tables"] if line["players"] == players)
    copies = {f"{card['value']:+d}": card["copies"] for card in box["vp"]["flat"]["cards"]}
    copies |= {card["name"]: card["copies"] for card in box["gold"]["cards"]}
    assert len(table) == 2 * len(copies)
    for row in table.itertuples():
        chance = 1 - comb(64 - copies[row.card], hand) / comb(64, hand)
        z = (row.opening_players - row.counted * chance) / sqrt(row.counted * chance * (1 - chance))
        assert abs(z) < 4, (row.card, z)


def test_a_game_or_a_run_without_card_counts_has_no_table(run: Run) -> None:
    tallies = run.tallies()
    assert cards(run.recipe, tallies.filter(pl.col("kind") != "card")).empty
    assert gather(run.recipe, tallies.filter(pl.col("kind") != "card")).cards.empty
    propuh = api.run(api.question("propuh", playouts=100), out=Path("propuh"))
    assert list(cards(propuh.recipe, propuh.tallies()).columns) == COLUMNS
    assert cards(propuh.recipe, propuh.tallies()).empty


def test_cells_whose_cards_were_counted_in_part_are_left_out(run: Run) -> None:
    partly = run.tallies().filter((pl.col("kind") != "card") | (pl.col("cell") == 0) | (pl.col("block") != 5))
    assert set(cards(run.recipe, partly)["cell"]) == {0}


def test_unlike_seats_are_told_by_their_role(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(seats_by_policy(run.recipe, run.recipe.cells[1])) == [("random", [0]), ("open", [1, 2])]
    spec = replace(games.get("granny_wars"), roles=("first", "second", "third"))
    monkeypatch.setattr("simkit.games.get", lambda name: spec)
    told = list(seats_by_policy(run.recipe, run.recipe.cells[1]))
    assert told == [("first: random", [0]), ("second: open", [1]), ("third: open", [2])]


def test_arrays_hold_every_count(run: Run) -> None:
    mine = run.tallies().filter(pl.col("kind") == "card", pl.col("cell") == 1)
    counts, everybody = arrays(mine, 3)
    assert counts.sum() + everybody.sum() == mine["count"].sum()
    assert everybody[:, :, 0].sum(axis=0).tolist() == [3000, 6000, 0]  # the two who play open are counted together
    assert np.all(counts[..., 0, :] == 0)
