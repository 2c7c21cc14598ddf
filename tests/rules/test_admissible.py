"""Pieces respect the rules of splitting, whichever rule they come from."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from splitroute import Instance
from splitroute.instance import Customer, VehicleType
from splitroute.instance.feasibility import fewest_visits
from splitroute.pipeline import split
from splitroute.rules._admissible import admissible
from splitroute.split_plan import SplitPlan

RULES: list[tuple[str, dict[str, Any]]] = [
    ("none", {}),
    ("pasa", {}),
    ("pasa", {"base": 3, "levels": 1}),
    ("coins", {}),
]


def pieces_of(capacity: int, demand: int, sizes: tuple[int, ...], **rules: Any) -> list[int]:
    instance = Instance.create(capacity, [demand], [(0, 0), (1, 0)], **rules)
    plan = admissible(SplitPlan(instance, "test", (sizes,)))
    return sorted(plan.pieces[0])


@pytest.mark.parametrize(
    ("demand", "sizes", "rules", "expected"),
    [
        (10, (4, 3, 2, 1), {"min_drop": 3}, [3, 3, 4]),
        (10, (4, 3, 2, 1), {"max_visits": 2}, [4, 6]),
        (10, (4, 3, 2, 1), {"splittable": False}, [10]),
        (12, (4, 4, 2, 1, 1), {"lot": 4}, [4, 4, 4]),
        (11, (4, 4, 2, 1), {"lot": 4}, [3, 4, 4]),
        (11, (4, 4, 2, 1), {"lot": 4, "min_drop": 4}, [4, 7]),
        (10, (1,) * 10, {"min_drop": 10}, [10]),
    ],
)
def test_pieces_are_merged(
    demand: int, sizes: tuple[int, ...], rules: dict[str, Any], expected: list[int]
) -> None:
    assert pieces_of(12, demand, sizes, **rules) == expected


def test_pieces_are_evened_out_where_merging_does_not_help() -> None:
    assert pieces_of(10, 15, (10, 5), min_drop=7) == [7, 8]
    assert pieces_of(10, 25, (10, 10, 5), min_drop=8) == [8, 8, 9]


def test_pieces_fit_the_vehicles_that_may_serve_the_customer() -> None:
    fleet = [VehicleType("truck", 20), VehicleType("van", 6)]
    instance = Instance.create(
        None,
        [15, 15],
        [(0, 0), (1, 0), (2, 0)],
        vehicles=fleet,
        vehicle_types=[("van",), None],
    )
    van, any_type = split(instance, "none").pieces
    assert sum(van) == 15
    assert max(van) <= 6
    assert any_type == (15,)


def test_what_cannot_be_delivered_has_no_piece() -> None:
    instance = Instance.create(10, [35], [(0, 0), (1, 0)], max_visits=2, penalty=1.0)
    assert split(instance, "none").pieces == ((10, 10),)


@pytest.mark.parametrize("rule", ["none", "pasa", "coins"])
def test_demands_that_must_not_be_split_stay_whole(rule: str) -> None:
    instance = Instance.create(9, [6, 0, 6, 6], [(0, 0), (5, 1), (5, 0), (5, 2), (5, 3)])
    plan = split(replace(instance, splittable=False), rule)
    assert plan.pieces == ((6,), (), (6,), (6,))


def test_a_plan_without_rules_is_unchanged() -> None:
    instance = Instance.create(140, [100], [(0, 0), (1, 0)])
    plan = split(instance, "coins")
    assert plan.scale > 1
    assert admissible(plan) is plan
    limited = Instance.create(140, [100], [(0, 0), (1, 0)], min_drop=2)
    assert split(limited, "coins").scale == 1


def is_admissible(customer: Customer, quantities: list[int]) -> bool:
    """Whether visits with these quantities are, by the definition."""
    if quantities == [customer.demand]:
        return True
    return (
        customer.splittable
        and min(quantities) >= customer.min_drop
        and sum(q % customer.lot != 0 for q in quantities) <= 1
        and len(quantities) <= (customer.max_visits or len(quantities))
    )


def test_every_combination_of_pieces_is_admissible() -> None:
    source = random.Random(1)
    split_up = 0
    for _ in range(400):
        capacity, demand = source.randint(4, 30), source.randint(1, 60)
        customer = Customer(
            "1",
            demand,
            1,
            splittable=source.random() < 0.8,
            min_drop=source.choice([0, source.randint(1, demand)]),
            lot=source.choice([1, 2, 3, 5]),
            max_visits=source.choice([None, 1, 2, 3, 5]),
        )
        visits = fewest_visits(demand, capacity, customer.min_drop, customer.lot)
        most = customer.max_visits if customer.splittable else 1
        if visits is None or visits > (most or visits):
            continue  # rejected as infeasible
        plain = Instance.create(capacity, [demand], [(0, 0), (3, 4)])
        instance = replace(plain, customers=(customer,))
        if not instance.rules:
            continue
        for rule, options in RULES:
            (pieces,) = split(instance, rule, **options).pieces
            assert sum(pieces) == demand
            assert max(pieces) <= capacity
            split_up += len(pieces) > 1
            assert is_admissible(customer, list(pieces)), (customer, pieces, rule)
            for first, second in combinations(range(len(pieces)), 2):
                others = [q for k, q in enumerate(pieces) if k not in (first, second)]
                assert is_admissible(customer, [pieces[first] + pieces[second], *others])
    assert split_up > 100
