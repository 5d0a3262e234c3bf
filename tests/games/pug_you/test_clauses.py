"""Every clause of RULES.md, one small table each.

Seat 0 is active unless a test says otherwise; with seats 1 and 2 nominated, seats 3, 4 and 0 vote in this order.
"""

from collections import Counter
from copy import deepcopy
from itertools import product
from typing import Any

import pytest

from simkit.errors import BoxError
from simkit.games.pug_you.box import card_names, pack
from simkit.kernel.plain import Streams, derive
from tests.games.pug_you.table import BOX, SPEC, Table, box_with, number_of, played, row, whole
from tests.games.pug_you.test_exact import plain_normal

FIVE = ("green 1, green 12", "green 2, green 13", "green 3, green 14", "green 4, green 15", "green 5, green 16")
LIMIT = {"end_mode": "badge_limit"}


def rules(players: int = 5, box: Any = BOX, **options: Any) -> Any:
    return pack(SPEC.resolve(options), box, players)


def deck(**options: Any) -> list[tuple[str, int, int]]:
    """Level, badges and turds of every card that is played."""
    packed = rules(**options)
    levels = ("green", "yellow", "red", "mutt", "blue")
    return [
        (levels[packed.level[i]], int(packed.badges[i]), int(packed.turds[i])) for i in range(int(packed.deck_size))
    ]


def tied(**options: Any) -> Table:
    """Seats 1 and 2 have got 3 turds each for yellow 1; seat 0 decides."""
    table = Table(**options).hands("green 24, green 25", "green 3", "green 4", "green 5, red 1", "green 14, red 2")
    table.asks("yellow 1", "seats 1 and 2")
    return table.play("green 5 for seat 1", "green 14 for seat 1", "green 24 for seat 2")


# --- A1, A5, B9 to B12, B23, B24 the deck


def test_a1_the_deck() -> None:
    cards = deck()
    assert len(cards) == 102
    assert Counter(level for level, _, _ in cards) == {"green": 33, "yellow": 33, "red": 32, "mutt": 4}
    assert {(level, badges) for level, badges, _ in cards} == {("green", 1), ("yellow", 2), ("red", 3), ("mutt", -2)}


def test_b9_the_blue_cards_may_come_on_top() -> None:
    assert len(deck(blue_in_108=False)) == 108
    assert Counter(level for level, _, _ in deck(blue_in_108=False))["mutt"] == 4


def test_b10_decks() -> None:
    assert {badges for level, badges, _ in deck(deck="one_badge") if level != "mutt"} == {1}
    assert all(turds == 4 - badges for level, badges, turds in deck(deck="anticorrelated") if level != "mutt")
    assert all(turds == badges for level, badges, turds in deck(deck="correlated") if level != "mutt")
    mixed = Counter((level, badges) for level, badges, _ in deck(deck="mixed"))
    assert mixed == {
        ("green", 1): 17, ("green", 2): 16, ("yellow", 1): 11, ("yellow", 2): 11, ("yellow", 3): 11, ("red", 2): 16,
        ("red", 3): 16, ("mutt", -2): 4,
    }  # fmt: skip


def test_a5_b11_b12_what_is_left_out() -> None:
    def levels(**options: Any) -> dict[str, int]:
        return dict(Counter(level for level, _, _ in deck(**options)))

    assert levels(deck_filter="no_red") == {"green": 33, "yellow": 33, "mutt": 4}
    assert levels(deck_filter="savage") == {"yellow": 33, "red": 32}
    assert levels(deck_filter="strangers") == {"green": 22, "yellow": 22, "red": 22, "mutt": 3}
    assert levels(mutts="out") == {"green": 33, "yellow": 33, "red": 32}


def test_b23_numbers_count_before_anything_is_left_out() -> None:
    packed = rules(deck_filter="savage")
    assert [int(packed.number[i]) for i in (0, 32, 33, 64)] == [128, 160, 256, 287]
    packed = rules(deck_filter="strangers")
    assert [int(packed.number[i]) for i in range(9)] == [0, 1, 2, 3, 4, 5, 6, 7, 11]  # places 9 to 11 are full


def test_b23_kinds_are_ordered_by_level_badges_and_turds() -> None:
    names = card_names(BOX)
    assert names[:4] == [
        "green, 1 badge, 1 turd",
        "green, 1 badge, 2 turds",
        "green, 1 badge, 3 turds",
        "green, 2 badges, 1 turd",
    ]
    assert names[-1] == "mutt, -2 badges, 1 turd"
    packed = rules()
    kinds = packed.kind[: packed.deck_size].tolist()
    assert kinds == sorted(kinds)
    assert [names[kinds[number_of(f"green {place}")]] for place in (11, 12)] == names[:2]


