"""Models of requests of VROOM, with what of them is supported.

See https://github.com/VROOM-Project/vroom/blob/master/docs/API.md. Times are seconds, distances
metres, coordinates [lon, lat].
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from splitroute.formats._model_types import FailFastList

MAX_PRIORITY = 100
MAX_NUMBER = 10**12  # times, distances, costs and amounts; far below where floats are not exact

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
