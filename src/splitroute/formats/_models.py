"""Models of the JSON format, published as JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    Tag,
    WithJsonSchema,
)

from splitroute.distances import Metric
from splitroute.formats._model_types import (
    Amount,
    ClosedModel,
    Count,
    Duration,
    FailFastList,
    NonNegative,
    OpenModel,
    RoadProgram,
    Window,
)

Point = tuple[StrictFloat, StrictFloat]


class PlaceModel(ClosedModel):
    """Coordinates: x and y in the plane, or lat and lon on the globe."""

    x: StrictFloat | None = None
    y: StrictFloat | None = None
    lat: StrictFloat | None = None
    lon: StrictFloat | None = None


class DepotModel(PlaceModel):
    """A depot: its place, and when vehicles may leave and return."""

    id: str | None = None
    windows: FailFastList[Window] | None = Field(
        default=None, description="Opening hours, [open, close] each; always open by default."
    )


class CustomerModel(PlaceModel):
    """A customer, its demand, and the rules for its visits."""

    id: str | None = None
    demand: Amount
    note: str | None = Field(default=None, description="A name or an address, for people.")
    windows: FailFastList[Window] | None = Field(
        default=None, description="Service must start in one of them; [open, close] each."
    )
    service: Duration | None = Field(default=None, description="Time per visit.")
    service_per_unit: Duration | None = Field(default=None, description="Time per unit delivered.")
    splittable: StrictBool | None = Field(
        default=None, description="Whether several visits may share the demand; true by default."
    )
    min_drop: Amount | None = Field(
        default=None,
        description="Smallest quantity of a visit, unless it delivers the whole demand.",
    )
    max_visits: Count | None = None
    lot: Amount | None = Field(
        default=None,
        description="Quantities are multiples of it; one visit may deliver the remainder.",
    )
    extra_visit_cost: NonNegative | None = Field(
        default=None, description="Cost of each visit beyond the first."
    )
    vehicle_types: FailFastList[str] | None = Field(
        default=None, description="Types of the vehicles that may serve it; all by default."
    )
    penalty: NonNegative | None = Field(
        default=None,
        description="Cost per undelivered unit; without it, the full demand is mandatory.",
    )


class VehicleModel(ClosedModel):
    """Vehicles of one type. Limits apply to each trip."""

    type: str
    count: Count | None = Field(default=None, description="Unlimited by default.")
    capacity: Amount | None = Field(
        default=None, description="The capacity of the instance by default."
    )
    depot: str | None = Field(default=None, description="Id; the first depot by default.")
    end_depot: str | None = Field(
        default=None, description="Where its routes end; where they start by default."
    )
    fixed_cost: NonNegative | None = Field(default=None, description="Once per vehicle used.")
    cost_per_distance: NonNegative | None = Field(default=None, description="1 by default.")
    cost_per_time: NonNegative | None = Field(
        default=None, description="From departure to return, waiting included; 0 by default."
    )
    shift: Window | None = Field(
        default=None, description="Earliest departure and latest return of a vehicle."
    )
    max_distance: NonNegative | None = None
    max_duration: Duration | None = Field(default=None, description="From departure to return.")
    max_stops: Count | None = None
    max_trips: Count | None = Field(default=None, description="Trips per vehicle; 1 by default.")
    loading: Duration | None = Field(
        default=None, description="Time between the return from a trip and the next departure."
    )
    loading_per_unit: Duration | None = Field(
        default=None, description="The same, per unit that the next trip delivers."
    )
    min_load: Amount | None = None


def _kind_of_vehicles(value: object) -> str:
    return "<types>" if isinstance(value, list) else "<number>"


# A number or a list; the tags are left out of the paths in errors.
Vehicles = Annotated[
    Annotated[StrictInt, Tag("<number>")] | Annotated[FailFastList[VehicleModel], Tag("<types>")],
    Discriminator(_kind_of_vehicles),
]


class InstanceModel(ClosedModel):
    """An instance of the split delivery vehicle routing problem."""

    model_config = ConfigDict(
        json_schema_extra={
            "additionalProperties": False,
            "anyOf": [
                {"required": ["capacity"]},
                {"required": ["vehicles"], "properties": {"vehicles": {"type": "array"}}},
            ],
            "not": {"required": ["depot", "depots"]},
        }
    )

    name: str | None = None
    capacity: Amount | None = Field(
        default=None, description="Of each vehicle; required unless all vehicle types have one."
    )
    unit: Amount | None = Field(
        default=None,
        description="All quantities are multiples of it; inferred from them by default.",
    )
    metric: Metric | None = None
    splittable: StrictBool = True
    pass_through: StrictBool = False
    vehicles: Vehicles | None = Field(
        default=None,
        description="Number of vehicles, unlimited by default; or a list of vehicle types.",
    )
    depot: DepotModel | None = None
    depots: FailFastList[DepotModel] | None = Field(
        default=None, description="Several depots, instead of `depot`."
    )
    customers: FailFastList[CustomerModel]
    matrix: FailFastList[FailFastList[StrictFloat]] | None = Field(
        default=None,
        description="Distances between all places: the depots first, then the customers.",
    )
    durations: FailFastList[FailFastList[StrictFloat]] | None = Field(
        default=None, description="Travel times between all places, in the order of `matrix`."
    )
    speed: Annotated[StrictFloat, Field(gt=0)] | None = Field(
        default=None,
        description="Distance per time unit, 1 by default; km/h for lat and lon, 50 by default.",
    )
    clock: StrictBool | None = Field(
        default=None,
        description="Times are minutes after midnight; the default for lat and lon, and wherever "
        "a time is written as 08:30.",
    )
    roads: RoadProgram | None = Field(
        default=None,
        description="Program of the road server that matrix (km) and durations (min) are from.",
    )
    partial: StrictBool | None = Field(
        default=None, description="Demand may stay undelivered; false by default."
    )


class VisitModel(OpenModel):
    """A visit: the number of the customer, 1..n in the order of the instance, and the quantity."""

    customer: StrictInt
    id: str | None = Field(default=None, description="Id of the customer, if it has one.")
    quantity: Amount
    arrival: StrictFloat | None = None
    start: StrictFloat | None = Field(default=None, description="Start of the service.")
    end: StrictFloat | None = Field(default=None, description="End of the service.")


class RouteModel(OpenModel):
    """The visits of one trip of a vehicle, from a depot to a depot."""

    vehicle_type: str | None = None
    vehicle: Count | None = Field(default=None, description="Number within its type.")
    trip: Count | None = Field(default=None, description="Of the vehicle; 1 by default.")
    start: StrictFloat | None = Field(default=None, description="Departure.")
    end: StrictFloat | None = Field(default=None, description="Return.")
    visits: FailFastList[VisitModel]
    load: Amount | None = None
    cost: Amount | None = None
    geometry: FailFastList[Point] | None = Field(
        default=None, description="Line along the roads: [x, y], or [lon, lat], of its points."
    )


class UndeliveredModel(OpenModel):
    """What a customer does not get."""

    customer: StrictInt
    id: str | None = Field(default=None, description="Id of the customer, if it has one.")
    quantity: Amount
    reason: str | None = None


class CostPartsModel(OpenModel):
    """The parts of the cost."""

    fixed: Amount | None = None
    distance: Amount | None = None
    time: Amount | None = None
    extra_visits: Amount | None = None
    penalties: Amount | None = None


class AboutModel(OpenModel):
    """How a solution was found."""

    rule: str | None = Field(default=None, description="Rule by which demands were split.")
    engine: str | None = None
    seed: int | None = None
    stop: dict[str, float] | None = Field(default=None, description="Limits of the search.")
    seconds: float | None = Field(default=None, description="Time of the search.")
    baseline_seconds: float | None = None
    pieces: int | None = Field(default=None, description="Number of pieces of the split plan.")
    visits: int | None = None
    split_customers: int | None = Field(default=None, description="Customers with several visits.")
    bound: float | None = Field(default=None, description="Lower bound on the cost; 0 for none.")
    bound_seconds: float | None = None
    bound_rules: list[str] | None = Field(
        default=None, description="Rules that the bound takes into account."
    )
    bound_relaxed: list[str] | None = Field(default=None, description="Rules that it ignores.")
    gap: float | None = Field(default=None, description="(cost - bound) / cost")
    optimal: bool | None = Field(default=None, description="Whether the cost is proven optimal.")
    unsplit_cost: float | None = Field(
        default=None, description="Cost of the baseline, which does not split."
    )
    saving: float | None = Field(default=None, description="Share of that cost which is saved.")
    race: list[dict[str, str | float]] | None = Field(
        default=None,
        description="Runs by which the split plan was chosen: rule, pieces, cost, seconds, heat.",
    )
    versions: dict[str, str] | None = None
    date: str | None = Field(default=None, description="Day of the deliveries: 2026-11-17.")
    interrupted: bool | None = Field(default=None, description="Whether the user stopped early.")
    valid_before: bool | None = Field(
        default=None, description="Whether the solution that was improved was valid."
    )
    cost_before: float | None = Field(default=None, description="Its cost.")
    changes: list[str] | None = Field(default=None, description="What was repaired.")
    cost_repaired: float | None = None
    repair_error: str | None = Field(default=None, description="Why there was no repair.")


# Files of others may state anything here, so that only the schema has the model.
About = Annotated[dict[str, Any], WithJsonSchema(AboutModel.model_json_schema())]


class SolutionModel(OpenModel):
    """A solution: routes of visits with quantities."""

    instance: str = ""
    metric: Metric | None = None
    distances: str | None = Field(
        default=None, description="What they are based on: straight lines, roads, a matrix."
    )
    cost: Amount | None = None
    cost_parts: CostPartsModel | None = None
    routes: FailFastList[RouteModel]
    undelivered: FailFastList[UndeliveredModel] | None = None
    about: About | None = None
