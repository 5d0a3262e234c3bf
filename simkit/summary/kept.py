"""The rows that a report looks at: those of the first playouts of a cell, which every run keeps."""

from dataclasses import dataclass

import polars as pl

FIRST = 10_000  # playouts of each cell


@dataclass(frozen=True)
class Kept:
    """Rows of playouts, and of their players, as they are in the run folder."""

    playouts: pl.DataFrame
    players: pl.DataFrame
