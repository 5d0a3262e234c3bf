"""Is the order of play fair? For games whose seats are alike: every place in the turn order against an equal share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Any

import numpy as np
import pandas as pd

from simkit.report.figures import fairness as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import made_table, picture
from simkit.stats.multiplicity import family_wise_level
from simkit.stats.normal import quantile
from simkit.stats.planning import to_settle
from simkit.stats.verdict import Verdict, judge, judge_together
from simkit.summary import words
from simkit.summary.counts import LEVEL
from simkit.summary.evidence import Evidence

MANY_TABLES = 6  # one-policy tables beyond this are not all told in sentences


@dataclass(frozen=True)
class Fairness:
    """A table at which everybody plays the same policy: what every place in the turn order gets.

    seats : rows of `tables.seats`, in turn order, with `fair`, `points` and the family-wise `points_low`, `points_high`
    """

    cell: int
    players: int
    policy: str
    margin: float
    seats: pd.DataFrame
    verdicts: tuple[Verdict, ...]  # of each place, by its family-wise range
    playouts_needed: int

    @property
    def verdict(self) -> Verdict:
        return judge_together(self.verdicts, self.verdicts)

    @property
    def is_leaning(self) -> bool:
        """Balanced, yet some place is surely off its fair share."""
        off = (self.seats["points_low"] > 0) | (self.seats["points_high"] < 0)
        return self.verdict is Verdict.BALANCED and bool(off.any())

    @property
    def furthest(self) -> Any:
        """The place that is furthest from its fair share."""
        return self.seats.loc[self.seats["points"].abs().idxmax()]

    @property
    def name(self) -> str:
        return f"{self.players} players, all {self.policy}"


def fairness(evidence: Evidence) -> list[Fairness]:
    """Every table of the run with one policy for all and the rules as printed, by player count. Empty with roles."""
    if not evidence.is_alike:
        return []
    cells = [evidence.recipe.cells[number] for number in sorted(evidence.as_printed)]
    return [table_of(evidence, cell.id) for cell in distinct(cells)]


def distinct(cells: Sequence[Any]) -> list[Any]:
    """The cells for two and more with one policy for all, by player count; of those alike the first."""
    found: dict[tuple[int, str], Any] = {}
    for cell in cells:
        if cell.players > 1 and not cell.preset and len(set(cell.policies)) == 1:
            found.setdefault((cell.players, cell.policies[0]), cell)
    return sorted(found.values(), key=lambda cell: cell.players)


def table_of(evidence: Evidence, number: int) -> Fairness:
    cell = evidence.recipe.cells[number]
    fair, margin = 1 / cell.players, cell.margin / 100
    seats = evidence.seats[evidence.seats["cell"] == number].sort_values("turn_order").reset_index(drop=True)
    seats = seats.assign(
        fair=fair,
        points=seats["share"] - fair,
        points_low=seats["family_low"] - fair,
        points_high=seats["family_high"] - fair,
    )
    verdicts = tuple(
        judge(row.family_low, row.family_high, row.share, fair, margin).verdict for row in seats.itertuples()
    )
    open_ = [needed(row, margin) for row, v in zip(seats.itertuples(), verdicts, strict=True) if v is Verdict.UNKNOWN]
    return Fairness(number, cell.players, cell.policies[0], margin, seats, verdicts, max(open_, default=0))


def needed(row: Any, margin: float) -> int:
    """Playouts that would probably settle a place's verdict, were its share what it seems: two digits, rounded up."""
    level = family_wise_level(LEVEL, round(1 / row.fair))
    spread = row.share * (1 - row.share)
    half = (row.share_high - row.share_low) / 2
    worth = quantile(LEVEL) ** 2 * spread / half**2 / row.playouts if half > 0 and spread > 0 else 1.0
    rate = row.share if spread > 0 else row.fair
    planned = to_settle(row.points, margin, rate, level=level) / worth
    if not isfinite(planned):
        return 10**12
    step = 10 ** max(len(f"{ceil(planned)}") - 2, 0)
    return ceil(planned / step) * step


