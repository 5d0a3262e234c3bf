"""Fixtures that all rooms share."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from simkit import games
from simkit.spec import GameSpec

# the same examples every time: a red run can be repeated. Compiling takes longer than hypothesis would wait.
settings.register_profile("simkit", derandomize=True, deadline=None)
settings.load_profile("simkit")

PROJECT = Path(__file__).parent.parent


class ByGame(LoadScopeScheduling):
    """All tests of a game go to one worker: its kernel is compiled once, not once for each worker. Others go by file."""

    def _split_scope(self, nodeid: str) -> str:
        mine = (name for name in games.names() if f"[{name}" in nodeid or f"tests/games/{name}/" in nodeid)
        return next(mine, nodeid.split("::")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGame:
    return ByGame(config, log)


@pytest.fixture(params=games.names())
def spec(request: pytest.FixtureRequest) -> GameSpec:
    """Every game in turn: tests that ask for it never name one."""
    return games.get(request.param)


@pytest.fixture(autouse=True)
def a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test runs may write into the project."""
    monkeypatch.chdir(tmp_path)
