"""Driving through customers, whatever rule and engine."""

from dataclasses import replace

import numpy as np
import pytest

import splitroute as sr
from splitroute import Stop
from splitroute.distances import shortest_ways
from splitroute.generate import random_instance
from splitroute.instance import Place
from splitroute.pass_through import MAX_PLACES, with_shortest_paths
from splitroute.solution import cost


def on_a_line(*xs: float, demands: list[int], capacity: int = 10) -> sr.Instance:
    places = [(0.0, 0.0), *((x, 0.0) for x in xs)]
    instance = sr.Instance.create(capacity, demands, places, metric="dimacs")
    return replace(instance, pass_through=True)


def test_shortest_ways_obey_the_triangle_inequality_and_can_be_driven() -> None:
    table = np.random.default_rng(1).uniform(1, 100, (25, 25))
    np.fill_diagonal(table, 0)
    short, via = shortest_ways(table)
    for i in range(25):
        for j in range(25):
            assert all(short[i, j] <= short[i, k] + short[k, j] + 1e-9 for k in range(25))
            k = via[i, j]
            expected = table[i, j] if k < 0 else short[i, k] + short[k, j]
            assert short[i, j] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rule", "engine"), [("free", "native"), ("pasa", "native"), ("pasa", "rtr")]
)
def test_half_way_stops_are_found_by_every_rule(rule: str, engine: str) -> None:
    # 1.4 rounds to 1 twice, 2.8 to 3: by way of the first customer the second is 2 away.
    instance = on_a_line(1.4, 2.8, demands=[10, 10])
    result = sr.solve(instance, rule=rule, engine=engine, stop=Stop(seconds=1, iterations=300))
    assert result.cost == 2 + 4
    assert sr.validate(instance, result.solution) == []


def test_a_way_through_the_depot_is_two_vehicles() -> None:
    # The way from one side to the other is shorter with a stop at the depot: 2, not 3.
    instance = on_a_line(1.4, -1.4, demands=[5, 5])
    closed, driven = with_shortest_paths(instance)
    one_route = sr.Solution((sr.Route((sr.Visit(1, 5), sr.Visit(2, 5))),))
    assert cost(closed, one_route) == 4
    assert cost(instance, driven(one_route)) == 4
    assert len(driven(one_route).routes) == 2
    assert sr.validate(instance, driven(one_route)) == []


@pytest.mark.parametrize("seed", range(4))
def test_what_is_driven_costs_what_was_searched(seed: int) -> None:
    instance = replace(random_instance(40, seed=seed), metric="dimacs", pass_through=True)
    closed, driven = with_shortest_paths(instance)
    found = sr.solve(closed, stop=Stop(iterations=300)).solution
    assert cost(instance, driven(found)) == cost(closed, found)
    assert sr.validate(instance, driven(found)) == []


def test_a_start_may_pass_through() -> None:
    instance = on_a_line(1.4, 2.8, demands=[10, 10])
    best = sr.solve(instance, stop=Stop(iterations=300))
    again = sr.solve(instance, start=best.solution, stop=Stop(iterations=10))
    assert again.cost == best.cost


def test_too_many_places() -> None:
    instance = replace(random_instance(MAX_PLACES + 5, seed=1), pass_through=True)
    with pytest.raises(sr.LimitError, match="passing through"):
        sr.solve(instance, stop=Stop(iterations=1))


def test_a_place_without_a_customer_is_not_passed() -> None:
    places = tuple(Place(1.4 * k, 0) for k in range(4))  # 0, 1.4, 2.8 and 4.2: 1, 3 and 4 away
    customers = (sr.Customer("a", 5, 2), sr.Customer("b", 5, 3))
    road = sr.Instance("road", 10, customers, places, "dimacs", pass_through=True)
    result = sr.solve(road, stop=Stop(iterations=50))
    assert result.cost == 8
