"""One trace reduced to whole numbers: what happened in it, what there was to decide, who led when.

Lengths are counted in decisions: of D decisions there are D + 1 positions, before each and after the last. Those who have the
outcome are who won in the end, or in a game with losers who lost. A team stands as one.
"""

import numpy as np

from simkit.kernel.drive import DECISION, STANDING
from simkit.kernel.jit import entry, step
from simkit.kernel.streams import MAX_SEATS
from simkit.spec import WHOLE

EVENTS = 64  # codes of events are 1 to 63
MOST = 1000  # numbers of choices, and of decisions waited for, that are told apart
TIMES = 10  # points of time at which it is looked how everybody stands: 5, 15, ... 95 % of the decisions
REACH = 12  # steps of a lead that are told apart
PERMILLE = 1000
MICRO = 1_000_000

MEASURES = (
    "decisions",
    "real_decisions",  # with a choice
    "choice_bits",  # sum of log2 of the number of choices, in millionths
    "waits",  # times that a seat had to wait between two of its turns
    "waited",  # decisions of others in them
    "longest_wait",
    "lead_changes",  # of the sole leader, ties in between not counted
    "tied",  # thousandths of the decisions at which nobody led alone
    "behind",  # thousandths of the decisions at which nobody who has the outcome in the end was among the leaders
    "drama",  # mean root of how far they were behind then, as a share of the whole span, in thousandths (Browne)
    "decided",  # thousandths of the decisions after which the outcome was settled for good
    "comeback",  # the largest lead that had to be made good, in units of the standing
    "leader_25",  # whoever led alone after a quarter of the decisions: its part of the outcome, in units of 1/2520
    "leader_50",
    "leader_75",
    "cut",  # 1 if the trace was too long to be noted whole
)
(DECISIONS, REAL, BITS, WAITS, WAITED, LONGEST_WAIT, LEAD_CHANGES, TIED, BEHIND, DRAMA, DECIDED, COMEBACK,
 LEADER_25, LEADER_50, LEADER_75, CUT) = range(len(MEASURES))  # fmt: skip
NOT_DEFINED = -1

BITS_OF = np.rint(MICRO * np.log2(np.maximum(np.arange(MOST + 1), 1))).astype(np.int64)  # log2 of 0 to MOST choices
ROOTS = np.sqrt(PERMILLE * np.arange(PERMILLE + 1)).astype(np.int64)  # of thousandths, in thousandths


@step
def count_event(log, row, conditions, begins, seen, clauses):
    """Count the clauses that an event shows. seen : uint8 (clauses,), those met in this playout already"""
    code = log[row, 0]
    for i in range(begins[code], begins[code + 1]):
        fits = True
        for number in range(5):
            value = log[row, 1 + number]
            fits &= conditions[i, 2 + 2 * number] <= value <= conditions[i, 3 + 2 * number]
        if fits:
            clause = conditions[i, 1]
            clauses[0, clause] += 1 - seen[clause]
            clauses[1, clause] += 1
            seen[clause] = 1


@step
def count_decision(log, row, kinds, seen, bits_of, choices, decisions, measures):
    """Count a decision by its number of choices, and by its kind. decisions : int64 (kinds, 4)"""
    count = min(log[row, 3], choices.size - 1)
    bits = bits_of[count]
    forced = 1 if count < 2 else 0
    choices[count] += 1
    measures[DECISIONS] += 1
    measures[REAL] += 1 - forced
    measures[BITS] += bits
    code = log[row, 4]
    for kind in range(kinds.shape[0]):
        if kinds[kind, 0] <= code <= kinds[kind, 1]:
            decisions[kind, 0] += 1 - seen[kind]
            decisions[kind, 1] += 1
            decisions[kind, 2] += forced
            decisions[kind, 3] += bits
            seen[kind] = 1


@step
def count_wait(seat, last, number, waits, measures):
    """Count the decisions of others since the last one of this seat. last : int64 (seats,), from 1; 0 before the first"""
    between = number - last[seat] - 1
    if last[seat] > 0 and between > 0:
        waits[min(between, waits.size - 1)] += 1
        measures[WAITS] += 1
        measures[WAITED] += between
        measures[LONGEST_WAIT] = max(measures[LONGEST_WAIT], between)
    last[seat] = number


@step
def lead_in_steps(difference, unit):
    """A lead in whole steps, rounded towards 0, at most `REACH` either way."""
    steps = abs(difference) // unit
    return min(steps, REACH) if difference >= 0 else -min(steps, REACH)


