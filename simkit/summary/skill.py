"""How far choices carry: what each policy gets on a common ground, and how many steps there are from the worst to the best.

A ground is one seat among others that all play one policy, one role against one policy of the other, or a team or a single
player against the game. Only grounds with the rules as printed (or those of a printed difficulty) count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log10
from statistics import pstdev

from simkit.summary import words
from simkit.summary.alike import is_as_printed
from simkit.summary.evidence import Evidence

STEP = 0.10  # of a fair share: what one rung is at least, 55 % of the wins between two
ELO = 400.0  # points of a rating for odds of ten to one
MOST_ELO = 3000.0  # of a policy that has all or nothing


@dataclass(frozen=True)
class Way:
    """A policy on a ground, and how often it has the outcome (its share, for a seat among several)."""

    policy: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ground:
    players: int
    preset: str
    who: str  # 'one seat', the role, 'the team', 'the player'
    others: str  # the policy of all others; empty for a team and a single player
    fair: float  # what is due to a policy that is as good as those others; nan where nothing is
    is_good: bool
    ways: tuple[Way, ...]  # the worst first

    @property
    def name(self) -> str:
        """'3 players, Granny', 'solo-2'."""
        where = self.preset or words.players(self.players)
        return f"{where}, {self.who}" if self.has_role else where

    @property
    def has_role(self) -> bool:
        return self.who not in ("one seat", "the team", "the player")

    @property
    def is_shared(self) -> bool:
        """Whether the seats are alike, so that a share can be fair."""
        return self.fair == self.fair

    @cached_property
    def best(self) -> Way:
        return self.ways[-1]

    def way(self, policy: str) -> Way | None:
        return next((way for way in self.ways if way.policy == policy), None)

    def span(self, way: Way) -> tuple[float, float, float]:
        """Where a share lies between a fair one, 0, and all there is, 1 (none of it, where the outcome is bad)."""
        ends = [self.placed(end) for end in (way.value, way.low, way.high)]
        return ends[0], min(ends[1:]), max(ends[1:])

    def placed(self, share: float) -> float:
        return (share - self.fair) / (1 - self.fair) if self.is_good else (self.fair - share) / self.fair

    def rating(self, way: Way) -> tuple[float, float, float]:
        """Elo points above the others, or, with roles, above the worst way on this ground; nan where that has all or nothing.

        Of one among several: the odds of having the outcome against those of one of the others (Luce's choice rule). Where the
        outcome is bad, having it counts against the policy. Of a role: both ranges are taken together, which is safe.
        """
        fair = 1 / self.players
        below = self.ways[0]
        reference = Way("", fair, fair, fair) if self.is_shared else below
        if reference.value in (0, 1):
            return (float("nan"),) * 3
        sign = 1 if self.is_good else -1
        # a fair share is 1 of k, odds of 1 to k - 1: what one of k - 1 others has who fare alike beside one as good as they
        pairs = ((way.value, reference.value), (way.low, reference.high), (way.high, reference.low))
        ends = [sign * elo(odds(mine) / odds(theirs)) for mine, theirs in pairs]
        return ends[0], min(ends[1:]), max(ends[1:])

    def is_reference(self, way: Way) -> bool:
        """Whether others are rated against it."""
        return way.policy == self.others if self.is_shared else way == self.ways[0]


def odds(share: float) -> float:
    share = min(max(share, 1e-9), 1 - 1e-9)
    return share / (1 - share)


def elo(times: float) -> float:
    return min(max(ELO * log10(times), -MOST_ELO), MOST_ELO)


# --- grounds --------------------------------------------------------------------------------------------------------


def grounds(evidence: Evidence) -> list[Ground]:
    """Every ground on which two policies or more were tried, in the order of the run."""
    make = among_others if evidence.is_alike else by_role if evidence.spec.roles else as_team
    return [ground for ground in make(evidence) if len(ground.ways) > 1]


def printed_cells(evidence: Evidence) -> list[int]:
    """Cells with the rules as printed, or exactly those of a printed difficulty."""
    cells = [cell for cell in evidence.recipe.cells if not cell.swap]
    return [
        cell.id
        for cell in cells
        if cell.id in evidence.as_printed or (cell.preset and is_as_printed(evidence.recipe, cell))
    ]


def made(
    evidence: Evidence, where: tuple[int, str], who: str, others: str, fair: float, ways: dict[str, Way]
) -> Ground:
    is_good = evidence.outcome.is_good
    ordered = sorted(ways.values(), key=lambda way: way.value if is_good else -way.value)
    return Ground(*where, who, others, fair, is_good, tuple(ordered))


def among_others(evidence: Evidence) -> Iterator[Ground]:
    """One seat among others that play alike. Playing like all others gets a fair share exactly."""
    mine = evidence.shares[evidence.shares["cell"].isin(printed_cells(evidence)) & (evidence.shares["rest"] != "")]
    presets = {cell.id: cell.preset for cell in evidence.recipe.cells}
    mine = mine.assign(preset=mine["cell"].map(presets)).drop_duplicates(["players", "preset", "rest", "policy"])
    for (players, preset, rest), rows in mine.groupby(["players", "preset", "rest"], sort=False):
        fair = 1 / int(players)
        ways = {row.policy: Way(row.policy, row.share, row.family_low, row.family_high) for row in rows.itertuples()}
        ways[str(rest)] = Way(str(rest), fair, fair, fair)
        yield made(evidence, (int(players), str(preset)), "one seat", str(rest), fair, ways)


def by_role(evidence: Evidence) -> Iterator[Ground]:
    """One role against each policy of the other, and a role that plays alone."""
    rates = evidence.seats.set_index(["cell", "turn_order"])
    for seat, role in enumerate(evidence.spec.roles):
        found: dict[tuple[int, str, str], dict[str, Way]] = {}
        for number in printed_cells(evidence):
            cell = evidence.recipe.cells[number]
            if seat < cell.players <= 2:
                others = "".join(cell.policies[:seat] + cell.policies[seat + 1 :])
                row = rates.loc[(number, seat)]
                way = Way(cell.policies[seat], float(row["rate"]), float(row["low"]), float(row["high"]))
                found.setdefault((cell.players, cell.preset, others), {}).setdefault(way.policy, way)
        for (players, preset, others), ways in found.items():
            yield made(evidence, (players, preset), role, others, float("nan"), ways)


def as_team(evidence: Evidence) -> Iterator[Ground]:
    """All seats of a team play one policy."""
    rates = evidence.cells.set_index("cell")
    found: dict[tuple[int, str], dict[str, Way]] = {}
    for number in printed_cells(evidence):
        cell = evidence.recipe.cells[number]
        if len(set(cell.policies)) == 1:
            row = rates.loc[number]
            way = Way(cell.policies[0], float(row["rate"]), float(row["low"]), float(row["high"]))
            found.setdefault((cell.players, cell.preset), {}).setdefault(way.policy, way)
    for (players, preset), ways in found.items():
        who = "the team" if players > 1 else "the player"
        yield made(evidence, (players, preset), who, "", float("nan"), ways)


# --- what follows from them -----------------------------------------------------------------------------------------


def clears(ground: Ground, better: Way, worse: Way) -> bool:
    """Whether one way is surely a rung above another: alone among those who play the other it gets a tenth more than its fair
    share (a tenth less, where the outcome is bad); without fair shares, five points more on the same ground.
    """
    if ground.is_shared:
        return worse.policy == ground.others and (
            better.low > (1 + STEP) * ground.fair if ground.is_good else better.high < (1 - STEP) * ground.fair
        )
    apart = better.low - worse.high if ground.is_good else worse.low - better.high
    return apart > STEP / 2


def above(grounds: Sequence[Ground]) -> set[tuple[str, str]]:
    """Which policy is surely a rung above which, on any of some grounds."""
    return {
        (better.policy, worse.policy)
        for ground in grounds
        for better in ground.ways
        for worse in ground.ways
        if clears(ground, better, worse)
    }


def ladder(grounds: Sequence[Ground]) -> list[tuple[str, ...]]:
    """The longest chain of policies of which each surely stands above the one before and below none of them, the lowest rung
    first; the first and the last rung have all that fit there. Of equally long ones the first by name, so that it does not
    hang on noise. Empty if no two policies are surely apart.

    grounds : those of one player count and role; without fair shares a single one
    """
    pairs = above(grounds)
    names = sorted({way.policy for ground in grounds for way in ground.ways})

    def next_rungs(chain: list[str]) -> list[str]:
        return [
            name
            for name in names
            if name not in chain
            and (not chain or (name, chain[-1]) in pairs)
            and not any((below, name) in pairs for below in chain)
        ]

    def longest(chain: list[str]) -> list[str]:
        return max((longest([*chain, name]) for name in next_rungs(chain)), key=len, default=chain)

    chain = longest([])
    if len(chain) < 2:
        return []
    level = [name for name in names if name not in chain and (chain[1], name) in pairs]
    lowest = [name for name in level if not any((name, other) in pairs for other in chain)]
    return [(chain[0], *lowest), *((name,) for name in chain[1:-1]), tuple(next_rungs(chain[:-1]))]


def baseline(evidence: Evidence, grounds: Sequence[Ground]) -> str:
    """The policy that others are measured among: the game's first (random), if it was tried there."""
    first = evidence.spec.policies[0].name
    return first if any(ground.others == first for ground in grounds) else ""


def both_roles(evidence: Evidence, grounds: Sequence[Ground]) -> tuple[list[Ground], tuple[float, float, float]] | None:
    """For a game of two roles: the grounds of each role against the baseline, and the skill span of the best way in each of
    them, taken together: 0 if they have half of all that is won, 1 if they have all.
    """
    base = baseline(evidence, grounds)
    mine = [ground for ground in grounds if base and ground.others == base and ground.players == 2]
    if len(mine) != 2 or {ground.who for ground in mine} != set(evidence.spec.roles):
        return None
    sign = 1 if evidence.outcome.is_good else -1
    ends = [sign * (sum(end) - 1) for end in zip(*((g.best.value, g.best.low, g.best.high) for g in mine), strict=True)]
    return mine, (ends[0], min(ends[1:]), max(ends[1:]))


def spread(ground: Ground) -> float | None:
    """The standard deviation of the ratings of the policies tried on a ground, in Elo points; None for fewer than three, where
    nobody else plays, and where a policy has all or nothing.
    """
    ratings = [ground.rating(way)[0] for way in ground.ways]
    is_told = len(ratings) > 2 and (ground.is_shared or ground.others) and all(abs(each) < MOST_ELO for each in ratings)
    return pstdev(ratings) if is_told else None
