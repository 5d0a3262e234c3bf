"""Telling what happens, in a trace."""

import numpy as np

from simkit.kernel.drive import note
from simkit.kernel.jit import loop


@loop  # folded in before types are known, so that bulk play compiles nothing, and a trace compiles `note` once
def tell(log, event, a, b, c, d):
    """Note an event and the numbers that belong to it (story.py); with None for a log, nothing."""
    if log is not None:
        note(log, np.int64(event), np.int64(a), np.int64(b), np.int64(c), np.int64(d), np.int64(0))
