"""Rows of a table in a text: separated by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator

from splitroute.formats._errors import ErrorCollector, input_error

SEPARATORS = ",;\t"
MAX_HEADER = 10_000  # characters of a line above the rows
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\W*', re.IGNORECASE)


class TextRows:
    """The header of a table, the comments above it and the rows below it."""

    def __init__(self, text: str, errors: ErrorCollector, is_known: Callable[[str], bool]) -> None:
        self._errors, self._is_known = errors, is_known
        self._lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
        self.header_line = 0
        self.comments: list[tuple[int, list[str]]] = []
        self.separator, self.titles = self._read_header()

    def _read_header(self) -> tuple[str, list[str]]:
        """Return the separator and the titles of the columns; record the comments above."""
        comments = []
        declared = ""
        for line in iter(lambda: self._lines.readline(MAX_HEADER), ""):
            self.header_line += 1
            if len(line) == MAX_HEADER:
                break
            if match := SEPARATOR_LINE.fullmatch(line.strip(" \n")):
                declared = match[1]  # spreadsheets write `sep=;` for each other
            elif line.lstrip(' "').startswith("#"):
                comments.append((self.header_line, line.strip()))
            elif line.strip(f' "\n{SEPARATORS}'):
                is_declared = bool(declared) and declared in SEPARATORS
                separator = declared if is_declared else self._separator(line)
                self.comments = [(k, split(comment, separator)) for k, comment in comments]
                return separator, _titles(line, separator)
        message = "no header; the first row must name the columns"
        raise input_error(message, self._errors.file, code="no_header")

    def _separator(self, header: str) -> str:
        """The separator that gives most known columns, or else most columns."""

        def score(separator: str) -> tuple[int, int]:
            titles = _titles(header, separator)
            return sum(map(self._is_known, titles)), len(titles)

        return max(SEPARATORS, key=score)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of each row that is not empty."""
        reader = csv.reader(self._lines, delimiter=self.separator)
        start = line = self.header_line
        row: list[str] = []
        try:
            for row in reader:
                start, line = line + 1, self.header_line + reader.line_num
                cells = [cell.strip() for cell in row]
                while len(cells) > len(self.titles) and not cells[-1]:
                    cells.pop()
                if any(cells):
                    yield line, cells
        except csv.Error as error:
            self._errors.add(f"{error}", self.header_line + reader.line_num)
        if any("\n" in cell for cell in row) and self._has_open_quote(start):
            self._errors.add("a quote is opened here and never closed", start)

    def _has_open_quote(self, line: int) -> bool:
        """Whether the table ends inside a quote, if this line starts outside of one."""
        rest = self._lines.getvalue().split("\n", line - 1)[-1]
        return rest.count('"') % 2 == 1


def split(line: str, separator: str) -> list[str]:
    """Return the cells of a line."""
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def _titles(header: str, separator: str) -> list[str]:
    return [title.strip() for title in split(header, separator)]
