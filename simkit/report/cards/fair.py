"""Is it fair?"""

from collections.abc import Iterator
from math import ceil

import pandas as pd

from simkit.report.cards.states import BAD, DEPENDS, GOOD, INFO, UNKNOWN, dots
from simkit.report.model import Card, Dot
from simkit.report.sections import (
    boxes,
    fairness,
)  # fmt: skip
from simkit.report.sections.parts import is_curve, judged, rate
from simkit.stats.verdict import Judged, Verdict
from simkit.summary.evidence import Evidence


def fair(evidence: Evidence) -> Card | None:
    """Cells for two and more with the rules as they are, held against their target, over all line-ups; in games with
    alike seats every place in the turn order against an equal share.
    """
    if evidence.is_alike:
        return fair_seats(evidence)
    recipe = evidence.recipe
    first = {number: recipe.cells[group.cells[0]].options for number, group in enumerate(recipe.groups)}
    plain = [
        cell.id
        for cell in recipe.cells
        if cell.players > 1 and cell.options == first[cell.group] and not is_curve(evidence, cell.group)
    ]
    cells = evidence.cells[evidence.cells["cell"].isin(plain)].drop_duplicates(["policies", "players"])
    if cells.empty:
        return None
    aimed = cells.dropna(subset="target")
    question = "Is it fair?"
    if aimed.empty:
        return Card("fair", question, INFO, "no target set", tuple(extremes(evidence, cells)), "rates", dots(cells))
    found = [judged(row) for row in aimed.itertuples()]
    state, word = overall(found)
    inside = sum(each.verdict is Verdict.BALANCED for each in found)
    row = aimed.iloc[0]
    sentences = [*extremes(evidence, aimed)]
    if len(aimed) > 1:
        lie = "line-ups lies" if inside == 1 else "line-ups lie"
        aim = f"the margin of {100 * row['margin']:g} around the target of {100 * row['target']:g}"
        sentences.append(f"{inside} of {len(aimed)} {lie} within {aim}.")
    else:
        sentences.append("Only one line-up was played: another may tell otherwise.")
    if len({each.gap > 0 for each in found if each.verdict is Verdict.UNBALANCED}) > 1:
        state, word = DEPENDS, "depends on who plays"
    sentences += more_playouts(found)
    sentences += other_boxes(evidence)
    band = (100 * (row["target"] - row["margin"]), 100 * (row["target"] + row["margin"]))
    return Card("fair", question, state, word, tuple(sentences), "rates", dots(aimed), band)


def fair_seats(evidence: Evidence) -> Card | None:
    """Every place in the turn order against an equal share, at all tables with one policy for all."""
    tables = fairness.fairness(evidence)
    if not tables:
        return None
    state, word = fair_word(tables)
    sentences = [fairness.summary(tables), fairness.sentence(evidence, max(tables, key=fairness.far))]
    sentences += fairness.dependence(tables)
    open_ = [table.playouts_needed for table in tables if table.verdict is Verdict.UNKNOWN]
    sentences += playouts_sentence(open_)
    drawn, chosen = first_and_last(tables)
    if len({table.policy for table in tables}) > 1:
        sentences.append(f"The dots are points from a fair share where all play {chosen}.")
    sentences += other_boxes(evidence)
    reach = max([2 * 100 * tables[0].margin, *(abs(end) for dot in drawn for end in (dot.low, dot.high))])
    edge = float(ceil(reach))
    margin = 100 * tables[0].margin
    return Card("fair", "Is it fair?", state, word, tuple(sentences), "fairness", drawn, (-margin, margin), (-edge, edge),
                "points", True)  # fmt: skip


def fair_word(tables: list[fairness.Fairness]) -> tuple[str, str]:
    """State and word for all tables together."""
    verdicts = {table.verdict for table in tables}
    if {Verdict.BALANCED, Verdict.UNBALANCED} <= verdicts:
        on_policies, on_players = fairness.depends(tables)
        if on_policies == on_players:
            return DEPENDS, "not at every table"
        return DEPENDS, "depends on who plays" if on_policies else "depends on player count"
    if Verdict.UNBALANCED in verdicts:
        return BAD, "unbalanced" if len(verdicts) == 1 else "unbalanced, not settled everywhere"
    if Verdict.UNKNOWN in verdicts:
        return UNKNOWN, "not enough data" if len(verdicts) == 1 else "balanced where it is settled"
    return GOOD, "balanced, with a small lean" if any(table.is_leaning for table in tables) else "balanced"


def first_and_last(tables: list[fairness.Fairness]) -> tuple[tuple[Dot, ...], str]:
    """Both ends of the turn order at every player count, in points from a fair share, for the policy that was played at
    most player counts (of several the last); and that policy.
    """
    policies = [table.policy for table in tables]
    chosen = max(reversed(policies), key=policies.count)
    made = []
    for table in tables:
        if table.policy == chosen:
            for turn_order, place in ((0, "first"), (table.players - 1, "last")):
                seat = table.seats.iloc[turn_order]
                points = (100 * seat[name] for name in ("points", "points_low", "points_high"))
                made.append(Dot(f"{table.players} players, {place}", *points))
    return tuple(made), chosen


def other_boxes(evidence: Evidence) -> Iterator[str]:
    """Whether the conclusions hold for other components, where the run played some."""
    found = boxes.conclusions(evidence)
    if found:
        yield boxes.answer(found)


def extremes(evidence: Evidence, cells: pd.DataFrame) -> Iterator[str]:
    """The lowest and the highest rate, with their policies."""
    ordered = cells.sort_values("rate", kind="stable")
    shown = ordered if len(ordered) <= 2 else ordered.iloc[[0, -1]]
    told = " and ".join(f"{rate(row)} with {row.policies}" for row in shown.itertuples())
    yield f"{evidence.headline} {told}."


def overall(found: list[Judged]) -> tuple[str, str]:
    """State and word for several line-ups together."""
    verdicts = {each.verdict for each in found}
    if verdicts == {Verdict.BALANCED}:
        lean = any(each.is_leaning for each in found)
        return GOOD, "balanced, with a small lean" if lean else "balanced"
    if verdicts == {Verdict.UNBALANCED}:
        return BAD, "unbalanced"
    if verdicts == {Verdict.UNKNOWN}:
        return UNKNOWN, "not enough data"
    return DEPENDS, "depends on who plays"


def more_playouts(found: list[Judged]) -> Iterator[str]:
    yield from playouts_sentence([each.playouts_needed for each in found if each.verdict is Verdict.UNKNOWN])


def playouts_sentence(needed: list[int]) -> Iterator[str]:
    if needed:
        yield (
            f"About {max(needed):,} playouts of each would settle it."
            if max(needed) < 10**10
            else "It lies on the limit: no number of playouts would settle it."
        )
