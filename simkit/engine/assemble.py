"""Putting a part together from what was played of it, and writing its files."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from simkit.engine.plan import Part
from simkit.engine.rows import frames_of
from simkit.engine.tally import Tally, frame_of_holders, frame_of_pair, pooled
from simkit.engine.worker import Piece, Played
from simkit.scenario.grid import Recipe
from simkit.store import Run

Files = dict[int, dict[str, Any]]  # what the manifest says of the files of a part, by cell and table


@dataclass
class Assembly:
    """A part in the making: what has been played of each cell. Tallies are large until they are tables, so they are
    added up as they come, and are tables as soon as their cell is whole.
    """

    run: Run
    recipe: Recipe
    part: Part
    rows_until: int
    pieces: dict[int, list[Piece]] = field(default_factory=lambda: defaultdict(list))
    counting: dict[int, Tally] = field(default_factory=dict)
    won: dict[int, Any] = field(default_factory=dict)
    holders: dict[int, dict[str, Any]] = field(default_factory=dict)  # by cell and kind of card
    tallies: dict[int, list[pl.DataFrame]] = field(default_factory=dict)
    files: Files = field(default_factory=lambda: defaultdict(dict))

    def add(self, cell: int, played: Played) -> bool:
        """Put a work unit in its place. When a cell is whole its rows are written; True when all cells of the part are."""
        pieces = self.pieces[cell]
        if cell in self.counting:
            self.counting[cell].merge(played.tally)
        else:
            self.counting[cell] = played.tally
        pieces.append(played.piece())
        if sum(piece.playouts for piece in pieces) == self.part.playouts:
            self.complete(cell, sorted(pieces, key=lambda piece: piece.first))
            del self.pieces[cell]
        return len(self.tallies) == len(self.recipe.groups[self.part.group].cells)

    def complete(self, cell: int, pieces: Sequence[Piece]) -> None:
        tally = self.counting.pop(cell)
        if tally.outside:
            raise RuntimeError(f"{tally.outside} values of cell {cell} lie outside the declared range of their column")
        self.tallies[cell] = [pooled(tally.frame(), alike_slots(self.recipe, cell))]
        self.won[cell] = np.concatenate([piece.won for piece in pieces])
        exchanged = self.recipe.exchanged_from(self.recipe.cells[cell])
        self.holders[cell] = {
            card: np.concatenate([piece.holders[kind] for piece in pieces])
            for card, kind in zip(exchanged, pieces[0].holders, strict=True)
        }
        if self.part.first < self.rows_until:
            for name, frame in frames_of(self.recipe, self.recipe.cells[cell], self.part.first, pieces).items():
                self.files[cell][name] = self.run.write_part(name, cell, self.part.number, frame)

    def write_tallies(self) -> Files:
        """Compare the cells, and write the counts of all of them: the last files of a part."""
        outcome = self.recipe.spec.outcome
        for other, this in self.recipe.groups[self.part.group].pairs:
            seats = self.recipe.cells[this].players
            per_deal = self.recipe.replicates * self.recipe.rotations(self.recipe.cells[this])
            here, there = self.won[this], self.won[other]
            first = self.part.first
            self.tallies[this].append(frame_of_pair(outcome, seats, other, here, there, first, per_deal))
            for card, _ in self.recipe.cells[this].swap:
                if card in self.holders[other]:
                    holders = self.holders[other][card]
                    found = frame_of_holders(card, seats, other, holders, here, there, first, per_deal)
                    self.tallies[this].append(found)
        for cell, frames in self.tallies.items():
            self.files[cell]["tallies"] = self.run.write_part("tallies", cell, self.part.number, pl.concat(frames))
        return self.files


def compared(recipe: Recipe, group: int) -> set[int]:
    """The cells of a group whose winners are needed playout by playout."""
    return {cell for pair in recipe.groups[group].pairs for cell in pair}


def alike_slots(recipe: Recipe, cell: int) -> list[int]:
    """For each slot of a line-up the first one with the same policy, where seats have no roles."""
    policies = recipe.cells[cell].policies
    return list(range(len(policies))) if recipe.spec.roles else [policies.index(policy) for policy in policies]
