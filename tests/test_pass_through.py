"""Pass-through with every rule and engine."""

from dataclasses import replace

import numpy as np
import pytest

import splitroute as sr
from splitroute import Stop
from splitroute.distances import shortest_paths
from splitroute.generate import random_instance
from splitroute.instance import Place
from splitroute.pass_through import MAX_PLACES, with_shortest_paths
from splitroute.solution import cost


def on_a_line(*xs: float, demands: list[int], capacity: int = 10) -> sr.Instance:
    places = [(0.0, 0.0), *((x, 0.0) for x in xs)]
    instance = sr.Instance.create(capacity, demands, places, metric="dimacs")
    return replace(instance, pass_through=True)


def test_shortest_paths_satisfy_the_triangle_inequality_and_exist() -> None:
    table = np.random.default_rng(1).uniform(1, 100, (25, 25))
    np.fill_diagonal(table, 0)
    short, via = shortest_paths(table)
    for i in range(25):
        for j in range(25):
            assert all(short[i, j] <= short[i, k] + short[k, j] + 1e-9 for k in range(25))
            k = via[i, j]
            expected = table[i, j] if k < 0 else short[i, k] + short[k, j]
            assert short[i, j] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rule", "engine"), [("free", "native"), ("pasa", "native"), ("pasa", "rtr")]
)
def test_every_rule_uses_pass_through(rule: str, engine: str) -> None:
    # 1.4 rounds to 1 and 2.8 to 3: through the first customer, the second is 2 away.
    instance = on_a_line(1.4, 2.8, demands=[10, 10])
    result = sr.solve(instance, rule=rule, engine=engine, stop=Stop(seconds=1, iterations=300))
    assert result.cost == 2 + 4
    assert sr.validate(instance, result.solution) == []


def test_a_path_through_the_depot_takes_two_vehicles() -> None:
    # From one customer to the other is 2 through the depot, and 3 directly.
    instance = on_a_line(1.4, -1.4, demands=[5, 5])
    closure, restore = with_shortest_paths(instance)
    one_route = sr.Solution((sr.Route((sr.Visit(1, 5), sr.Visit(2, 5))),))
    assert cost(closure, one_route) == 4
    assert cost(instance, restore(one_route)) == 4
    assert len(restore(one_route).routes) == 2
    assert sr.validate(instance, restore(one_route)) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_restored_solution_has_the_cost_that_was_searched(seed: int) -> None:
    instance = replace(random_instance(40, seed=seed), metric="dimacs", pass_through=True)
    closure, restore = with_shortest_paths(instance)
    found = sr.solve(closure, stop=Stop(iterations=300)).solution
    assert cost(instance, restore(found)) == cost(closure, found)
    assert sr.validate(instance, restore(found)) == []


def test_a_start_may_pass_through() -> None:
    instance = on_a_line(1.4, 2.8, demands=[10, 10])
    best = sr.solve(instance, stop=Stop(iterations=300))
    again = sr.solve(instance, start=best.solution, stop=Stop(iterations=10))
    assert again.cost == best.cost


def test_too_many_places() -> None:
    instance = replace(random_instance(MAX_PLACES + 5, seed=1), pass_through=True)
    with pytest.raises(sr.LimitError, match="pass_through is limited to 1500 places"):
        sr.solve(instance, stop=Stop(iterations=1))


def test_paths_avoid_places_without_a_customer() -> None:
    places = tuple(Place(1.4 * k, 0) for k in range(4))  # 0, 1.4, 2.8 and 4.2: 1, 3 and 4 away
    customers = (sr.Customer("a", 5, 2), sr.Customer("b", 5, 3))
    instance = sr.Instance("line", 10, customers, places, "dimacs", pass_through=True)
    result = sr.solve(instance, stop=Stop(iterations=50))
    assert result.cost == 8
