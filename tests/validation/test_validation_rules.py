"""From a valid solution, every rule is broken by itself, and only that rule is reported."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from splitroute import Instance, Route, Solution, Visit
from splitroute.instance import Depot, VehicleType
from splitroute.instance.rules import CUSTOMER_RULES, INSTANCE_RULES, VEHICLE_RULES
from splitroute.solution import cost_parts, route_costs, timetable, undelivered, with_departures
from splitroute.validation import Claims, recomputed_cost, recomputed_costs, validate

# On a line: depots a at 0 and b at 100; the customers' places are below. The unit is a half.
INSTANCE = Instance.create(
    None,
    [12, 12, 6, 4, 5, 6, 1, 1],
    [(x, 0) for x in (0, 100, 10, 20, 30, 40, 10, 5, 10, 10)],
    unit="0.5",
    depots=[Depot("a", windows=((0, 100), (110, 195))), Depot("b")],
    vehicles=[
        VehicleType(
            "van",
            14,
            2,
            fixed_cost=5.0,
            cost_per_time=0.5,
            shift=(10, 200),
            max_distance=85,
            max_duration=105,
            max_stops=3,
            max_trips=2,
            loading=2,
            loading_per_unit=0.5,
            min_load=2,
        ),
        VehicleType("truck", 25, 1, "a", "b", cost_per_distance=2.0, min_load=12),
    ],
    windows=[(), (), ((50, 60), (90, 100)), (), (), (), (), ((120, 190),)],
    service=1,
    service_per_unit=[0.5, 0, 0, 0, 0, 0, 0, 0],
    splittable=[True, True, False, True, True, True, True, True],
    min_drop=[4, 0, 0, 0, 0, 0, 0, 0],
    max_visits=[2, None, None, None, None, None, None, None],
    lot=[1, 5, 1, 1, 1, 1, 1, 1],
    extra_visit_cost=[3, 0, 0, 0, 0, 0, 0, 0],
    vehicle_types=[None, None, None, None, ("truck",), None, None, None],
    penalty=[None, None, 9.0, 4.0, None, None, None, None],
)
VALID = with_departures(
    INSTANCE,
    Solution(
        (
            Route((Visit(1, 4), Visit(2, 7)), 0, 1, 1),
            Route((Visit(2, 5), Visit(4, 2), Visit(7, 1)), 0, 1, 2),
            Route((Visit(1, 8), Visit(8, 1)), 0, 2, 1),
            Route((Visit(6, 6), Visit(5, 5), Visit(3, 6)), 1, 1, 1),
        )
    ),
)


def changed(routes: dict[int, dict[str, object]]) -> Solution:
    """The valid solution with other fields of some routes (from 1); new visits need new times."""
    return Solution(
        tuple(
            replace(route, **routes.get(number, {}))  # type: ignore[arg-type]
            for number, route in enumerate(VALID.routes, 1)
        )
    )


def visits(**routes: list[tuple[int, int]]) -> Solution:
    """The valid solution with other visits of some routes, r1 to r4, and without departures."""
    return Solution(
        tuple(
            replace(
                route,
                visits=tuple(Visit(*v) for v in routes.get(f"r{number}", route.visits)),
                start=None,
            )
            for number, route in enumerate(VALID.routes, 1)
        )
    )


def after(route: int, delay: float) -> float:
    return timetable(INSTANCE, VALID)[route - 1].end + delay


def kinds(solution: Solution, claims: Claims | None = None) -> set[str]:
    return {violation.kind for violation in validate(INSTANCE, solution, claims or Claims())}


def test_the_instance_has_every_rule() -> None:
    missing = {*CUSTOMER_RULES, *VEHICLE_RULES, *INSTANCE_RULES} - INSTANCE.rules
    assert missing == {"durations", "partial"}


def test_the_solution_is_valid_and_so_are_true_claims() -> None:
    assert kinds(VALID) == set()
    times = timetable(INSTANCE, VALID)
    claims = Claims(
        cost=cost_parts(INSTANCE, VALID).total,
        route_costs=tuple(route_costs(INSTANCE, VALID)),
        loads=tuple(route.load for route in VALID.routes),
        cost_parts=cost_parts(INSTANCE, VALID)._asdict(),
        ends=tuple(t.end for t in times),
        visit_times=tuple(tuple(map(tuple, t.visits)) for t in times),  # type: ignore[arg-type]
        undelivered=undelivered(INSTANCE, VALID),
    )
    assert kinds(VALID, claims) == set()
    assert recomputed_cost(INSTANCE, VALID) == pytest.approx(cost_parts(INSTANCE, VALID).total)
    assert recomputed_costs(INSTANCE, VALID) == pytest.approx(route_costs(INSTANCE, VALID))


MUTATIONS: list[tuple[str, Callable[[], Solution], str]] = [
    (
        "windows",
        lambda: changed({4: {"start": 80.0}}),
        "route 4 reaches customer 3 at 112; its window closes at 100, 12 earlier",
    ),
    (
        "shift",
        lambda: changed({1: {"start": 9.0}}),
        "route 1 departs at 9; the shift of 'van' starts at 10, 1 later",
    ),
    (
        "depot_windows",
        lambda: changed({3: {"start": 102.0}}),
        "route 3 departs at 102; depot 'a' closes at 100, 2 earlier",
    ),
    (
        "depot_windows",
        lambda: changed({3: {"start": 174.0}}),
        "route 3 returns at 198; depot 'a' closes at 195, 3 earlier",
    ),
    (
        "max_distance",
        lambda: visits(r2=[(4, 2), (7, 1), (2, 5)]),
        "the distance of route 2 is 100, 15 more than max_distance of 'van', which is 85",
    ),
    (
        "max_duration",
        lambda: changed({3: {"start": 20.0}}),
        "route 3 takes 111, 6 more than max_duration of 'van', which is 105",
    ),
    (
        "max_stops",
        lambda: visits(r2=[(2, 5), (4, 2), (7, 1), (8, 1)], r3=[(1, 8)]),
        "route 2 has 4 stops; max_stops of 'van' is 3",
    ),
    (
        "max_trips",
        lambda: Solution(tuple(replace(r, start=None) for r in changed({3: VAN_1_TRIP_3}).routes)),
        "vehicle 1 of type 'van' makes 3 trips; max_trips is 2",
    ),
    (
        "fleet",
        lambda: changed({2: {"vehicle": 0, "trip": 1}}),
        "3 vehicles of type 'van', but its count is 2",
    ),
    (
        "vehicle",
        lambda: changed({3: {"vehicle": 7}}),
        "vehicle 7 of type 'van' does not exist; its count is 2",
    ),
    (
        "vehicle",
        lambda: changed({3: {"vehicle": -1}}),
        "route 3 has the vehicle -1; vehicles are 1, 2, ..",
    ),
    (
        "trip",
        lambda: changed({2: {"trip": 3}}),
        "vehicle 1 of type 'van' makes the trips 1, 3; they must be numbered 1, 2, ..",
    ),
    (
        "trip",
        lambda: changed({3: {"vehicle": 0, "trip": 2}}),
        "route 3 is trip 2 of a vehicle without a number",
    ),
    ("trip", lambda: changed({3: {"trip": 0}}), "route 3 is trip 0; trips are 1, 2, .."),
    (
        "loading",
        lambda: changed({2: {"start": after(1, 3.0)}}),
        "route 2 departs at 56; its vehicle returns from route 1 at 53 and is ready at 57, 1 later",
    ),
    (
        "min_load",
        lambda: visits(r4=[(6, 6), (5, 5)]),
        "route 4 carries 5.5; min_load of 'truck' is 6.0",
    ),
    (
        "capacity",
        lambda: visits(r1=[(1, 8), (2, 7)], r3=[(1, 4), (8, 1)]),
        "route 1 carries 7.5; the capacity of 'van' is 7.0",
    ),
    (
        "demand",
        lambda: visits(r4=[(6, 5), (5, 5), (3, 6)]),
        "customer 6 receives 2.5; its demand is 3.0",
    ),
    (
        "demand",
        lambda: visits(r2=[(2, 5), (4, 5), (7, 1)]),
        "customer 4 receives 2.5; its demand is 2.0",
    ),
    (
        "vehicle_types",
        lambda: visits(r3=[(5, 5), (1, 8), (8, 1)], r4=[(6, 6), (3, 6)]),
        "route 3 serves customer 5 with a vehicle of type 'van'; it allows 'truck'",
    ),
    (
        "splittable",
        lambda: visits(r3=[(3, 2), (1, 8), (8, 1)], r4=[(6, 6), (5, 5), (3, 4)]),
        "customer 3 is visited 2 times; it must not be split",
    ),
    (
        "min_drop",
        lambda: visits(r1=[(1, 3), (2, 7)], r3=[(1, 9), (8, 1)]),
        "route 1 delivers 1.5 to customer 1, 0.5 less than its min_drop of 2.0",
    ),
    (
        "max_visits",
        lambda: visits(r3=[(1, 4), (8, 1)], r4=[(6, 6), (5, 5), (1, 4), (3, 6)]),
        "customer 1 is visited 3 times; max_visits is 2",
    ),
    (
        "lot",
        lambda: visits(r1=[(1, 4), (2, 6)], r2=[(2, 6), (4, 2), (7, 1)]),
        "route 1 delivers 3.0 to customer 2, 0.5 more than whole lots; "
        "its lot is 2.5, and one visit may deliver the remaining 1.0",
    ),
    (
        "visit",
        lambda: visits(r4=[(6, 3), (6, 3), (5, 5), (3, 6)]),
        "route 4 visits customer 6 2 times; a trip may visit it once",
    ),
    (
        "vehicle_type",
        lambda: changed({3: {"vehicle_type": 2}}),
        "route 3 has the vehicle type 2; they are numbered 0 to 1",
    ),
    (
        "start",
        lambda: changed({3: {"start": math.nan}}),
        "route 3 departs at nan; it must be a number",
    ),
]
VAN_1_TRIP_3: dict[str, object] = {"vehicle": 1, "trip": 3}


@pytest.mark.parametrize(("kind", "broken", "message"), MUTATIONS)
def test_a_broken_rule_is_reported_and_nothing_else(
    kind: str, broken: Callable[[], Solution], message: str
) -> None:
    violations = validate(INSTANCE, broken())
    assert {violation.kind for violation in violations} == {kind}
    assert violations[0].message == message


def test_every_rule_that_can_be_broken_is_broken_above() -> None:
    prices = {"extra_visit_cost", "fixed_cost", "cost_per_distance", "cost_per_time"}
    times = {"service", "service_per_unit", "loading_per_unit", "durations"}
    permissions = {"penalty", "partial"}
    rules = {*CUSTOMER_RULES, *VEHICLE_RULES, *INSTANCE_RULES} - {"depots"}
    assert rules - prices - times - permissions <= {kind for kind, _, _ in MUTATIONS}


def test_a_return_after_the_shift() -> None:
    van = replace(INSTANCE.fleet[0], shift=(10, 140))
    instance = replace(INSTANCE, fleet=(van, INSTANCE.fleet[1]))
    late = changed({3: {"start": 120.0}})
    (violation,) = validate(instance, late)
    assert violation.kind == "shift"
    assert violation.message == "route 3 returns at 144; the shift of 'van' ends at 140, 4 earlier"


def test_a_visit_cannot_be_before_the_first_time() -> None:
    instance = Instance.create(10, [1], [(0, 0), (5, 0)], windows=[((0, 9),)])
    early = Solution((Route((Visit(1, 1),), start=-2.0),))
    (violation,) = validate(instance, early)
    assert violation.kind == "shift"
    assert violation.message == "route 1 departs at -2; times start at 0, 2 later"
    (violation,) = validate(replace(instance, clock=True), early)
    assert violation.message.startswith("route 1 departs at -00:02; times start at 00:00, ")


def test_only_one_visit_delivers_the_rest_of_a_lot() -> None:
    instance = Instance.create(10, [12], [(0, 0), (5, 0)], lot=5, partial=True)

    def lots(*quantities: int) -> list[str]:
        routes = tuple(Route((Visit(1, q),)) for q in quantities)
        return [violation.kind for violation in validate(instance, Solution(routes))]

    assert lots(5, 7) == []
    assert lots(5, 5, 2) == []
    assert lots(2, 2, 5) == ["lot"]
    assert lots(10) == []
    assert lots(3) == ["lot"]


def test_times_by_the_clock() -> None:
    instance = Instance.create(10, [1], [(0, 0), (40, 0)], windows=[((0, 720),)], clock=True)
    late = Solution((Route((Visit(1, 1),), start=720.0),))
    (violation,) = validate(instance, late)
    assert violation.message == (
        "route 1 reaches customer 1 at 12:40; its window closes at 12:00, 40 minutes earlier"
    )


@pytest.mark.parametrize(
    ("claims", "kind"),
    [
        (Claims(ends=(None, None, 3.0)), "time"),
        (Claims(visit_times=(((None, None, 1.0),),)), "time"),
        (Claims(visit_times=(((None, 20.5, None),),)), "time"),
        (Claims(undelivered={4: 1}), "undelivered"),
        (Claims(undelivered={4: 2, 1: 1}), "undelivered"),
        (Claims(undelivered={}), "undelivered"),
        (Claims(cost_parts={"fixed": 11.0}), "cost"),
        (Claims(cost_parts={"extra_visits": 2.0}), "cost"),
        (Claims(cost_parts={"penalties": 5.0}), "cost"),
        (Claims(cost_parts={"time": 5.0}), "cost"),
        (Claims(route_costs=(None, 5.0)), "cost"),
    ],
)
def test_false_claims_about_rules(claims: Claims, kind: str) -> None:
    assert kinds(VALID, claims) == {kind}


def test_false_times_of_a_route_are_one_violation() -> None:
    claims = Claims(visit_times=(((None, 1.0, 2.0), (3.0, None, None)),))
    (violation,) = validate(INSTANCE, VALID, claims)
    assert violation.message.startswith("the stated start of route 1 at customer 1 is 1; it is ")
    assert violation.message.endswith(", and 2 later times are false")


def test_undelivered_quantities_need_a_permission() -> None:
    less = visits(r1=[(1, 4), (2, 7)], r4=[(6, 5), (5, 5), (3, 6)])
    assert kinds(less) == {"demand"}
    assert validate(replace(INSTANCE, partial=True), less) == []
