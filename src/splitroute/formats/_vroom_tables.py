"""Where a request of VROOM takes place: its locations, and the tables between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from splitroute import distances
from splitroute.distances import METRES_PER_KM, Floats
from splitroute.errors import InputError
from splitroute.formats._vroom_models import JobModel, RequestModel, VehicleModel
from splitroute.instance import DEFAULT_KM_PER_HOUR

SECONDS_PER_HOUR = 3600

Key = int | tuple[float, float]  # index into the matrices, or longitude and latitude


class Tables(NamedTuple):
    """Travel times in seconds and distances in metres between locations, and what they cost."""

    durations: Floats
    distances: Floats | None
    costs: Floats | None  # that the request states
    source: str  # for people


@dataclass(frozen=True)
class Locations:
    """The different locations of a request: where vehicles start and end, then the jobs."""

    has_matrices: bool
    index_of: dict[Key, int]

    @classmethod
    def find(cls, request: RequestModel) -> Locations:
        """Return the locations; raise if one is not given as it has to be."""
        has_matrices = bool(request.matrices) or request.matrix is not None
        found = cls(has_matrices, {})
        for k, vehicle in enumerate(request.vehicles):
            ends = [found.start(vehicle, k), found.end(vehicle, k)]
            if ends == [None, None]:
                message = f"vehicles[{k}] has neither a start nor an end"
                raise InputError(message, field=f"vehicles[{k}].start")
            for key in ends:
                if key is not None:
                    found.index_of.setdefault(key, len(found.index_of))
        for k, job in enumerate(request.jobs):
            found.index_of.setdefault(found.job(job, k), len(found.index_of))
        return found

    def start(self, vehicle: VehicleModel, number: int = 0) -> Key | None:
        """Where a vehicle starts; None for anywhere."""
        path = f"vehicles[{number}].start"
        return self._key(vehicle.start, vehicle.start_index, path, f"{path}_index")

    def end(self, vehicle: VehicleModel, number: int = 0) -> Key | None:
        """Where a vehicle ends; None for anywhere."""
        path = f"vehicles[{number}].end"
        return self._key(vehicle.end, vehicle.end_index, path, f"{path}_index")

    def job(self, job: JobModel, number: int = 0) -> Key:
        """Where a job is."""
        path = f"jobs[{number}].location"
        key = self._key(job.location, job.location_index, path, f"{path}_index")
        if key is None:
            field = f"{path}_index" if self.has_matrices else path
            raise InputError(f"{field} is missing", field=field)
        return key

    def _key(
        self, point: tuple[float, float] | None, index: int | None, path: str, index_path: str
    ) -> Key | None:
        if self.has_matrices:
            if index is None and point is not None:
                message = f"{index_path} is missing, which custom matrices need"
                raise InputError(message, field=index_path)
            return index
        if index is not None:
            message = f"{index_path} is {index}, but the request has no matrices"
            raise InputError(message, field=index_path, value=index)
        if point is not None and not (abs(point[0]) <= 180 and abs(point[1]) <= 90):
            message = f"{path} is {list(point)}; it must be [lon, lat] in degrees"
            raise InputError(message, field=path, value=str(point))
        return point


def find_tables(request: RequestModel, locations: Locations, speed: float | None) -> Tables:
    """Return the tables of the request, or those of straight lines if it has none."""
    profile = same_profile(request)
    if not locations.has_matrices:
        km = distances.matrix(np.array(list(locations.index_of), dtype=np.float64), "haversine")
        speed = speed or DEFAULT_KM_PER_HOUR
        seconds = np.rint(km / speed * SECONDS_PER_HOUR)
        source = f"straight lines at {speed:g} km/h"
        return _at_speed(request, Tables(seconds, np.rint(km * METRES_PER_KM), None, source))
    if speed is not None:
        message = "the request has matrices; omit the speed"
        raise InputError(message, field="speed", value=speed)
    if request.matrix is not None:
        stated = {"durations": request.matrix}
        path = "matrix"
    else:
        tables = request.matrices.get(profile)
        if tables is None or tables.durations is None:
            field = f"matrices.{profile}.durations"
            raise InputError(f"{field} is missing", field=field)
        stated = {name: rows for name, rows in tables if rows is not None}
        path = f"matrices.{profile}"
    rows = [key for key in locations.index_of if isinstance(key, int)]
    arrays = {
        name: _pick(values, rows, path if request.matrix is not None else f"{path}.{name}")
        for name, values in stated.items()
    }
    found = Tables(
        arrays["durations"], arrays.get("distances"), arrays.get("costs"), "from a matrix"
    )
    return _at_speed(request, found)


def on_roads(request: RequestModel, km: Floats, minutes: Floats, program: str) -> Tables:
    """Return the tables of a road server, in the units of VROOM."""
    metres, seconds = np.rint(km * METRES_PER_KM), np.rint(minutes * 60)
    return _at_speed(request, Tables(seconds, metres, None, f"roads ({program})"))


def _pick(values: Sequence[Sequence[int]], indices: list[int], path: str) -> Floats:
    """The rows and columns of the locations."""
    size = len(values)
    if any(len(row) != size for row in values):
        k, row = next((k, row) for k, row in enumerate(values) if len(row) != size)
        message = f"{path}[{k}] has {len(row)} entries; the matrix has {size} rows"
        raise InputError(message, field=f"{path}[{k}]", value=len(row))
    if max(indices) >= size:
        message = f"{path} has {size} rows; a location has the index {max(indices)}"
        raise InputError(message, field=path, value=max(indices))
    table: Floats = np.array(values, dtype=np.float64)[np.ix_(indices, indices)]
    return table


def _at_speed(request: RequestModel, tables: Tables) -> Tables:
    # VROOM multiplies by a number of percent.
    percent = round(100 / request.vehicles[0].speed_factor)
    return tables._replace(durations=tables.durations * percent / 100)


def same_profile(request: RequestModel) -> str:
    """The profile of all vehicles; raise if they travel at different speeds."""
    first, *_ = request.vehicles or [VehicleModel(id=0)]
    for field in ("profile", "speed_factor"):
        for k, vehicle in enumerate(request.vehicles):
            if (value := getattr(vehicle, field)) != getattr(first, field):
                raise InputError(
                    f"vehicles[{k}].{field} is {value!r}, and that of vehicles[0] is "
                    f"{getattr(first, field)!r}; different values are not supported",
                    code="unsupported",
                    field=f"vehicles[{k}].{field}",
                    value=value,
                )
    return first.profile
