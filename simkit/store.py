"""The run folder: the only module that knows its layout.

    manifest.json                         what was run, how, and which parts are there, with checksums
    cells.parquet, cells.csv              one row per cell
    columns.csv                           the data dictionary
    playouts/cell=0003/part-00000.parquet one row per playout; the cell is a column of the folder, not of the file
    players/cell=0003/part-00000.parquet  one row per playout and seat
    tallies/cell=0003/part-00000.parquet  counts per block of that part
    agg/tallies.parquet                   the sum of all tallies

Files are written under a temporary name, flushed and renamed, so a file that has its name is whole. A part counts once the
manifest lists it with its checksums: what a crash leaves behind is played again and replaced by the same bytes. The other
tables have their checksums in the manifest too. Whatever lies in the folder beside these is never read.
"""

import hashlib
import json
import os
import stat
import time
from collections import Counter
from collections.abc import Hashable, Iterator, Set
from contextlib import contextmanager
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
from filelock import FileLock, Timeout

from simkit.errors import RunError, one_line, shown
from simkit.manifest import SCHEMA_VERSION, check, recipe_of
from simkit.scenario.grid import Recipe

TABLES = ("playouts", "players", "tallies")
SUMS = "agg/tallies.parquet"
WHOLE_RUN = (SUMS, "cells.parquet", "cells.csv", "columns.csv")  # files beside the parts
ROW_GROUP = 2**18
MANIFEST_SECONDS = 1.0  # how often the list of parts is saved while a run goes on


@contextmanager
def told_as_run_error(path: Path, advice: str = "; what is there is kept, continue with --resume") -> Iterator[None]:
    """Turn what the file system says into one line for people; nothing already written is touched."""
    try:
        yield
    except OSError as problem:
        known = {28: "the disk is full", 122: "the disk quota is used up", 13: "no permission", 30: "read-only"}
        reason = known.get(problem.errno or 0, (problem.strerror or str(problem)).lower())
        raise RunError(f"{path}: cannot be written: {reason}{advice}") from None


