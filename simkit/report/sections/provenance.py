"""What the numbers rest on: readings of the rules, components, and how to repeat it."""

import pandas as pd

from simkit.box_file import described
from simkit.report.model import Section
from simkit.report.sections.parts import made_table
from simkit.scenario.grid import sha256, show_value
from simkit.scenario.provenance import origins, shares
from simkit.store import Run
from simkit.summary import words
from simkit.summary.evidence import Evidence
from simkit.summary.looking import rule


def rulings(evidence: Evidence) -> Section | None:
    """Every point that the rulebook leaves open, the reading played, and what other readings change if it was measured."""
    open_points = [option for option in evidence.spec.options if option.ruling]
    if not open_points:
        return None
    rows = []
    for option in open_points:
        played = list(dict.fromkeys(show_value(cell.options[option.name]) for cell in evidence.recipe.cells))
        other = [show_value(value) for value in option.values if show_value(value) not in played]
        effect = "; ".join(measured(evidence, option.name))
        rows.append((option.name, ", ".join(played), ", ".join(other), effect, option.about, option.clause))
    names = ("option", "played here", "other readings", "measured effect", "what it decides", "clause")
    answer = f"The rulebook leaves {len(open_points)} questions open; these are the readings behind the numbers."
    table = made_table("rulings", "Readings of the open rules", names, rows, pd.DataFrame(rows, columns=list(names)))
    return Section("rulings", "Which readings of the rules does this rest on?", (answer,), (), (table,))


def measured(evidence: Evidence, option: str) -> list[str]:
    """The paired differences in which only this option changed."""
    found = []
    for row in evidence.differences.itertuples():
        a, b = evidence.recipe.cells[row.against], evidence.recipe.cells[row.cell]
        changed = [name for name in a.options if a.options[name] != b.options[name]]
        if changed == [option] and a.policies == b.policies and a.preset == b.preset:
            effect = words.points(row.difference, row.family_low, row.family_high)
            found.append(f"{show_value(b.options[option])} {effect} with {' / '.join(b.policies)}, {b.players} seat(s)")
    return found


def section(run: Run, evidence: Evidence) -> Section:
    recipe = evidence.recipe
    box = described(evidence.spec, recipe.box)
    data = pd.DataFrame(box, columns=["what", "numbers", "provenance", "source"])
    components = made_table("box", f"Components: {recipe.box['title']}", tuple(data.columns), box, data)
    facts = [
        ("command", run.manifest["command"]),
        ("recipe", recipe.hash),
        ("box", sha256(recipe.components)),
        ("kernel sources", run.manifest["kernel"]),
        ("seed", str(recipe.seed)),
        ("playouts of each cell", evidence.playouts),
        ("streams", "xoshiro256++ keyed by splitmix64; see part D of the game's rules"),
        ("stopping rule", rule(run.until) if run.until else "a fixed number of playouts, chosen before the run"),
        *((f"{name} version", version) for name, version in run.manifest["versions"].items()),
    ]
    made = made_table(
        "provenance", "How to repeat it", ("what", "value"), facts, pd.DataFrame(facts, columns=["what", "value"])
    )
    answer = (
        f"Of the numbers in the box, {shares(origins(recipe.box))}. The same command with the same version of simkit gives "
        "the same numbers on any machine and any number of workers."
    )
    return Section("provenance", "Where do the numbers come from?", (answer,), (), (components, made))
