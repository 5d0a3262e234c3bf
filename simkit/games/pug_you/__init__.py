"""Pug You!: one asks, two are nominated, all others vote. See RULES.md."""

from simkit.games.pug_you.options import OPTIONS
from simkit.spec import Column, GameSpec, Policy, Standing

PLAYERS = (5, 6, 7, 8, 9, 10)
SEATS = max(PLAYERS)
CARDS = 114  # the largest deck; every turn that is not skipped takes a card out of circulation, so also turns
SKIPPED = 2 * SEATS
LOW, HIGH = -20, 120  # totals: all mutts together; 40 cards with 3 badges, 2 questions in each of 20 turns
TURN_DECISIONS = (SEATS - 1) + 2 + (SEATS - 2) + 1 + 1 + 1 + (SEATS - 2) + 1  # offers, and two questions with a tie
# With a limit of 12 there are at most 11 n + 40 turns before it is reached and n more afterwards. A seat decides 8 times
# in its own turns, 3 times in others; that is 431 in 112 turns with 6 players, and less with 5 or with more than 6.
SEAT_DECISIONS = 440
# Hands of one card need a draw pile and discards that are gone for good, with fewer than 60 cards left: for at most 59
# turns everybody's offer or choice may be forced; and a second question with one scored card in each turn.
FORCED = 59 * SEATS + CARDS
SEAT_FORCED = 75

SPEC = GameSpec(
    package=__name__,
    name="pug_you",
    title="Pug You!",
    about="Whom does this question fit? One player asks and nominates two, the others vote with their cards: the most "
    "badges lose. Five to ten players.",
    rules_version=1,
    players=PLAYERS,
    headline="the first player loses",
    cards="pug cards by level, badges and turds",
    standing=Standing("badges in front of a player", "badges", "all", 1),
    options=OPTIONS,
    policies=(
        Policy("random", 0, "any legal choice, all equally likely"),
        Policy("honest", 1, "offers, nominates and votes as it finds that the questions fit"),
        Policy("strategic", 2, "brings badges to those who have few, so as not to have the most itself"),
        Policy("spiteful", 3, "nominates and votes against whoever has the most badges"),
        Policy("mixed", 4, "at every decision honest or strategic, with even chances"),
    ),
    line_ups={n: (("random",) * n, ("strategic",) * n, ("honest",) * n) for n in PLAYERS},
    columns=(
        Column(
            "end_reason", 0, 3, "why the game ended",
            words=("truncated", "two_rounds", "badge_limit", "cards_exhausted"),
        ),
        Column("decisions", 0, CARDS * TURN_DECISIONS, "decisions of all seats", "decisions"),
        Column("forced_decisions", 0, FORCED, "decisions with a single choice", "decisions"),
        Column("turns", 1, CARDS, "turns begun", "turns"),
        Column("turns_skipped", 0, SKIPPED, "turns in which nobody had a card", "turns"),
        Column("first_ties", 0, CARDS, "first questions with equal turds", "questions"),
        Column("second_questions", 0, CARDS, "second questions asked", "questions"),
        Column("second_from_scored", 0, CARDS, "second questions with a scored card", "questions"),
        Column("second_from_hand", 0, CARDS, "second questions with a card of the hand", "questions"),
        Column("second_declined", 0, CARDS, "second questions declined", "questions"),
        Column("second_ties", 0, CARDS, "second questions with equal turds", "questions"),
        Column("badges_shed", -20, 100, "badges of scored cards that were asked again (-20 to 100 are told apart)", "badges"),
        Column("reshuffles", 0, 60, "how often the discards were shuffled (at most 60 are counted)"),
        Column("offers_missed", 0, 100, "offers that were due and not made (at most 100 are counted)", "offers"),
        Column("votes_missed", 0, 100, "votes that were due and not cast (at most 100 are counted)", "votes"),
        Column("short_hands", 0, 100, "hands that could not be refilled (at most 100 are counted)", "hands"),
        Column("early_draws", 0, 50, "cards drawn because a hand was empty (at most 50 are counted)", "cards"),
        Column("scored_cards", 0, CARDS, "cards in front of players at the end", "cards"),
        Column("scored_mutts", 0, 20, "mutts in front of players at the end", "cards"),
        Column("highest_score", LOW, HIGH, "highest total at the end", "badges"),
        Column("lowest_score", LOW, HIGH, "lowest total at the end", "badges"),
        Column("margin", 0, HIGH - LOW, "highest total minus the next lower one", "badges"),
        Column("losers", 1, SEATS, "seats that share the highest total", "seats"),
        Column("limit_turn", 0, CARDS, "turn in which the limit was reached; 0 if it was not", "turns"),
        Column("deck_shortfall", 0, 40, "cards that the deck has less than would always be enough", "cards"),
    ),
    player_columns=(
        Column("turn_order", 0, SEATS - 1, "position counted from the player who is active first"),
        Column("lost", 0, 1, "1 if among the losers"),
        Column("decisions", 0, SEAT_DECISIONS, "decisions of this seat", "decisions"),
        Column("forced_decisions", 0, SEAT_FORCED, "decisions with a single choice", "decisions"),
        Column("score", LOW, HIGH, "total of badges at the end", "badges"),
        Column("rank", 1, SEATS, "1 is the lowest total"),
        Column("scored_cards", 0, 40, "cards in front of it at the end (at most 40 are counted)", "cards"),
        Column("nominations", 0, 40, "how often it was nominated (at most 40 are counted)", "questions"),
        Column("offers_taken", 0, 20, "how often its offer was taken (at most 20 are counted)", "offers"),
        Column("second_questions", 0, 15, "second questions it asked (at most 15 are counted)", "questions"),
        Column("badges_shed", -10, 30, "badges of its scored cards asked again (-10 to 30 are told apart)", "badges"),
        Column(
            "reputation", 0, SEATS,
            "its place among the seats by how well questions fit it in general: 1 fits best; 0 if reputation_sd is 0",
            linked="given",
        ),
    ),
)  # fmt: skip
