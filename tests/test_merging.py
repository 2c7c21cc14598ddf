"""Pieces on one route become one visit; vehicles, trips and times are kept."""

from __future__ import annotations

import splitroute as sr
from splitroute.instance import Depot, VehicleType
from splitroute.solution import Route, Solution, Visit, timetable
from splitroute.split_plan import SplitPlan
from splitroute.validation import validate

LINE = [(0, 0), (10, 0), (20, 0)]


def test_pieces_keep_the_rules_of_routing_only() -> None:
    fleet = [VehicleType("van", 5, 3, min_load=2), VehicleType("truck", 9, loading_per_unit=4)]
    instance = sr.Instance.create(
        None,
        [4, 8],
        LINE,
        vehicles=fleet,
        windows=[((0, 50),), ()],
        service=1.0,
        service_per_unit=2.0,
        min_drop=2,
        lot=2,
        max_visits=3,
        extra_visit_cost=5.0,
        penalty=[None, 6.0],
        vehicle_types=[None, ("truck",)],
    )
    cvrp = SplitPlan(instance, "test", ((4, 4), (8, 8)), scale=2).to_cvrp()
    assert cvrp.rules == instance.rules - {"min_drop", "lot", "max_visits", "extra_visit_cost"}
    assert [c.windows for c in cvrp.customers] == [((0, 50),)] * 2 + [()] * 2
    assert [c.vehicle_types for c in cvrp.customers] == [None] * 2 + [("truck",)] * 2
    assert [(v.capacity, v.min_load, v.loading_per_unit) for v in cvrp.fleet] == [
        (10, 4, 0.0),
        (18, 0, 2.0),
    ]
    assert {c.service_per_unit for c in cvrp.customers} == {1.0}
    assert [c.penalty for c in cvrp.customers] == [None, None, 3.0, 3.0]


def test_vehicles_and_trips_are_kept() -> None:
    fleet = [VehicleType("van", 5), VehicleType("truck", 9, max_trips=2)]
    instance = sr.Instance.create(None, [6, 8], LINE, vehicles=fleet)
    plan = SplitPlan(instance, "test", ((3, 3), (4, 4)))
    routed = Solution(
        (
            Route((Visit(1, 3), Visit(2, 3)), 1, 4, 1),
            Route((Visit(3, 4), Visit(4, 4)), 1, 4, 2),
        )
    )
    assert plan.merge(routed) == Solution(
        (Route((Visit(1, 6),), 1, 4, 1), Route((Visit(2, 8),), 1, 4, 2))
    )
    again, start = SplitPlan.from_visits(instance, plan.merge(routed))
    assert [(r.vehicle_type, r.vehicle, r.trip) for r in start.routes] == [(1, 4, 1), (1, 4, 2)]
    assert again.merge(start) == plan.merge(routed)


def test_a_visit_is_merged_where_it_costs_least_from_its_own_depot() -> None:
    fleet = [VehicleType("west", 9), VehicleType("east", 9, depot="east", end_depot="west")]
    depots = [Depot("west"), Depot("east")]
    places = [(0, 0), (30, 0), (1, 9), (28, 0), (29, 9)]
    instance = sr.Instance.create(None, [2, 4, 2], places, vehicles=fleet, depots=depots)
    plan = SplitPlan(instance, "test", ((2,), (2, 2), (2,)))
    visits = (Visit(2, 2), Visit(4, 2), Visit(1, 2), Visit(3, 2))
    merged = plan.merge(Solution((Route(visits, 1),)))
    assert [v.customer for v in merged.routes[0].visits] == [2, 3, 1]
    assert validate(instance, merged) == []


def test_a_visit_is_merged_where_windows_are_met() -> None:
    # Both pieces at once before customer 2 would make it late.
    instance = sr.Instance.create(
        9,
        [6, 1],
        [(0, 0), (10, 0), (20, 0)],
        windows=[(), ((20, 28),)],
        service_per_unit=[2.0, 0.0],
    )
    plan = SplitPlan(instance, "test", ((3, 3), (1,)))
    routed = Solution((Route((Visit(1, 3), Visit(3, 1), Visit(2, 3)), start=0.0),))
    assert validate(plan.to_cvrp(), routed) == []
    merged = plan.merge(routed)
    assert [v.customer for v in merged.routes[0].visits] == [2, 1]
    assert validate(instance, merged) == []


def test_the_departure_is_chosen_again_when_visits_are_merged() -> None:
    instance = sr.Instance.create(9, [6], [(0, 0), (10, 0)], windows=[((30, 40),)], service=5.0)
    plan = SplitPlan(instance, "test", ((3, 3),))
    merged = plan.merge(Solution((Route((Visit(1, 3), Visit(2, 3)), start=7.0),)))
    assert merged.routes[0].start is None
    assert timetable(instance, merged)[0].start == 20
    single = SplitPlan(instance, "test", ((6,),))
    kept = single.merge(Solution((Route((Visit(1, 6),), start=7.0),)))
    assert kept.routes[0].start == 7.0
