"""How does a game feel?"""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from simkit.report.figures import feel as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import MANY, made_table, picture
from simkit.summary import words
from simkit.summary.evidence import Evidence, Observed

QUESTION = "How does a game feel?"
DRAWN = 3  # cells in the figure
TOLD = 2  # cells that the answers speak of
ENOUGH_LEADERS = 0.5  # share of games in which somebody must lead alone for a lead to tell something
FEW = 200  # playouts: with fewer nothing is said of hope
LATE = 7  # point of time that the answers speak of: after 75 % of the decisions
SEVERAL = 3  # players from which on it can be hopeless for one and not for another
CHANCE, HOPE = "2 %", "10 %"  # HOPELESS and NO_RETURN of the engine, in words

HIDDEN = {
    "all": "",
    "partly": "Players see this lead only in part.",
    "none": "Players cannot see this lead: it is in the game, not in what they feel at the table.",
}


def section(evidence: Evidence) -> Section:
    """What the observed sample tells of the course of games; one sentence if the run has none."""
    observed = evidence.observed
    if observed is None:
        return Section("feel", QUESTION, (how_to_get_it(evidence),))
    cells = chosen(evidence)
    answers = [*(pace(evidence, row) for row in rows_of(observed, cells[:TOLD])), *leads(evidence, observed, cells)]
    return Section(
        "feel",
        QUESTION,
        tuple(answers),
        pictures(evidence, observed, cells),
        tables(evidence, observed),
        tuple(notes(evidence, observed)),
    )


def how_to_get_it(evidence: Evidence) -> str:
    return (
        "This run is from before games were observed decision by decision, so nothing is said here of how they go and which "
        f"rules come into play: simkit extend RUN --playouts {evidence.playouts} adds it and plays nothing again."
    )


def chosen(evidence: Evidence) -> list[int]:
    """The cells that the page speaks of, one for each player count, those of few and of many players first: with the rules
    as they are, at best without the random policy and with one policy for all (roles have their own), of several the last.
    """
    recipe = evidence.recipe
    best: dict[int, tuple[int, int]] = {}
    for cell in recipe.cells:
        if cell.id in evidence.as_printed:
            alike = bool(recipe.spec.roles) or len(set(cell.policies)) == 1
            rank = 2 * ("random" not in cell.policies) + alike
            best[cell.players] = max(best.get(cell.players, (rank, cell.id)), (rank, cell.id))
    counts = sorted(best)
    ends = dict.fromkeys([*counts[:1], *counts[-1:], *counts])
    return [best[players][1] for players in ends]


def rows_of(observed: Observed, cells: list[int]) -> list[Any]:
    mine = observed.feel.set_index("cell", drop=False)
    return [mine.loc[cell] for cell in cells]


def label_of(evidence: Evidence, cell: int) -> str:
    return str(evidence.cells.set_index("cell")["label"][cell])


def mean(row: Any, name: str) -> str:
    return words.mean(row[name], row[f"{name}_low"], row[f"{name}_high"])


def share(row: Any, name: str) -> str:
    return words.rate(row[name], row[f"{name}_low"], row[f"{name}_high"])


# --- sentences ------------------------------------------------------------------------------------------------------


def pace(evidence: Evidence, row: Any) -> str:
    """What there is to decide, and how long one waits."""
    wait = f"; between two turns of a seat others decide {mean(row, 'wait')} times" if row["wait"] > 0 else ""
    forced = f"{share(row, 'forced')} of them forced" if row["forced"] > 0 else "none of them forced"
    return (
        f"{label_of(evidence, row['cell'])}: {mean(row, 'decisions')} decisions in a game, each among {mean(row, 'choices')} "
        f"choices, {forced}{wait}."
    )