def test_b24_what_is_refused() -> None:
    def refusal(box: Any, players: int = 5) -> str:
        with pytest.raises(BoxError) as refused:
            rules(players, box)
        return str(refused.value)

    assert "5 x 5 = 25" in refusal(box_with(row("green", 1, 1, 24)))
    assert "at most 114" in refusal(box_with(row("green", 1, 1, 115)))
    assert "take away 21 badges" in refusal(box_with(row("green", 1, 1, 30), row("mutt", -3, 1, 7)))
    kinds = [
        row(level, badges, turds, 1)
        for level in ("green", "yellow", "red")
        for badges in (1, 2, 3)
        for turds in range(1, 6)
    ]
    assert "at most 31" in refusal(box_with(*kinds))
    box = deepcopy(BOX)
    box["hands"]["tables"].pop(0)
    assert "no line for 5 players" in refusal(box)
    assert int(rules(5, box_with(row("green", 1, 1, 25))).deck_size) == 25


# --- A2 the setup, B18, B25


@pytest.mark.parametrize(("players", "hand"), [(5, 5), (6, 5), (7, 5), (8, 4), (9, 4), (10, 4)])
def test_a2_hands_and_the_first_player(players: int, hand: int) -> None:
    for playout in range(5):
        told = whole(players, playout)
        story = told.story()
        first = next(seat for seat in range(players) if told.players[seat]["turn_order"] == 0)
        assert story[0] == f"Seat {first} begins."
        dealt = [line.removesuffix(".").split(" is dealt ") for line in story[1 : players + 1]]
        assert [who for who, _ in dealt] == [f"Seat {seat}" for seat in range(players)]
        hands = [cards.split(", ") for _, cards in dealt]
        assert {len(cards) for cards in hands} == {hand}
        assert len({card for cards in hands for card in cards}) == players * hand
        assert story[players + 1] == f"Turn 1: seat {first} is active."
        for seat, cards in enumerate(hands):  # E4
            assert told.players[seat]["opening_cards"] == mask_of(told.rules, cards)


def mask_of(rules: Any, cards: list[str]) -> int:
    numbers = rules.number.tolist()
    return sum({1 << int(rules.kind[numbers.index(number_of(card))]) for card in cards})


def test_b18_anybody_or_seat_0_is_active_first() -> None:
    firsts = played(("random",) * 5, 1000).player_columns["turn_order"]
    assert all(143 < (firsts[seat] == 0).sum() < 257 for seat in range(5))  # 4.5 standard errors of 12.6
    assert (played(("random",) * 5, 100, first_player="seat0").player_columns["turn_order"][0] == 0).all()


def test_b25_turn_order_goes_to_the_left() -> None:
    for orders in played(("random",) * 6, 50).player_columns["turn_order"].T.tolist():
        first = orders.index(0)
        assert [orders[(first + i) % 6] for i in range(6)] == [0, 1, 2, 3, 4, 5]


# --- A3 a turn


def test_a3_everybody_else_offers_a_card_and_one_is_taken() -> None:
    table = Table().hands(*FIVE).active(3).first(3).begin()
    who = []
    for card in ("green 5", "green 12", "green 2", "green 14"):
        who.append(table.decision())
        assert set(table.choices()) == set(table.holds(int(table.state.seat)))
        table.play(card)
    assert who == ["offer by 4", "offer by 0", "offer by 1", "offer by 2"]
    assert table.decision() == "choice of an offer by 3"
    assert table.choices() == ["seat 0", "seat 1", "seat 2", "seat 4"]
    table.play("seat 0")
    assert [table.holds(seat) for seat in range(5)] == [
        ["green 1"], ["green 2", "green 13"], ["green 3", "green 14"], ["green 4", "green 15"], ["green 5", "green 16"],
    ]  # fmt: skip
    assert table.story() == [
        "Turn 1: seat 3 is active.",
        "Seat 4 offers green 5.",
        "Seat 0 offers green 12.",
        "Seat 1 offers green 2.",
        "Seat 2 offers green 14.",
        "Seat 3 takes the card of seat 0: green 12 (1 badge).",
    ]
    assert table.state.offers_taken[:5].tolist() == [1, 0, 0, 0, 0]


def test_a3_the_active_player_nominates_two_others() -> None:
    table = Table().hands(*FIVE).active(2).asks("red 1")
    assert table.decision() == "nomination by 2"
    assert table.choices() == [
        "seats 0 and 1", "seats 0 and 3", "seats 0 and 4", "seats 1 and 3", "seats 1 and 4", "seats 3 and 4",
    ]  # fmt: skip
    table.play("seats 0 and 4")
    assert table.story() == ["Seat 2 nominates seat 0 and seat 4."]
    assert table.state.nominations[:5].tolist() == [1, 0, 0, 0, 1]


@pytest.mark.parametrize("players", range(5, 11))
@pytest.mark.parametrize("active", [0, 1, 4])
def test_a3_every_pair_of_others_can_be_nominated(players: int, active: int) -> None:
    others = [seat for seat in range(players) if seat != active]
    pairs = [f"seats {i} and {j}" for i in others for j in others if i < j]
    assert Table(players).active(active).asks("red 1").choices() == pairs


