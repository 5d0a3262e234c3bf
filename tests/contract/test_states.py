"""Every game, every state: nothing is lost, nothing leaves its range, nobody sees what is hidden."""

from typing import Any

import numpy as np
import pytest

from simkit.kernel.jit import quiet_wraparound
from simkit.spec import GameSpec
from tests.contract.sampling import Setting, extremes, settings
from tests.contract.walking import walk

SETTINGS = 80


def places(setting: Setting, state: Any, rules: Any) -> Any:
    module = setting.spec.module("moves")
    found = np.zeros(setting.spec.module("state").CENSUS, np.int64)
    module.census(state, rules, found)
    return found


def test_every_component_is_somewhere_exactly_once(spec: GameSpec) -> None:
    for setting in settings(spec, SETTINGS, seed=1, costly=False):
        totals = []

        def look(state: Any, rules: Any, streams: Any, setting: Setting = setting, totals: list[Any] = totals) -> None:
            found = places(setting, state, rules)
            assert (found >= 0).all(), setting
            totals.append(found.sum(axis=0))

        walk(setting, 3, look)
        assert all((total == totals[0]).all() for total in totals), setting
        assert totals[0].sum() > 0


def test_every_field_of_the_state_stays_in_its_declared_range(spec: GameSpec) -> None:
    fields = spec.module("state").FIELDS
    for name, kind, _, low, high in fields:
        info = np.iinfo(kind)
        assert info.min <= low <= high <= info.max, f"{name}: {kind} cannot hold {low} .. {high}"
    for setting in [*settings(spec, SETTINGS, seed=2, costly=False), *extremes(spec, costly=False)]:

        def look(state: Any, rules: Any, streams: Any, setting: Setting = setting) -> None:
            for name, _, _, low, high in fields:
                values = np.asarray(state[name])
                assert low <= values.min(), (name, setting)
                assert values.max() <= high, (name, setting)

        for playout in range(3):
            walk(setting, playout, look)


def test_choices_are_all_different_and_the_count_is_right(spec: GameSpec) -> None:
    moves = spec.module("moves")
    for setting in settings(spec, SETTINGS, seed=3, costly=False):

        def look(state: Any, rules: Any, streams: Any, setting: Setting = setting) -> None:
            if not moves.is_over(state, rules):
                count = moves.count_choices(state, rules)
                assert count >= 1, setting
                codes = [int(moves.choice_code(state, rules, choice)) for choice in range(count)]
                assert codes == sorted(set(codes)), setting

        walk(setting, 5, look)


def test_a_policy_cannot_see_what_is_hidden_from_its_seat(spec: GameSpec) -> None:
    """All that a seat cannot know is dealt anew; its choice must not move. And the new deal must really differ."""
    moves, choose = spec.module("moves"), spec.module("policies").choose
    changed = looked = 0
    for setting in settings(spec, SETTINGS, seed=4):
        codes = setting.codes

        @quiet_wraparound
        def look(state: Any, rules: Any, streams: Any, setting: Setting = setting, codes: list[int] = codes) -> None:
            nonlocal changed, looked
            if moves.is_over(state, rules):
                return
            seat = int(moves.seat_to_move(state, rules))
            other = setting.spec.module("entry").new_state()
            other[0] = state
            blind = other[0]
            before = places(setting, blind, rules)
            moves.redeal_hidden(blind, rules, seat, np.array([1, 2, 3, looked + 4], np.uint64))
            after = places(setting, blind, rules)
            assert (after.sum(axis=0) == before.sum(axis=0)).all(), setting
            assert (after.sum(axis=1) == before.sum(axis=1)).all(), setting
            looked += 1
            changed += bool((after != before).any())
            assert moves.count_choices(blind, rules) == moves.count_choices(state, rules), setting
            if codes[seat] != 0:
                chosen = choose(codes[seat], state, rules, streams.policy[seat].copy())
                assert chosen == choose(codes[seat], blind, rules, streams.policy[seat].copy()), setting

        walk(setting, 7, look)
    assert looked > 1000
    assert changed > looked / 4


def test_redealing_keeps_what_the_seat_knows(spec: GameSpec) -> None:
    """What a seat can see of a state is the same after all that is hidden has been dealt anew."""
    moves, state_module = spec.module("moves"), spec.module("state")
    for setting in settings(spec, SETTINGS // 3, seed=5, costly=False):

        @quiet_wraparound
        def look(state: Any, rules: Any, streams: Any, setting: Setting = setting) -> None:
            for seat in range(setting.players):
                other = setting.spec.module("entry").new_state()
                other[0] = state
                moves.redeal_hidden(other[0], rules, seat, np.array([9, 8, 7, 6], np.uint64))
                seen = state_module.view(state, rules, seat)
                assert seen == state_module.view(other[0], rules, seat), setting

        walk(setting, 11, look)


@pytest.mark.parametrize("cap", [0, 1, 4])
def test_a_playout_at_the_cap_is_truncated_and_counted(spec: GameSpec, cap: int) -> None:
    from simkit.engine.worker import play

    for setting in settings(spec, 10, seed=6, unusual_boxes=0, costly=False):
        job = setting.job
        job.rules.decision_cap = cap
        played = play(job, 0, 50, 50)
        ended = played.columns["end_reason"]
        assert (played.columns["decisions"] <= cap).all()
        assert (ended[played.columns["decisions"] < cap] != 0).all()
        assert (ended == 0).sum() > 0
        assert int(played.tally.by_playout[:, 0].sum()) == int((ended == 0).sum())
