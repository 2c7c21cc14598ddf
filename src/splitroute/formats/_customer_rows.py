"""The rows of a table of customers, before their cells are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from splitroute.formats._cells import CUSTOMER_COLUMNS
from splitroute.formats._depot import DEPOT, Row
from splitroute.formats._errors import ErrorCollector, place, warn
from splitroute.formats._numbers import excerpt
from splitroute.formats._sources import Fault
from splitroute.formats._table import Table
from splitroute.formats._time_ranges import parse_ranges
from splitroute.formats._times import is_clock_cell
from splitroute.formats._words import is_total

MIN_SIMILARITY = 0.85  # of a misspelt column
COORDINATES = ("x", "y", "lat", "lon")  # those of the other metric are not for people


def read_rows(table: Table, columns: Sequence[int]) -> tuple[list[Row], list[str]]:
    """The rows, and the names of the columns with rules."""
    rules = {**table.columns.optional(CUSTOMER_COLUMNS), **table.columns.pairs()}
    used = {*columns, *rules.values()}
    notes = [
        k
        for k in range(len(table.titles))
        if k not in used and table.columns.key(k) not in COORDINATES
    ]
    unknown = [k for k in notes if table.columns.key(k) is None]
    for title in (table.titles[k] for k in unknown):
        if similar := get_close_matches(title.lower(), CUSTOMER_COLUMNS, 1, MIN_SIMILARITY):
            message = f"column {excerpt(title)!r} is read as a note; did you mean {similar[0]!r}?"
            warn(message, table.file, table.header_line, field=title)
    other_ids = [k for k in notes if table.columns.key(k) == "id"]
    size, end = len(columns), len(columns) + len(rules)
    found = list(table.rows(columns, notes, [*rules.values(), *unknown, *other_ids]))
    more = {
        column: [cells[k] for _, cells in found]
        for k, column in enumerate([*unknown, *other_ids], end)
    }
    for column in unknown:
        _warn_about_times(table, column, more[column])
    rows = (
        Row(line, cells[0], cells[1], cells[2:size], cells[-1], cells[size:end])
        for line, cells in found
    )
    customers = _without_sums([row for row in rows if not _is_total(row, table)], table)
    unique = (table.titles[k] for k in other_ids if _has_distinct(more[k]))
    _check_ids(customers, table.errors, next(unique, ""))
    return customers, list(rules)


def _has_distinct(cells: Sequence[str]) -> bool:
    stated = [cell.lower() for cell in cells if cell]
    return len(stated) > 1 and len(set(stated)) == len(stated)


def _warn_about_times(table: Table, column: int, cells: Sequence[str]) -> None:
    """Warn about opening hours that would be ignored, as the title does not tell."""
    stated = [cell for cell in cells if cell]
    if not any(":" in cell or cell.upper() != cell.lower() for cell in stated):
        return  # 1-2 may be anything
    for key, is_one in (("open", is_clock_cell), ("windows", parse_ranges)):
        if all(is_one(cell) for cell in stated):
            title = excerpt(table.titles[column])
            message = f"column {title!r} looks like times and is only a note"
            message += f"; assign it with `columns`, such as {key}={title}"
            warn(message, table.file, table.header_line, field="columns")


def _is_total(row: Row, table: Table) -> bool:
    """Whether a row without a place sums up the others, which is warned about."""
    note = row.note if any(map(str.isalpha, row.note)) else ""  # sums of columns without a use
    words = [text for text in (row.id, note) if text]
    if any(row.coordinates) or len(words) != 1 or not is_total(words[0]):
        return False
    warn(f"ignoring the row {excerpt(row.id or row.note)!r}", table.file, row.line)
    return True


def _without_sums(rows: list[Row], table: Table) -> list[Row]:
    """The rows without those below the last place that hold nothing but a sum."""
    last = max((k for k, row in enumerate(rows) if any(row.coordinates)), default=len(rows))
    kept = rows[: last + 1]
    for row in rows[last + 1 :]:
        if row.demand and not row.id and not row.note and not any(row.rules):
            warn("ignoring a row with nothing but a demand", table.file, row.line, field="demand")
        else:
            kept.append(row)
    return kept


def without_notes(rows: Iterable[Row], errors: ErrorCollector) -> list[Row]:
    """The rows that are customers; what is none is reported once and not cell by cell."""
    kept = []
    for row in rows:
        if row.coordinates and row.id and not row.demand and not any(row.coordinates):
            message = f"{excerpt(row.id)!r} has neither a demand nor a place; "
            errors.add(message + "move notes above the header", row.line, field="id", value=row.id)
        elif row.id:  # else reported before
            kept.append(row)
    return kept


def _check_ids(rows: Sequence[Row], errors: ErrorCollector, other: str) -> None:
    """Record an error for each id that is empty, unreadable or not the first of its kind.

    `other` is the title of another column that could hold the ids.
    """
    first_lines: dict[str, int] = {}
    hint = f"; use another column with `columns`, such as id={excerpt(other)}" if other else ""
    for row in rows:
        id = row.id.lower()
        first = first_lines.setdefault(id, row.line)
        if not id:
            errors.add("id is empty", row.line, field="id")
        elif isinstance(row.id, Fault):
            errors.add(f"id is {row.id}", row.line, field="id", value=str(row.id))
        elif first != row.line:
            name = "depot" if id == DEPOT else f"id {excerpt(row.id)!r}"
            message = f"duplicate {name}; the first one is {place(first)}{hint}"
            errors.add(message, row.line, field="id")
            hint = ""  # once is enough
