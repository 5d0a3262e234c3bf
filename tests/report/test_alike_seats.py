"""Reports of games with alike seats: what the cards and sections say is what was planted, in the words of the outcome."""

import dataclasses
import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from simkit import api, games
from simkit.report import build as building
from simkit.report import cards
from simkit.report.metrics import metrics
from simkit.report.model import Card, Report
from simkit.report.page import glyph
from simkit.report.page import html as page_of
from simkit.report.page import markdown as markdown_of
from simkit.report.sections import boxes, changes, fairness, players, policies, rates, tables_of_many
from simkit.spec import GameSpec
from simkit.stats.verdict import Verdict
from tests.summary.made_up import Asked, MadeUp, made, spec

Maker = Callable[..., MadeUp]


@pytest.fixture(params=["won", "lost"])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> GameSpec:
    found = spec(request.param)
    monkeypatch.setattr(games, "get", lambda name: found)
    monkeypatch.setattr(
        GameSpec, "module", lambda self, name: SimpleNamespace(describe=lambda box: [], pack=lambda *settings: None)
    )
    monkeypatch.setattr(building, "load_box", lambda spec, path: {"title": "no box"})
    return found


def first_is(factor: float) -> Callable[[str, int, int], float]:
    return lambda policy, place, players: factor if place == 0 else 1.0


def named(run: MadeUp, name: str) -> Card:
    return next(card for card in cards.cards(run.evidence) if card.name == name)


def report_of(run: MadeUp) -> Report:
    stored: Any = SimpleNamespace(
        recipe=run.recipe,
        playouts=run.playouts,
        playouts_of=[run.playouts] * len(run.recipe.cells),
        until={},
        tallies=lambda: run.tallies,
        first_rows=lambda *place: None,
        observed=lambda: None,
        replayed=lambda: None,
        manifest={"versions": {"simkit": "0"}, "command": "simkit run made-up", "kernel": "none"},
    )
    return building.build(stored)


def told(report: Report) -> Iterator[str]:
    for card in report.cards:
        yield from (card.question, card.word, *card.sentences)
    for section in report.sections:
        yield from (section.question, *section.answers, *section.notes)
        for table in section.tables:
            yield from (table.caption, *table.columns)
        for drawn in section.pictures:
            yield from (drawn.title, drawn.alt, drawn.caption)


# --- is it fair? ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "playouts", "state", "word"),
    [
        (1.0, 40_000, "good", "balanced"),
        (1.05, 400_000, "good", "balanced, with a small lean"),
        (1.6, 40_000, "bad", "unbalanced"),
        (1.1, 2_000, "unknown", "not enough data"),
    ],
)
def test_the_fairness_card_follows_the_shares(
    game: GameSpec, factor: float, playouts: int, state: str, word: str
) -> None:
    card = named(made(game, [Asked(["random"] * 4, strength=first_is(factor))], playouts), "fair")
    assert (card.state, card.word, card.section) == (state, word, "fairness")
    does = {"won": "wins", "lost": "loses"}[game.outcome]
    assert re.search(
        rf"With 4 players, all random: going first {does} [\d.]+ % \(.*?\), .* points .* from a fair 1 in 4",
        card.sentences[1],
    )
    assert any("playouts of each would settle it" in sentence for sentence in card.sentences) is (state == "unknown")


def test_an_advantage_of_one_policy_or_of_one_player_count_is_told_as_such(game: GameSpec) -> None:
    by_policy = made(
        game,
        [
            Asked(["random"] * 3),
            Asked(["bold"] * 3, strength=first_is(1.6)),
            Asked(["random"] * 4),
            Asked(["bold"] * 4, strength=first_is(1.6)),
        ],
        40_000,
    )
    card = named(by_policy, "fair")
    assert (card.state, card.word) == ("depends", "depends on who plays")
    assert "Whether the order of play is fair depends on how people play." in card.sentences
    assert card.sentences[0].startswith("With 2 of 4 line-ups")
    by_count = made(game, [Asked(["random"] * 3), Asked(["random"] * 5, strength=first_is(1.6))], 40_000)
    card = named(by_count, "fair")
    assert (card.state, card.word) == ("depends", "depends on player count")
    assert "Whether the order of play is fair depends on the number of players." in card.sentences


