"""What does a card do? The same deals with another card in its place: the difference is the card's doing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit import api
from simkit.answers import bars
from simkit.answers.answer import Answer, Shown, names_of, played
from simkit.answers.axes import refusal
from simkit.answers.cards import counting
from simkit.answers.difference import NOISE, PEOPLE, Difference
from simkit.answers.effects import MATTERS, Block, Effect, blocks
from simkit.answers.sensitivity import points, table_of
from simkit.answers.setting import Setting
from simkit.errors import OptionError, unknown
from simkit.scenario.grid import Recipe
from simkit.scenario.load import load_box
from simkit.scenario.swaps import can_swap, told_swaps, with_swaps
from simkit.scenario.validate import CellEntry, Grid, LineUp
from simkit.stats.cards import ENOUGH
from simkit.stats.multiplicity import family_wise_level
from simkit.summary import words
from simkit.summary.cards import holders
from simkit.summary.counts import LEVEL

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

ALL = "all"  # every kind of card in the deck, each by itself
TOO_FEW = "dealt to too few to tell"

Swap = tuple[str, str]  # a kind of card, and what stands in for it


@dataclass(frozen=True)
class Card:
    """One exchange with one line-up: what the card is worth to whoever is dealt it, and what it does to the headline."""

    card: str
    other: str
    dealt: int
    worth: Effect | None  # nothing where too few were dealt it
    whole: Effect

    @property
    def told(self) -> str:
        return f"{self.card} instead of {self.other}"

    @property
    def verdict(self) -> str:
        return TOO_FEW if self.worth is None else self.worth.verdict

    @property
    def size(self) -> float:
        return abs(self.worth.found.difference) if self.worth else -1.0


@dataclass(frozen=True)
class Dealt:
    """One line-up, the card that is worth most (or costs most) first."""

    block: Block
    cards: tuple[Card, ...]


def swaps(
    setting: Setting,
    wanted: Sequence[str],
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    progress: "Progress | None" = None,
) -> Answer:
    """Kinds of cards replaced by others, one at a time, on the same deals: every card keeps its place in the deck.

    wanted : 'CARD' (its stand-in is the most ordinary kind), 'CARD=OTHER', 'all' or 'all=OTHER'
    raises : UserError for anything wrong, also for a game whose cards cannot be exchanged
    """
    spec = counting(setting)
    if not can_swap(spec):
        raise OptionError(f"--swap: the cards of {spec.title} cannot be exchanged")
    chosen, left_out = chosen_of(setting, wanted)
    title = f"{spec.title}: what does a card do?"
    recipe, tallies = played(question(setting, chosen, title), out, resume, jobs, progress)
    found = dealt_of(recipe, tallies)
    return Answer(
        name=names_of(["swap", setting.name]),
        title=f"{title} {table_of(setting, recipe)}",
        tables=tuple(shown(setting, each) for each in found),
        lines=(*(sentence(setting, each) for each in found), *left_out, *notes(setting)),
        rows=tuple(row for each in found for row in rows(each)),
        files=bars.files(picture(setting, found, title)),
    )


# --- which cards ------------------------------------------------------------------------------------------------


def chosen_of(setting: Setting, wanted: Sequence[str]) -> tuple[list[Swap], list[str]]:
    """The exchanges, and sentences for those of `all` that cannot be played.

    raises : OptionError for a card that the game does not have, of which the deck has none, or that is named twice
    """
    rules, box = setting.rules, load_box(setting.spec, setting.box)
    module = setting.spec.module("box")
    names, counts = module.card_names(box), module.card_counts(rules, box)
    dealt = [name for name, count in zip(names, counts, strict=True) if count]
    default = module.ordinary(rules, box)
    found: dict[str, str] = {}
    left_out = []
    for word in wanted:
        card, equals, other = word.partition("=")
        if equals and not other:
            raise OptionError(f"--swap {word}: expected CARD or CARD=OTHER")
        if card == ALL:
            for name in dealt:
                if name in found or name == (other or default):
                    continue
                if problem := cannot(setting, box, (name, other or default)):
                    left_out.append(f"{told_swaps([(name, other or default)])}: cannot be played, {problem}.")
                else:
                    found[name] = other or default
            continue
        if card not in names:
            raise OptionError(unknown("--swap: card", card, dealt))
        if card not in dealt:
            raise OptionError(f"--swap {card}: there is none in the deck that is played")
        if card in found:
            raise OptionError(f"--swap {card} is given twice")
        if not equals and card == default:
            raise OptionError(
                f"--swap {card}: is the most ordinary card itself; say what stands in: --swap '{card}=OTHER'"
            )
        found[card] = other or default
        if problem := cannot(setting, box, (card, found[card])):
            raise OptionError(f"--swap {card}: {problem}")
    return list(found.items()), left_out


def cannot(setting: Setting, box: Mapping[str, Any], swap: Swap) -> str:
    """Why an exchange cannot be played; nothing if it can. Raises BoxError for a stand-in that the game does not have."""
    return refusal(setting, with_swaps(setting.spec, box, [swap]), setting.rules)


def question(setting: Setting, chosen: Sequence[Swap], title: str) -> api.Question:
    """A group of cells for each line-up: the cards as they are, then each exchange."""

    def entry(line_up: LineUp, swap: dict[str, str]) -> CellEntry:
        return CellEntry(
            players=setting.players, preset=setting.preset, policies=line_up, options=dict(setting.options), swap=swap
        )

    grids = [
        Grid(cells=[entry(line_up, {}), *(entry(line_up, {card: other}) for card, other in chosen)])
        for line_up in setting.line_ups
    ]
    return setting.question(grids, title, "What does a card do, with everything else as it was dealt?")


# --- what they do -----------------------------------------------------------------------------------------------


def dealt_of(recipe: Recipe, tallies: pl.DataFrame) -> list[Dealt]:
    """Every line-up with its cards."""
    by_cell = {row["cell"]: row for row in holders(recipe, tallies).to_dict("records")}
    found = []
    for block in blocks(recipe, tallies):
        made = []
        for whole in block.effects:
            (card, other), *_ = whole.cell.swap
            row = by_cell.get(whole.cell.id)
            dealt = row["dealt"] if row else 0
            made.append(Card(card, other, dealt, worth_of(whole, row) if row and dealt >= ENOUGH else None, whole))
        found.append(Dealt(block, tuple(sorted(made, key=lambda each: -each.size))))
    return found


def worth_of(whole: Effect, row: dict[str, Any]) -> Effect:
    """What a card is worth to whoever is dealt it, as a difference: with the card, less with its stand-in."""
    deals = whole.found.playouts
    found = Difference(
        who=whole.found.who,
        change=whole.found.change,
        on=whole.found.on,
        before=(row["without_card"],) * 3,
        after=(row["with_card"],) * 3,
        difference=row["worth"],
        low=row["family_low"],
        high=row["family_high"],
        spread=row["standard_error"] ** 2 * deals,
        playouts=deals,
        margin=whole.found.margin,
        never_differed=row["never_differed"],
        level=family_wise_level(LEVEL, row["family"]),
    )
    return Effect(whole.cell, whole.against, found, (row["low"], row["high"]))


def shown(setting: Setting, found: Dealt) -> Shown:
    one = words.outcome(setting.spec).one
    stand_ins = {each.other for each in found.cards}
    against = f"; every card against {found.cards[0].other}" if len(stand_ins) == 1 else ""
    names = ("card", f"{one} points to whoever is dealt it", "range of all together", "verdict",
             f"without it, {found.block.measure}")  # fmt: skip
    return Shown(
        f"{found.block.who}: {found.block.measure} {words.rate(*found.block.before)} with the cards as they are{against}",
        names,
        tuple(
            (
                each.card if against else each.told,
                *(points(each.worth) if each.worth else ("", "")),
                each.verdict,
                words.points(each.whole.found.difference, each.whole.found.low, each.whole.found.high),
            )
            for each in found.cards
        ),
        (*names[1:3], names[4]),
    )


def sentence(setting: Setting, found: Dealt) -> str:
    """How many cards matter to whoever is dealt them, and which most of all."""
    judged = [each for each in found.cards if each.worth]
    if not judged:
        return f"{found.block.who}: no card was dealt to {ENOUGH:,} players and more, too few to tell."
    matter = sum(each.worth is not None and each.worth.word == MATTERS for each in judged)
    top = judged[0]
    assert top.worth is not None
    difference = top.worth.found
    doing = words.outcome(setting.spec).do
    more = "more" if difference.difference > 0 else "less"
    return (
        f"{found.block.who}: {matter} of {len(judged)} cards {'matters' if matter == 1 else 'matter'} to whoever is dealt "
        f"them. Most of all {top.told}: those dealt it {doing} {more} for it, "
        f"{words.points(difference.difference, difference.low, difference.high)}."
    )


def notes(setting: Setting) -> Iterator[str]:
    yield (
        "Every copy of the card is replaced, and keeps its place in the deck: both sides meet the same deal, so the difference "
        "is the card's doing, for these policies."
    )
    yield (
        f"A card matters if its whole range lies beyond {setting.margin:g} points, and does not if all of it lies within. The "
        "ranges of a table hold together: in 95 of 100 such tables none of them misses."
    )
    yield f"{NOISE}. {PEOPLE}"


def rows(found: Dealt) -> Iterator[dict[str, Any]]:
    """A line of the CSV file for each exchange; rates and differences in per cent and points, for whoever is dealt the card
    (empty where too few were) and for the headline of the game.
    """
    nothing = float("nan")
    for each in found.cards:
        worth, whole = each.worth.found if each.worth else None, each.whole.found
        yield {
            "line_up": found.block.who,
            "card": each.card,
            "stand_in": each.other,
            "dealt": each.dealt,
            "with_card": 100 * worth.after[0] if worth else nothing,
            "with_stand_in": 100 * worth.before[0] if worth else nothing,
            "worth": 100 * worth.difference if worth else nothing,
            "low": 100 * worth.low if worth else nothing,
            "high": 100 * worth.high if worth else nothing,
            "low_alone": 100 * each.worth.alone[0] if each.worth else nothing,
            "high_alone": 100 * each.worth.alone[1] if each.worth else nothing,
            "verdict": each.worth.word if each.worth else TOO_FEW,
            "measure": found.block.measure,
            "before": 100 * whole.before[0],
            "after": 100 * whole.after[0],
            "difference": 100 * whole.difference,
            "difference_low": 100 * whole.low,
            "difference_high": 100 * whole.high,
            "deals": whole.playouts,
        }


def picture(setting: Setting, found: Sequence[Dealt], title: str) -> Any:
    panels = [
        bars.Panel(
            each.block.who,
            tuple(
                bars.Bar(
                    card.told, 100 * card.worth.found.difference, 100 * card.worth.found.low,
                    100 * card.worth.found.high, card.worth.word == MATTERS,
                )
                for card in each.cards
                if card.worth
            ),
        )
        for each in found
    ]  # fmt: skip
    one = words.outcome(setting.spec).one
    about = f"95 % ranges of a panel together; band: ±{setting.margin:g}"
    axis = f"{words.capital(one)} points more or less for whoever is dealt the card\n{about}"
    return bars.draw(panels, axis, f"{title} {setting.playouts:,} deals", setting.margin)
