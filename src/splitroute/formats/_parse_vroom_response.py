"""Read responses of VROOM, or of our own, as solutions."""

from __future__ import annotations

from pydantic import StrictInt

from splitroute.formats import ParsedSolution
from splitroute.formats._errors import input_error
from splitroute.formats._model_types import FailFastList, OpenModel
from splitroute.formats._parse_model import parse_model
from splitroute.formats._vroom_instance import VroomOrigin
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import Claims


class StepModel(OpenModel):
    """A step of a route."""

    type: str
    id: StrictInt | None = None
    arrival: StrictInt | None = None
    delivery: list[StrictInt] | None = None  # of a job that is split
    pickup: list[StrictInt] | None = None


class RouteModel(OpenModel):
    """A route."""

    vehicle: StrictInt
    steps: FailFastList[StepModel]


class ResponseModel(OpenModel):
    """A response."""

    code: StrictInt
    error: str | None = None
    routes: FailFastList[RouteModel] | None = None


ITEMS = {"routes": RouteModel}


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the solution in a response; VROOM rounds its costs, so they are no claims."""
    model = parse_model(ResponseModel, text, name, ITEMS)
    origin = instance.origin
    if not isinstance(origin, VroomOrigin):
        message = "a response of VROOM needs the request as the instance"
        raise input_error(message, name, field="instance")
    if model.code != 0:
        raise input_error(f"the response is an error: {model.error}", name, field="code")
    numbers = {job.id: k for k, job in enumerate(origin.request.jobs, 1)}
    vehicles = {
        vehicle.id: (k, number)
        for k, group in enumerate(origin.groups)
        for number, vehicle in enumerate(group, 1)
    }
    routes = []
    for k, route in enumerate(model.routes or ()):
        if route.vehicle not in vehicles:
            message = f"the request has no vehicle {route.vehicle}"
            raise input_error(message, name, field=f"routes[{k}].vehicle", value=route.vehicle)
        visits = []
        for n, step in enumerate(route.steps):
            if step.type in ("start", "end"):
                continue
            where = f"routes[{k}].steps[{n}]"
            if step.type != "job" or step.id not in numbers:
                message = f"the request has no {step.type} {step.id}"
                raise input_error(message, name, field=f"{where}.id", value=step.id)
            number = numbers[step.id]
            part = step.pickup if origin.amounts.is_pickup else step.delivery
            demand = instance.customers[number - 1].demand
            quantity = demand if part is None else sum(part) * origin.amounts.scale
            visits.append(Visit(number, quantity))
        start = route.steps[0].arrival if route.steps and origin.has_times else None
        departure = None if start is None else float(start - origin.time_offset)
        if visits:
            routes.append(Route(tuple(visits), *vehicles[route.vehicle], start=departure))
    return ParsedSolution(Solution(tuple(routes)), Claims())