def leads(evidence: Evidence, observed: Observed, cells: list[int]) -> Iterator[str]:
    """What the standings of the chosen cells tell; nothing for a game that does not say how it stands."""
    if evidence.spec.standing is None:
        return
    shown = rows_of(observed, cells[:TOLD])
    for row in shown:
        if row["alone"]:
            yield from team(evidence, observed, row)
        else:
            yield from settled(evidence, row)
            yield from half_way(evidence, row)
            yield from hopeless(evidence, observed, row)


def settled(evidence: Evidence, row: Any) -> Iterator[str]:
    if pd.isna(row["decided"]):
        return
    unit = evidence.spec.standing.unit if evidence.spec.standing else ""
    holder = evidence.outcome.holder
    lead = "the lead changes" if evidence.outcome.is_good else "who has the most changes"
    yield (
        f"{label_of(evidence, row['cell'])}: {lead} {mean(row, 'lead_changes')} times in a game, and it is the {holder} for "
        f"good after {share(row, 'decided')} of the decisions; on the way the {holder} is behind by up to "
        f"{mean(row, 'comeback')} {unit}."
    )


def half_way(evidence: Evidence, row: Any) -> Iterator[str]:
    if not tells(row):
        return
    low, high, luck = row["leader_50_low"], row["leader_50_high"], row["luck_50"]
    alike = evidence.is_alike  # what luck would do is known for equals
    if low > luck:
        verdict = "a lead is worth more than that" + (": it tends to grow" if alike else "")
    elif high < luck:
        verdict = "a lead is worth less than that" + (": those behind catch up" if alike else "")
    else:
        verdict = "a lead is worth about that"
    yield (
        f"{label_of(evidence, row['cell'])}: {leading(evidence)} half-way through {evidence.outcome.does} "
        f"{share(row, 'leader_50')} of these games. By luck alone it would be {100 * luck:.0f} %; {verdict}."
    )


def leading(evidence: Evidence) -> str:
    return "whoever leads alone" if evidence.outcome.is_good else "whoever alone has the most"


def tells(row: Any) -> bool:
    """Whether somebody leads alone often enough for a lead to tell something."""
    return bool(row["led_50"] >= ENOUGH_LEADERS)


def hopeless(evidence: Evidence, observed: Observed, row: Any) -> Iterator[str]:
    """How many have nothing to hope for (or to fear) late in the game; only where there are several others."""
    if row["players"] < SEVERAL or row["playouts"] < FEW:
        return
    late = observed.hope[observed.hope["cell"] == row["cell"]].iloc[LATE]
    when = f"{label_of(evidence, row['cell'])}: after {100 * late['time']:.0f} % of the decisions"
    good = evidence.outcome.is_good
    if late["share"] > 0:
        what = "have hardly a chance left" if good else "are as good as safe"
        yield f"{when} {words.rate(late['share'], late['low'], late['high'])} of the seats {what}."
    else:
        yield f"{when} {'every seat still has a chance' if good else 'no seat is safe yet'}."


def team(evidence: Evidence, observed: Observed, row: Any) -> Iterator[str]:
    """When a team, or one who plays alone, has lost all hope, and when it is last open."""
    label = label_of(evidence, row["cell"])
    if row["no_return"] == 0:
        yield f"{label}: most games that are lost never had a chance above {HOPE}, by how it stands."
    elif not pd.isna(row["no_return"]):
        yield (
            f"{label}: half of the games that are lost are open (a chance above {HOPE}, by how it stands) until "
            f"{100 * row['no_return']:.0f} % of the decisions have been made."
        )
    late = observed.hope[observed.hope["cell"] == row["cell"]]
    if row["playouts"] >= FEW:
        first = late[late["share"] > 0].head(1)
        yield (
            f"{label}: at no time does it stand so badly that hardly any game is won from there."
            if first.empty
            else f"{label}: from {100 * first['time'].iloc[0]:.0f} % of the decisions on some games stand so badly that "
            f"hardly any is won from there."
        )