def test_the_dots_are_both_ends_of_the_turn_order_at_every_player_count(game: GameSpec) -> None:
    run = made(game, [Asked(["random"] * n, strength=first_is(1.4)) for n in (3, 2, 5)], 20_000)
    card = named(run, "fair")
    assert [dot.label for dot in card.dots] == [f"{n} players, {end}" for n in (2, 3, 5) for end in ("first", "last")]
    assert card.unit == "points"
    assert card.band == (-2, 2)
    assert card.axis[0] < min(dot.low for dot in card.dots)
    assert card.dots[0].value == pytest.approx(-card.dots[1].value)
    drawn = glyph(card)
    assert "3 players, last" in drawn
    assert "0 points" in drawn


def test_verdicts_are_by_ranges_that_hold_together(game: GameSpec) -> None:
    run = made(game, [Asked(["random"] * 5, strength=first_is(1.5))], 60_000)
    (table,) = fairness.fairness(run.evidence)
    assert table.verdict is Verdict.UNBALANCED
    assert table.verdicts[0] is Verdict.UNBALANCED
    assert table.furthest["turn_order"] == 0
    assert (table.seats["points_low"] < table.seats["share_low"] - 0.2).all()
    assert table.seats["points"].sum() == pytest.approx(0)


def test_playouts_needed_are_enough(game: GameSpec) -> None:
    """With the playouts that the card asks for, the same table is settled: planned for four times in five, and the seeds are
    fixed.
    """
    asked = [Asked(["random"] * 4, strength=first_is(1.06))]
    (few,) = fairness.fairness(made(game, asked, 3_000).evidence)
    assert few.verdict is Verdict.UNKNOWN
    assert 3_000 < few.playouts_needed < 10**6
    (enough,) = fairness.fairness(made(game, asked, few.playouts_needed).evidence)
    assert enough.verdict is not Verdict.UNKNOWN


def test_other_rules_are_not_mixed_into_the_fairness_of_those_printed(game: GameSpec) -> None:
    run = made(
        game,
        [Asked(["random"] * 4), Asked(["random"] * 4, {"twist": True}, strength=first_is(2.0))],
        20_000,
    )
    (table,) = fairness.fairness(run.evidence)
    assert table.cell == 0
    assert named(run, "fair").word.startswith("balanced")


# --- player counts ----------------------------------------------------------------------------------------------


def test_player_counts_are_compared_within_each_policy_that_all_of_them_play(game: GameSpec) -> None:
    run = made(
        game,
        [
            Asked(["random"] * 3),
            Asked(["random"] * 4),
            Asked(["bold"] * 3, strength=first_is(1.6)),
            Asked(["bold"] * 4),
            Asked(["sly"] * 4),
        ],
        60_000,
    )
    shares = players.shares(run.evidence)
    assert list(dict.fromkeys(shares["policy"])) == ["random", "bold"]  # sly plays at one count only
    assert len(shares) == 14
    one = shares[(shares["policy"] == "bold") & (shares["players"] == 3)]
    assert one["index"].sum() == pytest.approx(3)
    assert (one["low"] == 3 * one["share_low"]).all()
    card = named(run, "players")
    assert (card.state, card.word) == ("depends", "depends on who plays")
    many = {"won": "wins", "lost": "losses"}[game.outcome]
    assert f"of a fair share of the {many} with 3 players" in " ".join(card.sentences)
    section = players.section(run.evidence)
    assert section is not None
    assert len(section.answers) == 2
    assert "a difference too small to matter" in section.answers[0]
    assert "surely a difference that matters" in section.answers[1]


def test_one_player_count_alone_is_not_compared(game: GameSpec) -> None:
    assert players.section(made(game, [Asked(["random"] * 3)], 200).evidence) is None


# --- policies at tables of many ---------------------------------------------------------------------------------

STRONG = {"bold": 2.0, "random": 1.0, "sly": 0.5}


def line_ups(players: int) -> list[Asked]:
    """One seat of each policy among seats that play each other."""
    return [
        Asked([one, *[rest] * (players - 1)], strength=lambda policy, *_: STRONG[policy])
        for one in STRONG
        for rest in STRONG
        if one != rest
    ]


