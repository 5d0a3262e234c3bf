"""Balance as a test: claims about a game, decided while it is played, so that clear ones take a moment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.answers.playing import outcomes_of
from simkit.engine.execute import Silent
from simkit.engine.plan import look_deals
from simkit.engine.worker import Job
from simkit.errors import ScenarioError
from simkit.report.metrics import distance
from simkit.scenario.claims import SIZES, Claim, Claims, load_claims, place_of, recipe_of
from simkit.scenario.grid import Recipe
from simkit.spec import WHOLE
from simkit.stats.multiplicity import family_wise_level
from simkit.stats.sequential import mean_sequence, paired_sequence, rate_sequence

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

LEVEL = 0.95  # of all verdicts together

Masks = Mapping[int, Any]  # by cell: who had the outcome, uint16 (playouts,), bit t for turn order t


class Verdict(Enum):
    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "undecided"


@dataclass
class Figure:
    """One number that a claim looks at, summed over deals: a rate, or a difference of rates or shares.

    take  : from the outcomes of playouts to a whole number for each, int64 (playouts,), `whole` of them making 1
    zero  : what is taken off the mean: a target, or a fair share
    lowest: of what a playout can give, in wholes: 0 for a rate or a share, -1 for a difference
    """

    cell: str
    take: Callable[[Masks], Any]
    per_deal: int
    whole: int = 1
    zero: float = 0.0
    lowest: int = 0
    deals: int = 0
    total: int = 0
    squares: int = 0

    def add(self, masks: Masks) -> None:
        by_deal = self.take(masks).reshape(-1, self.per_deal).sum(axis=1)
        self.deals += by_deal.size
        self.total += int(by_deal.sum())
        self.squares += int((by_deal * by_deal).sum())

    def range(self, level: float) -> tuple[float, float, float]:
        """The number, and its range at `level` that holds at any number of deals. Probabilities."""
        n = self.deals
        mean = self.total / n / self.per_deal / self.whole
        if self.per_deal == self.whole == 1 and self.lowest == 0:
            low, high = rate_sequence(self.total, n, level)
        elif self.per_deal == self.whole == 1:
            more, fewer = (self.squares + self.total) // 2, (self.squares - self.total) // 2
            found = paired_sequence(n, fewer, more, level)
            low, high = found.low, found.high
        else:
            spread = max(self.squares / n - (self.total / n) ** 2, 0.0) ** 0.5 / self.per_deal / self.whole
            low, high = mean_sequence(mean, spread, n, level)
            if spread == 0:  # how often a deal could be another that was never seen
                room = rate_sequence(0, n, level)[1]
                low, high = max(mean - room, self.lowest), min(mean + room, 1.0)
        return mean - self.zero, low - self.zero, high - self.zero


@dataclass
class Trial:
    """A claim being decided: the figures it is about, and what came of it."""

    claim: Claim
    recipe: Recipe
    figures: list[Figure]
    cells: set[int]
    level: float
    verdict: Verdict = Verdict.OPEN
    value: float = field(default=float("nan"))  # per cent or points, like the limits
    low: float = field(default=float("nan"))
    high: float = field(default=float("nan"))
    cell: str = ""  # where the value was found
    playouts: int = 0  # of each cell

    def look(self, deals: int) -> None:
        """Hold the ranges of all figures together against the limits."""
        level = family_wise_level(self.level, len(self.figures))
        found = [figure.range(level) for figure in self.figures]
        if self.claim.metric in SIZES:
            found = [(abs(value), *distance(low, high)) for value, low, high in found]
        best = min if self.claim.metric == "lowest_rate" else max
        value, low, high = (best(each) for each in zip(*found, strict=True))
        self.cell = self.figures[[each[0] for each in found].index(value)].cell
        self.value, self.low, self.high = 100 * value, 100 * low, 100 * high
        self.playouts = deals * max(self.recipe.per_deal(cell) for cell in self.cells)
        least, most = self.claim.limits
        if (least is not None and self.high < least) or (most is not None and self.low > most):
            self.verdict = Verdict.FAILS
        elif (least is None or self.low >= least) and (most is None or self.high <= most):
            self.verdict = Verdict.HOLDS


def decide(path: Path, jobs: int | None = None, progress: "Progress | None" = None) -> tuple[Claims, list[Trial]]:
    """Decide the claims of a file, each as soon as its range lies on one side of its limits, or at the file's playouts.

    The ranges hold at any look and for all claims together (Bonferroni: each claim at 1 - 0.05 / claims, shared again by its
    figures). Holm's way of giving decided claims' share to the others would gain nothing here: a claim can be wrong either way,
    so as many verdicts as there are claims can be wrong until the last is decided.
    raises : UserError naming the file and the key or claim
    """
    import joblib

    claims = load_claims(path)
    level = family_wise_level(LEVEL, len(claims.claim))
    trials = [trial_of(claims, claim, path, level) for claim in claims.claim]
    workers, tell = jobs or joblib.cpu_count(), progress or Silent()
    tell.begin(sum(claims.playouts * len(cells) for _, cells in played(trials)), 0)
    try:
        begun = 0
        for deals in look_deals():
            open_ = [trial for trial in trials if trial.verdict is Verdict.OPEN and begun < most_deals(claims, trial)]
            if not open_:
                break
            look(claims, open_, begun, deals, workers, tell)
            begun = deals
    finally:
        tell.end()
    return claims, trials


def look(claims: Claims, trials: Sequence[Trial], begun: int, deals: int, jobs: int, progress: "Progress") -> None:
    """Play the cells of undecided claims from `begun` deals to so many, and look. Claims about the same cells share them."""
    for together, cells in played(trials):
        recipe, until = together[0].recipe, min(deals, most_deals(claims, together[0]))
        work = {cell: Job.of(recipe, recipe.cells[cell]) for cell in sorted(cells)}
        for masks in outcomes_of(work, begun, until, jobs, progress):
            for trial in together:
                for figure in trial.figures:
                    figure.add(masks)
        for trial in together:
            trial.look(until)


def most_deals(claims: Claims, trial: Trial) -> int:
    """The deals that a claim may take: whole deals of each cell within the file's playouts."""
    return claims.playouts // max(trial.recipe.per_deal(cell.id) for cell in trial.recipe.cells)


