"""The legs of routes: from the start depot over the visits to the end depot."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np

from splitroute import distances
from splitroute.distances import Floats, Integers
from splitroute.instance import Instance
from splitroute.solution.routes import Solution


class Legs(NamedTuple):
    """Places at both ends of each leg, of one route after the other."""

    origins: Integers
    destinations: Integers
    firsts: Integers  # index of the first leg of each route


def legs_of(instance: Instance, solution: Solution) -> Legs:
    """Return the legs of all routes."""
    depots = instance.depot_places
    ends = [(depots[v.depot], depots[v.end_depot or v.depot]) for v in instance.vehicle_types]
    sites = instance.sites.tolist()
    places = list(
        chain.from_iterable(
            (start, *(sites[visit.customer] for visit in route.visits), end)
            for route in solution.routes
            for start, end in (ends[route.vehicle_type],)
        )
    )
    stops = np.array([len(route.visits) for route in solution.routes], dtype=np.int64) + 2
    path = np.array(places, dtype=np.int64)
    lasts = np.cumsum(stops) - 1
    is_leg = np.ones(len(path), dtype=bool)
    is_leg[lasts] = False  # no leg leads from the end of a route to the start of the next
    origins = np.flatnonzero(is_leg)
    return Legs(path[origins], path[origins + 1], lasts + 1 - stops - np.arange(len(stops)))


def leg_distances(instance: Instance, legs: Legs) -> Floats:
    """Return the distance of each leg."""
    return distances.pairs(
        instance.xy, instance.metric, instance.matrix, legs.origins, legs.destinations
    )


def leg_durations(instance: Instance, legs: Legs) -> Floats:
    """Return the travel time of each leg."""
    if instance.durations is not None:
        table: Floats = instance.durations[legs.origins, legs.destinations]
        return table
    return leg_distances(instance, legs) / instance.travel_speed


def route_sums(values: Floats, legs: Legs) -> Floats:
    """Return the sum over the legs of each route."""
    sums: Floats = np.add.reduceat(values, legs.firsts)
    return sums
