"""The verdict cards: what a designer reads first. Each is made from intervals held against the margin, and names policies.

A card whose verdict depends on who plays says so and turns grey: one policy's weakness is not the game's imbalance.
"""

from collections.abc import Callable, Iterator
from math import ceil

import pandas as pd

from simkit.report.model import Card, Dot
from simkit.report.sections import (
    boxes,
    convergence,
    difficulty,
    endings,
    fairness,
    players,
    policies,
    shape,
    tables_of_many,
)  # fmt: skip
from simkit.report.sections import cards as card_list
from simkit.report.sections import changes as changes_
from simkit.report.sections.parts import is_around_a_baseline, is_curve, judged, rate, say, who
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
        card_values,
        length,
        alerts,
    ]
    found = [card for make in made if (card := make(evidence)) is not None]
    if len(found) > MAX_CARDS:
        found = [card for card in found if card.name != "cards"]
    return tuple(found[:MAX_CARDS])


# --- is it fair? ------------------------------------------------------------------------------------------------


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


# --- choices ----------------------------------------------------------------------------------------------------


def choices(evidence: Evidence) -> Card | None:
    """What playing well is worth to the first role: its best policy against its worst, same opponent."""
    if evidence.is_alike:
        return choices_of_one(evidence)
    numbers = policies.matrices(evidence)
    if not numbers:
        return None
    cells = evidence.of_group(numbers[0])
    best, worst = policies.spread(evidence, cells)
    role = evidence.spec.roles[0]
    sentence = (
        f"Choosing {best['policies'].split(' / ')[0]} instead of {worst['policies'].split(' / ')[0]} is worth "
        f"{policies.worth(best, worst)} to {role} against {best['policies'].split(' / ')[1]}."
    )
    more = max(best["low"] - worst["high"], worst["low"] - best["high"])
    state, word = (GOOD, "they do") if more > best["margin"] else (BAD, "hardly")
    return Card(
        "choices", "Do choices matter?", state, word,
        (sentence, "This measures the gap between these policies, not between people."), "policies",
    )  # fmt: skip


def choices_of_one(evidence: Evidence) -> Card | None:
    """What playing well is worth to one seat among several: the best policy against the worst among the same others."""
    found = tables_of_many.worths(evidence)
    if not found:
        return None
    best: dict[int, tables_of_many.Worth] = {}
    for worth in found:  # the largest of each player count, in order of size
        best.setdefault(worth.players, worth)
    shown = list(best.values())[:2]
    sentences = [tables_of_many.worth_sentence(evidence, worth) for worth in shown]
    if not evidence.recipe.rotate:
        sentences.append("Policies kept their seats in this run: not seat-balanced.")
    sentences.append("This measures the gap between these policies, not between people.")
    if any(worth.low > worth.margin for worth in best.values()):
        all_ = all(worth.low > worth.margin for worth in best.values())
        state, word = (GOOD, "they do") if all_ else (GOOD, "at some tables")
    else:
        small = all(worth.high < worth.margin for worth in best.values())
        state, word = (BAD, "hardly") if small else (UNKNOWN, "not enough data")
    return Card("choices", "Do choices matter?", state, word, tuple(sentences), "policies")


def dominant(evidence: Evidence) -> Card | None:
    """Whether one policy is the best reply to everything that was tried."""
    if evidence.is_alike:
        return dominant_of_many(evidence)
    numbers = policies.matrices(evidence)
    if not numbers:
        return None
    roles = evidence.spec.roles
    sentences, some, best = [], False, []
    cells = evidence.of_group(numbers[0])
    for role, replies in zip(roles, policies.best_replies(evidence, cells), strict=False):
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


def dominant_of_many(evidence: Evidence) -> Card | None:
    """Whether one policy does better than fair among each of the others, and none of them does among it."""
    single = tables_of_many.odd(evidence)
    if single.empty:
        return None
    best = tables_of_many.dominant(evidence)
    names = set(best.values())
    sentences = [*tables_of_many.verdicts(evidence)]
    by_rest = list(tables_of_many.tables_by_rest(single))
    gaining = [entry for entry in by_rest if entry[2][tables_of_many.BETTER]]
    if "" in names:
        sentences += [tables_of_many.table_sentence(*entry) for entry in (gaining or by_rest)[-2:]]
    if names == {""}:
        is_open = any(entry[2][tables_of_many.OPEN] for entry in by_rest)
        state, word = (UNKNOWN, "not settled") if is_open else (GOOD, "none is best throughout")
        if not set(best) <= tables_of_many.complete(evidence):
            state, word = INFO, "not every pair was tried"
    elif len(names) == 1:
        state, word = BAD, f"{names.pop()} is best throughout"
    else:
        state, word = DEPENDS, "depends on player count"
    return Card("dominant", "Is one way to play the best?", state, word, tuple(sentences), "policies")


# --- cards of the game -------------------------------------------------------------------------------------------


def card_values(evidence: Evidence) -> Card | None:
    """Whether it matters which cards one is dealt."""
    shown = card_list.panels(evidence)
    if not shown:
        return None
    counts = [(int(rows["is_sure"].sum()), int((~rows["is_thin"]).sum())) for _, rows in shown]
    sentences = [card_list.sentence(evidence, title, rows) for title, rows in shown[:2]]
    sentences += card_list.turn_sentence(shown)
    if not any(enough for _, enough in counts):
        state, word = UNKNOWN, "too few to tell"
    elif card_list.turning(shown):
        state, word = DEPENDS, "depends on who plays"
    else:
        sure, enough = max(counts)
        state, word = INFO, f"{sure or 'none'} of {enough}"
    return Card("cards", "Which cards make a difference?", state, word, tuple(sentences), "cards")


# --- length, alerts ---------------------------------------------------------------------------------------------


def length(evidence: Evidence) -> Card:
    typical = f"{shape.typical(evidence)} {evidence.length}"
    return Card("length", "How long is a game?", INFO, typical, (shape.sentence(evidence),), "shape")


def alerts(evidence: Evidence) -> Card:
    """What should make a reader suspicious."""
    found = []
    share = evidence.cells["truncated"].sum()
    if share:
        found.append(
            f"{share:,} playouts were cut off at the limit of decisions and count as not {evidence.outcome.did}."
        )
    if suspects := convergence.suspects(evidence):
        found.append(f"The blocks of {', '.join(suspects)} differ more or less than chance allows.")
    if never := endings.never_seen(evidence):
        found.append(f"No game ended by {', '.join(map(say, never))}.")
    differences = evidence.differences
    if len(differences):
        same = differences[differences["only_here"] + differences["only_there"] == 0]["change"].unique()
        if len(same):
            headline = (
                f"{evidence.headline[0].lower()}{evidence.headline[1:]}"
                if not evidence.spec.roles
                else evidence.headline
            )
            found.append(f"On no deal did it change whether {headline}: {', '.join(same)}.")
    if len({frozenset(cell.policies) for cell in evidence.recipe.cells}) == 1:
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
