"""Any solution becomes a valid one."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import splitroute as sr
from splitroute.generate import random_instance
from splitroute.repair import repair
from splitroute.solution import cost

LINE = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 0), (2, 0), (3, 0)])


def solution(*routes: list[tuple[int, int]]) -> sr.Solution:
    return sr.Solution(tuple(sr.Route(tuple(sr.Visit(*v) for v in r)) for r in routes))


def test_a_valid_solution_is_not_changed() -> None:
    good = solution([(1, 6), (2, 4)], [(2, 4), (3, 6)])
    assert repair(LINE, good).solution == good
    assert repair(LINE, good).changes == []


@pytest.mark.parametrize(
    ("before", "changes"),
    [
        ([[(1, 6)], [(2, 8)], [(3, 6)], []], ["1 empty route removed"]),
        ([[(1, 6), (2, 0)], [(2, 8)], [(3, 6)]], ["1 visit removed: zero quantity"]),
        ([[(1, 3), (1, 3)], [(2, 8)], [(3, 6)]], ["1 visit merged with another on the same route"]),
        ([[(1, 9)], [(2, 8)], [(3, 6)]], ["3 units removed: more than the demand"]),
        ([[(1, 6), (2, -3)], [(2, 8)], [(3, 6)]], ["1 visit removed: negative quantity"]),
        ([[(1, 6), (4, 3)], [(2, 8)], [(3, 6)]], ["1 visit removed: unknown customer"]),
        ([[(1, 6), (2, 0), (3, 0)], [(2, 8)], [(3, 6)]], ["2 visits removed: zero quantity"]),
        ([[(1, 6)], [(2, 8)], [(3, 5)]], ["1 unit added: unserved demand"]),
        ([[(1, 6)], [(2, 8)]], ["6 units added: unserved demand"]),
        (
            [[(1, 6), (2, 8)], [(3, 6)]],
            ["4 units removed: over capacity", "4 units added: unserved demand"],
        ),
        (
            [[(1, 6)], [(2, 7)], [(2, 1), (3, 6)]],
            ["1 visit removed: redundant"],
        ),
    ],
)
def test_violations_are_repaired_and_reported(before: Any, changes: list[str]) -> None:
    done = repair(LINE, solution(*before))
    assert not sr.validate(LINE, done.solution)
    assert done.changes == changes


def test_a_ring_of_splits_is_cancelled() -> None:
    instance = sr.Instance.create(10, [10, 10, 10], [(0, 0), (5, 5), (9, 0), (5, -5)])
    ring = solution([(1, 5), (2, 5)], [(2, 5), (3, 5)], [(3, 5), (1, 5)])
    done = repair(instance, ring)
    removed = ring.num_visits - done.solution.num_visits
    assert done.changes == [f"{removed} visits removed: redundant"]
    assert done.solution.split_customers() == []
    assert cost(instance, done.solution) < cost(instance, ring)


def test_splits_are_undone_if_splitting_is_disabled() -> None:
    whole = sr.split(LINE, "none").to_cvrp()
    done = repair(whole, solution([(1, 6), (2, 5)], [(2, 2), (3, 1)]))
    assert not sr.validate(whole, done.solution)
    assert "1 visit removed: splitting is disabled" in done.changes


def test_too_many_routes_are_dissolved() -> None:
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 0), (2, 0), (3, 0)], vehicles=2)
    done = repair(instance, solution([(1, 6)], [(2, 8)], [(3, 6)]))
    assert not sr.validate(instance, done.solution)
    assert "1 route dissolved: too few vehicles" in done.changes


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_solution_can_be_repaired(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    capacity = data.draw(st.integers(1, 9))
    demands = data.draw(st.lists(st.integers(0, 20), min_size=count, max_size=count))
    places = [(0.0, 0.0), *((float(k), float(k % 3)) for k in range(1, count + 1))]
    least = max(1, -(-sum(demands) // capacity))
    vehicles = data.draw(st.none() | st.integers(least, least + 2))
    instance = sr.Instance.create(capacity, demands, places, vehicles=vehicles)
    visit = st.tuples(st.integers(1, count), st.integers(-2, 12))
    routes = data.draw(st.lists(st.lists(visit, max_size=5), max_size=6))
    done = repair(instance, solution(*routes))
    assert not sr.validate(instance, done.solution)
    again = repair(instance, done.solution)
    assert again.changes == []
    splits = done.solution.num_visits - sum(d > 0 for d in demands)
    assert splits < max(1, len(done.solution.routes)), "no ring of splits is left"


def test_the_command_repairs_and_improves(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(LINE, instance := tmp_path / "line.json")
    (before := tmp_path / "bad.txt").write_text("Route 1: 0 - 1 ( 6 ) - 2 ( 8 ) - 0\n")
    out = tmp_path / "better.json"
    done = run("improve", instance, before, "--time", 0.3, "--out", out)
    assert done.exit_code == 0, done.stderr
    for words in (
        "before: 2 violations",
        "4 units removed: over capacity",
        "repaired: cost",
        "saved",
    ):
        assert words in done.stdout
    assert run("check", instance, out).exit_code == 0
    output = json.loads(run("improve", instance, before, "--time", 0.3, "--json").stdout)
    about = output["about"]
    assert not about["valid_before"]
    assert output["cost"] <= about["cost_repaired"]
    assert about["changes"]


def test_the_command_reports_the_bound_and_the_file(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    sr.write(LINE, instance := tmp_path / "line.json")
    before = tmp_path / "given.csv"
    before.write_text("route,id,quantity\na,1,6\nb,2,8\nc,3,6\n")  # by their ids
    done = run("improve", instance, before, "--time", 0.5, "--bound", 20)
    for words in ("before: valid, cost 12", "improved: cost 10, 16.67 % less than before"):
        assert words in done.stdout
    assert "lower bound: 10, optimal (proven)" in done.stdout
    assert "not saved; use --out FILE" in done.stdout
    before.write_text("route,id,quantity\na,1,6\nb,nobody,8\n")
    assert (
        "given.csv:3: the instance has no customer 'nobody'"
        in run("improve", instance, before).stderr
    )


def test_the_command_reports_false_claims(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(LINE, instance := tmp_path / "line.json")
    visit = {"customer": 1, "quantity": 6}
    before = tmp_path / "given.json"
    before.write_text(json.dumps({"instance": "other", "cost": 1, "routes": [{"visits": [visit]}]}))
    done = run("improve", instance, before, "--time", 0.2)
    assert "is for the instance 'other'" in done.stdout
    assert "the stated cost of the solution is 1; it costs 2" in done.stdout


def test_many_unserved_customers_are_inserted_by_the_core() -> None:
    instance = random_instance(500, seed=1)
    served = sr.solve(instance, stop=sr.Stop(iterations=10)).solution
    some = sr.Solution(served.routes[::2])
    done = repair(instance, some)
    assert not sr.validate(instance, done.solution)
    assert cost(instance, done.solution) < 1.2 * cost(instance, served)
    assert done.changes[0].endswith("units added: unserved demand")


def test_a_shortcut_through_a_customer_is_kept() -> None:
    """The core clips distances that no good route uses."""
    matrix: list[list[float]] = [
        [0, 10.5, 0.5, 10, 10],
        [10, 0, 25, 1000, 10],
        [0.5, 25, 0, 25, 10],
        [10, 1000, 25, 0, 10],
        [10, 10, 10, 10, 0],
    ]
    instance = sr.Instance.create(10, [3, 4, 3, 1], matrix=matrix)
    before = solution([(1, 3), (2, 2), (3, 3)], [(2, 2)], [(4, 1)])
    assert cost(instance, repair(instance, before).solution) <= cost(instance, before)


def test_instances_too_large_for_the_core_are_repaired() -> None:
    much = 3 * 10**9
    instance = sr.Instance.create(much, [2 * 10**9, 10**9], [(0, 0), (1, 2), (4, 2)])
    done = repair(instance, solution([(1, 2 * 10**9)]))
    assert not sr.validate(instance, done.solution)


@pytest.mark.parametrize("visit", [(1, 2.5), (1.5, 2)])
def test_fractions_are_refused(visit: Any) -> None:
    with pytest.raises(sr.InputError, match="whole number"):
        repair(LINE, solution([visit]))


def test_a_fleet_limit_needs_splitting() -> None:
    whole = replace(LINE, splittable=False, vehicles=3)
    with pytest.raises(sr.InputError, match="vehicles needs an instance whose demands may"):
        repair(whole, solution([(1, 6)]))
