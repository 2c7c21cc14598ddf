"""Write GeoJSON: features of an instance, or of a solution."""

import json
from typing import Any

from splitroute.distances import DEGREE_DECIMALS
from splitroute.errors import InputError
from splitroute.formats._csv_writing import axes
from splitroute.formats._dump_csv_instance import check_table, customer_rows, settings
from splitroute.formats._values import Clock, Value
from splitroute.formats.json import vehicle_data
from splitroute.instance import Instance
from splitroute.report import json_number, time_text, user_quantity
from splitroute.solution import (
    Route,
    Solution,
    cost_parts,
    explain_undelivered,
    route_costs,
    route_places,
    timetable,
)


def dump_instance(instance: Instance) -> str:
    """Return a point per customer and the depot; settings are members of the collection."""
    check_table(instance, "GeoJSON")
    titles, *rows = customer_rows(instance, instance.depots[:1])
    first, second = axes(instance)
    features = []
    for row in rows:
        values = dict(zip(map(str, titles), row, strict=True))
        point = (
            [values.pop("lon"), values.pop("lat")]
            if instance.is_globe
            else [values.pop(first), values.pop(second)]
        )
        properties = {name: _plain(value) for name, value in values.items() if value != ""}
        features.append(_feature("Point", point, properties))
    members = {key: _plain(value) for key, value in settings(instance) if value != ""}
    return _collection(members, features)


def _plain(value: Value) -> str | float | int:
    """A value as JSON has it."""
    match value:
        case Clock():
            return value.text
        case str():
            return value
        case _:
            return json_number(float(value))


def _collection(members: dict[str, Any], features: list[dict[str, Any]]) -> str:
    """A FeatureCollection with a feature per line, which people and diffs can read."""
    lines = ",\n".join(json.dumps(feature, ensure_ascii=False) for feature in features)
    head = json.dumps({"type": "FeatureCollection", **members}, ensure_ascii=False)
    return f'{head[:-1]}, "features": [\n{lines}\n]}}\n'


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
        properties = {
            "route": k + 1,
            **vehicle_data(instance, route),
            "load": user_quantity(instance, route.load),
            "cost": json_number(cost),
            "visits": _visits(instance, route),
        }
        if times:
            properties["start"] = time_text(instance, times[k].start)
            properties["end"] = time_text(instance, times[k].end)
            for visit, time in zip(route.visits, times[k].visits, strict=True):
                arrivals.setdefault(visit.customer, []).append(time_text(instance, time.arrival))
        line = [places[place] for place in route_places(instance, route)]
        if solution.geometry:
            line = solution.geometry[k].round(DEGREE_DECIMALS).tolist()
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
    total = json_number(cost_parts(instance, solution).total)
    members = {"name": instance.name, "metric": instance.metric, "cost": total}
    return _collection(members, features)


def _visits(instance: Instance, route: Route) -> list[dict[str, Any]]:
    """Customer, id and quantity of each visit, in order."""
    return [
        {
            "customer": visit.customer,
            "id": instance.customers[visit.customer - 1].id,
            "quantity": user_quantity(instance, visit.quantity),
        }
        for visit in route.visits
    ]


def _feature(kind: str, coordinates: list[Any], properties: dict[str, Any]) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}
