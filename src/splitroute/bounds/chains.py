"""Why a whole-numbered flow is not made of routes: chains that no vehicle can drive on from.

Whoever enters a chain of customers that are visited once brings all that they want. Where it ends
at a customer visited several times, the vehicle goes on along one of the other chains there. If it
could carry none of them, the flow is not made of routes, nor is any other with these edges and as
few visits.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from splitroute.bounds.network import Network
from splitroute.bounds.walks import Chain, chains_of
from splitroute.distances import Floats

Edge = tuple[int, int]


@dataclass(frozen=True)
class Blocked:
    """Edges that cannot all be used with no more visits to these nodes than they have now.

    Of a node visited several times all edges are among them, so how its visitors go on is known.
    """

    edges: frozenset[Edge]
    visits: dict[int, int]


def blocked_chains(network: Network, flow: Floats) -> list[Blocked]:
    """The reasons found; there may be others."""
    chains = chains_of(network, flow)
    found: dict[frozenset[Edge], Blocked] = {}
    for v, leaving in chains.items():
        for k, first in enumerate(leaving if v else []):
            others = leaving[:k] + leaving[k + 1 :]
            onward: list[Chain] = []
            if first.end not in (0, v):
                onward = list(chains[first.end])
                onward.remove(first.reversed())
            for far in ([], onward):
                reason = _reason(network, first, others, far, flow)
                if reason is not None:
                    found[reason.edges] = reason
                    break
    return list(found.values())


def _reason(
    network: Network, first: Chain, others: list[Chain], far: list[Chain], flow: Floats
) -> Blocked | None:
    """Whoever drives the first chain can take none of the others, for what is at its far end."""
    least = min((chain.load for chain in far), default=0)
    room = network.capacity - first.load - least
    if room < 0 or (far and least == 0) or any(chain.load <= room for chain in others):
        return None
    path = [first.start, *first.nodes, *([first.end] if far else [])]
    if len(path) == 1:
        return None
    edges = {_edge(a, b) for a, b in pairwise(path)}
    nodes = set(path)
    for chain in others:
        edges |= _beginning(network, chain, room, nodes)
    for chain in far:
        edges |= _beginning(network, chain, least - 1, nodes)
    return Blocked(frozenset(edges), {node: round(flow[node].sum() / 2) for node in nodes})


def _beginning(network: Network, chain: Chain, load: int, nodes: set[int]) -> set[Edge]:
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
