"""Files of users: whatever is in them, they are read, or refused in one plain line."""

import os
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit import api, games
from simkit.errors import UserError
from simkit.scenario.load import load_box, load_scenario
from tests.guard.fuzz import KINDS, Kind, changed, refused, spoilt, told


def tried(kind: Kind, examples: int) -> Counter[str]:
    """Change good files in as many ways; how many were read and how many refused. Anything else fails."""
    found: Counter[str] = Counter()
    good = kind.examples()

    @settings(max_examples=examples)
    @given(st.randoms(use_true_random=False), st.sampled_from(["words", "words", "bytes"]))
    def try_one(random: Random, what: str) -> None:
        tree = random.choice(good)
        if what == "words":
            content = kind.written(changed(tree, random)).encode("utf-8", "surrogatepass")
        else:
            content = spoilt(kind.written(tree).encode(), random)
        found["refused" if refused(kind, content) else "read"] += 1

    try_one()
    return found


@pytest.mark.parametrize("name", KINDS)
def test_a_changed_file_is_read_or_refused_in_one_line(name: str) -> None:
    found = tried(KINDS[name], 12 if name.endswith(".csv") else 60)
    assert found["refused"] > 0.3 * found.total()


@pytest.mark.soak
@pytest.mark.parametrize("name", KINDS)
def test_ten_thousand_changed_files(name: str) -> None:
    found = tried(KINDS[name], -(-10_000 // len(KINDS)))
    assert found["refused"] > 0.3 * found.total()


@pytest.mark.parametrize("name", KINDS)
def test_a_good_file_is_read(name: str) -> None:
    """Otherwise nothing is proved by what is refused."""
    kind = KINDS[name]
    for tree in kind.examples():
        assert refused(kind, kind.written(tree).encode()) == ""


# --- files that are not text, or not files ----------------------------------------------------------------------

SCENARIO = 'game = "propuh"\ntitle = "Té"\nplayouts = 20\n'


@pytest.mark.parametrize(
    "content",
    [SCENARIO.encode(), SCENARIO.encode("utf-8-sig"), SCENARIO.replace("\n", "\r\n").encode()],
    ids=["plain", "byte order mark", "windows"],
)
def test_what_editors_write_is_read(content: bytes) -> None:
    Path("s.toml").write_bytes(content)
    assert api.question("s.toml").recipe.title == "Té"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "game is missing"),
        (SCENARIO.encode("utf-16"), "byte 0 is not UTF-8; save the file as UTF-8"),
        (SCENARIO.encode("utf-16-le"), "is not UTF-8"),
        (SCENARIO.encode("latin-1"), "is not UTF-8"),
        (SCENARIO.replace("T", "\0").encode(), "s.toml line 2: holds the hidden character U+0000"),
        (SCENARIO.replace("T", "\x1b[31m").encode(), "line 2: holds the hidden character U+001B"),
        (SCENARIO.replace("T", "\\u001b[31m").encode(), "title holds the character U+001B, which does not print"),
        (SCENARIO.replace("T", "\\u202e").encode(), "title holds the character U+202E"),
        (SCENARIO.replace("T", "\u2066").encode(), "line 2: holds the hidden character U+2066"),
        (SCENARIO.replace("T", "two\\nlines").encode(), "title holds the character U+000A"),
        ((SCENARIO + '"a\\u0007b" = 1').encode(), "a key holds the hidden character U+0007"),
        ((SCENARIO + "game = 1").encode(), "not valid TOML: "),
        ((SCENARIO + "seed = " + "9" * 5000).encode(), "not valid TOML: "),
        ((SCENARIO + "seed = 0x" + "f" * 5000).encode(), "seed is a number of more than 64 bits"),
        ((SCENARIO + "margin = nan").encode(), "margin cannot be nan; expected an ordinary number"),
        ((SCENARIO + "target = inf").encode(), "target cannot be inf; expected an ordinary number"),
        ((SCENARIO + "margin = 1e999").encode(), "margin cannot be inf; expected an ordinary number"),
        ((SCENARIO + "x = " + "[" * 20_000).encode(), "nested too deeply"),
        ((SCENARIO + "x = " + "{a=" * 20_000).encode(), "nested too deeply"),
        ((SCENARIO + "x = " + "[" * 90 + "]" * 90).encode(), "nested too deeply"),
        ((SCENARIO + "a" + ".a" * 400_000 + " = 1").encode(), "nested too deeply"),
        ((SCENARIO + '"a,"' + '."a,"' * 150_000 + " = 1").encode(), "nested too deeply"),
        ((SCENARIO + "[" + "a . " * 20_000 + "b]").encode(), "nested too deeply"),
        (SCENARIO.replace("Té", "T" * 90_000).encode(), "title cannot be 'TTTT"),
        ((SCENARIO + "T" * 90_000 + " = 1").encode(), "TTTT ... TTT"),
        (SCENARIO.replace("propuh", "../../propuh").encode(), "game '../../propuh' is not known"),
        ((SCENARIO + 'name = "../../x"').encode(), "name cannot be '../../x'"),
        ((SCENARIO + 'name = "a/b"').encode(), "name cannot be 'a/b'"),
        (b"x" * 1_000_001, "1,000,001 bytes, expected at most 1,000,000"),
    ],
)  # fmt: skip
def test_what_is_no_scenario_is_refused_at_once(content: bytes, expected: str) -> None:
    Path("s.toml").write_bytes(content)
    began = time.process_time()
    with pytest.raises(UserError) as caught:
        api.question("s.toml")
    assert time.process_time() - began < 5
    line = told(caught.value)
    assert line.startswith("s.toml")
    first, _, last = expected.partition(" ... ")
    assert first in line
    assert last in line


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("folder", "is a folder, expected a"),
        ("pipe", "is a device or a pipe, expected a"),
        ("/dev/zero", "is a device or a pipe, expected a"),
        ("/dev/full", "is a device or a pipe, expected a"),
        ("mine.toml", "cannot be read: Too many levels of symbolic links"),
        ("nowhere", "no such file"),
    ],
)
def test_what_is_no_file_is_refused(what: str, expected: str) -> None:
    """Whatever a link leads to, or a folder or a pipe with the name of a file: nobody waits for it."""
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("mine.toml").symlink_to(what)
    Path("mine.csv").symlink_to(what.replace("toml", "csv"))
    text = games.get("propuh").text("box.toml")
    Path("box.toml").write_text(text[: text.index("cards = [")] + 'cards = "mine.csv"\n', encoding="utf-8")
    for read, name in ((load_scenario, "mine.toml"), (own_box, "mine.toml"), (own_box, "box.toml")):
        with pytest.raises(UserError) as caught:
            read(Path(name))
        assert expected in told(caught.value)


