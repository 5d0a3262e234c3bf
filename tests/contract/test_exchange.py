"""Cards exchanged for others, for every game that can: the deal stays, the twin agrees. Names no game."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from simkit import games
from simkit.engine.worker import trace
from simkit.errors import BoxError
from simkit.exchanges import NOTHING
from simkit.kernel.plain import Streams
from simkit.scenario.load import load_box
from simkit.scenario.swaps import can_swap, with_swaps
from simkit.spec import GameSpec
from tests.contract.sampling import Setting, settings
from tests.playing import lines

ABLE = [name for name in games.names() if can_swap(games.get(name))]


@pytest.fixture(params=ABLE)
def able(request: pytest.FixtureRequest) -> GameSpec:
    return games.get(request.param)


def exchanged(spec: GameSpec, count: int, seed: int) -> Iterator[tuple[Setting, Setting, dict[int, int]]]:
    """Settings as they are, the same with one to three kinds of cards exchanged, and which kind became which."""
    chance = random.Random(seed)
    for plain in settings(spec, count, seed, costly=False):
        names = spec.module("box").card_names(plain.box)
        kinds = chance.sample(range(len(names)), chance.randint(1, min(3, len(names))))
        by = {kind: chance.randrange(len(names)) for kind in kinds}
        try:
            box = dict(with_swaps(spec, plain.box, [(names[a], names[b]) for a, b in by.items()]))
            other = Setting(spec, plain.players, plain.options, plain.policies, box, plain.seed)
            _ = other.rules
        except BoxError:
            continue  # too many points, or a game that might not end
        yield plain, other, by


def test_games_that_count_cards_can_exchange_them() -> None:
    assert [name for name in games.names() if games.get(name).cards] == ABLE


def test_kernel_and_twin_agree_with_exchanged_cards(able: GameSpec) -> None:
    made = 0
    for _, setting, _ in exchanged(able, 400, seed=81):
        made += 1
        events, columns, players = trace(setting.job, made)
        streams = Streams(setting.seed, made)
        twin = able.module("reference").play(setting.options, setting.box, setting.players, setting.policies, streams)
        assert lines(able, events, setting.rules) == twin.story, f"{setting}, {setting.box.get('exchange')}"
        assert (columns, players) == (twin.columns, twin.players), str(setting)
    assert made > 200


def test_a_card_that_is_exchanged_keeps_its_place(able: GameSpec) -> None:
    """Opening hands are those of the same deal, with the one kind in the place of the other."""
    moved = 0
    for plain, other, by in exchanged(able, 150, seed=82):
        before, after = (trace(setting.job, 5)[2] for setting in (plain, other))
        keeps_kind = able.module("box").card_names(plain.box) and "exchange" not in other.box  # the text alone changes
        for hand, changed in zip(before, after, strict=True):
            kinds = [kind for kind in range(31) if hand["opening_cards"] >> kind & 1]
            becomes = {kind if keeps_kind else by.get(kind, kind) for kind in kinds}
            assert changed["opening_cards"] == sum(1 << kind for kind in becomes), str(other)
            moved += becomes != set(kinds)
    assert moved > 10 or keeps_kind


def test_a_card_exchanged_for_itself_changes_nothing(able: GameSpec) -> None:
    box = load_box(able, None)
    rules = able.resolve({})
    players = min(able.players)
    plain = able.module("box").pack(rules, box, players)
    for name in able.module("box").card_names(box):
        same = able.module("box").pack(rules, with_swaps(able, box, [(name, name)]), players)
        assert np.array_equal(np.asarray(same).tobytes(), np.asarray(plain).tobytes()), name


def test_counts_follow_the_exchange_and_something_stands_in_by_default(able: GameSpec) -> None:
    module, box, rules = able.module("box"), load_box(able, None), able.resolve({})
    names, counts = module.card_names(box), module.card_counts(rules, box)
    assert len(counts) == len(names)
    default = module.ordinary(rules, box)
    assert default == NOTHING or counts[names.index(default)] > 0
    card = next(i for i, count in enumerate(counts) if count and names[i] != default)
    changed = with_swaps(able, box, [(names[card], default)])
    after = module.card_counts(rules, changed)
    if "exchange" in changed:
        assert after[card] == 0
        assert after[names.index(default)] == counts[card] + counts[names.index(default)]
    assert sum(after) == sum(counts)


def test_a_card_that_is_not_there_is_named(able: GameSpec) -> None:
    box = load_box(able, None)
    name = able.module("box").card_names(box)[0]
    with pytest.raises(BoxError, match="Sour Cream"):
        with_swaps(able, box, [("Sour Cream", name)])
    with pytest.raises(BoxError, match="Sour Cream"):
        with_swaps(able, box, [(name, "Sour Cream")])
