"""The instance as lower bounds see it: an undirected network with shortest ways for lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from splitroute import distances
from splitroute.distances import Floats, Integers
from splitroute.instance import Instance

LONGEST = 1e4  # the longest length


@dataclass(frozen=True, eq=False)
class Network:
    """Node 0 is the depot, the others are the customers that want something.

    With shortest ways for lengths nothing gets dearer, so a bound for the network is one for the
    instance; and the triangle inequality holds, so that some optimum uses no edge between two
    customers twice (two routes that share two customers can exchange quantities until one of them
    leaves one out), and no two routes of it would fit on one vehicle.
    """

    lengths: Floats  # in units of `scale`, so that tolerances mean the same for all instances
    scale: float
    demands: Integers  # of the nodes, that of the depot being 0
    capacity: int
    customers: Integers  # the instance's number of each node
    most_vehicles: int

    @classmethod
    def of(cls, instance: Instance) -> Network:
        """The network of an instance; there and back may differ in length, the shorter counts."""
        nodes = np.concatenate([[0], np.flatnonzero(instance.demands > 0)])
        lengths = _lengths(instance, instance.sites[nodes])
        scale = float(lengths.max()) / LONGEST or 1.0
        return cls(
            np.ascontiguousarray(lengths / scale),
            scale,
            instance.demands[nodes].astype(np.int64),
            instance.capacity,
            nodes,
            _most_vehicles(instance),
        )

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.demands)

    def vehicles(self, load: Integers) -> Integers:
        """How many vehicles it takes to carry so much."""
        return -(-load // self.capacity)


def _lengths(instance: Instance, places: Integers) -> Floats:
    """The shortest ways between these places; straight lines are, on the globe too."""
    if instance.matrix is None and instance.metric in ("exact", "haversine"):
        return distances.matrix(instance.xy[places], instance.metric)
    if instance.pass_through:  # then they may lead by any place
        table, _ = distances.shortest_paths(_undirected(instance.table))
        return table[np.ix_(places, places)]
    table, _ = distances.shortest_paths(_undirected(instance.table[np.ix_(places, places)]))
    return table


def _undirected(table: Floats) -> Floats:
    return np.ascontiguousarray(np.minimum(table, table.T))


def _most_vehicles(instance: Instance) -> int:
    """More are not there, or never worth while: any two of them carry more than fits on one."""
    useful = int(2 * instance.demands.sum() // instance.capacity + 1)
    return useful if instance.vehicles is None else min(useful, instance.vehicles)
