"""JSON of our own, for instances and solutions; the models are published as JSON Schema.

Quantities are written in the user's units (1.5 pallets is 1.5) and must be multiples of `unit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictInt,
    ValidationError,
    WithJsonSchema,
)

from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.formats import Reading, StatedSolution
from splitroute.formats._numbers import coordinate, quantity, shown
from splitroute.formats._places import located
from splitroute.instance import Instance
from splitroute.report import number
from splitroute.solution import Route, Solution, Visit, costs
from splitroute.validation import Claims

INSTANCE_SUFFIXES = (".json",)
SOLUTION_SUFFIXES = (".json",)

Model = TypeVar("Model", bound=BaseModel)


def _not_bool(value: object) -> object:
    if isinstance(value, bool | str):
        raise ValueError("a number is expected")
    return value


# Decimal, because 0.1 must stay 0.1; a plain number in the file all the same.
Amount = Annotated[
    Decimal,
    BeforeValidator(_not_bool),
    PlainSerializer(lambda value: number(float(value)), return_type=float | int),
    WithJsonSchema({"type": "number"}),
]


Number = Annotated[float, BeforeValidator(_not_bool)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class PlaceModel(_Model):
    """Where something is: x and y in the plane, or lat and lon on the globe."""

    x: Number | None = None
    y: Number | None = None
    lat: Number | None = None
    lon: Number | None = None


class CustomerModel(PlaceModel):
    """A customer and its demand."""

    id: str | None = None
    demand: Amount
    note: str | None = Field(default=None, description="For people: a name, an address.")


class InstanceModel(_Model):
    """A split delivery vehicle routing problem."""

    name: str | None = None
    capacity: Amount
    unit: Amount = Decimal(1)
    metric: Metric | None = None
    splittable: bool = True
    pass_through: bool = False
    vehicles: StrictInt | None = Field(
        default=None, description="How many there are; as many as it takes if left out."
    )
    depot: PlaceModel = PlaceModel()
    customers: list[CustomerModel]
    matrix: list[list[float]] | None = Field(
        default=None,
        description="Distances between all places, depot first, then customers in order.",
    )


class VisitModel(BaseModel):
    """A stop: the customer's number (1..n in the order of the instance) and what it gets."""

    customer: StrictInt
    id: str | None = Field(default=None, description="The customer's own id, where it has one.")
    quantity: Amount


class RouteModel(BaseModel):
    """The stops of one vehicle, from the depot back to the depot."""

    visits: list[VisitModel]
    load: Amount | None = None
    cost: Amount | None = None


class SolutionModel(BaseModel):
    """A solution: who is served by which vehicle with how much."""

    instance: str = ""
    metric: Metric | None = None
    cost: Amount | None = None
    routes: list[RouteModel]
    about: dict[str, Any] | None = Field(default=None, description="How the solution was made.")


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance, checked against the model."""
    if reading.depot is not None:
        raise InputError(f"{reading.name}: --depot is for a CSV; this file has its own")
    model = _validated(InstanceModel, text, reading.name)
    unit = reading.unit or model.unit
    if unit <= 0:
        raise InputError(f"{reading.name}: the unit is {unit}; it is a number above 0")
    everyone = [model.depot, *model.customers]
    on_globe = any(place.lat is not None or place.lon is not None for place in everyone)
    metric = reading.metric or model.metric
    if metric is None:
        metric = "matrix" if model.matrix else "haversine" if on_globe else "exact"
    if (metric == "haversine") != on_globe and metric != "matrix":
        have = "lat and lon" if on_globe else "x and y"
        raise InputError(f"{reading.name}: the metric {metric!r} does not go with {have}")
    drawn = any(v is not None for p in everyone for v in (p.x, p.y, p.lat, p.lon))
    if metric != "matrix" and not drawn:
        raise InputError(f"{reading.name}: no coordinates, which the metric {metric!r} needs")
    points = [_point(p, k, on_globe, reading) for k, p in enumerate(everyone)] if drawn else []
    instance = Instance.create(
        capacity=quantity(str(reading.capacity or model.capacity), unit, "capacity", reading.name),
        demands=[
            quantity(str(c.demand), unit, f"demand of customer {k}", reading.name)
            for k, c in enumerate(model.customers, 1)
        ],
        **located(points, on_globe, reading.scale),
        matrix=model.matrix if metric == "matrix" else None,
        metric=metric,
        ids=[str(k) if c.id is None else c.id for k, c in enumerate(model.customers, 1)],
        notes=[c.note or "" for c in model.customers],
        name=reading.stem if model.name is None else model.name,
        unit=unit,
    )
    return replace(
        instance,
        splittable=model.splittable,
        pass_through=model.pass_through,
        vehicles=model.vehicles,
    )


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
    model = _validated(SolutionModel, text, name)

    def amount(value: Decimal, what: str) -> int:
        return quantity(str(value), instance.unit, what, name, signed=True)

    for route in model.routes:
        for visit in route.visits:
            _check_id(visit, instance, name)
    routes = tuple(
        Route(
            tuple(Visit(v.customer, amount(v.quantity, f"quantity on route {k}")) for v in r.visits)
        )
        for k, r in enumerate(model.routes, 1)
    )
    claims = Claims(
        cost=model.cost,
        route_costs=tuple(route.cost for route in model.routes),
        loads=tuple(None if r.load is None else amount(r.load, "load") for r in model.routes),
    )
    return StatedSolution(Solution(routes), claims, model.metric, model.instance)


def solution_model(instance: Instance, solution: Solution) -> SolutionModel:
    """The solution as it is written, with its true cost."""
    each = costs(instance, solution)
    own_ids = any(c.id != str(k) for k, c in enumerate(instance.customers, 1))

    def visit(stop: Visit) -> VisitModel:
        return VisitModel(
            customer=stop.customer,
            id=instance.customers[stop.customer - 1].id if own_ids else None,
            quantity=stop.quantity * instance.unit,
        )

    return SolutionModel(
        instance=instance.name,
        metric=instance.metric,
        cost=_exactly(sum(each)),
        routes=[
            RouteModel(
                visits=[visit(stop) for stop in route.visits],
                load=route.load * instance.unit,
                cost=_exactly(value),
            )
            for route, value in zip(solution.routes, each, strict=True)
        ],
    )


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """The text; `about` is kept as it is."""
    model = solution_model(instance, solution)
    model.about = dict(about) if about else None
    return model.model_dump_json(exclude_none=True, indent=1) + "\n"


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


def _validated(kind: type[Model], text: str, name: str) -> Model:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(map(str, first["loc"]))
        found = first["input"]
        shows = f" (found {shown(str(found))})" if isinstance(found, str | int | float) else ""
        more = f"; {error.error_count() - 1} more" if error.error_count() > 1 else ""
        message = " ".join(first["msg"].removeprefix("Value error, ").split())
        raise InputError(f"{name}: {path + ': ' if path else ''}{message}{shows}{more}") from None


def _point(place: PlaceModel, k: int, globe: bool, reading: Reading) -> tuple[float, float]:
    first, second = (place.lat, place.lon) if globe else (place.x, place.y)
    axes = ("lat", "lon") if globe else ("x", "y")
    if first is None or second is None:
        who = f"customer {k}" if k else "the depot"
        raise InputError(f"{reading.name}: {who} lacks {' and '.join(axes)}, which the others have")
    where = reading.name
    return coordinate(str(first), axes[0], where), coordinate(str(second), axes[1], where)
