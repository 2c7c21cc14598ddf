"""A table as spreadsheets and people write it: settings, a header, and rows of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from splitroute.files import DecimalSign, Dialect
from splitroute.formats._columns import Columns, Names, simplified, unit_of
from splitroute.formats._decimals import Column
from splitroute.formats._errors import ErrorCollector
from splitroute.formats._features import FeatureRows, Features
from splitroute.formats._setting_lines import SETTING, Setting, SettingLines
from splitroute.formats._sheet_rows import FrameRows, SheetRows
from splitroute.formats._sources import Frame, NamedText, Source
from splitroute.formats._text_rows import TextRows


class Table:
    """The rows below a header and the settings above it; errors are about its file."""

    def __init__(
        self,
        source: Source | Features,
        names: Names,
        mapping: Mapping[str, str] | None = None,
        errors: ErrorCollector | None = None,
    ) -> None:
        self.file = source.name
        self.errors = ErrorCollector(source.name) if errors is None else errors
        mapping = {key: title for key, title in (mapping or {}).items() if names.has(key)}
        mapped = {simplified(title) for title in mapping.values()}

        def is_known(title: str) -> bool:
            return names.find(title) is not None or simplified(title) in mapped

        self._settings = SettingLines(self.errors)
        self._rows: TextRows | SheetRows | FeatureRows
        if isinstance(source, NamedText):
            self._rows = TextRows(source.text, self.errors, is_known)
            for line, cells in self._rows.comments:
                self._settings.read_comment(line, cells, self._rows.separator)
        else:
            if isinstance(source, Features):
                self._rows = FeatureRows(source, self.errors)
            else:
                rows_of = FrameRows if isinstance(source, Frame) else SheetRows
                self._rows = rows_of(source, self.errors, is_known)
            for line, cells in self._rows.comments:
                self._settings.read_row(line, cells)
        self._settings.warn_about_repetitions()
        self.header_line = self._rows.header_line
        self.titles = self._rows.titles
        self.columns = Columns(
            self.titles, names, mapping, self.header_line, self.errors, self._rows
        )
        if not isinstance(self._rows, TextRows):
            self._rows.columns.update(self.columns.recognized)

    def setting(self, key: str) -> Setting | None:
        """Return a setting, if the file has it."""
        return self._settings.get(key)

    def is_misspelt(self, key: str) -> bool:
        """Whether a setting of a similar name was reported, so that this one is not missing."""
        return self._settings.is_misspelt(key)

    def has(self, *keys: str) -> bool:
        """Whether there are columns for all keys."""
        return all(self.columns.find(key) for key in keys)

    def unit(self, key: str) -> str:
        """The unit in the title of a column: kg in `Menge (kg)`."""
        found = self.columns.find(key)
        return unit_of(self.titles[found[0]]) if found else ""

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of each row that is not empty, as they are."""
        return iter(self._rows)

    def rows(
        self, columns: Sequence[int], notes: Sequence[int] = (), optional: Sequence[int] = ()
    ) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of each row that is not empty; the last cell joins the notes.

        Cells of optional columns may be missing at the end of a row.
        """
        for line, cells in self._rows:
            if SETTING.match(cells[0]):
                self.errors.add("settings must be above the header", line, value=cells[0])
            elif len(cells) > len(self.titles) or len(cells) <= max(columns):
                self.errors.add(f"{len(cells)} cells; the header has {len(self.titles)}", line)
            else:
                note = ", ".join(cells[k] for k in notes if k < len(cells) and cells[k])
                more = (cells[k] if k < len(cells) else "" for k in optional)
                yield line, [*(cells[k] for k in columns), *more, note]

    def column(self, cells: Sequence[str], *, has_thousands: bool = True) -> Column:
        """Return how to read the numbers in these cells."""
        return Column(cells, separator=self._rows.separator, has_thousands=has_thousands)

    def dialect(self, encoding: str, *columns: Column) -> Dialect | None:
        """Return the dialect of a text; the first column with a decimal sign decides on that."""
        if not isinstance(self._rows, TextRows):
            return None
        default: DecimalSign = "," if self._rows.separator == ";" else "."
        sign = next((column.sign for column in columns if column.sign), default)
        return Dialect(self._rows.separator, sign, encoding)


def without_formula(name: str) -> str:
    """The name, marked as text if a spreadsheet would run it as a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name
