"""Decomposes an integer flow into routes that can serve all demands, or proves that there are none.

Customers visited once form chains between the others, so only customers visited several times leave
a choice of how to continue. Depth-first search tries all of them and prunes overloaded vehicles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from splitroute.allocation import allocate
from splitroute.bounds.network import Network
from splitroute.distances import Floats

Walks = list[list[int]]  # the nodes of each route, without the depot
MAX_STEPS = 200_000  # of the depth-first search
MAX_CHAINS = 200  # of a flow that is decomposed


class UndecidedError(Exception):
    """A limit was reached before all decompositions were tried."""


@dataclass(frozen=True)
class Chain:
    """Customers visited once between two nodes that are not, and their total demand."""

    start: int
    nodes: tuple[int, ...]
    end: int
    load: int

    def reversed(self) -> Chain:
        """Return the chain in the other direction."""
        return Chain(self.end, self.nodes[::-1], self.start, self.load)


def chains_of(network: Network, flow: Floats) -> dict[int, list[Chain]]:
    """Return the chains from each node that is the depot or visited several times."""
    uses = np.rint(flow).astype(int)
    visits = uses.sum(axis=1) // 2
    ends = [0, *(v for v in range(1, network.size) if visits[v] > 1)]
    neighbours = [np.flatnonzero(row).tolist() for row in uses]
    chains: dict[int, list[Chain]] = {v: [] for v in ends}
    for v in ends:
        for first in neighbours[v]:
            for _ in range(int(uses[v, first])):
                nodes: list[int] = []
                before, at = v, first
                while at and visits[at] == 1:
                    nodes.append(at)
                    onward = [j for j in neighbours[at] if j != before]
                    # Back along the same edge, which only one of the depot can be.
                    before, at = at, onward[0] if onward else before
                load = int(network.demands[nodes].sum()) if nodes else 0
                chains[v].append(Chain(v, tuple(nodes), at, load))
    return chains


def walks_of(
    network: Network, flow: Floats, is_over: Callable[[], bool] = lambda: False
) -> Walks | None:
    """Return routes that use each edge as often as the flow, or None if there are none.

    Raises UndecidedError if there are too many possibilities or no time is left.
    """
    chains = chains_of(network, flow)
    if sum(len(c.nodes) for v in chains.values() for c in v) // 2 + len(chains) - 1 != int(
        (flow.sum(axis=1)[1:] > 0).sum()
    ):
        return None  # a subtour without the depot
    count = sum(map(len, chains.values())) // 2
    if count > MAX_CHAINS:
        raise UndecidedError
    demands = dict(enumerate(network.demands.tolist()))
    for walks in _Decomposition(network.capacity, chains, is_over).all():
        if allocate(network.capacity, demands, walks) is not None:
            return walks
    return None


class _Decomposition:
    """All ways to join chains to routes."""

    def __init__(
        self, capacity: int, chains: dict[int, list[Chain]], is_over: Callable[[], bool]
    ) -> None:
        self._capacity, self._is_over = capacity, is_over
        # Uses left of each chain, by either end; a chain and its reverse are one.
        self._uses_left: dict[int, dict[Chain, int]] = {v: {} for v in chains}
        for v, leaving in chains.items():
            for chain in leaving:
                self._uses_left[v][chain] = self._uses_left[v].get(chain, 0) + 1
        self._total = sum(map(len, chains.values())) // 2
        self._walks: Walks = []
        self._steps = 0

    def all(self) -> Iterator[Walks]:
        yield from self._extend(0, 0)

    def _extend(self, at: int, load: int) -> Iterator[Walks]:
        self._steps += 1
        if self._steps > MAX_STEPS or (self._steps % 1024 == 0 and self._is_over()):
            raise UndecidedError
        if self._total == 0:
            if at == 0:
                yield [list(walk) for walk in self._walks]
            return
        # Routes are not ordered, so at the depot any unused chain may come next.
        choices = [chain for chain, uses in self._uses_left[at].items() if uses]
        for chain in choices[:1] if at == 0 else choices:
            new_load = chain.load + (0 if at == 0 else load)
            if new_load > self._capacity:
                continue
            if at == 0:
                self._walks.append([])
            walk = self._walks[-1]
            length = len(walk)
            walk += [*chain.nodes, *([chain.end] if chain.end else [])]
            self._add_uses(chain, -1)
            yield from self._extend(chain.end, new_load)
            self._add_uses(chain, 1)
            del walk[length:]
            if at == 0:
                self._walks.pop()

    def _add_uses(self, chain: Chain, by: int) -> None:
        self._total += by
        self._uses_left[chain.start][chain] += by
        back = chain.reversed()
        self._uses_left[chain.end][back] += by
