"""Bad files by the thousand: real ones, changed where it hurts.

A kind of file is an entry of `KINDS`: good examples as plain data, how such data is written, and what reads the file. A
changed file may be read or refused; refused means a `UserError` that is one plain line. Another kind of file is one entry
more.
"""

import copy
import csv
import json
import math
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from simkit import api, games
from simkit.engine.worker import Job, play
from simkit.errors import BoxError, UserError
from simkit.scenario.claims import load_claims, recipe_of
from simkit.scenario.load import load_box
from simkit.scenario.sheets import in_files
from tests.conftest import PROJECT

NASTY_TEXT = (
    "", " ", "\0", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "a\nb", "a\r\nb", "\t", "\x7f", "\x85", "\x9b2J",
    "<script>alert(1)</script>", "</script>", '"><img src=x onerror=alert(1)>', "<!--", "-->", "]]>", "&lt;b&gt;",
    "{{7*7}}", "{% raw %}", "${7*7}", "$\\frac{$", "$$", "\\", "`x`", "```", "[a](javascript:alert(1))", "![x](y)", "| a |",
    "=cmd()", "+1", "-1", "@SUM(A1)", "..", "../../x", "/etc/passwd", "a/b", "a\\b", "C:\\x", "~", "nul", "x" * 100_000,
    "\u202egnp.exe", "\u2066x\u2069", "\u200b", "\ufeff", "\u2028", "\ufffe", "é", "ﷺ", "👩‍👩‍👧", "a\u0301" * 50,
    "9" * 5000, "-0", "1e400", "nan", "inf", "٣", "²", "0x10", "1_0", "true", "null", "%s%n", "{0}", "; rm -rf .",
)  # fmt: skip
NASTY_NUMBERS = (
    0, -1, 1, 2, 10**6, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 16**5000, 0.5, -0.0, 1e-320, 1e308, math.inf, -math.inf,
    math.nan,
)  # fmt: skip
NASTY_SHAPES: tuple[Any, ...] = (
    [],
    {},
    [[]],
    [{}],
    {"": 1},
    {"a": {"b": {}}},
    [1] * 3000,
    [{"x": 1}] * 2000,
    True,
    False,
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1250", "utf-8-sig", "utf-7")


@dataclass(frozen=True)
class Kind:
    """A kind of file. `written` gives the text of plain data; `read` reads the file at a path as a command would."""

    name: str
    path: str
    examples: Callable[[], Sequence[Any]]
    written: Callable[[Any], str]
    read: Callable[[Path], object]


# --- how plain data is written ----------------------------------------------------------------------------------


def toml(tree: Any) -> str:
    """Plain data as TOML, whatever is in it: what TOML cannot say becomes a file that is wrong in that place."""
    if not isinstance(tree, dict):
        return toml_value(tree)
    return "".join(f"{toml_word(key)} = {toml_value(value)}\n" for key, value in tree.items())


def toml_value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_word(key)} = {toml_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, int) and abs(value) > 10**4000:
        return hex(value)
    return repr(value) if isinstance(value, int | float) else toml_word(str(value))


def toml_word(text: str) -> str:
    return '"' + "".join(f"\\U{ord(c):08x}" if c in '"\\' or ord(c) < 32 or ord(c) == 127 else c for c in text) + '"'


def comma_separated(rows: Any) -> str:
    text = StringIO()
    writer = csv.writer(text)
    for row in rows if isinstance(rows, list) else [rows]:
        writer.writerow([json_text(cell) for cell in row] if isinstance(row, list) else [json_text(row)])
    return text.getvalue()


def json_text(tree: Any) -> str:
    """Plain data as JSON, words alone as they are; numbers that Python does not write out stand in base 16."""
    if isinstance(tree, str):
        return tree
    try:
        return json.dumps(tree)
    except ValueError:
        return repr(hex(16**5000)) if isinstance(tree, int) else json.dumps(str(type(tree)))


# --- changing them ----------------------------------------------------------------------------------------------


def changed(tree: Any, random: Random) -> Any:
    """A copy of plain data with one to three changes, at any depth."""
    tree = copy.deepcopy(tree)
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(places_in(tree))
        if not places:
            return nasty(random)
        change(*random.choice(places), tree, random)
    return tree


