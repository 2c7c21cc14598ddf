"""JSON of our own, for instances and solutions; the models are published as JSON Schema.

Quantities are written in the user's units (1.5 pallets is 1.5) and must be multiples of `unit`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from splitroute.errors import InputError
from splitroute.formats import Reading, StatedSolution
from splitroute.formats._far import warn_of_far_place
from splitroute.formats._faults import Faults
from splitroute.formats._models import (
    CustomerModel,
    InstanceModel,
    PlaceModel,
    SolutionModel,
    VisitModel,
    validated,
)
from splitroute.formats._numbers import Quantities, amount, coordinate, shown, unit_of, whole
from splitroute.formats._places import located
from splitroute.instance import Instance
from splitroute.report import number, quantity
from splitroute.solution import Route, Solution, Visit, costs
from splitroute.validation import Claims

__all__ = [
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

INSTANCE_SUFFIXES = (".json",)
SOLUTION_SUFFIXES = (".json",)


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance, checked against the model."""
    if reading.depot is not None:
        raise InputError(f"{reading.name}: its depot is stated; `depot` is for a CSV")
    model = validated(InstanceModel, text, reading.name)
    everyone = [model.depot, *model.customers]
    on_globe = any(place.lat is not None or place.lon is not None for place in everyone)
    metric = reading.metric or model.metric
    if metric is None:
        metric = "matrix" if model.matrix else "haversine" if on_globe else "exact"
    if (metric == "haversine") != on_globe and metric != "matrix":
        have = "lat and lon" if on_globe else "x and y"
        said = f"{reading.name}: the metric {metric!r} does not go with {have}"
        raise InputError(said, field="metric", value=metric)
    drawn = any(v is not None for p in everyone for v in (p.x, p.y, p.lat, p.lon))
    if metric != "matrix" and not drawn:
        said = f"{reading.name}: no coordinates, which the metric {metric!r} needs"
        raise InputError(said, field="metric", value=metric)

    faults = Faults(reading.name)
    unit = reading.unit
    with faults:
        if unit is None and model.unit is not None:
            unit = unit_of(str(model.unit), reading.name)
    quantities = Quantities(reading.name, unit, faults)
    quantities.add(str(reading.capacity or model.capacity), "capacity")
    points = []
    for k, customer in enumerate(model.customers, 1):
        quantities.add(str(customer.demand), f"demand of customer {k}")
    for k, place in enumerate(everyone if drawn else []):
        with faults:
            points.append(_point(place, k, on_globe, reading))
    unit, (capacity, *demands) = quantities.whole()
    instance = Instance.create(
        capacity=capacity,
        demands=demands,
        **located(points, on_globe, reading.scale),
        matrix=model.matrix if metric == "matrix" else None,
        metric=metric,
        ids=[str(k) if c.id is None else c.id for k, c in enumerate(model.customers, 1)],
        notes=[c.note or "" for c in model.customers],
        name=reading.stem if model.name is None else model.name,
        unit=unit,
    )
    warn_of_far_place(instance, reading.name)
    return replace(
        instance,
        splittable=model.splittable,
        pass_through=model.pass_through,
        vehicles=model.vehicles,
    )


def min_customers(text: str) -> int:
    """How many demands there are."""
    return text.count('"demand"')


def dump_instance(instance: Instance) -> str:
    """The text."""
    return instance_model(instance).model_dump_json(exclude_none=True) + "\n"


def instance_model(instance: Instance, matrix: bool = True) -> InstanceModel:
    """The instance as in a file."""
    axes = ("lon", "lat") if instance.metric == "haversine" else ("x", "y")
    points: list[dict[str, Any]] = [
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
        depot=PlaceModel(**points[0]),
        customers=[
            CustomerModel(id=c.id, demand=c.demand * instance.unit, note=c.note or None, **point)
            for c, point in zip(instance.customers, points[1:], strict=True)
        ],
        matrix=None if distances is None else distances[sites][:, sites].tolist(),
    )


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The solution and what it claims to cost."""
    model = validated(SolutionModel, text, name)

    def units(value: Decimal, what: str) -> int:
        return whole(amount(str(value), what, name, signed=True), instance.unit, what, name)

    for route in model.routes:
        for visit in route.visits:
            _check_id(visit, instance, name)
    routes = tuple(
        Route(
            tuple(Visit(v.customer, units(v.quantity, f"quantity on route {k}")) for v in r.visits)
        )
        for k, r in enumerate(model.routes, 1)
    )
    claims = Claims(
        cost=model.cost,
        route_costs=tuple(route.cost for route in model.routes),
        loads=tuple(None if r.load is None else units(r.load, "load") for r in model.routes),
    )
    return StatedSolution(Solution(routes), claims, model.metric, model.instance)


def solution_data(instance: Instance, solution: Solution) -> dict[str, Any]:
    """The solution as in a SolutionModel, with its true cost; without one object per visit."""
    each = costs(instance, solution)
    ids = [customer.id for customer in instance.customers]
    own_ids = ids != [str(k) for k in range(1, len(ids) + 1)]

    def visit(customer: int, amount: int) -> dict[str, Any]:
        given = {"id": ids[customer - 1]} if own_ids else {}
        return {"customer": customer, **given, "quantity": quantity(instance, amount)}

    return {
        "instance": instance.name,
        "metric": instance.metric,
        "cost": number(sum(each)),
        "routes": [
            {
                "visits": [visit(*v) for v in route.visits],
                "load": quantity(instance, route.load),
                "cost": number(value),
            }
            for route, value in zip(solution.routes, each, strict=True)
        ],
    }


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """The text; `about` is kept as it is."""
    data = solution_data(instance, solution)
    if about:
        data["about"] = dict(about)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schemas by name."""
    return {
        "instance": InstanceModel.model_json_schema(),
        "solution": SolutionModel.model_json_schema(),
    }


def _check_id(visit: VisitModel, instance: Instance, name: str) -> None:
    if visit.id is None or not 1 <= visit.customer <= len(instance.customers):
        return
    known = instance.customers[visit.customer - 1].id
    if visit.id != known:
        raise InputError(
            f"{name}: customer {visit.customer} is called {shown(visit.id)!r} here, "
            f"but {known!r} in the instance"
        )


def _exactly(value: float) -> Decimal:
    return Decimal(repr(value))


def _point(place: PlaceModel, k: int, globe: bool, reading: Reading) -> tuple[float, float]:
    first, second = (place.lat, place.lon) if globe else (place.x, place.y)
    axes = ("lat", "lon") if globe else ("x", "y")
    if first is None or second is None:
        who = f"customer {k}" if k else "the depot"
        raise InputError(f"{reading.name}: {who} lacks {' and '.join(axes)}, which the others have")
    where = reading.name
    return coordinate(str(first), axes[0], where), coordinate(str(second), axes[1], where)
