"""The section on cards: what it shows, in which words, for games with winners and for games with losers."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest

from simkit import api
from simkit.report.build import build, files_of
from simkit.report.cards import MAX_CARDS
from simkit.report.cards import cards as verdict_cards
from simkit.report.sections import cards as section
from simkit.store import Run
from simkit.summary import words
from simkit.summary.evidence import Evidence, gather
from simkit.summary.words import OUTCOMES


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("cards")
    (folder / "cards.toml").write_text(
        'game = "granny_wars"\nplayouts = 6000\n[[grid]]\nplayers = [3, 4, 5]\npolicies = [{ all = "random" }, { all = "open" }]\n'
        '[[grid]]\nplayers = 4\npolicies = { all = "open", 2 = "random" }\n'
        '[[grid]]\nplayers = 3\nbaseline = { bounce = "off" }\n'
    )
    return api.run(api.question(str(folder / "cards.toml")), out=folder / "run", tally_only=True)


@pytest.fixture(scope="module")
def evidence(run: Run) -> Evidence:
    return gather(run.recipe, run.tallies())


def test_the_page_shows_one_player_count_with_all_ways_of_playing(evidence: Evidence) -> None:
    assert [title for title, _ in section.panels(evidence)] == [
        "4 players, all random", "4 players, all open", "4 players, open among others", "4 players, random among others",
    ]  # fmt: skip
    found = section.section(evidence)
    assert found is not None
    (table,) = found.tables
    assert len(table.rows) == 4 * 16
    assert table.data["cell"].nunique() == 8, "the CSV file has all cells"
    assert {len(row) for row in table.rows} == {len(table.columns)}


def test_sentences_name_the_best_and_the_worst_card(evidence: Evidence) -> None:
    title, rows = section.panels(evidence)[1]
    told = section.sentence(evidence, title, rows)
    best, worst = rows.loc[rows["shrunk"].idxmax()], rows.loc[rows["shrunk"].idxmin()]
    assert told.startswith(f"4 players, all open: in the opening hand, {best['card']} goes with winning more, +")
    assert f"; {worst['card']} goes with winning less, -" in told
    sure = int((rows["adjusted_p"] < 0.05).sum())
    assert sure > 3
    assert told.endswith(f"{sure} of 16 cards make a difference that chance does not explain.")
    assert words.points(best["opening_difference"], best["opening_low"], best["opening_high"]) in told


def test_losing_less_is_better(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same counts taken for losses: the same cards at the other end, told as losing more or less."""
    title, rows = section.panels(evidence)[1]
    monkeypatch.setattr(Evidence, "outcome", OUTCOMES["lost"])
    _, turned = section.panels(evidence)[1]
    assert turned["card"].tolist() == rows["card"].tolist()[::-1]
    told = section.sentence(evidence, title, turned)
    assert f"in the opening hand, {rows['card'].iloc[-1]} goes with losing less, -" in told
    assert f"; {rows['card'].iloc[0]} goes with losing more, +" in told


def changed(evidence: Evidence, **columns: object) -> Evidence:
    return replace(evidence, cards=evidence.cards.assign(**columns))


def test_nothing_is_claimed_without_evidence(evidence: Evidence) -> None:
    none = changed(evidence, adjusted_p=0.9, p_value=0.5)
    assert all("none of 16 cards" in section.sentence(none, *panel) for panel in section.panels(none))
    card = next(card for card in verdict_cards(none) if card.name == "cards")
    assert (card.state, card.word) == ("info", "none of 16")
    thin = changed(evidence, is_thin=True, adjusted_p=float("nan"))
    assert all("too few to tell" in section.sentence(thin, *panel) for panel in section.panels(thin))
    card = next(card for card in verdict_cards(thin) if card.name == "cards")
    assert (card.state, card.word) == ("unknown", "too few to tell")
    assert section.section(thin) is not None
    blind = changed(evidence, opening_low=float("nan"), opening_high=float("nan"), opening_rate_low=float("nan"))
    assert "(range not known)" in str(section.section(blind).tables[0].rows[0])  # type: ignore[union-attr]


def test_a_card_that_helps_one_and_harms_another_depends_on_who_plays(evidence: Evidence) -> None:
    table = evidence.cards.assign(p_value=1.0, adjusted_p=1.0)
    here = (table["players"] == 4) & (table["card"] == "New Hip")
    table.loc[here, ["p_value", "adjusted_p"]] = 1e-9
    table.loc[here, "opening_difference"] = [0.05, -0.05] + [0.05] * (here.sum() - 2)
    turned = replace(evidence, cards=table)
    assert section.turning(section.panels(turned)) == ["New Hip"]
    card = next(card for card in verdict_cards(turned) if card.name == "cards")
    assert (card.state, card.word) == ("depends", "depends on who plays")
    assert "It depends on who plays: New Hip helps with one way of playing and harms with another." in card.sentences
    table.loc[here, "p_value"] = 0.01  # not beyond doubt, with so many cards
    assert section.turning(section.panels(replace(evidence, cards=table))) == []


def test_eight_cards_are_enough(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is dealt gives way first, then the card on cards; the last one stays."""
    names = [card.name for card in verdict_cards(evidence)]
    assert {"links", "cards"} < set(names)
    assert names[-1] == "alerts"
    assert len(names) <= MAX_CARDS
    for least in ("links", "cards"):
        names.remove(least)
        monkeypatch.setattr("simkit.report.cards.MAX_CARDS", len(names))
        assert [card.name for card in verdict_cards(evidence)] == names


def test_games_without_cards_have_no_section() -> None:
    run = api.run(api.question("propuh", playouts=200), out=Path("run"))
    evidence = gather(run.recipe, run.tallies())
    assert section.section(evidence) is None
    assert section.panels(evidence) == []


def test_the_report_has_the_section_and_the_same_bytes_every_time(run: Run) -> None:
    first, second = (dict(files_of(build(run))) for _ in range(2))
    assert first == second
    assert b"Which cards matter?" in first["index.html"]
    assert {"figures/cards.svg", "figures/cards.png", "tables/cards.csv"} <= set(first)
    data = pd.read_csv(BytesIO(first["tables/cards.csv"]))
    assert len(data) == 16 * (6 + 2 + 1)
    assert first["tables/cards.csv"].count(b"\n") == len(data) + 1
