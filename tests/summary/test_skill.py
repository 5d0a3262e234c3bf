"""How far choices carry: made-up policies whose strength is known, so that shares, spans, ratings and ladders are too."""

from math import isnan, log10
from pathlib import Path
from statistics import pstdev
from types import SimpleNamespace

import pytest

from simkit import api, games
from simkit.report.build import gathered
from simkit.report.sections import luck
from simkit.report.sections import skill as section
from simkit.spec import GameSpec
from simkit.summary import skill
from simkit.summary.evidence import Evidence
from simkit.summary.skill import Ground, Way
from tests.summary.made_up import POLICIES, Asked, made, spec

STRENGTH = {"random": 1.0, "bold": 2.0, "sly": 4.0}  # of having the outcome


@pytest.fixture(params=["won", "lost"])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> GameSpec:
    found = spec(request.param)
    monkeypatch.setattr(games, "get", lambda name: found)
    monkeypatch.setattr(GameSpec, "module", lambda self, name: SimpleNamespace(describe=lambda box: []))
    return found


def tournament(game: GameSpec, players: int = 4, playouts: int = 20_000) -> Evidence:
    """Everybody alone among each of the others."""
    asked = [
        Asked((one, *[rest] * (players - 1)), strength=lambda policy, place, count: STRENGTH[policy])
        for rest in POLICIES
        for one in POLICIES
    ]
    return made(game, asked, playouts, rotate=True).evidence


def share(one: str, rest: str, players: int = 4) -> float:
    return STRENGTH[one] / (STRENGTH[one] + (players - 1) * STRENGTH[rest])


def test_shares_ratings_and_spans_are_those_of_the_strengths(game: GameSpec) -> None:
    evidence = tournament(game)
    found = {ground.others: ground for ground in skill.grounds(evidence)}
    assert set(found) == set(POLICIES)
    sign = 1 if game.outcome == "won" else -1
    for rest, ground in found.items():
        assert ground.is_shared
        assert [way.policy for way in ground.ways] == list(POLICIES)[::sign], "the worst first"
        for way in ground.ways:
            true = share(way.policy, rest)
            assert way.low <= true <= way.high
            rating, low, high = ground.rating(way)
            assert low - 1e-9 <= sign * 400 * log10(STRENGTH[way.policy] / STRENGTH[rest]) <= high + 1e-9
            span = ground.span(way)
            assert span[1] - 1e-9 <= ((true - 0.25) / 0.75 if sign > 0 else (0.25 - true) / 0.25) <= span[2] + 1e-9
            assert low <= rating <= high
    best = found["random"].best
    assert best.policy == ("sly" if sign > 0 else "random")


def test_the_ladder_has_a_rung_for_each_policy_that_is_surely_better(game: GameSpec) -> None:
    ladder = skill.ladder(skill.grounds(tournament(game)))
    assert ladder == [(name,) for name in (POLICIES if game.outcome == "won" else POLICIES[::-1])]


def test_the_report_tells_them(game: GameSpec) -> None:
    found = section.section(tournament(game))
    assert found is not None
    chain = " < ".join(POLICIES if game.outcome == "won" else POLICIES[::-1])
    assert f"Ladder of policies with 4 players: {chain}, 2 rungs." in found.answers
    if game.outcome == "won":
        assert any(
            a.startswith("One who plays the best policy tried among players of random has 57") for a in found.answers
        )
        assert any("one who plays random among those has 7.7" in answer for answer in found.answers)
    assert section.CAVEAT in found.notes
    assert {table.name for table in found.tables} == {"ways"}, "there are no replayed deals"


def test_nothing_is_told_where_everybody_plays_alike(game: GameSpec) -> None:
    assert section.section(made(game, [Asked(("bold",) * 3)], 500).evidence) is None


# --- ladders ----------------------------------------------------------------------------------------------------


def ground(others: str, **values: float) -> Ground:
    """One among three others: policies with what they get of what is won, each known to a point either way."""
    ways = [Way(name, value, value - 0.01, value + 0.01) for name, value in values.items()]
    return Ground(4, "", "one seat", others, 0.25, True, tuple(sorted(ways, key=lambda way: way.value)))


def test_a_rung_is_a_tenth_more_than_fair_and_sure() -> None:
    assert skill.ladder([ground("a", a=0.25, b=0.29)]) == [("a",), ("b",)]
    assert skill.ladder([ground("a", a=0.25, b=0.28)]) == [], "not surely 27.5 %"


def test_two_that_fare_alike_among_others_make_one_rung() -> None:
    grounds = [
        ground("a", a=0.25, b=0.4, c=0.4),
        ground("b", b=0.25, a=0.1, c=0.25),
        ground("c", c=0.25, a=0.1, b=0.25),
    ]
    assert skill.ladder(grounds) == [("a",), ("b", "c")], "whichever looks a little better"


def test_a_policy_that_beats_one_below_it_does_not_stand_above_what_beats_it() -> None:
    """Each beats one of the others and is beaten by one: no chain of three."""
    circle = [ground("a", a=0.25, b=0.4, c=0.1), ground("b", b=0.25, c=0.4, a=0.1), ground("c", c=0.25, a=0.4, b=0.1)]
    assert len(skill.ladder(circle)) == 2


def test_without_fair_shares_a_rung_is_five_points() -> None:
    def team(**values: float) -> Ground:
        ways = tuple(Way(name, value, value - 0.005, value + 0.005) for name, value in values.items())
        return Ground(4, "", "the team", "", float("nan"), True, ways)

    assert skill.ladder([team(a=0.1, b=0.17, c=0.22)]) == [("a",), ("b", "c")]
    assert skill.ladder([team(a=0.1, b=0.17, c=0.24)]) == [("a",), ("b",), ("c",)]
    assert skill.ladder([team(a=0.1, b=0.11, c=0.2, d=0.21)]) == [("a", "b"), ("c", "d")]
    assert skill.spread(team(a=0.1, b=0.17, c=0.24)) is None, "nobody plays against it"


