"""Opening a user's file as text: what cannot be read is told in one line."""

from pathlib import Path

from simkit.errors import UserError, nearest

MAX_BYTES = 1_000_000


def read_text(path: Path, error: type[UserError], kind: str) -> str:
    """The text of a file without its byte order mark. Raises `error` for anything that cannot be read.

    kind : what the file should be: "TOML", "CSV"
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise error(f"{path}: {size:,} bytes, expected at most {MAX_BYTES:,}")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise error(f"{path}: no such file{similar_files(path)}") from None
    except IsADirectoryError:
        raise error(f"{path}: is a folder, expected a {kind} file") from None
    except UnicodeDecodeError as problem:
        raise error(f"{path}: byte {problem.start} is not UTF-8; save the file as UTF-8") from None
    except ValueError as problem:  # a name that no file can have
        raise error(f"{path!s:.80}: cannot be read: {problem}") from None
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None


def similar_files(path: Path) -> str:
    try:
        return nearest(path.name, [other.name for other in path.parent.glob(f"*{path.suffix}")])
    except (OSError, ValueError):
        return ""
