"""The line of a route along the roads."""

from __future__ import annotations

import numpy as np

from splitroute.distances import Floats
from splitroute.roads._cache import Cache
from splitroute.roads._server import RoadServer


def fetch_line(server: RoadServer, stops: Floats, cache: Cache) -> Floats:
    """Return the points of the way over all stops, in longitude and latitude."""
    size: int = server.module.MAX_STOPS
    parts: list[Floats] = []
    for first in range(0, max(1, len(stops) - 1), size - 1):
        part = _part(server, stops[first : first + size], cache)
        parts.append(part[1:] if parts else part)
    return np.concatenate(parts)


def _part(server: RoadServer, stops: Floats, cache: Cache) -> Floats:
    request = ("line", server.program, server.url, server.profile, stops.tolist())
    arrays = cache.load(*request)
    if arrays is not None and set(arrays) == {"line"}:
        return arrays["line"]
    line: Floats = server.module.line(server, stops)
    cache.save({"line": line}, *request)
    return line
