"""Playing cells without a run folder: only who had the outcome is kept."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from simkit.engine.worker import Job, play

if TYPE_CHECKING:
    from simkit.engine.execute import Progress

AT_ONCE = 2**20  # playouts held in memory, of each cell


def outcomes(job: Job, first: int, playouts: int, jobs: int) -> Any:
    """Who had the outcome in playouts `first`, first + 1, ...: uint16 (playouts,), bit t for turn order t."""
    stop = np.zeros(1, np.uint8)
    ends = [first + playouts * i // jobs for i in range(jobs + 1)]
    work = (delayed(play)(job, ends[i], ends[i + 1] - ends[i], 0, stop) for i in range(jobs))
    try:
        return np.concatenate([played.won for played in Parallel(n_jobs=jobs, backend="threading")(work)])
    except BaseException:
        stop[0] = 1
        raise


def outcomes_of(
    cells: dict[int, Job], begin: int, end: int, jobs: int, progress: "Progress"
) -> Iterator[dict[int, Any]]:
    """The outcomes of some cells in deals `begin` to `end` - 1, by cell, in pieces of whole deals."""
    size = max(AT_ONCE // max(job.per_deal for job in cells.values()), 1)
    for first in range(begin, end, size):
        deals = min(size, end - first)
        found = {}
        for cell, job in cells.items():
            found[cell] = outcomes(job, first * job.per_deal, deals * job.per_deal, jobs)
            progress.advance(deals * job.per_deal)
        yield found
