"""Properties of all instances, split plans and solutions."""

import tempfile
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import splitroute as sr
from conftest import located
from splitroute.allocation import round_quantities
from splitroute.engines._sweep import sweep
from splitroute.formats import read_solution
from splitroute.solution import cost
from splitroute.validation import Claims, validate

settings.register_profile("splitroute", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("splitroute")

numbers = st.floats(-1e4, 1e4).map(lambda x: round(x, 3))


@st.composite
def instances(draw: st.DrawFn, max_customers: int = 12) -> sr.Instance:
    """Small instances of every kind, with demands of up to twenty loads."""
    n = draw(st.integers(0, max_customers))
    capacity = draw(st.integers(1, 300))
    demand = st.integers(0, capacity) | st.integers(0, 20 * capacity)
    unit = draw(st.sampled_from([Decimal(1), Decimal("0.1"), Decimal("0.25")]))
    demands = draw(st.lists(demand, min_size=n, max_size=n))
    name = draw(st.sampled_from(["name", "007", "1e5", "north [/x] $a_{$"]))
    metric: Any = draw(st.sampled_from(["exact", "dimacs", "haversine", "matrix"]))
    if metric == "matrix":
        rows = st.lists(st.floats(0, 1e5), min_size=n + 1, max_size=n + 1)
        matrix = draw(st.lists(rows, min_size=n + 1, max_size=n + 1))
        return sr.Instance.create(capacity, demands, matrix=matrix, name=name, unit=unit)
    place = st.tuples(numbers, numbers)
    if metric == "haversine":
        place = st.tuples(st.floats(-180, 180), st.floats(-90, 90))
    places = draw(st.lists(place, min_size=n + 1, max_size=n + 1))
    return sr.Instance.create(capacity, demands, **located(places, metric), name=name, unit=unit)


rules = st.one_of(
    st.just({"rule": "none"}),
    st.builds(
        lambda coins: {"rule": "coins", "coins": "/".join(map(str, coins))},
        st.lists(st.integers(1, 100) | st.just(Decimal("12.5")), min_size=1, max_size=5),
    ),
    st.builds(
        lambda base, levels, rings: {
            "rule": "pasa", "base": base, "levels": levels, "rings": rings,
        },
        st.integers(2, 7),
        st.integers(1, 6),
        st.sampled_from(["width", "count"]),
    ),
)  # fmt: skip


@given(instances(), rules)
def test_pieces_add_up_and_fit(instance: sr.Instance, rule: dict[str, Any]) -> None:
    plan = sr.split(instance, **rule)
    for customer, sizes in zip(instance.customers, plan.pieces, strict=True):
        assert sum(sizes) == customer.demand * plan.scale
        assert all(0 < size <= instance.capacity * plan.scale for size in sizes)
    assert plan.num_pieces == len(plan.to_cvrp().customers)


@given(instances(), rules, st.randoms(use_true_random=False))
def test_merging_any_solution_of_the_cvrp_is_valid(
    instance: sr.Instance, rule: dict[str, Any], random: Any
) -> None:
    plan = sr.split(instance, **rule)
    cvrp = plan.to_cvrp()
    order = list(range(1, plan.num_pieces + 1))
    random.shuffle(order)
    found = _packed(cvrp, order)
    assert validate(cvrp, found) == []
    merged = plan.merge(found)
    assert validate(instance, merged, Claims(cost(instance, merged))) == []
    for route in merged.routes:
        customers = [visit.customer for visit in route.visits]
        assert len(customers) == len(set(customers))
    if instance.metric in ("exact", "haversine"):
        assert cost(instance, merged) <= cost(cvrp, found) * (1 + 1e-9) + 1e-9


def _packed(cvrp: sr.Instance, order: list[int]) -> sr.Solution:
    """Fill one vehicle after another with the customers in that order."""
    routes: list[list[int]] = [[]]
    room = cvrp.capacity
    for number in order:
        demand = cvrp.customers[number - 1].demand
        if demand > room:
            routes.append([])
            room = cvrp.capacity
        routes[-1].append(number)
        room -= demand
    return sr.Solution.unsplit(cvrp, routes)


@given(instances())
def test_a_sweep_needs_no_more_than_the_sufficient_vehicles(instance: sr.Instance) -> None:
    cvrp = sr.split(instance, "none").to_cvrp()
    solution = sweep(cvrp)
    assert validate(cvrp, solution) == []
    assert len(solution.routes) <= cvrp.sufficient_vehicles()


def valid(instance: sr.Instance) -> sr.Solution:
    plan = sr.split(instance, "pasa")
    return plan.merge(sweep(plan.to_cvrp()))


@pytest.mark.filterwarnings("ignore:.*far from all other places")
@given(instances())
def test_instances_survive_every_format_that_can_hold_them(instance: sr.Instance) -> None:
    names = {"exact": "txt vrp json csv", "dimacs": "txt vrp json csv", "haversine": "json csv"}
    with tempfile.TemporaryDirectory() as folder:
        for suffix in names.get(instance.metric, "json vrp").split():
            path = Path(folder, f"instance.{suffix}")
            sr.write(instance, path)
            how = {} if suffix in ("json", "csv") else {"unit": instance.unit}
            if suffix == "txt":
                how["metric"] = instance.metric  # type: ignore[assignment]
            again = sr.read(path, **how)  # type: ignore[arg-type]
            assert replace(again, name=instance.name) == instance
            assert suffix == "txt" or again.name == instance.name


@given(instances())
def test_solutions_survive_their_formats(instance: sr.Instance) -> None:
    solution = valid(instance)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.json", "a.txt", "a.csv"):
            sr.write(solution, Path(folder, name), instance=instance)
            stated = read_solution(Path(folder, name), instance)
            assert stated.solution == solution
            assert validate(instance, solution, stated.claims) == []


def _replaced(solution: sr.Solution, r: int, v: int, *visits: sr.Visit) -> sr.Solution:
    """The solution with one visit replaced by others."""
    routes = list(solution.routes)
    changed = list(routes[r].visits)
    changed[v : v + 1] = visits
    routes[r] = sr.Route(tuple(changed))
    return sr.Solution(tuple(routes))


@given(instances(), st.data())
def test_the_validator_catches_every_mutation(instance: sr.Instance, data: st.DataObject) -> None:
    solution = valid(instance)
    true = cost(instance, solution)
    assert validate(instance, solution, Claims(true)) == []
    off = data.draw(st.floats(1e-3, 1e3)) * max(1.0, true)
    assert [v.kind for v in validate(instance, solution, Claims(true + off))] == ["cost"]
    if not solution.routes:
        return
    r = data.draw(st.integers(0, len(solution.routes) - 1))
    v = data.draw(st.integers(0, len(solution.routes[r].visits) - 1))
    customer, quantity = solution.routes[r].visits[v]
    kind = data.draw(st.sampled_from(["quantity", "customer", "drop", "capacity", "empty"]))
    if kind == "quantity":
        change = data.draw(st.integers(-quantity - 5, 5).filter(bool))
        bad = _replaced(solution, r, v, sr.Visit(customer, quantity + change))
    elif kind == "customer":
        outside = st.integers(-3, 0) | st.integers(len(instance.customers) + 1, 99)
        bad = _replaced(solution, r, v, sr.Visit(data.draw(outside), quantity))
    elif kind == "drop":
        bad = _replaced(solution, r, v)
    elif kind == "capacity":
        # All visits on one vehicle: a violation only if they exceed its capacity.
        visits = tuple(visit for route in solution.routes for visit in route.visits)
        if sum(visit.quantity for visit in visits) <= instance.capacity:
            return
        bad = sr.Solution((sr.Route(visits),))
    else:
        bad = _replaced(solution, r, v, sr.Visit(customer, quantity), sr.Visit(customer, 0))
    assert validate(instance, bad)


@given(st.data(), st.integers(2, 12))
def test_rounding_keeps_demands_and_never_overloads(data: st.DataObject, parts: int) -> None:
    routes, customers = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    amounts = [[data.draw(st.integers(0, 30)) for _ in range(routes)] for _ in range(customers)]
    for row in amounts:  # whole demands
        row[0] += -sum(row) % parts
    quantities = [{c: row[r] for c, row in enumerate(amounts) if row[r]} for r in range(routes)]
    loads = [sum(route.values()) for route in quantities]
    round_quantities(quantities, parts)
    assert all(q >= 0 and q % parts == 0 for route in quantities for q in route.values())
    for c, row in enumerate(amounts):
        assert sum(route.get(c, 0) for route in quantities) == sum(row)
    for load, route in zip(loads, quantities, strict=True):
        assert sum(route.values()) <= -(-load // parts) * parts
