"""Who wins?"""

from collections.abc import Iterator

from simkit.report.figures import rates as figure
from simkit.report.model import Picture, Section
from simkit.report.sections.parts import (
    MANY,
    group_name,
    is_around_a_baseline,
    is_curve,
    judged,
    made_table,
    picture,
    rate,
    verdict_words,
)  # fmt: skip
from simkit.stats.verdict import Verdict
from simkit.summary import words
from simkit.summary.evidence import Evidence


def section(evidence: Evidence) -> Section:
    answers: list[str] = []
    pictures: list[Picture] = []
    for number in range(len(evidence.recipe.groups)):
        if is_curve(evidence, number):
            continue  # told under difficulty
        answers += sentences(evidence, number)
        if len(evidence.of_group(number)) <= MANY and not is_around_a_baseline(evidence, number):
            pictures.append(drawn(evidence, number))
    answers += seat_sentences(evidence)
    rows = [
        (
            row.label,
            words.percent(row.rate, row.low, row.high),
            words.span(row.low, row.high),
            "exact" if row.exact else "Wilson",
            f"{row.playouts:,}",
            verdict_words(row),
        )
        for row in evidence.cells.itertuples()
    ]
    names = ("cell", evidence.headline, "95 % range", "method", "playouts", "against the target")
    table = made_table("cells", "Win rate of every cell", names, rows, evidence.cells, right=(1, 2, 4))
    notes: tuple[str, ...] = (
        "A cell is one combination of players, options and policies. Its rate is the share of all its playouts, none left out.",
        "A win rate is a statement about policies as much as about a game: look whether it holds for more than one line-up.",
        "Balanced means that the whole range lies within the margin; unbalanced that all of it lies outside; anything else "
        "is not enough data.",
    )
    if evidence.spec.roles:
        notes = (f"Policies are named in the order {' / '.join(evidence.spec.roles)}.", *notes)
    told = tuple(answers) or ("All cells belong to difficulty curves: see the next question.",)
    return Section("rates", "Who wins?", told, tuple(pictures), (table,), notes)


def sentences(evidence: Evidence, number: int) -> Iterator[str]:
    """The lowest and the highest rate of a group, and what the verdicts are."""
    cells = evidence.of_group(number)
    name, what = group_name(evidence, number), evidence.headline
    ordered = cells.sort_values("rate", kind="stable")
    shown = list((ordered if len(cells) <= 2 else ordered.iloc[[0, -1]]).itertuples())
    told = [f"{rate(row)} with {row.label}" for row in shown]
    if len(cells) <= 2:
        yield f"{name}{what} {' and '.join(told)}."
    else:
        yield f"{name}{what} from {told[0]} to {told[1]}; {len(cells)} cells in all."
    aimed = list(cells.dropna(subset="target").itertuples())
    if aimed:
        verdicts = [judged(row).verdict for row in aimed]
        counts = ", ".join(f"{verdicts.count(v)} {v.value}" for v in Verdict if v in verdicts)
        flips = len(set(verdicts)) > 1 and len({row.policies for row in aimed}) > 1
        more = " The verdict depends on who plays and how." if flips else ""
        yield f"{name}against the target with its margin: {counts}.{more}"


def seat_sentences(evidence: Evidence) -> Iterator[str]:
    """For games with alike seats: does the order of play matter?"""
    label = evidence.cells.set_index("cell")["label"]
    for test in evidence.seat_tests.itertuples():
        mine = evidence.seats[evidence.seats["cell"] == test.cell]
        best, worst = mine.loc[mine["rate"].idxmax()], mine.loc[mine["rate"].idxmin()]
        yield (
            f"{label[test.cell]}: turn order {best['turn_order'] + 1} wins most, {rate(best)}, and turn order "
            f"{worst['turn_order'] + 1} least, {rate(worst)} (Q = {test.statistic:.1f} with {test.degrees} degrees of freedom)."
        )


def drawn(evidence: Evidence, number: int) -> Picture:
    cells = evidence.of_group(number)
    title = evidence.recipe.groups[number].name or evidence.headline
    alt = f"Dot plot, {len(cells)} cells. " + " ".join(f"{row.label}: {rate(row)}." for row in cells.itertuples())
    caption = f"{evidence.playouts:,} playouts of each; lines through the dots are 95 % intervals."
    return picture(f"rates-{number}", title[0].upper() + title[1:], alt, caption, figure.draw(cells, evidence.headline))
