"""Lists of a box kept as sheets: CSV files beside the box file, one row for each table of the list.

Wherever the shape of a box wants a list of tables, the box file may name a CSV file instead: `cards = "mine.csv"`. The
header row has the keys. What spreadsheets write is read: commas, semicolons or tabs, a byte order mark, any line ends,
empty rows and columns at the end. Rows are counted as a spreadsheet counts them, the header is row 1.
"""

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from simkit.errors import BoxError, listed, nearest, shown
from simkit.scenario.read import read_text

DELIMITERS = ",;\t"
WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
DECIMAL = re.compile(r"[+-]?\d{1,18}[.,]\d{1,18}", re.ASCII)
WORDS = {"true": True, "false": False}

Place = tuple[str, ...]  # the keys that lead to a list
Columns = dict[str, frozenset[type]]  # by name: the types of value that may stand there


@dataclass(frozen=True)
class Sheet:
    """A CSV file that stands for a list: its rows as tables, and where they are in the file."""

    path: Path
    tables: list[dict[str, Any]]
    rows: tuple[int, ...]

    def where(self, place: Sequence[object]) -> str:
        """'mine.csv row 4, value' for a place within the list; the file alone for the list itself."""
        if not place:
            return str(self.path)
        number, *column = place
        row = self.rows[number] if isinstance(number, int) and number < len(self.rows) else "?"
        return f"{self.path} row {row}" + "".join(f", {name}" for name in column)


# --- which lists may be sheets ----------------------------------------------------------------------------------


def lists_in(content: Mapping[str, Any], model: type[BaseModel], place: Place = ()) -> Iterator[tuple[Place, Columns]]:
    """Every place of a box where its shape wants a list of tables, with the columns such a table may have."""
    for name, field in model.model_fields.items():
        key = field.alias or name
        if key not in content:
            continue
        inner = list(alternatives(field.annotation))
        if columns := columns_of(inner):
            yield (*place, key), columns
        elif isinstance(content[key], dict):
            for each in inner:
                if is_model(each):
                    yield from lists_in(content[key], each, (*place, key))


def columns_of(annotations: Sequence[Any]) -> Columns:
    """The columns of a list of tables; nothing if it is not one."""
    columns: Columns = {}
    for annotation in annotations:
        if get_origin(annotation) is list:
            for table in filter(is_model, alternatives(get_args(annotation)[0])):
                for name, field in table.model_fields.items():
                    key = field.alias or name
                    columns[key] = columns.get(key, frozenset()) | scalars(field.annotation)
    return columns


