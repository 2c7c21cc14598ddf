"""Every undelivered quantity has a reason, the most specific one that is certain."""

from typing import Any

import pytest

from splitroute.errors import InfeasibleError
from splitroute.instance import Instance, VehicleType
from splitroute.solution import Route, Solution, Visit, explain_undelivered
from splitroute.solution.reasons import NOT_FOUND, REST_NOT_FOUND, infeasible, undelivered_texts

POINTS = [(0, 0), (10, 0), (30, 0)]
NOTHING = Solution(())


def create(demands: tuple[int, int] = (6, 8), **arguments: Any) -> Instance:
    """Customers at distances 10 and 30 from the depot."""
    capacity = None if isinstance(arguments.get("vehicles"), list) else 10
    return Instance.create(capacity, demands, POINTS, partial=True, **arguments)


def two_types(**fields: Any) -> list[VehicleType]:
    return [VehicleType("van", 4, 1, **fields), VehicleType("truck", 10, 1)]


REASONS: list[tuple[dict[str, Any], str | None, str]] = [
    ({"vehicle_types": [None, ()]}, "vehicle_types", "no vehicle type may serve customer 2"),
    (
        {"windows": [(), ((0, 29),)]},
        "windows",
        "the last window of customer 2 closes at 29; a vehicle arrives at 30 at the earliest",
    ),
    (
        {"demands": (6, 21), "max_visits": 2},
        "max_visits",
        "customer 2 has a demand of 21, which takes 3 visits; "
        "the largest vehicle that may serve it carries 10, and max_visits is 2",
    ),
    (
        {"demands": (6, 11), "splittable": [True, False]},
        "splittable",
        "customer 2 has a demand of 11, which must not be split; "
        "the largest vehicle that may serve it carries 10",
    ),
    (
        {"vehicles": [VehicleType("van", 10, max_distance=59)]},
        "max_distance",
        "customer 2 needs a route of 60; max_distance of 'van' is 59",
    ),
    (
        {"vehicles": [VehicleType("van", 10, shift=(0, 50))]},
        "shift",
        "a vehicle of type 'van' that serves customer 2 returns at 60 at the earliest; "
        "it must be back by 50",
    ),
    (
        {"vehicles": [VehicleType("van", 3, 2, max_trips=2)]},
        "vehicles",
        "the fleet is too small by 2: it carries 12 in all trips, and the demands are 14",
    ),
    (
        {"vehicles": two_types(), "vehicle_types": [None, ("van",)]},
        "vehicles",
        "the fleet is too small by 4: the vehicles of type 'van' that can serve it carry 4 "
        "in all trips, and the demands are 8",
    ),
    (
        # The truck cannot reach customer 2, so only the van counts.
        {
            "vehicles": [VehicleType("van", 4, 1), VehicleType("truck", 10, 1, max_distance=59)],
        },
        "vehicles",
        "the fleet is too small by 4: the vehicles of type 'van' that can serve it carry 4 "
        "in all trips, and the demands are 8",
    ),
    (
        {"vehicles": [VehicleType("van", 20, 1, max_stops=1)]},
        "max_stops",
        "the fleet is too small by 1 stop: it makes 1 in all trips, and the demands need 2",
    ),
    ({"penalty": 1.5}, "penalty", "the penalty of 1.5 per unit costs less than any delivery found"),
    ({}, None, NOT_FOUND),
]


@pytest.mark.parametrize(("arguments", "rule", "reason"), REASONS)
def test_the_most_specific_reason(arguments: dict[str, Any], rule: str, reason: str) -> None:
    instance = create(**arguments)
    solution = Solution((Route((Visit(1, 6),)),))
    (item,) = explain_undelivered(instance, solution)
    assert (item.customer, item.quantity) == (2, instance.customers[1].demand)
    assert (item.rule, item.reason.removesuffix(f"; {REST_NOT_FOUND}")) == (rule, reason)


def test_what_is_delivered_needs_no_reason() -> None:
    instance = create()
    everything = Solution((Route((Visit(1, 6),)), Route((Visit(2, 8),))))
    assert explain_undelivered(instance, everything) == ()
    part = Solution((Route((Visit(1, 6),)), Route((Visit(2, 5),))))
    assert [item[:2] for item in explain_undelivered(instance, part)] == [(2, 3)]


def test_reasons_explain_the_whole_quantity() -> None:
    """Only vans may serve customer 2, but most of what it lacks is due to the fleet as a whole."""
    vans = {"vehicles": two_types(), "vehicle_types": [None, ("van",)]}
    instance = create((13, 6), **vans)
    by_van = (
        "the fleet is too small by 2: the vehicles of type 'van' that can serve it carry 4 "
        "in all trips, and the demands are 6"
    )
    by_all = "the fleet is too small by 5: it carries 14 in all trips, and the demands are 19"
    truck = Route((Visit(1, 10),), 1)
    two = Solution((truck, Route((Visit(1, 3), Visit(2, 1)))))
    [item] = explain_undelivered(instance, two)
    assert (item.quantity, item.rule, item.reason) == (5, "vehicles", f"{by_van}; {by_all}")
    one = Solution((truck, Route((Visit(2, 4),))))
    assert [item.reason for item in explain_undelivered(instance, one)] == [by_all, by_van]
    first, second = explain_undelivered(instance, Solution((truck,)))
    assert first.reason == f"{by_all}; {REST_NOT_FOUND}"
    assert second.reason == f"{by_van}; {by_all}; {REST_NOT_FOUND}"


def test_optional_demand_takes_no_room_from_mandatory_demand() -> None:
    instance = create(vehicles=[VehicleType("van", 10, 1)], penalty=[None, 1.0])
    mandatory, optional = explain_undelivered(instance, NOTHING)
    assert mandatory.reason == NOT_FOUND
    assert optional.reason.startswith("the fleet is too small by 4")


def test_customers_out_of_reach_do_not_make_the_fleet_too_small() -> None:
    instance = create(vehicles=[VehicleType("van", 10, 1)], windows=[(), ((0, 29),)])
    first, second = explain_undelivered(instance, NOTHING)
    assert first.reason == NOT_FOUND
    assert second.rule == "windows"


def test_the_error_lists_reasons_and_names_partial() -> None:
    instance = create(ids=["north", "2"], unit="0.5")
    items = explain_undelivered(instance, Solution((Route((Visit(1, 1),)),)))
    assert undelivered_texts(instance, items) == [
        f"customer 1 (north) lacks 2.5 of 3.0: {NOT_FOUND}",
        f"customer 2 lacks 4.0 of 4.0: {NOT_FOUND}",
    ]
    error = infeasible(instance, items)
    assert isinstance(error, InfeasibleError)
    assert (error.code, error.field) == ("infeasible", "partial")
    assert error.message.endswith("; partial=True delivers as much as possible")
    assert "and 4 more" in infeasible(instance, [items[0]] * 7).message
