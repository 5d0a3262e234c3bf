"""What users call things reaches the report as words, and as nothing else."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser
from io import StringIO
from itertools import product
from pathlib import Path

import pytest

from simkit import api, games
from simkit.report.page import markdown_line
from simkit.summary.sheet import harmless

NAMES = (
    "<script>alert(1)</script>", "</script><b>", '"><img src=x onerror=alert(1)>', "' onload='alert(1)", "</style><p>", "{{7*7}}",
    "{% raw %}", "[a](javascript:alert(1))", "![x](http://x/)", "=cmd()|' /C calc'!A0", "@SUM(A1:A9)", "-2+3+cmd", "$\\frac{$", "$a$",
    "a|b", "`c`", "<!-- -->", "]]>", "--><b>", 'id="x', "url(#a)", "&lt;i&gt;", "日本語", "שלום", "\\", "%s {0}",
)  # fmt: skip
PLAIN = tuple(f"name {i}" for i in range(len(NAMES)))


def words(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def box(game: str, names: tuple[str, ...]) -> Path:
    """A game's box with another title, other sources, and other names of whatever has a name."""
    text, n = games.get(game).text("box.toml"), 0

    def named(found: re.Match[str]) -> str:
        nonlocal n
        n += 1
        return f"{found[1]} = {words(names[n % len(names)][: 15 if found[1] == 'name' else None])}"

    path = Path(f"{game}.toml")
    path.write_text(re.sub(r'\b(title|source|name|place) = "[^"]*"', named, text), encoding="utf-8")
    return path


def reported(game: str, names: tuple[str, ...], folder: str) -> Path:
    """A report in which all that a user can name is named so."""
    spec = games.get(game)
    players = max(spec.players)
    lines = [f'game = "{game}"', f'box = "{box(game, names)}"', f"title = {words(names[0] + names[2])}"]
    lines += [f"question = {words(names[7] + chr(10) + names[1])}", "playouts = 120"]
    settings = product(*(option.values for option in spec.options[:6]))
    for group in range(2):
        lines += ["[[grid]]", f"name = {words(names[3 + group])}"]
        for label, values in zip(names[group::2], settings, strict=False):
            options = ", ".join(
                f"{option.name} = {json.dumps(value)}" for option, value in zip(spec.options, values, strict=False)
            )
            lines += ["[[grid.cells]]", f"label = {words(label)}", f"players = {players}", f"options = {{ {options} }}"]
    Path(f"{folder}.toml").write_text("\n".join(lines), encoding="utf-8")
    run = api.run(api.question(f"{folder}.toml"), out=Path(folder))
    return api.report(run.folder).parent


@pytest.fixture(params=["propuh", "granny_wars"])
def both(request: pytest.FixtureRequest) -> tuple[Path, Path]:
    """The report of hostile names, and that of plain ones."""
    return reported(request.param, NAMES, "hostile"), reported(request.param, PLAIN, "plain")


