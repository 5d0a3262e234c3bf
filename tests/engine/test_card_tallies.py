"""Card tallies are what one would count by hand from the players' card sets, and merge in any order."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from simkit import games
from simkit.engine.tally import (
    ALL_PLAYERS,
    CARD,
    PACKED,
    SCHEMA,
    WHOLE,
    Layout,
    Tally,
    merge_frames,
)
from simkit.spec import GameSpec, row_dtype

MADE_UP = replace(games.get("propuh"), name="made_up", cards="cards of a made-up game", players=(2, 3, 4), roles=())


def made_up_playouts(spec: GameSpec, seats: int, playouts: int, chance: random.Random) -> tuple[Any, Any]:
    """Records as a kernel would leave them: any seats with the outcome, any cards had, also the highest kind."""
    rows = np.zeros(playouts, row_dtype(spec.columns)).view(np.recarray)
    players = np.zeros((playouts, seats), spec.player_dtype).view(np.recarray)
    rows.rounds = 1
    for playout in range(playouts):
        order = chance.sample(range(2), 2) + [0] * seats
        for seat in range(seats):
            player = players[playout, seat]
            player.turn_order = order[seat]
            player[1] = chance.random() < 0.4
            for name in ("opening_cards", "drawn_cards", "played_cards"):
                player[name] = sum(1 << kind for kind in (0, 1, 5, 29, 30) if chance.random() < 0.3)
    return rows, players


def counted_by_hand(players: Any, first: int, per_deal: int, rotations: int) -> Counter[tuple[int, int, str, int]]:
    """(block, slot, column, value) -> count, one card at a time."""
    counts: Counter[tuple[int, int, str, int]] = Counter()
    for i, table in enumerate(players.view(np.ndarray)):
        block, rotation = (first + i) // per_deal % 64, (first + i) % rotations
        outcomes = [int(player[1]) for player in table]
        for seat, player in enumerate(table):
            slot = (seat - rotation) % len(table)
            credit = WHOLE * outcomes[seat] // sum(outcomes) if outcomes[seat] else 0
            counts[block, slot, ALL_PLAYERS, 0] += 1
            counts[block, slot, ALL_PLAYERS, 1] += credit
            for kind in range(31):
                had = [int(player[name]) >> kind & 1 for name in ("opening_cards", "drawn_cards", "played_cards")]
                if any(had):
                    value = 16 * kind + 2 * (had[0] + 2 * had[1] + 4 * had[2])
                    counts[block, slot, CARD, value] += 1
                    counts[block, slot, CARD, value + 1] += credit
    return Counter({key: count for key, count in counts.items() if count})


def of_frame(frame: pl.DataFrame) -> dict[tuple[int, int, str, int], int]:
    cards = frame.filter(pl.col("kind") == "card")
    assert cards["turn_order"].null_count() == cards.height
    return {(r["block"], r["slot"], r["column"], r["value"]): r["count"] for r in cards.iter_rows(named=True)}


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 1000), st.integers(1, 3), st.booleans())
def test_card_tallies_are_what_one_counts_by_hand(
    seed: int, seats: int, first: int, replicates: int, rotate: bool
) -> None:
    rotations = seats if rotate else 1
    rows, players = made_up_playouts(MADE_UP, seats, 90, random.Random(seed))
    tally = Tally(Layout.of(MADE_UP, seats))
    tally.add_rows(rows, players, first, replicates, rotations)
    assert tally.outside == 0
    frame = tally.frame()
    assert frame.schema == pl.Schema(SCHEMA)
    assert of_frame(frame) == counted_by_hand(players, first, replicates * rotations, rotations)


@given(st.integers(0, 10**6), st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(2, 4))
def test_card_tallies_merge_in_any_order(seed: int, sizes: list[int], seats: int) -> None:
    chance = random.Random(seed)
    rows, players = made_up_playouts(MADE_UP, seats, sum(sizes), chance)
    layout = Layout.of(MADE_UP, seats)
    whole, together = Tally(layout), Tally(layout)
    whole.add_rows(rows, players, 0, 1, 1)
    parts, first = [], 0
    for size in sizes:
        part = Tally(layout)
        part.add_rows(rows[first : first + size], players[first : first + size], first, 1, 1)
        parts.append(part)
        first += size
    chance.shuffle(parts)
    for part in parts:
        together.merge(part)
    assert together.frame().equals(whole.frame())
    assert merge_frames([part.frame() for part in parts]).equals(merge_frames([whole.frame()]))


def test_shares_of_any_number_of_winners_are_whole_numbers() -> None:
    spec = replace(MADE_UP, players=(10,))
    rows, players = made_up_playouts(spec, 10, 2, random.Random(1))
    for winners in range(11):
        players["turn_order"] = 0
        players["won"] = [int(seat < winners) for seat in range(10)]
        tally = Tally(Layout.of(spec, 10))
        tally.add_rows(rows, players, 0, 1, 1)
        credit = tally.slots[0] // PACKED
        assert credit.tolist() == [WHOLE // max(winners, 1)] * winners + [0] * (10 - winners)
        assert credit.sum() == (WHOLE if winners else 0)


def test_nobody_has_a_kind_that_the_sign_of_a_mask_would_name() -> None:
    rows, players = made_up_playouts(MADE_UP, 2, 1, random.Random(1))
    players["opening_cards"] = -(2**31)
    players["drawn_cards"] = players["played_cards"] = 0
    tally = Tally(Layout.of(MADE_UP, 2))
    tally.add_rows(rows, players, 0, 1, 1)
    assert tally.cards.sum() == 0


def test_a_game_without_cards_counts_none() -> None:
    spec = games.get("propuh")
    assert spec.player_dtype == row_dtype(spec.player_columns)
    tally = Tally(Layout.of(spec, 2))
    assert tally.cards is None
    assert tally.frame().filter(pl.col("kind") == "card").is_empty()
