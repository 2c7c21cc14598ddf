"""Settings above the header of a table, such as `# capacity: 80`, before they are parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from splitroute.formats._columns import simplified
from splitroute.formats._decimals import is_same_number
from splitroute.formats._errors import ErrorCollector, place, warn
from splitroute.formats._numbers import excerpt
from splitroute.formats._words import SETTING_NAMES

SETTINGS = ("name", "capacity", "unit", "metric", "vehicles", "speed", "clock", "partial")
MIN_SIMILARITY = 0.75  # of a misspelt setting: capcity, but not city
SETTING = re.compile(rf"#\s*({'|'.join(SETTINGS)})\s*(:|$)", re.IGNORECASE)
WITHOUT_COLON = re.compile(r"#\s*(capacity|unit|vehicles|speed)[\s=,;]+([\d.,]+)", re.IGNORECASE)
NUMBERS = ("capacity", "unit", "vehicles", "speed")


class Setting(NamedTuple):
    """A setting above the header."""

    value: str
    line: int | None


class SettingLines:
    """Collects settings; contradictions are errors and repetitions are warned about."""

    def __init__(self, errors: ErrorCollector) -> None:
        self._errors = errors
        self._settings: dict[str, Setting] = {}
        self._misspelt: set[str] = set()  # settings that are there under a similar name
        self._repeated: dict[str, int] = {}

    def get(self, key: str) -> Setting | None:
        """Return a setting, if there is one."""
        return self._settings.get(key)

    def is_misspelt(self, key: str) -> bool:
        """Whether a setting of a similar name was reported, so that this one is not missing."""
        return key in self._misspelt

    def read_comment(self, line: int, cells: Sequence[str], separator: str) -> None:
        """Record a setting such as `# capacity: 80`, whose value may have a cell of its own."""
        cells = list(cells)
        while cells and not cells[-1].strip():
            cells.pop()  # spreadsheets pad all rows to the same length
        text = separator.join(cells).strip()
        if match := WITHOUT_COLON.fullmatch(text):
            key, value = match.groups()
        else:
            key, colon, value = text.lstrip("#").partition(":")
            if not colon:
                return
            if len(cells) > 1:
                value = value.lstrip(f"{separator} ")
        key, value = key.strip().lower(), value.strip()
        if key in SETTINGS:
            self._add(line, key, value)
        elif similar := get_close_matches(key, SETTINGS, 1, MIN_SIMILARITY):
            self._misspelt.add(similar[0])
            self._errors.add(
                f"unknown setting {key!r}; did you mean {similar[0]!r}? "
                f"known: {', '.join(SETTINGS)}",
                line,
                value=key,
            )

    def read_row(self, line: int, cells: Sequence[str]) -> None:
        """Record a setting in a row of a sheet above the header: `Kapazität`, `80`."""
        cells = [cell for cell in cells if cell]
        if cells and cells[0].startswith("#"):
            self.read_comment(line, cells, "\t")
            return
        key, _, value = cells[0].partition(":") if cells else ("", "", "")
        rest = [value.strip()] * bool(value.strip()) + cells[1:]
        name = SETTING_NAMES.get(simplified(key))
        if not rest:
            return  # a title
        if name is None:
            self._warn_about_similar(line, key)
        elif len(rest) == 1:
            self._add(line, name, rest[0])
        elif name in NUMBERS and _has_digit(rest[0]):
            self._add(line, name, rest[0])
            lost = [text for text in rest[1:] if _has_digit(text) or _is_setting(text)]
            if lost:  # others are units and remarks
                texts = ", ".join(repr(excerpt(text)) for text in lost)
                message = (
                    f"ignoring {texts} next to {excerpt(key)!r}; settings need rows of their own"
                )
                warn(message, self._errors.file, line, field=name)
        elif name != "name":  # which may be a title of something else
            message = f"ignoring {excerpt(key)!r}: its value must be alone in the next cell"
            warn(message, self._errors.file, line, field=name)

    def _warn_about_similar(self, line: int, key: str) -> None:
        """Warn about a misspelt word; an error could be about something else that looks alike."""
        similar = get_close_matches(simplified(key), SETTING_NAMES, 1, MIN_SIMILARITY)
        meant = SETTING_NAMES[similar[0]] if similar else "name"
        if meant != "name":  # which notes, numbers and the like resemble
            message = f"ignoring {excerpt(key)!r}; did you mean {meant!r}?"
            warn(message, self._errors.file, line, field=meant)

    def _add(self, line: int, key: str, value: str) -> None:
        first = self._settings.setdefault(key, Setting(value, line))
        if first.line == line:
            return
        if first.value == value or is_same_number(first.value, value):
            self._repeated.setdefault(key, line)
        else:
            message = f"'# {key}' is {excerpt(value)} here and {excerpt(first.value)}"
            self._errors.add(f"{message} {place(first.line)}", line, field=key, value=value)

    def warn_about_repetitions(self) -> None:
        """Warn about settings that are given twice with the same value."""
        for key, line in self._repeated.items():
            first = self._settings[key].line
            message = f"'# {key}' repeats {place(first).partition(' ')[2]}"
            warn(message, self._errors.file, line, field=key)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _is_setting(text: str) -> bool:
    return simplified(text) in SETTING_NAMES
