"""What one task plays: a range of playouts of one cell. Knows nothing of files, threads or clusters."""

from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from simkit import __version__, games
from simkit.engine.tally import Layout, Tally
from simkit.kernel.drive import new_log, new_table
from simkit.kernel.jit import quiet_wraparound, sources_hash
from simkit.kernel.streams import new_streams
from simkit.scenario.grid import Cell, Recipe
from simkit.spec import row_dtype

CHUNK = 2048  # playouts played and counted at a time: their rows stay in the processor's cache


@dataclass(frozen=True)
class Job:
    """A cell made ready for the kernel. Small and picklable: it travels to other processes."""

    game: str
    rules: Any
    table: Any
    watched: tuple[int, ...] = ()  # kinds of cards whose holders are noted playout by playout

    @classmethod
    def of(cls, recipe: Recipe, cell: Cell) -> "Job":
        spec = recipe.spec
        rules = spec.module("box").pack(cell.options, recipe.box_of(cell), cell.players)
        codes = [spec.policy(name, seat).code for seat, name in enumerate(cell.policies)]
        table = new_table(codes, recipe.root(cell), recipe.replicates, recipe.rotations(cell))
        exchanged = recipe.exchanged_from(cell)
        names = spec.module("box").card_names(recipe.box) if exchanged else []
        return cls(spec.name, rules, table, tuple(names.index(card) for card in exchanged))

    @property
    def seats(self) -> int:
        return int(self.table.seats)

    @property
    def per_deal(self) -> int:
        return int(self.table.replicates * self.table.rotations)


@dataclass
class Piece:
    """Winners of a range of playouts, and narrow columns if rows were wanted."""

    first: int
    playouts: int
    won: Any
    columns: dict[str, Any]  # by name, (playouts,)
    player_columns: dict[str, Any]  # by name, (seats, playouts)
    holders: dict[int, Any] = field(default_factory=dict, kw_only=True)  # by kind of card: uint16 (playouts,)


@dataclass
class Played(Piece):
    """What came of a range of playouts: a piece, and its counts."""

    tally: Tally

    def piece(self) -> Piece:
        """Without the counts, which are large."""
        return Piece(
            self.first, self.playouts, self.won, self.columns, self.player_columns, holders=self.holders
        )  # fmt: skip


@dataclass
class Bench:
    """The work space of one thread for one game and number of seats."""

    state: Any
    streams: Any
    rows: Any
    players: Any

    @classmethod
    def of(cls, game: str, seats: int, playouts: int = CHUNK) -> "Bench":
        spec = games.get(game)
        return cls(
            spec.module("entry").new_state()[0],
            new_streams()[0],
            np.zeros(playouts, row_dtype(spec.columns)).view(np.recarray),
            np.zeros((playouts, seats), spec.player_dtype).view(np.recarray),
        )


def kernel_version(game: str) -> str:
    """A hash of the sources that decide the results of a game."""
    return sources_hash(Path(str(games.get(game).module("entry").__file__)))


def sources(game: str) -> dict[str, str]:
    """What must be the same wherever a run is played: who plays, who counts, and who writes files."""
    return {
        "the version of simkit is": __version__,
        f"the sources of {game} are": kernel_version(game),
        "the sources of the engine are": sources_hash(Path(__file__)),
        "the version of polars is": version("polars"),
    }


@lru_cache(maxsize=64)
def layout_of(game: str, seats: int) -> Layout:
    return Layout.of(games.get(game), seats)


NEVER = np.zeros(1, np.uint8)


@quiet_wraparound
def play(job: Job, first: int, playouts: int, rows_until: int = 0, stop: Any = NEVER) -> Played:
    """Play playouts `first` to `first + playouts - 1` of a cell.

    rows_until : playouts numbered below it also leave rows     stop : uint8 (1,), ends the work early when set
    """
    spec = games.get(job.game)
    kernel = spec.module("entry").play
    bench = Bench.of(job.game, job.seats)
    tally = Tally(layout_of(job.game, job.seats))
    keep = min(max(rows_until - first, 0), playouts)
    columns = {c.name: np.empty(keep, c.dtype) for c in spec.columns}
    player_columns = {c.name: np.empty((job.seats, keep), c.dtype) for c in spec.player_columns}
    won = np.empty(playouts, np.uint16)
    holders = {kind: np.empty(playouts, np.uint16) for kind in job.watched}
    replicates, rotations = int(job.table.replicates), int(job.table.rotations)
    rows, players = bench.rows, bench.players
    done = 0
    while done < playouts and not stop[0]:
        count = min(CHUNK, playouts - done)
        if count < rows.size:
            rows, players = bench.rows[:count], bench.players[:count]
        if kernel(job.rules, job.table, first + done, bench.state, bench.streams, rows, players, stop) < count:
            break
        won[done : done + count] = tally.add_rows(rows, players, first + done, replicates, rotations)
        for kind, mask in holders.items():
            mask[done : done + count] = holders_of(kind, players)
        narrow(columns, rows, done, min(count, keep - done))
        narrow(player_columns, players.T, done, min(count, keep - done))
        done += count
    return Played(first, done, won, columns, player_columns, tally, holders=holders)


def holders_of(kind: int, players: Any) -> Any:
    """Who was dealt a kind of card: bit t is set if the seat at turn order t was. players : (playouts, seats)"""
    fields = players.view(np.ndarray)
    return ((fields["opening_cards"] >> kind & 1) << fields["turn_order"]).sum(axis=1)


def narrow(columns: dict[str, Any], rows: Any, start: int, count: int) -> None:
    """Copy rows of int32 records into columns of their narrowest types; the last axis is the playouts."""
    if count > 0:
        fields = rows.view(np.ndarray)  # a plain structured array: much quicker to take apart than records
        for name, column in columns.items():
            column[..., start : start + count] = fields[name][..., :count]


@quiet_wraparound
def trace(job: Job, playout: int) -> tuple[Any, dict[str, int], list[dict[str, int]]]:
    """One playout, event by event: the events, int32 (events, 6), its columns, and its players' columns by seat (and their
    card sets, for a game that counts cards).
    """
    spec = games.get(job.game)
    bench = Bench.of(job.game, job.seats, 1)
    log = new_log()
    kernel = spec.module("entry").trace
    kernel(job.rules, job.table, playout, bench.state, bench.streams, bench.rows, bench.players, log)
    events = log[1 : log[0, 0] + 1]

    def values(row: Any) -> dict[str, int]:
        return {name: int(row[name]) for name in row.dtype.names}

    return events, values(bench.rows[0]), [values(bench.players[0, seat]) for seat in range(job.seats)]
