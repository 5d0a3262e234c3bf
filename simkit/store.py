"""The run folder: the only module that knows its layout.

    manifest.json                         what was run, how, and which parts are there, with checksums
    cells.parquet, cells.csv              one row per cell
    columns.csv                           the data dictionary
    playouts/cell=0003/part-00000.parquet one row per playout; the cell is a column of the folder, not of the file
    players/cell=0003/part-00000.parquet  one row per playout and seat
    tallies/cell=0003/part-00000.parquet  counts per block of that part
    agg/tallies.parquet                   the sum of all tallies

It lies in a folder or at an address (see storage.py). A file that has its name is whole. A part counts once the manifest
lists it with its checksums: what a crash leaves behind is played again and replaced by the same bytes.
"""

import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from simkit.errors import RunError, one_line
from simkit.scenario.grid import Recipe
from simkit.storage import Address, Lock, Place, local, place, storage_of

SCHEMA_VERSION = 1
TABLES = ("playouts", "players", "tallies")
ROW_GROUP = 2**18
MANIFEST = "manifest.json"
SUMS = "agg/tallies.parquet"
MANIFEST_SECONDS = 1.0  # how often the list of parts is saved at most while a run goes on,
MANIFEST_SHARE = 0.02  # and which share of the time may go into saving it: it grows with the run


