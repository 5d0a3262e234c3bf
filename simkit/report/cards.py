"""The verdict cards: what a designer reads first. Each is made from intervals held against the margin, and names policies.

A card whose verdict depends on who plays says so and turns grey: one policy's weakness is not the game's imbalance.
"""

from collections.abc import Callable, Iterator

import pandas as pd

from simkit.report.model import Card, Dot
from simkit.report.sections import convergence, difficulty, endings, players, policies, shape
from simkit.report.sections.parts import is_around_a_baseline, is_curve, judged, rate, say
from simkit.stats.verdict import Judged, Verdict
from simkit.summary import words
from simkit.summary.evidence import Evidence

MAX_CARDS = 8
MAX_DOTS = 9
GOOD, BAD, UNKNOWN, DEPENDS, INFO = "good", "bad", "unknown", "depends", "info"


def cards(evidence: Evidence) -> tuple[Card, ...]:
    """The cards of a report, in their fixed order; a question that the run does not ask has none."""
    made: list[Callable[[Evidence], Card | None]] = [
        fair,
        hard,
        player_counts,
        options,
        choices,
        dominant,
        length,
        alerts,
    ]
    return tuple(card for make in made if (card := make(evidence)) is not None)[:MAX_CARDS]


# --- is it fair? ------------------------------------------------------------------------------------------------


def fair(evidence: Evidence) -> Card | None:
    """Cells for two and more with the rules as they are, held against their target, over all line-ups."""
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
    band = (100 * (row["target"] - row["margin"]), 100 * (row["target"] + row["margin"]))
    return Card("fair", question, state, word, tuple(sentences), "rates", dots(aimed), band)


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
    needed = [each.playouts_needed for each in found if each.verdict is Verdict.UNKNOWN]
    if needed:
        yield (
            f"About {max(needed):,} playouts of each would settle it."
            if max(needed) < 10**10
            else "It lies on the limit: no number of playouts would settle it."
        )


def dots(cells: pd.DataFrame) -> tuple[Dot, ...]:
    return tuple(
        Dot(row.label, 100 * row.rate, 100 * row.low, 100 * row.high) for row in cells.head(MAX_DOTS).itertuples()
    )


# --- how hard is it? --------------------------------------------------------------------------------------------


def hard(evidence: Evidence) -> Card | None:
    """Difficulty curves: in order, and near their targets?"""
    numbers = difficulty.curves(evidence)
    if not numbers:
        return None
    sentences, faults, found = [], [], []
    lines = [mine for n in numbers for _, mine in evidence.of_group(n).groupby("policies", sort=False)]
    for mine in lines:
        first, last = mine.iloc[0], mine.iloc[-1]
        fault = difficulty.misplaced(evidence, mine).removeprefix(" Mind: ")
        faults += [f"With {first['policies']}, {fault}"] if fault else []
        found += [judged(row) for row in mine.dropna(subset="target").itertuples()]
        sentences.append(
            f"{first['policies']}: from {rate(first)} at {first['preset']} to {rate(last)} at {last['preset']}."
        )
    sentences = sentences[:3]
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
    shown = pd.concat(lines)
    return Card("hard", "How hard is it?", state, word, tuple(sentences), "difficulty", dots(shown))


# --- player counts, options -------------------------------------------------------------------------------------


def player_counts(evidence: Evidence) -> Card | None:
    """Whether the places in the turn order fare alike at every player count."""
    shares = players.shares(evidence)
    if shares.empty:
        return None
    off = ((shares["low"] > 1) | (shares["high"] < 1)).groupby(shares["players"]).any()
    if off.all():
        state, word = BAD, "turn order matters at each"
    else:
        state, word = (DEPENDS, "at some counts") if off.any() else (GOOD, "no")
    return Card("players", "Does player count matter?", state, word, players.sentences(shares), "players")


