"""Responses of VROOM, as its own output is structured."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import Any

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.formats._numbers import finite
from splitroute.formats._vroom_instance import VroomOrigin
from splitroute.formats._vroom_models import JobModel, VehicleModel
from splitroute.formats._vroom_tables import Key
from splitroute.instance import Instance
from splitroute.instance.windows import ALWAYS, earliest
from splitroute.solution import Route, Solution, explain_undelivered, route_costs, timetable

TOTALS = ("setup", "service", "duration", "waiting_time")
ROUNDING = 1e-6  # VROOM rounds down; sums of fractions may be a little less than a whole number
NOT_FOUND = "no feasible place for it was found in the time given"


def response(
    instance: Instance, solution: Solution, origin: VroomOrigin, about: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the response to the request that an instance was read from."""
    if not all(route.visits for route in solution.routes):
        solution = Solution(tuple(route for route in solution.routes if route.visits))
    vehicles = _vehicles(solution, origin)
    starts = [0.0] * len(vehicles)
    if origin.has_times:
        starts = [times.start + origin.time_offset for times in timetable(instance, solution)]
    costs = route_costs(instance, solution)
    order = {id(vehicle): k for k, vehicle in enumerate(origin.request.vehicles)}
    lines = solution.geometry if origin.request.options.g else ()
    routes = [
        {**_Walk(origin, vehicle, start).route(route, cost), **_geometry(vehicle, line)}
        for route, vehicle, start, cost, line in sorted(
            zip(solution.routes, vehicles, starts, costs, lines or repeat(None), strict=False),
            key=lambda item: order[id(item[1])],
        )
    ]
    unassigned = _unassigned(instance, solution, origin)
    missing = {item["id"] for item in unassigned}
    summary = {
        "cost": sum(route["cost"] for route in routes),
        "routes": len(routes),
        "unassigned": len(unassigned),
        **_amounts(origin, sum(_delivered(origin, route) for route in solution.routes)),
        **{name: sum(route[name] for route in routes) for name in TOTALS},
        "priority": sum(job.priority for job in origin.request.jobs if job.id not in missing),
        **_total_distance(origin, routes),
        "violations": [],
        "computing_times": {
            "loading": 0,
            "solving": round(1000 * (finite(about.get("seconds")) or 0)),
            "routing": 0,
        },
    }
    return {
        "code": 0,
        "summary": summary,
        "unassigned": unassigned,
        "routes": routes,
        "distances": origin.distances,
    }


def _vehicles(solution: Solution, origin: VroomOrigin) -> list[VehicleModel]:
    """The vehicle of each route: the one of its number, or any that is left."""
    numbered = {(r.vehicle_type, r.vehicle) for r in solution.routes if r.vehicle}
    left = [
        iter([v for n, v in enumerate(group, 1) if (k, n) not in numbered])
        for k, group in enumerate(origin.groups)
    ]
    try:
        return [
            origin.groups[r.vehicle_type][r.vehicle - 1]
            if r.vehicle
            else next(left[r.vehicle_type])
            for r in solution.routes
        ]
    except (IndexError, StopIteration):
        message = "the solution uses vehicles that the request does not have"
        raise InputError(message, field="solution") from None


