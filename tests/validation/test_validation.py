import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from conftest import located, routes
from splitroute.solution import cost, route_costs
from splitroute.validation import Claims, recomputed_costs, validate

GOOD = [(1, 6), (4, 4)], [(2, 6), (3, 4)]


def kinds(instance: sr.Instance, solution: sr.Solution, claims: Claims | None = None) -> list[str]:
    return [v.kind for v in validate(instance, solution, claims or Claims())]


def test_a_valid_solution_has_no_violations(square: sr.Instance) -> None:
    good = routes(*GOOD)
    assert kinds(square, good, Claims(cost(square, good), tuple(route_costs(square, good)))) == []


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        (routes([(1, 6), (4, 4)], [(2, 6), (3, 3)]), ["demand"]),
        (routes([(1, 7), (4, 4)], [(2, 6), (3, 4)]), ["capacity", "demand"]),
        (routes([(1, 6), (5, 4)], [(2, 6), (3, 4)]), ["customer", "demand"]),
        (routes([(0, 6), (4, 4)], [(2, 6), (3, 4)]), ["customer", "demand"]),
        (routes([(1, 6), (4, 4)], [(2, 6), (3, 4), (1, 0)]), ["quantity"]),
        (routes([(1, 6), (4, 4), (1, -1)], [(2, 6), (3, 4)], [(1, 1)]), ["quantity"]),
        (routes([(1, 6), (4, 4)]), ["demand", "demand"]),
        (routes(), ["demand"] * 4),
    ],
)
def test_every_violation_is_listed(
    square: sr.Instance, bad: sr.Solution, expected: list[str]
) -> None:
    assert kinds(square, bad) == expected


@pytest.mark.parametrize("half", [0.5, Decimal("0.5"), Fraction(1, 2), math.nan, None, "1"])
def test_a_fraction_is_a_violation(square: sr.Instance, half: int) -> None:
    assert kinds(square, routes([(1, 6), (4, 4)], [(2, 6), (3, half)])) == ["quantity"]
    assert kinds(square, routes([(1, 6), (4, 4)], [(2, 6), (half, 4)])) == ["customer"]


def test_any_integer_type_is_accepted(square: sr.Instance) -> None:
    numbers = sr.Solution(
        tuple(sr.Route(tuple(map(sr.Visit._make, np.array(visits)))) for visits in GOOD)
    )
    assert kinds(square, numbers, Claims(cost(square, numbers))) == []


def test_quantities_beyond_64_bits_are_added_up_exactly(square: sr.Instance) -> None:
    huge = 2**63
    cancelled = routes([(1, 6), (4, 4)], [(2, 6), (3, huge), (3, 4 - huge)])
    assert kinds(square, cancelled) == ["quantity"]
    assert kinds(square, routes([(1, 6), (4, 4)], [(2, 6), (3, huge)])) == ["capacity", "demand"]


def test_an_empty_route_costs_nothing() -> None:
    nobody = sr.Instance.create(1, [0], [(0, 0), (1, 1)])
    assert recomputed_costs(nobody, routes()) == []
    assert recomputed_costs(nobody, routes([], [])) == [0, 0]
    assert kinds(nobody, routes(), Claims(0.0)) == []
    there = sr.Instance.create(1, [1], [(0, 0), (3, 4)])
    assert recomputed_costs(there, routes([], [(1, 1)], [])) == [0, 10, 0]


def test_splitting_is_a_violation_only_if_disabled(square: sr.Instance) -> None:
    halves = routes([(1, 3), (2, 6)], [(1, 3), (3, 4)], [(4, 4)])
    assert kinds(square, halves) == []
    forbidden = sr.split(square, "none").to_cvrp()
    assert kinds(forbidden, halves) == ["split"]


def test_false_claims_are_violations(square: sr.Instance) -> None:
    good = routes(*GOOD)
    true = cost(square, good)
    assert kinds(square, good, Claims(true + 0.01)) == ["cost"]
    assert kinds(square, good, Claims(true, (1.0,))) == ["cost"]
    assert kinds(square, good, Claims(true, (), (10, 9))) == ["load"]


def test_a_stated_cost_is_compared_to_its_digits() -> None:
    diagonal = sr.Instance.create(1, [1], [(0, 0), (1, 1)])
    there = routes([(1, 1)])  # 2.8284...
    assert kinds(diagonal, there, Claims(Decimal("2.828"))) == []
    assert kinds(diagonal, there, Claims(Decimal("2.83"))) == []
    assert kinds(diagonal, there, Claims(Decimal("2.829"))) == ["cost"]
    assert kinds(diagonal, there, Claims(Decimal("3"))) == ["cost"]
    assert kinds(diagonal, there, Claims(Decimal("1e999"))) == ["cost"]


@pytest.mark.parametrize("metric", ["exact", "dimacs", "haversine"])
def test_costs_agree_with_the_compiled_kernels(metric: Any) -> None:
    places = [(0, 0), (10.25, 3.5), (-7, 44), (120, -60.125), (-179, 80)]
    instance = sr.Instance.create(9, [1] * 4, **located(places, metric))
    tours = routes([(1, 1), (2, 1)], [(4, 1), (3, 1)])
    assert recomputed_costs(instance, tours) == pytest.approx(
        route_costs(instance, tours), rel=1e-12
    )


def test_asymmetric_distances_have_a_direction() -> None:
    roads = [[0, 1, 7], [8, 0, 2], [4, 9, 0]]
    instance = sr.Instance.create(2, [1, 1], matrix=roads)
    assert recomputed_costs(instance, routes([(1, 1), (2, 1)], [(1, 1)])) == [7, 9]


def test_a_stated_solution_is_not_a_solution(square: sr.Instance, tmp_path: Path) -> None:
    sr.write(routes([(1, 6)]), tmp_path / "it.json", instance=square)
    stated = sr.read_solution(tmp_path / "it.json", square)
    with pytest.raises(sr.InputError, match=r"call validate\(instance, parsed.solution\)"):
        sr.validate(square, stated)  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [sr.validate, sr.repair])
def test_a_result_is_not_a_solution(square: sr.Instance, function: Any) -> None:
    result = sr.solve(square, stop=sr.Stop(iterations=1))
    call = rf"call {function.__name__}\(instance, result.solution\)"
    with pytest.raises(sr.InputError, match=call) as caught:
        function(square, result)
    assert caught.value.field == "solution"
    with pytest.raises(sr.InputError, match=r"instance is str 'a\.csv', not an Instance"):
        function("a.csv", result.solution)
