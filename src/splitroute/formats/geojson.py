"""GeoJSON for maps and GIS: a line per route and a point per customer. Write-only."""

import json
from typing import Any

from splitroute.errors import InputError
from splitroute.formats import Capabilities
from splitroute.instance import Instance
from splitroute.report import json_number, user_quantity
from splitroute.solution import Solution, route_costs

CAPABILITIES = Capabilities(
    solution_suffixes=(".geojson",), needs_coordinates=True, holds_vehicles=True
)


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Return the routes and customers as a FeatureCollection."""
    if not instance.places:
        raise InputError("the instance has no coordinates, which GeoJSON needs", field="places")
    # Places are (x, y) or (longitude, latitude), the order that RFC 7946 asks for.
    points = [list(instance.places[place]) for place in instance.sites.tolist()]
    features = []
    for k, (route, cost) in enumerate(
        zip(solution.routes, route_costs(instance, solution), strict=True), 1
    ):
        line = [points[0], *(points[visit.customer] for visit in route.visits), points[0]]
        load = user_quantity(instance, route.load)
        features.append(
            _feature("LineString", line, {"route": k, "load": load, "cost": json_number(cost)})
        )
    for k, customer in enumerate(instance.customers, 1):
        demand = user_quantity(instance, customer.demand)
        features.append(
            _feature("Point", points[k], {"customer": k, "id": customer.id, "demand": demand})
        )
    return json.dumps({"type": "FeatureCollection", "features": features}) + "\n"


def _feature(kind: str, coordinates: list[Any], properties: dict[str, Any]) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}
