"""The routes that have a column, with what each of them contributes to the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from splitroute.bounds.column_prices import Visits
from splitroute.bounds.network import Network
from splitroute.bounds.sets import Sets
from splitroute.distances import Floats, Integers

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Route = tuple[tuple[int, int], ...]  # node and quantity of each visit


class RoutePool:
    """Routes in the order of their columns, none of them twice in either direction."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._routes: list[Route] = []
        self._known: set[Route] = set()
        self.visits: Integers = np.empty((0, 3), dtype=np.int64)  # route, node and quantity
        self.arcs: Integers = np.empty((0, 3), dtype=np.int64)  # route, tail and head

    def __len__(self) -> int:
        return len(self._routes)

    def new(self, visits: Visits) -> list[Route]:
        """Return those routes that are not in the pool."""
        found: dict[Route, None] = {}
        starts = np.flatnonzero(np.diff(visits[:, 0], prepend=-1))
        for part in np.split(visits[:, 1:], starts[1:]) if len(visits) else []:
            route: Route = tuple((int(node), int(quantity)) for node, quantity in part)
            route = min(route, route[::-1])
            if route not in self._known:
                found[route] = None
        return list(found)

    def add(self, routes: list[Route]) -> None:
        """Append routes that are not in the pool."""
        visits, arcs = arrays_of(routes)
        first = np.array([len(self), 0, 0])
        self.visits = np.concatenate([self.visits, visits + first])
        self.arcs = np.concatenate([self.arcs, arcs + first])
        self._routes += routes
        self._known.update(routes)

    def keep(self, is_kept: Bools) -> None:
        """Remove the other routes."""
        numbers = np.cumsum(is_kept) - 1
        kept = [route for route, keep in zip(self._routes, is_kept, strict=True) if keep]
        self._known -= set(self._routes) - set(kept)
        self._routes = kept
        self.visits = _renumbered(self.visits, is_kept, numbers)
        self.arcs = _renumbered(self.arcs, is_kept, numbers)

    def flow(self, uses: Floats) -> Floats:
        """Return how often each edge is used, as a symmetric table, for the uses of each route."""
        n = self._network.size
        flow = np.zeros((n, n))
        np.add.at(flow, (self.arcs[:, 1], self.arcs[:, 2]), uses[self.arcs[:, 0]])
        return flow + flow.T


def arrays_of(routes: list[Route]) -> tuple[Integers, Integers]:
    """Return the visits (route, node and quantity) and the arcs (route, tail and head)."""
    visits = [(r, node, q) for r, route in enumerate(routes) for node, q in route]
    arcs = []
    for r, route in enumerate(routes):
        nodes = [0, *(node for node, _ in route), 0]
        arcs += [(r, nodes[k], nodes[k + 1]) for k in range(len(nodes) - 1)]
    return np.array(visits, dtype=np.int64), np.array(arcs, dtype=np.int64)


def crossings(sets: Sets, arcs: Integers, routes: int) -> Floats:
    """Return how often each route, a column, enters each set, a row."""
    enters = (~sets[:, arcs[:, 1]] & sets[:, arcs[:, 2]]).astype(float)
    counts = np.zeros((routes, len(sets)))
    if len(arcs):
        first = np.flatnonzero(np.diff(arcs[:, 0], prepend=-1))
        counts[arcs[first, 0]] = np.add.reduceat(enters, first, axis=1).T
    return np.ascontiguousarray(counts.T)


def uses_of_edges(edges: Integers, arcs: Integers, routes: int) -> Floats:
    """Return how often each route, a column, uses each edge, a row."""
    a, b = arcs[:, 1], arcs[:, 2]
    uses = np.zeros((len(edges), routes))
    for row, (i, j) in enumerate(edges.tolist()):
        np.add.at(uses[row], arcs[((a == i) & (b == j)) | ((a == j) & (b == i)), 0], 1.0)
    return uses


def _renumbered(lines: Integers, is_kept: Bools, numbers: Integers) -> Integers:
    lines = lines[is_kept[lines[:, 0]]]
    return np.column_stack([numbers[lines[:, 0]], lines[:, 1:]])
