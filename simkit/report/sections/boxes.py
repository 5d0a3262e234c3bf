"""Does it hold for another box? Each conclusion under every alternative of the components that the run plays."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from simkit.report.model import Section
from simkit.report.sections import fairness, tables_of_many
from simkit.report.sections.changes import measured
from simkit.report.sections.parts import judged, made_table, who
from simkit.scenario.grid import Cell, show_value
from simkit.stats.verdict import Verdict
from simkit.summary import words
from simkit.summary.evidence import Evidence

UNKNOWN = "not settled"
HOLDS, FLIPS, OPEN = "holds in every box", "flips", "cannot be told yet"
SHOWN = 4  # flips told in sentences

Key = tuple[object, ...]


@dataclass
class Conclusion:
    """A statement, and what it is under each box: a word, and the number behind it."""

    what: str
    words: dict[str, str] = field(default_factory=dict)  # by box
    numbers: dict[str, str] = field(default_factory=dict)

    @property
    def fate(self) -> str:
        """It flips when two boxes surely say different things; it holds when all surely say the same."""
        known = {word for word in self.words.values() if word != UNKNOWN}
        if len(known) > 1:
            return FLIPS
        return OPEN if UNKNOWN in self.words.values() else HOLDS


def alternatives(evidence: Evidence) -> tuple[str, ...]:
    """The options among boxes that the run varies."""
    cells = evidence.recipe.cells
    return tuple(
        option.name
        for option in evidence.spec.options
        if option.box and len({cell.options[option.name] for cell in cells}) > 1
    )


def box_of(cell: Cell, varied: tuple[str, ...]) -> str:
    """What a box is called: 'deck = short', or 'short / none' where several options are varied."""
    values = [show_value(cell.options[name]) for name in varied]
    return f"{varied[0]} = {values[0]}" if len(values) == 1 else " / ".join(values)


def conclusions(evidence: Evidence) -> list[Conclusion]:
    """All statements that were put to two boxes or more."""
    varied = alternatives(evidence)
    found: dict[Key, Conclusion] = {}
    if varied:
        for key, what, cell, word, number in statements(evidence, varied):
            conclusion = found.setdefault(key, Conclusion(what))
            conclusion.words.setdefault(box_of(cell, varied), word)
            conclusion.numbers.setdefault(box_of(cell, varied), number)
    return [conclusion for conclusion in found.values() if len(conclusion.words) > 1]


def statements(evidence: Evidence, varied: tuple[str, ...]) -> Iterator[tuple[Key, str, Cell, str, str]]:
    """Each statement of each cell: its key (the same under all boxes), in words, its cell, what it says, the number."""
    cells = evidence.recipe.cells
    default = evidence.spec.resolve({})

    def rest(cell: Cell) -> tuple[tuple[str, Any], ...]:
        return tuple((name, value) for name, value in cell.options.items() if name not in varied)

    def under(cell: Cell) -> str:
        told = [f"{name} = {show_value(value)}" for name, value in rest(cell) if value != default.get(name)]
        return f" ({', '.join(told)})" if told else ""

    for cell in cells:
        key = (cell.players, cell.preset, cell.policies, rest(cell))
        if evidence.is_alike and cell.players > 1 and len(set(cell.policies)) == 1:
            table = fairness.table_of(evidence, cell.id)
            for turn_order in (0, cell.players - 1):
                seat = table.seats.iloc[turn_order]
                place = fairness.going(turn_order, cell.players)
                word = side(
                    table.verdicts[turn_order], seat["points"], "more than fair", "less than fair", "about fair"
                )
                yield ("seat", turn_order, *key), f"{table.name}{under(cell)}: {place}", cell, word, fairness.off(seat)
        elif not evidence.is_alike and cell.target is not None:
            row = next(evidence.cells[evidence.cells["cell"] == cell.id].itertuples())
            found = judged(row)
            word = side(found.verdict, found.gap, "above the target", "below the target", "on the target")
            number = words.points(found.gap, found.low, found.high)
            yield ("target", *key), f"{label(evidence, cell)}{under(cell)}: {evidence.headline}", cell, word, number
    for row in tables_of_many.shares(evidence, range(len(cells))).itertuples():
        cell = cells[row.cell]
        if row.policy != cell.policies[0]:
            continue  # the others get what it leaves
        key = (cell.players, cell.preset, cell.policies, rest(cell))
        among = f"among {row.others}" if cell.players > 2 else f"against {row.rest}"
        what = f"{cell.players} players{under(cell)}: {row.policy} {among}"
        yield ("policy", row.policy, *key), what, cell, than_fair(row, cell.margin / 100), tables_of_many.off(row)
    yield from effects(evidence, varied)


def label(evidence: Evidence, cell: Cell) -> str:
    return f"{cell.preset or f'{cell.players} players'}, {who(evidence, cell)}"


def side(verdict: Verdict, gap: float, above: str, below: str, inside: str) -> str:
    if verdict is Verdict.UNKNOWN:
        return UNKNOWN
    return inside if verdict is Verdict.BALANCED else above if gap > 0 else below


def than_fair(row: Any, margin: float) -> str:
    """Surely better or worse than fair; about fair if surely within the margin and on no side for sure."""
    if row.reading != tables_of_many.OPEN:
        return f"{row.reading} than fair"
    return "about fair" if -margin < row.points_low and row.points_high < margin else UNKNOWN


def effects(evidence: Evidence, varied: tuple[str, ...]) -> Iterator[tuple[Key, str, Cell, str, str]]:
    """Changes of one rule on the same deals, with the box as it was."""
    cells = evidence.recipe.cells
    for row in measured(evidence).itertuples():
        a, b = cells[row.against], cells[row.cell]
        changed = [name for name in a.options if a.options[name] != b.options[name]]
        if len(changed) != 1 or changed[0] in varied or a.policies != b.policies or a.preset != b.preset:
            continue
        margin = b.margin / 100
        word = UNKNOWN
        if row.family_low > margin or row.family_high < -margin:
            word = "raises it" if row.difference > 0 else "lowers it"
        elif -margin < row.family_low and row.family_high < margin:
            word = "hardly changes it"
        before = tuple((name, value) for name, value in a.options.items() if name not in varied)
        key = ("effect", a.players, a.preset, a.policies, changed[0], b.options[changed[0]], before)
        what = f"{label(evidence, b)}: {changed[0]} = {show_value(b.options[changed[0]])} on '{evidence.headline}'"
        yield key, what, b, word, words.points(row.difference, row.family_low, row.family_high)


# --- words ------------------------------------------------------------------------------------------------------


def answer(found: list[Conclusion]) -> str:
    """'9 of 12 conclusions hold in every box tried, 1 flips, 2 cannot be told yet.'"""
    counts = {fate: sum(conclusion.fate == fate for conclusion in found) for fate in (HOLDS, FLIPS, OPEN)}
    told = f"{counts[HOLDS]} of {len(found)} conclusions hold in every box tried"
    if counts[FLIPS]:
        told += f", {counts[FLIPS]} {'flips' if counts[FLIPS] == 1 else 'flip'}"
    if counts[OPEN]:
        told += f", {counts[OPEN]} cannot be told yet"
    return told + "."


def flip_sentence(conclusion: Conclusion) -> str:
    """Under which boxes it is what."""
    boxes: dict[str, list[str]] = {}
    for box, word in conclusion.words.items():
        if word != UNKNOWN:
            boxes.setdefault(word, []).append(box)
    told = "; ".join(f"{word} with {words.listed_words(names)}" for word, names in boxes.items())
    return f"{conclusion.what}: {told}."


def section(evidence: Evidence) -> Section | None:
    found = conclusions(evidence)
    if not found:
        return None
    flips = [conclusion for conclusion in found if conclusion.fate == FLIPS]
    answers = [answer(found), *map(flip_sentence, flips[:SHOWN])]
    if len(flips) > SHOWN:
        answers.append(f"The other {len(flips) - SHOWN} that flip are in the table.")
    varied = alternatives(evidence)
    if len(varied) > 1:
        answers.insert(1, f"Boxes are named by {' / '.join(varied)}.")
    boxes = list(dict.fromkeys(box_of(cell, varied) for cell in evidence.recipe.cells))
    ordered = sorted(found, key=lambda conclusion: [FLIPS, OPEN, HOLDS].index(conclusion.fate))
    rows = [
        (
            conclusion.what,
            *(
                f"{conclusion.words[box]}: {conclusion.numbers[box]}" if box in conclusion.words else "not played"
                for box in boxes
            ),
            conclusion.fate,
        )
        for conclusion in ordered
    ]
    names = ("conclusion", *boxes, "verdict")
    data = pd.DataFrame(rows, columns=list(names))
    table = made_table("boxes", "Every conclusion under every box", names, rows, data)
    notes = (
        "A conclusion holds when every box surely says the same, and flips when two boxes surely say different things; else "
        "it cannot be told yet.",
        "The boxes are alternatives among components that are not known for sure. That a conclusion holds for all of them "
        "does not prove it for the published game, but speaks for it.",
    )
    return Section("boxes", "Does it hold for another box?", tuple(answers), (), (table,), notes)
