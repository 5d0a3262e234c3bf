"""Does the game keep what its box says? Player counts against rules, components and what was played; minutes by a pace."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from simkit.box_file import Printed, PrintedRange, printed, span
from simkit.report.model import Section, Table
from simkit.report.sections.parts import MANY, made_table
from simkit.scenario.pace import PACES, Paces, paces
from simkit.scenario.promise import broken, seats
from simkit.summary import words
from simkit.summary.evidence import Evidence

SAYS = {
    "rulebook": "the rulebook says",
    "derived": "the rulebook is made for",
    "public": "public sources say",
    "assumed": "we assume that the box says",
    "placeholder": "a stand-in says",
}
FITS, MOSTLY, LONGER, SHORTER = (
    "as promised", "mostly as promised", "longer than promised", "shorter than promised",
)  # fmt: skip


def section(evidence: Evidence, pace: str) -> Section:
    """pace : the profile that the sentences go by; the table has all of them"""
    spec, box = evidence.spec, evidence.recipe.box
    promise, profile = printed(box), paces(spec.name)
    question = "Does it keep what the box says?"
    if profile is None:
        return Section("promise", question, (players_sentence(evidence, promise),), (), (players_table(evidence),))
    shown = cells_shown(evidence)
    answers = [players_sentence(evidence, promise), *minutes_sentences(evidence, promise, profile, pace, shown)]
    tables = (minutes_table(evidence, promise, pace, shown), players_table(evidence), pace_table(profile))
    return Section("promise", question, tuple(answers), (), tables, tuple(notes(profile)))


def cells_shown(evidence: Evidence) -> pd.DataFrame:
    """The cells with the rules as printed; all cells where they are not too many."""
    cells = evidence.cells
    return cells if len(cells) <= MANY else cells[cells["cell"].isin(evidence.as_printed)].head(MANY)


# --- players ----------------------------------------------------------------------------------------------------


def played(evidence: Evidence) -> list[int]:
    return sorted({cell.players for cell in evidence.recipe.cells})


def players_sentence(evidence: Evidence, promise: Printed) -> str:
    spec, box = evidence.spec, evidence.recipe.box
    counts = played(evidence)
    run = f"This run played with {words.listed(counts)}."
    able = words.listed([each.players for each in seats(spec, box) if not each.fault])
    if promise.players is None:
        return f"For how many players it is made is not known; rules and components allow {able}. {run}"
    says = words.capital(f"{SAYS[promise.players.provenance]} {people(promise.players)}")
    faults = broken(spec, box)
    if faults:
        first = next(iter(faults))
        return f"{says}, but it cannot be played with {words.listed(sorted(faults), 'or')}: {faults[first]}. {run}"
    missing = [n for n in range(promise.players.fewest, promise.players.most + 1) if n not in counts]
    rest = f" Nothing is said here of {words.listed(missing, 'or')}." if missing else ""
    return f"{says}, and rules and components allow {able}. {run}{rest}"


def people(found: PrintedRange) -> str:
    return f"{span(found)} player{'s' if found.most > 1 else ''}"


def players_table(evidence: Evidence) -> Table:
    counts = played(evidence)
    rows = [
        (
            str(each.players),
            "yes" if each.is_printed else "no",
            f"no: {each.fault}" if each.fault else "yes",
            "yes" if each.players in counts else "no",
        )
        for each in seats(evidence.spec, evidence.recipe.box)
    ]
    names = ("players", "promised", "rules and components allow it", "played in this run")
    return made_table("player_counts", "Player counts", names, rows, pd.DataFrame(rows, columns=list(names)))


# --- minutes ----------------------------------------------------------------------------------------------------


def minutes_sentences(
    evidence: Evidence, promise: Printed, profile: Paces, pace: str, shown: pd.DataFrame
) -> Iterator[str]:
    plain = shown[shown["cell"].isin(evidence.as_printed)]
    mine = at_pace(evidence, pace, plain if len(plain) else shown)
    found = promise.minutes
    if found is None:
        yield "No playing time is known to be promised, so only what was simulated is told."
    else:
        yield words.capital(f"{SAYS[found.provenance]} {span(found)} minutes.")
    told = [typical(part, int(str(players)), found) for players, part in mine.groupby("players")]
    yield f"At the {pace} pace a typical game takes {'; '.join(told)}."
    yield (
        f"The minutes rest on this pace, which is {profile.provenance}: what is simulated is how many "
        "decisions and rounds a game has, not how long people think."
    )


def with_players(players: int) -> str:
    return f"with {players} players" if players > 1 else "alone"


def typical(part: pd.DataFrame, players: int, found: PrintedRange | None) -> str:
    """'18 to 24 minutes with 5 players (nine in ten games 16 to 27), as promised', over all cells of a player count."""
    low, high = part["median"].min(), part["median"].max()
    ends = f"nine in ten games {whole(part['q05'].min())} to {whole(part['q95'].max())}"
    usual = whole(low) if whole(low) == whole(high) else f"{whole(low)} to {whole(high)}"
    verdicts = {verdict(row, found) for row in part.itertuples()} if found else set()
    more = (
        f", {verdicts.pop()}"
        if len(verdicts) == 1
        else ", as promised or not depending on who plays"
        if verdicts
        else ""
    )
    return f"{usual} minutes {with_players(players)} ({ends}){more}"


def at_pace(evidence: Evidence, pace: str, cells: pd.DataFrame) -> pd.DataFrame:
    """Minutes of some cells at a pace, with `label` and `players`."""
    mine = evidence.minutes[evidence.minutes["pace"] == pace]
    return cells[["cell", "label", "players"]].merge(mine, on="cell")


def whole(minutes: float) -> str:
    return f"{minutes:.0f}"


def verdict(row: Any, found: PrintedRange) -> str:
    """Held against the promise, in whole minutes as they are printed."""
    low, middle, high = (round(minutes) for minutes in (row.q05, row.median, row.q95))
    if middle > found.most:
        return LONGER
    if middle < found.fewest:
        return SHORTER
    return FITS if found.fewest <= low and high <= found.most else MOSTLY


def minutes_table(evidence: Evidence, promise: Printed, pace: str, shown: pd.DataFrame) -> Table:
    by_pace = {name: at_pace(evidence, name, shown) for name in PACES}
    rows = []
    for i, row in enumerate(by_pace[pace].itertuples()):
        told = [range_of(by_pace[name].iloc[i]) for name in PACES]
        rows.append((row.label, *told, verdict(row, promise.minutes) if promise.minutes else ""))
    names = ("cell", *(f"{name} pace" for name in PACES), f"at the {pace} pace")
    caption = "Minutes of a game: the median, and within which nine in ten games lie"
    data = evidence.minutes.merge(evidence.cells[["cell", "label", "players"]], on="cell")
    return made_table("minutes", caption, names, rows, data, right=(1, 2, 3))


def range_of(row: Any) -> str:
    return f"{whole(row['median'])} ({whole(row['q05'])} to {whole(row['q95'])})"


def pace_table(profile: Paces) -> Table:
    data = [[name, *profile.of(name).model_dump().values()] for name in PACES]
    columns = ["pace", "set-up and scoring", "each round", "each decision", "with a single choice"]
    if not profile.rounds:
        columns[2] = "dealing"
    rows = [[row[0], *(f"{seconds:g}" for seconds in row[1:])] for row in data]
    caption = f"The paces, in seconds ({profile.provenance}: {profile.source})"
    return made_table("paces", caption, columns, rows, pd.DataFrame(data, columns=columns), right=(1, 2, 3, 4))


def notes(profile: Paces) -> Iterator[str]:
    yield f"In the table of paces, {'each round is' if profile.rounds else 'dealing is'} {profile.about}."
    if profile.at_once:
        what = "; ".join(dict.fromkeys(entry.what for entry in profile.at_once))
        yield f"Decisions taken at the same time take the time of one: {what}."
    yield (
        "The range is of games, not of the estimate. Decisions and rounds are counted apart: a game with many of the one is "
        "taken to have as many of the others."
    )
    yield "Another pace is chosen by simkit report RUN --pace quick, usual or slow."