class Elements(HTMLParser):
    """Every element of a page with the names of its attributes, and the attributes that can do something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self.links: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag, tuple(name for name, _ in attrs)] += 1
        self.links |= {str(value) for name, value in attrs if name in ("href", "xlink:href", "src", "style", "action")}

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_decl(self, decl: str) -> None:
        self.found[decl, ()] += 1

    def handle_comment(self, data: str) -> None:
        self.found["comment", ()] += 1


def elements(text: str) -> Elements:
    parser = Elements()
    parser.feed(text)
    parser.close()
    return parser


def test_a_report_holds_names_as_words_only(both: tuple[Path, Path]) -> None:
    """Page, figures, Markdown, tables and numbers of one report, held against those of a report with plain names."""
    hostile, plain = both
    files = sorted(path.relative_to(hostile) for path in hostile.rglob("*"))
    assert files == sorted(path.relative_to(plain) for path in plain.rglob("*"))
    assert all(re.fullmatch(r"[a-z0-9_./-]+", str(name)) for name in files)
    assert_page_is_safe(hostile / "index.html", plain / "index.html")
    for name in files:
        if name.suffix == ".svg":
            assert_drawing_is_safe(hostile / name, plain / name)
        if name.suffix == ".csv":
            assert_sheet_is_safe(hostile / name)
    assert_sheet_is_safe(hostile.parent / "cells.csv")
    assert_markdown_is_safe((hostile / "report.md").read_text(encoding="utf-8"))
    cells = json.loads((hostile / "report.json").read_text(encoding="utf-8"))["cells"]
    assert sorted(cell["label"] for cell in cells) == sorted(NAMES)
    assert sorted(api.cells(hostile.parent)["label"]) == sorted(NAMES)
    rows = list(csv.DictReader(StringIO((hostile.parent / "cells.csv").read_text(encoding="utf-8"))))
    assert sorted(row["label"] for row in rows) == sorted(str(harmless(name)) for name in NAMES)


def assert_page_is_safe(page: Path, like: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found, expected = elements(text), elements(like.read_text(encoding="utf-8"))
    assert found.found == expected.found
    assert not any(name.startswith("on") for _, names in found.found for name in names)
    assert not {"script", "img", "iframe", "object", "embed", "form", "link", "base"} & {tag for tag, _ in found.found}
    assert not any(word in link for link in found.links for word in ("script:", "//", "expression", "@import"))
    assert sum(name in found.text for name in NAMES) > len(NAMES) // 2


def assert_drawing_is_safe(drawing: Path, like: Path) -> None:
    found, expected = (ET.parse(path).getroot() for path in (drawing, like))
    assert Counter(e.tag for e in found.iter()) == Counter(e.tag for e in expected.iter())
    assert {name for e in found.iter() for name in e.attrib} == {name for e in expected.iter() for name in e.attrib}


def assert_sheet_is_safe(sheet: Path) -> None:
    for row in csv.reader(StringIO(sheet.read_text(encoding="utf-8"))):
        for cell in row:
            assert not cell.startswith(("=", "@", "\t", "\r")), (sheet.name, cell)
            assert not cell.startswith(("+", "-")) or re.fullmatch(r"[+-]([\d.,]+(e-?\d+)?)? ?%?", cell), (
                sheet.name,
                cell,
            )


def assert_markdown_is_safe(text: str) -> None:
    """No markup but that of the template: no element, no link, no code, no heading and no column of a table."""
    bare = re.sub(r"\\.", "", text)
    assert not re.search(r"<[a-zA-Z/!]", bare)
    assert not re.search(r"&(#\d+|[a-z]+);", bare)
    assert set(re.findall(r"\]\((.*?)\)", bare)) <= set(
        re.findall(r"\]\(((?:tables|figures)/[a-z0-9_-]+\.(?:csv|png))\)", bare)
    )
    assert bare.count("`") == 6  # the fence of the command
    width = 0
    for line in bare.splitlines():
        if line.startswith("|"):
            width = width or line.count("|")
            assert line.count("|") == width, line
        else:
            width = 0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# a", "\\# a"),
        ("### a", "\\### a"),
        ("- a", "\\- a"),
        ("12. a", "12\\. a"),
        ("~~~sh", "\\~~~sh"),
        ("====", "\\===="),
        ("87.5 % of all", "87.5 % of all"),
        ("-3 points", "-3 points"),
        ("a # b", "a # b"),
    ],
)
def test_a_line_of_markdown_begins_nothing_but_itself(line: str, expected: str) -> None:
    assert markdown_line(line) == expected


@pytest.mark.parametrize(
    "text", ["=1", "=cmd()", "@x", "+a", "-a", "-2+3", "+1-cmd", "\t=1", "\r=1", "＝1", "-1e5x", "--1"]
)
def test_what_a_spreadsheet_would_compute_gets_an_apostrophe(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-", "+1.5 %", "-2", "-1,5", "a=b", "", "1", "'=1", -1, 2.5, None, True])
def test_numbers_and_names_stay_as_they_are_in_csv(value: object) -> None:
    assert harmless(value) is value
