"""Which card matters? What goes with having it: the card table of a report, for one table."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from simkit.answers import bars
from simkit.answers.answer import Answer, Shown, names_of, played
from simkit.answers.difference import NOISE, PEOPLE
from simkit.answers.sensitivity import table_of
from simkit.answers.setting import Setting
from simkit.errors import OptionError
from simkit.report.sections import cards as section
from simkit.scenario.swaps import can_swap
from simkit.scenario.validate import Grid
from simkit.spec import GameSpec
from simkit.summary import words
from simkit.summary.evidence import gather

if TYPE_CHECKING:
    from simkit.engine.execute import Progress


def counting(setting: Setting) -> GameSpec:
    """The game, if it counts cards. Raises OptionError if it does not."""
    if not setting.spec.cards:
        raise OptionError(f"cards: {setting.spec.title} counts no cards")
    return setting.spec


def cards(
    setting: Setting,
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> Answer:
    """The card table of a report: those dealt a card against those who were not, and what else goes with it.

    raises : UserError for anything wrong, also for a game that counts no cards
    """
    spec = counting(setting)
    title = f"{spec.title}: which cards matter?"
    grids = [
        Grid(players=setting.players, presets=setting.preset, policies=line_up, baseline=dict(setting.options))
        for line_up in setting.line_ups
    ]
    recipe, tallies = played(
        setting.question(grids, title, "What goes with having a card?"), out, resume, jobs, progress
    )
    evidence = gather(recipe, tallies)
    shown = section.panels(evidence)
    columns = (
        "card", "dealt to", f"{evidence.outcome.one} share when dealt it", "points: dealt it", "came later", "played it",
        "adjusted p",
    )  # fmt: skip
    tables = []
    for name, rows in shown:
        body = ([text.replace(" points", "") for text in section.cells_of(name, row)] for _, row in rows.iterrows())
        tables.append(
            Shown(name, columns, tuple((r[1], r[2], r[3], r[5], r[7], r[8], r[9]) for r in body), columns[1:])
        )
    return Answer(
        name=names_of(["cards", setting.name]),
        title=f"{title} {table_of(setting, recipe)}",
        tables=tuple(tables),
        lines=(
            *(section.sentence(evidence, name, rows) for name, rows in shown),
            *section.turn_sentence(shown),
            *section.thin_sentence(shown),
            *section.notes(evidence, shown),
            *(["What a card does by itself: --swap CARD, or --swap all."] if can_swap(spec) else []),
            f"{NOISE}. {PEOPLE}",
        ),
        rows=tuple(row for name, rows in shown for row in table_rows(name, rows)),
        files=bars.files(goes_with(setting, shown, title)),
    )


def table_rows(name: str, rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """A line of the CSV file for each card: the columns of the summary table, shares as probabilities."""
    for row in rows.drop(columns=["cell", "better"]).to_dict("records"):
        yield {"table": name, **{str(column): value for column, value in row.items()}}


def goes_with(setting: Setting, shown: Sequence[section.Panel], title: str) -> Any:
    panels = [
        bars.Panel(
            name,
            tuple(
                bars.Bar(
                    row.card, 100 * row.opening_difference, 100 * row.opening_low, 100 * row.opening_high, row.is_sure
                )
                for row in rows.itertuples()
                if pd.notna(row.opening_low)
            ),
        )
        for name, rows in shown
    ]
    many = words.outcome(setting.spec).many
    return bars.draw(panels, f"Points more or less of the {many} when dealt the card (95 % ranges)", title)
