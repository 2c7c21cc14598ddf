"""Quantities for routes whose stops are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise


def quantities(
    capacity: int, demands: Mapping[int, int], routes: Sequence[Sequence[int]]
) -> list[dict[int, int]] | None:
    """What each route delivers at each of its stops, if the demands can be met.

    Augmenting paths: what does not fit on a route goes onto another that also passes, or makes room
    there by moving something else on, and so forth.
    """
    loads = [0] * len(routes)
    carried: list[dict[int, int]] = [dict.fromkeys(stops, 0) for stops in routes]
    passing: dict[int, list[int]] = {}
    for k, nodes in enumerate(carried):
        for node in nodes:
            passing.setdefault(node, []).append(k)
    for node, demand in demands.items():
        missing = demand
        while missing:
            path = _way_to_room(node, passing, carried, loads, capacity)
            if path is None:
                return None
            amount = min(missing, capacity - loads[path[-1][1]])
            for (_, route), (moved, _) in pairwise(path):
                amount = min(amount, carried[route][moved])
            for step, (at, route) in enumerate(path):
                carried[route][at] += amount
                if step + 1 < len(path):
                    carried[route][path[step + 1][0]] -= amount
            loads[path[-1][1]] += amount
            missing -= amount
    return carried


def _way_to_room(
    node: int,
    passing: dict[int, list[int]],
    carried: list[dict[int, int]],
    loads: list[int],
    capacity: int,
) -> list[tuple[int, int]] | None:
    """(node, route) pairs: put it there, move the next node's goods on, until one has room."""
    came: dict[int, tuple[int, int | None]] = {}
    queue = []
    for route in passing.get(node, []):
        came[route] = (node, None)
        queue.append(route)
    for route in queue:
        if loads[route] < capacity:
            path = []
            at: int | None = route
            while at is not None:
                moved, before = came[at]
                path.append((moved, at))
                at = before
            return path[::-1]
        for moved, amount in carried[route].items():
            if amount:
                for other in passing[moved]:
                    if other not in came:
                        came[other] = (moved, route)
                        queue.append(other)
    return None
