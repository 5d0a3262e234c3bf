"""The run folder: the only module that knows its layout.

    manifest.json                         what was run, how, and which parts are there, with checksums
    cells.parquet, cells.csv              one row per cell
    columns.csv                           the data dictionary
    playouts/cell=0003/part-00000.parquet one row per playout; the cell is a column of the folder, not of the file
    players/cell=0003/part-00000.parquet  one row per playout and seat
    tallies/cell=0003/part-00000.parquet  counts per block of that part
    agg/tallies.parquet                   the sum of all tallies
    observed.parquet                      how the first playouts of every cell went, as counts

Files are written under a temporary name, flushed and renamed, so a file that has its name is whole. A part counts once the
manifest lists it with its checksums: what a crash leaves behind is played again and replaced by the same bytes.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
from filelock import FileLock, Timeout

from simkit.errors import RunError, one_line
from simkit.scenario.grid import Recipe

SCHEMA_VERSION = 1
TABLES = ("playouts", "players", "tallies")
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
        lock = cls._locked(folder)
        run = cls(folder, {"schema_version": SCHEMA_VERSION, "status": "running", **manifest, "parts": []}, lock)
        try:
            run.save(force=True)
        except RunError:
            run.close()
            raise
        return run

    @classmethod
    def reopen(cls, folder: Path) -> "Run":
        """An existing run folder, with its lock held, to continue it."""
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
            manifest = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(f"{folder}: is not a run folder (no manifest.json)") from None
        except (OSError, ValueError, RecursionError) as problem:
            raise RunError(f"{path}: cannot be read: {one_line(str(problem))}") from None
        version = manifest.get("schema_version") if isinstance(manifest, dict) else None
        if version != SCHEMA_VERSION:
            raise RunError(f"{path}: schema_version is {version!r}, this simkit reads {SCHEMA_VERSION}")
        for key in ("status", "recipe", "playouts", "tally_only", "kernel", "parts"):
            if key not in manifest:
                raise RunError(f"{path}: {key} is missing")
        return cls(folder, manifest)

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

    @property
    def recipe(self) -> Recipe:
        try:
            return Recipe.from_json(self.manifest["recipe"])
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise RunError(f"{self.folder / 'manifest.json'}: recipe: {one_line(str(problem))}") from None

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
        try:
            return {(part["cell"], part["number"]): part for part in self.manifest["parts"]}
        except (KeyError, TypeError):
            raise RunError(
                f"{self.folder / 'manifest.json'}: parts: not a list of parts with cell and number"
            ) from None

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

    def forget(self, parts: set[tuple[int, int]]) -> None:
        """Take parts off the list: they will be played again."""
        self.manifest["parts"] = [p for p in self.manifest["parts"] if (p["cell"], p["number"]) not in parts]

    def damaged(self) -> dict[tuple[int, int], str]:
        """Listed parts of which a file is gone or does not have its checksum: by (cell, number), which file and why."""
        faults = {}
        for key, part in self.committed().items():
            for table, entry in part["files"].items():
                path = self.path(table, *key)
                try:
                    if checksum(path) != entry["sha256"]:
                        faults[key] = f"{path}: does not have its checksum, the file is damaged"
                except OSError:
                    faults[key] = f"{path}: is missing"
        return faults

    def scan(self, table: str, cell: int | None = None) -> pl.LazyFrame:
        """All rows of a table, in the order of playouts."""
        pattern = f"cell={'*' if cell is None else f'{cell:04d}'}/part-*.parquet"
        if not sorted((self.folder / table).glob(pattern)):
            raise RunError(f"{self.folder}: has no {table}" + (" (it kept tallies only)" if self.tally_only else ""))
        rows = pl.scan_parquet(str(self.folder / table / pattern), hive_partitioning=True)
        return rows.select(pl.col("cell").cast(pl.Int16), pl.all().exclude("cell"))

    def tallies(self) -> pl.DataFrame:
        """The sum of all tallies, with a column `cell`. Raises RunError if the run is not finished or a file is damaged."""
        path = self.folder / "agg" / "tallies.parquet"
        try:
            return pl.read_parquet(path)
        except FileNotFoundError:
            raise RunError(f"{self.folder}: the run is not finished; continue it with --resume") from None
        except (OSError, pl.exceptions.PolarsError) as problem:
            raise RunError(f"{path}: cannot be read: {one_line(str(problem))[:120]}") from None

    @property
    def observed_path(self) -> Path:
        return self.folder / "observed.parquet"

    def observed(self) -> pl.DataFrame | None:
        """How the first playouts of every cell went; None for a run from before that was looked at. Raises RunError."""
        try:
            return pl.read_parquet(self.observed_path) if "observed" in self.manifest else None
        except (OSError, pl.exceptions.PolarsError) as problem:
            raise RunError(f"{self.observed_path}: cannot be read: {one_line(str(problem))[:120]}") from None

    # --- writing ----------------------------------------------------------------------------------------------

    def save(self, force: bool = False) -> None:
        """Replace the manifest, at most once a second unless forced."""
        if force or time.monotonic() - self._saved > MANIFEST_SECONDS:
            self.manifest["parts"].sort(key=lambda p: (p["cell"], p["number"]))
            self.write_text("manifest.json", json.dumps(self.manifest, indent=1) + "\n")
            self._saved = time.monotonic()

    def write_text(self, name: str, text: str) -> None:
        self.write(self.folder / name, text.encode())

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
        temporary = path.with_name(f".{path.name}.tmp")
        with told_as_run_error(path):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with open(temporary, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise

    def sweep(self) -> None:
        """Remove temporary files that a crash left behind."""
        for path in self.folder.rglob(".*.tmp"):
            path.unlink(missing_ok=True)


def checksum(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
