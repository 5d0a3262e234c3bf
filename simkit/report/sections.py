"""The sections of a report: each a question, its answer with ranges, the figure and the table behind it."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from simkit.report.figures import differences as differences_figure
from simkit.report.figures import difficulty as difficulty_figure
from simkit.report.figures import endings as endings_figure
from simkit.report.figures import rates as rates_figure
from simkit.report.model import Picture, Section, Table
from simkit.report.style import png_of, svg_of
from simkit.scenario.grid import Group, Recipe, sha256, show_value
from simkit.scenario.load import load_box
from simkit.stats.verdict import Verdict, judge
from simkit.store import Run
from simkit.summary import words

MANY = 60  # cells beyond this are in the tables only


def picture(name: str, title: str, alt: str, caption: str, figure: Figure) -> Picture:
    return Picture(name, title, alt, caption, svg_of(figure), png_of(figure))


def headline(recipe: Recipe) -> str:
    return recipe.spec.headline or "First in turn order wins"


# --- who wins ---------------------------------------------------------------------------------------------------


def rates(recipe: Recipe, cells: pd.DataFrame) -> Section:
    answers: list[str] = []
    pictures = []
    for number, group in enumerate(recipe.groups):
        mine = cells[cells["cell"].isin(group.cells)]
        if is_curve(group, mine):
            continue  # told under difficulty
        answers += rate_sentences(recipe, group, mine)
        if len(mine) <= MANY and not is_around_a_baseline(recipe, group):
            name = f"rates-{number}"
            title = group.name.capitalize() or headline(recipe)
            caption = f"{mine['playouts'].iloc[0]:,} playouts of each; lines through the dots are 95 % intervals."
            alt = f"Dot plot, {len(mine)} cells. " + " ".join(
                f"{row.label}: {words.rate(row.rate, row.low, row.high)}." for row in mine.itertuples()
            )
            pictures.append(picture(name, title, alt, caption, rates_figure.draw(mine, headline(recipe))))
    rows = [
        (
            row.label,
            words.percent(row.rate, row.low, row.high),
            words.span(row.low, row.high),
            "exact" if row.exact else "Wilson",
            f"{row.playouts:,}",
            verdict_words(row),
        )
        for row in cells.itertuples()
    ]
    if not answers:
        answers = ["All cells belong to difficulty curves: see the next question."]
    names = ("cell", headline(recipe), "95 % range", "method", "playouts", "against the target")
    table = Table("cells", "Win rate of every cell", names, rows, cells, right=(1, 2, 4))
    notes = (
        "A cell is one combination of players, options and policies. Its rate is the share of all its playouts, none left out.",
        "A win rate is a statement about policies as much as about a game: look whether it holds for more than one line-up.",
    )
    return Section("rates", "Who wins?", tuple(answers), tuple(pictures), (table,), notes)


def rate_sentences(recipe: Recipe, group: Group, cells: pd.DataFrame) -> Iterator[str]:
    """The lowest and the highest rate of a group, and what the verdicts are."""
    what = headline(recipe)
    name = f"{group.name.capitalize()}: " if group.name else ""
    ordered = cells.sort_values("rate", kind="stable")
    shown = list((ordered if len(cells) <= 2 else ordered.iloc[[0, -1]]).itertuples())
    told = [f"{words.rate(row.rate, row.low, row.high)} with {row.label}" for row in shown]
    if len(cells) <= 2:
        yield f"{name}{what} {' and '.join(told)}."
    else:
        yield f"{name}{what} from {told[0]} to {told[1]}; {len(cells)} cells in all."
    judged = cells.dropna(subset="target")
    if len(judged):
        verdicts = [judge(r.low, r.high, r.rate, r.target, r.margin).verdict for r in judged.itertuples()]
        counts = {v: verdicts.count(v) for v in Verdict if v in verdicts}
        listed = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items())
        yield f"{name}against the target with its margin: {listed}." + (
            " The verdict depends on who plays and how."
            if len(counts) > 1 and len({r.policies for r in judged.itertuples()}) > 1
            else ""
        )


def verdict_words(row: Any) -> str:
    if pd.isna(row.target):
        return ""
    found = judge(row.low, row.high, row.rate, row.target, row.margin)
    gap = words.points(found.gap, found.low, found.high)
    more = f"; about {found.playouts_needed:,} playouts would settle it" if found.playouts_needed else ""
    return f"{found.verdict.value}: {gap} from {100 * row.target:g} % ± {100 * row.margin:g}{more}"


# --- how hard it is ---------------------------------------------------------------------------------------------


def is_curve(group: Group, cells: pd.DataFrame) -> bool:
    """Whether a group is a difficulty curve: presets that are played with the same policies."""
    return cells["preset"].nunique() > 1 and (cells["preset"] != "").all()


def is_around_a_baseline(recipe: Recipe, group: Group) -> bool:
    """Whether a group changes one option at a time: then its differences say more than its rates."""
    first = recipe.cells[group.cells[0]]
    others = [recipe.cells[number] for number in group.cells[1:]]
    return len(others) > 1 and all(
        cell.policies == first.policies and sum(cell.options[o] != first.options[o] for o in first.options) == 1
        for cell in others
    )


def difficulty(recipe: Recipe, cells: pd.DataFrame) -> Section | None:
    curves = [mine for group in recipe.groups if is_curve(group, mine := cells[cells["cell"].isin(group.cells)])]
    if not curves:
        return None
    levels = pd.concat(curves)
    answers = []
    for (name, policies), mine in levels.groupby(["group", "policies"], sort=False):
        steps = ", ".join(f"{row.preset} {words.rate(row.rate, row.low, row.high)}" for row in mine.itertuples())
        rises = [
            f"{b.preset} is not harder than {a.preset}"
            for a, b in zip(mine.iloc[:-1].itertuples(), mine.iloc[1:].itertuples(), strict=True)
            if b.rate >= a.rate
        ]
        title = f"{name.capitalize()}" if isinstance(name, str) else policies
        answers.append(f"{title}: {steps}." + (f" In this order {' and '.join(rises)}." if rises else ""))
    alt = "Lines of win rate over difficulty, one for each policy. " + " ".join(answers)
    drawn = picture(
        "difficulty", "Win rate over difficulty", alt,
        f"{levels['playouts'].iloc[0]:,} playouts of each; bars are 95 % intervals.",
        difficulty_figure.draw(levels, headline(recipe)),
    )  # fmt: skip
    rows = [
        (
            row.preset,
            row.policies,
            words.percent(row.rate, row.low, row.high),
            words.span(row.low, row.high),
            verdict_words(row),
        )
        for row in levels.itertuples()
    ]
    names = ("difficulty", "policy", headline(recipe), "95 % range", "against the target")
    data = levels[["preset", "policies", "playouts", "wins", "rate", "low", "high", "target"]]
    table = Table("difficulty", "Win rate of every difficulty", names, rows, data, right=(2, 3))
    notes = (
        "Levels are in the order of the scenario. A good curve falls for every policy, not only for the best one.",
    )
    return Section("difficulty", "How hard is it?", tuple(answers), (drawn,), (table,), notes)


# --- what changes it --------------------------------------------------------------------------------------------


def changes(recipe: Recipe, cells: pd.DataFrame, differences: pd.DataFrame) -> Section | None:
    if differences.empty:
        return None
    answers = []
    pictures = []
    label = cells.set_index("cell")["label"]
    for number, group in enumerate(recipe.groups):
        mine = differences[differences["cell"].isin(group.cells)]
        if mine.empty:
            continue
        name = f"{group.name.capitalize()}: " if group.name else ""
        largest = mine.loc[mine["difference"].abs().idxmax()]
        margin = recipe.cells[group.cells[0]].margin / 100
        same = mine[mine["only_here"] + mine["only_there"] == 0]
        sentence = (
            f"{name}the largest change is {largest['change']}: "
            f"{words.points(largest['difference'], largest['low'], largest['high'])} against {label[largest['against']]}, "
            f"on the same {largest['deals']:,} deals."
        )
        if len(same):
            sentence += f" No difference on any deal: {'; '.join(same['change'])}."
        answers.append(sentence)
        references = mine["against"].unique()
        if len(references) == 1 and len(mine) <= MANY:
            title = f"Difference to {label[references[0]]}"
            alt = f"Dots of paired differences. {title}. " + " ".join(
                f"{row.change}: {words.points(row.difference, row.low, row.high)}." for row in mine.itertuples()
            )
            caption = "Sorted by size; bars are 95 % intervals, each for itself."
            drawn = differences_figure.draw(mine, headline(recipe), margin)
            pictures.append(picture(f"changes-{number}", title, alt, caption, drawn))
    rows = [
        (
            row.change,
            label[row.against],
            words.points(row.difference, row.low, row.high),
            f"{row.only_here:,} / {row.only_there:,}",
            "never differed" if row.variance_reduction == float("inf") else f"{row.variance_reduction:.2f}",
        )
        for row in differences.itertuples()
    ]
    names = ("change", "against", "difference", "deals won only with it / only without", "variance reduction")
    table = Table("differences", "Paired differences on the same deals", names, rows, differences, right=(2, 3, 4))
    notes = (
        "Both cells of a pair meet the same deals, so that the luck of the cards drops out of the difference.",
        "Variance reduction: how many times as many playouts would have been needed with separate deals.",
        f"{len(differences)} comparisons are shown, each with its own 95 % interval: about one in twenty would exclude "
        "zero by chance alone even if nothing mattered.",
    )
    return Section("changes", "What changes the result?", tuple(answers), tuple(pictures), (table,), notes)


# --- how games end, how long they are ---------------------------------------------------------------------------


def endings(recipe: Recipe, cells: pd.DataFrame, reasons: pd.DataFrame) -> Section:
    label = dict(zip(cells["cell"], cells["label"], strict=True))
    common = reasons.sort_values("share", ascending=False, kind="stable").iloc[0]
    never = [
        r for r, part in reasons.groupby("end_reason", sort=False) if part["count"].sum() == 0 and r != "truncated"
    ]
    answers = [
        f"The most frequent ending of any cell is {say(common['end_reason'])}, "
        f"{words.rate(common['share'], common['low'], common['high'])} with {label[common['cell']]}."
    ]
    if never:
        answers.append(f"Never seen: {', '.join(map(say, never))}.")
    pictures = []
    if len(cells) <= MANY:
        alt = "Stacked bars of end reasons. " + " ".join(
            f"{label[cell]}: "
            + ", ".join(
                f"{say(r.end_reason)} {words.rate(r.share, r.low, r.high)}" for r in part.itertuples() if r.count > 0
            )
            + "."
            for cell, part in reasons.groupby("cell")
        )
        pictures.append(
            picture("endings", "Why games end", alt, "All playouts of each cell; each bar is 100 %.",
                    endings_figure.draw(reasons, label))
        )  # fmt: skip
    rows = [
        (
            label[row.cell],
            say(row.end_reason),
            f"{row.count:,}",
            words.percent(row.share, row.low, row.high),
            words.span(row.low, row.high),
        )
        for row in reasons.rename(columns={"count": "times"}).assign(count=reasons["count"]).itertuples()
        if row.count > 0
    ]
    names = ("cell", "end reason", "playouts", "share", "95 % range")
    table = Table("end_reasons", "End reasons of every cell", names, rows, reasons, right=(2, 3, 4))
    return Section("endings", "How do games end?", tuple(answers), tuple(pictures), (table,))


def say(word: str) -> str:
    return word.replace("_", " ")


def shape(recipe: Recipe, cells: pd.DataFrame, columns: pd.DataFrame) -> Section:
    """Length and decisions; the means of all other columns are in the table's data."""
    length = "rounds" if "rounds" in set(columns["column"]) else "decisions"
    label = cells.set_index("cell")["label"]
    lengths = columns[columns["column"] == length].set_index("cell")
    decisions = columns[columns["column"] == "decisions"].set_index("cell")
    answer = (
        f"In the typical game of a cell there are {lengths['median'].min()} to {lengths['median'].max()} {length}; "
        f"nine games in ten of all cells lie within {lengths['q05'].min()} to {lengths['q95'].max()}."
    )
    rows = [
        (
            label[cell],
            f"{lengths.loc[cell, 'median']}",
            f"{lengths.loc[cell, 'q05']} to {lengths.loc[cell, 'q95']}",
            f"{lengths.loc[cell, 'mean']:.2f}",
            f"{decisions.loc[cell, 'mean']:.1f}",
        )
        for cell in cells["cell"]
    ]
    names = ("cell", f"median {length}", "5 % to 95 %", f"mean {length}", "mean decisions")
    data = columns.merge(cells[["cell", "label"]], on="cell")
    table = Table("columns", f"Length of games in {length}", names, rows, data, right=(1, 2, 3, 4))
    note = "The file tables/columns.csv has mean, range and quantiles of every recorded column of every cell."
    return Section("shape", "How long is a game?", (answer,), (), (table,), (note,))


