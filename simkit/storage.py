"""Where the files of a run are: a local folder, or an address of object storage such as s3://bucket/run.

Files have names like 'tallies/cell=0003/part-00000.parquet'. Either kind of storage writes a file so that it is whole or not
there: a folder by a temporary name, a flush and a rename, object storage by one put.
"""

import errno
import hashlib
import json
import os
import stat
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from simkit.errors import RunError, one_line

LOCK = ".lock"
FETCHED_AT_ONCE = 32  # files asked of object storage together


class Address(str):
    """Where a run is on object storage. Joins like a path, and keeps the two slashes that a path would lose."""

    __slots__ = ()

    def __truediv__(self, name: str) -> "Address":
        return Address(f"{self}/{name}")


Place = Path | Address


def place(text: Path | str) -> Place:
    """A folder, or the address of one if it is written with `://`."""
    return Address(text.rstrip("/")) if isinstance(text, str) and "://" in text else Path(text)


def local(folder: Path | str, what: str) -> Path:
    """The folder of something that is not done at an address. Raises RunError that says how to get there."""
    if isinstance(where := place(folder), Address):
        raise RunError(f"{where}: {what}; copy the run into a folder first (aws s3 sync {where} FOLDER)")
    return where


class Lock(Protocol):
    def release(self) -> None: ...


class Storage(Protocol):
    """What a run asks of the place where it is. Reading raises OSError, writing RunError."""

    @property
    def place(self) -> Place: ...

    @property
    def absolute(self) -> Place:
        """The place as it is called on another machine."""
        ...

    def read(self, name: str) -> bytes: ...

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """The content of many files in their order, a few at a time."""
        ...

    def write(self, name: str, content: bytes) -> None:
        """Write a file so that it is either whole or not there."""
        ...

    def exists(self, name: str) -> bool: ...
    def others(self) -> list[str]:
        """What lies in a folder where a new run shall go; hidden files, such as ours, left out."""
        ...

    def checksum(self, name: str) -> str: ...
    def sizes(self, folder: str) -> dict[str, int]:
        """Bytes of every file in a folder and below, by name."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file or a folder, if it is there."""
        ...

    def sweep(self) -> None:
        """Remove temporary files that a crash left behind."""
        ...

    def lock(self) -> Lock:
        """Become the only writer. Raises RunError if there is another."""
        ...


def storage_of(where: Path | str) -> Storage:
    found = place(where)
    return Remote(found) if isinstance(found, Address) else Local(found)


@contextmanager
def told_as_run_error(path: object, advice: str = "; what is there is kept, continue with --resume") -> Iterator[None]:
    """Turn what the file system says into one line for people; nothing already written is touched."""
    try:
        yield
    except OSError as problem:
        known = {28: "the disk is full", 122: "the disk quota is used up", 13: "no permission", 30: "read-only"}
        reason = known.get(problem.errno or 0, (problem.strerror or one_line(str(problem))).lower())
        raise RunError(f"{path}: cannot be written: {reason}{advice}") from None


def busy(where: object) -> str:
    return f"{where}: another simkit is writing to this run; wait for it or choose --out"


