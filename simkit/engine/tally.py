"""Mergeable integer counts of playouts, in 64 blocks (block = deal mod 64).

Counts add in any order and to the same sum on any number of workers. They are enough for the whole report, and the blocks
give every figure an error (block jackknife). A tally holds, for each block:

- how often each column of a playout took each value;
- the same for the columns of a player, by turn order; in blocks only the outcome, the score and what is linked, the others
  over all blocks together (else they would be most of a tally);
- how often each set of turn-order positions won together;
- for a cell that is compared with another on the same deals, how often the turn-order position won in neither, in the
  other only, in this one only, in both;
- for a cell in which cards are exchanged for others, and each such kind, how often one who was dealt it in the other cell
  had the outcome in neither, there only, here only, in both;
- for a game with alike seats, how often each slot of the line-up had the outcome together with so many others, and which
  scores those had who had it (where players have a `score`);
- for columns that are `linked`, how often they took each value in playouts in which the first in turn order had the outcome,
  and among players who had it, by turn order;
- for a game that counts cards, by slot of the line-up (in files alike slots together) and for each kind of card: how
  many players had it in their opening hand or not, got it later or not, played it or not, and how much credit they had
  in all. Those who never saw it are what remains of all players of the slot, who are counted too. Credit is the outcome,
  shared by all who have it in a playout; a whole is `WHOLE` (2520, which all numbers from 1 to 10 divide), so that sums of
  shares stay whole numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import polars as pl

from simkit.kernel.jit import entry, step
from simkit.kernel.piles import lowest_bit, without_lowest
from simkit.spec import BLOCKS, CARD_COMBINATIONS, CARD_KINDS, WHOLE, Column, GameSpec

MERGED_AT_ONCE = 8
EVERY_KIND = 2**CARD_KINDS - 1
OPENING, DRAWN, PLAYED = 1, 2, 4  # what a player had of a kind; a combination is their sum, 0 is never seen
PACKED = 2**26  # below it are players, above it their credit: room for 2^31 playouts, and a part has 2^18
CARD, ALL_PLAYERS = "card", "all"  # the columns of rows of kind `card`: a kind of card, or all players of a slot

SCHEMA: dict[str, Any] = {
    "block": pl.Int16,  # empty for the columns of a player that are not kept in blocks
    "kind": pl.Enum(
        ["playout", "player", "winners", "pair", "card", "slot", "had", "playout_had", "player_had", "holder"]
    ),
    "other": pl.Int32,  # pair, holder: the cell compared with
    "turn_order": pl.Int16,  # player, pair, player_had
    "slot": pl.Int16,  # card, slot
    "column": pl.String,
    # winners: bit t is set if turn order t won; pair, and holder for each who was dealt the card: 2 x won here + won there
    # slot: how many had the outcome, the slot among them; had: the score of one who had it
    # card: 0 for players, 1 for their credit; for a kind of card + 2 x combination + 16 x kind
    "value": pl.Int32,
    "count": pl.Int64,
}


@step
def count_values(values, lows, begins, bins, counts):
    """Count one row of values; gives how many lay outside their range (they are put into the nearest bin)."""
    outside = 0
    for c in range(lows.size):
        bin_ = values[c] - lows[c]
        if bin_ < 0 or bin_ >= bins[c]:
            outside += 1
            bin_ = 0 if bin_ < 0 else bins[c] - 1
        counts[begins[c] + bin_] += 1
    return outside


@step
def count_cards(players, masks, rotation, cards, slots):
    """Count the cards of the players of one playout.

    players : int32 (seats, fields): the outcome is field 1, the three card sets begin at field `masks`
    cards   : int64 (seats, CARD_KINDS, CARD_COMBINATIONS)     slots : int64 (seats,)
    Both count players + their credit x `PACKED`, by slot: one number to change instead of two, in half the cache.
    """
    seats = players.shape[0]
    sharing = np.int64(0)
    for seat in range(seats):
        sharing += players[seat, 1]
    share = WHOLE // sharing if sharing > 1 else WHOLE
    for seat in range(seats):
        slot = seat - rotation
        slot = slot if slot >= 0 else slot + seats
        worth = 1 + PACKED * share * np.int64(players[seat, 1])
        slots[slot] += worth
        opening = np.int64(players[seat, masks])
        drawn = np.int64(players[seat, masks + 1])
        played = np.int64(players[seat, masks + 2])
        seen = (opening | drawn | played) & EVERY_KIND
        while seen != 0:
            kind = lowest_bit(seen)
            seen = without_lowest(seen)
            combination = ((opening >> kind) & 1) + 2 * ((drawn >> kind) & 1) + 4 * ((played >> kind) & 1)
            cards[slot, kind, combination] += worth


@step
def count_sharing(players, rotation, score, lows, bins, sharing, had):
    """Count who of the players of one playout had the outcome with how many, and with which scores.

    players : int32 (seats, fields): the outcome is field 1, the score field `score`
    sharing : int64 (seats, seats + 1): by slot and how many had it       had : int64 (score bins,), or None
    """
    seats = players.shape[0]
    many = 0
    for seat in range(seats):
        many += players[seat, 1]
    for seat in range(seats):
        if players[seat, 1] != 0:
            slot = seat - rotation
            sharing[slot if slot >= 0 else slot + seats, many] += 1
            if had is not None:
                bin_ = players[seat, score] - lows[score]
                had[min(max(bin_, 0), bins[score] - 1)] += 1


@step
def count_links(values, columns, lows, begins, bins, counts):
    """Count some columns of one row of values: columns, begins : int32 (links,), which, and where their bins begin."""
    for i in range(columns.size):
        c = columns[i]
        counts[begins[i] + min(max(values[c] - lows[c], 0), bins[c] - 1)] += 1


@entry
def count_rows(
    rows, players, first, replicates, rotations, columns, player_columns,
    by_playout, by_player, winners, score, sharing, had, cards, slots, links, linked, player_links, player_linked, won,
):  # fmt: skip
    """Add playouts to the counts. Gives how many values lay outside the declared range of their column.

    rows       : int32 (playouts, columns)        players   : int32 (playouts, seats, player columns and card sets)
    columns, player_columns : int32 (3, columns): lowest value, first bin and number of bins of each column
    by_playout : int64 (64, bins)                 by_player : int32 (64, seats, player bins): by turn order
    winners    : int64 (64, 2^seats): playouts by who won together
    sharing    : int64 (64, seats, seats + 1) and had : int64 (64, score bins), as in `count_sharing`; or None
    score      : the player column of the score, if any
    cards      : int64 (64, seats, CARD_KINDS, CARD_COMBINATIONS) and slots : int64 (64, seats), as in `count_cards`; or None
    links      : int32 (2, links): the linked columns and their first bins in `linked`, int64 (64, bins); or None. The same
                 for players, in `player_linked`, int64 (64, seats, bins)
    won        : uint16 (playouts,): out, bit t is set if the seat at turn order t won
    Goes through the rows block by block, so that the counts of a block stay in the processor's cache.
    """
    outside = 0
    seats = players.shape[1]
    per_deal = replicates * rotations
    end = first + rows.shape[0]
    for offset in range(BLOCKS):
        deal = first // per_deal + offset
        block = deal % BLOCKS
        while deal * per_deal < end:
            for playout in range(max(deal * per_deal, first), min((deal + 1) * per_deal, end)):
                i = playout - first
                outside += count_values(rows[i], columns[0], columns[1], columns[2], by_playout[block])
                rotation = playout % rotations
                mask = 0
                for seat in range(seats):
                    turn_order = players[i, seat, 0]
                    mask |= players[i, seat, 1] << turn_order
                    outside += count_values(
                        players[i, seat],
                        player_columns[0],
                        player_columns[1],
                        player_columns[2],
                        by_player[block, turn_order],
                    )
                winners[block, mask] += 1
                won[i] = mask
                if linked is not None and mask & 1:
                    count_links(rows[i], links[0], columns[0], links[1], columns[2], linked[block])
                if player_linked is not None:
                    for seat in range(seats):
                        if players[i, seat, 1] != 0:
                            count_links(
                                players[i, seat],
                                player_links[0],
                                player_columns[0],
                                player_links[1],
                                player_columns[2],
                                player_linked[block, players[i, seat, 0]],
                            )
                if sharing is not None:
                    count_sharing(
                        players[i],
                        rotation,
                        score,
                        player_columns[0],
                        player_columns[2],
                        sharing[block],
                        had[block] if had is not None else None,
                    )
                if cards is not None:
                    count_cards(players[i], player_columns.shape[1], rotation, cards[block], slots[block])
            deal += BLOCKS
    return outside


@entry
def count_pairs(here, there, first, per_deal, counts):
    """Add the wins of two cells on the same deals. here, there: uint16 (playouts,); counts: int64 (64, seats, 4)."""
    for i in range(here.size):
        block = (first + i) // per_deal % BLOCKS
        for turn_order in range(counts.shape[1]):
            a = (here[i] >> turn_order) & 1
            b = (there[i] >> turn_order) & 1
            counts[block, turn_order, 2 * a + b] += 1


@dataclass(frozen=True)
class Layout:
    """Where the counts of a game lie in the arrays."""

    columns: tuple[Column, ...]
    player_columns: tuple[Column, ...]
    seats: int
    cards: bool = False
    alike: bool = False  # whether there are several alike seats, so that policies can be compared over slots

    @classmethod
    def of(cls, spec: GameSpec, seats: int) -> "Layout":
        return cls(spec.columns, spec.player_columns, seats, bool(spec.cards), spec.is_alike and seats > 1)

    @property
    def score(self) -> int:
        """The player column of the score; -1 if there is none."""
        return next((i for i, column in enumerate(self.player_columns) if column.name == "score"), -1)

    @cached_property
    def bins(self) -> Any:
        return bins_of(self.columns)

    @cached_property
    def player_bins(self) -> Any:
        return bins_of(self.player_columns)

    @cached_property
    def links(self) -> "Links | None":
        return Links.of(self.columns)

    @cached_property
    def player_links(self) -> "Links | None":
        return Links.of(self.player_columns)

    @cached_property
    def in_blocks(self) -> Any:
        """Which bins of a player are kept in blocks: those of the outcome, the score and what is linked. bool (bins,)"""
        kept = [column.name == "score" or i == 1 or bool(column.linked) for i, column in enumerate(self.player_columns)]
        return np.repeat(kept, self.player_bins[2])


@dataclass(frozen=True)
class Links:
    """The linked ones among some columns, and where their counts lie."""

    columns: tuple[Column, ...]
    places: Any  # int32 (2, links): which columns they are, and their first bins

    @classmethod
    def of(cls, columns: Sequence[Column]) -> "Links | None":
        numbers = [i for i, column in enumerate(columns) if column.linked]
        mine = tuple(columns[i] for i in numbers)
        return cls(mine, np.array([numbers, bins_of(mine)[1]], np.int32)) if mine else None

    @property
    def bins(self) -> Any:
        return bins_of(self.columns)

    def frame(self, kind: str, counts: Any) -> pl.DataFrame:
        return frame_of(kind, counts, self.columns, self.bins)

    def zeros(self, *shape: int) -> Any:
        return np.zeros((*shape, bins_in_all(self.bins)), np.int64)


def bins_of(columns: Sequence[Column]) -> Any:
    """Lowest value, first bin and number of bins of each column: int32 (3, columns)."""
    counts = np.array([column.bins for column in columns])
    return np.array([[column.low for column in columns], np.cumsum(counts) - counts, counts], np.int32)


def bins_in_all(bins: Any) -> int:
    return int(bins[1, -1] + bins[2, -1])


@dataclass(frozen=True)
class Packed:
    """The counts of an array that are not zero."""

    shape: tuple[int, ...]
    dtype: str
    places: Any  # int32, in the flat array
    counts: Any  # as narrow as they may be

    def array(self) -> Any:
        found = np.zeros(self.shape, self.dtype)
        found.reshape(-1)[self.places] = self.counts
        return found


def packed(counts: Any) -> Packed:
    places = np.flatnonzero(counts).astype(np.int32)
    found = counts.reshape(-1)[places]
    return Packed(counts.shape, counts.dtype.str, places, found.astype(np.min_scalar_type(found.max(initial=0))))


class Tally:
    """The counts of one cell over some range of playouts."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.by_playout = np.zeros((BLOCKS, bins_in_all(layout.bins)), np.int64)
        # a tally covers a part at most, so 32 bits hold its counts; this is its largest array
        self.by_player = np.zeros((BLOCKS, layout.seats, bins_in_all(layout.player_bins)), np.int32)
        self.winners = np.zeros((BLOCKS, 2**layout.seats), np.int64)
        self.sharing: Any = np.zeros((BLOCKS, layout.seats, layout.seats + 1), np.int64) if layout.alike else None
        has_score = layout.alike and layout.score >= 0
        self.had: Any = np.zeros((BLOCKS, layout.player_columns[layout.score].bins), np.int64) if has_score else None
        self.cards: Any = (
            np.zeros((BLOCKS, layout.seats, CARD_KINDS, CARD_COMBINATIONS), np.int64) if layout.cards else None
        )
        self.slots: Any = np.zeros((BLOCKS, layout.seats), np.int64) if layout.cards else None
        links, player_links = layout.links, layout.player_links
        self.linked: Any = links.zeros(BLOCKS) if links else None
        self.player_linked: Any = player_links.zeros(BLOCKS, layout.seats) if player_links else None
        self.outside = 0

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: of each array the counts that are not zero and where they are. Most of a tally is
        zero (measured: a sixth to a tenth of the bytes are left).
        """
        return {name: packed(value) if isinstance(value, np.ndarray) else value for name, value in vars(self).items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value.array() if isinstance(value, Packed) else value)

    def add_rows(self, rows: Any, players: Any, first: int, replicates: int, rotations: int) -> Any:
        """Count playouts `first`, first + 1, ...; gives the mask of winners by turn order, uint16 (playouts,)."""
        layout = self.layout
        won = np.empty(rows.size, np.uint16)
        self.outside += count_rows(
            rows.view(np.int32).reshape(rows.size, len(layout.columns)),
            players.view(np.int32).reshape(rows.size, layout.seats, -1),
            first, replicates, rotations, layout.bins, layout.player_bins, self.by_playout, self.by_player,
            self.winners, layout.score, self.sharing, self.had, self.cards, self.slots,
            layout.links and layout.links.places, self.linked,
            layout.player_links and layout.player_links.places, self.player_linked, won,
        )  # fmt: skip
        return won

    def merge(self, more: "Tally") -> None:
        self.by_playout += more.by_playout
        self.by_player += more.by_player
        self.winners += more.winners
        self.outside += more.outside
        for mine, theirs in zip(self.optional, more.optional, strict=True):
            if mine is not None:
                mine += theirs

    @property
    def optional(self) -> tuple[Any, ...]:
        """What only some games count; None where this one does not."""
        return self.sharing, self.had, self.cards, self.slots, self.linked, self.player_linked

    def frame(self) -> pl.DataFrame:
        """The counts that are not zero, as a table with the columns of `SCHEMA`, in a fixed order."""
        parts = [frame_of("playout", self.by_playout, self.layout.columns, self.layout.bins)]
        for turn_order in range(self.layout.seats):
            mine = self.by_player[:, turn_order]
            in_blocks = self.layout.in_blocks
            kept = frame_of("player", mine * in_blocks, self.layout.player_columns, self.layout.player_bins)
            summed = (mine * ~in_blocks).sum(axis=0, keepdims=True)
            rest = frame_of("player", summed, self.layout.player_columns, self.layout.player_bins)
            together = pl.concat([kept, rest.with_columns(block=pl.lit(None, pl.Int16))])
            parts.append(together.with_columns(turn_order=pl.lit(turn_order, pl.Int16)))
        block, value = np.nonzero(self.winners)
        outcome = self.layout.player_columns[1].name
        parts.append(table("winners", block, np.full(block.size, outcome), value, self.winners[block, value]))
        if self.sharing is not None:
            parts.append(frame_of_slots("slot", outcome, self.sharing))
        if self.had is not None:
            score = self.layout.player_columns[self.layout.score]
            block, value = np.nonzero(self.had)
            parts.append(
                table("had", block, np.full(block.size, score.name), value + score.low, self.had[block, value])
            )
        if self.cards is not None:
            parts.append(frame_of_slots("card", ALL_PLAYERS, unpacked(self.slots)))
            parts.append(frame_of_slots("card", CARD, unpacked(self.cards)))
        if self.layout.links is not None:
            parts.append(self.layout.links.frame("playout_had", self.linked))
        if self.layout.player_links is not None:
            for turn_order in range(self.layout.seats):
                linked = self.layout.player_links.frame("player_had", self.player_linked[:, turn_order])
                parts.append(linked.with_columns(turn_order=pl.lit(turn_order, pl.Int16)))
        return pl.concat([part.select(list(SCHEMA)) for part in parts])


def pooled(frame: pl.DataFrame, alike: Sequence[int]) -> pl.DataFrame:
    """A tally whose cards are counted together for slots that cannot be told apart: far fewer rows.

    alike : for each slot the first slot that has the same policy and an alike seat
    """
    slot = pl.col("slot").replace_strict(list(range(len(alike))), list(alike), return_dtype=pl.Int16)
    cards = pl.col("kind") == CARD
    keys = [name for name in SCHEMA if name != "count"]
    counted = frame.filter(cards).with_columns(slot).group_by(keys, maintain_order=True).agg(pl.col("count").sum())
    return pl.concat([frame.filter(~cards), counted.select(list(SCHEMA))])


def frame_of_pair(
    outcome: str, seats: int, other: int, here: Any, there: Any, first: int, per_deal: int
) -> pl.DataFrame:
    """How often each turn order had the outcome here and in cell `other` on the same deals, with the columns of `SCHEMA`.

    here, there : uint16 (playouts,): masks of turn orders, as `Tally.add_rows` gives them, from playout `first` on
    """
    counts = np.zeros((BLOCKS, seats, 4), np.int64)
    count_pairs(here, there, first, per_deal, counts)
    block, position, value = np.nonzero(counts)
    made = table("pair", block, np.full(block.size, outcome), value, counts[block, position, value])
    made = made.with_columns(other=pl.lit(other, pl.Int32), turn_order=pl.Series(position, dtype=pl.Int16))
    return made.select(list(SCHEMA))


def frame_of_holders(
    card: str, seats: int, other: int, holders: Any, here: Any, there: Any, first: int, per_deal: int
) -> pl.DataFrame:
    """How those who were dealt a card in cell `other` fared there and fare here, where another stands in for it.

    holders, here, there : uint16 (playouts,): masks of turn orders, from playout `first` on
    """
    block = (first + np.arange(holders.size)) // per_deal % BLOCKS
    counts = np.zeros((BLOCKS, 4), np.int64)
    for turn_order in range(seats):
        held = (holders >> turn_order & 1).astype(bool)
        value = 2 * (here[held] >> turn_order & 1) + (there[held] >> turn_order & 1)
        counts += np.bincount(4 * block[held] + value, minlength=4 * BLOCKS).reshape(BLOCKS, 4)
    block, value = np.nonzero(counts)
    made = table("holder", block, np.full(block.size, card), value, counts[block, value])
    return made.with_columns(other=pl.lit(other, pl.Int32)).select(list(SCHEMA))


def unpacked(counts: Any) -> Any:
    """Players and their credit, (64, seats, values), from what `count_cards` counts."""
    return np.stack([counts % PACKED, counts // PACKED], axis=-1).reshape(*counts.shape[:2], -1)


def frame_of_slots(kind: str, column: str, counts: Any) -> pl.DataFrame:
    """The nonzero counts (64, seats, values) of slots as a table."""
    block, slot, value = np.nonzero(counts)
    made = table(kind, block, np.full(block.size, column), value, counts[block, slot, value])
    return made.with_columns(slot=pl.Series(slot, dtype=pl.Int16))


def frame_of(kind: str, counts: Any, columns: Sequence[Column], bins: Any) -> pl.DataFrame:
    """The nonzero counts (64, bins) of one set of columns as a table."""
    block, bin_ = np.nonzero(counts)
    column = np.searchsorted(bins[1], bin_, side="right") - 1
    names = np.array([c.name for c in columns])
    return table(kind, block, names[column], bin_ - bins[1][column] + bins[0][column], counts[block, bin_])


def table(kind: str, block: Any, column: Any, value: Any, count: Any) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "block": pl.Series(block, dtype=pl.Int16),
            "column": pl.Series(column.tolist(), dtype=pl.String),
            "value": pl.Series(value, dtype=pl.Int32),
            "count": pl.Series(count, dtype=pl.Int64),
        }
    ).with_columns(
        kind=pl.lit(kind).cast(SCHEMA["kind"]),
        other=pl.lit(None, pl.Int32),
        turn_order=pl.lit(None, pl.Int16),
        slot=pl.lit(None, pl.Int16),
    )


def merge_frames(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The sum of tallies that are tables already, in a fixed order whatever the order of the parts.

    Takes a few at a time, so that the memory does not grow with the number of parts.
    """
    keys = [name for name in SCHEMA if name != "count"]
    total = pl.DataFrame(schema=SCHEMA)
    rest = iter(frames)
    while batch := list(islice(rest, MERGED_AT_ONCE)):
        total = pl.concat([total, *batch]).group_by(keys).agg(pl.col("count").sum())
    return total.sort(keys).select(list(SCHEMA))
