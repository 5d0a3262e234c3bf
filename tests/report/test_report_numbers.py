"""Every number on the page and in the Markdown is in report.json, and what is printed is what was counted."""

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from simkit import api
from simkit.store import Run
from tests.conftest import PROJECT

NUMBER = re.compile(r"[+\-−]?\d[\d,]*(?:\.\d+)?")


class Visible(HTMLParser):
    """The text of a page that people read: no styles, and no drawings, which have their own text."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("style", "svg", "title")
        self.parts += [str(value) for name, value in attrs if name == "aria-label" and value]

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("style", "svg", "title")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def numbers_in(text: str) -> set[str]:
    return {found.replace(",", "") for found in NUMBER.findall(text)}


def strings_in(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [text for key, value in data.items() for text in (key, *strings_in(value))]
    if isinstance(data, list):
        return [text for value in data for text in strings_in(value)]
    return [str(data)]


def reports() -> list[Path]:
    return sorted(path.parent for path in (PROJECT / "reports").rglob("report.json"))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report made now, with a section of what changed since another run."""
    folder = tmp_path_factory.mktemp("numbers")
    scenario = str(PROJECT / "scenarios" / "propuh" / "smoke.toml")
    first = api.run(api.question(scenario, playouts=2000, seed=1), out=folder / "first")
    second = api.run(api.question(scenario, playouts=3000, seed=2), out=folder / "second")
    api.report(second.folder, before=first.folder)
    return second.folder / "report"


def check(folder: Path) -> None:
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    known = numbers_in(" ".join(strings_in(data)))
    page = Visible()
    page.feed((folder / "index.html").read_text(encoding="utf-8"))
    seen = numbers_in(" ".join(page.parts))
    markdown = html.unescape((folder / "report.md").read_text(encoding="utf-8")).replace("\\", "")
    written = numbers_in(re.sub(r"\]\([^)]*\)", "]", markdown))
    assert len(seen) > 100
    assert seen <= known, sorted(seen - known)[:20]
    assert written <= known, sorted(written - known)[:20]


def test_every_number_of_page_and_markdown_is_in_the_json(fresh: Path) -> None:
    check(fresh)


@pytest.mark.parametrize("folder", reports(), ids=lambda folder: folder.name)
def test_every_number_of_the_committed_reports_is_in_their_json(folder: Path) -> None:
    check(folder)


def shown(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in re.findall(r"[+-]?\d+(?:\.\d+)?", text.replace(",", "")))


@pytest.mark.parametrize("which", ["fresh", *[str(folder) for folder in reports()]], ids=lambda which: Path(which).name)
def test_the_tables_print_what_was_counted(which: str, request: pytest.FixtureRequest) -> None:
    """The printed rows of cells, differences and endings against the unrounded numbers of the same file."""
    folder = request.getfixturevalue("fresh") if which == "fresh" else Path(which)
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    printed = data["sections"]["rates"]["tables"]["cells"]["rows"]
    assert len(printed) == len(data["cells"])
    for row, cell in zip(printed, data["cells"], strict=True):
        assert row[0] == cell["label"]
        digits = len(row[1].split()[0].split(".")[1])
        assert shown(row[1])[0] == round(100 * cell["rate"], digits)
        assert shown(row[2]) == (round(100 * cell["low"], digits), round(100 * cell["high"], digits))
        assert shown(row[4])[0] == cell["playouts"]
        assert cell["low"] <= cell["rate"] <= cell["high"]
        assert cell["rate"] == pytest.approx(cell["wins"] / cell["playouts"], abs=1e-14)
    if "changes" in data["sections"]:
        printed = data["sections"]["changes"]["tables"]["differences"]["rows"]
        playouts = data["playouts"]
        told = data["differences"]
        if len(printed) < len(told):  # seats alike: tables of several policies are told as shares, not here
            mixed = {cell["cell"] for cell in data["cells"] if len(set(cell["policies"].split(" / "))) > 1}
            told = [found for found in told if found["cell"] not in mixed]
        for row, found in zip(printed, told, strict=True):
            value, low, high = shown(row[2])
            unit = 10 ** -len(row[2].split()[0].split(".")[1])
            assert value == pytest.approx(100 * found["difference"], abs=0.501 * unit)
            assert low == pytest.approx(100 * found["family_low"], abs=0.501 * unit)
            assert high == pytest.approx(100 * found["family_high"], abs=0.501 * unit)
            assert found["difference"] == pytest.approx(
                (found["only_here"] - found["only_there"]) / playouts, abs=1e-14
            )
    for cell in data["cells"]:
        assert sum(r["count"] for r in data["end_reasons"] if r["cell"] == cell["cell"]) == cell["playouts"]


def test_before_and_after_is_right_for_shared_and_for_separate_deals(tmp_path: Path) -> None:
    """The same run twice: no difference and no width. Other seeds: a width like that of independent playouts."""
    scenario = str(PROJECT / "scenarios" / "propuh" / "smoke.toml")

    def since(a: Run, b: Run) -> list[dict[str, Any]]:
        from simkit.report.build import gathered
        from simkit.report.sections.since import changed

        return changed(gathered(a), gathered(b)).to_dict("records")

    one = api.run(api.question(scenario, playouts=3000, seed=1), out=tmp_path / "one")
    two = api.run(api.question(scenario, playouts=3000, seed=2), out=tmp_path / "two")
    assert all(row["low"] == row["difference"] == row["high"] == 0 for row in since(one, one))
    for row in since(one, two):
        independent = (sum(row[n] * (1 - row[n]) for n in ("before", "after")) / 3000) ** 0.5
        assert 0.75 < (row["high"] - row["low"]) / (2 * 1.998 * independent) < 1.3
        assert abs(row["difference"]) < 4.5 * independent


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("seat_gap > 2", 3),
        ("seat_gap > 99", 0),
        ("lowest_rate < 50", 3),
        ("truncated > 0", 0),
        ("largest_change >= 10", 3),
    ],
)
def test_a_gate_fails_only_when_it_is_sure(
    fresh: Path, condition: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    from simkit.cli import run

    assert run(["report", str(fresh.parent), "--out", "gate", "--fail-if", condition]) == code
    assert (condition in capsys.readouterr().err) is (code == 3)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("seat gap > 2", "expected NAME > NUMBER"),
        ("seatgap > 2", "did you mean seat_gap?"),
        ("target_gap > 1", "is not known"),
    ],
)
def test_a_gate_that_cannot_be_read_is_told(
    fresh: Path, condition: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from simkit.cli import run

    assert run(["report", str(fresh.parent), "--fail-if", condition]) == 2
    assert expected in capsys.readouterr().err
