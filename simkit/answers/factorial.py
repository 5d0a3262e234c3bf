"""Rules together: every combination of some options on the same deals, and how much of what differs each explains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simkit import api
from simkit.answers import bars
from simkit.answers.answer import Answer, Shown, names_of, played
from simkit.answers.axes import Axes, across
from simkit.answers.difference import NOISE, PEOPLE
from simkit.answers.effects import measure, measured
from simkit.answers.sensitivity import table_of
from simkit.answers.setting import Setting
from simkit.errors import OptionError
from simkit.scenario.grid import show_value, told_line_up
from simkit.scenario.validate import Grid
from simkit.spec import BLOCKS
from simkit.stats.factorial import Decomposition, Share, decompose
from simkit.summary import words

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

MOST_CELLS = 512  # of a line-up
WORTH_TELLING = 0.01  # of the variance
NEAR_AN_END = 0.05  # rates beyond it are split on the scale of their odds


@dataclass(frozen=True)
class Part:
    """One line-up."""

    who: str
    measure: str
    lowest: float
    highest: float
    found: Decomposition
    log_odds: bool


def factorial(
    setting: Setting,
    named: Sequence[str],
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> Answer:
    """All combinations of the options named: 'option' with all its values, or 'option=value,value'.

    raises : UserError for anything wrong, also for more than `MOST_CELLS` combinations, with the count
    """
    if not named:
        raise OptionError(
            "--factorial: name the options to combine, as in: simkit sensitivity GAME OPTION OPTION --factorial"
        )
    if setting.playouts < BLOCKS:
        raise OptionError(f"--playouts {setting.playouts}: --factorial takes {BLOCKS} and more, for its ranges")
    axes = across(setting, named)
    shape = tuple(len(axis.values) for axis in axes.axes)
    if prod(shape) > MOST_CELLS:
        raise OptionError(
            f"--factorial: {' x '.join(map(str, shape))} = {prod(shape):,} combinations of {', '.join(axes.names)}, at most "
            f"{MOST_CELLS} are played; name fewer options, or fewer values with OPTION=VALUE,VALUE"
        )
    title = f"{setting.spec.title}: which rules matter, alone and together?"
    recipe, tallies = played(question(setting, axes, title), out, resume, jobs, progress)
    credit = measured(recipe, tallies)
    parts = []
    for group in recipe.groups:
        won = np.column_stack([credit[cell][0] for cell in group.cells])
        count = np.column_stack([credit[cell][1] for cell in group.cells])
        rates = won.sum(axis=0) / count.sum(axis=0)
        log_odds = bool(rates.min() < NEAR_AN_END or rates.max() > 1 - NEAR_AN_END)
        first = recipe.cells[group.cells[0]]
        parts.append(
            Part(
                told_line_up(recipe.spec, first.policies), measure(recipe, first), float(rates.min()), float(rates.max()),
                decompose(won, count, shape, log_odds=log_odds), log_odds,
            )
        )  # fmt: skip
    return Answer(
        name=names_of(["factorial", setting.name, *axes.names]),
        title=f"{title} {table_of(setting, recipe)}",
        tables=tuple(table for part in parts for table in tables(axes, part)),
        lines=(*(line for part in parts for line in sentences(axes, part)), *axes.left_out, *notes(parts)),
        rows=tuple(row for part in parts for row in rows(axes, part)),
        files=bars.files(picture(axes, parts, f"{title} {setting.playouts:,} deals")),
    )


def question(setting: Setting, axes: Axes, title: str) -> api.Question:
    grids = [
        Grid(
            vary="product", players=setting.players, presets=setting.preset, policies=line_up, compare="none",
            options={axis.option.name: list(axis.values) for axis in axes.axes}, baseline=dict(setting.options),
        )
        for line_up in setting.line_ups
    ]  # fmt: skip
    return setting.question(grids, title, "How much of what differs does every option explain?")


def name(axes: Axes, share: Share) -> str:
    """'deck', 'deck with win_check'."""
    return " with ".join(axes.names[option] for option in share.options)


def per_cent(share: Share) -> str:
    return words.rate(share.share, share.low, share.high)


def tables(axes: Axes, part: Part) -> Iterator[Shown]:
    """What every option explains; which value does what; the pairs that do something together."""
    found = part.found
    columns = ("option", "explains alone", "with all it has a part in")
    singles = sorted(
        zip(found.shares[: len(axes.axes)], found.totals, strict=True), key=lambda both: -both[1].share
    )  # fmt: skip
    yield Shown(
        f"{part.who}: {part.measure} {100 * part.lowest:.1f} to {100 * part.highest:.1f} %",
        columns,
        tuple((name(axes, alone), per_cent(alone), per_cent(total)) for alone, total in singles),
        columns[1:],
    )
    yield Shown(
        "what a value does on average over all combinations of the others",
        ("value", "points from the mean"),
        tuple(
            (f"{axis.option.name} = {show_value(value)}", words.points(*ends))
            for axis, ends_of in zip(axes.axes, found.levels, strict=True)
            for value, ends in zip(axis.values, ends_of, strict=True)
        ),
        ("points from the mean",),
    )
    if pairs := telling(found):
        yield Shown(
            "what options do together beyond what each does alone",
            ("options", "explain"),
            tuple((name(axes, share), per_cent(share)) for share in pairs),
            ("explain",),
        )


def telling(found: Decomposition) -> list[Share]:
    """Pairs and larger sets that explain more than a hundredth, beyond doubt; the largest first."""
    together = [
        share for share in found.shares if len(share.options) > 1 and share.share > WORTH_TELLING and share.is_sure
    ]
    return sorted(together, key=lambda share: -share.share)


def sentences(axes: Axes, part: Part) -> Iterator[str]:
    found = part.found
    if found.variance == 0:
        yield f"{part.who}: no combination differs from another by more than chance explains."
        return
    top = max(found.shares, key=lambda share: share.share)
    alone = sum(share.share for share in found.shares if len(share.options) == 1)
    spread = (
        f"{100 * found.variance**0.5:.2g} points" if not part.log_odds else f"{found.variance**0.5:.2g} in log odds"
    )
    yield (
        f"{part.who}: combinations differ by {spread} (standard deviation, noise removed). Most of it "
        f"is {name(axes, top)}, {per_cent(top)}; what options do one by one explains {100 * alone:.0f} %."
    )
    if pairs := telling(found):
        yield f"{part.who}: {name(axes, pairs[0])} is more than both alone: what one does depends on the other."


def notes(parts: Sequence[Part]) -> Iterator[str]:
    yield (
        "Shares of the variance between combinations, all of them equally likely (Sobol's indices). The noise of the playouts "
        "is taken out; ranges are at 95 % each, from blocks of deals that all combinations share."
    )
    if odd := [part.who for part in parts if part.log_odds]:
        yield f"Some rates lie near 0 or 100 %, so shares are those of the log odds: {words.listed_words(odd)}."
    yield f"{NOISE}. {PEOPLE}"


def rows(axes: Axes, part: Part) -> Iterator[dict[str, Any]]:
    """A line of the CSV file for each set of options, then for each option with all it has a part in, then for each value."""
    about = {"line_up": part.who, "measure": part.measure}
    for what, shares in (("alone", part.found.shares), ("total", part.found.totals)):
        for share in shares:
            yield {
                **about, "what": what, "options": name(axes, share), "value": "", "estimate": 100 * share.share,
                "low": 100 * share.low, "high": 100 * share.high, "unit": "per cent of the variance",
            }  # fmt: skip
    for axis, ends in zip(axes.axes, part.found.levels, strict=True):
        for value, (estimate, low, high) in zip(axis.values, ends, strict=True):
            yield {
                **about, "what": "value", "options": axis.option.name, "value": show_value(value),
                "estimate": 100 * estimate, "low": 100 * low, "high": 100 * high, "unit": "points from the mean",
            }  # fmt: skip


def picture(axes: Axes, parts: Sequence[Part], title: str) -> Any:
    panels = []
    for part in parts:
        shown = [*part.found.shares[: len(axes.axes)], *telling(part.found)]
        made = [bars.Bar(name(axes, s), 100 * s.share, 100 * s.low, 100 * s.high, s.is_sure) for s in shown]
        panels.append(bars.Panel(part.who, tuple(sorted(made, key=lambda bar: -bar.value))))
    return bars.draw(panels, "Per cent of the variance between combinations (95 % ranges)", title, digits=1)
