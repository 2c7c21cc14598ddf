"""Opens workbooks: .xlsx and .ods. What would take too much memory is refused before it is read."""

from __future__ import annotations

import io
from collections.abc import Collection

from splitroute.errors import InputError
from splitroute.formats._columns import customer_names, depot_names, simplified, vehicle_names
from splitroute.formats._errors import warn
from splitroute.formats._sheet_rows import MAX_ROWS_ABOVE
from splitroute.formats._sources import Sheet
from splitroute.formats._words import SHEET_KINDS
from splitroute.formats._workbook_limits import check_archive
from splitroute.registry import require


class Workbook:
    """The visible sheets of a workbook."""

    def __init__(self, data: bytes, name: str) -> None:
        require("python_calamine", "xlsx")
        from python_calamine import (
            CalamineError,
            CalamineWorkbook,
            PasswordError,
            SheetTypeEnum,
            SheetVisibleEnum,
        )

        self._name = name
        self._faults = check_archive(data, name)
        try:
            self._workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
            self.titles = [
                sheet.name
                for sheet in self._workbook.sheets_metadata
                if sheet.visible == SheetVisibleEnum.Visible
                and sheet.typ == SheetTypeEnum.WorkSheet
            ]
        except PasswordError:
            message = "the workbook is protected by a password; save it without one"
            raise InputError(message, field="path", file=name) from None
        except (CalamineError, OSError, ValueError) as error:
            message = f"not a valid workbook: {error}"
            raise InputError(message, field="path", file=name) from None
        if not self.titles:
            raise InputError("the workbook has no visible sheet", field="sheet", file=name)

    def sheet(self, title: str) -> Sheet:
        """Return the cells of a sheet."""
        from python_calamine import CalamineError

        try:
            found = self._workbook.get_sheet_by_name(title)
            rows = found.to_python(skip_empty_area=False)
            merged = found.merged_cell_ranges or []
        except (CalamineError, ValueError) as error:
            message = f"the sheet {title!r} cannot be read: {error}"
            raise InputError(message, field="sheet", file=self._name, value=title) from None
        return Sheet(self._name, title, rows, self._faults.get(title, {}), merged)

    def find(self, kind: str) -> str | None:
        """Title of the sheet called customers, vehicles, depots or stops, in any language."""
        found = [title for title in self.titles if SHEET_KINDS.get(simplified(title)) == kind]
        if len(found) > 1:
            names = " and ".join(map(repr, found))
            message = f"{len(found)} sheets for the {kind}: {names}; rename all but one"
            if kind == "customers":
                message += ", or pass `sheet`"
            raise InputError(message, field="sheet", file=self._name, value=found[0])
        return found[0] if found else None

    def warn_about_unused(self, used: Collection[str | None]) -> None:
        """Warn about sheets with other tables of customers, vehicles or depots."""
        unused = [title for title in self.titles if title not in used and self._has_table(title)]
        if unused:
            names = ", ".join(map(repr, unused))
            message = f"ignoring other sheets with tables: {names}; choose one with `sheet`"
            warn(message, self._name, field="sheet")

    def _has_table(self, title: str) -> bool:
        """Whether a row has two known titles of one kind of table."""
        kinds = (customer_names(), vehicle_names(), depot_names())
        for row in self.sheet(title).rows[:MAX_ROWS_ABOVE]:
            titles = [cell for cell in row if isinstance(cell, str) and cell.strip()]
            if any(sum(names.find(t) is not None for t in titles) > 1 for names in kinds):
                return SHEET_KINDS.get(simplified(title)) != "stops"
        return False

    def choose(self, sheet: str | None) -> str:
        """Title of the sheet with the customers: the given one, the one called so, or the first."""
        if sheet is None:
            others = [t for t in self.titles if simplified(t) not in SHEET_KINDS]
            return self.find("customers") or (others or self.titles)[0]
        for title in self.titles:
            if title.strip().casefold() == sheet.strip().casefold():
                return title
        message = f"no sheet {sheet!r}; the workbook has: {', '.join(self.titles)}"
        raise InputError(message, field="sheet", file=self._name, value=sheet)


def table_of_workbook(data: bytes, name: str, field: str) -> Sheet:
    """Return the sheet of a workbook of its own with vehicle types or depots."""
    workbook = Workbook(data, name)
    kind = "vehicles" if field == "fleet" else field
    return workbook.sheet(workbook.find(kind) or workbook.titles[0])
