"""The places of an instance that is made from a request of VROOM: depots first, then jobs."""

from __future__ import annotations

from collections import Counter

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.formats._vroom_models import RequestModel, VehicleModel
from splitroute.formats._vroom_tables import Key, Locations
from splitroute.instance import Depot, Place

# Routes that start or end anywhere do so at a place that is at no distance from any other. There is
# one for each, so that no way leads through them.
START_ANYWHERE, END_ANYWHERE = "start anywhere", "end anywhere"


class Places:
    """A place for each start and end of the vehicles, and for each job."""

    def __init__(self, request: RequestModel, locations: Locations) -> None:
        self._request, self._locations = request, locations
        depots: dict[str, Key | None] = {}
        for vehicle in request.vehicles:
            ends = locations.start(vehicle), locations.end(vehicle)
            depots |= dict(zip(self.depot_ids(vehicle), ends, strict=True))
        self._depots = list(depots)
        self.keys = [*depots.values(), *map(locations.job, request.jobs)]

    @property
    def first_job(self) -> int:
        """Place of the first job."""
        return len(self._depots)

    @property
    def depots(self) -> tuple[Depot, ...]:
        """The depots of the instance."""
        return tuple(Depot(id, k) for k, id in enumerate(self._depots))

    def depot_ids(self, vehicle: VehicleModel) -> tuple[str, str]:
        """Depots where a vehicle starts and ends."""
        start, end = self._locations.start(vehicle), self._locations.end(vehicle)
        return (
            START_ANYWHERE if start is None else _name(start),
            END_ANYWHERE if end is None else _name(end),
        )

    def table(self, between: Floats) -> Floats:
        """The table between places, given one between locations."""
        index_of = self._locations.index_of
        rows = [0 if key is None else index_of[key] for key in self.keys]
        table: Floats = between[np.ix_(rows, rows)]
        far = float(between.max(initial=0.0))
        for place, id in enumerate(self._depots):
            if id == START_ANYWHERE:
                table[:, place], table[place, :] = far, 0.0
        for place, id in enumerate(self._depots):
            if id == END_ANYWHERE:
                table[place, :], table[:, place] = far, 0.0
        np.fill_diagonal(table, 0.0)
        return table

    def coordinates(self) -> tuple[Place, ...]:
        """Longitude and latitude of each place, if all are known."""
        known: dict[Key | None, tuple[float, float] | None] = {}
        for vehicle in self._request.vehicles:
            known[self._locations.start(vehicle)] = vehicle.start
            known[self._locations.end(vehicle)] = vehicle.end
        for job in self._request.jobs:
            known[self._locations.job(job)] = job.location
        # Routes that may start or end anywhere are drawn from or to a place of another.
        known[None] = next((point for point in known.values() if point is not None), None)
        points = [known[key] for key in self.keys]
        return tuple(Place(*point) for point in points if point) if all(points) else ()

    def add_setups(self, durations: Floats) -> list[float]:
        """Return the time that each job takes, and add the setups that depend on the way to it.

        A job needs no setup if the vehicle has been at its location before.
        """
        starts = {self._locations.start(vehicle) for vehicle in self._request.vehicles}
        users = Counter([*starts, *self.keys[self.first_job :]])
        services = []
        for k, job in enumerate(self._request.jobs):
            key = self.keys[self.first_job + k]
            is_shared = job.setup > 0 and users[key] > 1
            if is_shared and job.time_windows:
                raise InputError(
                    f"jobs[{k}].setup with time windows is not supported at a location that has "
                    "other jobs or where a vehicle starts",
                    code="unsupported",
                    field=f"jobs[{k}].setup",
                    value=job.setup,
                )
            if is_shared:
                is_elsewhere = np.array([other != key for other in self.keys])
                durations[is_elsewhere, self.first_job + k] += job.setup
            services.append(float(job.service if is_shared else job.service + job.setup))
        return services


def _name(key: Key) -> str:
    return f"location {key}" if isinstance(key, int) else f"{key[0]:g}, {key[1]:g}"
