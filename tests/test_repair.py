"""Anybody's solution becomes a valid one."""

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


def test_a_good_solution_is_left_as_it_is() -> None:
    good = solution([(1, 6), (2, 4)], [(2, 4), (3, 6)])
    assert repair(LINE, good).solution == good
    assert repair(LINE, good).changes == []


@pytest.mark.parametrize(
    ("given_", "changes"),
    [
        ([[(1, 6)], [(2, 8)], [(3, 6)], []], ["1 empty route left out"]),
        ([[(1, 6), (2, 0)], [(2, 8)], [(3, 6)]], ["1 visit of nothing left out"]),
        ([[(1, 3), (1, 3)], [(2, 8)], [(3, 6)]], ["1 stop merged with another on the same route"]),
        ([[(1, 9)], [(2, 8)], [(3, 6)]], ["3 units taken off: too much delivered"]),
        ([[(1, 6), (2, -3)], [(2, 8)], [(3, 6)]], ["1 visit of a negative quantity left out"]),
        ([[(1, 6), (2, 0), (3, 0)], [(2, 8)], [(3, 6)]], ["2 visits of nothing left out"]),
        ([[(1, 6)], [(2, 8)], [(3, 5)]], ["1 unit added: missing"]),
        ([[(1, 6)], [(2, 8)]], ["6 units added: missing"]),
        (
            [[(1, 6), (2, 8)], [(3, 6)]],
            ["4 units taken off: no room", "4 units added: missing"],
        ),
        (
            [[(1, 6)], [(2, 7)], [(2, 1), (3, 6)]],
            ["1 visit left out: others can bring it"],
        ),
    ],
)
def test_what_is_wrong_is_put_right_and_said(given_: Any, changes: list[str]) -> None:
    done = repair(LINE, solution(*given_))
    assert not sr.validate(LINE, done.solution)
    assert done.changes == changes


def test_a_ring_of_splits_is_cancelled() -> None:
    instance = sr.Instance.create(10, [10, 10, 10], [(0, 0), (5, 5), (9, 0), (5, -5)])
    ring = solution([(1, 5), (2, 5)], [(2, 5), (3, 5)], [(3, 5), (1, 5)])
    done = repair(instance, ring)
    gone = ring.visits - done.solution.visits
    assert done.changes == [f"{gone} visits left out: others can bring it"]
    assert done.solution.split_customers() == []
    assert cost(instance, done.solution) < cost(instance, ring)


def test_what_must_not_be_split_is_kept_together() -> None:
    whole = sr.split(LINE, "none").to_cvrp()
    done = repair(whole, solution([(1, 6), (2, 5)], [(2, 2), (3, 1)]))
    assert not sr.validate(whole, done.solution)
    assert "1 visit left out: the customer must not be split" in done.changes


def test_too_many_routes_are_dissolved() -> None:
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 0), (2, 0), (3, 0)], vehicles=2)
    done = repair(instance, solution([(1, 6)], [(2, 8)], [(3, 6)]))
    assert not sr.validate(instance, done.solution)
    assert "1 route dissolved: no more vehicles" in done.changes


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_anything_can_be_repaired(data: st.DataObject) -> None:
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
    splits = done.solution.visits - sum(d > 0 for d in demands)
    assert splits < max(1, len(done.solution.routes)), "no ring of splits is left"


def test_the_command_repairs_and_improves(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(LINE, instance := tmp_path / "line.json")
    (given_ := tmp_path / "bad.txt").write_text("Route 1: 0 - 1 ( 6 ) - 2 ( 8 ) - 0\n")
    out = tmp_path / "better.json"
    done = run("improve", instance, given_, "--time", 0.3, "--out", out)
    assert done.exit_code == 0, done.stderr
    for words in ("given: 2 violations", "4 units taken off: no room", "repaired: cost", "saved"):
        assert words in done.stdout
    assert run("check", instance, out).exit_code == 0
    answer = json.loads(run("improve", instance, given_, "--time", 0.3, "--json").stdout)
    assert not answer["valid_before"]
    assert answer["cost"] <= answer["cost_repaired"]
    assert answer["changes"]


def test_the_command_says_how_good_and_where_it_went(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    sr.write(LINE, instance := tmp_path / "line.json")
    given_ = tmp_path / "given.csv"
    given_.write_text("route,id,quantity\na,1,6\nb,2,8\nc,3,6\n")  # by their ids
    done = run("improve", instance, given_, "--time", 0.5, "--bound", 20)
    for words in ("given: valid, cost 12", "improved: cost 10, 16.67 % less than given"):
        assert words in done.stdout
    assert "lower bound: met: this is optimal" in done.stdout
    assert "not saved: --out FILE" in done.stdout
    given_.write_text("route,id,quantity\na,1,6\nb,nobody,8\n")
    assert "given.csv:3: there is no customer nobody" in run("improve", instance, given_).stderr


def test_a_false_claim_is_a_violation_here_too(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(LINE, instance := tmp_path / "line.json")
    stop = {"customer": 1, "quantity": 6}
    given_ = tmp_path / "given.json"
    given_.write_text(json.dumps({"instance": "other", "cost": 1, "routes": [{"visits": [stop]}]}))
    done = run("improve", instance, given_, "--time", 0.2)
    assert "says that it is of the instance 'other'" in done.stdout
    assert "the solution is said to cost 1; it costs 2" in done.stdout


def test_very_much_that_is_missing_is_put_in_by_the_core() -> None:
    instance = random_instance(500, seed=1)
    served = sr.solve(instance, stop=sr.Stop(iterations=10)).solution
    some = sr.Solution(served.routes[::2])
    done = repair(instance, some)
    assert not sr.validate(instance, done.solution)
    assert cost(instance, done.solution) < 1.2 * cost(instance, served)
    assert done.changes[0].endswith("units added: missing")


def test_a_short_cut_by_a_customer_is_kept() -> None:
    """Of distances far beyond what is worth driving, the core only knows that they are long."""
    matrix: list[list[float]] = [
        [0, 10.5, 0.5, 10, 10],
        [10, 0, 25, 1000, 10],
        [0.5, 25, 0, 25, 10],
        [10, 1000, 25, 0, 10],
        [10, 10, 10, 10, 0],
    ]
    instance = sr.Instance.create(10, [3, 4, 3, 1], matrix=matrix)
    given_ = solution([(1, 3), (2, 2), (3, 3)], [(2, 2)], [(4, 1)])
    assert cost(instance, repair(instance, given_).solution) <= cost(instance, given_)


def test_what_is_too_large_for_the_core_is_repaired_all_the_same() -> None:
    much = 3 * 10**9
    instance = sr.Instance.create(much, [2 * 10**9, 10**9], [(0, 0), (1, 2), (4, 2)])
    done = repair(instance, solution([(1, 2 * 10**9)]))
    assert not sr.validate(instance, done.solution)


def test_vehicles_are_not_counted_where_nothing_may_be_split() -> None:
    whole = replace(LINE, splittable=False, vehicles=3)
    with pytest.raises(sr.InputError, match="only where customers may be split"):
        repair(whole, solution([(1, 6)]))
