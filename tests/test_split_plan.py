import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from conftest import routes
from splitroute.generate import set1
from splitroute.solution import cost
from splitroute.split_plan import SplitPlan


@pytest.fixture
def plan(square: sr.Instance) -> SplitPlan:
    return SplitPlan(square, "by hand", ((4, 2), (6,), (4,), (2, 2)))


def test_the_cvrp_has_one_customer_per_piece_at_its_place(plan: SplitPlan) -> None:
    cvrp = plan.to_cvrp()
    assert [c.demand for c in cvrp.customers] == [4, 2, 6, 4, 2, 2]
    assert [c.place for c in cvrp.customers] == [1, 1, 2, 3, 4, 4]
    assert not cvrp.splittable
    assert cvrp.places is plan.instance.places


def test_merging_joins_the_pieces_on_one_route(plan: SplitPlan) -> None:
    found = sr.Solution.unsplit(plan.to_cvrp(), [[1, 2, 6], [3, 4], [5]])
    assert plan.merge(found) == routes([(1, 6), (4, 2)], [(2, 6), (3, 4)], [(4, 2)])


def test_merging_keeps_the_cheaper_of_two_visits(plan: SplitPlan) -> None:
    found = sr.Solution.unsplit(plan.to_cvrp(), [[1, 5, 2, 6], [3, 4]])
    merged = plan.merge(found)
    assert merged.routes[0].visits == ((1, 6), (4, 4))
    assert cost(plan.instance, merged) < cost(plan.to_cvrp(), found)


def test_merged_quantities_are_whole_even_where_pieces_are_not() -> None:
    instance = sr.Instance.create(140, [30, 100, 45], [(0, 0), (1, 0), (0, 1), (1, 1)])
    plan = sr.split(instance, rule="coins")
    cvrp = plan.to_cvrp()
    numbers = list(range(1, plan.num_pieces + 1))
    scattered = sr.Solution.unsplit(cvrp, [numbers[::2], numbers[1::2]])
    assert not sr.validate(cvrp, scattered)
    merged = plan.merge(scattered)
    assert not sr.validate(instance, merged)
    assert len(merged.split_customers()) == 3


def test_a_plan_from_the_visits_of_a_solution(square: sr.Instance) -> None:
    solution = routes([(1, 2), (2, 6)], [(3, 4), (1, 4)], [(4, 4)])
    plan, start = SplitPlan.from_visits(square, solution)
    assert plan.pieces == ((2, 4), (6,), (4,), (4,))
    assert not sr.validate(plan.to_cvrp(), start)
    assert plan.merge(start) == solution


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (((5,), (6,), (4,), (4,)), "customer 1 do not add up"),
        (((6,), (6,), (4,), (5, -1)), "customer 4 does not fit"),
        (((6,), (2.5, 3.5), (4,), (4,)), "customer 2 are not all whole numbers"),
        (((6,), (np.float32(6),), (4,), (4,)), "customer 2 are not all whole numbers"),
        (((6,), (Fraction(6),), (4,), (4,)), "customer 2 are not all whole numbers"),
        (((6,), (6,), (4,)), "pieces of 3 customers; the instance has 4"),
    ],
)
def test_invalid_pieces_are_refused(square: sr.Instance, pieces: Any, message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        SplitPlan(square, "by hand", pieces)


def test_a_piece_above_the_capacity_is_refused() -> None:
    big = sr.Instance.create(5, [9], [(0, 0), (1, 0)])
    with pytest.raises(sr.InputError, match="does not fit"):
        SplitPlan(big, "by hand", ((9,),))


def test_a_plan_survives_pickling() -> None:
    plan = sr.split(set1(6))
    assert pickle.loads(pickle.dumps(plan)) == plan


def many_loads(rule: str, quantity: int = 1005) -> SplitPlan:
    return sr.split(sr.Instance.create(5, [quantity, 7], [(0, 0), (1, 0), (2, 0)]), rule)


@pytest.mark.parametrize("rule", ["none", "pasa", "free"])
def test_full_loads_beyond_the_first_hundred_are_not_routed(rule: str) -> None:
    plan = many_loads(rule)
    assert plan.direct_loads == (101, 0)
    cvrp = plan.to_cvrp()
    assert cvrp.demands.sum() == 1005 + 7 - 101 * 5
    found = sr.solve(cvrp, rule="free" if rule == "free" else "none", stop=sr.Stop(iterations=20))
    assert not sr.validate(plan.instance, plan.merge(found.solution))


def test_direct_loads_of_a_start_are_matched() -> None:
    plan = many_loads("free", 1000)
    direct = [[(1, 5)]] * 30
    start = routes(*direct, *[[(1, 4)]] * 212, [(1, 2), (2, 3)], [(2, 4)])
    assert not sr.validate(plan.instance, start)
    fewer, rest = plan.match_direct_loads(start)
    assert fewer.direct_loads == (30, 0)
    assert len(rest.routes) == 214
    assert not sr.validate(fewer.to_cvrp(), rest)
    assert cost(plan.instance, fewer.merge(rest)) == pytest.approx(cost(plan.instance, start))


def test_the_visits_of_a_solution_with_direct_loads_are_its_pieces() -> None:
    plan = many_loads("none")
    solution = routes(*[[(1, 5)]] * 201, [(2, 5)], [(2, 2)])
    visits, start = SplitPlan.from_visits(plan.instance, solution)
    assert visits.direct_loads == (101, 0)
    assert not sr.validate(visits.to_cvrp(), start)
    assert not sr.validate(plan.instance, visits.merge(start))


def test_a_very_long_route_is_merged_visit_by_visit() -> None:
    """Without a table of all distances on the route, which would take gigabytes."""
    n = 30_000
    instance = sr.Instance.create(3 * n, [2] * n, [(0, 0), *((k, k % 7) for k in range(n))])
    plan = SplitPlan(instance, "by hand", ((1, 1),) * n)
    once = sr.Solution.unsplit(plan.to_cvrp(), [[*range(1, 2 * n, 2), *range(2, 2 * n + 1, 2)]])
    merged = plan.merge(once)
    assert not sr.validate(instance, merged)
    assert merged.num_visits == n


def test_of_two_visits_the_one_with_the_longer_detour_is_removed() -> None:
    instance = sr.Instance.create(9, [2, 1, 1], [(0, 0), (0, 5), (1, 5), (9, 0)])
    plan = SplitPlan(instance, "by hand", ((1, 1), (1,), (1,)))
    found = sr.Solution.unsplit(plan.to_cvrp(), [[1, 3, 4, 2]])  # customers 1, 2, 3 and 1 again
    assert [visit.customer for visit in plan.merge(found).routes[0].visits] == [1, 2, 3]