@step
def look_at(now, outcome, position, length, span, roots, carried, measures):
    """How everybody stands at a position, compared with how it ends.

    now, outcome : (seats,), the standings, and 1 for those who have the outcome in the end
    carried : int64 (3,): the last sole leader or -1, and the decisions and roots while nobody who has the outcome led
    """
    best, holder, others, sole, leaders = now[0], -(2**62), -(2**62), -1, 0
    for seat in range(outcome.size):
        best = max(best, now[seat])
        if outcome[seat] != 0:
            holder = max(holder, now[seat])
        else:
            others = max(others, now[seat])
    for seat in range(outcome.size):
        if now[seat] == best:
            leaders += 1
            sole = seat
    if leaders > 1:
        sole = -1
    if sole >= 0:
        if carried[0] >= 0 and carried[0] != sole:
            measures[LEAD_CHANGES] += 1
        carried[0] = sole
    if position < length:
        measures[TIED] += 1 if sole < 0 else 0
        if others >= holder:
            measures[DECIDED] = position + 1
        if holder < best:
            carried[1] += 1
            carried[2] += roots[PERMILLE * (best - holder) // span]
            measures[COMEBACK] = max(measures[COMEBACK], best - holder)
    return sole


@step
def credit_of(outcome, seat):
    """The part of the outcome that a seat has, in units of 1/2520."""
    having = 0
    for other in range(outcome.size):
        having += outcome[other]
    return WHOLE // having if having > 0 and outcome[seat] != 0 else 0


@step
def note_states(now, position, length, unit, states):
    """At the points of time: the lead of each seat over the best of the others, or where it stands if it is alone."""
    seats = states.shape[1]
    for time in range(TIMES):
        if position == length * (2 * time + 1) // (2 * TIMES):
            for seat in range(seats):
                rival = 0 if seats == 1 else -(2**62)
                for other in range(seats):
                    if other != seat:
                        rival = max(rival, now[other])
                states[time, seat] = lead_in_steps(now[seat] - rival, unit)


@step
def position_reached(now, outcome, position, length, span, unit, roots, carried, measures, states):
    """All that is looked at in a position."""
    note_states(now, position, length, unit, states)
    if states.shape[1] > 1:
        sole = look_at(now, outcome, position, length, span, roots, carried, measures)
        if sole >= 0:
            credit = credit_of(outcome, sole)
            for quarter in range(3):
                if position == length * (quarter + 1) // 4:
                    measures[LEADER_25 + quarter] = credit


@step
def lead_through(log, rows, outcome, length, span, unit, roots, measures, states):
    """Go through the positions of a trace. states : int8 (times, seats), overwritten; one seat for a team"""
    now = np.zeros(MAX_SEATS, np.int64)
    carried = np.array([-1, 0, 0])
    measures[LEAD_CHANGES] = 0
    measures[TIED] = 0
    measures[DECIDED] = 0
    measures[COMEBACK] = 0
    position = 0
    for row in range(1, rows + 1):
        if log[row, 0] == STANDING:
            now[log[row, 1]] = log[row, 2]
        elif log[row, 0] == DECISION:
            position_reached(now, outcome, position, length, span, unit, roots, carried, measures, states)
            position += 1
    position_reached(now, outcome, length, length, span, unit, roots, carried, measures, states)
    if length > 0:
        measures[TIED] = PERMILLE * measures[TIED] // length
        measures[DECIDED] = PERMILLE * measures[DECIDED] // length
        measures[BEHIND] = PERMILLE * carried[1] // length
        measures[DRAMA] = carried[2] // max(carried[1], 1)


@entry
def reduce(
    log, players, unit, conditions, begins, kinds, bits_of, roots,
    events, clauses, decisions, choices, waits, measures, states,
):  # fmt: skip
    """Add a trace to the counts.

    log        : int32 (rows, 6), row 0 counts them        players : int32 (seats, fields): the outcome is field 1
    unit       : step of a lead; 0 for a game that does not say how it stands
    conditions : int64 (conditions, 12): code, clause, lowest and highest of five numbers, by code
    begins     : int64 (EVENTS + 1,), the first condition of each code      kinds : int64 (kinds, 2), of choice codes
    bits_of, roots : the tables `BITS_OF` and `ROOTS`
    events     : int64 (2, EVENTS) and clauses : int64 (2, clauses): playouts, times
    decisions  : int64 (kinds, 4): playouts, decisions, forced ones, bits
    choices, waits : int64 (MOST + 1,)
    measures   : int64 (MEASURES,), of this playout, overwritten
    states     : int8 (TIMES, seats), of this playout, overwritten; one seat for a team
    """
    seats = players.shape[0]
    rows = np.int64(log[0, 0])
    measures[:] = 0
    measures[CUT] = 1 if rows + 1 >= log.shape[0] else 0
    measures[LEAD_CHANGES : LEADER_75 + 1] = NOT_DEFINED
    seen = np.zeros(EVENTS, np.int64)
    seen_clauses = np.zeros(clauses.shape[1], np.int64)
    seen_kinds = np.zeros(kinds.shape[0], np.int64)
    last = np.zeros(MAX_SEATS, np.int64)
    lowest, highest = np.int64(2**62), np.int64(-(2**62))
    for row in range(1, rows + 1):
        code = log[row, 0]
        if code >= 0:
            events[0, code] += 1 - seen[code]
            events[1, code] += 1
            seen[code] = 1
            count_event(log, row, conditions, begins, seen_clauses, clauses)
        if code == DECISION:
            count_decision(log, row, kinds, seen_kinds, bits_of, choices, decisions, measures)
            count_wait(log[row, 1], last, measures[DECISIONS], waits, measures)
        elif code == STANDING:
            lowest = min(lowest, np.int64(log[row, 2]))
            highest = max(highest, np.int64(log[row, 2]))
    outcome = np.zeros(states.shape[1], np.int64)
    having = 0
    for seat in range(seats):
        if seat < outcome.size:
            outcome[seat] = players[seat, 1]
            having += players[seat, 1]
    if unit > 0 and (having > 0 or outcome.size == 1):
        span = max(highest - lowest, np.int64(1))
        lead_through(log, rows, outcome, measures[DECISIONS], span, unit, roots, measures, states)
        if outcome.size == 1:
            measures[LEAD_CHANGES : LEADER_75 + 1] = NOT_DEFINED
