"""Exact cases: worked examples of the rulebook, counts after setup, probabilities with a closed form.

A band of 4.5 standard errors is left by chance once in 150,000 seeds; the seeds are fixed.
"""

import itertools
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from simkit.engine.worker import NEVER, Bench, Job, play
from simkit.games.purim.box import pack
from simkit.games.purim.moves import census, deal
from simkit.games.purim.state import (
    ACTION_ZONE,
    BLACK_KIND,
    CENSUS,
    GOLD_KIND,
    MESSENGER_KIND,
    PROVINCE_KIND,
    PROVINCE_ZONE,
    REAL,
    SON_KIND,
    SUPPLY_ZONE,
    new_state,
)
from simkit.kernel.drive import new_table
from simkit.kernel.jit import quiet_wraparound
from simkit.kernel.streams import new_streams, open_playout
from tests.games.purim.table import BOX, CODES, SPEC, Played, Table, box_with, cards

DEALS = 20_000


@quiet_wraparound
def deals(count: int, players: int = 4, **options: Any) -> list[np.ndarray]:
    """The census after the setup of many deals."""
    rules = pack(SPEC.resolve(options), BOX, players)
    state, streams = new_state()[0], new_streams()[0]
    found = []
    for number in range(count):
        open_playout(streams, np.uint64(3), number, 0, 0, players)
        deal(state, rules, streams, None)
        places = np.zeros(CENSUS, np.int8)
        census(state, rules, places)
        found.append(places)
    return found


@pytest.fixture(scope="module")
def dealt() -> np.ndarray:
    return np.array(deals(DEALS))


def close(found: float, expected: float, variance: float, count: int) -> bool:
    return abs(found - expected) < 4.5 * sqrt(variance / count)


# --- worked examples


def test_proclaim_loyal() -> None:
    table = Table().messengers(red="Dascylium", blue="Anatolia", green="Cush", white="Susa")
    table.do("add_gold msgr_adj_pair 2").play("red and blue")
    assert table.golds() == {"Dascylium": 2, "Anatolia": 2}
    table = Table().do("add_gold msgr_adj_pair 2")  # all in one Province
    assert table.golds() == {}
    assert int(table.state.skipped) == 1


def test_proclaim_evil_from_susa_to_egypt() -> None:
    for path in (1, 2):
        table = Table().sons(Adalia="Susa", Poratha="Susa", Arisai="Egypt").top("Egypt", "Thrace")
        table.do("sons_to_top", "evil").play("Susa", f"path {path} from Susa to Egypt")
        assert sum(table.blacks().values()) == 8
        assert sorted(table.blacks().values()) == [2, 2, 2, 2]
        assert "Susa" not in table.blacks()
        assert table.top_is() == "Thrace"
        assert "Arisai moves to Egypt." not in table.story()


def test_proclaim_end() -> None:
    assert Table().sons(Vaizatha="Media").do("add_black son:Vaizatha 3", "end").blacks() == {"Media": 3}
    assert Table().do("add_black son:Vaizatha 3", "end").blacks() == {}


@pytest.mark.parametrize(("gold", "black", "won"), [(1, 2, 0), (2, 2, 1), (0, 0, 1), (3, 1, 1)])
def test_one_province_decides(gold: int, black: int, won: int) -> None:
    table = Table().calendar(8).gold(Susa=gold).black(Susa=black).do("calendar 1")
    assert table.story()[-1] == ("The team wins." if won else "The team loses.")


def test_cards_5_12_3_go_3_5_12() -> None:
    table = Table(3).hand(0, 4, 20).hand(1, 11, 21).hand(2, 2, 22)
    for kind in (4, 11, 2):
        table.write(kind, evil="discard_top 1")
    table.end_turn().play("5 Scribes of the King", "12 Herald", "3 Royal Road")
    numbers = [int(line.split(" of ")[1].split()[0]) for line in table.story() if line.startswith("Evil Action")]
    assert numbers == [3, 5, 12]


def test_the_end_is_tested_after_every_cube() -> None:
    table = Table().messengers(red="Susa").supply(gold=1).do("add_gold msgr*2 2").play("red, blue")
    assert (table.golds(), table.decision()) == ({"Susa": 1}, "over")


# --- structure


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_counts_after_setup(players: int) -> None:
    for places in deals(200, players, messenger_cards=0):  # nobody moves before the deal
        assert places[:20, SON_KIND : SON_KIND + 10].sum() == 10
        assert places[:20, MESSENGER_KIND : MESSENGER_KIND + 5].sum() == 5
        assert (places[:20, GOLD_KIND].sum(), places[:20, BLACK_KIND].sum()) == (5, 10)
        assert (places[SUPPLY_ZONE, GOLD_KIND], places[SUPPLY_ZONE, BLACK_KIND]) == (40, 30)
        assert places[PROVINCE_ZONE : PROVINCE_ZONE + 5, PROVINCE_KIND : PROVINCE_KIND + 20].sum() == 5  # discarded
        assert places[PROVINCE_ZONE + 5 :, PROVINCE_KIND : PROVINCE_KIND + 20].sum() == 15
        undealt = places[ACTION_ZONE : ACTION_ZONE + 31, :27].sum()
        assert undealt == {1: 18, 2: 11, 3: 12, 4: 11}[players]  # solo: one of nineteen is turned already


