"""Two finished runs against each other, cell by cell: on the same deals from their rows, or each on its own."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import hypot

import polars as pl

from simkit.answers.difference import Comparison, Difference, Rate, probability
from simkit.errors import RunError, ScenarioError
from simkit.scenario.grid import Cell, Recipe, sha256
from simkit.stats.block_rates import block_rate
from simkit.stats.clusters import cluster_rate, clusters_of
from simkit.stats.intervals import rate_difference, rate_interval
from simkit.stats.normal import quantile
from simkit.stats.paired import paired_credit, paired_difference
from simkit.storage import Place
from simkit.store import Run
from simkit.summary import tables
from simkit.summary.counts import Counts, counts, wide
from simkit.summary.looking import STOPPED


def compare_runs(first: Place, second: Place, margin: float | None = None) -> Comparison:
    """The cells of two finished runs against each other, matched by label.

    margin : points; None for the margin of each cell of the second run
    raises : RunError if there is nothing to match, or if cells share their deals and a run did not keep its rows
    """
    a, b = (finished(folder) for folder in (first, second))
    mine, yours = a.recipe, b.recipe
    if mine.game != yours.game:
        raise RunError(
            f"{second}: is a run of {yours.game}, {first} one of {mine.game}; compare takes runs of one game"
        )
    limit = None if margin is None else probability("--margin", margin)
    counted = counts(mine, a.tallies(), bool(a.until)), counts(yours, b.tallies(), bool(b.until))
    pairs, left_a, left_b = matched(mine, yours)
    if not pairs:
        raise RunError(
            f"{second}: none of its cells is one of {first}; cells are matched by label, "
            f"such as '{mine.cells[0].label}' and '{yours.cells[0].label}'"
        )
    differences = []
    for x, y in pairs:
        edge = y.margin / 100 if limit is None else limit
        if mine.root(x) == yours.root(y):
            differences.append(playout_by_playout(a, x, b, y, edge))
        else:
            differences.append(apart(counted[0][x.id], counted[1][y.id], edge))
    remarks = [*what_differs(a, b)]
    if a.until or b.until:
        remarks.append(STOPPED)
    if len(pairs) >= 5:
        remarks.append(f"of {len(pairs)} ranges at 95 %, about {len(pairs) / 20:.0f} will miss the truth by bad luck")
    remarks += [
        f"only in {folder}: {cell.label}" for folder, left in ((first, left_a), (second, left_b)) for cell in left
    ]
    return Comparison(mine.spec, f"{mine.spec.title}: {second} against {first}", tuple(differences), tuple(remarks))


def finished(folder: Place) -> Run:
    opened = Run.read(folder)
    if not opened.is_complete:
        raise RunError(f"{folder}: the run is not finished; continue it with --resume")
    for fault in opened.to_repair().values():
        raise RunError(f"{fault}; {opened.advice}")
    return opened


def matched(a: Recipe, b: Recipe) -> tuple[list[tuple[Cell, Cell]], list[Cell], list[Cell]]:
    """Pairs of cells with one label (and group, where a label occurs twice); of the others, those whose players, preset
    and policies occur once on both sides: two runs of a game whose options differ. Then what is left of both.
    """
    repeated = {label for r in (a, b) for label, n in Counter(cell.label for cell in r.cells).items() if n > 1}

    def label(recipe: Recipe, cell: Cell) -> object:
        group = recipe.groups[cell.group].name or cell.group
        return (cell.players, cell.label, group if cell.label in repeated else "")

    def setting(recipe: Recipe, cell: Cell) -> object:
        return (cell.players, cell.preset, cell.policies)

    pairs: list[tuple[Cell, Cell]] = []
    left_a, left_b = list(a.cells), list(b.cells)
    for key in (label, setting):
        there = once(left_b, b, key)
        found = [(x, there[name]) for name, x in once(left_a, a, key).items() if name in there]
        pairs += found
        left_a = [cell for cell in left_a if all(cell is not x for x, _ in found)]
        left_b = [cell for cell in left_b if all(cell is not y for _, y in found)]
    return pairs, left_a, left_b


def once(cells: Sequence[Cell], recipe: Recipe, key: Callable[[Recipe, Cell], object]) -> dict[object, Cell]:
    """The cells by key, without those that share one."""
    often = Counter(key(recipe, cell) for cell in cells)
    return {key(recipe, cell): cell for cell in cells if often[key(recipe, cell)] == 1}


def what_differs(a: Run, b: Run) -> Iterator[str]:
    """What tells two runs apart beside their cells, a line each."""
    one, other = a.recipe, b.recipe
    if one.seed != other.seed:
        yield f"seeds: {one.seed} and {other.seed}"
    if one.components != other.components:
        titles = (f"{box.get('title', '')} ({sha256(box)[:8]})" for box in (one.components, other.components))
        yield f"boxes: {' and '.join(titles)}"
    if one.rules_version != other.rules_version:
        yield f"rules versions: {one.rules_version} and {other.rules_version}"
    elif a.manifest["kernel"] != b.manifest["kernel"]:
        yield "the sources of the simulator changed between the two runs"


def change(x: Cell, y: Cell) -> str:
    """What the second cell has that the first has not; an option that only one of two rules versions knows is passed over."""
    return tables.what_changed(x, replace(y, options={n: v for n, v in y.options.items() if n in x.options}))


def playout_by_playout(a: Run, x: Cell, b: Run, y: Cell, margin: float) -> Difference:
    """Two cells under one key, from the rows of both: playout i of one met the luck of playout i of the other."""
    design = [(run.recipe.replicates, run.recipe.rotations(cell)) for run, cell in ((a, x), (b, y))]
    if design[0] != design[1]:
        raise RunError(
            f"{b.folder}: '{y.label}' shares its deals with {a.folder} but plays each of them another number of times; "
            "give one run another --seed"
        )
    per_deal = design[0][0] * design[0][1]
    playouts = min(a.playouts_of[x.id], b.playouts_of[y.id])
    level = wide(tables.LEVEL, playouts // per_deal, bool(a.until or b.until))
    both = winners(a, x, playouts).join(winners(b, y, playouts), on="playout", suffix="_b")
    deals = both.group_by(pl.col("playout") // per_deal).agg(pl.col("won", "won_b").sum()).drop("playout")
    wins = deals["won"].to_numpy(), deals["won_b"].to_numpy()
    if per_deal == 1:
        neither, only_a, only_b, two = (int(((2 * wins[1] + wins[0]) == value).sum()) for value in range(4))
        found = paired_difference(neither, only_a, only_b, two, level)
        rates = [rate(int(won.sum()), playouts, level) for won in wins]
    else:
        sum_a, sum_b = (Fraction(int(part.sum()), per_deal) for part in wins)
        pairs = (wins[0], wins[0]), (wins[1], wins[1]), wins
        aa, bb, ab = (Fraction(int((one * other).sum()), per_deal**2) for one, other in pairs)
        found = paired_credit(len(deals), sum_a, sum_b, aa, bb, ab, level)
        clustered = [cluster_rate(clusters_of(won, per_deal), level) for won in wins]
        rates = [(each.rate, each.low, each.high) for each in clustered]
    same_box = a.recipe.components == b.recipe.components and a.recipe.rules_version == b.recipe.rules_version
    return Difference(
        who=x.label,
        change=change(x, y),
        on=f"the same {found.deals:,} deals" if same_box else f"{found.deals:,} deals each, paired by number",
        before=rates[0],
        after=rates[1],
        difference=found.difference,
        low=found.low,
        high=found.high,
        spread=found.standard_error**2 * playouts,
        playouts=playouts,
        margin=margin,
        never_differed=bool((wins[0] == wins[1]).all()),
    )


def winners(run: Run, cell: Cell, playouts: int) -> pl.DataFrame:
    """The outcome of the first playouts of a cell: playout, won (0 or 1, of the first in turn order; lost in a game of
    losers).
    """
    why = f"'{cell.label}' shares its deals with the other run, and comparing takes every row"
    kept = (
        part["files"].get("players", {"rows": 0})["rows"] for (i, _), part in run.committed().items() if i == cell.id
    )
    if run.tally_only and sum(kept) < playouts * cell.players:
        remedy = "play it again without --tally-only, or with another --seed"
        raise RunError(f"{run.folder}: {why}, but tallies only were kept; {remedy}")
    rows = run.scan("players", cell.id).filter(pl.col("turn_order") == 0, pl.col("playout") < playouts)
    try:
        found = rows.select("playout", won=pl.col(run.recipe.spec.outcome).cast(pl.Int64)).collect()
    except (OSError, pl.exceptions.PolarsError):
        raise RunError(f"{run.folder}: {why}, but they cannot be read; simkit verify says which") from None
    if found.height != playouts:
        raise RunError(f"{run.folder}: {why}, but some are missing; simkit verify says which")
    return found


def apart(x: Counts, y: Counts, margin: float) -> Difference:
    """Two cells that share no deals, from what was counted of them."""
    a, b = totals(x), totals(y)
    level = wide(tables.LEVEL, min(x.deals, y.deals), x.looked or y.looked)
    if not (x.is_clustered or y.is_clustered):
        rates = rate(*a, level), rate(*b, level)
        difference, low, high = rate_difference(*b, *a, level)
        spread = sum(p * (1 - p) for p, _, _ in rates)
    else:  # playouts of a deal are not independent: blocks of deals are
        (before, error_a), (after, error_b) = by_blocks(x, level), by_blocks(y, level)
        rates = before, after
        difference, error = after[0] - before[0], hypot(error_a, error_b)
        low, high = difference - quantile(level) * error, difference + quantile(level) * error
        spread = error_a**2 * a[1] + error_b**2 * b[1]
    sizes = f"{a[1]:,}" if a[1] == b[1] else f"{a[1]:,} and {b[1]:,}"
    return Difference(
        who=x.cell.label,
        change=change(x.cell, y.cell),
        on=f"{sizes} playouts, each on deals of its own",
        before=rates[0],
        after=rates[1],
        difference=difference,
        low=low,
        high=high,
        spread=spread,
        playouts=min(a[1], b[1]),
        margin=margin,
    )


def rate(wins: int, playouts: int, level: float) -> Rate:
    low, high, _ = rate_interval(wins, playouts, level)
    return wins / playouts, low, high


def totals(counted: Counts) -> tuple[int, int]:
    """How often the headline came true, and playouts."""
    return int(counted.outcomes[:, 0].sum()), int(counted.playouts.sum())


def by_blocks(counted: Counts, level: float) -> tuple[Rate, float]:
    """The headline rate and its standard error from the spread between blocks of deals."""
    if counted.deals < 2:
        raise RunError(f"'{counted.cell.label}' has a single deal; its spread between deals is not known")
    found = block_rate(counted.outcomes[:, 0], counted.playouts, counted.deals, level)
    return (found.rate, found.low, found.high), found.standard_error


def refuse_settings(given: Mapping[str, object]) -> None:
    """Raise ScenarioError for a setting given together with two run folders."""
    for name, value in given.items():
        if value is not None:
            raise ScenarioError(f"--{name} goes with a game's name; two run folders say themselves what was played")