class Run:
    """A run folder, open for writing (with its lock held) or for reading."""

    def __init__(self, folder: Path, manifest: dict[str, Any], lock: FileLock | None = None) -> None:
        self.folder = folder
        self.manifest = manifest
        self.lock = lock
        self._saved = 0.0

    # --- opening ----------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path, manifest: dict[str, Any]) -> "Run":
        """A new run folder, with its lock held. Raises RunError if it cannot be made or is in use."""
        if folder.is_dir():
            refuse_strangers(folder)  # now, so that a folder that is no run stays as it is, and once the lock is ours
        lock = cls._locked(folder)
        run = cls(folder, {"schema_version": SCHEMA_VERSION, "status": "running", **manifest, "parts": []}, lock)
        try:
            refuse_strangers(folder)
            run.save(force=True)
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def reopen(cls, folder: Path) -> "Run":
        """An existing run folder, with its lock held, to continue it."""
        cls.read(folder)  # first, so that a folder that is no run stays as it is
        lock = cls._locked(folder)
        try:
            run = cls.read(folder)
        except RunError:
            lock.release()
            raise
        run.lock = lock
        return run

    @classmethod
    def read(cls, folder: Path) -> "Run":
        """An existing run folder. Raises RunError naming file and key if it is not a run folder this version reads."""
        path = folder / "manifest.json"
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise RunError(f"{path}: is not a file")
            manifest = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(f"{folder}: is not a run folder (no manifest.json)") from None
        except OSError as problem:
            raise RunError(f"{path}: cannot be read: {(problem.strerror or str(problem)).lower()}") from None
        except (ValueError, RecursionError) as problem:
            raise RunError(f"{path}: cannot be read: {problem}") from None
        try:
            return cls(folder, check(manifest))
        except RunError as problem:
            raise RunError(f"{path}: {problem}") from None

    @staticmethod
    def exists(folder: Path) -> bool:
        return (folder / "manifest.json").exists()

    @staticmethod
    def _locked(folder: Path) -> FileLock:
        with told_as_run_error(folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / ".lock")
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise RunError(
                    f"{folder}: another simkit is writing to this run; wait for it or choose --out"
                ) from None
        return lock

    def close(self) -> None:
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    # --- what the manifest says -------------------------------------------------------------------------------

    @cached_property
    def recipe(self) -> Recipe:
        try:
            return recipe_of(self.manifest["recipe"])
        except RunError as problem:
            raise RunError(f"{self.folder / 'manifest.json'}: {problem}") from None

    @property
    def playouts(self) -> int:
        return int(self.manifest["playouts"])

    @property
    def is_complete(self) -> bool:
        return bool(self.manifest["status"] == "complete")

    @property
    def tally_only(self) -> bool:
        return bool(self.manifest["tally_only"])

    def committed(self) -> dict[tuple[int, int], dict[str, Any]]:
        """The listed parts by (cell, number)."""
        return {(part["cell"], part["number"]): part for part in self.manifest["parts"]}

    # --- parts ------------------------------------------------------------------------------------------------

    def path(self, table: str, cell: int, number: int) -> Path:
        return self.folder / table / f"cell={cell:04d}" / f"part-{number:05d}.parquet"

    def write_part(self, table: str, cell: int, number: int, frame: pl.DataFrame) -> dict[str, Any]:
        """Write one file of a part; gives its rows and checksum. It counts once the part is committed."""
        path = self.path(table, cell, number)
        self.write_frame(path, frame)
        return {"rows": frame.height, "sha256": checksum(path)}

    def commit(self, cell: int, number: int, first: int, playouts: int, files: dict[str, Any]) -> None:
        """List a part whose files are written."""
        listed = [p for p in self.manifest["parts"] if (p["cell"], p["number"]) != (cell, number)]
        listed.append({"cell": cell, "number": number, "first": first, "playouts": playouts, "files": files})
        self.manifest["parts"] = listed
        self.save()

    def forget(self, parts: Set[Hashable]) -> None:
        """Take parts off the list: they will be played again."""
        self.manifest["parts"] = [p for p in self.manifest["parts"] if (p["cell"], p["number"]) not in parts]

    def damaged(self) -> dict[Hashable, str]:
        """What is listed but gone, twice there, or without its checksum: which file and why, by (cell, number) for parts and
        by name for the tables of a finished run.
        """
        faults: dict[Hashable, str] = {}
        listed = Counter((part["cell"], part["number"]) for part in self.manifest["parts"])
        for key, part in self.committed().items():
            if listed[key] > 1:
                faults[key] = (
                    f"{self.folder / 'manifest.json'}: part {key[1]} of cell {key[0]} is listed {listed[key]} times"
                )
            for table, entry in part["files"].items():
                if fault := fault_of(self.path(table, *key), entry["sha256"]):
                    faults[key] = fault
        for name, sha256 in self.manifest.get("tables", {}).items() if self.is_complete else ():
            if name in WHOLE_RUN and (fault := fault_of(self.folder / name, sha256)):
                faults[name] = fault
        for path in self.unlisted() if self.is_complete else ():
            faults[path] = f"{path}: is not a part of this run"
        return faults

    def unlisted(self) -> list[Path]:
        """Files of parts that the manifest does not list."""
        listed = {self.path(table, *key) for key, part in self.committed().items() for table in part["files"]}
        found = (path for table in TABLES for path in self.folder.glob(f"{table}/cell=*/part-*.parquet"))
        return sorted(path for path in found if path not in listed)

    def scan(self, table: str, cell: int | None = None) -> pl.LazyFrame:
        """All rows of a table, in the order of playouts: those of listed parts, whatever else lies in the folder."""
        parts = sorted(self.committed().items())
        paths = [self.path(table, *key) for key, part in parts if table in part["files"] and cell in (None, key[0])]
        if not paths:
            raise RunError(f"{self.folder}: has no {table}" + (" (it kept tallies only)" if self.tally_only else ""))
        rows = pl.scan_parquet(paths, hive_partitioning=True)
        return rows.select(pl.col("cell").cast(pl.Int16), pl.all().exclude("cell"))

    def part_tallies(self, cell: int) -> Iterator[pl.DataFrame]:
        """The tallies of a cell part by part. Raises RunError for a file that is gone or cannot be read."""
        for key in sorted(self.committed()):
            if key[0] == cell:
                yield read_frame(self.path("tallies", *key))

    def tallies(self) -> pl.DataFrame:
        """The sum of all tallies, with a column `cell`. Raises RunError if the run is not finished or a file is damaged."""
        if not self.is_complete:
            raise RunError(f"{self.folder}: the run is not finished; continue it with --resume")
        return self.summed()

    def summed(self) -> pl.DataFrame:
        """The sum of all tallies as it is on disk."""
        path = self.folder / SUMS
        sha256 = self.manifest.get("tables", {}).get(SUMS)  # runs from before there were checksums of tables have none
        if sha256 and (fault := fault_of(path, sha256)):
            raise RunError(f"{fault}; {self.advice}")
        frame = read_frame(path)
        if not {"cell", "kind", "block", "column", "value", "count"} <= {*frame.columns}:
            raise RunError(f"{path}: is not a table of tallies; {self.advice}")
        return frame

    @property
    def advice(self) -> str:
        """How what is damaged is repaired."""
        return f"repair it with --resume, or with: simkit extend {self.folder} --playouts {self.playouts}"

    # --- writing ----------------------------------------------------------------------------------------------

    def save(self, force: bool = False) -> None:
        """Replace the manifest, at most once a second unless forced."""
        if force or time.monotonic() - self._saved > MANIFEST_SECONDS:
            self.manifest["parts"].sort(key=lambda p: (p["cell"], p["number"]))
            self.write_text("manifest.json", json.dumps(self.manifest, indent=1) + "\n")
            self._saved = time.monotonic()

    def write_text(self, name: str, text: str) -> None:
        self.write(self.folder / name, text.encode())

    def write_table(self, name: str, content: pl.DataFrame | str) -> None:
        """Write one of the tables of the whole run, and list its checksum."""
        path = self.folder / name
        if isinstance(content, str):
            self.write(path, content.encode())
        else:
            self.write_frame(path, content)
        self.manifest.setdefault("tables", {})[name] = checksum(path)

    def write_frame(self, path: Path, frame: pl.DataFrame) -> None:
        """A Parquet file: zstd level 1 (level 3 is no smaller here), row groups of 256 Ki rows, no statistics (a part is
        a known range of playouts; they would cost a quarter of the time). Equal frames give equal bytes.
        """
        about = {"schema_version": str(SCHEMA_VERSION), "recipe": self.manifest["recipe"]["hash"]}
        content = BytesIO()  # through memory, so that a full disk is told by the system's own error
        frame.write_parquet(
            content,
            compression="zstd",
            compression_level=1,
            row_group_size=ROW_GROUP,
            statistics=False,
            metadata=about,
        )
        self.write(path, content.getvalue())

    def write(self, path: Path, content: bytes) -> None:
        """Write a file so that it is either whole or not there."""
        if not self.folder.is_dir():
            raise RunError(f"{self.folder}: is gone, it was removed while simkit was writing to it; run it again")
        with told_as_run_error(path):
            write_whole(path, content, self.folder)

    def sweep(self) -> None:
        """Remove what a crash left behind: temporary files, and parts that the manifest does not list."""
        with told_as_run_error(self.folder):
            for path in self.folder.rglob(".*.tmp"):
                path.unlink(missing_ok=True)
            for path in self.unlisted():
                path.unlink()


