"""What every rule with every engine must keep."""

from collections.abc import Callable
from typing import Any

import pytest

import splitroute as sr
from conftest import located
from splitroute.generate import random_instance, set1
from splitroute.solution import cost
from splitroute.stop import Stop

ENGINES = ("native", "rtr", "pyvrp", "hgs", "ortools", "hybrid")
SPLITTING = ("native", "hybrid")
RULES = {
    "free": {"rule": "free"},
    "none": {"rule": "none"},
    "coins-20": {"rule": "coins", "coins": "20/10/5/1"},
    "coins-25": {"rule": "coins", "coins": "25/10/5/1"},
    "pasa": {"rule": "pasa", "levels": 2, "base": 2},
    "pasa-count": {"rule": "pasa", "levels": 3, "base": 3, "rings": "count"},
}
METHODS = [
    (e, r)
    for e in ENGINES
    for r in RULES
    if (r == "free" and e in SPLITTING) or (r != "free" and e != "hybrid")
]
FILES = (
    "SET-1/SD1.txt", "SET-1/SD4.txt", "SET-1/SD10.txt",
    "SET-2/S51D1.sd", "SET-2/S51D6.sd", "SET-2/S76D3.sd",
    "SET-3/p01_110.cri", "SET-3/p03_3070.cri", "SET-3/p11_1030.cri",
    "SET-4/eil22.sd", "SET-4/eil33.sd", "SET-4/eilC76.sd",
)  # fmt: skip
SECONDS = 1.0


def solved(instance: sr.Instance, engine: str, rule: str, stop: Stop | None = None) -> sr.Result:
    rule = "free" if engine == "hybrid" else rule
    result = sr.solve(
        instance,
        engine=engine,
        stop=stop or Stop(seconds=SECONDS),
        **RULES[rule],  # type: ignore[arg-type]
    )
    assert sr.validate(instance, result.solution) == []
    assert result.cost == cost(instance, result.solution)
    return result


@pytest.mark.parametrize(("engine", "rule"), METHODS)
@pytest.mark.parametrize("name", FILES)
def test_benchmark_instances(
    engine: str, rule: str, name: str, benchmark: Callable[[str], sr.Instance]
) -> None:
    solved(benchmark(name), engine, rule)


@pytest.mark.parametrize(("engine", "rule"), METHODS)
def test_demands_up_to_twenty_vehicles(engine: str, rule: str) -> None:
    big = random_instance(8, capacity=30, low=0.1, high=20, seed=5)
    assert max(c.demand for c in big.customers) > 10 * big.capacity
    solved(big, engine, rule)


def test_what_exceeds_a_vehicle_goes_in_full_loads() -> None:
    big = random_instance(8, capacity=30, low=0.1, high=20, seed=5)
    pasa, none = (solved(big, "pyvrp", rule, Stop(iterations=500)) for rule in ("pasa", "none"))
    assert pasa.cost <= 1.02 * none.cost


def test_more_pieces_than_an_engine_can_look_at_in_time() -> None:
    instance = random_instance(1500, low=0.3, high=0.9, seed=1)
    for engine in ENGINES:
        result = sr.solve(instance, engine=engine, stop=Stop(seconds=2))
        assert sr.validate(instance, result.solution) == []


def test_an_engine_that_splits_by_itself_needs_no_rule() -> None:
    with pytest.raises(sr.InputError, match="the engine hybrid splits by itself"):
        sr.solve(set1(1), engine="hybrid", rule="pasa")


@pytest.mark.parametrize("engine", ["native", "rtr", "hybrid"])
def test_an_answer_even_if_there_is_no_time(engine: str) -> None:
    result = sr.solve(random_instance(200, seed=1), engine=engine, stop=Stop(seconds=1e-6))
    assert result.solution.num_visits >= 200
    assert [point for point in result.trace if point[1] <= 0] == []


def test_long_routes_are_merged_in_time() -> None:
    long = random_instance(300, capacity=100_000, low=0.0001, high=0.001)
    result = sr.solve(long, rule="pasa", levels=4, stop=Stop(seconds=2))
    assert result.seconds < 20


