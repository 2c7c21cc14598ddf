"""Takes a whole-numbered flow apart into walks from the depot that can carry all demands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from splitroute.bounds.network import Network
from splitroute.distances import Floats
from splitroute.quantities import quantities

Walks = list[list[int]]  # the nodes of each route, without the depot
MOST_TRIED = 20_000


def walks_of(network: Network, flow: Floats) -> Walks | None:
    """Walks that use each edge as often as the flow says and can carry the demands, if found."""
    uses = np.rint(np.triu(flow)).astype(int)
    left: list[dict[int, int]] = [{} for _ in range(network.size)]
    for i, j in np.argwhere(uses):
        left[i][j] = left[j][i] = int(uses[i, j])
    demands = dict(enumerate(network.demands.tolist()))
    for count, walks in enumerate(_decompositions(left)):
        if quantities(network.capacity, demands, walks) is not None:
            return walks
        if count == MOST_TRIED:
            break
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
