"""What a game says exactly of its own playouts holds, for any options and boxes: the controls of reports rest on it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from simkit.engine.worker import NEVER, Bench, Job, play
from simkit.exact import Chance, Law
from simkit.kernel.jit import quiet_wraparound
from simkit.scenario.grid import Cell, Group, Recipe
from simkit.spec import Column, GameSpec
from simkit.summary.controls import controls
from tests.contract.sampling import Setting, settings

PLAYOUTS = 40


def recipe_of(setting: Setting, replicates: int = 1) -> Recipe:
    """A recipe of one cell that plays the setting."""
    spec = setting.spec
    cell = Cell(0, 0, "", setting.players, "", setting.options, setting.policies)
    group = Group("", (0,), ())
    return Recipe(
        spec.name, spec.rules_version, setting.seed, replicates, spec.is_alike and setting.players < 4, setting.box,
        (cell,), (group,),
    )  # fmt: skip


@quiet_wraparound
def rows_of(setting: Setting) -> tuple[Any, Any]:
    bench = Bench.of(setting.spec.name, setting.players, PLAYOUTS)
    kernel = setting.spec.module("entry").play
    kernel(setting.rules, setting.job.table, 0, bench.state, bench.streams, bench.rows, bench.players, NEVER)
    return bench.rows, bench.players


def at_an_end(column: Column, values: Any) -> Any:
    """Where a column may hide more than it counts."""
    return (column.high > 1) & ((values == column.high) | ((values == column.low) & (column.low < 0)))


def term(spec: GameSpec, rows: Any, players: Any, name: str) -> tuple[Any, Any]:
    """A term of a law by playout, and whether it is at an end of what is counted."""
    if name == "opening_cards":
        masks = players.opening_cards.astype(np.int64) & (2**31 - 1)
        return np.bitwise_count(masks).sum(axis=1).astype(int), np.zeros(len(rows), bool)
    if name.startswith("player."):
        column = next(c for c in spec.player_columns if c.name == name.removeprefix("player."))
        values = players[column.name].astype(int)
        return values.sum(axis=1), at_an_end(column, values).any(axis=1)
    if "=" in name:
        field, word = name.split("=")
        column = next(c for c in spec.columns if c.name == field)
        return (rows[field] == column.words.index(word)).astype(int), np.zeros(len(rows), bool)
    column = next(c for c in spec.columns if c.name == name)
    values = rows[name].astype(int)
    return values, at_an_end(column, values)


def laws_of(setting: Setting) -> Iterator[Law]:
    yield from setting.spec.module("exact").laws(setting.options, setting.box, setting.players)


def test_laws_hold_in_every_playout(spec: GameSpec) -> None:
    seen = set()
    for setting in settings(spec, 60, seed=41, costly=False):
        rows, players = rows_of(setting)
        whole = rows.end_reason != 0
        for law in laws_of(setting):
            seen.add(law.name)
            terms = [(term(spec, rows, players, name), weight) for name, weight in law.terms]
            total = sum(weight * values for (values, _), weight in terms)
            told = np.logical_or.reduce([end for (_, end), _ in terms])
            assert (total[whole & ~told] == law.total).all(), (law.name, str(setting))
    assert len(seen) >= 4


def test_chances_are_chances(spec: GameSpec) -> None:
    """Values of one column that exclude each other add up to 1 where all are named; a card is dealt to somebody or not."""
    for setting in settings(spec, 30, seed=42, costly=False):
        known: list[Chance] = list(spec.module("exact").chances(setting.options, setting.box, setting.players))
        assert known
        assert all(0 <= chance.exact <= 1 for chance in known)
        keys = [(chance.of, chance.column, value) for chance in known for value in chance.values]
        assert len(keys) == len(set(keys)), "every value is told of once"
        for column in {chance.column for chance in known if chance.of != "card"}:
            assert sum(chance.exact for chance in known if chance.column == column) <= 1


def test_controls_hold_for_any_options_and_boxes(spec: GameSpec) -> None:
    """Also where deals are replayed and policies change seats. The seed is fixed; each setting had a chance of 1 in 10,000."""
    seen: set[str] = set()
    for i, setting in enumerate(settings(spec, 24, seed=43, costly=False)):
        recipe = recipe_of(setting, replicates=1 + i % 2)
        per_deal = recipe.replicates * recipe.rotations(recipe.cells[0])
        playouts = 600 * per_deal
        tally = play(Job.of(recipe, recipe.cells[0]), 0, playouts).tally
        found = controls(recipe, [playouts], tally.frame().with_columns(cell=pl.lit(0, pl.Int32)), {})
        assert not found["is_off"].any(), (str(setting), found[found["is_off"]].to_string())
        seen |= set(found["kind"])
    assert {"counts", "chances"} <= seen


def test_every_pair_of_policies_is_one_of_the_game(spec: GameSpec) -> None:
    names = {policy.name for policy in spec.policies}
    stronger = spec.module("exact").STRONGER
    assert stronger
    assert all({pair.policy, pair.against} <= names for pair in stronger)
