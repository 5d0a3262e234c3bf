"""How games go, and which rules come into play: the tables are what the observed sample and the rows say."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simkit import api, games
from simkit.engine.observe import look
from simkit.engine.reduce import MEASURES, NOT_DEFINED
from simkit.engine.worker import Job
from simkit.report.build import build, gathered
from simkit.report.cards.rest import alerts, length
from simkit.report.sections import feel as feel_section
from simkit.report.sections import rules as rules_section
from simkit.report.sections import supplies as supplies_section
from simkit.spec import WHOLE
from simkit.stats.leads import leader_by_luck
from simkit.store import Run
from simkit.summary import feel, rules
from tests.conftest import PROJECT

PLAYOUTS = 1200


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Granny Wars for four: scores, several against each other."""
    asked = api.question("granny_wars", playouts=PLAYOUTS, players=4, policies={"all": "random"})
    return api.run(asked, out=tmp_path_factory.mktemp("feel") / "run")


@pytest.fixture(scope="module")
def solo(tmp_path_factory: pytest.TempPathFactory) -> Run:
    asked = api.question("propuh", playouts=600, preset="solo-2", policies={"granny": "builder"})
    return api.run(asked, out=tmp_path_factory.mktemp("solo") / "run")


def observed(run: Run) -> pl.DataFrame:
    found = run.observed()
    assert found is not None
    return found


def test_means_and_shares_are_those_of_the_traces(run: Run) -> None:
    recipe = run.recipe
    row = feel.feel(recipe, observed(run)).iloc[0]
    found = look(Job.of(recipe, recipe.cells[0]), 0, 1000)
    mine = {name: found.measures[:, i] for i, name in enumerate(MEASURES)}
    assert row["playouts"] == 1000
    assert not row["alone"]
    assert row["decisions"] == pytest.approx(mine["decisions"].mean())
    assert row["forced"] == pytest.approx(1 - mine["real_decisions"].sum() / mine["decisions"].sum())
    assert row["choices"] == pytest.approx(2 ** (mine["choice_bits"].sum() / 1e6 / mine["decisions"].sum()))
    assert row["wait"] == pytest.approx(mine["waited"].sum() / mine["waits"].sum())
    assert row["lead_changes"] == pytest.approx(mine["lead_changes"].mean())
    assert row["comeback"] == pytest.approx(mine["comeback"].mean())
    for name in ("behind", "decided", "tied"):
        assert row[name] == pytest.approx(mine[name].mean() / 1000)
    for part in (25, 50, 75):
        led = mine[f"leader_{part}"] != NOT_DEFINED
        assert row[f"led_{part}"] == pytest.approx(led.mean())
        assert row[f"leader_{part}"] == pytest.approx(mine[f"leader_{part}"][led].mean() / WHOLE)
        assert row[f"luck_{part}"] == leader_by_luck(4, part / 100)
    for name in feel.FIGURES:
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"], name


def test_ranges_of_means_are_as_wide_as_they_should_be(run: Run) -> None:
    """One deal a playout, so the blocks must give about the error of independent playouts: within a third."""
    row = feel.feel(run.recipe, observed(run)).iloc[0]
    changes = look(Job.of(run.recipe, run.recipe.cells[0]), 0, 1000).measures[:, MEASURES.index("lead_changes")]
    expected = 2 * 1.998 * changes.std(ddof=1) / np.sqrt(1000)
    assert row["lead_changes_high"] - row["lead_changes_low"] == pytest.approx(expected, rel=0.33)


def test_who_is_far_behind_has_hardly_a_chance(run: Run) -> None:
    hope = feel.hope(run.recipe, observed(run))
    assert hope["time"].tolist() == pytest.approx([0.05 + 0.1 * i for i in range(10)])
    assert hope["share"].iloc[0] == 0
    assert 0 < hope["share"].iloc[-1] < 0.75, "somebody wins"
    assert (hope["low"] <= hope["share"]).all()
    assert (hope["share"] <= hope["high"]).all()


def test_kinds_of_decisions_make_up_the_game(run: Run) -> None:
    kinds = feel.decision_kinds(run.recipe, observed(run))
    assert kinds["per_playout"].sum() == pytest.approx(feel.feel(run.recipe, observed(run))["decisions"].iloc[0])
    assert kinds.set_index("kind").loc["play", "playouts"] == 1
    assert (kinds["choices"] >= 1).all()


def test_one_alone_has_no_lead_but_may_lose_hope(solo: Run) -> None:
    row = feel.feel(solo.recipe, observed(solo)).iloc[0]
    assert row["alone"]
    assert np.isnan(row["lead_changes"])
    assert np.isnan(row["leader_50"])
    assert 0 <= row["no_return"] <= 1
    found = feel_section.section(gathered(solo))
    assert not any("lead" in answer for answer in found.answers)
    assert any("chance above 10 %" in answer for answer in found.answers)


