"""Any number of playouts in constant memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from simkit.engine.tally import MERGED_AT_ONCE, merge_frames
from simkit.engine.worker import play
from simkit.spec import GameSpec
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


@pytest.mark.soak
def test_the_peak_is_flat(tmp_path: Path) -> None:
    """10 and 60 million playouts with tallies only: the peak of memory is the same within a tenth, and under 600 MB."""
    code = (
        "import sys, resource; sys.path.insert(0, {!r}); from pathlib import Path; from simkit import api\n"
        "asked = api.question('propuh', playouts={}, policies={{'all': 'random'}})\n"
        "api.run(asked, out=Path({!r}), tally_only=True); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    peaks = []
    for millions in (10, 60):
        script = code.format(str(PROJECT), millions * 1_000_000, str(tmp_path / f"run-{millions}"))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        peaks.append(float(done.stdout))
    assert peaks[1] < 1.1 * peaks[0]
    assert max(peaks) < 600
