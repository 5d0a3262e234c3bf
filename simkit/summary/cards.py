"""Which cards matter: for every card, how those fared who had it, against those in the same seats who had it not."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from simkit.scenario.grid import Cell, Recipe
from simkit.spec import BLOCKS, CARD_COMBINATIONS, CARD_KINDS, WHOLE
from simkit.stats.cards import Contrast, adjusted, contrast, divided, shrunk
from simkit.stats.jackknife import jackknife
from simkit.stats.multiplicity import family_wise_level
from simkit.stats.paired import rare_difference
from simkit.summary.counts import LEVEL, wide

SENSES = ("opening", "in_hand", "drawn", "played")
FIGURES = ("players", "rate", "rate_low", "rate_high", "difference", "low", "high")
COLUMNS = [
    "cell", "players", "who", "card", "number", "counted", "rate",
    *(f"{sense}_{figure}" for sense in SENSES for figure in FIGURES),
    "never_players", "never_rate", "standard_error", "p_value", "adjusted_p", "family", "shrunk", "is_thin",
]  # fmt: skip


def cards(recipe: Recipe, tallies: pl.DataFrame, looked: bool = False) -> pd.DataFrame:
    """One row per cell, policy in it, and card that one of its players ever had.

    who        : the policy, for games with roles after its role
    counted    : players with that policy; `rate` is their share of the outcome (1/W where W have it; in a
                 co-operative game all of it)
    opening_.. : of those dealt the card: how many, their share with its range, and the difference to all others in the
                 same seats, with its range (block jackknife). The same for `in_hand_..` (dealt it or got it later) and
                 `drawn_..` (got it later), against those who never saw it, and for `played_..`, against all others.
    never_..   : those who never saw the card
    p_value, adjusted_p, shrunk : of the opening-hand difference; adjusted over the `family` of cards that enough players
                 had (Benjamini and Hochberg); drawn towards the mean, for a ranking. `is_thin` if too few had the card.
    Empty for games that count no cards. Cells that were partly played before cards were counted are left out.
    """
    mine = tallies.filter(pl.col("kind") == "card")
    if mine.is_empty():
        return pd.DataFrame(columns=COLUMNS)
    names = recipe.spec.module("box").card_names(recipe.box)
    playouts = dict(
        tallies.filter(pl.col("kind") == "playout", pl.col("column") == "end_reason")
        .group_by("cell")
        .agg(pl.col("count").sum())
        .iter_rows()
    )
    rows: list[dict[str, Any]] = []
    for cell in recipe.cells:
        counts, everybody = arrays(mine.filter(pl.col("cell") == cell.id), cell.players)
        if everybody[:, :, 0].sum() == playouts[cell.id] * cell.players:
            if recipe.spec.cooperative:  # a team's win is no less for being shared
                counts[..., 1] *= cell.players
                everybody[..., 1] *= cell.players
            level = wide(LEVEL, playouts[cell.id] // recipe.per_deal(cell.id), looked)
            for who, slots in seats_by_policy(recipe, cell):
                rows += [{"cell": cell.id, "players": cell.players, "who": who, **row}
                         for row in rows_of(counts[:, slots], everybody[:, slots], names, level)]  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def arrays(mine: pl.DataFrame, seats: int) -> tuple[Any, Any]:
    """The card tallies of a cell as arrays: (64, seats, kinds, combinations, 2) and (64, seats, 2)."""
    counts = np.zeros((BLOCKS, seats, CARD_KINDS * CARD_COMBINATIONS * 2), np.int64)
    everybody = np.zeros((BLOCKS, seats, 2), np.int64)
    for column, into in (("card", counts), ("all", everybody)):
        part = mine.filter(pl.col("column") == column)
        into[part["block"].to_numpy(), part["slot"].to_numpy(), part["value"].to_numpy()] = part["count"].to_numpy()
    return counts.reshape(BLOCKS, seats, CARD_KINDS, CARD_COMBINATIONS, 2), everybody


def seats_by_policy(recipe: Recipe, cell: Cell) -> Iterator[tuple[str, list[int]]]:
    """The slots of a line-up that play alike, and what to call them."""
    roles = recipe.spec.roles
    names = [f"{roles[slot]}: {name}" if roles else name for slot, name in enumerate(cell.policies)]
    for who in dict.fromkeys(names):
        yield who, [slot for slot, name in enumerate(names) if name == who]


def rows_of(counts: Any, everybody: Any, names: list[str], level: float) -> Iterator[dict[str, Any]]:
    """The row of every card that was seen. counts: (64, slots, kinds, combinations, 2); everybody: (64, slots, 2)."""
    seen = np.flatnonzero(counts[..., 0].sum(axis=(0, 1, 3)))
    counts = counts[:, :, seen]
    found = {sense: contrast(counts, everybody, WHOLE, sense, level) for sense in SENSES}
    opening = found["opening"]
    p_values, ranks = adjusted(opening), shrunk(opening.difference, opening.standard_error)
    players, credit = everybody.sum(axis=(0, 1)).tolist()
    never = everybody.sum(axis=(0, 1)) - counts.sum(axis=(0, 1, 3))
    for i, number in enumerate(seen.tolist()):
        row: dict[str, Any] = {
            "card": names[number],
            "number": number,
            "counted": players,
            "rate": credit / WHOLE / players,
        }
        for sense, each in found.items():
            row |= {f"{sense}_{figure}": value for figure, value in zip(FIGURES, values_of(each, i), strict=True)}
        yield row | {
            "never_players": int(never[i, 0]),
            "never_rate": float(divided(never[i, 1], WHOLE * never[i, 0])),
            "standard_error": opening.standard_error[i],
            "p_value": opening.p_value[i],
            "adjusted_p": p_values[i],
            "family": int((~np.isnan(p_values)).sum()),
            "shrunk": ranks[i],
            "is_thin": bool(opening.is_thin[i]),
        }


def values_of(found: Contrast, i: int) -> list[float]:
    return [getattr(found, figure)[i] for figure in FIGURES]


HOLDERS = [
    "group", "cell", "against", "card", "dealt", "with_card", "without_card", "worth", "low", "high", "family_low",
    "family_high", "family", "standard_error", "never_differed",
]  # fmt: skip


def holders(recipe: Recipe, tallies: pl.DataFrame) -> pd.DataFrame:
    """One row per cell with exchanged cards and each of them: what the card is worth to whoever is dealt it at the start.

    `dealt` counts players; `with_card` is how often they had the outcome, `without_card` how often they had it on the same
    deals with the stand-in, `worth` the difference. `low`, `high` hold for the row alone, `family_low`, `family_high` for all
    rows of the group together; errors are those of blocks of deals (nan where a single block holds them).
    """
    mine = tallies.filter(pl.col("kind") == "holder")
    parts = mine.partition_by("cell", "other", "column", as_dict=True)
    rows = []
    for number, group in enumerate(recipe.groups):
        found = [(a, b, card) for a, b in group.pairs for card, _ in recipe.cells[b].swap if (b, a, card) in parts]
        for against, cell, card in found:
            part = parts[cell, against, card]
            four = np.zeros((BLOCKS, 4), np.int64)
            four[part["block"].to_numpy(), part["value"].to_numpy()] = part["count"].to_numpy()
            dealt = int(four.sum())
            lost, gained = int(four[:, 1].sum()), int(four[:, 2].sum())
            both = int(four[:, 3].sum())
            rows.append([number, cell, against, card, dealt, (both + lost) / dealt, (both + gained) / dealt,
                         *worth(four, len(found))])  # fmt: skip
    return pd.DataFrame(rows, columns=HOLDERS)


def worth(four: Any, family: int) -> tuple[Any, ...]:
    """From `worth` on. four : (64, 4), players with the outcome in neither, with the card only, without it only, in both."""
    level = family_wise_level(LEVEL, family)
    neither, only_with, only_without, both = (int(count) for count in four.sum(axis=0))
    if only_with + only_without == 0:
        alone, together = (rare_difference(0, 0, neither + both, each) for each in (LEVEL, level))
        return (0.0, *alone, *together, family, 0.0, True)
    played = four[four.sum(axis=1) > 0]
    value = (only_with - only_without) / int(four.sum())
    if len(played) < 2:
        return (value, *[np.nan] * 4, family, np.nan, False)

    def gap(sums: Any) -> float:
        return float((sums[1] - sums[2]) / sums.sum())

    found, wide = (jackknife(gap, played, level=each) for each in (LEVEL, level))
    ends = [float(end) for end in (found.low, found.high, wide.low, wide.high)]
    return (value, *ends, family, float(found.standard_error), False)
