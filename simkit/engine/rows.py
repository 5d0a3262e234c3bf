"""From columns as they are played to the tables of rows that are stored."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from simkit.engine.worker import Piece
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import Column


def frames_of(recipe: Recipe, cell: Cell, first: int, pieces: Sequence[Piece]) -> dict[str, pl.DataFrame]:
    """The rows of a part: one table of playouts, and one of players: all playouts of seat 0, then of seat 1, and so on
    (half as large on disk as seat by seat within a playout). The cell is in the folder's name, `cell=0003`, where every
    reader of such folders finds it.
    """
    spec = recipe.spec
    rotations = recipe.rotations(cell)
    count = sum(len(piece.columns["end_reason"]) for piece in pieces)
    playout = np.arange(first, first + count, dtype=np.int64)
    rotation = (playout % rotations).astype(np.int16)
    keys: dict[str, Any] = {
        "playout": playout,
        "deal": playout // (recipe.replicates * rotations),
        "replicate": (playout // rotations % recipe.replicates).astype(np.int16),
        "rotation": rotation,
    }
    playouts = pl.DataFrame(keys).with_columns(
        series(column, np.concatenate([piece.columns[column.name] for piece in pieces])) for column in spec.columns
    )
    seats = cell.players
    seat = np.repeat(np.arange(seats, dtype=np.int8), count)
    slot = (seat - np.tile(rotation, seats)) % seats
    # words of the whole game, not of the cell: then all cells can be read as one table
    policies = pl.Enum([policy.name for policy in spec.policies])
    roles = pl.Enum([spec.role(s) for s in range(max(spec.players))])
    codes = np.array([spec.policy(name, s).code for s, name in enumerate(cell.policies)], np.uint8)
    players = pl.DataFrame({"playout": np.tile(playout, seats)}).with_columns(
        pl.Series("seat", seat),
        pl.Series("role", seat.astype(np.uint8)).cat.to(roles),
        pl.Series("policy", codes[slot]).cat.to(policies),
        *(
            series(column, np.concatenate([piece.player_columns[column.name] for piece in pieces], axis=1).reshape(-1))
            for column in spec.player_columns
        ),
    )
    return {"playouts": playouts, "players": players}


def series(column: Column, values: Any) -> pl.Series:
    """A recorded column as it is stored: narrow integers, or words."""
    if column.words:
        return pl.Series(column.name, values.astype(np.uint8)).cat.to(pl.Enum(column.words))
    return pl.Series(column.name, values)
