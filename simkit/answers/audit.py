"""The ruling audit: every point that a rulebook leaves open, and every component with an alternative, read the other way.
How far does the headline move, and does a verdict flip?
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.answers import bars
from simkit.answers.answer import Answer, Shown, names_of, played
from simkit.answers.axes import Axes, around
from simkit.answers.difference import NOISE, PEOPLE
from simkit.answers.effects import Block, Effect, blocks
from simkit.answers.sensitivity import one_at_a_time, picture, points, rows, table_of
from simkit.answers.setting import EVEN, Setting
from simkit.answers.verdicts import FLIPS, KEEPS, OPEN, Fate, Told, fate, same_outcomes, spoken, unsettled, verdicts
from simkit.summary import words

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

MOST_TOLD = 8  # flips in sentences


@dataclass(frozen=True)
class Read:
    """One line-up with every other reading, what flips a verdict first."""

    block: Block
    before: Told
    readings: tuple[tuple[Effect, Fate], ...]


def audit(
    setting: Setting,
    named: Sequence[str] = (),
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> Answer:
    """Every open ruling and every alternative component (or the options named), one at a time.

    raises : UserError for anything wrong, also if there is nothing to read otherwise
    """
    axes = around(setting, named, ("ruling", "box"))
    title = f"{setting.spec.title}: does another reading change the verdict?"
    asked = one_at_a_time(setting, axes, title, "Does a verdict depend on how an open point of the rules is read?")
    recipe, tallies = played(asked, out, resume, jobs, progress)
    told = verdicts(recipe, tallies, axes.names)
    same = same_outcomes(recipe, tallies)
    found = [read(block, told, same) for block in blocks(recipe, tallies)]
    return Answer(
        name=names_of(["audit", setting.name]),
        title=f"{title} {table_of(setting, recipe)}",
        tables=tuple(shown(each) for each in found),
        lines=(*summary(axes, found), *axes.left_out, *notes(setting, found)),
        rows=tuple(
            {**row, **verdict_of(each, row)} for each in found for row in rows(setting, each.block)
        ),
        files=bars.files(picture(setting, [each.block for each in found], title)),
    )  # fmt: skip


def read(block: Block, told: dict[int, Told], same: set[int]) -> Read:
    found = [(each, fate(told[each.against.id], told[each.cell.id], each.cell.id in same)) for each in block.effects]
    found.sort(key=lambda each: [FLIPS, OPEN, KEEPS].index(each[1].word))
    return Read(block, told[found[0][0].against.id], tuple(found))


def shown(found: Read) -> Shown:
    block = found.block
    columns = ("reading", "points more or less", "range of all together", "verdict")
    return Shown(
        f"{block.who}: {block.measure} {words.rate(*block.before)}; {spoken(found.before)}",
        columns,
        tuple((effect.found.change, *points(effect), one.told) for effect, one in found.readings),
        columns[1:3],
    )


def verdict_of(found: Read, row: dict[str, Any]) -> dict[str, str]:
    """What a row of the CSV file says of verdicts."""
    change = f"{row['option']} = {row['value']}"
    one = next(one for effect, one in found.readings if effect.found.change == change)
    return {"verdict_before": spoken(found.before), "fate": one.word, "flips": one.told if one.flips else ""}


def summary(axes: Axes, found: Sequence[Read]) -> Iterator[str]:
    """'None of the 11 open rulings flips a verdict.', or which do; the same for components; then flip by flip."""
    rulings = [axis.option.name for axis in axes.axes if axis.option.ruling]
    others = [axis.option.name for axis in axes.axes if not axis.option.ruling]
    fates: dict[str, set[str]] = {}
    for each in found:
        for effect, one in each.readings:
            fates.setdefault(effect.found.change.partition(" = ")[0], set()).add(one.word)
    for names, kind, kinds in ((rulings, "open ruling", "open rulings"), (others, "component", "components")):
        if not names:
            continue
        flip = [name for name in names if FLIPS in fates[name]]
        unsure = [name for name in names if OPEN in fates[name] and name not in flip]
        of = f"the {len(names)} {kinds}" if len(names) > 1 else f"the one {kind}"
        if not flip:
            told = (
                f"None of {of} flips a verdict"
                if len(names) > 1
                else f"{words.capital(of)} ({names[0]}) flips no verdict"
            )
        else:
            told = f"{len(flip)} of {of} {'flips' if len(flip) == 1 else 'flip'} a verdict: {words.listed_words(flip)}"
        if unsure:
            told += "; " if flip else " as far as can be told; "
            which = "all of them" if len(unsure) == len(names) > 1 else words.listed_words(unsure)
            told += f"more playouts are needed for {which}"
        yield f"{told}."
    for each in found:
        yield from unsettled(each.block.who, each.before)
    flips = [(each, effect, one) for each in found for effect, one in each.readings if one.flips]
    for each, effect, one in flips[:MOST_TOLD]:
        yield f"{each.block.who}, {effect.found.change}: {one.told}."
    if len(flips) > MOST_TOLD:
        yield f"The other {len(flips) - MOST_TOLD} flips are in the tables."


def notes(setting: Setting, found: Sequence[Read]) -> Iterator[str]:
    yield judging(setting, found[0].before)
    yield (
        "A verdict flips only where it is sure under both readings; what lies across a limit cannot be told yet. One reading "
        "is changed at a time: --multiverse tries them together."
    )
    yield f"{NOISE}. {PEOPLE}"


def judging(setting: Setting, told: Told) -> str:
    """What verdicts are held against."""
    if ("rate",) in told:
        target = EVEN if setting.target is None else setting.target
        return f"Verdicts hold the rate against {target:g} % ± {setting.margin:g} points (--target, --margin)."
    return f"Verdicts hold every share against a fair one, ± {setting.margin:g} points (--margin)."