def card_sentence(evidence: Evidence) -> Iterator[str]:
    """For the card on length: when the outcome is settled, at the first table that the section speaks of."""
    if evidence.observed is None:
        return
    for row in rows_of(evidence.observed, chosen(evidence)[:1]):
        if not pd.isna(row["decided"]):
            yield (
                f"After {share(row, 'decided')} of the decisions nobody but the {evidence.outcome.holder} leads any more "
                f"({label_of(evidence, row['cell'])})."
            )


# --- evidence -------------------------------------------------------------------------------------------------------


def pictures(evidence: Evidence, observed: Observed, cells: list[int]) -> tuple[Picture, ...]:
    """What a lead is worth, and how many have hardly any hope, at a few tables."""
    if evidence.spec.standing is None:
        return ()
    outcome = evidence.outcome
    labels = {cell: label_of(evidence, cell) for cell in cells[:DRAWN]}
    shown = observed.feel[observed.feel["cell"].isin(list(labels)) & observed.feel["leader_50"].notna()]
    several = {cell: label for cell, label in labels.items() if is_hope_drawn(observed, cell)}
    hope = observed.hope[observed.hope["cell"].isin(list(several))]
    lead_title = (
        f"{'Leads alone' if outcome.is_good else 'Alone has the most'}, and {outcome.does}" if len(shown) else ""
    )
    hope_title = (
        f"{'Hardly a chance left' if outcome.is_good else 'As good as safe'} ({CHANCE} or less)" if len(hope) else ""
    )
    if not lead_title and not hope_title:
        return ()
    alt = " ".join([
        *(f"{labels[row['cell']]}: {leading(evidence)} {outcome.does} "
          + ", ".join(f"{share(row, f'leader_{part}')} at {part} %" for part in figure.QUARTERS) + "."
          for _, row in shown.iterrows()),
        *(f"{several[cell]}: " + ", ".join(f"{words.rate(at.share, at.low, at.high)} at {100 * at.time:.0f} %"
                                           for at in mine.itertuples()) + " of the seats."
          for cell, mine in hope.groupby("cell")),
    ])  # fmt: skip
    caption = (
        f"The first {int(observed.feel['playouts'].max()):,} playouts of each cell, with the rules as they are; 95 % ranges. "
        "Dotted: what a lead would be worth if all gained by luck alone."
        if lead_title
        else f"The first {int(observed.feel['playouts'].max()):,} playouts of each cell; 95 % ranges."
    )
    drawn = figure.draw(shown, hope, labels if lead_title else several, lead_title, hope_title)
    return (picture("feel", "Leads and hope", alt, caption, drawn),)


def is_hope_drawn(observed: Observed, cell: int) -> bool:
    """Hope is drawn for a team, one who plays alone, and where several play against each other, if it is ever lost."""
    row = rows_of(observed, [cell])[0]
    is_lost = observed.hope["share"][observed.hope["cell"] == cell].max() > 0
    return bool(row["alone"] or row["players"] >= SEVERAL) and bool(is_lost)


def tables(evidence: Evidence, observed: Observed) -> tuple[Table, ...]:
    label = evidence.cells.set_index("cell")["label"]
    shown = observed.feel[observed.feel["cell"].isin(evidence.cells["cell"].head(MANY))]
    unit = evidence.spec.standing.unit if evidence.spec.standing else ""
    columns: list[tuple[str, Callable[[Any], str]]] = [
        ("decisions", lambda row: mean(row, "decisions")),
        ("choices", lambda row: mean(row, "choices")),
        ("forced", lambda row: share(row, "forced")),
        ("decisions of others between turns", lambda row: mean(row, "wait") if row["wait"] > 0 else ""),
        ("lead changes", lambda row: blank(row, "lead_changes", mean)),
        (f"{evidence.outcome.holder} behind", lambda row: blank(row, "behind", share)),
        ("settled after", lambda row: blank(row, "decided", share)),
        (f"largest gap made good, {unit}", lambda row: blank(row, "comeback", mean)),
        (f"half-way leader {evidence.outcome.does}", lambda row: share(row, "leader_50") if tells(row) else ""),
        ("by luck", lambda row: f"{100 * row['luck_50']:.0f} %" if tells(row) else ""),
    ]
    rows = [(label[row["cell"]], *(told(row) for _, told in columns)) for _, row in shown.iterrows()]
    names = ("cell", *(name for name, _ in columns))
    data = observed.feel.merge(evidence.cells[["cell", "label"]], on="cell")
    some = f"; the first {MANY} of {len(label)} cells" if len(label) > MANY else ""
    caption = f"How games go, with 95 % ranges{some}"
    return (
        made_table("feel", caption, names, rows, data, right=tuple(range(1, len(names)))),
        kinds(evidence, observed),
    )  # fmt: skip


