"""What the cards share: their states, and the dots on their axis."""

import pandas as pd

from simkit.report.model import Dot

MAX_DOTS = 9
GOOD, BAD, UNKNOWN, DEPENDS, INFO = "good", "bad", "unknown", "depends", "info"


def dots(cells: pd.DataFrame) -> tuple[Dot, ...]:
    return tuple(
        Dot(row.label, 100 * row.rate, 100 * row.low, 100 * row.high) for row in cells.head(MAX_DOTS).itertuples()
    )
