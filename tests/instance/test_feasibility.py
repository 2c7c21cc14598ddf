"""Instances without any solution are rejected, and the reason is given."""

from itertools import product
from typing import Any

import pytest

from splitroute.errors import InputError
from splitroute.instance import Depot, Instance, VehicleType
from splitroute.instance.feasibility import Feasibility, fewest_visits

POINTS = [(0, 0), (10, 0), (30, 0)]


def create(demands: tuple[int, int] = (6, 8), **arguments: Any) -> Instance:
    """Customers at distances 10 and 30 from the depot."""
    capacity = None if isinstance(arguments.get("vehicles"), list) else 10
    return Instance.create(capacity, demands, POINTS, **arguments)


Owner = tuple[str, int] | None
FIRST, SECOND, VAN = ("customers", 0), ("customers", 1), ("fleet", 0)
IMPOSSIBLE: list[tuple[dict[str, Any], str, Owner, str]] = [
    (
        {"windows": [(), ((0, 29),)]},
        "windows",
        SECOND,
        "the last window of customer 2 closes at 29; a vehicle arrives at 30 at the earliest",
    ),
    (
        {"windows": [(), ((0, 29),)], "vehicles": [VehicleType("van", 10)]},
        "windows",
        SECOND,
        "closes at 29; a vehicle of type 'van' arrives at 30 at the earliest",
    ),
    ({"vehicle_types": [None, ()]}, "vehicle_types", SECOND, "no vehicle type may serve"),
    (
        {"vehicles": [VehicleType("van", 10, shift=(5, 64))]},
        "shift",
        SECOND,
        "a vehicle of type 'van' that serves customer 2 returns at 65 at the earliest; "
        "it must be back by 64",
    ),
    (
        {"vehicles": [VehicleType("van", 10, shift=(5, 20))]},
        "shift",
        VAN,
        "vehicle type 'van' cannot serve any customer: a vehicle of type 'van' that serves "
        "customer 1 returns at 25",
    ),
    (
        # The customer that is named allows the type, and each type has its own reason.
        {
            "vehicles": [
                VehicleType("van", 10, shift=(5, 20)),
                VehicleType("truck", 10, max_distance=7),
                VehicleType("bike", 10),
            ],
            "vehicle_types": [("bike",), None],
            "ids": ["a", "b"],
        },
        "shift",
        VAN,
        "vehicle type 'van' cannot serve any customer: a vehicle of type 'van' that serves "
        "customer 2 (b) returns at 65 at the earliest; it must be back by 20; "
        "vehicle type 'truck' cannot serve any customer: customer 2 (b) needs a route of 60; "
        "max_distance of 'truck' is 7; partial=True delivers",
    ),
    (
        {"depots": [Depot(windows=((1, 2), (40, 50)))]},
        "depot_windows",
        SECOND,
        "a vehicle that serves customer 2 returns at 61 at the earliest; it must be back by 50",
    ),
    (
        {"vehicles": [VehicleType("van", 10, shift=(5, 9))], "depots": [Depot(windows=((1, 2),))]},
        "shift",
        VAN,
        "has no window of its depot within its shift",
    ),
    (
        {"vehicles": [VehicleType("van", 10, max_distance=59)]},
        "max_distance",
        SECOND,
        "customer 2 needs a route of 60; max_distance of 'van' is 59",
    ),
    (
        {"vehicles": [VehicleType("van", 10, max_duration=61)], "service": 2},
        "max_duration",
        SECOND,
        "customer 2 needs a route of 62; max_duration of 'van' is 61",
    ),
    (
        {"demands": (16, 8), "splittable": [False, True]},
        "splittable",
        FIRST,
        "customer 1 has a demand of 16, which must not be split; "
        "the largest vehicle that may serve it carries 10",
    ),
    (
        {"demands": (16, 31), "max_visits": 3},
        "max_visits",
        SECOND,
        "customer 2 has a demand of 31, which takes 4 visits; "
        "the largest vehicle that may serve it carries 10, and max_visits is 3",
    ),
    (
        {"demands": (16, 8), "min_drop": [9, 0]},
        "min_drop",
        FIRST,
        "a demand of 16, which cannot be split with min_drop 9",
    ),
    (
        {"demands": (16, 8), "lot": 11},
        "lot",
        FIRST,
        "a demand of 16, which cannot be split with lot 11",
    ),
    (
        {
            "demands": (16, 8),
            "vehicles": [VehicleType("van", 10), VehicleType("truck", 20)],
            "vehicle_types": [("van",), None],
            "max_visits": 1,
        },
        "max_visits",
        FIRST,
        "takes 2 visits; the largest vehicle that may serve it carries 10",
    ),
    (
        {
            "vehicles": [VehicleType("van", 4, 1, max_trips=2), VehicleType("truck", 5, 1)],
            "demands": (6, 8),
        },
        "vehicles",
        None,
        "the vehicles carry 13 in all their trips; the demands are 14, 1 more",
    ),
]


