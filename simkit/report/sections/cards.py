"""Which cards matter?"""

from collections.abc import Iterator

import pandas as pd

from simkit.report.figures import dealt as figure
from simkit.report.model import Section
from simkit.report.sections.parts import made_table, p_value, picture, points_of
from simkit.stats.cards import ENOUGH
from simkit.summary import words
from simkit.summary.evidence import Evidence

QUESTION = "Which cards matter?"
MOST_PANELS = 4
MOST_ROWS = 15  # of a panel, at either end, on the page
FALSE_ALARMS = 0.05

Panel = tuple[str, pd.DataFrame]


def panels(evidence: Evidence) -> list[Panel]:
    """The ways of playing that the page shows, each with its cards, best first: those of one player count with the rules
    as they are, the tables first at which all play alike.
    """
    cells = evidence.cells[evidence.cells["cell"].isin(evidence.as_printed)]
    cells = cells.drop_duplicates(["players", "policies"])
    mine = evidence.cards[evidence.cards["cell"].isin(cells["cell"])]
    if mine.empty:
        return []
    tables = mine.drop_duplicates(["cell", "who"]).groupby("players").size()
    most = tables[tables == tables.max()].index
    mine = mine[mine["players"] == most[len(most) // 2]]
    alike = mine.groupby("cell")["who"].transform("nunique") == 1
    found = [
        (who_plays(evidence, int(cell), str(who)), ranked(rows, evidence))
        for part in (mine[alike], mine[~alike])
        for (cell, who), rows in part.groupby(["cell", "who"], sort=False)
    ]
    return found[:MOST_PANELS]


def ranked(rows: pd.DataFrame, evidence: Evidence) -> pd.DataFrame:
    """The cards of a panel, the one that does its holder most good first, with `is_sure`."""
    sign = 1 if evidence.outcome.is_good else -1
    better = sign * rows["shrunk"].fillna(0.0)
    sure = (rows["adjusted_p"] < FALSE_ALARMS) & ~rows["is_thin"]
    return rows.assign(better=better, is_sure=sure).sort_values("better", ascending=False, kind="stable")


def who_plays(evidence: Evidence, cell: int, who: str) -> str:
    """'4 players, all open', '4 players, random among others'."""
    here = evidence.recipe.cells[cell]
    label = here.preset or f"{here.players} players"
    if evidence.spec.roles or here.players == 1:
        return f"{label}, {who}"
    return f"{label}, all {who}" if len(set(here.policies)) == 1 else f"{label}, {who} among others"


# --- words ------------------------------------------------------------------------------------------------------


def effect(row: pd.Series, sense: str = "opening") -> str:
    """'+4.2 points (+3.5 to +4.8)', or nothing where the card was had by too few in that sense."""
    value, low, high = (row[f"{sense}_{end}"] for end in ("difference", "low", "high"))
    if pd.isna(value) or (sense != "opening" and row[f"{sense}_players"] < ENOUGH):
        return ""
    return points_of(value, low, high)


def goes_with(evidence: Evidence, row: pd.Series) -> str:
    """'Sweet Old Lady goes with winning more, +4.2 points (+3.5 to +4.8)'."""
    doing = "winning" if evidence.outcome.is_good else "losing"
    more = "more" if row["opening_difference"] > 0 else "less"
    return f"{row['card']} goes with {doing} {more}, {effect(row)}"


def sentence(evidence: Evidence, title: str, rows: pd.DataFrame) -> str:
    """What one panel says: the best and the worst card, and how many make a difference."""
    enough = rows[~rows["is_thin"]]
    sure = int(rows["is_sure"].sum())
    if enough.empty:
        return f"{title}: no card was dealt to {ENOUGH:,} players and more, too few to tell."
    if not sure:
        return (
            f"{title}: none of {len(enough)} cards in the opening hand makes a difference that chance does not explain."
        )
    best, worst = enough.iloc[0], enough.iloc[-1]
    makes = "card makes" if sure == 1 else "cards make"
    return (
        f"{title}: in the opening hand, {goes_with(evidence, best)}; {goes_with(evidence, worst)}. {sure} of {len(enough)} "
        f"{makes} a difference that chance does not explain."
    )


def turning(shown: list[Panel]) -> list[str]:
    """Cards that help in one panel and harm in another, beyond doubt: allowing for all cards of all panels (Bonferroni)."""
    family = sum(int((~rows["is_thin"]).sum()) for _, rows in shown)
    signs: dict[str, set[bool]] = {}
    for _, rows in shown:
        for row in rows[~rows["is_thin"] & (rows["p_value"] * family < FALSE_ALARMS)].itertuples():
            signs.setdefault(row.card, set()).add(row.opening_difference > 0)
    return [card for card, found in signs.items() if len(found) == 2]


def turn_sentence(shown: list[Panel]) -> Iterator[str]:
    if turned := turning(shown):
        help_, harm = ("helps", "harms") if len(turned) == 1 else ("help", "harm")
        yield f"It depends on who plays: {', '.join(turned)} {help_} with one way of playing and {harm} with another."


def thin_sentence(shown: list[Panel]) -> Iterator[str]:
    if thin := list(dict.fromkeys(card for _, rows in shown for card in rows[rows["is_thin"]]["card"])):
        yield f"Dealt to too few players to tell, or to all but too few: {', '.join(thin)}."


# --- the section ------------------------------------------------------------------------------------------------


def section(evidence: Evidence) -> Section | None:
    shown = panels(evidence)
    if not shown:
        return None
    many = evidence.outcome.many
    answers = [sentence(evidence, title, rows) for title, rows in shown]
    answers += [*turn_sentence(shown), *thin_sentence(shown)]
    telling = sorted(shown, key=lambda panel: -panel[1]["is_sure"].sum())  # the order of the panel that tells most
    order = list(dict.fromkeys(card for _, rows in telling for card in rows["card"]))
    alt = "Dots of points more or less with a card in the opening hand, best card first. " + " ".join(
        f"{title}: {', '.join(f'{row.card} {effect(pd.Series(row._asdict()))}' for row in rows.itertuples())}."
        for title, rows in shown
    )
    title = f"Cards in the opening hand, and the {many}"
    caption = (
        f"{evidence.playouts} playouts of each table. Filled dots are more than chance explains, with all cards of a panel "
        "looked at together."
    )
    drawn = picture(
        "cards", title, alt, caption, figure.draw(in_figure(shown), order, many, "with the card in the opening hand")
    )
    names = (
        "table", "card", "dealt to", f"share of the {many} when dealt it", "95 % range", "difference: dealt it",
        "had it at all", "came later", "played it", "adjusted p",
    )  # fmt: skip
    body = [cells_of(title, row) for title, rows in shown for _, row in ends(rows).iterrows()]
    table = made_table("cards", f"{words.capital(evidence.spec.cards)}: what having them goes with", names, body,
                       evidence.cards, right=(2, 3, 4, 5, 6, 7, 8, 9))  # fmt: skip
    return Section("cards", QUESTION, tuple(answers), (drawn,), (table,), tuple(notes(evidence, shown)))


def in_figure(shown: list[Panel]) -> list[Panel]:
    """The panels with the names that the figure knows."""
    names = {"card": "name", **{f"opening_{end}": end for end in ("difference", "low", "high")}}
    return [(title, rows.rename(columns=names)) for title, rows in shown]


def ends(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of a panel that the page shows: all, or the best and the worst."""
    return rows if len(rows) <= 2 * MOST_ROWS else pd.concat([rows.head(MOST_ROWS), rows.tail(MOST_ROWS)])


def cells_of(title: str, row: pd.Series) -> tuple[str, ...]:
    low, high = row["opening_rate_low"], row["opening_rate_high"]
    known = pd.notna(row["opening_rate"]) and pd.notna(low)
    return (
        title,
        row["card"] + (" (too few to tell)" if row["is_thin"] else ""),
        f"{row['opening_players']:,}",
        words.percent(row["opening_rate"], low, high) if known else "",
        words.span(low, high) if known else "",
        *(effect(row, sense) for sense in ("opening", "in_hand", "drawn", "played")),
        p_value(row["adjusted_p"]),
    )


def notes(evidence: Evidence, shown: list[Panel]) -> Iterator[str]:
    many, did = evidence.outcome.many, evidence.outcome.did
    yield (
        "Dealt it: players with the card in their opening hand against those in the same seats without it. The shuffle "
        "decides that, so the difference is the card's doing, for these policies: others may make more of it."
    )
    yield (
        "Had it at all and came later: against those who never saw the card; played: against those who did not play it. "
        "These describe and do not explain: long games show more cards, so whoever fares well in long games makes every "
        "late card look good, and a played card was chosen."
    )
    yield (
        "A hand has only so many cards: having one is not having another. The differences are to an average card, so some "
        "must be below 0."
    )
    family = max(int(rows["family"].max()) for _, rows in shown)
    yield (
        f"Up to {family} cards are looked at together, so the p-values are adjusted (Benjamini and Hochberg): of the "
        f"differences called more than chance, about 1 in {round(1 / FALSE_ALARMS)} may be chance all the same. The ranges "
        "hold for each card alone; errors are taken from blocks of deals."
    )
    yield (
        "The order is that of the differences drawn towards their mean by what their error is worth, so that a rare card is "
        f"not first by luck. With fewer than {ENOUGH:,} players who had a card, or who had it not, it is not judged."
    )
    if evidence.spec.cooperative:
        yield "All players win or lose together, so a player's share of the wins is the team's. All cells are in the CSV file."
    else:
        yield f"Where several {did} together, each has an equal part of the {many}. All cells are in the CSV file."