@pytest.mark.parametrize(("players", "resolutions", "end_effects"), [(1, 14, 2), (2, 12, 4), (3, 12, 3), (4, 12, 4)])
def test_cards_of_a_round(players: int, resolutions: int, end_effects: int) -> None:
    played = Played(players, box=box_with(cards=cards(evil="", end="")))
    story = played.story()
    for number in (1, 2, 5):
        one = story[story.index(f"Round {number}.") : story.index(f"Round {number + 1}.")]
        assert sum(" selects " in line or line.startswith("The deck shows") for line in one) == resolutions + (
            2 if players == 1 else 0
        )
        shown = sum(line.endswith(" left.") for line in one)
        assert (2 if players == 1 else shown) == end_effects


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_cubes_are_never_lost(policy: str) -> None:
    rules = pack(SPEC.resolve({}), BOX, 3)
    bench = Bench.of(SPEC.name, 3, 1)
    table = new_table([CODES[policy]] * 3, 2)
    kernel = quiet_wraparound(SPEC.module("entry").play)
    for playout in range(200):
        kernel(rules, table, playout, bench.state, bench.streams, bench.rows, bench.players, NEVER)
        board = bench.state.boards[REAL]
        assert int(board.gold.sum()) + int(board.gold_left) == 45
        assert int(board.black.sum()) + int(board.black_left) == 40


# --- probabilities


def test_two_sons_in_a_province(dealt: np.ndarray) -> None:
    """How many of the second five Provinces are among the first five: hypergeometric."""
    double = (dealt[:, :20, SON_KIND : SON_KIND + 10].sum(axis=2) == 2).sum(axis=1)
    for hits in range(6):
        expected = comb(5, hits) * comb(15, 5 - hits) / comb(20, 5)
        assert close(float((double == hits).mean()), expected, expected * (1 - expected), DEALS), hits
    assert comb(15, 5) / comb(20, 5) == pytest.approx(1001 / 5168)
    assert close(float(double.mean()), 1.25, 5 * 0.25 * 0.75 * 15 / 19, DEALS)


def test_unsafe_provinces_after_setup(dealt: np.ndarray) -> None:
    """5 + 5 x 10/20: the second five are unsafe unless they have gold, or are unsafe already."""
    unsafe = (dealt[:, :20, BLACK_KIND] > dealt[:, :20, GOLD_KIND]).sum(axis=1)
    assert close(float(unsafe.mean()), 7.5, 5 * 0.25 * 15 / 19, DEALS)


@pytest.mark.parametrize("players", [3, 4])
def test_how_often_a_card_is_dealt(players: int) -> None:
    count = 6_000
    found = deals(count, players, messenger_cards=0)
    expected = {3: 15, 4: 16}[players] / 27
    shares = np.array([places[ACTION_ZONE : ACTION_ZONE + 31, :27].sum(axis=0) == 0 for places in found]).mean(axis=0)
    assert shares.shape == (27,)
    assert all(close(float(share), expected, expected * (1 - expected), count) for share in shares)


def test_every_messenger_card_and_top_is_equally_likely(dealt: np.ndarray) -> None:
    tops = dealt[:, PROVINCE_ZONE + 5, PROVINCE_KIND : PROVINCE_KIND + 20].mean(axis=0)
    assert all(close(float(share), 1 / 20, 0.05 * 0.95, DEALS) for share in tops)
    where = dealt[:, :20, MESSENGER_KIND : MESSENGER_KIND + 5].mean(axis=0)
    assert all(close(float(share), 1 / 20, 0.05 * 0.95, DEALS) for share in where.ravel())
    sons = dealt[:, :20, SON_KIND : SON_KIND + 10].mean(axis=0)
    assert all(close(float(share), 1 / 20, 0.05 * 0.95, DEALS) for share in sons.ravel())


def test_random_play_does_not_win() -> None:
    rules = pack(SPEC.resolve({}), BOX, 4)
    played = play(Job(SPEC.name, rules, new_table([0] * 4, 1)), 0, 2_000, 2_000)
    assert played.columns["team_won"].sum() == 0
    assert (played.columns["end_reason"] == 2).mean() > 0.5  # mostly by black


# --- geometry


def test_the_placeholder_map() -> None:
    rules = pack(SPEC.resolve({}), BOX, 4)
    names = [province["name"] for province in BOX["map"]["provinces"]]
    distance = rules.distance[:20, :20].astype(int)
    assert (distance == 1).sum() == 66  # of 380
    assert distance.sum() * 95 == 294 * 380
    for a, b, steps, paths in (("Gandhara", "Thrace", 7, 6), ("Susa", "Egypt", 4, 2), ("Dascylium", "Anatolia", 1, 1)):
        i, j = names.index(a), names.index(b)
        assert (distance[i, j], rules.shortest_paths[i, j]) == (steps, paths)


@pytest.mark.parametrize(("origin", "target", "paths"), [("Gandhara", "Thrace", 6), ("Susa", "Egypt", 2)])
def test_every_shortest_path_can_be_taken(origin: str, target: str, paths: int) -> None:
    seen = []
    for number in range(paths):
        table = Table().sons(Adalia=origin).top(target, "Cush").do("son_to_top Adalia")
        assert len(table.choices()) == paths
        table.play(f"path {number + 1} from {origin} to {target}")
        visited = [
            line.removeprefix("Adalia moves to ")[:-1] for line in table.story() if line.startswith("Adalia moves")
        ]
        assert table.where("Adalia") == target
        seen.append([table.provinces.index(province) for province in visited])
    assert all(a < b for a, b in itertools.pairwise(seen))  # in the order of the lists, all different