def test_a3_all_others_vote_from_the_left_the_active_player_last() -> None:
    table = Table(6).hands(*FIVE, "green 6, green 17").active(2).asks("red 1", "seats 0 and 4")
    who = []
    for vote in ("green 15 for seat 4", "green 6 for seat 0", "green 13 for seat 4", "green 3 for seat 4"):
        who.append(table.decision())
        seat = int(table.state.seat)
        assert table.choices() == [f"{card} for seat {nominee}" for card in table.holds(seat) for nominee in (0, 4)]
        assert seat not in (0, 4)
        table.play(vote)
    assert who == ["vote by 3", "vote by 5", "vote by 1", "vote by 2"]
    assert table.story()[1:7] == [
        "Seat 3 votes for seat 4 with green 15 (2 turds).",
        "Seat 5 votes for seat 0 with green 6 (1 turd).",
        "Seat 1 votes for seat 4 with green 13 (2 turds).",
        "Seat 2 votes for seat 4 with green 3 (1 turd).",
        "Seat 0 gets 1 turd, seat 4 gets 5 turds.",
        "Seat 4 takes red 1 and has 3 badges.",
    ]
    assert table.discarded() == ["green 3", "green 6", "green 13", "green 15"]
    assert table.has_scored(4) == ["red 1"]


@pytest.mark.parametrize(("votes", "winner"), [((1, 1, 2), 1), ((2, 1, 2), 2), ((2, 2, 2), 2), ((1, 2, 1), 1)])
def test_a3_more_turds_not_more_votes(votes: tuple[int, int, int], winner: int) -> None:
    """Seats 3 and 4 vote with one turd, seat 0 with one too: whoever has two of the three votes takes the card."""
    table = Table().hands(*FIVE).asks("red 1", "seats 1 and 2")
    table.play(f"green 4 for seat {votes[0]}", f"green 5 for seat {votes[1]}", f"green 1 for seat {votes[2]}")
    assert table.has_scored(winner) == ["red 1"]
    table = Table().hands("green 23", "green 2", "green 3", "green 4", "green 5").asks("red 1", "seats 1 and 2")
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 23 for seat 2")
    assert table.has_scored(2) == ["red 1"]  # one vote of 3 turds against two of 1


def test_a3_with_a_tie_the_active_player_decides_and_asks_again() -> None:
    table = tied()
    assert table.decision() == "tie by 0"
    assert table.choices() == ["seat 1", "seat 2"]
    assert table.story()[-1] == "Seat 1 gets 3 turds, seat 2 gets 3 turds."
    table.play("seat 1")
    assert table.story()[-2:] == ["Seat 0 decides for seat 1.", "Seat 1 takes yellow 1 and has 2 badges."]
    assert table.decision() == "second question by 0"
    assert table.choices() == ["green 25"]
    table.play("green 25")
    assert table.story()[-1] == "Seat 0 asks green 25 of the own hand (1 badge)."
    assert table.decision() == "nomination by 0"
    assert "seats 1 and 2" in table.choices()
    assert (int(table.state.ties[0]), int(table.state.asked_second[0])) == (1, 1)


def test_a3_after_a_second_tie_there_is_no_third_question() -> None:
    table = tied().play("seat 1", "green 25", "seats 1 and 2")
    assert table.decision() == "vote by 3"  # no refill in between, and seat 0 has no card left
    table.play("red 1 for seat 1", "red 2 for seat 2")
    assert table.story()[-2:] == ["Seat 0 has no card to vote with.", "Seat 1 gets 1 turd, seat 2 gets 1 turd."]
    assert table.decision() == "tie by 0"
    table.play("seat 2")
    assert table.has_scored(2) == ["green 25"]
    assert table.decision() == "offer by 2"
    assert table.state.ties.tolist() == [1, 1]
    assert table.state.turns == 2


def test_a3_everybody_draws_up_and_the_next_turn_begins() -> None:
    table = Table().hands(*FIVE).asks("red 1", "seats 1 and 2")
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
    assert [len(table.holds(seat)) for seat in range(5)] == [5, 5, 5, 5, 5]
    assert "green 13" in table.holds(1)
    drew = [line for line in table.story() if " draws " in line]
    assert [line.split(" draws ")[0] for line in drew] == [f"Seat {seat}" for seat in (1, 2, 3, 4, 0)]
    assert [len(line.split(", ")) for line in drew] == [3, 3, 4, 4, 4]
    assert table.story()[-1] == "Turn 2: seat 1 is active."
    assert table.decision() == "offer by 2"


# --- A4 the end


@pytest.mark.parametrize("players", SPEC.players)
def test_a4_everybody_is_active_twice(players: int) -> None:
    told = whole(players, 3)
    turns = [line for line in told.story() if line.startswith("Turn ")]
    first = next(seat for seat in range(players) if told.players[seat]["turn_order"] == 0)
    assert turns == [f"Turn {t + 1}: seat {(first + t) % players} is active." for t in range(2 * players)]
    assert "The game ends: everybody has been active twice." in told.story()
    assert told.columns["end_reason"] == 1


