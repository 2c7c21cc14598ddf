"""Distance kernels of the compiled core, for instances and solutions."""

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from splitroute import _core

Metric = Literal["exact", "dimacs", "haversine", "matrix"]
METRICS: tuple[Metric, ...] = get_args(Metric)
EARTH_RADIUS_KM = 6371.0088  # mean, as in the core
KM_PER_DEGREE = EARTH_RADIUS_KM * math.pi / 180  # of latitude
METRES_PER_KM = 1000
DEGREE_DECIMALS = 6  # of longitudes and latitudes in requests and files: 0.1 m
MAX_PATH_PLACES = 2000  # up to which a table of distances pays off for shortest paths

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Places = NDArray[np.int32]


def matrix(xy: Floats, metric: Metric) -> Floats:
    """Distances between all pairs of places: symmetric, zero on the diagonal."""
    return _core.distance_matrix(xy, metric)


def between(a: tuple[float, float], b: tuple[float, float], metric: Metric) -> float:
    """Distance between two places."""
    return float(_core.distance_matrix(np.array([a, b], dtype=np.float64), metric)[0, 1])


def shortest_paths(table: Floats, via_depot: bool = True) -> tuple[Floats, Places]:
    """Lengths of all shortest paths, and an intermediate place of each, or -1 if it is direct.

    Paths may lead through the depot, place 0, if `via_depot` is set.
    """
    lengths = table.copy()
    return lengths, _core.close_under_shortest_paths(lengths, 0 if via_depot else 1)


def shortest_from(table: Floats, source: int = 0) -> Floats:
    """Lengths of the shortest paths from a place, by Dijkstra's algorithm."""
    lengths: Floats = table[source].copy()
    lengths[source] = 0.0
    is_open = np.ones(len(lengths), dtype=bool)
    for _ in range(len(lengths)):
        nearest = int(np.where(is_open, lengths, np.inf).argmin())
        is_open[nearest] = False
        np.minimum(lengths, lengths[nearest] + table[nearest], out=lengths)
    return lengths


def from_depot(xy: Floats) -> Floats:
    """Straight-line distance of every place from place 0, unrounded."""
    lengths: Floats = np.hypot(*(xy - xy[0]).T)
    return lengths


def route_costs(
    xy: Floats, metric: Metric, table: Floats | None, places: Integers, lengths: list[int]
) -> list[float]:
    """Cost of each route from place 0 and back; `places` concatenates the visits of all routes."""
    ends = np.cumsum(lengths, dtype=np.int64)
    if table is not None:
        costs = _core.matrix_route_costs(table, places, ends)
    else:
        costs = _core.route_costs(xy, metric, places, ends)
    out: list[float] = costs.tolist()
    return out


def pairs(xy: Floats, metric: Metric, table: Floats | None, a: Integers, b: Integers) -> Floats:
    """Distances from places `a` to places `b`, pair by pair."""
    lengths: Floats
    if table is not None:
        lengths = table[a, b]
        return lengths
    dx, dy = (xy[a] - xy[b]).T
    if metric == "haversine":
        u, v = np.sin(np.radians(dy) / 2), np.sin(np.radians(dx) / 2)
        lat_a, lat_b = np.radians(xy[a, 1]), np.radians(xy[b, 1])
        h = u * u + np.cos(lat_a) * np.cos(lat_b) * v * v
        lengths = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(1.0, h)))
        return lengths
    lengths = np.sqrt(dx * dx + dy * dy)
    return np.floor(lengths + 0.5) if metric == "dimacs" else lengths