# --- what it rests on -------------------------------------------------------------------------------------------


def rulings(recipe: Recipe, cells: pd.DataFrame, differences: pd.DataFrame) -> Section | None:
    """Every point that the rulebook leaves open, the reading played, and what the other readings change if it was measured."""
    open_points = [option for option in recipe.spec.options if option.ruling]
    if not open_points:
        return None
    rows = []
    for option in open_points:
        played = list(dict.fromkeys(show_value(cell.options[option.name]) for cell in recipe.cells))
        other = [show_value(value) for value in option.values if show_value(value) not in played]
        rows.append(
            (
                option.name,
                ", ".join(played),
                ", ".join(other),
                measured(recipe, differences, option.name),
                option.about,
                option.clause,
            )
        )
    names = ("option", "played here", "other readings", "measured effect", "what it decides", "clause")
    data = pd.DataFrame(rows, columns=list(names))
    answer = f"The rulebook leaves {len(open_points)} points open. The report is for the readings below."
    table = Table("rulings", "Readings of the open rules", names, rows, data)
    return Section("rulings", "Which readings of the rules does this rest on?", (answer,), (), (table,))


def measured(recipe: Recipe, differences: pd.DataFrame, option: str) -> str:
    """The paired differences in which only this option changed."""
    found = []
    for row in differences.itertuples():
        a, b = recipe.cells[row.against], recipe.cells[row.cell]
        changed = [name for name in a.options if a.options[name] != b.options[name]]
        if changed == [option] and a.policies == b.policies:
            found.append(f"{show_value(b.options[option])}: {words.points(row.difference, row.low, row.high)}")
    return "; ".join(found)


