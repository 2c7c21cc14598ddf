"""Where distances and travel times come from, if not from the coordinates."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from splitroute.distances import Metric
from splitroute.errors import InputError, InputWarning, issue
from splitroute.instance import Instance
from splitroute.roads import RoadListener, RoadServer, with_roads


def warn_about_speed(instance: Instance) -> None:
    """Warn about a speed that the file of an instance states but roads replace."""
    if instance.speed is not None:
        message = f"the speed {instance.speed:g} is ignored; travel times are those of the roads"
        issue(InputWarning(message, field="speed", value=instance.speed))


@dataclass(frozen=True)
class DistanceTables:
    """Matrices in files or arrays, or a road server that has both."""

    matrix: Any = None
    durations: Any = None
    roads: RoadServer | str | None = None
    roads_cache: str | os.PathLike[str] | None = None
    roads_listener: RoadListener | None = None

    def check(self, speed: float | None = None, metric: Metric | None = None) -> None:
        """Raise unless roads are valid, and no table is combined with what it replaces."""
        if self.roads is not None:
            RoadServer.parse(self.roads)
            replaced = {"matrix": self.matrix, "durations": self.durations, "speed": speed}
            for field, value in {**replaced, "metric": metric}.items():
                if value is not None:
                    message = "roads have distances and travel times of their own; omit roads or "
                    raise InputError(message + field, field=field, value=str(value))
        elif self.matrix is not None and metric not in (None, "matrix"):
            message = "a matrix has distances of its own; omit matrix or metric"
            raise InputError(message, field="metric", value=metric)

    def add_to(self, instance: Instance) -> Instance:
        """Return the instance with these distances and travel times."""
        if self.roads is None:
            from splitroute.formats._matrices import with_matrices

            return with_matrices(instance, self.matrix, self.durations)
        warn_about_speed(instance)
        server = RoadServer.parse(self.roads)
        return with_roads(instance, server, cache=self.roads_cache, listener=self.roads_listener)
