"""Why a whole-numbered flow is not made of routes: chains that no vehicle can drive on from.

Between customers that are visited more than once, those visited once form chains, and whoever
enters a chain brings all that its customers want. Where a chain ends at a customer visited several
times, the vehicle goes on along one of the other chains there. If it could carry none of them, the
flow is not made of routes, nor is any other with these edges and as few visits.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from splitroute.bounds.network import Network
from splitroute.distances import Floats

Edge = tuple[int, int]


@dataclass(frozen=True)
class Blocked:
    """Edges that cannot all be used with no more visits to these nodes than they have now."""

    edges: frozenset[Edge]
    visits: dict[int, int]


@dataclass(frozen=True)
class _Chain:
    """Customers visited once, from a node on, and where it ends: at the depot or another node."""

    start: int
    nodes: tuple[int, ...]
    end: int
    load: int


def blocked_chains(network: Network, flow: Floats) -> list[Blocked]:
    """The reasons found; there may be others."""
    uses = np.rint(flow).astype(int)
    visits = uses.sum(axis=1) // 2
    meeting = [v for v in range(1, network.size) if visits[v] > 1]
    chains = {v: _chains_from(network, uses, visits, v) for v in meeting}
    found: dict[frozenset[Edge], Blocked] = {}
    for v in meeting:
        for k, first in enumerate(chains[v]):
            others = chains[v][:k] + chains[v][k + 1 :]
            room = network.capacity - first.load
            if first.end in chains and first.end != v:
                onward = list(chains[first.end])
                onward.remove(_reversed(first))
            else:
                onward = []
            for far_side in ([], onward) if onward else ([],):
                least = min((chain.load for chain in far_side), default=0)
                if not others or min(chain.load for chain in others) <= room - least:
                    continue
                reason = _reason(network, first, others, far_side, room, visits)
                found[reason.edges] = reason
                break
    return list(found.values())


def _chains_from(network: Network, uses: Floats, visits: Floats, v: int) -> list[_Chain]:
    chains = []
    for first in np.flatnonzero(uses[v]).tolist():
        for _ in range(int(uses[v, first])):
            nodes: list[int] = []
            before, at = v, first
            while at and visits[at] == 1:
                nodes.append(at)
                onward = [j for j in np.flatnonzero(uses[at]).tolist() if j != before]
                # There and back along the same edge, which only the depot's can be.
                before, at = at, onward[0] if onward else before
            load = int(network.demands[nodes].sum()) if nodes else 0
            chains.append(_Chain(v, tuple(nodes), at, load))
    return chains


def _reversed(chain: _Chain) -> _Chain:
    return _Chain(chain.end, chain.nodes[::-1], chain.start, chain.load)


def _reason(
    network: Network,
    first: _Chain,
    others: list[_Chain],
    far_side: list[_Chain],
    room: int,
    visits: Floats,
) -> Blocked:
    """As few edges as it takes: of the other chains only the beginnings that are too much."""
    path = [first.start, *first.nodes]
    if far_side:
        path.append(first.end)
    edges = {_edge(a, b) for a, b in pairwise(path)}
    nodes = set(path)
    least = min((chain.load for chain in far_side), default=0)
    for chain in others:
        edges |= _beginning(network, chain, room - least, nodes)
    for chain in far_side:
        edges |= _beginning(network, chain, least - 1, nodes)
    return Blocked(frozenset(edges), {node: int(visits[node]) for node in nodes})


def _beginning(network: Network, chain: _Chain, load: int, nodes: set[int]) -> set[Edge]:
    """The edges up to where more than the load is on board; their ends are added to the nodes."""
    edges = set()
    at, carried = chain.start, 0
    for node in chain.nodes:
        edges.add(_edge(at, node))
        nodes.add(node)
        at = node
        carried += int(network.demands[node])
        if carried > load:
            break
    return edges


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)