def write_whole(path: Path, content: bytes, within: Path) -> None:
    """Write a file so that it is either whole or not there.

    within : the folder that the file must end up in; a link that leads out of it is refused
    raises : OSError, RunError
    """
    if not path.parent.resolve().is_relative_to(within.resolve()):
        raise RunError(f"{path}: a link leads out of {within}, nothing is written there")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.unlink(missing_ok=True)  # it may be a link
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def refuse_strangers(folder: Path) -> None:
    """Raise RunError if a folder that is to hold a new run holds a run already, or anything else."""
    with told_as_run_error(folder, ""):
        names = sorted(path.name for path in folder.iterdir())
    if "manifest.json" in names:
        raise RunError(f"{folder}: another simkit has just begun a run here; choose another folder with --out")
    if others := [name for name in names if not name.startswith(".")]:
        raise RunError(
            f"{folder}: is neither empty nor a run folder, it holds {shown(others[0])}; choose another folder with --out"
        )


def fault_of(path: Path, sha256: str) -> str:
    """What is wrong with a file that should have this checksum; nothing if it has."""
    try:
        return "" if checksum(path) == sha256 else f"{path}: does not have its checksum, the file is damaged"
    except OSError:
        return f"{path}: is missing"


def read_frame(path: Path) -> pl.DataFrame:
    """A Parquet file. Raises RunError if it is gone or is none."""
    try:
        return pl.read_parquet(path)
    except FileNotFoundError:
        raise RunError(f"{path}: is missing") from None
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as problem:
        raise RunError(f"{path}: cannot be read: {one_line(str(problem))[:120]}") from None


def checksum(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