def last_turn(*badges: int) -> Table:
    """The game ends with these totals; the card of the last question is on top for seat 1."""
    table = Table().hands(*FIVE).active(4).turn(10).has(*badges)
    table.asks("green 30", "seats 0 and 1")
    table.state.turns = 10
    return table.play("green 3 for seat 1", "green 4 for seat 1", "green 5 for seat 1")


def test_a4_b22_most_badges_lose_and_all_who_share_them() -> None:
    story = last_turn(6, 5, 3, 2, 0).story()
    assert story[-5:] == [
        "Seat 1 takes green 30 and has 6 badges.",
        "The game ends: everybody has been active twice.",
        "Badges: 6, 6, 3, 2, 0.",
        "Seat 0 loses.",
        "Seat 1 loses.",
    ]
    assert last_turn(6, 6, 3, 2, 0).story()[-2:] == ["Badges: 6, 7, 3, 2, 0.", "Seat 1 loses."]
    assert last_turn(-2, -4, -2, -3, -3).story()[-3:] == [
        "Badges: -2, -3, -2, -3, -3.",
        "Seat 0 loses.",
        "Seat 2 loses.",
    ]


def test_b22_ranks_losers_and_margin() -> None:
    for playout in range(60):
        told = whole(6, playout)
        scores = [player["score"] for player in told.players]
        most = max(scores)
        assert [player["rank"] for player in told.players] == [1 + sum(s < score for s in scores) for score in scores]
        assert [player["lost"] for player in told.players] == [int(score == most) for score in scores]
        assert told.columns["losers"] == scores.count(most)
        assert told.columns["margin"] == most - max(score for score in scores if score < most)
        assert (told.columns["highest_score"], told.columns["lowest_score"]) == (most, min(scores))


# --- B1 to B3, B28 second questions


def test_b1_a_second_question_may_be_declined_if_so_agreed() -> None:
    table = tied(second_question="optional").play("seat 1")
    assert table.choices() == ["green 25", "decline"]
    table.play("decline")
    assert "Seat 0 asks no second question." in table.story()
    assert table.decision() == "offer by 2"
    assert (int(table.state.declined), int(table.state.asked_second[0])) == (1, 0)


def test_b1_there_may_be_no_second_questions() -> None:
    table = tied(second_question="off").play("seat 1")
    assert table.decision() == "offer by 2"
    assert not [line for line in table.story() if "second question" in line]


@pytest.mark.parametrize("source", ["scored_or_hand", "scored_first", "scored_only"])
@pytest.mark.parametrize("scored", [(), ("yellow 9", "red 30")])
@pytest.mark.parametrize("optional", [False, True])
def test_b2_what_may_be_asked(source: str, scored: tuple[str, ...], optional: bool) -> None:
    table = tied(second_source=source, second_question="optional" if optional else "mandatory")
    table.scored(0, *scored).play("seat 1")
    listed = [f"scored {card}" for card in scored]
    if source == "scored_or_hand" or (source == "scored_first" and not scored):
        listed.append("green 25")
    if not listed:
        assert table.decision() == "offer by 2"  # nothing to ask, and nothing to decline
        assert "Seat 0 has no card for a second question." in table.story()
        assert table.state.declined == 0
    else:
        assert table.choices() == listed + ["decline"] * optional


def test_b28_a_scored_card_leaves_the_total_at_once_and_belongs_to_whoever_takes_it() -> None:
    table = tied().scored(0, "red 30", "yellow 9").play("seat 1", "scored red 30")
    assert table.story()[-1] == "Seat 0 asks the scored red 30 again (3 badges)."
    assert table.state.badges[0] == 2
    assert table.has_scored(0) == ["yellow 9"]
    table.play("seats 1 and 2", "red 1 for seat 2", "red 2 for seat 2", "green 25 for seat 2")
    assert table.has_scored(2) == ["red 30"]
    assert table.state.badges[:3].tolist() == [2, 2, 3]
    assert (int(table.state.from_scored), int(table.state.from_hand), int(table.state.shed[0])) == (1, 0, 3)
    assert table.state.played[0] == 1 << int(table.rules.kind[table.cards["green 24"]])  # E4: only cards of the hand


def test_b3_a_scored_mutt_may_be_given_away_unless_agreed_otherwise() -> None:
    assert tied().scored(0, "mutt 2", "red 3").play("seat 1").choices() == ["scored red 3", "scored mutt 2", "green 25"]
    forbidden = tied(mutt_second_question="forbidden").scored(0, "mutt 2", "red 3")
    assert forbidden.play("seat 1").choices() == ["scored red 3", "green 25"]
    only = tied(mutt_second_question="forbidden", second_source="scored_first").scored(0, "mutt 2")
    assert only.play("seat 1").choices() == ["green 25"]
    only = tied(mutt_second_question="forbidden", second_source="scored_only").scored(0, "mutt 2").play("seat 1")
    assert only.decision() == "offer by 2"