def test_the_best_policy_is_the_one_that_gains_among_all_others(game: GameSpec) -> None:
    run = made(game, [*line_ups(4), *line_ups(2)], 24_000, rotate=True)
    best, worst = ("bold", "sly") if game.outcome == "won" else ("sly", "bold")
    assert tables_of_many.dominant(run.evidence) == {2: best, 4: best}
    card = named(run, "dominant")
    assert (card.state, card.word) == ("bad", f"{best} is best throughout")
    assert card.sentences[0].startswith(f"With 2 or 4 players, {best} does better than its fair share among each other")
    card = named(run, "choices")
    assert (card.state, card.word) == ("good", "they do")
    assert f"playing {best} instead of {worst}" in card.sentences[0]
    assert "not seat-balanced" not in " ".join(card.sentences)
    expected = {"won": "is worth +", "lost": "avoids +"}[game.outcome]
    assert expected in card.sentences[0]


def test_policies_that_beat_each_other_in_a_circle_leave_none_best(game: GameSpec) -> None:
    beats = {"random": "bold", "bold": "sly", "sly": "random"}

    def strength(one: str, rest: str) -> Callable[[str, int, int], float]:
        sign = 1 if game.outcome == "won" else -1
        up = 2.0**sign
        return lambda policy, *_: (up if beats[one] == rest else 1 / up) if policy == one else 1.0

    asked = [Asked([one, rest, rest], strength=strength(one, rest)) for one in STRONG for rest in STRONG if one != rest]
    run = made(game, asked, 12_000, rotate=True)
    assert tables_of_many.dominant(run.evidence) == {3: ""}
    card = named(run, "dominant")
    assert (card.state, card.word) == ("good", "none is best throughout")
    assert "Among 2 who play bold, playing random does better than fair, playing sly does worse than fair." in " ".join(
        tables_of_many.section(run.evidence).answers  # type: ignore[union-attr]
    )


def test_policies_of_equal_strength_hardly_matter(game: GameSpec) -> None:
    run = made(game, [Asked(["bold", "random", "random", "random"]), Asked(["random", "bold", "bold", "bold"])], 40_000)
    assert (named(run, "choices").state, named(run, "choices").word) == ("bad", "hardly")
    assert named(run, "dominant").word == "not settled"
    assert "not seat-balanced" in " ".join(named(run, "choices").sentences)
    section = tables_of_many.section(run.evidence)
    assert section is not None
    assert "(not seat-balanced)" in section.tables[0].caption
    assert "(not seat-balanced)" in section.pictures[0].caption


def test_the_worth_of_a_policy_is_the_difference_of_the_shares(game: GameSpec) -> None:
    run = made(game, line_ups(3), 12_000, rotate=True)
    shares = run.evidence.shares.set_index(["policy", "rest"])["share"]
    sign = 1 if game.outcome == "won" else -1
    for worth in tables_of_many.worths(run.evidence):
        best, worst = (1 / 3 if name == worth.rest else shares[name, worth.rest] for name in (worth.best, worth.worst))
        assert worth.difference == pytest.approx(sign * (best - worst))
        assert worth.low < worth.difference < worth.high


def test_seats_that_change_places_have_no_matrix(game: GameSpec) -> None:
    """Slot 0 does not always go first, so the rate of going first says nothing of its policy."""
    both = [Asked([one, other]) for one in ("random", "bold") for other in ("random", "bold")]
    evidence = made(game, both, 2_000, rotate=True).evidence
    assert policies.section(evidence) is None
    assert rates.section(evidence).pictures == ()


# --- other boxes ------------------------------------------------------------------------------------------------


def test_conclusions_survive_every_box_or_flip(game: GameSpec) -> None:
    run = made(
        game,
        [
            Asked(["random"] * 4, {"deck": "long"}),
            Asked(["random"] * 4, {"deck": "short"}, strength=first_is(1.6)),
            Asked(["bold", "random", "random"], {"deck": "long"}, strength=lambda policy, *_: STRONG[policy]),
            Asked(["bold", "random", "random"], {"deck": "mixed"}, strength=lambda policy, *_: STRONG[policy]),
            Asked(["sly"] * 5, {"deck": "short"}),
        ],
        48_000,
    )
    found = {conclusion.what: conclusion for conclusion in boxes.conclusions(run.evidence)}
    assert set(found) == {
        "4 players, all random: going first",
        "4 players, all random: going last",
        "3 players: bold among 2 x random",
    }
    first = found["4 players, all random: going first"]
    assert first.words == {"deck = long": "about fair", "deck = short": "more than fair"}
    assert first.fate == boxes.FLIPS
    bold = found["3 players: bold among 2 x random"]
    better = {"won": "does better than fair", "lost": "does worse than fair"}[game.outcome]
    assert bold.words == {"deck = long": better, "deck = mixed": better}
    assert bold.fate == boxes.HOLDS
    section = boxes.section(run.evidence)
    assert section is not None
    assert section.answers[0].startswith("1 of 3 conclusions hold in every box tried, 2 flip")
    assert (
        "4 players, all random: going first: about fair with deck = long; more than fair with deck = short."
        in section.answers
    )
    (table,) = section.tables
    assert table.columns[1:] == ("deck = long", "deck = short", "deck = mixed", "verdict")
    assert [row[-1] for row in table.rows] == ["flips", "flips", "holds in every box"]
    assert table.rows[-1][2] == "not played"
    assert section.answers[0] in named(run, "fair").sentences


