"""Does a change matter, in as few deals as the answer takes? The sequential test, looked at as it is played."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from simkit import api
from simkit.answers.compare import without_effect
from simkit.answers.difference import Comparison, Difference
from simkit.answers.playing import outcomes_of
from simkit.engine.execute import Silent
from simkit.engine.plan import look_deals
from simkit.engine.worker import Job
from simkit.errors import OptionError
from simkit.scenario.grid import Cell, Recipe
from simkit.stats.sequential import paired_sequence, rate_sequence
from simkit.stats.sprt import Bounds, bounds, log_ratio
from simkit.summary import tables, words

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

CHANCE = 0.05  # of either error
VALUES = (-1, 0, 1)  # what a deal can differ by


class Decision(Enum):
    UP = "up"
    DOWN = "down"
    NONE = "none"
    OPEN = "open"


@dataclass
class Trial:
    """'No difference' against 'at least the margin', up or down, on deals that were played with both rules.

    Each direction is a test of its own with half of `alpha`, and ends where it first reaches one of its bounds.
    """

    margin: float
    limits: Bounds
    outcomes: np.ndarray = field(
        default_factory=lambda: np.zeros(4, np.int64)
    )  # neither, before only, after only, both
    decision: Decision = Decision.OPEN
    ruled_out: set[Decision] = field(default_factory=set)

    def look(self) -> None:
        """Decide, if there is enough to decide by."""
        neither, before, after, both = self.outcomes.tolist()
        for direction, difference in ((Decision.UP, self.margin), (Decision.DOWN, -self.margin)):
            if direction in self.ruled_out:
                continue
            ratio = log_ratio(VALUES, [before, neither + both, after], 0, difference)
            if ratio >= self.limits.upper:
                self.decision = direction
                return
            if ratio <= self.limits.lower:
                self.ruled_out.add(direction)
        if len(self.ruled_out) == 2:
            self.decision = Decision.NONE


@dataclass(frozen=True)
class Decided:
    """What a test came to; the ranges of `difference` hold however often one looks."""

    decision: Decision
    deals: int
    difference: Difference


def decide(
    asked: api.Question,
    alpha: float = CHANCE,
    beta: float = CHANCE,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> list[Decided]:
    """Play a question made by `compare.question` until each of its pairs is decided, at most its number of playouts.

    alpha, beta : the chance to see a change where there is none, and to see none where it is as large as the margin
    Looks are fixed in advance, so that the answer is the same on any number of workers.
    """
    import joblib

    for name, chance in (("--alpha", alpha), ("--beta", beta)):
        if not 1e-6 <= chance <= 0.25:
            raise OptionError(f"{name} cannot be {chance:g}; expected a chance from 0.000001 to 0.25")
    recipe, workers, tell = asked.recipe, jobs or joblib.cpu_count(), progress or Silent()
    limits = bounds(alpha / 2, beta)
    tell.begin(asked.playouts * len(recipe.cells), 0)
    try:
        return [
            decide_pair(recipe, recipe.cells[a], recipe.cells[b], limits, asked.playouts, workers, tell)
            for group in recipe.groups
            for a, b in group.pairs
        ]
    finally:
        tell.end()


def decide_pair(
    recipe: Recipe, before: Cell, after: Cell, limits: Bounds, at_most: int, jobs: int, progress: "Progress"
) -> Decided:
    cells = {cell.id: Job.of(recipe, cell) for cell in (before, after)}
    test = Trial(after.margin / 100, limits)
    played = 0
    for planned in look_deals():
        deals = min(planned, at_most)
        for found in outcomes_of(cells, played, deals, jobs, progress):
            test.outcomes += np.bincount((found[before.id] & 1) + 2 * (found[after.id] & 1), minlength=4)
        played = deals
        test.look()
        if test.decision is not Decision.OPEN or deals == at_most:
            break
    return Decided(test.decision, played, difference(before, after, test))


def difference(before: Cell, after: Cell, test: Trial) -> Difference:
    _, only_before, only_after, both = test.outcomes.tolist()
    deals = int(test.outcomes.sum())
    found = paired_sequence(deals, only_before, only_after)
    return Difference(
        who=" / ".join(after.policies),
        change=tables.what_changed(before, after),
        on=f"the same {deals:,} deals",
        before=((only_before + both) / deals, *rate_sequence(only_before + both, deals)),
        after=((only_after + both) / deals, *rate_sequence(only_after + both, deals)),
        difference=found.difference,
        low=found.low,
        high=found.high,
        spread=found.spread**2,
        playouts=deals,
        margin=test.margin,
        never_differed=only_before + only_after == 0,
    )


def comparison(recipe: Recipe, decided: list[Decided]) -> Comparison:
    """The differences, for a picture."""
    told = [replace(one.difference, on=f"the deals it took: {one.deals:,}") for one in decided]
    return Comparison(recipe.spec, recipe.title, tuple(told), tuple(without_effect(recipe)))


def sentence(one: Decided, headline: str) -> str:
    """'Decided after 2,304 deals: X changes 'Granny wins', upwards. ...'"""
    found = one.difference
    limit = f"{100 * found.margin:g} point{'' if found.margin == 0.01 else 's'}"
    match one.decision:
        case Decision.OPEN:
            told = (
                f"Not decided after {one.deals:,} deals, the most allowed, whether {found.change} changes '{headline}'"
            )
        case Decision.NONE:
            told = f"Decided after {one.deals:,} deals: {found.change} does not change '{headline}' by {limit}"
        case direction:
            way = "raises" if direction is Decision.UP else "lowers"
            told = f"Decided after {one.deals:,} deals: {found.change} {way} '{headline}'"
    return (
        f"{told}. So far {words.points(found.difference, found.low, found.high)}, from {words.rate(*found.before)} to "
        f"{words.rate(*found.after)}. {found.who}."
    )


def remarks(margin: float, alpha: float, beta: float) -> Iterator[str]:
    """What the decisions mean. margin : points"""
    limit = f"{margin:g} point{'' if margin == 1 else 's'}"
    yield (
        f"The test holds 'no change' against 'a change of at least {limit}'. Where there is none it sees one in about "
        f"{100 * alpha:g} % of cases; where it is {limit} it sees none in about {100 * beta:g} %. A smaller one may be called "
        "either."
    )
    yield (
        "The ranges say how large the change is. They hold however often one looks, at 95 % each, and may still hold 0 when "
        "the test has decided."
    )
