"""Verdict cards: what they say is what the interval says, and one policy's weakness is not the game's imbalance."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simkit import api
from simkit.report import cards
from simkit.report.build import gathered
from simkit.report.model import Card
from simkit.stats.intervals import wilson
from simkit.summary.evidence import Evidence

GRID = 'game = "propuh"\nplayouts = 4000\n'


def evidence(text: str) -> Evidence:
    Path("s.toml").write_text(GRID + text)
    return gathered(api.run(api.question("s.toml"), out=Path("run")))


def named(found: Evidence, name: str) -> Card:
    return next(card for card in cards.cards(found) if card.name == name)


def with_rates(found: Evidence, rates: list[float], playouts: int) -> Evidence:
    """The same evidence with other win rates."""
    wins = np.round(np.array(rates) * playouts)
    low, high = wilson(wins, np.full(len(rates), playouts))
    cells = found.cells.assign(rate=wins / playouts, low=low, high=high, wins=wins, playouts=playouts)
    return dataclasses.replace(found, cells=cells)


TWO = '[grid]\nplayers = 2\ntarget = 50\nmargin = 2\npolicies = [{ all = "random" }, { granny = "builder" }]'


@pytest.mark.parametrize(
    ("rates", "playouts", "state", "word"),
    [
        ([0.501, 0.499], 100_000, "good", "balanced"),
        ([0.51, 0.51], 100_000, "good", "balanced, with a small lean"),
        ([0.58, 0.60], 100_000, "bad", "unbalanced"),
        ([0.58, 0.40], 100_000, "depends", "depends on who plays"),
        ([0.58, 0.50], 100_000, "depends", "depends on who plays"),
        ([0.51, 0.51], 1_000, "unknown", "not enough data"),
    ],
)
def test_the_fairness_card_follows_the_intervals(rates: list[float], playouts: int, state: str, word: str) -> None:
    card = named(with_rates(evidence(TWO), rates, playouts), "fair")
    assert (card.state, card.word) == (state, word)
    assert "random / random" in " ".join(card.sentences)
    assert "builder / blocker_propuh" in " ".join(card.sentences)
    if state == "unknown":
        assert re.search(r"About [\d,]+ playouts of each would settle it", card.sentences[-1])


def test_a_single_line_up_is_an_alert() -> None:
    found = evidence('[grid]\nplayers = 2\ntarget = 50\npolicies = { all = "random" }')
    assert "Only one line-up was played: another may tell otherwise." in named(found, "fair").sentences
    assert any("Only one line-up" in sentence for sentence in named(found, "alerts").sentences)


def test_levels_out_of_order_are_told() -> None:
    found = evidence('[grid]\npresets = ["solo-3", "solo-1"]\ncompare = "neighbours"')
    card = named(found, "hard")
    assert (card.state, card.word) == ("bad", "levels out of order")
    assert "builder: solo-1 is easier than solo-3." in card.sentences
    right = evidence_of_order('["solo-1", "solo-3"]')
    assert named(right, "hard").word == "every level is harder"


def test_a_fault_of_one_policy_is_not_that_of_the_levels() -> None:
    text = '[grid]\npresets = ["solo-1", "solo-2"]\npolicies = [{ granny = "random" }, { granny = "builder" }]\ncompare = "neighbours"\nmargin = 4'
    card = named(evidence(text), "hard")
    assert (card.state, card.word) == ("depends", "levels play alike for some")
    assert "random: solo-2 plays like solo-1, within the margin." in card.sentences


def evidence_of_order(presets: str) -> Evidence:
    Path("t.toml").write_text(GRID + f'[grid]\npresets = {presets}\ncompare = "neighbours"')
    return gathered(api.run(api.question("t.toml"), out=Path("run2")))


def test_a_change_that_matters_for_one_line_up_only_turns_the_card_grey() -> None:
    found = evidence(
        '[[grid]]\nvary = "one at a time"\nplayers = 2\npolicies = { all = "random" }\noptions = { exhaustion_order = "all", deck = "all" }\n'
        '[[grid]]\nvary = "one at a time"\nplayers = 2\noptions = { exhaustion_order = "all", deck = "all" }\nmargin = 5'
    )
    card = named(found, "options")
    assert card.state == "depends"
    assert "One of them matters with one line-up and not with another." in card.sentences


def test_the_best_policies_are_found_in_the_matrix() -> None:
    text = "[grid]\nplayers = 2\npolicies = ["
    text += (
        ", ".join(
            f'{{ granny = "{g}", propuh = "{p}" }}' for g in ("random", "blocker") for p in ("random", "blocker_propuh")
        )
        + "]"
    )
    found = evidence(text)
    card = named(found, "dominant")
    assert "For granny, blocker is the best reply to every policy tried." in card.sentences
    assert card.sentences[-1].startswith("When both play it, Granny wins ")
    assert named(found, "choices").word == "they do"


def test_there_are_at_most_eight_cards_and_each_leads_to_a_section() -> None:
    from simkit.report.build import build
    from simkit.store import Run

    evidence(TWO)
    report = build(Run.read(Path("run")))
    assert len(report.cards) <= 8
    assert {card.section for card in report.cards} <= {section.name for section in report.sections}


def test_seats_of_a_game_without_roles_are_tested_for_exchangeability() -> None:
    """Propuh's seats are not alike; taken as if they were, the test must find that out, and not when they are."""
    from simkit.summary import tables

    evidence('[grid]\nplayers = 2\npolicies = { all = "random" }')
    run = api.run(api.question("s.toml"), out=Path("run"))
    tallies = run.tallies()
    recipe = run.recipe
    alike = dataclasses.replace(recipe.spec, roles=())

    class Alike:
        spec = alike
        cells = recipe.cells
        seed = 1
        replicates = 1
        rotations = recipe.rotations
        per_deal = recipe.per_deal

    found = tables.seat_tests(Alike(), tallies)  # type: ignore[arg-type]
    assert isinstance(found, pd.DataFrame)
    assert found["degrees"].tolist() == [1]
    assert found["p_value"].iloc[0] < 1e-12
    wins = tables.seats(recipe, tallies)["wins"].to_numpy()
    assert found["statistic"].iloc[0] == pytest.approx((wins[0] - wins[1]) ** 2 / wins.sum())
