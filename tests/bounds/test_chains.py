"""Conflicts exclude flows that are no routes, and never a valid solution."""

from itertools import pairwise

import numpy as np

import splitroute as sr
from oracle import tiny_instance
from splitroute.bounds.chains import find_conflicts
from splitroute.bounds.exact import flow_of
from splitroute.bounds.network import Network
from splitroute.bounds.walks import walks_of


def test_chains_that_do_not_fit_together_conflict() -> None:
    """Customer 4 is visited twice, and no two of the four chains there fit on a vehicle."""
    places = [(0, 0), (1, 2), (2, 2), (1, -2), (2, 0), (2, -2)]
    instance = sr.Instance.create(10, [6, 7, 8, 2, 9], places)
    network = Network.of(instance)
    flow = np.zeros((6, 6))
    for a, b in [(0, 1), (1, 4), (4, 3), (3, 0), (0, 2), (2, 4), (4, 5), (5, 0)]:
        flow[a, b] += 1
        flow[b, a] += 1
    assert walks_of(network, flow) is None
    conflicts = find_conflicts(network, flow)
    assert conflicts
    for conflict in conflicts:
        assert conflict.edges <= {(1, 4), (3, 4), (2, 4), (4, 5)}
        assert conflict.visits[4] == 2


def test_routes_have_no_conflicts() -> None:
    for seed in range(0, 80, 2):
        instance = tiny_instance(seed)
        network = Network.of(instance)
        solution = sr.solve(instance, stop=sr.Stop(iterations=300)).solution
        node_of = {int(c): k for k, c in enumerate(network.customers)}
        flow = np.zeros((network.size, network.size))
        for route in solution.routes:
            nodes = [0, *(node_of[v.customer] for v in route.visits), 0]
            for a, b in pairwise(nodes):
                flow[a, b] += 1
                flow[b, a] += 1
        assert walks_of(network, flow) is not None
        assert find_conflicts(network, flow) == []


def test_no_conflict_excludes_a_valid_solution() -> None:
    """Four chains meet at customer 1."""
    conflicts = 0
    for seed in range(80):
        random = np.random.default_rng(seed)
        count = int(random.integers(5, 9))
        demands = random.integers(2, 9, count).tolist()
        places = random.uniform(0, 99, (count + 1, 2)).tolist()
        instance = sr.Instance.create(10, demands, places)
        network = Network.of(instance)
        valid = [
            flow_of(network, [[v.customer for v in route.visits] for route in found.routes])
            for k in range(6)
            if (found := sr.solve(instance, stop=sr.Stop(iterations=4), seed=k).solution)
        ]
        for _ in range(6):
            others = (random.permutation(count - 1) + 2).tolist()
            cuts = sorted(random.choice(np.arange(1, count - 1), 3, replace=False).tolist())
            a, b, c, d = (others[i:j] for i, j in pairwise([0, *cuts, count - 1]))
            for conflict in find_conflicts(network, flow_of(network, [[*a, 1, *b], [*c, 1, *d]])):
                conflicts += 1
                for flow in valid:
                    slack = sum(1 - flow[edge] for edge in conflict.edges)
                    slack += sum(flow[v].sum() / 2 - k for v, k in conflict.visits.items())
                    assert slack >= 1
    assert conflicts > 50
