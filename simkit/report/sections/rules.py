"""Which rules come into play?"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from simkit.report.model import Section, Table
from simkit.report.sections.parts import made_table
from simkit.stats.intervals import upper_bound
from simkit.summary import words
from simkit.summary.evidence import Evidence
from simkit.summary.rules import share_of_deals

QUESTION = "Which rules come into play?"
SOURCES = {"trace": "observed games", "column": "all games", "end reason": "all games"}


def section(evidence: Evidence) -> Section | None:
    """For games that say what shows their rules; left out for a run that was not observed."""
    coverage = evidence.spec.coverage
    if coverage is None or evidence.observed is None or evidence.observed.coverage.empty:
        return None
    rules = pooled(evidence)
    never = rules[rules["having"] == 0]
    clauses = rules["clause"].nunique()
    answers = [
        f"{len(rules) - len(never)} of {len(rules)} things that {clauses} clauses of the rules foresee, and that could happen "
        "in this run, did happen."
    ]
    answers += [f"Never: {told_never(row)}." for row in never.itertuples()]
    answers += [
        f"Held by somebody and never played: {', '.join(cards)}." for cards in [never_played(evidence)] if cards
    ]
    return Section(
        "rules", QUESTION, tuple(answers), (), (table(evidence, rules), unseen(evidence)), tuple(notes(evidence))
    )


def pooled(evidence: Evidence) -> pd.DataFrame:
    """One row per thing that a clause foresees, over all cells in which it could happen.

    share, low, high : of the playouts that were looked at; cells may have the same deals, so the range is as wide as that of
    one cell     deals : of that cell     rarest : the cell with the smallest share
    """
    assert evidence.observed is not None
    label = evidence.cells.set_index("cell")["label"]
    rows = []
    for (clause, what), mine in evidence.observed.coverage.groupby(["clause", "what"], sort=False):
        playouts, having = int(mine["playouts"].sum()), int(mine["having"].sum())
        deals = int(mine["deals"].max())
        low, high = share_of_deals(having, playouts, deals)
        shares = mine["having"] / mine["playouts"]
        rows.append({
            "clause": clause, "what": what, "seen_in": mine["seen_in"].iloc[0], "cells": len(mine), "playouts": playouts,
            "deals": deals, "having": having, "share": having / playouts, "low": low, "high": high,
            "rarest": label[mine["cell"][shares.idxmin()]], "least": shares.min(),
        })  # fmt: skip
    return pd.DataFrame(rows).sort_values("clause", key=lambda clauses: clauses.map(in_order), kind="stable")


def in_order(clause: str) -> int:
    """A1, A2, ... A10, B1, ..."""
    return 1000 * ord(clause[0]) + int(clause[1:])


def told_never(row: Any) -> str:
    """'A7 (a 5 has no effect) in 1,000 games, so surely in fewer than 1 of 334'; of several cells 'in each'."""
    each = " in each cell" if row.cells > 1 else ""
    return f"{row.clause} ({row.what}) in {row.playouts:,} games, {bound(row.deals)}{each}"


def bound(deals: int) -> str:
    """What is known of the rate of something that never happened, from independent deals."""
    return f"so surely in fewer than 1 of {int(1 / upper_bound(0, deals)):,}" if deals > 20 else "too few to tell"


def alerts(evidence: Evidence) -> Iterator[str]:
    """What the card on suspicious things says of rules; endings have a sentence of their own there."""
    if evidence.observed is None or evidence.observed.coverage.empty:
        return
    rules = pooled(evidence)
    never = rules[(rules["having"] == 0) & (rules["seen_in"] != "end reason")]
    if len(never):
        first = next(never.itertuples())
        more = f", and {len(never) - 1} more" if len(never) > 1 else ""
        yield f"Never came into play: {told_never(first)}{more}."
    if cards := never_played(evidence):
        yield f"Held by somebody and never played: {', '.join(cards)}."


def never_played(evidence: Evidence) -> list[str]:
    """Kinds of cards that players had in their hands in this run, and nobody ever played."""
    if evidence.cards.empty:
        return []
    played = evidence.cards.groupby("card", sort=False)["played_players"].sum()
    return [str(card) for card, times in played.items() if times == 0]


def table(evidence: Evidence, rules: pd.DataFrame) -> Table:
    assert evidence.observed is not None
    rows = [
        (
            row.clause,
            row.what,
            f"{row.having:,} of {row.playouts:,}",
            words.percent(row.share, row.low, row.high),
            words.span(row.low, row.high),
            row.rarest if row.cells > 1 and row.least < row.share else "",
            SOURCES[row.seen_in],
        )
        for row in rules.itertuples()
    ]
    names = ("clause", "what happens", "games", "share", "95 % range", "rarest with", "looked at")
    data = evidence.observed.coverage.merge(evidence.cells[["cell", "label"]], on="cell")
    caption = "What the rules foresee, and in how many games it happened"
    return made_table("rules", caption, names, rows, data, right=(2, 3, 4))


def unseen(evidence: Evidence) -> Table:
    assert evidence.spec.coverage is not None
    rows = [(item.clause, item.why) for item in evidence.spec.coverage.unseen]
    data = pd.DataFrame(rows, columns=["clause", "why"])
    return made_table("rules_unseen", "Clauses that nothing recorded can show", ("clause", "why"), rows, data)


def notes(evidence: Evidence) -> Iterator[str]:
    yield (
        "Clauses are those of the game's RULES.md: A is what is printed, B our readings. Counted are the cells of this run in "
        "which something can happen: with the player counts, options and components that it needs."
    )
    yield (
        "That something happens says nothing of whether it matters; and what never happens here may happen with other "
        "policies, or with people."
    )