def test_what_is_not_settled_in_some_box_cannot_be_told(game: GameSpec) -> None:
    run = made(game, [Asked(["random"] * 4, {"deck": deck}) for deck in ("long", "short")], 500)
    assert {conclusion.fate for conclusion in boxes.conclusions(run.evidence)} == {boxes.OPEN}
    assert boxes.section(made(game, [Asked(["random"] * 4)], 500).evidence) is None


def test_the_effect_of_a_rule_is_followed_through_the_boxes(game: GameSpec) -> None:
    plain, changed = first_is(1.0), first_is(1.6)
    run = made(
        game,
        [
            Asked(["random"] * 4, {"deck": "long"}, strength=plain),
            Asked(["random"] * 4, {"deck": "long", "twist": True}, strength=changed),
            Asked(["random"] * 4, {"deck": "short"}, strength=plain),
            Asked(["random"] * 4, {"deck": "short", "twist": True}, strength=changed),
            Asked(["bold"] * 4, {"deck": "short"}, strength=plain),
        ],
        40_000,
        pairs=((0, 1), (2, 3), (0, 2), (2, 4)),
    )
    found = {conclusion.what: conclusion for conclusion in boxes.conclusions(run.evidence)}
    headline = {"won": "First in turn order wins", "lost": "First in turn order loses"}[game.outcome]
    effect = found[f"4 players, all random: twist = true on '{headline}'"]
    assert effect.words == {"deck = long": "raises it", "deck = short": "raises it"}
    assert effect.fate == boxes.HOLDS
    kept = changes.measured(run.evidence)
    assert kept["cell"].tolist() == [1, 3, 2]  # another policy is no change of the rules


def test_a_rule_that_helps_one_policy_is_told_as_such(game: GameSpec) -> None:
    """The same deals, before and after: the odd seat is stronger under the changed rule."""

    def strength(odd: float) -> Callable[[str, int, int], float]:
        return lambda policy, *_: odd if policy == "bold" else 1.0

    run = made(
        game,
        [
            Asked(["bold", "random", "random"], strength=strength(1.0)),
            Asked(["bold", "random", "random"], {"twist": True}, strength=strength(2.0)),
            Asked(["bold", "random", "random"], {"deck": "short"}, strength=strength(1.0)),
            Asked(["sly", "random", "random"]),
        ],
        40_000,
        rotate=True,
        pairs=((0, 1), (0, 2), (0, 3)),
    )
    effects = run.evidence.effects.set_index("cell")
    assert effects.index.tolist() == [1, 2]  # another policy is not another rule
    shares = run.evidence.shares.set_index(["cell", "policy"])["share"]
    assert effects.loc[1, "difference"] == pytest.approx(shares[1, "bold"] - shares[0, "bold"])
    assert effects.loc[1, "family_low"] > 0.1
    assert effects.loc[2, "family_low"] < 0 < effects.loc[2, "family_high"]
    section = changes.section(run.evidence)
    assert section is not None
    many = {"won": "wins", "lost": "losses"}[game.outcome]
    assert section.answers[0].startswith(
        f"What one who plays bold among 2 x random gets of the {many} with 3 players changes most by twist = true: +"
    )


# --- the whole report -------------------------------------------------------------------------------------------


@pytest.fixture
def whole(game: GameSpec) -> Report:
    return report_of(
        made(
            game,
            [
                *(Asked(["random"] * n, ties=0.1, strength=first_is(1.2)) for n in (2, 3, 4)),
                *(Asked(["bold"] * n, ties=0.1) for n in (2, 3, 4)),
                *line_ups(3),
                Asked(["random"] * 4, {"deck": "short"}),
                Asked(["random"] * 4, {"twist": True}),
            ],
            6_000,
            pairs=((2, 12), (2, 13)),
        )
    )


