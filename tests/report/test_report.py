"""The report: one model for page and Markdown, ranges with every percentage, the same bytes, nothing from outside."""

import hashlib
import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest

from simkit import api
from simkit.report.build import build, write_report
from simkit.stats.intervals import wilson
from simkit.store import Run
from tests.conftest import PROJECT


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("report")
    asked = api.question(str(PROJECT / "scenarios" / "propuh" / "smoke.toml"), playouts=3000)
    done = api.run(asked, out=folder / "run")
    api.report(done.folder)
    return done


def text(run: Run, name: str) -> str:
    return (run.folder / "report" / name).read_text(encoding="utf-8")


def test_five_numbers_are_those_of_the_rows(run: Run) -> None:
    """Recomputed with DuckDB from the Parquet rows alone."""
    numbers = json.loads(text(run, "report.json"))
    rows, players = f"'{run.folder}/playouts/**/*.parquet'", f"'{run.folder}/players/**/*.parquet'"

    def one(query: str) -> float:
        return float(duckdb.sql(query).fetchall()[0][0])

    cell = {entry["cell"]: entry for entry in numbers["cells"]}
    wins = one(f"select sum(won) from {players} where cell = 1 and role = 'granny'")
    assert cell[1]["wins"] == wins
    assert cell[1]["rate"] == pytest.approx(wins / 3000, abs=1e-12)
    low, high = wilson(wins, 3000)
    assert (cell[1]["low"], cell[1]["high"]) == pytest.approx((low, high), abs=1e-12)
    exhausted = one(f"select count(*) from {rows} where cell = 0 and end_reason = 'exhaustion'")
    assert (
        next(e["count"] for e in numbers["end_reasons"] if (e["cell"], e["end_reason"]) == (0, "exhaustion"))
        == exhausted
    )
    mean = one(f"select avg(rounds) from {rows} where cell = 4")
    assert next(c["mean"] for c in numbers["columns"] if (c["cell"], c["column"]) == (4, "rounds")) == pytest.approx(
        mean, abs=1e-12
    )
    difference = one(
        f"select avg(b.granny_won) - avg(a.granny_won) from {rows} a join {rows} b on a.deal = b.deal where a.cell = 2 and b.cell = 3"
    )
    found = next(d for d in numbers["differences"] if (d["against"], d["cell"]) == (2, 3))
    assert found["difference"] == pytest.approx(difference, abs=1e-12)
    only = one(
        f"select count(*) from {rows} a join {rows} b on a.deal = b.deal where a.cell = 2 and b.cell = 3 and a.granny_won = 0 and b.granny_won = 1"
    )
    assert found["only_here"] == only


def test_page_and_markdown_say_the_same(run: Run) -> None:
    report = build(run)
    page, lines = text(run, "index.html"), text(run, "report.md")
    import html

    plain = html.unescape(page)
    for section in report.sections:
        assert section.question in plain
        for sentence in section.answers:
            assert sentence in plain
            assert sentence.replace("_", "\\_") in lines
        for table in section.tables:
            for row in table.rows:
                for value in row:
                    assert value in plain
                    assert (
                        value.replace("_", "\\_").replace("*", "\\*").replace("|", "\\|") in lines
                        or "<" in value
                        or "[" in value
                    )
    assert report.command in plain
    assert report.command in lines
    assert report.honesty in plain


def test_every_sentence_with_a_percentage_has_a_range(run: Run) -> None:
    report = build(run)
    told = [card.sentences for card in report.cards] + [section.answers for section in report.sections]
    for sentences in told:
        for sentence in sentences:
            for match in re.finditer(r"[.]\d+(?: %| points)", sentence):
                after = sentence[match.end() :]
                assert re.match(r" \([+-]?\d[\d.]* to [+-]?\d[\d.]*\)", after), sentence


def test_the_same_run_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    def sums(folder: Path) -> dict[str, str]:
        return {
            str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()
        }  # fmt: skip

    api.report(run.folder, tmp_path / "again")
    assert sums(tmp_path / "again") == sums(run.folder / "report")


class Page(HTMLParser):
    """Collects what a page would load, its ids, and its structure."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if "id" in given:
            self.ids.append(str(given["id"]))
        if tag in ("script", "link", "iframe", "img", "object", "embed"):
            self.loads.append(tag)
        for name in ("src", "xlink:href", "href"):
            if given.get(name):
                self.links.append(str(given[name]))
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))


def test_the_page_needs_nothing_from_outside(run: Run) -> None:
    page = Page()
    page.feed(text(run, "index.html"))
    assert page.loads == []
    assert all(link.startswith("#") for link in page.links)
    assert all(link[1:] in page.ids for link in page.links)
    assert len(page.ids) == len(set(page.ids))
    assert page.headings == sorted(page.headings)
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert page.tags.count("caption") == page.tags.count("table") > 3
    assert "Content-Security-Policy" in text(run, "index.html")
    assert len(text(run, "index.html")) < 3_000_000


def test_names_of_users_are_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    (tmp_path / "evil.toml").write_text(
        f'game = "propuh"\ntitle = "{evil}"\nquestion = "{evil} | **x**"\nplayouts = 200\n'
        f'[grid]\nname = "{evil}"\n[[grid.cells]]\nlabel = "{evil}"\n[[grid.cells]]\nlabel = "b"\npolicies = {{ granny = "blocker" }}\n'
    )
    done = api.run(api.question(str(tmp_path / "evil.toml")), out=tmp_path / "run")
    api.report(done.folder)
    page = text(done, "index.html")
    assert "<script" not in page.lower()
    assert "&lt;script&gt;" in page
    assert not re.search(r"(?<!\\)<script", text(done, "report.md"))


def test_the_markdown_is_as_it_was(run: Run) -> None:
    """A golden file; the command and the versions are those of the day. Rewritten by `make goldens`."""
    import os

    found = re.sub(
        r"(?m)^\| (command|kernel sources|\w+ version) \|.*$|^simkit .*$|^.*-c .*$", "", text(run, "report.md")
    )
    found = re.sub(r"- simkit: .*|(?s:## Repeat this.*)", "", found)
    golden = PROJECT / "tests" / "report" / "smoke.md"
    if os.environ.get("SIMKIT_GOLDENS"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_placeholders_are_announced_with_their_share(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any("placeholder" in warning for warning in build(run).warnings)
    monkeypatch.setattr("simkit.report.build.origins", lambda box: {"rulebook": 28, "placeholder": 12})
    assert (
        "In the box 12 of 40 values are placeholders (30 %): no number here speaks for the published game."
        in build(run).warnings
    )


@pytest.mark.parametrize(
    "folder", sorted(p.parent for p in (PROJECT / "reports").rglob("report.json")), ids=lambda p: p.name
)
def test_committed_reports_are_of_the_scenarios_as_they_are(folder: Path) -> None:
    """A committed report has the recipe of its scenario: if rules, options or seeds change, it must be made anew."""
    numbers = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    scenario = PROJECT / "scenarios" / folder.parent.name / f"{folder.name}.toml"
    asked = api.question(str(scenario))
    assert numbers["recipe"] == asked.recipe.hash
    assert numbers["playouts"] == asked.playouts


@pytest.mark.soak
def test_the_report_of_ten_million_playouts_takes_less_than_fifteen_seconds(tmp_path: Path) -> None:
    """On two cores; measured 3 to 4 seconds."""
    asked = api.question("propuh", players=2, playouts=10**7)
    run = api.run(asked, out=tmp_path / "run", tally_only=True)
    start = time.monotonic()
    write_report(run, tmp_path / "report")
    assert time.monotonic() - start < 15
