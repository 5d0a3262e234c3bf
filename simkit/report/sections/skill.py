"""Skill or luck? What the deal settles before anybody plays, what who plays is worth, and how many steps there are to climb."""

from collections.abc import Iterator, Sequence

import pandas as pd

from simkit.report.model import Section, Table
from simkit.report.sections import luck
from simkit.report.sections.parts import a_few, made_table, where
from simkit.report.sections.tables_of_many import unbalanced_note
from simkit.summary import skill, words
from simkit.summary.evidence import Evidence
from simkit.summary.skill import Ground, Way

CAVEAT = "This measures the gap between these policies, not between people."
SHOWN = 3  # grounds that a sentence speaks of
LADDERS = 4


def section(evidence: Evidence) -> Section | None:
    grounds = skill.grounds(evidence)
    if evidence.deal_luck.empty and not grounds:
        return None
    answers = (*luck.answers(evidence), *span_sentences(evidence, grounds), *ladder_sentences(evidence, grounds))
    tables = (*luck.tables(evidence), *([ways_table(evidence, grounds)] if grounds else []))
    notes_ = tuple(notes(evidence, grounds))
    return Section("skill", "Skill or luck?", answers, luck.pictures(evidence), tables, notes_)


def notes(evidence: Evidence, grounds: Sequence[Ground]) -> Iterator[str]:
    yield CAVEAT
    yield from luck.notes(evidence)
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


# --- what policies are worth, and their ladder ----------------------------------------------------------------------


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
        shown = [told[place] for place in a_few(len(told), SHOWN)]
        yield f"The other way round, one who plays {base} among those has {words.listed_words(shown)}."


def some(grounds: Sequence[Ground]) -> list[Ground]:
    return [grounds[place] for place in a_few(len(grounds), SHOWN)]


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
    for chain, places in list(found.items())[:LADDERS]:
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