@pytest.mark.parametrize("allowed", [True, False])
def test_b3_a_mutt_of_the_hand_may_be_asked_and_scored(allowed: bool) -> None:
    table = tied(mutt_second_question="allowed" if allowed else "forbidden").hand(0, "mutt 1").play("seat 1", "mutt 1")
    table.play("seats 1 and 2", "red 1 for seat 1", "red 2 for seat 1")
    assert table.state.badges[1] == 0
    assert table.has_scored(1) == ["yellow 1", "mutt 1"]
    assert table.state.mutts == 1


# --- B4 to B8, B26 the limit


def question(card: str, *badges: int, players: int = 5, **options: Any) -> Table:
    """Seat 1 takes a card with all votes; totals before as given."""
    options = LIMIT | options
    table = Table(players, **options).hands(*FIVE).has(*badges).asks(card, "seats 1 and 2")
    for seat in (*range(3, players), 0):
        table.play(f"{table.holds(seat)[0]} for seat 1")
    return table


@pytest.mark.parametrize("limit", [6, 8, 10, 12])
def test_b4_b5_the_game_ends_when_somebody_has_that_many_badges(limit: int) -> None:
    table = question("red 1", 0, limit - 3, badge_limit=limit)
    assert table.decision() == "over"
    assert table.story()[-5:] == [
        f"Seat 1 takes red 1 and has {limit} badges.",
        f"The limit of {limit} badges is reached.",
        "The game ends: the limit of badges.",
        f"Badges: 0, {limit}, 0, 0, 0.",
        "Seat 1 loses.",
    ]
    assert table.state.end_reason == 2
    assert question("red 1", 0, limit - 4, badge_limit=limit).decision() == "offer by 2"
    assert question("red 1", 0, limit - 1, badge_limit=limit).decision() == "over"
    assert question("red 1", 0, limit, end_mode="two_rounds").decision() == "offer by 2"


def limit_tie(**options: Any) -> Table:
    """Seat 1 takes yellow 1 after a tie and has 8 badges; seat 0 has scored red 30 and may give it away."""
    return tied(**(LIMIT | options)).scored(0, "red 30").scored(1, "red 31", "red 32").play("seat 1")


def test_b6_b26_the_limit_ends_the_game_in_the_middle_of_a_turn() -> None:
    table = limit_tie()
    assert table.decision() == "over"
    assert "The limit of 8 badges is reached." in table.story()
    assert not [line for line in table.story() if " draws " in line]


def test_b6_or_only_at_the_end_of_a_turn() -> None:
    table = limit_tie(limit_check="end_of_turn")
    assert table.decision() == "second question by 0"
    table.play("scored red 30", "seats 1 and 2", "red 1 for seat 2", "red 2 for seat 2", "green 25 for seat 2")
    assert table.decision() == "over"
    assert table.story()[-5:-3] == ["Seat 2 takes red 30 and has 3 badges.", "The limit of 8 badges is reached."]
    assert not [line for line in table.story() if " draws " in line]


def test_b6_badges_got_rid_of_in_a_second_question_do_not_count_at_the_end_of_the_turn() -> None:
    """Seat 0 has 8 badges until it gives three away."""
    table = tied(limit_check="end_of_turn", **LIMIT).scored(0, "red 30", "red 31", "yellow 33").play("seat 1")
    table.play("scored red 30", "seats 1 and 2", "red 1 for seat 2", "red 2 for seat 2", "green 25 for seat 2")
    assert table.decision() == "offer by 2"
    assert table.state.limit_turn == 0


@pytest.mark.parametrize(("counts_mutts", "over"), [(False, True), (True, False)])
def test_b7_mutts_may_be_subtracted_from_what_counts(counts_mutts: bool, over: bool) -> None:
    table = Table(limit_counts_mutts=counts_mutts, **LIMIT).hands(*FIVE).scored(1, "red 2", "red 3", "mutt 1")
    table.scored(2, "red 4", "yellow 5").asks("yellow 1", "seats 1 and 2")
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
    assert (table.decision() == "over") is over
    if over:  # losers are found with mutts
        assert table.story()[-2:] == ["Badges: 0, 6, 5, 0, 0.", "Seat 1 loses."]


def test_b7_b26_giving_a_mutt_away_may_reach_the_limit() -> None:
    """Seat 0 has 7 badges with the mutt and 9 without: all are looked at when the mutt has been taken."""
    table = tied(limit_counts_mutts=True, **LIMIT).scored(0, "red 3", "red 4", "red 5", "mutt 1")
    table.play("seat 1", "scored mutt 1", "seats 1 and 2", "red 1 for seat 2", "red 2 for seat 2")
    assert table.decision() == "vote by 0"
    table.play("green 25 for seat 2")
    assert table.decision() == "over"
    assert table.state.limit_turn == table.state.turns
    assert "The limit of 8 badges is reached." in table.story()


