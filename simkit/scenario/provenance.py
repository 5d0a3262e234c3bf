"""How much of a box is known, and how much stands in for something else."""

from collections.abc import Iterator, Mapping
from typing import Any

from simkit.box_file import components
from simkit.spec import PROVENANCES

UNSOURCED = "without a source"
SAID = {
    "rulebook": "printed in the rulebook",
    "derived": "derived from printed numbers",
    "public": "from public sources",
    "placeholder": "placeholders",
}


def origins(box: Mapping[str, Any]) -> dict[str, int]:
    """How many numbers of the components are of each provenance: those below a table with a provenance, unless one below it has
    another. In the order of `PROVENANCES`, without those that no number has; numbers below no such table come last.
    """
    found = list(origins_below(components(box), UNSOURCED))
    return {origin: found.count(origin) for origin in (*PROVENANCES, UNSOURCED) if origin in found}


def origins_below(value: Any, origin: str) -> Iterator[str]:
    """The provenance of every number at or below a value of a box."""
    if isinstance(value, Mapping):
        own = str(value.get("provenance", origin))
        for inner in value.values():
            yield from origins_below(inner, own)
    elif isinstance(value, list):
        for inner in value:
            yield from origins_below(inner, origin)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield origin


def share_of(counts: Mapping[str, int], origin: str) -> str:
    """'12 of 40 values are placeholders (30 %)'."""
    total, count = sum(counts.values()), counts[origin]
    per_cent = 100 * count / total
    rounded = f"{per_cent:.0f}" if count == total or 0.95 <= per_cent < 99.5 else f"{per_cent:.1f}"
    if count == 1:
        said = "a placeholder" if origin == "placeholder" else SAID.get(origin, origin)
        return f"1 of {total} values is {said} ({rounded} %)"
    return f"{count} of {total} values are {SAID.get(origin, origin)} ({rounded} %)"


def shares(counts: Mapping[str, int]) -> str:
    """All of them, the most doubtful first: '12 of 40 values are placeholders (30 %); 28 of 40 values are assumed (70 %)'."""
    return "; ".join(share_of(counts, origin) for origin in reversed(list(counts))) or "no values"
