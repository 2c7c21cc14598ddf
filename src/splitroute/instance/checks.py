"""Checks and conversions of what an instance is created from."""

from __future__ import annotations

import operator
import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from splitroute.distances import METRICS, Floats
from splitroute.errors import InputError
from splitroute.instance.customers import customer_name
from splitroute.instance.rules import CUSTOMER_RULES
from splitroute.registry import check_choice

if TYPE_CHECKING:
    from splitroute.instance import Instance

MAX_QUANTITY = 10**12
MAX_VEHICLES = 10**9
MIN_UNIT, MAX_UNIT = Decimal("1e-9"), Decimal("1e9")
MAX_COORDINATE = 1e9
MAX_DISTANCE = 1e12


def check_instance(instance: Instance) -> None:
    """Raise an InputError for the first field that is invalid."""
    check_choice(METRICS, "metric", instance.metric)
    check_unit(instance.unit)
    _check_quantities(instance)
    _check_vehicles(instance)
    _check_places(instance)


def check_ids(ids: Sequence[str], count: int) -> None:
    """Raise unless there is one id per customer and none is used twice."""
    if len(ids) != count:
        raise InputError(f"{len(ids)} ids for {count} demands", field="ids", value=len(ids))
    if len(set(ids)) != len(ids):
        twice = next(id for id, times in Counter(ids).items() if times > 1)
        raise InputError(f"duplicate id {twice!r}; ids must be unique", field="ids", value=twice)


def check_count(field: str, noun: str, count: int, customers: int, depots: int = 1) -> None:
    """Raise unless there is one place or matrix row per depot and customer, or none."""
    if count not in (0, customers + depots):
        owners = f"{customers} customers and {'the depot' if depots == 1 else f'{depots} depots'}"
        raise InputError(
            f"{count} {noun} for {owners}; there must be {customers + depots}",
            field=field,
            value=count,
        )


def check_list(field: str, values: object, kind: type, example: str) -> None:
    """Raise unless these are values of a kind."""
    is_list = isinstance(values, Sequence) and not isinstance(values, str)
    if not is_list or not all(isinstance(v, kind) for v in values):  # type: ignore[attr-defined]
        message = f"{field} is {reprlib.repr(values)}; it must be a list such as {example}"
        raise InputError(message, field=field, value=values)


def check_unit(unit: object) -> Decimal:
    """Return the unit, or raise if it is out of range."""
    # Within this range no quantity times the unit overflows.
    is_finite = isinstance(unit, Decimal) and unit.is_finite()
    if not isinstance(unit, Decimal) or not is_finite or not MIN_UNIT <= unit <= MAX_UNIT:
        raise InputError(
            f"unit is {unit}; it must be a number above 0, from {MIN_UNIT:f} to {MAX_UNIT:f}",
            field="unit",
            value=unit,
        )
    return unit


def _check_quantities(instance: Instance) -> None:
    capacity = instance.capacity
    max_capacity = MAX_QUANTITY if instance.splittable else None  # pieces may be scaled up
    if not _is_int(capacity) or capacity <= 0 or (max_capacity and capacity > max_capacity):
        raise InputError(
            f"capacity is {capacity!r}; it must be a whole number from 1 to {MAX_QUANTITY}",
            field="capacity",
            value=capacity,
        )
    max_demand = MAX_QUANTITY if instance.splittable else capacity
    for number, customer in enumerate(instance.customers, 1):
        if not _is_int(customer.demand) or not 0 <= customer.demand <= max_demand:
            raise InputError(
                f"demand of {customer_name(instance, number)} is {customer.demand!r}; "
                f"it must be a whole number from 0 to {max_demand}",
                field="demands",
                value=customer.demand,
            )


def _check_vehicles(instance: Instance) -> None:
    vehicles = instance.vehicles
    if vehicles is None:
        return
    if not _is_int(vehicles) or not 1 <= vehicles <= MAX_VEHICLES:
        raise InputError(
            f"vehicles is {vehicles!r}; it must be a whole number from 1 to {MAX_VEHICLES}",
            field="vehicles",
            value=vehicles,
        )
    total = int(instance.demands.sum())
    if not instance.rules and total > vehicles * instance.capacity:
        carried = vehicles * instance.capacity * instance.unit
        fleet = f"{vehicles} vehicle carries" if vehicles == 1 else f"{vehicles} vehicles carry"
        raise InputError(
            f"{fleet} {carried}; the total demand is {total * instance.unit}, "
            f"which needs at least {-(-total // instance.capacity)}",
            field="vehicles",
            value=vehicles,
        )


def _check_places(instance: Instance) -> None:
    matrix, places = instance.matrix, instance.places
    if (instance.metric == "matrix") != (matrix is not None):
        raise InputError(
            "the metric 'matrix' needs a matrix, and a matrix needs the metric 'matrix'",
            field="metric",
            value=instance.metric,
        )
    if matrix is None or places:
        _check_coordinates(instance)
    if matrix is not None and len(places) not in (0, len(matrix)):
        message = f"{len(places)} places for {len(matrix)} rows of the matrix"
        raise InputError(message, field="matrix", value=len(matrix))
    count = len(places) if matrix is None else len(matrix)
    if instance.durations is not None and len(instance.durations) != count:
        message = f"durations has {len(instance.durations)} rows for {count} places"
        raise InputError(message, field="durations", value=len(instance.durations))
    used = [0, *(customer.place for customer in instance.customers)]
    if count <= max(used) or min(used) < 0:
        message = f"{count} places for {len(instance.customers)} customers and the depot"
        raise InputError(message, field="customers", value=count)


