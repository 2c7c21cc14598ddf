"""Times in files: numbers, or times of day such as 08:30, which are minutes after midnight."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from splitroute.formats._errors import warn
from splitroute.formats._numbers import Field
from splitroute.instance import Windows

CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
HALF_DAY = re.compile(
    r"(\d{1,2})(?::([0-5]\d))?(?::([0-5]\d))?\s?([AP])\.?M\.?", re.ASCII | re.IGNORECASE
)
WITH_HOURS = re.compile(
    r"(\d{1,2})(?:\s?h\s?([0-5]\d)?|(?:[:.]([0-5]\d))?\s?uhr)", re.ASCII | re.IGNORECASE
)
DATED = re.compile(r"(\d{4}-\d\d-\d\d) (.+)")  # as cells with a date and a time become texts
HOUR, DAY = 60, 1440  # in minutes
LAST_HOUR = 24  # of a day, as people write it
CLOCK_EXAMPLE = "a number or a time such as 08:30"


def parse_clock(text: str) -> float | None:
    """Minutes after midnight, if this is a time such as 8:30, 08:30 or 08:30:15."""
    match = CLOCK.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 60 * hours + minutes + seconds / 60


def parse_clock_cell(text: str) -> float | None:
    """Minutes after midnight, if this is a time as people write it: 8:30 AM, 8h30, 8 Uhr."""
    if match := HALF_DAY.fullmatch(text):
        hours, minutes, seconds = (int(part or 0) for part in match.groups()[:3])
        afternoon = 720 if match[4] in "Pp" else 0
        is_valid = 1 <= hours <= 12
        return 60 * (hours % 12) + minutes + seconds / 60 + afternoon if is_valid else None
    if match := WITH_HOURS.fullmatch(text):
        return 60.0 * int(match[1]) + int(match[2] or match[3] or 0)
    return parse_clock(text)


def is_clock_cell(text: str) -> bool:
    """Whether this is a time of day, perhaps with a date."""
    dated = DATED.fullmatch(text)
    return parse_clock_cell(dated[2] if dated else text) is not None


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
    """Reads times, and notes whether any of them is a time of day.

    On the globe, all of them are.
    """

    def __init__(self, *, is_globe: bool = False) -> None:
        self.found_clock = False
        self.is_globe = is_globe
        self._numbers: list[tuple[float, str, Field]] = []  # instead of times of day
        self._date = ""

    def read(self, time: float | str) -> float:
        """The time as a number; a text must be a valid time of day."""
        self.found_clock |= isinstance(time, str)
        return to_minutes(time)

    def read_cell(self, text: str, field: Field) -> float | None:
        """The time of day in a cell as a number, or None if it is not one.

        Cells with a date must all have the same one.
        """
        dated = DATED.fullmatch(text)
        minutes = parse_clock_cell(dated[2] if dated else text)
        if dated and minutes is not None:
            self._date = self._date or dated[1]
            if dated[1] != self._date:
                raise field.error(text, f"all times must be on one day, such as {self._date}")
        self.found_clock |= minutes is not None
        return minutes

    def note_number(self, number: float, text: str, field: Field) -> None:
        """Note a time that is stated as a number, which is minutes after midnight."""
        self._numbers.append((number, text, field))

    def warn_about_numbers(self) -> None:
        """Warn if times of day are numbers that look like hours: 8, 8.30, 0830, 1700."""
        if not self._numbers or not (self.is_globe or self.found_clock):
            return
        numbers = [number for number, *_ in self._numbers if number]
        look_like_digits = all(n % 100 < HOUR and n == int(n) for n in numbers) and (
            max(numbers, default=0) > DAY
            or any(text.startswith("0") and number for number, text, _ in self._numbers)
        )
        # Minutes and other times of day are rarely mixed.
        limit = LAST_HOUR if self.found_clock else HOUR
        doubtful = [n for n in numbers if n <= limit]
        if look_like_digits or (doubtful and (self.found_clock or doubtful == numbers)):
            shown = max(numbers if look_like_digits else doubtful)
            number, text, field = next(entry for entry in self._numbers if entry[0] == shown)
            message = f"{field.name} is {text}, a number: it was read as minutes after midnight, "
            message += f"{to_clock(round(number))}; write hours as 08:00"
            warn(message, field.file, field.line, field=field.name)

    def windows(self, windows: Iterable[Sequence[float | str]]) -> Windows:
        """Time windows in ascending order."""
        return tuple(sorted((self.read(first), self.read(last)) for first, last in windows))
