"""Times in files: numbers, or times of day such as 08:30, which are minutes after midnight."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from splitroute.instance import Windows

CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
CLOCK_EXAMPLE = "a number or a time such as 08:30"


def parse_clock(text: str) -> float | None:
    """Minutes after midnight, if this is a time such as 8:30, 08:30 or 08:30:15."""
    match = CLOCK.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 60 * hours + minutes + seconds / 60


def to_minutes(time: float | str) -> float:
    """The time as a number; a text must be a valid time of day."""
    if isinstance(time, str):
        return parse_clock(time) or 0.0
    return float(time)


def to_clock(time: float) -> float | str:
    """The time of day, or the number if no time of day is exactly as late."""
    seconds = round(time * 60)
    if not 0 <= seconds < 100 * 3600:
        return time
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
    if seconds % 60:
        text += f":{seconds % 60:02}"
    return text if parse_clock(text) == time else time


class TimeReader:
    """Reads times, and notes whether any of them is a time of day."""

    def __init__(self) -> None:
        self.found_clock = False

    def read(self, time: float | str) -> float:
        """The time as a number; a text must be a valid time of day."""
        self.found_clock |= isinstance(time, str)
        return to_minutes(time)

    def windows(self, windows: Iterable[Sequence[float | str]]) -> Windows:
        """Time windows in ascending order."""
        return tuple(sorted((self.read(first), self.read(last)) for first, last in windows))
