"""What a report would say of a table, and whether it says the same under another reading of the rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from simkit.answers.setting import EVEN
from simkit.report.sections import boxes
from simkit.report.sections.boxes import UNKNOWN, Key
from simkit.scenario.grid import Recipe
from simkit.spec import GameSpec
from simkit.stats.verdict import Verdict, judge
from simkit.summary import words
from simkit.summary.counts import counts
from simkit.summary.evidence import outline

KEEPS, FLIPS, OPEN = "keeps", "flips", "cannot be told yet"

Told = dict[Key, tuple[str, str]]  # what is judged, in words, and the verdict; by what is judged


@dataclass(frozen=True)
class Fate:
    """What becomes of the verdicts of a table under another reading."""

    word: str
    flips: tuple[tuple[str, str, str], ...]  # what is judged, before, after

    @property
    def told(self) -> str:
        """'fair to unfair, below the target', or the word."""
        if not self.flips:
            return self.word
        return "; ".join(f"{what and f'{what}: '}{before} to {after}" for what, before, after in self.flips)


def verdicts(recipe: Recipe, tallies: pl.DataFrame, varied: Sequence[str]) -> dict[int, Told]:
    """The verdicts of every cell: those of the card 'Is it fair?' of a report.

    Two unlike seats are fair if the headline lies within the margin around the target. Alone, or where all win and lose
    together, the same makes a game neither easy nor hard. Alike seats are judged place by place against an equal share.
    varied : options that differ between readings, and so do not belong to what is judged
    """
    evidence = outline(recipe, tallies)
    found: dict[int, Told] = {cell.id: {} for cell in recipe.cells}
    spec = recipe.spec
    if not spec.is_alike:
        for row in evidence.cells.itertuples():
            cell = recipe.cells[row.cell]
            target = (EVEN if cell.target is None else cell.target) / 100
            judged = judge(row.low, row.high, row.rate, target, cell.margin / 100)
            word = word_of(judged.verdict, judged.gap > 0, spec, spec.cooperative or cell.players == 1)
            found[cell.id]["rate",] = ("", word)
    else:
        for key, what, cell, word, _ in boxes.statements(evidence, tuple(varied)):
            found[cell.id].setdefault(key, (what.rpartition(": ")[2], word))
    return found


def word_of(verdict: Verdict, is_above: bool, spec: GameSpec, is_difficulty: bool) -> str:
    if verdict is Verdict.UNKNOWN:
        return UNKNOWN
    if is_difficulty:
        return "about even" if verdict is Verdict.BALANCED else "easy" if is_above else "hard"
    return "fair" if verdict is Verdict.BALANCED else f"unfair, {'above' if is_above else 'below'} the target"


def same_outcomes(recipe: Recipe, tallies: pl.DataFrame) -> set[int]:
    """The cells in which everybody fared, block by block of deals, as in the first cell of their group."""
    counted = counts(recipe, tallies)
    return {
        cell
        for group in recipe.groups
        for cell in group.cells
        if (counted[cell].patterns == counted[group.cells[0]].patterns).all()
    }


def fate(before: Told, after: Told, is_same: bool) -> Fate:
    """A verdict flips if both surely say something, and not the same; what cannot be told yet may still flip.

    is_same : the outcomes are the same, and so the verdicts are, whatever they are
    """
    if is_same:
        return Fate(KEEPS, ())
    flips, is_open = [], False
    for key, (what, word) in before.items():
        other = after[key][1]
        if UNKNOWN in (word, other):
            is_open = True
        elif word != other:
            flips.append((what, word, other))
    return Fate(FLIPS if flips else OPEN if is_open else KEEPS, tuple(flips))


def unsettled(who: str, told: Told) -> Iterator[str]:
    """A sentence if the rules as they are have not settled everything."""
    if open_ := [what for what, word in told.values() if word == UNKNOWN]:
        which = words.listed_words([what for what in open_ if what]) if any(open_) else "the verdict"
        yield f"{who}: {which} is not settled with the rules as they are, so flips of it cannot be told without more playouts."


def spoken(told: Told) -> str:
    """'fair', or 'going first: about fair; going last: more than fair'."""
    return "; ".join(f"{what and f'{what}: '}{word}" for what, word in told.values())
