"""Is there a difference of a certain size, or none? The test that decides with the fewest deals, looked at as one goes."""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from simkit.stats.normal import Floats, Numbers, plain

NEVER_SEEN = 0.001  # what counts of 0 are taken for, as chess testers do, so that their numbers can be reproduced
HALVINGS = 64


@dataclass(frozen=True)
class Bounds:
    """Where the log-likelihood ratio ends the test: at `lower` for the first hypothesis, at `upper` for the second."""

    lower: float
    upper: float


def bounds(alpha: float = 0.05, beta: float = 0.05) -> Bounds:
    """The bounds for wrongly taking the second hypothesis with chance alpha, the first with chance beta.

    source : A. Wald, Ann. Math. Stat. 16 (1945), 117-186
    """
    return Bounds(log(beta / (1 - alpha)), log((1 - beta) / alpha))


def log_ratio(values: Numbers, counts: Numbers, first: float, second: float) -> Floats:
    """Log-likelihood ratio of 'the mean is `second`' against 'the mean is `first`', whatever else the distribution is.

    values  : (outcomes,), what a deal can come to; `first` and `second` lie strictly between the least and the largest
    counts  : (..., outcomes), how many deals came to it      returns : (...)
    Each hypothesis gets the likeliest distribution over the values that has its mean. For two values this is Wald's test.
    raises  : ValueError for a mean that the values cannot have
    source  : A. B. Owen, Empirical Likelihood (2001), 2.2; M. Van den Bergh's notes on the generalised test for chess
    """
    a = np.asarray(values, float)
    seen = np.asarray(counts, float)
    seen = np.where(seen > 0, seen, NEVER_SEEN)
    total = seen.sum(axis=-1, keepdims=True)
    p = seen / total
    weights = [weights_for(p, a - mean) for mean in (first, second)]
    return plain(np.asarray((seen * (np.log(weights[1]) - np.log(weights[0]))).sum(axis=-1)))


def weights_for(p: Any, off: Any) -> Any:
    """What each probability is multiplied by in the likeliest distribution with mean 0 of `off`: 1 / (1 + t off).

    p : (..., outcomes) above 0, sum to 1      off : (outcomes,), or of the shape of p      returns : (..., outcomes)
    """
    least, largest = off.min(axis=-1), off.max(axis=-1)
    if np.any(least >= 0) or np.any(largest <= 0):
        raise ValueError("a mean must lie between the least and the largest value")
    shape = p.shape[:-1]
    low, high = np.broadcast_to(-1 / largest, shape).copy(), np.broadcast_to(-1 / least, shape).copy()
    for _ in range(HALVINGS):
        t = (low + high) / 2
        scale = 1 + t[..., None] * off
        with np.errstate(divide="ignore", invalid="ignore"):
            # falls with t from above 0 to below; at the very ends a scale of 0 decides alone
            slope = (p * off / scale).sum(axis=-1)
        rising = slope > 0
        low, high = np.where(rising, t, low), np.where(rising, high, t)
    return 1 / (1 + ((low + high) / 2)[..., None] * off)
