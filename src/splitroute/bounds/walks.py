"""Takes a whole-numbered flow apart into walks from the depot that can carry all demands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from splitroute.bounds.network import Network
from splitroute.distances import Floats

Walks = list[list[int]]  # the nodes of each route, without the depot
MOST_TRIED = 20_000


def walks_of(network: Network, flow: Floats) -> Walks | None:
    """Walks that use each edge as often as the flow says and can carry the demands, if found."""
    uses = np.rint(np.triu(flow)).astype(int)
    left: list[dict[int, int]] = [{} for _ in range(network.size)]
    for i, j in np.argwhere(uses):
        left[i][j] = left[j][i] = int(uses[i, j])
    for count, walks in enumerate(_decompositions(left)):
        if quantities(network, walks) is not None:
            return walks
        if count == MOST_TRIED:
            break
    return None


def quantities(network: Network, walks: Walks) -> list[dict[int, int]] | None:
    """What each route delivers to each of its nodes, if the demands can be met.

    Augmenting paths: what does not fit on a route goes onto another that also passes, or makes room
    there by moving something else on, and so forth.
    """
    loads = [0] * len(walks)
    carried: list[dict[int, int]] = [dict.fromkeys(walk, 0) for walk in walks]
    passing: dict[int, list[int]] = {}
    for k, nodes in enumerate(carried):
        for node in nodes:
            passing.setdefault(node, []).append(k)
    for node in range(1, network.size):
        missing = int(network.demands[node])
        while missing:
            path = _way_to_room(node, passing, carried, loads, network.capacity)
            if path is None:
                return None
            amount = min(missing, network.capacity - loads[path[-1][1]])
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


def _decompositions(left: list[dict[int, int]]) -> Iterator[Walks]:
    """All ways to walk along all edges, starting and ending at the depot again and again."""
    walks: Walks = []

    def use(i: int, j: int, by: int) -> None:
        left[i][j] = left[i].get(j, 0) + by
        left[j][i] = left[i][j]

    def walk(at: int) -> Iterator[Walks]:
        if at == 0:
            following = next((j for j, times in sorted(left[0].items()) if times), None)
            if following is None:
                if not any(times for nodes in left for times in nodes.values()):
                    yield [list(route) for route in walks]
                return
            walks.append([following])
            use(0, following, -1)
            yield from walk(following)
            use(0, following, 1)
            walks.pop()
            return
        for following in [j for j, times in left[at].items() if times]:
            use(at, following, -1)
            if following:
                walks[-1].append(following)
            yield from walk(following)
            if following:
                walks[-1].pop()
            use(at, following, 1)

    yield from walk(0)
