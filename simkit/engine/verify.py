"""Proof that a run is what it says: checksums, sums, and playouts played again."""

import random
from collections.abc import Iterator

import polars as pl

from simkit.engine.assemble import alike_slots
from simkit.engine.execute import misfits
from simkit.engine.observe import frame_of, look, watch_of
from simkit.engine.replays import REPLAYS, about, deals_of, job_of, replay
from simkit.engine.replays import frame_of as frame_of_replays
from simkit.engine.rows import frames_of
from simkit.engine.tally import SCHEMA, merge_frames, pooled
from simkit.engine.worker import Job, play
from simkit.errors import RunError
from simkit.scenario.grid import Cell, Recipe
from simkit.store import MANIFEST, OBSERVED, REPLAYED, SUMS, Run


def verify(run: Run, sample: int) -> Iterator[str]:
    """Check a finished run, one line per thing checked. Raises RunError at the first thing that is not as it should be.

    sample : playouts of each cell to play again (those with rows), spread over the run by its recipe's hash
    """
    for fault in run.damaged().values():
        raise RunError(f"{fault}; {run.advice}")
    for cell_id, part_number in sorted(misfits(run)):
        raise RunError(
            f"{run.folder / MANIFEST}: part {part_number} of cell {cell_id} is not one of this run; {run.advice}"
        )
    parts = run.committed()
    yield f"{sum(len(part['files']) for part in parts.values()):,} files have their checksums"
    if not run.is_complete:
        raise RunError(f"{run.folder}: the run is not finished; continue it with --resume")
    check_sums(run)
    yield f"the sums of {len(run.recipe.cells)} cells are those of their {len(parts):,} parts"
    choose = random.Random(run.recipe.hash)
    for cell in run.recipe.cells:
        yield check_tally(run, run.recipe, cell, choose)
        yield check_rows(run, run.recipe, cell, sample, choose)
    if run.manifest.get("observed"):
        yield check_observed(run, run.recipe, choose)
    if run.manifest.get("replayed"):
        yield check_replayed(run, run.recipe, choose)


def check_sums(run: Run) -> None:
    parts = run.parts_of_cells()
    for cell in run.recipe.cells:
        frames = run.read_parts("tallies", cell.id, (part["number"] for part in parts[cell.id]))
        stored = run.tallies().filter(pl.col("cell") == cell.id).select(list(SCHEMA))
        if not merge_frames(frames).equals(merge_frames([stored])):
            raise RunError(f"{run.folder / SUMS}: cell {cell.id} is not the sum of its parts")


def check_tally(run: Run, recipe: Recipe, cell: Cell, choose: random.Random) -> str:
    """Play one whole part of a cell again and compare the counts."""
    part = choose.choice(run.parts_of_cells()[cell.id])
    played = play(Job.of(recipe, cell), part["first"], part["playouts"])
    stored = run.read_part("tallies", cell.id, part["number"]).filter(~pl.col("kind").is_in(["pair", "holder"]))
    again = pooled(played.tally.frame(), alike_slots(recipe, cell.id))
    if not merge_frames([again]).equals(merge_frames([stored])):
        raise RunError(
            f"{run.path('tallies', cell.id, part['number'])}: part {part['number']} counts differently when replayed"
        )
    return f"cell {cell.id}: part {part['number']} ({part['playouts']:,} playouts) counts the same when replayed"


def check_rows(run: Run, recipe: Recipe, cell: Cell, sample: int, choose: random.Random) -> str:
    """Play a sample of playouts again and compare their rows, playout and players."""
    with_rows = [part for part in run.parts_of_cells()[cell.id] if "playouts" in part["files"]]
    job = Job.of(recipe, cell)
    numbers: dict[int, list[int]] = {}
    for _ in range(sample):
        part = choose.choice(with_rows)
        numbers.setdefault(part["number"], []).append(
            part["first"] + choose.randrange(part["files"]["playouts"]["rows"])
        )
    for number, chosen in sorted(numbers.items()):
        tables = {name: run.read_part(name, cell.id, number) for name in ("playouts", "players")}
        for playout in sorted(set(chosen)):
            again = frames_of(recipe, cell, playout, [play(job, playout, 1, playout + 1)])
            for name, frame in again.items():
                if not frame.equals(tables[name].filter(pl.col("playout") == playout)):
                    raise RunError(f"{run.path(name, cell.id, number)}: playout {playout} is different when replayed")
    return f"cell {cell.id}: {sum(len(set(c)) for c in numbers.values()):,} playouts have the same rows when replayed"


def check_observed(run: Run, recipe: Recipe, choose: random.Random) -> str:
    """Make the observed sample of one cell again, and compare."""
    listed = run.manifest["observed"]
    watch = watch_of(recipe.game)
    if listed["counts"] != watch.digest:
        return f"{OBSERVED} was made by another version of simkit; {run.advice}"
    cell = choose.choice(recipe.cells)
    sample = min(listed["playouts"], run.playouts_of[cell.id])
    again = frame_of(cell.id, look(Job.of(recipe, cell), 0, sample), watch, recipe.per_deal(cell.id))
    stored = run.observed()
    if stored is None or not again.equals(stored.filter(pl.col("cell") == cell.id)):
        raise RunError(f"{run.folder / OBSERVED}: cell {cell.id} counts differently when traced again; {run.advice}")
    return f"cell {cell.id}: {sample:,} observed playouts count the same when traced again"


def check_replayed(run: Run, recipe: Recipe, choose: random.Random) -> str:
    """Replay the deals of one cell again, and compare."""
    if run.manifest["replayed"] != about(run.playouts_of):
        return f"{REPLAYED} is not the sample of this run, or of another version of simkit; {run.advice}"
    cell = choose.choice([cell for cell in recipe.cells if deals_of(run.playouts_of[cell.id])])
    deals = deals_of(run.playouts_of[cell.id])
    again = frame_of_replays(cell.id, [replay(job_of(recipe, cell), 0, deals)])
    stored = run.replayed()
    if stored is None or not again.equals(stored.filter(pl.col("cell") == cell.id)):
        raise RunError(f"{run.folder / REPLAYED}: cell {cell.id} comes out otherwise when replayed; {run.advice}")
    return f"cell {cell.id}: {deals:,} deals come out the same when replayed {REPLAYS} times each"
