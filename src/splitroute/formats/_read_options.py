"""How to read an instance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.formats._arguments import check_speed, check_types
from splitroute.formats._files import STREAM_NAMES
from splitroute.formats._numbers import Field, parse_quantity, parse_unit
from splitroute.formats._sources import Source


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read an instance; overrides what the file states."""

    name: str = ""  # of the file, for messages and for instances without a name
    metric: Metric | None = None  # None: the default of the file
    unit: Decimal | None = None  # None: the file's, or else inferred from its quantities
    scale: float = 1.0  # divisor of the coordinates
    capacity: Decimal | None = None
    depot: tuple[float, float] | str | None = None  # x and y, lat and lon, or the id of a row
    fleet: Source | None = None  # table of vehicle types
    depots: Source | None = None  # table of depots
    columns: Mapping[str, str] | None = None  # titles of columns by what they hold
    sheet: str | None = None  # of a workbook: the one with the customers
    has_matrix: bool = False  # a matrix will be added, so that places need no coordinates
    speed: float | None = None  # distance per time unit, or km/h on the globe
    partial: bool = False  # demand may stay undelivered
    encoding: str = "utf-8"  # of the file

    @classmethod
    def checked(
        cls,
        *,
        metric: Metric | None,
        unit: Decimal | float | str | None,
        scale: float,
        capacity: Decimal | float | str | None,
        depot: tuple[float, float] | str | None,
        depots: Source | None,
        speed: float | None,
        **others: Any,
    ) -> ReadOptions:
        """Return the options that a user gives; raise for the first that is invalid."""
        check_types(metric, scale, depot)
        if depot is not None and depots is not None:
            raise InputError("give depot or depots, not both", field="depot", value=depot)
        check_speed(speed)
        exact = None
        if capacity is not None:
            exact = Decimal(parse_quantity(str(capacity), Field("capacity")))
        return cls(
            metric=metric,
            unit=None if unit is None else parse_unit(str(unit), Field("unit")),
            scale=scale,
            capacity=exact,
            depot=tuple(depot) if isinstance(depot, list) else depot,
            depots=depots,
            speed=None if speed is None else float(speed),
            **others,
        )

    @property
    def stem(self) -> str:
        """File name without its extension; empty for a stream."""
        return "" if self.name in STREAM_NAMES else Path(self.name).stem
