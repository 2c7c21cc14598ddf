"""Integer programs over a few routes: valid, cheaper, and optimal on small instances."""

import numpy as np
import pytest

import splitroute as sr
from oracle import optimum
from splitroute.engines._recombination import RoutePool, groups, recombine
from splitroute.engines._redistribution import redistribute
from splitroute.solution import cost


def tiny_instance(seed: int) -> sr.Instance:
    random = np.random.default_rng(seed)
    count = int(random.integers(3, 7))
    demands = random.integers(3, 15, count).tolist()
    places = random.integers(0, 60, (count + 1, 2)).astype(float).tolist()
    return sr.Instance.create(10, demands, places)


def single_customer_routes(instance: sr.Instance) -> sr.Solution:
    """Serve every customer by vehicles of its own."""
    return sr.Solution(
        tuple(
            sr.Route((sr.Visit(k, min(10, customer.demand - at)),))
            for k, customer in enumerate(instance.customers, 1)
            for at in range(0, customer.demand, 10)
        )
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_best_selection_of_routes_is_found(seed: int) -> None:
    instance = tiny_instance(seed)
    best = sr.solve(instance, stop=sr.Stop(iterations=3000)).solution
    start = single_customer_routes(instance)
    pool = RoutePool(instance)
    pool.add(start)
    pool.add(best)
    everything = list(range(len(start.routes)))
    found = recombine(instance, start, everything, pool, None)
    assert found is not None
    assert not sr.validate(instance, found)
    assert cost(instance, found) == pytest.approx(optimum(instance))
    assert recombine(instance, found, list(range(len(found.routes))), pool, None) is None


@pytest.mark.parametrize("seed", range(12))
def test_redistribution_is_valid_and_cheaper(seed: int) -> None:
    instance = tiny_instance(seed)
    solution = single_customer_routes(instance)
    before = cost(instance, solution)
    for _ in range(20):
        found = redistribute(instance, solution, list(range(len(solution.routes))), None)
        if found is None:
            break
        assert not sr.validate(instance, found)
        assert cost(instance, found) < cost(instance, solution)
        solution = found
    assert cost(instance, solution) < before


def test_routes_outside_the_group_stay() -> None:
    """Even if they serve the same customers."""
    better = 0
    for seed in range(12):
        instance = tiny_instance(seed)
        solution = single_customer_routes(instance)
        pool = RoutePool(instance)
        pool.add(solution)
        pool.add(sr.solve(instance, stop=sr.Stop(iterations=2000)).solution)
        for other in range(1, len(solution.routes)):
            for found in (
                recombine(instance, solution, [0, other], pool, None),
                redistribute(instance, solution, [0, other], None),
            ):
                if found is not None:
                    better += 1
                    assert not sr.validate(instance, found)
                    assert cost(instance, found) < cost(instance, solution)
                    untouched = set(solution.routes) - {solution.routes[0], solution.routes[other]}
                    assert untouched <= set(found.routes)
    assert better > 10


def test_groups_are_neighbouring_routes() -> None:
    places = [(0.0, 0.0), *((100.0 * (k // 5), 10.0 + k % 5) for k in range(20))]
    instance = sr.Instance.create(10, [10] * 20, places)
    solution = sr.Solution(tuple(sr.Route((sr.Visit(k, 10),)) for k in range(1, 21)))
    for group in groups(instance, solution, np.random.default_rng(1)):
        assert {(k // 5) for k in group[:5]} == {group[0] // 5}
    matrix = sr.Instance.create(10, [10] * 20, matrix=instance.table)
    first = next(groups(matrix, solution, np.random.default_rng(1)))
    assert {(k // 5) for k in first[:5]} == {first[0] // 5}


def test_the_pool_holds_the_cheapest_orders_of_the_newest_routes() -> None:
    instance = sr.Instance.create(10, [1, 1, 1], [(0, 0), (1, 0), (2, 0), (3, 0)])
    pool = RoutePool(instance, max_routes=2)
    for order in ([2, 1, 3], [1, 2, 3], [1], [2]):
        pool.add(sr.Solution((sr.Route(tuple(sr.Visit(c, 1) for c in order)),)))
    assert [order for _, order in pool.routes_within(frozenset([1, 2, 3]))] == [(2,), (1,)]
    pool = RoutePool(instance)
    for order in ([2, 1, 3], [1, 2, 3]):
        pool.add(sr.Solution((sr.Route(tuple(sr.Visit(c, 1) for c in order)),)))
    assert pool.routes_within(frozenset([1, 2, 3])) == [(6.0, (1, 2, 3))]
