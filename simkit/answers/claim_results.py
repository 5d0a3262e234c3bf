"""What came of claims: as plain data that can be kept, as a table, and as what changed since the last time."""

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from simkit.answers.claims import LEVEL, Trial, Verdict
from simkit.scenario.claims import SIZES, Claim, Claims
from simkit.stats.multiplicity import family_wise_level
from simkit.summary import words

Word = Literal["holds", "fails", "undecided"]
PAST: dict[Word, str] = {"holds": "held", "fails": "failed", "undecided": "was undecided"}
ONE: dict[Word, str] = {"holds": "holds", "fails": "fails", "undecided": "is undecided"}
MANY: dict[Word, str] = {"holds": "hold", "fails": "fail", "undecided": "are undecided"}


class Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ClaimResult(Stored):
    """One claim decided. Numbers are per cent for rates, else points."""

    name: str
    metric: str
    wanted: str
    verdict: Word
    value: float
    low: float
    high: float
    unit: Literal["per cent", "points"]
    cell: str
    playouts: int

    @property
    def found(self) -> str:
        """'33.8 % (30.3 to 37.4)', '28.9 points (16.1 to 41.8)'."""
        if self.unit == "per cent":
            return words.rate(self.value / 100, self.low / 100, self.high / 100)
        digits = words.decimals((self.high - self.low) / 2)
        return f"{self.value:.{digits}f} points ({self.low:.{digits}f} to {self.high:.{digits}f})"


class Result(Stored):
    """All claims of a file decided."""

    schema_version: Literal[1] = 1
    title: str
    seed: str
    playouts: int  # the most that a cell might take
    verdict: Word
    claims: list[ClaimResult]


def result_of(claims: Claims, trials: list[Trial]) -> Result:
    verdicts = {trial.verdict for trial in trials}
    worst = next(verdict for verdict in (Verdict.FAILS, Verdict.OPEN, Verdict.HOLDS) if verdict in verdicts)
    return Result(
        title=claims.title or trials[0].recipe.spec.title,
        seed=str(claims.seed),
        playouts=claims.playouts,
        verdict=worst.value,
        claims=[
            ClaimResult(
                name=trial.claim.name,
                metric=trial.claim.metric,
                wanted=wanted(trial.claim),
                verdict=trial.verdict.value,
                value=trial.value,
                low=trial.low,
                high=trial.high,
                unit="points" if trial.claim.metric in SIZES else "per cent",
                cell=trial.cell,
                playouts=trial.playouts,
            )
            for trial in trials
        ],
    )


def wanted(claim: Claim) -> str:
    """'at most 10 points', '30 to 70 %'."""
    unit = "points" if claim.metric in SIZES else "%"
    least, most = claim.limits
    if least is None or most is None:
        return f"at most {most:g} {unit}" if least is None else f"at least {least:g} {unit}"
    return f"{least:g} to {most:g} {unit}"


def remarks(result: Result) -> Iterator[str]:
    """How it went in all, and how sure it is."""
    said = [claim.verdict for claim in result.claims]
    counts = [f"{said.count(word)} {(ONE if said.count(word) == 1 else MANY)[word]}" for word in ONE if word in said]
    yield f"{len(said)} claim{'s' if len(said) > 1 else ''}: {', '.join(counts)}."
    if "undecided" in said:
        yield f"Undecided means that {result.playouts:,} playouts, the most a cell may take here, were not enough to tell."
    each = "" if len(said) == 1 else f", each claim at {100 * family_wise_level(LEVEL, len(said)):.4g} %"
    yield f"All verdicts are right together at 95 %{each}; ranges hold however often one looks."
    yield "They cover simulation noise only, and say nothing about whether the policies play like people."


def changes(before: Result, after: Result) -> Iterator[str]:
    """A line for every claim that is not as it was: another verdict, a figure that surely moved, new, gone."""
    old = {claim.name: claim for claim in before.claims}
    for now in after.claims:
        then = old.pop(now.name, None)
        if then is None:
            yield f"{now.name}: new, {ONE[now.verdict]} at {now.found}"
        elif (then.metric, then.wanted) != (now.metric, now.wanted):
            asked = [f"'{claim.metric} {claim.wanted}'" for claim in (then, now)]
            what = f"{PAST[then.verdict]} at {then.found}, now {ONE[now.verdict]} at {now.found}"
            yield f"{now.name}: the claim was {asked[0]}, is {asked[1]}; {what}"
        elif then.verdict != now.verdict:
            yield f"{now.name}: {PAST[then.verdict]} at {then.found}, now {ONE[now.verdict]} at {now.found}"
        elif now.low > then.high or now.high < then.low:
            yield f"{now.name}: still {ONE[now.verdict]}, but moved from {then.found} to {now.found}"
    for then in old.values():
        yield f"{then.name}: {PAST[then.verdict]} at {then.found}, is no longer claimed"
