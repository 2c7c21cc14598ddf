"""GeoJSON for maps and GIS.

Instances are points with properties like the columns of a CSV; capacity and other settings are
members of the collection. Solutions have a line per route and a point per customer. Places are
[longitude, latitude], as RFC 7946 asks for, unless the metric is one of the plane.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np

from splitroute.distances import Floats
from splitroute.formats import Capabilities, ParsedSolution, ReadOptions
from splitroute.formats import json as json_format
from splitroute.formats._dump_csv_instance import RULES
from splitroute.formats._dump_geojson import dump_instance, dump_solution
from splitroute.formats._errors import input_error
from splitroute.formats._parse_csv_instance import parse_customers
from splitroute.formats._parse_features import COLLECTION, load_collection, read_features
from splitroute.instance import Instance
from splitroute.solution import Route, route_places

__all__ = ["CAPABILITIES", "dump_instance", "dump_solution", "parse_instance", "parse_solution"]

HEAD = re.compile(rf'\s*\{{.{{0,2000}}?"type"\s*:\s*"{COLLECTION}"', re.DOTALL)
PLANE = ("exact", "dimacs")  # metrics
ROUTE_FIELDS = ("vehicle_type", "vehicle", "trip", "visits", "load", "cost")
MEMBERS = {"name": "instance", "metric": "metric", "cost": "cost"}


def _recognizes(text: str) -> bool:
    """Whether a text is GeoJSON, whatever its extension; other JSON has no such type."""
    return HEAD.match(text) is not None


CAPABILITIES = Capabilities(
    instance_suffixes=(".geojson", ".json"),
    solution_suffixes=(".geojson", ".json"),
    needs_coordinates=True,
    accepts_depot=True,
    accepts_tables=True,
    instance_rules=RULES,
    holds_vehicles=True,
    recognizes=_recognizes,
)


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance of the points in a text; the options override its settings."""

    def is_globe(stated: Any) -> bool:
        return (options.metric or stated) not in PLANE

    return parse_customers(read_features(text, options.name, is_globe), options)


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the solution of the lines in a text, which state their visits."""
    data = load_collection(text, name)
    routes: list[dict[str, Any]] = []
    undelivered = []
    for k, feature in enumerate(data["features"]):
        properties, geometry = feature.get("properties") or {}, feature["geometry"]
        if geometry.get("type") == "LineString":
            if "visits" not in properties:
                message = f"features[{k}]: a line without visits; they list customer and quantity"
                raise input_error(message, name, field=f"features[{k}].visits")
            route = {key: properties[key] for key in ROUTE_FIELDS if key in properties}
            routes.append({**route, "geometry": geometry.get("coordinates")})
        elif "undelivered" in properties and "customer" in properties:
            quantity = properties["undelivered"]
            undelivered.append({"customer": properties["customer"], "quantity": quantity})
    solution = {MEMBERS[key]: data[key] for key in MEMBERS if key in data}
    solution |= {"routes": routes, **({"undelivered": undelivered} if undelivered else {})}
    parsed = json_format.parse_solution(json.dumps(solution), instance, name)
    return _without_straight_lines(parsed, instance)


def _without_straight_lines(parsed: ParsedSolution, instance: Instance) -> ParsedSolution:
    """Drop lines that only join the places of the visits."""
    solution = parsed.solution
    pairs = zip(solution.routes, solution.geometry, strict=False)
    if all(np.array_equal(line, _straight(instance, route)) for route, line in pairs):
        solution = replace(solution, geometry=())
    return replace(parsed, solution=solution)


def _straight(instance: Instance, route: Route) -> Floats:
    are_known = all(1 <= visit.customer <= len(instance.customers) for visit in route.visits)
    if not instance.places or not are_known:  # which is an error that is reported for all formats
        return np.empty((0, 2))
    return instance.xy[route_places(instance, route)]
