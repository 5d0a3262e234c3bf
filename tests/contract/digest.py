"""Prints a digest of the rows, counts and events of some playouts of every game: run compiled, not compiled, and with bounds checks."""

import hashlib
import sys

from simkit import games
from simkit.engine.worker import play, trace
from tests.contract.sampling import extremes, settings


def digest(count: int, playouts: int) -> str:
    found = hashlib.sha256()
    for spec in games.every():
        for setting in [*settings(spec, count, seed=8), *extremes(spec)]:
            played = play(setting.job, 5, playouts, 5 + playouts)
            for columns in (played.columns, played.player_columns):
                for name in sorted(columns):
                    found.update(columns[name].tobytes())
            found.update(
                played.tally.by_playout.tobytes()
                + played.tally.by_player.tobytes()
                + played.tally.winners.tobytes()
                + played.won.tobytes()
            )
            for counts in played.tally.optional:
                found.update(b"" if counts is None else counts.tobytes())
            assert played.tally.outside == 0, str(setting)
            found.update(trace(setting.job, 5)[0].tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    print(digest(int(sys.argv[1]), int(sys.argv[2])))
