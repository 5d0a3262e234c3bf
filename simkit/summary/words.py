"""Numbers as people read them: a digit more than the interval's first, ranges beside rates, points for differences.
And what people say of an outcome: some games have winners, others losers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from simkit.spec import GameSpec


@dataclass(frozen=True)
class Outcome:
    """The words for what happens to a seat at the end."""

    do: str  # "win"
    does: str  # "wins"
    did: str  # "won"
    one: str  # "win", as in win rate
    many: str  # "wins"
    holder: str  # "winner"
    is_good: bool  # whether one wants it

    @property
    def rate(self) -> str:
        return f"{self.one} rate"


OUTCOMES = {
    "won": Outcome("win", "wins", "won", "win", "wins", "winner", True),
    "lost": Outcome("lose", "loses", "lost", "loss", "losses", "loser", False),
}


def outcome(spec: GameSpec) -> Outcome:
    """The words for the outcome of a game."""
    return OUTCOMES[spec.outcome]


def headline(spec: GameSpec) -> str:
    """What the headline rate of a game is: 'Granny wins', 'first in turn order loses'."""
    return spec.headline or f"first in turn order {outcome(spec).does}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def listed(numbers: Sequence[int], last: str = "and") -> str:
    """'2, 4 and 8', or '2 to 8' for three and more in a row."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return listed_words([str(number) for number in numbers], last)


def listed_words(names: Sequence[str], last: str = "and") -> str:
    """'a, b and c'."""
    *some, end = names
    return f"{', '.join(some)} {last} {end}" if some else end


def players(number: int) -> str:
    """'1 player', '4 players'."""
    return f"{number} player{'' if number == 1 else 's'}"


def fair_share(players: int) -> str:
    """'1 in 4': what a seat gets where all seats fare alike."""
    return f"1 in {players}"


def index(value: float, low: float, high: float) -> str:
    """'1.04 (1.03 to 1.05)': a share as a multiple of a fair one."""
    digits = decimals((high - low) / 2)
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def mean(value: float, low: float, high: float) -> str:
    """'12.34 (12.30 to 12.38)': a mean of numbers that are no rates. '3 (always)' for one that never varies."""
    if not isfinite(high - low):
        return f"{value:.2f} (range not known)"
    if high - low < 1e-9:
        return f"{value:.4g} (always)"
    digits = decimals((high - low) / 2)
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def decimals(half_width: float) -> int:
    """Digits after the point for a number with this half-width: one more than its first significant digit, at most 4."""
    if not isfinite(half_width) or half_width <= 0:
        return 1
    return min(max(1 - floor(log10(half_width)), 1), 4)


def percent(rate: float, low: float, high: float) -> str:
    """'51.32 %' with as many digits as the interval deserves."""
    return f"{100 * rate:.{decimals(50 * (high - low))}f} %"


def span(low: float, high: float) -> str:
    """'51.22 to 51.42'."""
    digits = decimals(50 * (high - low))
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"


def rate(value: float, low: float, high: float) -> str:
    """'51.32 % (51.22 to 51.42)'."""
    return f"{percent(value, low, high)} ({span(low, high)})"


def points(difference: float, low: float, high: float) -> str:
    """'+1.25 points (+1.13 to +1.37)'."""
    digits = decimals(50 * (high - low))
    return f"{100 * difference:+.{digits}f} points ({100 * low:+.{digits}f} to {100 * high:+.{digits}f})"


def count(number: int) -> str:
    return f"{number:,}"


def from_to(numbers: Iterable[int]) -> str:
    """'400,000', or '4,096 to 65,536' where they differ."""
    every = sorted({int(number) for number in numbers})
    return count(every[0]) if len(every) == 1 else f"{count(every[0])} to {count(every[-1])}"


def storage(size: float) -> str:
    """'900 bytes', '12 kB', '1.4 GB', '92 GB'."""
    if size < 1000:
        return f"{size:.0f} bytes"
    units = ("kB", "MB", "GB", "TB", "PB")
    power = min(int(log10(size) / 3 + 1e-12), len(units))
    scaled = size / 1000**power
    return f"{scaled:.{1 if scaled < 9.95 else 0}f} {units[power - 1]}"


def duration(seconds: float) -> str:
    """'0.4 s', '12 s', '3 min 20 s', '2 h 5 min'."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60) if seconds >= 3600 else int(seconds // 60)
    if seconds < 3600:
        return f"{minutes} min {int(seconds % 60)} s"
    return f"{minutes // 60} h {minutes % 60} min"
