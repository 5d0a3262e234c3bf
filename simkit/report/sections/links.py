"""What decides it besides play, and where is it lost?"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from simkit.report.figures import dealt as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.cards import FALSE_ALARMS, MOST_PANELS
from simkit.report.sections.parts import made_table, picture, points_of
from simkit.scenario.grid import gathered
from simkit.stats.cards import ENOUGH
from simkit.summary import words
from simkit.summary.evidence import Evidence

Panel = tuple[str, pd.DataFrame]


def section(evidence: Evidence) -> Section | None:
    """For games that link columns with their outcome."""
    shown, lost = panels(evidence, evidence.given), panels(evidence, evidence.found)
    if not shown and not lost:
        return None
    what = evidence.outcome
    questions = ["what decides it besides play"] if shown else []
    questions += [f"where is it {'lost' if what.is_good else 'decided'}"] if lost else []
    answers = [*(given_sentence(evidence, *panel) for panel in shown), *(lost_sentence(*panel) for panel in lost)]
    return Section(
        "links",
        f"{words.capital(words.listed_words(questions))}?",
        tuple(answers),
        pictures(evidence, shown),
        tables(evidence, shown, lost),
        tuple(notes(evidence, shown, lost)),
    )


def panels(evidence: Evidence, rows: pd.DataFrame) -> list[Panel]:
    """The tables that the page shows, those with the strongest differences (or most losses) of each player count first."""
    if rows.empty:
        return []
    found = []
    for (group, players, policies), mine in rows.groupby(["group", "players", "policies"], sort=False):
        if "difference" in mine:
            sure = (mine["adjusted_p"] < FALSE_ALARMS) & ~mine["is_thin"]
            order = mine.assign(is_sure=sure).sort_values("difference", ascending=False, kind="stable")
        else:
            order = mine.sort_values("share", ascending=False, kind="stable")
        found.append((title_of(evidence, int(str(group)), int(str(players)), str(policies)), order))
    return found[:MOST_PANELS] if len(found) <= MOST_PANELS else spread(found)


def spread(found: list[Panel]) -> list[Panel]:
    """Of many tables, the one of each player count that says most, the player counts spread evenly."""

    def weight(panel: Panel) -> float:
        rows = panel[1]
        return float(rows["is_sure"].sum() if "is_sure" in rows else rows["share"].sum())

    best: dict[int, Panel] = {}
    for panel in found:
        players = int(panel[1]["players"].iloc[0])
        if players not in best or weight(panel) > weight(best[players]):
            best[players] = panel
    counts = sorted(best)
    if len(counts) > MOST_PANELS:
        counts = [counts[round(i * (len(counts) - 1) / (MOST_PANELS - 1))] for i in range(MOST_PANELS)]
    return [best[players] for players in counts]


def title_of(evidence: Evidence, group: int, players: int, policies: str) -> str:
    """'4 players, all greedy'."""
    line_up = tuple(policies.split(" / "))
    who = policies if evidence.spec.roles else gathered(line_up)
    return f"{words.players(players)}, {who}"


# --- words ------------------------------------------------------------------------------------------------------


def effect(row: Any) -> str:
    return points_of(row.difference, row.low, row.high)


def given_sentence(evidence: Evidence, title: str, rows: pd.DataFrame) -> str:
    """What one panel says: the best and the worst of what is dealt, and how much of it is more than chance."""
    enough = rows[~rows["is_thin"]]
    sure = rows[rows["is_sure"]]
    if enough.empty:
        return f"{title}: too few playouts to tell."
    if sure.empty:
        return f"{title}: of {len(enough)} things that are dealt, none makes a difference that chance does not explain."
    sign = 1 if evidence.outcome.is_good else -1
    ordered = sure.sort_values("difference", ascending=sign < 0, kind="stable")
    told = []
    if sign * ordered["difference"].iloc[0] > 0:
        told.append(f"best is {told_effect(evidence, ordered.iloc[0])}")
    if sign * ordered["difference"].iloc[-1] < 0:
        told.append(f"worst is {told_effect(evidence, ordered.iloc[-1])}")
    return (
        f"{title}: {'; '.join(told)}. Of {len(enough)} things that are dealt, {len(sure)} "
        f"make{'s' if len(sure) == 1 else ''} a difference that chance does not explain."
    )


def told_effect(evidence: Evidence, row: pd.Series) -> str:
    """'Messenger card Night Rider, +5.5 points (+4.1 to +6.8) of the win rate'."""
    return f"{row['name']}, {effect(row)} of the {evidence.outcome.rate}"


def lost_sentence(title: str, rows: pd.DataFrame) -> str:
    """'4 players, all greedy: of 1,200 games lost, India unsafe in 62 % (60 to 64), ...'."""
    told = [f"{row.name_} in {words.rate(row.share, row.low, row.high)}" for row in named(rows.head(3))]
    last = f"; least of all {next(named(rows.tail(1))).name_}" if len(rows) > 3 else ""
    return f"{title}: of {rows['lost'].iloc[0]:,} games lost, {words.listed_words(told)}{last}."


def named(rows: pd.DataFrame) -> Iterator[Any]:
    """Rows as tuples; `name` alone would be the name of the tuple's own attribute."""
    return rows.rename(columns={"name": "name_"}).itertuples()


