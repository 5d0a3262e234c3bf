"""Numbers as people read them: a digit more than the interval's first, ranges beside rates, points for differences."""

from math import floor, isfinite, log10


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