def test_coverage_counts_playouts_and_only_where_things_can_happen(run: Run) -> None:
    counted = rules.coverage(run.recipe, run.tallies(), observed(run)).set_index("what")
    assert counted.loc["a negative score wins", "playouts"] == PLAYOUTS, "columns are counted over all playouts"
    rows = run.scan("playouts").collect()
    assert counted.loc["a negative score wins", "having"] == (rows["winning_score"] < 0).sum()
    assert counted.loc["a card bounces", "playouts"] == 1000
    first = rows.filter(pl.col("playout") < 1000)
    assert counted.loc["a card bounces", "having"] == (first["bounces"] > 0).sum()
    assert counted.loc["a card bounces", "times"] == first["bounces"].sum()
    assert counted.loc["a card is stolen", "times"] == first["steals"].sum()
    assert "a stolen card is kept" not in counted.index, "needs another option"


def test_supplies_are_those_of_the_rows(tmp_path: Path) -> None:
    asked = api.question("prrrt", playouts=500, players=7, policies={"all": "silent"})
    run = api.run(asked, out=tmp_path / "run")
    counted = rules.supplies(run.recipe, run.tallies()).set_index("supply")
    rows = run.scan("playouts").collect()
    assert counted.loc["Shame cards", "size"] == 64
    assert counted.loc["Shame cards", "used"] == rows["shame_drawn"].max()
    assert counted.loc["Shame cards", "spare"] == 64 - rows["shame_drawn"].max()
    assert counted.loc["Shame cards", "short"] == (rows["shame_missing"] > 0).sum()
    assert counted.loc["Location cards", "short"] == (rows["rounds"] == 10).sum()
    section = supplies_section.section(gathered(run))
    assert section is not None
    assert any(f"no game used more than {rows['shame_drawn'].max()} of 64" in answer for answer in section.answers)


def test_what_never_happens_is_an_alert_with_a_bound(run: Run) -> None:
    evidence = gathered(run)
    assert evidence.observed is not None
    without = evidence.observed.coverage.copy()
    without["having"] = without["having"].clip(lower=1)
    everything = replace(evidence, observed=replace(evidence.observed, coverage=without))
    assert not list(rules_section.alerts(everything))
    without.loc[without["what"] == "a card bounces", ["having", "times"]] = 0
    changed = replace(evidence, observed=replace(evidence.observed, coverage=without))
    sentence = "Never came into play: A4 (a card bounces) in 1,000 games, so surely in fewer than 1 of 334."
    assert list(rules_section.alerts(changed)) == [sentence]
    assert sentence in alerts(changed).sentences
    found = rules_section.section(changed)
    assert found is not None
    assert any(answer.startswith("Never: A4 (a card bounces)") for answer in found.answers)


def test_a_card_that_is_never_played_is_told(run: Run) -> None:
    evidence = gathered(run)
    card = evidence.cards["card"].iloc[0]
    cards = evidence.cards.copy()
    cards.loc[cards["card"] == card, "played_players"] = 0
    assert f"Held by somebody and never played: {card}." in list(rules_section.alerts(replace(evidence, cards=cards)))


def test_the_length_card_says_when_it_is_settled(run: Run) -> None:
    sentences = length(gathered(run)).sentences
    assert any(
        sentence.startswith("After ") and "nobody but the winner leads any more" in sentence for sentence in sentences
    )


def test_hidden_leads_and_losers_are_spoken_of_as_such(run: Run) -> None:
    assert any("Players cannot see this lead" in note for note in feel_section.section(gathered(run)).notes)
    asked = api.question("pug_you", playouts=300, players=5, policies={"all": "strategic"})
    section = feel_section.section(gathered(api.run(asked, out=Path("pug"))))
    assert any("who has the most changes" in answer and "the loser for good" in answer for answer in section.answers)
    assert not any("leads alone" in answer for answer in section.answers)


def test_a_game_that_does_not_say_how_it_stands_says_why_figures_are_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "get", lambda name, get=games.get: replace(get(name), standing=None))
    section = feel_section.section(gathered(run))
    assert any("does not say how it stands" in note for note in section.notes)
    assert section.pictures == ()
    assert len(section.answers) == 1


def test_a_run_from_before_has_one_sentence_and_no_rules(run: Run, tmp_path: Path) -> None:
    """Reported as ever, and told how to get what is missing; extending it adds it and plays nothing again."""
    asked = api.question(str(PROJECT / "scenarios" / "propuh" / "smoke.toml"), playouts=300)
    old = api.run(asked, out=tmp_path / "old")
    kept = (old.folder / "observed.parquet").read_bytes()
    (old.folder / "observed.parquet").unlink()
    del old.manifest["observed"], old.manifest["tables"]["observed.parquet"]
    old.save(force=True)
    report = build(Run.read(old.folder))
    sections = {section.name: section for section in report.sections}
    assert "rules" not in sections
    assert sections["feel"].answers == (feel_section.how_to_get_it(gathered(Run.read(old.folder))),)
    assert "simkit extend RUN --playouts 300" in sections["feel"].answers[0]
    assert "feel" not in report.numbers
    api.extend(old.folder, 300)
    again = Run.read(old.folder)
    assert (again.folder / "observed.parquet").read_bytes() == kept
    assert "rules" in {section.name for section in build(again).sections}