# --- evidence ---------------------------------------------------------------------------------------------------


def pictures(evidence: Evidence, shown: list[Panel]) -> tuple[Picture, ...]:
    many = evidence.outcome.many
    shown = [(title, rows[~rows["is_thin"]]) for title, rows in shown if not rows["is_thin"].all()]
    if not shown:
        return ()
    order = list(dict.fromkeys(name for _, rows in shown for name in rows["name"]))
    mean = pd.concat([rows for _, rows in shown]).groupby("name")["difference"].mean()
    order.sort(key=lambda name: -mean[name])
    alt = "Dots of points more or less, for everything that is dealt. " + " ".join(
        f"{title}: {', '.join(f'{row.name_} {effect(row)}' for row in named(rows))}." for title, rows in shown
    )
    caption = "Filled dots are more than chance explains, with all of a panel looked at together."
    drawn = figure.draw(shown, order, many, "with it than without")
    return (picture("links", f"What is dealt, and the {many}", alt, caption, drawn),)


def tables(evidence: Evidence, shown: list[Panel], lost: list[Panel]) -> tuple[Table, ...]:
    outcome = evidence.outcome
    made = []
    if shown:
        names = (
            "table",
            "what was dealt",
            "how often",
            f"{outcome.rate} with it",
            "95 % range",
            "difference",
            "adjusted p",
        )
        body = [
            (
                title,
                row.name_ + (" (too few to tell)" if row.is_thin else ""),
                f"{row.counted:,}",
                words.percent(row.rate, row.rate_low, row.rate_high) if pd.notna(row.rate_low) else "",
                words.span(row.rate_low, row.rate_high) if pd.notna(row.rate_low) else "",
                effect(row),
                ""
                if pd.isna(row.adjusted_p)
                else "below 0.0001"
                if row.adjusted_p < 0.0001
                else f"{row.adjusted_p:.4f}",
            )
            for title, rows in shown
            for row in named(rows)
        ]
        made.append(
            made_table("given", "What is dealt, and what it goes with", names, body, evidence.given, (2, 3, 4, 5, 6))
        )
    if lost:
        at_the_end = [
            (title, row.name_, words.percent(row.share, row.low, row.high), words.span(row.low, row.high))
            for title, rows in lost
            for row in named(rows)
        ]
        names_of = ("table", "at the end", "share of the games lost", "95 % range")
        made.append(
            made_table("found", "How things stood when it was lost", names_of, at_the_end, evidence.found, (2, 3))
        )
    return tuple(made)


def notes(evidence: Evidence, shown: list[Panel], lost: list[Panel]) -> Iterator[str]:
    if shown:
        yield (
            "Nobody chooses what is listed here: chance deals it, so the difference is its doing, for these policies. Each is "
            "compared with all playouts of the same cell without it."
        )
        yield (
            "The p-values are adjusted for looking at everything in a panel together (Benjamini and Hochberg); with fewer "
            f"than {ENOUGH:,} on either side a difference is not judged. Errors are taken from blocks of deals."
        )
        yield (
            "Where so many of a kind are dealt and no more, having one is not having another: its difference is to an average "
            "one, so some must be below 0."
        )
    if lost:
        yield "Several of these can be so in one game; they describe how it was lost and do not explain it."
    cells = max((int(rows["cells"].iloc[0]) for _, rows in [*shown, *lost]), default=1)
    if cells > 1:
        yield (
            f"Up to {cells} cells of one table (levels, or variants of the rules) are taken together, each compared within "
            "itself."
        )
    yield "All tables of the run are in the CSV file."
