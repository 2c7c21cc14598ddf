"""Behaviour that engines share under `solve`; their own contract is in tests/test_contracts.py."""

from dataclasses import replace
from typing import Any

import pytest

import splitroute as sr
from splitroute import engines
from splitroute.engines import capabilities_of
from splitroute.generate import random_instance, set1
from splitroute.registry import load
from splitroute.solution import cost
from splitroute.stop import Stop

IN_PROCESS = ("native", "rtr", "hybrid")
SUPERVISED = ("pyvrp", "hgs", "ortools")
SPLITTING = ("native", "hybrid")
RULES: tuple[dict[str, Any], ...] = (
    {"rule": "free"},
    {"rule": "none"},
    {"rule": "coins", "coins": "20/10/5/1"},
    {"rule": "coins", "coins": "25/10/5/1"},
    {"rule": "pasa", "levels": 2, "base": 2},
    {"rule": "pasa", "levels": 3, "base": 3, "rings": "count"},
)
METHODS = [
    (engine, rule)
    for engine in IN_PROCESS
    for rule in RULES
    if (rule["rule"] == "free" and engine in SPLITTING)
    or (rule["rule"] != "free" and engine != "hybrid")
]


def default_rule(engine: str) -> str:
    return "free" if capabilities_of(load(engines, engine)).splits else "none"


@pytest.mark.parametrize(("engine", "rule"), METHODS)
@pytest.mark.parametrize(
    "instance",
    [set1(4), random_instance(8, capacity=30, low=0.1, high=20, seed=5)],
    ids=["SD4", "demands of many loads"],
)
def test_every_rule(engine: str, rule: dict[str, Any], instance: sr.Instance) -> None:
    result = sr.solve(instance, engine=engine, stop=Stop(iterations=100), **rule)
    assert sr.validate(instance, result.solution) == []
    assert result.cost == cost(instance, result.solution)


def test_demands_above_the_capacity_go_in_full_loads() -> None:
    instance = random_instance(8, capacity=30, low=0.1, high=20, seed=5)
    assert max(c.demand for c in instance.customers) > 10 * instance.capacity
    pasa, none = (
        sr.solve(instance, engine="pyvrp", rule=rule, stop=Stop(iterations=500))
        for rule in ("pasa", "none")
    )
    assert pasa.cost <= 1.02 * none.cost


@pytest.mark.parametrize("engine", IN_PROCESS + SUPERVISED)
def test_many_customers_in_little_time(engine: str) -> None:
    instance = random_instance(1500, low=0.3, high=0.9, seed=1)
    result = sr.solve(instance, engine=engine, stop=Stop(seconds=2))
    assert sr.validate(instance, result.solution) == []


@pytest.mark.parametrize("engine", IN_PROCESS)
def test_hardly_any_time(engine: str) -> None:
    result = sr.solve(random_instance(200, seed=1), engine=engine, stop=Stop(seconds=1e-6))
    assert result.solution.num_visits >= 200
    assert all(point.cost > 0 for point in result.trace)


def test_an_engine_that_requires_splitting_refuses_a_rule() -> None:
    with pytest.raises(sr.InputError, match="the engine hybrid splits by itself"):
        sr.solve(set1(1), engine="hybrid", rule="pasa")


@pytest.mark.parametrize("engine", ["rtr", *SUPERVISED])
def test_an_engine_that_cannot_split_refuses_rule_free(engine: str) -> None:
    with pytest.raises(sr.InputError, match=f"the engine {engine} cannot split"):
        sr.solve(set1(1), engine=engine, rule="free")


@pytest.mark.parametrize("rule", [None, "free", "none", "pasa", "coins"])
@pytest.mark.parametrize("engine", ["native", "rtr", "pyvrp"])
def test_a_cvrp_may_have_customers_without_a_demand(engine: str, rule: str | None) -> None:
    instance = sr.Instance.create(9, [6, 0, 6, 6], [(0, 0), (5, 1), (5, 0), (5, 2), (5, 3)])
    cvrp = replace(instance, splittable=False)
    result = sr.solve(cvrp, engine=engine, rule=rule, stop=Stop(iterations=20))
    assert result.solution.num_visits == 3


def test_an_invalid_start_is_refused() -> None:
    wrong = sr.Solution((sr.Route((sr.Visit(0, 60),)),))
    with pytest.raises(sr.InputError, match="start is not a valid solution"):
        sr.solve(set1(1), start=wrong)


@pytest.mark.parametrize("engine", IN_PROCESS)
def test_a_start_is_never_made_worse(engine: str) -> None:
    instance = set1(4)
    first = sr.solve(instance, rule="pasa", stop=Stop(iterations=300))
    again = sr.solve(instance, engine=engine, start=first.solution, stop=Stop(iterations=300))
    assert again.cost <= first.cost
    assert sr.validate(instance, again.solution) == []


@pytest.mark.parametrize("engine", IN_PROCESS)
def test_tiny_instances(engine: str) -> None:
    def solve(instance: sr.Instance) -> sr.Result:
        rule = default_rule(engine)
        return sr.solve(instance, engine=engine, rule=rule, stop=Stop(iterations=100))

    at_depot = sr.Instance.create(5, [3, 0, 12], [(1, 1)] * 4)
    assert solve(at_depot).cost == 0
    single = sr.Instance.create(5, [5], [(0, 0), (3, 4)])
    assert solve(single).cost == 10
    no_demand = sr.Instance.create(5, [0, 0], [(0, 0), (3, 4), (1, 1)])
    assert solve(no_demand).solution.routes == ()


@pytest.mark.parametrize("engine", [*IN_PROCESS, "pyvrp", "ortools"])
def test_an_asymmetric_matrix(engine: str) -> None:
    one_way = [[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]]
    instance = sr.Instance.create(30, [5, 5, 5], matrix=one_way)
    stop = Stop(iterations=100)
    assert sr.solve(instance, engine=engine, rule=default_rule(engine), stop=stop).cost == 4


def test_hgs_refuses_an_asymmetric_matrix() -> None:
    instance = sr.Instance.create(30, [5, 5], matrix=[[0, 1, 2], [9, 0, 1], [2, 1, 0]])
    with pytest.raises(sr.InputError, match="symmetric"):
        sr.solve(instance, engine="hgs", rule="none", stop=Stop(seconds=1))


def test_seeds_give_different_solutions() -> None:
    instance = set1(10)
    solutions = {
        sr.solve(instance, stop=Stop(iterations=50), seed=seed).solution for seed in (1, 2, 3)
    }
    assert len(solutions) > 1


def test_long_routes_are_merged_in_time() -> None:
    instance = random_instance(300, capacity=100_000, low=0.0001, high=0.001)
    result = sr.solve(instance, rule="pasa", levels=4, stop=Stop(seconds=2))
    assert result.seconds < 20
