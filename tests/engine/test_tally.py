"""Tallies are what one would count from the rows, and merge in any order."""

import pickle
import random
from collections import Counter

import numpy as np
import polars as pl

from simkit.engine.tally import Layout, Tally, frame_of_holders, frame_of_pair, merge_frames
from simkit.engine.worker import play
from simkit.spec import GameSpec
from tests.contract.sampling import settings


def test_tallies_are_what_the_rows_say(spec: GameSpec) -> None:
    for setting in settings(spec, 6, seed=31):
        played = play(setting.job, 100, 500, 10**9)
        frame = played.tally.frame()
        blocks = (np.arange(100, 600) // setting.job.per_deal) % 64
        for column in spec.columns:
            counted = frame.filter(pl.col("kind") == "playout", pl.col("column") == column.name)
            found = {(row["block"], row["value"]): row["count"] for row in counted.iter_rows(named=True)}
            pairs = list(zip(blocks.tolist(), played.columns[column.name].tolist(), strict=True))
            assert found == {pair: pairs.count(pair) for pair in set(pairs)}
        order = played.player_columns["turn_order"]
        for column in spec.player_columns:
            counted = frame.filter(pl.col("kind") == "player", pl.col("column") == column.name)
            for turn_order in range(setting.players):
                mine = counted.filter(pl.col("turn_order") == turn_order).group_by("value").agg(pl.col("count").sum())
                values = played.player_columns[column.name][order == turn_order].tolist()
                assert dict(mine.iter_rows()) == {value: values.count(value) for value in set(values)}
        won = [
            sum(1 << int(order[s, i]) for s in range(setting.players) if played.player_columns[spec.outcome][s, i])
            for i in range(500)
        ]
        assert played.won.tolist() == won
        together = frame.filter(pl.col("kind") == "winners").group_by("value").agg(pl.col("count").sum())
        assert dict(together.iter_rows()) == {mask: won.count(mask) for mask in set(won)}
        first_won = np.array(won) & 1 == 1
        for column in spec.columns:
            linked = counts_of(frame, "playout_had", column.name)
            values = played.columns[column.name][first_won].tolist()
            assert linked == (Counter(values) if column.linked else {})
        had = played.player_columns[spec.outcome] == 1
        for column in spec.player_columns:
            for turn_order in range(setting.players):
                mine = frame.filter(pl.col("turn_order") == turn_order)
                values = played.player_columns[column.name][had & (order == turn_order)].tolist()
                assert counts_of(mine, "player_had", column.name) == (Counter(values) if column.linked else {})


def counts_of(frame: pl.DataFrame, kind: str, column: str) -> dict[int, int]:
    mine = frame.filter(pl.col("kind") == kind, pl.col("column") == column)
    return dict(mine.group_by("value").agg(pl.col("count").sum()).iter_rows())


def test_parts_merge_in_any_order(spec: GameSpec) -> None:
    setting = next(settings(spec, 1, seed=32))
    frames = [play(setting.job, first, 100).tally.frame() for first in range(0, 500, 100)]
    whole = merge_frames([play(setting.job, 0, 500).tally.frame()])
    random.Random(1).shuffle(frames)
    assert merge_frames(frames).equals(whole)
    assert merge_frames([merge_frames(frames[:2]), merge_frames(frames[2:])]).equals(whole)


def test_a_value_outside_its_range_is_counted_as_such() -> None:
    from simkit import games
    from simkit.spec import row_dtype

    spec = games.get("propuh")
    layout = Layout.of(spec, 1)
    rows = np.zeros(3, row_dtype(spec.columns)).view(np.recarray)
    players = np.zeros((3, 1), row_dtype(spec.player_columns)).view(np.recarray)
    rows.rounds = [1, 65, 0]
    tally = Tally(layout)
    tally.add_rows(rows, players, 0, 1, 1)
    assert tally.outside == 2
    assert tally.by_playout.sum() == 3 * len(spec.columns)


def test_pairs_are_counted_deal_by_deal() -> None:
    here, there = np.array([1, 1, 2, 2], np.uint16), np.array([1, 2, 1, 2], np.uint16)
    frame = frame_of_pair("won", 2, 7, here, there, 64, 1)
    assert frame["kind"].unique().to_list() == ["pair"]
    assert frame["other"].unique().to_list() == [7]
    granny = frame.filter(pl.col("turn_order") == 0)
    assert dict(zip(granny["value"], granny["block"], strict=True)) == {3: 0, 2: 1, 1: 2, 0: 3}
    propuh = frame.filter(pl.col("turn_order") == 1)
    assert dict(zip(propuh["value"], propuh["block"], strict=True)) == {0: 0, 1: 1, 2: 2, 3: 3}


def test_a_tally_travels_without_loss(spec: GameSpec) -> None:
    """As it goes to another process: equal in every count, type and shape, and it can be added to."""
    for setting in settings(spec, 3, seed=41):
        tally = play(setting.job, 0, 300).tally
        again = pickle.loads(pickle.dumps(tally))
        for name, counts in vars(tally).items():
            if isinstance(counts, np.ndarray):
                assert getattr(again, name).dtype == counts.dtype
                assert np.array_equal(getattr(again, name), counts)
        again.merge(tally)
        assert again.frame()["count"].sum() == 2 * tally.frame()["count"].sum()


def test_who_was_dealt_a_card_is_counted_with_and_without_it() -> None:
    """Four playouts of three seats: a holder of each fate, and one playout in which two hold the card."""
    holders = np.array([0b001, 0b010, 0b110, 0b000], np.uint16)
    there = np.array([0b001, 0b001, 0b010, 0b001], np.uint16)  # with the card
    here = np.array([0b010, 0b010, 0b010, 0b100], np.uint16)  # with another in its place
    frame = frame_of_holders("Nana Nap", 3, 7, holders, here, there, 64, 1)
    assert (frame["kind"].unique().to_list(), frame["column"].unique().to_list()) == (["holder"], ["Nana Nap"])
    assert frame["other"].unique().to_list() == [7]
    counted = {(row["block"], row["value"]): row["count"] for row in frame.iter_rows(named=True)}
    assert counted == {(0, 1): 1, (1, 2): 1, (2, 3): 1, (2, 0): 1}