def alternatives(annotation: Any) -> Iterator[Any]:
    """The parts of a union, without what is only annotated."""
    if get_origin(annotation) is Annotated:
        yield from alternatives(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from alternatives(part)
    else:
        yield annotation


def scalars(annotation: Any) -> frozenset[type]:
    """The types of value that a cell of a column may hold."""
    found: set[type] = set()
    for each in alternatives(annotation):
        if get_origin(each) is Literal:
            found |= {type(value) for value in get_args(each)}
        elif each in (int, float, bool, str):
            found.add(each)
    return frozenset(found)


def is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


# --- reading ----------------------------------------------------------------------------------------------------


def with_sheets(
    content: dict[str, Any], model: type[BaseModel], box: Path
) -> tuple[dict[str, Any], dict[Place, Sheet]]:
    """A box with the rows of its sheets in the place of their names, and the sheets by place.

    box    : the box file; sheets are looked for beside it
    raises : BoxError with file, row and column
    """
    sheets: dict[Place, Sheet] = {}
    for place, columns in lists_in(content, model):
        name = at(content, place)
        if isinstance(name, str):
            if not name.lower().endswith(".csv"):
                raise BoxError(
                    f"{box}: {'.'.join(place)} cannot be {shown(name)}; expected a list of tables, or the name of a .csv file"
                )
            sheets[place] = read_sheet(box.parent / name, columns)
    for place, sheet in sheets.items():
        content = replaced(content, place, sheet.tables)
    return content, sheets


def read_sheet(path: Path, columns: Columns) -> Sheet:
    """The tables of a CSV file. An empty cell leaves its key out. Raises BoxError with file, row and column."""
    records = records_of(path, read_text(path, BoxError, "CSV"))
    if not records:
        raise BoxError(f"{path}: is empty, expected a header row with {', '.join(columns)}")
    header = header_of(path, records[0][1], columns)
    tables, rows = [], []
    for row, cells in records[1:]:
        if len(cells) < len(header) or any(cells[len(header) :]):
            raise BoxError(f"{path} row {row}: {len(cells)} cells, expected {len(header)}: {', '.join(header)}")
        given = zip(header, cells[: len(header)], strict=True)
        tables.append({name: value_of(cell, columns[name]) for name, cell in given if cell})
        rows.append(row)
    return Sheet(path, tables, tuple(rows))


def records_of(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, with their numbers; spaces around cells are dropped."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter_of(text), skipinitialspace=True, strict=True)
    records: list[list[str]] = []
    try:
        records.extend([cell.strip() for cell in cells] for cells in reader)
    except csv.Error as problem:
        raise BoxError(f"{path} row {len(records) + 1}: not valid CSV: {problem}") from None
    return [(row, cells) for row, cells in enumerate(records, 1) if any(cells)]


def delimiter_of(text: str) -> str:
    """What separates cells: whichever of comma, semicolon and tab the header has most of."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return max(DELIMITERS, key=header.count)


def header_of(path: Path, cells: Sequence[str], columns: Columns) -> list[str]:
    header = list(cells)
    while header and not header[-1]:
        header.pop()
    for name in header:
        if name not in columns:
            what = f"{shown(name)} is not a known column" if name else "a column has no name"
            raise BoxError(f"{path} row 1: {what}{nearest(name, columns)}; expected {listed(columns)}")
        if header.count(name) > 1:
            raise BoxError(f"{path} row 1: {name} is there twice")
    return header


def value_of(cell: str, types: frozenset[type]) -> Any:
    """What a cell means in a column of these types; as it is written if it means none of them."""
    number = cell.replace("\N{MINUS SIGN}", "-")
    if bool in types and cell.lower() in WORDS:
        return WORDS[cell.lower()]
    if types & {int, float} and WHOLE.fullmatch(number):
        return int(number)
    if float in types and DECIMAL.fullmatch(number):
        return float(number.replace(",", "."))
    return cell


# --- writing ----------------------------------------------------------------------------------------------------


def in_files(text: str, model: type[BaseModel]) -> dict[str, str]:
    """A box file as a box file and a sheet for every list that CSV can hold: contents by file name, `box.toml` first.

    text : the box file; its comments are kept
    """
    import tomlkit

    plain: dict[str, Any] = tomllib.loads(text)
    document: Any = tomlkit.parse(text)
    sheets = {}
    for place, sheet in as_sheets(plain, model).items():
        name = f"{'-'.join(place)}.csv"
        sheets[name] = sheet
        plain = replaced(plain, place, name)
        at(document, place[:-1])[place[-1]] = name
    box = tomlkit.dumps(document)
    if tomllib.loads(box) != plain:  # a list written as [[tables]] cannot become a name where it stands
        box = tomlkit.dumps(plain)
    return {"box.toml": box, **sheets}


def as_sheets(content: Mapping[str, Any], model: type[BaseModel]) -> dict[Place, str]:
    """The lists of a box as CSV, by place: those that come back from CSV exactly as they are."""
    found = {}
    for place, columns in lists_in(content, model):
        tables = at(content, place)
        if isinstance(tables, list) and (text := sheet_of(tables, columns)):
            found[place] = text
    return found


def sheet_of(tables: Sequence[Any], columns: Columns) -> str:
    """A list of tables as CSV; nothing if CSV cannot hold it: nested values, empty words, no tables at all."""
    if not all(isinstance(table, dict) and table.keys() <= columns.keys() for table in tables):
        return ""
    header = [name for name in columns if any(name in table for table in tables)]
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for table in tables:
        cells = [table.get(name, "") for name in header]
        writer.writerow([str(cell).lower() if isinstance(cell, bool) else cell for cell in cells])
    try:
        again = records_of(Path(), text.getvalue())
    except BoxError:
        return ""
    back = [
        {name: value_of(cell, columns[name]) for name, cell in zip(header, cells, strict=False) if cell}
        for _, cells in again[1:]
    ]
    same = len(back) == len(tables) and all(
        a == b and [type(a[name]) for name in a] == [type(b[name]) for name in a]
        for a, b in zip(tables, back, strict=True)
    )
    return text.getvalue() if same and header else ""


# --- places -----------------------------------------------------------------------------------------------------


def at(content: Mapping[str, Any], place: Place) -> Any:
    value: Any = content
    for key in place:
        value = value[key]
    return value


def replaced(content: Mapping[str, Any], place: Place, value: Any) -> dict[str, Any]:
    """The content with another value at a place."""
    key, *rest = place
    return {**content, key: replaced(content[key], tuple(rest), value) if rest else value}