def played(trials: Sequence[Trial]) -> list[tuple[list[Trial], set[int]]]:
    """Claims about the same recipe together, with all cells they need."""
    by_recipe: dict[str, list[Trial]] = {}
    for trial in trials:
        by_recipe.setdefault(trial.recipe.hash, []).append(trial)
    return [(together, set().union(*(trial.cells for trial in together))) for together in by_recipe.values()]


def trial_of(claims: Claims, claim: Claim, path: Path, level: float) -> Trial:
    recipe = recipe_of(claims, claim, path)
    if claims.playouts < 2 * max(recipe.per_deal(cell.id) for cell in recipe.cells):
        raise ScenarioError(
            f"{path}: playouts: {claims.playouts} are too few for claim {claim.name}; two deals take more"
        )
    figures, cells = figures_of(recipe, claim)
    return Trial(claim, recipe, figures, cells, level)


# --- figures ----------------------------------------------------------------------------------------------------


def figures_of(recipe: Recipe, claim: Claim) -> tuple[list[Figure], set[int]]:
    """What a claim looks at, and the cells that takes. See `simkit.report.metrics` for the same figures of a report."""
    cells = recipe.cells
    found: list[tuple[Figure, tuple[int, ...]]] = []
    match claim.metric:
        case "seat_gap":
            for cell in cells:
                found += [
                    (figure_of(recipe, cell.id, lowest=-1, take=gap(cell.id, cell.id, a, b)), (cell.id,))
                    for a, b in combinations(range(cell.players), 2)
                ]
        case "seat_off":
            for cell in cells:
                fair = 1 / cell.players
                found += [
                    (
                        figure_of(recipe, cell.id, whole=WHOLE, zero=fair, take=share(cell.id, t, cell.players)),
                        (cell.id,),
                    )
                    for t in range(cell.players if cell.players > 1 else 0)
                ]
        case "largest_change":
            for group in recipe.groups:
                found += [(figure_of(recipe, b, lowest=-1, take=gap(b, a, 0, 0)), (a, b)) for a, b in group.pairs]
        case "target_gap":
            for cell in cells:
                if cell.target is not None:
                    zero = cell.target / 100
                    found.append((figure_of(recipe, cell.id, zero=zero, take=had(cell.id, 0)), (cell.id,)))
        case "lowest_rate" | "highest_rate":
            found = [(figure_of(recipe, cell.id, take=had(cell.id, 0)), (cell.id,)) for cell in cells]
        case _:
            found = [(figure_of(recipe, 0, take=had(0, place_of(recipe, claim))), (0,))]
    return [figure for figure, _ in found], {cell for _, needed in found for cell in needed}


def figure_of(recipe: Recipe, cell: int, **more: Any) -> Figure:
    return Figure(cell=recipe.cells[cell].label, per_deal=recipe.per_deal(cell), **more)


def had(cell: int, turn_order: int) -> Callable[[Masks], Any]:
    """Whether a position had the outcome."""
    return lambda masks: ((masks[cell] >> turn_order) & 1).astype(np.int64)


def gap(cell: int, other: int, turn_order: int, other_turn_order: int) -> Callable[[Masks], Any]:
    """One for a position that had the outcome, less one if another position, perhaps of another cell, had it."""
    mine, theirs = had(cell, turn_order), had(other, other_turn_order)
    return lambda masks: mine(masks) - theirs(masks)


def share(cell: int, turn_order: int, players: int) -> Callable[[Masks], Any]:
    """A position's part of the outcome, 2520 / W where W have it."""
    sets = np.arange(2**players)
    many = sum((sets >> t) & 1 for t in range(players))
    worth = ((sets >> turn_order) & 1) * (WHOLE // np.maximum(many, 1))
    return lambda masks: worth[masks[cell]]
