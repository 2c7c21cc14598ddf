"""Checks of an instance: its first field that is invalid is an error."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from splitroute.distances import METRICS
from splitroute.errors import InputError
from splitroute.instance.customers import customer_name
from splitroute.registry import check_choice

if TYPE_CHECKING:
    from splitroute.instance import Instance

MAX_QUANTITY = 10**12
MAX_VEHICLES = 10**9
MIN_UNIT, MAX_UNIT = Decimal("1e-9"), Decimal("1e9")
MAX_COORDINATE = 1e9


def check_instance(instance: Instance) -> None:
    """Raise an InputError for the first field that is invalid."""
    if not instance.depots:
        raise InputError("there is no depot; at least one is needed", field="depots")
    check_choice(METRICS, "metric", instance.metric)
    check_unit(instance.unit)
    _check_quantities(instance)
    _check_vehicles(instance)
    _check_places(instance)


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


def _is_int(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
