"""The fast kernel against the plain twin, playout by playout: all columns, all players, and the story line by line."""

from collections.abc import Iterator
from itertools import product

import pytest

from simkit.engine.worker import trace
from simkit.kernel.plain import Streams
from simkit.spec import GameSpec
from tests.contract.sampling import Setting, extremes, settings
from tests.playing import lines

IN_CI = 4_000  # of each game, with policies that do not think for long
COSTLY_IN_CI = 200  # with the others among them, at each player count, shared out over them
IN_SOAK = 100_000  # the slowest twin takes half an hour for them
COSTLY_IN_SOAK = 2_000


def agree(setting: Setting, playout: int) -> None:
    spec = setting.spec
    job = setting.job
    events, columns, players = trace(job, playout)
    story = lines(spec, events, job.rules)
    streams = Streams(setting.seed, playout)
    twin = spec.module("reference").play(setting.options, setting.box, setting.players, setting.policies, streams)
    assert story == twin.story, f"{setting}, playout {playout}"
    assert columns == twin.columns, f"{setting}, playout {playout}"
    assert players == twin.players, f"{setting}, playout {playout}"


def playouts(spec: GameSpec, count: int, seed: int) -> Iterator[tuple[Setting, int]]:
    """Three playouts of each setting, one of them far away."""
    for setting in settings(spec, count // 3, seed, costly=False):
        yield from ((setting, playout) for playout in (0, 1, 10**12))


def with_costly_policies(spec: GameSpec, count: int, seed: int) -> Iterator[tuple[Setting, int]]:
    """`count` playouts with costly policies among cheap ones, at each player count, shared out over those policies."""
    costly = [policy for policy in spec.policies if policy.costly]
    for policy, players in product(costly, spec.players):
        for setting in settings(spec, count // len(costly), seed, costly=False, among=policy.name, players=(players,)):
            yield setting, 10**6


@pytest.mark.parametrize("seed", range(4))
def test_kernel_and_twin_agree(spec: GameSpec, seed: int) -> None:
    for setting, playout in playouts(spec, IN_CI // 4, seed):
        agree(setting, playout)


def test_kernel_and_twin_agree_with_policies_that_think(spec: GameSpec) -> None:
    for setting, playout in with_costly_policies(spec, COSTLY_IN_CI, seed=5):
        agree(setting, playout)


def test_kernel_and_twin_agree_at_the_extremes(spec: GameSpec) -> None:
    for setting in extremes(spec, costly=False):
        for playout in range(20):
            agree(setting, playout)


@pytest.mark.soak
def test_kernel_and_twin_agree_for_long(spec: GameSpec) -> None:
    for setting, playout in playouts(spec, IN_SOAK, seed=99):
        agree(setting, playout)
    for setting, playout in with_costly_policies(spec, COSTLY_IN_SOAK, seed=98):
        agree(setting, playout)
    for setting in extremes(spec):
        agree(setting, 20)
