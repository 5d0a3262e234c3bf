"""How a game stands is noted in a trace whenever it changes, and told in no story."""

from typing import Any

import numpy as np
import pytest

from simkit.engine.worker import trace
from simkit.kernel.drive import DECISION, STANDING
from simkit.spec import GameSpec
from tests.contract.sampling import Setting, settings
from tests.contract.walking import walk

SETTINGS = 40


@pytest.fixture
def standing(spec: GameSpec) -> Any:
    if spec.standing is None:
        pytest.skip("the game does not say how it stands")
    return spec.module("moves").standing


def by_decision(events: Any, seats: int) -> list[list[int | None]]:
    """The standings of all seats at every decision of a trace, and at its end."""
    now: list[int | None] = [None] * seats
    found = []
    for code, a, b, *_ in events.tolist():
        if code == STANDING:
            assert now[a] != b, "only changes are noted"
            now[a] = b
        elif code == DECISION:
            found.append(list(now))
    return [*found, now]


def test_a_game_has_the_verb_if_its_spec_says_so(spec: GameSpec) -> None:
    assert hasattr(spec.module("moves"), "standing") == (spec.standing is not None)
    if spec.standing is not None:
        assert spec.standing.about
        assert spec.standing.unit
        assert spec.standing.step > 0


def test_a_trace_notes_every_change_of_standing(spec: GameSpec, standing: Any) -> None:
    for setting in settings(spec, SETTINGS, seed=41, costly=False):
        walked: list[list[int]] = []

        def look(state: Any, rules: Any, streams: Any, setting: Setting = setting, walked: Any = walked) -> None:
            walked.append([int(standing(state, rules, seat)) for seat in range(setting.players)])

        walk(setting, 3, look)
        events, _, _ = trace(setting.job, 3)
        assert by_decision(events, setting.players) == walked, setting


def test_it_ends_at_the_score(spec: GameSpec, standing: Any) -> None:
    """Where players have a score, they stand at it in the end; a team stands alike in all seats."""
    for setting in settings(spec, SETTINGS, seed=42, costly=False):
        events, _, players = trace(setting.job, 1)
        last = by_decision(events, setting.players)[-1]
        if "score" in players[0]:
            assert last == [player["score"] for player in players], setting
        assert len(set(last)) == 1 or not spec.cooperative


def test_stories_do_not_tell_it(spec: GameSpec, standing: Any) -> None:
    for setting in settings(spec, 5, seed=43, costly=False):
        events, _, _ = trace(setting.job, 0)
        without = events[np.asarray(events)[:, 0] != STANDING]
        assert len(without) < len(events)
        assert spec.tell(events, setting.rules) == spec.tell(without, setting.rules)


def test_a_trace_has_room_for_every_event(spec: GameSpec) -> None:
    for setting in settings(spec, SETTINGS, seed=44, costly=False):
        events, columns, _ = trace(setting.job, 0)
        assert (events[:, 0] == DECISION).sum() == columns["decisions"], setting
