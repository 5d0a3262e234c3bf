"""How hard is it, does the number of players matter, do the rules?"""

from collections.abc import Iterator

import pandas as pd

from simkit.report.cards.states import BAD, DEPENDS, GOOD, UNKNOWN, dots
from simkit.report.model import Card
from simkit.report.sections import changes as changes_
from simkit.report.sections import (
    difficulty,
    players,
)  # fmt: skip
from simkit.report.sections.parts import is_around_a_baseline, judged, rate, who
from simkit.stats.verdict import Verdict
from simkit.summary import words
from simkit.summary.evidence import Evidence

MOST_CURVES = 4  # told on the card


def hard(evidence: Evidence) -> Card | None:
    """Difficulty curves: in order, and near their targets?"""
    numbers = difficulty.curves(evidence)
    if not numbers:
        return None
    sentences, faults, found = [], [], []
    lines = [(n, mine) for n in numbers for _, mine in evidence.of_group(n).groupby("policies", sort=False)]
    for number, mine in lines:
        first, last = mine.iloc[0], mine.iloc[-1]
        fault = difficulty.misplaced(evidence, mine).removeprefix(" Mind: ")
        name = difficulty.curve_name(evidence, number, mine)
        faults += [f"{name}{fault}"] if fault else []
        found += [judged(row) for row in mine.dropna(subset="target").itertuples()]
        sentences.append(f"{name}from {rate(first)} at {first['preset']} to {rate(last)} at {last['preset']}.")
    sentences = sentences[:MOST_CURVES]
    if faults:
        sentences += faults
        state, word = BAD, "levels out of order" if "easier" in "".join(faults) else "levels play alike"
        if len(faults) < len(lines):
            state, word = DEPENDS, f"{word} for some"
    else:
        state, word = GOOD, "every level is harder"
    if found:
        inside = sum(each.verdict is Verdict.BALANCED for each in found)
        sentences.append(f"{inside} of {len(found)} levels with a target lie within their margin.")
        if inside < len(found) and state == GOOD:
            state, word = DEPENDS, "in order, off its targets"
    shown = pd.concat([mine for _, mine in lines])
    return Card("hard", "How hard is it?", state, word, tuple(sentences), "difficulty", dots(shown))


def player_counts(evidence: Evidence) -> Card | None:
    """Whether the ends of the turn order fare alike at every player count, policy by policy."""
    shares = players.shares(evidence)
    if shares.empty:
        return None
    verdicts = {change.verdict for change in players.changes(shares)}
    if Verdict.UNBALANCED in verdicts:
        policies_ = {change.policy for change in players.changes(shares)}
        moved = {change.policy for change in players.changes(shares) if change.verdict is Verdict.UNBALANCED}
        state, word = (BAD, "it does") if moved == policies_ else (DEPENDS, "depends on who plays")
    else:
        state, word = (UNKNOWN, "not enough data") if Verdict.UNKNOWN in verdicts else (GOOD, "hardly")
    return Card("players", players.QUESTION, state, word, players.sentences(shares, evidence.outcome)[:3], "players")


def options(evidence: Evidence) -> Card | None:
    """Changes of rules on the same deals, each held against the margin by its family-wise range."""
    groups = [n for n in range(len(evidence.recipe.groups)) if is_around_a_baseline(evidence, n)]
    measured = changes_.measured(evidence)
    mine = measured[measured["group"].isin(groups)]
    if mine.empty:
        return None
    margin = mine["cell"].map(evidence.cells.set_index("cell")["margin"])
    large = mine[(mine["family_low"] > margin) | (mine["family_high"] < -margin)]
    small = mine[(mine["family_low"] > -margin) & (mine["family_high"] < margin)]
    groups_of = [f"{policies} ({players} players)" for policies, players in told_apart(evidence, mine)]
    tops = [part.loc[part["difference"].abs().idxmax()] for _, part in mine.groupby(groups_of, sort=False)]
    sentences = [f"{len(large)} of {len(mine)} changes move the result by more than the margin."]
    for top in sorted(tops, key=lambda row: -abs(row["difference"]))[:2]:
        effect = words.points(top["difference"], top["family_low"], top["family_high"])
        sentences.append(
            f"Most of all {top['change']}: {effect} with {who(evidence, evidence.recipe.cells[top['cell']])}."
        )
    sentences += list(changes_.policy_sentences(evidence))[:1]
    flips = flipping(evidence, large, small)
    if flips:
        are = "One of them matters" if len(flips) == 1 else f"{len(flips)} of them matter"
        sentences.append(f"{are} with one line-up and not with another.")
    if len(large) == 0:
        state, word = (GOOD, "no change matters") if len(small) == len(mine) else (UNKNOWN, "not enough data")
    else:
        changes = large["change"].nunique()
        state, word = (
            (DEPENDS if flips else BAD),
            f"{changes} change{'s' if changes > 1 else ''} matter{'' if changes > 1 else 's'}",
        )
    return Card("options", "Do rules and readings matter?", state, word, tuple(sentences), "changes")


def told_apart(evidence: Evidence, differences: pd.DataFrame) -> Iterator[tuple[str, int]]:
    for cell in differences["cell"]:
        yield " / ".join(evidence.recipe.cells[cell].policies), evidence.recipe.cells[cell].players


def flipping(evidence: Evidence, large: pd.DataFrame, small: pd.DataFrame) -> set[tuple[int, str, str]]:
    """Changes that surely matter with one line-up and surely do not with another, in the same game for as many."""

    def keys(part: pd.DataFrame) -> set[tuple[int, str, str]]:
        cells = evidence.recipe.cells
        return {(cells[row.cell].players, cells[row.cell].preset, row.change) for row in part.itertuples()}

    return keys(large) & keys(small)
