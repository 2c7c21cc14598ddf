"""Opening hours in one cell: `08:00-12:00, 14:00-18:00`, `8-12 Uhr`, `9h à 17h`."""

from __future__ import annotations

import re

from splitroute.formats._times import DAY, HALF_DAY, parse_clock_cell
from splitroute.instance import Windows

RANGES_EXAMPLE = "it must be times of day such as 08:00-12:00, 14:00-18:00"
MAX_LENGTH = 200  # characters of a cell
_AND = re.compile(r"[,;/|&+\n]|\b(?:and|und|et|y|e|en)\b", re.IGNORECASE)
_TO = re.compile(
    r"\s*(?:[-\u2013\u2014]|\b(?:to|till|until|bis|à|a(?!\.)|au|hasta|alle|tot|às|até)\b)\s*", re.I
)
_FROM = re.compile(r"(?:from|von|de|desde|dalle|van|das)\s+", re.IGNORECASE)
_BARE = re.compile(r"(\d{1,2})(?:\.([0-5]\d))?|([0-2]\d)([0-5]\d)", re.ASCII)  # 8, 8.30, 0830


def parse_ranges(text: str) -> Windows | None:
    """Windows in minutes after midnight, if the text is ranges of times of day."""
    if len(text) > MAX_LENGTH:
        return None
    ranges = [_range(part.strip()) for part in _AND.split(text) if part.strip()]
    found = [window for window in ranges if window is not None]
    return tuple(sorted(found)) if found and len(found) == len(ranges) else None


def _range(text: str) -> tuple[float, float] | None:
    times = _TO.split(_FROM.sub("", text, count=1))
    if len(times) != 2:
        return None
    # The first of `9-5pm` may be in the morning or not.
    is_half_day = any(HALF_DAY.fullmatch(time) for time in times)
    first, last = (_time(time, accepts_bare=not is_half_day) for time in times)
    return None if first is None or last is None or last < first else (first, last)


def _time(text: str, *, accepts_bare: bool) -> float | None:
    """A time of day; an hour needs no word here, as in `8-12 Uhr`."""
    minutes = parse_clock_cell(text)
    bare = _BARE.fullmatch(text) if minutes is None and accepts_bare else None
    if bare:
        minutes = 60.0 * int(bare[1] or bare[3]) + int(bare[2] or bare[4] or 0)
        return minutes if minutes <= DAY else None
    return minutes
