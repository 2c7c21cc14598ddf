"""JSON for instances and solutions; its models are published as JSON Schema.

Quantities are in the user's units (1.5 pallets is 1.5) and must be multiples of `unit`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from splitroute.distances import Metric
from splitroute.formats import Capabilities, ParsedSolution, ReadOptions
from splitroute.formats._coordinates import Point, place_arguments
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._models import (
    CustomerModel,
    InstanceModel,
    PlaceModel,
    SolutionModel,
    VisitModel,
    parse_model,
)
from splitroute.formats._numbers import (
    Field,
    Quantities,
    excerpt,
    parse_coordinate,
    parse_quantity,
    parse_unit,
    to_units,
)
from splitroute.formats._outliers import warn_about_outlier
from splitroute.instance import Instance
from splitroute.report import json_number, user_quantity
from splitroute.solution import Route, Solution, Visit, route_costs
from splitroute.validation import Claims

__all__ = [
    "CAPABILITIES",
    "InstanceModel",
    "SolutionModel",
    "dump_instance",
    "dump_solution",
    "instance_model",
    "parse_instance",
    "parse_solution",
    "schemas",
    "solution_data",
]


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance, validated against its model."""
    model = parse_model(InstanceModel, text, options.name)
    places = [model.depot, *model.customers]
    is_globe = any(place.lat is not None or place.lon is not None for place in places)
    has_places = any(v is not None for p in places for v in (p.x, p.y, p.lat, p.lon))
    metric = _metric(model, is_globe, has_places, options)

    errors = ErrorCollector(options.name)
    unit = options.unit
    with errors:
        if unit is None and model.unit is not None:
            unit = parse_unit(str(model.unit), Field("unit", options.name))
    quantities = Quantities(unit, errors)
    quantities.add(str(options.capacity or model.capacity), Field("capacity", options.name))
    for k, customer in enumerate(model.customers, 1):
        field = Field("demand", options.name, owner=f"customer {k}")
        quantities.add(str(customer.demand), field)
    points = []
    for k, place in enumerate(places if has_places else []):
        with errors:
            points.append(_point(place, f"customer {k}" if k else "the depot", is_globe, options))
    unit, (capacity, *demands) = quantities.to_units()
    instance = Instance.create(
        capacity=capacity,
        demands=demands,
        **place_arguments(points, is_globe, options.scale),
        matrix=model.matrix if metric == "matrix" else None,
        metric=metric,
        ids=[str(k) if c.id is None else c.id for k, c in enumerate(model.customers, 1)],
        notes=[c.note or "" for c in model.customers],
        name=options.stem if model.name is None else model.name,
        unit=unit,
    )
    warn_about_outlier(instance, options.name)
    return replace(
        instance,
        splittable=model.splittable,
        pass_through=model.pass_through,
        vehicles=model.vehicles,
    )


def _metric(model: InstanceModel, is_globe: bool, has_places: bool, options: ReadOptions) -> Metric:
    """The metric of the options or the file, or else the one that fits the places."""
    metric = options.metric or model.metric
    if metric is None:
        metric = "matrix" if model.matrix else "haversine" if is_globe else "exact"
    message = ""
    if (metric == "haversine") != is_globe and metric != "matrix":
        axes = "lat and lon" if is_globe else "x and y"
        message = f"metric {metric!r} does not match the coordinates {axes}"
    elif metric != "matrix" and not has_places:
        message = f"no coordinates, which metric {metric!r} requires"
    if message:
        raise input_error(message, options.name, field="metric", value=metric)
    return metric


def _min_customers(text: str) -> int:
    """Number of demands."""
    return text.count('"demand"')


def dump_instance(instance: Instance) -> str:
    """The instance as one line of JSON."""
    return instance_model(instance).model_dump_json(exclude_none=True) + "\n"