def blank(row: Any, name: str, say: Callable[[Any, str], str]) -> str:
    return "" if pd.isna(row[name]) else say(row, name)


def kinds(evidence: Evidence, observed: Observed) -> Table:
    """What is decided, at the first of the chosen tables; all cells are in the file."""
    cell = chosen(evidence)[0]
    mine = observed.decisions[observed.decisions["cell"] == cell]
    rows = [
        (row.kind, f"{row.per_playout:.1f}", f"{row.choices:.1f}", f"{100 * row.forced:.0f} %")
        for row in mine.sort_values("per_playout", ascending=False, kind="stable").itertuples()
    ]
    data = observed.decisions.merge(evidence.cells[["cell", "label"]], on="cell")
    caption = f"What is decided, {label_of(evidence, cell)}"
    return made_table("decisions", caption, ("decision", "in a game", "choices", "forced"), rows, data, right=(1, 2, 3))


def notes(evidence: Evidence, observed: Observed) -> Iterator[str]:
    standing = evidence.spec.standing
    yield (
        f"From the first {int(observed.feel['playouts'].max()):,} playouts of each cell, decision by decision. Choices are a "
        "geometric mean: a decision between 2 and one among 8 count as two among 4. Decisions made at the same time count one "
        "after the other."
    )
    if standing is None:
        yield "The game does not say how it stands in between, so nothing is said of leads and comebacks."
        return
    about = f"How it stands is measured by {standing.about}."
    yield " ".join(part for part in (about, HIDDEN[standing.public], standing.caveat) if part)
    if observed.feel["alone"].all():
        yield (
            "Nobody is ahead of anybody where all play together, or alone: leads and comebacks do not apply. The chance in a "
            "position is that of all observed games that stood like it at that time."
        )
        return
    yield (
        "Settled: from then on nobody leads but those who have the outcome in the end, not even together with them. A shared "
        f"{evidence.outcome.one} counts as its share for whoever leads."
    )
    unlike = " The sides of this game have goals of their own, so being ahead is not the same for both."
    yield (
        "By luck: what a lead would be worth if all gained by equal and independent luck. Above it a lead feeds itself, "
        "below it the game helps those behind, or leads are not what decides it."
        + (unlike if evidence.spec.roles else "")
        + (
            " The sides of this game have goals of their own, so being ahead is not the same for both."
            if evidence.spec.roles
            else ""
        )
    )
    if (observed.feel["players"] >= SEVERAL).any() and not evidence.spec.cooperative:
        what = "has hardly a chance" if evidence.outcome.is_good else "is as good as safe"
        yield f"A seat {what} if of all seats with that lead at that time {CHANCE} or fewer {evidence.outcome.do} in the end."
    else:
        yield "For two, nothing is said of hopeless seats: where one cannot win, the other cannot lose."
    few = observed.feel[observed.feel["led_50"] < ENOUGH_LEADERS]
    if len(few):
        yield (
            f"In {len(few)} of {len(observed.feel)} cells several share the lead half-way in most games: what a lead is worth "
            "is left out there."
        )