@pytest.mark.parametrize("check", ["immediate", "end_of_turn"])
def test_b8_the_round_may_be_played_to_its_end(check: str) -> None:
    table = question("red 1", 0, 5, limit_equal_turns=True, limit_check=check)
    assert table.decision() == "offer by 2"
    assert table.state.limit_turn == 1
    table.play_on("over")
    assert table.state.turns == 5
    story = table.story()
    assert story.count("The limit of 8 badges is reached.") == 1
    assert "The game ends: the limit of badges." in story
    assert table.state.limit_turn == 1


def test_b8_in_the_turn_in_which_the_limit_is_reached_the_second_question_is_asked() -> None:
    assert limit_tie(limit_equal_turns=True).decision() == "second question by 0"


def test_b8_what_happens_to_totals_afterwards_does_not_matter() -> None:
    """Seat 1 reaches the limit with its last badge and gives three away; the round is over after turn 5."""
    table = limit_tie(limit_equal_turns=True)
    table.state.badges[1] = 0
    table.state.positive[1] = 0
    table.play_on("over")
    assert table.state.turns == 5
    assert table.state.end_reason == 2


def test_b8_the_last_turn_of_a_round_ends_it() -> None:
    table = Table(limit_equal_turns=True, **LIMIT).hands(*FIVE).has(0, 5).turn(10).asks("red 1", "seats 1 and 2")
    table.state.turns = 10
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
    assert table.decision() == "over"


# --- B13 to B15 what changes no rule


def test_b13_who_votes_later_may_know_for_whom_others_did() -> None:
    from simkit.games.pug_you.state import view

    for order in ("simultaneous", "sequential"):
        table = Table(vote_order=order).hands(*FIVE).asks("red 1", "seats 1 and 2")
        table.play("green 4 for seat 2", "green 5 for seat 1")
        seen = view(table.state, table.rules, 0)
        assert seen.get("for whom") == (None if order == "simultaneous" else [1, 0])
        assert seen["discards"] == 0
        assert "votes" not in seen
        table.play("green 1 for seat 1")
        assert view(table.state, table.rules, 0)["for whom"] == [0, 1, 0]


def test_b14_votes_may_be_public() -> None:
    from simkit.games.pug_you.state import view

    for public in (False, True):
        table = Table(votes_public=public).hands(*FIVE).asks("red 1", "seats 1 and 2")
        table.play("green 4 for seat 2", "green 5 for seat 1", "green 1 for seat 1")
        assert ("votes" in view(table.state, table.rules, 2)) is public


@pytest.mark.parametrize("option", [{"vote_order": "sequential"}, {"votes_public": True}, {"offer_required": False}])
def test_b13_to_b15_change_no_playout(option: dict[str, Any]) -> None:
    for policy in ("random", "honest"):
        assert whole(6, 2, policy, **option).story() == whole(6, 2, policy).story()


# --- B16, B29 to B31 short hands


def test_b16_an_empty_hand_makes_no_offer() -> None:
    table = Table().hands("green 1", "green 2", "", "green 3", "green 4").pile("green 9").begin()
    assert table.decision() == "offer by 1"
    table.play("green 2")
    assert table.decision() == "offer by 3"
    table.play("green 3", "green 4")
    assert table.choices() == ["seat 1", "seat 3", "seat 4"]
    assert "Seat 2 has no card to offer." in table.story()
    assert table.state.offers_missed == 1


def test_b16_or_draws_one_first() -> None:
    table = Table(short_hand="draw_first").hands("", "green 2", "", "green 3", "green 4").pile("green 9").begin()
    table.play("green 2")
    assert table.decision() == "offer by 2"
    assert table.choices() == ["green 9"]
    assert table.story()[-1] == "Seat 2 draws green 9."
    table.play("green 9", "green 3", "green 4", "seat 2", "seats 1 and 2")
    assert table.state.early_draws == 1
    table.play("green 3 for seat 1", "green 4 for seat 2")  # no card is left for seat 0: the votes are no discards yet
    assert "Seat 0 has no card to vote with." in table.story()
    assert table.decision() == "tie by 0"
    assert table.state.votes_missed == 1
    assert table.state.drawn[2] == 1 << int(table.rules.kind[table.cards["green 9"]])


def test_b16_b27_a_vote_can_be_drawn_from_the_votes_of_the_first_question() -> None:
    table = Table(short_hand="draw_first").hands("green 1, green 23", "green 2", "green 3", "green 4", "green 5")
    table.pile().asks("yellow 1", "seats 1 and 2").play("green 4 for seat 1", "green 5 for seat 1")
    table.hand(0, "green 1", "green 13")
    table.play("green 13 for seat 2", "seat 2", "green 1", "seats 1 and 2")
    assert table.decision() == "vote by 3"
    assert table.story()[-2] == "The discards are shuffled: 3 cards."
    drawn = table.choices()[0].removesuffix(" for seat 1")
    assert table.story()[-1] == f"Seat 3 draws {drawn}."
    assert drawn in ("green 4", "green 5", "green 13")
    table.play(table.choices()[0])
    assert int(table.state.end) - int(table.state.top) == 1  # seat 4 drew too
    assert table.discarded() == [drawn]  # on the table


