"""Settings above the header of a CSV; options override them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from splitroute.formats import ReadOptions
from splitroute.formats._cells import parse_flag
from splitroute.formats._decimals import Column
from splitroute.formats._errors import FrameRow, SheetRow, input_error
from splitroute.formats._features import FeatureRow
from splitroute.formats._numbers import Field, Quantities, parse_cost, parse_count, parse_unit
from splitroute.formats._records import Quantity, Record, set_capacities
from splitroute.formats._table import Table


class Settings:
    """The settings of a table and of the options."""

    def __init__(self, table: Table, options: ReadOptions) -> None:
        self._table, self._options, self._errors = table, options, table.errors

    @property
    def name(self) -> str:
        """Name of the instance; the file's by default."""
        setting = self._table.setting("name")
        return self._options.stem if setting is None else setting.value

    def quantities(self, column: Column, fleet: Sequence[Record]) -> Quantities:
        """Quantities in the unit of the file: the capacity, unless there are vehicle types."""
        unit: Decimal | None = self._options.unit
        with self._errors:
            if unit is None and (found := self._number("unit", column)):
                unit = parse_unit(*found)
        quantities = Quantities(unit, self._errors)
        with self._errors:
            capacity = self._number("capacity", column)
            if fleet:
                set_capacities(fleet, self._options.capacity, capacity)
            else:
                if self._options.capacity is not None:
                    field = Field("capacity", self._options.name)
                    capacity = str(self._options.capacity), field
                if capacity is None and not self._table.is_misspelt("capacity"):
                    raise input_error(
                        f"no capacity; pass `capacity`{_capacity_hint(self._table.header_line)}",
                        self._options.name,
                        code="no_capacity",
                        field="capacity",
                    )
                if capacity is not None:
                    quantities.add(*capacity)
        return quantities

    def vehicles(self, has_fleet: bool) -> int | None:
        """Number of vehicles, unless there are vehicle types."""
        found = self._find("vehicles")
        if found is None or has_fleet:
            return None
        with self._errors:
            return parse_count(*found)
        return None

    def speed(self) -> float | None:
        """Distance per time unit, or km/h."""
        found = self._find("speed")
        if self._options.speed is not None or found is None:
            return self._options.speed
        with self._errors:
            text = self._table.column([found[0]]).read(*found)
            speed = float(parse_cost(text, found[1]))
            if speed == 0:
                raise found[1].error(found[0], "it must be a number above 0")
            return speed
        return None

    def flag(self, key: str) -> bool | None:
        """A setting that is yes or no."""
        found = self._find(key)
        if found is None:
            return None
        with self._errors:
            return parse_flag(*found)
        return None

    def _find(self, key: str) -> Quantity | None:
        """The text of a setting and where it stands, unless it is empty."""
        found = self._table.setting(key)
        if found is None or not found.value:
            return None
        return found.value, Field(key, self._options.name, found.line)

    def _number(self, key: str, column: Column) -> Quantity | None:
        """A number that is written like those of a column."""
        found = self._find(key)
        return None if found is None else (column.read(*found), found[1])


def _capacity_hint(header: int) -> str:
    """How the file itself may state the capacity; a data frame cannot."""
    match header:
        case FrameRow():
            return ""
        case FeatureRow():
            return ', or add a member "capacity": 100 beside the features'
        case SheetRow():
            return ", or add a row with Capacity and 100 above the header, or a sheet 'vehicles'"
        case _:
            return ", or add a first line '# capacity: 100'"
