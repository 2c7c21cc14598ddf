"""The parts of a TSPLIB file, and the distances that TSPLIB defines.

G. Reinelt, TSPLIB 95: keywords `KEY : VALUE`, sections of numbers `NAME_SECTION`, and `EOF`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError, LimitError
from splitroute.formats._numbers import shown

KEYWORD = re.compile(r"^[ \t]*[A-Za-z].*$", re.MULTILINE)  # the other lines are numbers
WORD = re.compile(r"\S+")
MAX_IN_A_TABLE = 5_000  # nodes; their distances then take 200 MB

# Column by column a triangle holds what the other triangle holds row by row.
FORMATS = {  # the part of the matrix, row by row, and whether its diagonal is there
    "FULL_MATRIX": ("full", True),
    "UPPER_ROW": ("upper", False),
    "LOWER_COL": ("upper", False),
    "LOWER_ROW": ("lower", False),
    "UPPER_COL": ("lower", False),
    "UPPER_DIAG_ROW": ("upper", True),
    "LOWER_DIAG_COL": ("upper", True),
    "LOWER_DIAG_ROW": ("lower", True),
    "UPPER_DIAG_COL": ("lower", True),
}


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of numbers: their text, and the line of their header."""

    text: str
    line: int

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Line and words of each row that is not blank."""
        end = -1
        line = self.line
        while end < len(self.text):
            start, end = end + 1, self.text.find("\n", end + 1)
            end = len(self.text) if end < 0 else end
            if words := self.text[start:end].split():
                yield line, words
            line += 1


@dataclass(frozen=True, slots=True)
class Parts:
    """What a file states, by keyword, each with its line; and its sections."""

    stated: dict[str, tuple[str, int]]
    sections: dict[str, Section]


def parts(text: str, file: str) -> Parts:
    """The parts of a text."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = Parts({}, {})
    name, begin, line = "", 0, 1  # of the section that is open, if one is
    for keyword in KEYWORD.finditer(text):
        _close(found, name, text[begin : keyword.start()], line, file)
        line += text.count("\n", begin, keyword.start())
        key, colon, value = (part.strip() for part in keyword[0].partition(":"))
        key, name, begin = key.upper(), "", keyword.end()
        if key == "EOF":
            break
        if key.endswith("_SECTION"):
            name = key.removesuffix("_SECTION")
        elif not colon:
            raise InputError(
                f"{file}:{line}: found {shown(key)!r}; a line is KEY : VALUE, NAME_SECTION, or a "
                "row of numbers below that",
                line=line,
                value=key,
            )
        if name in found.sections or key in found.stated:
            raise InputError(f"{file}:{line}: {shown(key)} twice", field=key, line=line)
        if not name:
            found.stated[key] = (value, line)
    else:
        _close(found, name, text[begin:], line, file)
    return found


def _close(found: Parts, name: str, text: str, line: int, file: str) -> None:
    if name:
        found.sections[name] = Section(text, line)
    elif text.strip():
        line += text[: len(text) - len(text.lstrip())].count("\n")
        start = text.lstrip()[:100].splitlines()[0]
        raise InputError(
            f"{file}:{line}: found {shown(start)!r} outside any section", line=line, value=start
        )


def explicit(section: Section, form: str, count: int, file: str) -> Floats:
    """The matrix of an EDGE_WEIGHT_SECTION in one of the `FORMATS`."""
    triangle, diagonal = FORMATS[form]
    needed = count**2 if triangle == "full" else count * (count + (1 if diagonal else -1)) // 2
    # Counted before a matrix is made: no more is kept than the file holds.
    weights = array("d")
    for word in islice(WORD.finditer(section.text), needed + 1):
        try:
            weights.append(float(word[0]))
        except ValueError:
            line = section.line + section.text.count("\n", 0, word.start())
            raise InputError(
                f"{file}:{line}: a distance is {shown(word[0])}, not a number",
                field="EDGE_WEIGHT_SECTION",
                line=line,
                value=word[0],
            ) from None
    if len(weights) != needed:
        many = f"more than {needed}" if len(weights) > needed else len(weights)
        raise InputError(
            f"{file}:{section.line}: {many} numbers in the EDGE_WEIGHT_SECTION; {form} of "
            f"{count} nodes has {needed}",
            field="EDGE_WEIGHT_SECTION",
            line=section.line,
        )
    if triangle == "full":
        return np.array(weights).reshape(count, count)
    table = np.zeros((count, count))
    indices = np.triu_indices if triangle == "upper" else np.tril_indices
    offset = 0 if diagonal else 1 if triangle == "upper" else -1
    table[indices(count, offset)] = weights
    return table + table.T  # twice the diagonal, which counts for nothing


def distances(kind: str, points: Floats) -> Floats:
    """Distances between all nodes, of one of the `KINDS`."""
    count = len(points)
    if count > MAX_IN_A_TABLE:
        raise LimitError(
            f"{count} nodes; distances of the kind {kind} are kept in a table, for at most "
            f"{MAX_IN_A_TABLE}"
        )
    table = np.empty((count, count))
    measure = KINDS[kind]
    for k in range(count):  # row by row: all at once takes several times the memory
        table[k] = measure(points[k], points)
    np.fill_diagonal(table, 0)
    table.flags.writeable = False
    return table


def degrees(points: Floats) -> Floats:
    """Latitudes and longitudes of GEO, which are written as degrees.minutes."""
    whole = np.trunc(points)
    return whole + (points - whole) * 5 / 3


def _nearest(values: Floats) -> Floats:
    rounded: Floats = np.floor(values + 0.5)
    return rounded


def _straight(a: Floats, b: Floats) -> Floats:
    away: Floats = np.sqrt(((b - a) ** 2).sum(axis=1))
    return away


def _pseudo(a: Floats, b: Floats) -> Floats:
    exact = np.sqrt(((b - a) ** 2).sum(axis=1) / 10)
    rounded: Floats = np.ceil(exact)
    return rounded


def _geographical(a: Floats, b: Floats) -> Floats:
    # With the value of pi, the radius and the rounding of the original.
    (lat, lon), others = 3.141592 * degrees(a) / 180, 3.141592 * degrees(b) / 180
    q1, q2 = np.cos(lon - others[:, 1]), np.cos(lat - others[:, 0])
    q3 = np.cos(lat + others[:, 0])
    cosine = np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1)
    whole: Floats = np.floor(6378.388 * np.arccos(cosine) + 1)
    return whole


Measure = Callable[[Floats, Floats], Floats]

# What each kind makes of a node and all nodes; those that end in 3D have three coordinates.
KINDS: dict[str, Measure] = {
    "CEIL_2D": lambda a, b: np.ceil(_straight(a, b)),
    "FLOOR_2D": lambda a, b: np.floor(_straight(a, b)),
    "EUC_3D": lambda a, b: _nearest(_straight(a, b)),
    "MAN_2D": lambda a, b: _nearest(np.abs(b - a).sum(axis=1)),
    "MAN_3D": lambda a, b: _nearest(np.abs(b - a).sum(axis=1)),
    "MAX_2D": lambda a, b: _nearest(np.abs(b - a)).max(axis=1),
    "MAX_3D": lambda a, b: _nearest(np.abs(b - a)).max(axis=1),
    "ATT": _pseudo,
    "GEO": _geographical,
}