def own_box(path: Path) -> object:
    return load_box(games.get("propuh"), path)


def test_a_link_to_a_good_file_is_read() -> None:
    Path("s.toml").write_text(SCENARIO, encoding="utf-8")
    Path("link.toml").symlink_to("s.toml")
    assert api.question("link.toml").playouts == 20


# --- files that ask for too much --------------------------------------------------------------------------------


def grid(**lists: object) -> str:
    return 'game = "propuh"\n[grid]\n' + "".join(f"{name} = {value}\n" for name, value in lists.items())


OPTIONS = games.get("propuh").options
EVERY = "{" + ", ".join(f'{option.name} = "all"' for option in OPTIONS) + "}"
NUMBERS = str(list(range(100_000)))
BOMBS = {
    "every option at once": (grid(options=EVERY), "cells, at most 5,000 are supported; split the scenario"),
    "a long list": (grid(players=NUMBERS), "100,000 cells, at most 5,000 are supported"),
    "a thousand millions": (
        grid(
            players=list(range(1000)), options=f"{{deck = {list(range(1000))}, failed_counter = {list(range(1000))}}}"
        ),
        "cells, at most 5,000 are supported",
    ),
    "one value many times": (grid(players=[2] * 4000), "players: 2 is listed twice"),
    "many grids": ('game = "propuh"\n' + "[[grid]]\n" * 90_000, "grid cannot be [{"),
    "many cells": (grid(cells="[" + "{}," * 200_000 + "]"), "grid.cells cannot be [{"),
    "many keys": ('game = "propuh"\n' + "".join(f"k{i} = 1\n" for i in range(80_000)), "k0 is not a known key"),
    "many tables": ('game = "propuh"\n' + "".join(f"[a.b{i}]\n" for i in range(80_000)), "a is not a known key"),
    "many playouts": ('game = "propuh"\nplayouts = 10_000_000_000_000', "files, at most 1,000,000 are supported"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_would_never_end_is_refused_at_once(bomb: str) -> None:
    text, expected = BOMBS[bomb]
    Path("s.toml").write_text(text)
    began = time.process_time()
    with pytest.raises(UserError) as caught:
        api.run(api.question("s.toml"), out=Path("out"))
    assert time.process_time() - began < 5
    assert expected in told(caught.value)
    assert not Path("out").exists()


@pytest.mark.parametrize("rows", [200_000, 1_000_000])
def test_a_sheet_of_very_many_rows_is_refused_at_once(rows: int) -> None:
    text = games.get("propuh").text("box.toml")
    Path("box.toml").write_text(text[: text.index("cards = [")] + 'cards = "mine.csv"\n', encoding="utf-8")
    Path("mine.csv").write_text("bed\n" + "1\n" * rows)
    began = time.process_time()
    with pytest.raises(UserError) as caught:
        own_box(Path("box.toml"))
    assert time.process_time() - began < 5
    assert told(caught.value).startswith("mine.csv")
