"""Integer flows are decomposed into routes, or proven to be none."""

import numpy as np

import splitroute as sr
from splitroute.bounds.exact import flow_of
from splitroute.bounds.network import Network
from splitroute.bounds.walks import walks_of


def test_a_flow_is_decomposed_into_walks() -> None:
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 0), (2, 0), (3, 0)])
    network = Network.of(instance)
    flow = np.zeros((4, 4))
    for a, b in [(0, 1), (1, 2), (2, 0), (0, 2), (2, 3), (3, 0)]:
        flow[a, b] += 1
        flow[b, a] += 1
    walks = walks_of(network, flow)
    assert walks is not None
    assert sorted(sorted(set(w)) for w in walks) == [[1, 2], [2, 3]]
    island = flow.copy()
    island[0] = island[:, 0] = 0.0
    assert walks_of(network, island) is None


def test_the_flow_of_a_valid_solution_is_always_decomposed() -> None:
    """With full vehicles and many splits there are many decompositions to try."""
    for seed in range(30):
        random = np.random.default_rng(seed)
        count = 8
        demands = random.integers(6, 10, count)
        demands[0] += -int(demands.sum()) % 10  # every vehicle is full
        places = random.uniform(0, 99, (count + 1, 2)).tolist()
        instance = sr.Instance.create(10, demands.tolist(), places)
        network = Network.of(instance)
        solution = sr.solve(instance, stop=sr.Stop(iterations=500), seed=seed).solution
        flow = flow_of(network, [[v.customer for v in r.visits] for r in solution.routes])
        walks = walks_of(network, flow)
        assert walks is not None
        assert np.array_equal(flow_of(network, walks), flow)