def test_a_policy_that_has_everything_has_no_rating_to_spread() -> None:
    found = ground("a", a=0.25, b=0.4, c=0.5)
    ratings = [0, 400 * log10(3 * 0.4 / 0.6), 400 * log10(3)]
    assert [found.rating(way)[0] for way in found.ways] == pytest.approx(ratings)
    assert skill.spread(found) == pytest.approx(pstdev(ratings))
    whole = Ground(4, "", "one seat", "a", 0.25, True, (*found.ways[:2], Way("c", 1.0, 0.99, 1.0)))
    assert skill.spread(whole) is None


def role(*values: float) -> Ground:
    ways = tuple(Way(name, value, value - 0.01, value + 0.01) for name, value in zip("abc", values, strict=False))
    return Ground(2, "", "granny", "x", float("nan"), True, ways)


def test_a_role_is_rated_against_its_worst_policy_and_both_ranges_count() -> None:
    found = role(0.2, 0.5)
    value, low, high = found.rating(found.ways[1])
    assert value == pytest.approx(400 * log10(4))
    assert low == pytest.approx(400 * log10((0.49 / 0.51) / (0.21 / 0.79)))
    assert high == pytest.approx(400 * log10((0.51 / 0.49) / (0.19 / 0.81)))
    assert [found.is_reference(way) for way in found.ways] == [True, False]


def test_against_one_that_never_wins_there_is_no_rating() -> None:
    found = role(0.0, 0.02, 0.9)
    assert all(isnan(found.rating(way)[0]) for way in found.ways)
    assert skill.spread(found) is None


# --- roles and teams --------------------------------------------------------------------------------------------


def test_two_roles_share_one_span() -> None:
    pairs = [(one, other) for one in ("random", "builder") for other in ("random", "rusher")]
    line_ups = ", ".join(f'{{ granny = "{one}", propuh = "{other}" }}' for one, other in pairs)
    grid = f'[[grid]]\nplayers = 2\npolicies = [{line_ups}]\ncompare = "none"\n'
    Path("scenario.toml").write_text(f'game = "propuh"\nplayouts = 2000\n{grid}')
    found = gathered(api.run(api.question("scenario.toml"), out="run"))
    grounds = skill.grounds(found)
    both = skill.both_roles(found, grounds)
    assert both is not None
    mine, span = both
    rates = found.seats.set_index(["cell", "turn_order"])["rate"]
    cells = {cell.policies: cell.id for cell in found.recipe.cells}
    best_granny = max(("random", "builder"), key=lambda policy: rates[cells[policy, "random"], 0])
    best_propuh = max(("random", "rusher"), key=lambda policy: rates[cells["random", policy], 1])
    assert [ground.best.policy for ground in mine] == [best_granny, best_propuh]
    expected = rates[cells[best_granny, "random"], 0] + rates[cells["random", best_propuh], 1] - 1
    assert span[0] == pytest.approx(expected)
    assert span[1] < span[0] < span[2]


def test_other_rules_of_a_difficulty_are_not_its_ground() -> None:
    """A grid that changes options around a preset leaves the preset's name on every cell."""
    grid = '[[grid]]\nvary = "one at a time"\npresets = ["solo-2"]\noptions = { equal_strength = "all" }\n'
    policies = 'policies = [{ granny = "random" }, { granny = "builder" }]\n'
    Path("scenario.toml").write_text(f'game = "propuh"\nplayouts = 1300\n{grid}{policies}')
    run = api.run(api.question("scenario.toml"), out="run")
    found = gathered(run)
    plain = [cell.id for cell in run.recipe.cells if "=" not in cell.label]
    assert len(plain) == 2 < len(run.recipe.cells)
    assert skill.printed_cells(found) == plain
    assert len(skill.grounds(found)) == 1
    told = section.section(found)
    assert told is not None
    assert len(told.pictures) == 1


def test_a_team_is_measured_against_the_game() -> None:
    found = gathered(api.run(api.question("purim", players=2, playouts=1300), out="run"))
    grounds = skill.grounds(found)
    assert [ground.who for ground in grounds] == ["the team"]
    rates = found.cells.set_index("policies")["rate"]
    for way in grounds[0].ways:
        assert way.value == rates[" / ".join([way.policy] * 2)]
    told = section.section(found)
    assert told is not None
    assert any(answer.startswith("Of whether the team wins, the deal settles ") for answer in told.answers)


def test_a_game_that_nobody_wins_says_that_nothing_is_known() -> None:
    """At random a team of Purim never wins: the outcome does not vary, and there is nothing to split."""
    Path("scenario.toml").write_text(
        'game = "purim"\nplayouts = 1300\n[[grid]]\nplayers = 4\n'
        'policies = [{ all = "random" }, { all = "loyal_only" }]\ncompare = "none"\n'
    )
    found = gathered(api.run(api.question("scenario.toml"), out="run"))
    assert found.cells["wins"].sum() == 0, "or this test needs another case"
    told = section.section(found)
    assert told is not None
    assert told.answers[0].startswith("The outcome never varied in the games that were replayed")
    assert not told.pictures
    assert not any("nan" in text for text in (*told.answers, *told.notes))
    assert all(row[1] == "not known" for row in told.tables[0].rows)
    assert luck.brief(found) == []
