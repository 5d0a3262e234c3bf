"""Card lists of a box as CSV: what spreadsheets write is read, mistakes name file, row and column, nothing is lost."""

import json
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from simkit import api, games
from simkit.errors import BoxError, hidden
from simkit.scenario.grid import sha256
from simkit.scenario.load import load_box
from simkit.scenario.sheets import at, in_files, lists_in, read_sheet, replaced, sheet_of, with_sheets
from simkit.spec import GameSpec

PROPUH = games.get("propuh")
CARDS = "stove,table,bed\n0,1,0\n0,2,0\n1,0,0\n0,0,1\n0,0,2\n"  # as in the box that Propuh comes with


def with_csv(content: str | bytes, name: str = "mine.csv") -> dict[str, Any]:
    """Propuh's box with its difficulty cards from a CSV file, read by the front door."""
    text = PROPUH.text("box.toml")
    start = text.index("cards = [")
    Path("mine.toml").write_text(f'{text[:start]}cards = "{name}"\n', encoding="utf-8")
    Path("mine.csv").write_bytes(content.encode() if isinstance(content, str) else content)
    return load_box(PROPUH, Path("mine.toml"))


def fault(content: str | bytes, name: str = "mine.csv") -> str:
    with pytest.raises(BoxError) as caught:
        with_csv(content, name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- reading


@pytest.mark.parametrize(
    "content",
    [
        CARDS,
        CARDS.replace("\n", "\r\n"),
        CARDS.replace("\n", "\r"),
        CARDS.replace(",", ";"),
        CARDS.replace(",", "\t"),
        CARDS.encode("utf-8-sig"),
        CARDS.replace(",", " , "),
        CARDS.replace(",", ", ").replace("0", '"0"'),
        CARDS.replace("\n", ",,\n"),
        f"\n{CARDS}\n,,\n",
        CARDS.replace("0,1,0", "\n+0,1,-0"),
        "bed,table,stove\n0,1,0\n0,2,0\n0,0,1\n1,0,0\n2,0,0",
    ],
    ids=["plain", "windows", "old mac", "semicolons", "tabs", "mark", "spaces", "quotes", "empty columns", "empty rows",
         "signs and a gap", "another order"],
)  # fmt: skip
def test_what_spreadsheets_write_is_the_same_box(content: str | bytes) -> None:
    assert with_csv(content) == load_box(PROPUH, None)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (CARDS.replace("0,2,0", "0,22,0"), "mine.csv row 3, table cannot be 22: input should be less than or equal to 9"),
        (CARDS.replace("0,2,0", "0,two,0"), "mine.csv row 3, table cannot be 'two'; expected a valid integer"),
        (CARDS.replace("0,2,0", "\n0,2.5,0"), "mine.csv row 4, table cannot be '2.5'; expected a valid integer"),
        (CARDS.replace("0,2,0", "0,,0"), "mine.csv row 3, table is missing"),
        (CARDS.replace("0,2,0", "0,2"), "mine.csv row 3: 2 cells, expected 3: stove, table, bed"),
        (CARDS.replace("0,2,0", "0,2,0,7"), "mine.csv row 3: 4 cells, expected 3: stove, table, bed"),
        (CARDS.replace("table", "tabel"), "mine.csv row 1: 'tabel' is not a known column (did you mean table?); expected stove, table or bed"),
        (CARDS.replace("table", ""), "mine.csv row 1: a column has no name; expected stove, table or bed"),
        (CARDS.replace("table", "stove"), "mine.csv row 1: stove is there twice"),
        (CARDS.replace("0,2,0", '0,"2"x,0'), "mine.csv row 3: not valid CSV: "),
        (CARDS + '"', "mine.csv row 7: not valid CSV: "),
        (CARDS + "9" * 5000 + ",0,0", "mine.csv row 7, stove cannot be '9"),
        ("stove,table,bed\n", "mine.csv cannot be []: list should have at least 1 item"),
        ("stove,table,bed" + 13 * "\n0,1,0", "mine.csv cannot be [{"),
        ("", "mine.csv: is empty, expected a header row with stove, table, bed"),
        ("\n,,\n", "mine.csv: is empty, expected a header row with stove, table, bed"),
        (CARDS.encode("utf-16"), "mine.csv: byte 0 is not UTF-8; save the file as UTF-8"),
        (b"a" * 1_000_001, "mine.csv: 1,000,001 bytes, expected at most 1,000,000"),
    ],
)  # fmt: skip
def test_a_mistake_names_file_row_and_column(content: str | bytes, expected: str) -> None:
    assert fault(content).startswith(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mein.csv", "mein.csv: no such file (did you mean mine.csv?)"),
        ("mine.ods", "mine.toml: random_difficulty.cards cannot be 'mine.ods'; expected a list of tables, or the name of a .csv file"),
        ("x\\u0000.csv", "mine.toml: random_difficulty.cards holds the character U+0000, which does not print"),
    ],
)  # fmt: skip
def test_a_name_that_is_no_sheet_is_refused(name: str, expected: str) -> None:
    assert fault(CARDS, name).startswith(expected)


def test_a_folder_is_no_sheet() -> None:
    Path("folder.csv").mkdir()
    assert fault(CARDS, "folder.csv") == "folder.csv: is a folder, expected a CSV file"


