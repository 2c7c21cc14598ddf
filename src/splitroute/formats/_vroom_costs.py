"""What travelling costs in a request of VROOM, and which limits it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitroute.distances import METRES_PER_KM, Floats
from splitroute.errors import InputError
from splitroute.formats._vroom_models import CostsModel, RequestModel, VehicleModel
from splitroute.formats._vroom_tables import SECONDS_PER_HOUR, Tables

# Limits of vehicles by the table whose entries they add up.
LIMITS = {"durations": "max_travel_time", "distances": "max_distance"}
MIN_LIMIT = 1e-6  # instead of 0


@dataclass(frozen=True)
class TravelCosts:
    """One table whose sums are costs, and at most one other whose sums are limited.

    An instance limits the sum of one table by `max_distance`, and times by `max_duration`. Where
    nothing depends on times, they can be the sum of another table.
    """

    table: Floats
    rates: list[float]  # of each vehicle, per unit of the table
    measure: str  # the table's: "durations", "distances" or "costs"
    clock: Floats  # what times are made of
    has_times: bool = True  # otherwise the clock adds up what is limited

    def limits(self, vehicle: VehicleModel) -> dict[str, Any]:
        """The limits of a vehicle as fields of a vehicle type."""
        found = {}
        for measure, name in LIMITS.items():
            value = getattr(vehicle, name)
            if value is not None:
                field = "max_distance" if measure == self.measure else "max_duration"
                found[field] = max(float(value), MIN_LIMIT)
        return found


def travel_costs(request: RequestModel, tables: Tables) -> TravelCosts:
    """Return the costs and limits; raise if an instance cannot have them all."""
    costs = [vehicle.costs for vehicle in request.vehicles]
    if tables.costs is not None:
        for k, stated in enumerate(costs):
            if (stated.per_hour, stated.per_km) != (3600, 0):
                field = f"vehicles[{k}].costs.per_{'km' if stated.per_km else 'hour'}"
                raise InputError(f"{field} does not go with a matrix of costs", field=field)
        found: dict[str, Any] = {"table": tables.costs, "rates": [1.0] * len(costs)}
        return _with_limits(request, tables, {**found, "measure": "costs"})
    k = next((k for k, c in enumerate(costs) if c.per_hour or c.per_km), 0)
    base = costs[k]
    _check_proportional(costs, k)
    if base.per_km and tables.distances is None:
        raise _no_distances(f"vehicles[{k}].costs.per_km")
    if not base.per_km:
        found = {"table": tables.durations, "measure": "durations"}
        rates = [c.per_hour / SECONDS_PER_HOUR for c in costs]
    elif not base.per_hour:
        found = {"table": tables.distances, "measure": "distances"}
        rates = [c.per_km / METRES_PER_KM for c in costs]
    else:
        assert tables.distances is not None
        by_time = tables.durations * (base.per_hour / SECONDS_PER_HOUR)
        by_distance = tables.distances * (base.per_km / METRES_PER_KM)
        found = {"table": by_time + by_distance, "measure": "costs"}
        rates = [c.per_km / base.per_km for c in costs]
    return _with_limits(request, tables, {**found, "rates": rates})


def _check_proportional(costs: list[CostsModel], k: int) -> None:
    base = costs[k]
    for other, stated in enumerate(costs):
        if stated.per_hour * base.per_km != stated.per_km * base.per_hour:
            field = f"vehicles[{other}].costs.per_{'km' if stated.per_km else 'hour'}"
            raise InputError(
                f"{field}: per_hour and per_km are {stated.per_hour} and {stated.per_km}, and "
                f"those of vehicles[{k}] are {base.per_hour} and {base.per_km}; different ratios "
                "are not supported",
                code="unsupported",
                field=field,
            )


def _with_limits(request: RequestModel, tables: Tables, found: dict[str, Any]) -> TravelCosts:
    costs = TravelCosts(**found, clock=tables.durations)
    others = [
        (measure, f"vehicles[{k}].{name}")
        for measure, name in LIMITS.items()
        for k, vehicle in enumerate(request.vehicles)
        if measure != costs.measure and getattr(vehicle, name) is not None
    ]
    if not others:
        return costs
    measure, field = others[0]
    table = getattr(tables, measure)
    if table is None:
        raise _no_distances(field)
    if len({measure for measure, _ in others}) > 1:
        message = f"{field} and {others[-1][1]} with costs by neither are not supported"
        raise InputError(message, code="unsupported", field=field)
    if has_windows(request):
        message = f"{field} with time windows and costs by another measure is not supported"
        raise InputError(message, code="unsupported", field=field)
    return TravelCosts(**found, clock=table, has_times=False)


def has_windows(request: RequestModel) -> bool:
    """Whether anything depends on times."""
    return any(job.time_windows for job in request.jobs) or any(
        vehicle.time_window for vehicle in request.vehicles
    )


def _no_distances(field: str) -> InputError:
    return InputError(f"{field} needs matrices with distances", field=field)
