"""Requests of VROOM: what they may hold, and which of it is supported.

See https://github.com/VROOM-Project/vroom/blob/master/docs/API.md. Times are seconds, distances
metres, coordinates [lon, lat]. VROOM ignores fields that it does not know; here they are named in a
warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from splitroute.formats._errors import ErrorCollector, warn
from splitroute.formats._model_types import FailFastList
from splitroute.formats._numbers import excerpt
from splitroute.formats._parse_model import parse_model

MAX_PRIORITY = 100
MAX_NUMBER = 10**12  # times, distances, costs and amounts; far below where floats are not exact
MAX_UNKNOWN = 10  # fields named in a warning
ANYTHING = (None, [], {}, False)  # values of unsupported fields that ask for nothing

Id = Annotated[StrictInt, Field(ge=0, le=2**64 - 1)]
Number = Annotated[StrictInt, Field(ge=0, le=MAX_NUMBER)]
Index = Annotated[StrictInt, Field(ge=0, le=10**6)]
Point = tuple[StrictFloat, StrictFloat]
Window = tuple[Number, Number]
Amounts = FailFastList[Number]
Rows = FailFastList[FailFastList[Number]]


class VroomModel(BaseModel):
    """An object of a request; fields that it does not declare are in `model_extra`."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)


class JobModel(VroomModel):
    """A job: a place to visit, and what to deliver or to pick up there."""

    id: Id
    description: StrictStr | None = None
    location: Point | None = None
    location_index: Index | None = None
    setup: Number = 0
    service: Number = 0
    delivery: Amounts | None = None
    pickup: Amounts | None = None
    amount: Amounts | None = Field(default=None, description="Deprecated name of delivery.")
    skills: FailFastList[Number] = []
    priority: Annotated[StrictInt, Field(ge=0, le=MAX_PRIORITY)] = 0
    time_windows: FailFastList[Window] | None = None

    @property
    def delivered(self) -> list[int] | None:
        """What is delivered, under its present or its former name."""
        return self.amount if self.delivery is None and self.pickup is None else self.delivery


class CostsModel(VroomModel):
    """What a vehicle costs; by default 1 for each second of travel."""

    fixed: Number = 0
    per_hour: Number = 3600
    per_km: Number = 0


class VehicleModel(VroomModel):
    """A vehicle, of which there is one."""

    id: Id
    profile: StrictStr = "car"
    description: StrictStr | None = None
    start: Point | None = None
    start_index: Index | None = None
    end: Point | None = None
    end_index: Index | None = None
    capacity: Amounts | None = None
    costs: CostsModel = CostsModel()
    skills: FailFastList[Number] = []
    type: StrictStr | None = None  # for service_per_type, which is not supported
    time_window: Window | None = None
    speed_factor: Annotated[float, Field(gt=0, le=5)] = 1.0
    max_tasks: Number | None = None
    max_travel_time: Number | None = None
    max_distance: Number | None = None


class MatricesModel(VroomModel):
    """Custom matrices of a profile."""

    durations: Rows | None = None
    distances: Rows | None = None
    costs: Rows | None = None


class OptionsModel(VroomModel):
    """Options of vroom-express: geometry, threads, exploration level and time limit."""

    g: StrictBool | None = None
    t: StrictInt | None = None
    x: StrictInt | None = None
    l: Annotated[float, Field(gt=0)] | None = None  # noqa: E741


class RequestModel(VroomModel):
    """A request of VROOM."""

    jobs: FailFastList[JobModel] = []
    vehicles: FailFastList[VehicleModel]
    matrices: dict[str, MatricesModel] = {}
    matrix: Rows | None = Field(default=None, description="Deprecated durations of all profiles.")
    options: OptionsModel = OptionsModel()


# What VROOM knows and splitroute does not.
UNSUPPORTED: dict[type[VroomModel], frozenset[str]] = {
    RequestModel: frozenset({"shipments"}),
    JobModel: frozenset({"setup_per_type", "service_per_type"}),
    VehicleModel: frozenset({"breaks", "steps"}),
    CostsModel: frozenset({"per_task_hour"}),
    OptionsModel: frozenset({"c"}),
}
ITEMS: dict[str, type[BaseModel]] = {"jobs": JobModel, "vehicles": VehicleModel}


def parse_request(text: str, name: str) -> RequestModel:
    """Return the request in a text; raise an error that names all its unsupported fields."""
    request = parse_model(RequestModel, text, name, ITEMS)
    errors = ErrorCollector(name)
    unknown: list[str] = []
    for path, owner, field, value in _extra_fields(request):
        where = f"{path}.{field}" if path else field
        if field not in UNSUPPORTED.get(type(owner), ()):
            unknown.append(excerpt(where))
        elif value not in ANYTHING and value != 0:
            errors.add(f"{where} is not supported", code="unsupported", field=where)
    errors.raise_any()
    if unknown:
        more = f" and {len(unknown) - MAX_UNKNOWN} more" if len(unknown) > MAX_UNKNOWN else ""
        names = ", ".join(islice(unknown, MAX_UNKNOWN))
        warn(f"VROOM has no such fields, and they are ignored: {names}{more}", name)
    return request


def _extra_fields(request: RequestModel) -> Iterator[tuple[str, VroomModel, str, Any]]:
    """Path, owner, name and value of each field that a model does not declare."""
    owners: list[tuple[str, VroomModel]] = [("", request), ("options", request.options)]
    owners += [(f"jobs[{k}]", job) for k, job in enumerate(request.jobs)]
    for k, vehicle in enumerate(request.vehicles):
        owners += [(f"vehicles[{k}]", vehicle), (f"vehicles[{k}].costs", vehicle.costs)]
    owners += [(f"matrices.{profile}", tables) for profile, tables in request.matrices.items()]
    for path, owner in owners:
        for field, value in (owner.model_extra or {}).items():
            yield path, owner, field, value
