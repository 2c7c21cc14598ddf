"""JSON for instances and solutions; its models are published as JSON Schema.

Quantities are in the user's units (1.5 pallets is 1.5) and must be multiples of `unit`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np
from pydantic import BaseModel

from splitroute.distances import DEGREE_DECIMALS, Floats
from splitroute.formats import Capabilities, ParsedSolution
from splitroute.formats._dump_json_instance import dump_instance, instance_model
from splitroute.formats._errors import input_error
from splitroute.formats._models import InstanceModel, SolutionModel, VisitModel
from splitroute.formats._numbers import Field, excerpt, parse_quantity, to_units
from splitroute.formats._parse_json_instance import parse_instance
from splitroute.formats._parse_model import parse_model
from splitroute.instance import Instance
from splitroute.instance.rules import RULES
from splitroute.report import distances_text, json_number, user_quantity
from splitroute.solution import (
    Route,
    RouteTimes,
    Solution,
    Visit,
    cost_parts,
    explain_undelivered,
    route_costs,
    timetable,
    undelivered,
)
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
    "undelivered_data",
    "vehicle_data",
]


DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _min_customers(text: str) -> int:
    """Number of demands."""
    return len(re.findall(r'"demand"\s*:', text))


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the solution and what it claims: its costs, loads, times and what it leaves out."""
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
            ),
            _vehicle_type(
                route.vehicle_type, instance, Field("vehicle_type", name, None, f"route {k}")
            ),
            route.vehicle or 0,
            route.trip or 1,
            route.start,
        )
        for k, route in enumerate(model.routes, 1)
    )
    solution = Solution(routes, _geometry(model))
    claims = _claims(model, units)
    return ParsedSolution(solution, claims, model.metric, model.instance, model.about or {})


def _geometry(model: SolutionModel) -> tuple[Floats, ...]:
    """The lines of the routes, if all have one."""
    lines = [route.geometry for route in model.routes]
    if not all(lines):
        return ()
    return tuple(np.array(line, dtype=np.float64) for line in lines)


def _claims(model: SolutionModel, units: Callable[[Decimal, str, str], int]) -> Claims:
    missing = model.undelivered
    return Claims(
        cost=model.cost,
        route_costs=tuple(route.cost for route in model.routes),
        loads=tuple(
            None if route.load is None else units(route.load, "load", f"route {k}")
            for k, route in enumerate(model.routes, 1)
        ),
        cost_parts=model.cost_parts.model_dump(exclude_none=True) if model.cost_parts else {},
        # Without a departure, other times than ours are no less true.
        ends=tuple(None if r.start is None else _to_digits(r.end) for r in model.routes),
        visit_times=tuple(
            tuple((_to_digits(v.arrival), _to_digits(v.start), _to_digits(v.end)) for v in r.visits)
            if r.start is not None
            else ()
            for r in model.routes
        ),
        undelivered=None
        if missing is None
        else {
            u.customer: units(u.quantity, "undelivered", f"customer {u.customer}") for u in missing
        },
    )


def _to_digits(time: float | None) -> Decimal | None:
    """A time that may have been rounded to its digits."""
    return None if time is None else Decimal(repr(time))


def solution_data(instance: Instance, solution: Solution) -> dict[str, Any]:
    """The solution and its cost as the data of a SolutionModel, which would take more memory."""
    costs = route_costs(instance, solution)
    times = timetable(instance, solution) if instance.has_times else [None] * len(costs)
    lines = solution.geometry or [None] * len(costs)
    parts = cost_parts(instance, solution) if instance.rules else None
    ids = _ids(instance)
    data: dict[str, Any] = {
        "instance": instance.name,
        "metric": instance.metric,
        "distances": distances_text(instance),
        "cost": json_number(sum(costs) if parts is None else parts.total),
    }
    if parts is not None:
        data["cost_parts"] = {k: json_number(v) for k, v in parts._asdict().items()}
    data["routes"] = [
        {
            **vehicle_data(instance, route),
            **({} if t is None else {"start": json_number(t.start), "end": json_number(t.end)}),
            "visits": _visits(instance, ids, route, t),
            "load": user_quantity(instance, route.load),
            "cost": json_number(cost),
            **({"geometry": line.round(DEGREE_DECIMALS).tolist()} if line is not None else {}),
        }
        for route, cost, t, line in zip(solution.routes, costs, times, lines, strict=True)
    ]
    if instance.rules and (items := explain_undelivered(instance, solution)):
        data["undelivered"] = [
            {**_customer(instance, ids, item.customer, item.quantity), "reason": item.reason}
            for item in items
        ]
    return data


def undelivered_data(instance: Instance, solution: Solution) -> list[dict[str, Any]]:
    """Customer and quantity of what a solution does not deliver, whoever found it."""
    ids, missing = _ids(instance), undelivered(instance, solution)
    return [_customer(instance, ids, *item) for item in missing.items()]


def _ids(instance: Instance) -> list[str]:
    """The ids of the customers; none if they are the numbers."""
    ids = [customer.id for customer in instance.customers]
    return [] if ids == [str(k) for k in range(1, len(ids) + 1)] else ids


def vehicle_data(instance: Instance, route: Route) -> dict[str, Any]:
    """The vehicle of a route, unless all are alike."""
    if not instance.fleet:
        return {}
    number = {"vehicle": route.vehicle} if route.vehicle else {}
    name = instance.fleet[route.vehicle_type].type
    return {"vehicle_type": name, **number, "trip": route.trip}


def _visits(
    instance: Instance, ids: list[str], route: Route, times: RouteTimes | None
) -> list[dict[str, Any]]:
    visits = [_customer(instance, ids, *visit) for visit in route.visits]
    for visit, t in zip(visits, times.visits if times else (), strict=False):
        visit |= {key: json_number(value) for key, value in t._asdict().items()}
    return visits


def _customer(instance: Instance, ids: list[str], number: int, amount: int) -> dict[str, Any]:
    """A quantity for a customer, which is named if it has an id of its own."""
    named = {"id": ids[number - 1]} if ids else {}
    return {"customer": number, **named, "quantity": user_quantity(instance, amount)}


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """The solution as JSON, with `about` as it is."""
    data = solution_data(instance, solution)
    if about:
        data["about"] = dict(about)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def schemas() -> dict[str, dict[str, Any]]:
    """JSON Schemas by name, which `make schemas` writes into the package."""
    models: dict[str, type[BaseModel]] = {"instance": InstanceModel, "solution": SolutionModel}
    return {name: {"$schema": DIALECT, **m.model_json_schema()} for name, m in models.items()}


def _vehicle_type(type: str | None, instance: Instance, field: Field) -> int:
    """Index of a vehicle type; without a name, the first."""
    names = [kind.type for kind in instance.vehicle_types]
    if type is None:
        return 0
    if type not in names:
        raise field.error(type, f"the vehicle types are {', '.join(names)}")
    return names.index(type)


def _check_id(visit: VisitModel, instance: Instance, name: str) -> None:
    if visit.id is None or not 1 <= visit.customer <= len(instance.customers):
        return
    expected = instance.customers[visit.customer - 1].id
    if visit.id != expected:
        message = f"id is {excerpt(visit.id)!r}; customer {visit.customer} has the id {expected!r}"
        raise input_error(message, name, field="id", value=visit.id)


CAPABILITIES = Capabilities(
    instance_suffixes=(".json",),
    solution_suffixes=(".json",),
    accepts_tables=True,
    instance_rules=frozenset(RULES),
    holds_vehicles=True,
    holds_date=True,
    min_customers=_min_customers,
)
