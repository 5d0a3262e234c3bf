"""The data dictionary: every column of every table of a run."""

import csv
from io import StringIO

from simkit.spec import Column, GameSpec

KEYS = (
    ("playouts", "cell", "folder", "", "number of the cell, see cells.csv; in the name of the folder"),
    ("playouts", "playout", "int64", "", "number of the playout within its cell, from 0"),
    ("playouts", "deal", "int64", "", "number of the deal; cells of a comparison group share deals"),
    ("playouts", "replicate", "int16", "", "which replay of the deal, from 0"),
    ("playouts", "rotation", "int16", "", "by how many seats the policies are moved on"),
    ("players", "cell", "folder", "", "number of the cell; in the name of the folder"),
    ("players", "playout", "int64", "", "number of the playout within its cell"),
    ("players", "seat", "int8", "", "physical position at the table, from 0"),
    ("players", "role", "category", "", "what the seat is called"),
    ("players", "policy", "category", "", "what decided for the seat"),
    (
        "tallies",
        "block",
        "int16",
        "",
        "deal modulo 64; empty for columns of a player other than outcome and score, which are counted over all deals",
    ),
    (
        "tallies",
        "kind",
        "category",
        "",
        "playout, player, winners, pair, slot, had, card, playout_had or player_had: what is counted",
    ),
    ("tallies", "other", "int32", "", "pair: the cell compared with; else empty"),
    ("tallies", "turn_order", "int16", "", "player, player_had and pair: position in the order of play"),
    ("tallies", "slot", "int16", "", "slot and card: place in the line-up of policies"),
    ("tallies", "column", "text", "", "the column counted; card: a card, or all players of the slot"),
    (
        "tallies",
        "value",
        "int32",
        "",
        "the value counted; winners: bit t is set if turn order t won (or lost, where that is the outcome); pair: 2 x won "
        "here + won there; slot: how many had the outcome, the slot among them; had: the score of one who had it; card: 0 "
        "for players or 1 for their credit in 2520ths, for a card + 2 x (1 in the opening hand, 2 got later, 4 played: "
        "their sum) + 16 x its number",
    ),
    ("tallies", "count", "int64", "", "how often"),
    ("observed", "cell", "int32", "", "number of the cell"),
    (
        "observed",
        "kind",
        "category",
        "",
        "event, clause, decision, choices, wait, measure, decided, state, hopeless, no_return or extreme: what is counted in "
        "traces of the first playouts of every cell (simkit/engine/observe.py says more)",
    ),
    ("observed", "key", "text", "", "clause, kind of decision, measure; state: the point of time, from 0 to 9"),
    (
        "observed",
        "value",
        "int64",
        "",
        "event: its code; decision: 0 all, 1 forced ones, 2 the sum of log2 of the choices in millionths; choices, wait: how "
        "many; decided: tenth of the game; state: lead in steps; hopeless, no_return: point of time; extreme: playout",
    ),
    ("observed", "block", "int16", "", "measure, hopeless: deal modulo 64; else empty"),
    ("observed", "playouts", "int64", "", "playouts that had it, or for which it is defined; state, hopeless: seats"),
    ("observed", "total", "int64", "", "how often, or the sum; state: credit in 2520ths; extreme: how large"),
    ("replayed", "cell", "int32", "", "number of the cell"),
    ("replayed", "deal", "int32", "", "number of the deal, of which the cell has so many replays with fresh chance"),
    ("replayed", "seat", "int8", "", "physical position at the table, from 0; a team has one"),
    ("replayed", "replay_0 ...", "int16", "2520ths", "what part of the outcome the seat had in that replay"),
)


def of(spec: GameSpec) -> str:
    """The data dictionary of a game's runs, as CSV: table, column, type, unit, description, low, high."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "column", "type", "unit", "description", "low", "high"])
    for row in KEYS:
        writer.writerow([*row, "", ""])
    for name, columns in (("playouts", spec.columns), ("players", spec.player_columns)):
        writer.writerows([name, *described(column)] for column in columns)
    return text.getvalue()


def described(column: Column) -> list[object]:
    kind = "category" if column.words else {"i1": "int8", "i2": "int16", "i4": "int32"}[column.dtype]
    about = f"{column.about}: {', '.join(column.words)}" if column.words else column.about
    return [
        column.name,
        kind,
        column.unit,
        about,
        "" if column.words else column.low,
        "" if column.words else column.high,
    ]
