"""Skill or luck? What the deal settles before anybody plays, what who plays is worth, and how many steps there are to climb."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from simkit.report.figures import split as figure
from simkit.report.model import Picture, Section, Table
from simkit.report.sections.parts import made_table, picture
from simkit.report.sections.tables_of_many import other_rules, unbalanced_note
from simkit.summary import skill, words
from simkit.summary.evidence import Evidence
from simkit.summary.luck import PARTS
from simkit.summary.skill import Ground, Way

CAVEAT = "This measures the gap between these policies, not between people."
SHOWN = 4  # player counts or difficulties that a sentence speaks of


def section(evidence: Evidence) -> Section | None:
    grounds = skill.grounds(evidence)
    luck, split = printed_luck(evidence), printed_split(evidence)
    if evidence.deal_luck.empty and not grounds:
        return None
    answers = [
        *never_varies(evidence),
        *deal_sentences(evidence, luck),
        *split_sentences(evidence, split),
        *span_sentences(evidence, grounds),
        *ladder_sentences(evidence, grounds),
    ]
    tables = []
    if not evidence.deal_luck.empty:
        tables.append(luck_table(evidence))
    if not evidence.split.empty:
        tables.append(split_table(evidence))
    if grounds:
        tables.append(ways_table(evidence, grounds))
    return Section(
        "skill", "Skill or luck?", tuple(answers), pictures(evidence, split), tuple(tables),
        tuple(notes(evidence, grounds, luck)),
    )  # fmt: skip


def notes(evidence: Evidence, grounds: Sequence[Ground], luck: pd.DataFrame) -> Iterator[str]:
    yield CAVEAT
    if not luck.empty:
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
    if any(ground.is_shared or ground.others for ground in grounds):
        whom = "others at the table" if evidence.is_alike else "worst policy tried against the same others"
        yield f"Ratings are in Elo points above the {whom}, from the odds; 100 points are odds of 64 to 36."
    if evidence.is_alike and grounds and not evidence.recipe.rotate:
        yield unbalanced_note()
    told = [
        (ground, found) for ground in base_grounds(evidence, grounds) if (found := skill.spread(ground)) is not None
    ]
    if told:
        ground, found = told[0]
        yield (
            f"The ratings of {len(ground.ways)} policies ({ground.name}) spread by {found:.0f} Elo points (standard "
            "deviation). Between games this compares only where the policies are made the same way."
        )


def base_grounds(evidence: Evidence, grounds: Sequence[Ground]) -> list[Ground]:
    """Those against or among the baseline, or all where nobody else plays."""
    base = skill.baseline(evidence, grounds)
    return [ground for ground in grounds if ground.others == base]


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
    rows = list(spaced(usual).itertuples())
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


def spaced(rows: pd.DataFrame) -> pd.DataFrame:
    """At most a few rows, the first and the last among them."""
    if len(rows) <= SHOWN:
        return rows
    return rows.iloc[[round(i * (len(rows) - 1) / (SHOWN - 1)) for i in range(SHOWN)]]


def where(players: Any, preset: Any) -> str:
    return f"in {preset}" if preset else f"with {players} player{'' if players == 1 else 's'}"


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
    """The sets with printed rules, with a name for each."""
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
    among = f" against {first['others']}" if first["others"] and first["players"] == 2 else (
        f" among {first['others']}" if first["others"] else "")  # fmt: skip
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
    """'3 players, one seat among all open: open, stealth, spoiler'."""
    at = row.preset or f"{row.players} player{'' if row.players == 1 else 's'}"
    among = f" {'against' if row.players == 2 else 'among'} {row.others}" if row.others else ""
    return f"{at}, {row.who}{among}"


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


def pictures(evidence: Evidence, split: pd.DataFrame) -> tuple[Picture, ...]:
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


# --- policies -------------------------------------------------------------------------------------------------------


def span_sentences(evidence: Evidence, grounds: Sequence[Ground]) -> Iterator[str]:
    """What the best policy gets alone among the baseline, what the baseline gets alone among the best, and the skill span."""
    outcome = evidence.outcome
    if evidence.is_alike:
        base = skill.baseline(evidence, grounds)
        mine = [ground for ground in grounds if base and ground.others == base and ground.best.policy != base]
        if mine:
            told = [
                f"{gets(ground, ground.best)} {where(ground.players, ground.preset)} ({ground.best.policy}, skill span "
                f"{spanned(ground)})"
                for ground in some(mine)
            ]
            yield (
                f"One who plays the best policy tried among players of {base} has {words.listed_words(told)} of the "
                f"{outcome.many}. A span of 0 is a fair share, 1 is {'all' if outcome.is_good else 'none'} of them."
            )
        yield from novice_sentences(evidence, grounds, base, mine)
    elif evidence.spec.roles and (found := skill.both_roles(evidence, grounds)):
        mine, span = found
        best = " and ".join(f"{ground.best.policy} for {ground.who}" for ground in mine)
        yield (
            f"The best policies tried against {mine[0].others} ({best}) have a skill span of {words.mean(*span)}: 0 would be "
            f"half of all {outcome.many} in both roles together, 1 {'all' if outcome.is_good else 'none'} of them."
        )
    for ground in some([ground for ground in grounds if not ground.others]):
        worst, best_ = ground.ways[0], ground.best
        yield (
            f"{words.capital(where(ground.players, ground.preset))}, {ground.who} {outcome.does} "
            f"{gets(ground, best_)} of the games with {best_.policy} and {gets(ground, worst)} with {worst.policy}."
        )


def novice_sentences(
    evidence: Evidence, grounds: Sequence[Ground], base: str, among_base: Sequence[Ground]
) -> Iterator[str]:
    """The other way round: one novice among experts."""
    told = []
    for easy in among_base:
        hard = [ground for ground in grounds if (ground.players, ground.preset, ground.others)
                == (easy.players, easy.preset, easy.best.policy)]  # fmt: skip
        if hard and (novice := hard[0].way(base)):
            told.append(f"{gets(hard[0], novice)} {where(easy.players, easy.preset)} (among {hard[0].others})")
    if told:
        shown = [told[i] for i in sorted({0, len(told) // 2, len(told) - 1})]
        yield f"The other way round, one who plays {base} among those has {words.listed_words(shown)}."


def some(grounds: Sequence[Ground]) -> list[Ground]:
    """The first, the last and the one in the middle."""
    return [grounds[i] for i in sorted({0, (len(grounds) - 1) // 2, len(grounds) - 1}) if grounds]


def gets(ground: Ground, way: Way) -> str:
    return words.rate(way.value, way.low, way.high)


def spanned(ground: Ground) -> str:
    return f"{ground.span(ground.best)[0]:.2f}"


def ladder_sentences(evidence: Evidence, grounds: Sequence[Ground]) -> Iterator[str]:
    """'Ladder of policies with 4 players: random < open < spoiler, 2 rungs.'"""
    found: dict[tuple[tuple[str, ...], ...], list[list[Ground]]] = {}
    for mine in together(evidence, grounds):
        found.setdefault(tuple(skill.ladder(mine)), []).append(mine)
    if not any(found):
        return
    shared = any(ground.is_shared for ground in grounds)
    is_good = evidence.outcome.is_good
    step = (
        f"alone among those one below it gets a tenth {'more' if is_good else 'less'} than its fair share or better"
        if shared
        else "it is five points better or more than the one below"
    )
    for chain, places in list(found.items())[:SHOWN]:
        rungs = len(chain) - 1
        count = f", {rungs} rung{'' if rungs == 1 else 's'}" if chain else ""
        told = " < ".join(words.listed_words(rung, "or") for rung in chain) or "no policy is surely above another"
        yield f"Ladder of policies {places_told(places)}: {told}{count}."
    yield f"Each policy on a ladder is surely a rung above the one before: {step}."


def places_told(places: Sequence[Sequence[Ground]]) -> str:
    """'with 3, 6 and 8 players', 'for granny against random with 2 players', 'in solo-1 and in solo-2'."""
    first = [mine[0] for mine in places]
    if all(ground.is_shared and not ground.preset for ground in first):
        return f"with {words.listed([ground.players for ground in first])} players"
    told = []
    for ground in first:
        role = f"for {ground.who} " if ground.has_role else ""
        against = f"against {ground.others} " if ground.others else ""
        told.append(f"{role}{against}{where(ground.players, ground.preset)}")
    return words.listed_words(told)


def together(evidence: Evidence, grounds: Sequence[Ground]) -> list[list[Ground]]:
    """The grounds that make one ladder: all of a player count, or of a role the one whose ladder is longest."""
    found: dict[str, list[Ground]] = {}
    for ground in grounds:
        found.setdefault(ground.name, []).append(ground)
    if evidence.is_alike:
        return list(found.values())
    return [[max(mine, key=lambda ground: len(skill.ladder([ground])))] for mine in found.values()]


def elo(rating: float, low: float, high: float) -> str:
    return f"{rating:+.0f} ({low:+.0f} to {high:+.0f})"


def ways_table(evidence: Evidence, grounds: Sequence[Ground]) -> Table:
    rows, data = [], []
    for ground in grounds:
        for way in reversed(ground.ways):
            unknown, reference = (float("nan"),) * 3, ground.is_reference(way)
            rating = ground.rating(way) if ground.is_shared or ground.others else unknown
            span = ground.span(way) if ground.is_shared else unknown
            rows.append(
                (
                    ground.name, ground.others, way.policy,
                    f"{100 * way.value:.1f} % (like all others)" if ground.is_shared and reference else gets(ground, way),
                    "" if not ground.is_shared or reference else words.index(*span),
                    "" if pd.isna(rating[0]) else "0" if reference else elo(*rating),
                )
            )  # fmt: skip
            data.append([ground.players, ground.preset, ground.who, ground.others, way.policy, way.value, way.low, way.high,
                         *span, *rating])  # fmt: skip
    columns = ["players", "preset", "who", "others", "policy", "value", "low", "high", "span", "span_low", "span_high",
               "rating", "rating_low", "rating_high"]  # fmt: skip
    names = ("where", "all others play", "policy", f"has of the {evidence.outcome.many}", "skill span", "rating")
    frame = pd.DataFrame(data, columns=columns)
    return made_table("ways", "What each policy gets, the best first", names, rows, frame, right=(3, 4, 5))
