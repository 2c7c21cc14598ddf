"""The instance as lower bounds see it: an undirected network whose lengths are shortest paths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from splitroute import distances
from splitroute.distances import Floats, Integers
from splitroute.instance import Instance

MAX_LENGTH = 1e4  # the longest edge, after scaling


@dataclass(frozen=True, eq=False)
class Network:
    """Node 0 is the depot, the others are the customers with a demand.

    Shortest paths are never longer than distances, so a bound for the network is one for the
    instance. With the triangle inequality, some optimum uses no edge between two customers twice
    (two routes that share two customers can exchange quantities until one of them leaves one out),
    and no two of its routes fit on one vehicle.
    """

    lengths: Floats  # in units of `scale`, so that tolerances mean the same for all instances
    scale: float
    demands: Integers  # of the nodes; the depot's is 0
    capacity: int
    customers: Integers  # the instance's number of each node
    max_vehicles: int

    @classmethod
    def of(cls, instance: Instance) -> Network:
        """Return the network of an instance; of two directions, the shorter one counts."""
        nodes = np.concatenate([[0], np.flatnonzero(instance.demands > 0)])
        lengths = _lengths(instance, instance.sites[nodes])
        scale = float(lengths.max()) / MAX_LENGTH or 1.0
        return cls(
            np.ascontiguousarray(lengths / scale),
            scale,
            instance.demands[nodes].astype(np.int64),
            instance.capacity,
            nodes,
            _max_vehicles(instance),
        )

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.demands)

    def min_vehicles(self, load: Integers) -> Integers:
        """Number of vehicles that a load needs."""
        return -(-load // self.capacity)


def _lengths(instance: Instance, places: Integers) -> Floats:
    """Shortest paths between these places."""
    if instance.matrix is None and instance.metric in ("exact", "haversine"):
        return distances.matrix(instance.xy[places], instance.metric)
    if instance.pass_through:  # paths may use any place
        table, _ = distances.shortest_paths(_undirected(instance.table))
        return table[np.ix_(places, places)]
    table, _ = distances.shortest_paths(_undirected(instance.table[np.ix_(places, places)]))
    return table


def _undirected(table: Floats) -> Floats:
    return np.ascontiguousarray(np.minimum(table, table.T))


def _max_vehicles(instance: Instance) -> int:
    """Number of vehicles that some optimum does not exceed: any two carry more than fits on one."""
    useful = int(2 * instance.demands.sum() // instance.capacity + 1)
    return useful if instance.vehicles is None else min(useful, instance.vehicles)