# --- words ------------------------------------------------------------------------------------------------------


def ordinal(turn_order: int) -> str:
    return f"{turn_order + 1}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(turn_order + 1, 'th') }"


def going(turn_order: int, players: int) -> str:
    """'going first', 'going last', 'going 3rd'."""
    if turn_order == 0:
        return "going first"
    return "going last" if turn_order == players - 1 else f"going {ordinal(turn_order)}"


def share(row: Any) -> str:
    return words.rate(row["share"], row["share_low"], row["share_high"])


def off(row: Any) -> str:
    return words.points(row["points"], row["points_low"], row["points_high"])


def sentence(evidence: Evidence, table: Fairness) -> str:
    """What going first and last is worth at a table; and the place that is furthest off, if it is another."""
    does = evidence.outcome.does
    first, last = table.seats.iloc[0], table.seats.iloc[-1]
    told = (
        f"With {table.name}: going first {does} {share(first)}, {off(first)} from a fair "
        f"{words.fair_share(table.players)}; going last {does} {share(last)}, {off(last)}"
    )
    far = table.furthest
    if far["turn_order"] not in (0, table.players - 1):
        told += f"; furthest off is {going(int(far['turn_order']), table.players)}, {share(far)}, {off(far)}"
    return told + "."


def summary(tables: Sequence[Fairness]) -> str:
    """How many tables are fair, how many are not."""
    counts = {verdict: sum(table.verdict is verdict for table in tables) for verdict in Verdict}
    margin = f"{100 * tables[0].margin:g} points" if len({table.margin for table in tables}) == 1 else "the margin"
    if len(tables) == 1:
        told = {
            Verdict.BALANCED: f"Every place in the turn order is within {margin} of its fair share.",
            Verdict.UNBALANCED: f"Some place in the turn order is more than {margin} off its fair share.",
            Verdict.UNKNOWN: f"Whether every place in the turn order is within {margin} of its fair share is not settled.",
        }
        return told[tables[0].verdict]
    said = [
        f"with {counts[Verdict.BALANCED] or 'none'} of {len(tables)} line-ups every place in the turn order is within "
        f"{margin} of its fair share"
    ]
    if counts[Verdict.UNBALANCED]:
        said.append(f"with {counts[Verdict.UNBALANCED]} some place is surely further off")
    if counts[Verdict.UNKNOWN]:
        said.append(f"{counts[Verdict.UNKNOWN]} {'is' if counts[Verdict.UNKNOWN] == 1 else 'are'} not settled")
    return words.capital("; ".join(said)) + "."


def depends(tables: Sequence[Fairness]) -> tuple[bool, bool]:
    """Whether the verdict changes with the policies at some player count, and with the player count for some policy."""

    def changes(key: Any) -> bool:
        sides: dict[object, set[Verdict]] = {}
        for table in tables:
            sides.setdefault(key(table), set()).add(table.verdict)
        return any({Verdict.BALANCED, Verdict.UNBALANCED} <= verdicts for verdicts in sides.values())

    return changes(lambda table: table.players), changes(lambda table: table.policy)


def dependence(tables: Sequence[Fairness]) -> Iterator[str]:
    on_policies, on_players = depends(tables)
    if on_policies or on_players:
        what = [
            *(["how people play"] if on_policies else []),
            *(["the number of players"] if on_players else []),
        ]
        yield f"Whether the order of play is fair depends on {' and on '.join(what)}."


def told_tables(tables: Sequence[Fairness]) -> list[Fairness]:
    """All tables where they are few; else for each player count the one that is furthest from fair."""
    if len(tables) <= MANY_TABLES:
        return list(tables)
    worst: dict[int, Fairness] = {}
    for table in tables:
        if table.players not in worst or far(table) > far(worst[table.players]):
            worst[table.players] = table
    return list(worst.values())


def far(table: Fairness) -> float:
    return float(table.seats["points"].abs().max())


# --- the section ------------------------------------------------------------------------------------------------


