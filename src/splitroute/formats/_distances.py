"""Where distances and travel times come from, if not from the coordinates."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from splitroute.errors import InputError
from splitroute.formats._matrices import with_matrices
from splitroute.instance import Instance
from splitroute.roads import RoadListener, RoadServer, with_roads


@dataclass(frozen=True)
class DistanceTables:
    """Matrices in files or arrays, or a road server that has both."""

    matrix: Any = None
    durations: Any = None
    roads: RoadServer | str | None = None
    roads_cache: str | os.PathLike[str] | None = None
    roads_listener: RoadListener | None = None

    def check(self, speed: float | None = None) -> None:
        """Raise unless roads are valid, and not combined with what they replace."""
        if self.roads is None:
            return
        RoadServer.parse(self.roads)
        fields = {"matrix": self.matrix, "durations": self.durations, "speed": speed}
        for field, value in fields.items():
            if value is not None:
                message = "roads have distances and travel times of their own; omit roads or "
                raise InputError(message + field, field=field, value=str(value))

    def add_to(self, instance: Instance) -> Instance:
        """Return the instance with these distances and travel times."""
        if self.roads is None:
            return with_matrices(instance, self.matrix, self.durations)
        server = RoadServer.parse(self.roads)
        return with_roads(instance, server, cache=self.roads_cache, listener=self.roads_listener)
