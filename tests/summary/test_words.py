"""Numbers as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.summary import words


@pytest.mark.parametrize(
    ("rate", "half", "expected"),
    [
        (0.513172, 0.0100, "51.3 % (50.3 to 52.3)"),
        (0.513172, 0.0010, "51.32 % (51.22 to 51.42)"),
        (0.513172, 0.00012, "51.317 % (51.305 to 51.329)"),
        (0.513172, 0.0000001, "51.3172 % (51.3172 to 51.3172)"),
        (0.5, 0.25, "50.0 % (25.0 to 75.0)"),
        (1.0, 0.0, "100.0 % (100.0 to 100.0)"),
    ],
)
def test_decimals_follow_the_half_width(rate: float, half: float, expected: str) -> None:
    assert words.rate(rate, rate - half, rate + half) == expected


def test_differences_are_points_with_their_sign() -> None:
    assert words.points(0.0125, 0.0113, 0.0137) == "+1.25 points (+1.13 to +1.37)"
    assert words.points(-0.2, -0.3, -0.1) == "-20.0 points (-30.0 to -10.0)"


@given(st.floats(0, 1), st.floats(0, 0.5))
def test_a_printed_range_holds_its_rate(rate: float, half: float) -> None:
    text = words.rate(rate, max(rate - half, 0), min(rate + half, 1))
    value, low, high = (float(part.strip("()%")) for part in text.replace(" %", "").replace("to ", "").split())
    assert low <= value <= high


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.41, "0.4 s"), (12.2, "12 s"), (200, "3 min 20 s"), (7500, "2 h 5 min"), (3600, "1 h 0 min"), (99.4, "99 s")],
)
def test_durations(seconds: float, expected: str) -> None:
    assert words.duration(seconds) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (12_345, "12 kB"), (10**6, "1.0 MB"), (1.56e12, "1.6 TB")],
)
def test_sizes(size: float, expected: str) -> None:
    assert words.storage(size) == expected


def test_lists_and_means_read_well() -> None:
    assert words.listed([4]) == "4"
    assert words.listed([2, 4, 8], "or") == "2, 4 or 8"
    assert words.listed([2, 3]) == "2 and 3"
    assert words.listed([2, 3, 4, 5]) == "2 to 5"
    assert words.listed_words(["long", "short"]) == "long and short"
    assert words.mean(12.345, 12.3, 12.39) == "12.345 (12.300 to 12.390)"
    assert words.mean(3, 3, 3) == "3 (always)"
    assert words.mean(2.5, float("nan"), float("nan")) == "2.50 (range not known)"
    assert words.index(1.0432, 1.033, 1.053) == "1.043 (1.033 to 1.053)"
    assert words.capital("first in turn order wins") == "First in turn order wins"
    assert words.fair_share(4) == "1 in 4"