@pytest.mark.parametrize(("arguments", "field", "owner", "message"), IMPOSSIBLE)
def test_impossible_instances_are_rejected(
    arguments: dict[str, Any], field: str, owner: Owner, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        create(**arguments)
    assert message in str(caught.value)
    assert (caught.value.field, caught.value.owner) == (field, owner)


@pytest.mark.parametrize("arguments", [arguments for arguments, *_ in IMPOSSIBLE])
def test_what_is_impossible_may_stay_undelivered(arguments: dict[str, Any]) -> None:
    create(**arguments, partial=True)


def test_customers_with_a_penalty_may_stay_undelivered() -> None:
    instance = create(windows=[(), ((0, 29),)], penalty=[None, 3.0])
    reason = Feasibility(instance).reason(2)
    assert reason is not None
    assert reason.rule == "windows"
    assert Feasibility(instance).reason(1) is None


def test_times_are_shown_by_the_clock() -> None:
    instance = create(windows=[(), ((0, 29),)], clock=True, partial=True)
    reason = Feasibility(instance).reason(2)
    assert reason is not None
    assert "closes at 00:29; a vehicle arrives at 00:30 at the earliest" in reason.message


@pytest.mark.parametrize(
    ("speed", "message"),
    [
        (0.9, "closes at 29; a vehicle arrives at 33.33 at the earliest"),
        (30 / 29.0004, "closes at 29; a vehicle arrives at 29.0004 at the earliest"),
    ],
)
def test_times_are_rounded_as_far_as_they_differ(speed: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        create(windows=[(), ((0, 29),)], speed=speed)


def test_limits_are_rounded_too() -> None:
    van = VehicleType("van", 10, max_duration=1)
    with pytest.raises(InputError, match=r"6\.67 minutes; max_duration of 'van' is 1 minute;"):
        create(vehicles=[van], speed=3, clock=True)
    van = VehicleType("van", 10, max_distance=100 / 3)
    with pytest.raises(InputError, match=r"a route of 60; max_distance of 'van' is 33\.33;"):
        create(vehicles=[van])


def test_one_type_that_can_serve_the_customer_suffices() -> None:
    slow = VehicleType("slow", 10, shift=(0, 30))
    create(vehicles=[slow, VehicleType("fast", 10, shift=(0, 60))])


def test_a_route_over_another_customer_may_be_shorter() -> None:
    matrix = [[0, 2, 9], [2, 0, 3], [9, 3, 0]]
    van = VehicleType("van", 20, max_distance=14)
    Instance.create(None, [6, 8], matrix=matrix, vehicles=[van])
    Instance.create(20, [6, 8], matrix=matrix, windows=[(), ((0, 5),)])
    Instance.create(20, [6, 8], POINTS, durations=matrix, windows=[(), ((0, 5),)])


def admissible(quantity: int, demand: int, min_drop: int, lot: int) -> bool:
    return quantity == demand or (quantity >= min_drop and quantity % lot in (0, demand % lot))


def brute_force(demand: int, capacity: int, min_drop: int, lot: int) -> int | None:
    """Fewest admissible quantities with this sum, at most one of them with the rest."""
    quantities = [q for q in range(1, capacity + 1) if admissible(q, demand, min_drop, lot)]
    for count in range(1, demand + 1):
        for chosen in product(quantities, repeat=count):
            rests = sum(q % lot != 0 for q in chosen if q != demand)
            if sum(chosen) == demand and rests <= 1:
                return count
        if count > 5:
            break
    return None


def test_fewest_visits_agree_with_brute_force() -> None:
    seen = set()
    for demand, capacity, min_drop, lot in product(
        range(1, 12), (3, 4, 5), (0, 2, 3, 4), (1, 2, 3)
    ):
        expected = brute_force(demand, capacity, min(min_drop, demand), lot)
        found = fewest_visits(demand, capacity, min(min_drop, demand), lot)
        assert found == expected, (demand, capacity, min_drop, lot)
        seen.add(found)
    assert {None, 1, 2, 3} <= seen
