"""The run folder: the only module that knows its layout.

    manifest.json                         what was run, how, and which parts are there, with checksums
    cells.parquet, cells.csv              one row per cell
    columns.csv                           the data dictionary
    playouts/cell=0003/part-00000.parquet one row per playout; the cell is a column of the folder, not of the file
    players/cell=0003/part-00000.parquet  one row per playout and seat
    tallies/cell=0003/part-00000.parquet  counts per block of that part
    agg/tallies.parquet                   the sum of all tallies
    observed.parquet                      how the first playouts of every cell went, as counts
    replayed.parquet                      what came of the first deals of every cell, each played several times

It lies in a folder or at an address (see storage.py). A file that has its name is whole. A part counts once the manifest
lists it with its checksums: what a crash leaves behind is played again and replaced by the same bytes. The other tables have
their checksums in the manifest too. Whatever lies in the folder beside these is never read.
"""

import hashlib
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from simkit.errors import RunError, one_line, shown
from simkit.manifest import SCHEMA_VERSION, check, recipe_of
from simkit.scenario.grid import Recipe
from simkit.storage import Address, Lock, Place, local, place, storage_of, told_as_run_error

TABLES = ("playouts", "players", "tallies")
ROW_GROUP = 2**18
MANIFEST = "manifest.json"
SUMS = "agg/tallies.parquet"
OBSERVED = "observed.parquet"
REPLAYED = "replayed.parquet"
WHOLE_RUN = (SUMS, OBSERVED, REPLAYED, "cells.parquet", "cells.csv", "columns.csv")  # tables beside the parts
DAMAGED, MISSING = "does not have its checksum, the file is damaged", "is missing"
PART_NAME = re.compile(r"[a-z]+/cell=\d+/part-\d+\.parquet")
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
        refuse_others(folder)  # now, so that a folder that is no run stays as it is, and once the lock is ours
        lock = storage_of(folder).lock()
        run = cls(folder, {"schema_version": SCHEMA_VERSION, "status": "running", **manifest, "parts": []}, lock)
        try:
            refuse_others(folder)
            run.save(force=True)
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def reopen(cls, folder: Path | str) -> "Run":
        """An existing run folder, with its lock held, to continue it."""
        cls.read(folder)  # first, so that a folder that is no run stays as it is
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
        except OSError as problem:
            raise RunError(f"{path}: cannot be read: {(problem.strerror or str(problem)).lower()}") from None
        except (ValueError, RecursionError) as problem:
            raise RunError(f"{path}: cannot be read: {problem}") from None
        try:
            return cls(folder, check(manifest))
        except RunError as problem:
            raise RunError(f"{path}: {problem}") from None

    @staticmethod
    def exists(folder: Path | str) -> bool:
        return storage_of(folder).exists(MANIFEST)

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
            raise RunError(f"{self.folder / MANIFEST}: {problem}") from None

    @property
    def playouts(self) -> int:
        """Of each cell; of the cell that has most, where they differ."""
        return int(self.manifest["playouts"])

    @property
    def identity(self) -> str:
        """What tells this run from any other in a folder of the same name."""
        return f"{self.manifest.get('created')} {self.manifest['recipe']['hash']}"

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
        return {(part["cell"], part["number"]): part for part in self.manifest["parts"]}

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
        return next(self.read_parts(table, cell, [number]))

    def read_parts(self, table: str, cell: int, numbers: Iterable[int]) -> Iterator[pl.DataFrame]:
        """One table of many parts of a cell, a few at a time. Raises RunError for a file that is gone or cannot be read."""
        names = [self.name(table, cell, number) for number in numbers]
        contents = self.storage.read_all(names)
        for name in names:
            with self.told(name):
                frame = pl.read_parquet(BytesIO(next(contents)))
            yield frame

    @contextmanager
    def told(self, name: str) -> Iterator[None]:
        """Turn what reading a file raises into one line for people."""
        try:
            yield
        except FileNotFoundError:
            raise RunError(f"{self.folder / name}: is missing; {self.advice}") from None
        except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as problem:
            raise RunError(f"{self.folder / name}: cannot be read: {str(problem)[:120]}; {self.advice}") from None

    @property
    def advice(self) -> str:
        """How what is damaged is repaired."""
        return f"repair it with --resume, or with: simkit extend {self.folder} --playouts {min(self.playouts_of)}"

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

    def forget(self, parts: Iterable[Hashable]) -> None:
        """Take parts off the list: they will be played again. What is none of its keys is passed over."""
        for key in parts:
            self._parts.pop(key, None)  # type: ignore[call-overload]

    def damaged(self, by_size: bool = False) -> dict[Hashable, str]:
        """What is listed but gone, twice there, or without its checksum: which file and why, by (cell, number) for parts and
        by name for whatever else there is in a finished run.

        by_size : look only whether the files are there and have their sizes, where they cannot change unnoticed
        """
        sizes = {name: size for table in TABLES for name, size in self.storage.sizes(table).items()} if by_size else {}
        faults: dict[Hashable, str] = {}
        listed = Counter((part["cell"], part["number"]) for part in self.manifest["parts"])
        for key, part in self._parts.items():
            if listed[key] > 1:
                faults[key] = f"{self.folder / MANIFEST}: part {key[1]} of cell {key[0]} is listed {listed[key]} times"
            for table, entry in part["files"].items():
                name = self.name(table, *key)
                if by_size and "bytes" in entry:
                    fault = "" if sizes.get(name) == entry["bytes"] else DAMAGED if name in sizes else MISSING
                else:
                    fault = self.fault_of(name, entry["sha256"])
                if fault:
                    faults[key] = f"{self.folder / name}: {fault}"
        if self.is_complete:
            for name, sha256 in self.manifest.get("tables", {}).items():
                if name in WHOLE_RUN and (fault := self.fault_of(name, sha256)):
                    faults[name] = f"{self.folder / name}: {fault}"
            faults |= {name: f"{self.folder / name}: is not a part of this run" for name in self.unlisted()}
        return faults

    def fault_of(self, name: str, sha256: str) -> str:
        """What is wrong with a file that should have this checksum; nothing if it has."""
        try:
            return "" if self.storage.checksum(name) == sha256 else DAMAGED
        except OSError:
            return MISSING

    def unlisted(self) -> list[str]:
        """Files of parts that the manifest does not list."""
        listed = {self.name(table, *key) for key, part in self._parts.items() for table in part["files"]}
        found = (name for table in TABLES for name in self.storage.sizes(table))
        return sorted(name for name in found if PART_NAME.fullmatch(name) and name not in listed)

    def to_repair(self) -> dict[Hashable, str]:
        """Damaged parts, before a run goes on. Object storage keeps checksums itself: nothing is fetched for it."""
        return self.damaged(by_size=isinstance(self.folder, Address))

    def scan(self, table: str, cell: int | None = None) -> pl.LazyFrame:
        """All rows of a table, in the order of playouts: those of listed parts, whatever else lies in the folder."""
        folder = local(self.folder, "its rows are read from a folder only")
        parts = sorted(self._parts.items())
        names = [self.name(table, *key) for key, part in parts if table in part["files"] and cell in (None, key[0])]
        if not names:
            raise RunError(f"{self.folder}: has no {table}" + (" (it kept tallies only)" if self.tally_only else ""))
        rows = pl.scan_parquet([folder / name for name in names], hive_partitioning=True)
        return rows.select(pl.col("cell").cast(pl.Int16), pl.all().exclude("cell"))

    def first_rows(self, table: str, cell: int, playouts: int) -> pl.DataFrame | None:
        """The rows of a cell's first playouts, numbered below `playouts`; None if they are not in the folder.

        raises : RunError if a file cannot be read
        """
        parts = [part for part in self.parts_of_cells()[cell] if part["first"] < playouts and table in part["files"]]
        if not parts or not all(self.storage.exists(self.name(table, cell, part["number"])) for part in parts):
            return None
        try:
            frames = [self.read_part(table, cell, part["number"]) for part in parts]
        except (OSError, pl.exceptions.PolarsError) as problem:
            raise RunError(f"{self.folder / table}: cannot be read: {one_line(str(problem))[:120]}") from None
        return pl.concat(frames).filter(pl.col("playout") < playouts)

    def tallies(self) -> pl.DataFrame:
        """The sum of all tallies, with a column `cell`. Raises RunError if the run is not finished or a file is damaged."""
        if not self.is_complete:
            raise RunError(f"{self.folder}: the run is not finished; continue it with --resume")
        return self.summed()

    def summed(self) -> pl.DataFrame:
        """The sum of all tallies as it was written."""
        return self.table_as_written(SUMS, "tallies", ("cell", "kind", "block", "column", "value", "count"))

    def is_whole(self, name: str) -> bool:
        """Whether a table of the whole run is there as it was written."""
        sha256 = self.manifest.get("tables", {}).get(name)
        return sha256 is not None and not self.fault_of(name, sha256)

    def observed(self) -> pl.DataFrame | None:
        """How the first playouts of every cell went; None for a run from before that was looked at. Raises RunError."""
        if not self.manifest.get("observed"):
            return None
        columns = ("cell", "kind", "key", "value", "block", "playouts", "total")
        return self.table_as_written(OBSERVED, "observed playouts", columns)

    def replayed(self) -> pl.DataFrame | None:
        """What came of deals that were played several times; None for a run that has none. Raises RunError."""
        if not self.manifest.get("replayed"):
            return None
        return self.table_as_written(REPLAYED, "replayed deals", ("cell", "deal", "seat", "replay_0", "replay_1"))

    def table_as_written(self, name: str, of_what: str, columns: Iterable[str]) -> pl.DataFrame:
        """A table of the whole run. Raises RunError if it is gone, is not what was written, or lacks a column."""
        sha256 = self.manifest.get("tables", {}).get(name)  # runs from before there were checksums of tables have none
        with self.told(name):
            content = self.storage.read(name)
            if sha256 and hashlib.sha256(content).hexdigest() != sha256:
                raise RunError(f"{self.folder / name}: {DAMAGED}; {self.advice}")
            frame = pl.read_parquet(BytesIO(content))
        if not {*columns} <= {*frame.columns}:
            raise RunError(f"{self.folder / name}: is not a table of {of_what}; {self.advice}")
        return frame

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

    def write_table(self, name: str, content: pl.DataFrame | str) -> None:
        """Write one of the tables of the whole run, and list its checksum."""
        data = content.encode() if isinstance(content, str) else self.encoded(content)
        self.storage.write(name, data)
        self.manifest.setdefault("tables", {})[name] = hashlib.sha256(data).hexdigest()

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
        """Remove what a crash left behind: temporary files, and parts that the manifest does not list."""
        with told_as_run_error(self.folder):
            self.storage.sweep()
            for name in self.unlisted():
                self.storage.remove(name)


def refuse_others(folder: Path | str) -> None:
    """Raise RunError if a folder that is to hold a new run holds a run already, or anything else."""
    names = storage_of(folder).others()
    if MANIFEST in names:
        raise RunError(f"{folder}: another simkit has just begun a run here; choose another folder with --out")
    if names:
        raise RunError(
            f"{folder}: is neither empty nor a run folder, it holds {shown(names[0])}; choose another folder with --out"
        )


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The manifest as JSON for people and programs: a part on a line, for there can be many thousands."""
    head = json.dumps({key: value for key, value in manifest.items() if key != "parts"}, indent=1)
    parts = ",\n  ".join(map(json.dumps, manifest["parts"]))
    return head.removesuffix("\n}") + f',\n "parts": [\n  {parts}\n ]\n}}\n'
