"""GeoJSON for maps and GIS: a line per route and a point per customer. Write-only."""

import json
from typing import Any

from splitroute.errors import InputError
from splitroute.formats import Capabilities
from splitroute.instance import Instance
from splitroute.report import json_number, time_text, user_quantity
from splitroute.solution import (
    Route,
    Solution,
    explain_undelivered,
    route_costs,
    route_depots,
    timetable,
)

CAPABILITIES = Capabilities(
    solution_suffixes=(".geojson",), needs_coordinates=True, holds_vehicles=True
)
DECIMALS = 6  # of the degrees of a line: 0.1 m


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Return the routes and customers as a FeatureCollection; with rules, also the depots."""
    if not instance.places:
        raise InputError("the instance has no coordinates, which GeoJSON needs", field="places")
    # Places are (x, y) or (longitude, latitude), the order that RFC 7946 asks for.
    places = [list(place) for place in instance.places]
    points = [places[place] for place in instance.sites.tolist()]
    times = timetable(instance, solution) if instance.has_times else None
    features = []
    arrivals: dict[int, list[str]] = {}  # at each customer
    for k, (route, cost) in enumerate(
        zip(solution.routes, route_costs(instance, solution), strict=True)
    ):
        start, end = route_depots(instance, route)
        visits = [points[visit.customer] for visit in route.visits]
        properties = {
            "route": k + 1,
            **_vehicle(instance, route),
            "load": user_quantity(instance, route.load),
            "cost": json_number(cost),
        }
        if times:
            properties["start"] = time_text(instance, times[k].start)
            properties["end"] = time_text(instance, times[k].end)
            for visit, time in zip(route.visits, times[k].visits, strict=True):
                arrivals.setdefault(visit.customer, []).append(time_text(instance, time.arrival))
        line = [places[start.place], *visits, places[end.place]]
        if solution.geometry:
            line = solution.geometry[k].round(DECIMALS).tolist()
        features.append(_feature("LineString", line, properties))
    items = explain_undelivered(instance, solution) if instance.rules else ()
    missing = {item.customer: item for item in items}
    for k, customer in enumerate(instance.customers, 1):
        demand = user_quantity(instance, customer.demand)
        properties = {"customer": k, "id": customer.id, "demand": demand}
        if times:
            properties["arrivals"] = arrivals.get(k, [])
        if k in missing:
            properties["undelivered"] = user_quantity(instance, missing[k].quantity)
            properties["reason"] = missing[k].reason
        features.append(_feature("Point", points[k], properties))
    if instance.rules:
        features += [
            _feature("Point", places[depot.place], {"depot": depot.id}) for depot in instance.depots
        ]
    return json.dumps({"type": "FeatureCollection", "features": features}) + "\n"


def _vehicle(instance: Instance, route: Route) -> dict[str, Any]:
    """The vehicle of a route, unless all are alike."""
    if not instance.fleet:
        return {}
    number = {"vehicle": route.vehicle} if route.vehicle else {}
    name = instance.fleet[route.vehicle_type].type
    return {"vehicle_type": name, **number, "trip": route.trip}


def _feature(kind: str, coordinates: list[Any], properties: dict[str, Any]) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}
