"""What shows that rules come into play: every clause has its entry, and everything that can be seen is seen."""

import itertools
import re

from simkit.coverage import Ending, InColumn
from simkit.engine.observe import look, watch_of
from simkit.engine.reduce import EVENTS
from simkit.engine.worker import Job, play
from simkit.scenario.grid import expand
from simkit.scenario.validate import Grid, Scenario
from simkit.spec import GameSpec
from tests.contract.sampling import boxes_module, settings

SETTINGS, PLAYOUTS = 400, 50
PRESET_PLAYOUTS = 20


def clauses(spec: GameSpec) -> set[str]:
    """The numbered clauses of parts A and B of RULES.md."""
    rules = spec.text("RULES.md").split("\n## C.")[0]
    found = re.findall(r"^(?:- )?\*\*([AB]\d+)\b", rules, re.M) + re.findall(r"^\| (B\d+) \|", rules, re.M)
    assert len(found) == len(set(found)), "a number is given twice"
    return set(found)


def test_every_clause_is_shown_or_said_not_to_be(spec: GameSpec) -> None:
    coverage = spec.coverage
    assert coverage is not None
    shown = {item.clause for item in coverage.shown}
    unseen = [item.clause for item in coverage.unseen]
    assert shown | set(unseen) == clauses(spec)
    assert not shown & set(unseen)
    assert len(unseen) == len(set(unseen))
    assert all(item.why for item in coverage.unseen)


def test_what_shows_them_is_there(spec: GameSpec) -> None:
    coverage = spec.coverage
    assert coverage is not None
    names = [item.name for item in coverage.shown]
    assert len(names) == len(set(names))
    columns = {column.name: column for column in spec.columns}
    for item in coverage.shown:
        assert all(0 <= event.code < EVENTS for event in item.events)
        if isinstance(item.by, InColumn):
            column = columns[item.by.column]
            assert column.low <= item.by.low <= column.high, item.name
        if isinstance(item.by, Ending):
            assert item.by.reason in spec.end_reasons
        for option, values in item.options.items():
            assert set(values) <= set(spec.option(option).values), item.name
        assert set(item.players) <= set(spec.players)
    for supply in coverage.supplies:
        assert supply.used in columns or (not supply.used and supply.short), supply.name
    codes = sorted((kind.low, kind.high) for kind in coverage.decisions)
    assert all(low <= high for low, high in codes)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(codes)), "no code is of two kinds"


def test_everything_that_can_be_seen_is_seen(spec: GameSpec) -> None:
    """Over all options at random, and the presets with the usual line-ups: all but what `RARE` gives a reason for."""
    assert spec.coverage is not None
    jobs = [(s.job, s.players, s.options, s.rules, PLAYOUTS) for s in settings(spec, SETTINGS, seed=51, costly=False)]
    for preset in spec.presets:
        recipe = expand(Scenario(game=spec.name, name=preset, grid=[Grid(presets=preset)]), "")
        cell = recipe.cells[-1]
        job = Job.of(recipe, cell)
        jobs.append((job, cell.players, cell.options, job.rules, PRESET_PLAYOUTS))
    seen = set()
    for job, players, options, rules, playouts in jobs:
        found = dict(zip(watch_of(spec.name).clauses, look(job, 0, playouts).clauses[0].tolist(), strict=True))
        columns = play(job, 0, playouts, playouts).columns
        for item in spec.coverage.shown:
            if item.name not in seen and item.is_possible(players, options, rules):
                if isinstance(item.by, InColumn):
                    values = columns[item.by.column]
                    happened = ((values >= item.by.low) & (values <= item.by.high)).any()
                elif isinstance(item.by, Ending):
                    happened = (columns["end_reason"] == spec.end_reasons.index(item.by.reason)).any()
                else:
                    happened = found[item.name] > 0
                seen |= {item.name} if happened else set()
    rare = getattr(boxes_module(spec.name), "RARE", {})
    assert {item.name for item in spec.coverage.shown} - seen == set(rare)
    assert all(rare.values())


def test_every_decision_is_of_one_kind(spec: GameSpec) -> None:
    assert spec.coverage is not None
    counted = {kind.name: 0 for kind in spec.coverage.decisions}
    for setting in settings(spec, SETTINGS, seed=52, costly=False):
        found = look(setting.job, 0, 5)
        assert found.decisions[:, 1].sum() == found.measures[:, 0].sum(), setting
        for kind, counts in zip(spec.coverage.decisions, found.decisions.tolist(), strict=True):
            counted[kind.name] += counts[1]
    assert all(counted.values()), counted