class Run:
    """A run folder, open for writing (with its lock held) or for reading."""

    def __init__(self, folder: Path | str, manifest: dict[str, Any], lock: Lock | None = None) -> None:
        self.folder: Place = place(folder)
        self.storage = storage_of(folder)
        self.manifest = manifest
        self.lock = lock
        self._save_after = 0.0

    # --- opening ----------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path | str, manifest: dict[str, Any]) -> "Run":
        """A new run folder, with its lock held. Raises RunError if it cannot be made or is in use."""
        lock = storage_of(folder).lock()
        run = cls(folder, {"schema_version": SCHEMA_VERSION, "status": "running", **manifest, "parts": []}, lock)
        try:
            run.save(force=True)
        except RunError:
            run.close()
            raise
        return run

    @classmethod
    def reopen(cls, folder: Path | str) -> "Run":
        """An existing run folder, with its lock held, to continue it."""
        lock = storage_of(folder).lock()
        try:
            run = cls.read(folder)
        except RunError:
            lock.release()
            raise
        run.lock = lock
        return run

    @classmethod
    def read(cls, folder: Path | str) -> "Run":
        """An existing run folder. Raises RunError naming file and key if it is not a run folder this version reads."""
        path = place(folder) / MANIFEST
        try:
            manifest = json.loads(storage_of(folder).read(MANIFEST))
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
    def exists(folder: Path | str) -> bool:
        return storage_of(folder).exists(MANIFEST)

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
            raise RunError(f"{self.folder / MANIFEST}: recipe: {one_line(str(problem))}") from None

    @property
    def playouts(self) -> int:
        """Of each cell; of the cell that has most, where they differ."""
        return int(self.manifest["playouts"])

    @property
    def playouts_of(self) -> list[int]:
        """Of every cell, by its number. They differ in runs that stopped each comparison group when it knew enough."""
        return self.manifest.get("playouts_of") or [self.playouts] * len(self.manifest["recipe"]["cells"])

    def set_playouts(self, of_cells: list[int]) -> None:
        """Say how many playouts each cell shall have. Cells of one comparison group have equally many."""
        self.manifest["playouts"], self.manifest["playouts_of"] = max(of_cells), of_cells

    @property
    def until(self) -> dict[str, Any]:
        """Of a run that stopped when it knew enough: `width`, the points that ranges should at most be wide, `at_most`, the
        playouts of a cell it might take, `first_deals`, when it looked first, and `is_settled`, whether it has stopped.
        Empty for a run of a fixed number of playouts.
        """
        return self.manifest.get("until") or {}

    @property
    def is_complete(self) -> bool:
        return bool(self.manifest["status"] == "complete")

    @property
    def tally_only(self) -> bool:
        return bool(self.manifest["tally_only"])

    @cached_property
    def _parts(self) -> dict[tuple[int, int], dict[str, Any]]:
        try:
            return {(part["cell"], part["number"]): part for part in self.manifest["parts"]}
        except (KeyError, TypeError):
            raise RunError(f"{self.folder / MANIFEST}: parts: not a list of parts with cell and number") from None

    def committed(self) -> Mapping[tuple[int, int], dict[str, Any]]:
        """The listed parts by (cell, number)."""
        return self._parts

    def parts_of_cells(self) -> dict[int, list[dict[str, Any]]]:
        """The listed parts of each cell, in the order of playouts."""
        found = defaultdict(list)
        for (cell, _), part in sorted(self._parts.items()):
            found[cell].append(part)
        return found

    @property
    def row_bytes(self) -> tuple[int, int]:
        """How many playouts have rows, and how many bytes those take; (0, 0) of a run from before bytes were listed."""
        rows, size = 0, 0
        for part in self._parts.values():
            files = part["files"]
            if "playouts" in files and all("bytes" in files[name] for name in ("playouts", "players")):
                rows += files["playouts"]["rows"]
                size += files["playouts"]["bytes"] + files["players"]["bytes"]
        return rows, size

    # --- parts ------------------------------------------------------------------------------------------------

    @staticmethod
    def name(table: str, cell: int, number: int) -> str:
        return f"{table}/cell={cell:04d}/part-{number:05d}.parquet"

    def path(self, table: str, cell: int, number: int) -> Any:
        """Where a file of a part is: a path, or an address."""
        return self.folder / self.name(table, cell, number)

    def read_part(self, table: str, cell: int, number: int) -> pl.DataFrame:
        return pl.read_parquet(BytesIO(self.storage.read(self.name(table, cell, number))))

    def read_parts(self, table: str, cell: int, numbers: Iterable[int]) -> Iterator[pl.DataFrame]:
        """One table of many parts of a cell, a few at a time."""
        for content in self.storage.read_all(self.name(table, cell, number) for number in numbers):
            yield pl.read_parquet(BytesIO(content))

    def write_part(self, table: str, cell: int, number: int, frame: pl.DataFrame) -> dict[str, Any]:
        """Write one file of a part; gives its rows, bytes and checksum. It counts once the part is committed."""
        content = self.encoded(frame)
        self.storage.write(self.name(table, cell, number), content)
        return {"rows": frame.height, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    def commit(self, cell: int, number: int, first: int, playouts: int, files: dict[str, Any]) -> None:
        """List a part whose files are written."""
        self._parts[cell, number] = {
            "cell": cell,
            "number": number,
            "first": first,
            "playouts": playouts,
            "files": files,
        }
        self.save()

    def forget(self, parts: Iterable[tuple[int, int]]) -> None:
        """Take parts off the list: they will be played again."""
        for key in parts:
            del self._parts[key]

    def damaged(self, by_size: bool = False) -> dict[tuple[int, int], str]:
        """Listed parts of which a file is gone or does not have its checksum: by (cell, number), which file and why.

        by_size : look only whether the files are there and have their sizes, where they cannot change unnoticed
        """
        sizes = {name: size for table in TABLES for name, size in self.storage.sizes(table).items()} if by_size else {}
        faults = {}
        for key, part in self._parts.items():
            for table, entry in part["files"].items():
                name = self.name(table, *key)
                try:
                    if (sizes[name] != entry["bytes"]) if by_size else self.storage.checksum(name) != entry["sha256"]:
                        faults[key] = f"{self.folder / name}: does not have its checksum, the file is damaged"
                except (OSError, KeyError):
                    faults[key] = f"{self.folder / name}: is missing"
        return faults

    def to_repair(self) -> dict[tuple[int, int], str]:
        """Damaged parts, before a run goes on. Object storage keeps checksums itself: nothing is fetched for it."""
        return self.damaged(by_size=isinstance(self.folder, Address))

    def scan(self, table: str, cell: int | None = None) -> pl.LazyFrame:
        """All rows of a table, in the order of playouts."""
        pattern = f"cell={'*' if cell is None else f'{cell:04d}'}/part-*.parquet"
        folder = local(self.folder, "its rows are read from a folder only") / table
        if not sorted(folder.glob(pattern)):
            raise RunError(f"{self.folder}: has no {table}" + (" (it kept tallies only)" if self.tally_only else ""))
        rows = pl.scan_parquet(str(folder / pattern), hive_partitioning=True)
        return rows.select(pl.col("cell").cast(pl.Int16), pl.all().exclude("cell"))

    def tallies(self) -> pl.DataFrame:
        """The sum of all tallies, with a column `cell`. Raises RunError if the run is not finished or a file is damaged."""
        path = self.folder / SUMS
        try:
            return pl.read_parquet(BytesIO(self.storage.read(SUMS)))
        except FileNotFoundError:
            raise RunError(f"{self.folder}: the run is not finished; continue it with --resume") from None
        except (OSError, pl.exceptions.PolarsError) as problem:
            raise RunError(f"{path}: cannot be read: {one_line(str(problem))[:120]}") from None

    # --- writing ----------------------------------------------------------------------------------------------

    def save(self, force: bool = False) -> None:
        """Replace the manifest. Unless forced, at most once a second, and less often the longer it takes."""
        start = time.monotonic()
        if force or start > self._save_after:
            self.manifest["parts"] = [part for _, part in sorted(self._parts.items())]
            self.write_text(MANIFEST, manifest_text(self.manifest))
            now = time.monotonic()
            self._save_after = now + max(MANIFEST_SECONDS, (now - start) / MANIFEST_SHARE)

    def write_text(self, name: str, text: str) -> None:
        self.storage.write(name, text.encode())

    def write_frame(self, name: str, frame: pl.DataFrame) -> None:
        self.storage.write(name, self.encoded(frame))

    def encoded(self, frame: pl.DataFrame) -> bytes:
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
        return content.getvalue()

    def sweep(self) -> None:
        """Remove temporary files that a crash left behind."""
        self.storage.sweep()


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The manifest as JSON for people and programs: a part on a line, for there can be many thousands."""
    head = json.dumps({key: value for key, value in manifest.items() if key != "parts"}, indent=1)
    parts = ",\n  ".join(map(json.dumps, manifest["parts"]))
    return head.removesuffix("\n}") + f',\n "parts": [\n  {parts}\n ]\n}}\n'