def test_a_sheet_lies_beside_its_box() -> None:
    with_csv(CARDS)
    Path("there").mkdir()
    for name in ("mine.toml", "mine.csv"):
        Path(name).rename(Path("there") / name)
    assert load_box(PROPUH, Path("there/mine.toml")) == load_box(PROPUH, None)
    Path("there/mine.csv").unlink()
    with pytest.raises(BoxError, match=r"^there/mine.csv: no such file$"):
        load_box(PROPUH, Path("there/mine.toml"))


def test_a_recipe_holds_the_cards_not_the_names_of_files() -> None:
    with_csv(CARDS)
    own, mine = api.question("propuh").recipe, api.question("propuh", box=Path("mine.toml")).recipe
    assert mine.to_json() == own.to_json()
    with_csv(CARDS.replace("0,2,0", "0,3,0"))
    other = api.question("propuh", box=Path("mine.toml")).recipe
    assert other.hash != own.hash
    assert other.box["random_difficulty"]["cards"][1] == {"stove": 0, "table": 3, "bed": 0}


# --- writing


def test_a_box_in_files_is_exactly_the_box(spec: GameSpec) -> None:
    """Through files and back every game's box has the same content and hash, and its comments are kept."""
    text, model = spec.text("box.toml"), spec.module("box").Box
    files = in_files(text, model)
    for name, content in files.items():
        Path(name).write_text(content, encoding="utf-8")
    own, again = load_box(spec, None), load_box(spec, Path("box.toml"))
    assert again == own
    assert sha256(again) == sha256(own)
    lists = list(lists_in(own, model))
    assert len(files) == 1 + len(lists)
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in files["box.toml"].splitlines() if line.startswith("#")
    ]


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str
    value: int = 0
    share: float = 0.0
    gold: bool = False
    power: Literal["none", "steal"] = "none"
    note: str | int = ""


class Inner(BaseModel):
    cards: Annotated[list[Row], Field(max_length=99)] | None = None


class Made(BaseModel):
    title: str
    deck: Inner
    extra: Annotated[list[Row], Field()]


NAMES = st.text(st.characters(codec="utf-8"), max_size=8).filter(lambda text: not hidden(text, "\t\r\n"))
ROWS = st.lists(
    st.fixed_dictionaries(
        {"name": NAMES},
        optional={
            "value": st.integers(),
            "share": st.floats(allow_nan=False),
            "gold": st.booleans(),
            "power": st.sampled_from(["none", "steal"]),
            "note": NAMES | st.integers(-9, 9),
        },
    ),
    max_size=5,
)


@given(ROWS, ROWS)
def test_no_list_is_changed_by_a_trip_through_csv(
    tmp_path_factory: pytest.TempPathFactory, cards: list[dict[str, Any]], extra: list[dict[str, Any]]
) -> None:
    """What CSV can hold comes back with the same types; what it cannot hold stays in the box file."""
    folder = tmp_path_factory.mktemp("box")
    content = {"title": "made", "deck": {"cards": cards}, "extra": extra}
    files = in_files(tomlkit.dumps(content), Made)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    box = folder / "box.toml"
    again, sheets = with_sheets(tomllib.loads(box.read_text(encoding="utf-8")), Made, box)
    assert json.dumps(again, sort_keys=True) == json.dumps(content, sort_keys=True)
    assert len(sheets) == len(files) - 1


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "name": st.from_regex(r"[A-Za-z]([A-Za-z0-9 ,;\"'-]{0,8}[a-z])?", fullmatch=True),
                "value": st.integers(-(10**17), 10**17),
                "share": st.decimals(-99, 99, places=3).map(float),
                "gold": st.booleans(),
            }
        ),
        min_size=1,
        max_size=5,
    )
)
def test_ordinary_cards_fit_into_csv(tmp_path_factory: pytest.TempPathFactory, cards: list[dict[str, Any]]) -> None:
    columns = dict(lists_in({"extra": cards}, Made))["extra",]
    text = sheet_of(cards, columns)
    assert text
    path = tmp_path_factory.mktemp("sheet") / "cards.csv"
    path.write_text(text, encoding="utf-8", newline="")
    sheet = read_sheet(path, columns)
    assert sheet.tables == cards
    assert sheet.rows == tuple(range(2, len(cards) + 2))


def test_lists_written_as_tables_become_names_too() -> None:
    text = 'title = "made"\n[deck]\n[[deck.cards]]\nname = "a"\n[[extra]]\nname = "b"\n'
    files = in_files(text, Made)
    assert files["deck-cards.csv"] == "name\na\n"
    assert files["extra.csv"] == "name\nb\n"
    assert tomllib.loads(files["box.toml"]) == {
        "title": "made", "deck": {"cards": "deck-cards.csv"}, "extra": "extra.csv",
    }  # fmt: skip


def test_places_are_replaced_in_a_copy() -> None:
    content = {"a": {"b": [1], "c": 2}, "d": 3}
    assert replaced(content, ("a", "b"), "x") == {"a": {"b": "x", "c": 2}, "d": 3}
    assert at(content, ("a", "b")) == [1]
