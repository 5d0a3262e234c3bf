"""The observed sample: what a plain reading of the same traces says, the same bytes however it is made."""

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from simkit import api
from simkit.engine import observe
from simkit.engine.observe import frame_of, look, watch_of
from simkit.engine.reduce import BITS_OF, EVENTS, MEASURES, MOST, NOT_DEFINED, REACH, ROOTS, TIMES, reduce
from simkit.engine.verify import verify
from simkit.engine.worker import trace
from simkit.errors import RunError
from simkit.kernel.drive import DECISION, LOG_ROWS, STANDING, new_log
from simkit.spec import WHOLE, GameSpec
from simkit.store import Run
from tests.contract.sampling import Setting, settings

PLAYOUTS = 12


class Plain:
    """One trace, read in ordinary Python."""

    def __init__(self, setting: Setting, playout: int) -> None:
        spec = setting.spec
        events, _, players = trace(setting.job, playout)
        self.events = events.tolist()
        self.team = spec.cooperative
        self.step = spec.standing.step if spec.standing else 0
        outcome = [player[spec.outcome] for player in players]
        self.outcome = outcome[:1] if self.team else outcome
        self.decisions = [event for event in self.events if event[0] == DECISION]
        self.positions = self.read_positions(len(players))

    def read_positions(self, seats: int) -> list[list[int]]:
        now = [0] * seats
        found = []
        for code, a, b, *_ in self.events:
            if code == STANDING:
                now[a] = b
            elif code == DECISION:
                found.append(now[: len(self.outcome)])
        return [*found, now[: len(self.outcome)]]

    def waits(self) -> list[int]:
        last: dict[int, int] = {}
        found = []
        for number, (_, seat, *_) in enumerate(self.decisions):
            if seat in last and number - last[seat] > 1:
                found.append(number - last[seat] - 1)
            last[seat] = number
        return found

    def measures(self) -> dict[str, int]:
        waits = self.waits()
        found = dict.fromkeys(MEASURES, NOT_DEFINED)
        found |= {
            "decisions": len(self.decisions),
            "real_decisions": sum(event[3] > 1 for event in self.decisions),
            "choice_bits": sum(round(1e6 * np.log2(min(event[3], MOST))) for event in self.decisions),
            "waits": len(waits),
            "waited": sum(waits),
            "longest_wait": max(waits, default=0),
            "cut": 0,
        }
        if self.step and len(self.outcome) > 1 and any(self.outcome):
            found |= self.leads()
        return found

    def leads(self) -> dict[str, int]:
        length = len(self.decisions)
        values = [event[2] for event in self.events if event[0] == STANDING]
        span = max(max(values) - min(values), 1)
        leaders = [
            {seat for seat, value in enumerate(position) if value == max(position)} for position in self.positions
        ]
        having = {seat for seat, had in enumerate(self.outcome) if had}
        sole = [next(iter(who)) for who in leaders if len(who) == 1]
        behind = [
            max(position) - max(position[seat] for seat in having)
            for position, who in zip(self.positions[:-1], leaders[:-1], strict=True)
            if not who & having
        ]
        unsettled = [number for number, who in enumerate(leaders[:-1]) if who - having]
        found = {
            "lead_changes": sum(a != b for a, b in itertools.pairwise(sole)),
            "tied": 1000 * sum(len(who) > 1 for who in leaders[:-1]) // length,
            "behind": 1000 * len(behind) // length,
            "drama": sum(int(np.sqrt(1000 * (1000 * gap // span))) for gap in behind) // max(len(behind), 1),
            "decided": 1000 * (unsettled[-1] + 1 if unsettled else 0) // length,
            "comeback": max(behind, default=0),
        }
        for quarter in (1, 2, 3):
            who = leaders[length * quarter // 4]
            if len(who) == 1:
                part = Fraction(WHOLE, len(having)) if who <= having else Fraction(0)
                found[f"leader_{25 * quarter}"] = int(part)
        return found

    def states(self) -> list[list[int]]:
        length = len(self.decisions)
        found = []
        for time in range(TIMES):
            position = self.positions[length * (2 * time + 1) // (2 * TIMES)]
            leads = [
                value - max([other for at, other in enumerate(position) if at != seat], default=0)
                for seat, value in enumerate(position)
            ]
            found.append([int(np.sign(lead)) * min(abs(lead) // self.step, REACH) for lead in leads])
        return found


def test_traces_are_reduced_to_what_they_say(spec: GameSpec) -> None:
    watch = watch_of(spec.name)
    for setting in settings(spec, 12, seed=61, costly=False):
        found = look(setting.job, 5, PLAYOUTS)
        plain = [Plain(setting, playout) for playout in range(5, 5 + PLAYOUTS)]
        for i, one in enumerate(plain):
            assert dict(zip(MEASURES, found.measures[i].tolist(), strict=True)) == one.measures(), setting
            assert found.states[i].tolist() == (one.states() if spec.standing else [[0] * len(one.outcome)] * TIMES)
            assert found.outcomes[i].tolist() == one.outcome
        codes = [[event[0] for event in one.events if event[0] >= 0] for one in plain]
        times = Counter(code for mine in codes for code in mine)
        having = Counter(code for mine in codes for code in set(mine))
        assert found.events.tolist() == [[counts[code] for code in range(EVENTS)] for counts in (having, times)]
        choices = Counter(min(event[3], MOST) for one in plain for event in one.decisions)
        assert {n: c for n, c in enumerate(found.choices.tolist()) if c} == choices
        assert {n: c for n, c in enumerate(found.waits.tolist()) if c} == Counter(
            w for one in plain for w in one.waits()
        )
        assert watch.clauses, "a game says what shows its rules"
        check_clauses(spec, plain, found)
        check_kinds(spec, plain, found)


def fits(event: Sequence[int], shown: Any) -> bool:
    return event[0] == shown.code and all(
        low <= number <= high for number, (low, high) in zip(event[1:], shown.ranges, strict=True)
    )


def check_clauses(spec: GameSpec, plain: list[Plain], found: Any) -> None:
    assert spec.coverage is not None
    watched = [item for item in spec.coverage.shown if item.events]
    assert watch_of(spec.name).clauses == tuple(item.name for item in watched)
    for number, item in enumerate(watched):
        each = [sum(fits(event, shown) for event in one.events for shown in item.events) for one in plain]
        assert found.clauses[:, number].tolist() == [sum(n > 0 for n in each), sum(each)], item.name


def check_kinds(spec: GameSpec, plain: list[Plain], found: Any) -> None:
    assert spec.coverage is not None
    for kind, counts in zip(spec.coverage.decisions, found.decisions.tolist(), strict=True):
        mine = [[event[3] for event in one.decisions if kind.low <= event[4] <= kind.high] for one in plain]
        every = [count for counts_ in mine for count in counts_]
        bits = sum(round(1e6 * np.log2(min(count, MOST))) for count in every)
        assert counts == [sum(map(bool, mine)), len(every), sum(count < 2 for count in every), bits], kind.name


# --- published figures --------------------------------------------------------------------------------------------

# P. 4.7 T1 of the reference values: the win chance of A at the start and after each of nine turns; A wins
CHANCES = (500, 420, 350, 400, 300, 450, 620, 550, 800, 1000)


def reduced(positions: Sequence[Sequence[int]], outcome: Sequence[int]) -> dict[str, int]:
    """The measures of a made-up trace: how everybody stands before each decision and after the last."""
    log = new_log()
    for number, position in enumerate(positions):
        for seat, value in enumerate(position):
            log[0, 0] += 1
            log[log[0, 0], :3] = STANDING, seat, value
        if number + 1 < len(positions):
            log[0, 0] += 1
            log[log[0, 0], :5] = DECISION, number % len(outcome), 0, 2, 0
    seats = len(outcome)
    players = np.zeros((seats, 2), np.int32)
    players[:, 1] = outcome
    measures = np.zeros(len(MEASURES), np.int64)
    reduce(
        log, players, 1, np.zeros((0, 12), np.int64), np.zeros(EVENTS + 1, np.int64), np.zeros((0, 2), np.int64),
        BITS_OF, ROOTS, np.zeros((2, EVENTS), np.int64), np.zeros((2, 0), np.int64), np.zeros((0, 4), np.int64),
        np.zeros(MOST + 1, np.int64), np.zeros(MOST + 1, np.int64), measures, np.zeros((TIMES, seats), np.int8),
    )  # fmt: skip
    return dict(zip(MEASURES, measures.tolist(), strict=True))


def test_a_game_of_nine_turns_has_the_known_figures() -> None:
    found = reduced([(chance, 1000 - chance) for chance in CHANCES], (1, 0))
    assert found["lead_changes"] == 1
    assert found["behind"] == 1000 * 5 // 9
    assert found["drama"] == 468  # 0.46872, cut off
    assert found["decided"] == 1000 * 6 // 9
    assert found["comeback"] == 400
    assert found["decisions"] == 9


def test_a_shared_outcome_is_settled_when_nobody_else_leads() -> None:
    found = reduced([(0, 0, 0), (2, 1, 3), (3, 3, 2), (4, 4, 2)], (1, 1, 0))
    assert found["decided"] == 1000 * 2 // 3
    assert found["behind"] == 333
    assert found["leader_25"] == NOT_DEFINED, "all are tied before the first decision"
    assert found["leader_50"] == 0, "the third seat leads alone and is not among the winners"
    assert found["leader_75"] == NOT_DEFINED


def test_who_is_stopped_for_want_of_room_is_told(spec: GameSpec) -> None:
    found = look(next(settings(spec, 1, seed=62, costly=False)).job, 0, 3)
    assert found.measures[:, MEASURES.index("cut")].sum() == 0
    log = new_log()
    log[0, 0] = LOG_ROWS - 1
    log[1:, 0] = 1
    measures = np.zeros(len(MEASURES), np.int64)
    reduce(
        log, np.zeros((1, 2), np.int32), 0, np.zeros((0, 12), np.int64), np.zeros(EVENTS + 1, np.int64),
        np.zeros((0, 2), np.int64), BITS_OF, ROOTS, np.zeros((2, EVENTS), np.int64), np.zeros((2, 0), np.int64),
        np.zeros((0, 4), np.int64), np.zeros(MOST + 1, np.int64), np.zeros(MOST + 1, np.int64), measures,
        np.zeros((TIMES, 1), np.int8),
    )  # fmt: skip
    assert measures[MEASURES.index("cut")] == 1


# --- as a table -----------------------------------------------------------------------------------------------------


def test_states_tell_what_became_of_them(spec: GameSpec) -> None:
    setting = next(settings(spec, 1, seed=63, costly=False))
    found = look(setting.job, 0, 200)
    frame = frame_of(7, found, watch_of(spec.name), setting.job.per_deal)
    assert frame["cell"].unique().to_list() == [7]
    states = frame.filter(pl.col("kind") == "state")
    having = found.outcomes.sum(axis=1)
    ended = (having > 0) | (found.outcomes.shape[1] == 1)
    credit = sum(WHOLE for n in having.tolist() if n)
    for time in range(TIMES):
        mine = states.filter(pl.col("key") == str(time))
        assert mine["playouts"].sum() == ended.sum() * found.outcomes.shape[1]
        assert mine["total"].sum() == credit
        leads = Counter(found.states[ended][:, time].flatten().tolist())
        assert dict(zip(mine["value"].to_list(), mine["playouts"].to_list(), strict=True)) == leads
    measures = frame.filter(pl.col("kind") == "measure", pl.col("key") == "decisions")
    assert measures["playouts"].sum() == 200
    assert measures["total"].sum() == found.measures[:, 0].sum()


def test_a_sample_is_made_once_and_made_again_when_it_has_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = observe.by_cell
    monkeypatch.setattr(observe, "by_cell", lambda *args: calls.append(1) or original(*args))
    run = api.run(api.question("propuh", playouts=300), out=Path("run"))
    assert len(calls) == 1
    first = (run.folder / "observed.parquet").read_bytes()
    assert run.observed().filter(pl.col("kind") == "measure", pl.col("key") == "decisions")["playouts"].sum() == 600
    api.extend(run.folder, 300)
    assert len(calls) == 1, "it is there and whole"
    (run.folder / "observed.parquet").write_bytes(b"damaged")
    with pytest.raises(RunError, match=r"observed\.parquet"):
        list(verify(Run.read(run.folder), 1))
    api.extend(run.folder, 300)
    assert len(calls) == 2
    assert (run.folder / "observed.parquet").read_bytes() == first
    assert any("traced again" in line for line in verify(Run.read(run.folder), 1))
    api.extend(run.folder, 2000)
    assert len(calls) == 3
    longer = Run.read(run.folder)
    assert longer.manifest["observed"]["playouts"] == 1000
    whole = api.run(api.question("propuh", playouts=2000), out=Path("whole"), jobs=3)
    assert (longer.folder / "observed.parquet").read_bytes() == (whole.folder / "observed.parquet").read_bytes()
    api.extend(run.folder, 3000)
    assert len(calls) == 4, "only the run of its own was observed in between: longer runs have the same sample"


def test_work_units_leave_no_trace(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "SAMPLE", 40)
    asked = api.question(spec.name, playouts=50, players=max(spec.players), policies={"all": "random"})
    whole = api.run(asked, out=Path("whole"), jobs=1)
    monkeypatch.setattr(observe, "UNIT", 7)
    split = api.run(asked, out=Path("split"), jobs=3)
    assert (whole.folder / "observed.parquet").read_bytes() == (split.folder / "observed.parquet").read_bytes()
    assert whole.manifest["observed"] == split.manifest["observed"]
