"""Distances, travel times and lines of routes on roads, from a server. One module per program.

A module has `DEFAULT_PROFILE`, `MAX_PLACES` per side of a block, `table` and `line`.
What speaks HTTP is imported when it is needed, which is rarely.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from splitroute.distances import DEGREE_DECIMALS, METRES_PER_KM, Floats
from splitroute.errors import InputError, LimitError
from splitroute.instance import MAX_TABLE_PLACES, Instance
from splitroute.reachability import complete_tables, list_names
from splitroute.roads._server import RoadServer
from splitroute.roads._snapping import warn_about_snapping
from splitroute.solution import Solution, route_places

__all__ = [
    "RoadListener",
    "RoadServer",
    "RoadTables",
    "road_tables",
    "with_geometry",
    "with_roads",
]

SECONDS_PER_MINUTE = 60

RoadListener = Callable[[int, int], object]  # told the requests done, and their total


class RoadTables(NamedTuple):
    """Distances in km and travel times in minutes between all places of an instance."""

    program: str  # that computed them
    distances: Floats
    durations: Floats

    def add_to(self, instance: Instance) -> Instance:
        """Return the instance with these distances and travel times."""
        found = replace(
            instance,
            metric="matrix",
            matrix=self.distances,
            durations=self.durations,
            speed=None,
            roads=self.program,
        )
        return found if instance.origin is None else instance.origin.on_roads(found)


def with_roads(
    instance: Instance,
    server: RoadServer | str,
    *,
    cache: str | os.PathLike[str] | None = None,
    listener: RoadListener | None = None,
) -> Instance:
    """Return the instance with distances in km and travel times in minutes by road.

    `server` is such as "osrm:http://localhost:5000". Answers are kept in the folder `cache`, by
    default one of the user's, so that what was received once is not requested again.
    """
    return road_tables(instance, server, cache=cache, listener=listener).add_to(instance)


def road_tables(
    instance: Instance,
    server: RoadServer | str,
    *,
    cache: str | os.PathLike[str] | None = None,
    listener: RoadListener | None = None,
) -> RoadTables:
    """Return the distances and travel times by road, see `with_roads`."""
    from splitroute.roads._cache import Cache
    from splitroute.roads._http import failure
    from splitroute.roads._tables import NoRoadError, fetch_tables

    server = RoadServer.parse(server)
    points, indices = _unique_points(instance)
    try:
        tables = fetch_tables(server, points, Cache.open(cache), listener or (lambda *_: None))
    except NoRoadError as error:
        far = np.flatnonzero(np.isin(indices, error.points)).tolist()
        raise _no_road(instance, far) if far else failure(server, str(error)) from None
    warn_about_snapping(instance, tables.snapped[indices])
    pairs = np.ix_(indices, indices)
    distances, durations = complete_tables(
        instance,
        # OSRM has distances such as -0.7 m between points on one street.
        np.maximum(tables.distances[pairs], 0) / METRES_PER_KM,
        np.maximum(tables.durations[pairs], 0) / SECONDS_PER_MINUTE,
        "no road",
        field="roads",
    )
    assert durations is not None  # as they were given
    return RoadTables(server.program, distances, durations)


def with_geometry(
    instance: Instance,
    solution: Solution,
    server: RoadServer | str,
    *,
    cache: str | os.PathLike[str] | None = None,
) -> Solution:
    """Return the solution with the line of each route along the roads."""
    from splitroute.roads._cache import Cache
    from splitroute.roads._lines import fetch_line

    server, folder = RoadServer.parse(server), Cache.open(cache)
    _check_globe(instance)
    points = instance.xy.round(DEGREE_DECIMALS)
    stops = (route_places(instance, route) for route in solution.routes)
    return replace(solution, geometry=tuple(fetch_line(server, points[s], folder) for s in stops))


def _unique_points(instance: Instance) -> tuple[Floats, Any]:
    """Longitudes and latitudes without duplicates, and the index of each place among them."""
    _check_globe(instance)
    if len(instance.places) > MAX_TABLE_PLACES:
        raise LimitError(
            f"{len(instance.places)} places are too many for a table of all distances; "
            f"the maximum is {MAX_TABLE_PLACES}",
            field="roads",
            value=len(instance.places),
        )
    first: dict[tuple[float, float], int] = {}
    rounded = [(x, y) for x, y in instance.xy.round(DEGREE_DECIMALS).tolist()]
    indices = [first.setdefault(point, len(first)) for point in rounded]
    return np.array(list(first)), np.array(indices)


def _no_road(instance: Instance, places: list[int]) -> InputError:
    names = [instance.place_names[place] for place in places]
    message = f"no road near {list_names(names)}; is that on the map of the road server?"
    return InputError(message, code="unreachable", field="roads", value=names[0])


def _check_globe(instance: Instance) -> None:
    if not instance.is_globe or not instance.places:
        found = "x and y" if instance.places else "no coordinates"
        raise InputError(
            f"roads need places with lat and lon; the instance has {found}", field="roads"
        )
