"""Which columns could be those that are missing: by what they hold, and by parts of titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?", re.ASCII)
MAX_ROWS = 100  # that are examined
# Of simplified titles; Breite and Länge have other meanings, so that they only are suggested.
PARTS = {
    "lat": ("lat", "breit", "breed"),
    "lon": ("lon", "lng", "lang", "laeng", "leng"),
    "x": ("x", "east", "rechts"),
    "y": ("y", "north", "hoch"),
}


def assignments(
    missing: Sequence[str], unknown: Mapping[int, str], rows: Iterable[tuple[int, list[str]]]
) -> dict[str, int]:
    """A column for each key that has a likely one; `unknown` are simplified titles by column."""
    sample = [cells for _, cells in islice(rows, MAX_ROWS)]
    numbers = {k: title for k, title in unknown.items() if _are_numbers(sample, k)}
    found: dict[str, int] = {}
    for key in missing:
        for axis in {"x": ("x", "lat"), "y": ("y", "lon")}.get(key, (key,)):
            for k, title in numbers.items():
                if axis in PARTS and k not in found.values() and _has_part(title, PARTS[axis]):
                    found.setdefault(axis, k)
    if "demand" in missing:
        rest = [k for k in numbers if k not in found.values()]
        found |= {"demand": rest[0]} if rest else {}
    return found


def _has_part(title: str, parts: Iterable[str]) -> bool:
    """Whether a title has one of the parts; a single letter must be the first or the last."""
    return any(p in title if len(p) > 1 else p in (title[0], title[-1]) for p in parts)


def _are_numbers(rows: Iterable[Sequence[str]], column: int) -> bool:
    cells = [row[column] for row in rows if column < len(row) and row[column]]
    return bool(cells) and all(map(NUMBER.fullmatch, cells))