def options(evidence: Evidence) -> Card | None:
    """Changes of rules on the same deals, each held against the margin by its family-wise range."""
    groups = [n for n in range(len(evidence.recipe.groups)) if is_around_a_baseline(evidence, n)]
    mine = evidence.differences[evidence.differences["group"].isin(groups)]
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
        who = " / ".join(evidence.recipe.cells[top["cell"]].policies)
        sentences.append(f"Most of all {top['change']}: {effect} with {who}.")
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


# --- choices ----------------------------------------------------------------------------------------------------


def choices(evidence: Evidence) -> Card | None:
    """What playing well is worth to the first role: its best policy against its worst, same opponent."""
    numbers = policies.matrices(evidence)
    if not numbers:
        return None
    cells = evidence.of_group(numbers[0])
    best, worst = policies.spread(cells)
    role = (evidence.spec.roles or ("the first seat",))[0]
    sentence = (
        f"Choosing {best['policies'].split(' / ')[0]} instead of {worst['policies'].split(' / ')[0]} is worth "
        f"{policies.worth(best, worst)} to {role} against {best['policies'].split(' / ')[1]}."
    )
    more = best["low"] - worst["high"]
    state, word = (GOOD, "they do") if more > best["margin"] else (BAD, "hardly")
    return Card(
        "choices", "Do choices matter?", state, word,
        (sentence, "This measures the gap between these policies, not between people."), "policies",
    )  # fmt: skip


def dominant(evidence: Evidence) -> Card | None:
    """Whether one policy is the best reply to everything that was tried."""
    numbers = policies.matrices(evidence)
    if not numbers:
        return None
    roles = evidence.spec.roles or ("the first seat", "the second seat")
    sentences, some, best = [], False, []
    cells = evidence.of_group(numbers[0])
    for role, replies in zip(roles, policies.best_replies(cells), strict=False):
        kinds = sorted(set(replies.values()))
        some |= len(kinds) == 1
        best.append(kinds[0] if len(kinds) == 1 else "")
        sentences.append(
            f"For {role}, {kinds[0]} is the best reply to every policy tried."
            if len(kinds) == 1
            else f"For {role} it depends on the other side: {', '.join(kinds)}."
        )
    if all(best):
        row = cells[cells["policies"] == " / ".join(best)].iloc[0]
        sentences.append(f"When both play it, {evidence.headline} {rate(row)}.")
    state, word = (BAD, "one is best throughout") if some else (GOOD, "none is best throughout")
    return Card("dominant", "Is one way to play the best?", state, word, tuple(sentences), "policies")


# --- length, alerts ---------------------------------------------------------------------------------------------


def length(evidence: Evidence) -> Card:
    typical = f"{shape.typical(evidence)} {evidence.length}"
    return Card("length", "How long is a game?", INFO, typical, (shape.sentence(evidence),), "shape")


def alerts(evidence: Evidence) -> Card:
    """What should make a reader suspicious."""
    found = []
    share = evidence.cells["truncated"].sum()
    if share:
        found.append(f"{share:,} playouts were cut off at the limit of decisions and count as not won.")
    if suspects := convergence.suspects(evidence):
        found.append(f"The blocks of {', '.join(suspects)} differ more or less than chance allows.")
    if never := endings.never_seen(evidence):
        found.append(f"No game ended by {', '.join(map(say, never))}.")
    differences = evidence.differences
    if len(differences):
        same = differences[differences["only_here"] + differences["only_there"] == 0]["change"].unique()
        if len(same):
            found.append(f"Changed nothing on any deal: {', '.join(same)}.")
    if evidence.cells["policies"].nunique() == 1:
        found.append("Only one line-up was played: the result may be that of the policies, not of the game.")
    state, word = (INFO, f"{len(found)} to look at") if found else (GOOD, "none")
    return Card(
        "alerts",
        "Anything suspicious?",
        state,
        word,
        tuple(found) or ("Nothing was cut off, every ending was seen.",),
        "endings",
    )