def places_in(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every table or list with every key or position in it."""
    if isinstance(tree, dict | list):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from places_in(tree[key])


def change(holder: Any, key: Any, tree: Any, random: Random) -> None:
    """One change at one place."""
    value = holder[key]
    match random.randrange(10):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[random.choice(NASTY_TEXT)] = holder.pop(key)
        case 1:
            holder.append(value)
        case 2 if isinstance(holder, dict):
            holder[str(key)[:-1]] = holder.pop(key)
        case 2:
            holder[key : key + 1] = [value] * random.choice((0, 2, 300))
        case 3:
            other, its = random.choice(list(places_in(tree)))
            holder[key] = copy.deepcopy(other[its])
        case 4:
            holder[key] = [value]
        case 5 if isinstance(value, str):
            holder[key] = value + random.choice(NASTY_TEXT)[:500]
        case 6 if isinstance(value, int):
            holder[key] = value + random.choice((-1, 1, 10))
        case 7:
            for _ in range(random.choice((3, 30, 90))):
                value = [value] if random.random() < 0.5 else {"a": value}
            holder[key] = value
        case _:
            holder[key] = nasty(random)


def nasty(random: Random) -> Any:
    return copy.deepcopy(random.choice(random.choice((NASTY_TEXT, NASTY_NUMBERS, NASTY_SHAPES))))


def spoilt(content: bytes, random: Random) -> bytes:
    """Bytes with one to three changes that know nothing of what they mean."""
    for _ in range(random.choice((1, 1, 2, 3))):
        a, b = sorted(random.randrange(len(content) + 1) for _ in range(2))
        few = content[a : min(b, a + 40)]
        match random.randrange(9):
            case 0:
                content = content[:a]
            case 1:
                content = content[:a] + content[a + len(few) :]
            case 2:
                content = content[:b] + few * random.choice((1, 2, 50)) + content[b:]
            case 3:
                content = content[:a] + random.randbytes(random.randrange(1, 9)) + content[a:]
            case 4:
                flipped = bytes((content[a] ^ (1 << random.randrange(8)),)) if a < len(content) else b"\xff"
                content = content[:a] + flipped + content[a + 1 :]
            case 5:
                content = content.replace(
                    b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\0", b"", b"\x0b", b"\xe2\x80\xa8"))
                )
            case 6:
                text = content.decode("utf-8", "replace")
                content = text.encode(random.choice(ENCODINGS), "replace")
            case 7:
                content = content[:a] + random.choice(NASTY_TEXT)[:2000].encode("utf-8", "replace") + content[a:]
            case _:
                mark = random.choice(b"[]{}=.,;\"'#\n-0")
                content = content[:a] + bytes((mark,)) * random.choice((1, 3, 2000)) + content[a:]
    return content


# --- the kinds --------------------------------------------------------------------------------------------------


def scenario_files(are_claims: bool) -> list[Any]:
    """What the files below `scenarios` say: the claims files, or all others."""
    found = [
        tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((PROJECT / "scenarios").rglob("*.toml"))
    ]
    return [tree for tree in found if ("claim" in tree) == are_claims]


def claims_files() -> list[Any]:
    """Claims files, with the scenarios that they speak of beside them from now on."""
    for path in (PROJECT / "scenarios").rglob("*.toml"):
        shutil.copyfile(path, path.name)
    return scenario_files(True)


def read_claims(path: Path) -> None:
    claims = load_claims(path)
    for claim in claims.claim:
        recipe_of(claims, claim, path)


def read_box(game: str, path: Path) -> None:
    """Read a box as every command does, deal it to every number of players, tell of it, and play it a little."""
    spec = games.get(game)
    content, box = load_box(spec, path), spec.module("box")
    rows = box.describe(content)
    assert all(len(row) == 4 for row in rows)
    if spec.cards:
        assert len(box.card_names(content)) <= 31
    refusals = []
    for players in spec.players:
        try:
            recipe = api.question(game, players=players, policies={"all": "random"}, box=path).recipe
        except BoxError as problem:
            refusals.append(problem)
            continue
        if players == max(spec.players):
            play(Job.of(recipe, recipe.cells[-1]), 0, 4)
    if len(refusals) == len(spec.players):
        raise refusals[0]


def read_sheet_of(game: str, sheet: str, path: Path) -> None:
    """Read a box whose one list is in this file."""
    for name, text in box_files(game).items():
        (path.parent / name).write_text(text, encoding="utf-8")
    shutil.copyfile(path, path.parent / sheet)
    read_box(game, path.parent / "box.toml")


def sheets_of(game: str) -> dict[str, Any]:
    """The rows of every CSV file of a game's box."""
    return {name: list(csv.reader(StringIO(text))) for name, text in box_files(game).items() if name.endswith(".csv")}


@cache
def box_files(game: str) -> dict[str, str]:
    """A game's box with its lists as CSV: contents by name."""
    return in_files(games.get(game).text("box.toml"), games.get(game).module("box").Box)


@cache
def a_run() -> Path:
    """A small finished run."""
    return api.run(api.question("propuh", playouts=40), out=Path(mkdtemp()) / "run").folder


def manifests() -> list[Any]:
    """The manifest of a small finished run, whose folder is `run` from now on."""
    shutil.copytree(a_run(), "run", dirs_exist_ok=True)
    return [json.loads(Path("run/manifest.json").read_text(encoding="utf-8"))]


def read_manifest(path: Path) -> None:
    """Read the run folder of a manifest: its cells, its files, its sums."""
    api.cells(path.parent)
    assert list(api.verify(path.parent, 0))


def kinds() -> Mapping[str, Kind]:
    found = [
        Kind("scenario", "mine.toml", lambda: scenario_files(False), toml, lambda path: api.question(str(path))),
        Kind("claims", "mine.toml", claims_files, toml, read_claims),
    ]
    for game in games.names():
        box = games.get(game).text("box.toml")
        found.append(
            Kind(
                f"{game}-box",
                "mine.toml",
                lambda b=box: [tomllib.loads(b)],
                toml,
                lambda path, g=game: read_box(g, path),
            )
        )
        for sheet, rows in sheets_of(game).items():
            found.append(
                Kind(
                    f"{game}-{sheet}",
                    "mine.csv",
                    lambda r=rows: [r],
                    comma_separated,
                    lambda path, g=game, s=sheet: read_sheet_of(g, s, path),
                )
            )
    found.append(Kind("manifest", "run/manifest.json", manifests, json_text, read_manifest))
    return {kind.name: kind for kind in found}


KINDS = kinds()


def told(problem: UserError) -> str:
    """What a refusal says, held against what must hold for all of them."""
    line = str(problem)
    assert line, "nothing is said"
    assert line.isprintable(), repr(line)
    assert len(line) <= 1500, len(line)
    return line


def refused(kind: Kind, content: bytes) -> str:
    """What the reader of such files says against this one; nothing if it is read."""
    path = Path(kind.path)
    path.write_bytes(content)
    try:
        kind.read(path)
    except UserError as problem:
        return told(problem)
    return ""
