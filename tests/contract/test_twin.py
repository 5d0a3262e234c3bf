"""The fast kernel against the plain twin, playout by playout: all columns, all players, and the story line by line."""

from collections.abc import Iterator

import pytest

from simkit.engine.worker import trace
from simkit.kernel.plain import Streams
from simkit.spec import GameSpec
from tests.contract.sampling import Setting, extremes, settings

IN_CI = 20_000
IN_SOAK = 400_000


def agree(setting: Setting, playout: int) -> None:
    spec = setting.spec
    job = setting.job
    events, columns, players = trace(job, playout)
    told = spec.module("story").tell([tuple(map(int, event)) for event in events], job.rules)
    story = [line.line for line in told if line.line]
    streams = Streams(setting.seed, playout)
    twin = spec.module("reference").play(setting.options, setting.box, setting.players, setting.policies, streams)
    assert story == twin.story, f"{setting}, playout {playout}"
    assert columns == twin.columns, f"{setting}, playout {playout}"
    assert players == twin.players, f"{setting}, playout {playout}"


def playouts(spec: GameSpec, count: int, seed: int) -> Iterator[tuple[Setting, int]]:
    """Three playouts of each setting, one of them far away."""
    for setting in settings(spec, count // 3, seed):
        yield from ((setting, playout) for playout in (0, 1, 10**12))


@pytest.mark.parametrize("seed", range(4))
def test_kernel_and_twin_agree(spec: GameSpec, seed: int) -> None:
    for setting, playout in playouts(spec, IN_CI // 4, seed):
        agree(setting, playout)


def test_kernel_and_twin_agree_at_the_extremes(spec: GameSpec) -> None:
    for setting in extremes(spec):
        for playout in range(20):
            agree(setting, playout)


@pytest.mark.soak
def test_kernel_and_twin_agree_for_long(spec: GameSpec) -> None:
    for setting, playout in playouts(spec, IN_SOAK, seed=99):
        agree(setting, playout)
