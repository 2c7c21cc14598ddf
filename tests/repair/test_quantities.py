"""Quantities of visits are reduced to those that a customer allows."""

import random
from typing import Any

import pytest

from splitroute.instance import Customer
from splitroute.repair.quantities import admissible_quantities


def kept(demand: int, found: list[int], *, is_mandatory: bool = True, **rules: Any) -> list[int]:
    customer = Customer("a", demand, 1, **rules)
    return admissible_quantities(customer, found, customer.splittable, is_mandatory)


@pytest.mark.parametrize(
    ("demand", "found", "rules", "expected"),
    [
        (10, [6, 4], {}, [6, 4]),
        (10, [6, 6], {}, [6, 4]),
        (10, [6, 5, 3], {}, [6, 4, 0]),
        (10, [6, 4], {"splittable": False}, [0, 0]),
        (10, [10, 4], {"splittable": False}, [10, 0]),
        (10, [5, 3, 2], {"max_visits": 2}, [5, 0, 0]),
        (10, [6, 4], {"max_visits": 2}, [6, 4]),
        (10, [7, 3], {"min_drop": 4}, [0, 0]),
        (10, [6, 4], {"min_drop": 4}, [6, 4]),
        (10, [5, 5], {"lot": 4}, [4, 4]),
        (10, [6, 4], {"lot": 4}, [6, 4]),
        (10, [10], {"lot": 4, "min_drop": 20}, [10]),
    ],
)
def test_examples(
    demand: int, found: list[int], rules: dict[str, Any], expected: list[int]
) -> None:
    assert kept(demand, found, **rules) == expected


def test_optional_demand_need_not_be_completed() -> None:
    assert kept(10, [7, 3], is_mandatory=False, min_drop=4) == [7, 0]
    assert kept(10, [6, 4], is_mandatory=False, splittable=False) == [6, 0]


def test_quantities_are_admissible_and_never_increase() -> None:
    draw = random.Random(1)
    for _ in range(3000):
        demand = draw.randint(1, 20)
        lot, min_drop = draw.randint(1, 5), draw.randint(0, demand)
        max_visits = draw.choice([None, 1, 2, 3])
        rules = {"lot": lot, "min_drop": min_drop, "max_visits": max_visits}
        found = sorted((draw.randint(1, 20) for _ in range(draw.randint(1, 4))), reverse=True)
        result = kept(demand, found, is_mandatory=draw.random() < 0.5, **rules)
        assert all(0 <= new <= old for new, old in zip(result, found, strict=True))
        visits = [quantity for quantity in result if quantity]
        assert sum(visits) <= demand
        assert len(visits) <= (max_visits or 99)
        parts = [quantity for quantity in visits if quantity != demand]
        assert all(quantity >= min_drop for quantity in parts)
        rests = [quantity % lot for quantity in parts if quantity % lot]
        assert rests in ([], [demand % lot])