def instance_model(instance: Instance, matrix: bool = True) -> InstanceModel:
    """The instance as a model, with or without its matrix."""
    axes = ("lon", "lat") if instance.metric == "haversine" else ("x", "y")
    coordinates: list[dict[str, Any]] = [
        dict(zip(axes, instance.places[p], strict=True)) if instance.places else {}
        for p in instance.sites.tolist()
    ]
    sites = instance.sites
    distances = instance.matrix if matrix else None
    return InstanceModel(
        name=instance.name,
        capacity=instance.capacity * instance.unit,
        unit=instance.unit,
        metric=instance.metric,
        splittable=instance.splittable,
        pass_through=instance.pass_through,
        vehicles=instance.vehicles,
        depot=PlaceModel(**coordinates[0]),
        customers=[
            CustomerModel(id=c.id, demand=c.demand * instance.unit, note=c.note or None, **place)
            for c, place in zip(instance.customers, coordinates[1:], strict=True)
        ],
        matrix=None if distances is None else distances[sites][:, sites].tolist(),
    )


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the solution and what it claims: its costs and loads."""
    model = parse_model(SolutionModel, text, name)

    def units(value: Decimal, field: str, owner: str) -> int:
        source = Field(field, name, owner=owner)
        return to_units(parse_quantity(str(value), source, signed=True), instance.unit, source)

    for route in model.routes:
        for visit in route.visits:
            _check_id(visit, instance, name)
    routes = tuple(
        Route(
            tuple(
                Visit(v.customer, units(v.quantity, "quantity", f"customer {v.customer}"))
                for v in route.visits
            )
        )
        for route in model.routes
    )
    claims = Claims(
        cost=model.cost,
        route_costs=tuple(route.cost for route in model.routes),
        loads=tuple(
            None if route.load is None else units(route.load, "load", f"route {k}")
            for k, route in enumerate(model.routes, 1)
        ),
    )
    return ParsedSolution(Solution(routes), claims, model.metric, model.instance)


def solution_data(instance: Instance, solution: Solution) -> dict[str, Any]:
    """The solution and its cost as the data of a SolutionModel, which would take more memory."""
    costs = route_costs(instance, solution)
    ids = [customer.id for customer in instance.customers]
    has_ids = ids != [str(k) for k in range(1, len(ids) + 1)]

    def visit(customer: int, amount: int) -> dict[str, Any]:
        id = {"id": ids[customer - 1]} if has_ids else {}
        return {"customer": customer, **id, "quantity": user_quantity(instance, amount)}

    return {
        "instance": instance.name,
        "metric": instance.metric,
        "cost": json_number(sum(costs)),
        "routes": [
            {
                "visits": [visit(*v) for v in route.visits],
                "load": user_quantity(instance, route.load),
                "cost": json_number(cost),
            }
            for route, cost in zip(solution.routes, costs, strict=True)
        ],
    }


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """The solution as JSON, with `about` as it is."""
    data = solution_data(instance, solution)
    if about:
        data["about"] = dict(about)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def schemas() -> dict[str, dict[str, Any]]:
    """JSON Schemas by name."""
    return {
        "instance": InstanceModel.model_json_schema(),
        "solution": SolutionModel.model_json_schema(),
    }


def _check_id(visit: VisitModel, instance: Instance, name: str) -> None:
    if visit.id is None or not 1 <= visit.customer <= len(instance.customers):
        return
    expected = instance.customers[visit.customer - 1].id
    if visit.id != expected:
        message = f"id is {excerpt(visit.id)!r}; customer {visit.customer} has the id {expected!r}"
        raise input_error(message, name, field="id", value=visit.id)


def _point(place: PlaceModel, owner: str, is_globe: bool, options: ReadOptions) -> Point:
    axes = ("lat", "lon") if is_globe else ("x", "y")
    first, second = (getattr(place, axis) for axis in axes)
    if first is None or second is None:
        raise input_error(
            f"{owner} has no {' and '.join(axes)}", options.name, field="customers", value=owner
        )
    fields = (Field(axis, options.name, owner=owner) for axis in axes)
    x, y = map(parse_coordinate, map(str, (first, second)), fields)
    return x, y


CAPABILITIES = Capabilities(
    instance_suffixes=(".json",), solution_suffixes=(".json",), min_customers=_min_customers
)
