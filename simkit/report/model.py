"""What a report is made of. The page, the Markdown and report.json all come from this, so they cannot disagree."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class Table:
    """A table as people read it (`rows`), and the numbers behind it (`data`, written as CSV)."""

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    data: pd.DataFrame
    right: tuple[int, ...] = ()  # columns aligned to the right


@dataclass(frozen=True)
class Picture:
    """A figure: `alt` says in words what it shows, from the data."""

    name: str
    title: str
    alt: str
    caption: str
    svg: str
    png: bytes


@dataclass(frozen=True)
class Section:
    """A question, its answer in sentences, and the evidence."""

    name: str
    question: str
    answers: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()  # how to read it, what could mislead
    is_calm: bool = False  # all its tables stay folded until somebody wants to see them


@dataclass(frozen=True)
class Dot:
    """A rate with its range on the small axis of a card, all in per cent (or in points, where the card says so)."""

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Card:
    """A question answered at a glance. `state` decides colour and icon, never the colour alone: `word` says it too."""

    name: str
    question: str
    state: str  # good, bad, unknown, depends, info
    word: str
    sentences: tuple[str, ...]
    section: str  # where the evidence is
    dots: tuple[Dot, ...] = ()
    band: tuple[float, float] | None = None  # target less and plus margin, per cent
    axis: tuple[float, float] = (0.0, 100.0)  # of the dots
    unit: str = "%"  # of the axis; points are shown with their sign
    labelled: bool = False  # whether the dots show their labels


@dataclass(frozen=True)
class Report:
    title: str
    question: str
    facts: tuple[tuple[str, str], ...]  # what was simulated
    honesty: str
    warnings: tuple[str, ...]
    cards: tuple[Card, ...]
    sections: tuple[Section, ...]
    command: str
    numbers: dict[str, Any] = field(default_factory=dict)  # report.json
