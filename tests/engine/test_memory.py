"""Any number of playouts in constant memory."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from simkit import api
from simkit.engine.execute import missing
from simkit.engine.plan import PART
from simkit.engine.tally import MERGED_AT_ONCE, merge_frames
from simkit.engine.worker import play
from simkit.spec import GameSpec
from simkit.store import Run
from tests.conftest import PROJECT
from tests.contract.sampling import settings


def test_parts_are_added_up_a_few_at_a_time(spec: GameSpec) -> None:
    """Whoever reads the parts is asked for the next ones only when those before are summed."""
    frame = play(next(settings(spec, 1, seed=33)).job, 0, 200).tally.frame()
    asked = 0

    def parts():  # type: ignore[no-untyped-def]
        nonlocal asked
        for _ in range(3 * MERGED_AT_ONCE):
            asked += 1
            yield frame

    total = merge_frames(parts())
    assert asked == 3 * MERGED_AT_ONCE
    assert total["count"].sum() == asked * frame["count"].sum()
    assert total.height == frame.height


# ru_maxrss would be that of the test's own process, if that is larger
TELLS = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell a process's peak")


def peak_of_a_run(playouts: int, tally_only: bool) -> float:
    """MB that a run of Propuh alone takes at its peak, in a process of its own."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from simkit import api\n"
        "asked = api.question('propuh', preset='solo-2', playouts=int(sys.argv[2]), policies={'all': 'random'})\n"
        "api.run(asked, out='run-' + sys.argv[2], tally_only=bool(int(sys.argv[3])))\n"
        "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    )
    args = [sys.executable, "-c", code, str(PROJECT), str(playouts), str(int(tally_only))]
    return float(subprocess.run(args, capture_output=True, text=True, check=True).stdout) / 1024


@TELLS
@pytest.mark.parametrize("playouts", [10**6, *(pytest.param(n, marks=pytest.mark.soak) for n in (10**7, 10**8))])
def test_the_peak_is_flat(playouts: int) -> None:
    """Ten times the playouts with counts only: the peak of memory is the same within a tenth, and under 600 MB."""
    peaks = [peak_of_a_run(n, True) for n in (playouts, 10 * playouts)]
    assert peaks[1] < 1.1 * peaks[0]
    assert max(peaks) < 600


@TELLS
def test_rows_take_no_more_memory_the_more_there_are() -> None:
    """Two million and six: within a fifth, and under 600 MB."""
    peaks = [peak_of_a_run(n, False) for n in (2 * 10**6, 6 * 10**6)]
    assert peaks[1] < 1.2 * peaks[0]
    assert max(peaks) < 600


def test_listing_parts_takes_a_time_in_proportion_to_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times as many parts, as of twenty thousand million playouts: far from sixteen times the time. Saved once, at the
    end: how often it is saved on the way hangs on the clock.
    """
    monkeypatch.setattr("simkit.store.MANIFEST_SECONDS", 1e9)
    manifest = api.manifest_of(api.question("propuh"), True)
    taken = []
    for count in (20_000, 80_000):
        run = Run.create(f"run-{count}", manifest)
        start = time.process_time()
        for number in range(count):
            entry = {"rows": 5000, "bytes": 15_000, "sha256": f"{number:064x}"}
            run.commit(0, number, number * PART, PART, {"tallies": entry})
        run.save(force=True)
        taken.append(time.process_time() - start)
        run.close()
        assert len(Run.read(f"run-{count}").committed()) == count
    assert taken[1] < 10 * taken[0]
    assert taken[1] / 80_000 < 0.001, "less than a thousandth of a second for a part that takes half a second to play"


def test_parts_are_made_as_they_are_needed() -> None:
    """The first part of a run of 10^13 playouts is there at once."""
    recipe = api.question("propuh", playouts=1).recipe
    run = Run.create("run", api.manifest_of(api.Question(recipe, 10**13), True))
    first = next(missing(run, recipe))
    assert (first.group, first.number, first.first) == (0, 0, 0)
    run.close()


def test_the_list_of_parts_is_saved_less_often_the_longer_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed driver loses at most what came since: a second's work, or fifty times what saving takes."""
    now = 0.0
    monkeypatch.setattr("simkit.store.time.monotonic", lambda: now)
    run = Run.create("run", api.manifest_of(api.question("propuh"), True))
    real = run.storage.write

    def slowly(name: str, content: bytes) -> None:
        nonlocal now
        now += 0.1
        real(name, content)

    def saves_in(commits: int) -> int:
        """How often the list on disk changes while a part is committed every half second."""
        nonlocal now
        seen = set()
        for number in range(commits):
            now += 0.5
            run.commit(0, number, number * PART, PART, {})
            seen.add(Path(run.folder, "manifest.json").stat().st_mtime_ns)
        return len(seen)

    assert saves_in(60) >= 15
    monkeypatch.setattr(type(run.storage), "write", lambda _, name, content: slowly(name, content))
    assert saves_in(60) <= 60 * 0.5 / (0.1 * 50) + 3
    run.close()
