"""Runs from before cards were counted: read, verified, reported and continued as if nothing had happened."""

import json
from pathlib import Path

import polars as pl
import pytest

from simkit import api
from simkit.engine.tally import SCHEMA, merge_frames
from simkit.engine.verify import verify
from simkit.store import Run

ONCE = pl.Enum(["playout", "player", "winners", "pair"])  # all that was counted
SINCE = {"card", "slot", "had"}


def as_once(frame: pl.DataFrame) -> pl.DataFrame:
    """A tally of Propuh as it was written then: players by slot too, which is their turn order where nobody moves."""
    slot = pl.when(pl.col("kind") == "player").then(pl.col("turn_order")).otherwise(None)
    return frame.with_columns(slot=slot).cast({"kind": ONCE})


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of Propuh as it was left then."""
    monkeypatch.setattr("simkit.engine.plan.PART", 256)
    run = api.run(api.question("propuh", playouts=600, seed=2), out=Path("old"), jobs=1)
    for key, part in run.committed().items():
        frame = pl.read_parquet(run.path("tallies", *key))
        assert not set(frame["kind"].unique()) & SINCE, "Propuh has neither alike seats nor counted cards"
        part["files"]["tallies"] = run.write_part("tallies", *key, as_once(frame))
    run.write_frame("agg/tallies.parquet", as_once(run.tallies()))
    del run.manifest["recipe"]["box_provenance"], run.manifest["tables"]
    run.save(force=True)
    assert pl.read_parquet(run.folder / "agg" / "tallies.parquet").schema["kind"] == ONCE
    return Run.read(run.folder)


def test_an_old_run_is_verified_and_reported(old: Run) -> None:
    lines = list(verify(old, 20))
    assert any("counts the same when replayed" in line for line in lines)
    page = api.report(old.folder)
    text = (page.parent / "report.md").read_text()
    assert "Of the numbers in the box" in text
    assert "Which cards matter" not in text


def test_an_old_run_is_continued(old: Run) -> None:
    before = old.tallies()
    api.extend(old.folder, 900)
    run = Run.read(old.folder)
    assert run.is_complete
    assert run.tallies().drop("cell").schema == pl.Schema(SCHEMA)
    fresh = api.run(api.question("propuh", playouts=900, seed=2), out=Path("fresh"), jobs=1)
    assert run.tallies().equals(fresh.tallies())
    assert merge_frames([before.select(list(SCHEMA))])["count"].sum() < run.tallies()["count"].sum()
    assert list(verify(run, 5))
    assert "box_provenance" in json.loads((fresh.folder / "manifest.json").read_text())["recipe"]
