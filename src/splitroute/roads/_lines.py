"""The line of a route along the roads."""

from __future__ import annotations

import logging

import numpy as np

from splitroute.distances import Floats
from splitroute.roads._cache import Cache
from splitroute.roads._http import failure
from splitroute.roads._server import RoadServer
from splitroute.roads._tables import NoRoadError, TooLargeError

_log = logging.getLogger("splitroute")


def fetch_line(server: RoadServer, stops: Floats, cache: Cache) -> Floats:
    """Return the points of the way over all stops, in longitude and latitude."""
    size: int = server.module.MAX_STOPS
    while True:
        try:
            return _fetch_parts(server, stops, size, cache)
        except NoRoadError as error:
            raise failure(server, str(error)) from None
        except TooLargeError:
            if size == 2:
                raise failure(server, "it refuses routes of any size") from None
            size = max(2, size // 2)
            _log.info("road server %s: lines over at most %d stops", server.address, size)


def _fetch_parts(server: RoadServer, stops: Floats, size: int, cache: Cache) -> Floats:
    parts: list[Floats] = []
    for first in range(0, max(1, len(stops) - 1), size - 1):
        part = _part(server, stops[first : first + size], cache)
        parts.append(part[1:] if parts else part)
    return np.concatenate(parts)


def _part(server: RoadServer, stops: Floats, cache: Cache) -> Floats:
    request = ("line", server.program, server.url, server.profile, stops.tolist())
    arrays = cache.load(*request)
    if arrays is not None and _is_line(arrays.get("line", np.empty(0))):
        return arrays["line"]
    line: Floats = server.module.line(server, stops)
    if not _is_line(line):
        raise failure(server, "its response is not a line")
    cache.save({"line": line}, *request)
    return line


def _is_line(points: Floats) -> bool:
    is_list = points.ndim == 2 and points.shape[1] == 2
    return is_list and len(points) > 0 and bool(np.isfinite(points).all())
