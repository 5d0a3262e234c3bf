"""Recorded playouts: short stories kept as text, read by people, rewritten only on purpose (`make goldens`)."""

import os
from pathlib import Path

from simkit import api
from simkit.spec import GameSpec
from tests.conftest import PROJECT

SEED = 7


def recordings(spec: GameSpec) -> dict[str, str]:
    """One playout of every preset with the usual line-up, and one of the first preset with random policies."""
    told = {}
    for preset in spec.presets:
        told[f"{preset}.txt"] = api.replay(spec.name, 0, preset=preset, seed=SEED)
    first = next(iter(spec.presets))
    told[f"{first}-random.txt"] = api.replay(spec.name, 1, preset=first, seed=SEED, policies={"all": "random"})
    return {name: "\n".join(replay.story()) + "\n" for name, replay in told.items()}


def test_recordings_are_as_they_were(spec: GameSpec) -> None:
    folder = PROJECT / "tests" / "games" / spec.name / "recordings"
    told = recordings(spec)
    if os.environ.get("SIMKIT_GOLDENS"):
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for name, text in told.items():
            (folder / name).write_text(text, encoding="utf-8")
    kept = {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.txt"))}
    assert kept == told
