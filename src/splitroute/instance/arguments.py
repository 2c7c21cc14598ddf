"""What an instance is made of, from the arguments of `Instance.create`."""

from __future__ import annotations

import operator
import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from splitroute.distances import Floats, Metric
from splitroute.errors import InputError
from splitroute.instance.customers import Customer, Place
from splitroute.instance.rules import CUSTOMER_RULES
from splitroute.registry import check_choice

MAX_DISTANCE = 1e12


def as_places(
    coordinates: Iterable[tuple[float, float]],
    lat: Iterable[float] | None,
    lon: Iterable[float] | None,
    metric: Metric | None,
) -> tuple[Place, ...]:
    """Return the places in the plane, or on the globe with `lat` and `lon`."""
    coordinates = list(coordinates)
    if lat is not None or lon is not None:
        if coordinates:
            raise InputError("give coordinates, or lat and lon; not both", field="coordinates")
        points = _longitudes_latitudes(lat, lon)
    elif metric == "haversine":
        raise InputError(
            "the metric 'haversine' takes lat=[..] and lon=[..], not coordinates",
            field="metric",
            value=metric,
        )
    else:
        points = _as_points("coordinates", coordinates)
    return tuple(Place(x, y) for x, y in points)


def as_customers(
    ids: Sequence[str] | None,
    demands: Sequence[int],
    notes: Sequence[str],
    rules: Mapping[str, object],
    first_place: int,
) -> tuple[Customer, ...]:
    """Return the customers; those without ids are called by their numbers."""
    # Numbers, as in a column of a data frame, are texts everywhere else.
    ids = [str(id) for id in (range(1, len(demands) + 1) if ids is None else ids)]
    _check_ids(ids, len(demands))
    if len(notes) not in (0, len(demands)):
        message = f"{len(notes)} notes for {len(demands)} demands"
        raise InputError(message, field="notes", value=len(notes))
    texts = ["" if note is None else str(note) for note in notes] or [""] * len(demands)
    columns = ids, demands, texts, _rules_of_each(rules, len(demands))
    return tuple(
        Customer(id, as_int(demand), place, note, **rules)
        for place, (id, demand, note, rules) in enumerate(zip(*columns, strict=True), first_place)
    )


def _check_ids(ids: Sequence[str], count: int) -> None:
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


def _longitudes_latitudes(
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
    return _as_points("lat", zip(longitudes, latitudes, strict=True))


def _as_points(field: str, pairs: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
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


# What cannot be converted is returned as it is: `checks.check_instance` reports it.


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


def _rules_of_each(rules: Mapping[str, object], count: int) -> list[dict[str, Any]]:
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
    widths = {len(row) if hasattr(row, "__len__") else 1 for row in rows}
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
            if table.ndim != 2:
                raise ValueError
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
