"""OSRM's HTTP API: https://project-osrm.org/docs/ (services table and route)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import numpy as np

from splitroute.distances import Floats
from splitroute.roads._http import Response, failure, fetch
from splitroute.roads._server import RoadServer
from splitroute.roads._tables import NoRoadError, Tables, TooLargeError

DEFAULT_PROFILE = "driving"
MAX_PLACES = 100  # per side of a block: osrm-routed allows 100 x 100 entries by default
MAX_STOPS = 100  # of a line; osrm-routed allows 500
TOO_LARGE_STATUS = (413, 414, 431)  # of proxies with a lower limit on the length of a URL


def table(server: RoadServer, sources: Floats, targets: Floats) -> Tables:
    """Return the distances and durations from sources to targets."""
    points, query = sources, "annotations=distance,duration&generate_hints=false"
    if len(sources) == 1 or not np.array_equal(sources, targets):  # it wants two places at least
        points = np.concatenate([sources, targets])
        first, last = range(len(sources)), range(len(sources), len(points))
        query += f"&sources={_join(first)}&destinations={_join(last)}"
    data = _get(server, "table", points, query)
    try:
        return Tables(
            np.array(data["distances"], dtype=np.float64),  # null becomes NaN
            np.array(data["durations"], dtype=np.float64),
            np.array([place["distance"] for place in data["sources"]], dtype=np.float64),
        )
    except (KeyError, TypeError, ValueError):
        raise failure(server, "its response is not a table of OSRM") from None


def line(server: RoadServer, stops: Floats) -> Floats:
    """Return the line over all stops; each leg is the one of the table, even if it turns round."""
    query = "overview=full&geometries=geojson&generate_hints=false&continue_straight=false"
    data = _get(server, "route", stops, query)
    try:
        return np.array(data["routes"][0]["geometry"]["coordinates"], dtype=np.float64)
    except (KeyError, IndexError, TypeError, ValueError):
        raise failure(server, "its response is not a route of OSRM") from None


def _get(server: RoadServer, service: str, points: Floats, query: str) -> Any:
    places = ";".join(f"{x:.6f},{y:.6f}" for x, y in points.tolist())
    path = f"/{service}/v1/{quote(server.profile)}/{places}"
    response = fetch(server, server.request_url(path, query))
    _check(server, response)
    return response.data


def _check(server: RoadServer, response: Response) -> None:
    data = response.data if isinstance(response.data, dict) else {}
    code = data.get("code")
    if code == "TooBig" or response.status in TOO_LARGE_STATUS:
        raise TooLargeError
    if code != "Ok":
        text = f"{code}: {data.get('message', '')}" if code else f"status {response.status}"
        if code == "NoSegment":
            raise NoRoadError(text)
        raise failure(server, text)


def _join(numbers: range) -> str:
    return ";".join(map(str, numbers))
