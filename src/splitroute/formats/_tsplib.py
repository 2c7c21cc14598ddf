"""Split a TSPLIB file into its parts, and compute the distances that TSPLIB defines.

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
from splitroute.errors import LimitError
from splitroute.formats._errors import input_error
from splitroute.formats._numbers import Field, ascii_number, excerpt

KEYWORD = re.compile(r"^[ \t]*[A-Za-z].*$", re.MULTILINE)  # other lines are numbers
WORD = re.compile(r"\S+")
MAX_MATRIX_NODES = 5_000  # whose distances take 200 MB

# Part of the matrix, row by row, and whether it includes the diagonal. A triangle by columns is the
# other triangle by rows.
EDGE_WEIGHT_FORMATS = {
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
    """Rows of numbers, and the line of their header."""

    text: str
    line: int

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Line and words of each non-blank row."""
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
    """Keywords with their values and lines, and sections."""

    keywords: dict[str, tuple[str, int]]
    sections: dict[str, Section]


def parse_parts(text: str, file: str) -> Parts:
    """Split a text into keywords and sections."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    parts = Parts({}, {})
    name, begin, line = "", 0, 1  # of the current section, if there is one
    for match in KEYWORD.finditer(text):
        _close(parts, name, text[begin : match.start()], line, file)
        line += text.count("\n", begin, match.start())
        key, colon, value = (part.strip() for part in match[0].partition(":"))
        key, name, begin = key.upper(), "", match.end()
        if key == "EOF":
            break
        if key.endswith("_SECTION"):
            name = key.removesuffix("_SECTION")
        elif not colon:
            raise input_error(
                f"found {excerpt(key)!r}; expected KEY : VALUE, NAME_SECTION or numbers",
                file,
                line,
                value=key,
            )
        if name in parts.sections or key in parts.keywords:
            raise input_error(f"duplicate {excerpt(key)}", file, line, field=key)
        if not name:
            parts.keywords[key] = (value, line)
    else:
        _close(parts, name, text[begin:], line, file)
    return parts


def _close(parts: Parts, name: str, text: str, line: int, file: str) -> None:
    if name:
        parts.sections[name] = Section(text, line)
    elif text.strip():
        line += text[: len(text) - len(text.lstrip())].count("\n")
        start = text.lstrip()[:100].splitlines()[0]
        raise input_error(f"found {excerpt(start)!r} outside a section", file, line, value=start)


def explicit_matrix(section: Section, format: str, count: int, file: str) -> Floats:
    """Return the matrix of an EDGE_WEIGHT_SECTION in one of the EDGE_WEIGHT_FORMATS."""
    triangle, has_diagonal = EDGE_WEIGHT_FORMATS[format]
    required = count**2
    if triangle != "full":
        required = count * (count + (1 if has_diagonal else -1)) // 2
    # Counted before the matrix is allocated: memory is bounded by the size of the file.
    weights = array("d")
    for word in islice(WORD.finditer(section.text), required + 1):
        try:
            weights.append(float(ascii_number(word[0])))
        except ValueError:
            line = section.line + section.text.count("\n", 0, word.start())
            raise Field("distance", file, line).error(word[0], "it must be a number") from None
    if len(weights) != required:
        found = f"more than {required}" if len(weights) > required else len(weights)
        raise input_error(
            f"EDGE_WEIGHT_SECTION has {found} numbers; {format} of {count} nodes has {required}",
            file,
            section.line,
            field="EDGE_WEIGHT_SECTION",
        )
    if triangle == "full":
        return np.array(weights).reshape(count, count)
    matrix = np.zeros((count, count))
    indices = np.triu_indices if triangle == "upper" else np.tril_indices
    offset = 0 if has_diagonal else 1 if triangle == "upper" else -1
    matrix[indices(count, offset)] = weights
    return matrix + matrix.T  # twice the diagonal, which is ignored


def distance_matrix(kind: str, points: Floats) -> Floats:
    """Return the distances between all nodes, of a kind in DISTANCES."""
    count = len(points)
    if count > MAX_MATRIX_NODES:
        raise LimitError(
            f"{count} nodes; EDGE_WEIGHT_TYPE {kind} allows at most {MAX_MATRIX_NODES}",
            field="EDGE_WEIGHT_TYPE",
            value=count,
        )
    matrix = np.empty((count, count))
    distance = DISTANCES[kind]
    for k in range(count):  # row by row: all at once takes several times the memory
        matrix[k] = distance(points[k], points)
    np.fill_diagonal(matrix, 0)
    matrix.flags.writeable = False
    return matrix


def to_degrees(points: Floats) -> Floats:
    """Convert the latitudes and longitudes of GEO from degrees.minutes."""
    whole = np.trunc(points)
    return whole + (points - whole) * 5 / 3


def _nearest(values: Floats) -> Floats:
    rounded: Floats = np.floor(values + 0.5)
    return rounded


def _euclidean(a: Floats, b: Floats) -> Floats:
    distances: Floats = np.sqrt(((b - a) ** 2).sum(axis=1))
    return distances


def _pseudo_euclidean(a: Floats, b: Floats) -> Floats:
    exact = np.sqrt(((b - a) ** 2).sum(axis=1) / 10)
    rounded: Floats = np.ceil(exact)
    return rounded


def _geographical(a: Floats, b: Floats) -> Floats:
    # With the pi, radius and rounding of TSPLIB.
    (lat, lon), others = 3.141592 * to_degrees(a) / 180, 3.141592 * to_degrees(b) / 180
    q1, q2 = np.cos(lon - others[:, 1]), np.cos(lat - others[:, 0])
    q3 = np.cos(lat + others[:, 0])
    cosine = np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1)
    whole: Floats = np.floor(6378.388 * np.arccos(cosine) + 1)
    return whole


# Distances from a node to all nodes, by EDGE_WEIGHT_TYPE; 3D types have three coordinates.
DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "CEIL_2D": lambda a, b: np.ceil(_euclidean(a, b)),
    "FLOOR_2D": lambda a, b: np.floor(_euclidean(a, b)),
    "EUC_3D": lambda a, b: _nearest(_euclidean(a, b)),
    "MAN_2D": lambda a, b: _nearest(np.abs(b - a).sum(axis=1)),
    "MAN_3D": lambda a, b: _nearest(np.abs(b - a).sum(axis=1)),
    "MAX_2D": lambda a, b: _nearest(np.abs(b - a)).max(axis=1),
    "MAX_3D": lambda a, b: _nearest(np.abs(b - a)).max(axis=1),
    "ATT": _pseudo_euclidean,
    "GEO": _geographical,
}
