"""How much of a box is known: every number counts once, under the nearest provenance above it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit import api
from simkit.manifest import recipe_of
from simkit.scenario.load import load_box
from simkit.scenario.provenance import UNSOURCED, origins, share_of, shares
from simkit.spec import PROVENANCES, GameSpec


def test_numbers_are_counted_below_the_nearest_provenance() -> None:
    box = {
        "title": "made",
        "size": 3,
        "deck": {
            "provenance": "public",
            "source": "page 3",
            "cards": [{"value": 1, "copies": 2}, {"value": 3, "copies": 4, "gold": True, "note": "5"}],
            "goal": {"provenance": "placeholder", "first": 1, "deeper": {"second": 2.5}},
        },
        "limits": {"provenance": "rulebook", "values": [[1, 2], [3]]},
    }
    assert origins(box) == {"rulebook": 3, "public": 4, "placeholder": 2, UNSOURCED: 1}
    assert list(origins(box)) == ["rulebook", "public", "placeholder", UNSOURCED]


def test_shares_are_told_in_words() -> None:
    assert share_of({"rulebook": 28, "placeholder": 12}, "placeholder") == "12 of 40 values are placeholders (30 %)"
    assert share_of({"rulebook": 39, "placeholder": 1}, "placeholder") == "1 of 40 values is a placeholder (2 %)"
    assert (
        share_of({"rulebook": 1, "assumed": 999}, "rulebook") == "1 of 1000 values is printed in the rulebook (0.1 %)"
    )
    assert share_of({"rulebook": 1, "assumed": 999}, "assumed") == "999 of 1000 values are assumed (99.9 %)"
    assert share_of({"derived": 2}, "derived") == "2 of 2 values are derived from printed numbers (100 %)"
    assert shares({"public": 1, UNSOURCED: 3}) == (
        "3 of 4 values are without a source (75 %); 1 of 4 values is from public sources (25 %)"
    )
    assert shares({}) == "no values"


@given(st.lists(st.tuples(st.sampled_from(PROVENANCES), st.integers(0, 9)), max_size=6))
def test_no_number_is_lost(tables: list[tuple[str, int]]) -> None:
    box = {f"t{i}": {"provenance": origin, "rows": [{"n": 1}] * count} for i, (origin, count) in enumerate(tables)}
    found = origins(box)
    assert sum(found.values()) == sum(count for _, count in tables)
    for origin in PROVENANCES:
        assert found.get(origin, 0) == sum(count for other, count in tables if other == origin)


def test_every_number_of_a_games_own_box_has_a_source(spec: GameSpec) -> None:
    found = origins(load_box(spec, None))
    assert sum(found.values()) > 10
    assert UNSOURCED not in found


def test_the_manifest_says_how_much_is_known_but_the_hash_does_not_depend_on_it() -> None:
    recipe = api.question("propuh").recipe
    written = recipe.to_json()
    assert written["box_provenance"] == origins(recipe.box)
    del written["box_provenance"]  # as before there was such a thing
    assert recipe_of(json.loads(json.dumps(written))) == recipe


@pytest.mark.parametrize("counts", [{"rulebook": 1}, {"public": 5, "placeholder": 3}])
def test_all_origins_are_told(counts: dict[str, int]) -> None:
    assert shares(counts).count(f"of {sum(counts.values())} values") == len(counts)