@dataclass(frozen=True)
class Local:
    """A folder of this machine, or one that several machines share."""

    place: Path

    @property
    def absolute(self) -> Path:
        return self.place.absolute()

    def read(self, name: str) -> bytes:
        path = self.place / name
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, "Is not a file")  # nobody waits for a pipe
        return path.read_bytes()

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        return map(self.read, names)

    def write(self, name: str, content: bytes) -> None:
        if not self.place.is_dir():
            raise RunError(f"{self.place}: is gone, it was removed while simkit was writing to it; run it again")
        with told_as_run_error(self.place / name):
            write_whole(self.place / name, content, self.place)

    def exists(self, name: str) -> bool:
        return (self.place / name).exists()

    def others(self) -> list[str]:
        with told_as_run_error(self.place, ""):
            names = os.listdir(self.place) if self.place.is_dir() else []
        return sorted(name for name in names if not name.startswith("."))

    def checksum(self, name: str) -> str:
        with open(self.place / name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def sizes(self, folder: str) -> dict[str, int]:
        files = (path for path in (self.place / folder).rglob("*") if path.is_file())
        return {path.relative_to(self.place).as_posix(): path.stat().st_size for path in files}

    def remove(self, name: str) -> None:
        import shutil

        path = self.place / name
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def sweep(self) -> None:
        for path in self.place.rglob(".*.tmp"):
            path.unlink(missing_ok=True)

    def lock(self) -> Lock:
        from filelock import FileLock, Timeout

        with told_as_run_error(self.place):
            self.place.mkdir(parents=True, exist_ok=True)
            held = FileLock(self.place / LOCK)
            try:
                held.acquire(timeout=0)
            except Timeout:
                raise RunError(busy(self.place)) from None
        return held


def write_whole(path: Path, content: bytes, within: Path) -> None:
    """Write a file so that it is either whole or not there.

    within : the folder that the file must end up in; a link that leads out of it is refused
    raises : OSError, RunError
    """
    if not path.parent.resolve().is_relative_to(within.resolve()):
        raise RunError(f"{path}: a link leads out of {within}, nothing is written there")
    path.parent.mkdir(parents=True, exist_ok=True)
    # a name of its own: a part that seemed lost with its worker may be written by two at once
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def as_os_error() -> Iterator[None]:
    """Whatever a storage's own library raises as OSError: they have no exceptions in common."""
    try:
        yield
    except (OSError, RunError):
        raise
    except Exception as problem:
        raise OSError(one_line(str(problem)) or type(problem).__name__) from None


@dataclass(frozen=True)
class Remote:
    """Object storage, through fsspec. Who may write there, and to which server, is told to it in its usual ways."""

    place: Address

    @cached_property
    def _found(self) -> tuple[Any, str]:
        """The file system, and the path of the run in it. Raises RunError if there is none for such addresses."""
        try:
            from fsspec.core import url_to_fs
        except ModuleNotFoundError:
            raise RunError(f"{self.place}: addresses need more packages: pip install 'simkit[dask]'") from None
        try:
            system, path = url_to_fs(self.place, use_listings_cache=False)  # other machines write there too
        except (ImportError, ValueError) as problem:
            raise RunError(f"{self.place}: {one_line(str(problem))}; s3:// needs pip install 'simkit[dask]'") from None
        if "file" in (system.protocol if isinstance(system.protocol, tuple) else (system.protocol,)):
            raise RunError(f"{self.place}: write a folder of this machine as a plain path, {path}")
        return system, str(path).rstrip("/")

    @property
    def absolute(self) -> Address:
        return self.place

    def _path(self, name: str) -> str:
        return f"{self._found[1]}/{name}"

    def read(self, name: str) -> bytes:
        with as_os_error():
            return bytes(self._found[0].cat_file(self._path(name)))

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        rest = iter(names)
        while batch := list(islice(rest, FETCHED_AT_ONCE)):
            with as_os_error():
                found = self._found[0].cat([self._path(name) for name in batch])
            yield from (found[self._path(name)] for name in batch)

    def write(self, name: str, content: bytes) -> None:
        with told_as_run_error(self.place / name), as_os_error():
            self._found[0].pipe_file(self._path(name), content)

    def exists(self, name: str) -> bool:
        with told_as_run_error(self.place, ""), as_os_error():
            return bool(self._found[0].exists(self._path(name)))

    def others(self) -> list[str]:
        """None are told: an address has no folders, what a run does not name it does not touch."""
        return []

    def checksum(self, name: str) -> str:
        with as_os_error(), self._found[0].open(self._path(name), "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def sizes(self, folder: str) -> dict[str, int]:
        with as_os_error():
            found = self._found[0].find(self._path(folder), detail=True)
        return {path.removeprefix(self._path("")): int(about["size"]) for path, about in found.items()}

    def remove(self, name: str) -> None:
        with as_os_error(), suppress(FileNotFoundError):
            self._found[0].rm(self._path(name), recursive=True)

    def sweep(self) -> None:
        """Nothing: a put leaves nothing behind."""

    def lock(self) -> Lock:
        """A lock object that says who holds it. It is as good as the storage: where an object cannot be created only if it is
        not there yet, two that start in the same moment may both believe to be alone. A crash leaves it behind.
        """
        import platform

        path = self.place / LOCK
        mine = {"host": platform.node(), "process": os.getpid(), "token": uuid.uuid4().hex}
        with told_as_run_error(self.place, ""), as_os_error():
            if self.exists(LOCK):
                held = json.loads(self.read(LOCK))
                raise RunError(
                    f"{self.place}: process {held['process']} on {held['host']} is writing to this run; wait for it or choose "
                    f"--out. If it is no longer there, remove {path}"
                )
            self._found[0].pipe_file(self._path(LOCK), json.dumps(mine).encode(), mode="create")
            if json.loads(self.read(LOCK)) != mine:
                raise RunError(busy(self.place))
        return RemoteLock(self)


@dataclass(frozen=True)
class RemoteLock:
    storage: Remote

    def release(self) -> None:
        with suppress(OSError):  # a lock that stays behind says itself how to remove it
            self.storage.remove(LOCK)