@pytest.mark.parametrize("engine", sorted(set(ENGINES) - set(SPLITTING)))
def test_an_engine_that_cannot_split_says_so(engine: str) -> None:
    with pytest.raises(sr.InputError, match=f"the engine {engine} cannot split"):
        sr.solve(set1(1), engine=engine, rule="free")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_start_with_many_routes(engine: str) -> None:
    instance = random_instance(12, capacity=100, low=0.01, high=0.02)
    alone = sr.Solution.unsplit(instance, [[k] for k in range(1, 13)])
    result = sr.solve(instance, engine=engine, start=alone, stop=Stop(seconds=SECONDS))
    assert len(result.solution.routes) < 12


def test_a_start_that_is_not_valid_is_refused() -> None:
    wrong = sr.Solution((sr.Route((sr.Visit(0, 60),)),))
    with pytest.raises(sr.InputError, match="start is not a valid solution"):
        sr.solve(set1(1), start=wrong)


@pytest.mark.parametrize("engine", ENGINES)
def test_hardly_anything_to_do(engine: str) -> None:
    at_depot = sr.Instance.create(5, [3, 0, 12], [(1, 1)] * 4)
    assert solved(at_depot, engine, "pasa").cost == 0
    alone = sr.Instance.create(5, [5], [(0, 0), (3, 4)])
    assert solved(alone, engine, "none").cost == 10
    nobody = sr.Instance.create(5, [0, 0], [(0, 0), (3, 4), (1, 1)])
    assert solved(nobody, engine, "pasa").solution.routes == ()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("metric", ["dimacs", "haversine"])
def test_other_metrics(engine: str, metric: Any) -> None:
    places = [(10, 50), (10.2, 50.1), (9.9, 50.3), (10.4, 49.9), (10.1, 50.4)]
    instance = sr.Instance.create(10, [6, 7, 8, 9], **located(places, metric))
    solved(instance, engine, "pasa")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_matrix(engine: str) -> None:
    one_way = [[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]]
    instance = sr.Instance.create(30, [5, 5, 5], matrix=one_way)
    if engine == "hgs":
        with pytest.raises(sr.InputError, match="symmetric"):
            solved(instance, engine, "none")
        instance = sr.Instance.create(30, [5, 5], matrix=[[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    assert solved(instance, engine, "none").cost == 4


@pytest.mark.parametrize("engine", ENGINES)
def test_a_start_is_never_made_worse(engine: str) -> None:
    instance = set1(4)
    first = solved(instance, "pyvrp", "pasa", Stop(iterations=300))
    again = sr.solve(instance, engine=engine, start=first.solution, stop=Stop(seconds=SECONDS))
    assert again.cost <= first.cost
    assert sr.validate(instance, again.solution) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_target_ends_the_search(engine: str) -> None:
    result = solved(set1(3), engine, "pasa", Stop(seconds=120, target=1e9))
    assert result.seconds < 10


@pytest.mark.parametrize("engine", ENGINES)
def test_progress_and_stopping(engine: str) -> None:
    seen: list[sr.Progress] = []

    def listener(progress: sr.Progress) -> bool:
        seen.append(progress)
        return any(p.solution for p in seen)

    instance = set1(10)
    result = sr.solve(instance, engine=engine, stop=Stop(seconds=20), listener=listener)
    assert result.seconds < 15
    assert sr.validate(instance, result.solution) == []
    for progress in seen:
        if progress.solution is not None:
            assert sr.validate(instance, progress.solution) == []


@pytest.mark.parametrize("engine", ["native", "rtr", "pyvrp", "ortools"])
def test_the_same_seed_and_iterations_give_the_same_answer(engine: str) -> None:
    instance = set1(6)
    one, two = (solved(instance, engine, "pasa", Stop(iterations=200)) for _ in range(2))
    assert one.solution == two.solution


def test_another_seed_may_give_another_answer() -> None:
    instance = set1(10)
    answers = {
        sr.solve(instance, stop=Stop(iterations=50), seed=seed).solution for seed in (1, 2, 3)
    }
    assert len(answers) > 1


def test_hgs_says_that_it_cannot_count_iterations() -> None:
    with pytest.raises(sr.InputError, match="hgs cannot count iterations"):
        solved(set1(1), "hgs", "pasa", Stop(iterations=5))
