"""The difference of two cells: what its range says about the limit, in words a designer would use."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor, log, log10

from simkit.errors import OptionError
from simkit.spec import GameSpec
from simkit.stats.planning import to_settle
from simkit.summary import words

MARGIN = 2.0  # points

NOISE = "The ranges cover simulation noise only"
PEOPLE = "They say nothing about whether the policies play like people."
HONESTY = f"{NOISE}, at 95 % each. {PEOPLE}"

Rate = tuple[float, float, float]  # rate, low, high; probabilities


class Finding(Enum):
    SAME = "no difference"
    LARGER = "larger than the limit"
    WITHIN = "real, within the limit"
    SMALL = "within the limit, if there is one at all"
    OPEN = "not settled"


@dataclass(frozen=True)
class Difference:
    """Two cells compared: the headline rate of B minus that of A. Rates, differences and the margin are probabilities."""

    who: str  # the line-up, or the cell's label
    change: str  # what B has that A has not
    on: str  # which deals: "the same 200,000 deals"
    before: Rate
    after: Rate
    difference: float
    low: float
    high: float
    spread: float  # variance of the difference, times the playouts of each cell
    playouts: int  # of each cell; the smaller number where they differ
    margin: float
    never_differed: bool = False  # no deal had another outcome in one than in the other
    same_counts: bool = False  # nor does any recorded column count differently
    level: float = 0.95  # of the range

    @property
    def finding(self) -> Finding:
        """What the interval says about the margin: inside, outside, or across an edge."""
        if self.low > self.margin or self.high < -self.margin:
            return Finding.LARGER
        if -self.margin < self.low and self.high < self.margin:
            if self.never_differed:
                return Finding.SAME
            return Finding.WITHIN if self.low > 0 or self.high < 0 else Finding.SMALL
        return Finding.OPEN

    @property
    def playouts_needed(self) -> int:
        """Playouts of each cell that settle it four times in five, if the difference is what it seems: two digits, rounded
        up, and never fewer than twice those that did not.
        """
        if self.spread == 0:  # nothing differed: until the exact interval is as narrow as the margin
            needed = -log((1 - self.level) / 2) / self.margin
        else:
            planned = to_settle(self.difference, self.margin, level=self.level)  # for a variance of 1/4
            needed = planned * self.spread / 0.25
        return two_digits(max(needed, 2 * self.playouts))


@dataclass(frozen=True)
class Comparison:
    """Everything that was compared, and what could not be."""

    spec: GameSpec
    title: str
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        return words.headline(self.spec)


def probability(flag: str, points: float) -> float:
    """Points on the command line as a probability. Raises OptionError outside 0.001 to 50."""
    if not 0.001 <= points < 50:
        raise OptionError(f"{flag} cannot be {points:g}; expected 0.001 to 49.999 points")
    return points / 100


def two_digits(number: float) -> int:
    """Rounded up to two significant digits: a plan deserves no more."""
    step = 10 ** max(floor(log10(number)) - 1, 0)
    return ceil(number / step) * step


def verdict(found: Difference) -> str:
    """What the range says about the limit, in words."""
    limit = f"your {100 * found.margin:g}-point limit"
    match found.finding:
        case Finding.SAME:
            return "no difference on any deal" + (", nor in any recorded column" if found.same_counts else "")
        case Finding.LARGER:
            return f"a real change, larger than {limit}"
        case Finding.WITHIN:
            return f"a real change, but within {limit}"
        case Finding.SMALL:
            return f"within {limit}, and perhaps no change at all"
        case Finding.OPEN:
            open_ = "cannot tell yet"
            if found.low > 0 or found.high < 0:
                open_ = f"a real change, but {open_} whether it is larger than {limit}"
            return f"{open_}: about {found.playouts_needed:,} playouts would settle it"


def sentence(found: Difference, headline: str) -> str:
    """One line for a person: the deals, the change, the difference with its range, both rates, the verdict, who played."""
    what = found.change or "the second run"
    if found.never_differed:
        told = f"{what} leaves '{headline}' at {words.rate(*found.before)}"
        if found.finding is not Finding.SAME:
            told += f", for no deal differed, which leaves room for {words.points(0, found.low, found.high)}"
    else:
        told = (
            f"{what} changes '{headline}' by {words.points(found.difference, found.low, found.high)}, "
            f"from {words.rate(*found.before)} to {words.rate(*found.after)}"
        )
    return f"On {found.on}, {told}: {verdict(found)}. {found.who}."


def disagreement(differences: Sequence[Difference]) -> str:
    """A sentence if the line-ups come to different verdicts about a change, else nothing."""
    sides: dict[str, list[str]] = {}
    for found in differences:
        match found.finding:
            case Finding.LARGER:
                side = f"{'up' if found.difference > 0 else 'down'} by more than the limit"
            case Finding.OPEN:
                side = "not settled"
            case _:
                side = "within the limit"
        sides.setdefault(side, []).append(found.who)
    if len(sides) < 2:
        return ""
    told = "; ".join(f"{side} with {', '.join(who)}" for side, who in sides.items())
    if len(sides) == 2 and "not settled" in sides:
        return f"Not every line-up has settled it: {told}."
    return f"The line-ups disagree, so the answer depends on how the game is played: {told}."
