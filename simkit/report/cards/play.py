"""Do choices matter, and is one way to play the best?"""

from simkit.report.cards.states import BAD, DEPENDS, GOOD, INFO, UNKNOWN
from simkit.report.model import Card
from simkit.report.sections import (
    luck,
    policies,
    skill,
    tables_of_many,
)  # fmt: skip
from simkit.report.sections.parts import is_line_ups, rate
from simkit.summary import words
from simkit.summary.evidence import Evidence


def choices(evidence: Evidence) -> Card | None:
    """What playing well is worth to the first role: its best policy against its worst, same opponent."""
    if evidence.is_alike:
        return choices_of_one(evidence)
    if evidence.spec.cooperative:
        return choices_of_team(evidence)
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
        (sentence, *luck.brief(evidence), skill.CAVEAT), "policies",
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
    sentences += [*luck.brief(evidence), skill.CAVEAT]
    if any(worth.low > worth.margin for worth in best.values()):
        all_ = all(worth.low > worth.margin for worth in best.values())
        state, word = (GOOD, "they do") if all_ else (GOOD, "at some tables")
    else:
        small = all(worth.high < worth.margin for worth in best.values())
        state, word = (BAD, "hardly") if small else (UNKNOWN, "not enough data")
    return Card("choices", "Do choices matter?", state, word, tuple(sentences), "policies")


def choices_of_team(evidence: Evidence) -> Card | None:
    """What playing well is worth to a team: all seats the best policy against all seats the worst, under the same rules."""
    worths = []
    for number in range(len(evidence.recipe.groups)):
        cells = evidence.of_group(number)
        alike = cells[[len(set(evidence.recipe.cells[cell].policies)) == 1 for cell in cells["cell"]]]
        if is_line_ups(evidence, number) and len(alike) > 1:
            best, worst = alike.loc[alike["rate"].idxmax()], alike.loc[alike["rate"].idxmin()]
            worths.append((best["low"] - worst["high"], best, worst))
    if not worths:
        return None
    sentences = [
        f"{words.players(best['players'])}: {evidence.headline[0].lower()}{evidence.headline[1:]} "
        f"{rate(best)} with {best['label']}, {rate(worst)} with {worst['label']}."
        for _, best, worst in worths[:2]
    ]
    more, best, _ = max(worths, key=lambda worth: worth[0])
    state, word = (GOOD, "they do") if more > best["margin"] else (BAD, "hardly")
    sentences += [*luck.brief(evidence), skill.CAVEAT]
    return Card("choices", "Do choices matter?", state, word, tuple(sentences), "rates")


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
