"""From a request of VROOM to an instance.

VROOM serves as much priority as it can, then as many jobs as it can, and then minimises cost.
Penalties say so here. Jobs that fit into a vehicle are not split.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from splitroute.errors import InputError
from splitroute.formats._vroom_amounts import Amounts
from splitroute.formats._vroom_costs import TravelCosts, travel_costs
from splitroute.formats._vroom_models import JobModel, RequestModel, VehicleModel
from splitroute.formats._vroom_places import Places
from splitroute.formats._vroom_tables import Locations, Tables, on_roads
from splitroute.instance import Customer, Instance, VehicleType
from splitroute.instance.rule_checks import MAX_VEHICLE_TYPES

SECONDS_PER_DAY = 86_400
MAX_SMALL_TIME = 10**6  # timestamps above are counted from some day, which keeps them exact
DAYS_BEFORE = 7  # the earliest window: no route takes that long to get there
# What a level of priority adds to the penalty of a job, in multiples of it. Larger ones would leave
# fewer digits for the costs.
PRIORITY_FACTOR = 20
MAX_IDS = 8  # in the name of a vehicle type

Group = list[VehicleModel]


@dataclass(frozen=True)
class VroomOrigin:
    """A request without its matrices, and what else a response needs."""

    request: RequestModel
    locations: Locations
    tables: Tables
    amounts: Amounts
    groups: list[Group]  # vehicles of each type
    time_offset: int  # of the instance's times
    has_times: bool  # of the instance; otherwise its durations are something else
    format: str = "vroom"

    @property
    def distances(self) -> str:
        """What distances are based on."""
        return self.tables.source

    def on_roads(self, instance: Instance) -> Instance:
        """Return the instance with the tables of a road server."""
        if self.locations.has_matrices:
            message = "the request has matrices; omit the road server"
            raise InputError(message, field="roads")
        assert instance.matrix is not None
        assert instance.durations is not None
        place_of = {key: k for k, key in enumerate(Places(self.request, self.locations).keys)}
        places = [place_of[key] for key in self.locations.index_of]
        pairs = np.ix_(places, places)
        km, minutes = instance.matrix[pairs], instance.durations[pairs]
        tables = on_roads(self.request, km, minutes, instance.roads)
        return build_instance(self.request, self.locations, tables, instance.name)


def build_instance(
    request: RequestModel, locations: Locations, tables: Tables, name: str
) -> Instance:
    """Return the instance of a request with these tables between its locations."""
    costs, amounts = travel_costs(request, tables), Amounts.of(request)
    places = Places(request, locations)
    durations = places.table(costs.clock)
    services = places.add_setups(durations) if costs.has_times else [0.0] * len(request.jobs)
    groups = _groups(request, locations)
    offset = _time_offset(request)
    rates = dict(zip((vehicle.id for vehicle in request.vehicles), costs.rates, strict=True))
    fleet = tuple(
        VehicleType(
            type=_type_name(group),
            capacity=amounts.capacity(first),
            count=len(group),
            depot=places.depot_ids(first)[0],
            end_depot=places.depot_ids(first)[1],
            fixed_cost=float(first.costs.fixed),
            cost_per_distance=rates[first.id],
            shift=_window(first.time_window, offset) if first.time_window else None,
            max_stops=first.max_tasks or None,
            **costs.limits(first),
        )
        for group in groups
        for first in group[:1]
    )
    penalty = _dearest_trip(costs, request)  # so that leaving a job is never cheaper
    allowed = [_allowed(job, groups, amounts) for job in request.jobs]
    rooms = [max((amounts.room(groups[k][0]) for k in types), default=0) for types in allowed]
    is_oversized = [
        amounts.amount(job) > room > 0 for job, room in zip(request.jobs, rooms, strict=True)
    ]
    # What no vehicle may serve must not be larger than any of them.
    demands = [
        amounts.demand(job) if types else 1
        for job, types in zip(request.jobs, allowed, strict=True)
    ]
    customers = tuple(
        Customer(
            id=str(job.id),
            demand=demands[k],
            place=places.first_job + k,
            note=job.description or "",
            windows=tuple(_window(window, offset) for window in job.time_windows or ()),
            service=services[k],
            vehicle_types=None
            if len(allowed[k]) == len(groups)
            else tuple(fleet[t].type for t in allowed[k]),
            # Per amount of 1. The last unit of an oversized job may take a trip of its own.
            penalty=penalty
            * (1 + PRIORITY_FACTOR * job.priority)
            / (1 if is_oversized[k] else demands[k] / amounts.scale),
            **(_split_rules(demands[k], is_oversized[k], amounts) if any(is_oversized) else {}),
        )
        for k, job in enumerate(request.jobs)
    )
    coordinates = places.coordinates()
    slim = request.model_copy(update={"matrices": {}, "matrix": None})
    return Instance(
        name=name,
        capacity=max(kind.capacity for kind in fleet),
        customers=customers,
        places=coordinates,
        metric="matrix",
        matrix=places.table(costs.table),
        unit=Decimal(1) / amounts.scale,
        splittable=any(is_oversized),
        depots=places.depots,
        fleet=fleet,
        durations=durations,
        partial=True,
        is_globe=bool(coordinates),
        origin=VroomOrigin(slim, locations, tables, amounts, groups, offset, costs.has_times),
    )


def _groups(request: RequestModel, locations: Locations) -> list[Group]:
    """Vehicles that differ in nothing but their names, in the order of the first of each."""
    groups: dict[Any, Group] = {}
    for vehicle in request.vehicles:
        alike = (
            locations.start(vehicle),
            locations.end(vehicle),
            tuple(vehicle.capacity or ()),
            frozenset(vehicle.skills),
            vehicle.time_window,
            (vehicle.costs.fixed, vehicle.costs.per_hour, vehicle.costs.per_km),
            (vehicle.max_tasks, vehicle.max_travel_time, vehicle.max_distance),
        )
        groups.setdefault(alike, []).append(vehicle)
    if len(groups) > MAX_VEHICLE_TYPES:
        raise InputError(
            f"{len(groups)} vehicles differ in more than id and description; at most "
            f"{MAX_VEHICLE_TYPES} may",
            code="unsupported",
            field="vehicles",
            value=len(groups),
        )
    return list(groups.values())


def _type_name(group: Group) -> str:
    """The ids of the vehicles of a type."""
    ids = [str(vehicle.id) for vehicle in group]
    return " ".join(ids) if len(ids) <= MAX_IDS else f"{ids[0]} and {len(ids) - 1} like it"


def _allowed(job: JobModel, groups: list[Group], amounts: Amounts) -> list[int]:
    """Indices of the vehicle types that may serve a job."""
    return [
        k
        for k, (first, *_) in enumerate(groups)
        if set(job.skills) <= set(first.skills)
        and first.max_tasks != 0
        and (amounts.room(first) > 0 or not amounts.amount(job))
    ]


def _split_rules(demand: int, is_oversized: bool, amounts: Amounts) -> dict[str, Any]:
    """How visits may share the demand of a job, where any job is split."""
    if is_oversized:
        return {"lot": amounts.scale}
    return {"splittable": False, "min_drop": demand}  # one visit delivers all of it or nothing


def _dearest_trip(costs: TravelCosts, request: RequestModel) -> float:
    """What the dearest trip to one job costs at most."""
    longest = 2 * float(costs.table.max(initial=0.0)) * max(costs.rates)
    return max(1.0, longest + max(vehicle.costs.fixed for vehicle in request.vehicles))


def _time_offset(request: RequestModel) -> int:
    """The time from which those of the instance are counted; 0 unless they are timestamps."""
    windows = [window for job in request.jobs for window in job.time_windows or ()]
    windows += [vehicle.time_window for vehicle in request.vehicles if vehicle.time_window]
    first = min((opens for opens, _ in windows), default=0)
    if first <= MAX_SMALL_TIME:
        return 0
    return (first // SECONDS_PER_DAY - DAYS_BEFORE) * SECONDS_PER_DAY


def _window(window: tuple[int, int], offset: int) -> tuple[float, float]:
    return float(window[0] - offset), float(window[1] - offset)
