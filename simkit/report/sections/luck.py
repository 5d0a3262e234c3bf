"""What the deal settles before anybody plays, and what the policy: half of the section on skill and luck."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from simkit.report.figures import split as figure
from simkit.report.model import Picture, Table
from simkit.report.sections.parts import a_few, made_table, picture, where
from simkit.report.sections.tables_of_many import other_rules
from simkit.summary import skill, words
from simkit.summary.evidence import Evidence
from simkit.summary.luck import PARTS

SHOWN = 4  # player counts or difficulties that a sentence speaks of


def tables(evidence: Evidence) -> Iterator[Table]:
    if not evidence.deal_luck.empty:
        yield luck_table(evidence)
    if not evidence.split.empty:
        yield split_table(evidence)


def answers(evidence: Evidence) -> Iterator[str]:
    yield from never_varies(evidence)
    yield from deal_sentences(evidence, printed_luck(evidence))
    yield from split_sentences(evidence, printed_split(evidence))


def notes(evidence: Evidence) -> Iterator[str]:
    luck = printed_luck(evidence)
    if luck.empty:
        return
    deals, replays = words.from_to(luck["deals"]), int(luck["replays"].max())
    yield (
        f"The deal is what lies ready when a game begins. {deals} deals of each cell were played {replays} times each, "
        "everybody in the same seat, with fresh chance and fresh decisions after the deal; what the results of one deal "
        "have in common is due to it. Shares below 0, which chance makes, count as 0."
    )
    if not printed_split(evidence).empty:
        whose = "for everybody" if evidence.spec.cooperative else "of one seat"
        yield (
            f"Policy is what changing it {whose} does on average, deal and policy together what a deal is worth to one "
            "policy and not to another; each policy counts as being as likely as the others."
        )


# --- the deal -------------------------------------------------------------------------------------------------------


def printed_luck(evidence: Evidence) -> pd.DataFrame:
    """The rows with the rules as printed, or those of a printed difficulty."""
    presets = evidence.cells.set_index("cell")["preset"]
    mine = evidence.deal_luck[evidence.deal_luck["cell"].isin(skill.printed_cells(evidence))]
    mine = mine.dropna(subset="share")
    return mine.assign(preset=mine["cell"].map(presets)).drop_duplicates(["players", "preset", "policies"])


def usual_luck(evidence: Evidence, luck: pd.DataFrame) -> pd.DataFrame:
    """One row for each player count and difficulty: the line-up a plain run plays, else the last one that does not only draw
    lots.
    """
    rows = []
    dull = evidence.spec.policies[0].name
    line_ups = {cell.id: cell.policies for cell in evidence.recipe.cells}
    for (players, _), mine in luck.groupby(["players", "preset"], sort=False):
        usual = evidence.spec.line_ups.get(int(players), ((),))[-1]
        ours = [line_ups[cell] for cell in mine["cell"]]
        best = [i for i, line_up in enumerate(ours) if line_up == usual]
        best += [i for i, line_up in enumerate(ours) if set(line_up) != {dull}][::-1]
        rows.append(mine.iloc[best[0] if best else 0])
    return pd.DataFrame(rows)


def deal_sentences(evidence: Evidence, luck: pd.DataFrame) -> Iterator[str]:
    """'Of who wins, the deal settles 17.7 % (15.4 to 20.1) with 3 players before anybody plays (all open).'"""
    if luck.empty:
        return
    usual = usual_luck(evidence, luck)
    rows = list(usual.iloc[a_few(len(usual), SHOWN)].itertuples())
    who = {row.policies for row in rows}
    each = "" if len(who) == 1 else " ({0})"
    told = [f"{part(row)} {where(row.players, row.preset)}{each.format(row.policies)}" for row in rows]
    all_ = f" ({who.pop()})" if len(who) == 1 else ""
    yield f"Of {what_is_settled(evidence, luck)}, the deal settles {words.listed_words(told)} before anybody plays{all_}."
    yield from dependence(evidence, luck)


def dependence(evidence: Evidence, luck: pd.DataFrame) -> Iterator[str]:
    """Where it depends on who plays: the two line-ups of a place that are furthest apart, if they surely are. Where seats are
    alike those without mixed policies, if there are some: between unlike players the deal has little left to settle.
    """
    apart = []
    pure = {cell.id for cell in evidence.recipe.cells if len(set(cell.policies)) == 1 or not evidence.is_alike}
    for (players, preset), every in luck.groupby(["players", "preset"], sort=False):
        alike = every[every["cell"].isin(pure)]
        mine = alike if len(alike) > 1 else every
        most, least = mine.loc[mine["share"].idxmax()], mine.loc[mine["share"].idxmin()]
        apart.append((most["low"] - least["high"], most, least, where(players, preset)))
    clear, most, least, at = max(apart, key=lambda one: one[0])
    if clear > 0:
        yield (
            f"It depends on who plays: {at}, the deal settles {part(most)} if they play {most['policies']}, {part(least)} if "
            f"they play {least['policies']}."
        )


def never_varies(evidence: Evidence) -> Iterator[str]:
    """Nothing can be said of luck where everybody always wins, or never."""
    if len(evidence.deal_luck) and evidence.deal_luck["share"].isna().all():
        yield "The outcome never varied in the games that were replayed, so it is not known what the deal settles."


def brief(evidence: Evidence) -> list[str]:
    """For a card: what the deal settles at the first usual table; nothing for a run that does not tell."""
    luck = printed_luck(evidence)
    if luck.empty:
        return []
    row = usual_luck(evidence, luck).iloc[0]
    at = where(row["players"], row["preset"])
    return [f"The deal settles {part(row)} of {what_is_settled(evidence, luck)} {at} ({row['policies']})."]


def what_is_settled(evidence: Evidence, luck: pd.DataFrame) -> str:
    does = evidence.outcome.does
    if (luck["players"] == 1).all():
        return f"whether one {does}"
    return f"whether the team {does}" if evidence.spec.cooperative else f"who {does}"


def part(row: Any) -> str:
    """'17.7 % (15.4 to 20.1)'; what chance made negative is 0, or 'nothing' if all of its range is."""
    share, low, high = (float(row[name] if isinstance(row, pd.Series) else getattr(row, name)) for name in
                        ("share", "low", "high"))  # fmt: skip
    if share > 0:
        return words.rate(min(share, 1.0), max(low, 0.0), min(high, 1.0))
    return words.rate(0.0, 0.0, high) if high > 0 else "nothing"


def luck_table(evidence: Evidence) -> Table:
    mine = evidence.deal_luck.merge(evidence.cells[["cell", "label"]], on="cell")
    rows = [
        (row.label, "not known" if pd.isna(row.share) else part(row), f"{row.deals:,} x {row.replays}")
        for row in mine.itertuples()
    ]
    names = ("cell", f"of {what_is_settled(evidence, mine)}, settled by the deal", "deals x replays")
    return made_table("deal_luck", "What the deal settles", names, rows, mine, right=(1, 2))


# --- deal, policy, both, the rest -----------------------------------------------------------------------------------


def printed_split(evidence: Evidence) -> pd.DataFrame:
    """The sets with printed rules, or those of a printed difficulty."""
    printed = set(skill.printed_cells(evidence))
    presets = evidence.cells.set_index("cell")["preset"]
    cells = evidence.split["cells"].str.split(", ")
    first = cells.map(lambda mine: int(mine[0]))
    mine = evidence.split[first.isin(printed) & evidence.split["share"].notna()]
    return mine.assign(preset=first.map(presets)) if len(mine) else evidence.split.assign(preset="").iloc[:0]


def split_sentences(evidence: Evidence, split: pd.DataFrame) -> Iterator[str]:
    """What the outcome is due to, for the first and the last of the sets with the most policies."""
    if split.empty:
        return
    sizes = split["policies"].str.count(", ")
    numbers = split.loc[sizes == sizes.max(), "set"]
    for number in sorted({numbers.iloc[0], numbers.iloc[-1]}):
        yield split_sentence(evidence, split[split["set"] == number])


def split_sentence(evidence: Evidence, mine: pd.DataFrame) -> str:
    """'With 4 players, where one seat among all open plays open or spoiler, ... is due to its policy to 10 % (8 to 11), ...'"""
    first = mine.iloc[0]
    rows = mine.set_index("part")
    share = {name: rough(rows.loc[name]) for name in PARTS}
    plays = words.listed_words(first["policies"].split(", "), "or")
    among = among_others(first["others"], first["players"])
    at = words.capital(where(first["players"], first["preset"]))
    return (
        f"{at}, where {first['who']}{among} plays {plays}, {share['policy']} of whether it {evidence.outcome.does} is due to "
        f"the policy, {share['deal']} to the deal, {share['interaction']} to deals that suit one policy and not another, and "
        f"{share['rest']} to what chance does later."
    )


def rough(row: Any) -> str:
    """'18 % (15 to 20)', nothing below 0."""
    share, low, high = (100 * min(max(row[name], 0.0), 1.0) for name in ("share", "low", "high"))
    return f"{share:.0f} % ({low:.0f} to {high:.0f})"


def set_name(row: Any) -> str:
    """'3 players, one seat among all open'."""
    at = row.preset or words.players(row.players)
    return f"{at}, {row.who}{among_others(row.others, row.players)}"


def among_others(others: str, players: int) -> str:
    """' against open', ' among all open', nothing where nobody else plays."""
    return f" {'against' if players == 2 else 'among'} {others}" if others else ""


def split_table(evidence: Evidence) -> Table:
    presets = evidence.cells.set_index("cell")["preset"]
    mine = evidence.split.assign(preset=[presets[int(cells.split(",")[0])] for cells in evidence.split["cells"]])
    rows = []
    for _, parts in mine.groupby("set", sort=False):
        by_part = parts.set_index("part")
        first = next(parts.itertuples())
        rules = other_rules(evidence, int(first.cells.split(",")[0]))
        rows.append((set_name(first), rules, first.policies, *(cell_of(by_part.loc[name]) for name in PARTS)))
    names = ("who", "rules", "policies", "deal", "policy", "deal and policy together", "chance after the deal")
    caption = f"What decides {what_is_settled(evidence, mine)}, in shares of the variance"
    return made_table("split", caption, names, rows, mine, right=(3, 4, 5, 6))


def cell_of(row: Any) -> str:
    return "not known" if pd.isna(row["share"]) else part(row)


def pictures(evidence: Evidence) -> tuple[Picture, ...]:
    split = printed_split(evidence)
    if split.empty:
        return ()
    shown = split[split["set"].isin(list(dict.fromkeys(split["set"]))[: figure.MOST])]
    names = {row.set: set_name(row) for row in shown.itertuples()}
    share = shown["share"].clip(lower=0)
    drawn = shown.assign(name=shown["set"].map(names), share=share / share.groupby(shown["set"]).transform("sum"))
    told = [
        f"{name}: " + ", ".join(f"{figure.WORDS[row.part]} {100 * row.share:.0f} %" for row in mine.itertuples()) + "."
        for (_, name), mine in drawn.groupby(["set", "name"], sort=False)
    ]
    title = f"What decides {what_is_settled(evidence, split)}"
    caption = "Shares of the variance of the outcome; the policies of each bar are in the table."
    alt = "Bars split into deal, policy, both together, and chance after the deal. " + " ".join(told)
    return (picture("split", title, alt, caption, figure.draw(drawn)),)
