"""The simplest bound: each unit's share of a full vehicle, or the way to the furthest customer."""

from __future__ import annotations

import numpy as np

from splitroute.distances import Floats
from splitroute.instance import Instance

LARGEST_TABLE = 2000  # places between which shortest ways are sought


def radial_bound(instance: Instance) -> float:
    """A vehicle with q of its Q units for a customer drives there and back for q / Q of its load.

    M. Haimovich, A. Rinnooy Kan: Bounds and heuristics for capacitated routing problems.
    Mathematics of Operations Research 10 (1985).
    """
    away = _ways(instance)
    if away is None:
        return 0.0
    demands = instance.demands[1:]
    shared = float((away * demands).sum()) / instance.capacity
    furthest = float(away.max(initial=0.0, where=demands > 0))
    return max(shared, furthest) * (1 - 1e-12)


def _ways(instance: Instance) -> Floats | None:
    """The length of the shortest way to each customer and back, where it is known."""
    if instance.matrix is None and instance.metric in ("exact", "haversine"):
        return 2 * instance.distances_from_depot()
    if len(instance.places) > LARGEST_TABLE and instance.matrix is None:
        return None
    table = instance.table
    return (_nearest(table) + _nearest(table.T))[instance.sites[1:]]


def _nearest(table: Floats) -> Floats:
    """The shortest ways from place 0, by E. Dijkstra's method."""
    far: Floats = table[0].copy()
    far[0] = 0.0
    waiting = np.ones(len(far), dtype=bool)
    for _ in range(len(far)):
        at = int(np.where(waiting, far, np.inf).argmin())
        waiting[at] = False
        far = np.minimum(far, far[at] + table[at])
    return far