def provenance(run: Run) -> Section:
    recipe = run.recipe
    box = recipe.spec.module("box").describe(recipe.box)
    kinds = sorted({row[2] for row in box})
    data = pd.DataFrame(box, columns=["what", "numbers", "provenance", "source"])
    components = Table("box", f"Components: {recipe.box['title']}", tuple(data.columns), box, data)
    versions = run.manifest["versions"]
    facts = [
        ("command", run.manifest["command"]),
        ("recipe", recipe.hash),
        ("box", sha256(recipe.box)),
        ("kernel sources", run.manifest["kernel"]),
        ("seed", str(recipe.seed)),
        ("playouts of each cell", f"{run.playouts:,}"),
        ("streams", "xoshiro256++ keyed by splitmix64; see RULES.md part D"),
        *((f"{name} version", version) for name, version in versions.items()),
    ]
    made = Table(
        "provenance", "How to repeat it", ("what", "value"), facts, pd.DataFrame(facts, columns=["what", "value"])
    )
    answer = (
        f"The components are of these kinds: {', '.join(kinds)}. The same command with the same version of simkit gives "
        "the same numbers on any machine and any number of workers."
    )
    return Section("provenance", "Where do the numbers come from?", (answer,), (), (components, made))


def own_box(recipe: Recipe) -> dict[str, Any]:
    """The box that the game comes with."""
    return load_box(recipe.spec, None)