def test_b16_no_card_is_drawn_for_a_question() -> None:
    table = Table(short_hand="draw_first").hands("", "", "", "", "").pile().begin()
    assert table.state.early_draws == 0
    assert "The turn is skipped." in table.story()


def test_b27_the_discards_are_shuffled_when_a_card_is_due() -> None:
    table = Table().hands(*FIVE).pile("red 10").discards("red 11", "red 12").asks("red 1", "seats 1 and 2")
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
    story = table.story()
    at = story.index("The discards are shuffled: 5 cards.")  # with the three votes
    assert story[at - 1] == "Seat 1 draws red 10."
    assert story[at + 1].startswith("Seat 1 draws ")
    assert len(table.holds(1)) == 5
    assert table.story()[at + 2].startswith("Seat 2 draws ")
    assert table.state.reshuffles == 1
    assert table.discarded() == []


def test_b27_when_nothing_is_left_hands_stay_short() -> None:
    table = Table().hands(*FIVE).pile("red 10", "red 11").asks("red 1", "seats 1 and 2")
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
    assert [len(table.holds(seat)) for seat in range(5)] == [1, 5, 4, 1, 1]
    at = table.story().index("The discards are shuffled: 3 cards.")
    assert table.story()[at + 2 :] == [
        table.story()[at + 2],
        "Seat 2 has only 4 cards.",
        "Seat 3 has only 1 card.",
        "Seat 4 has only 1 card.",
        "Seat 0 has only 1 card.",
        "Turn 2: seat 1 is active.",
    ]
    assert table.state.short_hands == 4


@pytest.mark.parametrize(("order", "sizes"), [("left_of_active", [1, 5, 4, 1, 1]), ("active_first", [5, 3, 2, 1, 1])])
def test_b17_who_draws_first(order: str, sizes: list[int]) -> None:
    table = Table(refill_order=order).hands(*FIVE).pile("red 10", "red 11").asks("red 1", "seats 1 and 2")
    table.play("green 4 for seat 1", "green 5 for seat 1", "green 1 for seat 1")
    assert [len(table.holds(seat)) for seat in range(5)] == sizes


def test_b29_the_active_player_asks_a_card_of_the_own_hand_if_nobody_offers() -> None:
    table = Table().hands("green 1, red 5", "", "", "", "").pile().begin()
    assert table.decision() == "question of the own hand by 0"
    assert table.choices() == ["green 1", "red 5"]
    table.play("red 5")
    assert table.story()[-1] == "Seat 0 asks red 5 of the own hand (3 badges)."
    assert table.decision() == "nomination by 0"
    assert table.state.offers_missed == 4
    assert table.state.played[0] == 1 << int(table.rules.kind[table.cards["red 5"]])


def test_b29_b4_turns_without_cards_are_skipped() -> None:
    table = Table().hands("", "", "", "", "").pile().turn(3).begin()
    assert table.decision() == "over"
    assert table.state.turns_skipped == 8
    assert table.state.offers_missed == 8 * 4
    assert table.state.short_hands == 0  # no refill
    assert table.state.end_reason == 1
    assert table.story()[:7] == [
        "Turn 3: seat 0 is active.",
        *(f"Seat {seat} has no card to offer." for seat in (1, 2, 3, 4)),
        "The turn is skipped.",
        "Turn 4: seat 1 is active.",
    ]


def no_cards(**options: Any) -> Table:
    """The only card left is asked, and nobody can vote."""
    table = Table(**(LIMIT | options)).hands("", "green 9", "", "", "").pile().begin().play("green 9", "seat 1")
    return table.play("seats 1 and 2")


def test_b30_without_votes_it_is_a_tie() -> None:
    table = no_cards()
    assert table.story()[-1] == "Seat 1 gets 0 turds, seat 2 gets 0 turds."
    assert table.decision() == "tie by 0"
    assert table.state.votes_missed == 3


def test_b26_a_game_with_a_limit_ends_when_no_card_is_left() -> None:
    table = no_cards().play("seat 2")
    assert table.story()[-5:] == [
        "Seat 2 takes green 9 and has 1 badge.",
        "Seat 0 has no card for a second question.",
        "The game ends: no card is left.",
        "Badges: 0, 0, 1, 0, 0.",
        "Seat 2 loses.",
    ]
    assert table.state.end_reason == 3
    assert table.state.limit_turn == 0


def test_b26_or_if_the_limit_had_been_reached_that_is_the_reason() -> None:
    table = no_cards(limit_equal_turns=True).has(0, 0, 7).play("seat 2")
    assert table.state.end_reason == 2
    assert table.state.limit_turn == 1
    assert "The game ends: the limit of badges." in table.story()


