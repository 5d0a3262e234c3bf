"""Evidence that may be looked at as often as one likes: e-values. At 20 or more, reject for good at 5 %."""

import numpy as np

from simkit.stats.normal import Numbers


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
