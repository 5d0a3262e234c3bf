"""The page in a real browser: it loads without a network, fits a phone, prints, and can be used with the keyboard."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit import api
from tests.conftest import PROJECT

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(BROWSER is None and not os.environ.get("CI"), reason="no Chromium on this machine")

SCREENS = {"desktop": (1280, 900), "tablet": (820, 1100), "phone": (390, 844)}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    scenario = PROJECT / "scenarios" / "propuh" / "policies.toml"
    run = api.run(api.question(str(scenario), playouts=2000), out=folder / "run", tally_only=True)
    return api.report(run.folder)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=quiet)
        yield started
        started.close()


@pytest.fixture(params=SCREENS)
def page(request: pytest.FixtureRequest, browser: Any, page_file: Path) -> Iterator[Any]:
    """The page open on a screen of each size; what it complains of and what it asks for is kept in `said` and `asked`."""
    width, height = SCREENS[request.param]
    opened = browser.new_page(viewport={"width": width, "height": height})
    opened.said, opened.asked = [], []
    opened.on("console", lambda message: opened.said.append(message.text))
    opened.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.on("request", lambda wanted: opened.asked.append(wanted.url))
    opened.goto(page_file.as_uri())
    yield opened
    opened.close()


def test_it_loads_nothing_and_complains_of_nothing(page: Any, page_file: Path) -> None:
    assert page.asked == [page_file.as_uri()]
    assert page.said == []
    assert page.title() == "Propuh: who wins, and how hard is the solo game?"


def test_it_fits_the_screen(page: Any) -> None:
    """Only tables and drawings scroll sideways, within themselves."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator(".card").count() >= 5
    for card in page.locator(".card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"] + 1
        assert card.evaluate("c => c.scrollWidth <= c.clientWidth + 1")


def test_every_drawing_is_seen_and_has_words(page: Any) -> None:
    drawings = page.locator("figure .drawing").all()
    assert len(drawings) >= 5
    for drawing in drawings:
        box = drawing.locator("svg").bounding_box()
        assert box is not None
        assert box["width"] > 250
        assert box["height"] > 80
        assert len(drawing.get_attribute("aria-label") or "") > 40


def test_it_can_be_used_with_the_keyboard(page: Any) -> None:
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.textContent === 'Skip to the report'")
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")
    summary = page.locator("details:not([open]) > summary").first.element_handle()
    summary.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("s => s.parentElement.open", arg=summary)


def test_text_has_enough_contrast(page: Any) -> None:
    """WCAG 2.2 asks for 4.5 to 1 for text; colours are read from the page as drawn."""
    ratio = """element => {
      const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      let back = element; while (getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)' && back.parentElement) back = back.parentElement;
      const behind = getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)' ? 1 : light(getComputedStyle(back).backgroundColor);
      const [a, b] = [light(getComputedStyle(element).color), behind].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05); }"""
    for selector in (
        "p.honesty",
        ".card p",
        ".card .icon",
        ".card a",
        "figcaption",
        "caption",
        "td",
        "nav a",
        ".notes li",
    ):
        for element in page.locator(selector).all()[:6]:
            assert element.evaluate(ratio) >= 4.5, selector


def test_links_lead_somewhere(page: Any) -> None:
    for link in page.locator("a[href^='#']").all():
        target = link.get_attribute("href")
        assert page.locator(str(target)).count() == 1


def test_it_prints(browser: Any, page_file: Path, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(page_file.as_uri())
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("figure").first.is_visible()
    page.pdf(path=str(tmp_path / "page.pdf"), format="A4")
    assert (tmp_path / "page.pdf").stat().st_size > 20_000
    page.close()


def test_a_screen_reader_finds_the_structure(page: Any) -> None:
    levels = page.locator("h1, h2").evaluate_all("all => all.map(h => h.tagName)")
    assert levels[0] == "H1"
    assert levels.count("H1") == 1
    assert page.locator("main").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("table").count() == page.locator("table > caption").count()
    assert page.locator("thead th:not([scope=col])").count() == 0