def test_b26_with_two_rounds_the_turns_that_are_left_are_skipped() -> None:
    table = no_cards(end_mode="two_rounds").play("seat 2")
    assert table.decision() == "over"
    assert table.state.turns == 10
    assert table.state.turns_skipped == 9
    assert table.state.end_reason == 1


@pytest.mark.parametrize(("cards", "missing"), [(102, 0), (45, 0), (44, 1), (25, 20)])
def test_b31_how_many_cards_are_missing(cards: int, missing: int) -> None:
    box = box_with(row("green", 1, 1, cards))
    assert whole(5, box=box).columns["deck_shortfall"] == missing


def test_b31_a_deck_that_is_large_enough_never_runs_short() -> None:
    result = played(("random",) * 5, 3000, box=box_with(row("green", 1, 1, 45)))
    assert not result.columns["short_hands"].any()
    assert not result.columns["offers_missed"].any()
    assert result.columns["reshuffles"].any()
    result = played(("random",) * 5, 3000, box=box_with(row("green", 1, 1, 25)))
    assert result.columns["short_hands"].any()


# --- C codes, E columns


def test_c_codes() -> None:
    table = Table().hands(*FIVE).begin()
    assert table.codes() == [number_of("green 2"), number_of("green 13")]
    table.play("green 2", "green 3", "green 4", "green 5")
    assert table.codes() == [2001, 2002, 2003, 2004]
    table.play("seat 2")
    assert table.codes() == [3000 + 16 * i + j for i in range(1, 5) for j in range(i + 1, 5)]
    table.play("seats 1 and 2")
    assert table.codes() == [10000 + 16 * number_of(card) + seat for card in ("green 4", "green 15") for seat in (1, 2)]
    table = tied(second_question="optional").scored(0, "red 3")
    assert table.codes() == [4001, 4002]
    table.play("seat 1")
    assert table.codes() == [5000 + number_of("red 3"), 6000 + number_of("green 25"), 7000]
    table = Table().hands("green 1, red 5", "", "", "", "").pile().begin()
    assert table.codes() == [1000 + number_of("green 1"), 1000 + number_of("red 5")]


def numbers_of_d4(playout: int, players: int) -> list[int]:
    """R by seat, in a playout of `whole`."""
    key = derive(Streams(7, playout).setup_key, 3)
    return [plain_normal(derive(key, seat)) for seat in range(players)]


@pytest.mark.parametrize("policy", ["random", "honest", "strategic"])
@pytest.mark.parametrize("players", SPEC.players)
def test_e3_places_by_reputation_follow_the_numbers_of_d4(players: int, policy: str) -> None:
    """The numbers of these playouts are all different, so the places are a ranking."""
    for playout, spread in product(range(8), ("0.5", "1")):
        told = whole(players, playout, policy, reputation_sd=spread)
        places = [player["reputation"] for player in told.players]
        assert sorted(places) == list(range(1, players + 1))
        numbers = numbers_of_d4(playout, players)
        by_place = sorted(range(players), key=places.__getitem__)
        assert by_place == sorted(range(players), key=numbers.__getitem__, reverse=True)


@pytest.mark.parametrize(("playout", "equal", "place"), [(880, [2, 4], 4), (2484, [8, 9], 2)])
def test_e3_equal_reputations_share_the_better_place(playout: int, equal: list[int], place: int) -> None:
    """Playouts in which two of ten seats happen to have the same number."""
    numbers = numbers_of_d4(playout, 10)
    assert numbers[equal[0]] == numbers[equal[1]]
    places = [player["reputation"] for player in whole(10, playout, reputation_sd="1").players]
    assert [seat for seat in range(10) if places[seat] == place] == equal
    assert sorted(places) == [*range(1, place), place, place, *range(place + 2, 11)]


@pytest.mark.parametrize("policy", ["random", "honest"])
def test_e3_without_reputations_there_are_no_places(policy: str) -> None:
    assert not played((policy,) * 6, 300).player_columns["reputation"].any()


def test_e4_cards_drawn_and_played() -> None:
    """What a seat drew, voted with, asked and had taken, from the story of a playout."""
    for policy in ("random", "strategic"):
        for playout in range(5):
            told = whole(5, playout, policy)
            drawn: list[list[str]] = [[] for _ in range(5)]
            used: list[list[str]] = [[] for _ in range(5)]
            for line in told.story():
                words = line.rstrip(".").split(" ")
                if " draws " in line:
                    drawn[int(words[1])] += line.rstrip(".").split(" draws ")[1].split(", ")
                elif " votes for " in line:
                    used[int(words[1])].append(line.split(" with ")[1].split(" (")[0])
                elif " takes the card of " in line:
                    used[int(words[7].rstrip(":"))].append(line.split(": ")[1].split(" (")[0])
                elif " of the own hand " in line:
                    used[int(words[1])].append(line.split(" asks ")[1].split(" of ")[0])
            for seat in range(5):
                assert told.players[seat]["drawn_cards"] == mask_of(told.rules, drawn[seat])
                assert told.players[seat]["played_cards"] == mask_of(told.rules, used[seat])