def section(evidence: Evidence) -> Section | None:
    tables = fairness(evidence)
    if not tables:
        return None
    told = told_tables(tables)
    answers = [summary(tables), *dependence(tables)]
    if len(told) < len(tables):
        answers.append("For each number of players, the policy with which it is least fair:")
    answers += [sentence(evidence, table) for table in told]
    outcome = evidence.outcome
    notes = [
        "A line-up is here a number of players who all play the same policy, under the rules as printed.",
        f"Points are counted from an equal share of the {outcome.many}: 1 in as many as there are players.",
        f"Where several share the {outcome.one} of a game, each of them has an equal part of it.",
        "The ranges in points hold for all places of a table together, and the verdicts come from them; the ranges beside "
        "the shares hold for one place alone.",
        "Turn order is counted from whoever starts the game, wherever that is at the table.",
    ]
    if evidence.looked:
        notes.append("p is that of a number of playouts fixed in advance: only the ranges allow for having looked.")
    return Section(
        "fairness",
        "Is the order of play fair?",
        tuple(answers),
        (drawn(evidence, tables),),
        (seat_table(evidence, tables), *test_table(evidence, tables)),
        tuple(notes),
    )


def seat_table(evidence: Evidence, tables: Sequence[Fairness]) -> Table:
    rows = [
        (
            f"{table.players}",
            table.policy,
            ordinal(int(row["turn_order"])),
            words.percent(row["share"], row["share_low"], row["share_high"]),
            words.span(row["share_low"], row["share_high"]),
            off(row),
            f"{row['playouts']:,}",
            table.verdicts[i].value,
        )
        for table in tables
        for i, row in table.seats.iterrows()
    ]
    many = evidence.outcome.many
    names = (
        "players", "all play", "turn order", f"share of the {many}", "95 % range", "from a fair share, all together",
        "playouts", "verdict",
    )  # fmt: skip
    data = pd.concat(
        [
            table.seats.assign(players=table.players, policy=table.policy, verdict=[v.value for v in table.verdicts])
            for table in tables
        ]
    ).drop(columns=["role"])
    return made_table("fairness", f"Share of the {many} by turn order", names, rows, data, right=(0, 2, 3, 4, 5, 6))


def test_table(evidence: Evidence, tables: Sequence[Fairness]) -> Iterator[Table]:
    """One test of all places of a table at once."""
    tests = evidence.seat_tests.set_index("cell")
    shown = [(table, tests.loc[table.cell]) for table in tables if table.cell in tests.index]
    rows = [
        (
            f"{table.players}",
            table.policy,
            "" if np.isnan(test["statistic"]) else f"{test['statistic']:.1f}",
            f"{test['degrees']}",
            "" if np.isnan(test["concordance"]) else f"{test['concordance']:.6f}",
            p_value(test["p_value"]),
            p_value(test["adjusted"]),
            test["method"],
        )
        for table, test in shown
    ]
    if rows:
        names = (
            "players", "all play", "statistic", "degrees", "concordance", "p", "p, all tables together", "method",
        )  # fmt: skip
        data = evidence.seat_tests[evidence.seat_tests["cell"].isin([table.cell for table, _ in shown])]
        caption = "Does the turn order matter at all? One test of all places of a table"
        yield made_table("seat_tests", caption, names, rows, data, right=(0, 2, 3, 4, 5, 6))


def p_value(value: float) -> str:
    if np.isnan(value):
        return ""
    return "below 0.0001" if value < 0.0001 else f"{value:.4f}"


def drawn(evidence: Evidence, tables: Sequence[Fairness]) -> Picture:
    many = evidence.outcome.many
    title = f"Share of the {many} by turn order"
    alt = "Dots of points from a fair share, a panel for each number of players, a row for each place. " + " ".join(
        sentence(evidence, table) for table in told_tables(tables)
    )
    caption = (
        f"{evidence.playouts} playouts of each table; bars are 95 % ranges for all places of a table together, the band is "
        "the margin."
    )
    return picture("fairness", title, alt, caption, figure.draw([(t.players, t.policy, t.seats) for t in tables],
                                                               max(t.margin for t in tables), many))  # fmt: skip
