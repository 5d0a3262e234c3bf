"""How do games end?"""

from simkit.report.figures import endings as figure
from simkit.report.model import Picture, Section
from simkit.report.sections.parts import MANY, made_table, picture, say
from simkit.summary import words
from simkit.summary.evidence import Evidence


def section(evidence: Evidence) -> Section:
    label = dict(zip(evidence.cells["cell"], evidence.cells["label"], strict=True))
    reasons = evidence.end_reasons.rename(columns={"count": "times"})
    common = reasons.sort_values("share", ascending=False, kind="stable").iloc[0]
    answers = [
        f"The most frequent ending of any cell is {say(common['end_reason'])}, "
        f"{words.rate(common['share'], common['low'], common['high'])} with {label[common['cell']]}."
    ]
    if never := never_seen(evidence):
        answers.append(f"Never seen: {', '.join(map(say, never))}.")
    seen = reasons[reasons["times"] > 0]
    pictures: tuple[Picture, ...] = ()
    if len(label) <= MANY:
        alt = "Stacked bars of end reasons. " + " ".join(
            f"{label[cell]}: "
            + ", ".join(f"{say(r.end_reason)} {words.rate(r.share, r.low, r.high)}" for r in part.itertuples())
            + "."
            for cell, part in seen.groupby("cell")
        )
        caption = f"{evidence.playouts} playouts of each cell; each bar is 100 %."
        pictures = (picture("endings", "Why games end", alt, caption, figure.draw(evidence.end_reasons, label)),)
    rows = [
        (
            label[row.cell],
            say(row.end_reason),
            f"{row.times:,}",
            words.percent(row.share, row.low, row.high),
            words.span(row.low, row.high),
        )
        for row in seen.itertuples()
    ]
    names = ("cell", "end reason", "playouts", "share", "95 % range")
    table = made_table("end_reasons", "End reasons of every cell", names, rows, evidence.end_reasons, right=(2, 3, 4))
    return Section("endings", "How do games end?", tuple(answers), pictures, (table,))


def never_seen(evidence: Evidence) -> list[str]:
    """End reasons that the game knows and no playout of the run had."""
    times = evidence.end_reasons.groupby("end_reason", sort=False)["count"].sum()
    return [reason for reason, count in times.items() if count == 0 and reason != "truncated"]
