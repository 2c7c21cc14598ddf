"""Finds chains that no vehicle can leave, which prove that an integer flow is no set of routes.

A vehicle that enters a chain of customers visited once serves all of them. At a customer visited
several times it continues along one of the other chains there. If none of them fits on the vehicle,
neither this flow nor any other with these edges and as few visits is a set of routes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from splitroute.bounds.network import Network
from splitroute.bounds.walks import Chain, chains_of
from splitroute.distances import Floats

Edge = tuple[int, int]


@dataclass(frozen=True)
class Conflict:
    """Edges that cannot all be used with no more visits to these nodes than now.

    They include all edges of a node visited several times: its continuations are known.
    """

    edges: frozenset[Edge]
    visits: dict[int, int]


def find_conflicts(network: Network, flow: Floats) -> list[Conflict]:
    """Return conflicts of an integer flow; not necessarily all."""
    chains = chains_of(network, flow)
    conflicts: dict[frozenset[Edge], Conflict] = {}
    for v, leaving in chains.items():
        for k, first in enumerate(leaving if v else []):
            others = leaving[:k] + leaving[k + 1 :]
            continuations: list[Chain] = []
            if first.end not in (0, v):
                continuations = list(chains[first.end])
                continuations.remove(first.reversed())
            for far in ([], continuations):
                conflict = _conflict(network, first, others, far, flow)
                if conflict is not None:
                    conflicts[conflict.edges] = conflict
                    break
    return list(conflicts.values())


def _conflict(
    network: Network, first: Chain, others: list[Chain], far: list[Chain], flow: Floats
) -> Conflict | None:
    """Return a conflict if none of the others fits with the first chain and one at its far end."""
    min_far_load = min((chain.load for chain in far), default=0)
    room = network.capacity - first.load - min_far_load
    if room < 0 or (far and min_far_load == 0) or any(chain.load <= room for chain in others):
        return None
    path = [first.start, *first.nodes, *([first.end] if far else [])]
    if len(path) == 1:
        return None
    edges = {_edge(a, b) for a, b in pairwise(path)}
    nodes = set(path)
    for chain in others:
        edges |= _overloading_prefix(network, chain, room, nodes)
    for chain in far:
        edges |= _overloading_prefix(network, chain, min_far_load - 1, nodes)
    return Conflict(frozenset(edges), {node: round(flow[node].sum() / 2) for node in nodes})


def _overloading_prefix(network: Network, chain: Chain, room: int, nodes: set[int]) -> set[Edge]:
    """Return the edges up to where the load exceeds the room, and add their ends to the nodes."""
    edges = set()
    at, load = chain.start, 0
    for node in chain.nodes:
        edges.add(_edge(at, node))
        nodes.add(node)
        at = node
        load += int(network.demands[node])
        if load > room:
            break
    return edges


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)
