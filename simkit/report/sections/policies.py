"""Do choices matter, and is one way of playing the best of all?"""

import pandas as pd

from simkit.report.figures import matrix as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import group_name, is_line_ups, made_table, picture, rate
from simkit.summary import words
from simkit.summary.evidence import Evidence


def matrices(evidence: Evidence) -> list[int]:
    """Groups that play several policies of one role against several of the other, under one set of rules. None in games
    without roles: there a policy does not keep its place in the turn order.
    """
    found: list[int] = []
    if not evidence.spec.roles:
        return found
    for number in range(len(evidence.recipe.groups)):
        cells = evidence.of_group(number)
        if is_line_ups(evidence, number) and (cells["players"] == 2).all():
            rows, columns = table_of(cells)
            if len(rows) > 1 and len(columns) > 1 and len(cells) == len(rows) * len(columns):
                found.append(number)
    return found


def table_of(cells: pd.DataFrame) -> tuple[list[str], list[str]]:
    """The policies of the first and of the second seat, in the order in which they appear."""
    both = [tuple(policies.split(" / ")) for policies in cells["policies"]]
    return list(dict.fromkeys(first for first, _ in both)), list(dict.fromkeys(second for _, second in both))


def best_replies(evidence: Evidence, cells: pd.DataFrame) -> tuple[dict[str, str], dict[str, str]]:
    """For each policy of the second seat the best of the first, and the other way round."""
    rows, columns = table_of(cells)
    sign = 1 if evidence.outcome.is_good else -1
    rates = dict(zip(cells["policies"], sign * cells["rate"], strict=True))
    first = {column: max(rows, key=lambda row: rates[f"{row} / {column}"]) for column in columns}
    second = {row: min(columns, key=lambda column: rates[f"{row} / {column}"]) for row in rows}
    return first, second


def section(evidence: Evidence) -> Section | None:
    numbers = matrices(evidence)
    if not numbers:
        return None
    answers: list[str] = []
    pictures: list[Picture] = []
    tables: list[Table] = []
    roles = evidence.spec.roles
    for number in numbers:
        cells = evidence.of_group(number)
        rows, columns = table_of(cells)
        by_policies = {row.policies: row for row in cells.itertuples()}
        for role, replies in zip(roles, best_replies(evidence, cells), strict=False):
            kinds = set(replies.values())
            told = ", ".join(f"{best} against {other}" for other, best in replies.items())
            only = f"{next(iter(kinds))} is the best reply to every policy tried" if len(kinds) == 1 else told
            answers.append(f"{group_name(evidence, number)}best for {role}: {only}.")
        alt = f"Table of {evidence.outcome.rate}s, a row for each policy of the first role. " + " ".join(
            f"{row.policies}: {rate(row)}." for row in cells.itertuples()
        )
        drawn = figure.draw(cells, rows, columns, roles, evidence.headline)
        caption = f"{evidence.playouts} playouts in each field; darker is farther from 50 %."
        pictures.append(picture(f"policies-{number}", "Every policy against every policy", alt, caption, drawn))
        body = [(row, *(rate(by_policies[f"{row} / {column}"]) for column in columns)) for row in rows]
        names = (roles[0], *(f"{roles[1]}: {column}" for column in columns))
        data = cells[["cell", "policies", "playouts", "wins", "rate", "low", "high"]]
        caption = f"{evidence.headline}, policy against policy"
        tables.append(made_table(f"policies-{number}", caption, names, body, data, right=tuple(range(1, len(names)))))
    notes = ("A best reply is best among the policies tried; a better policy may exist.",)
    return Section("policies", "Do choices matter?", tuple(answers), tuple(pictures), tuple(tables), notes)


def spread(evidence: Evidence, cells: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """The cells in which the first seat does best and worst against one and the same opponent: what its choices are worth."""
    second = cells["policies"].str.split(" / ").str[-1]
    gaps = cells.groupby(second)["rate"].agg(lambda rates: rates.max() - rates.min())
    mine = cells[second == gaps.idxmax()]
    most, least = mine.loc[mine["rate"].idxmax()], mine.loc[mine["rate"].idxmin()]
    return (most, least) if evidence.outcome.is_good else (least, most)


def worth(one: pd.Series, other: pd.Series) -> str:
    """The difference of two cells' rates, with the sum of their ranges: safe for shared and for separate deals."""
    best, worst = (one, other) if one["rate"] >= other["rate"] else (other, one)
    low = (best["low"] - best["rate"]) - (worst["high"] - worst["rate"])
    high = (best["high"] - best["rate"]) - (worst["low"] - worst["rate"])
    gap = best["rate"] - worst["rate"]
    return words.points(gap, gap + low, gap + high)
