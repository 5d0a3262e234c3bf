"""Which rule matters? Every option of a game changed by itself, on the same deals: a tornado for each line-up."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit import api
from simkit.answers import bars
from simkit.answers.answer import Answer, Shown, names_of, played
from simkit.answers.axes import Axes, around
from simkit.answers.difference import NOISE, PEOPLE
from simkit.answers.effects import MATTERS, NOT, OPEN, Block, Effect, blocks
from simkit.answers.setting import Setting
from simkit.scenario.grid import Recipe, show_value
from simkit.scenario.validate import Grid
from simkit.spec import Option, Value
from simkit.summary import words

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

PLAYOUTS = 100_000  # of each cell, when nothing else is asked for
RARE = 0.01


def one_at_a_time(setting: Setting, axes: Axes, title: str, question: str) -> api.Question:
    """A group of cells for each line-up: the rules as they are, and every change by itself."""
    grids = [
        Grid(
            vary="one at a time", players=setting.players, presets=setting.preset, policies=line_up,
            options={axis.option.name: list(axis.values) for axis in axes.axes}, baseline=dict(setting.options),
        )
        for line_up in setting.line_ups
    ]  # fmt: skip
    return setting.question(grids, title, question)


def sensitivity(
    setting: Setting,
    named: Sequence[str] = (),
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> Answer:
    """Every option, or those named ('option' or 'option=value,value'), one at a time.

    raises : UserError for anything wrong, also if there is nothing to change
    """
    axes = around(setting, named)
    title = f"{setting.spec.title}: which rule matters?"
    asked = one_at_a_time(setting, axes, title, "What does every option do by itself?")
    recipe, tallies = played(asked, out, resume, jobs, progress)
    found = list(blocks(recipe, tallies))
    return Answer(
        name=names_of(["sensitivity", setting.name]),
        title=f"{title} {table_of(setting, recipe)}",
        tables=tuple(shown(block) for block in found),
        lines=(*lines(recipe, found), *axes.left_out, *notes(found)),
        rows=tuple(row for block in found for row in rows(setting, block)),
        files=bars.files(picture(setting, found, title)),
    )


def table_of(setting: Setting, recipe: Recipe) -> str:
    """'2 players, the same 100,000 deals for every change, seed 1'."""
    table = setting.preset or (f"{setting.players} players" if setting.players > 1 else "solo")
    return f"{table}, the same {setting.playouts:,} deals for every change, seed {recipe.seed}"


def changed(effect: Effect, options: Sequence[Option]) -> Iterator[tuple[Option, Value]]:
    """The options in which a cell differs from what it is held against."""
    for option in options:
        if effect.cell.options[option.name] != effect.against.options[option.name]:
            yield option, effect.cell.options[option.name]


def title_of(block: Block) -> str:
    """'builder / blocker: Granny wins 49.12 % (48.81 to 49.43) with the rules as they are'."""
    return f"{block.who}: {block.measure} {words.rate(*block.before)} with the rules as they are"


def shown(block: Block) -> Shown:
    names = ("change", "points more or less", "range of all together", "verdict")
    return Shown(
        title_of(block),
        names,
        tuple(
            (effect.found.change, *points(effect), effect.verdict)
            for effect in block.effects
        ),
        names[1:3],
    )  # fmt: skip


def points(effect: Effect) -> tuple[str, str]:
    """The difference and its range, in points, with as many digits as the range deserves."""
    found = effect.found
    digits = words.decimals(50 * (found.high - found.low))
    return f"{100 * found.difference:+.{digits}f}", f"{100 * found.low:+.{digits}f} to {100 * found.high:+.{digits}f}"


def lines(recipe: Recipe, found: Sequence[Block]) -> Iterator[str]:
    """For each line-up how many changes matter, and which most of all; then options on which the line-ups disagree."""
    for block in found:
        if min(block.before[0], 1 - block.before[0]) < RARE:
            often = "almost never" if block.before[0] < RARE else "almost always"
            yield f"{block.who}: '{block.measure}' comes true {often}, so changes have little room to show."
        counts = {word: block.count(word) for word in (MATTERS, NOT, OPEN)}
        told = f"{block.who}: {counts[MATTERS]} of {len(block.effects)} changes "
        told += "matters" if counts[MATTERS] == 1 else "matter"
        told += f", {counts[NOT]} {'does' if counts[NOT] == 1 else 'do'} not" if counts[NOT] else ""
        told += f", {counts[OPEN]} cannot be told yet" if counts[OPEN] else ""
        top = block.effects[0].found
        yield f"{told}. Most of all {top.change}: {words.points(top.difference, top.low, top.high)}."
    both: dict[str, dict[str, list[str]]] = {}
    for block in found:
        for effect in block.effects:
            both.setdefault(effect.found.change, {}).setdefault(effect.word, []).append(block.who)
    torn = [change for change, by_word in both.items() if {MATTERS, NOT} <= by_word.keys()]
    if torn:
        yield (
            f"It depends on who plays whether {words.listed_words(torn)} {'matters' if len(torn) == 1 else 'matter'}: "
            "look at each line-up."
        )
    silent = [option.name for option in recipe.spec.options if option.only_policies and differs(found, option)]
    if silent:
        change = "changes" if len(silent) == 1 else "change"
        yield f"{words.listed_words(silent)} {change} no rule, only what policies may look at."


def differs(found: Sequence[Block], option: Option) -> bool:
    return any(list(changed(effect, [option])) for block in found for effect in block.effects)


def notes(found: Sequence[Block]) -> Iterator[str]:
    margin = found[0].effects[0].found.margin
    yield (
        f"A change matters if its whole range lies beyond {100 * margin:g} points, and does not if all of it lies within. The "
        "ranges of a table hold together: in 95 of 100 such tables none of them misses."
    )
    yield f"{NOISE}. {PEOPLE}"


def rows(setting: Setting, block: Block) -> Iterator[dict[str, Any]]:
    """A line of the CSV file for each change; rates and differences in per cent and points."""
    for effect in block.effects:
        found = effect.found
        for option, value in changed(effect, setting.spec.options):
            yield {
                "line_up": block.who,
                "measure": block.measure,
                "option": option.name,
                "value": show_value(value),
                "instead_of": show_value(effect.against.options[option.name]),
                "clause": option.clause,
                "open_ruling": option.ruling,
                "before": 100 * found.before[0],
                "after": 100 * found.after[0],
                "difference": 100 * found.difference,
                "low": 100 * found.low,
                "high": 100 * found.high,
                "low_alone": 100 * effect.alone[0],
                "high_alone": 100 * effect.alone[1],
                "verdict": effect.word,
                "deals": found.playouts,
            }


def picture(setting: Setting, found: Sequence[Block], title: str) -> Any:
    panels = [
        bars.Panel(
            f"{block.who}: {words.rate(*block.before)}",
            tuple(
                bars.Bar(
                    effect.found.change, 100 * effect.found.difference, 100 * effect.found.low,
                    100 * effect.found.high, effect.word == MATTERS,
                )
                for effect in block.effects
            ),
        )
        for block in found
    ]  # fmt: skip
    about = f"95 % ranges of a panel together; band: ±{setting.margin:g}"
    axis = f"{words.capital(found[0].measure)}: points more or less\n{about}"
    return bars.draw(panels, axis, f"{title} {setting.playouts:,} deals", setting.margin)
