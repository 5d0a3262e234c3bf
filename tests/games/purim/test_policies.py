"""What each policy does on small boards (RULES.md part C), that ties are settled by chance, that seats are alike."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit.engine.worker import Job, play
from simkit.games.purim.box import pack
from simkit.games.purim.moves.value import value
from simkit.kernel.drive import new_table
from tests.games.purim.table import BOX, CODES, COLOURS, SPEC, Played, Table, box_with, cards

THINKING = ("greedy", "cautious", "pooled")
AIMING = (*THINKING, "loyal_only")


def apart(**options: Any) -> Table:
    """Messengers in Thrace, Egypt, Susa, Parthia and Gandhara."""
    return Table(**options).messengers(red="Thrace", blue="Egypt", green="Susa", white="Parthia", purple="Gandhara")


def worth(table: Table, cautious: int = 0) -> int:
    return int(value(table.board, table.rules, cautious))


# --- V


def test_v_by_hand() -> None:
    """Messengers apart, near = 87 (35 of 40 gold, 30 of 30 black at least, 9 of 9 steps)."""
    table = apart().gold(Thrace=1, Egypt=2, Susa=3).supply(gold=35)
    assert worth(table) == 50 + 100 + (100 - 15)
    table.sons(Aspatha="Cush", Adalia="Susa")
    assert worth(table) == 235 - 80 - 60
    near = 87
    w = 700 - 4 * near
    table.black(Cush=1)  # one step from Egypt
    assert worth(table) == 95 - w - 50
    table.black(Cush=2)
    assert worth(table) == 95 - 3 * w - 50 * 2
    table.black(Lydia=1)  # one step from Thrace
    assert worth(table) == 95 - 4 * w - 100 - 50
    table.messengers(red="Egypt")  # Lydia is now three steps from Egypt's ... and Susa's Messengers
    far = int(min(table.rules.distance[p, table.provinces.index("Lydia")] for p in table.board.messenger))
    assert worth(table) == 95 - 4 * w - 100 - 50 * far - 10


def test_v_the_nearest_end_counts() -> None:
    table = apart().black(Susa=1).supply(gold=40, black=30)
    assert worth(table) == -(700 - 400)
    assert worth(table.calendar(3)) == -(700 - 4 * 66)
    assert worth(table.supply(black=5)) == -(700 - 4 * 16)
    assert worth(table.supply(gold=1)) == -(700 - 4 * 2)


def test_v_of_cautious() -> None:
    table = apart().black(Susa=1).supply(gold=40, black=30).calendar(3)
    assert worth(table, 1) == -2 * (700 - 4 * 66) - 150 * 3
    assert worth(apart().supply(gold=40, black=30).calendar(3), 1) == 0


def test_v_at_the_end() -> None:
    table = apart().gold(Susa=1)
    table.board.due = 3
    assert worth(table) == worth(table, 1) == 100_000
    table.black(Susa=3, Cush=1)
    assert worth(table) == worth(table, 1) == -100_000 - 500 * 3


# --- targets


@pytest.mark.parametrize("policy", AIMING)
def test_gold_goes_where_it_is_needed(policy: str) -> None:
    assert apart().black(Cush=1).do("add_gold any 1").best(policy) == {"Cush"}
    assert apart().black(Susa=1).do("add_gold msgr 1").best(policy) == {"green"}
    assert apart().black(Susa=1, Egypt=1).do("add_gold msgr*2 1").best(policy) == {"blue, green"}
    table = apart().messengers(red="Cush", white="Judea").black(Cush=1, Egypt=1).do("add_gold msgr_adj_pair 1")
    assert table.best(policy) == {"red and blue"}


@pytest.mark.parametrize("policy", THINKING)
def test_black_goes_where_it_does_no_harm(policy: str) -> None:
    table = apart().sons(Aspatha="Cush", Adalia="Susa").gold(Susa=3).do("add_black son 1", "evil")
    assert table.best(policy) == {"Susa"}


@pytest.mark.parametrize("policy", AIMING)
def test_messengers_move_towards_what_is_unsafe(policy: str) -> None:
    table = apart().black(Babylon=2).messengers(green="Persia", white="Parthia").do("move_messenger 1 2")
    assert table.best(policy) == {"green"}
    assert table.play("green").best(policy) == {"Babylon"}


@pytest.mark.parametrize("policy", AIMING)
def test_rides_bring_gold_where_it_is_needed(policy: str) -> None:
    table = apart().black(Cush=1, Arabia=1).do("ride_gold 2")
    assert table.best(policy) == {"blue"}
    assert table.play("blue").best(policy) == {"Cush - Arabia"}


@pytest.mark.parametrize("policy", THINKING)
def test_sons_take_the_way_that_harms_least(policy: str) -> None:
    table = apart().sons(Aspatha="Cush", Adalia="Media").gold(Arabia=5, Judea=5).top("Judea", "Thrace")
    table.do("sons_to_top", "evil")
    assert table.best(policy) == {"Cush"}
    assert table.play("Cush").best(policy) == {"path 2 from Cush to Judea"}
    table = apart().sons(Aspatha="Cush", Adalia="Media").gold(Egypt=3).do("son_step any", "evil")
    assert table.best(policy) == {"Aspatha"}
    assert table.play("Aspatha").best(policy) == {"Egypt"}


@pytest.mark.parametrize("policy", THINKING)
def test_moves_that_harm_are_declined(policy: str) -> None:
    table = apart(evil_target_free=True).sons(Aspatha="Cush").top("Judea", "Thrace").do("sons_to_top", "evil")
    assert table.best(policy) == {"decline"}
    table = apart(evil_target_free=True).sons(Aspatha="Cush").gold(Egypt=5, Judea=5)  # gold to spare on the way
    assert table.top("Judea").do("son_to_top any", "evil").best(policy) == {"Aspatha"}


@pytest.mark.parametrize("policy", THINKING)
def test_only_shortest_paths_are_taken(policy: str) -> None:
    def table() -> Table:
        free = Table(son_path="any_path_owner_choice").sons(Aspatha="Cush").top("Judea")
        return free.do("son_to_top Aspatha", "evil")

    assert len(table().choices()) > 2
    best = table().best(policy)
    assert all(len(table().play(path).blacks()) == 2 for path in best)


@pytest.mark.parametrize("policy", AIMING)
def test_the_son_without_an_answer_is_destroyed_first(policy: str) -> None:
    table = apart().sons(Aspatha="Thrace", Adalia="Susa").gold(Susa=1).do("destroy_son msgr")
    assert table.best(policy) == {"Aspatha"}


@pytest.mark.parametrize("policy", THINKING)
def test_the_end_is_sought_only_by_those_who_win(policy: str) -> None:
    table = apart().supply(gold=1).black(Cush=1).do("add_gold any 1")
    assert table.best(policy) == {"Cush"}  # the last cube, and all are safe
    table = apart(loyal_optional=True).hand(0, 4, 20).hand(1, 5, 21)
    table.write(4, loyal="calendar 1").write(5).calendar(8).end_turn().play("5 Scribes of the King", "6 Sealed Letter")
    assert table.best(policy) == {"carry out"}
    table.black(Cush=1)
    assert table.best(policy) == {"leave out"}


@pytest.mark.parametrize("policy", AIMING)
def test_the_night_is_used(policy: str) -> None:
    table = apart().messengers(purple="Egypt", blue="Thrace").black(Arabia=1).in_force("moves_at_night").begin_round()
    assert table.best(policy) == {"Arabia"}


@pytest.mark.parametrize("policy", AIMING)
def test_places_and_orders_are_left_to_chance(policy: str) -> None:
    table = Table(2, equal_numbers="owner_agreement").hand(0, 4, 20).hand(1, 5, 21).write(4).write(5)
    table.rules.number[:] = 3
    table.end_turn().play("3 Scribes of the King", "3 Sealed Letter")
    assert table.best(policy) == {"card 1", "card 2"}


@pytest.mark.parametrize("policy", AIMING)
def test_ties_are_settled_by_chance(policy: str) -> None:
    counts = apart().black(Cush=1, Lydia=1, Media=1).do("add_gold any 1").spread(policy, 600)
    assert set(counts) == {"Cush", "Lydia", "Media"}
    assert all(abs(count - 200) < 4.5 * np.sqrt(600 * 2 / 9) for count in counts.values())
    assert set(apart().messengers(**dict.fromkeys(COLOURS, "Susa")).do("add_gold msgr 1").best(policy)) == set(COLOURS)


def test_random_chooses_uniformly() -> None:
    """The first selection from a hand of five, over many deals."""
    chosen = Counter(Played(3, playout, messenger_cards=0).events[first_decision(playout)][2] for playout in range(500))
    assert set(chosen) == set(range(5))
    assert all(abs(count - 100) < 4.5 * np.sqrt(500 * 0.2 * 0.8) for count in chosen.values())


def first_decision(playout: int) -> int:
    events = Played(3, playout, messenger_cards=0).events
    return next(i for i, event in enumerate(events) if event[0] == 0)


# --- cards


def hand(players: int = 3, **options: Any) -> Table:
    """All seats select: seat 0 holds 5, 6 and 7, which say nothing until they are written on."""
    table = apart(players=players, **options)
    for kind in range(27):
        table.write(kind)
    for seat in range(players):
        table.hand(seat, *(4 + 3 * seat + i for i in range(3)))
    return table


FIVE, SIX, SEVEN = "5 Scribes of the King", "6 Sealed Letter", "7 Open Gates"


@pytest.mark.parametrize("policy", THINKING)
def test_the_best_action_is_selected(policy: str) -> None:
    table = hand().write(5, loyal="add_gold any 1").end_turn()
    assert table.best(policy) == {SIX}
    table = hand().write(5, loyal="add_gold any 1", evil="add_black any 3").end_turn()
    assert SIX not in table.best(policy)


def test_loyal_only_does_not_care_about_evil_actions() -> None:
    table = (
        hand().write(5, loyal="add_gold any 2", evil="calendar 5; add_black any 5").write(4, loyal="add_gold msgr 1")
    )
    table.end_turn()
    assert table.best("loyal_only") == {SIX}
    assert table.best("greedy") == {FIVE}
    evil = apart().black(Cush=1).do("add_black any 1", "evil")
    assert len(evil.spread("loyal_only", 400)) == 20
    table = apart(loyal_optional=True).hand(0, 4, 20).hand(1, 5, 21).write(4, loyal="calendar 1").write(5).black(Cush=1)
    table.calendar(8).end_turn().play(FIVE, SIX)
    assert table.best("loyal_only") == {"carry out"}


@pytest.mark.parametrize("policy", THINKING)
def test_a_good_end_effect_is_kept(policy: str) -> None:
    """Whichever is played, the best End Effect of the others counts half."""
    table = hand().write(4, end="add_gold any 2").end_turn()
    assert table.best(policy) == {SIX, SEVEN}
    table = hand().write(4, loyal="add_gold any 2", end="add_gold any 2").write(5, end="add_gold any 2").end_turn()
    assert table.best(policy) == {FIVE}


@pytest.mark.parametrize("policy", THINKING)
def test_a_selection_is_imagined_to_its_end(policy: str) -> None:
    """Card 6 wins at once; card 5 would add more gold first, but the Calendar ends the game."""
    table = (
        hand()
        .calendar(8)
        .black(Cush=1)
        .write(4, loyal="calendar 1; add_gold any 3")
        .write(5, loyal="add_gold any 1; calendar 1")
    )
    assert table.end_turn().best(policy) == {SIX}


def test_solo_counts_the_card_turned() -> None:
    seen = hand(1).calendar(8).black(Cush=1)
    seen.state.action[0] = 2
    seen.write(2, loyal="add_gold any 1").write(4, evil="calendar 1")  # card 3 comes first and makes all safe
    assert seen.end_turn().best("greedy") == {FIVE}
    unseen = hand(1, solo_deck_peek="after_choice").calendar(8).black(Cush=1)
    unseen.state.action[0] = 2
    unseen.write(2, loyal="add_gold any 1").write(4, evil="calendar 1")
    assert FIVE not in unseen.end_turn().best("greedy")


@pytest.mark.parametrize("policy", THINKING)
def test_solo_picks_the_best_end_effects(policy: str) -> None:
    table = apart(players=1).hand(0, 5).gold(Susa=1)
    table.state.action[:2] = (20, 2)
    for kind, end in ((5, "add_black any 1"), (20, "add_gold any 1"), (2, "")):
        table.write(kind, end=end)
    assert table.end_turn().best(policy) == {"3 Royal Road and 21 Three Couriers"}


def test_a_top_card_not_seen_is_drawn_from_those_not_seen() -> None:
    """A card that places gold on the second top Province is worth it only in some of the imagined decks."""
    table = hand().black(Cush=1, Lydia=1).top("Susa").write(4, loyal="discard_top 1; add_gold top 1")
    table.write(5, loyal="discard_top 1; add_gold top 1")
    assert table.end_turn().best("greedy") > {FIVE}
    known = (
        hand()
        .black(Cush=1)
        .last_top("Cush")
        .write(4, loyal="add_gold top 1")
        .write(5, loyal="add_gold top 1; discard_top 1")
    )
    assert known.end_turn().best("greedy") == {FIVE, SIX}


# --- pooled


def test_pooled_plans_for_all_seats() -> None:
    """Card 8 of seat 1 comes after card 5 of seat 0 and wins if that has made all safe; each alone would not do it."""

    def table(communication: str) -> Table:
        table = hand(2, communication=communication).calendar(8).black(Cush=1)
        table.write(4, loyal="add_gold any 1").write(7, evil="calendar 1").write(5, loyal="add_gold msgr_all 2")
        return table.end_turn()

    together = table("pooled")
    assert together.best("pooled") == {FIVE}
    together.play(FIVE)
    assert together.best("pooled") == {"8 Gather the Elders"}
    assert "8 Gather the Elders" not in together.best("greedy")
    assert table("none").play(FIVE).best("pooled") == table("none").play(FIVE).best("greedy")


def test_pooled_counts_the_selections_made() -> None:
    table = hand(2, communication="pooled").black(Cush=1)
    table.write(4, loyal="add_gold any 1").write(7, loyal="add_gold any 1").write(8, loyal="remove_black any 1")
    table.end_turn().play(SIX)
    assert table.best("pooled") <= {"8 Gather the Elders", "9 Signet Ring"}


# --- seats


@pytest.mark.parametrize(("policy", "playouts"), [("random", 6_000), ("greedy", 1_500), ("pooled", 400)])
def test_equal_policies_make_equal_seats(policy: str, playouts: int) -> None:
    """With cards that all say the same no seat has an advantage in what it does: statistic Q of the cards resolved."""
    players = 4
    box = box_with(
        cards=[
            card | {"number": 5}
            for card in cards(loyal="add_gold msgr 1; move_messenger 1 1", evil="calendar 1; son_step any")
        ]
    )
    rules = pack(SPEC.resolve({"equal_numbers": "random"}), box, players)
    played = play(Job(SPEC.name, rules, new_table([CODES[policy]] * players, 11)), 0, playouts, playouts)
    shares = played.player_columns["resolutions"].astype(float)
    spread = shares - shares.mean(axis=0)
    variance = (spread**2).sum(axis=0) / (players - 1)
    q = ((spread.sum(axis=1) ** 2).sum()) / variance.sum()
    assert q < 24.2  # chi-square with 3 degrees of freedom: once in 44,000 seeds


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_the_team_wins_together(policy: str) -> None:
    job = Job(SPEC.name, pack(SPEC.resolve({}), BOX, 3), new_table([CODES[policy]] * 3, 5))
    played = play(job, 0, 300, 300)
    won = played.player_columns["won"]
    assert (won == played.columns["team_won"]).all()
    assert 0 < won.mean() < 1 or policy == "random"


def test_thinking_helps() -> None:
    """Greedy teams win between a quarter and two thirds of their games, random ones none."""
    for players in (1, 2, 3, 4):
        job = Job(SPEC.name, pack(SPEC.resolve({}), BOX, players), new_table([CODES["greedy"]] * players, 6))
        rate = play(job, 0, 600, 600).columns["team_won"].mean()
        assert 0.25 < rate < 0.67, (players, rate)
