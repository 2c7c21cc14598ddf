"""The radial bound: each unit's share of a full vehicle, or the trip to the farthest customer."""

from __future__ import annotations

import numpy as np

from splitroute.distances import Floats
from splitroute.instance import Instance

MAX_TABLE_PLACES = 2000  # places between which shortest paths are computed
ROUNDING_TOLERANCE = 1e-12  # relative


def radial_bound(instance: Instance) -> float:
    """A vehicle with q of its Q units for a customer makes q / Q of the round trip for it.

    M. Haimovich, A. Rinnooy Kan: Bounds and heuristics for capacitated routing problems.
    Mathematics of Operations Research 10 (1985).
    """
    round_trips = _round_trips(instance)
    if round_trips is None:
        return 0.0
    demands = instance.demands[1:]
    radial = float((round_trips * demands).sum()) / instance.capacity
    farthest = float(round_trips.max(initial=0.0, where=demands > 0))
    return max(radial, farthest) * (1 - ROUNDING_TOLERANCE)


def _round_trips(instance: Instance) -> Floats | None:
    """Length of the shortest path to each customer and back, or None if there are too many."""
    if instance.matrix is None and instance.metric in ("exact", "haversine"):
        return 2 * instance.distances_from_depot()
    if len(instance.places) > MAX_TABLE_PLACES and instance.matrix is None:
        return None
    table = instance.table
    return (_shortest_paths(table) + _shortest_paths(table.T))[instance.sites[1:]]


def _shortest_paths(table: Floats) -> Floats:
    """Lengths of the shortest paths from place 0, by Dijkstra's algorithm."""
    lengths: Floats = table[0].copy()
    lengths[0] = 0.0
    is_open = np.ones(len(lengths), dtype=bool)
    for _ in range(len(lengths)):
        nearest = int(np.where(is_open, lengths, np.inf).argmin())
        is_open[nearest] = False
        lengths = np.minimum(lengths, lengths[nearest] + table[nearest])
    return lengths
