"""Box files of users: validated with file and key, refused with the arithmetic."""

from pathlib import Path

import pytest

from simkit import api, games
from simkit.errors import BoxError
from simkit.scenario.load import load_box

OWN = games.get("propuh").text("box.toml")


def edited(before: str, after: str) -> Path:
    assert before in OWN
    path = Path("mine.toml")
    path.write_text(OWN.replace(before, after, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", "stove = { 1 = 1, 12 = 2 }", "deck.public.stove.12 cannot be '12'"),
        ("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", 'stove = { 1 = "one" }', "deck.public.stove.1 cannot be 'one'; expected a valid integer"),
        ("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", "stove = { 1 = -1 }", "deck.public.stove.1 cannot be -1"),
        ("[limits]", "[limit]", "limit is not a known key (did you mean limits?)"),
        ('provenance = "rulebook"', 'provenance = "rulebok"', "limits.provenance cannot be 'rulebok' (did you mean rulebook?)"),
        ("granny = { stove = 3, table = 2, bed = 2 }", "granny = { stove = 3, table = 2 }", "limits.granny.bed is missing"),
        ("granny = { stove = 3, table = 2, bed = 2 }", "granny = { stove = 33, table = 2, bed = 2 }", "limits.granny.stove cannot be 33"),
        ("{ stove = 0, table = 2, bed = 0 }", "{ stove = 0, table = 22, bed = 0 }", "random_difficulty.cards entry 2, table cannot be 22"),
        ("{ stove = 0, table = 2, bed = 0 }", "{ stove = 0, tabel = 2, bed = 0 }", "random_difficulty.cards entry 2, tabel is not a known key (did you mean table?)"),
        ("{ stove = 0, table = 2, bed = 0 }", "{ stove = 0, bed = 0 }", "random_difficulty.cards entry 2, table is missing"),
        ("{ stove = 0, table = 2, bed = 0 }", "7", "random_difficulty.cards entry 2 cannot be 7; expected"),
        ('game = "propuh"', 'game = "purim"', "game cannot be 'purim'"),
    ],
)  # fmt: skip
def test_a_mistake_names_file_and_key(before: str, after: str, expected: str) -> None:
    path = edited(before, after)
    with pytest.raises(BoxError) as caught:
        load_box(games.get("propuh"), path)
    assert str(caught.value).startswith(f"mine.toml: {expected}")
    assert "\n" not in str(caught.value)


def test_a_deck_that_cannot_be_dealt_is_refused_with_the_arithmetic() -> None:
    text = OWN
    for line in OWN.splitlines():
        if line.startswith(("table = { 1", "bed = { 1")):
            text = text.replace(line, line.split("=")[0] + "= {}")
    Path("mine.toml").write_text(text)
    with pytest.raises(
        BoxError, match=r"^mine.toml: deck.public: 6 cards cannot be dealt to 2: 2 x 4 in hand = 8 are needed$"
    ):
        api.question("propuh", box=Path("mine.toml"))
    assert api.question("propuh", players=1, box=Path("mine.toml"))


def test_a_scenario_names_itself_the_box_and_the_arithmetic() -> None:
    edited("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", "stove = { 1 = 60 }")
    Path("s.toml").write_text(
        'game = "propuh"\nbox = "mine.toml"\n[[grid]]\nplayers = 1\noptions = { deck = "even" }\n[[grid]]\nplayers = 2\n'
    )
    with pytest.raises(BoxError, match=r"^s.toml: grid entry 2: /.*/mine.toml: deck.public: 82 cards, at most 60 are"):
        api.question("s.toml")


def test_a_mistake_that_only_the_whole_shows_names_its_table() -> None:
    spec = games.get("granny_wars")
    Path("mine.toml").write_text(spec.text("box.toml").replace("value = -4", "value = -5", 1))
    with pytest.raises(BoxError, match=r"^mine.toml: vp.flat: value -5 is listed twice$"):
        load_box(spec, Path("mine.toml"))


def test_a_deck_that_is_too_large_is_refused() -> None:
    path = edited("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", "stove = { 1 = 60 }")
    with pytest.raises(BoxError, match="82 cards, at most 60 are supported"):
        api.question("propuh", box=path)


def test_another_box_is_another_recipe_and_is_kept_in_it() -> None:
    path = edited("stove = { 1 = 1, 2 = 2, 3 = 2, 4 = 1 }", "stove = { 4 = 6 }")
    mine, own = api.question("propuh", box=path).recipe, api.question("propuh").recipe
    assert mine.hash != own.hash
    assert mine.box["deck"]["public"]["stove"] == {"4": 6}
