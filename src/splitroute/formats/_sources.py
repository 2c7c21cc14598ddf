"""Where a table comes from: the text of a file, a sheet of a workbook, or a data frame."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Time = datetime.datetime | datetime.date | datetime.time | datetime.timedelta
Cell = str | float | int | bool | Time
Position = tuple[int, int]  # row and column, counted from 0


class Fault(str):
    """What a cell shows in place of a value: #N/A, or that its formula was never computed."""

    __slots__ = ()


class NamedText(NamedTuple):
    """The text of a file, and its name for messages."""

    name: str
    text: str


@dataclass(frozen=True)
class Sheet:
    """A sheet of a workbook, and the name of its file for messages."""

    name: str
    title: str
    rows: Sequence[Sequence[Cell]]  # from the first row and column, empty or not
    faults: Mapping[Position, Fault] = field(default_factory=dict)
    merged: Sequence[tuple[Position, Position]] = ()


class Frame(Sheet):
    """A data frame: the first row is its header, whatever the titles are."""


Source = NamedText | Sheet
