"""Many readings at once: random combinations of open rulings on the same deals. How many of them keep a verdict, and which
ruling do the flips go with?
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit import api
from simkit.answers import bars, curve
from simkit.answers.answer import Answer, Shown, names_of, played
from simkit.answers.audit import judging
from simkit.answers.axes import Axes, across, refusal
from simkit.answers.difference import NOISE, PEOPLE, Rate
from simkit.answers.effects import Block, blocks, rates_of
from simkit.answers.sensitivity import table_of
from simkit.answers.setting import EVEN, Setting
from simkit.answers.verdicts import FLIPS, OPEN, Fate, Told, fate, same_outcomes, spoken, unsettled, verdicts
from simkit.errors import OptionError
from simkit.kernel.plain import Stream, derive
from simkit.scenario.grid import sha256, show_value
from simkit.scenario.load import load_box
from simkit.scenario.validate import CellEntry, Grid, LineUp
from simkit.spec import Value
from simkit.stats.intervals import rate_difference, rate_interval
from simkit.stats.multiplicity import family_wise_level
from simkit.summary import words
from simkit.summary.counts import LEVEL

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

MOST = 1000  # combinations
DRAWS = 0x6D756C7469  # child of the seed that combinations are drawn from
TRIES = 100  # draws of a combination until one can be played

Combination = dict[str, Value]


@dataclass(frozen=True)
class Drawn:
    """One combination with one line-up: how often it was drawn, and what came of it."""

    cell: int
    options: Combination
    times: int
    rate: Rate
    fate: Fate


@dataclass(frozen=True)
class World:
    """One line-up."""

    block: Block
    before: Told
    told: dict[int, Told]
    drawn: tuple[Drawn, ...]


@dataclass(frozen=True)
class With:
    """How often verdicts flip with a value, and without it. `low`, `high` hold together for all values of a line-up."""

    change: str
    flips: tuple[int, int]  # with, without
    drawn: tuple[int, int]  # combinations whose fate is known
    difference: float
    low: float
    high: float


def multiverse(
    setting: Setting,
    number: int,
    named: Sequence[str] = (),
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> Answer:
    """`number` random combinations of all open rulings (or of the options named), every value equally likely.

    raises : UserError for anything wrong, also if there is nothing to combine
    """
    api.check_range("--multiverse", number, 2, MOST)
    axes = across(setting, named, ("ruling",))
    drawn = combinations(setting, axes, number)
    title = f"{setting.spec.title}: how many readings of the rules keep the verdict?"
    recipe, tallies = played(
        question(setting, [options for options, _ in drawn.values()], title), out, resume, jobs, progress
    )
    told = verdicts(recipe, tallies, axes.names)
    rates = rates_of(recipe, tallies)
    same = same_outcomes(recipe, tallies)
    worlds = []
    for block, group in zip(blocks(recipe, tallies), recipe.groups, strict=True):
        first, *others = group.cells
        now = key(setting.rules)
        cells = {now: first, **dict(zip([k for k in drawn if k != now], others, strict=True))}
        found = tuple(
            Drawn(cells[k], options, times, rates[cells[k]], fate(told[first], told[cells[k]], cells[k] in same))
            for k, (options, times) in drawn.items()
        )
        worlds.append(World(block, told[first], told, found))
    return Answer(
        name=names_of(["multiverse", setting.name]),
        title=f"{title} {table_of(setting, recipe)}",
        tables=tuple(table for world in worlds for table in tables(axes, world, setting)),
        lines=(*(line for world in worlds for line in sentences(axes, world, setting)), *axes.left_out,
               *notes(setting, worlds, len(drawn))),
        rows=tuple(row for world in worlds for row in rows(axes, world)),
        files=bars.files(picture(setting, worlds, f"{title} {number} combinations")),
    )  # fmt: skip


# --- drawing combinations ---------------------------------------------------------------------------------------


def combinations(setting: Setting, axes: Axes, number: int) -> dict[str, tuple[Combination, int]]:
    """The different combinations among `number` draws with how often each was drawn, by key.

    Draw i depends on the seed, i and the names of the options alone: more draws begin with the same ones. Options that
    do not matter in a combination are set back, so that combinations with the same rules are one.
    raises : OptionError if none that can be played is found
    """
    box = load_box(setting.spec, setting.box)
    times: Counter[str] = Counter()
    found: dict[str, Combination] = {}
    for i in range(number):
        for attempt in range(TRIES):
            options = settled(setting, drawn(setting, axes, i, attempt))
            if key(options) in found or not refusal(setting, box, options):
                break
        else:
            raise OptionError(f"--multiverse: {TRIES} random combinations in a row cannot be played with this box")
        found[key(options)] = options
        times[key(options)] += 1
    return {name: (options, times[name]) for name, options in found.items()}


def drawn(setting: Setting, axes: Axes, i: int, attempt: int) -> Combination:
    """Draw number i: every value of every option equally likely, each option from a stream of its own."""
    root = derive(derive(derive(setting.seed, DRAWS), i), attempt)
    return {
        **setting.rules,
        **{
            axis.option.name: axis.values[
                Stream(derive(root, int(sha256(axis.option.name)[:15], 16))).below(len(axis.values))
            ]
            for axis in axes.axes
        },
    }


def settled(setting: Setting, options: Combination) -> Combination:
    """The options with those that do not matter set back to the rules as they are."""
    spec, rules = setting.spec, setting.rules
    while True:
        idle = [
            option.name
            for option in spec.options
            if options[option.name] != rules[option.name] and not spec.matters(option, setting.players, options)
        ]
        if not idle:
            return options
        options = {**options, **{name: rules[name] for name in idle}}


def key(options: Combination) -> str:
    return sha256(options)


def question(setting: Setting, drawn: Sequence[Combination], title: str) -> api.Question:
    """A group of cells for each line-up: the rules as they are, then the combinations that differ from them."""

    def entry(line_up: LineUp, label: str, options: Combination) -> CellEntry:
        return CellEntry(
            label=label, players=setting.players, preset=setting.preset, policies=line_up, options=dict(options)
        )

    others = [options for options in drawn if options != setting.rules]
    grids = [
        Grid(
            cells=[
                entry(line_up, "", setting.rules),
                *(entry(line_up, f"reading {i}", options) for i, options in enumerate(others, 1)),
            ]
        )
        for line_up in setting.line_ups
    ]
    return setting.question(
        grids, title, "Does a verdict depend on how all open points of the rules are read together?"
    )


# --- what came of them ------------------------------------------------------------------------------------------


def share(times: int, of: int) -> str:
    """'84 % (77 to 90)': a part of the combinations that were drawn."""
    low, high, _ = rate_interval(times, of, LEVEL)
    return f"{100 * times / of:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def times_of(world: World, fate: str) -> int:
    return sum(one.times for one in world.drawn if one.fate.word == fate)


def total(world: World) -> int:
    return sum(one.times for one in world.drawn)


def going_with(axes: Axes, world: World, setting: Setting) -> list[With]:
    """What flips go with: each value other than that of the rules as they are, against the other values of its option, in
    the combinations in which the option matters; the largest first.
    """
    spec, players = setting.spec, setting.players
    found = []
    values = [
        (axis.option, value) for axis in axes.axes for value in axis.values if value != setting.rules[axis.option.name]
    ]
    level = family_wise_level(LEVEL, len(values))
    for option, value in values:
        flips, drawn = [0, 0], [0, 0]
        for one in world.drawn:
            if one.fate.word == OPEN or not spec.matters(option, players, one.options):
                continue
            side = int(one.options[option.name] != value)
            drawn[side] += one.times
            flips[side] += one.times * (one.fate.word == FLIPS)
        if all(drawn):
            ends = rate_difference(flips[0], drawn[0], flips[1], drawn[1], level)
            change = f"{option.name} = {show_value(value)}"
            found.append(With(change, (flips[0], flips[1]), (drawn[0], drawn[1]), *ends))
    return sorted(found, key=lambda each: -abs(each.difference))


def sure(found: Sequence[With]) -> list[With]:
    return [each for each in found if each.low > 0 or each.high < 0]


def tables(axes: Axes, world: World, setting: Setting) -> Iterator[Shown]:
    """Each verdict with the share of the combinations that come to it; then what flips go with."""
    block, everything = world.block, total(world)
    rows = []
    for judged, (what, before) in world.before.items():
        words_of: Counter[str] = Counter()
        for one in world.drawn:
            words_of[world.told[one.cell][judged][1]] += one.times
        for word, times in words_of.most_common():
            mark = "as the rules are read now" if word == before else ""
            rows.append((what, word, share(times, everything), mark))
    columns = ("judged", "verdict", "combinations", "")
    kept = [i for i in range(4) if any(row[i] for row in rows)]
    yield Shown(
        f"{block.who}: {block.measure} {words.rate(*block.before)} as the rules are read now",
        tuple(columns[i] for i in kept),
        tuple(tuple(row[i] for i in kept) for row in rows),
        ("combinations",),
    )
    if found := sure(going_with(axes, world, setting)):
        columns = ("flips go with", "flip with it", "flip without it", "difference")
        yield Shown(
            "",
            columns,
            tuple(
                (
                    each.change,
                    f"{each.flips[0]} of {each.drawn[0]}",
                    f"{each.flips[1]} of {each.drawn[1]}",
                    words.points(each.difference, each.low, each.high),
                )
                for each in found
            ),
            columns[1:],
        )


def sentences(axes: Axes, world: World, setting: Setting) -> Iterator[str]:
    flips, unsure, everything = times_of(world, FLIPS), times_of(world, OPEN), total(world)
    who, rates = world.block.who, [100 * one.rate[0] for one in world.drawn]
    told = f"{who}: {share(everything - flips - unsure, everything)} of {everything} combinations keep the verdict"
    told += f", {share(flips, everything)} flip it" if flips else ", none flips it"
    told += f", {share(unsure, everything)} cannot be told yet" if unsure else ""
    yield f"{told}; {world.block.measure} {min(rates):.1f} to {max(rates):.1f} %."
    yield from unsettled(who, world.before)
    if not flips:
        return
    found = sure(going_with(axes, world, setting))
    if found:
        top = found[0]
        with_, without = (100 * flips / drawn for flips, drawn in zip(top.flips, top.drawn, strict=True))
        yield f"{who}: flips go with {top.change} most of all: {with_:.0f} % flip with it, {without:.0f} % without it."
    else:
        yield f"{who}: with so few combinations it cannot be told which reading the flips go with."


def notes(setting: Setting, worlds: Sequence[World], drawn: int) -> Iterator[str]:
    number = total(worlds[0])
    if drawn < number:
        yield f"The {number} draws are {drawn} different combinations; each counts as often as it was drawn."
    yield judging(setting, worlds[0].before)
    yield (
        "Ranges of shares say how far all combinations may differ from those drawn, every value equally likely. A verdict "
        "flips only where it is sure under both readings."
    )
    yield f"{NOISE}. {PEOPLE}"


def rows(axes: Axes, world: World) -> Iterator[dict[str, Any]]:
    """A line of the CSV file for each combination."""
    changed = {effect.cell.id: effect.found for effect in world.block.effects}
    for one in world.drawn:
        found = changed.get(one.cell)
        yield {
            "line_up": world.block.who,
            "measure": world.block.measure,
            "cell": one.cell,
            "times_drawn": one.times,
            **{axis.option.name: show_value(one.options[axis.option.name]) for axis in axes.axes},
            "rate": 100 * one.rate[0],
            "rate_low": 100 * one.rate[1],
            "rate_high": 100 * one.rate[2],
            "difference": 100 * found.difference if found else 0.0,
            "low": 100 * found.low if found else 0.0,
            "high": 100 * found.high if found else 0.0,
            "verdict": spoken(world.told[one.cell]),
            "fate": one.fate.word,
        }


def picture(setting: Setting, worlds: Sequence[World], title: str) -> Any:
    target = None
    if ("rate",) in worlds[0].before:
        middle = EVEN if setting.target is None else setting.target
        target = (middle - setting.margin, middle + setting.margin)
    panels = []
    for world in worlds:
        drawn = sorted((one for one in world.drawn for _ in range(one.times)), key=lambda one: one.rate)
        points = (curve.Point(100 * one.rate[0], 100 * one.rate[1], 100 * one.rate[2], one.fate.word) for one in drawn)
        now = 100 * world.block.before[0]
        panels.append(curve.Panel(world.block.who, tuple(points), now))
    return curve.draw(panels, f"{words.capital(worlds[0].block.measure)}, per cent", title, target)
