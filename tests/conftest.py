"""Fixtures that all rooms share."""

from pathlib import Path

import pytest
from hypothesis import settings

from simkit import games
from simkit.spec import GameSpec

# the same examples every time: a red run can be repeated. Compiling takes longer than hypothesis would wait.
settings.register_profile("simkit", derandomize=True, deadline=None)
settings.load_profile("simkit")

PROJECT = Path(__file__).parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a game go to one worker: its kernel is compiled once, not once for each worker."""
    for item in items:
        asked = getattr(item, "callspec", None)
        game = asked.params.get("spec") if asked else None
        if game is None and "games" in item.path.parts:
            game = item.path.parent.name
        if game is not None:
            item.add_marker(pytest.mark.xdist_group(game))


@pytest.fixture(params=games.names())
def spec(request: pytest.FixtureRequest) -> GameSpec:
    """Every game in turn: tests that ask for it never name one."""
    return games.get(request.param)


@pytest.fixture(autouse=True)
def a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test runs may write into the project."""
    monkeypatch.chdir(tmp_path)