class _Walk:
    """A vehicle on its route: where it is, when, and with which load."""

    def __init__(self, origin: VroomOrigin, vehicle: VehicleModel, start: float) -> None:
        self._origin, self._vehicle = origin, vehicle
        self._time, self._here = start, origin.locations.start(vehicle)
        self._duration = self._distance = self._load = 0.0
        self._totals = dict.fromkeys((*TOTALS, "priority"), 0.0)

    def route(self, route: Route, cost: float) -> dict[str, Any]:
        """Return the route of the vehicle."""
        origin, vehicle = self._origin, self._vehicle
        jobs = [origin.request.jobs[visit.customer - 1] for visit in route.visits]
        quantities = [visit.quantity for visit in route.visits]
        amounts = list(map(origin.amounts.delivered, jobs, quantities))
        self._load = 0 if origin.amounts.is_pickup else sum(amounts)
        # A route that may start or end anywhere does so at its first or last job.
        start, end = _located(vehicle.start, vehicle.start_index), origin.locations.end(vehicle)
        steps = [self._end_step("start", start or _place(jobs[0]))]
        steps += list(map(self._job_step, jobs, amounts))
        if end is not None:
            self._drive(end)
        last = _located(vehicle.end, vehicle.end_index) or _place(jobs[-1])
        steps.append(self._end_step("end", last))
        self._totals["duration"] = self._duration
        return {
            "vehicle": vehicle.id,
            "cost": _whole(cost),
            **({} if vehicle.description is None else {"description": vehicle.description}),
            **_amounts(origin, _delivered(origin, route)),
            **{name: _whole(value) for name, value in self._totals.items()},
            **self._traveled(),
            "steps": steps,
            "violations": [],
        }

    def _drive(self, there: Key) -> None:
        tables, index_of = self._origin.tables, self._origin.locations.index_of
        if self._here is not None:
            leg = index_of[self._here], index_of[there]
            self._time += float(tables.durations[leg])
            self._duration += float(tables.durations[leg])
            self._distance += 0.0 if tables.distances is None else float(tables.distances[leg])
        self._here = there

    def _job_step(self, job: JobModel, amount: int) -> dict[str, Any]:
        before = self._here
        self._drive(self._origin.locations.job(job))
        arrival = self._time
        begin = earliest(job.time_windows or ALWAYS, arrival)
        waiting = 0.0 if begin is None else begin - arrival
        setup = 0 if before == self._here else job.setup
        self._time += waiting + setup + job.service
        is_pickup = self._origin.amounts.is_pickup
        self._load += amount if is_pickup else -amount
        spent = {"setup": setup, "service": job.service, "waiting_time": waiting}
        for name, value in {**spent, "priority": job.priority}.items():
            self._totals[name] += value
        is_split = amount < self._origin.amounts.amount(job)
        return {
            "type": "job",
            **_described(job),
            "id": job.id,
            **{name: _whole(value) for name, value in spent.items()},
            "job": job.id,
            **({"pickup" if is_pickup else "delivery": [amount]} if is_split else {}),
            **self._loaded(),
            "arrival": _whole(arrival),
            "duration": _whole(self._duration),
            **self._traveled(),
            "violations": [],
        }

    def _end_step(self, type: str, place: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": type,
            **place,
            "setup": 0,
            "service": 0,
            "waiting_time": 0,
            **self._loaded(),
            "arrival": _whole(self._time),
            "duration": _whole(self._duration),
            **self._traveled(),
            "violations": [],
        }

    def _loaded(self) -> dict[str, Any]:
        return {"load": [int(self._load)]} if self._origin.amounts.has_capacity else {}

    def _traveled(self) -> dict[str, Any]:
        has_distances = self._origin.tables.distances is not None
        return {"distance": _whole(self._distance)} if has_distances else {}


def _unassigned(
    instance: Instance, solution: Solution, origin: VroomOrigin
) -> list[dict[str, Any]]:
    found = []
    for number, quantity, rule, reason in explain_undelivered(instance, solution):
        job = origin.request.jobs[number - 1]
        rest = origin.amounts.delivered(job, quantity)
        is_partial = quantity < instance.customers[number - 1].demand
        amounts = {"pickup" if origin.amounts.is_pickup else "delivery": [rest]}
        found.append(
            {
                "id": job.id,
                **_described(job),
                "type": "job",
                **(amounts if is_partial else {}),
                "reason": NOT_FOUND if rule in (None, "penalty") else reason,
            }
        )
    return found


def _described(job: JobModel) -> dict[str, Any]:
    description = {} if job.description is None else {"description": job.description}
    return {**description, **_place(job)}


def _place(job: JobModel) -> dict[str, Any]:
    return _located(job.location, job.location_index)


def _located(location: tuple[float, float] | None, index: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {} if location is None else {"location": list(location)}
    return found if index is None else {**found, "location_index": index}


def _delivered(origin: VroomOrigin, route: Route) -> int:
    jobs, delivered = origin.request.jobs, origin.amounts.delivered
    return sum(delivered(jobs[visit.customer - 1], visit.quantity) for visit in route.visits)


def _amounts(origin: VroomOrigin, amount: int) -> dict[str, Any]:
    """The total of deliveries, under its two names, and of pickups; if there are capacities."""
    if not origin.amounts.has_capacity:
        return {}
    delivered, picked = (0, amount) if origin.amounts.is_pickup else (amount, 0)
    return {"delivery": [delivered], "amount": [delivered], "pickup": [picked]}


def _total_distance(origin: VroomOrigin, routes: list[dict[str, Any]]) -> dict[str, Any]:
    if origin.tables.distances is None:
        return {}
    return {"distance": sum(route["distance"] for route in routes)}


def _geometry(vehicle: VehicleModel, line: Floats | None) -> dict[str, str]:
    """The line of a route, unless it starts or ends anywhere."""
    if line is None or vehicle.start is None or vehicle.end is None:
        return {}
    return {"geometry": encode_polyline(line)}


def encode_polyline(line: Floats) -> str:
    """Return longitudes and latitudes as Google's encoded polyline, with five decimals."""
    steps = np.diff(np.rint(line[:, ::-1] * 1e5), axis=0, prepend=[[0.0, 0.0]])
    text: list[str] = []
    for step in map(int, steps.ravel()):
        value = ~(step << 1) if step < 0 else step << 1
        while value >= 0x20:
            text.append(chr((0x20 | value & 0x1F) + 63))
            value >>= 5
        text.append(chr(value + 63))
    return "".join(text)


def _whole(value: float) -> int:
    """A number as VROOM rounds it."""
    return int(value + ROUNDING)
