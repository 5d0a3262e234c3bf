"""Evidence that may be looked at as often as one likes: e-values. At 20 or more, reject for good at 5 %."""

import numpy as np

from simkit.stats.intervals import counted
from simkit.stats.normal import Floats, Numbers, plain


def rate_evidence(wins: Numbers, playouts: Numbers, rate: Numbers, prior: float = 1.0) -> Floats:
    """Natural logarithm of the e-value against 'the rate is `rate`', for independent playouts.

    wins, playouts, rate : of one shape     prior : parameter of the symmetric beta mixture over other rates; 1 is uniform
    returns : above ln 20 = 3.0 the rate is another; infinite where what happened cannot be at this rate
    source  : as for `seats_evidence`
    """
    from scipy import special  # slow to import

    k, n = counted(wins, playouts)
    p = np.asarray(rate, float)
    mixture = special.betaln(prior + k, prior + n - k) - special.betaln(prior, prior)
    return plain(np.asarray(mixture - special.xlogy(k, p) - special.xlog1py(n - k, -p)))


def seats_evidence(wins: Numbers, fair: Numbers | None = None, prior: float = 1.0) -> float:
    """Natural logarithm of the e-value against 'each seat wins its fair share', one winner in each playout.

    wins   : (seats,)     fair : (seats,) shares that sum to 1, equal by default
    prior  : parameter of the symmetric Dirichlet mixture over all other shares; 1 is uniform
    returns: above ln 20 = 3.0 the shares are not fair, below 0 the data speak for them
    source : H. Robbins, Ann. Math. Stat. 41 (1970), 1397-1409: mixtures are martingales
    """
    from scipy import special  # slow to import

    counts = np.asarray(wins, float)
    seats, n = counts.size, counts.sum()
    shares = np.full(seats, 1 / seats) if fair is None else np.asarray(fair, float)
    mixture = special.gammaln(seats * prior) - special.gammaln(seats * prior + n)
    mixture += (special.gammaln(prior + counts) - special.gammaln(prior)).sum()
    return float(mixture - special.xlogy(counts, shares).sum())
