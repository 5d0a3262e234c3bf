"""Prints a digest of the rows, counts and events of some playouts of a game: run compiled, not compiled, bounds checked."""

import hashlib
import sys
from typing import Any

from simkit import games
from simkit.engine.worker import play, trace
from tests.contract.sampling import Setting, extremes, settings


def digest(game: str, count: int, playouts: int) -> str:
    """`playouts` of each of `count` settings, of the extremes, and one with each policy that thinks for long."""
    spec = games.get(game)
    found = hashlib.sha256()
    for setting in [*settings(spec, count, seed=8, costly=False), *extremes(spec, costly=False)]:
        add(found, setting, playouts)
    for policy in spec.policies:
        if policy.costly:
            for setting in settings(spec, 2, seed=9, costly=False, among=policy.name):
                add(found, setting, 1)
    return found.hexdigest()


def add(found: Any, setting: Setting, playouts: int) -> None:
    played = play(setting.job, 5, playouts, 5 + playouts)
    for columns in (played.columns, played.player_columns):
        for name in sorted(columns):
            found.update(columns[name].tobytes())
    tally = played.tally
    for counts in (tally.by_playout, tally.by_player, tally.winners, played.won, *tally.optional):
        found.update(b"" if counts is None else counts.tobytes())
    assert tally.outside == 0, str(setting)
    found.update(trace(setting.job, 5)[0].tobytes())


if __name__ == "__main__":
    print(digest(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