def _check_coordinates(instance: Instance) -> None:
    xy = instance.xy
    is_valid = (np.abs(xy) <= MAX_COORDINATE).all(axis=1)
    if not is_valid.all():
        row = int(np.argmin(is_valid))
        raise InputError(
            f"place {row} is at {tuple(xy[row].tolist())}; "
            f"coordinates must be numbers of at most {MAX_COORDINATE:g} in absolute value",
            field="coordinates",
            value=tuple(xy[row].tolist()),
        )
    if instance.metric == "haversine" and xy.size:
        is_outside = (np.abs(xy[:, 1]) > 90) | (np.abs(xy[:, 0]) > 180)
        if is_outside.any():
            x, y = xy[int(np.argmax(is_outside))].tolist()
            raise InputError(
                f"latitude {y}, longitude {x} is not on the globe; latitudes must be "
                "from -90 to 90, longitudes from -180 to 180",
                field="lat" if abs(y) > 90 else "lon",
                value=y if abs(y) > 90 else x,
            )


def longitudes_latitudes(
    lat: Iterable[float] | None, lon: Iterable[float] | None
) -> list[tuple[float, float]]:
    """Return (longitude, latitude) of each place."""
    if lat is None or lon is None:
        message = "lat and lon go together: one of each for the depot and every customer"
        raise InputError(message, field="lat" if lat is None else "lon")
    latitudes, longitudes = list(lat), list(lon)
    if len(latitudes) != len(longitudes):
        message = f"{len(latitudes)} latitudes for {len(longitudes)} longitudes"
        raise InputError(message, field="lat", value=len(latitudes))
    return as_points("lat", zip(longitudes, latitudes, strict=True))


def as_points(field: str, pairs: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return pairs of numbers as floats."""
    points = []
    for pair in pairs:
        try:
            x, y = pair
            points.append((float(x), float(y)))
        except (TypeError, ValueError):
            message = f"{pair!r} is not a place; it must be two numbers"
            raise InputError(message, field=field, value=pair) from None
    return points


# What cannot be converted is returned as it is: `check_instance` reports it.


def as_decimal(number: Decimal | float | str) -> Decimal:
    """Return the number as a Decimal."""
    try:
        return Decimal(str(number))
    except ArithmeticError:
        return number  # type: ignore[return-value]


def as_int(number: object) -> int:
    """Return an integer of any type, such as numpy's, as Python's."""
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        return number  # type: ignore[return-value]


def _is_int(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def customer_rules(rules: Mapping[str, object], count: int) -> list[dict[str, Any]]:
    """Return the rules of each customer, from one sequence or one number per rule."""
    if not rules:
        return [{}] * count
    columns = {}
    for field, values in rules.items():
        check_choice(CUSTOMER_RULES, "customer rule", field)
        value = _as_value(values)
        column = value if isinstance(value, tuple) else (value,) * count
        if len(column) != count:
            message = f"{len(column)} values of {field} for {count} demands"
            raise InputError(message, field=field, value=len(column))
        columns[field] = column
    return [{field: column[k] for field, column in columns.items()} for k in range(count)]


def _as_value(value: object) -> object:
    """A value with tuples for lists and arrays, and without numpy's integers."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(_as_value, value))
    return value if isinstance(value, bool) else as_int(value)


def as_matrix(rows: Sequence[Sequence[float]] | Floats, field: str = "matrix") -> Floats:
    """Return a read-only matrix of distances or durations with a zero diagonal."""
    name, entry = ("the matrix", "the distance")
    if field == "durations":
        name, entry = ("durations", "the duration")
    widths = {len(row) for row in rows}
    if widths != {len(rows)}:
        raise InputError(
            f"{name} has {len(rows)} rows of {', '.join(map(str, sorted(widths)))} entries; "
            "it must be square, the depot first",
            field=field,
        )
    if isinstance(rows, np.ndarray) and _is_final(rows):
        table = rows  # not copied: it may be large, and every `replace` of an instance comes here
    else:
        try:
            table = np.array(rows, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{name} must contain only numbers", field=field) from None
        np.fill_diagonal(table, 0)
    is_invalid = ~((table >= 0) & (table <= MAX_DISTANCE))
    if is_invalid.any():
        i, j = (int(k) for k in np.argwhere(is_invalid)[0])
        raise InputError(
            f"{entry} from {i} to {j} is {table[i, j]}; "
            f"it must be a number from 0 to {MAX_DISTANCE:g}",
            field=field,
            value=float(table[i, j]),
        )
    table.flags.writeable = False
    return table


def _is_final(table: Floats) -> bool:
    """Whether `as_matrix` returned it."""
    is_frozen = table.flags.owndata and not table.flags.writeable
    return is_frozen and table.dtype == np.float64 and not table.diagonal().any()
