"""Takes a whole-numbered flow apart into routes that can carry all demands, or proves it cannot be.

Customers visited once form chains between the others, so only at those visited several times is
there a choice of how to go on. All ways are tried; one ends where a vehicle would have to carry
more than it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from splitroute.allocation import quantities
from splitroute.bounds.network import Network
from splitroute.distances import Floats

Walks = list[list[int]]  # the nodes of each route, without the depot
MOST_STEPS = 200_000
MOST_CHAINS = 200  # of a flow that is looked at


class UndecidedError(Exception):
    """There are too many ways to try them all."""


@dataclass(frozen=True)
class Chain:
    """Customers visited once, from one node to another that is not, and what they want in all."""

    start: int
    nodes: tuple[int, ...]
    end: int
    load: int

    def reversed(self) -> Chain:
        """The same from the other end."""
        return Chain(self.end, self.nodes[::-1], self.start, self.load)


def chains_of(network: Network, flow: Floats) -> dict[int, list[Chain]]:
    """The chains that leave each node which is the depot or visited several times."""
    uses = np.rint(flow).astype(int)
    visits = uses.sum(axis=1) // 2
    ends = [0, *(v for v in range(1, network.size) if visits[v] > 1)]
    near = [np.flatnonzero(row).tolist() for row in uses]
    found: dict[int, list[Chain]] = {v: [] for v in ends}
    for v in ends:
        for first in near[v]:
            for _ in range(int(uses[v, first])):
                nodes: list[int] = []
                before, at = v, first
                while at and visits[at] == 1:
                    nodes.append(at)
                    onward = [j for j in near[at] if j != before]
                    # There and back along the same edge, which only the depot's can be.
                    before, at = at, onward[0] if onward else before
                load = int(network.demands[nodes].sum()) if nodes else 0
                found[v].append(Chain(v, tuple(nodes), at, load))
    return found


def walks_of(
    network: Network, flow: Floats, over: Callable[[], bool] = lambda: False
) -> Walks | None:
    """Routes that use each edge as often as the flow says; None if there are none.

    Raises UndecidedError if there are too many ways, or time is over.
    """
    chains = chains_of(network, flow)
    if sum(len(c.nodes) for v in chains.values() for c in v) // 2 + len(chains) - 1 != int(
        (flow.sum(axis=1)[1:] > 0).sum()
    ):
        return None  # some customers are on a ring of their own
    count = sum(map(len, chains.values())) // 2
    if count > MOST_CHAINS:
        raise UndecidedError
    demands = dict(enumerate(network.demands.tolist()))
    for walks in _Ways(network.capacity, chains, over).all():
        if quantities(network.capacity, demands, walks) is not None:
            return walks
    return None


class _Ways:
    """All ways to put chains together to routes, one after the other."""

    def __init__(
        self, capacity: int, chains: dict[int, list[Chain]], over: Callable[[], bool]
    ) -> None:
        self._capacity, self._over = capacity, over
        # How often each chain is left, seen from either end; a chain and its reverse are one.
        self._left: dict[int, dict[Chain, int]] = {v: {} for v in chains}
        for v, leaving in chains.items():
            for chain in leaving:
                self._left[v][chain] = self._left[v].get(chain, 0) + 1
        self._total = sum(map(len, chains.values())) // 2
        self._walks: Walks = []
        self._steps = 0

    def all(self) -> Iterator[Walks]:
        yield from self._go_on(0, 0)

    def _go_on(self, at: int, load: int) -> Iterator[Walks]:
        self._steps += 1
        if self._steps > MOST_STEPS or (self._steps % 1024 == 0 and self._over()):
            raise UndecidedError
        if self._total == 0:
            if at == 0:
                yield [list(walk) for walk in self._walks]
            return
        # At the depot any chain may come next, so the first that is left does.
        choices = [chain for chain, times in self._left[at].items() if times]
        for chain in choices[:1] if at == 0 else choices:
            carried = chain.load + (0 if at == 0 else load)
            if carried > self._capacity:
                continue
            if at == 0:
                self._walks.append([])
            walk = self._walks[-1]
            length = len(walk)
            walk += [*chain.nodes, *([chain.end] if chain.end else [])]
            self._take(chain, -1)
            yield from self._go_on(chain.end, carried)
            self._take(chain, 1)
            del walk[length:]
            if at == 0:
                self._walks.pop()

    def _take(self, chain: Chain, by: int) -> None:
        self._total += by
        self._left[chain.start][chain] += by
        back = chain.reversed()
        self._left[chain.end][back] += by
