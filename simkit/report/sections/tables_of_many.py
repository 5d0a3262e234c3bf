"""Do choices matter at a table of several? One seat plays another way than all others: more than its fair share, or less?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simkit.report.figures import tables_of_many as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import made_table, picture
from simkit.scenario.grid import show_value
from simkit.summary import words
from simkit.summary.evidence import Evidence

BETTER, WORSE, OPEN = "does better", "does worse", "not settled"


@dataclass(frozen=True)
class Worth:
    """Playing `best` instead of `worst`, as one seat among others that all play `rest`. Positive, in shares."""

    players: int
    rest: str
    best: str
    worst: str
    difference: float
    low: float
    high: float
    margin: float


def shares(evidence: Evidence, cells: Any = None) -> pd.DataFrame:
    """The rows of mixed tables (by default with the rules as printed), with what is above a fair share in `points` and
    the family-wise `points_low`, `points_high`; `gain` is the same with the sign a player would give it.
    """
    kept = evidence.as_printed if cells is None else cells
    mine = evidence.shares[evidence.shares["cell"].isin(kept)]
    sign = 1 if evidence.outcome.is_good else -1
    points = mine["share"] - mine["fair"]
    ends = mine["family_low"] - mine["fair"], mine["family_high"] - mine["fair"]
    return mine.assign(points=points, points_low=ends[0], points_high=ends[1], gain=sign * points,
                       reading=[reading(sign * low, sign * high) for low, high in zip(*ends, strict=True)])  # fmt: skip


def reading(one_end: float, other_end: float) -> str:
    if min(one_end, other_end) > 0:
        return BETTER
    return WORSE if max(one_end, other_end) < 0 else OPEN


def odd(evidence: Evidence) -> pd.DataFrame:
    """One seat among seats that play alike, the rules as printed: by player count, then by the policy of the others."""
    mine = shares(evidence)
    mine = mine[mine["rest"] != ""].drop_duplicates(["players", "policy", "rest"])
    return mine.sort_values(["players"], kind="stable").reset_index(drop=True)


# --- what follows from them -------------------------------------------------------------------------------------


def worths(evidence: Evidence) -> list[Worth]:
    """For each player count and policy of the others, the best against the worst way for one seat to play among them,
    playing like them included. The largest difference first.
    """
    found = []
    for (players, rest), mine in odd(evidence).groupby(["players", "rest"], sort=False):
        gains = {rest: 0.0, **dict(zip(mine["policy"], mine["gain"], strict=True))}
        best, worst = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
        if best != worst:
            ends = gap(evidence, mine, best, worst)
            margin = evidence.recipe.cells[mine["cell"].iloc[0]].margin / 100
            found.append(Worth(int(players), rest, best, worst, *ends, margin))
    return sorted(found, key=lambda worth: -worth.difference)


def gap(evidence: Evidence, mine: pd.DataFrame, best: str, worst: str) -> tuple[float, float, float]:
    """What the best policy gets above the worst, with its range. Playing like all others gets a fair share exactly."""
    by_policy = mine.set_index("policy")
    sign = 1 if evidence.outcome.is_good else -1
    if best in by_policy.index and worst in by_policy.index:
        cells = {by_policy["cell"][best], by_policy["cell"][worst]}
        pairs = evidence.gaps[evidence.gaps["cell"].isin(cells) & evidence.gaps["other"].isin(cells)]
        row = pairs[pairs["rest"] == mine["rest"].iloc[0]].iloc[0]
        side = sign if row["policy"] == best else -sign
    else:
        row = by_policy.loc[best if best in by_policy.index else worst]
        row = pd.Series({"difference": row["points"], "low": row["points_low"], "high": row["points_high"]})
        side = sign if best in by_policy.index else -sign
    ends = sorted([side * row["low"], side * row["high"]])
    return float(side * row["difference"]), float(ends[0]), float(ends[1])


def dominant(evidence: Evidence) -> dict[int, str]:
    """By player count, the policy that does better than fair among each of the others, and against which none of them
    does; an empty name where there is none.
    """
    found = {}
    for players, mine in odd(evidence).groupby("players"):
        names = list(dict.fromkeys([*mine["policy"], *mine["rest"]]))
        readings = {(row.policy, row.rest): row.reading for row in mine.itertuples()}
        found[int(players)] = next(
            (
                name
                for name in names
                if all(readings.get((name, other)) == BETTER for other in names if other != name)
                and all(readings.get((other, name)) == WORSE for other in names if other != name)
            ),
            "",
        )
    return found


def tables_by_rest(mine: pd.DataFrame) -> Iterator[tuple[int, str, dict[str, list[str]]]]:
    """For each table whose players all play alike: which other policies would do better there, worse, or is not known."""
    for (players, rest), part in mine.groupby(["players", "rest"], sort=False):
        yield (
            int(players), rest,
            {word: part["policy"][part["reading"] == word].tolist() for word in (BETTER, WORSE, OPEN)},
        )  # fmt: skip


# --- words ------------------------------------------------------------------------------------------------------


def off(row: Any) -> str:
    return words.points(row.points, row.points_low, row.points_high)


def worth_sentence(evidence: Evidence, worth: Worth) -> str:
    """'With 4 players, playing open instead of random among 3 who play stealth is worth +12.3 points (...) of the wins.'"""
    others = f"among {worth.players - 1} who play {worth.rest}" if worth.players > 2 else f"against {worth.rest}"
    effect = words.points(worth.difference, worth.low, worth.high)
    outcome = evidence.outcome
    told = f"is worth {effect} of the {outcome.many}" if outcome.is_good else f"avoids {effect} of the {outcome.many}"
    return f"With {worth.players} players, playing {worth.best} instead of {worth.worst} {others} {told}."


def table_sentence(players: int, rest: str, sides: dict[str, list[str]]) -> str:
    """'Among 3 who play open, playing stealth does better than fair, playing random does worse.'"""
    told = [
        f"playing {words.listed_words(sides[word], 'or')} {word} than fair" for word in (BETTER, WORSE) if sides[word]
    ]
    if sides[OPEN]:
        told.append(f"for {words.listed_words(sides[OPEN])} it is not settled")
    where = f"Among {players - 1} who play {rest}" if players > 2 else f"With 2 players, against {rest}"
    return f"{where}, {', '.join(told)}."


# --- the section ------------------------------------------------------------------------------------------------


def section(evidence: Evidence) -> Section | None:
    mine = shares(evidence, range(len(evidence.recipe.cells)))
    if mine.empty:
        return None
    single = odd(evidence)
    answers = [worth_sentence(evidence, worth) for worth in worths(evidence)[:1]]
    by_rest = list(tables_by_rest(single))
    answers += list(verdicts(evidence))
    if len(by_rest) <= 6:
        answers += [table_sentence(*entry) for entry in by_rest]
    many = evidence.outcome.many
    notes = [
        f"A fair share of the {many} is what a seat gets that plays like all others: 1 in as many as there are players.",
        "The ranges in points hold for all rows together; errors are taken from blocks of deals.",
        "Better is better among the policies tried; a stronger policy may exist, and people play otherwise.",
    ]
    if not evidence.recipe.rotate:
        notes.insert(0, unbalanced_note())
    if (mine["credit"] == "rate").any():
        notes.append(
            f"This run did not count shared {many} by policy: here everybody who has a part in one has all of it."
        )
    tables = [share_table(evidence, mine)]
    if by_rest:
        tables.append(rest_table(by_rest))
    return Section(
        "policies", "Do choices matter?", tuple(answers) or (largest(evidence, mine),), pictures(evidence, single),
        tuple(tables), tuple(notes),
    )  # fmt: skip


def unbalanced_note() -> str:
    return (
        "Not seat-balanced: policies kept their seats. Where the first player is drawn by chance this evens out; otherwise "
        "set rotate = true in the scenario."
    )


def label(evidence: Evidence) -> str:
    return "" if evidence.recipe.rotate else " (not seat-balanced)"


def verdicts(evidence: Evidence) -> Iterator[str]:
    """Whether one policy beats all others, by player count; nothing where not every policy was played among every other."""
    by_name: dict[str, list[int]] = {}
    for players, name in dominant(evidence).items():
        if name or players in complete(evidence):
            by_name.setdefault(name, []).append(players)
    for name, counts in by_name.items():
        at = f"With {words.listed(counts, 'or')} players"
        yield (
            f"{at}, {name} does better than its fair share among each other policy tried, and each of them does worse among "
            f"{name}."
            if name
            else f"{at}, no policy does surely better than fair among each of the others and leaves them worse off at its own "
            "table."
        )


def complete(evidence: Evidence) -> set[int]:
    """The player counts at which each policy was played by one seat among seats of each other."""
    found = set()
    for players, mine in odd(evidence).groupby("players"):
        names = {*mine["policy"], *mine["rest"]}
        if len(mine) == len(names) * (len(names) - 1):
            found.add(int(players))
    return found


def largest(evidence: Evidence, mine: pd.DataFrame) -> str:
    row = mine.loc[mine["points"].abs().idxmax()]
    return (
        f"Furthest from fair with {row['players']} players: {row['policy']} among {row['others']} gets "
        f"{words.rate(row['share'], row['low'], row['high'])} of the {evidence.outcome.many} for each of its seats."
    )


def share_table(evidence: Evidence, mine: pd.DataFrame) -> Table:
    rows = [
        (
            f"{row.players}",
            row.policy if row.seats == 1 else f"{row.seats} x {row.policy}",
            row.others,
            words.percent(row.share, row.low, row.high),
            words.span(row.low, row.high),
            off(row),
            words.index(row.index_, row.low / row.fair, row.high / row.fair),
            f"{row.playouts:,}",
            row.reading,
            other_rules(evidence, row.cell),
        )
        for row in mine.sort_values("players", kind="stable").rename(columns={"index": "index_"}).itertuples()
    ]
    names = (
        "players", "policy", "among", f"share of the {evidence.outcome.many} of one seat", "95 % range",
        "from a fair share, all together", "fair-share index", "playouts", "than fair", "rules",
    )  # fmt: skip
    caption = f"What each policy gets at mixed tables{label(evidence)}"
    return made_table("line_ups", caption, names, rows, mine, right=(0, 3, 4, 5, 6, 7))


def other_rules(evidence: Evidence, number: int) -> str:
    """The options of a cell that differ from the default rules."""
    default = evidence.spec.resolve({})
    cell = evidence.recipe.cells[number]
    return ", ".join(
        f"{name} = {show_value(value)}" for name, value in cell.options.items() if value != default.get(name)
    )


def rest_table(by_rest: list[tuple[int, str, dict[str, list[str]]]]) -> Table:
    rows = [
        (f"{players}", rest, *(", ".join(sides[word]) for word in (BETTER, WORSE, OPEN)))
        for players, rest, sides in by_rest
    ]
    names = ("players", "all others play", "would do better than fair", "would do worse", "not settled")
    data = pd.DataFrame(rows, columns=["players", "others", "better", "worse", "not_settled"])
    return made_table("invasions", "Who gains by playing another way than all others", names, rows, data, right=(0,))


def pictures(evidence: Evidence, single: pd.DataFrame) -> tuple[Picture, ...]:
    if single.empty:
        return ()
    many = evidence.outcome.many
    title = f"One seat among others, from its fair share of the {many}"
    alt = f"Dots of points from a fair share{label(evidence)}, a panel for each number of players. " + " ".join(
        f"{row.players} players, {row.policy} among {row.rest}: {off(row)}." for row in single.itertuples()
    )
    caption = (
        f"{evidence.playouts} playouts of each table{label(evidence)}; bars are 95 % ranges for all rows together, the band "
        "is the margin."
    )
    margin = max(evidence.recipe.cells[cell].margin for cell in single["cell"]) / 100
    return (
        picture(
            "line_ups",
            title,
            alt,
            caption,
            figure.draw(single, margin, many if evidence.outcome.is_good else f"{many}, fewer are better"),
        ),
    )