def test_a_game_of_losers_never_speaks_of_winning(game: GameSpec, whole: Report) -> None:
    text = " ".join(told(whole))
    if game.outcome == "lost":
        assert not re.findall(r"\b(?:wins?|won|winners?|winning)\b", text)
    assert len(re.findall({"won": r"\bwins?\b", "lost": r"\b(?:loses?|loss(?:es)?)\b"}[game.outcome], text)) > 20


def test_every_percentage_has_a_range(whole: Report) -> None:
    for text in [s for card in whole.cards for s in card.sentences] + [a for s in whole.sections for a in s.answers]:
        for match in re.finditer(r"[.]\d+(?: %| points)", text):
            assert re.match(r" \([+-]?\d[\d.]* to [+-]?\d[\d.]*\)", text[match.end() :]), text


def test_every_number_of_page_and_markdown_is_in_the_json(whole: Report) -> None:
    number = re.compile(r"[+\-−]?\d[\d,]*(?:\.\d+)?")

    def numbers(text: str) -> set[str]:
        return {found.replace(",", "") for found in number.findall(text)}

    known = numbers(json.dumps(whole.numbers))
    page = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page_of(whole), flags=re.DOTALL)
    assert numbers(html.unescape(page)) <= known
    lines = re.sub(r"\]\([^)]*\)", "]", markdown_of(whole).replace("\\", ""))
    assert numbers(lines) <= known


def test_sections_and_cards_belong_together(whole: Report) -> None:
    names = [section.name for section in whole.sections]
    assert len(names) == len(set(names))
    assert names.index("fairness") < names.index("rates") < names.index("policies") < names.index("boxes")
    assert "scores" in names
    assert {card.section for card in whole.cards} <= set(names)
    assert len(whole.cards) <= 8
    tables = [table.name for section in whole.sections for table in section.tables]
    assert len(tables) == len(set(tables))


def test_a_gate_can_be_set_on_the_furthest_place(game: GameSpec) -> None:
    run = made(game, [Asked(["random"] * 4, strength=first_is(1.6)), Asked(["bold"] * 4)], 20_000)
    found = metrics(run.evidence)
    table = fairness.fairness(run.evidence)[0]
    assert found["seat_off"].value == pytest.approx(100 * table.seats["points"].iloc[0])
    assert found["seat_off"].low < found["seat_off"].value < found["seat_off"].high
    assert found["seat_off"].cell == "4 players, all random"
    assert found["unbalanced"].value == 1


def test_other_games_have_none_of_these_sections() -> None:
    Path("s.toml").write_text('game = "propuh"\nplayouts = 400\n[grid]\nplayers = 2\npolicies = { all = "random" }')
    evidence = building.gathered(api.run(api.question("s.toml"), out=Path("run")))
    for section in (fairness.section, players.section, tables_of_many.section, boxes.section):
        assert section(evidence) is None
    assert evidence.shared.empty
    assert dataclasses.is_dataclass(evidence)


ALIKE = [name for name in games.names() if games.get(name).is_alike]


@pytest.mark.parametrize("name", ALIKE)
def test_real_games_with_alike_seats_have_a_whole_report(name: str, tmp_path: Path) -> None:
    """A small run of two player counts and two policies, each among the other."""
    game = games.get(name)
    counts = sorted(game.players)[:2]
    policy = game.line_ups[counts[0]][-1][0]
    playouts = 4 * counts[0] * counts[1]
    Path("s.toml").write_text(
        f'game = "{name}"\nplayouts = {playouts}\nrotate = true\n[grid]\nplayers = {counts}\n'
        f'policies = [{{ all = "random" }}, {{ all = "{policy}" }}, {{ all = "random", 0 = "{policy}" }}]\n'
    )
    run = api.run(api.question("s.toml"), out=tmp_path / "run", tally_only=True)
    api.report(run.folder)
    numbers = json.loads((run.folder / "report" / "report.json").read_text(encoding="utf-8"))
    assert {"fairness", "players", "policies", "scores"} <= set(numbers["sections"])
    totals: dict[int, float] = {}
    for seat in numbers["seats"]:
        totals[seat["cell"]] = totals.get(seat["cell"], 0) + seat["share"]
    assert all(total == pytest.approx(1) for total in totals.values())
