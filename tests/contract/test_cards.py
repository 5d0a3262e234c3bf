"""What games that count cards must leave in their records, bulk play against traces. Names no game."""

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest

from simkit import games
from simkit.engine.tally import ALL_PLAYERS, CARD
from simkit.engine.worker import play, trace
from simkit.scenario.load import load_box
from simkit.spec import CARD_KINDS, CARD_SETS, WHOLE, GameSpec
from tests.contract.sampling import Setting, boxes_module, settings

WITH_CARDS = [name for name in games.names() if games.get(name).cards]


@pytest.fixture(params=WITH_CARDS)
def dealing(request: pytest.FixtureRequest) -> GameSpec:
    """Every game that counts cards in turn."""
    return games.get(request.param)


def test_some_games_count_cards() -> None:
    assert WITH_CARDS


def test_kinds_have_names_and_fit_into_a_mask(dealing: GameSpec) -> None:
    own = load_box(dealing, None)
    for box in (own, *boxes_module(dealing.name).extreme(own)):
        names = dealing.module("box").card_names(box)
        assert 0 < len(names) <= CARD_KINDS
        assert all(isinstance(name, str) and name for name in names)


def counted(setting: Setting, playouts: int) -> Counter[tuple[int, int, str, int]]:
    """(block, slot, column, value) -> count, from the traces of single playouts, one card at a time."""
    names = setting.spec.module("box").card_names(setting.box)
    counts: Counter[tuple[int, int, str, int]] = Counter()
    for playout in range(playouts):
        _, _, players = trace(setting.job, playout)
        having = sum(player[setting.spec.outcome] for player in players)
        for slot, player in enumerate(players):
            credit = int(Fraction(WHOLE, having)) if player[setting.spec.outcome] else 0
            counts[playout % 64, slot, ALL_PLAYERS, 0] += 1
            counts[playout % 64, slot, ALL_PLAYERS, 1] += credit
            sets = [player[name] for name in CARD_SETS]
            assert all(0 <= cards < 2 ** len(names) for cards in sets), str(setting)
            for kind in range(len(names)):
                had = [cards >> kind & 1 for cards in sets]
                if any(had):
                    value = 16 * kind + 2 * (had[0] + 2 * had[1] + 4 * had[2])
                    counts[playout % 64, slot, CARD, value] += 1
                    counts[playout % 64, slot, CARD, value + 1] += credit
    return +counts


def test_bulk_play_counts_the_cards_of_the_traces(dealing: GameSpec) -> None:
    """Nothing of a playout is left in the records of the next, whatever the options and the box."""
    for setting in settings(dealing, 12, seed=71):
        frame = play(setting.job, 0, 70).tally.frame().filter(pl.col("kind") == "card")
        found = {(r["block"], r["slot"], r["column"], r["value"]): r["count"] for r in frame.iter_rows(named=True)}
        assert found == counted(setting, 70), str(setting)


def test_every_kind_of_record_is_used(dealing: GameSpec) -> None:
    """Cards are dealt, come later and are played, with some setting."""
    seen = dict.fromkeys(CARD_SETS, 0)
    for setting in settings(dealing, 40, seed=72):
        for player in trace(setting.job, 3)[2]:
            for name in CARD_SETS:
                seen[name] |= player[name]
    assert all(seen.values()), seen
