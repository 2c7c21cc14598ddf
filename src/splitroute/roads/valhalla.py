"""Valhalla's HTTP API: https://valhalla.github.io/valhalla/api/ (matrix, locate and route)."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from splitroute import distances
from splitroute.distances import METRES_PER_KM, Floats
from splitroute.errors import RoadServerError
from splitroute.roads._http import failure, fetch
from splitroute.roads._server import RoadServer
from splitroute.roads._tables import NoRoadError, Tables, TooLargeError

DEFAULT_PROFILE = "auto"
MAX_PLACES = 50  # per side of a block: Valhalla allows 2,500 pairs by default
MAX_STOPS = 20  # of a line, likewise
TOO_MANY_PLACES = (150, 153)  # codes of its errors
NO_ROAD = (170, 171)  # likewise: unconnected regions, and no suitable edges
TOO_LARGE_STATUS = (413,)
REFUSED = (RoadServerError, TooLargeError, NoRoadError)
SHAPE_FACTOR = 1e6  # of the numbers in an encoded line

_log = logging.getLogger("splitroute")


def table(server: RoadServer, sources: Floats, targets: Floats) -> Tables:
    """Return the distances and durations from sources to targets."""
    body = {"sources": _places(sources), "targets": _places(targets), "verbose": False}
    data = _post(server, "/sources_to_targets", body)
    try:
        found = data["sources_to_targets"]
        if isinstance(found, list):  # of versions that know no other form
            found = {
                f"{name}s": [[entry[key] for entry in row] for row in found]
                for name, key in (("distance", "distance"), ("duration", "time"))
            }
        kilometres = np.array(found["distances"], dtype=np.float64)  # null becomes NaN
        seconds = np.array(found["durations"], dtype=np.float64)
    except (KeyError, TypeError, ValueError):
        raise failure(server, "its response is not a matrix of Valhalla") from None
    return Tables(kilometres * METRES_PER_KM, seconds, _snapped(server, sources))


def line(server: RoadServer, stops: Floats) -> Floats:
    """Return the line over all stops; a vehicle may turn round at each, as in the table."""
    body = {
        "locations": [{**place, "type": "break"} for place in _places(stops)],
        "directions_type": "none",
    }
    data = _post(server, "/route", body)
    try:
        parts = [_decoded(leg["shape"]) for leg in data["trip"]["legs"]]
        return np.concatenate(parts)
    except (KeyError, IndexError, TypeError, ValueError):
        raise failure(server, "its response is not a route of Valhalla") from None


def _snapped(server: RoadServer, places: Floats) -> Floats:
    """Metres from each place to the nearest road; NaN if unknown."""
    metres = np.full(len(places), np.nan)
    try:
        data = _post(server, "/locate", {"locations": _places(places)})
        for k, (found, point) in enumerate(zip(data, places.tolist(), strict=True)):
            edges = (found or {}).get("edges") or []
            roads = [(edge["correlated_lon"], edge["correlated_lat"]) for edge in edges]
            if roads:
                near = min(distances.between(tuple(point), road, "haversine") for road in roads)
                metres[k] = near * METRES_PER_KM
    except (*REFUSED, AttributeError, KeyError, TypeError, ValueError) as error:
        # Only warnings depend on it, and some servers do not offer it.
        _log.info("road server %s: no distances to roads: %s", server.address, error)
    return metres


def _places(points: Floats) -> list[dict[str, float]]:
    return [{"lat": y, "lon": x} for x, y in points.tolist()]


def _post(server: RoadServer, path: str, body: dict[str, Any]) -> Any:
    request = {**body, "costing": server.profile, "units": "kilometers"}
    response = fetch(server, server.request_url(path), request)
    if response.status == 200:
        return response.data
    data = response.data if isinstance(response.data, dict) else {}
    if data.get("error_code") in TOO_MANY_PLACES or response.status in TOO_LARGE_STATUS:
        raise TooLargeError
    text = str(data.get("error") or f"status {response.status}")
    raise NoRoadError(text) if data.get("error_code") in NO_ROAD else failure(server, text)


def _decoded(shape: str) -> Floats:
    """The points of an encoded line: differences, five bits per character, lowest first."""
    numbers, value, shift = [], 0, 0
    for character in shape:
        bits = ord(character) - 63
        value |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    latitudes_longitudes = np.cumsum(np.array(numbers).reshape(-1, 2), axis=0) / SHAPE_FACTOR
    points: Floats = latitudes_longitudes[:, ::-1].copy()
    return points
