"""Does player count matter? The fair-share index, which is 1 for a fair place at a table of any size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from simkit.report.figures import players as figure
from simkit.report.model import Section
from simkit.report.sections.fairness import distinct, going, ordinal
from simkit.report.sections.parts import made_table, picture
from simkit.scenario.grid import Cell
from simkit.stats.verdict import Verdict
from simkit.summary import words
from simkit.summary.evidence import Evidence

MARGIN = 0.08  # of the index: what a place may gain or lose from one player count to another and still be the same
QUESTION = "Does player count matter?"


@dataclass(frozen=True)
class Change:
    """What one end of the turn order gets at the player counts where it gets most and least, all playing one policy."""

    policy: str
    place: str
    most: pd.Series
    least: pd.Series

    @property
    def gap(self) -> float:
        return float(self.most["index"] - self.least["index"])

    @property
    def verdict(self) -> Verdict:
        """Unbalanced: the two are surely more than the margin apart, whichever the other counts are."""
        if self.most["family_low"] - self.least["family_high"] > MARGIN:
            return Verdict.UNBALANCED
        return Verdict.BALANCED if self.most["family_high"] - self.least["family_low"] < MARGIN else Verdict.UNKNOWN


def shares(evidence: Evidence) -> pd.DataFrame:
    """The index of every place in the turn order, for each policy that everybody plays at all player counts of the run.

    `low`, `high` hold for the place alone, `family_low`, `family_high` for all places of its table. Rules as printed.
    Empty for games with roles, whose seats cannot be compared over player counts, and for runs with one player count.
    """
    if not evidence.is_alike:
        return pd.DataFrame()
    cells = distinct([evidence.recipe.cells[number] for number in sorted(evidence.as_printed)])
    counts = {cell.players for cell in cells}
    played = {policy: [cell for cell in cells if cell.policies[0] == policy] for policy in policies_of(cells)}
    shared = {policy: mine for policy, mine in played.items() if {cell.players for cell in mine} == counts}
    if len(counts) < 2 or not shared:
        return pd.DataFrame()
    found = [
        evidence.seats[evidence.seats["cell"] == cell.id].assign(players=cell.players, policy=policy)
        for policy, mine in shared.items()
        for cell in mine
    ]
    mine = pd.concat(found).drop(columns=["low", "high", "rate", "role"])
    for name, end in (("low", "share_low"), ("high", "share_high"), ("family_low",) * 2, ("family_high",) * 2):
        mine[name] = mine["players"] * mine[end]
    return mine.reset_index(drop=True)


def policies_of(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(cell.policies[0] for cell in cells))


def changes(mine: pd.DataFrame) -> Iterator[Change]:
    """For each policy, the first and the last place at the counts where they get most and least."""
    for policy, part in mine.groupby("policy", sort=False):
        last = part[part["turn_order"] == part["players"] - 1]
        for place, seats in (("going first", part[part["turn_order"] == 0]), ("going last", last)):
            yield Change(
                str(policy), place, seats.loc[seats["index"].idxmax()], seats.loc[seats["index"].idxmin()],
            )  # fmt: skip


def told(row: pd.Series) -> str:
    return words.index(row["index"], row["low"], row["high"])


def sentences(mine: pd.DataFrame, outcome: words.Outcome) -> tuple[str, ...]:
    """For each policy the end of the turn order that changes most with the number of players."""
    largest: dict[str, Change] = {}
    for change in changes(mine):
        if change.policy not in largest or change.gap > largest[change.policy].gap:
            largest[change.policy] = change
    said = {
        Verdict.UNBALANCED: "surely a difference that matters",
        Verdict.BALANCED: "a difference too small to matter",
        Verdict.UNKNOWN: "whether that matters is not settled",
    }
    return tuple(
        f"With everybody playing {change.policy}, {change.place} gets {told(change.most)} of a fair share of the "
        f"{outcome.many} with {change.most['players']} players and {told(change.least)} with {change.least['players']}: "
        f"{said[change.verdict]}."
        for change in largest.values()
    )


def section(evidence: Evidence) -> Section | None:
    mine = shares(evidence)
    if mine.empty:
        return None
    rows = [
        (f"{row['players']}", row["policy"], ordinal(row["turn_order"]), told(row), f"{row['playouts']:,}")
        for _, row in mine.iterrows()
    ]
    names = ("players", "all play", "turn order", "fair-share index, 95 % range", "playouts")
    table = made_table("players", "Fair-share index by player count", names, rows, mine, right=(0, 2, 3, 4))
    answers = sentences(mine, evidence.outcome)
    alt = "Dots of the fair-share index, a panel for each policy, a row for each player count. " + " ".join(
        f"{row['policy']}, {row['players']} players, {going(row['turn_order'], row['players'])}: {told(row)}."
        for _, row in mine.iterrows()
        if row["turn_order"] in (0, row["players"] - 1)
    )
    caption = f"{evidence.playouts} playouts of each table; 1 is fair for any number of players."
    drawn = picture("players", "Fair shares by player count", alt, caption, figure.draw(mine, evidence.outcome.many))
    notes = (
        f"The index is a place's share of the {evidence.outcome.many} times the number of players: 1 is fair, 1.1 a tenth "
        "more.",
        f"Two player counts are told apart when their indices surely differ by more than {MARGIN:g}.",
    )
    return Section("players", QUESTION, answers, (drawn,), (table,), notes)
